// The search tree as a list that opens: the best children of a node, with visits, value, prior, and theirs when asked.

import { h, icon, toast } from "./dom.js";
import { number, worth } from "./format.js";
import { ask } from "./socket.js";

export function treeList(of, game) {
  const root = h("details.branch", {}, h("summary", {}, icon("more"), h("b", {}, "Search tree")));
  fillWhenOpen(root, of, [], game);
  return root;
}

function fillWhenOpen(details, of, path, game) {
  details.addEventListener("toggle", async () => {
    if (!details.open || details.dataset.filled) return;
    details.dataset.filled = "1";
    try {
      const answer = await ask("tree", { of, path }).answer;
      const list = h("ul", {}, answer.children.map((child) => branch(child, of, path, game)));
      if (answer.more > 0) list.append(h("li.hint", {}, `${answer.more} more${answer.more_visits ? ` with ${number(answer.more_visits)} visits` : ""}`));
      details.append(list);
    } catch (error) { details.dataset.filled = ""; toast(error.message, "bad"); }
  });
}

function branch(child, of, path, game) {
  const who = child.by >= 0 ? `p${child.by}` : "chance";
  const prior = child.prior === null ? "" : h("span", { title: child.by >= 0 ? "liked before the search" : "how likely" }, `${number(100 * child.prior, 1)} %`);
  const bar = h("span.meter", { "aria-hidden": "true" }, h("i.visits"));
  bar.firstChild.style.width = `${100 * child.share}%`;
  const words = [h(`b.${who}`, {}, child.text || "–"), h("span", { title: "visits" }, number(child.visits)), h("span", { title: `value to player ${child.whose + 1}` }, worth(child.value, game.points)), prior, child.proven ? h("em", {}, child.proven) : "", bar];
  if (!child.opens) return h("li.leaf", {}, words);
  const details = h("details.branch", {}, h("summary", {}, icon("more"), words));
  fillWhenOpen(details, of, [...path, child.slot], game);
  return h("li", {}, details);
}
