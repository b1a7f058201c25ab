// Who plays elsewhere for a training: a row a node of its cluster.

import { h } from "./dom.js";
import { number } from "./format.js";

const COLUMNS = ["node", "workers", "busy", "portions", "games a second", "state"];

export function crewPanel(run) {
  const crew = run.workers;
  if (!crew?.nodes?.length) return null;
  const told = `${number(crew.in_flight)} portions in flight, ${number(crew.waiting)} waiting, ${number(crew.lost)} replayed, ${number(crew.doubled)} asked for twice`;
  return h("div.panel", {}, h("span.tools", {}, h("strong", {}, `Who plays for ${run.name}`), h("span.hint", {}, crew.address)),
    h("table", {}, h("thead", {}, h("tr", {}, COLUMNS.map((name, i) => h(i ? "th.num" : "th", { scope: "col" }, name)))),
      h("tbody", {}, crew.nodes.map((node) => h("tr", {}, h("td", {}, node.name),
        [node.workers, node.busy, node.portions].map((one) => h("td.num", {}, number(one))), h("td.num", {}, number(node.games_a_second, 1)),
        h("td", {}, node.refused ? `refused: ${node.refused}` : node.alive ? "works" : "gone"))))),
    h("p.hint", {}, told));
}
