"""The rules of the contract, one entry each: what a game's methods are called, take, return and mean.

The compiler, the diagnosis of mistakes, the check and docs/contract.md all read this table; `Game` has the same methods
with their defaults.
"""

from __future__ import annotations

from dataclasses import dataclass

# What a parameter is, for people; compile/diagnose.py has the compiler's type of each.
KINDS = {
    "state": "the record with the fields of `layout`",
    "number": "one whole number",
    "numbers": "int32 array with room for all that may be written",
    "floats": "float64 array, one a player, a move or an outcome",
    "observation": "float32 array of `observe_shape`, zeroed",
    "features": "float32 array with room for `features_most`",
    "generator": "uint64 array of one: the state of a random generator",
    "text": "text",
}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a rule, besides `self`."""

    name: str
    kind: str  # a key of KINDS


S = Parameter("s", "state")
MOVE, OUTCOME = Parameter("move", "number"), Parameter("outcome", "number")
MOVES, OUTCOMES = Parameter("moves", "numbers"), Parameter("outcomes", "numbers")
WEIGHTS, OUT = Parameter("weights", "floats"), Parameter("out", "floats")
COUNT, IMAGE, TRIES = Parameter("count", "number"), Parameter("image", "number"), Parameter("tries", "number")
LINE = Parameter("line", "numbers")
LOW, HIGH = Parameter("low", "floats"), Parameter("high", "floats")
RNG, LUCK = Parameter("rng", "generator"), Parameter("luck", "generator")


# What optional and other rules are for, in the order of the page.
GROUPS = {
    "play": "The rules themselves",
    "chance": "Chance: all of it or nothing",
    "results": "Who gets what: one of the two, or both",
    "seeing": "Seeing: what a learner is shown",
    "solving": "Solving: for exact search",
    "tactics": "Tactics: what the rules can tell ahead of play",
    "speed": "Speed",
    "people": "For people: plain Python, never compiled",
}


# What a rule returns, for people.
RETURNS = {
    "": "-", "number": "whole number", "text": "text", "fields": "list of fields", "marks": "numbers by name",
    "cells": "rows of texts", "tally": "rows of words and of points, one a player",
}  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """One method of a game."""

    name: str
    parameters: tuple[Parameter, ...]  # besides `self`
    returns: str  # a key of RETURNS
    group: str  # a key of GROUPS
    meaning: str  # one line
    required: bool = False  # no game can do without; the others have defaults
    compiled: bool = True  # kernels call it; otherwise plain Python does

    @property
    def signature(self) -> str:
        """As an author writes it: `legal(self, s, moves)`."""
        return f"{self.name}({', '.join(('self', *(parameter.name for parameter in self.parameters)))})"


def _for_people(name: str, parameters: tuple[Parameter, ...], meaning: str, returns: str = "text") -> Rule:
    return Rule(name, parameters, returns, "people", meaning, compiled=False)


RULES = (
    Rule("layout", (), "fields", "play", "the fields of a state as NumPy knows them", required=True, compiled=False),
    Rule("start", (S,), "", "play", "fill a zeroed state with the position before anything has happened"),
    Rule("player", (S,), "number", "play", "who acts: 0 to players-1, bw.CHANCE or bw.OVER", required=True),
    Rule("legal", (S, MOVES), "number", "play", "write the legal moves, each once, and return how many", required=True),
    Rule("play", (S, MOVE), "", "play", "carry out a legal move, in place", required=True),
    Rule(
        "chances", (S, OUTCOMES, WEIGHTS), "number", "chance",
        "write what may happen and how likely, and return how many",
    ),
    Rule("draw", (S, OUTCOME), "", "chance", "carry out one thing that chance did, in place"),
    Rule("scores", (S, OUT), "", "results", "each player's points so far"),
    Rule(
        "results", (S, OUT), "", "results",
        "at the end, what each player maximises: 1 win, 0 draw, -1 loss; the points if left out",
    ),
    Rule("observe", (S, Parameter("out", "observation")), "", "seeing", "a network's input, seen by the player to act"),
    Rule(
        "features", (S, Parameter("indices", "numbers"), Parameter("values", "features")), "number", "seeing",
        "write what a learnt value sees of a position just after a move, numbers of features and how much of each, and "
        "return how many",
    ),
    Rule(
        "move_features", (S, MOVE, Parameter("indices", "numbers")), "number", "seeing",
        "write what a learnt policy sees of a legal move, numbers of features, and return how many; the move's own "
        "number if left out",
    ),
    Rule(
        "viewer", (S,), "number", "seeing",
        "from whose side a learnt value sees the position: the player to act, and where nobody is to move, whose turn "
        "it was or will be",
    ),
    Rule(
        "mirror", (S, IMAGE, Parameter("out", "state")), "", "seeing",
        "write image number `image` of the state, as equal as the game can tell, into a zeroed one",
    ),
    Rule("mirror_move", (MOVE, IMAGE), "number", "seeing", "the move that does the same in that image"),
    Rule("key", (S,), "number", "solving", "a 64-bit number that two states share if and only if they play alike"),
    Rule("bounds", (S, LOW, HIGH), "", "solving", "what each player gets at least and at most if all play best"),
    Rule("estimate", (S, OUT), "", "tactics", "what each player can expect to get in the end, at a glance"),
    Rule(
        "winning", (S, LINE, TRIES), "number", "tactics",
        "write a line of play by which the player to act is certain to win, and return its length, 0 without",
    ),
    Rule(
        "answers", (S, MOVES, COUNT, LINE, TRIES), "number", "tactics",
        "keep in front the moves that may prevent a win of the other's, and return how many",
    ),
    Rule(
        "play_on", (Parameter("policy", "number"), S, Parameter("most", "number"), RNG, LUCK, MOVES, WEIGHTS), "number",
        "speed", "make up to `most` moves by a policy at once, the same as one by one, and return how many",
    ),
    _for_people("move_text", (S, MOVE), "a move's name; two legal moves never share one"),
    _for_people("move_note", (S, MOVE), "what a legal move does, in the game's words: `completes line 3: +4`"),
    _for_people("outcome_text", (S, OUTCOME), "the name of one thing that chance may do"),
    _for_people("move_kind", (S, MOVE), "what kind of move it is, for a playtest's table of what is worth what"),
    _for_people("explain", (S, Parameter("text", "text")), "why a text is no legal move, where the game can tell"),
    _for_people(
        "board_cells", (S,), "the board as rows of cells, each a short text, for terminal, picture and pointer", "cells"
    ),
    _for_people("board", (S,), "the state for a terminal"),
    _for_people("svg", (S,), "the state as a picture: a complete SVG document"),
    _for_people("marks", (S,), "what is worth counting at the end of a game besides points", "marks"),
    _for_people("tally", (S,), "at the end, what the points are made of; the rows add up to `scores`", "tally"),
    _for_people("unsound", (S,), "why no play could lead to a state that came from outside; nothing if one could"),
)  # fmt: skip

POLICY_PARAMETERS = (S, MOVES, COUNT, WEIGHTS)


def policy_rule(name: str) -> Rule:
    """The entry of a method that a game's `policies` names."""
    return Rule(name, POLICY_PARAMETERS, "", "play", "weights[i] = how much moves[i] is liked, 0 or above")


RULE = {rule.name: rule for rule in RULES}
COMPILED = tuple(rule.name for rule in RULES if rule.compiled)
REQUIRED = tuple(rule for rule in RULES if rule.required)
