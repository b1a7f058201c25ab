"""More games of docs/examples against a second truth: OpenSpiel, known chances, another, slow reading of the rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright

import boardwright as bw
from boardwright.bench.browser import chromium
from boardwright.bench.examples import EXAMPLES
from boardwright.contract.position import blank
from boardwright.contract.random import Random
from boardwright.contract.state import copied
from boardwright.publish.texts import check_texts, texts_source
from boardwright.serve.view import see
from tests.marks import slowly, thorough
from tests.second_readings import (
    BOXES,
    LINES,
    PLACES,
    POINTS,
    SlowStar,
    agreed,
    play_morris,
    play_star,
    play_yacht,
    slow_keeps,
    slow_worth,
    untold,
)  # fmt: skip
from tests.serving import served
from tests.test_gallery import example, placed
from tests.test_page import ARGUMENTS, PATIENCE

MORE = ("chinese_checkers", "nine_mens_morris", "yacht")


@pytest.mark.slow
@pytest.mark.parametrize("name", MORE)
def test_the_check_passes_and_a_published_page_shows_the_same(name: str) -> None:
    game = example(name)
    bw.check_game(game)
    check_texts(game, texts_source(game), games=1, most_plies=40)


@pytest.mark.parametrize("name", MORE)
def test_a_file_says_how_it_is_tried(name: str) -> None:
    first = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8").partition("\n")[0]
    assert f"Try `boardwright check docs/examples/{name}.py:{type(example(name)).__name__}`." in first


# Yacht


def after_roll(game: Any, dice: tuple[int, ...]) -> Any:
    """The state after a first roll, for the interpreter."""
    state = copied(blank(game, debug=True).view)
    for die in dice:
        game.draw(state, die - 1)
    return state


def test_yacht_scores_every_hand_as_a_second_reading_of_its_rules() -> None:
    game: Any = example("yacht")
    for dice in combinations_with_replacement(range(1, 7), 5):
        state = after_roll(game, dice[::-1])
        assert tuple(state.dice) == dice
        assert [game.worth(state, box) for box in range(12)] == [slow_worth(dice, box) for box in BOXES], dice


@pytest.mark.parametrize(
    ("dice", "box", "points"),
    [
        ((1, 1, 1, 2, 4), "ones", 3), ((2, 2, 2, 2, 2), "twos", 10), ((2, 2, 2, 2, 2), "ones", 0),
        ((3, 3, 5, 5, 5), "full house", 21), ((5, 5, 5, 5, 5), "full house", 0), ((4, 4, 4, 4, 6), "full house", 0),
        ((4, 4, 4, 4, 6), "four of a kind", 16), ((1, 5, 5, 5, 5), "four of a kind", 20),
        ((6, 6, 6, 6, 6), "four of a kind", 24), ((6, 6, 6, 5, 5), "four of a kind", 0),
        ((1, 2, 3, 4, 5), "little straight", 30), ((2, 3, 4, 5, 6), "little straight", 0),
        ((2, 3, 4, 5, 6), "big straight", 30), ((1, 3, 4, 5, 6), "big straight", 0),
        ((1, 3, 4, 5, 6), "choice", 19), ((3, 3, 3, 3, 3), "yacht", 50), ((3, 3, 3, 3, 4), "yacht", 0),
    ],
)  # fmt: skip
def test_yacht_scores_hands_by_table(dice: tuple[int, ...], box: str, points: int) -> None:
    game: Any = example("yacht")
    assert game.worth(after_roll(game, dice), BOXES.index(box)) == points


def test_yacht_rolls_hands_as_often_as_five_dice_do() -> None:
    game: Any = example("yacht")
    found: Counter[str] = Counter()
    for dice, times in Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=5)).items():
        state = after_roll(game, dice)
        found += Counter({box: times for number, box in enumerate(BOXES) if game.worth(state, number) > 0})
    assert found["yacht"] == 6 and found["four of a kind"] == 156 and found["full house"] == 300
    assert found["little straight"] == found["big straight"] == 120 and found["choice"] == 7776
    assert found["sixes"] == 7776 - 5**5


class Turn:
    """One turn of Yacht through the game's own moves and draws: positions by their dice and the rolls made."""

    def __init__(self) -> None:
        self.game: Any = example("yacht")
        self.first: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
        self.states: dict[tuple[int, ...], Any] = {self.first: copied(blank(self.game, debug=True).view)}
        self.follow = cache(self._follow)

    def _follow(self, named: tuple[int, ...]) -> list[tuple[int, ...]]:
        """What may come next: six faces, or all that can be kept."""
        state, moves, found = self.states[named], memoryview(bytearray(4 * self.game.actions)).cast("i"), []
        chance = self.game.player(state) == bw.CHANCE
        count = self.game.legal(state, moves)
        kept = [move for move in moves[:count] if move < 31]
        assert chance or len(kept) == (0 if state.again == 2 else len(slow_keeps(tuple(state.dice))))
        for which in range(6) if chance else kept:
            then = copied(state)
            (self.game.draw if chance else self.game.play)(then, which)
            found.append((*then.dice, then.again))
            self.states.setdefault(found[-1], then)
        return found

    def worth(self, box: str) -> Fraction:
        """What the best play for this box brings on average."""

        @cache
        def value(named: tuple[int, ...]) -> Fraction:
            following = [value(one) for one in self.follow(named)]
            if named[0] == 0:
                return sum(following, Fraction(0)) / 6
            return max([Fraction(self.game.worth(self.states[named], BOXES.index(box))), *following])

        return value(self.first)


