"""What every test shares: records of its own, and time enough for the compiler inside Hypothesis."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from boardwright.contract import position

# The first example of a property may have to compile a kernel, and so may drawing it. `make test-all` asks for the
# thorough profile.
patient = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", patient, max_examples=25)
settings.register_profile("thorough", patient, max_examples=250)
settings.load_profile("quick")

# Tests of rules are tests of compiled rules, also where they ask little.
position.SOON_COMPILED = 0


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test, and no process that it starts, touches the user's records. Kernels stay in the shared cache."""
    monkeypatch.setenv("BOARDWRIGHT_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "120")
