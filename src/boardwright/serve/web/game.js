// One game on the page: its board, its players, its moves, and the way back and forth through them.

import { announce, h, icon, slim, toast } from "./dom.js";
import { arrowed, plainStep } from "./format.js";
import { api } from "./api.js";
import { rulesAddress } from "./address.js";
import { ask, line, whenUp } from "./socket.js";
import { mySeats } from "./places.js";
import { GAME_KEYS, SLIDES } from "./keys.js";
import { fullName, seatNames } from "./names.js";
import { statusOf, subtitleOf } from "./status.js";
import { seatList } from "./seat_list.js";
import { toolsOf } from "./tools.js";
import { endOf, startOf } from "./steps.js";
import { tallyTable } from "./ending.js";
import { Board } from "./board.js";
import { preparingBar } from "./preparing.js";
import { Analysis } from "./analysis.js";
import { showNextLevel } from "./next_level.js";
import { shareMenu } from "./share.js";
import { Race } from "./race.js";
import { handOf } from "./hand.js";
import { moveList } from "./moves.js";

const PACE = 350; // milliseconds a step of a replay, at speed 1
const MOST_QUICK = 8; // slides that wait for the one before

export class GameView {
  constructor(shell, id) {
    this.shell = shell;
    this.id = id;
    this.steps = [];
    this.at = 0;
    this.seen = new Map(); // ply -> what the server showed there
    this.speed = 1;
    this.quick = []; // slides that were asked for while one was on its way
    this.age = 0; // how often the server has told the game's state
    this.board = new Board({ onmove: (move) => this.play(move), onturn: () => this.showHand(), onnews: (cell) => this.analysis?.point(cell) });
    this.analysis = new Analysis(this);
    this.race = new Race(this);
    this.build();
  }

  // Where things are

  build() {
    this.players = h("ul.players", { "aria-label": "Players" });
    this.status = h("p.status");
    this.progress = h("div.progress", { "aria-hidden": "true" }, h("i"));
    this.preparing = preparingBar();
    this.ending = h("div.ending");
    this.inHand = h("div.inhand");
    this.nextLevel = h("p.nextlevel", { hidden: true });
    this.moveList = h("div.choices", { role: "group", "aria-label": "Moves" });
    this.entry = h("input", { type: "text", id: "entry", autocomplete: "off", autocapitalize: "off", spellcheck: false, "aria-describedby": "entry-help", maxLength: 60 });
    this.entryHelp = h("p.hint", { id: "entry-help" });
    this.form = h("form.entry", { onsubmit: (event) => { event.preventDefault(); this.typed(); } },
      h("label", { htmlFor: "entry" }, "Move"), this.entry, h("button.plain", { type: "submit" }, "Play"));
    this.actions = h("div.actions");
    this.listed = h("div.moves", { tabindex: "0", role: "region", "aria-label": "Moves so far" });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Position in the game", oninput: () => this.goTo(Number(this.slider.value)) });
    this.playButton = h("button.quiet.bare", { type: "button", "aria-label": "Replay", title: "Replay (Space)", onclick: () => this.toggleReplay() }, icon("play"));
    const step = (name, label, key, go) => h("button.quiet.bare", { type: "button", "aria-label": label, title: `${label} (${key})`, onclick: go }, icon(name));
    this.pace = h("select", { "aria-label": "Speed of the replay", onchange: () => { this.speed = Number(this.pace.value); this.keepPace(); } },
      [0.25, 0.5, 1, 2, 4, 8].map((speed) => h("option", { value: speed, selected: speed === 1 }, `${speed}×`)));
    this.bar = h("div.bar", { role: "group", "aria-label": "Replay" },
      step("first", "To the start", "Home", () => this.goTo(0)), step("back", "Back", "←", () => this.stepBack()), this.playButton,
      step("on", "On", "→", () => this.stepOn()), step("last", "To the end", "End", () => this.goTo(this.last)), this.slider, this.pace);
    this.heading = h("h1", { tabindex: "-1" });
    this.sub = h("p.sub");
    this.rules = h("a.rulelink", {}, "Rules");
    this.side = h("aside.side", { "aria-label": "Game" },
      h("div.title", {}, this.heading, this.sub, this.rules), this.players, this.race.element, h("div.state", {}, this.status, this.progress, this.preparing.element), this.ending, this.nextLevel, this.inHand, this.moveList, this.form, this.entryHelp, this.actions, this.listed);
    this.element = h("section.game", { "data-table": this.id },
      h("div.stage", {}, this.board.element, this.bar), this.side, this.analysis.element);
  }

