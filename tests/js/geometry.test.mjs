import assert from "node:assert/strict";
import { test } from "node:test";
import { beside, inRows, joined, middle, overlap, swipeWay } from "../../src/boardwright/serve/web/geometry.js";

const cell = (name, x, y, size = 10) => ({ name, parts: [{ x, y, w: size, h: size }] });
const grid = [];
for (let row = 0; row < 3; row++) for (let column = 0; column < 3; column++) grid.push(cell(`${column}${row}`, 12 * column, 12 * row));
const names = (cells) => cells.map((one) => one.name);

test("parts that nearly coincide are one place", () => {
  const one = { x: 0, y: 0, w: 10, h: 10 };
  assert.equal(overlap(one, { x: 3, y: -2, w: 10, h: 10 }), true);
  assert.equal(overlap(one, { x: 6, y: 0, w: 10, h: 10 }), false);
  assert.deepEqual(joined(one, { x: 3, y: -2, w: 10, h: 10 }), { x: 0, y: -2, w: 13, h: 12 });
  assert.deepEqual(middle(one), [5, 5]);
});

test("cells come in rows, whatever their order and however uneven", () => {
  const mixed = [cell("c", 24, 1), cell("e", 12, 13), cell("a", 0, 0), cell("d", 0, 12), cell("b", 12, 2)];
  assert.deepEqual(inRows(mixed).map(names), [["a", "b", "c"], ["d", "e"]]);
  assert.deepEqual(inRows([]), []);
});

test("arrows go to the neighbour and stop at the edge", () => {
  const middleCell = grid[4];
  const ways = [[0, -1], [0, 1], [-1, 0], [1, 0]];
  assert.deepEqual(ways.map((way) => beside(middleCell, grid, way).name), ["10", "12", "01", "21"]);
  assert.equal(beside(grid[0], grid, [-1, 0]), null);
});

test("straight ahead is nearer than aside", () => {
  const here = cell("here", 0, 0);
  assert.equal(beside(here, [here, cell("far", 60, 0), cell("aside", 30, 20)], [1, 0]).name, "far");
  assert.equal(beside(here, [here, cell("behind", -30, 0)], [1, 0]), null);
});

test("a swipe goes the longer way", () => {
  assert.deepEqual([swipeWay(30, 10), swipeWay(-30, 10), swipeWay(5, 40), swipeWay(5, -40)], ["right", "left", "down", "up"]);
});
