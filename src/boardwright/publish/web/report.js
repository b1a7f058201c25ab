// The report on a whole game: first a whole one, then better ones, the worst errors first, until it is enough. As judge() in
// serve/jobs.py; searches of others go between its looks.

import { explain } from "./explain.js";
import { Judge, Stopped } from "./judge.js";
import { Refused } from "./tables.js";

const FIRST_SECONDS = 9; // that the first whole report may take, about
const REFINED_SECONDS = 1; // between two reports that are being refined, at least

/** `query`: {stopped, interrupted, ended: a promise}; `say(what)` hears how far it is, and whole reports; `keep(report)`.
 *  Answers what was found when it is done or stopped: without a whole report, only that it was stopped. */
export async function reportOn(table, seconds, { query, searching, say, keep }) {
  const line = table.positions.slice(), texts = table.plies.map(({ text }) => text), { seats } = table;
  const judge = new Judge(line, { searching, stopped: () => query.stopped, interrupted: () => query.interrupted });
  if (!judge.decisions.length) throw new Refused("nothing has been played yet", 409);
  let whole = null, kept = null;
  const tell = async () => {
    whole = await explain(judge, texts, seats, `the search in this browser, ${judge.simulations} simulations a position and more where it is unsure`);
  };
  const work = async () => {
    await judge.afford(FIRST_SECONDS);
    await judge.first((done, of) => say(() => ({ done, of })));
    await tell();
    kept = whole;
    await keep(whole);
    const until = performance.now() + 1000 * seconds, pause = 1000 * Math.max(REFINED_SECONDS, line.length / 500);
    if (seconds) say(() => ({ ...whole, refining: true }), true);
    for (let told = performance.now(); performance.now() < until && await judge.refine();) {
      if (performance.now() - told < pause) continue;
      await tell();
      say(() => ({ ...whole, refining: true }), true);
      told = performance.now();
    }
    if (seconds) await tell();
  };
  await Promise.race([work().catch((error) => { if (!(error instanceof Stopped)) throw error; }), query.ended]);
  if (whole && whole !== kept) await keep(whole);
  return { ...whole, refining: false, stopped: query.stopped };
}
