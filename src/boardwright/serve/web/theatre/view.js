// The search theatre: a search that one can stop, step and compare, for teachers. The address says all that is shown.

import { announce, button, copyText, h, icon } from "../dom.js";
import { number } from "../format.js";
import { games } from "../home.js";
import { sideOf } from "./growth.js";
import { Pane } from "./pane.js";
import { PHASES } from "./phases.js";
import { readTheatre, theatreAddress } from "./state.js";

const LAST = PHASES.length - 1;
// How it plays: how long something is shown, in milliseconds, and what a step is: a phase, or so many simulations.
const SPEEDS = [["Slow", 1600, 0], ["Phases", 700, 0], ["Simulations", 700, 1], ["Fast", 150, 1], ["Very fast", 60, 10]];

function style() {
  if (document.querySelector("link[data-theatre]")) return Promise.resolve();
  const link = h("link", { rel: "stylesheet", href: "web/theatre/theatre.css" });
  link.dataset.theatre = "";
  return new Promise((done) => { link.onload = link.onerror = done; document.head.append(link); });
}

export async function theatreView(id, query) {
  const [all] = await Promise.all([games(), style()]);
  const view = new Theatre(readTheatre(id || all.first, query), all);
  view.go(view.state.at, LAST);
  return view;
}

class Theatre {
  constructor(state, all) {
    this.state = state;
    this.all = all;
    this.phase = LAST;
    this.goal = { at: 0, phase: LAST };
    this.speed = 1;
    this.turn = 0;
    this.title = h("h1", { tabindex: "-1" }, "Search theatre");
    this.about = h("p.hint");
    this.problem = h("p.problem", { role: "alert" });
    this.count = h("output", {});
    this.slider = h("input", { type: "range", min: 0, step: 1, value: 0, "aria-label": "Simulations", oninput: () => { this.pause(); this.go(Number(this.slider.value), LAST); } });
    this.player = button("play", "Play", () => this.toggle(), { title: "Play or pause (Space)" });
    this.player.classList.add("main");
    this.pace = h("select", { "aria-label": "Speed", onchange: () => { this.speed = Number(this.pace.value); } }, SPEEDS.map(([name], i) => h("option", { value: i, selected: i === this.speed }, name)));
    this.beside = button("plus", "Compare", () => this.compare(), { title: "Two searches side by side" });
    this.position = h("form.settings", { "aria-label": "Position and view", onsubmit: (event) => event.preventDefault() });
    this.which = h("details.which", {}, h("summary", {}, "Game, position, seed, view"), this.position);
    this.stages = h("div.panes");
    this.element = h("section.theatre", {},
      h("header.headline", {}, h("div", {}, this.title, this.about), h("div.tools", {}, this.beside, button("share", "Copy link", () => copyText(location.href, "The link is in the clipboard.")))),
      this.which, this.problem,
      h("div.transport", { role: "group", "aria-label": "Steps" },
        button("first", "Start", () => this.jump(0), { title: "Before the first simulation (Home)" }), button("back", "Back", () => this.back(true), { title: "A simulation back (Shift ←)" }),
        this.player, button("more", "Next phase", () => this.on(false), { title: "Next phase (→)" }), button("on", "Next simulation", () => this.on(true), { title: "Next simulation (Shift →)" }),
        h("label", {}, h("span.unseen", {}, "Speed"), this.pace), this.slider, this.count),
      this.stages, h("p.hint", {}, h("kbd", {}, "Space"), " plays and pauses, ", h("kbd", {}, "→"), " ", h("kbd", {}, "←"), " a phase on and back, with ", h("kbd", {}, "Shift"), " a simulation. A card opens when clicked."));
    this.build();
  }

  /** As many panes as searches. */
  build() {
    for (const pane of this.panes || []) pane.leave();
    this.panes = this.state.searches.map((_, i) => new Pane(this, i));
    this.stages.classList.toggle("two", this.panes.length > 1);
    this.stages.replaceChildren(...this.panes.map((pane) => pane.element));
    this.beside.lastChild.textContent = this.panes.length > 1 ? "One search" : "Compare";
  }

  leave() { this.pause(); clearTimeout(this.noting); for (const pane of this.panes) pane.leave(); }
  async refresh() { await this.go(this.goal.at, this.goal.phase); }

  get limit() { return Math.max(...this.panes.map(({ answer }) => (!answer ? this.state.simulations : answer.ended && answer.ended !== "spent" ? answer.at : answer.limit))); }

  /** Show simulation `at` in a phase; trees are fetched where they are not there. */
  async go(at, phase) {
    const turn = ++this.turn;
    this.goal = { at, phase };
    try {
      const wanted = this.panes.filter(({ answer, stale }) => !answer || stale || (answer.at !== at && !(answer.ended && answer.ended !== "spent" && answer.at < at)));
      const loaded = await Promise.all(wanted.map((pane) => pane.load(at)));
      if (turn !== this.turn || loaded.includes(false)) return;
    } catch (error) {
      if (turn === this.turn) this.fail(error);
      return;
    }
    this.problem.textContent = "";
    this.goal.at = Math.max(...this.panes.map(({ answer }) => answer.at));
    this.phase = phase;
    this.show();
  }

