"""The reference of the documentation's site, made from the code when the site is built.

Each function here returns one page as Markdown. Nothing is written by hand that the code can tell: signatures,
docstrings, the comment behind a field, the help of an option. tests/test_docs_site.py compares what the pages list
with what the code has.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import typer

import boardwright as bw
from boardwright.cli.main import app
from boardwright.cli.train import METHODS, find_method
from boardwright.contract.rules import RULE
from boardwright.contract.settings import field_kind
from boardwright.players.kinds import GROUP, KINDS, PROGRAMS, RANDOM, Kind, kind_of_class
from boardwright.registry import at, offered
from boardwright.serve.limits import Limits
from boardwright.serve.routes import ROUTES
from boardwright.serve.socket import ACTIONS

DOCS = Path(__file__).parents[1]
LONGEST = 96  # letters of a signature on one line

# What may be set from outside; the test looks for others in the source.
ENVIRONMENT = {
    "BOARDWRIGHT_HOME": "the folder of what is yours: the library of games, runs, levels, playtests",
    "BOARDWRIGHT_CACHE": "the folder of compiled kernels; it may be deleted at any time",
}


def pages() -> dict[str, str]:
    """Every page of the reference, by its place in the site."""
    return {
        "reference/index.md": overview(),
        "reference/python.md": python_page(),
        "reference/commands.md": commands_page(),
        "reference/players.md": players_page(),
        "reference/training.md": training_page(),
        "reference/routes.md": routes_page(),
        "reference/settings.md": settings_page(),
    }


def overview() -> str:
    """What the pages of the reference are, with how much each lists."""
    rows = [
        ("[Python](python.md)", f"the {len(bw.__all__)} names of `import boardwright as bw`, with their members"),
        ("[Commands](commands.md)", f"the {len(dict(commands()))} commands, with every argument and option"),
        ("[The contract](../contract.md)", f"the {len(RULE)} rules that a game may write"),
        ("[Players](players.md)", f"the {len(dict(kinds()))} kinds of players, with every setting"),
        ("[Training](training.md)", f"the {len(METHODS)} methods, with every setting and preset"),
        ("[HTTP](routes.md)", f"the {len(ROUTES)} routes of the server, and the {len(ACTIONS)} actions of its socket"),
        ("[Settings of a machine](settings.md)", "variables of the environment, limits of the server"),
    ]
    return (
        "# Reference\n\nMade from the code of this very version when these pages were built: nothing is listed that is "
        "not there, and nothing that is there is left out.\n\n| page | lists |\n|---|---|\n"
        + "\n".join(f"| {page} | {words} |" for page, words in rows)
        + "\n\nWhat a word means is in the [glossary](../glossary.md).\n"
    )


# Python


def python_page() -> str:
    """The public names, in the order of `__all__`: functions, classes with their members, constants."""
    parts = [
        "# Python\n\n`import boardwright as bw`. What has no underscore in front is here; the rest may change any time."
    ]
    for name in sorted(bw.__all__, key=str.casefold):
        parts.append(f"## `bw.{name}`\n\n{describe(name, getattr(bw, name))}")
    return "\n\n".join(parts) + "\n"


def describe(name: str, thing: Any) -> str:
    """One public name: what it is and, of a class, its members."""
    if not callable(thing):
        return f"{CONSTANTS[name]}\n\n```python\nbw.{name} == {thing!r}\n```"
    if not inspect.isclass(thing):
        return f"{signature(f'bw.{name}', thing)}\n\n{prose(inspect.getdoc(thing))}"
    parts = [prose(own_doc(thing))]
    if not issubclass(thing, Exception) and "__init__" in vars(thing) and thing is not bw.Game:
        parts.insert(0, signature(f"bw.{name}", thing))
    rows = [member_row(thing, member) for member in members(thing)]
    if rows:
        parts.append("| member | what it is |\n|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts)


CONSTANTS = {
    "CHANCE": "What `player` of a game returns where chance is to move.",
    "OVER": "What `player` of a game returns once the game is over.",
    "__version__": "The version of Boardwright.",
}


def own_doc(kind: type) -> str:
    """A class's docstring, without the one that dataclasses make up."""
    doc = inspect.getdoc(kind) or ""
    return "" if doc.startswith(f"{kind.__name__}(") else doc


