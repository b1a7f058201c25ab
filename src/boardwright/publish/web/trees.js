// One search that grows several trees side by side, in a worker each, as a native one does in threads: each tree has its own
// random numbers and its share of the budget, and in the end their visits are added up (players/mcts.py, choice_of in search/common_choice.py).
/* oxlint-disable unicorn/require-post-message-target-origin -- messages to and from a worker have none */

import { Search, sameState } from "./search.js";

const MOST_TREES = 4; // for who thinks by the clock
const MOST_STEPS_BACK = 400;

/** How many trees a player grows: as many as its settings say; by the clock, as many as the device has cores to spare for. */
export function treesOf({ threads, simulations, seconds, select }) {
  if (threads > 1 || simulations || !seconds || !["ucb1", "puct"].includes(select) || !globalThis.Worker) return threads;
  return Math.max(1, Math.min(MOST_TREES, (navigator.hardwareConcurrency || 1) - 1));
}

/** Another worker with the same module. */
class Side {
  constructor({ compiled, plan, sentences, title, learned }) {
    this.worker = new Worker(new URL("./tree_worker.js", import.meta.url), { type: "module" });
    this.simulations = 0;
    this.answer = null; // what waits for the worker
    this.worker.onmessage = ({ data }) => {
      if (data.simulations) { this.simulations = data.simulations; return; }
      if (data.error) this.answer.reject(new Error(data.error)); else this.answer.resolve(data.done);
    };
    this.worker.onerror = (event) => { this.answer?.reject(new Error(event.message || "a worker did not start")); };
    this.ready = this.ask({ load: [compiled, plan, sentences, title, learned] });
  }

  ask(question) {
    this.simulations = 0;
    return new Promise((resolve, reject) => { this.answer = { resolve, reject }; this.worker.postMessage(question); });
  }

  stop() { this.worker.postMessage({ stop: true }); }
}

let count = 0;

/** Several trees. It is asked as a Search is; `settings` are those of the first tree, others count on from its seed. */
export class Trees {
  constructor(program, settings, trees) {
    this.id = ++count;
    this.program = program;
    this.settings = settings;
    this.lead = new Search(program, settings);
    program.sides ||= []; // shared by all who search in this game, who take turns
    while (program.sides.length < trees - 1) program.sides.push(new Side(program));
    this.sides = program.sides.slice(0, trees - 1);
  }

  async grow(position, stopped = () => false, report = () => {}) {
    const line = this.#lineTo(position), began = performance.now();
    const ready = await Promise.allSettled(this.sides.map((side) => side.ready));
    this.sides = this.sides.filter((_, i) => ready[i].status === "fulfilled"); // a device may start no more workers
    const working = this.sides.map((side, i) => side.ask({ grow: { id: this.id, line, settings: { ...this.settings, seed: this.settings.seed + i + 1 } } }));
    const own = await this.lead.grow(position, stopped, (now) => report({ ...now, simulations: this.sides.reduce((sum, side) => sum + side.simulations, now.simulations) }));
    const choice = this.lead.choice(position, own);
    const done = Promise.allSettled(working), moment = () => new Promise((resolve) => { setTimeout(resolve, 10, null); });
    while (!own.cancelled && !await Promise.race([done, moment()])) own.cancelled = stopped(); // they may need a little longer
    if (own.cancelled) for (const side of this.sides) side.stop();
    const answers = await done, failed = answers.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
    this.found = [{ stop: own, choice }, ...answers.map((one) => one.value)];
    const stops = this.found.map(({ stop }) => stop), any = (name) => stops.some((stop) => stop[name]);
    return {
      simulations: stops.reduce((sum, stop) => sum + stop.simulations, 0), seconds: (performance.now() - began) / 1000,
      full: any("full"), proven: any("proven"), cancelled: any("cancelled"),
    };
  }

  /** What all trees have found together: the move, and the visits of each. */
  choice(position, stop) {
    const { select } = this.settings, lead = this.found.find((one) => one.stop.proven) || this.found[0], moves = new Map();
    for (const move of this.program.see(position.state).choices) {
      const each = this.found.map(({ choice }) => choice.moves.get(move)).filter(Boolean);
      const visits = each.reduce((sum, one) => sum + one.visits, 0), total = each.reduce((sum, one) => sum + (one.value ?? 0) * one.visits, 0);
      moves.set(move, { visits, total, value: visits ? total / visits : null });
    }
    const more = (a, b) => (b[1].visits - a[1].visits || b[1].total - a[1].total) > 0;
    const together = !stop.proven && ["ucb1", "puct"].includes(select);
    const move = together ? [...moves].reduce((best, one) => (more(best, one) ? one : best))[0] : lead.choice.move;
    return { move, moves, simulations: stop.simulations, seconds: stop.seconds };
  }

  /** The positions from the root of the last trees to this one, or the last two: what it takes to go on with those trees. */
  #lineTo(position) {
    const { root } = this.lead, line = [];
    const told = (here) => ({ state: here.state, step: here.step, player: line.length < 2 ? here.player : null });
    for (let here = position; here && line.length < MOST_STEPS_BACK; here = here.previous) {
      line.unshift(told(here));
      if (root && sameState(here.state, root.state)) return line.length > 1 || !here.previous ? line : [told(here.previous), ...line];
    }
    return line.slice(-2);
  }
}
