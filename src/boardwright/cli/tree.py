"""`boardwright tree`: what a search thought of a position, as a picture or a page; or how it thinks, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boardwright.contract.game import Game
    from boardwright.contract.position import Position


SIMULATIONS = 800
PLAIN = f"mcts:simulations={SIMULATIONS},grow=0"
TOP, DEPTH = 4, 3  # of a picture


def tree(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A built-in name, NAME:option=value, or path/to/file.py:Class.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where to: FILE.svg a picture, FILE.html a page that opens.",
            show_default="opens the search theatre in the browser",
        ),
    ] = None,
    moves: Annotated[
        str,
        typer.Option(
            metavar='"MOVE MOVE ..."',
            help="Moves from the start to the position, with blanks between; ~DRAW says what chance did.",
        ),
    ] = "",
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Who searches: mcts, masb or hybrid with its settings; in the theatre mcts.",
            show_default=f"{PLAIN}, or with what has learnt the game at its leaves; in the theatre mcts",
        ),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(min=1, max=1000, help="How many children of a node are drawn.", show_default=f"{TOP}; theatre 3"),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(min=1, max=60, help="How many levels of moves and draws.", show_default=f"{DEPTH}; theatre 2"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Fixes draws, and the search unless PLAYER has a seed.")] = 0,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Theatre: where to listen.", show_default="8717 or the next free one"),
    ] = None,
    open_browser: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Theatre: open a browser.", show_default="if this is a desktop"),
    ] = None,
) -> None:
    """Draw the tree of a search: boards, visits, values, the best children of each.

    Without --out the search theatre opens in the browser: the tree grows one simulation at a time. Ctrl-C ends it.
    """
    from boardwright.contract.errors import InputError
    from boardwright.games.load import load
    from boardwright.records.after import after

    if out is not None:
        from boardwright.arena.report import check_writable

        if out.suffix.lower() not in (".svg", ".html"):
            raise InputError(f"cannot tell what {out} is to be; end it with .svg for a picture or .html for a page")
        check_writable(out)
    rules = load(game)
    position = after(rules, moves.split(), seed)
    if out is not None:
        draw(position, out, player, top or TOP, depth or DEPTH, seed)
        return

    from boardwright.cli.serve import has_desktop
    from boardwright.games.built_in import BUILT_IN
    from boardwright.serve.catalogue import Catalogue
    from boardwright.serve.launch import serve
    from boardwright.serve.theatre_address import theatre_address

    address = theatre_address(rules, moves.split(), player or "mcts", seed, top, depth)
    name = game.partition(":")[0]
    serve(
        Catalogue(() if name in BUILT_IN else (game,)),
        port=port,
        open_browser=has_desktop() if open_browser is None else open_browser,
        prepare=True,
        fragment=address,
        say=lambda address: typer.echo(f"The search theatre is at {address}  (Ctrl-C to stop)"),
    )


def draw(position: Position, out: Path, player: str | None, top: int, depth: int, seed: int) -> None:
    """Search, and write the tree."""
    from boardwright.arena.report import write_text
    from boardwright.cli.terminal import Ticker, say
    from boardwright.contract.errors import InputError
    from boardwright.draw.tree_html import tree_page
    from boardwright.draw.tree_svg import tree_picture
    from boardwright.learn.strongest import best_analyst
    from boardwright.players import Control, seeded
    from boardwright.players import player as make_player

    rules: Game = position.game
    player = player or best_analyst(rules, SIMULATIONS, PLAIN, say)
    searcher = make_player(seeded(player, rules, seed), rules)
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
