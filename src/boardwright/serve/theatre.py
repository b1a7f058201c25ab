"""The search theatre: a search as the page shows it, one simulation at a time. docs/theatre.md is for teachers.

A question names the position, the settings, the seed and how many simulations; that fixes the tree, so nothing depends
on what was asked before. Searches that were looked at last are kept only to go on from: a step is then one simulation.
"""

from __future__ import annotations

import hashlib
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.settings import read_settings, split_settings
from boardwright.draw.embed import MOST_STRETCHED, embedded_board
from boardwright.draw.visible_tree import Node, step_from, top_and_path
from boardwright.players.mcts import make_searches
from boardwright.records.after import after
from boardwright.search.reasons import TERMS, Decision, Reason, decisions
from boardwright.search.search import Search
from boardwright.search.settings import SELECT, SearchSettings, advised
from boardwright.search.stepper import Simulation, Stepper
from boardwright.serve.clients import CLIENT
from boardwright.serve.limits import Limits
from boardwright.serve.pool import Job
from boardwright.serve.requests import Fields, Refused
from boardwright.serve.view import about

if TYPE_CHECKING:
    from boardwright.serve.context import Context

MOST_MOVES = 2000  # to a position
MOST_KNOWN = 4000  # boards that the page has already
MOST_SEED = 2**53
MOST_TOP, MOST_DEPTH = 8, 6  # children of a node, levels: what is shown
MOST_REASONS = 16  # children of whom a choice tells its terms
MOST_LISTED = 12  # moves of the root
SLICE = 50  # playouts between two looks whether to stop
BY_HAND = 2.0  # seconds that the interpreter has while the game is being compiled
BOARD = 100.0  # the side of a board, in pixels
# What can be set, and how large a number may be.
SETTINGS: dict[str, float] = {
    "select": 0, "c": 1000, "prior": 0, "rollout": 0, "rollouts": 50, "considered": 1000, "trust": 1000, "mix": 1,
    "depth": 10_000, "grow": 10_000, "expand": 1000, "widen": 1, "common": 1, "proofs": 1, "forcing": 1, "threats": 1,
    "merge": 1,
}  # fmt: skip


def theatre_settings(given: dict[str, Any], simulations: int, seed: int, megabytes: float) -> SearchSettings:
    """The settings of a search on show; those given are texts, or numbers."""
    for name in given:
        if name not in SETTINGS:
            raise Refused(f"the theatre has no setting {str(name)[:40]!r}; there are {', '.join(SETTINGS)}")
    read = read_settings(SearchSettings, "the theatre", given)
    for name, value in read.items():
        if not isinstance(value, str) and value > SETTINGS[name]:
            raise Refused(f"the theatre: {name}={value} is more than {SETTINGS[name]:g}")
    return SearchSettings(**read, simulations=simulations, seed=seed, megabytes=megabytes)


def _as_written(value: Any) -> Any:
    """A setting as specs write it: a policy's name has hyphens there, where the method has underscores."""
    return value.replace("_", "-") if isinstance(value, str) else value


def theatre_search(game: Game, settings: SearchSettings) -> Search:
    """The search of the player `mcts` with these settings."""
    return make_searches(game, advised(game, settings))[0]


