// What a search found, for the page: as serve/jobs.py tells it.

import { called } from "./labels.js";

const FEW_VISITS = 16; // a value from fewer visits is no value
const FACTOR = 1.959964; // standard errors each way that hold 95 %
const LINES = 12; // candidates whose best lines are told

export async function describe(position, search, choice, most) {
  const { points } = position.game.about, proven = choice.note.includes("proven");
  const rows = rowsOf(position, search.program, choice), [best] = rows;
  const sure = best.visits >= FEW_VISITS || proven;
  const top = sure && best.value !== null ? best.value : choice.value[position.player];
  const candidates = [], shown = rows.slice(0, most), does = await position.notes(shown.map(({ move }) => move));
  for (const [place, { move, alike, visits, value, prior, off: mine }] of shown.entries()) {
    if (!visits && place) break;
    const loss = place === 0 ? 0 : value === null ? null : Math.max(0, top - value), off = place && Math.hypot(best.off, mine);
    const known = loss !== null && (!mine || (visits >= FEW_VISITS && (best.off || !place))), low = loss - FACTOR * off;
    const label = !known ? "unsure" : place ? called(points, { loss, low, high: loss + FACTOR * off, error: off, sure: low > 0 }, top) : "best";
    candidates.push({ move: await position.text(move), alike: await Promise.all(alike.map((one) => position.text(one))), does: does[place], visits, value, value_error: mine, prior, loss, error: off, label, line: place < LINES ? await named(position, search.line(move)) : [] });
  }
  return {
    player: position.player, value: choice.value, value_error: proven ? 0 : spreadOf(search.program, position.player) / Math.sqrt(Math.max(search.program.ofStats("seen"), 1)), best: await position.text(choice.move), candidates, moves: position.facts.choices.length,
    visits: rows.reduce((sum, { visits }) => sum + visits, 0), simulations: choice.simulations, seconds: Math.round(1000 * choice.seconds) / 1000, note: choice.note,
  };
}

/** How far the value of one visit may be off: by what all that were backed up vary. */
const spreadOf = (program, player) => Math.sqrt(program.ofStats("squares")[player] / Math.max(program.ofStats("seen"), 1));

/** What a choice knows of each move, best first, those that are the same as one: see arena/tried_moves.py. */
function rowsOf(position, program, choice) {
  const of = (move) => choice.moves.get(move) || { visits: 0, value: null, prior: null };
  const spread = spreadOf(program, position.player);
  const rank = (move) => (move === choice.move ? Infinity : of(move).visits);
  const rows = new Map(); // by the first of them
  for (const move of [...position.facts.choices].sort((a, b) => rank(b) - rank(a))) {
    const first = sameMoves(position, program).get(move);
    if (!rows.has(first)) rows.set(first, { move, alike: [] }); else rows.get(first).alike.push(move);
  }
  const sum = (moves, what) => moves.reduce((total, move) => total + what(of(move)), 0);
  return [...rows.values()].map(({ move, alike }) => {
    const all = [move, ...alike], visits = sum(all, (one) => one.visits), tried = all.filter((one) => of(one).visits);
    const known = tried.filter((one) => program.ofSlot(of(one).slot, "proven")); // what the rules decide for one of them
    const mean = tried.length ? sum(tried, (one) => one.visits * one.value) / visits : null;
    return {
      move, alike: alike.sort((a, b) => a - b), visits, value: known.length ? Math.max(...known.map((one) => of(one).value)) : mean,
      prior: all.some((one) => of(one).prior !== null) ? sum(all, (one) => one.prior ?? 0) : null, off: known.length || !visits ? 0 : spread / Math.sqrt(visits),
    };
  }).sort((a, b) => (b.move === choice.move) - (a.move === choice.move) || b.visits - a.visits);
}

const same = new WeakMap(); // of a position: move -> the first that is the same move

/** As arena/equal_moves.py: which moves lead to positions that are alike by the game's symmetries. */
function sameMoves(position, program) {
  if (!same.has(position)) {
    const first = new Map();
    same.set(position, new Map(position.facts.choices.map((move) => {
      const key = program.key(program.after(position.state, move, false));
      if (!first.has(key)) first.set(key, move);
      return [move, first.get(key)];
    })));
  }
  return same.get(position);
}

async function named(position, steps) {
  const told = [];
  for (const step of steps) {
    if (position.isOver || !position.facts.choices.includes(step)) break;
    const chance = position.isChance ? position.chances.find(([outcome]) => outcome === step)[1] : undefined;
    told.push({ text: await position.text(step), by: position.player, chance });
    position = position.after(step);
  }
  return told;
}
