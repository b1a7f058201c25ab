import assert from "node:assert/strict";
import { test } from "node:test";
import { StudyTree } from "../../src/boardwright/serve/web/study_tree.js";

const step = (text) => ({ text, by: 0 });

function sample() {
  const tree = new StudyTree();
  const a = tree.add(0, step("a")), b = tree.add(a, step("b")), c = tree.add(b, step("c"));
  const other = tree.add(a, step("x")), end = tree.add(other, step("y"));
  return { tree, a, b, c, other, end };
}

test("another step is a branch, the same step the same node", () => {
  const { tree, a, b, c, other, end } = sample();
  assert.deepEqual(tree.children(a), [b, other]);
  assert.equal(tree.add(a, step("x")), other);
  assert.deepEqual(tree.path(end), [0, a, other, end]);
  assert.deepEqual(tree.line(a), [0, a, b, c]);
  assert.deepEqual(tree.line(other), [0, a, other, end]);
});

test("what is removed takes along what came after it", () => {
  const { tree, a, b } = sample();
  assert.equal(tree.remove(b), a);
  assert.deepEqual(tree.nodes.map((one) => one.text), ["", "a", "x", "y"]);
  assert.deepEqual(tree.nodes.map((one) => one.parent), [-1, 0, 1, 2]);
});

test("a tree comes back as it was kept", () => {
  const { tree, end } = sample();
  tree.nodes[end].comment = "why not";
  const again = new StudyTree(JSON.parse(JSON.stringify(tree.nodes)));
  assert.deepEqual(again.nodes, tree.nodes);
});
