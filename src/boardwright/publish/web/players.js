// Who plays: any move, a policy of the game, the search, who has learnt something, or one of these that slips. `how` is what
// publish/strengths.py tells of a player.

import { PLAYERS } from "./learnt.js";
import { Random, Search } from "./search.js";
import { HUMAN } from "./tables.js";
import { Trees, treesOf } from "./trees.js";

/** The strength that sits there, by its player or its name. */
export const strengthOf = (game, seat) => game.facts.strengths.find((one) => one.player === seat || one.name === seat);

/** Whether all who sit there can play on. */
export const canGoOn = (table) => !table.isOver && table.seats.every((seat) => seat === HUMAN || strengthOf(table.game, seat));

/** A seat's choice at a position: {move}, or null if it was told to stop. */
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
  const player = await thinkerOf(table, position.player, how);
  if (how.kind === "learnt") {
    const move = await player.choose(position, stopped, report);
    return move === null ? null : { move };
  }
  const budget = how.simulations * how.threads; // each tree has its share
  const stop = await player.grow(position, stopped, (now) => report({
    simulations: now.simulations, seconds: now.seconds,
    share: Math.min(1, Math.max(how.seconds ? now.seconds / how.seconds : 0, budget ? now.simulations / budget : 0)),
  }));
  if (stop.cancelled) return null;
  return { move: player.choice(position, stop).move };
}

/** A search in one tree, or in several side by side. */
export function newSearch(program, how) {
  const trees = treesOf(how);
  if (trees === 1) return new Search(program, how);
  const megabytes = trees === how.threads ? how.megabytes : Math.max(1, how.megabytes / trees);
  return new Trees(program, { ...how, megabytes }, trees);
}

/** Who thinks for a seat: what it remembers, such as a tree, is used again for its next move. */
async function thinkerOf({ game, seed, searches }, seat, how) {
  if (!searches.has(seat)) {
    const own = { ...how, seed: (seed * 1000 + seat) * 1000 }, module = how.module ? await game.module(how.module) : game.program;
    searches.set(seat, how.kind === "search" ? newSearch(module, own) : new PLAYERS[how.way](game.program, module, own));
  }
  return searches.get(seat);
}
