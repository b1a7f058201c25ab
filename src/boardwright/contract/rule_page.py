"""docs/contract.md out of the table of rules: `python -m boardwright.contract.rule_page > docs/contract.md`."""

from __future__ import annotations

from boardwright.contract.rules import GROUPS, KINDS, RETURNS, RULES, Rule, policy_rule

HEAD = """# The contract of a game

A game is a class derived from `bw.Game`; these are its rules. [Your own game](own-game.md) tells how to write one. This
page is made from `src/boardwright/contract/rules.py`, which the compiler, `boardwright check` and its messages read as
well. What is not marked **needed** has a default.
"""

POLICIES = """## Policies

Methods that the constant `policies` names, best known first: simple players, and what a search plays its leaves out by.
"""

PARAMETERS = """## Parameters

Compiled rules get these kinds of values, and write results into the arrays that they are given:
"""

CARD = """## The card

What the rest of Boardwright may know of a game that is no rule stands on its `card`: a name for people, hints for the
search, opponents, how to train on it. `src/boardwright/contract/card.py` has a line on each field.

```
card = bw.Card(search=bw.SearchHints(playout="greedy", advice={"depth": 40}))
```
"""


def rule_page() -> str:
    """The page, as Markdown."""
    groups = [
        f"## {title}\n\n{_table([rule for rule in RULES if rule.group == group])}" for group, title in GROUPS.items()
    ]
    kinds = "| kind | what it is | as in |\n|---|---|---|\n" + "\n".join(
        f"| {kind} | {words} | {', '.join(_named(kind))} |" for kind, words in KINDS.items()
    )
    policies = f"{POLICIES}\n{_table([policy_rule('policy')])}"
    return "\n\n".join([HEAD.strip(), *groups, policies, f"{PARAMETERS}\n{kinds}", CARD.strip()]) + "\n"


def _table(rules: list[Rule]) -> str:
    head = "| rule | returns | meaning |\n|---|---|---|\n"
    return head + "\n".join(
        f"| `{rule.signature}` | {RETURNS[rule.returns]} | {'**needed**: ' * rule.required}{rule.meaning} |"
        for rule in rules
    )


def _named(kind: str) -> list[str]:
    """The names of parameters of one kind."""
    parameters = [parameter for rule in RULES for parameter in rule.parameters if parameter.kind == kind]
    return [f"`{name}`" for name in dict.fromkeys(parameter.name for parameter in parameters)]


if __name__ == "__main__":
    print(rule_page(), end="")
