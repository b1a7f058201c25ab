"""The table of rules is the contract: the class, the page and the messages agree with it."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import boardwright as bw
from boardwright.check.side_by_side import CHECKS
from boardwright.contract.rule_page import rule_page
from boardwright.contract.rules import GROUPS, KINDS, RETURNS, RULE, RULES

PAGE = Path(__file__).parents[1] / "docs" / "contract.md"
# What every game can be asked and no author writes.
NO_RULES = {"begin", "from_json", "rules", "made_methods", "digest_values"}


def test_every_rule_is_a_method_with_these_parameters_and_every_method_a_rule() -> None:
    methods = {
        name: method
        for name, method in vars(bw.Game).items()
        if isinstance(method, FunctionType) and not name.startswith("_") and name not in NO_RULES
    }
    written = {name: f"{name}({', '.join(inspect.signature(method).parameters)})" for name, method in methods.items()}
    assert written == {rule.name: rule.signature for rule in RULES}


def test_the_table_is_sound() -> None:
    assert len(RULE) == len(RULES)
    for rule in RULES:
        assert rule.group in GROUPS and rule.returns in RETURNS, rule.name
        assert all(parameter.kind in KINDS for parameter in rule.parameters), rule.name
        assert "\n" not in rule.meaning and rule.meaning, rule.name


def test_the_page_of_the_contract_is_made_from_the_table() -> None:
    assert PAGE.read_text() == rule_page(), "python -m boardwright.contract.rule_page > docs/contract.md"


def test_every_group_of_optional_compiled_rules_has_its_check() -> None:
    always = {"play", "chance", "results"}  # asked at every position of every game
    assert set(CHECKS) == {rule.group for rule in RULES if rule.compiled} - always
    assert all(rule.group in always for rule in RULES if rule.required)


def hinted(body: str) -> type[bw.Game]:
    """A game whose class says this."""
    scope: dict[str, object] = {"bw": bw}
    exec(f"class Hinted(bw.Game):\n    {body}", scope)
    made = scope["Hinted"]
    assert isinstance(made, type) and issubclass(made, bw.Game)
    return made


def test_hints_of_the_old_kind_still_count_and_say_where_they_belong() -> None:
    with pytest.warns(
        DeprecationWarning, match=r"card = bw\.Card\(search=bw\.SearchHints\(forcing='a', advice=\{\}\)\)"
    ):
        old = hinted("advice = {}; forcing = 'a'; card = bw.Card(title='Old')")
    assert old.card == bw.Card(title="Old", search=bw.SearchHints(forcing="a"))

    class Hints:
        playout = "b"

    with pytest.warns(DeprecationWarning, match="playout='b'"):
        mixed: Any = type("Mixed", (Hints, old), {})
    assert mixed.card.search == bw.SearchHints(playout="b", forcing="a")
    new = hinted("card = bw.Card(search=bw.SearchHints(playout='c'))")
    with pytest.warns(DeprecationWarning, match=r"game\.playout is now game\.card\.search\.playout"):
        assert new.playout == "c"
