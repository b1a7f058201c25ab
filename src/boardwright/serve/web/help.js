// Keys and how it works.

import { dialog, h } from "./dom.js";
import { HELP } from "./keys.js";

export function help() {
  dialog("Keys", h("div.keys", {}, HELP.map(([title, keys]) => h("section", {}, h("h3", {}, title),
    h("dl", {}, keys.map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]))))),
    h("p.hint", {}, "Taking back or asking for a hint marks the game as assisted. Every game is kept as it is played: close the page or the server at any time."));
}
