import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gameAddress, readAddress } from "../../src/boardwright/serve/web/address.js";
import { GAME_KEYS, HELP, PAGE_KEYS, SLIDES } from "../../src/boardwright/serve/web/keys.js";

const source = (name) => readFileSync(new URL(`../../src/boardwright/serve/web/${name}`, import.meta.url), "utf8");

test("no key means two things", () => {
  assert.deepEqual(Object.keys(GAME_KEYS).filter((key) => key in PAGE_KEYS), []);
});

test("every letter in the help does something, and every letter that does something is in the help", () => {
  const told = HELP.flatMap(([, keys]) => keys.map(([key]) => key)).filter((key) => /^[A-Z?]$/.test(key)).map((key) => key.toLowerCase());
  const bound = [...Object.keys(GAME_KEYS), ...Object.keys(PAGE_KEYS)].filter((key) => /^[a-z?]$/.test(key));
  assert.deepEqual(told.sort(), bound.sort());
});

test("every action is one that the page has", () => {
  const actions = (text, names) => names.filter((name) => !new RegExp(`[{,] ${name}[:,]|^\\s+${name}:`, "m").test(text));
  assert.deepEqual(actions(source("game.js"), Object.values(GAME_KEYS)), []);
  assert.deepEqual(actions(source("main.js"), Object.values(PAGE_KEYS)), []);
});

test("slides are the four ways", () => {
  assert.deepEqual(Object.values(SLIDES).sort(), ["down", "left", "right", "up"]);
});

test("an address is read as it was written", () => {
  assert.deepEqual(readAddress(gameAddress("g-17")), { place: "game", id: "g-17", seat: "", query: "" });
  assert.deepEqual(readAddress("#/library"), { place: "library", id: "", seat: "", query: "" });
  assert.deepEqual(readAddress("#/"), { place: "", id: "", seat: "", query: "" });
  assert.deepEqual(readAddress(""), { place: "", id: "", seat: "", query: "" });
});
