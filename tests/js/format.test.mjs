import assert from "node:assert/strict";
import { test } from "node:test";
import { accountText, arrowed, errorText, lossText, mark, number, plainStep, prepared, short, verdictText, when, worth } from "../../src/boardwright/serve/web/format.js";

test("numbers have commas, a real minus and the digits asked for", () => {
  assert.equal(number(1234567), "1,234,567");
  assert.equal(number(-3.14159, 2), "−3.14");
  assert.equal(number(2, 1), "2.0");
});

test("small numbers keep more digits", () => {
  assert.deepEqual([short(12345.6), short(12.345), short(0.012345), short(-250)], ["12,346", "12.35", "0.0123", "−250"]);
});

test("a value is points, or a chance of winning", () => {
  assert.equal(worth(-1, false), "0 %");
  assert.equal(worth(0, false), "50 %");
  assert.equal(worth(1, false), "100 %");
  assert.equal(worth(17.25, true), "17.3");
  assert.equal(worth(19193.4, true), "19,193");
  assert.equal(worth(null, true), "–");
  assert.equal(worth(undefined, false), "–");
});

test("what is written on a cell is short", () => {
  assert.equal(mark(0.5, false), "75");
  assert.equal(mark(null, false), "50");
  assert.equal(mark(99.96, true), "100.0");
  assert.equal(mark(123.4, true), "123");
  assert.equal(mark(undefined, true), "0");
  assert.equal(mark(1234, true), "1.2k");
  assert.equal(mark(68223, true), "68k");
});

test("a loss that rounds to none is not told", () => {
  assert.equal(lossText(0, false), "");
  assert.equal(lossText(0.0004, false), "");
  assert.equal(lossText(0.2, false), "−10.0");
  assert.equal(lossText(0.04, true), "");
  assert.equal(lossText(3.5, true), "−3.5");
  assert.equal(lossText(null, true), "");
});

test("figures carry their errors", () => {
  assert.equal(errorText(0.04, false), " ± 2.0");
  assert.equal(errorText(3.25, true), " ± 3.3");
  assert.equal(errorText(0.0004, false), " ± <0.1");
  assert.equal(errorText(0, true), "");
  assert.equal(errorText(undefined, true), "");
  const event = { text: "j8", best: "i8", label: "mistake", loss: 0.3, estimate: 0.3, error: 0.04 };
  assert.equal(verdictText(event, false), "j8: mistake, lost 15.0 ± 2.0 %; best was i8");
  assert.equal(verdictText({ ...event, low: 0.22 }, false), "j8: mistake, lost 15.0 ± 2.0 %, at least 11.0 %; best was i8");
  assert.equal(verdictText({ ...event, label: "unsure", loss: 0 }, false), "j8: unsure, it may have lost 15.0 ± 2.0 %");
  assert.equal(verdictText({ ...event, label: "best", loss: 0, best: "j8" }, true), "j8: best, to ± <0.1");
  assert.equal(verdictText({ ...event, label: "blunder", loss: 7, error: 0 }, true), "j8: blunder, lost 7.0; best was i8");
});

test("accounts have signs, but start and result", () => {
  assert.equal(accountText(0.5, "start", false), "75 %");
  assert.equal(accountText(0.1, "luck", false), "+5 %");
  assert.equal(accountText(-0.1, "losses", false), "−5 %");
  assert.equal(accountText(12, "result", true), "12.0");
  assert.equal(accountText(12, "luck", true), "+12.0");
});

test("steps and moves as they are listed", () => {
  assert.equal(plainStep({ text: "~a1=2" }), "a1=2");
  assert.equal(plainStep({ text: "5B~2" }), "5B~2");
  assert.equal(arrowed("left"), "← left");
  assert.equal(arrowed("h8"), "h8");
});

test("moments are told as people do", () => {
  const now = Date.parse("2026-03-04T12:00:00Z");
  assert.equal(when("2026-03-04T11:59:45Z", now), "just now");
  assert.equal(when("2026-03-04T11:18:00Z", now), "42 min ago");
  assert.equal(when("2026-03-04T02:00:00Z", now), "10 h ago");
  assert.equal(when("2026-02-28T12:00:00Z", now), "Feb 28, 2026");
});

test("what takes longer than expected slows down and is never done before it is", () => {
  assert.deepEqual([0, 5, 9, 10, 20, 100].map((seconds) => prepared({ seconds, of: 10 })), [0, 50, 90, 91, 97, 100]);
  assert.equal(prepared({ seconds: 1, of: 0 }) <= 100, true);
});
