// The search theatre: its address means what it says, and the tree's nodes do not lie on each other.

import assert from "node:assert/strict";
import test from "node:test";
import { addressOf, question, readTheatre, specOf, theatreAddress } from "../../src/boardwright/serve/web/theatre/state.js";
import { readAddress } from "../../src/boardwright/serve/web/address.js";
import { edge, layout } from "../../src/boardwright/serve/web/theatre/layout.js";

const read = (hash) => { const { id, query } = readAddress(hash); return readTheatre(id, query); };

test("an address says the game, the position, the seed, the settings and how far", () => {
  const state = read("#/theatre/gomoku:size=7,line=4?moves=d4+a1&seed=3&c=1.4&select=ucb1&at=12");
  assert.equal(state.game, "gomoku:size=7,line=4");
  assert.deepEqual(state.moves, ["d4", "a1"]);
  assert.deepEqual([state.seed, state.at, state.simulations, state.children, state.levels], [3, 12, 200, 3, 2]);
  assert.deepEqual(state.searches, [{ c: "1.4", select: "ucb1" }]);
});

test("a second search has its settings with a 2 behind", () => {
  assert.deepEqual(read("#/theatre/x?c=1&c2=0.2").searches, [{ c: "1" }, { c: "0.2" }]);
  assert.deepEqual(read("#/theatre/x?two=1").searches, [{}, {}]);
});

test("what is written is read again", () => {
  for (const hash of [
    "#/theatre/tictactoe", "#/theatre/gomoku:size=7,line=4?moves=d4+a1&seed=3&at=12&c=1.4&select=ucb1", "#/theatre/x?two=1",
    "#/theatre/x?table=0f3c&ply=4&steps=up+a1%3D2&children=4&proofs=false&depth=6&c2=0.2",
    `#/theatre/x?${new URLSearchParams({ position: '{"game":"x","options":{"a":"b/c?d"}}', at: 5 })}`,
  ]) assert.equal(theatreAddress(read(hash)), hash);
});

test("what is no number is left to the server to refuse", () => {
  const state = read("#/theatre/x?at=many&seed=1.5");
  assert.equal(state.at, "many");
  assert.equal(state.seed, "1.5");
  assert.deepEqual(read("#/theatre/%E0%A4").game, "%E0%A4");
});

test("a question names the position in one way", () => {
  assert.deepEqual(Object.keys(question(read("#/theatre/x?moves=a"), 0, 1, [])).sort(), ["at", "depth", "game", "known", "moves", "seed", "settings", "simulations", "top"]);
  const of = question(read("#/theatre/x?table=t&ply=3&c2=5"), 1, 1, [4]);
  assert.deepEqual([of.table, of.ply, of.game, of.settings, of.known], ["t", 3, undefined, { c: "5" }, [4]]);
});

test("a position on the page has an address: its moves, or where chance has moved the game itself", () => {
  const game = { name: "x", options: { size: 3 }, chance: false };
  assert.equal(specOf(game), "x:size=3");
  assert.equal(specOf(game, { size: 3 }), "x");
  assert.equal(addressOf(game, { table: "t", ply: 2 }, ["a1", "b2"], { size: 5 }), "#/theatre/x:size=3?moves=a1+b2");
  assert.equal(addressOf({ ...game, chance: true }, { table: "t", ply: 2 }, ["a1", "~4"], {}), "#/theatre/x:size=3?table=t&ply=2");
  assert.match(addressOf(game, { position: { game: "x" }, steps: ["a1"] }, [], {}), /position=%7B.*steps=a1/);
});

function apart({ spots, width, height }) {
  for (const [i, one] of spots.entries()) {
    assert.ok(one.x >= 0 && one.y >= 0 && one.x + one.w <= width && one.y + one.h <= height);
    for (const other of spots.slice(0, i)) {
      assert.ok(one.x + one.w <= other.x || other.x + other.w <= one.x || one.y + one.h <= other.y || other.y + other.h <= one.y);
    }
    if (one.parent) assert.ok(one.y >= one.parent.y + one.parent.h && !edge(one).includes("NaN"));
  }
}

test("nodes lie beside and below each other, in rows or, where there is no room, in columns", () => {
  const leaf = () => ({ children: [], more: 0 });
  const some = (n, more = 0) => ({ children: Array.from({ length: n }, leaf), more });
  const tree = { children: [some(3, 5), some(0, 4), { children: [some(2), some(1, 1), leaf()], more: 2 }], more: 6 };
  const sizeOf = (node, level) => (level ? { w: 100, h: 130 } : { w: 140, h: 170 });
  const wide = layout(tree, sizeOf), narrow = layout(tree, sizeOf, 500);
  apart(wide);
  apart(narrow);
  assert.ok(narrow.width < wide.width && narrow.height > wide.height);
  assert.equal(wide.spots.filter((one) => one.more).length, 4);
  apart(layout(leaf(), sizeOf));
});
