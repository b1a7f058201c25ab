"""Tic-tac-toe: UCT of 80 iterations against simple players, both seats, and its time by the size of the board.

After a student report of 2024 (tables 1 to 7, figure 1).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from boardwright.arena.summary import percent
from boardwright.games.load import load
from boardwright_lab.tictactoe import reported
from boardwright_lab.tictactoe.limits import Odds, by_policy, daring, odds
from boardwright_lab.tictactoe.matches import (
    AS_REPORTED,
    MENDED,
    PREPARED,
    Seats,
    against_itself,
    against_opponents,
    by_seat,
    lost,
    won,
)
from boardwright_lab.tictactoe.reported import OPPONENTS, Count

if TYPE_CHECKING:
    from boardwright.contract.game import Game
    from boardwright_lab.page import Page
    from boardwright_lab.run import Run

SEATS = ("first", "second")
CELLS = [(opponent, seat) for seat in (0, 1) for opponent in OPPONENTS]


def reproduce(run: Run, page: Page) -> None:
    """Measure, and write down tables 1 to 7 and figure 1 beside ours."""
    game = load("tictactoe")
    games = run.pick(reported.GAMES, 20)
    run.tick("exact limits")
    limits = {(one, seat): odds(game, seat, by_policy(one)) for one, seat in CELLS}
    most = {(one, seat): odds(game, seat, by_policy(one), wish=daring) for one, seat in CELLS}
    alone = {(one, seat): odds(game, seat, by_policy(one), by_policy("win-block")) for one, seat in CELLS}
    same = against_opponents(run, game, AS_REPORTED, games)
    mended = against_opponents(run, game, MENDED, games)
    mirror = [against_itself(run, game, spec, games) for spec in (AS_REPORTED, MENDED)]

    page.say(_summary(mended, mirror[1], limits))
    page.say(_players_text(games))
    _tables_1_to_5(page, same, mended, limits, alone)
    _impossible(page, limits, most)
    page.say(_reading(same, mended))
    prepared = by_seat(run.match(game, [PREPARED, "win-block"], 2 * games, opening=0))
    page.say(_prepared_text(prepared, limits))
    _table_4(page, mirror)
    _table_6(page, same, mended, limits)
    page.say(WHY)
    _picture(run, page, game)
    _table_7(run, page)


def theirs(opponent: str, seat: int) -> Count:
    """The report's cell."""
    return (reported.FIRST, reported.SECOND)[seat][opponent]


def _summary(mended: dict[str, Seats], mirror: Count, limits: dict[tuple[str, int], Odds]) -> str:
    losses = mirror.losses + sum(mended[one][seat].losses for one, seat in CELLS)
    played = mirror.games + sum(mended[one][seat].games for one, seat in CELLS)
    first, second = (won(mended["random"][seat]) for seat in (0, 1))
    return f"""# Tic-tac-toe by tree search

The report set out to win, or at least not to lose, at tic-tac-toe by a tree search of 80 iterations a move, and to see
how it scales to 9x9. Its search won 95.8 % of games against a random player from the first seat and 75.3 % from the
second, but it lost drawn games, and a game on 9x9 took it 32 s. Ours, with the same 80 iterations, lost {losses} of
{played:,} games. Against the random player it won {percent(first)} from the first seat, where
{_share(limits["random", 0].win)} is the most that a player who never loses can win, and {percent(second)} from the
second, where that limit is {_share(limits["random", 1].win)}."""


def _players_text(games: int) -> str:
    return f"""## Tables 1 to 6: who wins

Every cell below is {games:,} games from one seat, from the empty board. Brackets are 95 % intervals. The opponents are
`random`; `win-block`, who wins if it can, else blocks, else moves at random; and `win-block-middle`, who takes the
middle before it moves at random.

- **The report**: its own figures, copied.
- **The report's setting, ours**: `{AS_REPORTED}`.
  UCB1 with the parent's visits (the report's formula takes the root's), the same exploration, playouts that win and
  block, a new tree for each move.
- **Mended**: `{MENDED}`. What changed is told below.
- **Limit**: the most that a player who never loses can win against this opponent, computed over all positions. It
  knows its opponent's rule. A search does not: it prepares for good replies.
- **No search**: `win-block` in the place of the search, also exact. What a search gains is counted from here."""


