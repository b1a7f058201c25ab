// Input: what pointing at a cell, choosing it, swiping or turning means. One for boards of cells, one for tiles that are
// turned and laid, one for sliding. All they know of the rules is the list of legal moves that came with the picture.

import { announce, s } from "./dom.js";
import { fly, lay, still } from "./motion.js";
import { shade } from "./labels.js";
import { continuations, spelled } from "./spelling.js";

export function makeInput(board, view, playable) {
  const kind = view.hover?.kind;
  if (kind === "tile") return new TileInput(board, view, playable);
  if (kind === "slide") return new SlideInput(board, view);
  return new CellInput(board, view);
}

/** Cells whose names, one after the other, spell a move: "h8", "5B" and "2", "e2" and "e4". */
class CellInput {
  constructor(board, view) {
    this.board = board;
    this.view = view;
    this.chosen = [];
    const { paths, alike = {} } = view.hover || {}; // the server knows what each move changes, or its text tells
    this.moves = paths ? new Map(Object.entries(paths)) : spelled(view.moves, [...board.cells.values()]); // move -> names
    this.picky = [...this.moves.values()].some((names) => names.length > 1); // a board of parts, not a plain grid
    this.alike = alike; // cells that may be chosen in any order
    this.next = continuations(this.moves, this.chosen, alike);
    this.shown = "";
  }