  get last() { return this.table.ply; }
  get live() { return this.at === this.last; }
  get points() { return this.table.game.points; }
  get view() { return this.live ? this.table.view : this.seen.get(this.at); }
  /** The seats of people, and those of them that are played from this page. */
  get people() { return this.table.seats.map((seat, i) => (seat.player === "human" ? i : -1)).filter((i) => i >= 0); }
  get yours() { return mySeats(this.id, this.people); }
  get names() { return seatNames(this.table, this.yours); }
  get turn() { return this.table.view.player; }
  get playerThinks() { return this.live && this.table.playable && this.turn >= 0 && this.table.seats[this.turn].player !== "human"; }
  where() { return { table: this.id, ply: this.at }; }

  // Life

  async open() {
    this.take(await this.fetch());
    this.shown = true;
    this.watch();
  }

  resume() { this.shown = true; this.board.show(this.view, this.how()); this.race.follow(); this.analysis.refresh(); this.watch(); }

  leave() {
    this.shown = false;
    this.watching?.stop();
    this.watching = null;
    this.pause();
    this.race.leave();
    this.analysis.stop();
    this.analysis.read = false; // nobody is told that the pointer left what is no longer there
  }

  async refresh() {
    if (this.busy) return;
    const { age } = this;
    const table = await this.fetch();
    if (this.busy || age !== this.age) return; // the game went on meanwhile: this is old news
    const at = this.wanted ?? this.at, live = at === this.last; // where somebody has gone by now
    this.seen.clear();
    this.take(table);
    if (!live) await this.goTo(Math.min(at, this.last));
  }

  /** The game as the server has it: all of it, or its steps from a ply on, if it is still of that era. */
  fetch(since = 0, era = "") { return api.get(`/api/tables/${this.id}?narrow=${slim.matches ? 1 : 0}&since=${since}&era=${era}`); }

  // What the server tells by itself: that the game went on, here or elsewhere, and what its players think

  watch() {
    this.watching?.stop();
    const watching = ask("watch", { table: this.id, seat: this.yours.length < this.people.length ? this.yours[0] ?? -1 : -1 }, (news) => { if (this.watching === watching) this.hear(news); });
    this.watching = watching;
    watching.answer.catch((error) => {
      if (this.watching !== watching) return;
      this.watching = null;
      if (error.status === 404) this.shell.gone(this.id, error.message); else toast(error.message, "bad");
    });
  }

  hear(news) {
    const { problem } = this.news || {};
    this.news = news;
    this.held = news.held;
    if (news.problem && news.problem !== problem) toast(news.problem, "bad");
    if (this.isBehind()) this.catchUp();
    else this.showStatus();
  }

  /** The line to the server is lost, or back. */
  lineChanged() { if (this.table) this.showStatus(); }

  isBehind() {
    const { news, table } = this;
    return Boolean(news) && news !== this.caught && (news.era !== table.era || news.version > table.version);
  }

  async catchUp() {
    if (this.busy || this.catching) return; // who is at it looks again at its end
    this.catching = true;
    try {
      while (this.shown && !this.busy && this.isBehind()) {
        const { news, age } = this;
        const table = await this.fetch(this.table.ply, this.table.era);
        if (this.busy || age !== this.age) continue;
        this.caught = news; // the answer is at least as new as this
        await this.follow(table);
      }
    } catch (error) { toast(error.message, "bad"); } finally { this.catching = false; }
  }

  /** Show what was played elsewhere. */
  async follow(table) {
    const { live, at } = this;
    const ply = this.table.ply, before = this.table.view.hover;
    if (table.era === this.table.era && table.ply === ply && table.since === ply && table.status === this.table.status) { // a remark, such as that help was taken
      this.table = table;
      this.sub.textContent = this.subtitle();
      this.showStatus();
      return;
    }
    if (!live && table.since === ply) { this.newer(table); return; }
    const move = table.since === ply && table.steps[0]?.by >= 0 ? table.steps[0].text : "";
    if (move && live && this.shown) await (this.board.input.animate?.(move) ?? null);
    this.take(table);
    if (move) { this.arrived(before, move); this.tell(ply); }
    if (!live) await this.goTo(Math.min(at, this.last), true);
  }

