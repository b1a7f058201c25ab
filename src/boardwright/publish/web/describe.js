// What a search found, for the page: as serve/jobs.py tells it.

import { labelOf } from "./labels.js";

const FEW_VISITS = 16; // a value from fewer visits is no value
const LINES = 12; // candidates whose best lines are told

export async function describe(position, search, choice, most) {
  const { points } = position.game.about, proven = choice.note.includes("proven");
  const of = (move) => choice.moves.get(move) || { visits: 0, value: null, prior: null };
  const order = [...position.facts.choices].sort((a, b) => (b === choice.move) - (a === choice.move) || of(b).visits - of(a).visits);
  const own = of(choice.move), sure = own.visits >= FEW_VISITS || proven;
  const top = sure && own.value !== null ? own.value : choice.value[position.player];
  const candidates = [], shown = order.slice(0, most), does = await position.notes(shown);
  for (const [place, move] of shown.entries()) {
    const { visits, value, prior } = of(move);
    if (!visits && place) break;
    const loss = place === 0 ? 0 : value === null ? null : Math.max(0, top - value), known = visits >= FEW_VISITS || proven;
    const label = place === 0 && known ? "best" : known && loss !== null ? labelOf(points, loss, top) : "unsure";
    candidates.push({ move: await position.text(move), does: does[place], visits, value, prior, loss, label, line: place < LINES ? await named(position, search.line(move)) : [] });
  }
  return {
    player: position.player, value: choice.value, best: await position.text(choice.move), candidates, moves: order.length,
    visits: order.reduce((sum, move) => sum + of(move).visits, 0), simulations: choice.simulations, seconds: Math.round(1000 * choice.seconds) / 1000, note: choice.note,
  };
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
