"""One game between players, refereed: common draws, the opening, the clock, and forfeits with their reason."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from boardwright.arena.openings import random_opening
from boardwright.arena.pairing import Meeting, Terms, draw_rng
from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.players import Choice, Player, PlayerSpec, player, seeded
from boardwright.players.program import ProgramFault
from boardwright.records.record import LONGEST_NOTE, MOST_PLIES, UNFIT, Record, now

WARM_UP = "warming up"


@dataclass
class Played:
    """A game that has come to its end, and what the players told on the way (a record has no place for it)."""

    record: Record
    forfeit: int = -1  # the seat that forfeited; -1: nobody did
    movers: tuple[int, ...] = ()  # the seat of each player's move, in order
    simulations: tuple[int, ...] = ()  # of each of these moves
    values: tuple[float | None, ...] = ()  # what the mover expected to get for itself, at each of these moves
    marks: dict[str, float] = field(default_factory=dict)  # what the game's end had of note: see Game.marks


class Forfeit(Exception):
    """The player to move has lost the game; the text is the reason."""


# Told before a player thinks (seat, whether it is only warming up) and after each step: whoever watches this
# process from outside then knows what happened when it is gone.
Thinking = Callable[[int, bool], None]
Stepped = Callable[[int | None], None]


class Referee:
    """Plays the games of one process. Players whose spec fixes their seed are made once; those of the caller's `own`,
    by their numbers in the match, are there already."""

    def __init__(
        self,
        game: Game,
        specs: tuple[str, ...],
        terms: Terms,
        thinking: Thinking = lambda seat, warm: None,
        stepped: Stepped = lambda step: None,
        own: Mapping[int, Player] | None = None,
    ) -> None:
        self.game, self.specs, self.terms, self._own = game, specs, terms, own or {}
        self._thinking, self._stepped = thinking, stepped
        self._kept: dict[tuple[PlayerSpec, int], Player] = {}
        self._warm: set[str] = set()

    def play(self, meeting: Meeting) -> Played:
        """The game from its start to its end or forfeit."""
        started = now()
        self._stepped(None)
        position = self.opening(meeting)
        draws = sum(before.is_chance for before in position.line()) - position.is_chance
        seconds = [0.0] * (len(list(position.line())) - 1 - draws)  # the opening's moves took nobody's time
        told: list[Choice | None] = [None] * len(seconds)
        players: list[Player | None] = [None] * len(meeting.seats)
        reason = ""
        while not position.is_over:
            if len(seconds) + draws >= MOST_PLIES:
                raise RuleError(
                    f"{self.game.name}: no end after {MOST_PLIES:,} moves and draws; a game must come to one"
                )
            if position.is_chance:
                position = position.sample(draw_rng(meeting.luck, draws))
                draws += 1
                self._stepped(position.step)
                continue
            seat = position.player
            try:
                if players[seat] is None:
                    players[seat] = self._seat(meeting, seat, position)
                choice, spent = self._ask(players[seat], seat, position)
            except Forfeit as forfeit:
                reason = f"player {seat + 1} ({self.specs[meeting.seats[seat]]}) {forfeit}"
                break
            seconds.append(spent)
            told.append(choice)
            position = position.play(choice.move)
            self._stepped(position.step)
        return finish(self.game, self.specs, meeting, position, reason, seconds, told, started)

    def _ask(self, who: Player | None, seat: int, position: Position) -> tuple[Choice, float]:
        """A legal choice and the seconds that it took."""
        assert who is not None
        self._thinking(seat, False)
        began = time.perf_counter()
        try:
            choice = who.choose(position)
            move = choice.move
        except RuleError:
            raise  # a mistake in the rules is nobody's loss: the match cannot go on
        except (Exception, SystemExit) as error:  # a player that ends the process ends its game only
            raise Forfeit(_what(error)) from error
        spent = time.perf_counter() - began
        if self.terms.move_seconds and spent > self.terms.move_seconds:
            raise Forfeit(f"thought for {spent:.2f} s; {self.terms.move_seconds:g} s are allowed")
        if isinstance(move, bool) or not hasattr(move, "__index__") or int(move) not in position.moves:
            raise Forfeit(f"played {move!r}, which is not legal there")
        return choice, spent

    def _seat(self, meeting: Meeting, seat: int, position: Position) -> Player:
        spec = self.specs[meeting.seats[seat]]
        self._thinking(seat, True)
        try:
            who = self._own.get(meeting.seats[seat]) or self._made(spec, seat, meeting.seeds[seat])
            if spec not in self._warm:
                # Compiling is not thinking: the first move ever is asked twice, and counts the second time.
                self._warm.add(spec)
                who.choose(position)
            who.forget()
        except RuleError:
            raise
        except (Exception, SystemExit) as error:  # a player that ends the process ends its game only
            raise Forfeit(_what(error)) from error
        return who

    def _made(self, spec: str, seat: int, seed: int) -> Player:
        # The same spec in two seats is two players: a search keeps its tree from move to move.
        given, own = PlayerSpec.parse(spec), seeded(spec, self.game, seed)
        who = self._kept.get((own, seat)) or player(own, self.game)
        if own == given:
            self._kept[own, seat] = who
        return who

    def opening(self, meeting: Meeting) -> Position:
        """The start with so many random moves played: the same in all games of the set."""
        position = random_opening(self.game, self.terms.opening, meeting.luck)
        for one in position.line():
            if one.step is not None:
                self._stepped(one.step)
        return position


def finish(
    game: Game,
    specs: tuple[str, ...],
    meeting: Meeting,
    position: Position,
    reason: str,
    seconds: list[float],
    told: list[Choice | None],
    started: str,
) -> Played:
    """The record of a game that ended by the rules, or by a forfeit of the player to move if there is a `reason`."""
    note = f"match, set {meeting.number + 1}"
    record = Record.of(
        position,
        seed=meeting.luck,
        players=tuple(specs[one] for one in meeting.seats),
        seconds=seconds,
        started=started,
        status="forfeit" if reason else None,
        note=clean_note(f"{reason}; {note}" if reason else note),
        id=meeting.id,
        results=awarded(position) if reason else None,
    )
    movers = tuple(before.player for before in list(position.line())[:-1] if before.player >= 0)
    return Played(
        record,
        forfeit=position.player if reason else -1,
        movers=movers,
        simulations=tuple(choice.simulations if choice else 0 for choice in told),
        values=tuple(_own_value(choice, mover) for choice, mover in zip(told, movers, strict=True)),
        marks={} if reason else position.game.marks(position.view),
    )


def awarded(position: Position) -> tuple[float, ...]:
    """What each player gets when the one to move forfeits: it loses, the others have drawn among themselves. Of
    points, the loser keeps none (debts it keeps), the others theirs."""
    loser, game = position.player, position.game
    if game.counts_points:
        return tuple(min(points, 0.0) if i == loser else points for i, points in enumerate(position.scores))
    others = 1.0 if game.players == 2 else 0.0
    return tuple(-1.0 if i == loser else others for i in range(game.players))


def clean_note(text: str) -> str:
    """A reason may hold anything, such as what a stranger's player raised; a record's note may not."""
    return UNFIT.sub(" ", text)[:LONGEST_NOTE]


def _what(error: BaseException) -> str:
    """What a player did wrong, to go on after its name."""
    return error.what if isinstance(error, ProgramFault) else f"raised {type(error).__name__}: {error}"


def _own_value(choice: Choice | None, mover: int) -> float | None:
    if choice is None or choice.value is None:
        return None
    return float(choice.value[mover])
