"""What `make test-all` runs and `make test` leaves out: cases of a test, and examples of a property."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings


def slowly(*cases: Any) -> list[Any]:
    """Cases to add to a test's parameters: more of the same proof, for minutes of the compiler."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]


def thorough() -> bool:
    """Whether this is `make test-all`, which asks for the thorough profile of conftest.py."""
    return settings().max_examples >= 250


def examples(most: int) -> settings:
    """So many examples of a property, and in `make test` no more than its budget: see the profiles in conftest.py."""
    return settings(max_examples=min(most, settings().max_examples))
