import assert from "node:assert/strict";
import { test } from "node:test";
import { countsOf, isGood, LABELS, labelsOf, mistakeAfter, mistakesOf, rowOf, shade, taken, verdictAt } from "../../src/boardwright/serve/web/labels.js";

const move = (ply, player, label, text = "a1", best = "b2") => ({ kind: "move", ply, player, label, text, best, loss: 0.3, low: 0.2 });
const report = {
  players: ["one", "two"],
  events: [move(1, 0, "best", "b2"), move(2, 1, "blunder"), { kind: "draw", ply: 3, label: "blunder", player: 0 }, move(4, 0, "inaccuracy"), move(5, 1, "mistake", "b2"), move(6, 0, "unsure")],
};

test("every label has its colour, and what is unknown is unsure", () => {
  assert.deepEqual(LABELS.map(shade), ["best", "best", "good", "fair", "poor", "bad", "unsure"]);
  assert.equal(shade("brilliant"), "unsure");
  assert.deepEqual(LABELS.filter(isGood), ["best", "excellent", "good"]);
});

test("a move is told by the row that it shares with the same moves", () => {
  const rows = [{ move: "g9", alike: ["i9"], label: "best", visits: 90 }, { move: "g7", alike: ["i7"], label: "blunder", visits: 40 }, { move: "a1", alike: [], label: "unsure", visits: 2 }];
  assert.equal(rowOf(rows, "i9"), rows[0]);
  assert.equal(rowOf(rows, "o15"), undefined);
  assert.equal(rowOf(undefined, "a1"), undefined);
  assert.equal(taken(rowOf(rows, "i9"), "g9", "i7"), "best", "whatever its own row would say");
  assert.equal(taken(rowOf(rows, "g7"), "g9", "i7"), "played");
  assert.equal(taken(rowOf(rows, "i9"), "h12", "a15"), "good");
  assert.equal(taken(rowOf(rows, "g7"), "h12", "a15"), "poor");
  assert.equal(taken(rowOf(rows, "a1"), "h12", "a15"), "unsure");
  assert.equal(taken(undefined, "h12", "a15"), "poor");
});

test("labels stand at the plies of moves, not of draws", () => {
  assert.deepEqual([...labelsOf(report)], [[1, "best"], [2, "blunder"], [4, "inaccuracy"], [5, "mistake"], [6, "unsure"]]);
  assert.equal(labelsOf(null).size, 0);
});

test("only mistakes with something better are learnt from, and only one's own", () => {
  assert.deepEqual(mistakesOf(report, [0, 1]).map((event) => event.ply), [2, 4]);
  assert.deepEqual(mistakesOf(report, [0]).map((event) => event.ply), [4]);
  assert.deepEqual(mistakesOf(null, [0]), []);
  const doubtful = { ...move(1, 0, "blunder"), loss: 0, low: -0.1 };
  assert.deepEqual(mistakesOf({ players: ["one"], events: [doubtful] }, [0]), []);
});

test("the next mistake is the one after the position shown, then the first again", () => {
  assert.equal(mistakeAfter(report, 0).ply, 2);
  assert.equal(mistakeAfter(report, 1).ply, 4); // the blunder itself led from here
  assert.equal(mistakeAfter(report, 4).ply, 2);
  assert.equal(mistakeAfter({ players: [], events: [move(1, 0, "good")] }, 0), undefined);
});

test("a verdict is that of the move before the position", () => {
  assert.equal(verdictAt(report, 2).label, "blunder");
  assert.equal(verdictAt(report, 3), undefined); // a draw
  assert.equal(verdictAt(null, 1), undefined);
});

test("counts are by seat and label", () => {
  const counts = countsOf(report);
  assert.deepEqual(counts[0], [1, 0, 0, 1, 0, 0, 1]);
  assert.deepEqual(counts[1], [0, 0, 0, 0, 1, 1, 0]);
});
