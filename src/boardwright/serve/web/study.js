// A study: moves and draws tried from a position, with branches and comments. From its first step on the server keeps it, and
// it has an address.

import { announce, button, copyText, h, served, slim, toast } from "./dom.js";
import { number, plainStep } from "./format.js";
import { pick } from "./steps.js";
import { studyAddress } from "./address.js";
import { api } from "./api.js";
import { newId, person } from "./me.js";
import { StudyTree } from "./study_tree.js";
import { sideOf } from "./names.js";
import { GameView } from "./game.js";

export class StudyView extends GameView {
  /** Settled when every study is saved as it is shown: who lists studies waits for it. */
  static saving = Promise.resolve();

  /** `base`: {table, ply} or {position}, with a title and the address to go back to. `kept`: the study as the server has it. */
  constructor(shell, base, steps = [], kept = null) {
    super(shell, "study");
    this.base = base;
    this.wish = steps;
    this.kept = kept; // {id, version, title}
    this.tree = new StudyTree(kept?.nodes);
    this.path = this.tree.line(0);
    this.comment = h("textarea", { rows: 3, maxLength: 4000, "aria-label": "Comment on this position", placeholder: "A comment on this position", onchange: () => this.remark() });
    this.name = h("input", { type: "text", maxLength: 100, "aria-label": "Name of the study", placeholder: "Name of the study", value: kept?.title || "", onchange: () => this.save() });
    this.notes = h("div.notes", {}, this.comment, served ? this.name : "");
    this.listed.after(this.notes);
  }

  get here() { return this.path[this.at]; }

  where(at = this.at) {
    const { table, ply, position } = this.base;
    return { ...(table ? { table, ply } : { position }), steps: this.path.slice(1, at + 1).map((node) => this.tree.nodes[node].text) };
  }

  async open() {
    const first = await api.look("/api/look", { ...this.where(0), narrow: slim.matches });
    this.take(this.#told(first, 0));
    this.seen.set(0, first.view);
    this.shown = true;
    this.switchTo(this.path, 0);
    for (const move of this.wish) await this.play(move);
  }

  /** Leave nothing unsaved: a box that still has the focus has told nobody yet. */
  leave() {
    super.leave();
    this.remark();
    if (this.kept && (this.kept.title || "") !== this.name.value.trim()) this.save();
  }

  /** Another line of the tree is the one that is gone through, from the position at a ply. */
  switchTo(path, at) {
    let same = 0;
    while (same < path.length && path[same] === this.path[same]) same += 1;
    for (const ply of this.seen.keys()) if (ply >= same) this.seen.delete(ply);
    this.path = path;
    this.steps = path.slice(1).map((node) => this.tree.nodes[node]);
    this.at = at;
    this.wanted = null;
    if (this.seen.has(at)) this.render();
  }

  #told(answer, ply) {
    const names = Array.from({ length: answer.game.players }, (_, i) => sideOf(answer.game, i));
    return {
      game: answer.game, seats: names.map((name) => ({ name, player: "human" })), status: answer.view.over ? "finished" : "unfinished",
      results: answer.view.results, note: "", playable: !answer.view.over, ply, since: ply, steps: [], view: answer.view, position: answer.position, seed: 0,
    };
  }

  subtitle() { return this.kept ? "A study, kept under its address: nothing here changes a game" : "A study: nothing here changes a game"; }
  get yours() { return []; }
  get last() { return this.steps.length; }
  get view() { return this.seen.get(this.at) || this.table.view; }

  async refresh() { this.seen.clear(); await this.goTo(this.wanted ?? this.at); }
  canTry() { return false; }
  slidesByKey() { return this.view.player >= 0; }
  how() { return { playable: this.view.player >= 0 || Boolean(this.learning), label: `${this.table.game.title} board`, names: this.names }; }

  async play(step) {
    if (this.learning) { this.learning.tried(step); return; }
    await this.goOn([...this.where().steps, step]);
  }

  /** All that chance does before the next move, in one go. */
  async dealAll() {
    if (!served) { // a published page asks draw by draw
      while (this.view.chances.length) await this.play(pick(this.view.chances, Math.random()));
      return;
    }
    try {
      const { at, here } = this, where = this.where();
      const { dealt } = await api.look("/api/look", { ...where, deal: true });
      if (this.at !== at || this.here !== here) return; // somebody went elsewhere
      await this.goOn([...where.steps, ...dealt]);
      announce(`Dealt: ${dealt.map((text) => plainStep({ text })).join(" ")}`);
    } catch (error) { toast(error.message, "bad"); }
  }

  /** To where these steps lead from the base; new ones become a branch. */
  async goOn(texts) {
    try {
      const by = this.view.player, { at } = this, { nodes } = this.tree;
      let node = this.here; // whoever goes elsewhere while the answer is on its way does not take the step along
      const answer = await api.look("/api/look", { ...this.where(0), steps: texts, narrow: slim.matches });
      if (this.tree.nodes !== nodes) return; // some of the study was deleted meanwhile
      this.remark(); // what was written meanwhile is said of the position that was shown
      const before = this.tree.nodes.length;
      for (const text of texts.slice(at)) node = this.tree.add(node, { text, by });
      this.switchTo(this.tree.line(node), texts.length);
      this.seen.set(texts.length, answer.view);
      this.table = this.#told(answer, texts.length);
      this.render();
      if (this.tree.nodes.length !== before) this.save();
    } catch (error) { toast(error.message, "bad"); this.board.show(this.view, this.how()); }
  }

