// The buttons beside a game: what can be done with it now.

import { button } from "./dom.js";
import { shareMenu } from "./share.js";

/** Those of a GameView. */
export function toolsOf(view) {
  const { table, yours, steps, analysis } = view;
  const playing = table.status === "unfinished" && table.playable && yours.length > 0;
  const moved = steps.some((step) => yours.includes(step.by));
  const tools = [];
  if (table.status !== "unfinished") tools.push(button("chart", "Report", () => analysis.judge(), { title: "Judge every move of the game (J)" }));
  if (playing || moved) tools.push(button("undo", "Take back", () => view.takeBack(), { title: "Take back (U)", disabled: !moved }));
  if (playing) tools.push(button("bulb", "Hint", () => analysis.hint(), { title: "Hint (H): the game is then marked as assisted" }));
  tools.push(button("explore", "Explore", () => view.explore(), { title: "Try moves from here without changing the game (E)" }));
  tools.push(button("chart", "Analyse", () => analysis.toggle(), { title: "Analyse (A)", "aria-pressed": String(analysis.on) }));
  tools.push(button("share", "Share", () => shareMenu(view), { title: "Copy, export, share (S)" }));
  if (playing && table.game.players > 1) tools.push(button("flag", "Resign", () => view.resign()));
  tools.push(button("plus", "Again", () => view.again(), { title: "A new game with the same settings (G)" }));
  return tools;
}
