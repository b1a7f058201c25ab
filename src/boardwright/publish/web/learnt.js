// Players that have learnt something, driven as their native twins are: learn/values/player.py, learn/kernel/player.py,
// learn/tuples/player.py and board_player.py. `how` is what publish/learnt.py tells of a player; one is told to stop by
// `stopped()`, and then chooses nothing.

import { Random, halvingRounds } from "./search.js";
import { instantiate, Module } from "./module.js";
import { Pace, rest, SLICE } from "./slices.js";

const VIEWS = { i4: Int32Array, i8: BigInt64Array, u8: BigUint64Array, f4: Float32Array, f8: Float64Array };

/** The numbers of a file: see publish/numbers.py. */
export function readNumbers({ count, packed, precision, last }, buffer) {
  const learned = new Float32Array(count), from = packed ? Math.ceil(count / 8) : 0, bits = new Uint8Array(buffer, 0, from);
  const size = precision === "float16" ? 2 : 4, view = new DataView(buffer, from);
  const read = size === 2 ? (i) => half(view.getUint16(2 * i, true)) : (i) => view.getFloat32(4 * i, true);
  let next = 0;
  for (let i = 0; i < count - 1; i++) if (!packed || bits[i >> 3] & (128 >> (i & 7))) learned[i] = read(next++);
  learned[count - 1] = last;
  if (from + size * next !== buffer.byteLength) throw new Error("what was learnt is not whole on this site");
  return learned;
}

/** A number of half precision from its bits. */
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1, power = (bits >> 10) & 31, digits = bits & 1023;
  return sign * (power ? 2 ** (power - 15) * (1 + digits / 1024) : 2 ** -14 * digits / 1024);
}

/** The module of a player's kernels: arrays and numbers by the names that they have in Python. */
export class Kernels extends Module {
  static async make(code, plan, sentences, title, learned) {
    return new Kernels(await instantiate(code), plan, sentences, title, learned);
  }

  constructor(made, plan, sentences, title, learned) {
    super(made, plan, sentences, title, learned);
    for (const [name, { row, rows, same }] of Object.entries(plan.arrays)) {
      if (name === "learned") continue;
      this.place(name, same ? this.at[same] : this.room(row * rows));
      this.set(`${name}_count`, rows);
    }
    for (const [name, number] of Object.entries(plan.numbers)) this.set(name, number);
  }

  /** An array of numbers, flat; valid until the memory grows. */
  array(name) {
    const { row, rows, kind } = this.plan.arrays[name], View = VIEWS[kind];
    return new View(this.memory.buffer, this.at[name], row * rows / View.BYTES_PER_ELEMENT);
  }

  /** Hand over only so many rows. */
  rows(name, count) { this.set(`${name}_count`, count); }

  putState(name, state, row = 0) { this.bytes.set(state, this.at[name] + row * this.plan.arrays[name].row); }
  clear(name) { const { row, rows } = this.plan.arrays[name]; this.bytes.fill(0, this.at[name], this.at[name] + row * rows); }
  field(name, field) { return this.readField(this.plan.arrays[name].fields[field], this.at[name]); }

  setField(name, field, number) {
    const { at, kind } = this.plan.arrays[name].fields[field], { view } = this, place = this.at[name] + at;
    if (kind === "i4") view.setInt32(place, number, true);
    else if (kind === "u8") view.setBigUint64(place, number, true);
    else view.setBigInt64(place, BigInt(number), true);
  }
}

/** The places of the best numbers, best first, the first of equals before the others. */
const bestFirst = (numbers) => Array.from(numbers, (_, i) => i).sort((a, b) => numbers[b] - numbers[a]);

/** The place of the largest number, the first of equals. */
const largest = (numbers) => numbers.reduce((best, number, i) => (number > numbers[best] ? i : best), 0);

class Learnt {
  constructor(program, kernels, how) { Object.assign(this, { program, kernels, how }); }

  /** Whether the memory is as this player left it. */
  takeMemory() {
    const kept = this.kernels.owner === this;
    this.kernels.owner = this;
    return kept;
  }
}

/** Alone for points, by the value of afterstates; one ply further; with rollouts: ValuesPlayer. */
export class ValuesPlayer extends Learnt {
  constructor(program, kernels, how) {
    super(program, kernels, how);
    this.random = new Random(how.seed);
  }