def _tables_1_to_5(
    page: Page,
    same: dict[str, Seats],
    mended: dict[str, Seats],
    limits: dict[tuple[str, int], Odds],
    alone: dict[tuple[str, int], Odds],
) -> None:
    names = ["the report", "the report's setting, ours", "mended"]
    for what, share, part in (("won", won, "win"), ("lost", lost, "loss")):
        rows = []
        for one, seat in CELLS:
            counts = (theirs(one, seat), same[one][seat], mended[one][seat])
            exact = [_share(getattr(odds_of[one, seat], part)) for odds_of in (alone, limits)]
            rows.append([f"{one}, {SEATS[seat]}", exact[0], *(percent(share(count)) for count in counts), exact[1]])
        page.table(
            f"Tables 1, 2, 3 (first seat) and 5 (second seat): games {what}",
            ["opponent, our seat", "no search", *names, "limit"],
            rows,
        )
    from boardwright_lab.tictactoe.pictures import dots

    shown = [
        (
            f"{one}, {SEATS[seat]}",
            float(limits[one, seat].win),
            (theirs(one, seat), same[one][seat], mended[one][seat]),
        )
        for one, seat in CELLS
    ]
    page.figure("wins", dots(shown, names), "Games won by opponent and seat. Bars through dots are 95 % intervals.")


def _impossible(page: Page, limits: dict[tuple[str, int], Odds], most: dict[tuple[str, int], Odds]) -> None:
    """The report's cells that no player can reach."""
    rows = [
        [
            f"{one}, {SEATS[seat]}",
            percent(won(theirs(one, seat))),
            _share(limits[one, seat].win),
            _share(most[one, seat].win),
        ]
        for one, seat in CELLS
        if won(theirs(one, seat)).low > most[one, seat].win
    ]
    page.say(
        f"In {len(rows)} of {len(CELLS)} cells the report won more often than anybody can, even a player who knows its "
        "opponent and wants wins at any risk. Its opponents there were not the ones that it describes: the listing "
        "printed for its win-block player picks random moves. These cells cannot be reproduced:"
    )
    page.table(
        "The report's win rates above what is possible",
        ["opponent, seat", "the report won", "limit, never losing", "limit, at any risk"],
        rows,
    )


def _reading(same: dict[str, Seats], mended: dict[str, Seats]) -> str:
    """What the tables say, worked out from their own figures."""
    losses = [sum(of[one][seat].losses for one, seat in CELLS) for of in (same, mended)]
    said = [
        f"At the report's setting our search lost {losses[0]} games in all cells together, the mended one {losses[1]}; "
        f"the report's lost {sum(theirs(one, seat).losses for one, seat in CELLS)}."
    ]
    fewer = [
        f"{one} from the {SEATS[seat]} seat"
        for one, seat in CELLS
        if won(mended[one][seat]).high < won(same[one][seat]).low
    ]
    if fewer:
        said.append(
            f"The mended search wins less often against {_listed(fewer)}: it knows that good replies draw, and picks "
            "among drawn moves the one after which a random reply costs most. Playouts by win and block foresee such "
            "an opponent better, at the price of the games lost above."
        )
    return "\n\n".join(said)


def _prepared_text(prepared: Seats, limits: dict[tuple[str, int], Odds]) -> str:
    said = [
        f"{percent(won(count))} from the {SEATS[seat]} seat (limit {_share(limits['win-block', seat].win)})"
        for seat, count in enumerate(prepared)
    ]
    return (
        f"What a search expects of its opponent decides what it gets. `{PREPARED}` plays its playouts by win and block "
        f"alone, with proofs and more iterations. Against win-block it won {' and '.join(said)}, and lost "
        f"{prepared[0].losses + prepared[1].losses} of {prepared[0].games + prepared[1].games:,} games."
    )


