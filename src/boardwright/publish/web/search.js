// Drives the search of a module, as search/search.py does natively: budgets in simulations, seconds and megabytes, reuse of
// the tree, Gumbel's halving, and the choice. Same seed, same visits.

import { CHANCE } from "./program.js";
import { rest, SLICE } from "./slices.js";

const FIRST_SLOTS = 8192;
const MOST_STEPS_BACK = 400;
const FOR_EVER = 2 ** 40;
const ASKED = 1; // of a plan's threats: the game tells wins by force; 2: the search tries moves, and there is nobody to ask
const PRUNED_A_SECOND = 1e9; // bytes of a tree

/** The engine's random numbers: splitmix64, as contract/random.py. */
const MASK = (1n << 64n) - 1n;

export class Random {
  constructor(seed) { this.state = BigInt(seed) & MASK; }

  bits() {
    this.state = (this.state + 0x9E3779B97F4A7C15n) & MASK;
    let mixed = this.state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xBF58476D1CE4E5B9n) & MASK;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94D049BB133111EBn) & MASK;
    return mixed ^ (mixed >> 31n);
  }

  below(count) { return Number(((this.bits() >> 32n) * BigInt(count)) >> 32n); }
  unit() { return Number(this.bits() >> 11n) * 2 ** -53; }

  pick(weights) {
    const total = weights.reduce((a, b) => a + b, 0);
    if (total <= 0) return this.below(weights.length);
    let point = this.unit() * total, last = 0;
    for (let i = 0; i < weights.length; i++) {
      if (weights[i] <= 0) continue;
      last = i;
      point -= weights[i];
      if (point < 0) break;
    }
    return last;
  }
}

/** In how many rounds sequential halving comes down from so many moves to two. */
export const halvingRounds = (considered) => Math.max(1, Math.ceil(Math.log2(considered)));

/** order[t]: how many visits the child that simulation t chooses must have: see search/gumbel.py. */
export function halvingOrder(considered, simulations) {
  const most = Math.max(simulations, 1);
  if (considered <= 1) return Int32Array.from({ length: most }, (_, i) => i);
  const rounds = halvingRounds(considered);
  const order = new Int32Array(most), visits = new Int32Array(considered);
  let left = considered, length = 0;
  while (length < simulations) {
    const each = Math.max(1, Math.floor(simulations / (rounds * left)));
    for (let k = 0; k < each && length < most; k++) {
      for (let i = 0; i < left && length < most; i++) order[length++] = visits[i];
      for (let i = 0; i < left; i++) visits[i] += 1;
    }
    left = Math.max(2, Math.floor(left / 2));
  }
  return order;
}

export const sameState = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** One growing tree. A position is {state, player, previous, step}. `settings`: see publish/strengths.py. */
export class Search {
  constructor(program, settings) {
    this.program = program;
    this.settings = settings;
    this.rate = 0; // simulations a millisecond
    this.forget();
  }

  forget() {
    this.rng = new Random(this.settings.seed);
    this.root = null;
    if (this.program.owner === this) this.program.owner = null;
  }

