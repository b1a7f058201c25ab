"""Which cluster: what stands after `--cluster`, read once."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from boardwright.contract.errors import InputError

MOST_LOCAL = 1024
_ADDRESS = re.compile(r"(?P<host>\[[0-9a-fA-F:.%]+\]|[A-Za-z0-9_.-]+):(?P<port>\d{1,5})")
FORMS = "auto (a Ray that runs here, or RAY_ADDRESS), local:4 (starts one with 4 workers), or HOST:PORT"


@dataclass(frozen=True)
class Address:
    """A cluster to join, or one to start here."""

    where: str  # for Ray: "auto" or HOST:PORT; empty: start one here
    workers: int = 0  # of one that is started here; 0: as many as the cluster has CPUs

    @classmethod
    def parse(cls, text: str) -> Address:
        """Refuses what names no cluster."""
        name, _, rest = text.partition(":")
        if text == "auto":
            return cls(os.environ.get("RAY_ADDRESS") or "auto")
        if name == "local":
            if not rest.isascii() or not rest.isdigit() or not 1 <= int(rest[:5]) <= MOST_LOCAL:
                raise InputError(f"--cluster {text}: say local:4 for 4 workers, 1 to {MOST_LOCAL}")
            return cls("", int(rest))
        found = _ADDRESS.fullmatch(text)
        if not found or not 0 < int(found["port"]) < 65536:
            raise InputError(f"--cluster {text!r} names no cluster; there are {FORMS}")
        return cls(text)

    def __str__(self) -> str:
        return self.where if self.where else f"local:{self.workers}"