def _table_4(page: Page, mirror: list[Count]) -> None:
    rows = [
        [name, percent(won(count)), percent(lost(count)), f"{100 * count.draws / count.games:.1f} %"]
        for name, count in zip(
            ("the report", "the report's setting, ours", "mended"), (reported.ITSELF, *mirror), strict=True
        )
    ]
    page.table("Table 4: against itself", ["player", "first seat wins", "second seat wins", "draws"], rows)
    page.say("Between two perfect players every game is a draw.")


def _table_6(page: Page, same: dict[str, Seats], mended: dict[str, Seats], limits: dict[tuple[str, int], Odds]) -> None:
    rows = []
    for one in OPPONENTS:
        counts = [
            percent(won(Count(*(getattr(a, part) + getattr(b, part) for part in ("wins", "losses", "draws")))))
            for a, b in (same[one], mended[one])
        ]
        limit = (limits[one, 0].win + limits[one, 1].win) / 2
        rows.append([one, f"{reported.BOTH[one]:g} %", *counts, _share(limit)])
    page.table(
        "Table 6: games won, both seats together",
        ["opponent", "the report", "the report's setting, ours", "mended", "limit"],
        rows,
    )
    for one, said in reported.BOTH.items():
        counted = 100 * (theirs(one, 0).wins + theirs(one, 1).wins) / (theirs(one, 0).games + theirs(one, 1).games)
        if abs(counted - said) > 0.01:
            page.say(f"The report's own counts against {one} give {counted:g} %, not the {said:g} % of its table 6.")


WHY = """## Why the report's search lost, and what mended it

Read from its listings:

- **No playouts.** A leaf gets its children, one of them is picked, and that one goes to the playout. It has no children
  itself, and the playout returns at once where there are none: with the result if the game is over, with a draw if not.
- **The opponent helps.** Every result is added from the machine's side at every node, and every node picks its largest
  sum: the opponent's moves in the tree are those that the machine would like best.
- **Blocks are forgotten** in the playout, had it run: the move to block with is cleared on every turn of the loop.
- What is left: the check for an immediate win or block before the search begins, and the finished games that the tree
  itself reaches.

What the mended search does in the same 80 iterations:

- **Values belong to players**: each node picks what is best for whoever moves there.
- **Proofs** (MCTS-Solver): finished games are exact, and exactness goes up the tree. A move proven lost is not
  played; drawn games stay drawn.
- **16 playouts a leaf, half of their moves at random** (`rollouts=16,mix=0.5`): after pure win-block
  playouts, which mostly end alike, moves are hard to tell apart.
- **Among moves proven equal, the one after which a careless reply costs most**: that wins the games which the opponent
  lets it win."""


def _picture(run: Run, page: Page, game: Game) -> None:
    from boardwright_lab.tictactoe.pictures import TRAP, tree_of_trap

    svg, words = tree_of_trap(game, run.seed)
    page.picture(
        "tree",
        svg,
        f"The mended search as second player after {' '.join(TRAP)}: {words}. N visits, Q the value to whoever "
        "chose the move, P how much it was liked before.",
    )


def _table_7(run: Run, page: Page) -> None:
    from boardwright.bench.search import measure_game_times
    from boardwright_lab.tictactoe.growth import figure_1, growth, table_7, why

    if not run.quick:
        measure_game_times(1, run.tick)  # what is not compiled yet would count as thinking
    times = measure_game_times(run.pick(15, 1), run.tick)
    fits = growth(times)
    page.say("""## Table 7 and figure 1: time by the size of the board

n in a row win on n x n. The report's text lets its search play a random player, the caption of its table says against
itself; ours plays both sides, which is twice the work. `mcts:simulations=80` as it comes; CPU time, median game.""")
    page.table("Table 7: time of a game", *table_7(times))
    page.figure(
        "figure-1", figure_1(times, fits), "Figure 1: time of a game. Dashed: the power laws nearest to the dots."
    )
    page.say(why(fits))


def _share(share: Fraction) -> str:
    """99.48 %"""
    return f"{100 * float(share):.2f} %"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