def test_yacht_has_the_chances_that_are_known_of_a_turn() -> None:
    turn = Turn()
    assert turn.worth("yacht") / 50 == Fraction(347897, 7558272)  # 4.6029 %
    assert turn.worth("choice") == Fraction(70, 3)  # each die alone: keep 5 and 6, then 4 as well
    assert turn.worth("sixes") == 30 * (1 - Fraction(5, 6) ** 3)


def test_yacht_is_what_a_second_reading_of_its_rules_plays() -> None:
    game = example("yacht")
    for seed in range(60 if thorough() else 6):
        play_yacht(blank(game, debug=True), Random(seed), agreed, untold)


def test_yacht_is_clicked_by_its_dice_and_boxes() -> None:
    position = blank(example("yacht"), debug=True)
    for face in "51545":
        position = position.advance(face)
    view = see(position)
    paths = view["hover"]["paths"]
    assert set(paths) == set(view["moves"])
    assert paths["keep 5 5"] == ["die 3", "die 4", "roll"]
    assert paths["keep none"] == ["roll"] and paths["ones"] == ["ones"]
    assert view["hover"]["alike"] == {f"die {i + 1}": f"a {face}" for i, face in enumerate("14555")}
    cells = set(BOXES) | {"roll"} | {f"die {i}" for i in range(1, 6)}
    assert all(f'data-cell="{cell}"' in view["svg"] for cell in cells)
    assert str(position).splitlines()[0] == "ones              .      full house        ."
    assert str(position).endswith("dice 1 4 5 5 5, 2 rolls left")


