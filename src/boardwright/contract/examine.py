"""The examination behind `check_game`, stage by stage; see there. Each stage yields what it found in order."""

from __future__ import annotations

import math
import sys
import time
import traceback
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from boardwright.contract import compiler, doors
from boardwright.contract.diagnose import check_compiles, check_shape
from boardwright.contract.errors import RuleError
from boardwright.contract.foresight import check_foresight
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.kernel import interpret, kernel
from boardwright.contract.position import Position, blank, compile_at_once
from boardwright.contract.random import Random, below, pick
from boardwright.contract.record import copy_record
from boardwright.contract.strides import check_strides

Stage = Callable[[str, bool], None]
INTERPRETED_SECONDS = 4.0
IMAGES_A_POSITION = 2
CHUNK = 50


def examination(game: Game, games: int, seed: int, most_plies: int, stage: Stage) -> Iterator[tuple[str, str]]:
    """Yields (what, detail) for each part that passed; raises RuleError at the first that did not."""
    stage("reading the rules", True)
    check_shape(game)
    yield (
        "methods",
        f"{game.players} player{'s' * (game.players != 1)}, {game.actions} moves, "
        f"{game.outcomes} outcomes, state of {game.state_dtype.itemsize} bytes",
    )
    stage("compiling each rule", False)
    check_compiles(game)
    yield "compiler", "every rule compiles"
    stage("playing in the interpreter", True)
    _play_interpreted(game, seed, most_plies, stage)
    yield "interpreter", "a game played to its end, every number in the range of its field"
    stage("compiling the rules together", False)
    compile_at_once(game)
    blank(game)
    _warm(game)
    count, plies = 0, 0
    began = time.monotonic()
    while count < 3 or time.monotonic() - began < INTERPRETED_SECONDS:
        plies += Comparison(game, seed + count, most_plies, stage).run()
        count += 1
        if count >= games:
            break
    yield "two runs", f"interpreter and compiled rules agree over {count} games, {plies} plies"
    stage("compiling with checked indices", False)
    moves, draws = _play_compiled(game, games, seed, most_plies, stage)
    yield (
        "play",
        f"{games} games end, {moves / games:.1f} moves and {draws / games:.1f} draws each, every index within bounds",
    )


def _warm(game: Game) -> None:
    position = game.begin(0)
    for policy in game.policies:
        position.weigh(policy)
    if game.observe_shape:
        position.observe()
    if type(game).features is not Game.features:
        position.features()


def _play_interpreted(game: Game, seed: int, most_plies: int, stage: Stage) -> None:
    """One random game before anything compiled runs: here a mistake is an exception with a line number."""
    rng = Random(seed)
    position = _guarded(game, lambda: blank(game, debug=True))
    for ply in range(most_plies):
        stage("playing in the interpreter", True)
        _check_seen(game, position, ply, seed)
        if position.is_over:
            return
        steps = position._seen[1]
        choice = rng.below(len(steps)) if not position.is_chance else rng.pick(position._seen[2])
        position = _guarded(game, partial(position.advance, steps[choice]))
    raise RuleError(_endless(game, most_plies))


def _endless(game: Game, most_plies: int) -> str:
    return (
        f"{game.name}.player: no end after {most_plies} moves and draws; every game must reach bw.OVER "
        "(count the moves in the state and stop)"
    )


