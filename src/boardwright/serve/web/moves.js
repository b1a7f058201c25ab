// The moves of a game as a list: numbered, judged if a report is there, draws between them in grey.

import { h } from "./dom.js";
import { plainStep } from "./format.js";
import { GLYPHS } from "./labels.js";
import { endOf } from "./steps.js";

const WINDOW = 160; // moves listed before and after the one shown
const DRAWS = 12; // of a run of draws, listed

/** Elements for the steps round ply `at`; `labels`: ply -> what the judge calls the move; `go(ply)` shows a position. */
export function moveList(steps, at, labels, go) {
  const from = Math.max(0, Math.min(at, steps.length) - WINDOW), to = Math.min(steps.length, at + WINDOW);
  const made = [];
  let turn = steps.slice(0, from).filter((step) => step.by >= 0).length;
  let draws = [];
  const flush = () => {
    if (!draws.length) return;
    const [first, last] = [draws[0], draws.at(-1)];
    made.push(h("span.draws", { title: "drawn by chance" }, draws.slice(0, DRAWS).map((i) => plainStep(steps[i])).join(" ") + (draws.length > DRAWS ? " …" : "")));
    if (first <= at - 1 && at - 1 <= last) made.at(-1).classList.add("here");
    draws = [];
  };
  if (from) made.push(h("span.draws", {}, "…"));
  for (let i = from; i < to; i++) {
    const step = steps[i];
    if (step.by < 0) { draws.push(i); continue; }
    flush();
    turn += 1;
    const label = labels.get(i + 1), end = endOf(steps, i);
    made.push(h(`button.step.p${step.by}${label ? "." + label : ""}`, { type: "button", "aria-current": end === at ? "true" : null, onclick: () => go(end), title: label || null },
      h("small", {}, `${turn}`), step.text, GLYPHS[label] ? h("b", { "aria-label": label }, GLYPHS[label]) : ""));
    if (step.glance) made.push(h("span.draws.glance", { title: "made by a second's look, while the game was being prepared" }, "at a glance"));
  }
  flush();
  if (to < steps.length) made.push(h("span.draws", {}, "…"));
  return made;
}
