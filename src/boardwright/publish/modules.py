"""The modules of a site for what players have learnt, beside the games' own: code, numbers, what the page is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.publish.numbers import NumbersFile, numbers_file
from boardwright.publish.program import Part, Program, compile_program, module_parts


@dataclass(frozen=True)
class LearntModule:
    """A module for what players have learnt, and its numbers."""

    part: Part
    program: Program
    plan: dict[str, Any]
    numbers: NumbersFile


class Modules:
    """The modules that the players of one game need beside the game's own; several may share one."""

    def __init__(self, game: Game, spec: str) -> None:
        self.game, self.spec = game, spec
        self.made: dict[str, LearntModule] = {}

    def add(self, part: Part, learned: npt.NDArray[np.float32]) -> str:
        """The id of the module of a part and these numbers."""
        numbers, text = numbers_file(learned), part.to_json()
        for known, one in self.made.items():
            if one.part.to_json() == text and one.numbers == numbers:
                return known
        program = compile_program(self.game, self.spec, part)
        name = f"{part.way}-{len(self.made) + 1}"
        self.made[name] = LearntModule(part, program, module_parts(self.game, part)[1], numbers)
        return name

    def told(self) -> dict[str, Any]:
        """What the page must know of each."""
        return {
            name: {
                "way": one.part.way, "file": f"{name}.wasm", "plan": one.plan, "sentences": one.program.sentences,
                "numbers": one.numbers.told(),
            }
            for name, one in self.made.items()
        }  # fmt: skip

    def write(self, folder: Path) -> None:
        """Their files."""
        for name, one in self.made.items():
            (folder / f"{name}.wasm").write_bytes(one.program.code)
            (folder / one.numbers.name).write_bytes(one.numbers.data)
