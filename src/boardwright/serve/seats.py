"""Who may sit at a table: people, strengths by plain names, and players by their specs, within limits."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

from boardwright.contract.card import Strength
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.settings import split_settings
from boardwright.learn.strongest import learnt_player
from boardwright.players import Choice, Player, player
from boardwright.serve.limits import Limits
from boardwright.serve.monitor import player_of
from boardwright.serve.requests import Refused

HUMAN = "human"
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
FEW_MOVES = 16  # games of so few moves may be searched by methods that cannot be stopped
MOST_MODELS = 4  # players with models in memory


class Seats:
    """The players of one server. `own` are the owner's, spec by name: they may take what they like."""

    def __init__(self, own: Mapping[str, str], limits: Limits) -> None:
        for name, spec in own.items():
            if not 1 <= len(name) <= 40 or name == HUMAN or spec == HUMAN:
                raise InputError(f"--player {name}={spec}: give it a name of 1 to 40 letters")
        self.own, self.limits = dict(own), limits
        self.runs: tuple[Path, ...] = ()  # more folders of trainings than the usual one
        self._models: dict[str, Shared] = {}
        self._fitting: dict[str, bool] = {}
        self._lock = threading.Lock()

    def strengths(self, game: Game) -> list[tuple[str, str, str]]:
        """Name, spec and a few words, weakest first; then the owner's players."""
        listed = [(one.name, one.spec, one.words) for one in game.card.strengths or STRENGTHS]
        policy = game.card.search.playout or (game.policies[0] if game.policies else "")
        if policy:
            listed.insert(1, ("Easy", policy.replace("_", "-"), "follows a simple rule"))
        else:
            listed.insert(1, ("Easy", "mcts:simulations=15", "a glance"))
        learnt = learnt_player(game, 1.0)
        if learnt:
            listed.append(("Master", learnt, "has learnt the game"))
        return [*listed, *((name, spec, "yours") for name, spec in self.own.items() if self._fits(spec, game))]

    def judge(self, game: Game) -> Player | None:
        """Who values the positions of a whole game better than a search, if anybody."""
        return self._learnt(game.card.judge, game) if game.card.judge and learnt_player(game, 1.0) else None

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
        kind, _, settings = text.partition(":")
        if kind == RUN:
            player_of(settings, self.runs)  # says what is wrong with it
            return text
        if kind in ("random", *(policy.replace("_", "-") for policy in game.policies)):
            player(text, game)
            return text
        stoppable = kind in ("mcts", "hybrid") or game.actions <= FEW_MOVES
        if kind not in MAY or not stoppable:
            names = ", ".join([HUMAN, *(name for name, _, _ in self.strengths(game)), *MAY])
            raise Refused(f"no player {text[:60]!r} here; there are {names}")
        for name, value in split_settings(kind, settings).items():
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

    def player(self, spec: str, game: Game, seed: int) -> Player:
        """The player behind a checked spec, small enough for a server, with a seed of its own."""
        kind, _, settings = spec.partition(":")
        if kind == RUN:
            return self._learnt(player_of(settings, self.runs), game)
        plain = kind in (*MAY, "random") or kind.replace("-", "_") in game.policies
        if not plain or "net=" in spec or "table=" in spec:
            return self._learnt(spec, game)
        own = any(spec == known for known in self.own.values())
        wanted = split_settings(kind, settings)
        if kind == "mcts" and not own:
            wanted.setdefault("megabytes", f"{self.limits.megabytes:g}")
        made = f"{kind}:{','.join(f'{name}={value}' for name, value in wanted.items())}".rstrip(":")
        if "seed" in wanted:
            return player(made, game)
        try:
            return player(f"{made}{',' if wanted else ':'}seed={seed % 2**31}", game)
        except InputError:
            return player(made, game)  # a kind without a seed

    def _learnt(self, spec: str, game: Game) -> Player:
        """A player with a model: read once, and shared by all games, who take turns."""
        named = spec.partition("=")[2].partition(",")[0]
        try:
            age = Path(named).stat().st_mtime_ns  # a checkpoint that was written anew is another player
        except OSError:
            age = 0
        key = f"{spec} {age} {game}"
        with self._lock:
            if key not in self._models:
                while len(self._models) >= MOST_MODELS:
                    del self._models[next(iter(self._models))]
                self._models[key] = Shared(player(spec, game))
            return self._models[key]


class Shared(Player):
    """A player for many games: hold `turn` while it thinks."""

    def __init__(self, made: Player) -> None:
        self.game, self.spec, self.made, self.turn = made.game, made.spec, made, threading.Lock()

    def choose(self, position: Position) -> Choice:
        with self.turn:
            return self.made.choose(position)
