// One search of a theatre: its settings, its tree, the phase of the simulation that is shown, and what it would play.

import { h } from "../dom.js";
import { number, worth } from "../format.js";
import { preparingBar } from "../preparing.js";
import { ask } from "../socket.js";
import { Growth } from "./growth.js";
import { PHASES, tellPhase } from "./phases.js";
import { settingsForm } from "./controls.js";
import { question } from "./state.js";

const ENDED = { proven: "The root is proven: there is nothing left to search.", full: "The tree is as large as the theatre's may be.", spent: "" };
const MOST_BOARDS = 3000; // that are kept
const LATE = 600; // milliseconds without an answer until that is said

export class Pane {
  constructor(theatre, index) {
    this.theatre = theatre;
    this.index = index;
    this.boards = new Map();
    this.level = 0;
    const name = theatre.state.searches.length > 1 ? `Search ${"AB"[index]}` : "The search";
    this.title = h("h2", {}, name);
    this.form = h("div");
    this.note = h("p.hint", { role: "status" });
    this.preparing = preparingBar();
    this.growth = new Growth(`${name}: its tree`);
    this.phases = h("div.phases", { role: "group", "aria-label": "The four phases" });
    this.told = h("div.told");
    this.moves = h("div.plays");
    this.side = h("div.talk", {}, this.phases, this.told, this.moves);
    this.element = h("section.pane", { "aria-label": name }, h("header", {}, this.title, this.note, this.preparing.element), this.form, h("div.show", {}, this.growth.element, this.side));
  }

  /** Fetch the tree after `at` simulations; false if something newer was asked for meanwhile. */
  async load(at) {
    this.query?.stop();
    const { state } = this.theatre;
    if (this.boards.size > MOST_BOARDS) { this.boards.clear(); this.growth.forget(); }
    const query = ask("theatre", question(state, this.index, at, [...this.boards.keys()]), (report) => {
      if (this.query !== query) return;
      this.note.textContent = "";
      this.preparing.show(report.preparing, report.game.title);
    });
    this.query = query;
    const late = setTimeout(() => { if (this.query === query) this.note.textContent = "One moment…"; }, LATE);
    const answer = await query.answer.finally(() => { clearTimeout(late); this.preparing.show(null); });
    if (this.query !== query || !answer.tree) return false;
    this.query = null;
    for (const [slot, board] of Object.entries(answer.boards)) this.boards.set(Number(slot), board);
    this.answer = answer;
    this.stale = false;
    this.level = 0;
    return true;
  }

  leave() { this.query?.stop(); }

  /** The settings have changed: other slots, other boards. What is shown stays until there is something else. */
  forget() { this.boards.clear(); this.growth.forget(); this.stale = true; }

  show(phase) {
    const { answer, theatre } = this;
    const one = answer.simulation;
    this.element.dataset.at = answer.at;
    this.element.dataset.phase = one ? PHASES[phase].toLowerCase() : "";
    this.note.textContent = one ? `${number(answer.at)} simulation${answer.at === 1 ? "" : "s"}, ${number(answer.nodes)} nodes visited. ${ENDED[answer.ended] || ""}` : "Before the first simulation: only the root. Step, or press Space.";
    if (!this.form.contains(document.activeElement)) this.form.replaceChildren(settingsForm(answer, theatre.state.searches[this.index], `${this.title.textContent}: settings`, (settings) => theatre.change(this.index, settings)));
    this.growth.show(answer.tree, this.boards, this.#stage(phase), answer.game);
    this.phases.hidden = this.told.hidden = !one;
    if (one) {
      this.phases.replaceChildren(...PHASES.map((name, i) => h("button.plain", { type: "button", "aria-pressed": String(i === phase), onclick: () => theatre.turnTo(i) }, h("small", {}, i + 1), ` ${name}`)));
      this.told.replaceChildren(h("h3", {}, `Simulation ${number(one.number)}: ${PHASES[phase].toLowerCase()}`), ...tellPhase(phase, answer, this.level, (level) => { this.level = level; this.show(phase); }));
    }
    this.#showMoves();
  }

  /** What of the tree is there, and what is marked, in a phase. */
  #stage(phase) {
    const one = this.answer.simulation, { levels: depth } = this.theatre.state;
    if (!one) return { path: new Set(), late: new Set(), fresh: new Set(), before: false, depth };
    const opened = one.opened.map(({ slot }) => one.path.indexOf(slot));
    const known = opened.length ? Math.min(...opened) + 1 : one.path.length; // of the path, what was there before the expansion
    const path = phase === 0 ? one.path.slice(0, known) : one.path;
    return {
      depth, path: new Set(path), leaf: path.at(-1), late: new Set(one.path.slice(path.length)), before: phase < 3,
      fresh: new Set(phase < 3 ? one.path.slice(-1).filter((slot) => !one.backup.find((step) => step.slot === slot).visits[0]) : []),
    };
  }

  /** What it would play now, and how its visits are shared out. */
  #showMoves() {
    const { moves, game, at } = this.answer;
    const most = Math.max(1, ...moves.map((move) => move.visits));
    if (!at || !moves.length) { this.moves.replaceChildren(); return; }
    this.moves.replaceChildren(h("h3", {}, "After this, it would play ", h("b.best", {}, moves[0].text)),
      h("table.why", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Move"), h("th.num", { scope: "col" }, "Visits"), h("th.num", { scope: "col" }, "Value"), h("th.wide", { scope: "col" }, h("span.unseen", {}, "Share")))),
        h("tbody", {}, moves.slice(0, 8).map((move) => {
          const bar = h("span.meter", {}, h("i.visits"));
          bar.firstChild.style.width = `${100 * move.visits / most}%`;
          return h("tr", {}, h("th", { scope: "row" }, move.text), h("td.num", {}, number(move.visits)), h("td.num", {}, worth(move.value, game.points)), h("td.wide", {}, bar));
        }))));
  }
}
