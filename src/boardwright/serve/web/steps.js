// A game as its steps: {text, by}, where by is the seat that moved, or below 0 for a draw of chance. A move and the draws
// that follow it are one step to whoever goes through a game: nobody wants twenty presses for one deal.

/** The position after the step at `index` and the draws that follow it. */
export function endOf(steps, index) {
  let end = index + 1;
  while (end < steps.length && steps[end].by < 0) end += 1;
  return end;
}

/** The position before the move, and the draws after it, that led to `ply`. */
export function startOf(steps, ply) {
  let to = ply - 1;
  while (to > 0 && steps[to - 1]?.by < 0 && steps[to]?.by < 0) to -= 1;
  while (to > 0 && steps[to]?.by < 0) to -= 1;
  return to;
}

/** The steps of a study after another try at a ply: what came after it is dropped. */
export function branched(steps, ply, step) { return [...steps.slice(0, ply), step]; }

/** The text of one of the draws {text, chance}, as likely as it is; `random` from 0 to 1 decides. */
export function pick(chances, random) {
  let point = random * chances.reduce((sum, one) => sum + one.chance, 0);
  for (const one of chances) { point -= one.chance; if (point < 0) return one.text; }
  return chances.at(-1).text;
}
