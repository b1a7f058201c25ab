// Games in progress, as records/live_game.py keeps them: the same seed brings the same draws as on the server.

import { Random } from "./search.js";

export const HUMAN = "human";
const DRAW = "~"; // before the text of a draw, as in a record

export class Refused extends Error {
  constructor(message, status = 400) { super(message); this.status = status; }
}

const randomName = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Table {
  constructor(game, seats, seed) {
    Object.assign(this, { game, seats, seed });
    this.id = randomName(16);
    this.era = randomName(4); // what is known of a game is still true as long as this is the same: its plies only grow
    this.started = new Date().toISOString().slice(0, 19) + "+00:00";
    this.note = "";
    this.resigned = null; // the seat that gave up
    this.plies = []; // {text, by, step}
    this.positions = [game.begin()];
    this.searches = new Map(); // seat -> who thinks for it; what it remembers, such as a tree, is used again
    this.version = 0; // counts changes, so that another tab sees them
  }

  static async begin(game, seats, seed) {
    const table = new Table(game, seats, seed);
    await table.#extend(table.position.settle(new Random(seed)));
    return table;
  }

  /** The game that a kept record tells. Steps that are not legal are refused: the rules may have changed since. */
  static of(record, game) {
    const table = new Table(game, record.seats, record.seed);
    Object.assign(table, { id: record.id, started: record.started, note: record.note, resigned: record.resigned, era: record.era, version: record.version });
    for (const ply of record.plies) {
      table.positions.push(table.position.after(ply.step));
      table.plies.push(ply);
    }
    return table;
  }

  get record() {
    return {
      id: this.id, game: this.game.name, digest: this.game.told.digest, seats: this.seats, seed: this.seed, started: this.started,
      note: this.note, resigned: this.resigned, plies: this.plies, era: this.era, version: this.version, status: this.status,
      scores: this.position.facts.scores, results: this.results,
    };
  }

  get position() { return this.positions.at(-1); }
  get status() { return this.resigned !== null ? "forfeit" : this.position.isOver ? "finished" : "unfinished"; }
  get isOver() { return this.status !== "unfinished"; }
  get results() { return this.resigned !== null ? null : this.position.facts.results; }

  at(ply) {
    const found = this.positions[ply];
    if (!found) throw new Refused(`this game has ${this.plies.length} plies; there is no position after ${ply}`, 404);
    return found;
  }

  expectPly(ply) {
    if (ply !== this.plies.length) throw new Refused(`the game has gone on: ${this.plies.length} plies, not ${ply}`, 409);
  }

  expect(ply) {
    if (this.isOver) throw new Refused("the game is over", 409);
    this.expectPly(ply);
  }

  /** One step as it was, a move or a draw, and nothing after it. */
  async take(step) { await this.#extend(this.position.after(step)); }

  async play(step) {
    await this.#extend(this.position.after(step));
    await this.settle();
  }

  async settle() {
    await this.#extend(this.position.settle(new Random(new Random(this.seed).bits() + BigInt(this.plies.length))));
    this.version += 1;
  }

  /** To the last decision that a person took. */
  takeBack() {
    let back = this.plies.length - 1;
    while (back >= 0 && !(this.plies[back].by >= 0 && this.seats[this.plies[back].by] === HUMAN)) back -= 1;
    if (back < 0) throw new Refused("there is no move of yours to take back", 409);
    this.plies.length = back;
    this.positions.length = back + 1;
    this.resigned = null;
    this.era = randomName(4);
    this.mark("undo");
    this.version += 1;
  }

  resign() {
    const { player } = this.position;
    const people = this.seats.flatMap((seat, i) => (seat === HUMAN ? [i] : []));
    if (!people.length) throw new Refused("nobody who could resign plays here", 409);
    this.resigned = this.seats[player] === HUMAN ? player : people.at(-1);
    this.note = [`player ${this.resigned + 1} resigned`, this.note].filter(Boolean).join("; ");
    this.version += 1;
  }

  /** Note that somebody had help; whether that is news. */
  mark(help) {
    if (!this.seats.includes(HUMAN) || this.isOver || this.note.includes(help)) return false;
    this.note = this.note.includes("assisted") ? `${this.note}, ${help}` : [this.note, `assisted: ${help}`].filter(Boolean).join("; ");
    this.version += 1;
    return true;
  }

  /** A game that goes on from a position of this one. */
  async branch(ply, seats) {
    this.at(ply);
    const made = new Table(this.game, seats, this.seed);
    made.plies = this.plies.slice(0, ply);
    made.positions = this.positions.slice(0, ply + 1);
    await made.settle();
    return made;
  }

  async #extend(to) {
    const steps = [];
    for (let here = to; here !== this.position; here = here.previous) steps.unshift(here);
    for (const after of steps) {
      const before = after.previous;
      this.plies.push({ text: (before.isChance ? DRAW : "") + await before.text(after.step), by: before.player, step: after.step });
      this.positions.push(after);
    }
  }
}
