// Which key means what, and how help.js tells it. Names of actions are those of GameView.key and of main.js.

/** Keys that slide, where a game slides. */
export const SLIDES = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

/** Keys of a game, wherever the focus is. */
export const GAME_KEYS = {
  ArrowLeft: "back", ",": "back", ArrowRight: "on", ".": "on", Home: "start", End: "end", " ": "replay",
  u: "takeBack", h: "hint", a: "analyse", j: "judge", x: "nextMistake", e: "explore", s: "share", g: "again",
  r: "turn", R: "turnBack", m: "type", b: "board",
};

/** Keys of the page. */
export const PAGE_KEYS = { "?": "help", n: "newGame", l: "library", w: "watch", t: "theme" };

/** Of these, as help names them, those that only a server can follow. */
export const NEED_SERVER = ["W"];

/** What help shows: a heading and its keys. */
export const HELP = [
  ["On the board", [
    ["B", "to the board"], ["arrows", "from cell to cell; where tiles slide: slide"], ["Enter", "choose or play"], ["Esc", "choose again"],
    ["R", "turn the tile (Shift: back; or the wheel)"], ["[ and ]", "the tile's places, highest first"], ["M", "type a move"],
  ]],
  ["In the game", [
    ["U", "take back"], ["H", "hint"], ["A", "analysis on or off"], ["J", "judge the whole game"], ["X", "next mistake, anybody's (Learn asks for yours)"], ["E", "explore from here"], ["S", "copy, export, share"], ["G", "again with the same settings"],
  ]],
  ["Back and forth", [["← → or , .", "a move back, on"], ["Home, End", "start, end"], ["Space", "replay, pause"]]],
  ["The page", [["N", "new game"], ["L", "library"], ["W", "watch"], ["1 to 9", "games in tabs"], ["T", "light or dark"], ["?", "this help"]]],
];
