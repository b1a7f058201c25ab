import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf, statusOf, subtitleOf } from "../../src/boardwright/serve/web/status.js";

const human = { player: "human", name: "Human" }, medium = { player: "mcts:simulations=400", name: "Medium" };
const game = { players: 2, sides: ["Black", "White"], points: false, variant: [] };
const table = { game, seats: [human, medium], ply: 4, status: "unfinished", playable: true, seed: 7 };
const now = { table, turn: 1, at: 4, last: 4, up: true, yours: [0] };

test("whose move it is", () => {
  assert.equal(statusOf({ ...now, turn: 0 }), "Your move");
  assert.equal(statusOf({ ...now, turn: 0, yours: [0, 1] }), "Black to move");
  assert.equal(statusOf({ ...now, turn: -1 }), "Chance moves");
  assert.equal(statusOf({ ...now, at: 2 }), "Position 2 of 4");
});

test("what is waited for", () => {
  assert.equal(statusOf(now), "Medium is thinking");
  assert.equal(statusOf({ ...now, simulations: 1200 }), "Medium is thinking: 1,200 looks ahead");
  assert.equal(statusOf({ ...now, waits: true }), "Medium waits");
  assert.equal(statusOf({ ...now, paused: true }), "Paused");
  assert.equal(statusOf({ ...now, problem: "no model" }), "Medium cannot move: no model");
  assert.equal(statusOf({ ...now, up: false }), "Waiting for the server");
  assert.equal(statusOf({ ...now, up: false, sending: "a1" }), "Your move a1 goes out when the server answers");
  assert.equal(statusOf({ ...now, table: { ...table, playable: false } }), "This game cannot go on here");
});

test("how it ended", () => {
  const over = { ...table, status: "finished", results: [1, -1] };
  assert.equal(statusOf({ ...now, table: over }), "You win");
  assert.equal(outcomeOf({ ...over, results: [-1, 1] }, [0]), "Medium (White) wins");
  assert.equal(outcomeOf({ ...over, results: [0, 0] }, [0]), "A draw");
  assert.equal(outcomeOf({ ...over, game: { ...game, points: true }, results: [31, 28] }, [0]), "Finished: 31 to 28");
  assert.equal(outcomeOf({ ...over, game: { ...game, players: 1, points: true }, results: [1234] }, [0]), "Finished: 1,234 points");
  assert.equal(outcomeOf({ ...over, status: "forfeit", note: "Black gave up; assisted: hint" }, [0]), "Black gave up");
  const resigned = { ...over, status: "forfeit", note: "player 1 resigned; assisted: hint" };
  assert.equal(outcomeOf(resigned, [0]), "You resigned");
  assert.equal(outcomeOf(resigned, [0, 1]), "Black resigned");
  assert.equal(outcomeOf({ ...resigned, note: "player 2 resigned" }, [0]), "Medium (White) resigned");
});

test("what is unusual", () => {
  assert.equal(subtitleOf(table), "seed 7");
  assert.equal(subtitleOf({ ...table, game: { ...game, variant: ["size: 9"] }, assisted: true }), "size: 9 · seed 7 · assisted");
  assert.match(subtitleOf({ ...table, unkept: "full" }), /not kept: this browser's storage is full/);
});
