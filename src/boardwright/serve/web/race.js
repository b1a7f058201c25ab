// A race: somebody else plays the same game on the same draws. It is shown as far as this game has come and no further, so
// that nobody sees draws that are still to come; at the end the two are compared.

import { h } from "./dom.js";
import { number } from "./format.js";
import { api } from "./api.js";
import { ask } from "./socket.js";
import { picture } from "./board.js";
import { verdict } from "./verdict.js";

export class Race {
  constructor(game) {
    this.game = game;
    this.ply = -1; // how far the other has come
    this.end = null; // its points, where this game is over
    this.score = h("span.score");
    this.words = h("p.hint");
    this.mini = h("div.mini");
    this.who = h("span.who");
    this.element = h("section.race", { "aria-label": "Race", hidden: true },
      h("div.rival.p1", {}, h("span.chip", { "aria-hidden": "true" }, "2"), this.who, this.score), this.words, this.mini);
  }

  /** The game shows a position: show the other's beside it. */
  follow() {
    const { race } = this.game.table;
    this.element.hidden = !race;
    if (!race) return;
    if (!this.watching) this.watching = ask("watch", { table: race.id }, ({ ply, status }) => { this.ply = ply; this.over = status !== "unfinished"; this.show(); });
    this.who.replaceChildren(race.name, h("small", {}, " on the same draws"));
    this.show();
  }

  leave() { this.watching?.stop(); this.watching = null; this.shown = undefined; }

  async show() {
    const { game } = this;
    if (this.ply < 0 || !game.table) return;
    const ended = game.live && game.table.status !== "unfinished";
    const ply = ended ? this.ply : Math.min(game.at, this.ply);
    const known = this.shown === ply && this.ended === ended;
    if (!known) this.end = null;
    this.say();
    if (known) return;
    [this.shown, this.ended] = [ply, ended];
    const { view } = await api.get(`/api/tables/${game.table.race.id}/plies/${ply}?narrow=1`);
    if (this.shown !== ply || this.ended !== ended) return;
    this.score.replaceChildren(number(view.scores[0]), h("span.unseen", {}, " points"));
    const svg = picture(view.svg);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${game.table.race.name}'s board`);
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    this.mini.replaceChildren(svg);
    if (ended) this.end = view.scores[0];
    this.say();
  }

  /** How it stands, in words. News may come again and again, and change nothing. */
  say() {
    const { table, at, live } = this.game, ended = live && table.status !== "unfinished", { over, end } = this;
    const compared = over && end !== null ? { own: table.view.scores[0], other: end, name: table.race.name } : {};
    this.words.textContent = verdict({ ended, over, behind: this.ply < at, ...compared });
  }
}
