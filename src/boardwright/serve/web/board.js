// The board: a picture from the server, and above it a grid of cells that can be pointed at, focused and heard.
// What a pointer or a key means is up to its input (input.js); what a move is, only the server knows.

import { h, s } from "./dom.js";
import { beside, inRows, joined, middle, overlap, swipeWay } from "./geometry.js";
import { makeInput } from "./input.js";
import { nameSeats, toldList } from "./told.js";

export class Board {
  /** `onmove(text)` hears what a person plays; `onturn()` that the tile in hand was turned. */
  constructor({ onmove, onturn = () => {}, onnews = () => {} }) {
    this.onmove = onmove;
    this.onturn = onturn;
    this.onnews = onnews;
    this.turn = 0;
    this.cells = new Map();
    this.focused = "";
    this.tip = h("div.tip", { "aria-hidden": "true" });
    this.element = h("div.board", {}, this.tip);
    this.element.addEventListener("pointermove", (event) => this.#point(event));
    this.element.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") this.input?.leave(); });
    this.element.addEventListener("pointerdown", (event) => { this.pointed = true; this.pressed = { x: event.clientX, y: event.clientY, name: this.#cellAt(event) }; });
    this.element.addEventListener("pointerup", (event) => this.#release(event));
    this.element.addEventListener("wheel", (event) => { if (this.input?.wheel?.(event.deltaY)) event.preventDefault(); }, { passive: false });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("keyup", (event) => { if (event.key === "Tab") this.pointed = false; });
    this.element.addEventListener("focusin", (event) => this.#focus(event));
  }

  /** Show a position. `playable`: moves may be made on it. `names`: what each seat is called. */
  show(view, { playable, label, names = [] }) {
    const had = this.element.contains(document.activeElement);
    const svg = picture(view.svg);
    this.svg?.remove();
    this.svg = svg;
    this.view = view;
    this.playable = playable;
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", label);
    this.element.prepend(svg);
    nameSeats(svg, names);
    this.told?.remove();
    this.told = toldList(svg, names);
    if (this.told) this.element.append(this.told);
    this.box = svg.viewBox.baseVal;
    this.element.style.setProperty("--ratio", this.box.width / this.box.height);
    this.#lay(svg);
    this.layers = {};
    for (const name of ["places", "spots", "ghost", "marks"]) this.layers[name] = svg.insertBefore(s(`g.${name}`, { "aria-hidden": "true" }), this.grid);
    this.hideTip();
    this.input = makeInput(this, view, playable);
    this.#mark(view.hover.last || []);
    this.#name();
    if (!this.cells.has(this.focused) || (this.input.picky && !this.input.opens(this.focused))) this.focused = this.input.start() || this.cells.keys().next().value || "";
    this.#rove(this.focused, had);
  }

  /** The cells of the picture, each with its place in the picture's own units; one grid of rows above all. */
  #lay(svg) {
    const drawn = s("g", { "aria-hidden": "true" });
    drawn.append(...svg.childNodes);
    svg.append(drawn);
    const screen = svg.getScreenCTM();
    const home = screen ? screen.inverse() : null;
    this.cells = new Map();
    const known = new Map(); // parent -> where its children are: asked for each of thousands of cells it takes long
    const whereIs = (element) => { const own = element.getScreenCTM(); return home && own ? home.multiply(own) : { a: 1, d: 1, e: 0, f: 0 }; };
    for (const element of drawn.querySelectorAll("[data-cell],[data-move]")) {
      const name = element.dataset.cell || element.dataset.move;
      const box = boxOf(element), parent = element.parentNode;
      const moved = element.localName !== "rect" || element.hasAttribute("transform") || element.hasAttribute("style");
      if (!moved && !known.has(parent)) known.set(parent, whereIs(element));
      const to = moved ? whereIs(element) : known.get(parent);
      const part = { x: box.x * to.a + to.e, y: box.y * to.d + to.f, w: box.width * to.a, h: box.height * to.d };
      const cell = this.cells.get(name);
      const twin = cell?.parts.find((one) => overlap(one, part));
      if (twin) Object.assign(twin, joined(twin, part)); // a stack is one place
      else if (cell) cell.parts.push(part);
      else this.cells.set(name, { name, move: element.dataset.move, holds: element.dataset.holds || "", label: element.dataset.label || "", parts: [part] });
    }
    this.grid = s("g.grid");
    const rows = inRows([...this.cells.values()]);
    if (rows.length) this.grid.setAttribute("role", "grid");
    for (const row of rows) {
      const line = s("g", { role: "row" });
      for (const cell of row) {
        cell.parts.forEach((part, number) => {
          const rect = s("rect.cell", { x: part.x, y: part.y, width: part.w, height: part.h, rx: Math.min(part.w, part.h) * 0.14 });
          rect.dataset.name = cell.name;
          if (number === 0) { rect.setAttribute("role", "gridcell"); rect.setAttribute("tabindex", "-1"); cell.rect = rect; }
          else rect.setAttribute("aria-hidden", "true");
          line.append(rect);
          (cell.rects ||= []).push(rect);
        });
      }
      this.grid.append(line);
    }
    svg.append(this.grid);
  }

  #name() {
    if (this.cells.size) this.grid.setAttribute("aria-label", this.input.help()); // at the end there may be nothing to choose
    for (const cell of this.cells.values()) {
      const legal = this.playable && this.input.opens(cell.name);
      cell.rect.setAttribute("aria-label", `${cell.name}${cell.label ? ": " + cell.label : ""}${cell.holds ? ", " + cell.holds : ""}${legal ? ", can be chosen" : ""}`);
      for (const rect of cell.rects) rect.classList.toggle("open", Boolean(legal));
    }
  }

  /** Cells have changed their meaning: something was chosen, or a tile turned. */
  renamed() { this.#name(); }

  #mark(spots) {
    for (const spot of spots) {
      const element = this.svg.querySelector(`[data-spot="${CSS.escape(spot)}"]`);
      if (!element) continue;
      const box = element.getBBox();
      this.layers.spots.append(s("rect.spot", { x: box.x - 4, y: box.y - 4, width: box.width + 8, height: box.height + 8, rx: spot.startsWith("from") ? box.height / 2 + 4 : 9 }));
    }
  }

  // Pointing

  #cellAt(event) { return event.target.dataset?.name; }

  #point(event) {
    if (event.pointerType === "touch") return;
    const name = this.#cellAt(event);
    if (name === undefined) { this.input?.leave(); return; }
    if (this.playable) this.input.enter(name);
    this.onnews(name);
  }

  #release(event) {
    const from = this.pressed;
    this.pressed = null;
    if (!from || !this.input || event.button > 0) return;
    const dx = event.clientX - from.x;
    const dy = event.clientY - from.y;
    if (this.input.swipe && Math.hypot(dx, dy) > 24) {
      this.input.swipe(swipeWay(dx, dy));
      return;
    }
    const name = this.#cellAt(event);
    if (name === undefined) { this.input.cancel(); return; }
    if (name !== from.name) return; // pressed here and let go elsewhere: no decision
    this.#rove(name, false);
    if (!this.playable) return;
    // A fingertip covers small cells: the first touch shows, the second plays.
    const small = event.target.getBoundingClientRect().width < 34;
    if (event.pointerType === "touch" && small && this.touched !== name) { this.touched = name; this.input.enter(name); return; }
    this.touched = "";
    this.input.choose(name);
  }

  // Keys

  #focus(event) {
    const name = event.target.dataset?.name;
    if (name === undefined) return;
    this.focused = name;
    if (this.playable && event.target.matches(":focus-visible")) this.input.enter(name);
  }

  #rove(name, grab) {
    const old = this.cells.get(this.focused);
    old?.rect.setAttribute("tabindex", "-1");
    const cell = this.cells.get(name);
    if (!cell) return;
    this.focused = name;
    cell.rect.setAttribute("tabindex", "0");
    if (grab) cell.rect.focus({ preventScroll: true });
  }