  help() { return this.picky ? "Board: choose a tile or piece, then where it goes" : "Board"; }
  start() { return this.picky ? this.next.keys().next().value : middleOf(this.board); }
  opens(name) { return this.next.has(this.#meant(name)) || this.#loose(name); }

  /** Whether a cell was chosen in no order, so that it can be put back. */
  #loose(name) { return Boolean(this.alike[name]) && this.chosen.includes(name); }

  /** The cell that a click on this one means: where moves are columns, the one that a piece falls to. */
  #meant(name) { return this.view.hover?.columns?.[name] ?? name; }

  enter(name) {
    const { ghost, paths, lands, leads, columns } = this.view.hover || {};
    const column = columns?.[name];
    name = column ?? name;
    if (this.shown === name) return;
    this.leave();
    this.shown = name;
    if (!this.next.has(name)) return;
    const move = this.next.get(name);
    if (column) for (const [one, to] of Object.entries(columns)) if (to === column) this.#outline(one, "strip");
    if (paths && move) this.lead(leads?.[move] || [], name);
    const at = paths ? lands?.[move] : !this.chosen.length && name;
    if (move && ghost && at) {
      if (at !== name) this.#outline(name, "pointed");
      const [x, y] = this.board.centre(at);
      const stone = s("g.stone", { transform: `translate(${x} ${y})` });
      stone.innerHTML = ghost;
      this.board.layers.ghost.append(stone);
      return;
    }
    this.#outline(name, "pointed");
    const told = this.view.hover?.preview?.[move];
    if (told) this.board.showTip(name, told.words);
    else if (this.picky && !this.chosen.length && !this.alike[name]) this.board.showTip(name, move || `${this.#count(name)} ${this.#count(name) === 1 ? "place" : "places"}`);
  }

  /** Mark the cells that a move changes, but for the one pointed at. */
  lead(names, but = "") { for (const name of names) if (name !== but) this.#outline(name, "lead"); }

  #count(name) { return [...this.moves.values()].filter((names) => names[0] === name).length; }

  #outline(name, kind) {
    for (const part of this.board.cells.get(name)?.parts || [])
      this.board.layers.ghost.append(s(`rect.${kind}`, { x: part.x - 2, y: part.y - 2, width: part.w + 4, height: part.h + 4, rx: 8 }));
  }

  leave() {
    if (!this.shown) return;
    this.shown = "";
    this.board.layers.ghost.replaceChildren();
    this.board.hideTip();
  }

  /** Show on the board what a move does that is a button beside it. */
  preview(move) { this.leave(); this.shown = move; this.lead(this.view.hover?.leads?.[move] || []); }

  choose(name) {
    name = this.#meant(name);
    if (this.#loose(name)) { this.#putBack(name); return; }
    if (!this.next.has(name)) {
      if (this.chosen.length) { this.cancel(); if (this.next.has(name)) this.choose(name); else announce("No move ends there."); return; }
      if (this.view.moves.length) announce(`${name} cannot be chosen.`);
      return;
    }
    const move = this.next.get(name);
    if (move) { this.board.onmove(move); return; }
    this.chosen.push(name);
    this.#after();
    announce(`${name} chosen; ${this.next.size} places can be chosen.`);
    if (!this.alike[name]) this.board.goTo(this.next.keys().next().value);
  }

  #putBack(name) {
    this.chosen = this.chosen.filter((one) => one !== name);
    this.#after();
    announce(`${name} put back; ${this.chosen.join(", ") || "nothing"} chosen.`);
  }

  /** The tiles that a move takes go where it puts them. */
  animate(move) {
    const names = this.moves.get(move) || [];
    return names.length === 2 ? fly(this.board.svg, ...names) : Promise.resolve();
  }

  cancel() {
    if (!this.chosen.length) return false;
    this.chosen = [];
    this.#after();
    announce("Nothing chosen.");
    return true;
  }

  #after() {
    this.next = continuations(this.moves, this.chosen, this.alike);
    this.leave();
    const layer = this.board.layers.places;
    layer.replaceChildren();
    for (const name of this.chosen)
      for (const part of this.board.cells.get(name).parts) layer.append(s("rect.chosen", { x: part.x - 3, y: part.y - 3, width: part.w + 6, height: part.h + 6, rx: 9 }));
    if (this.chosen.length) {
      for (const [name, move] of this.next) {
        const part = this.board.cells.get(name).parts[0];
        layer.append(s("rect.target", { x: part.x - 3, y: part.y - 3, width: part.w + 6, height: part.h + 6, rx: 9 }));
        const told = this.view.hover?.preview?.[move];
        if (told) layer.append(s("text.gain", { x: part.x + part.w + 12, y: part.y + part.h / 2 + 5 }, gain(told)));
      }
    }
    this.board.renamed();
  }

  marks(layer, found, text) {
    const most = Math.max(...found.map((one) => one.visits), 1);
    if (this.picky) { this.#arrows(layer, found.slice(0, 5), text); return; }
    for (const [one, move] of eachOf(found).reverse()) {
      const names = this.moves.get(move);
      if (!names) continue;
      const [x, y] = this.board.centre(names[0]);
      const size = this.board.size(names[0]);
      const radius = size * (0.26 + 0.22 * Math.sqrt(one.visits / most));
      layer.append(s(`g.mark.${shade(one.label)}`, {},
        s("circle", { cx: x, cy: y, r: radius }),
        s("text", { x, y: y + size * 0.11, "font-size": size * 0.31 }, text(one))));
    }
  }

  #arrows(layer, found, text) {
    found.slice().reverse().forEach((one, back) => {
      const names = this.moves.get(one.move);
      if (!names) return;
      const rank = found.length - back;
      const [x, y] = this.board.centre(names[0]);
      const [u, v] = this.board.centre(names.at(-1));
      const bend = (rank - 3) * 22;
      layer.append(s(`g.mark.arrow.${shade(one.label)}`, {},
        s("path", { d: `M${x} ${y}Q${(x + u) / 2 + bend} ${(y + v) / 2} ${u} ${v}` }),
        s("circle", { cx: u, cy: v, r: 15 }), s("text", { x: u, y: v + 5, "font-size": 14 }, String(rank)),
        s("circle", { cx: x, cy: y, r: 9 }), s("text", { x, y: y + 4, "font-size": 11 }, String(rank)),
        s("title", {}, `${one.move}: ${text(one)}`)));
    });
  }

  line(layer, steps) {
    if (this.picky) { if (steps[0]) for (const name of this.moves.get(steps[0].text) || []) this.#outline(name, "pointed"); return; }
    steps.slice(0, 8).forEach((step, i) => {
      const { paths } = this.view.hover || {}; // of this position's moves only
      const name = paths ? i === 0 && paths[step.text]?.at(-1) : step.text;
      const at = name && this.board.centre(name);
      if (!at) return;
      const size = this.board.size(name);
      layer.append(s(`g.seq.by${step.by}`, {}, s("circle", { cx: at[0], cy: at[1], r: size * 0.4 }),
        s("text", { x: at[0], y: at[1] + size * 0.13, "font-size": size * 0.36 }, String(i + 1))));
    });
  }
}

function gain(told) {
  const sum = told.points + told.floor;
  return sum > 0 ? `+${sum}` : sum < 0 ? `−${-sum}` : told.fills ? "±0" : "·";
}

function middleOf(board) {
  const names = [...board.cells.keys()];
  return names[Math.floor(names.length / 2)];
}

/** A tile in hand that is turned and laid on squares. */
class TileInput {
  constructor(board, view, playable) {
    this.board = board;
    this.hover = view.hover;
    this.view = view;
    this.looks = this.hover.looks.map((squares) => ({
      squares,
      wide: Math.max(...squares.map(([x]) => x)) + 1,
      tall: Math.max(...squares.map(([, y]) => y)) + 1,
    }));
    this.legal = this.looks.map(() => new Map());
    for (const [turn, x, y, level] of this.hover.places) this.legal[turn].set(`${x},${y}`, { x, y, level });
    if (board.turn >= this.looks.length) board.turn = 0;
    this.at = null;
    if (playable) this.#dots();
  }

  get look() { return this.looks[this.board.turn]; }
  help() { return this.looks.length ? `Table: lay the ${this.hover.digit}. R turns it, brackets go to its places, Enter lays it` : "Table"; }
  start() { return this.following("", 1) || middleOf(this.board); }
  opens(name) { return this.looks.length > 0 && this.#placeAt(name)?.legal; }

  /** The place nearest to a square that the tile's middle would cover. */
  #placeAt(name) {
    if (!this.look) return null;
    const [px, py] = name.split(",").map(Number);
    const x0 = px - Math.floor((this.look.wide - 1) / 2);
    const y0 = py - Math.floor((this.look.tall - 1) / 2);
    const legal = this.legal[this.board.turn];
    let best = null, least = 9;
    for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) {
      const found = legal.get(`${x0 + dx},${y0 + dy}`);
      const far = dx * dx + dy * dy;
      if (found && far < least) { least = far; best = found; }
    }
    return best ? { ...best, legal: true } : { x: x0, y: y0, level: 0, legal: false };
  }

  enter(name) {
    const place = this.#placeAt(name);
    if (!place) return;
    const key = `${this.board.turn}@${place.x},${place.y}`;
    this.over = name;
    if (this.at === key) return;
    this.at = key;
    this.#ghost(place, name);
  }

  /** The tile as it would lie there. */
  #tile(look, place, kind) {
    const { unit, origin, colour } = this.hover;
    return s(`g.tile${kind}`, {}, look.squares.map(([x, y]) => s("rect", { x: origin[0] + (place.x + x) * unit + 1, y: origin[1] + (place.y + y) * unit + 1, width: unit - 2, height: unit - 2, rx: 4, fill: colour })));
  }

