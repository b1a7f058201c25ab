// Addresses within the page: #/ (home), #/new/NAME, #/game/ID, #/game/ID/SEAT, #/game/ID/analysis, #/study, #/study/ID, #/exercises, #/library,
// #/watch, #/rules/NAME, #/shared/NAME/CODE (a published page: a whole game), and #/theatre/GAME?moves=... (theatre/state.js).

export function readAddress(hash) {
  const [path, query = ""] = hash.split("?");
  const [, place = "", id = "", seat = ""] = path.split("/");
  return { place, id, seat, query };
}

export const studyAddress = (id) => `#/study/${id}`;
export const rulesAddress = (name) => `#/rules/${encodeURIComponent(name)}`;
export const gameAddress = (id) => `#/game/${id}`;

/** What stands for a seat in the address of a game that is to be opened with its report. */
export const ANALYSIS = "analysis";

/** The address that holds a whole game. */
export const sharedAddress = (name, code) => `#/shared/${encodeURIComponent(name)}/${code}`;

/** The address by which somebody takes a seat; seats count from 0, people from 1. */
export const seatAddress = (id, seat) => `#/game/${id}/${seat + 1}`;
