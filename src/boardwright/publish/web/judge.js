// The judge of a game, as arena/judge.py: at every decision looks in pairs, with the same luck and the same random numbers,
// at the move made and at its rivals, of which half drop out again and again; the one that is left is then measured by looks
// that had no part in choosing it. Moves that the game's symmetries make equal are one. Every loss has a standard error.
// Nothing is solved here but what the search proves, and one look is made at a time: a published page has no other judge
// than its search.

import { called } from "./labels.js";
import { Random, Search } from "./search.js";

const PAIRS = 6; // looks at the move made and at its rival, a round
const FIRST_LOOKS = 2; // at each rival before the first half of them drops out; then twice as many
const RIVALS = 6, LATER_RIVALS = 2; // that the first round looks at; that a later one adds to the best so far
const MOST_ROUNDS = 7; // of one decision
const CONFIRMED = 3; // rounds that have to agree before a move is called a mistake or a blunder
const SERIOUS = new Set(["mistake", "blunder"]);
const LEAST_SIMULATIONS = 8; // of a look
const MOST_SIMULATIONS = 1600; // of the first round's search: beyond, refinement is worth more
const ROUND_SEARCHES = 36, ROUND_SHARE = 13; // of a first round: how many, and how many times those simulations they take
const TRIALS = [16, 160]; // simulations of two searches by which the pace is found
const SURE_OF_RESULT = 0.02; // standard error that unproven looks have at least, of a result from -1 to 1
const SURE_OF_POINTS = 0.005; // the same as a part of the points that the game was expected to bring
const LEANING = 0.1; // of a loss: what finite looks make of it too little or too much, whatever their number
const FEW_VISITS = 16; // a value from fewer visits is no value
const NORMAL = 1.96;
const STUDENT = [0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179]; // 95 %, by degrees of freedom

/** Somebody said that it is enough. */
export class Stopped extends Error {}

const mean = (found) => found.reduce((a, b) => a + b, 0) / found.length;

function variance(found) {
  const middle = mean(found);
  return found.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (found.length - 1);
}

/** The squared standard error of a mean. */
const squaredError = (found) => (found.length > 1 ? variance(found) / found.length : 0);

/** How many standard errors each way hold 95 %. */
const intervalFactor = (freedom) => (freedom > 0 ? STUDENT[Math.min(freedom, STUDENT.length - 1)] : 4 * NORMAL);

/** A seed made of numbers: the same parts, the same seed. */
function derive(...parts) {
  let state = 0n;
  for (const part of parts) state = new Random(state ^ BigInt(part)).bits();
  return Number(state >> 33n);
}

/** Kinds of looks, so that none shares its random numbers with another kind. */
const SCREEN = 1, LOOK = 2, VALUE = 3, LUCK = 4;

export class Judge {
  /** line: the positions of a game. searching(work): does one piece of work, a search, when its turn comes; a search that has
   *  to give way ends when `interrupted()`, and is made again. */
  constructor(line, { searching = (work) => work(), interrupted = () => false, stopped = () => false, seed = 0 } = {}) {
    Object.assign(this, { line, searching, interrupted, stopped, seed });
    this.game = line[0].game;
    this.points = this.game.program.plan.points;
    this.players = this.game.program.plan.players;
    this.opposed = this.players === 2 && !this.points;
    this.chance = this.game.program.plan.outcomes > 0;
    this.simulations = 160;
    this.search = new Search(this.game.program, { ...this.game.told.analysis, seconds: 0 });
    this.decisions = [];
    for (let index = 0; index + 1 < line.length; index++) {
      if (line[index].player < 0) continue;
      this.decisions.push({
        index, position: line[index], move: line[index + 1].step, rounds: 0, rival: null, liked: false,
        pairs: new Map(), // rival -> level -> differences, to whoever moves
        early: [], // differences at half the thought, from choosing the rival
        exact: false, // the rules decide: nothing is left to find out
        lines: new Map(), // move -> how it may go on
      });
    }
    this.values = new Map(); // index in the line -> looks at it
    this.extra = new Map(); // index -> how many rounds of looks it has had besides
  }

  // What was found

