"""Specs: what names a player, such as `mcts:simulations=800,seed=1`, read once and written the same way again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from boardwright.contract.position import shorten
from boardwright.contract.settings import join_settings, split_settings

# `mcts`, `mcts:` and `mcts:name=...` name a kind; what is none of these may be a file of somebody's own.
_KIND = re.compile(r"\s*[\w-]+\s*(:\s*(\w+\s*=|$)|$)")
_NAMED = re.compile(r"\s*(\w+\s*=|$)")  # settings, where a program's command might stand
_FILE = re.compile(r"(?P<kind>.+?\.py(?::[A-Za-z_]\w*)?)(?::(?P<settings>[^:/\\]*=.*)?)?$", re.DOTALL)
PROGRAMS = ("engine", "piskvork")  # kinds whose players are other programs


@dataclass(frozen=True)
class PlayerSpec:
    """A kind of player and its settings. `str` gives the text that `parse` reads:

    `KIND`, or `KIND:name=value,name=value`. A kind is one of `player_kinds`, or a class in a file of your own,
    `path/to/mine.py:MyPlayer`. A value with a comma in it, or with blanks at an end, stands in double quotes as JSON
    writes text: `mcts:net="runs/a,b"`. Of a program, `engine:COMMAND` and `piskvork:COMMAND` are short for
    `engine:command=COMMAND`: all that follows the colon is the command, with its own commas and quotes.
    """

    kind: str  # such as mcts, or path/to/mine.py:MyPlayer
    settings: Mapping[str, str] = field(default_factory=dict)  # each as text, by name

    @classmethod
    def parse(cls, text: str | PlayerSpec) -> PlayerSpec:
        """The spec that a text writes; one that is a spec already is left as it is."""
        if isinstance(text, PlayerSpec):
            return text
        program, colon, command = text.partition(":")
        if program.strip() in PROGRAMS and colon and not _NAMED.match(command):
            return cls(program.strip(), {"command": command.strip()})
        file = None if _KIND.match(text) else _FILE.match(text.strip())
        if file:
            kind, settings = file["kind"], file["settings"] or ""
        else:
            kind, _, settings = text.partition(":")
        return cls(kind.strip(), split_settings(f"player {shorten(kind.strip())}", settings))

    def __str__(self) -> str:
        command = self.settings.get("command", "") if len(self.settings) == 1 and self.is_program else ""
        if command == command.strip() and not _NAMED.match(command):
            return f"{self.kind}:{command}"
        return f"{self.kind}:{join_settings(self.settings)}" if self.settings else self.kind

    def __hash__(self) -> int:
        return hash((self.kind, frozenset(self.settings.items())))

    @property
    def is_file(self) -> bool:
        """Whether the kind is a class in a file: making such a player runs the file."""
        return not _KIND.match(self.kind)

    @property
    def is_program(self) -> bool:
        """Whether the player is another program: playing starts it."""
        return self.kind in PROGRAMS

    @property
    def file(self) -> str:
        """The path of that file; empty if the kind is none of a file."""
        found = re.match(r".+?\.py(?=:|$)", self.kind, re.DOTALL) if self.is_file else None
        return found[0] if found else ""

    def with_setting(self, name: str, value: object) -> PlayerSpec:
        """The same with a setting changed or added."""
        return PlayerSpec(self.kind, {**self.settings, name: str(value)})

    def seeded(self, seed: int) -> PlayerSpec:
        """The same with this seed, unless it has one of its own. `players.seeded` asks whether the kind takes one."""
        return self if "seed" in self.settings else self.with_setting("seed", seed)
