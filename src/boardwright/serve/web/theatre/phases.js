// One simulation in its four phases, each told in a few words and its numbers.

import { h } from "../dom.js";
import { number, worth } from "../format.js";
import { SAMPLES, boardOf, byChance, sideOf } from "./growth.js";
import { whyTable } from "./why.js";

export const PHASES = ["Selection", "Expansion", "Evaluation", "Backup"];
const BODY = [selection, expansion, evaluation, backup];

/** What is told of a phase. `level`: which choice on the way down is looked at; `choose(level)` looks at another. */
export function tellPhase(phase, answer, level, choose) { return BODY[phase](answer.simulation, answer, level, choose); }

function selection(one, answer, level, choose) {
  const { decisions, line } = one;
  if (!decisions.length) return [h("p", {}, "The root itself is the leaf.")];
  const at = Math.min(level, decisions.length - 1);
  const tabs = h("div.way", { role: "group", "aria-label": "Choices on the way down" }, decisions.map((choice, i) =>
    h(`button.plain.${byChance(choice.actor) ? "draws" : `by${choice.actor % 4}`}`, { type: "button", "aria-pressed": String(i === at), onclick: () => choose(i) }, `${i + 1}. ${line[i]}`)));
  const choice = decisions[at];
  const what = choice.actor >= 0 ? `${sideOf(answer.game, choice.actor)} to move` : "chance draws";
  return [h("p", {}, `From the root down, ${decisions.length === 1 ? "one choice" : `${decisions.length} choices`}. Here ${what}: why ${line[at]}?`), tabs, ...whyTable(choice, answer, answer.game)];
}

function expansion(one) {
  if (!one.opened.length) {
    const told = { over: "the game is over there", proven: "what it is worth is proven" }[one.evaluation.valued] || "the leaf is new; it gets children when it is visited again";
    return [h("p", {}, `Nothing to expand: ${told}.`)];
  }
  return one.opened.map(({ text, actor, children }) => h("p", {}, h("b", {}, text || "The root"), actor === SAMPLES ? " gets room for samples of what chance may draw." : byChance(actor) ? ` gets its ${number(children)} outcomes, each with its odds.` : ` gets its ${number(children)} ${children === 1 ? "child" : "children"}, one a move, in random order.`));
}

function evaluation(one, answer) {
  const { valued, value, rollouts, policy, over, board } = one.evaluation;
  const { game } = answer;
  const how = {
    over: "The game is over in the leaf: the rules say what it is worth.",
    proven: "What the leaf is worth is proven already.",
    estimate: "No playouts: the game itself estimates what the leaf is worth.",
    rollout: `${rollouts === 1 ? "One playout" : `${rollouts} playouts`} from the leaf, ${policy === "uniform" ? "each move at random" : `by the policy ${policy}`}, ${over ? "to the end of the game" : "then an estimate"}${rollouts > 1 ? "; their mean counts" : ""}.`,
  }[valued];
  return [h("p", {}, how),
    h("ul.worths", {}, value.map((worthy, i) => h("li", {}, h(`b.by${i % 4}`, {}, sideOf(game, i)), ` ${worth(worthy, game.points)}`))),
    board ? h("figure.end", {}, boardOf(board), h("figcaption.hint", {}, rollouts > 1 ? "How the last playout ended" : "How the playout ended")) : ""];
}

function backup(one, answer) {
  const { game } = answer;
  return [h("p", {}, "The value goes up the path: every node of it gets one visit more, and its mean moves."),
    h("table.why", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Node"), h("th.num", { scope: "col" }, "Visits"), h("th.num", { scope: "col" }, "Value"), h("th", { scope: "col" }, "to"))),
      h("tbody", {}, one.backup.map((step) => h("tr", {}, h("th", { scope: "row" }, step.text || "the root"),
        h("td.num", {}, `${number(step.visits[0])} → ${number(step.visits[1])}`),
        h("td.num", {}, `${worth(step.value[0], game.points)} → ${worth(step.value[1], game.points)}`),
        h("td", {}, sideOf(game, step.whose), step.proven ? h("em", {}, " proven") : "")))))];
}
