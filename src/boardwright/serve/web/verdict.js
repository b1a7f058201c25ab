// How a race stands, in words. No page is needed to run this: tests/js does.

/** `ended`: this game is over; `over`: the other is; `behind`: the other has not come as far as this position. */
export function verdict({ ended, over, behind, own, other, name }) {
  if (ended && own !== undefined) return own === other ? "A tie" : own > other ? `You win the race by ${own - other}` : `${name} wins the race by ${other - own}`;
  if (ended && !over) return "You are done; the other still plays";
  return behind && !over ? "Still thinking about this move" : "After as many moves";
}
