// A study: moves and draws tried from a position, kept by nobody but this page.

import { button, copyText, h, slim, toast } from "./dom.js";
import { number } from "./format.js";
import { branched, pick } from "./steps.js";
import { api } from "./api.js";
import { sideOf } from "./names.js";
import { GameView } from "./game.js";

export class StudyView extends GameView {
  /** `base`: {table, ply} or {position}, with a title and the address to go back to. */
  constructor(shell, base, steps = []) {
    super(shell, "study");
    this.base = base;
    this.wish = steps;
  }

  where(at = this.at) {
    const { table, ply, position } = this.base;
    return { ...(table ? { table, ply } : { position }), steps: this.steps.slice(0, at).map((step) => step.text) };
  }

  async open() {
    const first = await api.look("/api/look", { ...this.where(0), narrow: slim.matches });
    this.take(this.#told(first, 0));
    this.seen.set(0, first.view);
    this.shown = true;
    for (const move of this.wish) await this.play(move);
  }

  #told(answer, ply) {
    const names = Array.from({ length: answer.game.players }, (_, i) => sideOf(answer.game, i));
    return {
      game: answer.game, seats: names.map((name) => ({ name, player: "human" })), status: answer.view.over ? "finished" : "unfinished",
      results: answer.view.results, note: "", playable: !answer.view.over, ply, since: ply, steps: [], view: answer.view, position: answer.position, seed: 0,
    };
  }

  subtitle() { return "A study: nothing here changes a game"; }
  get yours() { return []; }
  get last() { return this.steps.length; }
  get view() { return this.seen.get(this.at) || this.table.view; }

  async refresh() { this.seen.clear(); await this.goTo(this.at); }
  canTry() { return false; }
  slidesByKey() { return this.view.player >= 0; }
  how() { return { playable: this.view.player >= 0 || Boolean(this.learning), label: `${this.table.game.title} board`, names: this.names }; }

  async play(step) {
    if (this.learning) { this.learning.tried(step); return; }
    const steps = branched(this.steps, this.at, { text: step, by: this.view.player });
    try {
      const answer = await api.look("/api/look", { ...this.where(0), steps: steps.map((one) => one.text), narrow: slim.matches });
      this.steps = steps;
      for (const ply of this.seen.keys()) if (ply >= steps.length) this.seen.delete(ply);
      this.seen.set(steps.length, answer.view);
      const told = this.#told(answer, steps.length);
      this.table = told;
      this.at = steps.length;
      this.render();
    } catch (error) { toast(error.message, "bad"); this.board.show(this.view, this.how()); }
  }

  fetchAt(ply) { return api.look("/api/look", { ...this.where(ply), narrow: slim.matches }); }

  async goTo(ply, quiet) {
    ply = Math.max(0, Math.min(this.last, ply));
    if (!this.seen.has(ply)) this.seen.set(ply, (await this.fetchAt(ply)).view);
    this.at = ply;
    this.render();
    if (!quiet) this.pause();
  }

  showChoices() {
    super.showChoices();
    const { chances } = this.view;
    if (!chances.length) return;
    this.moveList.hidden = false;
    this.moveList.replaceChildren(h("p.hint", {}, "Chance moves here. Choose what it does:"),
      ...chances.map((one) => h("button.plain", { type: "button", onclick: () => this.play(one.text) }, one.text, h("small", {}, ` ${number(100 * one.chance, one.chance < 0.1 ? 1 : 0)} %`))),
      h("button.plain", { type: "button", onclick: () => this.play(pick(chances, Math.random())) }, "Let chance decide"));
  }

  showActions() {
    this.actions.replaceChildren(
      button("undo", "Take back", () => this.takeBack(), { disabled: this.at === 0 }),
      button("chart", "Analyse", () => this.analysis.toggle(), { "aria-pressed": String(this.analysis.on) }),
      button("bulb", "Hint", () => this.analysis.hint()),
      button("share", "Copy position", () => this.copy()),
      this.base.back ? button("close", "Back to the game", () => { location.hash = this.base.back; }) : "");
  }

  async copy() {
    const answer = await api.look("/api/look", this.where());
    await copyText(JSON.stringify(answer.position), "The position is in the clipboard.");
  }

  takeBack() { this.goTo(this.at - 1); }
  explore() {}
  again() {}
}
