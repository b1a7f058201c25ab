"""Analysis on the page for real work: beyond its memory, candidates that were looked at, lines through chance, and
lessons that say what it says."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from boardwright.arena.verdict import FEW_VISITS
from boardwright.serve.jobs import SEEN
from boardwright.serve.limits import Limits
from tests.serving import Served, final, send, served
from tests.test_page import Watched, browser, cell, finished, press, watched, window

__all__ = ["browser", "watched", "window"]  # fixtures

PIG = str(Path(__file__).parents[1] / "docs" / "examples" / "pig.py")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("games"), Limits(threads=1, megabytes=1.0), (PIG,)) as running:
        yield running


def look_long(page: Page) -> None:
    """An analysis that ends when it is told to."""
    press(page, "a")
    page.get_by_label("How long to look").select_option("10 min")


def test_an_analysis_goes_on_beyond_its_memory_and_has_looked_at_the_first_five(watched: Watched) -> None:
    page = watched.open(watched.server.begin("gomoku", size=9))
    look_long(page)
    looks = page.locator(".ahead .hint")
    expect(looks).to_contain_text(re.compile(r"\d{2,},\d{3} looks"))  # of 81 moves each: more than the memory holds
    visits = [
        int(text.replace(",", "")) for text in page.locator(".candidates tbody td:nth-child(5)").all_inner_texts()
    ]
    assert len(visits) >= SEEN and min(visits[:SEEN]) >= FEW_VISITS
    page.locator(".analysis").get_by_role("button", name="Stop").click()
    expect(looks).to_contain_text("kept to 1 megabytes")
    expect(looks).not_to_contain_text("stopped at")


def test_a_line_through_chance_shows_one_of_the_likely_draws_each_time(watched: Watched) -> None:
    page = watched.open(watched.server.begin("Pig"))
    look_long(page)
    draws = page.locator(".analysis i.chance")
    expect(draws.nth(2)).to_be_attached()
    page.locator(".analysis").get_by_role("button", name="Stop").click()
    expect(page.locator(".ahead").get_by_role("button", name="Look again")).to_be_visible()
    faces = draws.all_inner_texts()
    assert not any(a == b == c for a, b, c in zip(faces, faces[1:], faces[2:], strict=False)), faces
    assert all(before != after for before, after in itertools.pairwise(faces[:3]))
    expect(draws.first).to_have_attribute("title", re.compile("one of the likely draws"))


def test_the_same_move_is_one_row_and_its_images_are_on_the_board(watched: Watched) -> None:
    page = watched.open(watched.server.play(watched.server.begin("gomoku", size=9), "e5"))
    press(page, "a")
    expect(page.locator(".candidates tbody tr:nth-child(2).alike")).to_have_text(re.compile("^also [a-j]"))
    page.locator(".analysis").get_by_role("button", name="Stop").click()
    expect(page.locator(".ahead").get_by_role("button", name="Look again")).to_be_visible()
    expect(page.locator(".candidates tr:nth-child(3) td.loss small")).to_have_text(re.compile(r"± <?[0-9.]+"))
    named = [re.findall(r"[a-j]\d", text) for text in page.locator(".candidates td:nth-child(2)").all_inner_texts()]
    assert len({move for moves in named for move in moves}) == sum(map(len, named))
    assert page.locator(".marks .mark").count() == sum(map(len, named[:16])), "the top 8, each with its images"


def test_a_report_that_stopped_being_refined_is_taken_up_when_it_is_opened(watched: Watched) -> None:
    page = watched.open(finished(watched.server, "h8 h7 h9 g7 a15 o15 h10 f7 h11 a1 h12"))
    press(page, "j")
    enough = page.locator(".judged").get_by_role("button", name="Enough")
    enough.click()
    expect(page.locator(".judged").get_by_role("button", name="Judge again")).to_be_visible()
    page.reload()
    page.wait_for_selector(".board svg")
    press(page, "a")
    page.wait_for_selector(".judged .graph")
    expect(enough).to_be_visible()
    expect(page.locator(".judged")).to_contain_text("being refined")
    expect(page.locator(".judged .graph")).to_be_visible()


def test_a_lesson_takes_for_best_what_the_analysis_does(watched: Watched) -> None:
    """White has left a four open that one stone stops."""
    table = finished(watched.server, "h8 h7 h9 g7 a15 o15 h10 f7 h11 a1 h12")
    with watched.server.socket() as line:
        send(line, "q", "analyse", table=table["id"], ply=9, simulations=2000, seconds=600)
        answer = final(line, "q")
    assert answer["best"] == "h12"
    page = watched.open(table)
    press(page, "j")
    page.wait_for_selector(".judged .graph")
    page.get_by_role("button", name="Learn from").click()
    lesson = page.locator(".lesson")
    for number in itertools.count(1):
        expect(lesson.locator("h2")).to_have_text(re.compile(f"^Mistake {number} of"))
        if "You played a1 " in lesson.inner_text():
            break
        lesson.get_by_role("button", name="Next").click()
    expect(page.locator(".game")).to_have_attribute("data-at", "9")
    cell(page, answer["best"]).click()
    expect(lesson).to_contain_text("h12 is best. Well found.")
