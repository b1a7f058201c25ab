"""`match`: who is better, with how much certainty."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from boardwright.arena.crew import portable
from boardwright.arena.intervals import Estimate
from boardwright.arena.journal import Journal
from boardwright.arena.lockstep import lockstep
from boardwright.arena.outcome import Outcome, comparisons, outcome
from boardwright.arena.pairing import Meeting, Schedule, Terms, code_digest
from boardwright.arena.parcels import SentSpec
from boardwright.arena.play_sets import (
    Done,
    MatchCrew,
    MatchPortions,
    ToPlay,
    check_workers,
    play_elsewhere,
    play_here,
    together,
)
from boardwright.arena.sprt import Hypotheses, Sequential, SprtVerdict
from boardwright.arena.standings import Standings, complete_sets, standings
from boardwright.arena.summary import text_table
from boardwright.arena.workers import Hire
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import RandomSource, as_seed
from boardwright.players import Player, PlayerSpec, player
from boardwright.players.function import own_player
from boardwright.players.kinds import kind_of, settled
from boardwright.records import Library
from boardwright.records.record import LONGEST_TEXT

MOST_OPENING = 1000
MOST_GAMES = 1_000_000  # that are planned at once, of each group; all of them are in memory
Entrant = str | PlayerSpec | Player | Callable[[Position], Any]  # who may take part in a match


@dataclass(frozen=True)
class MatchProgress:
    """How far a match is."""

    done: int  # games, those that the library had among them
    total: int  # games, at most (a test may end the match before)
    seconds: float  # since this run began
    left: float  # seconds, as far as can be told; NaN before the first game


@dataclass(frozen=True)
class MatchResult:
    """A match in figures. `outcomes` are the games that count, in order; the library holds them move by move."""

    game: str  # its name and options
    rules: Game  # the game itself
    players: tuple[str, ...]  # who played, by their specs
    seats: int  # of one game
    terms: Terms  # what was agreed on before: games, seed, openings
    outcomes: tuple[Outcome, ...]  # each game: who sat where, and what each player got
    table: Standings  # scores, pairs and ratings, with their intervals
    test: SprtVerdict | None  # of a match that ended as soon as it was sure
    notes: tuple[str, ...]  # what a reader must know to judge the figures
    wanted: int  # games that were asked for
    code: str  # names the version of the players' code

    def __str__(self) -> str:
        return text_table(self)

    @property
    def difference(self) -> Estimate:
        """Of two players: how many Elo points the first is stronger."""
        if len(self.players) != 2 or not self.table.pairs:
            raise InputError("a difference is between two players; see .table.pairs")
        return self.table.pairs[0].elo

    def to_dict(self) -> dict[str, Any]:
        """For JSON: every figure with its interval; null stands for what games leave open."""
        table, ratings = self.table, self.table.ratings
        return {
            "game": self.game,
            "players": [
                {
                    **_plain(asdict(line)),
                    **_plain(
                        {"rating": asdict(ratings.rating(i)), "unbounded": ratings.unbounded[i]} if ratings else {}
                    ),
                }
                for i, line in enumerate(table.players)
            ],
            "pairs": [_plain(asdict(line)) for line in table.pairs],
            "seats": [_plain(asdict(line)) for line in table.seats],
            "games": table.games,
            "wanted": self.wanted,
            "sets": table.sets,
            "distinct": table.distinct,
            "sprt": _plain({**asdict(self.test), "lower": self.test.test.lower, "upper": self.test.test.upper})
            if self.test
            else None,
            "forfeits": [{"record": one.id, "reason": one.reason} for one in self.outcomes if one.forfeit >= 0],
            "notes": list(self.notes),
            "terms": asdict(self.terms),
            "code": self.code,
            "records": [one.id for one in self.outcomes],
        }

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)


def match(
    game: Game,
    players: Sequence[Entrant],
    games: int = 200,
    seed: RandomSource = 0,
    *,
    round_robin: bool = False,
    opening: int | None = None,
    move_seconds: float = 0.0,
    sprt: tuple[float, ...] | str | None = None,
    workers: int = 0,
    hire: Hire | None = None,
    library: Library | None = None,
    progress: Callable[[MatchProgress], None] | None = None,
) -> MatchResult:
    """Let players meet, and measure them.

    game: any, for one player or more.
    players: specs, as text or PlayerSpec; the same may stand there twice. Or players of your own: a Player, or a
    function of a position that answers with a move. These play in this process, and are not known again: their games
    are saved, but never taken for those of another match.
    games: of each group that meets, rounded up to whole sets; of a game for one player, of each player.
    seed: a number, by which the same match is known again; or a generator of NumPy, Python or ours, which draws one.
    round_robin: every two players meet; else all sit at one table.
    opening: random moves at the start of each game; None decides.
    move_seconds: who thinks longer about a move loses the game; 0 for no limit.
    sprt: (elo0, elo1) or (elo0, elo1, alpha, beta): stop when it is known which of the two the first player's advantage
    over the second is nearer to.
    workers: processes to play in; with 0 the games are played in this one, which a player that hangs then stops.
    hire: who plays instead of processes here, such as `bw.on_cluster("auto")`: a Ray cluster.

    Games are saved in the library as they end; the same match asked for again goes on where it stopped.
    """
    test = Hypotheses.read(sprt) if isinstance(sprt, str) else Hypotheses(*sprt) if sprt else None
    planned = Match(
        game,
        players,
        games,
        as_seed(seed),
        round_robin=round_robin,
        opening=opening,
        move_seconds=move_seconds,
        test=test,
        library=library,
    )
    planned.run(workers, progress, hire)
    return planned.result()


class Match:
    """A match that can be run, interrupted, and asked for its result at any time."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Entrant],
        games: int = 200,
        seed: int = 0,
        *,
        round_robin: bool = False,
        opening: int | None = None,
        move_seconds: float = 0.0,
        test: Hypotheses | None = None,
        library: Library | None = None,
    ) -> None:
        if isinstance(players, str):
            raise InputError(f"players are a list of specs, such as [{players!r}, 'random']")
        self.own = {
            number: own_player(one, game) for number, one in enumerate(players) if not isinstance(one, str | PlayerSpec)
        }
        specs = tuple(
            str(settled(one, game)) if isinstance(one, str | PlayerSpec) else self.own[number].spec
            for number, one in enumerate(players)
        )
        for number, spec in enumerate(specs):
            if len(spec) > LONGEST_TEXT:
                raise InputError(
                    f"{spec[:40]}...: a player's spec of {len(spec)} characters; records hold {LONGEST_TEXT}"
                )
            if number not in self.own:
                player(spec, game)  # what does not exist is told now
        if games < 1:
            raise InputError(f"games={games}; play 1 or more")
        if games > MOST_GAMES:
            raise InputError(f"games={games}; plan at most {MOST_GAMES:,} at once")
        if not 0.0 <= move_seconds <= 1e6:
            raise InputError(f"move_seconds={move_seconds:g} must be 0 (no limit) to 1000000")
        if opening is not None and not 0 <= opening <= MOST_OPENING:
            raise InputError(f"opening={opening} must be 0 to {MOST_OPENING} moves")
        if test and len(specs) != 2:
            raise InputError(f"sprt: the test is between two players, not {len(specs)}")
        self.game, self.specs, self.test = game, specs, test
        self._notes: list[str] = []
        self.terms = Terms(seed, self._opening(opening), float(move_seconds))
        self.schedule = Schedule(game, specs, self.terms, round_robin=round_robin, own=self.own)
        self.journal = Journal(library or Library())
        total = games * len(self.schedule.groups) * (len(specs) if game.players == 1 else 1)
        if total > 4 * MOST_GAMES:
            raise InputError(
                f"games={games} of each of {len(self.schedule.groups)} groups are {total:,}; ask for fewer"
            )
        self.sets = list(self.schedule.sets(self.schedule.sets_for(games)))
        self.outcomes: dict[str, Outcome] = {}
        self._met = {meeting.id: meeting for meetings in self.sets for meeting in meetings}
        self._sequential = self._new_test()
        self._judged = 0  # sets, in their order

    @property
    def total(self) -> int:
        """Games in the whole match."""
        return len(self._met)

    @property
    def decided(self) -> bool:
        """Whether the test has its answer."""
        return self._sequential is not None and self._sequential.verdict.accepted is not None

    def recall(self) -> int:
        """Take in the games that the library has; how many it had."""
        try:
            for played in self.journal.find([id for id in self._met if id not in self.outcomes]):
                self._take(outcome(self._met[played.record.id], played, self.terms.opening))
        finally:
            self.journal.close()
        return len(self.outcomes)

    def run(
        self, workers: int = 0, progress: Callable[[MatchProgress], None] | None = None, hire: Hire | None = None
    ) -> None:
        """Play what is missing, here, in so many processes, or by those who are hired. Ctrl-C leaves everything that
        was finished in place."""
        check_workers(workers)
        if self.own and (workers or hire):
            name = self.specs[min(self.own)]
            raise InputError(f"{name}: a player of your own plays in this process only; leave workers out")
        had = self.recall()
        began = time.monotonic()

        def tell() -> None:
            if progress:
                spent, now = time.monotonic() - began, len(self.outcomes)
                left = spent / (now - had) * (self.total - now) if now > had else float("nan")
                progress(MatchProgress(now, self.total, spent, left))

        def done(games: Sequence[Outcome]) -> None:
            for one in games:
                self._take(one)
            tell()

        todo = [[one for one in meetings if one.id not in self.outcomes] for meetings in self.sets]
        todo = [meetings for meetings in todo if meetings]
        if not todo or self.decided:
            return
        tell()
        try:
            self._play(todo, workers, hire, done, tell)
        finally:
            self.journal.close()

    def _play(
        self,
        todo: list[list[Meeting]],
        workers: int,
        hire: Hire | None,
        done: Done,
        tell: Callable[[], None],
    ) -> None:
        what = ToPlay(self.game, self.specs, self.terms, self.journal, todo, done)

        def going() -> bool:
            return not self.decided

        if hire is not None:
            games = sum(map(len, todo))
            many = lockstep(self.game, self.specs, self.terms, games)
            if many is not None:
                todo = together(todo, many.most)
            players = tuple(SentSpec.of(spec) for spec in self.specs)
            job = MatchPortions(portable(self.game), players, self.terms, games)
            play_elsewhere(hire(job), self.journal, todo, self.terms, done, going, tell)
        elif workers == 0:
            play_here(what, going, self.own)
        else:
            crew = MatchCrew(what, workers)
            try:
                crew.run(going, tell)
            finally:
                crew.end()

    def result(self) -> MatchResult:
        """The figures of all complete sets so far - of a decided test, of those that decided it."""
        counted = self._counted()
        table = standings(self.schedule.names, counted, self.game.players)
        everything = tuple(one for games in counted for one in games)
        return MatchResult(
            game=str(self.game),
            rules=self.game,
            players=self.schedule.names,
            seats=self.game.players,
            terms=self.terms,
            outcomes=everything,
            table=table,
            test=self._sequential.verdict if self._sequential else None,
            notes=(*self._notes, *_warnings(table, self.total, self.decided), *_forfeits(everything)),
            wanted=self.total,
            code=code_digest(),
        )

    def _counted(self) -> list[list[Outcome]]:
        counted = complete_sets(self.outcomes.values(), self.schedule.games_a_set)
        return counted[: self._sequential.verdict.sets] if self._sequential and self.decided else counted

    def _take(self, one: Outcome) -> None:
        self.outcomes[one.id] = one
        # Sets are judged in their order, not in that of their ends: short games, which end first, may favour a side.
        while self._sequential and self._judged < len(self.sets) and not self.decided:
            games = [self.outcomes[meeting.id] for meeting in self.sets[self._judged] if meeting.id in self.outcomes]
            if len(games) < len(self.sets[self._judged]):
                return
            points = comparisons(games, 2, self.game.players == 1)
            self._sequential.add(float(points[0, 1] / points.sum()))
            self._judged += 1

    def _new_test(self) -> Sequential | None:
        if self.test is None:
            return None
        meetings = self.sets[0]
        pairs = 1 if self.game.players == 1 else sum(one.seats.count(0) * one.seats.count(1) for one in meetings)
        return Sequential(self.test, [k / (2 * pairs) for k in range(2 * pairs + 1)])

    def _opening(self, asked: int | None) -> int:
        """As asked; else some random moves where players without luck in a game without luck would repeat one game."""
        if asked is not None:
            return asked
        lucky = any(number not in self.own and self._has_luck(spec) for number, spec in enumerate(self.specs))
        if self.game.outcomes > 0 or lucky:
            return 0
        moves = few_moves(self.game)
        self._notes.append(
            f"Neither the game nor a player has luck here: each set begins with {moves} random moves (--opening)."
        )
        return moves

    def _has_luck(self, text: str) -> bool:
        """Whether a player's seed differs from game to game, and does more than to break ties as policies do."""
        spec = PlayerSpec.parse(text)
        is_policy = spec.kind.replace("-", "_") in self.game.policies
        return "seed" not in spec.settings and not is_policy and kind_of(spec, self.game).takes_seed