def _guarded(game: Game, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except RuleError:
        raise
    except Exception as error:
        raise RuleError(describe(game, error)) from error


def _check_seen(game: Game, position: Position, ply: int, seed: int) -> None:
    before = position.record.tobytes()
    actor, steps, weights, scores, results = _guarded(game, lambda: position._seen)
    at = f"at ply {ply} of the game with seed {seed}"
    if position.record.tobytes() != before:
        raise RuleError(
            f"{game.name}: player, legal, chances, scores or results changed the state {at}; only play and draw may"
        )
    method, limit = ("chances", game.outcomes) if actor == CHANCE else ("legal", game.actions)
    wrong = [number for number in steps if not 0 <= number < limit]
    if wrong:
        raise RuleError(f"{game.name}.{method}: wrote {wrong[0]} {at}; write whole numbers from 0 to {limit - 1}")
    if len(set(steps)) < len(steps):
        twice = next(number for number in steps if steps.count(number) > 1)
        raise RuleError(f"{game.name}.{method}: wrote {twice} twice {at}; write each once")
    if any(not 0.0 < weight < math.inf for weight in weights):
        raise RuleError(
            f"{game.name}.chances: a weight of {min(weights)} {at}; leave out what cannot happen, weights are above 0"
        )
    for name, values in (("scores", scores), ("results", results if actor == OVER else ())):
        if not all(map(math.isfinite, values)):
            raise RuleError(f"{game.name}.{name}: wrote {values} {at}; every player needs a finite number")


class Comparison:
    """One random game, interpreter and compiled rules side by side, with texts, JSON, pictures and images."""

    def __init__(self, game: Game, seed: int, most_plies: int, stage: Stage) -> None:
        self.game, self.seed, self.most_plies, self.stage = game, seed, most_plies, stage
        self.rng = Random(seed)

    def run(self) -> int:
        """Plays to the end; returns how many plies it took."""
        stage = "comparing interpreter and compiled rules"
        self.stage(stage, True)
        plain, fast = blank(self.game, debug=True), blank(self.game)
        for ply in range(self.most_plies):
            self.stage(stage, True)
            self._same("start" if ply == 0 else "play or draw", ply, plain.key, fast.key)
            _check_seen(self.game, plain, ply, self.seed)
            self._same("player, legal, chances, scores or results", ply, plain._seen, fast._seen)
            self._check_policies(plain, fast, ply)
            self._check_observation(plain, fast, ply)
            self._check_features(plain, fast, ply)
            if ply % 7 == 0 or plain.is_over:
                self._check_texts(fast, ply)
            self._check_bounds(plain, fast, ply)
            if ply % 3 == 0:
                check_foresight(self.game, fast, self._at(ply))
                check_strides(self.game, fast, self.seed + ply, self._at(ply))
            if plain.is_over:
                return ply
            steps, weights = plain._seen[1], plain._seen[2]
            chosen = steps[self.rng.pick(weights) if plain.is_chance else self.rng.below(len(steps))]
            if self.game.symmetries > 1 and not plain.is_chance and ply % 3 == 0:
                self._check_images(fast, chosen, ply)
            plain = _guarded(self.game, partial(plain.advance, chosen))
            fast = fast.advance(chosen)
        raise RuleError(_endless(self.game, self.most_plies))

    def _at(self, ply: int) -> str:
        return f"at ply {ply} of the game with seed {self.seed}"

    def _same(self, what: str, ply: int, plain: object, fast: object) -> None:
        if plain == fast:
            return
        if isinstance(plain, bytes) and isinstance(fast, bytes):
            kind = self.game.state_dtype
            one, two = np.frombuffer(plain, kind)[0], np.frombuffer(fast, kind)[0]
            names = [name for name in kind.names or () if not np.array_equal(one[name], two[name])]
            name = names[0] if names else "padding"
            shown = (
                f"field {name!r} is {one[name].tolist()} interpreted, {two[name].tolist()} compiled"
                if names
                else "padding differs"
            )
        else:
            shown = f"{plain} interpreted, {fast} compiled"
        raise RuleError(
            f"{self.game.name}.{what}: interpreter and compiled run differ "
            f"{self._at(ply)}: {shown}; look for a small or unsigned "
            "integer that wraps, a float in a whole-number field, or a variable set on one path only"
        )

    def _check_policies(self, plain: Position, fast: Position, ply: int) -> None:
        for policy in self.game.policies if plain.moves else ():
            slow = _guarded(self.game, partial(plain.weigh, policy))
            quick = fast.weigh(policy)
            if not np.all(np.isfinite(quick) & (quick >= 0.0)):
                raise RuleError(
                    f"{self.game.name}.{policy}: wrote a weight of {quick.min()} "
                    f"{self._at(ply)}; weights are 0 or above, and finite"
                )
            if not np.allclose(slow, quick, rtol=1e-9):
                raise RuleError(f"{self.game.name}.{policy}: interpreter and compiled run differ {self._at(ply)}")

    def _check_observation(self, plain: Position, fast: Position, ply: int) -> None:
        if not self.game.observe_shape:
            return
        slow = _guarded(self.game, plain.observe)
        quick = fast.observe()
        if not np.all(np.isfinite(quick)):
            raise RuleError(f"{self.game.name}.observe: wrote a number that is not finite {self._at(ply)}")
        if not np.allclose(slow, quick, rtol=1e-5, atol=1e-6):
            raise RuleError(f"{self.game.name}.observe: interpreter and compiled run differ {self._at(ply)}")

    def _check_features(self, plain: Position, fast: Position, ply: int) -> None:
        if type(self.game).features is Game.features:
            return
        slow = _guarded(self.game, plain.features)
        quick = fast.features()
        if len(quick[0]) and not 0 <= quick[0].min() <= quick[0].max() < self.game.features_count:
            raise RuleError(
                f"{self.game.name}.features: wrote the number of a feature that does not exist {self._at(ply)}; "
                f"they are 0 to {self.game.features_count - 1}"
            )
        if not np.all(np.isfinite(quick[1])):
            raise RuleError(f"{self.game.name}.features: wrote a number that is not finite {self._at(ply)}")
        if not np.array_equal(slow[0], quick[0]) or not np.allclose(slow[1], quick[1], rtol=1e-5, atol=1e-6):
            raise RuleError(f"{self.game.name}.features: interpreter and compiled run differ {self._at(ply)}")

    def _check_bounds(self, plain: Position, fast: Position, ply: int) -> None:
        if type(self.game).bounds is Game.bounds:
            return
        self._same("bounds", ply, _guarded(self.game, plain.bounds), fast.bounds())
        lows, highs = fast.bounds()
        for i, (low, high, got) in enumerate(zip(lows, highs, fast.results or lows, strict=True)):
            if not low <= got <= high:
                raise RuleError(
                    f"{self.game.name}.bounds: promised player {i} "
                    f"{low:g} to {high:g} {self._at(ply)}, where {got:g} is "
                    "right; promise only what holds"
                )

    def _check_texts(self, position: Position, ply: int) -> None:
        name = self.game.name
        method = "outcome_text" if position.is_chance else "move_text"
        texts: dict[str, int] = {}
        for number, text in position._texts.items():
            if (
                not isinstance(text, str)
                or not text.strip()
                or text != text.strip()
                or text.startswith("~")
                or "\n" in text
            ):
                raise RuleError(
                    f"{name}.{method}: {text!r} for {number} {self._at(ply)}; "
                    "write one line of text, without blanks round it or a leading ~"
                )
            if text in texts:
                raise RuleError(
                    f"{name}.{method}: {texts[text]} and {number} are both "
                    f"{text!r} {self._at(ply)}; each needs a name of its own"
                )
            texts[text] = number
        if self.game.from_json(position.to_json()) != position:
            raise RuleError(f"{name}: to_json and from_json do not give the position back {self._at(ply)}")
        if not isinstance(str(position), str) or not str(position).strip():
            raise RuleError(f"{name}.board: no text {self._at(ply)}")
        try:
            ElementTree.fromstring(position.svg())  # noqa: S314 - the game's own picture
        except ElementTree.ParseError as error:
            raise RuleError(
                f"{name}.svg: not a well-formed document {self._at(ply)}: {error}; escape text with html.escape"
            ) from None

    def _check_images(self, position: Position, move: int, ply: int) -> None:
        after = position.play(move)
        for _ in range(IMAGES_A_POSITION):
            image = self.rng.below(self.game.symmetries)
            there = self._image(position, image, ply)
            moved = self._image_moves(position.moves, image)
            if (
                sorted(moved) != sorted(there.moves)
                or there.player != position.player
                or there.scores != position.scores
            ):
                raise RuleError(
                    f"{self.game.name}.mirror: image {image} has other legal moves, "
                    f"scores or player {self._at(ply)}; check mirror and mirror_move"
                )
            then = there.play(self._image_moves((move,), image)[0])
            if (then.player, then.scores, then.results) != (after.player, after.scores, after.results):
                raise RuleError(
                    f"{self.game.name}.mirror: a move in image {image} "
                    f"leads elsewhere than in the state {self._at(ply)}"
                )
            if after.moves and sorted(then.moves) != sorted(self._image_moves(after.moves, image)):
                raise RuleError(
                    f"{self.game.name}.mirror: after a move, image {image} has other legal moves {self._at(ply)}"
                )

    def _image(self, position: Position, image: int, ply: int) -> Position:
        blank_bytes = bytes(self.game.state_dtype.itemsize)
        pair, slow = (np.frombuffer(bytearray(position.key + blank_bytes), self.game.state_dtype) for _ in range(2))
        doors.mirror_state(self.game, pair, image)
        _guarded(self.game, lambda: interpret(doors.mirror_state)(self.game, slow, image))
        self._same("mirror", ply, slow[1:].tobytes(), pair[1:].tobytes())
        return Position(self.game, copy_record(pair[1:]))

    def _image_moves(self, moves: tuple[int, ...], image: int) -> list[int]:
        array = np.array(moves, np.int32)
        doors.mirror_moves(self.game, array, image)
        return list(map(int, array))


# Many games in one kernel. A promise that breaks is a number; texts live in Python.

BROKEN = {
    1: ("player", "returned {0}; return 0 to players-1, bw.CHANCE or bw.OVER"),
    2: ("legal", "returned {0} moves; return 1 to actions of them, or let player() return bw.OVER"),
    3: ("legal", "wrote {0}; write whole numbers from 0 to actions-1"),
    4: ("legal", "wrote {0} twice; write each move once"),
    5: ("chances", "returned {0} outcomes; return 1 to outcomes of them"),
    6: ("chances", "wrote {0}; write whole numbers from 0 to outcomes-1"),
    7: ("chances", "wrote {0} twice; write each outcome once"),
    8: ("chances", "a weight is not above 0 and finite; leave out what cannot happen"),
    9: (
        "player",
        "no end after {0} moves and draws; every game must reach bw.OVER (count the moves in the state and stop)",
    ),
    10: ("results", "a result is not a finite number"),
}


@kernel
def examine_games(
    game: Any,
    states: Any,
    seeds: Any,
    rng: Any,
    choices: Any,
    weights: Any,
    marks: Any,
    out: Any,
    most_plies: Any,
    found: Any,
) -> Any:
    """Play one random game a seed, checking each position. Returns 0, or a key of BROKEN.

    found[0]: index of the seed in work, found[1]: ply, found[2]: what was wrong, found[3:5]: moves, draws.
    """
    stamp = 0
    states[1] = states[0]
    for g in range(len(seeds)):
        found[0] = g
        rng[0] = seeds[g]
        states[0] = states[1]
        s = states[0]
        game.start(s)
        over = False
        for ply in range(most_plies):
            found[1] = ply
            actor = game.player(s)
            found[2] = actor
            if actor == OVER:
                over = True
                game.results(s, out)
                for i in range(game.players):
                    if not math.isfinite(out[i]):
                        return 10
                break
            if actor < CHANCE or actor >= game.players:
                return 1
            at_chance = actor == CHANCE
            if at_chance:
                count = game.chances(s, choices, weights)
                limit = game.outcomes
            else:
                count = game.legal(s, choices)
                limit = game.actions
            found[2] = count
            if count < 1 or count > limit:
                return 5 if at_chance else 2
            stamp += 1
            for i in range(count):
                number = choices[i]
                found[2] = number
                if number < 0 or number >= limit:
                    return 6 if at_chance else 3
                if marks[number] == stamp:
                    return 7 if at_chance else 4
                marks[number] = stamp
                if at_chance and not (weights[i] > 0.0 and math.isfinite(weights[i])):
                    return 8
            chosen = pick(rng, weights, count) if at_chance else below(rng, count)
            if at_chance:
                game.draw(s, choices[chosen])
            else:
                game.play(s, choices[chosen])
            found[4 if at_chance else 3] += 1
        if not over:
            found[2] = most_plies
            return 9
    return 0


def _play_compiled(game: Game, games: int, seed: int, most_plies: int, stage: Stage) -> tuple[int, int]:
    size = max(game.actions, game.outcomes, 1)
    choices, marks = np.zeros(size, np.int32), np.zeros(size, np.int64)
    weights, out, rng = np.zeros(size), np.zeros(game.players), np.zeros(1, np.uint64)
    moves = draws = 0
    compiled = False
    compiler.check_bounds(True)
    try:
        for first in (0, *range(0, games, CHUNK)):
            last = min(first + CHUNK, games) if compiled else first  # the first round, of no games, compiles
            compiled = True
            seeds = np.array([(seed + number) % 2**64 for number in range(first, last)], np.uint64)
            found = np.zeros(5, np.int64)
            states = np.zeros(2, game.state_dtype)
            marks[:] = 0
            try:
                code = examine_games(game, states, seeds, rng, choices, weights, marks, out, most_plies, found)
            except Exception as error:
                _replay_in_interpreter(game, int(seeds[found[0]]), most_plies, stage)
                raise RuleError(
                    f"{game.name}: compiled rules raised {error} at ply "
                    f"{found[1]} of the game with seed {seeds[found[0]]}"
                ) from None
            if code:
                method, text = BROKEN[code]
                raise RuleError(
                    f"{game.name}.{method}: {text.format(found[2])} (ply "
                    f"{found[1]} of the game with seed {seeds[found[0]]})"
                )
            moves, draws = moves + int(found[3]), draws + int(found[4])
            stage("playing compiled, indices checked", True)
    finally:
        compiler.check_bounds(False)
    return moves, draws


def _replay_in_interpreter(game: Game, seed: int, most_plies: int, stage: Stage) -> None:
    """The same game again as plain Python, whose exception names the line."""
    stage("replaying the failure in the interpreter", True)
    size = max(game.actions, game.outcomes, 1)
    _guarded(
        game,
        lambda: interpret(examine_games)(
            game,
            np.zeros(2, game.state_dtype),
            np.array([seed], np.uint64),
            np.zeros(1, np.uint64),
            np.zeros(size, np.int32),
            np.zeros(size),
            np.zeros(size, np.int64),
            np.zeros(game.players),
            most_plies,
            np.zeros(5, np.int64),
        ),
    )


def describe(game: Game, error: BaseException) -> str:
    """An exception out of interpreted rules as one sentence: file, line, method, reason, cure."""
    codes = {method.__code__: name for name, method in game.rulebook.methods.items()}
    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code in codes]
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, IndexError):
        text = (
            "an index beyond the end of an array; check the loop's bounds, and that actions and outcomes are "
            "large enough"
        )
    elif "memoryview: invalid value" in text:
        text = "a number that does not fit its field; give the field a wider type in layout()"
    elif "cannot modify read-only memory" in text:
        text = "a question changed the state; only play and draw may"
    elif "memoryview: invalid type" in text:
        text = "a number of the wrong kind for its field; use // for whole numbers, or a float field"
    if not frames:
        return f"{game.name}: {text}"
    frame, line = frames[-1]
    return f"{Path(frame.f_code.co_filename).name}:{line}: {game.name}.{codes[frame.f_code]}: {text}"


def rule_at_work(game: Game, thread: int) -> str:
    """`file:line: Game.method` of the rule that a thread is running in the interpreter, if it is in one."""
    codes = {method.__code__: name for name, method in game.rulebook.methods.items()}
    frame: FrameType | None = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code in codes:
            return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}: {game.name}.{codes[frame.f_code]}"
        frame = frame.f_back
    return ""
