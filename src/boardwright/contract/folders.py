"""Where Boardwright keeps its own files: compiled kernels, and the library of played games."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """Compiled kernels. `BOARDWRIGHT_CACHE` moves it; deleting it only costs time."""
    return Path(os.environ.get("BOARDWRIGHT_CACHE") or platformdirs.user_cache_dir("boardwright", appauthor=False))


def home_folder() -> Path:
    """Records and what else a user would miss. `BOARDWRIGHT_HOME` moves it."""
    return Path(os.environ.get("BOARDWRIGHT_HOME") or platformdirs.user_data_dir("boardwright", appauthor=False))


def expanded(path: str | Path) -> Path:
    """`~` and `~name` as a shell reads them; where nobody has that name, the path as it is: a file may be called so."""
    try:
        return Path(path).expanduser()
    except (RuntimeError, ValueError):
        return Path(path)
