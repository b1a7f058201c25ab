"""The browser that pages are measured and tested in: the system's Chromium, driven by Playwright. Debian's shell
without a window is the same engine, for less of the processor."""

from __future__ import annotations

import shutil

from boardwright.contract.errors import InputError

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """Where the system's Chromium is."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        raise InputError("pages are measured and tested in Chromium: install the package chromium")
    return found
