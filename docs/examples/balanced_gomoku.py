"""Let two players meet at Gomoku from balanced openings, each opening once from either seat; or find such openings.

    python balanced_gomoku.py meet FILE PLAYER PLAYER [--size 15] [--games 200]
    python balanced_gomoku.py find --count 100 [--size 15] [--judge mcts:value=auto,simulations=20000] > FILE

A file has an opening a line, its moves. The board's size must be that of the file.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

import boardwright as bw
from boardwright.arena.intervals import wilson

STONES = (3, 4, 5)
EVEN = 0.15  # a judge's word between -EVEN and EVEN


def find(game: bw.Game, judge: bw.Player, count: int, seed: int) -> Iterator[str]:
    """Openings near the middle that the judge holds for even, no two alike."""
    luck, known = random.Random(seed), set[str]()  # noqa: S311 - openings, not secrets
    while len(known) < count:
        position, texts = game.begin(), []
        for _ in range(luck.choice(STONES)):
            near = [move for move, weight in zip(position.moves, position.weigh("nearby"), strict=True) if weight > 0]
            texts.append(position.text(luck.choice(near)))
            position = position.play(texts[-1])
        moves = " ".join(texts)
        value = judge.choose(position).value
        if moves not in known and value is not None and abs(value[0]) < EVEN:
            known.add(moves)
            yield moves


def meet(game: bw.Game, players: list[bw.Player], openings: list[str], games: int) -> None:
    """Play, and say how the first player fared."""
    points, played, pairs = 0.0, 0, [0, 0, 0, 0, 0]
    for opening in openings[: max(games // 2, 1)]:
        got = 0.0
        for first in range(2):
            position = game.begin()
            for move in opening.split():
                position = position.play(move)
            while not position.is_over:
                position = position.play(players[(position.player + first) % 2].choose(position).move)
            assert position.results is not None  # it is over
            got += (1 + position.results[first]) / 2
        points, played = points + got, played + 2
        pairs[round(2 * got)] += 1
        share = wilson(points, played)
        print(
            f"{opening}: {got:g} of 2; so far {100 * share.value:.1f} % ({100 * share.low:.1f} to "
            f"{100 * share.high:.1f}) of {played} games, pairs that got 0, 1/2, 1, 3/2, 2: {pairs}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("meet", "find"))
    parser.add_argument("rest", nargs="*", metavar="FILE PLAYER PLAYER")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--judge", default="mcts:value=auto,simulations=20000")
    args = parser.parse_args()
    game = bw.load("gomoku", size=args.size)
    if args.what == "find":
        for opening in find(game, bw.player(args.judge, game), args.count, args.seed):
            print(opening, flush=True)
        return
    path, *specs = args.rest
    with open(path) as file:
        openings = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    meet(game, [bw.player(spec, game) for spec in specs], openings, args.games)


if __name__ == "__main__":
    main()
