"""The page for who does not see it, or has only a keyboard."""

from typing import Any

import pytest

from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.running import eventually

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
    expect(page.locator(".card.todo")).to_be_visible()
    expect(wrong).to_be_focused()


SWITCHES = """() => [...document.querySelectorAll(".device .switch i")].map((track) => {
  const [own, knob] = [getComputedStyle(track), getComputedStyle(track, "::after")];
  return [track.clientWidth, knob.translate, knob.backgroundColor !== own.backgroundColor];
})"""


def test_switches_tell_on_from_off_on_a_small_phone_and_in_forced_colours(
    start: Start, visit: Open
) -> None:
    size = {"width": 320, "height": 568}
    page = visit(start("--game", "hexalma"), viewport=size, locale="de", forced_colors="active")
    page.get_by_role("button", name="Plätze").click()
    switches = page.locator(".device .switch")
    assert switches.count() > 2
    switches.first.click()
    expect(switches.first).to_have_attribute("aria-checked", "true")
    eventually(lambda: page.evaluate(SWITCHES)[0][1] == "16px")
    tracks = page.evaluate(SWITCHES)
    assert {wide for wide, _, _ in tracks} == {38}  # the knob goes 16 px, in 38
    assert tracks[1][1] == "none"
    assert all(seen for _, _, seen in tracks)
    look = "it => getComputedStyle(it).backgroundColor"
    on, off = (switches.nth(n).locator("i").evaluate(look) for n in (0, 1))
    assert on != off
    page.keyboard.press("Escape")
    tool = page.get_by_role("button", name="Hell")
    before = tool.evaluate(look)
    tool.click()
    page.mouse.move(0, 400)
    assert tool.evaluate(look) != before
    dot = 'getComputedStyle(document.querySelector(".seat"), "::before").backgroundColor'
    assert page.evaluate(dot) == "rgb(106, 95, 134)"  # a seat's own colour
