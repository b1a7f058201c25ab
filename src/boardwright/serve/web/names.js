// Who is who: seats by their side ("Black"), by their number, or as "You". No page is needed to run this: tests/js does.

/** A seat by its side, or by its number where sides have no names. */
export function sideOf(game, seat) {
  return game.sides?.[seat] || (game.players === 1 ? "You" : `Player ${seat + 1}`);
}

/** What each seat is called: "You" for the only one played here, a person's side, a player's name; with its side where two
    would be called the same, or with its number. `yours`: the seats that are played from this page. */
export function seatNames(table, yours) {
  const names = table.seats.map(({ player, name }, seat) => (player !== "human" ? name : yours.length === 1 && yours[0] === seat ? "You" : sideOf(table.game, seat)));
  return names.map((name, seat) => (names.indexOf(name) === names.lastIndexOf(name) ? name : table.game.sides?.[seat] ? `${name} (${sideOf(table.game, seat)})` : `${name} ${seat + 1}`));
}

/** A player's name with its side: "Medium (White)". A person is its side. */
export function fullName(table, seat) {
  const { name, player } = table.seats[seat];
  if (table.game.players === 1) return name;
  const side = sideOf(table.game, seat);
  return player === "human" ? side : `${name} (${table.game.sides?.[seat] ? side : side.toLowerCase()})`;
}

/** What stands on a seat's chip: a letter of its side, or its number. */
export function chipOf(game, seat) {
  return game.sides?.[seat]?.[0] ?? String(seat + 1);
}