def few_moves(game: Game) -> int:
    """As many random moves as make openings differ and leave a game to play."""
    return int(max(1, min(4, game.actions // 4)))


def _warnings(table: Standings, wanted: int, decided: bool) -> list[str]:
    found = []
    if table.games < wanted and not decided:
        found.append(f"Only {table.games} of {wanted} games are counted (complete sets); the same command goes on.")
    if decided:
        found.append("The match ended when the test was decided; estimates from such a match lean away from even.")
    if table.games and table.distinct < 0.9 * table.games:
        found.append(
            f"Only {table.distinct} of {table.games} games are distinct: games that repeat tell nothing new, and the "
            "intervals are too narrow. Random openings help (--opening 4)."
        )
    if table.ratings and len(table.players) > 2 and any(table.ratings.unbounded):
        found.append(
            "Somebody won or lost everything: ratings marked * are only what so few games can show, and may be far off."
        )
    return found


def _forfeits(games: Sequence[Outcome]) -> list[str]:
    """What was forfeited and why: each reason once, with how often it came."""
    reasons = Counter(one.reason for one in games if one.forfeit >= 0)
    told = [f"Forfeited {count} game{'s' if count > 1 else ''}: {reason}." for reason, count in reasons.most_common(3)]
    if len(reasons) > len(told):
        told.append(f"There are {len(reasons) - len(told)} more reasons of forfeits: see --json or --html.")
    return told


def _plain(value: Any) -> Any:
    """For JSON: no infinities, no NumPy."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    return value
