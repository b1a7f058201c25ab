// What a finished game's points are made of.

import { h } from "./dom.js";
import { number } from "./format.js";

/** A table of the game's own rows, a column a player, with the sum below; nothing where the game tells none. */
export function tallyTable(view, names) {
  if (!view.over || !view.tally?.length) return null;
  const cells = (points, none = "·") => points.map((one) => h("td.num", {}, one ? number(one) : none));
  return h("table.counts.tally", {}, h("caption", {}, "How the points came about"),
    names.length > 1 ? h("thead", {}, h("tr", {}, h("td"), names.map((name) => h("th.num", { scope: "col" }, name)))) : "",
    h("tbody", {}, view.tally.map(({ words, points }) => h("tr", {}, h("th", { scope: "row" }, words), cells(points)))),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "points"), cells(view.scores, "0"))));
}
