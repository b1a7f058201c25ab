// What a search found, for the page: as serve/jobs.py tells it.

import { called } from "./labels.js";

const FEW_VISITS = 16; // a value from fewer visits is no value
const FACTOR = 1.959964; // standard errors each way that hold 95 %
const LINES = 12; // candidates whose best lines are told

export async function describe(position, search, choice, most) {
  const { points } = position.game.about, proven = choice.note.includes("proven");
  const of = (move) => choice.moves.get(move) || { visits: 0, value: null, prior: null };
  const order = [...position.facts.choices].sort((a, b) => (b === choice.move) - (a === choice.move) || of(b).visits - of(a).visits);
  const own = of(choice.move), sure = own.visits >= FEW_VISITS || proven;
  const top = sure && own.value !== null ? own.value : choice.value[position.player];
  const error = errorsOf(search.program, position.player, of);
  const candidates = [], shown = order.slice(0, most), does = await position.notes(shown);
  for (const [place, move] of shown.entries()) {
    const { visits, value, prior } = of(move);
    if (!visits && place) break;
    const loss = place === 0 ? 0 : value === null ? null : Math.max(0, top - value), mine = error(move), best = error(choice.move), off = place && Math.hypot(best, mine);
    const known = loss !== null && (!mine || (visits >= FEW_VISITS && (best || !place))), low = loss - FACTOR * off;
    const label = !known ? "unsure" : place ? called(points, { loss, low, high: loss + FACTOR * off, error: off, sure: low > 0 }, top) : "best";
    candidates.push({ move: await position.text(move), does: does[place], visits, value, prior, loss, error: off, label, line: place < LINES ? await named(position, search.line(move)) : [] });
  }
  return {
    player: position.player, value: choice.value, best: await position.text(choice.move), candidates, moves: order.length,
    visits: order.reduce((sum, move) => sum + of(move).visits, 0), simulations: choice.simulations, seconds: Math.round(1000 * choice.seconds) / 1000, note: choice.note,
  };
}

/** How far the value of a move may be off by the luck of its visits: see _errors in serve/jobs.py. */
function errorsOf(program, player, of) {
  const spread = Math.sqrt(program.ofStats("squares")[player] / Math.max(program.ofStats("seen"), 1));
  return (move) => { const { slot, visits } = of(move); return visits && !program.ofSlot(slot, "proven") ? spread / Math.sqrt(visits) : 0; };
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
