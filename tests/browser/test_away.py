"""Phones that sleep, and seats far away."""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.dozing import Line
from tests.browser.test_curtain import say
from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.browser.test_seats import Evening, evening, invited, phone
from tests.running import eventually

pytestmark = pytest.mark.browser

__all__ = ["chromium", "evening", "phone", "visit"]  # fixtures

SEEN = """state => {
  Object.defineProperty(document, "visibilityState", { get: () => state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
LATER = "ms => { const now = Date.now; Date.now = () => now() + ms; }"
"""A phone that sleeps runs no script, and its clock goes on."""


def asleep(page: Any, line: Line) -> None:
    """The screen goes dark, and the line with it."""
    page.evaluate(SEEN, "hidden")
    line.doze()


def awake(page: Any, later_ms: int = 60_000) -> float:
    """The screen goes on after a minute; the monotonic time, s."""
    page.evaluate(LATER, later_ms)
    page.evaluate(SEEN, "visible")
    return time.monotonic()


@contextlib.contextmanager
def seated(running: Any, host: Any, chromium: Any) -> Iterator[tuple[Any, Line]]:
    """Ann's phone, at White's seat, and its line."""
    line = Line(running.port)
    context = chromium.new_context(has_touch=True)
    try:
        ann = context.new_page()
        ann.goto(f"http://127.0.0.1:{line.port}/join")
        ann.get_by_label("The six figures").fill(invited(host, 1))
        ann.get_by_role("button", name="Sit down").click()
        expect(ann.locator(".chip", has_text="You are White")).to_be_visible()
        host.keyboard.press("Escape")
        yield ann, line
    finally:
        context.close()
        line.close()


@pytest.mark.parametrize("later_ms", [60_000, -86_400_000], ids=["later", "clock put back"])
def test_a_phone_that_slept_is_back_at_once_with_its_seat_and_what_happened_meanwhile(
    start: Start, visit: Open, chromium: Any, later_ms: int
) -> None:
    running = start("--game", "hexalma", "--lan")
    host = visit(running)
    with seated(running, host, chromium) as (ann, line):
        asleep(ann, line)
        say(host, "b3-c3")
        expect(host.locator(".ruling .seat.active")).to_contain_text("White")
        expect(ann.locator(".ruling .seat.active")).to_contain_text("Black")
        woken = awake(ann, later_ms)
        expect(ann.locator(".ruling .seat.active")).to_contain_text("White")
        print(f"back after {time.monotonic() - woken:.2f} s")
        expect(ann.locator(".chip", has_text="You are White")).to_be_visible()
        say(ann, "h1-g2")
        expect(host.locator(".ruling .seat.active")).to_contain_text("Black")


def test_a_wire_that_dies_in_sight_is_noticed_and_another_comes(
    start: Start, visit: Open, chromium: Any
) -> None:
    """A cable, a switch, a Wi-Fi that is out of reach: no browser tells scripts of that."""
    running = start("--game", "hexalma", "--lan")
    host = visit(running)
    with seated(running, host, chromium) as (ann, line):
        line.doze()
        say(host, "b3-c3")
        expect(ann.locator(".ruling .seat.active")).to_contain_text("White", timeout=40_000)


def test_who_is_somewhere_else_moves_through_the_hands_of_those_at_the_board(
    start: Start, visit: Open, chromium: Any
) -> None:
    running = start("--game", "hexalma", "--lan")
    host = visit(running)
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    ann = context.new_page()
    ann.goto(f"{running.origin}/join")
    ann.get_by_label("The six figures").fill(invited(host, 0))
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_text("Green", exact=True).click()  # by its name, which is seen
    expect(ann.get_by_label("Green")).to_be_checked()
    ann.get_by_label("I am somewhere else").check()
    ann.get_by_role("button", name="Sit down").click()
    expect(ann.locator(".chip", has_text="You are Black")).to_be_visible()
    expect(host.locator(".people")).to_contain_text("Ann, somewhere else")
    host.keyboard.press("Escape")
    say(ann, "b3-c3")
    todo = ".card.todo"
    expect(host.locator(todo)).to_contain_text("b3")
    expect(host.locator(".log .pending").first).to_be_visible()
    ann.get_by_role("button", name="The board is right").click()
    expect(ann.locator(".refused")).to_contain_text("You are not at the board")
    ann.keyboard.press("w")
    expect(ann.locator('[data-ruling="undo"]')).to_be_visible()
    expect(ann.locator('[data-ruling="play on"], [data-ruling="right"]')).to_have_count(0)
    ann.keyboard.press("Escape")
    host.get_by_role("button", name="The board is right").click()
    expect(host.locator(todo)).to_have_count(0)
    expect(host.locator(".log .pending")).to_have_count(0)
    context.close()


def test_what_a_device_does_for_its_owner_is_switched_on_by_them(evening: Evening) -> None:
    _, host, (ann,) = evening({1: ("Ann", "White")}, "--game", "hexalma")
    ann.evaluate("() => { window.buzzed = 0; navigator.vibrate = () => ++window.buzzed; }")
    say(host, "b3-c3")
    expect(ann.locator(".ruling .seat.active")).to_contain_text("White")
    assert ann.evaluate("() => window.buzzed") == 0  # nobody has asked for it
    ann.get_by_role("button", name="Seats").click()
    for what in ("buzz", "sound", "awake"):
        ann.locator(f'[data-device="{what}"]').click()
    ann.keyboard.press("Escape")
    say(ann, "h1-g2")
    expect(host.locator(".ruling .seat.active")).to_contain_text("Black")
    assert ann.evaluate("() => window.buzzed") == 0  # her own turn is over
    say(host, "b4-c4")
    expect(ann.locator(".ruling .seat.active")).to_contain_text("White")
    assert ann.evaluate("() => window.buzzed") == 1


def test_what_differs_makes_the_states_that_are_sent_whole(start: Start, visit: Open) -> None:
    """Beside it a program that is sent whole states. One that missed a state asks for all of it."""
    running = start("--game", "hexalma")
    page = visit(running)
    page.evaluate("""async () => {
        const { Live } = await import("/static/live.js");
        window.wires = 0;
        const hear = (message) => message.type === "state" && (window.seen = message);
        window.mine = new Live(hear, (link) => (window.wires += link === "up"));
    }""")

    with running.page() as plain:

        def alike() -> bool:
            with contextlib.suppress(TimeoutError):
                plain.listen(0.05)
            seen = page.evaluate("window.seen") or {}
            return {**seen, "heard": 0} == {**plain.state, "heard": 0}

        for move in ("b3-c3", "h1-g2", "b1-c1"):
            say(page, move)
            plain.until(moved(move))
            eventually(alike)
        assert page.evaluate("window.wires") == 1
        page.evaluate("window.mine.state = { rev: -1 }")
        say(page, "g2-f3")
        plain.until(moved("g2-f3"))
        eventually(alike)
        assert page.evaluate("window.wires") == 2


def moved(move: str) -> Callable[[dict[str, Any]], bool]:
    return lambda state: state["position"].endswith(move)