  /** What the server told of the game: all of it, or what is new since a ply. */
  take(table) {
    this.age += 1;
    this.steps.length = table.since;
    this.steps.push(...table.steps);
    this.table = table;
    this.at = table.ply;
    for (const ply of this.seen.keys()) if (ply > table.since) this.seen.delete(ply);
    this.analysis.gameChanged();
    this.render();
  }

  render() {
    const { table } = this;
    this.shell.named(this.id, table);
    Object.assign(this.element.dataset, { ply: this.last, at: this.at, turn: this.view.player, sides: this.table.game.sides.join(" ").toLowerCase() });
    this.heading.textContent = table.game.title;
    this.sub.textContent = this.subtitle();
    this.rules.href = rulesAddress(table.game.name);
    this.board.show(this.view, this.how());
    this.showPlayers();
    this.showStatus();
    this.ending.replaceChildren(...[tallyTable(this.view, this.names)].filter(Boolean));
    this.showHand();
    this.showChoices();
    this.showActions();
    this.showMoves();
    this.slider.max = this.last;
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", `${this.at} of ${this.last}`);
    this.entryHelp.textContent = table.game.move_help;
    this.form.hidden = this.entryHelp.hidden = this.view.over || (this.live && this.table.status !== "unfinished" && !this.learning);
    this.race.follow();
    this.analysis.refresh();
  }

  subtitle() { return subtitleOf(this.table); }

  how() {
    const turn = this.view.player;
    const mine = this.live && this.table.playable && this.yours.includes(turn);
    return { playable: (mine && !this.busy) || Boolean(this.learning) || (this.canTry() && turn >= 0), label: `${this.table.game.title} board`, names: this.names };
  }

  /** Whether arrows slide. On a position of the past they go back and forth through the game. */
  slidesByKey() { return Boolean(this.learning) || (this.live && this.table.playable && this.yours.includes(this.view.player)); }

  /** Whether a move on an old or finished position begins a study. */
  canTry() { return !this.live || !this.table.playable; }

  // Moves

  async play(move) {
    if (this.busy) return;
    if (this.learning) { this.learning.tried(move); return; }
    const turn = this.view.player;
    if (turn < 0) return;
    if (this.canTry()) { this.shell.study({ table: this.id, ply: this.at, title: this.table.game.title, back: location.hash }, [move]); return; }
    if (!this.yours.includes(turn)) return;
    const before = this.table.view.hover;
    const ply = this.table.ply;
    this.busy = true;
    const moving = this.board.input.animate?.(move) ?? Promise.resolve();
    try {
      const answer = await this.send(move, ply);
      await moving;
      this.busy = false;
      this.take(answer);
      this.arrived(before, move);
      this.tell(ply);
    } catch (error) {
      this.busy = false;
      this.quick = [];
      toast(error.message, "bad");
      if (error.status === 409) await this.refresh();
      else this.board.show(this.view, this.how());
    }
    this.catchUp();
    this.playQuick();
  }

  /** The next of the keys that were pressed while a move was on its way; those that mean nothing now are dropped. */
  playQuick() {
    while (this.quick.length && !this.busy && this.live) {
      const way = this.quick.shift();
      if (this.view.moves.includes(way)) this.play(way);
    }
  }

  /** Send a move until the server has it: after a loss nobody knows whether it arrived. */
  async send(move, ply) {
    for (;;) {
      try { return await api.post(`/api/tables/${this.id}/moves`, { move, ply, narrow: slim.matches }); } catch (error) {
        if (error.status !== 0) throw error;
        this.sending = move;
        this.showStatus();
        await whenUp();
        const table = await this.fetch(ply, this.table.era);
        this.sending = "";
        if (table.ply !== ply) return table; // it had arrived, or the game has gone on otherwise
      }
    }
  }

  arrived(before, move) {
    const draw = this.steps.at(-1)?.text.match(/^~([a-h]\d)=/);
    this.board.input.arrive?.(before, move, draw?.[1]);
  }

  typed() {
    const move = this.entry.value.trim();
    if (!move) return;
    const found = this.view.moves.find((one) => one.toLowerCase() === move.toLowerCase());
    if (!found && this.canTry()) { toast(`“${move}” is no legal move here.`, "bad"); return; }
    this.entry.value = "";
    this.play(found || move); // the server says why it is none
  }

  /** Say what happened since a ply. */
  tell(ply) {
    const said = this.steps.slice(ply).filter((step) => step.by >= 0).map((step) => `${this.nameOf(step.by)}: ${step.text}`);
    announce(`${said.join(". ")}. ${this.status.textContent}`);
  }

  nameOf(seat) { return fullName(this.table, seat); }

