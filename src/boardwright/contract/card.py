"""A game's card: what the rest of Boardwright may know of a game that is no rule.

Rules say what is legal; the card says how to present the game, how to search it and how to train on it. General code
asks the card and names no game. Every field may be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class SearchHints:
    """What a game tells the search; nothing here changes what is legal."""

    playout: str = ""  # the policy that plays the search's leaves out; the first one if empty
    forcing: str = ""  # the policy whose weight 0 marks moves that an exact search can leave out
    candidates: str = ""  # the policy whose weight 0 marks moves that a tree does without, best though they may be
    advice: Mapping[str, str | int] = field(default_factory=dict)  # settings of `mcts` that suit better than `auto`
    own_search: str = ""  # module:class of a Search that searches this game faster than the generic one


@dataclass(frozen=True)
class Strength:
    """One of the opponents that the page offers."""

    name: str  # as people choose it: "easy"
    spec: str  # the player: "mcts:simulations=100"
    words: str = ""  # one line on how it plays


@dataclass(frozen=True)
class Chapter:
    """A part of a game's rules as the page shows them."""

    heading: str
    text: str  # paragraphs, an empty line between two
    picture: str = ""  # a complete SVG document
    caption: str = ""  # what the picture shows


@dataclass(frozen=True)
class Card:
    """One game's card. Specs are texts as `boardwright.player` takes them."""

    title: str = ""  # the game's name for people: "NMBR 9"; the class's docstring if empty
    about: str = ""  # one line: what the game is
    guide: Callable[[Any], tuple[Chapter, ...]] | None = None  # game -> its rules for people; none: its docstring
    option_words: Mapping[str, str] = field(default_factory=dict)  # option -> plain words for it
    usual: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # option -> the values that the page offers
    search: SearchHints = field(default_factory=SearchHints)  # hints for the search
    strengths: tuple[Strength, ...] = ()  # the page's, weakest first, where no levels were measured; empty: the usual
    strongest: Strength | None = None  # who plays it best, and how well, as measured
    judge: str = ""  # the player whose values judge whole games
    learnt: str = ""  # the player with the shipped model, {seconds} being the time that it has for a move
    training: str = ""  # the method that `boardwright train` takes by default
    how_to_train: str = ""  # the command that makes a strong player of one's own
    protocols: tuple[str, ...] = ()  # what other programs speak about this game: "piskvork", "sgf"
    gym: str = ""  # its id in Gymnasium
    openspiel: str | Callable[..., Any] = ""  # the same game in OpenSpiel: its name, or game -> name
    icon: str = ""  # its picture among the page's icons; that of a stranger's game if empty
    front: bool = False  # the page's dialog begins with it
    shows_points: bool = False  # points are shown beside the board although they do not decide
    sides: tuple[str, ...] = ()  # what each player's side is called: "Black", "White"; empty: by number
    compile_seconds: float = 0.0  # that its kernels take when they are compiled first, on a usual machine; 0: as usual
    pace: int = 0  # milliseconds between moves that the page watches; 0: as usual
    report: int = 0  # simulations for each position of a report on the page; 0: as usual
    tuples: str = ""  # module with the game's own kernels for n-tuple tables: see learn/tuples/board_kit.py
    benchmarks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # benchmark -> game's spec -> its case
