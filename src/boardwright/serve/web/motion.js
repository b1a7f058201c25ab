// Tiles that move where tiles move. One switch turns it off, and so does a system that wants less motion.

import { calm, memory } from "./dom.js";

/** Whether nothing shall move. */
export const still = () => calm.matches || memory.get("still", false);
export const setStill = (wanted) => memory.set("still", wanted);

/** The tiles of one cell fly into the free places of another, what finds no room to where the picture says it goes; the
    promise ends with the movement. */
export function fly(svg, from, to) {
  const moving = [...svg.querySelectorAll(`use[data-cell="${CSS.escape(from)}"]`)];
  const target = svg.querySelector(`[data-cell="${CSS.escape(to)}"]`);
  if (still() || !moving.length || !target) return Promise.resolve();
  const beyond = svg.querySelector("[data-overflow]");
  const places = [target, ...(beyond && beyond !== target ? [beyond] : [])].flatMap((one) => [...one.querySelectorAll("rect")]);
  if (!places.length) return Promise.resolve();
  return Promise.all(moving.map((tile, i) => {
    const place = places[Math.min(i, places.length - 1)];
    const [dx, dy] = [place.x.baseVal.value - tile.x.baseVal.value - 1, place.y.baseVal.value - tile.y.baseVal.value - 1];
    const flying = tile.cloneNode();
    flying.removeAttribute("data-cell");
    tile.style.visibility = "hidden";
    svg.append(flying);
    return flying.animate([{ transform: "none" }, { transform: `translate(${dx}px, ${dy}px)` }], { duration: 260, delay: 35 * i, easing: "ease-in-out", fill: "both" }).finished;
  }));
}

/** A tile is laid: it comes down onto its place. */
export function lay(layer, tile, unit) {
  if (still()) return Promise.resolve();
  layer.append(tile);
  const from = { transform: `translate(0, ${-unit}px)`, opacity: 0.2 };
  return tile.animate([from, { transform: "none", opacity: 1 }], { duration: 200, easing: "ease-in", fill: "both" }).finished;
}
