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

/** The cells that may follow those chosen: name -> the move if it is then complete, else "". Cells of a kind (`alike`: name
 *  -> kind) come in any order, each as good as any other of its kind. */
export function continuations(spellings, chosen, alike = {}) {
  const next = new Map();
  for (const [move, names] of spellings) {
    const left = remaining(names, chosen, alike);
    if (!left) continue;
    const loose = Object.keys(alike).filter((name) => !chosen.includes(name) && left.includes(alike[name]));
    for (const name of loose.length ? loose : left.slice(0, 1)) {
      if (left.length === 1) next.set(name, move);
      else if (!next.has(name)) next.set(name, "");
    }
  }
  return next;
}

/** What is left of a path, by kind, after those chosen; null if they do not begin it. */
function remaining(names, chosen, alike) {
  const left = names.map((name) => alike[name] ?? name);
  for (const name of chosen) {
    const at = name in alike ? left.indexOf(alike[name]) : left[0] === name ? 0 : -1;
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}
