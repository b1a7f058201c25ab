// Searches a published game and tells what was found: node published_search.mjs WEB PROGRAM < questions. The twin of
// tests/test_publish.py, which asks the native search the same.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , web, file] = process.argv;
const { Program, CHANCE } = await import(pathToFileURL(`${web}/program.js`));
const { Search, Random } = await import(pathToFileURL(`${web}/search.js`));

const { plan, sentences, games } = JSON.parse(readFileSync(0, "utf8"));
const program = await Program.make(readFileSync(file), plan, sentences, "the game");

/** A position on, with what came before it. */
function advance(position, step) {
  const state = program.after(position.state, step, position.player === CHANCE);
  return { state, step, previous: position, player: program.see(state).player };
}

const first = () => { const state = program.begin(); return { state, step: null, previous: null, player: program.see(state).player }; };

const told = [];
for (const { settings, steps } of games) {
  const search = new Search(program, settings);
  let position = first();
  const found = [];
  for (const { ask, step } of steps) {
    if (!ask) { position = advance(position, step); continue; }
    const stop = await search.grow(position);
    const choice = search.choice(position, stop);
    found.push({
      move: choice.move, simulations: choice.simulations, value: choice.value, used: program.ofStats("used"),
      visits: Object.fromEntries([...choice.moves].map(([move, one]) => [move, one.visits])), rng: String(search.rng.state), line: search.line(choice.move),
    });
  }
  told.push({ found, state: Buffer.from(position.state).toString("hex") });
}
const numbers = new Random(7);
console.log(JSON.stringify({ told, random: [String(numbers.bits()), numbers.below(10), numbers.unit(), numbers.pick([1, 2, 3])] }));
