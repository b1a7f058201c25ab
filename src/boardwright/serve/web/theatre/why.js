// Why this child: the terms of the rule of selection as bars, child by child.

import { h } from "../dom.js";
import { number, worth } from "../format.js";
import { byChance, percent } from "./growth.js";

/** How a rule compares, in words; `c` and N are filled in. */
const RULES = {
  ucb1: ({ c }) => ["UCB1", `mean value + ${c} · √(ln(N + 1) / n); a child without visits comes first`],
  puct: ({ c }) => ["PUCT", `mean value + ${c} · prior · √(N + 1) / (1 + n)`],
  halving: () => ["Sequential halving", "of the children whose turn it is: log prior + stretched value"],
  gumbel: () => ["Gumbel, below the root", "improved policy − share of the visits so far"],
  even: () => ["Even", "the child with the fewest visits"],
  chance: () => ["Chance", "the outcome that lags most behind its odds: odds · (N + 1) − visits"],
  sample: () => ["Chance, sampled", "a new sample while there are few, else the least visited"],
};
const WHY = { unvisited: "not visited yet: comes first", lost: "proven lost: left out", new: "a new sample", "not considered": "not considered", "another round": "not its turn in this round" };
const SHADES = { value: "value", exploration: "exploration", prior: "prior", "improved policy": "value", "expected visits": "exploration", "visits so far": "visits" };

const short = (value) => number(value, Math.abs(value) >= 10 ? 1 : 3);

/** One choice, as a table of bars. */
export function whyTable(choice, answer, game) {
  const [title, formula] = RULES[choice.rule](answer.settings);
  const longest = Math.max(1e-9, ...choice.children.map((child) => child.terms.reduce((sum, term) => sum + Math.abs(term), 0)));
  const liked = choice.rule === "puct" || choice.rule === "gumbel" || choice.rule === "halving";
  const chance = byChance(choice.actor);
  const rows = choice.children.map((child) => {
    const bar = h("span.terms", { "aria-hidden": "true" }, child.terms.map((term, i) => {
      const part = h(`i.${SHADES[choice.terms[i]]}${term < 0 ? ".minus" : ""}`);
      part.style.width = `${100 * Math.abs(term) / longest}%`;
      return part;
    }));
    const sum = child.terms.map((term, i) => (i ? `${term < 0 ? "−" : "+"} ${short(Math.abs(term))}` : short(term))).join(" ");
    const row = h(`tr${child.slot === choice.chosen ? ".chosen" : ""}`, {},
      h("th", { scope: "row" }, child.text, child.slot === choice.chosen ? h("span.unseen", {}, ", chosen") : ""),
      h("td.num", {}, number(child.visits)),
      h("td.num", {}, chance || liked ? (chance ? percent(child.prior) : number(child.prior, 2)) : worth(child.value, game.points)),
      h("td.sum", {}, bar, h("span.num", {}, child.why ? WHY[child.why] : child.terms.length > 1 ? `${sum} = ${short(child.score)}` : short(child.score))));
    row.dataset.score = child.score ?? "";
    row.dataset.terms = child.terms.join(" ");
    return row;
  });
  const keys = choice.terms.map((term) => h("span", {}, h(`i.key.${SHADES[term]}`), term));
  return [
    h("p", {}, h("b", {}, title), `: ${formula}.`),
    h("p.hint.keyline", {}, keys, h("span", {}, `N = ${number(choice.visits)} visits here`)),
    h("div.scroll", { tabIndex: 0, role: "group", "aria-label": "Terms of each child" }, h("table.why", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, chance ? "Outcome" : "Move"), h("th.num", { scope: "col" }, "n"), h("th.num", { scope: "col" }, chance ? "Odds" : liked ? "Prior" : "Mean"), h("th", { scope: "col" }, "Score"))),
      h("tbody", {}, rows))),
    choice.more ? h("p.hint", {}, `and ${choice.more} more with lower scores`) : "",
  ];
}
