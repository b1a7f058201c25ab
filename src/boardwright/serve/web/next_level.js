// After three wins in a row against a level: the next one, a quiet line with a button.

import { h, toast } from "./dom.js";

export function showNextLevel(view) {
  const { table, nextLevel } = view, { next } = table;
  nextLevel.hidden = !next || !view.live;
  if (nextLevel.hidden) return;
  const beaten = table.race || table.seats.find((seat) => seat.player !== "human");
  const seats = table.seats.map((seat) => (seat.player === "human" ? "human" : next.player));
  const wish = table.race ? { rival: next.player } : { seats };
  nextLevel.replaceChildren(`Three wins in a row against ${beaten.name}. `, h("button.plain", {
    type: "button", title: next.about,
    onclick: () => view.shell.begin({ game: table.game.name, options: table.game.options, ...wish }).catch((error) => toast(error.message, "bad")),
  }, `Try ${next.name}`));
}
