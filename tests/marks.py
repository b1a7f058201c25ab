"""Cases of a test that `make test-all` runs and `make test` leaves out."""

from __future__ import annotations

from typing import Any

import pytest


def slowly(*cases: Any) -> list[Any]:
    """Cases to add to a test's parameters: more of the same proof, for minutes of the compiler."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases
    ]
