// Searches a published game and tells what was found: the twin of tests/test_publish.py, which asks the native search the
// same. By Node, `node published_search.mjs WEB PROGRAM < questions`; a page of a browser calls `searched`.

/** `web`: where the scripts of a site are; `code`: its module; what is asked, and what is told: see below. */
export async function searched(web, code, { plan, sentences, games }) {
  const { Program, CHANCE } = await import(`${web}/program.js`), { Search, Random } = await import(`${web}/search.js`);
  const program = await Program.make(code, plan, sentences, "the game");
  /** A position on, with what came before it. */
  const advance = (position, step) => {
    const state = program.after(position.state, step, position.player === CHANCE);
    return { state, step, previous: position, player: program.see(state).player };
  };
  const first = () => { const state = program.begin(); return { state, step: null, previous: null, player: program.see(state).player }; };
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

  const told = [];
  for (const { settings, steps } of games) {
    const search = new Search(program, settings);
    let position = first();
    const found = [];
    for (const { ask, step } of steps) {
      if (!ask) { position = advance(position, step); continue; }
      const liked = Array.from({ length: plan.policies }, (_, i) => program.weigh(position.state, i + 1)); // by each policy
      const stop = await search.grow(position);
      const choice = search.choice(position, stop);
      found.push({
        liked, move: choice.move, simulations: choice.simulations, value: choice.value, used: program.ofStats("used"),
        visits: Object.fromEntries([...choice.moves].map(([move, one]) => [move, one.visits])), rng: String(search.rng.state), line: search.line(choice.move),
      });
    }
    told.push({ found, state: hex(position.state) });
  }
  const numbers = new Random(7);
  return { told, random: [String(numbers.bits()), numbers.below(10), numbers.unit(), numbers.pick([1, 2, 3])] };
}

if (globalThis.process) {
  const { readFileSync } = await import("node:fs"), { pathToFileURL } = await import("node:url");
  const [, , web, file] = process.argv;
  console.log(JSON.stringify(await searched(pathToFileURL(web), readFileSync(file), JSON.parse(readFileSync(0, "utf8")))));
}
