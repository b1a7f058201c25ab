// What a theatre shows, and its address: #/theatre/GAME?moves=...&seed=...&c=...&at=... No page is needed to run this: tests/js
// does.
//
// A second search, beside the first, has its settings with a 2 behind their names (c2=0.3); two=1 says that there is one.

const OWN = new Set(["moves", "table", "ply", "steps", "position", "seed", "simulations", "at", "children", "levels", "two"]);
const USUAL = { seed: 0, simulations: 200, at: 0, children: 3, levels: 2 }; // the last two: how much of the tree is shown

/** A whole number; anything else stays a text, and the server says what is wrong with it. */
const whole = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);
const words = (text) => (text || "").split(/\s+/).filter(Boolean);

/** What the address means. `searches`: the settings of one search or of two, as texts. */
export function readTheatre(id, query) {
  const given = new URLSearchParams(query);
  const state = { game: decoded(id), moves: words(given.get("moves")), steps: words(given.get("steps")), searches: [{}] };
  for (const [name, usual] of Object.entries(USUAL)) state[name] = given.has(name) ? whole(given.get(name)) : usual;
  if (given.has("table")) { state.table = given.get("table"); state.ply = whole(given.get("ply") || "0"); }
  if (given.has("position")) state.position = given.get("position");
  for (const [name, value] of given) {
    if (OWN.has(name)) continue;
    const second = /^(\D+)2$/.exec(name);
    if (second) state.searches[1] = { ...state.searches[1], [second[1]]: value };
    else state.searches[0][name] = value;
  }
  if (given.has("two")) state.searches[1] ||= {};
  return state;
}

function decoded(id) {
  try { return decodeURIComponent(id); } catch { return id; }
}

/** The address that means this. What is as usual is left out. */
export function theatreAddress(state) {
  const told = new URLSearchParams();
  if (state.table) { told.set("table", state.table); told.set("ply", state.ply); }
  else if (state.position) told.set("position", state.position);
  else if (state.moves?.length) told.set("moves", state.moves.join(" "));
  if (state.steps?.length && (state.table || state.position)) told.set("steps", state.steps.join(" "));
  for (const [name, usual] of Object.entries(USUAL)) if ((state[name] ?? usual) !== usual) told.set(name, state[name]);
  const [first = {}, second] = state.searches || [];
  for (const [name, value] of Object.entries(first)) told.set(name, value);
  if (second && !Object.keys(second).length) told.set("two", 1);
  for (const [name, value] of Object.entries(second || {})) told.set(`${name}2`, value);
  const query = told.toString();
  return `#/theatre/${encodeURIComponent(state.game).replace(/%3A/g, ":").replace(/%3D/g, "=").replace(/%2C/g, ",")}${query ? `?${query}` : ""}`;
}

/** The question to the server: this search after `at` simulations. */
export function question(state, number, at, known) {
  const { table, ply, position, steps, game, moves, seed, simulations, children, levels } = state;
  const where = table ? { table, ply, steps } : position ? { position: parsed(position), steps } : { game, moves };
  return { ...where, seed, simulations, top: children, depth: levels, at, known, settings: state.searches[number] };
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return text; } // which the server refuses
}

/** How a game is named in an address, as on the command line: NAME:option=value. `usual`: what need not be said, by option. */
export function specOf({ name, options }, usual = {}) {
  const told = Object.entries(options).filter(([option, value]) => usual[option] !== value).map(([option, value]) => `${option}=${/[,"]/.test(value) ? JSON.stringify(value) : value}`);
  return told.length ? `${name}:${told.join(",")}` : name;
}

/** The theatre of a position on the page: `where` is how analyses name it. Without chance its moves tell it, to anybody; with
    chance it is a position of a game of this server. */
export function addressOf(game, where, steps, usual) {
  const state = { game: specOf(game, usual), searches: [{}] };
  if (where.table && !game.chance && !where.steps?.length) state.moves = steps;
  else if (where.table) Object.assign(state, { table: where.table, ply: where.ply, steps: where.steps });
  else Object.assign(state, { position: JSON.stringify(where.position), steps: where.steps });
  return theatreAddress(state);
}
