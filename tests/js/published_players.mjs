// Lets the players of a published game choose at the positions of one game, in a browser, and tells what they chose. The twin of
// tests/test_publish_players.py, which asks the native players the same. It lies beside the scripts of a site.

import { Kernels, PLAYERS, readNumbers } from "./learnt.js";
import { newSearch } from "./players.js";
import { Program } from "./program.js";

const load = async (file) => (await fetch(file)).arrayBuffer();
const fromHex = (text) => Uint8Array.from(text.match(/../g), (byte) => parseInt(byte, 16));

/** The module of an id; numbers are there for those that have learnt some. */
async function moduleOf({ way, file, plan, sentences, numbers }) {
  const learned = numbers ? readNumbers(numbers, await load(numbers.file)) : null;
  return (way === "search" ? Program : Kernels).make(await load(file), plan, sentences, "the game", learned);
}

/** {told: what each player chose at each position; ended: whether each of those that would think for minutes was stopped}. */
export async function answer() {
  const { game, modules, players, endless, positions } = await (await fetch("asked.json")).json();
  const program = game && await moduleOf(game), loaded = {};
  for (const [id, told] of Object.entries(modules)) loaded[id] = await moduleOf(told);
  const make = (how) => {
    const module = how.module ? loaded[how.module] : program;
    return how.kind === "search" ? newSearch(module, how) : new PLAYERS[how.way](program, module, how);
  };
  const told = [], ended = [];
  for (const how of players) {
    const player = make(how), found = [];
    let previous = null;
    for (const { state, step, player: actor } of positions) {
      const position = { state: fromHex(state), step, player: actor, previous };
      previous = position;
      if (actor < 0) continue;
      if (how.kind === "search") {
        const { move, moves, simulations } = player.choice(position, await player.grow(position));
        found.push({ move, simulations, visits: Object.fromEntries([...moves].map(([one, { visits }]) => [one, visits]).filter(([, visits]) => visits)) });
      } else found.push({ move: await player.choose(position, () => false, () => {}) });
    }
    told.push(found);
  }
  for (const how of endless) {
    const { state, player } = positions.find((one) => one.player >= 0), position = { state: fromHex(state), player, step: null, previous: null };
    let asked = 0;
    const stopped = () => ++asked > 3, thinks = make(how);
    ended.push(how.kind === "search" ? (await thinks.grow(position, stopped)).cancelled : await thinks.choose(position, stopped, () => {}) === null);
  }
  return { told, ended };
}
