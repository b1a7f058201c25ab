// What leaves the page: the game as a link, the position as text, the game as a file, a replay that needs nothing else.

import { button, copyText, dialog, h, served, toast } from "./dom.js";
import { api } from "./api.js";
import { seatAddress, sharedAddress } from "./address.js";
import { giveSeat, takeAll } from "./places.js";

export function shareMenu(view) {
  if (view.id === "study") { view.copy(); return; }
  const { table, at } = view;
  const link = (path, text, hint) => served && h("li", {}, h("a.plain", { href: `/api/tables/${table.id}/${path}`, download: "" }, text), h("span.hint", {}, hint));
  const copied = async (make, words) => {
    try { await copyText(await make(), words); } catch (error) { toast(error.message, "bad"); }
  };
  const shown = dialog("Share", h("ul.share", {},
    table.status === "unfinished" ? invitations(view, () => shown.close()) : "",
    served ? "" : h("li", {}, h("button.plain", { type: "button", onclick: () => copied(() => linkTo(table.id), "A link with the whole game is in the clipboard.") }, "Copy link"), h("span.hint", {}, "the game as it stands now, in the address: nothing is sent anywhere")),
    h("li", {}, h("button.plain", { type: "button", onclick: () => copied(async () => JSON.stringify((await api.look("/api/look", { table: table.id, ply: at })).position), "The position is in the clipboard.") }, "Copy position"), h("span.hint", {}, served ? "as text; paste it under Library → Paste" : "as text; a running Boardwright opens it")),
    h("li", {}, h("button.plain", { type: "button", onclick: () => copied(async () => view.steps.map((step) => step.text).join(" "), "The moves are in the clipboard.") }, "Copy moves"), h("span.hint", {}, "with ~ before what chance did")),
    link("record.json", "Record", "JSON, with every draw; import it anywhere"),
    table.game.sgf ? link("record.sgf", "SGF", "for other programs") : "",
    link("replay.html", "Replay page", "one HTML file that needs nothing else"),
    h("li", {}, h("button.plain", { type: "button", onclick: () => { shown.close(); view.shell.continueFrom(table, at); } }, "Play on from here"), h("span.hint", {}, "a new game from the position shown"))),
    h("footer", {}, button("close", "Close", () => shown.close())));
}

/** An address that holds the whole game, for whoever opens it. */
async function linkTo(id) {
  const { game, code } = await api.get(`/api/tables/${id}/link`);
  return `${location.origin}${location.pathname}${sharedAddress(game, code)}`;
}

/** Links by which others take seats of this game, from this machine or another. */
function invitations(view, done) {
  const { table, people, yours } = view;
  if (!served || people.length < 2) return "";
  const changed = () => { done(); view.watch(); view.render(); };
  const links = people.map((seat) => h("li", {}, h("button.plain", { type: "button", onclick: async () => {
    try {
      const { path, near } = await api.get("/api/invite");
      giveSeat(table.id, people, seat);
      changed();
      await copyText(`${location.origin}${path}${seatAddress(table.id, seat)}`, `The link for player ${seat + 1} is in the clipboard.${near ? " It works on this machine only: for others, boardwright serve --host" : ""}`);
    } catch (error) { toast(error.message, "bad"); }
  } }, `Invite player ${seat + 1}`), h("span.hint", {}, yours.includes(seat) ? "a link to take this seat from another browser" : "plays elsewhere; make the link again")));
  if (yours.length < people.length) links.push(h("li", {}, h("button.plain", { type: "button", onclick: () => { takeAll(table.id); changed(); } }, "Play all seats here"), h("span.hint", {}, "as before anybody was invited")));
  return links;
}
