// Who plays: any move, a policy of the game, the search, or one of these that slips. `how` is what publish/strengths.py tells of a player.

import { Random, Search } from "./search.js";
import { HUMAN } from "./tables.js";

/** The strength that sits there, by its player or its name. */
export const strengthOf = (game, seat) => game.facts.strengths.find((one) => one.player === seat || one.name === seat);

/** Whether all who sit there can play on. */
export const canGoOn = (table) => !table.isOver && table.seats.every((seat) => seat === HUMAN || strengthOf(table.game, seat));

/** A seat's choice at a position: {move, search, choice}, or null if it was told to stop. */
export async function choose(table, ply, how, stopped, report) {
  const position = table.at(ply), { choices } = position.facts, seed = table.seed + ply;
  if (how.kind === "slips") {
    const luck = new Random(seed * 1000 + 7);
    return luck.below(1_000_000) < how.epsilon * 1_000_000 ? { move: choices[luck.below(choices.length)] } : choose(table, ply, how.of, stopped, report);
  }
  if (how.kind === "random") return { move: choices[new Random(seed).below(choices.length)] };
  if (how.kind === "policy") {
    const weights = table.game.program.weigh(position.state, how.policy), most = Math.max(...weights);
    const best = choices.filter((_, i) => weights[i] === most);
    return { move: best[new Random(seed).below(best.length)] };
  }
  const seat = position.player;
  if (!table.searches.has(seat)) table.searches.set(seat, new Search(table.game.program, { ...how, seed: table.seed * 1000 + seat }));
  const search = table.searches.get(seat);
  const stop = await search.grow(position, stopped, (now) => report({
    simulations: now.simulations, seconds: now.seconds,
    share: Math.min(1, Math.max(how.seconds ? now.seconds / how.seconds : 0, how.simulations ? now.simulations / how.simulations : 0)),
  }));
  if (stop.cancelled) return null;
  const choice = search.choice(position, stop);
  return { move: choice.move, search, choice };
}
