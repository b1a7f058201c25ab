import assert from "node:assert/strict";
import { test } from "node:test";
import { figureWords, inOrder, stepUnit } from "../../src/boardwright/serve/web/figures.js";

test("figures have words and units, and the rating comes first", () => {
  assert.deepEqual(figureWords("elo"), ["Rating", "Elo"]);
  assert.deepEqual(figureWords("my_own_figure"), ["My own figure", ""]);
  assert.deepEqual(inOrder(["zeal", "games_a_second", "loss", "elo", "ambition"]), ["elo", "loss", "games_a_second", "ambition", "zeal"]);
  assert.deepEqual([stepUnit("selfplay"), stepUnit("tuples")], ["iterations", "games"]);
});
