import assert from "node:assert/strict";
import { test } from "node:test";
import { continuations, spelled } from "../../src/boardwright/serve/web/spelling.js";

const cells = (...names) => names.map((name) => ({ name }));

test("a cell's own name is a move", () => {
  assert.deepEqual([...spelled(["h8", "a1"], cells("a1", "h8"))], [["h8", ["h8"]], ["a1", ["a1"]]]);
});

test("a move of several cells is split, the longest names first", () => {
  assert.deepEqual(spelled(["5B2"], cells("5", "5B", "2", "B2")).get("5B2"), ["5B", "2"]);
  assert.deepEqual(spelled(["1112"], cells("1", "11", "12")).get("1112"), ["11", "12"]);
});

test("signs between cells do not count", () => {
  const found = spelled(["e2-e4", "e4xd5", "a1 b2"], cells("e2", "e4", "d5", "a1", "b2"));
  assert.deepEqual([...found.values()], [["e2", "e4"], ["e4", "d5"], ["a1", "b2"]]);
});

test("a cell may stand for a move of another name", () => {
  assert.deepEqual(spelled(["pass"], [{ name: "skip", move: "pass" }]).get("pass"), ["skip"]);
});

test("moves that no three cells spell are left to the list", () => {
  const found = spelled(["pass", "a1a1a1a1", "a1a1a1"], cells("a1"));
  assert.deepEqual([...found.keys()], ["a1a1a1"]);
});

test("after a choice, only its moves go on", () => {
  const found = spelled(["5B2", "5B3", "1R2", "9"], cells("5B", "1R", "2", "3", "9"));
  assert.deepEqual([...continuations(found, [])], [["5B", ""], ["1R", ""], ["9", "9"]]);
  assert.deepEqual([...continuations(found, ["5B"])], [["2", "5B2"], ["3", "5B3"]]);
  assert.deepEqual([...continuations(found, ["3"])], []);
  assert.deepEqual([...continuations(found, ["5B", "2"])], []);
});

test("a cell that is a move and begins another one plays at once", () => {
  const found = spelled(["ab", "a"], cells("a", "b"));
  assert.equal(continuations(found, []).get("a"), "a");
});

test("cells of a kind come in any order, each as good as another of its kind", () => {
  const paths = new Map([["keep 4 4", ["die 1", "die 2", "roll"]], ["keep 4", ["die 1", "roll"]], ["keep 6", ["die 3", "roll"]], ["keep 4 6", ["die 1", "die 3", "roll"]], ["keep none", ["roll"]], ["sixes", ["sixes"]]]);
  const alike = { "die 1": "a 4", "die 2": "a 4", "die 3": "a 6" };
  const next = (...chosen) => Object.fromEntries(continuations(paths, chosen, alike));
  assert.deepEqual(next(), { "die 1": "", "die 2": "", "die 3": "", roll: "keep none", sixes: "sixes" });
  assert.deepEqual(next("die 2"), { "die 1": "", "die 3": "", roll: "keep 4" });
  assert.deepEqual(next("die 3", "die 2"), { roll: "keep 4 6" });
  assert.deepEqual(next("die 2", "die 1"), { roll: "keep 4 4" });
  assert.deepEqual(next("roll"), {});
  assert.deepEqual(next("sixes"), {});
});
