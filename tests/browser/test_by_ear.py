"""The page for who does not see it, or has only a keyboard."""

from typing import Any

import pytest

from tests.browser.test_page import Open, Start, chromium, expect, visit

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures


def press(it: Any) -> None:
    """As who has a keyboard alone."""
    it.focus()
    it.press("Enter")


def heard(page: Any, text: str) -> None:
    expect(page.locator("[data-heard]")).to_contain_text(text)


def test_the_keyboard_stays_with_what_comes_in_place_of_what_it_pressed(
    start: Start, visit: Open
) -> None:
    page = visit(start("--game", "hexalma"), viewport={"width": 640, "height": 400})
    pause, wrong = page.locator("[data-ruling=pause]"), page.locator("[data-form=wrong]")
    press(pause)
    expect(page.locator(".card.pause")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # Go on
    expect(pause).to_be_focused()
    press(wrong)
    expect(page.locator(".card.wrong")).to_be_focused()
    press(page.locator(".card.wrong").get_by_role("button", name="Close"))
    expect(wrong).to_be_focused()
    cell = page.locator('[data-cell="a1"]')
    press(cell)
    heard(page, "Touched: a1. Now one of the ringed cells.")
    expect(cell).to_have_attribute("aria-label", "a1: Black disc, picked up")
    press(page.locator('[data-cell="b1"]'))
    heard(page, "Black moves a1 onto b1")
    press(page.get_by_role("button", name="The board a move before"))
    expect(page.get_by_role("button", name="The board a move later")).to_be_focused()
    page.keyboard.press(".")
    press(wrong)
    press(page.locator('[data-brush=""]'))
    press(cell := page.locator('[data-cell="i1"]'))
    heard(page, "i1: empty. 1 cell changed, not set yet.")
    press(page.locator("[data-brush=move]"))
    press(page.locator('[data-cell="h1"]'))
    heard(page, "h1 is picked up")
    press(page.locator(".card.wrong [data-ruling=undo]"))
    expect(page.locator(".card.todo, [data-form=wrong]").first).to_be_focused()
