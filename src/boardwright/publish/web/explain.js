// What a judge has found out about a game, as arena/analyse.py tells it: each move and each run of draws, adding up to the
// result. A loss counts where it is larger than its error.

import { called } from "./labels.js";

const FORMAT = 2;
const LONGEST_RUN_SHOWN = 12; // draws of a run that are named
const WITH_LINE = new Set(["inaccuracy", "mistake", "blunder", "unsure"]); // what is told with how it might have gone on

/** A report as the page shows it. `texts`: what each step of the game is called. */
export async function explain(judge, texts, players, analyst) {
  const { line, points } = judge, start = judge.value(0), events = [];
  const of = new Map(judge.decisions.map((decision) => [decision.index, decision]));
  for (let at = 0, until; at + 1 < line.length; at = until) {
    until = at + 1;
    if (line[at].isChance) while (line[until].isChance && until + 1 < line.length) until += 1;
    events.push(line[at].isChance ? draw(judge, texts, at, until) : await move(judge, texts, of.get(at), start));
  }
  return {
    format: FORMAT,
    analysis: {
      format: FORMAT, players, analyst, is_over: line.at(-1).isOver, unit: points ? "points" : "result", events,
      accounts: players.map((_, i) => account(judge, i, events)), rounds: Math.max(...judge.decisions.map(({ rounds }) => rounds)),
    },
    scores: line.map((position) => position.facts.scores),
  };
}

function draw(judge, texts, at, until) {
  const names = texts.slice(at, until).map((text) => text.replace(/^~/, "")), more = names.length - LONGEST_RUN_SHOWN;
  const before = judge.value(at), after = judge.value(until);
  return {
    ply: at + 1, kind: "draw", text: names.slice(0, LONGEST_RUN_SHOWN).join(" ") + (more > 0 ? ` and ${more} more` : ""), player: -1, count: until - at,
    before, after, luck: after.map((value, i) => value - before[i]), loss: 0, error: Math.hypot(judge.valueError(at), judge.valueError(until)),
    estimate: 0, low: 0, high: 0, best: "", label: "", line: [], after_error: judge.valueError(until),
  };
}

async function move(judge, texts, decision, start) {
  const { index, position } = decision, verdict = judge.verdict(decision), before = judge.value(index);
  const label = called(judge.points, verdict, start[position.player]);
  const best = verdict.best === decision.move ? texts[index] : await position.text(verdict.best);
  return {
    ply: index + 1, kind: "move", text: texts[index], player: position.player, count: 1, before, after: judge.value(index + 1), luck: before.map(() => 0),
    loss: verdict.sure ? verdict.loss : 0, error: verdict.error, estimate: verdict.loss, low: verdict.low, high: verdict.high,
    best, label, line: WITH_LINE.has(label) ? await named(position, verdict.line) : [best], after_error: judge.valueError(index + 1),
  };
}

async function named(position, steps) {
  const told = [];
  for (const step of steps) {
    if (position.isOver || !position.facts.choices.includes(step)) break;
    told.push((position.isChance ? "~" : "") + await position.text(step));
    position = position.after(step);
  }
  return told;
}

/** How one player's result came about: result = start + luck - losses + others + mind. */
function account(judge, player, events) {
  const last = judge.line.length - 1;
  const made = {
    start: judge.value(0)[player], luck: 0, losses: 0, others: 0, mind: 0, result: judge.value(last)[player],
    start_error: judge.valueError(0), luck_error: 0, losses_error: 0, others_error: 0, mind_error: 0, result_error: judge.valueError(last),
  };
  const weights = { others: new Map(), mind: new Map() }; // of V along the line
  for (const event of events) {
    const change = event.after[player] - event.before[player];
    let part = "mind";
    if (event.kind === "draw") {
      made.luck += event.luck[player];
      made.luck_error = Math.hypot(made.luck_error, event.error);
      continue;
    }
    if (event.player === player) {
      made.losses += event.loss;
      made.losses_error = Math.hypot(made.losses_error, event.error);
      made.mind += change + event.loss;
    } else if (judge.opposed) {
      made.others += event.loss;
      made.others_error = Math.hypot(made.others_error, event.error);
      made.mind += change - event.loss;
    } else {
      made.others += change;
      part = "others";
    }
    for (const [at, weight] of [[event.ply, 1], [event.ply - 1, -1]]) weights[part].set(at, (weights[part].get(at) || 0) + weight);
  }
  const ofValues = (part) => Math.hypot(...Array.from(weights[part], ([at, weight]) => (weight ? weight * judge.valueError(at) : 0)));
  made.mind_error = Math.hypot(made.losses_error, made.others_error, ofValues("mind"));
  made.others_error = Math.hypot(made.others_error, ofValues("others"));
  return made;
}
