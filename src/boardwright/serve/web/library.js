// The library: every game that was played here, and the way in for games from elsewhere.

import { button, h, served, toast } from "./dom.js";
import { gameAddress } from "./address.js";
import { api } from "./api.js";
import { following, games, tableRow } from "./home.js";

export async function libraryView(shell) {
  const { games: all } = await games();
  const game = h("select", { "aria-label": "Game", onchange: list }, h("option", { value: "" }, "All games"), all.map((one) => h("option", { value: one.name }, one.title)));
  const status = h("select", { "aria-label": "Status", onchange: list }, [["", "Finished or not"], ["finished", "Finished"], ["unfinished", "Unfinished"], ["forfeit", "Given up"]].map(([value, text]) => h("option", { value }, text)));
  const rows = h("ul.rows");
  const text = h("textarea", { rows: 4, "aria-label": "A record, an SGF or a position", placeholder: "Paste a record, an SGF or a position here, or drop a file", spellcheck: false });
  const file = h("input", { type: "file", accept: ".json,.jsonl,.sgf,.txt", "aria-label": "A file with a record", onchange: async () => { if (file.files[0]) await take(await file.files[0].text()); } });
  const drop = h("div.drop", {
    ondragover: (event) => { event.preventDefault(); drop.classList.add("over"); },
    ondragleave: () => drop.classList.remove("over"),
    ondrop: async (event) => { event.preventDefault(); drop.classList.remove("over"); const one = event.dataTransfer.files[0]; if (one) await take(await one.text()); },
  }, text, h("div.tools", {}, button("plus", "Open", () => take(text.value)), file));

  async function take(content) {
    if (!content.trim()) return;
    try {
      const answer = await api.post("/api/import", { text: content });
      if (answer.table) location.hash = gameAddress(answer.table);
      else shell.study({ position: answer.position, title: answer.position.game, back: "#/library" }, []);
    } catch (error) { toast(error.message, "bad"); }
  }

  async function list() {
    const { tables } = await api.get(`/api/tables?limit=200&game=${encodeURIComponent(game.value)}&status=${status.value}`);
    rows.replaceChildren(...tables.filter((one) => one.here).map((one) => {
      const row = tableRow(shell, one, async () => {
        if (!confirm("Delete this game for good?")) return;
        try { await api.drop(`/api/tables/${one.id}`); shell.closed(one.id); row.remove(); toast("Deleted."); } catch (error) { toast(error.message, "bad"); }
      });
      return row;
    }));
    if (!rows.children.length) rows.append(h("li.hint", {}, "Nothing here yet."));
  }

  await list();
  const element = h("section.home", {}, h("h1", { tabindex: "-1" }, "Library"), served && h("details.paste", {}, h("summary", {}, "Paste or open a game"), drop), h("div.tools", {}, game, status), rows);
  return { element, ...following(list) };
}