class Stage:
    """One search on show. Whoever uses it holds the lock, and calls `begin` first."""

    def __init__(self, position: Position, settings: SearchSettings, name: str) -> None:
        self.position, self.settings = position, settings
        self.name = name  # goes before those of the boards' parts
        self.lock = threading.Lock()
        self._stepper: Stepper | None = None

    def begin(self, interpreted: bool) -> None:
        """Go on by kernels, or by the interpreter. The search is made by whoever comes first."""
        if self._stepper is None:
            search = theatre_search(self.position.game, self.settings)
            search.interpreted = interpreted
            self._stepper = Stepper(search, self.position)
        self._stepper.search.interpreted = interpreted

    @property
    def stepper(self) -> Stepper:
        assert self._stepper is not None
        return self._stepper

    @property
    def search(self) -> Search:
        return self.stepper.search

    def go(self, at: int, stopping: Callable[[], bool]) -> None:
        """Until `at` simulations are done, the last one looked at; fewer if there are no more, or if told to stop."""
        stepper, ended = self.stepper, ""
        while not stopping():
            if at < stepper.done or (at == stepper.done and at and stepper.last is None):
                stepper.rewind()
            while stepper.done < at - 1 and not stepper.ended and not stopping():
                playouts = max(1, self.search.plan.rollouts)
                stepper.skip(1 if self.search.interpreted else min(max(1, SLICE // playouts), at - 1 - stepper.done))
            if stepper.done == at - 1 and not stepper.ended:
                stepper.step()
            stepper.ended = stepper.ended or ended
            if stepper.last is not None or stepper.done == 0:
                return
            at, ended = stepper.done, stepper.ended  # it ended on the way: look at the last one

    # Telling

    def tell(self, top: int, depth: int, known: set[int]) -> dict[str, Any]:
        """The tree and its last simulation. `known`: slots whose boards the page has."""
        stepper, game = self.stepper, self.position.game
        last, settings = stepper.last, self.search.settings
        root = top_and_path(stepper.tree, self.position, top, depth, last.path if last else (0,))
        names = ("select", "c", "prior", "rollout", "rollouts", "considered", "trust", "simulations")
        policies = ["uniform", *map(_as_written, game.policies)]
        return {
            "game": about(game),
            "choices": {"select": list(SELECT), "prior": policies, "rollout": [*policies, "none"]},
            "settings": {name: _as_written(getattr(settings, name)) for name in names},
            "player": self.position.player,
            "at": stepper.done,
            "limit": stepper.limit,
            "ended": stepper.ended,
            "nodes": int((stepper.tree.used["visits"] > 0).sum()),
            "tree": self._node(root),
            "boards": {node.slot: self._board(node.position, str(node.slot)) for node in root.all()
                       if node.slot not in known},
            "moves": self._moves(),
            "simulation": self._simulation(last) if last else None,
        }  # fmt: skip

    def _board(self, position: Position, name: str) -> str:
        """The position's picture, or its words where the game draws none: one long line is no picture."""
        made = embedded_board(position, f"{self.name}{name}-", BOARD)
        if type(position.game).svg is Game.svg and made.width / made.height >= MOST_STRETCHED:
            return str(position)
        return f'<svg xmlns="http://www.w3.org/2000/svg" {made.head}>{made.body}</svg>'

    def _node(self, node: Node) -> dict[str, Any]:
        told: dict[str, Any] = {
            "slot": node.slot, "text": node.text, "by": node.chooser, "actor": node.actor, "whose": node.viewer,
            "visits": node.visits, "value": node.q, "prior": node.prior, "share": round(node.share, 5),
            "proven": node.proven, "more": node.more, "children": [self._node(child) for child in node.children],
        }  # fmt: skip
        last = self.stepper.last
        if last and node.slot in last.path:
            told["before"] = {
                "visits": int(last.before.slots["visits"][node.slot]),
                "value": self._before(last, node.slot, node.viewer),
            }
        return told

    def _before(self, last: Simulation, slot: int, whose: int) -> float | None:
        record = last.before.slots[slot]
        return float(last.before.q(slot)[whose]) if record["visits"] or record["proven"] else None

    def _moves(self) -> list[dict[str, Any]]:
        """The root's children, the one to play first, then by visits."""
        tree, player = self.stepper.tree, self.position.player
        best = self.search.best_child() if self.stepper.done and len(tree.children()) else -1
        order = sorted(tree.children(), key=lambda slot: (slot != best, -int(tree.slots["visits"][slot]), slot))
        return [
            {
                "slot": slot,
                "text": self.position.text(int(tree.slots["move"][slot])),
                "visits": int(tree.slots["visits"][slot]),
                "value": float(tree.q(slot)[player]) if tree.slots["visits"][slot] else None,
                "best": slot == best,
            }
            for slot in order[:MOST_LISTED]
        ]

    def _simulation(self, last: Simulation) -> dict[str, Any]:
        tree, plan = self.stepper.tree, self.search.plan
        positions, texts, viewers = [self.position], [""], [self.position.player]
        for slot, child in pairwise(last.path):
            actor = int(tree.slots["actor"][slot])
            position, text = step_from(positions[-1], actor, int(tree.slots["move"][child]))
            positions.append(position)
            texts.append(text)
            viewers.append(actor if actor >= 0 else viewers[-1])
        chosen = decisions(self.search, last)
        end = Position(self.position.game, last.end) if last.end is not None else None
        return {
            "number": last.number,
            "path": list(last.path),
            "line": texts[1:],
            "decisions": [
                self._decision(one, last, position, max(viewer, 0))
                for one, position, viewer in zip(chosen, positions, viewers, strict=False)
            ],
            "opened": [
                {
                    "slot": slot,
                    "text": texts[last.path.index(slot)],
                    "actor": int(tree.slots["actor"][slot]),
                    "children": len(tree.children(slot)),
                }
                for slot in last.opened
            ],
            "evaluation": {
                "valued": last.valued,
                "value": last.value.tolist(),
                "rollouts": plan.rollouts,
                "policy": _as_written(self.search.settings.rollout),
                "over": end.is_over if end else positions[-1].is_over,
                "board": self._board(end, "end") if end else None,
            },
            "backup": [
                {
                    "slot": slot,
                    "text": texts[level],
                    "whose": viewers[level],
                    "visits": [int(last.before.slots["visits"][slot]), int(tree.slots["visits"][slot])],
                    "value": [
                        self._before(last, slot, viewers[level]),
                        float(tree.q(slot)[viewers[level]]),
                    ],
                    "proven": bool(tree.slots["proven"][slot] and not last.before.slots["proven"][slot]),
                }
                for level, slot in reversed(list(enumerate(last.path)))
            ],
        }

    def _decision(self, one: Decision, last: Simulation, position: Position, viewer: int) -> dict[str, Any]:
        actor = int(self.stepper.tree.slots["actor"][one.slot])
        whose = actor if actor >= 0 else viewer
        ranked = sorted(one.children, key=lambda child: -child.score)
        shown = ranked[:MOST_REASONS]
        if all(child.slot != one.chosen for child in shown):
            shown = [*shown[:-1], next(child for child in ranked if child.slot == one.chosen)]
        return {
            "slot": one.slot,
            "actor": actor,
            "rule": one.rule,
            "terms": list(TERMS[one.rule]),
            "visits": int(last.before.slots["visits"][one.slot]),
            "chosen": one.chosen,
            "children": [self._reason(child, last, position, actor, whose) for child in shown],
            "more": len(ranked) - len(shown),
        }

    def _reason(self, one: Reason, last: Simulation, position: Position, actor: int, whose: int) -> dict[str, Any]:
        move = int(self.stepper.tree.slots["move"][one.slot])
        _, text = step_from(position, actor, move) if actor < 0 else (None, position.text(move))
        return {
            "slot": one.slot,
            "text": text,
            "visits": int(last.before.slots["visits"][one.slot]),
            "value": self._before(last, one.slot, whose),
            "prior": float(last.before.slots["prior"][one.slot]),
            "terms": list(one.terms),
            "score": one.score if math.isfinite(one.score) else None,
            "why": one.why,
        }


class Theatres:
    """The searches on show of one server: a few of each client, the ones looked at last."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._stages: OrderedDict[tuple[str, Game, bytes, SearchSettings], Stage] = OrderedDict()
        self._lock = threading.Lock()

    def ask(self, fields: Fields, context: Context) -> Callable[[Job], dict[str, Any]]:
        """What a request asks for, to be done in a thread: `game` (as a spec writes it), `moves` and `seed`, or a
        position as for an analysis; `settings`, `simulations`, `at`; what to show (`top`, `depth`); `known` boards.
        """
        most = self._limits.theatre_simulations
        seed = fields.whole("seed", 0, MOST_SEED, 0)
        simulations = fields.whole("simulations", 1, most, min(200, most))
        at = fields.whole("at", 0, most, 0)
        given = fields.object("settings", {})
        top, depth = fields.whole("top", 1, MOST_TOP, 3), fields.whole("depth", 1, MOST_DEPTH, 2)
        known = set(fields.wholes("known", MOST_KNOWN, []))
        settings = theatre_settings(given, simulations, seed, self._limits.theatre_megabytes)
        find = self._finder(fields, context, seed)

        def work(job: Job) -> dict[str, Any]:
            position = find()
            stage = self._stage(position, settings)
            preparation = context.preparation
            game = position.game

            def waiting() -> bool:
                job.report(lambda: {"preparing": preparation.left(game), "game": about(game)})
                return job.stopping

            with stage.lock:
                preparation.look_at(game)
                # While the game is being compiled the interpreter grows the same tree, for a moment.
                until = time.monotonic() + BY_HAND
                stage.begin(not preparation.ready(game))
                stage.go(at, lambda: job.stopping or (stage.search.interpreted and time.monotonic() > until))
                if stage.search.interpreted and time.monotonic() > until and not job.stopping:
                    preparation.wait(game, waiting)
                    stage.begin(not preparation.ready(game))
                    stage.go(at, lambda: job.stopping)
                return stage.tell(top, depth, known)

        return work

    def _finder(self, fields: Fields, context: Context, seed: int) -> Callable[[], Position]:
        if not fields.has("game"):
            return context.finder(fields, hint=True)
        name, _, options = fields.text("game", most=400).partition(":")
        moves = fields.texts("moves", MOST_MOVES, [])
        return lambda: after(context.catalogue.make(name, split_settings(name, options)), moves, seed)

    def _stage(self, position: Position, settings: SearchSettings) -> Stage:
        """The search of this client that is meant, or a new one."""
        client = CLIENT.get()
        key = client, position.game, position.key, settings
        with self._lock:
            found = self._stages.get(key)
            if found is None:
                name = hashlib.sha256(repr(key).encode()).hexdigest()[:8]
                found = self._stages[key] = Stage(position, settings, f"t{name}-")
            self._stages.move_to_end(key)
            mine = [one for one in self._stages if one[0] == client]
            for old in mine[: -self._limits.theatres_each]:
                del self._stages[old]
            while len(self._stages) > self._limits.theatres:
                self._stages.popitem(last=False)
            return found