def members(kind: type) -> Iterator[str]:
    """The public members of a class in the order of the source, those of our own base classes first."""
    seen: dict[str, None] = {}
    for ancestor in reversed(kind.__mro__):
        if ancestor.__module__.partition(".")[0] == "boardwright":
            for name in (*getattr(ancestor, "__annotations__", {}), *vars(ancestor)):
                seen[name] = None
    own = vars(bw.Game)
    for name in seen:
        old = type(own.get(name)).__name__ == "OldHint" and kind is bw.Game
        if not name.startswith("_") and not old:
            yield name


def member_row(kind: type, name: str) -> str:
    """A row of a class's table: the member as it is used, and its docstring or the comment behind it."""
    found = inspect.getattr_static(kind, name, None)
    if isinstance(found, classmethod | staticmethod):
        found = found.__func__
    if isinstance(found, FunctionType):
        words, shown = inspect.getdoc(found) or inherited_doc(kind, name), f"{name}{short(found)}"
    elif isinstance(found, property | cached_property):
        words, shown = inspect.getdoc(found) or "", name
    else:
        words, shown = comments(kind).get(name, ""), name
    if kind is bw.Game and name in RULE:
        words = f"a rule of [the contract](../contract.md): {RULE[name].meaning}"
    return f"| `{cell(shown)}` | {cell(' '.join(words.split()))} |"


def inherited_doc(kind: type, name: str) -> str:
    return next((doc for base in kind.__mro__ if (doc := inspect.getdoc(vars(base).get(name)))), "")


def comments(kind: type) -> dict[str, str]:
    """The comment behind each field in the source of a class, its base classes of ours included."""
    found: dict[str, str] = {}
    for ancestor in reversed(kind.__mro__):
        if ancestor.__module__.partition(".")[0] in ("boardwright", "boardwright_lab"):
            try:
                source = inspect.getsource(ancestor)
            except (OSError, TypeError):  # made at run time, from the keywords of a class
                continue
            source = re.sub(r"= \(\n\s+(.+)\n\s+\)  #", r"= \1  #", source)  # a long line, as Ruff breaks it
            found.update(re.findall(r"^    (\w+)(?:: [^#\n]+?| = [^#\n]+?)\s+#\s*(.+)$", source, re.MULTILINE))
            found.update(
                re.findall(r"^        self\.(\w+)(?:: [^#\n]+?| = [^#\n]+?)\s+#\s*(.+)$", source, re.MULTILINE)
            )
    return found


def signature(name: str, thing: Callable[..., Any]) -> str:
    """How it is called, as code: on one line, or a line a parameter where that is too long."""
    found = inspect.signature(thing)
    parameters = [plain(str(one)) for one in found.parameters.values()]
    parameters = _marked(list(found.parameters.values()), parameters)
    back = "" if found.return_annotation in (found.empty, None, "None") else f" -> {found.return_annotation}"
    back = plain(back)
    line = f"{name}({', '.join(parameters)}){back}"
    if len(line) > LONGEST:
        line = f"{name}(\n" + "".join(f"    {one},\n" for one in parameters) + f"){back}"
    return f"```python\n{line}\n```"


def plain(text: str) -> str:
    """A parameter or a type as people write it: annotations are kept as texts, and defaults may be made."""
    text = re.sub(r"(: | -> )'([^']*)'", r"\1\2", re.sub(r"<class '(?:.*\.)?(\w+)'>", r"\1", text))
    return text.replace("<factory>", "...")


def _marked(found: list[inspect.Parameter], texts: list[str]) -> list[str]:
    """The parameters with the star that says: from here on by name only."""
    for place, one in enumerate(found):
        if one.kind is one.KEYWORD_ONLY and not any(each.kind is each.VAR_POSITIONAL for each in found):
            return [*texts[:place], "*", *texts[place:]]
    return texts


def short(thing: FunctionType) -> str:
    """A method's parameters without their types, for a table."""
    found = list(inspect.signature(thing).parameters.values())[1:]
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in found]
    return f"({', '.join(_marked(plain, [re.sub(r' object at 0x[0-9a-f]+', '', str(one)) for one in plain]))})"


def prose(text: str | None) -> str:
    """A docstring as Markdown: its lines joined to paragraphs, what is indented as code."""
    return inspect.cleandoc(text or "")


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return text.replace("|", "\\|")