  animate(move) {
    const read = /^(\d+)@(-?\d+),(-?\d+)$/.exec(move), look = read && this.looks[read[1] / 90];
    if (!look) return Promise.resolve();
    this.leave();
    this.board.layers.places.replaceChildren();
    return lay(this.board.layers.ghost, this.#tile(look, { x: Number(read[2]), y: Number(read[3]) }, ""), this.hover.unit);
  }

  #ghost(place, name) {
    const { digit } = this.hover;
    const tile = this.#tile(this.look, place, place.legal ? "" : ".wrong");
    const words = place.legal ? `level ${place.level}${place.level ? ` · +${place.level * digit}` : ""}` : "no place";
    this.board.layers.ghost.replaceChildren(tile);
    const shown = `${place.x + Math.floor(this.look.wide / 2)},${place.y}`;
    this.board.showTip(this.board.cells.has(shown) ? shown : name, words);
  }

  leave() {
    this.at = null;
    this.board.layers.ghost.replaceChildren();
    this.board.hideTip();
  }

  choose(name) {
    const place = this.#placeAt(name);
    if (!place) return;
    if (place.legal) this.board.onmove(`${90 * this.board.turn}@${place.x},${place.y}`);
    else { this.enter(name); announce("The tile cannot lie there."); }
  }

