// Which seats of a game are played from this browser: all of its people's, until one is given away by a link or taken by one.

import { memory } from "./dom.js";

const MOST = 100; // games that are remembered

const all = () => memory.get("seats", []);
const kept = (id) => all().find(([game]) => game === id)?.[1];
const keep = (id, seats) => memory.set("seats", [...all().filter(([game]) => game !== id), [id, seats]].slice(-MOST));

/** Of the people's seats, those that are ours. */
export function mySeats(id, people) {
  const own = kept(id);
  return own ? people.filter((seat) => own.includes(seat)) : people;
}

/** Somebody opened the link of a seat: it is theirs, and no other. */
export function takeSeat(id, seat) { keep(id, [seat]); }

/** A link to a seat was made: it is no longer ours. */
export function giveSeat(id, people, seat) { keep(id, mySeats(id, people).filter((one) => one !== seat)); }

/** Play all seats from here again. */
export function takeAll(id) { memory.set("seats", all().filter(([game]) => game !== id)); }
