import assert from "node:assert/strict";
import { test } from "node:test";
import { chipOf, fullName, seatNames, sideOf } from "../../src/boardwright/serve/web/names.js";

const human = { player: "human", name: "Human" }, medium = { player: "mcts:simulations=400", name: "Medium" };
const gomoku = { players: 2, sides: ["Black", "White"] }, azul = { players: 2, sides: [] };

test("sides by their names, or by number", () => {
  assert.equal(sideOf(gomoku, 1), "White");
  assert.equal(sideOf(azul, 1), "Player 2");
  assert.equal(sideOf({ players: 1, sides: [] }, 0), "You");
  assert.deepEqual([chipOf(gomoku, 0), chipOf(azul, 1)], ["B", "2"]);
});

test("the only seat of this page is You; people are their sides; twins are told apart", () => {
  assert.deepEqual(seatNames({ game: gomoku, seats: [human, medium] }, [0]), ["You", "Medium"]);
  assert.deepEqual(seatNames({ game: gomoku, seats: [human, human] }, [0, 1]), ["Black", "White"]);
  assert.deepEqual(seatNames({ game: gomoku, seats: [medium, medium] }, []), ["Medium (Black)", "Medium (White)"]);
  assert.deepEqual(seatNames({ game: azul, seats: [medium, medium] }, []), ["Medium 1", "Medium 2"]);
});

test("a full name says the side", () => {
  assert.equal(fullName({ game: gomoku, seats: [human, medium] }, 1), "Medium (White)");
  assert.equal(fullName({ game: azul, seats: [human, medium] }, 1), "Medium (player 2)");
  assert.equal(fullName({ game: azul, seats: [human, medium] }, 0), "Player 1");
});
