// Keys and how it works.

import { calm, dialog, h, served } from "./dom.js";
import { HELP, NEED_SERVER } from "./keys.js";
import { setStill, still } from "./motion.js";

export function help() {
  dialog("Keys and settings", h("div.keys", {}, HELP.map(([title, keys]) => h("section", {}, h("h3", {}, title),
    h("dl", {}, keys.filter(([key]) => served || !NEED_SERVER.includes(key)).map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]))))),
    h("label.check", {}, h("input", { type: "checkbox", checked: !still(), disabled: calm.matches, onchange: (event) => setStill(!event.target.checked) }), "Tiles move", calm.matches ? h("span.hint", {}, "off, as this system asks for less motion") : ""),
    h("p.hint", {}, `Taking back or asking for a hint marks the game as assisted. Every game is kept as it is played: close the page${served ? " or the server" : ""} at any time.`));
}
