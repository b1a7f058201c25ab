"""Who may sit at a table: people, strengths by plain names, and players by their specs, within limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

from boardwright.arena.levels import levels_of
from boardwright.contract.card import Strength
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.learn.last_run import LastRun, ago, last_run
from boardwright.learn.runs import MODEL
from boardwright.learn.strongest import best_analyst, best_judge, shipped_player
from boardwright.players import Choice, Control, Player, PlayerSpec, player, seeded
from boardwright.players.kinds import MODELS
from boardwright.players.slips import KIND as SLIPS
from boardwright.records.live_game import HUMAN
from boardwright.search.stopping import STOPPED
from boardwright.serve.limits import Limits
from boardwright.serve.monitor import player_of
from boardwright.serve.requests import Refused

RUN = "run"  # "run:NAME" is the newest model of a training
STRENGTHS = (
    Strength("Random", "random", "any move"),
    Strength("Medium", "mcts:simulations=120", "a short search"),
    Strength("Strong", "mcts:seconds=1", "thinks for a second"),
    Strength("Expert", "mcts:seconds=4", "thinks for four seconds"),
)
# Settings that a request may give, and the most of each. Nothing here can name a file.
MAY: dict[str, dict[str, float]] = {
    "mcts": {"simulations": 0, "seconds": 0, "c": 100, "considered": 1000, "rollouts": 100, "depth": 10_000,
             "seed": 2**62, "widen": 1, "mix": 1, "expand": 1000, "grow": 10_000,
             "select": 0, "prior": 0, "rollout": 0},
    "hybrid": {"simulations": 0, "rollouts": 100, "depth": 1000, "c": 100, "seed": 2**62},
    "masb": {"rollouts": 1000, "depth": 50, "seed": 2**62},
    "expectimax": {"depth": 3, "seed": 2**62},
}  # fmt: skip
LONGEST_MOVE = 60.0  # seconds that a seat may think
FEW_MOVES = 16  # games of so few moves may be searched by methods whose budget is no time
MOST_MODELS = 4  # players with models in memory
LOOK_AGAIN = 3.0  # seconds between two looks for what was trained last
LOOK_SECONDS = 0.03  # how often whoever waits for its turn looks whether it shall still wait


class Seats:
    """The players of one server. `own` are the owner's, spec by name: they may take what they like."""

    def __init__(self, own: Mapping[str, str], limits: Limits) -> None:
        for name, spec in own.items():
            if not 1 <= len(name) <= 40 or name == HUMAN or spec == HUMAN:
                raise InputError(f"--player {name}={spec}: give it a name of 1 to 40 letters")
        self.own, self.limits = dict(own), limits
        self.runs: tuple[Path, ...] = ()  # more folders of trainings than the usual one
        self._models: dict[str, Shared] = {}
        self._free: dict[str, list[Player]] = {}  # players with a model that nobody uses now
        self._fitting: dict[str, bool] = {}
        self._last_runs: dict[str, tuple[float, LastRun | None]] = {}  # when it was looked for, what was found
        self._lock = threading.Lock()

    def strengths(self, game: Game) -> list[tuple[str, str, str]]:
        """Name, spec and a few words, weakest first: the levels that were measured, or else what the card has; then
        the owner's players."""
        listed = self._measured(game) or self._standard(game)
        return [*listed, *((name, spec, "yours") for name, spec in self.own.items() if self._fits(spec, game))]

    def _measured(self, game: Game) -> list[tuple[str, str, str]]:
        levels = levels_of(game)
        if not levels:
            return []
        listed = [("Random", "random", "any move"), *((one.name, one.spec, one.words) for one in levels)]
        if (trained := self._trained(game)) is not None:
            listed.append(("Trained", f"{RUN}:{trained.path.name}", f"what you trained {ago(trained.changed)}"))
        if game.players > 1 or not game.card.strengths:  # alone, thousands of moves may be made: none by the clock
            best = shipped_player(game, 1.0)
            words = "has learnt the game, thinks for a second" if best else "thinks for four seconds"
            listed.append(("Best", best or "mcts:seconds=4", words))
        elif learnt := shipped_player(game, 1.0):
            listed.append(("Best", learnt, "has learnt the game"))
        return listed

    def _standard(self, game: Game) -> list[tuple[str, str, str]]:
        """The opponents of a game whose levels nobody has measured."""
        listed = [(one.name, one.spec, one.words) for one in game.card.strengths or STRENGTHS]
        policy = game.card.search.playout or (game.policies[0] if game.policies else "")
        if policy:
            listed.insert(1, ("Easy", policy.replace("_", "-"), "follows a simple rule"))
        else:
            listed.insert(1, ("Easy", "mcts:simulations=15", "a glance"))
        learnt = shipped_player(game, 1.0)
        if learnt:
            listed.append(("Master", learnt, "has learnt the game"))
        elif (trained := self._trained(game)) is not None:
            listed.append(("Trained", f"{RUN}:{trained.path.name}", f"what you trained {ago(trained.changed)}"))
        return listed

    def usual(self, game: Game) -> list[str]:
        """The players whose kernels a page needs soon."""
        return [spec for name, spec, _ in self.strengths(game) if name in ("Easy", "Medium")]

    def above(self, spec: str, game: Game) -> tuple[str, str, str] | None:
        """The measured level after the one that a spec plays; None if there is none."""
        listed = [("Random", "random", ""), *((one.name, one.spec, one.words) for one in levels_of(game))]
        place = next((number for number, one in enumerate(listed) if one[1] == spec), len(listed))
        return listed[place + 1] if place + 1 < len(listed) else None

    def _trained(self, game: Game) -> LastRun | None:
        """What was trained last for a game; looked for now and then, since every view of a table asks."""
        now = time.monotonic()
        looked, found = self._last_runs.get(str(game), (-LOOK_AGAIN, None))
        if now - looked >= LOOK_AGAIN:
            found = last_run(game, more=self.runs)[0]
            self._last_runs[str(game)] = now, found
        return found

    def lookers(self, game: Game) -> tuple[str, str]:
        """Who looks at a single position of a game, and who judges whole ones."""
        return self._analyst(game), self._judge(game, 1)

    def _judge(self, game: Game, count: int) -> str:
        plain = f"mcts:simulations=160,depth=0,grow=0,megabytes={self.limits.megabytes / count:g}"
        return best_judge(game, 160, plain)

    def _analyst(self, game: Game) -> str:
        select = "puct" if game.policies else "ucb1"  # not gumbel: its order of visits must know the budget
        return best_analyst(game, 160, f"mcts:select={select},simulations=160,megabytes={self.limits.megabytes:g}")

    @contextmanager
    def judges(self, game: Game, count: int) -> Iterator[list[Player]]:
        """So many equal players that judge whole games: the strongest there are, nobody else's meanwhile."""
        with self._lent(PlayerSpec.parse(self._judge(game, count)), game, count) as players:
            yield players

    @contextmanager
    def analyst(self, game: Game) -> Iterator[Player]:
        """Who looks at a single position: a tree search with what has learnt the game at its leaves, if anything."""
        with self._lent(PlayerSpec.parse(self._analyst(game)), game, 1) as players:
            yield players[0]

    @contextmanager
    def _lent(self, spec: PlayerSpec, game: Game, count: int) -> Iterator[list[Player]]:
        """So many players of a spec; those with a model are read once and used again."""
        if not any(name in MODELS for name in (spec.kind, *spec.settings)):
            yield [player(spec, game) for _ in range(count)]
            return
        if spec.kind == "mcts" and "megabytes" not in spec.settings:
            spec = spec.with_setting("megabytes", f"{self.limits.megabytes:g}")
        key = f"{spec} {_age(spec)} {game}"
        with self._lock:
            free = self._free.pop(key, [])
        made = [*free, *(player(spec, game) for _ in range(count - len(free)))]
        try:
            yield made[:count]
        finally:
            for one in made:
                one.forget()
            with self._lock:
                self._free[key] = made
                while len(self._free) > MOST_MODELS:
                    del self._free[next(iter(self._free))]

    def _fits(self, spec: str, game: Game) -> bool:
        """Whether the owner's player can play this game; asked once, as its model may be large."""
        key = f"{spec} {game}"
        if key not in self._fitting:
            try:
                player(spec, game)
                self._fitting[key] = True
            except InputError:
                self._fitting[key] = False
        return self._fitting[key]

    def check(self, text: str, game: Game) -> str:
        """Who sits there: `human`, or the spec behind a strength's name, or a spec within the limits."""
        text = text.strip()
        if text == HUMAN:
            return HUMAN
        for name, spec, _ in self.strengths(game):
            if text in (name, spec) or text.casefold() == name.casefold():
                return spec
        run = run_of(text)
        if run is not None:
            player_of(run, game, self.runs)  # says what is wrong with it
            return text
        parsed = PlayerSpec.parse(text)
        kind = parsed.kind
        if kind in ("random", *(policy.replace("_", "-") for policy in game.policies)):
            player(text, game)
            return text
        bounded = kind in ("mcts", "hybrid") or game.actions <= FEW_MOVES
        if kind not in MAY or not bounded:
            names = [HUMAN, *(name for name, _, _ in self.strengths(game)), *MAY]
            close = get_close_matches(kind[:60].casefold(), map(str.casefold, names), n=1)
            meant = next((f"did you mean {name}? There" for name in names if [name.casefold()] == close), "there")
            raise Refused(f"no player {text[:60]!r} here; {meant} are {', '.join(names)}")
        for name, value in parsed.settings.items():
            most = MAY[kind].get(name)
            if most is None:
                raise Refused(
                    f"player {kind}: {name[:40]!r} cannot be set on the page; there are {', '.join(MAY[kind])}"
                )
            if name == "simulations":
                most = self.limits.simulations
            elif name == "seconds":
                most = LONGEST_MOVE
            try:
                number = float(value)
            except ValueError:
                continue  # a name; making the player says whether it exists
            if not -(2.0**62) <= number <= most:
                raise Refused(f"player {kind}: {name}={value[:40]} is more than {most:g}")
        player(text, game)
        return text

    def name_of(self, spec: str, game: Game) -> str:
        """What to call a seat."""
        if spec == HUMAN:
            return "You" if game.players == 1 else "Human"
        return next((name for name, known, _ in self.strengths(game) if known == spec), spec)

    def about(self, spec: str, game: Game) -> str:
        """A few words on who sits there; none if only the spec is known."""
        return next((words for _, known, words in self.strengths(game) if known == spec), "")

    def player(self, spec: str, game: Game, seed: int) -> Player:
        """The player behind a checked spec, small enough for a server, with a seed of its own."""
        run = run_of(spec)
        if run is not None:
            return self._learnt(player_of(run, game, self.runs), game)
        parsed = PlayerSpec.parse(spec)
        plain = parsed.kind in (*MAY, "random", SLIPS) or parsed.kind.replace("-", "_") in game.policies
        if not plain or any(name in MODELS for name in parsed.settings):
            return self._learnt(parsed, game)
        own = any(spec == known for known in self.own.values())
        if parsed.kind == "mcts" and not own and "megabytes" not in parsed.settings:
            parsed = parsed.with_setting("megabytes", f"{self.limits.megabytes:g}")
        return player(seeded(parsed, game, seed % 2**31), game)

    def _learnt(self, spec: PlayerSpec, game: Game) -> Player:
        """A player with a model: read once, and shared by all games, who take turns."""
        key = f"{spec} {_age(spec)} {game}"
        with self._lock:
            if key not in self._models:
                while len(self._models) >= MOST_MODELS:
                    del self._models[next(iter(self._models))]
                self._models[key] = Shared(player(spec, game))
            return self._models[key]


