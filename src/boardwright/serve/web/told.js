// What a picture says to those who hear the page: parts that carry data-told become a list, in the picture's order, and
// whoever sits at a data-seat is called by name, in the list and in the picture.

import { h } from "./dom.js";

/** Put names in the place of the picture's own words for seats. */
export function nameSeats(svg, names) {
  for (const text of svg.querySelectorAll("text[data-seat]")) {
    const name = names[text.dataset.seat];
    if (name) text.textContent = name.length > 13 ? `${name.slice(0, 12)}…` : name;
  }
}

/** A list of what the picture tells, unseen; null where it tells nothing. */
export function toldList(svg, names) {
  const parts = [...svg.querySelectorAll("[data-told]")];
  if (!parts.length) return null;
  return h("ul.unseen.told", { "aria-label": "What lies on the board" }, parts.map(({ dataset }) => h("li", {}, names[dataset.seat] ? `${names[dataset.seat]}: ${dataset.told}` : dataset.told)));
}
