// Who plays, with chips, points and, at the end, who won.

import { h } from "./dom.js";
import { number } from "./format.js";
import { chipOf, sideOf } from "./names.js";

/** An item a seat. `results`: how each ended, null before or where an earlier position is looked at. */
export function seatList(table, view, names, results) {
  return table.seats.map((seat, i) => {
    const score = view.scores[i];
    const counts = table.game.shows_points || view.scores.some((one) => one !== 0);
    const end = results ? (table.game.points ? "" : results[i] > 0 ? "won" : results[i] < 0 ? "lost" : "draw") : "";
    return h(`li.seat.p${i}`, { title: seat.about ? `${seat.name}: ${seat.about}` : null, "aria-current": view.player === i ? "true" : null },
      h("span.chip", { "aria-hidden": "true", "data-side": table.game.sides[i]?.toLowerCase() }, chipOf(table.game, i)),
      h("span.who", {}, names[i], names[i] === sideOf(table.game, i) || names[i].endsWith(")") || table.game.players === 1 ? "" : h("small", {}, ` ${sideOf(table.game, i)}`), seat.name.toLowerCase() !== seat.player && seat.player !== "human" && !seat.about ? h("small", {}, ` ${seat.player}`) : ""),
      end ? h("span.end", {}, end) : "",
      counts ? h("span.score", {}, number(score), h("span.unseen", {}, " points")) : "");
  });
}
