"""Arrays that a kernel borrows from whoever called it."""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import kernel_with
from boardwright.compile.numba_internals import uncounted


def _as_it_is(arrays: Any) -> Any:
    return arrays


@kernel_with(_as_it_is)
def borrowed(arrays: Any) -> Any:
    """An argument of a kernel that Python called: an array, or a named tuple of arrays and numbers, as it is."""
    return uncounted(arrays)
