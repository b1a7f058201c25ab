// A drawing with its axes: values at its left, how far below it, and there what lies under the pointer.

import { h } from "./dom.js";

/** `up`: words for the top, the middle and the foot; `across`: for the left and the right end; `read(share)`: what the pointer
    shows, so far across. */
export function framed(svg, { up, across, read }) {
  const reading = h("span.reading");
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    reading.textContent = read(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)));
  });
  svg.addEventListener("pointerleave", () => { reading.textContent = ""; });
  return h("div.framed", {}, h("div.up", { "aria-hidden": "true" }, up.map((words) => h("span", {}, words))), svg,
    h("div.across", { "aria-hidden": "true" }, h("span", {}, across[0]), reading, h("span", {}, across[1])));
}

/** What each line is, by its colour. */
export function legend(names) {
  return h("p.legend", {}, names.map(({ name, kind }) => h("span", {}, h(`i.${kind}`), name)));
}