  /** V of a position of the line, for each player. */
  value(index) {
    const looks = this.values.get(index);
    return Array.from({ length: this.players }, (_, i) => mean(looks.map((look) => look.values[i])));
  }

  /** The largest standard error of `value`, over the players. */
  valueError(index) {
    const looks = this.values.get(index), exact = looks.every((look) => look.exact);
    if (this.line[index].isOver || (!this.line[index].isChance && exact)) return 0;
    const spread = Math.max(...Array.from({ length: this.players }, (_, i) => squaredError(looks.map((look) => look.values[i]))));
    return Math.sqrt(spread + (exact ? 0 : this.floor ** 2));
  }

  /** What is known of a decision by now; `loss` is below 0 if the move made looks better than its rivals. */
  verdict(decision) {
    const { move, rival, lines } = decision;
    if (rival === null) return { best: move, loss: 0, error: 0, low: 0, high: 0, sure: false, liked: true, line: lines.get(move) || [move] };
    const levels = decision.pairs.get(rival), last = Math.max(...levels.keys());
    const newest = levels.get(last), before = levels.get(last - 1);
    let loss = mean(newest), error, factor;
    if (decision.exact) [error, factor] = [0, 0];
    else if (!before) {
      const drift = decision.early.length ? loss - mean(decision.early) : 0;
      factor = intervalFactor(newest.length - 1);
      error = this.#error(squaredError(newest), drift, loss);
    } else { // deeper looks count twice
      const drift = loss - mean(before), noise = (4 * squaredError(newest) + squaredError(before)) / 9;
      loss = (2 * loss + mean(before)) / 3;
      factor = intervalFactor(newest.length + before.length - 2);
      error = this.#error(noise, drift, loss);
    }
    const best = loss > 0 ? rival : move, [low, high] = [loss - factor * error, loss + factor * error];
    return { best, loss, error, low, high, sure: low > 0, liked: decision.liked, line: lines.get(best) || [best] };
  }

  // Work

  /** Set how many simulations the first round's searches have, so that it takes about so many seconds. */
  async afford(seconds) {
    const middle = this.decisions[Math.floor(this.decisions.length / 2)].position, took = new Map();
    for (const trial of [TRIALS[0], ...TRIALS]) { // the first may have to be compiled
      const began = performance.now();
      await this.#choose(middle, 0, trial);
      took.set(trial, (performance.now() - began) / 1000);
    }
    const [few, many] = TRIALS, each = Math.max((took.get(many) - took.get(few)) / (many - few), 1e-7);
    const start = Math.max(took.get(few) - few * each, 0);
    const left = seconds / this.decisions.length - ROUND_SEARCHES * start;
    this.simulations = Math.floor(Math.min(Math.max(left / (ROUND_SHARE * each), 4 * LEAST_SIMULATIONS), MOST_SIMULATIONS));
  }

