// Addresses within the page: #/ (home), #/game/ID, #/study, #/library, #/watch.

export function readAddress(hash) {
  const [, place = "", id = ""] = hash.split("/");
  return { place, id };
}

export const gameAddress = (id) => `#/game/${id}`;
