// The figures of a training in words and units, the rating first. No page is needed to run this: tests/js does.

const FIGURES = {
  elo: ["Rating", "Elo"], score: ["Mean score in tests", "points"], training_score: ["Mean score while learning", "points"],
  first: ["What the first player gets", "−1 to 1"], first_player: ["What the first player gets", "−1 to 1"],
  error: ["Miss of the value", "root mean square"], known: ["Miss of who knows the mean only", "root mean square"],
  explained: ["Outcome foreseen", "share of its spread"], loss: ["Loss", ""], policy_loss: ["Policy loss", "nats"], value_loss: ["Value loss", ""],
  policy_even: ["Policy loss of equal chances", "nats"], drawn: ["Drawn games", "share"], cut: ["Games cut short", "share"],
  turns: ["Length of a game", "turns"], moves_a_game: ["Length of a game", "moves"], games: ["Games played", "games"],
  games_a_second: ["Games", "a second"], evaluations_a_second: ["Evaluations", "a second"], moves_per_second: ["Moves", "a second"],
  positions: ["Positions to learn from", "positions"], surprise: ["Surprise of the search", "nats"], step_size: ["Step size", ""],
  learning_seconds: ["Time to learn", "s"], rating_seconds: ["Time to rate", "s"],
};
const FIRST = Object.keys(FIGURES);

/** A figure's title and unit. */
export function figureWords(figure) {
  return FIGURES[figure] || [figure.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase()), ""];
}

/** Figures in the order in which they are shown: how strong it is, then what it learns, then how fast. */
export function inOrder(figures) {
  const place = (figure) => (FIRST.includes(figure) ? FIRST.indexOf(figure) : FIRST.length);
  return [...figures].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

/** What a step of a training is. */
export function stepUnit(method) { return method === "selfplay" ? "iterations" : "games"; }
