// The tree of a study: node 0 is the position that it begins with, each other node a step {text, by} after its parent, which
// stands before it in the list; any node may have a comment. No page is needed to run this: tests/js does.

export class StudyTree {
  constructor(nodes) { this.nodes = nodes?.length ? nodes : [{ parent: -1, text: "", by: -9, comment: "" }]; }

  children(node) { return this.nodes.flatMap((one, i) => (one.parent === node ? [i] : [])); }

  /** The node after a step; the one that is there, or a new one. */
  add(parent, { text, by }) {
    const known = this.children(parent).find((child) => this.nodes[child].text === text);
    if (known !== undefined) return known;
    this.nodes.push({ parent, text, by, comment: "" });
    return this.nodes.length - 1;
  }

  /** From the root to a node. */
  path(node) {
    const found = [];
    for (let at = node; at >= 0; at = this.nodes[at].parent) found.unshift(at);
    return found;
  }

  /** The same, and on to the end by what was tried first at each node. */
  line(node) {
    const found = this.path(node);
    for (let [next] = this.children(node); next !== undefined; [next] = this.children(next)) found.push(next);
    return found;
  }

  /** Without a node and all that comes after it; returns its parent. */
  remove(node) {
    const { parent } = this.nodes[node];
    const gone = new Set([node]), places = new Map();
    this.nodes.forEach((one, i) => { if (gone.has(one.parent)) gone.add(i); });
    const kept = this.nodes.filter((_, i) => { if (gone.has(i)) return false; places.set(i, places.size); return true; });
    this.nodes = kept.map((one) => ({ ...one, parent: one.parent < 0 ? -1 : places.get(one.parent) }));
    return places.get(parent);
  }
}
