// What the player holds: a tile to turn, cards that are left; or what the table holds.

import { button, h, s } from "./dom.js";
import { number } from "./format.js";

/** Elements by the kind of a view's `hover`; `turnTo(turn)` turns the tile. */
export function handOf(hover, board, turnTo) {
  if (hover.kind === "tile") return [...(hover.looks.length ? tileInHand(hover, board, turnTo) : []), cardsLeft(hover)];
  if (hover.kind === "pick") return [h("p.facts", {}, `Round ${hover.round}`, h("span", {}, `bag ${hover.bag}`), h("span", {}, `lid ${hover.lid}`))];
  if (hover.kind === "slide") return [h("p.facts", {}, "Largest tile", h("span", {}, number(hover.largest)))];
  return [];
}

function tileInHand(hover, board, turnTo) {
  const looks = hover.looks.map((squares, turn) => {
    const wide = Math.max(...squares.map(([x]) => x)) + 1, tall = Math.max(...squares.map(([, y]) => y)) + 1;
    const count = hover.places.filter((place) => place[0] === turn).length;
    return h("button.look", { type: "button", "aria-pressed": String(turn === board.turn), "aria-label": `Turned by ${90 * turn} degrees, ${count} places`, onclick: () => turnTo(turn) },
      s("svg", { viewBox: `-0.1 -0.1 ${wide + 0.2} ${tall + 0.2}`, width: wide * 13, height: tall * 13, "aria-hidden": "true" },
        squares.map(([x, y]) => s("rect", { x, y, width: 0.94, height: 0.94, rx: 0.12, fill: hover.colour }))));
  });
  return [h("div.tilehead", {}, h("strong", {}, `Lay the ${hover.digit}`), button("turn", "Turn", () => board.input.turn(), { title: "Turn (R or wheel)" })),
    h("div.looks", { role: "group", "aria-label": "How the tile is turned" }, looks)];
}

function cardsLeft(hover) {
  return h("div.cards", { role: "img", "aria-label": `Cards left: ${hover.left.map((count, digit) => `${count} of ${digit}`).join(", ")}` }, hover.left.map((count, digit) => {
    const card = h(`span.card.left${count}`, {}, String(digit), h("small", {}, count === 2 ? "×2" : ""));
    card.style.setProperty("--tile", hover.colours[digit]);
    return card;
  }));
}
