// What is said while the server does not answer.

import { announce, h } from "./dom.js";
import { connect, line, onLine } from "./socket.js";

const PATIENCE = 600; // milliseconds: a line that is back by then was never missed

const words = h("span");
const banner = h("div.banner", { hidden: true, role: "region", "aria-label": "Connection" }, h("i.pulse", { "aria-hidden": "true" }), words,
  h("button.plain", { type: "button", onclick: connect }, "Try now"));
let timer = 0;

function show() {
  if (line.up) { banner.hidden = true; announce("The server answers again."); return; }
  if (line.strange) words.textContent = "The server was started anew and wants its new token: open the address that it printed.";
  else words.replaceChildren("The server does not answer. Trying again by itself; your games are kept. Is it still running? ", h("code", {}, "boardwright serve"));
  if (banner.hidden) announce(words.textContent);
  banner.hidden = false;
}

/** Put it above everything, and keep it true. */
export function watchLine() {
  document.querySelector("header.top").after(banner);
  onLine(() => {
    clearTimeout(timer);
    if (line.up && banner.hidden) return;
    if (line.up || !banner.hidden) show(); else timer = setTimeout(show, PATIENCE);
  });
}
