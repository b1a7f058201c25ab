// Keys and how it works.

import { dialog, h } from "./dom.js";

const KEYS = [
  ["On the board", [
    ["B", "to the board"], ["arrows", "from cell to cell; where tiles slide: slide"], ["Enter or Space", "choose or play"], ["Esc", "choose again"],
    ["R", "turn the tile (Shift: back; or the wheel)"], ["[ and ]", "the tile's places, highest first"], ["M", "type a move"],
  ]],
  ["In the game", [
    ["U", "take back"], ["H", "hint"], ["A", "analysis on or off"], ["J", "judge the whole game"], ["X", "next mistake"], ["E", "explore from here"], ["S", "copy, export, share"], ["G", "again with the same settings"],
  ]],
  ["Back and forth", [["← → or , .", "a move back, on"], ["Home, End", "start, end"], ["Space", "replay, pause"]]],
  ["The page", [["N", "new game"], ["L", "library"], ["W", "watch"], ["1 to 9", "games in tabs"], ["T", "light or dark"], ["?", "this help"]]],
];

export function help() {
  dialog("Keys", h("div.keys", {}, KEYS.map(([title, keys]) => h("section", {}, h("h3", {}, title),
    h("dl", {}, keys.map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]))))),
    h("p.hint", {}, "Taking back or asking for a hint marks the game as assisted. Every game is kept as it is played: close the page or the server at any time."));
}