  /** Search until the budget is used up, the root is proven, or `stopped()`; why it ended. `report` hears between slices. */
  async grow(position, stopped = () => false, report = () => {}) {
    const { settings } = this;
    if (settings.select === "gumbel" && !settings.simulations && settings.seconds && !this.rate) await this.#tryPace(position);
    this.#plant(position);
    const began = performance.now();
    const limit = this.#schedule(settings.simulations || (settings.seconds ? FOR_EVER : 1000));
    const stop = { simulations: 0, full: false, proven: false, cancelled: false, seconds: 0 };
    let size = Math.max(1, Math.floor(Math.min(32, this.rate * SLICE)));
    while (stop.simulations < limit) {
      const due = Math.min(size, limit - stop.simulations), before = performance.now();
      const done = this.#simulate(due), spent = performance.now() - before;
      stop.simulations += done;
      if (done && spent > 0) this.rate = done / spent;
      if (done === due) size = Math.max(1, Math.floor(Math.min(size * 4, size * SLICE / Math.max(spent, 1e-3))));
      else if (this.program.ofStats("full")) {
        if (!this.#makeRoom() && !this.#prune((performance.now() - began) / 1000)) { stop.full = true; break; }
      } else { stop.proven = true; break; }
      stop.seconds = (performance.now() - began) / 1000;
      if (settings.seconds && stop.seconds >= settings.seconds) break;
      report(stop);
      await rest();
      if (stopped()) { stop.cancelled = true; break; }
    }
    stop.seconds = (performance.now() - began) / 1000;
    return stop;
  }

  /** What the tree has found by now: the move, its value, all visits, and the best line. */
  choice(position, stop) {
    const { program } = this, moves = new Map();
    const actor = position.player;
    for (const child of this.children(0)) {
      const visits = program.ofSlot(child, "visits"), value = program.ofSlot(child, "value")[actor], proven = program.ofSlot(child, "proven");
      moves.set(program.ofSlot(child, "move"), {
        slot: child, visits, prior: program.ofSlot(child, "prior"), value: visits ? (proven ? value : value / visits) : null,
      });
    }
    const best = program.ofSlot(program.call("choose"), "move");
    const visits = program.ofSlot(0, "visits"), value = program.ofSlot(0, "value");
    const note = [stop.proven && "proven", stop.full && `stopped at ${this.settings.megabytes} megabytes`, stop.cancelled && "stopped on demand"];
    return {
      move: best, moves, note: note.filter(Boolean).join(", "), simulations: stop.simulations, seconds: stop.seconds,
      value: program.ofSlot(0, "proven") ? value : value.map((one) => one / Math.max(visits, 1)),
    };
  }

  children(slot) {
    const first = this.program.ofSlot(slot, "first"), count = this.program.ofSlot(slot, "count");
    return Array.from({ length: count }, (_, i) => first + i);
  }

  /** A move of the root and what the tree thinks comes after it: see best_line in search/common_choice.py. */
  line(move, most = 12) {
    const { program } = this, { run, unseen } = program.plan.actors, line = [];
    let slot = 0;
    while (program.ofSlot(slot, "first") && line.length < most && ![run, unseen].includes(program.ofSlot(slot, "actor"))) {
      const children = this.children(slot), drawn = program.ofSlot(slot, "actor") === CHANCE;
      const of = (name) => (child) => program.ofSlot(child, name), visits = of("visits");
      if (!line.length) slot = children.find((child) => of("move")(child) === move);
      else {
        slot = children.reduce((best, child) => (visits(child) > visits(best) ? child : best));
        if (drawn) { // of draws that are equally likely, another every time
          const highest = Math.max(...children.map(of("prior")));
          const likely = children.filter((child) => of("prior")(child) >= 0.999 * highest && visits(child) >= 2);
          if (likely.length) slot = likely[5 * line.length % likely.length];
        }
        if (visits(slot) < 2) break;
      }
      line.push(program.ofSlot(slot, "move"));
    }
    return line;
  }

  // The parts of grow

  /** Set the root: the part of the old tree that the game went into, or a new one. */
  #plant(position) {
    const { program, settings } = this;
    if (program.owner !== this) { // another search has had the memory
      this.root = null;
      program.bytes.fill(0, program.at.met, program.at.met + program.plan.arrays.met);
      program.bytes.fill(0, program.at.salt, program.at.salt + 8);
      program.owner = this;
    }
    program.set("met_count", settings.merge ? program.plan.remembered : 0);
    for (const [name, number] of Object.entries(settings.plan)) program.set(`plan_${name}`, number);
    const gumbel = settings.select === "gumbel";
    let kept = settings.reuse && !gumbel ? this.#slotOf(position) : 0;
    if (kept > 0 && (this.#isForeseen(kept) || this.#isInsideTurn(position))) kept = -1;
    if (kept > 0) program.keepBelow(kept);
    else if (kept < 0 || !this.root || !sameState(this.root.state, position.state) || gumbel || !settings.reuse) program.newTree(this.#firstSlots());
    this.root = position;
    const { view } = program;
    view.setBigInt64(program.at.salt, view.getBigInt64(program.at.salt, true) + 1n, true);
    program.put(position.state);
    if (kept > 0 && settings.plan.threats === ASKED && !program.ofSlot(0, "proven") && program.call("forced", program.plan.tries)) program.newTree(this.#firstSlots());
  }

  #isInsideTurn(position) { return this.settings.merge && position.previous && position.previous.player === position.player; }
  #isForeseen(slot) { return this.program.ofSlot(slot, "proven") && !this.program.ofSlot(slot, "first"); }

  get #mostSlots() { return Math.floor((this.settings.megabytes * 1e6) / this.program.slotBytes); }

  #firstSlots() {
    const { simulations } = this.settings, { actions, outcomes } = this.program.plan;
    let wanted = Math.max(FIRST_SLOTS, Math.min(2 * simulations, 2 ** 20));
    if (simulations && !outcomes) wanted = Math.min(wanted, (simulations + 1) * actions + 1);
    return Math.min(wanted, Math.max(1024, this.#mostSlots));
  }

  /** The slot that stands for a position; 0 for the root itself, -1 if there is none. */
  #slotOf(position) {
    if (!this.root) return -1;
    const { program } = this, steps = [];
    let here = position;
    for (let back = 0; ; back++) {
      if (back >= MOST_STEPS_BACK || !here) return -1;
      if (sameState(here.state, this.root.state)) break;
      if (here.step === undefined || here.step === null) return -1;
      steps.push(here.step);
      here = here.previous;
    }
    let slot = 0;
    for (const step of steps.reverse()) {
      if (program.ofSlot(slot, "actor") === program.plan.actors.run) return -1;
      slot = this.children(slot).find((child) => program.ofSlot(child, "move") === step) ?? -1;
      if (slot < 0 || !program.ofSlot(slot, "visits")) return -1;
    }
    return slot;
  }

  /** Gumbel's noise and order of visits; how many simulations to do. */
  #schedule(limit) {
    const { program, settings } = this;
    program.set("gumbel_count", 1);
    program.setOrder(Int32Array.of(0));
    program.view.setFloat64(program.at.gumbel, 0, true);
    if (settings.select !== "gumbel") return limit;
    program.setOrder(Int32Array.of(-1));
    this.#simulate(1);
    while (program.ofStats("full")) {
      program.growTree(2 * program.slots);
      this.#simulate(1);
    }
    program.view.setFloat32(program.slot(0) + program.plan.records.slot.fields.raw.at, NaN, true);
    const count = this.children(0).length, considered = Math.min(settings.considered, count);
    program.set("gumbel_count", count);
    this.#withNumbers(() => program.call("noise", considered));
    if (!settings.simulations && settings.seconds) limit = Math.max(considered, Math.floor(this.rate * 1000 * settings.seconds * 0.97));
    const order = halvingOrder(considered, limit);
    program.setOrder(order);
    return order.length;
  }

  /** How fast the search is here, by a try that is thrown away: Gumbel's halving must know its budget. */
  async #tryPace(position) {
    const trial = new Search(this.program, { ...this.settings, seconds: 0, simulations: this.settings.considered });
    await trial.grow(position);
    await trial.grow(position);
    this.rate = trial.rate;
  }

  #simulate(simulations) {
    return this.#withNumbers(() => this.program.call("grow", simulations));
  }

  /** The random numbers are this search's own; the memory is all searches'. */
  #withNumbers(work) {
    const { program } = this;
    program.view.setBigUint64(program.at.rng, this.rng.state, true);
    program.put(this.root.state);
    const done = work();
    this.rng.state = program.view.getBigUint64(program.at.rng, true);
    return done;
  }

  /** As search.py does where there is no more room; false if that would take more time than is left, or free nothing. */
  #prune(spent) {
    const { program, settings } = this;
    const takes = program.slots * program.slotBytes / PRUNED_A_SECOND;
    if (settings.seconds && spent + 2 * takes > settings.seconds) return false;
    if (!program.shrink()) return false;
    const { view } = program;
    view.setBigInt64(program.at.salt, view.getBigInt64(program.at.salt, true) + 1n, true); // slots have other numbers now
    return true;
  }

  #makeRoom() {
    const slots = Math.min(2 * this.program.slots, this.#mostSlots);
    if (slots <= this.program.slots) return false;
    try { this.program.growTree(slots); } catch (error) {
      if (error instanceof RangeError) return false; // the device has no more
      throw error;
    }
    return true;
  }
}
