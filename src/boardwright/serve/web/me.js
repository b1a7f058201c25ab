// Who sits at this browser: a secret that it keeps, by which the server knows whose games are whose, and a name.

import { memory, served } from "./dom.js";
import { api } from "./api.js";
import { mySeats } from "./places.js";

/** 32 digits that nobody else has. */
export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** 32 digits, the same on every visit. */
export function person() {
  let kept = memory.get("person", "");
  if (!/^[0-9a-f]{32}$/.test(kept)) {
    kept = newId();
    memory.set("person", kept);
  }
  return kept;
}

export const myName = () => memory.get("name", "");

let sitting = Promise.resolve();

/** Settled when the server knows of every seat that was taken here: who lists games waits for it. */
export const seated = () => sitting;

/** Tell the server which seats of a game are played from here. */
export function sitDown(id, table) {
  if (!served) return;
  const people = table.seats.map((seat, i) => (seat.player === "human" ? i : -1)).filter((i) => i >= 0);
  const seats = mySeats(id, people);
  if (!seats.length) return;
  const told = api.post(`/api/tables/${id}/people`, { person: person(), name: myName(), seats }).catch(() => {}); // a list lacks a name: no reason to stop a game
  sitting = Promise.all([sitting, told]);
}
