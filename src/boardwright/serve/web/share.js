// What leaves the page: the position as text, the game as a file, a replay that needs nothing else.

import { button, copyText, dialog, h, toast } from "./dom.js";
import { api } from "./api.js";

export function shareMenu(view) {
  if (view.id === "study") { view.copy(); return; }
  const { table, at } = view;
  const link = (path, text, hint) => h("li", {}, h("a.plain", { href: `/api/tables/${table.id}/${path}`, download: "" }, text), h("span.hint", {}, hint));
  const copied = async (make, words) => {
    try { await copyText(await make(), words); } catch (error) { toast(error.message, "bad"); }
  };
  const shown = dialog("Share", h("ul.share", {},
    h("li", {}, h("button.plain", { type: "button", onclick: () => copied(async () => JSON.stringify((await api.post("/api/look", { table: table.id, ply: at })).position), "The position is in the clipboard.") }, "Copy position"), h("span.hint", {}, "as text; paste it under Library → Paste")),
    h("li", {}, h("button.plain", { type: "button", onclick: () => copied(async () => view.steps.map((step) => step.text).join(" "), "The moves are in the clipboard.") }, "Copy moves"), h("span.hint", {}, "with ~ before what chance did")),
    link("record.json", "Record", "JSON, with every draw; import it anywhere"),
    table.game.sgf ? link("record.sgf", "SGF", "for other programs") : "",
    link("replay.html", "Replay page", "one HTML file that needs nothing else"),
    h("li", {}, h("button.plain", { type: "button", onclick: () => { shown.close(); view.shell.continueFrom(table, at); } }, "Play on from here"), h("span.hint", {}, "a new game from the position shown"))),
    h("footer", {}, button("close", "Close", () => shown.close())));
}
