"""Players with a network: `net:` plays its policy alone, `mcts:net=...` searches with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.learn.models import Model, load_model
from boardwright.learn.selfplay.numpy_forward import make_forward
from boardwright.learn.selfplay.observation import Observer
from boardwright.learn.selfplay.shape import Shape, check_weights, shape_for
from boardwright.learn.selfplay.targets import Targets
from boardwright.learn.shipped import AUTO, NETWORK, default_model
from boardwright.players.control import Control
from boardwright.players.mcts import plant_anew, search_under
from boardwright.players.player import Player
from boardwright.search.choice import Choice
from boardwright.search.settings import SearchSettings
from boardwright.search.virtual_loss import VirtualLossSearch

SIZES = ("size", "rows", "columns", "width", "height")  # options that a network without a dense head does not mind


class Network:
    """A model, ready to judge positions of one game."""

    def __init__(self, game: Game, model: Model) -> None:
        self.game, self.model = game, model
        where = model.path.name or "the network"
        try:
            made = Shape.from_dict(model.settings["shape"])
            self.observer = Observer.from_dict(game, model.settings["eyes"])
            unit = _number(model.settings["unit"], 0.0, 1e12)
            if (unit > 0.0) != bool(game.counts_points):
                raise ValueError(f"a unit of {unit:g} points")
            self.targets = Targets(game, unit)
            self.trust = _number(model.settings.get("trust", SearchSettings.trust), 0.0, 1e6)
            shape = shape_for(game, self.observer.shape, made.channels, made.blocks, made.hidden)
        except InputError:
            raise
        except (KeyError, TypeError, ValueError):
            raise InputError(f"{where}: its note about the network is damaged; copy or train it again") from None
        if not shape.fits(made):
            raise InputError(f"{where} was made for other rules: what {game.name} observes has another shape")
        check_weights(shape, model.arrays, where)
        self.forward = make_forward(shape, model.arrays)

    def __call__(
        self, states: npt.NDArray[np.void], actors: npt.NDArray[np.int8]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
        """Logits (n, actions), and values (n, players): what player i can expect."""
        logits, seats = self.forward(self.observer.see(states, actors))
        return logits, self.targets.by_player(states, actors, seats)

    def judge(self, position: Position) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Of one position: the policy over its legal moves, in their order, and what each player can expect."""
        logits, values = self(position.record, np.array([position.player], np.int8))
        legal = logits[0, list(position.moves)].astype(np.float64)
        policy = np.exp(legal - legal.max())
        return policy / policy.sum(), values[0]


def _number(value: object, low: float, high: float) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{value!r} is no number from {low:g} to {high:g}")
    return float(value)


def open_network(name: str, game: Game) -> Network:
    """The network of a file, a run's folder, or the one that comes with Boardwright."""
    if not name:
        raise InputError("net= names no model: a file, a run's folder, or auto for the one that comes with Boardwright")
    found = default_model(game, NETWORK) if name == AUTO else name
    sizeless = tuple(option for option in game.options if option not in SIZES)
    model = load_model(found, NETWORK, game, same=sizeless)
    if any(model.options.get(option) != game.options.get(option) for option in SIZES if option in game.options):
        try:
            sizeless_net = Shape.from_dict(model.settings["shape"]).moves_are_cells
        except (KeyError, TypeError, ValueError):
            sizeless_net = True  # Network says what is wrong with it
        if not sizeless_net:
            load_model(found, NETWORK, game)  # says which option does not fit
    return Network(game, model)


@dataclass(frozen=True)
class NetSettings:
    """The settings of `net:`."""

    model: str = AUTO  # a model file, a run's folder, or auto for the one that comes with Boardwright
    temperature: float = 0.0  # 0: the best move; 1: moves as likely as the network likes them
    seed: int = 0  # one seed, one way to play

    def __post_init__(self) -> None:
        if not 0.0 <= self.temperature <= 100.0:
            raise InputError(f"net: temperature={self.temperature} must be 0 to 100")


class NetPlayer(Player):
    """Plays the move that the network's policy likes best, without search."""

    def __init__(self, game: Game, spec: str, settings: NetSettings) -> None:
        self.game, self.spec, self.settings = game, spec, settings
        self.network = open_network(settings.model, game)
        self.forget()

    def forget(self) -> None:
        self._rng = Random(self.settings.seed)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        policy, value = self.network.judge(position)
        if self.settings.temperature > 0.0:
            weights = np.maximum(policy, 1e-12) ** (1.0 / self.settings.temperature)
            chosen = self._rng.pick(weights.tolist())
        else:
            chosen = int(policy.argmax())
        return Choice(
            position.moves[chosen],
            value=tuple(value.tolist()),
            priors=dict(zip(position.moves, policy.tolist(), strict=True)),
            note=f"model {self.network.model.path.stem}",
        )


@dataclass(frozen=True)
class NetSearchSettings(SearchSettings):
    """The settings of `mcts:net=...`: those of mcts that make sense with a network, and two more."""

    select: str = "puct"  # how a child is chosen: puct, or gumbel (sequential halving at the root)
    c: float = 0.4  # weight of exploration in puct, for values normalised to 0..1: a learnt prior needs less than rules
    net: str = AUTO  # a model file, a run's folder, or auto for the one that comes with Boardwright
    leaves: int = 8  # that the network values at once, at most

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in fields(SearchSettings):
            given = getattr(self, field.name)
            if field.name in POINTLESS and given != field.default:
                raise InputError(f"mcts: {field.name}={given} does nothing with net=; leave it out")
        if self.select not in ("puct", "gumbel"):
            raise InputError(f"mcts: select={self.select} does not use a network's policy; choose puct or gumbel")
        if not 1 <= self.leaves <= 1024:
            raise InputError(f"mcts: leaves={self.leaves} must be 1 to 1024")


POINTLESS = ("prior", "rollout", "mix", "rollouts", "depth", "grow", "expand", "common", "threads")


class NetSearchPlayer(Player):
    """Searches with a network at the leaves."""

    def __init__(self, game: Game, spec: str, settings: NetSearchSettings) -> None:
        self.game, self.spec, self.settings = game, spec, settings
        self.network = open_network(settings.net, game)
        self.network.forward.prepare(settings.leaves)
        plain: dict[str, Any] = {field.name: getattr(settings, field.name) for field in fields(SearchSettings)}
        if settings.select == "gumbel":
            plain["trust"] = self.network.trust
        self.trees, self.simulations = 1, settings.simulations
        self.searches = [VirtualLossSearch(game, SearchSettings(**plain), self.network, settings.leaves)]

    def forget(self) -> None:
        for one in self.searches:
            one.forget()

    def give_visits(self, most: int, least: int, same: Mapping[int, tuple[int, ...]] | None = None) -> None:
        self.searches[0].give_visits(most, least, same)

    def anew(self, seed: int, simulations: int) -> None:
        plant_anew(self.searches, seed, simulations)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        choice = search_under(control, position, self.searches, self.settings)
        said = f"model {self.network.model.path.stem}"
        return replace(choice, note=f"{choice.note}, {said}" if choice.note else said)
