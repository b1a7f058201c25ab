// The games of a site: rules and search from a module, texts and pictures from a worker with Brython.
/* oxlint-disable unicorn/require-post-message-target-origin -- messages to and from a worker have none */

import { CHANCE, OVER, Program } from "./program.js";
import { Kernels, readNumbers } from "./learnt.js";

const SITE = new URL("../../", import.meta.url);
const MOST_CHANCES = 200; // outcomes that are listed
const MOST_DRAWS = 100; // looked through for the last move
const MOST_TRIED = 150; // moves that are tried out to see which cells they change

async function load(path) {
  const answer = await fetch(new URL(path, SITE));
  if (!answer.ok) throw new Error(`${path} is missing on this site (${answer.status})`);
  return answer;
}

export const readRules = async (name) => (await load(`games/${name}/rules.json`)).json();
export const readSite = async () => (await load("games.json")).json();

/** Plain data as Python writes it. */
export function asPython(value) {
  if (value === null || value === undefined) return "None";
  if (value === true || value === false) return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(asPython).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${asPython(item)}`).join(", ")}}`;
  if (typeof value === "number" && !Number.isFinite(value)) return `float("${value}")`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

class Texts {
  constructor(source, title) {
    this.title = title;
    this.count = 0;
    this.waiting = new Map();
    this.worker = new Worker(new URL("./texts.js", import.meta.url));
    this.worker.onmessage = ({ data }) => {
      const { resolve, reject } = this.waiting.get(data.number);
      this.waiting.delete(data.number);
      if (data.error) reject(new Error(`${this.title}: ${data.error}`)); else resolve(data.answer);
    };
    this.worker.onerror = (event) => {
      this.broken = new Error(`${this.title}: its texts did not start (${event.message || "a file is missing"})`);
      for (const { reject } of this.waiting.values()) reject(this.broken);
      this.waiting.clear();
    };
    this.worker.postMessage({ source });
  }

  ask(question) {
    return new Promise((resolve, reject) => {
      if (this.broken) { reject(this.broken); return; }
      const number = ++this.count;
      this.waiting.set(number, { resolve, reject });
      this.worker.postMessage({ number, question: asPython(question) });
    });
  }
}

/** One position: a state, how it came about, and, once asked for, what there is to see. */
export class Position {
  constructor(game, state, previous = null, step = null) {
    Object.assign(this, { game, state, previous, step });
    this.seen = null;
    this.told = new Map(); // narrow -> texts and picture
    this.noted = new Map(); // move -> what it does
    this.called = new Map(); // step -> its text, where nothing else was asked for
  }

  get facts() { return this.seen ||= this.game.program.see(this.state); }
  get player() { return this.facts.player; }
  get isOver() { return this.player === OVER; }
  get isChance() { return this.player === CHANCE; }

  after(step) {
    if (!this.facts.choices.includes(step)) throw new Error(`${step} is no legal ${this.isChance ? "outcome" : "move"} here`);
    return new Position(this.game, this.game.program.after(this.state, step, this.isChance), this, step);
  }

  get chances() {
    const { choices, weights } = this.facts, total = weights.reduce((a, b) => a + b, 0);
    return choices.map((outcome, i) => [outcome, weights[i] / total]);
  }

  /** The position after all draws before the next move. */
  settle(random) {
    let here = this;
    while (here.isChance) {
      const { chances } = here;
      here = here.after(chances[random.pick(chances.map(([, chance]) => chance))][0]);
    }
    return here;
  }

  /** The position that the last move led to. */
  #moved() {
    let here = this;
    for (let i = 0; i < MOST_DRAWS && here.previous; i++) {
      if (here.previous.player >= 0) return here;
      here = here.previous;
    }
    return null;
  }

  /** What cells of a game that draws nothing itself need: who acts, and the states before the last move and after each. */
  #around(moved, choices) {
    if (!this.game.told.cells) return {};
    const { program } = this.game;
    const tried = this.isChance || choices.length > MOST_TRIED ? [] : choices;
    return { player: this.player, before: moved && program.fields(moved.previous.state), after: tried.map((move) => this.#tried(move)) };
  }

  /** The fields after a move; null where the rules stumble over it: whoever plays it is told. */
  #tried(move) {
    const { program } = this.game;
    try { return program.fields(program.after(this.state, move, false)); } catch { return null; }
  }

  async texts(narrow = false) {
    if (!this.told.has(narrow)) {
      const choices = this.isOver ? [] : this.facts.choices;
      const moved = this.#moved();
      const question = { fields: this.game.program.fields(this.state), choices, chance: this.isChance, over: this.isOver, narrow, last: moved && [moved.previous.player, moved.step], ...this.#around(moved, choices) };
      this.told.set(narrow, await this.game.texts.ask(question));
    }
    return this.told.get(narrow);
  }

  /** What one step is called; for that alone no picture is drawn. */
  async text(step) {
    for (const { texts } of this.told.values()) return texts[this.facts.choices.indexOf(step)];
    if (!this.called.has(step)) {
      const [name] = await this.game.texts.ask({ fields: this.game.program.fields(this.state), chance: this.isChance, names: [step] });
      this.called.set(step, name);
    }
    return this.called.get(step);
  }

  /** What moves do, in the game's words. */
  async notes(moves) {
    const unknown = moves.filter((move) => !this.noted.has(move));
    if (unknown.length) {
      const said = await this.game.texts.ask({ fields: this.game.program.fields(this.state), notes: unknown });
      unknown.forEach((move, i) => this.noted.set(move, said[i]));
    }
    return moves.map((move) => this.noted.get(move));
  }

  /** The step that a text names; refused with what fits. */
  async parse(text) {
    const { texts } = await this.texts(), wanted = text.trim();
    let found = texts.indexOf(wanted);
    if (found < 0) {
      const alike = texts.flatMap((one, i) => (one.toLowerCase() === wanted.toLowerCase() ? [i] : []));
      if (alike.length === 1) [found] = alike;
    }
    if (found >= 0) return this.facts.choices[found];
    const some = texts.slice(0, 12).join(", ") + (texts.length > 12 ? ` and ${texts.length - 12} more` : "");
    throw new Error(`${this.game.name}: "${text.slice(0, 60)}" is no legal ${this.isChance ? "draw" : "move"} here; ${this.game.about.move_help || `legal are: ${some}`}`);
  }

  /** What the page shows of it: as serve/view.py. */
  async view(narrow = false) {
    const { player, scores, results } = this.facts, { texts, svg, hover, drawn, board, tally } = await this.texts(narrow);
    return {
      player, over: this.isOver, scores, results, tally, svg, hover, drawn, board,
      moves: this.isChance ? [] : texts,
      chances: this.isChance ? this.chances.slice(0, MOST_CHANCES).map(([, chance], i) => ({ text: texts[i], chance })) : [],
    };
  }

  json() {
    const { about } = this.game;
    return { boardwright: 1, game: about.kind, options: about.options, state: this.game.program.fields(this.state) };
  }
}

export class Game {
  static async open(facts) {
    const folder = `games/${facts.name}/`;
    const [told, code, source] = await Promise.all([
      load(`${folder}game.json`).then((answer) => answer.json()),
      load(`${folder}game.wasm`).then((answer) => answer.arrayBuffer()),
      load(`${folder}texts.py`).then((answer) => answer.text()),
    ]);
    const program = await Program.make(code, told.plan, told.sentences, facts.title);
    return new Game(facts, told, program, new Texts(source, facts.title));
  }

  constructor(facts, told, program, texts) {
    Object.assign(this, { name: facts.name, facts, about: told.about, told, program, texts });
    this.modules = new Map(); // id -> promise of a module for what a player has learnt
  }

  /** The module of what a player has learnt, loaded when it first plays. */
  async module(id) {
    if (!this.modules.has(id)) this.modules.set(id, this.#loadModule(this.told.modules[id]));
    try { return await this.modules.get(id); } catch (error) { this.modules.delete(id); throw error; }
  }

  async #loadModule({ way, file, plan, sentences, numbers }) {
    const [code, learned] = await Promise.all([file, numbers.file].map(async (one) => (await load(`games/${this.name}/${one}`)).arrayBuffer()));
    return (way === "search" ? Program : Kernels).make(code, plan, sentences, this.facts.title, readNumbers(numbers, learned));
  }

  begin() { return new Position(this, this.program.begin()); }
}