  async choose(position, stopped, report) {
    const { kernels, how } = this, began = performance.now();
    this.takeMemory();
    this.#consider(false);
    kernels.putState("states", position.state);
    const count = kernels.call("value");
    let moves = Array.from(kernels.array("choosing_moves").subarray(0, count)), values = Array.from(kernels.array("choosing_values").subarray(0, count));
    const rolls = how.seconds > 0 || how.simulations > 0;
    if ((how.plies > 1 || rolls) && count > 1) {
      moves = bestFirst(values).slice(0, how.closely).map((i) => moves[i]);
      let roots = moves.map((move) => this.program.after(position.state, move, false));
      values = await this.#answer(roots, stopped);
      if (!values) return null;
      if (rolls) {
        const kept = bestFirst(values).slice(0, how.finalists);
        moves = kept.map((i) => moves[i]);
        roots = kept.map((i) => roots[i]);
        const found = await this.#roll(roots, kept.map((i) => values[i]), began, stopped, report);
        if (!found) return null;
        const most = Math.max(...found.visits);
        values = found.means.map((mean, i) => (found.visits[i] === most ? mean : -Infinity));
      }
    }
    return moves[largest(values)];
  }

  /** Whether only moves that the game's first policy likes best are valued. */
  #consider(some) {
    const { kernels } = this, { choosing_policy: policy, choosing_consider: consider } = kernels.plan.numbers;
    kernels.set("choosing_policy", some ? policy : 0);
    kernels.set("choosing_consider", some ? consider : 0);
  }

  /** What each afterstate is worth, one ply further; null if told to stop. */
  async #answer(roots, stopped) {
    const { kernels } = this, closer = [];
    this.#consider(true);
    kernels.rows("roots", 1);
    kernels.rows("closer", 1);
    let before = performance.now();
    for (const root of roots) {
      kernels.putState("roots", root);
      kernels.call("answer");
      closer.push(kernels.array("closer")[0]);
      if (performance.now() - before < SLICE) continue;
      await rest();
      if (stopped()) return null;
      before = performance.now();
    }
    return closer;
  }

  /** Sequential halving over rollouts: visits of each afterstate, and the mean of its rollouts and of what was `seen` of
   *  it two plies deep, which counts as `weight` of them; null if told to stop. */
  async #roll(roots, seen, began, stopped, report) {
    const { kernels, how } = this, visits = roots.map(() => 0), rounds = halvingRounds(roots.length);
    kernels.rows("roots", roots.length);
    kernels.rows("rollouts_roots", roots.length);
    kernels.rows("rollouts_sums", roots.length);
    roots.forEach((root, i) => kernels.putState("roots", root, i));
    kernels.clear("rollouts_sums");
    const weight = Math.max(how.weight, 1e-9), pace = new Pace(1, how.most_slice);
    const means = () => seen.map((value, i) => (kernels.array("rollouts_sums")[i] + weight * value) / (visits[i] + weight));
    let alive = roots.map((_, i) => i);
    const sweep = async (size) => {
      kernels.array("alive").set(alive.map(BigInt));
      kernels.rows("alive", alive.length);
      kernels.set("sweeps", size);
      kernels.array("rollouts_rng")[0] = this.random.state;
      const before = performance.now();
      kernels.call("roll");
      pace.took(performance.now() - before, size);
      this.random.state = kernels.array("rollouts_rng")[0];
      for (const i of alive) visits[i] += size;
      const done = visits.reduce((a, b) => a + b, 0), seconds = (performance.now() - began) / 1000;
      report({ simulations: done, seconds, share: Math.min(1, how.seconds ? seconds / how.seconds : done / how.simulations) });
      await rest();
      return !stopped();
    };
    for (let round = 0; round < rounds; round++) {
      if (how.simulations) {
        for (let due = Math.max(1, Math.floor(how.simulations / (rounds * alive.length))); due > 0;) {
          const size = Math.min(pace.size, due);
          due -= size;
          if (!await sweep(size)) return null;
        }
      } else {
        const until = began + 1000 * how.seconds * (round + 1) / rounds;
        for (let size = 1; ;) {
          const before = performance.now();
          if (!await sweep(size)) return null;
          const now = performance.now(), each = Math.max((now - before) / size, 1e-3);
          size = Math.floor(Math.max(1, Math.min(SLICE / each, size * 4, (until - now) / each)));
          if (now + each > until) break;
        }
      }
      if (alive.length > 2) {
        const found = means(), order = bestFirst(alive.map((i) => found[i]));
        alive = order.slice(0, Math.floor((alive.length + 1) / 2)).map((k) => alive[k]).sort((a, b) => a - b);
      }
    }
    return { means: means(), visits };
  }
}