  cancel() { this.leave(); return false; }

  turn(by = 1) {
    if (this.looks.length < 2) return false;
    this.board.turn = (this.board.turn + by + this.looks.length) % this.looks.length;
    this.at = null;
    this.board.layers.ghost.replaceChildren();
    this.#dots();
    this.board.renamed();
    if (this.over) this.enter(this.over);
    this.board.onturn();
    announce(`Turned to ${90 * this.board.turn} degrees; ${this.legal[this.board.turn].size} places.`);
    return true;
  }

  wheel(delta) { return this.board.playable && this.turn(delta > 0 ? 1 : -1); }

  /** Where the tile may lie, at a glance: a dot for its middle, a number for a level above the table. */
  #dots() {
    const layer = this.board.layers.places;
    layer.replaceChildren();
    if (!this.look) return;
    const { unit, origin } = this.hover;
    for (const { x, y, level } of this.legal[this.board.turn].values()) {
      const cx = origin[0] + (x + Math.floor((this.look.wide - 1) / 2) + 0.5) * unit;
      const cy = origin[1] + (y + Math.floor((this.look.tall - 1) / 2) + 0.5) * unit;
      layer.append(s(`circle.dot.level${Math.min(level, 4)}`, { cx, cy, r: level ? 8 : 3 }));
      if (level) layer.append(s("text.dotted", { x: cx, y: cy + 4 }, String(level)));
    }
  }

  /** The square to point at for the next place, the highest first. */
  following(name, by) {
    if (!this.look) return null;
    const places = [...this.legal[this.board.turn].values()].sort((a, b) => b.level - a.level || a.y - b.y || a.x - b.x);
    const squares = places.map(({ x, y }) => `${x + Math.floor((this.look.wide - 1) / 2)},${y + Math.floor((this.look.tall - 1) / 2)}`);
    const at = squares.indexOf(name);
    return squares[(at + by + squares.length) % squares.length] ?? null;
  }

  #outline(turn, x, y) {
    const { unit, origin } = this.hover;
    return this.looks[turn].squares.map(([dx, dy]) => `M${origin[0] + (x + dx) * unit + 3} ${origin[1] + (y + dy) * unit + 3}h${unit - 6}v${unit - 6}h${6 - unit}z`).join("");
  }

  marks(layer, found, text) {
    const shown = found.slice(0, 4);
    shown.slice().reverse().forEach((one, back) => {
      const read = /^(\d+)@(-?\d+),(-?\d+)$/.exec(one.move);
      if (!read) return;
      const [turn, x, y] = [read[1] / 90, Number(read[2]), Number(read[3])];
      const rank = shown.length - back;
      const { unit, origin } = this.hover;
      const look = this.looks[turn];
      const [sx, sy] = look.squares[Math.floor(look.squares.length / 2)];
      const cx = origin[0] + (x + sx + 0.5) * unit, cy = origin[1] + (y + sy + 0.5) * unit;
      layer.append(s(`g.mark.lay.${shade(one.label)}`, {}, s("path", { d: this.#outline(turn, x, y) }),
        s("circle", { cx, cy, r: 11 }), s("text", { x: cx, y: cy + 4.5, "font-size": 13 }, String(rank)), s("title", {}, `${one.move}: ${text(one)}`)));
    });
  }

  line(layer, steps) {
    const read = /^(\d+)@(-?\d+),(-?\d+)$/.exec(steps[0]?.text || "");
    if (!read || !this.looks[read[1] / 90]) return;
    layer.append(s("path.trial", { d: this.#outline(read[1] / 90, Number(read[2]), Number(read[3])), fill: this.hover.colour }));
  }
}

/** Slides: arrows and swipes. */
class SlideInput {
  constructor(board, view) {
    this.board = board;
    this.hover = view.hover;
    this.moves = view.moves;
  }

  help() { return "Board: the arrow keys slide the tiles"; }
  start() { return this.board.cells.keys().next().value; }
  opens() { return false; }
  enter() {}
  leave() {}
  choose() {}
  cancel() { return false; }
  swipe(way) { this.slide(way); }

  slide(way) {
    if (!this.board.playable) return;
    if (!this.moves.includes(way)) { announce(`Nothing can go ${way}.`); return; }
    this.board.onmove(way);
  }

  /** Let the tiles go where the slide takes them; the promise ends with the movement. */
  animate(way) {
    const moving = this.hover.slides[way] || [];
    if (still() || !moving.length) return Promise.resolve();
    const { step } = this.hover;
    const done = moving.map(([cell, columns, rows]) => {
      const tile = this.board.svg.querySelector(`[data-tile="${cell}"]`);
      const far = Math.max(Math.abs(columns), Math.abs(rows));
      return tile?.animate([{ transform: "none" }, { transform: `translate(${columns * step}px, ${rows * step}px)` }],
        { duration: 70 + 18 * far, easing: "ease-out", fill: "forwards" }).finished;
    });
    return Promise.all(done);
  }

  /** The tile that chance put there, and those that merged, grow into their places. */
  arrive(before, way, fresh) {
    if (still()) return;
    const pop = (cell, from) => {
      const tile = this.board.svg.querySelector(`[data-tile="${cell}"]`);
      if (!tile) return;
      const box = tile.getBBox();
      tile.style.transformOrigin = `${box.x + box.width / 2}px ${box.y + box.height / 2}px`;
      tile.animate([{ transform: `scale(${from})` }, { transform: "scale(1)" }], { duration: 140, easing: "ease-out" });
    };
    if (fresh) pop(fresh, 0.3);
    for (const [cell, columns, rows, merges] of before?.slides[way] || []) if (merges) pop(shifted(cell, columns, rows), 1.12);
  }

  marks(layer, found, text) {
    const box = this.board.box;
    const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
    const ways = { up: [0, -1, 0], right: [1, 0, 90], down: [0, 1, 180], left: [-1, 0, 270] };
    const most = Math.max(...found.map((one) => one.visits), 1);
    for (const [one, move] of eachOf(found)) {
      const way = ways[move];
      if (!way) continue;
      const x = cx + way[0] * box.width * 0.38, y = cy + way[1] * box.height * 0.38;
      const size = 26 + 16 * Math.sqrt(one.visits / most);
      layer.append(s(`g.mark.way.${shade(one.label)}`, {},
        s("path", { d: `M0 ${-size}L${size} ${size * 0.7}H${-size}z`, transform: `translate(${x} ${y}) rotate(${way[2]})` }),
        s("text", { x, y: y + 6, "font-size": 17 }, text(one))));
    }
  }

  line() {}
}

/** Each candidate with its move, and with those that are the same move. */
const eachOf = (found) => found.flatMap((one) => [one.move, ...one.alike || []].map((move) => [one, move]));

function shifted(cell, columns, rows) {
  return String.fromCharCode(cell.charCodeAt(0) + columns) + (Number(cell.slice(1)) - rows);
}
