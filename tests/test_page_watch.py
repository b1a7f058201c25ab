"""Watch: what a training is told to do next."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from boardwright.contract.folders import home_folder
from tests.serving import Served, served
from tests.test_page import Watched, browser, check_access, watched, window
from tests.test_serve_watch import training

__all__ = ["browser", "watched", "window"]  # fixtures

COMMAND = "boardwright train mygame.py:Mine --minutes 30 --set channels=32 --out runs/mine"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("games")) as running:
        yield running


@pytest.mark.parametrize("stopped", [True, False])
def test_a_stopped_training_names_the_whole_command_that_goes_on(watched: Watched, stopped: bool) -> None:
    folder: Path = home_folder() / "runs" / "mine"
    with training(folder, "tictactoe", "kernel") as run:
        run.keep_command(COMMAND)
        run.log(1, {"loss": 1.0})
    if stopped:
        for file in (folder, *folder.iterdir()):
            os.utime(file, (1.0, 1.0))
    page = watched.page
    page.goto(f"{watched.server.address}/#/watch")
    next_ = page.locator(".next")
    expect(next_).to_contain_text("It has stopped" if stopped else "It goes on")
    expect(next_.locator(".command")).to_have_text([COMMAND] if stopped else [])
    check_access(page, "watch")