  focus() { this.pointed = false; this.#rove(this.focused, true); }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (way && this.input.swipe) return; // the page slides, wherever the focus is
    // Who came here by pointing, and has nothing in hand, did not choose a cell to go on from: the keys are the page's.
    if (this.pointed && (way || ["Enter", "Home", "End"].includes(event.key)) && !this.input.chosen?.length) return;
    if (way) {
      const next = this.#beside(way);
      if (next) this.#rove(next, true);
    } else if (event.key === "Home" || event.key === "End") {
      const names = [...this.cells.keys()];
      this.#rove(event.key === "Home" ? names[0] : names.at(-1), true);
    } else if (event.key === "Enter" && this.cells.size) { // not Space, which replays: nobody moves by accident
      if (this.playable) this.input.choose(this.focused);
    } else if (event.key === "Escape") {
      if (!this.input.cancel()) return;
    } else if (event.key === "]" || event.key === "[") {
      const next = this.input.following?.(this.focused, event.key === "]" ? 1 : -1);
      if (next) this.#rove(next, true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The nearest cell in a direction; among those that can be chosen, where the board is no plain grid. */
  #beside(way) {
    const here = this.cells.get(this.focused);
    if (!here) return null;
    const open = [...this.cells.values()].filter((cell) => !this.input.picky || this.input.opens(cell.name));
    return beside(here, open, way)?.name ?? null;
  }

  goTo(name) { this.#rove(name, this.element.contains(document.activeElement)); }

  // What is drawn above the picture

  centre(name) {
    const cell = this.cells.get(name);
    return cell ? middle(cell.parts[0]) : null;
  }

  size(name) {
    const part = this.cells.get(name)?.parts[0];
    return part ? Math.min(part.w, part.h) : 30;
  }

  showTip(name, text) {
    const part = this.cells.get(name)?.parts[0];
    if (!part) return;
    const scale = this.svg.getBoundingClientRect().width / this.box.width;
    this.tip.textContent = text;
    this.tip.style.left = `${(part.x - this.box.x + part.w / 2) * scale}px`;
    this.tip.style.top = `${(part.y - this.box.y) * scale}px`;
    this.tip.classList.toggle("low", (part.y - this.box.y) * scale < 40);
    this.tip.classList.add("shown");
  }

  hideTip() { this.tip.classList.remove("shown"); }

  /** Candidates on the board: colour by loss, size by visits. `text(candidate)` is what is written on each. */
  candidates(found, text) {
    this.layers.marks.replaceChildren();
    if (found.length) this.input.marks(this.layers.marks, found, text);
  }

  /** A line of moves, numbered. */
  line(steps) {
    this.layers.ghost.replaceChildren();
    this.layers.marks.classList.toggle("dim", steps.length > 0);
    this.input.line?.(this.layers.ghost, steps);
  }
}

/** A symbol's own box, not that of what it clips away. */
function boxOf(element) {
  if (element.localName === "use" && element.hasAttribute("width"))
    return { x: element.x.baseVal.value, y: element.y.baseVal.value, width: element.width.baseVal.value, height: element.height.baseVal.value };
  return element.getBBox();
}

const SHEET = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, SHEET];

/** The server's SVG as an element. A game file draws what it likes, so whatever could act or call out is dropped;
 *  styles go in through the CSSOM, as the page allows no inline ones. */
export function picture(text) {
  // What the page's policy would block, and note in the console, is renamed before it is read.
  const tame = text.replace(/<\/?[a-zA-Z][^<>]*>/g, (tag) => tag.replace(/\s(style|on[a-z]+)\s*=/gi, " data-own-$1=").replace(/^<(\/?)(style|script)\b/i, "<$1own-$2"));
  const read = new DOMParser().parseFromString(tame, "image/svg+xml").documentElement;
  if (read.nodeName !== "svg") return s("svg", { viewBox: "0 0 300 60" }, s("text", { x: 20, y: 35 }, "This game's picture is no SVG."));
  const svg = clean(read);
  if (!svg.getAttribute("viewBox")) svg.setAttribute("viewBox", `0 0 ${parseFloat(svg.getAttribute("width")) || 300} ${parseFloat(svg.getAttribute("height")) || 300}`);
  return svg;
}

const NEVER = new Set(["own-script", "script", "style", "foreignObject", "iframe", "object", "embed", "animate", "set", "animateTransform", "animateMotion", "a", "image"]);

function clean(node) {
  const made = s(node.localName);
  for (const { name, value } of node.attributes) {
    if (name.startsWith("on") || name.startsWith("data-own-on") || name.startsWith("xmlns")) continue;
    if (name.endsWith("href") && !value.startsWith("#")) continue;
    if (/url\((?!\s*['"]?#)/i.test(value)) continue;
    if (name === "data-own-style") made.style.cssText = value;
    else made.setAttribute(name.replace(/^xlink:/, ""), value);
  }
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.data);
    else if (child.nodeType === Node.ELEMENT_NODE && child.localName === "own-style") {
      if (!/url\(|@import/i.test(child.textContent)) SHEET.replaceSync(`@scope (.board, .mini) { ${child.textContent} }`);
    } else if (child.nodeType === Node.ELEMENT_NODE && !NEVER.has(child.localName)) made.append(clean(child));
  }
  return made;
}
