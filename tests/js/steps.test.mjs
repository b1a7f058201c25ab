import assert from "node:assert/strict";
import { test } from "node:test";
import { branched, endOf, pick, startOf } from "../../src/boardwright/serve/web/steps.js";

const CHANCE = -1;
const steps = (...by) => by.map((who, i) => ({ text: `s${i}`, by: who }));

test("without chance a step is a ply", () => {
  const game = steps(0, 1, 0);
  assert.deepEqual([0, 1, 2].map((at) => endOf(game, at)), [1, 2, 3]);
  assert.deepEqual([3, 2, 1].map((ply) => startOf(game, ply)), [2, 1, 0]);
});

test("a move and its draws are one step, both ways", () => {
  const game = steps(CHANCE, CHANCE, 0, CHANCE, CHANCE, 1, CHANCE);
  assert.equal(endOf(game, 2), 5);
  assert.equal(endOf(game, 5), 7);
  assert.equal(startOf(game, 7), 5);
  assert.equal(startOf(game, 5), 2);
  assert.equal(startOf(game, 2), 0);
});

test("going on and back again ends where it began", () => {
  const game = steps(CHANCE, 0, CHANCE, CHANCE, 1, 0, CHANCE);
  for (const ply of [1, 4, 5]) assert.equal(startOf(game, endOf(game, ply)), ply);
});

test("another try in a study drops what came after", () => {
  const tried = steps(0, 1, 0);
  const after = branched(tried, 1, { text: "new", by: 1 });
  assert.deepEqual(after.map((step) => step.text), ["s0", "new"]);
  assert.equal(tried.length, 3);
});

test("draws come as likely as they are", () => {
  const chances = [{ text: "two", chance: 0.9 }, { text: "four", chance: 0.1 }];
  assert.equal(pick(chances, 0), "two");
  assert.equal(pick(chances, 0.899), "two");
  assert.equal(pick(chances, 0.901), "four");
  assert.equal(pick(chances, 0.9999999999999999), "four");
  assert.equal(pick([{ text: "only", chance: 0.3 }], 0.99), "only");
});
