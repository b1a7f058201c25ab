// A worker beside the one that answers the page: grows trees of a search in a module of its own. See trees.js.
/* oxlint-disable unicorn/require-post-message-target-origin -- messages to and from a worker have none */

import { Program } from "./program.js";
import { Search } from "./search.js";

const REPORT = 100; // milliseconds between two reports
const MOST_SEARCHES = 16; // whose last roots are remembered

const searches = new Map(); // id -> search
let program = null, stopped = false;

/** The last of a line of positions, each with what came before it. */
const linked = (line) => line.reduce((previous, one) => ({ ...one, previous }), null);

async function grow({ id, settings, line }) {
  if (!searches.has(id)) searches.set(id, new Search(program, settings));
  if (searches.size > MOST_SEARCHES) searches.delete(searches.keys().next().value);
  const search = searches.get(id), position = linked(line);
  let last = performance.now();
  const stop = await search.grow(position, () => stopped, (now) => {
    if (performance.now() - last < REPORT) return;
    last = performance.now();
    postMessage({ simulations: now.simulations });
  });
  const { move, moves, value } = search.choice(position, stop);
  return { stop, choice: { move, moves, value } };
}

onmessage = async ({ data }) => {
  if (data.stop) { stopped = true; return; }
  try {
    if (data.load) program = await Program.make(...data.load);
    stopped = false;
    postMessage({ done: data.load ? {} : await grow(data.grow) });
  } catch (error) { postMessage({ error: error.message }); }
};