/** Whole turns, by the value of where they end; two plies deep: ValuePlayer. */
export class TurnsPlayer extends Learnt {
  async choose(position, stopped) {
    const { kernels, how } = this;
    this.takeMemory();
    kernels.putState("states", position.state);
    kernels.call("turn");
    const lengths = Array.from(kernels.array("room_lengths"), Number), kept = lengths.at(-1), width = kernels.plan.arrays.room_lines.row / 4;
    const all = Array.from(kernels.array("room_lines"));
    const lines = Array.from({ length: kept }, (_, k) => all.slice(k * width, k * width + lengths[k]));
    let values = Array.from(kernels.array("room_top").subarray(0, kept));
    if (how.plies > 1) {
      values = [];
      for (const line of lines) {
        values.push(this.#further(position, line));
        await rest();
        if (stopped()) return null;
      }
    }
    return lines[largest(values)][0];
  }

  /** What who is to move can expect after a turn, one turn further. */
  #further(position, line) {
    const { kernels, program } = this;
    kernels.putState("drawn", line.reduce((state, move) => program.after(state, move, false), position.state));
    kernels.call("answer");
    return kernels.array("draws_total")[position.player];
  }
}

/** So many moves ahead, by tables, in any grid game: GridPlayer and Expectimax. */
export class GridPlayer extends Learnt {
  constructor(program, kernels, how) {
    super(program, kernels, how);
    this.pace = new Pace(how.first_slice, how.most_slice);
  }

  async choose(position, stopped) {
    const { kernels, how, pace } = this;
    if (!this.takeMemory()) kernels.clear("table");
    kernels.putState("stack_states", position.state);
    kernels.clear("progress");
    kernels.setField("stack_frames", "left", how.depth);
    for (;;) {
      const nodes = kernels.field("progress", "nodes"), size = Math.min(pace.size, how.nodes - nodes), before = performance.now();
      if (size <= 0) throw new Error(`${this.kernels.title}: ${how.depth} moves ahead are more than ${how.nodes} positions here`);
      kernels.set("nodes", size);
      if (kernels.call("look")) break;
      pace.took(performance.now() - before, size);
      await rest();
      if (stopped()) return null;
    }
    if (kernels.field("progress", "trouble")) throw new Error(`${this.kernels.title}: ${how.depth} moves ahead are too many draws in a row here`);
    const count = kernels.field("stack_frames", "count"), { players } = kernels.plan;
    const moves = kernels.array("stack_choices").subarray(0, count), values = kernels.array("stack_root_values");
    return moves[largest(Array.from(moves, (_, i) => values[i * players + position.player]))];
  }
}

/** So many slides ahead, or as many as there is time for, on boards that are one number: BoardPlayer. */
export class BoardPlayer extends Learnt {
  constructor(program, kernels, how) {
    super(program, kernels, how);
    this.pace = new Pace(how.first_slice, how.most_slice);
  }

  async choose(position, stopped, report) {
    const { kernels, how } = this, until = performance.now() + (how.seconds ? 1000 * how.seconds : Infinity);
    if (!this.takeMemory()) kernels.clear("lookahead_memory");
    kernels.array("tiles").set(this.program.fields(position.state).cells.map(BigInt));
    const moving = kernels.call("slides"), moves = [0, 1, 2, 3].filter((move) => (moving >> move) & 1);
    let plies = how.seconds ? 1 : how.plies, worth = await this.#values(moves, plies, stopped);
    while (worth && plies < how.plies && how.seconds && performance.now() < until && !stopped()) {
      report({ share: Math.min(1, 1 - (until - performance.now()) / (1000 * how.seconds)) });
      const deeper = await this.#values(moves, plies + 1, () => stopped() || performance.now() >= until);
      if (!deeper) break;
      [worth, plies] = [deeper, plies + 1];
    }
    return !worth || stopped() ? null : moves[largest(worth)];
  }

  /** What each slide brings from here on; null if `stopped` said so before. */
  async #values(moves, plies, stopped) {
    const { kernels, pace } = this, found = [];
    kernels.setField("lookahead_progress", "nodes", 0);
    for (const move of moves) {
      kernels.setField("lookahead_stack", "after", kernels.array("afters")[move]);
      kernels.setField("lookahead_stack", "plies", plies - 1);
      kernels.setField("lookahead_stack", "tile", -1);
      kernels.setField("lookahead_progress", "level", 0);
      for (;;) {
        const before = performance.now(), { size } = pace;
        kernels.set("nodes", size);
        if (kernels.call("look")) break;
        pace.took(performance.now() - before, size);
        await rest();
        if (stopped()) return null;
      }
      found.push(Number(kernels.array("points")[move]) + kernels.field("lookahead_progress", "value"));
    }
    return found;
  }
}

export const PLAYERS = { values: ValuesPlayer, turns: TurnsPlayer, grid: GridPlayer, boards: BoardPlayer };
