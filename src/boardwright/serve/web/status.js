// How a game stands, in words: whose move it is, what is waited for, how it ended. No page is needed to run this: tests/js does.

import { number } from "./format.js";
import { fullName, sideOf } from "./names.js";

const UNKEPT = { // why a published page holds a game in its memory only
  full: "not kept: this browser's storage is full, so the game ends with this page",
  refused: "not kept: this browser keeps nothing for this page, so the game ends with it",
};

/** What is said of a game. `at`: the position that is looked at, where seat `turn` is to move; `last`: the newest; `up`: whether the server
    answers; `sending`: a move that it has not answered; `yours`: the seats that are played from this page; `paused`: players
    among themselves are held; `problem`: why one cannot move; `waits`: it is compiled for; `simulations`: that it has made. */
export function statusOf({ table, turn, at, last, up, sending, yours, paused, problem, waits, simulations }) {
  if (!up) return sending ? `Your move ${sending} goes out when the server answers` : "Waiting for the server";
  if (at !== last) return `Position ${at} of ${last}`;
  if (table.status !== "unfinished") return outcomeOf(table, yours);
  if (turn < 0) return "Chance moves";
  const { name, player } = table.seats[turn];
  if (player === "human") return yours.length === 1 && yours[0] === turn ? "Your move" : `${sideOf(table.game, turn)} to move`;
  if (!table.playable) return "This game cannot go on here";
  if (paused) return "Paused";
  if (problem) return `${name} cannot move: ${problem}`;
  return waits ? `${name} waits` : `${name} is thinking${simulations ? `: ${number(simulations)} looks ahead` : ""}`;
}

/** How a game ended. */
export function outcomeOf(table, yours) {
  const { game, results } = table;
  if (table.status === "forfeit") {
    const [why] = table.note.split(";"), seat = why.match(/^player (\d+) resigned$/)?.[1] - 1;
    if (seat in table.seats) return `${yours.length === 1 && yours[0] === seat ? "You" : fullName(table, seat)} resigned`;
    return why.replace(/^./, (c) => c.toUpperCase());
  }
  if (game.points) return game.players === 1 ? `Finished: ${number(results[0])} points` : `Finished: ${results.map((one) => number(one)).join(" to ")}`;
  const best = Math.max(...results);
  const winners = results.map((one, i) => (one === best ? i : -1)).filter((i) => i >= 0);
  if (winners.length > 1) return "A draw";
  return yours.length === 1 && winners[0] === yours[0] ? "You win" : `${fullName(table, winners[0])} wins`;
}

/** What is unusual about a game: its options, help that was taken, where it is kept. */
export function subtitleOf(table) {
  return [...table.game.variant, `seed ${table.seed}`, table.assisted ? "assisted" : "", UNKEPT[table.unkept] || "", table.old_rules ? "begun before its file was changed: it goes on by the old rules" : ""].filter(Boolean).join(" · ");
}
