// A game is compiled once on a machine: who waits for it sees how far that is, and how long it takes.

import { h } from "./dom.js";
import { prepared } from "./format.js";

/** A bar, `element`, hidden until there is something to wait for; `show(left, title)`: {seconds, of}, or nothing. */
export function preparingBar() {
  const element = h("div.preparing", { role: "progressbar", "aria-label": "Preparing the game", "aria-valuemin": 0, "aria-valuemax": 100, hidden: true }, h("span"), h("div.progress.shown", {}, h("i")));
  const show = (left, title) => {
    element.hidden = !left;
    if (!left) return;
    const share = prepared(left), rest = Math.ceil(left.of - left.seconds);
    element.firstChild.textContent = `Preparing ${title}, once: ${rest > 0 ? `about ${rest} s` : "almost there"}`;
    element.querySelector("i").style.width = `${share}%`;
    element.setAttribute("aria-valuenow", share);
  };
  return { element, show };
}
