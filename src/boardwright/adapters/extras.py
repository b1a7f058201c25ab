"""Libraries of others that are installed only by who wants them."""

from __future__ import annotations

import importlib
from typing import Any

from boardwright.contract.errors import InputError


def need(module: str, extra: str) -> Any:
    """The module; if it is not installed, the command that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InputError(
            f"{module} is not installed ({error}); install it: pip install 'boardwright[{extra}]'"
        ) from None
