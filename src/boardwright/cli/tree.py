"""`boardwright tree`: what a search thought of a position, as a picture or a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boardwright.contract.position import Position


SIMULATIONS = 800
PLAIN = f"mcts:simulations={SIMULATIONS},grow=0"


def tree(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A built-in name, NAME:option=value, or path/to/file.py:Class.")
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where to: FILE.svg a picture, FILE.html a page that opens.")
    ],
    moves: Annotated[
        str, typer.Option(metavar='"MOVE MOVE ..."', help="Moves from the start to the position, with blanks between.")
    ] = "",
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Who searches: mcts, masb or hybrid with its settings.",
            show_default=f"{PLAIN}, or with what has learnt the game at its leaves",
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=1, max=1000, help="Picture: how many children of a node are drawn.")] = 4,
    depth: Annotated[int, typer.Option(min=1, max=60, help="Picture: how many levels of moves and draws.")] = 3,
    seed: Annotated[int, typer.Option(help="Fixes draws, and the search unless PLAYER has a seed.")] = 0,
) -> None:
    """Draw the tree of a search: boards, visits, values, the best children of each."""
    from boardwright.arena.report import check_writable, write_text
    from boardwright.cli.terminal import Ticker, say
    from boardwright.contract.errors import InputError
    from boardwright.games.load import load
    from boardwright.learn.strongest import best_analyst
    from boardwright.players import player as make_player
    from boardwright.players import seeded
    from boardwright.records.after import after

    if out.suffix.lower() not in (".svg", ".html"):
        raise InputError(f"cannot tell what {out} is to be; end it with .svg for a picture or .html for a page")
    check_writable(out)
    rules = load(game)
    position = after(rules, moves.split(), seed)
    player = player or best_analyst(rules, SIMULATIONS, PLAIN, say)
    searcher = make_player(seeded(player, rules, seed), rules)

    from boardwright.draw.tree_html import tree_page
    from boardwright.draw.tree_svg import tree_picture
    from boardwright.players import Control

    if not searcher.trees:
        raise InputError(f"player {player} grows no tree; take mcts, masb or hybrid")
    if searcher.trees > 1:
        raise InputError(f"player {player} grows {searcher.trees} trees; leave threads out to see one")
    control = Control(wants_tree=True)
    with Ticker(f"{rules.name}: ") as tick:
        tick("searching")
        choice = searcher.choose(position, control)
    (grown,) = control.trees
    picture = out.suffix.lower() == ".svg"
    write_text(out, tree_picture(grown, position, top=top, depth=depth) if picture else tree_page(grown, position))
    note = f", {choice.note}" if choice.note else ""
    typer.echo(f"{out}: {'picture' if picture else 'page'} of {choice.simulations:,} simulations{note}")
    typer.echo(f"best line: {_line(position, choice.line or (choice.move,))}")


def _line(position: Position, steps: tuple[int, ...]) -> str:
    """The steps by name, draws in brackets."""
    texts = []
    for step in steps:
        text = position.text(step)
        texts.append(f"({text})" if position.is_chance else text)
        position = position.advance(step)
    return " ".join(texts)
