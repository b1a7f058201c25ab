"""Within a turn of several moves, equal positions once: a move that leads where another order of moves has led is left
out.

Every position of the turn stays in the tree by one way, so that the best end of the turn can still be reached from the
root; a node in the middle of it may be without some of its moves, and so cannot become a root.
"""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import inner_kernel
from boardwright.search.exact.transposition import mixed, state_key

REMEMBERED = 1 << 15  # positions; a later one takes an earlier one's place, which then may come twice


@inner_kernel
def leave_out_repeats(game: Any, tree: Any, depth: Any, work: Any, choices: Any, count: Any) -> Any:
    """Keep in front those of `count` moves at work.path[depth] that lead somewhere new in this turn; one at least.
    Returns how many. The state there is the leaf's."""
    met, path, states = work.met, work.path, work.states
    actor = tree[path[depth]].actor
    if len(met) == 0 or depth == 0 or tree[path[depth - 1]].actor != actor:
        return count
    top = depth - 1
    while top > 0 and tree[path[top - 1]].actor == actor:
        top -= 1
    turn = (path[top] << 32) ^ work.salt[0]
    kept = 0
    for i in range(count):
        states[2] = states[1]
        game.play(states[2], choices[i])
        key = mixed(state_key(game, states, work.words, 2) ^ turn)
        place = key & (len(met) - 1)
        if met[place] == key:
            continue
        met[place] = key
        choices[kept] = choices[i]
        kept += 1
    return max(kept, 1)
