"""Pictures of tables 1 to 5, and of one search tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardwright.arena.plots import COLOURS, FAINT, INK, new_figure
from boardwright.contract.game import Game
from boardwright_lab.tictactoe.matches import MENDED, won
from boardwright_lab.tictactoe.reported import Count

TRAP = ("a1", "b2", "c3")  # first has two opposite corners: of six replies, the two free corners lose


def dots(rows: Sequence[tuple[str, float, Sequence[Count]]], names: Sequence[str]) -> Any:
    """Each row is a label, the limit (a share of 1) and the counts of the players called `names`."""
    figure, axes = new_figure(0.9 + 0.55 * len(rows))
    for row, (_, limit, counts) in enumerate(reversed(rows)):
        axes.axhline(row, color=FAINT, linewidth=0.8, zorder=0)
        axes.plot(
            [100 * limit] * 2, [row - 0.36, row + 0.36], color=INK, linewidth=2, label="limit" if row == 0 else None
        )
        for number, count in enumerate(counts):
            share = won(count).times(100)
            axes.errorbar(
                share.value, row + 0.2 * ((len(counts) - 1) / 2 - number), fmt="o", markersize=5, capsize=2,
                xerr=[[share.value - share.low], [share.high - share.value]], color=COLOURS[(1, 4, 0)[number]],
                label=names[number] if row == 0 else None,
            )  # fmt: skip
    axes.set_yticks(range(len(rows)), [label for label, _, _ in reversed(rows)])
    axes.set_xlim(0, 101)
    axes.set_xlabel("% of games won")
    axes.legend(frameon=False, ncols=len(names) + 1, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


def tree_of_trap(game: Game, seed: int) -> tuple[str, str]:
    """The tree of the mended search where half-hearted play loses; and how the search ended, in words."""
    from boardwright.draw.tree_svg import tree_picture
    from boardwright.players import Control, player

    position = game.begin()
    for move in TRAP:
        position = position.play(move)
    control = Control(wants_tree=True)
    choice = player(f"{MENDED},seed={seed}", game).choose(position, control)
    (tree,) = control.trees
    words = f"it chose {position.text(choice.move)} after {choice.simulations} simulations"
    return tree_picture(tree, position, top=6, depth=1, board=96), words + (
        ", when every move was proven" if choice.note == "proven" else ""
    )
