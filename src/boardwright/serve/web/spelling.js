// Moves as the cells that spell them: "h8" is one cell, "5B2" the cells "5B" and "2", "e2-e4" the cells "e2" and "e4".

const MOST = 3; // cells a move
const plain = (text) => text.replace(/[\s\-–>x:]/g, "");

/** move -> the names of its cells; moves that no cells spell are left out, for the list of moves. */
export function spelled(moves, cells) {
  const direct = new Map(cells.filter((cell) => cell.move).map((cell) => [cell.move, cell.name]));
  const names = cells.map((cell) => cell.name).sort((a, b) => b.length - a.length);
  const split = (rest, most) => {
    if (!rest) return [];
    if (most === 0) return null;
    for (const name of names) {
      if (!rest.startsWith(name)) continue;
      const more = split(rest.slice(name.length), most - 1);
      if (more) return [name, ...more];
    }
    return null;
  };
  const found = new Map();
  for (const move of moves) {
    const way = direct.has(move) ? [direct.get(move)] : split(move, MOST) || split(plain(move), MOST);
    if (way) found.set(move, way);
  }
  return found;
}

/** The cells that may follow those chosen: name -> the move if it is then complete, else "". */
export function continuations(spellings, chosen) {
  const next = new Map();
  for (const [move, names] of spellings) {
    if (names.length <= chosen.length || chosen.some((name, i) => names[i] !== name)) continue;
    const name = names[chosen.length];
    if (names.length === chosen.length + 1) next.set(name, move);
    else if (!next.has(name)) next.set(name, "");
  }
  return next;
}
