// A branch of the tree that an analysis has grown, as serve/jobs.py tells it: the children of a slot, best first.

import { Random } from "./search.js";
import { Refused } from "./tables.js";

const ALIKE = 1e-6; // priors that differ by less are uniform

/** Where a child's move leads, and what it is called. Below a run of draws it is the seed of them all. */
function stepFrom(position, isRun, move) {
  if (!isRun) return { after: position.after(move), text: () => position.text(move) };
  const after = position.settle(new Random(move)), steps = [];
  for (let back = after; back !== position; back = back.previous) steps.unshift(back);
  return { after, text: async () => (await Promise.all(steps.map((one) => one.previous.text(one.step)))).join(" ") };
}

/** The children of the slot at the end of `path`, which goes down from the root of the search's tree. */
export async function branchOf(search, root, path, most) {
  const { program } = search, { points } = program.plan, { run, unseen } = program.plan.actors;
  if (program.owner !== search) throw new Refused("another search has taken the tree's place: look again", 404);
  const of = (slot, name) => program.ofSlot(slot, name);
  const q = (slot) => { const value = of(slot, "value"); return of(slot, "proven") ? value : value.map((one) => one / Math.max(of(slot, "visits"), 1)); };
  let slot = 0, position = root, viewer = Math.max(root.player, 0);
  for (const next of path) {
    if (!search.children(slot).includes(next)) throw new Refused(`${next} is no child of ${slot}`);
    const actor = of(slot, "actor");
    if (actor >= 0) viewer = actor;
    ({ after: position } = stepFrom(position, actor === run, of(next, "move")));
    slot = next;
  }
  const every = search.children(slot), actor = of(slot, "actor") === unseen ? position.player : of(slot, "actor"), proven = of(slot, "proven");
  if (actor >= 0) viewer = actor;
  const rank = (child) => {
    const visits = of(child, "visits");
    if (actor < 0) return [1, visits, of(child, "prior")];
    const value = q(child)[actor], sure = of(child, "proven") && !points ? value : 0;
    return [sure >= 1 ? 2 : sure <= -1 ? 0 : 1, ...(proven ? [value, visits] : [visits, value])];
  };
  const ranks = new Map(every.filter((child) => of(child, "visits") > 0).map((child) => [child, rank(child)]));
  const shown = [...ranks.keys()].sort((a, b) => { const place = ranks.get(a).findIndex((x, i) => x !== ranks.get(b)[i]); return place < 0 ? a - b : ranks.get(b)[place] - ranks.get(a)[place]; }).slice(0, most);
  const priors = every.map((child) => of(child, "prior")), total = every.reduce((sum, child) => sum + of(child, "visits"), 0);
  const known = actor !== run && (actor < 0 || Math.max(...priors) - Math.min(...priors) > ALIKE);
  // All is read before the first text is asked for: while that is on its way another search may have the memory.
  const children = await Promise.all(shown.map(async (child) => {
    const visits = of(child, "visits"), value = q(child)[viewer];
    const told = {
      slot: child, by: actor, visits, share: visits / Math.max(total, 1), value, whose: viewer, prior: known ? of(child, "prior") : null,
      proven: of(child, "proven") ? (!points && { 1: "won", 0: "drawn", "-1": "lost" }[value]) || "exact" : "",
      opens: search.children(child).some((below) => of(below, "visits")),
    };
    const { text } = stepFrom(position, actor === run, of(child, "move"));
    return { ...told, text: await text() };
  }));
  return { path, children, more: every.length - shown.length, more_visits: total - children.reduce((sum, child) => sum + child.visits, 0) };
}