  /** The game went on while somebody looked at an earlier position. */
  newer(table) {
    const at = this.at;
    this.age += 1;
    this.steps.length = table.since;
    this.steps.push(...table.steps);
    this.seen.set(this.table.ply, this.table.view);
    this.table = table;
    this.at = at;
    this.showMoves();
    this.slider.max = this.last;
    this.showStatus();
  }

  async takeBack() {
    try {
      await this.change("takeback");
      announce(`Taken back. ${this.status.textContent}`);
    } catch (error) { toast(error.message, "bad"); }
  }

  async resign() {
    if (!confirm("Give up this game?")) return;
    try { await this.change("resign"); } catch (error) { toast(error.message, "bad"); }
  }

  /** Have the server change the game, and show it, unless news of that came first: somebody may have moved since. */
  async change(what) {
    const { age } = this;
    const table = await api.post(`/api/tables/${this.id}/${what}`, { ply: this.table.ply, narrow: slim.matches });
    if (age === this.age) this.take(table);
  }

  // Back and forth

  async goTo(ply, quiet = false) {
    ply = Math.max(0, Math.min(this.last, ply));
    if (ply === this.at && this.view) { this.wanted = null; return; }
    if (!quiet) this.pause();
    this.wanted = ply; // keys pressed while an answer is on its way go on from here
    if (ply !== this.last && !this.seen.has(ply)) {
      try {
        const found = await this.fetchAt(ply);
        if (this.seen.size > 400) this.seen.delete(this.seen.keys().next().value);
        this.seen.set(ply, found.view);
      } catch (error) { this.wanted = null; toast(error.message, "bad"); return; }
      if (this.wanted !== ply) return; // an answer to an old wish
    }
    this.at = ply;
    this.wanted = null;
    this.render();
    const step = this.steps[ply - 1];
    if (!quiet) announce(step ? `${ply} of ${this.last}: ${step.by >= 0 ? this.nameOf(step.by) : "drawn"} ${plainStep(step)}` : "The start");
  }

  fetchAt(ply) { return api.get(`/api/tables/${this.id}/plies/${ply}?narrow=${slim.matches ? 1 : 0}`); }

  toggleReplay() {
    if (this.replaying) { this.pause(); return; }
    if (!this.people.length && this.live && this.table.playable) { // players that think: hold them, or let them go on
      this.held = !this.held;
      this.keepPace();
      this.showStatus();
      return;
    }
    this.replaying = true;
    this.showPlay("pause");
    this.playButton.setAttribute("aria-label", "Pause");
    if (this.live) this.goTo(0, true);
    const tick = async () => {
      if (!this.replaying) return;
      if (this.at >= this.last) { this.pause(); return; }
      let next = this.at + 1; // draws that follow a move are shown with it
      while (next < this.last && this.steps[next]?.by < 0) next += 1;
      await this.goTo(next, true);
      this.timer = setTimeout(tick, PACE / this.speed);
    };
    this.timer = setTimeout(tick, PACE / this.speed);
  }

  /** Another drawing only where it is another: one that has to be fetched is missing while the server is. */
  showPlay(name) {
    if (this.playButton.dataset.icon === name) return;
    this.playButton.dataset.icon = name;
    this.playButton.replaceChildren(icon(name));
  }

  /** Players among themselves go as fast as whoever watches wants. */
  keepPace() {
    if (!this.people.length && this.table.playable)
      ask("pace", { table: this.id, held: Boolean(this.held), speed: this.speed }).answer.catch((error) => toast(error.message, "bad"));
  }

  pause() {
    clearTimeout(this.timer);
    this.replaying = false;
    this.showPlay("play");
    this.playButton.setAttribute("aria-label", "Replay");
  }

  // What is shown beside the board

  showPlayers() {
    const { table, view } = this;
    this.players.replaceChildren(...seatList(table, view, this.names, this.live ? table.results : null));
    this.players.hidden = false;
    showNextLevel(this);
  }

  showStatus() {
    const { table, view } = this;
    const { news } = this;
    const thought = news && news.era === table.era && news.version === table.version ? news.thinking : null;
    const waits = Boolean(news?.preparing);
    const thinks = !waits && line.up && this.playerThinks && !news?.problem && !(this.held && !this.people.length);
    this.status.textContent = statusOf({
      table, turn: view.player, at: this.at, last: this.last, up: line.up, sending: this.sending, yours: this.yours,
      paused: this.held && !this.people.length, problem: news?.problem, waits, simulations: thought?.simulations,
    });
    this.showPreparing(line.up ? news?.preparing : null);
    this.status.classList.toggle("over", this.live && table.status !== "unfinished");
    this.progress.classList.toggle("shown", thinks);
    if (!this.replaying && this.live && table.playable) this.showPlay(this.people.length || this.held ? "play" : "pause");
    if (thinks) this.progress.firstChild.style.width = `${Math.max(2, Math.round(100 * (thought?.share || 0)))}%`;
  }

