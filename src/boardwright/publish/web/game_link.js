// A game as a piece of an address. Each step is its place among what was legal there, in as few bits as that takes: a move
// without a choice takes none. Before it stand the rules' digest, the seed, who sits where and what was noted; behind it a
// checksum, so that a link that lost its end is not taken for another game.

import { canGoOn } from "./players.js";
import { HUMAN, Refused, Table } from "./tables.js";

const FORMAT = 1;
const HELP = ["undo", "hint"]; // what a game's note may say of help, a bit each
const MOST_PLIES = 100_000;

const bitsFor = (count) => (count > 1 ? 32 - Math.clz32(count - 1) : 0);

function checksum(bytes) {
  let [a, b] = [1, 0];
  for (const byte of bytes) { a = (a + byte) % 251; b = (b + a) % 251; }
  return [a, b];
}

class Writer {
  constructor() { this.bytes = []; this.filled = 8; } // bits of the last byte that are used

  bits(number, count) {
    for (let i = count - 1; i >= 0; i--) {
      if (this.filled === 8) { this.bytes.push(0); this.filled = 0; }
      this.bytes[this.bytes.length - 1] |= Math.floor(number / 2 ** i) % 2 << (7 - this.filled++);
    }
  }

  /** A whole number of any size, seven bits a byte. */
  whole(number) {
    for (; number >= 128; number = Math.floor(number / 128)) this.bits(128 + number % 128, 8);
    this.bits(number, 8);
  }
}

class Reader {
  constructor(bytes) { this.bytes = bytes; this.at = 0; }

  bits(count) {
    let number = 0;
    for (; count > 0; count--, this.at++) {
      if (this.at >> 3 >= this.bytes.length) throw notWhole();
      number = 2 * number + (this.bytes[this.at >> 3] >> (7 - this.at % 8) & 1);
    }
    return number;
  }

  whole() {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bits(8);
      number += byte % 128 * scale;
      if (!Number.isSafeInteger(number)) throw notWhole();
      if (byte < 128) return number;
    }
  }
}

const notWhole = () => new Refused("this link is not whole: copy all of it, to its last letter");

const written = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

function read(code) {
  try { return Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0)); } catch { throw notWhole(); }
}

/** The game so far, as letters, digits, - and _. */
export function linkOf(table) {
  const out = new Writer(), { strengths } = table.game.facts;
  if (!canGoOn(table) && !table.isOver) throw new Refused("this game cannot go on here, nor where a link would take it", 409);
  out.bits(FORMAT, 8);
  out.bits(parseInt(table.game.told.digest.slice(0, 8), 16), 32);
  out.whole(table.seed);
  for (const seat of table.seats) out.whole(seat === HUMAN ? 0 : 1 + strengths.findIndex((one) => one.player === seat)); // who is gone is a person now
  out.whole(table.resigned === null ? 0 : table.resigned + 1);
  for (const help of HELP) out.bits(Number(table.note.includes(help)), 1);
  out.whole(table.plies.length);
  table.plies.forEach(({ step }, i) => {
    const { choices } = table.positions[i].facts;
    out.bits(choices.indexOf(step), bitsFor(choices.length));
  });
  const parts = [...out.bytes, ...checksum(out.bytes)];
  return Array.from({ length: Math.ceil(parts.length / 3000) }, (_, i) => written(parts.slice(3000 * i, 3000 * i + 3000))).join("");
}

/** The game that a link tells: a table of its own, or a sentence why there is none. */
export async function tableOfLink(code, game) {
  const all = read(code), bytes = all.slice(0, -2), sum = checksum(bytes);
  if (all.length < 3 || all.at(-2) !== sum[0] || all.at(-1) !== sum[1]) throw notWhole();
  const from = new Reader(bytes);
  if (from.bits(8) !== FORMAT) throw new Refused("this link was made by a newer version of this page: ask for its author's site", 409);
  if (from.bits(32) !== parseInt(game.told.digest.slice(0, 8), 16)) throw new Refused("this link is of a game by other rules than this site has now", 409);
  const seed = from.whole(), { strengths } = game.facts;
  const seats = Array.from({ length: game.facts.players }, () => {
    const number = from.whole();
    if (number > strengths.length) throw new Refused("this link names a player that this site does not have", 409);
    return number ? strengths[number - 1].player : HUMAN;
  });
  const resigned = from.whole(), help = HELP.filter(() => from.bits(1)), count = from.whole();
  if (resigned > seats.length || count > MOST_PLIES) throw notWhole();
  const table = new Table(game, seats, seed);
  for (let i = 0; i < count; i++) {
    const { choices } = table.position.facts;
    if (table.position.isOver) throw notWhole();
    const place = from.bits(bitsFor(choices.length));
    if (place >= choices.length) throw notWhole();
    await table.take(choices[place]);
  }
  if (table.position.isChance) throw notWhole();
  table.resigned = resigned ? resigned - 1 : null;
  table.note = [resigned && `player ${resigned} resigned`, help.length && `assisted: ${help.join(", ")}`].filter(Boolean).join("; ");
  return table;
}
