"""The clock and the pause on the pages of who plays."""

import importlib
import re

import pytest

from tests.browser.test_curtain import say
from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.running import eventually, hexboard

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures


def test_on_a_phone_a_pause_is_ended_before_hands_do_what_is_left(
    start: Start, visit: Open
) -> None:
    page = visit(start("--game", "hexalma"), viewport={"width": 360, "height": 740})
    say(page, "b3-c3")
    expect(page.locator(".ruling .seat.active")).to_contain_text("White")
    page.locator('[data-ruling="undo"]').click()
    expect(page.locator(".card.todo")).to_be_visible()
    page.locator('[data-ruling="pause"]').click()
    on = page.get_by_role("button", name="Go on")
    expect(on).to_be_visible()
    expect(page.locator(".card.todo")).to_be_hidden()
    on.click()
    expect(page.locator(".card.todo")).to_be_visible()


def test_a_clock_runs_for_whose_turn_it_is_and_a_pause_stops_it_on_every_page(
    start: Start, visit: Open
) -> None:
    running = start("--game", "hexalma", "--clock", "10+5")
    page = visit(running, viewport={"width": 360, "height": 740}, color_scheme="light")
    other = visit(running, locale="de")
    times = page.locator(".ruling .clock")
    expect(times).to_have_text(["10:00", "10:00"])
    for cell in ("a1", "b1"):
        page.locator(f'[data-cell="{cell}"]').click()
    expect(page.locator(".clock.runs")).to_have_count(1)
    eventually(lambda: times.nth(1).inner_text() in ("9:58", "9:57", "9:56"))
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".card.pause")).to_contain_text("no move is taken")
    expect(page.locator(".clock.runs")).to_have_count(0)
    expect(page.locator(".hex.open")).to_have_count(0)
    expect(other.locator(".ruling .prompt")).to_have_text("Das Spiel hat Pause")
    axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    assert axe.run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    other.get_by_role("button", name="Fortsetzen").click()
    expect(page.locator(".card.pause")).to_have_count(0)
    for cell in ("i1", "h1"):
        page.locator(f'[data-cell="{cell}"]').click()
    expect(page.locator(".newest")).to_contain_text("White moves")
    expect(page.locator(".clock.runs")).to_have_count(1)
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="What is agreed").click()
    expect(page.locator(".agreed")).to_contain_text(re.compile(r"clock\s*10\+5"))
    running.end()
    last = running.recordings()[-1]
    assert "the same rulings" in hexboard("replay", last).stdout
    assert "Pause (" in hexboard("log", last).stdout
