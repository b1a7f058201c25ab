// The tree, drawn: a card a node with its board, visits and value, chance round, lines as thick as their share of visits.

import { dialog, h, s } from "../dom.js";
import { number, worth } from "../format.js";
import { picture } from "../board.js";
import { edge, layout } from "./layout.js";

const CARD = { w: 100, h: 132 }, ROOT = { w: 134, h: 166 }, ROUND = { w: 92, h: 92 }, SLIP = { w: 100, h: 46 };
// How large a tree is drawn, of its size: at least, so that it fits the height, in rows, at most. Where it does not fit one scrolls.
const SMALLEST = 0.65, LEGIBLE = 0.75, IN_ROWS = 0.85, LARGEST = 1.1;
export const SAMPLES = -3, OVER = -2; // what else `actor` can be

export const byChance = (actor) => actor < 0 && actor !== OVER;
export const percent = (share) => `${number(100 * share, share < 0.0995 ? 1 : 0)} %`;

export class Growth {
  constructor(name) {
    this.lines = s("svg.lines", { "aria-hidden": "true" });
    this.cards = h("div.cards");
    this.canvas = h("div.canvas", {}, this.lines, this.cards);
    this.sized = h("div.sized", {}, this.canvas);
    this.element = h("div.growth", { role: "group", "aria-label": name, tabIndex: 0 }, this.sized);
    this.drawn = new Map(); // by slot: the card, kept while its node is shown
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  forget() { this.drawn.clear(); }

  /** Show a tree. `stage`: {path, leaf, late: slots that are not there yet, before: whether numbers are those before the
      simulation, fresh: slots that came now}. */
  show(root, boards, stage, game) {
    this.game = game;
    const cut = (node) => ({ ...node, children: node.children.filter((child) => !stage.late.has(child.slot)).map(cut) });
    // Far down the path only the leaf has a board.
    const sizeOf = (node, level) => (byChance(node.actor) && node.children.length && level <= stage.depth ? ROUND
      : !level ? ROOT : level > stage.depth && node.slot !== stage.leaf ? SLIP : CARD);
    const { spots, width, height } = layout(cut(root), sizeOf, this.room / IN_ROWS);
    this.size = { width, height };
    this.lines.replaceChildren(...spots.filter((one) => one.parent).map((one) => this.#line(one, stage)).sort((a, b) => a.order - b.order).map((one) => one.path));
    const there = new Set();
    const cards = spots.map((one) => {
      const card = one.node ? this.#card(one.node, one.level, boards, stage) : h("span.pill", {}, `+${number(one.more)} more`);
      card.style.cssText = `left: ${one.x}px; top: ${one.y}px; width: ${one.w}px; height: ${one.h}px`;
      if (one.node) there.add(one.node.slot);
      if (one.node?.slot === stage.leaf) this.leaf = one;
      return card;
    });
    for (const slot of this.drawn.keys()) if (!there.has(slot)) this.drawn.delete(slot);
    this.cards.replaceChildren(...cards);
    this.fit();
    if (stage.leaf !== undefined) this.#follow();
  }

  get room() { return this.element.clientWidth - 26; }

  fit() {
    if (!this.size) return;
    const high = parseFloat(getComputedStyle(this.element).maxHeight) || Infinity;
    const scale = Math.max(SMALLEST, Math.min(LARGEST, this.room / this.size.width, Math.max(LEGIBLE, (high - 28) / this.size.height)));
    this.scale = scale;
    const { width, height } = this.size;
    this.canvas.style.cssText = `width: ${width}px; height: ${height}px; transform: scale(${scale})`;
    this.lines.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.sized.style.cssText = `width: ${width * scale}px; height: ${height * scale}px`;
  }

  /** Keep the leaf in sight. */
  #follow() {
    const { leaf, element, scale } = this;
    if (!leaf) return;
    const x = leaf.x * scale, y = leaf.y * scale;
    if (x < element.scrollLeft || x + leaf.w * scale > element.scrollLeft + element.clientWidth) element.scrollLeft = x + leaf.w * scale / 2 - element.clientWidth / 2;
    if (y < element.scrollTop || y + leaf.h * scale > element.scrollTop + element.clientHeight) element.scrollTop = y + leaf.h * scale - element.clientHeight + 30;
  }

  #line(one, stage) {
    const on = one.node && stage.path.has(one.node.slot);
    const actor = one.parent.node.actor;
    const path = s(`path.${byChance(actor) ? "draws" : `by${actor % 4}`}${on ? ".on" : ""}${one.node ? "" : ".rest"}`, { d: edge(one), "stroke-width": one.node ? (1.2 + 7 * one.node.share).toFixed(2) : 1.2 });
    return { path, order: on ? 1 : 0 };
  }

  #card(node, level, boards, stage) {
    const slip = level > stage.depth && node.slot !== stage.leaf;
    const round = byChance(node.actor) && node.children.length > 0 && !slip;
    const told = stage.before && node.before ? node.before : node;
    let card = this.drawn.get(node.slot);
    if (!card || card.round !== round) {
      const element = h(`button.node${round ? ".round" : ""}${level ? "" : ".top"}`, { type: "button" });
      element.dataset.slot = node.slot;
      card = { element, round, board: round ? null : boardOf(boards.get(node.slot)) };
      this.drawn.set(node.slot, card);
    }
    const { element } = card;
    element.classList.toggle("slip", slip);
    element.classList.toggle("on", stage.path.has(node.slot));
    element.classList.toggle("leaf", node.slot === stage.leaf);
    element.classList.toggle("fresh", stage.fresh.has(node.slot));
    element.dataset.visits = told.visits;
    const value = worth(told.value, this.game.points);
    const name = node.text || (node.actor >= 0 ? sideOf(this.game, node.actor) : "the root");
    const colour = node.text ? (node.by >= 0 ? `by${node.by % 4}` : "draws") : `by${Math.max(node.actor, 0) % 4}`;
    const odds = node.by < 0 && node.prior !== null ? percent(node.prior) : "";
    const proven = !stage.before || !node.before ? node.proven : "";
    element.setAttribute("aria-label", [name, odds && `odds ${odds}`, `${number(told.visits)} visits`, told.value === null ? "" : `value ${value} to ${sideOf(this.game, node.whose)}`, proven && `proven: ${proven}`].filter(Boolean).join(", "));
    element.onclick = () => this.#look(node, name, value, boards);
    const head = h("span.head", {}, h(`b.${colour}`, {}, name), odds ? h("small", {}, odds) : "");
    const numbers = h("span.numbers", {}, h("span", {}, h("i", {}, "N"), number(told.visits)), h("span", {}, value));
    if (round) {
      const ways = node.children.length + node.more;
      element.replaceChildren(head, numbers, h("small", {}, node.actor === SAMPLES ? `${ways} sample${ways === 1 ? "" : "s"}` : `${ways} outcomes`));
    } else element.replaceChildren(head, slip ? "" : card.board, numbers, proven ? h(`em.${proven}`, {}, proven) : "");
    return element;
  }

  /** A node, large. */
  #look(node, name, value, boards) {
    const prior = node.prior === null ? "" : node.by < 0 ? `Odds: ${percent(node.prior)}. ` : `Prior: ${number(node.prior, 3)}. `;
    dialog(name, h("div.mini", {}, boardOf(boards.get(node.slot))),
      h("p", {}, `${number(node.visits)} visits, ${percent(node.share)} of those that its siblings have. ${prior}${node.value === null ? "" : `Value: ${value} to ${sideOf(this.game, node.whose)}${node.proven ? `, proven: ${node.proven}` : ""}.`}`));
  }
}

export function sideOf(game, player) { return game.sides[player] || (game.players > 1 ? `Player ${player + 1}` : "You"); }

/** A board: the game's picture, or its words where it draws none. */
export function boardOf(text) {
  if (!text?.startsWith("<svg")) return h("span.mini.words", {}, text || "");
  return h("span.mini", { "aria-hidden": "true" }, picture(text));
}