  fail(error) {
    this.pause();
    this.problem.textContent = error.message;
    if (!this.panes.some((pane) => pane.answer)) { this.element.classList.add("broken"); this.which.open = true; this.#drawPosition(null); }
  }

  show() {
    const { at } = this.goal;
    const { answer } = this.panes[0];
    this.element.classList.remove("broken");
    this.element.dataset.at = at;
    this.element.dataset.phase = at ? PHASES[this.phase].toLowerCase() : "";
    this.title.textContent = `Search theatre: ${answer.game.title}`;
    this.about.textContent = this.#where(answer);
    this.slider.max = this.limit;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", `${at} of ${this.limit} simulations`);
    this.count.textContent = `${number(at)} of ${number(this.limit)}`;
    if (!this.position.contains(document.activeElement)) this.#drawPosition(answer);
    for (const pane of this.panes) pane.show(this.phase);
    this.state.at = at;
    clearTimeout(this.noting); // browsers refuse an address that changes too often
    const note = () => { if (location.hash.startsWith("#/theatre")) history.replaceState(null, "", theatreAddress(this.state)); }; // else somebody is on the way elsewhere
    this.noting = setTimeout(note, this.timer ? 400 : 0);
  }

  #where(answer) {
    const { table, ply, position, steps, moves } = this.state;
    const after = table ? `after ply ${number(ply)} of a game here` : position ? "a position of your own" : moves.length ? `after ${moves.join(" ")}` : "from the start";
    return [...answer.game.variant, after + (steps.length ? ` and ${steps.join(" ")}` : ""), `${sideOf(answer.game, answer.player)} to move`].join(" · ");
  }

  /** Which game, after which moves, and how much of the tree is shown. */
  #drawPosition(answer) {
    const { state } = this;
    const name = answer?.game.name || state.game.split(":")[0];
    const kinds = this.all.games.map((one) => h("option", { value: one.name, selected: one.name === name }, one.title));
    if (!answer && !this.all.games.some((one) => one.name === name)) kinds.unshift(h("option", { value: "", selected: true }, name));
    const field = (label, input) => h("label", {}, h("span", {}, label), input);
    const amount = (key, label, max) => field(label, h("input", { type: "number", min: key === "seed" ? 0 : 1, max, step: 1, value: state[key], onchange: (event) => this.set({ [key]: event.target.value === "" ? undefined : Number(event.target.value) }) }));
    const own = !state.table && !state.position;
    this.position.replaceChildren(
      field("Game", h("select", { onchange: (event) => this.set({ game: event.target.value, moves: [], steps: [], table: undefined, ply: undefined, position: undefined, searches: state.searches.map(() => ({})), at: 0 }) }, kinds)),
      own ? field("Moves from the start", h("input.moves-typed", { type: "text", value: state.moves.join(" "), placeholder: answer?.game.move_help || "", spellcheck: false, autocomplete: "off", onchange: (event) => this.set({ moves: event.target.value.split(/\s+/).filter(Boolean), at: 0 }) })) : "",
      amount("seed", "Seed", 2 ** 53), amount("simulations", "Simulations", 2000), amount("children", "Children shown", 8), amount("levels", "Levels shown", 6));
  }

  // Changes

  /** Another position, seed or view: the same theatre with these. */
  set(changes) {
    this.pause();
    for (const [name, value] of Object.entries(changes)) if (value === undefined) delete this.state[name]; else this.state[name] = value;
    this.state = readTheatre(...addressed(theatreAddress(this.state)));
    for (const pane of this.panes) pane.forget();
    return this.go(Math.min(this.state.at, this.state.simulations), LAST);
  }

  /** Other settings of one search; the other keeps its tree. */
  change(index, settings) {
    this.pause();
    this.state.searches[index] = settings;
    this.panes[index].forget();
    return this.go(this.goal.at, this.phase);
  }

  compare() {
    this.pause();
    const [first, second] = this.state.searches;
    this.state.searches = second ? [first] : [first, { ...first }];
    this.build();
    return this.go(this.goal.at, this.phase);
  }

  // Steps

  /** A phase on, or to the end of the next simulation. */
  async on(whole, many = 1) {
    const { at, phase } = this.goal;
    const end = this.limit;
    if (at > 0 && phase < LAST && !whole) await this.go(at, phase + 1);
    else if (at > 0 && phase < LAST && many === 1) await this.go(at, LAST);
    else if (at < end) await this.go(Math.min(end, at + many), whole ? LAST : 0);
    else return false;
    return true;
  }

  back(whole) {
    this.pause();
    const { at, phase } = this.goal;
    if (phase > 0 && at > 0 && !whole) this.go(at, phase - 1);
    else if (at > 0) this.go(at - 1, LAST);
  }

  jump(at) { this.pause(); this.go(at, LAST); }
  turnTo(phase) { this.pause(); this.go(this.goal.at, phase); }

  toggle() { if (this.timer) this.pause(); else this.play(); }

  play() {
    const beat = async () => {
      const [, pause, many] = SPEEDS[this.speed];
      const mine = this.timer;
      const more = await this.on(many > 0, many || 1);
      if (this.timer !== mine) return;
      if (!more) { this.pause(); return; }
      this.timer = setTimeout(beat, pause);
    };
    this.timer = setTimeout(beat, 0);
    this.#label("pause", "Pause");
    announce("Playing");
  }

  pause() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.#label("play", "Play");
    announce(`Paused at simulation ${this.goal.at}`);
  }

  #label(name, text) { this.player.replaceChildren(icon(name), h("span", {}, text)); }

  key(event) {
    const whole = event.shiftKey;
    const actions = { " ": () => this.toggle(), ArrowRight: () => { this.pause(); this.on(whole); }, ArrowLeft: () => this.back(whole), Home: () => this.jump(0), End: () => this.jump(this.limit) };
    if (!actions[event.key] || !this.panes[0].answer) return false;
    actions[event.key]();
    return true;
  }
}

/** An address as `readTheatre` takes it. */
function addressed(hash) {
  const [path, query = ""] = hash.split("?");
  return [path.split("/")[2], query];
}
