"""Draw the README's picture from the games themselves: `python docs/pictures/make.py` writes games.svg beside it."""

from __future__ import annotations

import re
from pathlib import Path

import boardwright as bw

GAP, TOP_HEIGHT = 24.0, 430.0
# game, seed, moves played by its greedy player
TOP = [("azul", 3, 34), ("nmbr9", 4, 17)]
BELOW = [("gomoku", 5, 31), ("2048", 2, 300), ("tictactoe", 1, 5)]


def picture(name: str, seed: int, moves: int) -> str:
    """The game after so many moves."""
    game = bw.load(name)
    player, rng = bw.player(f"greedy:seed={seed}", game), bw.Random(seed)
    position = game.begin(seed=seed)
    for _ in range(moves):
        if position.is_over:
            break
        position = position.play(player.choose(position).move).settle(rng)
    return position.svg()


def shape(svg: str) -> float:
    """Width over height."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found, "every picture has a viewBox"
    return float(found[1]) / float(found[2])


def placed(svg: str, x: float, y: float, height: float) -> str:
    """The picture as part of a larger one."""
    size = f'x="{x:.0f}" y="{y:.0f}" width="{height * shape(svg):.0f}" height="{height:.0f}"'
    head, _, rest = svg.partition(">")
    return re.sub(r'\s(width|height)="[^"]*"', "", head) + f" {size}>{rest}"


def row(pictures: list[str], y: float, height: float) -> tuple[list[str], float]:
    """Pictures side by side, and the width that they take."""
    parts, x = [], GAP
    for svg in pictures:
        parts.append(placed(svg, x, y, height))
        x += height * shape(svg) + GAP
    return parts, x


def main() -> None:
    top, width = row([picture(*what) for what in TOP], GAP, TOP_HEIGHT)
    below = [picture(*what) for what in BELOW]
    height = (width - GAP * (len(below) + 1)) / sum(map(shape, below))
    under, _ = row(below, 2 * GAP + TOP_HEIGHT, height)
    whole = 3 * GAP + TOP_HEIGHT + height
    Path(__file__).with_name("games.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {whole:.0f}">'
        f'<rect width="100%" height="100%" fill="#e9e4d8"/>{"".join(top + under)}</svg>\n'
    )


if __name__ == "__main__":
    main()
