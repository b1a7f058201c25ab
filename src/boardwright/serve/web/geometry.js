// Where cells lie in the picture. A part is a rectangle {x, y, w, h}; a cell has one or more.

export function overlap(a, b) { return Math.abs(a.x - b.x) < 0.5 * Math.min(a.w, b.w) && Math.abs(a.y - b.y) < 0.5 * Math.min(a.h, b.h); }

export function joined(a, b) {
  const x = Math.min(a.x, b.x), y = Math.min(a.y, b.y);
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
}

export function middle(part) { return [part.x + part.w / 2, part.y + part.h / 2]; }

/** Cells in rows from top to bottom, each from left to right. */
export function inRows(cells) {
  const sorted = cells.slice().sort((a, b) => middle(a.parts[0])[1] - middle(b.parts[0])[1]);
  const rows = [];
  let until = -Infinity;
  for (const cell of sorted) {
    const y = middle(cell.parts[0])[1];
    if (y > until) { rows.push([]); until = y + cell.parts[0].h * 0.5; }
    rows.at(-1).push(cell);
  }
  for (const row of rows) row.sort((a, b) => a.parts[0].x - b.parts[0].x);
  return rows;
}

/** The cell nearest to `here` in a direction, [1, 0] being right and [0, 1] down; null if there is none. */
export function beside(here, cells, [dx, dy]) {
  const [x, y] = middle(here.parts[0]);
  let best = null, least = Infinity;
  for (const cell of cells) {
    if (cell === here) continue;
    const [u, v] = middle(cell.parts[0]);
    const ahead = (u - x) * dx + (v - y) * dy;
    const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (ahead <= 1 || aside > ahead * 3 + 1) continue;
    const far = ahead + 3 * aside;
    if (far < least) { least = far; best = cell; }
  }
  return best;
}

/** Which way a swipe went. */
export function swipeWay(dx, dy) { return Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "right" : "left") : dy > 0 ? "down" : "up"; }