  /** The first round of every decision, the values of all positions, and more rounds for what looks serious. */
  async first(progress = () => {}) {
    const { line } = this, ledTo = new Set(this.decisions.map(({ index }) => index + 1));
    line.forEach((position, i) => { if (position.isOver) this.values.set(i, [{ values: position.facts.results, exact: true }]); });
    const starts = [...line.keys()].filter((i) => !this.values.has(i) && !ledTo.has(i) && (i === 0 || line[i].player >= 0));
    const all = this.decisions.length + starts.length;
    let done = 0;
    for (const index of starts) { await this.#lookAt(index); progress(++done, all); }
    for (const decision of this.decisions) {
      for (let round = 0; round === 0 || (round < CONFIRMED && this.#looksSerious(decision)); round += 1) await this.#round(decision);
      progress(++done, all);
    }
  }

  /** Whether a move would be called a mistake or a blunder, and more thought may change that. */
  #looksSerious(decision) {
    return !decision.exact && SERIOUS.has(called(this.points, this.verdict(decision), this.value(0)[decision.position.player]));
  }

  /** One round more for the decision of the largest error; false if none is left that more thought could change. */
  async refine() {
    let worst = null, most = -1;
    for (const one of this.decisions) {
      if (one.exact || one.rival === null || one.rounds >= MOST_ROUNDS) continue;
      const { high, loss } = this.verdict(one);
      if (high - loss > most) [worst, most] = [one, high - loss];
    }
    if (worst) await this.#round(worst);
    return Boolean(worst);
  }

  /** Find rivals, halve them, and measure the one that is left against the move made. */
  async #round(decision) {
    const { rounds: number, position, move, index } = decision, mover = position.player;
    const same = this.#equals(position);
    same(move);
    let rivals = [];
    if (position.facts.choices.length > 1) {
      const choice = await this.#screen(decision, number);
      decision.liked = same(choice.move) === move;
      for (const one of ranked(position, choice)) {
        const first = same(one);
        if (first !== move && !rivals.includes(first)) rivals.push(first);
        if (rivals.length === (number ? LATER_RIVALS : RIVALS)) break;
      }
      if (decision.rival !== null && !rivals.includes(decision.rival)) rivals = [decision.rival, ...rivals.filter((one) => same(one) !== same(decision.rival))];
    }
    if (!rivals.length) { // one move only, or all the same
      Object.assign(decision, { exact: true, liked: true, rounds: 1 });
      if (!this.values.has(index + 1)) this.values.set(index + 1, await this.#looks(decision, move, number, 1, PAIRS, 0));
      return;
    }
    const rival = await this.#halve(decision, rivals, number), level = number + 1, pairs = [], made = [];
    let exact = !this.chance;
    for (let k = 0; k < PAIRS; k++) {
      const [best, own] = [await this.#look(decision, rival, number, level, k), await this.#look(decision, move, number, level, k)];
      exact = exact && best.exact && own.exact;
      pairs.push(best.values[mover] - own.values[mover]);
      made.push(own);
      if (exact) break;
    }
    Object.assign(decision, { rival, exact });
    if (exact || !decision.pairs.has(rival)) decision.pairs.set(rival, new Map());
    decision.pairs.get(rival).set(level, pairs);
    decision.rounds += 1;
    await this.#keepValues(decision, made, number);
  }

  /** Which moves are the same: a function that tells the first of those asked so far that leads to a position alike. */
  #equals(position) {
    const { program } = this.game, known = new Map();
    return (move) => {
      const key = program.key(position.after(move).state);
      if (!known.has(key)) known.set(key, move);
      return known.get(key);
    };
  }

  /** One look at the position itself: what else is worth a comparison. */
  async #screen(decision, number) {
    const choice = await this.#choose(decision.position, derive(this.seed, decision.index, number, SCREEN), this.simulations * 2 ** number, true);
    for (const [move, steps] of choice.lines) decision.lines.set(move, steps);
    return choice;
  }

  /** The rival that is left when half of them has dropped out again and again. */
  async #halve(decision, rivals, number) {
    const mover = decision.position.player;
    for (let stage = 0, looks = FIRST_LOOKS; rivals.length > 1; stage++, looks *= 2) {
      const found = new Map();
      for (const move of rivals) found.set(move, (await this.#looks(decision, move, number, number, looks, 100 * (stage + 1))).map((look) => look.values[mover]));
      const before = rivals, order = [...rivals].sort((a, b) => mean(found.get(b)) - mean(found.get(a)) || before.indexOf(a) - before.indexOf(b));
      if (order.length === 2 && decision.rival === order[1]) {
        // Whoever has been measured before stays, unless the other is better by more than it may be by luck.
        const ahead = found.get(order[0]).map((value, k) => value - found.get(order[1])[k]);
        if (mean(ahead) <= Math.sqrt(squaredError(ahead)) + this.floor) order.reverse();
      }
      rivals = order.slice(0, Math.max(1, Math.floor(order.length / 2)));
    }
    if (!number) {
      const [best, own] = [await this.#looks(decision, rivals[0], 0, 0, FIRST_LOOKS, 1000), await this.#looks(decision, decision.move, 0, 0, FIRST_LOOKS, 1000)];
      decision.early = best.map((look, k) => look.values[mover] - own[k].values[mover]);
    }
    return rivals[0];
  }

  /** Looks at the move made are looks at the position after it. Luck is a difference of values before and after a draw:
   *  there all looks must be equally deep, and more of them are added; without chance the deepest count. */
  async #keepValues(decision, made, number) {
    const after = decision.index + 1;
    if (this.line[after].isOver) return;
    if (!this.chance || !number) { this.values.set(after, made); return; }
    this.values.set(after, [...this.values.get(after), ...await this.#looks(decision, decision.move, number, 1, PAIRS, 2000)]);
    if (decision.index && this.line[decision.index - 1].isChance) await this.#lookAt(decision.index);
  }

  /** Value a position of the line by looks of its own, or by some more. */
  async #lookAt(index) {
    const turn = this.extra.get(index) || 0, found = [];
    this.extra.set(index, turn + 1);
    for (let k = 0; k < PAIRS; k++) {
      found.push(await this.#value(this.line[index], derive(this.seed, index, turn, VALUE, k), 1));
      if (found[k].exact && !this.line[index].isChance) break;
    }
    this.values.set(index, [...this.values.get(index) || [], ...found]);
  }

  async #looks(decision, move, number, level, count, since) {
    const found = [];
    for (let k = 0; k < count; k++) found.push(await this.#look(decision, move, number, level, since + k));
    return found;
  }

  /** Look number k of a round at a move: the same seed, whichever move it is. */
  #look(decision, move, number, level, k) {
    return this.#value(decision.position.after(move), derive(this.seed, decision.index, number, LOOK, k), level);
  }

  /** What a position is worth, after draws by the seed, to a search that thinks 2 ** level times as long as at level 0. */
  async #value(position, seed, level) {
    const here = position.settle(new Random(derive(seed, LUCK)));
    if (here.isOver) return { values: here.facts.results, exact: true };
    const simulations = Math.max(LEAST_SIMULATIONS, Math.floor(this.simulations / 4) * 2 ** level);
    const choice = await this.#choose(here, seed, simulations);
    return { values: this.#valueOf(here, choice), exact: choice.proven };
  }

  /** What each player can expect by a choice. The best of many moves, each tried a few times, is mostly the luckiest: there
   *  the mean over all tries is nearer. */
  #valueOf(position, choice) {
    const mover = position.player, { visits, value } = choice.moves.get(choice.move);
    const best = (visits >= FEW_VISITS || choice.proven) && value !== null ? value : choice.value[mover];
    if (this.opposed) return mover === 0 ? [best, -best] : [-best, best];
    return choice.value.map((one, i) => (i === mover ? best : one));
  }

  /** A search from the start. One that has to give way to another is made again. */
  async #choose(position, seed, simulations, lines = false) {
    for (;;) {
      const choice = await this.searching(async () => {
        if (this.stopped()) throw new Stopped();
        const { search } = this;
        search.settings = { ...search.settings, seed, simulations };
        search.forget();
        const stop = await search.grow(position, () => this.stopped() || this.interrupted());
        if (stop.cancelled) return null;
        const found = search.choice(position, stop);
        found.proven = stop.proven;
        found.lines = lines ? [...found.moves].filter(([move, one]) => move === found.move || one.visits >= FEW_VISITS).map(([move]) => [move, search.line(move)]) : [];
        return found;
      });
      if (choice) return choice;
    }
  }

  /** The standard error of a loss: squared noise of its pairs, and what they may have in common. */
  #error(noise, drift, loss) { return Math.sqrt(noise + this.floor ** 2 + drift ** 2 + (LEANING * loss) ** 2); }

  /** The standard error that looks have at least: a search that has not proven anything leans to one side. */
  get floor() {
    if (!this.points) return SURE_OF_RESULT;
    const [first] = this.values.get(0) || [];
    return SURE_OF_POINTS * Math.max(first ? Math.abs(first.values[0]) : 1, 1);
  }
}

/** The moves of a position, those first that a choice liked. */
function ranked(position, choice) {
  const of = (move) => choice.moves.get(move) || { visits: 0, value: null };
  return [...position.facts.choices].sort((a, b) => (b === choice.move) - (a === choice.move) || of(b).visits - of(a).visits || (of(b).value ?? -Infinity) - (of(a).value ?? -Infinity) || 0);
}