def _age(spec: PlayerSpec) -> int:
    """When the newest file that a spec names was written: a checkpoint that was written anew is another player."""
    return max((_written(Path(value)) for value in spec.settings.values()), default=0)


def _written(path: Path) -> int:
    """When a file was written, of a run's folder its model; 0 if there is none."""
    try:
        return max(place.stat().st_mtime_ns for place in (path, path / MODEL) if place.is_file())
    except (OSError, ValueError):  # nothing there; or no path at all
        return 0


def run_of(text: str) -> str | None:
    """The name of the training in `run:NAME`; None if the text is a player's spec."""
    kind, _, name = text.partition(":")
    return name if kind == RUN else None


def kind_of(seat: str) -> str:
    """Of players who may have kernels in common, one name: the spec's kind, or RUN for all that was trained here."""
    return RUN if run_of(seat) is not None else PlayerSpec.parse(seat).kind


class Shared(Player):
    """A player for many games, who take turns."""

    def __init__(self, made: Player) -> None:
        self.game, self.spec, self.trees = made.game, made.spec, made.trees
        self._made, self._turn = made, threading.Lock()

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        while not self._turn.acquire(timeout=LOOK_SECONDS):
            if control is not None and control.poll():
                return Choice(self.glance(position), note=STOPPED)
        try:
            return self._made.choose(position, control)
        finally:
            self._turn.release()
