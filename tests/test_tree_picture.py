"""Pictures of trees: the numbers are the tree's, nothing overlaps, names are unique, a page needs nothing else."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.cli.main import app
from boardwright.draw.tree_html import tree_page
from boardwright.draw.tree_svg import tree_picture
from boardwright.draw.visible_tree import top_of
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from boardwright.search.tree import RUN, Tree, new_tree

DICE = str(Path(__file__).parent / "games" / "dicerace.py")
LUDO = str(Path(__file__).parents[1] / "docs" / "examples" / "ludo.py") + ":players=4"
PIG = str(Path(__file__).parents[1] / "docs" / "examples" / "pig.py")
# game, moves of its first legal kind before the search, simulations
GAMES = [
    ("tictactoe", 2, 300),
    ("gomoku", 4, 200),
    ("2048", 10, 300),
    ("nmbr9", 3, 100),
    (LUDO, 6, 150),
    (DICE, 0, 400),
    (PIG, 2, 200),
]
every_game = pytest.mark.parametrize("case", GAMES, ids=lambda case: Path(case[0]).stem.partition(":")[0])

Case = tuple[str, int, int]


@cache
def grown(case: Case) -> tuple[Tree, bw.Position]:
    name, moves, simulations = case
    game = bw.load(name)
    position, rng = game.begin(seed=5), bw.Random(5)
    for _ in range(moves):
        position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    search = Search(game, SearchSettings(simulations=simulations, seed=3))
    search.grow(position)
    assert search.tree is not None
    return search.tree, position


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def nodes_in(document: ElementTree.Element) -> dict[int, ElementTree.Element]:
    found = [element for element in document.iter() if element.get("data-slot")]
    by_slot = {int(element.attrib["data-slot"]): element for element in found}
    assert len(by_slot) == len(found), "a slot is shown twice"
    return by_slot


def said(element: ElementTree.Element) -> str:
    return " ".join(element.itertext())


def check_numbers(tree: Tree, shown: dict[int, ElementTree.Element]) -> None:
    """Everything that the document says of a slot is what the tree says of it."""
    chooser = {child: slot for slot in range(len(tree.used)) for child in tree.children(slot)}
    for slot, element in shown.items():
        record = tree.slots[slot]
        assert int(element.attrib["data-visits"]) == record["visits"]
        assert (element.attrib["data-proven"] != "") == bool(record["proven"])
        viewer = int(element.attrib["data-viewer"])
        assert float(element.attrib["data-q"]) == pytest.approx(float(tree.q(slot)[viewer]), abs=1e-12)
        if slot:
            parent = tree.slots[chooser[slot]]
            assert chooser[slot] in shown
            if parent["actor"] >= 0:
                assert viewer == parent["actor"], "Q belongs to whoever chose"
            siblings = tree.slots["prior"][list(tree.children(chooser[slot]))]
            alike = parent["actor"] >= 0 and siblings.max() - siblings.min() < 1e-6
            if alike or parent["actor"] == RUN:
                assert "data-prior" not in element.attrib
            else:
                assert float(element.attrib["data-prior"]) == pytest.approx(float(record["prior"]))


@every_game
def test_the_numbers_in_the_picture_are_the_trees(case: Case) -> None:
    tree, position = grown(case)
    shown = nodes_in(parsed(tree_picture(tree, position, top=3, depth=3)))
    check_numbers(tree, shown)
    assert 0 in shown and len(shown) > 3
    for slot, element in shown.items():
        visits = f"{tree.slots['visits'][slot]:,}"
        assert re.search(rf"\bN\s+{visits}\b", said(element)), "the number is written on the card"


@every_game
def test_children_beyond_the_top_are_counted(case: Case) -> None:
    tree, position = grown(case)
    document = parsed(tree_picture(tree, position, top=2, depth=2))
    shown = nodes_in(document)
    for slot, element in shown.items():
        below = [child for child in tree.children(slot) if child in shown]
        assert int(element.attrib["data-more"]) == len(tree.children(slot)) - len(below)
        assert len(below) <= 2
        assert all(tree.slots["visits"][child] > 0 for child in below)
    left_out = len(tree.children()) - sum(child in shown for child in tree.children())
    pills = [element for element in document.iter() if element.get("data-pill")]
    if left_out:
        assert f"+{left_out:,} more" in [said(pill).strip() for pill in pills]


@every_game
def test_the_most_visited_children_are_the_ones_shown(case: Case) -> None:
    tree, position = grown(case)
    if tree.root["proven"]:
        pytest.skip("a proven root shows its best by value")
    shown = nodes_in(parsed(tree_picture(tree, position, top=2, depth=1)))
    undecided = [child for child in tree.children() if not tree.slots["proven"][child]]
    most = max(int(tree.slots["visits"][child]) for child in undecided)
    assert any(tree.slots["visits"][child] == most for child in undecided if child in shown)


@every_game
def test_nothing_overlaps_and_all_is_inside(case: Case) -> None:
    tree, position = grown(case)
    for top, depth in ((1, 4), (3, 3), (4, 2), (6, 1)):
        document = parsed(tree_picture(tree, position, top=top, depth=depth))
        _, _, width, height = map(float, document.attrib["viewBox"].split())
        boxes = [
            [float(number) for number in box.split()] for e in document.iter() if (box := e.get("data-box")) is not None
        ]
        assert len(boxes) > 2
        for x, y, w, h in boxes:
            assert x >= 0 and y >= 0 and x + w <= width + 1 and y + h <= height + 1
        for i, (x, y, w, h) in enumerate(boxes):
            for x2, y2, w2, h2 in boxes[:i]:
                apart = x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
                assert apart, f"{(x, y, w, h)} lies on {(x2, y2, w2, h2)} with top={top}, depth={depth}"


def check_names(document: ElementTree.Element, text: str) -> None:
    """Names are unique, and every reference leads to one."""
    names = [name for element in document.iter() if (name := element.get("id"))]
    assert len(names) == len(set(names))
    used = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'href="#([^"]+)"', text))
    assert used <= set(names)


def check_alone(document: ElementTree.Element, text: str) -> None:
    """No script, no handler, nothing from elsewhere."""
    tags = {element.tag.rpartition("}")[2] for element in document.iter()}
    assert not tags & {"script", "image", "img", "iframe", "link", "object", "foreignObject"}
    attributes = {(name.rpartition("}")[2], value) for element in document.iter() for name, value in element.items()}
    assert not [name for name, _ in attributes if name.startswith("on") or name == "src"]
    assert all(value.startswith("#") for name, value in attributes if name == "href")
    assert "@import" not in text and not re.search(r"url\((?!#)", text)
    assert set(re.findall(r"https?://[^\"' ]+", text)) <= {"http://www.w3.org/2000/svg"}


@every_game
def test_picture_and_page_are_well_formed_and_stand_alone(case: Case) -> None:
    tree, position = grown(case)
    for text in (tree_picture(tree, position, top=3, depth=2), tree_page(tree, position, most=40)):
        document = parsed(text)
        check_names(document, text)
        check_alone(document, text)
        assert not [e for e in document.iter() if e.get("data-cell") or e.get("data-move")], "a place to click is left"


@every_game
def test_a_page_opens_the_most_visited_nodes(case: Case) -> None:
    tree, position = grown(case)
    document = parsed(tree_page(tree, position, least=4, most=30))
    shown = nodes_in(document)
    check_numbers(tree, shown)
    assert 1 < len(shown) <= 30
    assert all(tree.slots["visits"][slot] >= 4 or tree.slots["proven"][slot] for slot in shown)
    for slot, element in shown.items():
        below = [int(e.attrib["data-slot"]) for e in element if e.get("data-slot")]
        assert set(below) == {child for child in tree.children(slot) if child in shown}, (
            "children are inside their parent"
        )
        assert element.tag == ("details" if below else "div")
        assert int(element.attrib["data-more"]) == len(tree.children(slot)) - len(below)
    if len(shown) == 30:
        waiting = {child for slot in shown for child in tree.children(slot)} - set(shown)
        least = min(int(tree.slots["visits"][slot]) for slot in shown if not tree.slots["proven"][slot])
        assert max(int(tree.slots["visits"][child]) for child in waiting) <= least


def test_chance_is_round_and_a_run_of_draws_is_one_event() -> None:
    tree, position = grown((DICE, 0, 400))
    svg = "{http://www.w3.org/2000/svg}"
    shown = nodes_in(parsed(tree_picture(tree, position, top=3, depth=2)))
    by_move = {int(tree.slots["move"][child]): child for child in tree.children()}
    one, two = by_move[0], by_move[1]  # throw one die: six outcomes; two: a run of two draws
    assert shown[one].attrib["data-actor"] == "-1" and shown[two].attrib["data-actor"] == str(RUN)
    for slot in (one, two):
        assert shown[slot].find(f"{svg}circle") is not None and shown[slot].find(f"{svg}svg") is None
    assert "6 outcomes" in said(shown[one]) and f"{len(tree.children(two))} samples" in said(shown[two])
    thrown = [shown[slot] for slot in tree.children(one) if slot in shown]
    assert thrown and all("17 %" in said(element) for element in thrown)
    for slot in tree.children(two):
        if slot in shown:
            first, second = map(int, shown[slot].attrib["data-text"].split())
            after = position.play("two").draw(str(first)).draw(str(second))
            assert f"First {after.fields()['first']}" in said(shown[slot]), "the board is what these draws lead to"


def test_samples_of_a_refill_are_the_ones_that_the_search_met() -> None:
    game = bw.load("azul")
    position, rng, greedy = game.begin(seed=3), bw.Random(1), bw.player("greedy:seed=1", game)
    for _ in range(17):  # nearly the end of a round: the search looks beyond the next refill
        position = position.play(greedy.choose(position).move).settle(rng)
    search = Search(game, SearchSettings(simulations=400, seed=3))
    search.grow(position)
    assert search.tree is not None
    root = top_of(search.tree, position, top=4, depth=8)
    samples = [child for node in root.all() if node.actor == RUN for child in node.children]
    opened = [node for node in samples if search.tree.slots["first"][node.slot]]
    assert len(opened) > 3
    for node in opened:
        moves = [int(search.tree.slots["move"][child]) for child in search.tree.children(node.slot)]
        assert sorted(moves) == sorted(node.position.moves), "the drawn position has the moves that the tree has"
    assert len({tuple(sorted(node.position.moves)) for node in opened}) > 1


def test_a_proven_win_comes_first_however_few_its_visits() -> None:
    position = bw.load("tictactoe").begin()
    for move in "a1 b1 a2 b2".split():
        position = position.play(move)
    search = Search(position.game, SearchSettings(simulations=500, select="ucb1", prior="uniform", seed=1))
    search.grow(position)
    assert search.tree is not None and search.tree.root["proven"]
    shown = nodes_in(parsed(tree_picture(search.tree, position, top=1, depth=1)))
    (child,) = (element for slot, element in shown.items() if slot)
    assert child.attrib["data-text"] == "a3" and child.attrib["data-proven"] == "won" and "won" in said(child)


def test_lines_are_as_thick_as_their_share() -> None:
    tree, position = grown(("2048", 10, 300))
    document = parsed(tree_picture(tree, position, top=4, depth=1))
    lines = [
        (float(e.attrib["data-share"]), float(e.attrib["stroke-width"])) for e in document.iter() if e.get("data-share")
    ]
    assert len(lines) >= 2
    total = sum(int(tree.slots["visits"][child]) for child in tree.children())
    shares = sorted(int(tree.slots["visits"][child]) / total for child in tree.children())
    assert max(share for share, _ in lines) == pytest.approx(shares[-1], abs=1e-6)
    assert [thick for _, thick in sorted(lines)] == sorted(thick for _, thick in lines)


def test_a_tree_that_never_grew_is_its_root() -> None:
    position = bw.load("tictactoe").begin()
    tree = new_tree(2, 8)
    for text in (tree_picture(tree, position), tree_page(tree, position)):
        (root,) = nodes_in(parsed(text)).values()
        assert root.attrib["data-visits"] == "0" and "data-q" not in root.attrib


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"top": 0}, "top=0 must be 1 to 1000"),
        ({"depth": 0}, "depth=0 must be 1 to 60"),
        ({"top": 200, "depth": 3}, "more than 1,500 boards; lower top=200 or depth=3"),
    ],
)
def test_what_cannot_be_drawn_is_refused(settings: dict[str, int], message: str) -> None:
    position = bw.load("gomoku").begin()
    search = Search(position.game, SearchSettings(simulations=2500, select="ucb1", prior="uniform", rollout="none"))
    search.grow(position)
    assert search.tree is not None
    with pytest.raises(bw.InputError, match=re.escape(message)):
        tree_picture(search.tree, position, **settings)


class Careless(bw.Game):
    """Its picture has everything that a still picture must not have."""

    players, actions = 1, 2

    def layout(self):  # type: ignore[no-untyped-def]  # Numba types rules
        return [("moves", "i1")]

    def player(self, s):  # type: ignore[no-untyped-def]  # Numba types rules
        return bw.OVER if s.moves == 2 else 0

    def legal(self, s, moves):  # type: ignore[no-untyped-def]  # Numba types rules
        moves[0] = 0
        moves[1] = 1
        return 2

    def play(self, s, move):  # type: ignore[no-untyped-def]  # Numba types rules
        s.moves += 1

    def scores(self, s, out):  # type: ignore[no-untyped-def]  # Numba types rules
        out[0] = s.moves

    def move_text(self, s: object, move: int) -> str:
        return ('<a> & "b"', "c" * 80)[move]

    def svg(self, s: object) -> str:
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            'width="90px" height="60px">'
            "<style>#dot { fill: url(#ink) } .x { fill: url(http://far.example/x) }</style><script>alert(1)</script>"
            '<defs><linearGradient id="ink"/><circle id="dot" r="3"/></defs><a href="http://far.example/">kept</a>'
            '<use xlink:href="#dot" onclick="alert(2)" fill="url(\'#ink\')" data-move="a"/>'
            '<rect fill="url(http://far.example/y)" width="5" height="5"/></svg>'
        )


def test_a_strangers_picture_is_made_harmless() -> None:
    game = Careless()
    position = game.begin(debug=True)
    search = Search(game, SearchSettings(simulations=20, rollout="uniform"), interpreted=True)
    search.grow(position)
    assert search.tree is not None
    for text in (tree_picture(search.tree, position), tree_page(search.tree, position)):
        document = parsed(text)
        check_names(document, text)
        check_alone(document, text)
        assert "kept" in said(document)
        assert {element.attrib["data-text"] for element in nodes_in(document).values()} == {"", '<a> & "b"', "c" * 80}


# The command


def test_the_command_writes_a_picture_and_a_page_and_tells_the_best_line(tmp_path: Path) -> None:
    for name in ("tree.svg", "tree.html"):
        file = tmp_path / name
        arguments = [
            "tree",
            "tictactoe",
            "--moves",
            "a1 b1 a2 b2",
            "--player",
            "mcts:simulations=200",
            "--out",
            str(file),
        ]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        assert str(file) in result.output and "proven" in result.output and "best line: a3" in result.output
        shown = nodes_in(parsed(file.read_text()))
        assert "a3" in {element.attrib["data-text"] for element in shown.values()}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tree.html", "tree.svg"], "no half-written file is left"


def test_one_seed_one_picture_draws_included(tmp_path: Path) -> None:
    texts = []
    for seed in ("1", "1", "2"):
        file = tmp_path / "2048.svg"
        arguments = [
            "tree",
            "2048",
            "--seed",
            seed,
            "--moves",
            "",
            "--player",
            "mcts:simulations=60,grow=0",
            "--out",
            str(file),
        ]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        assert re.search(r"best line: (up|down|left|right) \([a-d][1-4]=[24]\)", result.output)
        texts.append(file.read_text())
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tictactoe", "--out", "tree.png"], "cannot tell what tree.png is to be; end it with .svg"),
        (["tictactoe", "--out", "nowhere/tree.svg"], "cannot write nowhere/tree.svg: its folder does not exist"),
        (["chess", "--out", "tree.svg"], "no game 'chess'"),
        (["tictactoe", "--moves", "a1 z9", "--out", "tree.svg"], "tictactoe: 'z9' - "),
        (["tictactoe", "--moves", "a1 b1 a2 b2 a3", "--out", "tree.svg"], "the game is over there"),
        (["tictactoe", "--moves", "a1 b1 a2 b2 a3 b3", "--out", "tree.svg"], "over after 5 moves; leave out 'b3'"),
        (["tictactoe", "--player", "random", "--out", "tree.svg"], "player random grows no tree; take mcts"),
        (["tictactoe", "--player", "mcts:threads=2", "--out", "tree.svg"], "grows 2 trees; leave threads out"),
    ],
)
def test_bad_input_is_one_clear_message(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["tree", *arguments])
    assert isinstance(result.exception, bw.InputError) and message in str(result.exception), result.exception
    assert not list(tmp_path.iterdir())
