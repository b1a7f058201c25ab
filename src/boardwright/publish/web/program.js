// A game's module with its rules and the tree search: memory laid out, rules called, the tree kept. `plan` is what
// publish/program.py tells of it.

import { instantiate, Module } from "./module.js";

export const CHANCE = -1, OVER = -2;

export class Program extends Module {
  static async make(code, plan, sentences, title, learned = null) {
    return new Program(await instantiate(code), plan, sentences, title, learned);
  }

  constructor(made, plan, sentences, title, learned) {
    super(made, plan, sentences, title, learned);
    for (const [name, bytes] of Object.entries(plan.arrays)) this.place(name, this.room(bytes));
    this.place("gumbel", this.room(8 * Math.max(plan.actions, plan.outcomes, 1)));
    this.place("stats", this.room(plan.records.stats.bytes));
    this.place("target_stats", this.room(plan.records.stats.bytes));
    this.orderRoom = 1024;
    this.place("order", this.room(4 * this.orderRoom));
    this.tree = this.room(0);
    this.place("slots", this.tree);
    this.set("gumbel_count", 1);
    this.set("order_count", 1);
  }

  /** Call an entry with its argument. */
  call(name, number = 0) {
    this.set("number", number);
    return super.call(name);
  }

  read(record, name, address) { return this.readField(this.plan.records[record].fields[name], address); }

  // Rules. A state is its bytes.

  get stateBytes() { return this.plan.records.state.bytes; }

  put(state) { this.bytes.set(state, this.at.states); }
  take() { return this.bytes.slice(this.at.states, this.at.states + this.stateBytes); }

  begin() {
    this.bytes.fill(0, this.at.states, this.at.states + this.stateBytes);
    this.call("start");
    return this.take();
  }

  after(state, step, byChance) {
    this.put(state);
    this.call(byChance ? "draw" : "play", step);
    return this.take();
  }

  /** All that can be asked of a state: who acts, moves or outcomes with their weights, points, results. */
  see(state) {
    this.put(state);
    const player = this.call("see"), count = player === OVER ? 0 : this.get("count");
    if (player !== OVER && count < 1) throw new Error(`${this.title}: no ${player === CHANCE ? "outcome" : "move"} at a position that is not over`);
    const floats = (name, n) => Array.from(new Float64Array(this.memory.buffer, this.at[name], n));
    return {
      player,
      choices: Array.from(new Int32Array(this.memory.buffer, this.at.choices, count)),
      weights: player === CHANCE ? floats("weights", count) : [],
      scores: floats("scores", this.plan.players),
      results: player === OVER ? floats("results", this.plan.players) : null,
    };
  }

  /** The least key of a state and its images: states that are alike by the game's symmetries share it. */
  key(state) {
    let least = Infinity;
    for (let image = 0; image < this.plan.images; image++) {
      this.put(state);
      this.bytes.fill(0, this.at.states + this.stateBytes, this.at.states + 2 * this.stateBytes);
      least = Math.min(least, this.call("image", image));
    }
    return least;
  }

  /** How much policy number `which` (1 the first) likes each move of a state. */
  weigh(state, which) {
    const { choices } = this.see(state);
    this.set("count", choices.length);
    this.call("weigh", which);
    return Array.from(new Float64Array(this.memory.buffer, this.at.weights, choices.length));
  }

  /** A state's fields as plain numbers and arrays. */
  fields(state) {
    this.put(state);
    return Object.fromEntries(Object.keys(this.plan.records.state.fields).map((name) => [name, this.read("state", name, this.at.states)]));
  }

  // The tree, which lies behind everything else so that it can grow.

  get slotBytes() { return this.plan.records.slot.bytes; }

  slot(index) { return this.at.slots + index * this.slotBytes; }
  ofSlot(index, name) { return this.read("slot", name, this.slot(index)); }
  ofStats(name) { return this.read("stats", name, this.at.stats); }

  newTree(slots) {
    this.reach(this.tree + slots * this.slotBytes);
    this.bytes.fill(0, this.tree, this.tree + slots * this.slotBytes);
    this.bytes.fill(0, this.at.stats, this.at.stats + this.plan.records.stats.bytes);
    this.view.setInt8(this.tree + this.plan.records.slot.fields.actor.at, this.plan.actors.unseen);
    this.view.setBigInt64(this.at.stats + this.plan.records.stats.fields.used.at, 1n, true);
    this.slots = slots;
    this.set("slot_count", slots);
  }

  /** Room for so many slots; what is there stays. */
  growTree(slots) {
    const from = this.tree + this.slots * this.slotBytes, to = this.tree + slots * this.slotBytes;
    this.reach(to);
    this.bytes.fill(0, from, to);
    this.slots = slots;
    this.set("slot_count", slots);
  }

  /** Keep of the tree what is below a slot, which becomes the root. */
  keepBelow(slot) {
    const aligned = (address) => Math.ceil(address / 64) * 64;
    const end = this.tree + this.slots * this.slotBytes;
    const target = aligned(end), queue = aligned(target + this.slots * this.slotBytes);
    this.reach(queue + 4 * this.slots);
    const { bytes } = this, size = this.plan.records.stats.bytes;
    bytes.fill(0, target, queue + 4 * this.slots);
    bytes.copyWithin(this.at.target_stats, this.at.stats, this.at.stats + size);
    this.set("target", target);
    this.set("target_count", this.slots);
    this.set("queue", queue);
    this.call("keep", slot);
    this.bytes.copyWithin(this.tree, target, target + this.slots * this.slotBytes);
    this.bytes.copyWithin(this.at.stats, this.at.target_stats, this.at.target_stats + size);
  }

  /** Drop what was rarely visited, until half of the tree is free; whether that freed enough. */
  shrink() {
    const aligned = (address) => Math.ceil(address / 64) * 64;
    const counts = aligned(this.tree + this.slots * this.slotBytes), places = counts + 1024;
    this.reach(places + 4 * this.slots);
    this.bytes.fill(0, counts, places + 4 * this.slots);
    this.set("target", counts);
    this.set("queue", places);
    return Boolean(this.call("shrink"));
  }

  /** Gumbel's order of visits lies before the tree, which moves up if there are more than ever before. */
  setOrder(order) {
    if (order.length > this.orderRoom) {
      const room = 2 * order.length, by = Math.ceil(4 * (room - this.orderRoom) / 64) * 64, size = (this.slots || 0) * this.slotBytes;
      this.reach(this.tree + by + size);
      this.bytes.copyWithin(this.tree + by, this.tree, this.tree + size);
      this.orderRoom = room;
      this.tree += by;
      this.place("slots", this.tree);
    }
    new Int32Array(this.memory.buffer, this.at.order, order.length).set(order);
    this.set("order_count", order.length);
  }
}
