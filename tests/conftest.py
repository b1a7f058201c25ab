"""What every test shares: records of its own, and time enough for the compiler inside Hypothesis."""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from boardwright.contract import position
from boardwright.contract.folders import cache_folder

# The first example of a property may have to compile a kernel, and so may drawing it. `make test-all` asks for the
# thorough profile.
patient = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", patient, max_examples=25)
settings.register_profile("thorough", patient, max_examples=250)
settings.load_profile("quick")

# What JAX compiles is kept beside the kernels, for the other workers, for processes that tests start, and for the next
# run: of the networks' tests that is three quarters. JAX reads this where it is imported, which is later.
for name, value in (
    ("JAX_COMPILATION_CACHE_DIR", str(cache_folder() / "jax")),
    ("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0"),
    ("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1"),
):
    os.environ.setdefault(name, value)

# Tests of rules are tests of compiled rules, also where they ask little.
position.SOON_COMPILED = 0


# Modules and tests stay to the end: the garbage collector need not go over them again and again.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One folder after another. Asked for a folder a test, pytest looks through all that it has made before."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """No test, and no process that it starts, touches the user's records. Kernels stay in the shared cache."""
    home = next(homes)
    home.mkdir()
    monkeypatch.setenv("BOARDWRIGHT_HOME", str(home))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "120")
