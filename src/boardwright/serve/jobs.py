"""What a job does: look at one position, choose a seat's move, or judge a whole game."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from boardwright.arena.analyse import explain, game_line, kept_report
from boardwright.arena.equal_moves import same_moves
from boardwright.arena.judge import Judge
from boardwright.arena.judge_budget import affordable
from boardwright.arena.tried_moves import Same, tried_moves, value_error
from boardwright.arena.verdict import FEW_VISITS
from boardwright.contract.errors import BoardwrightError
from boardwright.contract.position import Position
from boardwright.draw.visible_tree import Node, nodes_of, ranked
from boardwright.players import Choice, Control, Player, Progress
from boardwright.search.common_choice import best_line
from boardwright.search.stopping import STOPPED, Stopped
from boardwright.search.tree import Tree
from boardwright.serve.pool import Job
from boardwright.serve.requests import Refused

MOST_CANDIDATES = 40
SEEN = 5  # candidates that always get visits
LINES = 12  # candidates whose best lines are told
FIRST_SECONDS = 9.0  # that the first whole report of a game may take, about
REFINED_SECONDS = 1.0  # between two reports that are being refined, at least


class PositionSearch:
    """A search of one position that reports, and whose tree can be opened while it grows and after."""

    def __init__(self, position: Position, player: Player, seconds: float, simulations: int, most: int) -> None:
        """player: one that grows a single tree, nobody else's meanwhile. simulations: at most."""
        if position.player < 0:
            what = "the game is over" if position.is_over else "chance moves here: choose what it does"
            raise Refused(f"{position.game.name}: {what}")
        self.position, self.player, self.most = position, player, min(most, MOST_CANDIDATES)
        self.seconds, self.simulations = seconds, simulations
        self.tree: Tree | None = None
        self.same: Same = {}
        self._asked: list[tuple[list[int], Callable[[dict[str, Any]], None]]] = []
        self._asking = threading.Lock()
        self._running = True

    def run(self, job: Job) -> dict[str, Any]:
        until = math.inf  # the time begins with the first simulations: a kernel may be compiled or read before

        def between(progress: Progress) -> None:
            """At the end of every slice, in the search's own thread: the tree stands still."""
            nonlocal until
            until = min(until, time.monotonic() + self.seconds)
            (self.tree,) = progress.trees
            self.player.give_visits(SEEN, FEW_VISITS, self.same)
            if progress.simulations >= FEW_VISITS:  # one playout that was won is no chance of 100 %
                job.report(lambda: self._findings(progress.choose()))
            self._answer()

        control = Control(lambda: job.stopping or time.monotonic() >= until, between, wants_tree=True)
        try:
            self.same = same_moves(self.position)
            self.player.anew(0, self.simulations)
            choice = self.player.choose(self.position, control)
            (self.tree,) = control.trees
            note = ", ".join(part for part in choice.note.split(", ") if part != STOPPED or job.stopping)
            choice = replace(choice, note=note)
            return {**self._findings(choice), "stopped": job.stopping, "analyst": self.player.spec}
        finally:
            self._running = False
            self._answer()

    def _findings(self, choice: Choice | None) -> dict[str, Any]:
        """What the tree knows: the value of the position to each player, and the moves, best first."""
        assert choice is not None and self.tree is not None
        simulations = int(self.tree.stats["simulations"][0])
        return {**describe(self.position, choice, self.tree, self.most, self.same), "simulations": simulations}

    def open(self, path: list[int], tell: Callable[[dict[str, Any]], None]) -> None:
        """Tell the children of the slot at the end of `path` (slots from below the root on)."""
        self._asked.append((path, tell))
        if not self._running:
            self._answer()

    def _answer(self) -> None:
        with self._asking:
            while self._asked:
                path, tell = self._asked.pop(0)
                try:
                    tell(self._branch(path))
                except BoardwrightError as error:
                    tell({"error": str(error), "status": getattr(error, "status", 400)})

    def _branch(self, path: list[int]) -> dict[str, Any]:
        tree = self.tree
        if tree is None:
            raise Refused("the search ended before it grew a tree", 404)
        shown: dict[int, list[int]] = {}
        at = 0
        for slot in path:
            if slot not in tree.children(at):
                raise Refused(f"{slot} is no child of {at}")
            shown[at] = [slot]
            at = slot
        shown[at] = ranked(tree, self.position, at)[: self.most]
        node = nodes_of(tree, self.position, shown)
        for _ in path:
            node = node.children[0]
        return {
            "path": path,
            "children": [_told(child, tree) for child in node.children],
            "more": node.more,
            "more_visits": node.more_visits,
        }