@pytest.mark.slow
def test_yacht_is_played_on_the_page_by_its_dice(tmp_path: Path) -> None:
    with served(tmp_path, files=(str(EXAMPLES / "yacht.py"),)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        table = server.begin("Yacht", seed=1)
        page.goto(f"{server.address}/#/game/{table['id']}")
        dice = [page.locator(f".cell[data-name='die {i}']").first for i in range(1, 6)]
        faces = [(die.get_attribute("aria-label") or "").split(", ")[1] for die in dice]
        for clicked in (4, 1, 3, 4):  # in any order; the last is put back
            dice[clicked].click()
        expect(page.locator(".places .chosen")).to_have_count(2)
        dice[1].focus()
        for key in ("Enter", "Enter", *["ArrowRight"] * 4, "Enter"):  # put back, chosen again; then Roll
            page.keyboard.press(key)
        move = page.locator("button.step", has_text=f"keep {faces[1]} {faces[3]}")
        expect(move).to_have_count(1)
        page.locator(".cell[data-name='choice']").first.click()
        expect(page.locator("button.step", has_text="choice")).to_have_count(1)
        browser.close()


# Nine Men's Morris


def test_nine_mens_morris_agrees_with_openspiel_and_a_second_reading() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, other_game, seen = example("nine_mens_morris"), pyspiel.load_game("nine_mens_morris"), Counter[str]()
    for seed in range(300 if thorough() else 5):
        position = blank(game, debug=not thorough())
        seen += play_morris(position, other_game.new_initial_state(), Random(seed), seed % 3 > 0, agreed, untold)
    assert min(seen["jump"], seen["two left"], seen["taken from a mill"]) > 0
    assert not thorough() or seen["quiet"] > 0


def morris(white: str, black: str, **fields: Any) -> bw.Position:
    """A position without men in hand."""
    game = example("nine_mens_morris")
    names = [blank(game, debug=True).text(point) for point in range(24)]
    men = [1 if name in white.split() else 2 if name in black.split() else 0 for name in names]
    left = [men.count(1), men.count(2)]
    usual = {"men": men, "hand": [0, 0], "left": left, "turn": 0, "taking": False, "still": 0, "winner": 0}
    return bw.Position(game, placed(game, {**usual, **fields}).record, debug=True)


def test_nine_mens_morris_ends() -> None:
    assert len(LINES) == 16 and all(len(line) == 3 for line in LINES)
    shut = morris("a7 d7 g7 c3", "d6 a4 g4 d3 b4 c5").play("c3-c4")
    assert shut.player == 1
    assert shut.play("d3-c3").results == (-1.0, 1.0), "nothing of White's can move"
    two = morris("a7 d7 g4 b2", "d1 e3 c4").play("g4-g7")
    assert two.player == 0 and {two.text(move) for move in two.moves} == {"xd1", "xe3", "xc4"}
    assert two.play("xd1").results == (1.0, -1.0)
    mill = morris("a7 d7 g4 b2", "b6 d6 f6").play("g4-g7")
    assert {mill.text(move) for move in mill.moves} == {"xb6", "xd6", "xf6"}, "from a mill if there is nothing else"
    assert morris("a7 d7 g4 b2", "d1 e3 c4 f2", still=99).play("b2-b4").results == (0.0, 0.0)
    late = morris("a7 d7 g4 b2", "d1 e3 c4 f2", still=99).play("g4-g7")
    assert not late.is_over and not late.play("xd1").is_over, "the hundredth quiet move closed a mill"


def test_nine_mens_morris_shows_its_board() -> None:
    position = blank(example("nine_mens_morris"), debug=True).play("d6").play("a1")
    assert str(position).splitlines()[1:3] == ["6   ·   W   ·  ", "5     · · ·    "]
    assert str(position).endswith("1 B     ·     ·\n  a b c d e f g\nin hand: White 8, Black 8")
    view = see(position)
    assert view["hover"]["last"] == ["a1"] and all(f'data-cell="{point}"' in view["svg"] for point in POINTS)


# Chinese Checkers


@pytest.mark.parametrize(("players", "forward"), [(3, 3), (2, 3), *slowly((3, 0), (2, 1))])
def test_chinese_checkers_is_what_a_second_reading_of_its_rules_plays(players: int, forward: int) -> None:
    game, seen = example("chinese_checkers", players=players), Counter[str]()
    for seed in range(20 if thorough() else 1):
        seen += play_star(blank(game, debug=not thorough()), Random(seed), forward, agreed, untold)
    assert seen["chain"] > 0 and (forward < 3 or (seen["home"] > 0 and seen["stays"] > 0))


def star(pegs: list[str], **fields: Any) -> bw.Position:
    """A position of three players with these pegs."""
    game, slow = example("chinese_checkers"), SlowStar(3)
    slow.pegs = [set(own.split()) for own in pegs]
    names = list(PLACES)
    men = [next((i + 1 for i in range(3) if name in slow.pegs[i]), 0) for name in names]
    usual = {"pegs": men, "to_go": slow.to_go(), "turn": 0, "turns": 0}
    return bw.Position(game, placed(game, {**usual, **fields}).record, debug=True)


def test_chinese_checkers_ends() -> None:
    top, low_right, low_left = "a13 a12 b12 a11 b11", "h4 i4 j4 h5 i5", "a4 b4 c4 a5 b5"
    won = star([f"{top} f10", f"{low_right} d8", f"{low_left} d6"]).play("f10-c11")
    assert won.results == (1.0, -1.0, -1.0)
    last = star(["a1 a2", "a10 b10", "j10 i10"], turns=299, turn=2)
    assert last.play("i10-h9").results == (-1.0, -1.0, 1.0)
    assert last.play("i10-i9").results == (0.0, 0.0, 0.0)  # no row nearer: equal


def test_chinese_checkers_passes_who_cannot_move() -> None:
    walled = star(["a13", "a12 b12 a11 b11 c11", "d7"])
    assert [walled.text(move) for move in walled.moves] == ["pass"]
    assert walled.play("pass").player == 1


def test_chinese_checkers_shows_its_board() -> None:
    view = see(blank(example("chinese_checkers"), debug=True).play("a2-f4"))
    assert view["hover"]["last"] == ["a2", "f4"] and all(f'data-cell="{name}"' in view["svg"] for name in PLACES)
    assert view["board"].splitlines()[9:] == ["· · · · · A · · · · ", "       A A A ", "        · A ", "         A "]
