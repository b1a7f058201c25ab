"""What a worker is made of. Who would play other games than we do is refused; another kind of CPU is marked by name.

The same code gives the same games only by the same versions of what compiles it. Numba and XLA use what a CPU has, so
that another kind of CPU may round the last bit otherwise: nothing is wrong with such games, but weights are then not
the same to the last bit as those of one machine, and the run's record says so.
"""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

COMPARED = {"boardwright": "Boardwright", "python": "Python", "numba": "Numba", "numpy": "NumPy", "jax": "JAX"}


@dataclass(frozen=True)
class Identity:
    """Versions, and the kind of CPU."""

    boardwright: str  # version, and the digest of its code
    python: str  # bytecode differs between minor versions, and with it the digests of games
    numba: str
    numpy: str
    jax: str  # empty where it is not installed
    cpu: str  # as LLVM calls it, with a digest of its features

    @classmethod
    @cache
    def here(cls) -> Identity:
        from llvmlite import binding

        features = sorted(name for name, has in binding.get_host_cpu_features().items() if has)
        cpu = f"{binding.get_host_cpu_name()} {hashlib.sha256(' '.join(features).encode()).hexdigest()[:6]}"
        return cls(
            boardwright=f"{_version('boardwright')} ({_code_digest()})",
            python=".".join(platform.python_version_tuple()[:2]),
            numba=_version("numba"),
            numpy=_version("numpy"),
            jax=_version("jax"),
            cpu=cpu,
        )

    def refusal(self, other: Identity) -> str:
        """Why a worker of that identity cannot work for this one; empty if it can."""
        for field in fields(self):
            ours, theirs = getattr(self, field.name), getattr(other, field.name)
            if field.name in COMPARED and ours != theirs:
                name = COMPARED[field.name]
                return f"it has {name} {theirs}" if theirs else f"it has no {name}"
        return ""


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _code_digest() -> str:
    package = Path(__file__).parent.parent
    sha = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        sha.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return sha.hexdigest()[:8]
