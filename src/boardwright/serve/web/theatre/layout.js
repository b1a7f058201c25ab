// Where the nodes of a tree go: as in the picture of `boardwright tree`, children in a row below their parent, and the last
// ones in a column where a row would be too wide. No page is needed to run this: tests/js does.

const ACROSS = 10, DOWN = 34, BETWEEN = 8; // between neighbours, between levels, within a column
const INDENT = 18, TRUNK = 8; // of a column; of the line that runs down beside it
export const PILL = { w: 78, h: 22 }; // "+7 more"

/** Places for a tree of {children: [...], more}, whose nodes are as large as `sizeOf(node, level)` says ({w, h}): the spots in
    order, and how large it all is. */
export function layout(root, sizeOf, room = Infinity) {
  const rows = laid(root, sizeOf, false);
  return rows.width <= room ? rows : laid(root, sizeOf, true);
}

function laid(root, sizeOf, columns) {
  const made = spot(root, 0, sizeOf);
  arrange(made, columns);
  const all = flat(made);
  const tops = levels(all);
  place(made, 0, 0, tops);
  return { spots: all, width: Math.max(...all.map((one) => one.x + one.w)), height: Math.max(...all.map((one) => one.y + one.h)) };
}

function spot(node, level, sizeOf) {
  const made = { node, level, ...sizeOf(node, level), children: node.children.map((child) => spot(child, level + 1, sizeOf)) };
  if (node.more && node.children.length) made.children.push({ ...PILL, level: level + 1, more: node.more, children: [] });
  for (const child of made.children) child.parent = made;
  return made;
}

const flat = (one) => [one, ...one.children.flatMap(flat)];

/** Column or row, and how wide each part is. */
function arrange(one, columns) {
  for (const child of one.children) arrange(child, columns);
  one.column = columns && one.level > 0 && one.children.length > 0 && one.children.every((child) => !child.children.length);
  const inside = one.column ? INDENT + Math.max(...one.children.map((child) => child.w))
    : one.children.reduce((sum, child) => sum + child.span, ACROSS * Math.max(0, one.children.length - 1));
  one.span = Math.max(one.w, inside);
}

/** Where each level begins; below its first card a column hangs lower. */
function levels(all) {
  const stacked = new Set(all.filter((one) => one.column).flatMap((one) => one.children));
  const tops = [0];
  for (let level = 0; level < Math.max(...all.map((one) => one.level)); level += 1) {
    const tallest = Math.max(0, ...all.filter((one) => one.level === level && !stacked.has(one)).map((one) => one.h));
    tops.push(tops[level] + tallest + DOWN);
  }
  return tops;
}

function place(one, left, y, tops) {
  one.y = y;
  if (one.column) {
    one.x = left;
    y = one.y + one.h + BETWEEN + 4;
    for (const child of one.children) { place(child, left + INDENT, y, tops); y += child.h + BETWEEN; }
    return;
  }
  one.x = left + (one.span - one.w) / 2;
  const inside = one.children.reduce((sum, child) => sum + child.span, ACROSS * Math.max(0, one.children.length - 1));
  let x = left + (one.span - inside) / 2;
  for (const child of one.children) { place(child, x, tops[child.level], tops); x += child.span + ACROSS; }
}

/** The line from a spot's parent to it, as an SVG path. */
export function edge(one) {
  const up = one.parent;
  if (up.column) {
    const x = up.x + TRUNK, y = one.y + Math.min(one.h / 2, 44);
    return `M${x} ${up.y + up.h - 2}V${y - 8}Q${x} ${y} ${x + 8} ${y}H${one.x + 2}`;
  }
  const x = up.x + up.w / 2, mine = one.x + one.w / 2, begin = one.y - DOWN, half = one.y - DOWN / 2;
  return `M${x} ${up.y + up.h - 2}V${begin}C${x} ${half} ${mine} ${half} ${mine} ${one.y + 2}`;
}