  showPreparing(left) { this.preparing.show(left, this.table.game.title); }

  /** A search or a report of what is shown here; while the game is prepared for it, that is shown, and `report` hears it too. */
  look(action, fields, report) {
    const asked = ask(action, fields, (told) => { this.showPreparing(told.preparing); report?.(told); });
    asked.answer.catch(() => {}).then(() => this.showPreparing(null));
    return asked;
  }

  showHand() {
    this.inHand.replaceChildren(...handOf(this.view.hover || {}, this.board, (turn) => this.turnTo(turn)));
    this.inHand.hidden = !this.inHand.childNodes.length;
  }

  turnTo(turn) { while (this.board.turn !== turn && this.board.input.turn(1)); }

  /** A few moves, or moves that no cell stands for, as buttons; so are draws in a study. */
  showChoices() {
    const { view } = this;
    const { paths } = view.hover || {}, { input } = this.board;
    const bySquare = this.board.cells.size > 0 && input.moves instanceof Map ? input.moves.size : view.hover?.kind === "tile" ? 1 : 0;
    const few = view.moves.length && (view.moves.length <= 6 || !bySquare);
    const shown = paths ? view.moves.filter((move) => !paths[move]) : few ? view.moves : [];
    const point = (move) => (paths ? { onpointerenter: () => input.preview(move), onpointerleave: () => input.leave(), onfocus: () => input.preview(move), onblur: () => input.leave() } : {});
    const open = this.how().playable;
    this.moveList.replaceChildren(...(open ? shown.slice(0, 300).map((move) => h("button.plain", { type: "button", onclick: () => this.play(move), ...point(move) }, arrowed(move))) : []));
    this.moveList.hidden = !this.moveList.childNodes.length;
  }

  showActions() {
    this.actions.replaceChildren(...toolsOf(this));
  }

  explore() { this.shell.study({ table: this.id, ply: this.at, title: this.table.game.title, back: location.hash }, []); }

  async again() {
    const { game, seats, race } = this.table;
    await this.shell.begin({ game: game.name, options: game.options, seats: seats.map((seat) => seat.player), ...(race ? { rival: race.player } : {}) });
  }

  showMoves() {
    this.listed.replaceChildren(...moveList(this.steps, this.at, this.analysis.labels(), (ply) => this.goTo(ply)));
    this.listed.hidden = !this.steps.length;
    const here = this.listed.querySelector("[aria-current], .here");
    this.listed.scrollTop = here ? here.offsetTop - this.listed.clientHeight / 2 : 0;
  }

  // Keys that work wherever the focus is

  key(event) {
    const { input } = this.board;
    if (SLIDES[event.key] && input?.slide && this.slidesByKey()) {
      if (!this.busy) input.slide(SLIDES[event.key]);
      else if (!event.repeat && this.quick.length < MOST_QUICK) this.quick.push(SLIDES[event.key]);
      return true;
    }
    const actions = {
      back: () => this.stepBack(), on: () => this.stepOn(), start: () => this.goTo(0), end: () => this.goTo(this.last), replay: () => this.toggleReplay(),
      takeBack: () => this.takeBack(), hint: () => this.analysis.hint(), analyse: () => this.analysis.toggle(), judge: () => this.analysis.judge(),
      nextMistake: () => this.analysis.nextMistake(), explore: () => this.explore(), share: () => shareMenu(this), again: () => this.again(),
      turn: () => input?.turn?.(event.shiftKey ? -1 : 1), turnBack: () => input?.turn?.(-1), type: () => this.entry.focus(), board: () => this.board.focus(),
    };
    const action = actions[GAME_KEYS[event.key]];
    action?.();
    return Boolean(action);
  }

  /** A step is a move with its draws: nobody wants twenty presses for one deal. */
  stepOn() {
    const from = this.wanted ?? this.at;
    this.goTo(from >= this.last ? this.last : endOf(this.steps, from));
  }

  stepBack() {
    this.goTo(startOf(this.steps, this.wanted ?? this.at));
  }
}
