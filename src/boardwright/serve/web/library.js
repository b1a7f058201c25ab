// The library: every game that was played here, and the way in for games from elsewhere.

import { button, h, memory, released, served, toast } from "./dom.js";
import { number, when } from "./format.js";
import { gameAddress } from "./address.js";
import { api } from "./api.js";
import { look } from "./exercises.js";
import { following, games, listOf, tableRow } from "./home.js";
import { studyRows } from "./kept_studies.js";
import { myName, person } from "./me.js";

export async function libraryView(shell) {
  const { games: all } = await games();
  const choice = (label, options) => h("select", { "aria-label": label, onchange: list }, options.map(([value, text]) => h("option", { value }, text)));
  const game = choice("Game", [["", "All games"], ...all.map((one) => [one.name, one.title])]);
  const whose = choice("Whose games", [["people", "Games with people"], ["mine", "Mine"], ["", "All, matches too"]]);
  const result = choice("Result", [["", "Any result"], ...(served ? [["won", "Won"], ["lost", "Lost"], ["draw", "Drawn"]] : []), ["finished", "Finished"], ["unfinished", "Unfinished"], ["forfeit", "Given up"]]);
  const who = h("input", { type: "search", placeholder: "Player", "aria-label": "Player", maxLength: 60, oninput: soon });
  const since = h("input", { type: "date", onchange: list });
  const best = h("div.best"), studies = h("div.studies"), due = h("p.due", { hidden: true });
  const name = h("input", { type: "text", maxLength: 40, value: myName(), placeholder: "Your name", "aria-label": "Your name", onchange: async () => {
    memory.set("name", name.value.trim());
    await api.post("/api/people", { person: person(), name: name.value.trim() });
    await list();
  } });
  let timer = 0, wanted = 0;
  function soon() { clearTimeout(timer); timer = setTimeout(list, 250); }
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

  function question() {
    const fields = new URLSearchParams({ limit: 200, game: game.value });
    if (["won", "lost", "draw"].includes(result.value)) fields.set("result", result.value);
    else if (result.value) fields.set("status", result.value);
    if (!served) return fields;
    for (const [key, value] of Object.entries({ person: person(), whose: whose.value, who: who.value.trim(), since: since.value })) if (value) fields.set(key, value);
    return fields;
  }

  async function list() {
    const turn = ++wanted;
    const { tables, changes } = await listOf(question());
    const { best: found } = served && game.value ? await api.get(`/api/best?game=${encodeURIComponent(game.value)}&person=${person()}`) : { best: [] };
    await released(rows);
    if (turn !== wanted) return changes; // an answer to an old wish
    best.replaceChildren(...found.map(scores));
    rows.replaceChildren(...tables.filter((one) => one.here).map((one) => {
      const row = tableRow(shell, one, async () => {
        if (!confirm("Delete this game for good?")) return;
        try { await api.drop(`/api/tables/${one.id}`); shell.closed(one.id); row.remove(); toast("Deleted."); } catch (error) { toast(error.message, "bad"); }
      });
      return row;
    }));
    if (!rows.children.length) rows.append(h("li.hint", {}, "No such games."));
    return changes;
  }

  /** The best scores of a variant of the game. */
  function scores({ variant, scores: found }) {
    return h("section", {}, h("h2", {}, variant ? `Best scores, ${variant}` : "Best scores"), h("ol", {}, found.map((one) => h("li", {},
      h("a", { href: gameAddress(one.id) }, h("b", {}, number(one.score)), h("span", {}, one.name), h("small", {}, when(one.started)))))));
  }

  async function beside() {
    if (!served) return;
    const [kept, found] = await Promise.all([studyRows(), look()]);
    studies.replaceChildren(...kept);
    due.hidden = !found.due.length && !found.later;
    due.replaceChildren(h("a.plain", { href: "#/exercises" }, found.due.length ? `${found.due.length} exercise${found.due.length > 1 ? "s" : ""} from your mistakes` : "No exercise is due"));
  }

  const [changes] = await Promise.all([list(), beside()]);
  const element = h("section.home", {}, h("div.headline", {}, h("h1", { tabindex: "-1" }, "Library"), served && h("label.called", {}, "You are called ", name)), served && h("details.paste", {}, h("summary", {}, "Paste or open a game"), drop), due, h("div.tools.filters", {}, game, served && whose, result, served && who, served && h("label.since", {}, "since ", since)), best, rows, studies);
  return { element, ...following(changes, list) };
}
