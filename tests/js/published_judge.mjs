// Judges games of a published program and tells what was found: node published_judge.mjs WEB PROGRAM < question.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , web, file] = process.argv;
const { Program } = await import(pathToFileURL(`${web}/program.js`));
const { Position } = await import(pathToFileURL(`${web}/games.js`));
const { Judge } = await import(pathToFileURL(`${web}/judge.js`));

const { plan, sentences, analysis, simulations, steps, rounds } = JSON.parse(readFileSync(0, "utf8"));
const program = await Program.make(readFileSync(file), plan, sentences, "the game");
const game = { program, told: { analysis }, about: {} };

const line = [new Position(game, program.begin())];
for (const step of steps) line.push(line.at(-1).after(step));
let searches = 0;
const judge = new Judge(line, {
  searching: (work) => { searches += 1; return work(); },
  interrupted: () => searches === 3, // the third has to give way, and is made again
});
judge.simulations = simulations;
await judge.first();
for (let i = 0; i < rounds; i++) await judge.refine();
console.log(JSON.stringify({
  verdicts: judge.decisions.map((decision) => ({ index: decision.index, ...judge.verdict(decision) })),
  values: [...judge.values.keys()].sort((a, b) => a - b).map((index) => [index, judge.value(index), judge.valueError(index)]),
  keys: line[0].facts.choices.map((step) => program.key(line[0].after(step).state)),
  searches,
}));
