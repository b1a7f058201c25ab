// What a move is called for what it lost, as arena/labels.py.

const LABELS = [["excellent", 0.02], ["good", 0.05], ["inaccuracy", 0.1], ["mistake", 0.2], ["blunder", Infinity]];
const PART_OF_POINTS = 0.25;

/** What to call a loss: of a result (-1 to 1), half is win probability; points go by what was expected. */
export function labelOf(points, loss, expected) {
  const part = points ? loss / (PART_OF_POINTS * Math.max(Math.abs(expected), 1)) : loss / 2;
  return LABELS.find(([, most]) => part <= most)[0];
}

/** What to call a move: what it lost at least where that is sure, "unsure" where it may be nothing or much. */
export function called(points, verdict, expected) {
  if (verdict.sure) return labelOf(points, verdict.error ? verdict.low : verdict.loss, expected);
  if (verdict.loss <= 0 && verdict.liked) return "best";
  if (["excellent", "good"].includes(labelOf(points, Math.max(verdict.high, 0), expected))) return verdict.loss <= 0 ? "best" : labelOf(points, verdict.loss, expected);
  return "unsure";
}
