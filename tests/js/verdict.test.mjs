import assert from "node:assert/strict";
import { test } from "node:test";
import { verdict } from "../../src/boardwright/serve/web/verdict.js";

test("how a race stands", () => {
  assert.equal(verdict({ ended: false, over: false, behind: false }), "After as many moves");
  assert.equal(verdict({ ended: false, over: false, behind: true }), "Still thinking about this move");
  assert.equal(verdict({ ended: true, over: false, behind: false }), "You are done; the other still plays");
  assert.equal(verdict({ ended: true, over: true, own: 40, other: 33, name: "Medium" }), "You win the race by 7");
  assert.equal(verdict({ ended: true, over: true, own: 30, other: 33, name: "Medium" }), "Medium wins the race by 3");
  assert.equal(verdict({ ended: true, over: true, own: 33, other: 33, name: "Medium" }), "A tie");
});
