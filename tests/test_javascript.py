"""The page's logic in JavaScript: unit tests run by the Node that comes with Playwright. `make lint` lints it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent / "js"


def test_the_page_s_logic() -> None:
    playwright = pytest.importorskip("playwright")
    node = Path(playwright.__file__).parent / "driver" / ("node.exe" if sys.platform == "win32" else "node")
    files = sorted(map(str, TESTS.glob("*.test.mjs")))
    done = subprocess.run(
        [str(node), "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test", "--test-reporter=spec", *files],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "TZ": "UTC"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ℹ tests 0" not in done.stdout and "ℹ fail 0" in done.stdout, done.stdout