def _told(node: Node, tree: Tree) -> dict[str, Any]:
    return {
        "slot": node.slot,
        "text": node.text,
        "by": node.chooser,
        "visits": node.visits,
        "share": node.share,
        "value": node.q,
        "whose": node.viewer,
        "prior": node.prior,
        "proven": node.proven,
        "opens": bool(tree.slots["count"][node.slot]) and any(
            tree.slots["visits"][child] for child in tree.children(node.slot)
        ),
    }  # fmt: skip


def describe(position: Position, choice: Choice, tree: Tree, most: int, same: Same | None = None) -> dict[str, Any]:
    """A choice for clients. same: moves that are told as one."""
    assert choice.value is not None
    candidates = []
    for place, one in enumerate(tried_moves(position, choice, tree, same)[:most]):
        if not one.visits and place:
            break
        candidates.append(
            {
                "move": position.text(one.move),
                "alike": [position.text(move) for move in one.alike],
                "does": position.game.move_note(position.view, one.move),
                "visits": one.visits,
                "value": one.value,
                "value_error": one.value_error,
                "prior": one.prior,
                "loss": one.loss,
                "error": one.error,
                "label": one.label,
                "line": _line(position, best_line(tree, one.move)) if place < LINES else [],
            }
        )
    return {
        "player": position.player,
        "value": choice.value,
        "value_error": value_error(choice, tree, position.player),
        "best": position.text(choice.move),
        "candidates": candidates,
        "moves": len(choice.visits),
        "visits": sum(choice.visits.values()),
        "seconds": round(choice.seconds, 3),
        "note": choice.note,
    }


def _line(position: Position, steps: tuple[int, ...]) -> list[dict[str, Any]]:
    told = []
    for step in steps:
        if position.is_over:
            break
        one: dict[str, Any] = {"text": position.text(step), "by": position.player}
        if position.is_chance:  # one of what may happen
            one["chance"] = dict(position.chances)[step]
        told.append(one)
        position = position.advance(step)
    return told


def choose(player: Player, position: Position, job: Job) -> tuple[str, dict[str, Any]]:
    """A seat's move, with what it thought. Raises Stopped if it was told to stop: half a thought is no move."""

    def report(progress: Progress) -> None:
        job.report(
            lambda: {
                "simulations": progress.simulations,
                "seconds": round(progress.seconds, 2),
                "share": round(progress.share, 3),
            }
        )

    began = time.perf_counter()
    control = Control(lambda: job.stopping, report, wants_tree=True)
    choice = player.choose(position, control)
    if job.stopping:
        raise Stopped
    move = position.text(choice.move)
    if not control.trees:
        return move, {"seconds": round(time.perf_counter() - began, 3)}
    return move, describe(position, choice, control.trees[0], 3)


def judge(
    final: Position,
    names: tuple[str, ...],
    players: Sequence[Player],
    job: Job,
    *,
    simulations: int = 0,
    seconds: float = 0.0,
    keep: Callable[[dict[str, Any]], None] = lambda report: None,
    before: Judge | None = None,
    after: Callable[[Judge], None] = lambda judging: None,
) -> dict[str, Any]:
    """A whole game, move by move: losses with their errors, labels, luck against skill. Once the first report is whole
    it is kept and told, and then refined for `seconds`, one player going on, unless somebody waits for a thread.
    simulations: 0 for what fits into FIRST_SECONDS. before: who has judged this game; the report goes on from there.
    `after` hears who has judged it now."""
    line = game_line(final)
    if before is not None:
        judging = before
        judging.go_on(players, lambda: job.stopping)
    else:
        simulations = simulations or affordable(line, players[0], FIRST_SECONDS, len(players))
        judging = Judge(line, players, simulations=simulations, stopping=lambda: job.stopping)
        judging.first(lambda done, total: job.report(lambda: {"done": done, "of": total}))

    def found(refining: bool) -> dict[str, Any]:
        return {**kept_report(explain(judging, names, players[0].spec), line), "refining": refining}

    def whole() -> dict[str, Any]:
        answer = found(False)
        keep(answer)
        return answer

    answer = whole()
    until = time.monotonic() + seconds
    if seconds and not job.stopping:
        job.say({**answer, "refining": True})
    told, between = time.monotonic(), max(REFINED_SECONDS, len(line) / 500)
    judging.players = judging.players[:1]
    refined = False
    while time.monotonic() < until and not job.stopping and not job.crowded():
        try:
            if not judging.refine():
                break
        except Stopped:
            break
        refined = True
        if time.monotonic() - told >= between:
            told = time.monotonic()
            job.report(lambda: found(True))
    after(judging)
    return whole() if refined else answer
