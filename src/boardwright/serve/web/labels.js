// What the judge calls a move: best, excellent, good, inaccuracy, mistake, blunder, or unsure; and a report of a whole
// game, event by event.

const SHADES = { best: "best", excellent: "best", good: "good", inaccuracy: "fair", mistake: "poor", blunder: "bad", unsure: "unsure" };
const GOOD = new Set(["best", "excellent", "good"]);
const SERIOUS = new Set(["inaccuracy", "mistake", "blunder"]);

export const LABELS = Object.keys(SHADES);
export const GLYPHS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The class that colours it. */
export const shade = (label) => SHADES[label] || "unsure";
export const isGood = (label) => GOOD.has(label);

/** What a search says of a move: of the candidate that it is, or that is the same move by the game's symmetry. */
export const rowOf = (candidates, move) => candidates?.find((one) => one.move === move || one.alike.includes(move));

/** How a lesson takes a move that is neither the best nor the one that was played, by its text: "best" or "played" if it is
 *  the same move as that one; "good", "unsure", or "poor". */
export function taken(row, best, played) {
  const same = row ? [row.move, ...row.alike] : [];
  if (same.includes(best)) return "best";
  if (same.includes(played)) return "played";
  if (isGood(row?.label)) return "good";
  return row?.label === "unsure" && row.visits ? "unsure" : "poor";
}

const moves = (report) => (report?.events || []).filter((event) => event.kind === "move");

/** ply -> label, of each move judged. */
export function labelsOf(report) { return new Map(moves(report).map((event) => [event.ply, event.label])); }

/** Whether a move surely lost something: more than its error. */
const isSure = (event) => event.loss > 0 && event.low > 0;

/** The mistakes of some seats that had something surely better. */
export function mistakesOf(report, seats) {
  return moves(report).filter((event) => seats.includes(event.player) && SERIOUS.has(event.label) && isSure(event) && event.best !== event.text);
}

/** What was said of the move that led to a ply, or of the next one at the start. */
export function verdictAt(report, ply) { return moves(report).find((event) => event.ply === ply); }

/** The first mistake after the position at a ply; from the start again if there is none. */
export function mistakeAfter(report, ply) {
  const all = moves(report).filter((event) => SERIOUS.has(event.label));
  return all.find((event) => event.ply > ply + 1) || all[0];
}

/** How many moves of each label each seat made: counts[seat][label's place in LABELS]. */
export function countsOf(report) {
  return report.players.map((_, seat) => LABELS.map((label) => moves(report).filter((event) => event.player === seat && event.label === label).length));
}