# Commands


def commands() -> Iterator[tuple[str, Any]]:
    """Every command that can be typed, by its whole name, in the order of the help."""

    def walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        inner = getattr(command, "commands", None)
        if inner is None:
            yield name, command
            return
        for each in command.list_commands(None):
            yield from walk(f"{name} {each}", inner[each])

    yield from walk("boardwright", typer.main.get_command(app))


def commands_page() -> str:
    """The commands with their arguments and options."""
    parts = ["# Commands\n\nAs `boardwright --help` tells it. `boardwright COMMAND --help` has the same in a terminal."]
    top = typer.main.get_command(app)
    parts.append("| before a command | meaning |\n|---|---|\n" + "\n".join(parameter_rows(top, "option")))
    for name, command in commands():
        head = f"## `{name}`"
        arguments, options = parameter_rows(command, "argument"), parameter_rows(command, "option")
        parts.append(f"{head}\n\n{prose(command.help)}\n\n```\n{usage(name, command)}\n```")
        if arguments:
            parts.append("| argument | meaning |\n|---|---|\n" + "\n".join(arguments))
        if options:
            parts.append("| option | meaning |\n|---|---|\n" + "\n".join(options))
    return "\n\n".join(parts) + "\n"


def usage(name: str, command: Any) -> str:
    """One line: the command, its arguments and that it has options."""
    pieces = command.collect_usage_pieces(command.context_class(command))
    return " ".join([name, *(re.sub(r"^\{(\w+)\}$", lambda found: found[1].upper(), piece) for piece in pieces)])


def parameter_rows(command: Any, kind: str) -> list[str]:
    """A row for each argument or each option of a command: how it is written, and what its help says."""
    context = command.context_class(command)
    found = [one.get_help_record(context) for one in command.params if one.param_type_name == kind]
    return [f"| `{cell(names)}` | {cell(' '.join(words.split()))} |" for names, words in found]


# Players


def kinds() -> Iterator[tuple[str, Kind]]:
    """Every kind of player that a spec can name, whatever the game; `mcts:net` is `mcts` where `net=` is set."""
    yield "random", RANDOM
    yield from KINDS.items()
    yield from PROGRAMS.items()
    for name, place in offered(GROUP).items():
        found = at(place)
        yield name, found if isinstance(found, Kind) else kind_of_class(found)


def players_page() -> str:
    """The kinds of players with their settings."""
    parts = [
        "# Players\n\nA spec names a kind and its settings: `mcts:simulations=800,seed=1` ([how](../players.md)). A "
        "game's own `policies` are kinds as well, each by its name (`greedy`), and have the settings of `random`. "
        "`boardwright games NAME` tells which kinds can play a game as it stands.\n\nWherever a setting names a model, "
        "`last` is what you trained last for the game and `auto` what comes with Boardwright. `tuned=FILE` takes the "
        "settings that `boardwright tune` has found, for every kind."
    ]
    for name, kind in kinds():
        parts.append(f"## {kind_title(name)}\n\n{sentence(kind.about)}\n\n{settings_table(kind.settings_class)}")
    return "\n\n".join(parts) + "\n"


def kind_title(name: str) -> str:
    """The heading of a kind: `mcts:net` is `mcts` where the setting `net` is given."""
    kind, _, setting = name.partition(":")
    return f"`{kind}` with `{setting}=`" if setting else f"`{kind}`"