  remark() {
    const node = this.tree.nodes[this.remarked]; // none: what the box was for has been taken out
    if (!node || node.comment === this.comment.value.trim()) return;
    node.comment = this.comment.value.trim();
    this.showMoves();
    this.save();
  }

  /** Take the position shown, and all that was tried after it, out of the study. */
  removeHere() {
    if (!this.at) return;
    const parent = this.tree.remove(this.here), at = this.at - 1;
    this.remarked = undefined;
    const path = this.tree.line(parent);
    this.path = path;
    this.steps = path.slice(1).map((node) => this.tree.nodes[node]);
    for (const ply of this.seen.keys()) if (ply > at) this.seen.delete(ply);
    this.save();
    this.goTo(at);
  }

  /** One after the other: a later state must not be overtaken by an earlier one. What a lost connection has swallowed is sent again,
   *  as it was, whatever has been tried since; the server knows what it has by its id and its version. */
  save() {
    if (!served) return;
    StudyView.saving = StudyView.saving.then(async () => {
      const told = { nodes: structuredClone(this.tree.nodes), title: this.name.value.trim() };
      try {
        if (this.kept) Object.assign(this.kept, await api.surely(`/api/studies/${this.kept.id}`, { ...told, version: this.kept.version }), { title: told.title });
        else {
          const { table, ply, position } = this.base;
          const { id, version } = await api.surely("/api/studies", { ...told, id: newId(), person: person(), ...(table ? { table, ply } : { position }) });
          this.kept = { id, version, title: told.title };
          if (this.shown && location.hash === "#/study") history.replaceState(null, "", studyAddress(id)); // unless somebody is on the way elsewhere
          this.sub.textContent = this.subtitle();
        }
      } catch (error) { toast(error.message, "bad"); }
    });
  }

  fetchAt(ply) { return api.look("/api/look", { ...this.where(ply), narrow: slim.matches }); }

  async goTo(ply, quiet) {
    ply = Math.max(0, Math.min(this.last, ply));
    this.remark();
    this.wanted = ply; // keys pressed while an answer is on its way go on from here
    const { path } = this;
    if (!this.seen.has(ply)) {
      const { view } = await this.fetchAt(ply).catch((error) => { this.wanted = null; throw error; });
      if (this.path !== path || this.wanted !== ply) return; // of another line, or an answer to an old wish
      this.seen.set(ply, view);
    }
    this.wanted = null;
    this.remark(); // what was written meanwhile is said of the position that was shown
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
      h("button.plain", { type: "button", onclick: () => this.play(pick(chances, Math.random())) }, "Let chance decide"),
      h("button.go", { type: "button", onclick: () => this.dealAll(), title: "Everything that chance does before the next move" }, "Deal all"));
  }

  /** The tree: what was tried first at each position, the other tries each on a line of its own. */
  showMoves() {
    const { nodes } = this.tree, inLine = new Set(this.path);
    const step = (node) => {
      const path = this.tree.line(node), at = this.tree.path(node).length - 1;
      return [h(`button.step${nodes[node].by >= 0 ? `.p${nodes[node].by}` : ".drawn"}`, {
        type: "button", "aria-current": node === this.here ? "true" : null, onclick: () => { this.remark(); this.switchTo(path, at); this.goTo(at); },
      }, plainStep(nodes[node])), nodes[node].comment ? h("q", {}, nodes[node].comment) : ""];
    };
    const after = (node) => {
      const made = [];
      for (let children = this.tree.children(node); children.length; children = this.tree.children(children[0])) {
        const [first, ...others] = children;
        made.push(step(first), ...others.map((other) => h(`span.variation${inLine.has(other) ? ".here" : ""}`, {}, step(other), after(other))));
      }
      return made;
    };
    this.listed.replaceChildren(...[nodes[0].comment ? h("q", {}, nodes[0].comment) : "", ...after(0)].flat(9).filter(Boolean));
    this.listed.hidden = !this.listed.childNodes.length;
    const here = this.listed.querySelector("[aria-current]");
    if (here) this.listed.scrollTop = here.offsetTop - this.listed.clientHeight / 2;
    if (this.remarked !== this.here || document.activeElement !== this.comment) this.comment.value = nodes[this.here]?.comment || "";
    this.remarked = this.here;
  }

  showActions() {
    this.actions.replaceChildren(
      button("undo", "Take back", () => this.takeBack(), { disabled: this.at === 0 }),
      button("chart", "Analyse", () => this.analysis.toggle(), { "aria-pressed": String(this.analysis.on) }),
      button("bulb", "Hint", () => this.analysis.hint()),
      button("share", "Copy position", () => this.copy()),
      served && this.kept ? button("share", "Copy link", () => copyText(location.href, "The study's address is in the clipboard.")) : "",
      button("close", "Delete from here", () => this.removeHere(), { disabled: this.at === 0 }),
      this.base.back ? button("close", "Back to the game", () => { location.hash = this.base.back; }) : "");
  }

  async copy() {
    const answer = await api.look("/api/look", this.where());
    await copyText(JSON.stringify(answer.position), "The position is in the clipboard.");
  }

  takeBack() { this.goTo((this.wanted ?? this.at) - 1); }
  explore() {}
  again() {}
}