def sentence(text: str) -> str:
    """A line as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def settings_table(kind: type, head: str = "setting") -> str:
    """The fields of a dataclass with their types, defaults and comments."""
    docs = comments(kind)
    rows = [
        f"| `{one.name}` | {TYPES.get(field_kind(one), field_kind(one).__name__)} | {plain_default(one)} | "
        f"{cell(docs.get(one.name, ''))} |"
        for one in dataclasses.fields(kind)
        if one.init
    ]
    if not rows:
        return "It has no settings."
    return f"| {head} | type | usually | meaning |\n|---|---|---|---|\n" + "\n".join(rows)


TYPES = {int: "whole number", float: "number", bool: "true or false", str: "text"}


def plain_default(one: dataclasses.Field[Any]) -> str:
    if one.default is dataclasses.MISSING:
        return ""
    return f"`{cell(one.default if isinstance(one.default, str) and one.default else json.dumps(one.default))}`"


# Training


def training_page() -> str:
    """The methods of `boardwright train` with their settings, and what the presets change for a small game."""
    parts = [
        "# Training\n\n`boardwright train GAME --method METHOD --set NAME=VALUE` ([how](../train.md)). Presets depend "
        "on the game; `boardwright train GAME --settings` shows them all for yours."
    ]
    game = bw.load("tictactoe")
    for name in METHODS:
        kind, _ = find_method(name)
        presets = ", ".join(f"`{preset}`" for preset in kind.presets(game))
        words = first_paragraph(own_doc(kind))
        parts.append(f"## `{name}`\n\n{words}\n\nPresets: {presets}.\n\n{settings_table(kind)}")
    return "\n\n".join(parts) + "\n"


def first_paragraph(text: str) -> str:
    return text.partition("\n\n")[0]


# HTTP


def routes_page() -> str:
    """The routes of the server, each with what docs/api.md says of it, and the actions of the socket."""
    said = told_routes()
    rows = [
        f"| `{method}` | `{route.path}` | {said.get((method, plain_path(route.path)), '')} |"
        for route in sorted(ROUTES, key=lambda route: route.path)
        for method in sorted((route.methods or set()) - {"HEAD"})
    ]
    actions = [f"| `{name}` | {words} |" for name, words in told_actions().items()]
    return (
        "# HTTP\n\nWhat the server of `boardwright serve` answers to. [The API](../api.md) tells how it is used: "
        "errors, views, news, limits.\n\n## Routes\n\n| method | path | what it does |\n|---|---|---|\n"
        + "\n".join(rows)
        + "\n\n## Actions of the socket `/api/search`\n\n| action | answer |\n|---|---|\n"
        + "\n".join(actions)
        + "\n"
    )


def plain_path(path: str) -> str:
    """A path with its parts that vary as one letter: `/api/tables/{id}` and `/api/tables/ID` are the same."""
    return re.sub(r"\{\w+\}|\b[A-Z]+\b", "X", path.partition("?")[0])


def told_routes() -> dict[tuple[str, str], str]:
    """What the tables of docs/api.md say of each route: (method, plain path) -> words, one for each way to use it."""
    said: dict[tuple[str, str], str] = {}
    for line in (DOCS / "api.md").read_text(encoding="utf-8").splitlines():
        found = re.match(r"\| (`(?:GET|POST|DELETE) .+?) \| (.+) \|$", line)
        if found is None:
            continue
        calls, words = found[1], from_reference(found[2])
        method, first = re.findall(r"(GET|POST|DELETE) (/api/[\w/.{}]+)", calls)[0]
        paths = [first]
        for other in re.findall(r"`(/api/[\w/.]+|[\w.]+\.\w+)`", calls):
            paths.append(other if other.startswith("/") else first.rpartition("/")[0] + "/" + other)
        fields = " ".join(re.findall(r"`(\{.*?\})`", calls)) or " ".join(re.findall(r"`[^`]*(\?[\w=&]+)`", calls))
        for path in paths:
            key = method, plain_path(path)
            told = f"`{fields}` {words}" if fields else words
            said[key] = f"{said[key]}; or {told}" if key in said else told
    return said


def from_reference(words: str) -> str:
    """Words of a page of docs/ as they stand in the reference, one folder deeper."""
    return re.sub(r"\]\((?=[\w-]+\.md)", "](../", words)


def told_actions() -> dict[str, str]:
    """What docs/api.md says of each action of the socket."""
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \|[^|]*\| (.+) \|$", text.partition("## Searches")[2], re.MULTILINE))
    return {name: from_reference(rows.get(name, "")) for name in ACTIONS}


# Settings of a machine


def settings_page() -> str:
    """Variables of the environment, and the server's limits."""
    variables = "\n".join(f"| `{name}` | {words} |" for name, words in ENVIRONMENT.items())
    return (
        "# Settings of a machine\n\n## The environment\n\n| variable | meaning |\n|---|---|\n"
        f"{variables}\n\n## Limits of the server\n\nWhat one server gives at most.\n\n"
        f"{settings_table(Limits, 'limit')}\n"
    )
