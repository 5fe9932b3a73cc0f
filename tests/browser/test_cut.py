"""Answers that come late, or not whole: a page asks again, and no oftener than it has to."""

import json
from functools import partial
from typing import Any

import pytest

from tests.browser.test_page import Start, chromium, expect, visit
from tests.running import PATIENCE, Page
from tests.shell.test_phones import invited
from tests.web.test_server import TOKEN, Site

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures


def opened(chromium: Any) -> Any:
    page = chromium.new_context().new_page()
    page.set_default_timeout(1000 * PATIENCE)
    return page


def first_fails(page: Any, path: str, how: dict[str, Any] | None) -> list[str]:
    """The first answer there comes so, or not at all; what was asked."""
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        if len(asked) > 1:
            route.continue_()
        elif how is None:
            route.abort()
        else:
            route.fulfill(**how)

    page.route(f"**{path}", answer)
    return asked


CUT = {"status": 200, "body": '{"game": "HexAl', "content_type": "application/json"}


@pytest.mark.parametrize("how", [CUT, None], ids=["cut", "lost"])
def test_a_page_whose_first_answer_does_not_come_whole_asks_again(
    start: Start, chromium: Any, how: dict[str, Any] | None
) -> None:
    """It stood at "Reading the board…" for ever."""
    running, page = start("--game", "hexalma"), opened(chromium)
    try:
        asked = first_fails(page, "/board", how)
        page.goto(running.url)
        expect(page.locator("svg.board")).to_be_visible()
        assert len(asked) > 1
    finally:
        page.context.close()


@pytest.mark.parametrize("how", [{**CUT, "body": '{"games": ['}, None], ids=["cut", "lost"])
def test_the_front_door_asks_again_for_the_games(
    start: Start, chromium: Any, how: dict[str, Any] | None
) -> None:
    running, page = start(front=True), opened(chromium)
    try:
        first_fails(page, "/front", how)
        page.goto(running.url)
        expect(page.locator(".game")).to_have_count(7)
    finally:
        page.context.close()


def lit(host: Page, *brightnesses: int) -> None:
    """Something that pages show changes so often."""
    for brightness in brightnesses:
        host.send("lights", brightness=brightness, calm=False)
        host.until(partial(_is_lit, brightness))


def _is_lit(brightness: int, state: dict[str, Any]) -> bool:
    return bool(state["lights"]["brightness"] == brightness)


def test_over_a_slow_line_a_page_asks_once_what_another_games_board_is_like(
    start: Start, visit: Any
) -> None:
    """It asked anew with each state that came meanwhile."""
    running = start("--game", "hexalma")
    page = visit(running)
    waiting: list[Any] = []
    seen: list[Any] = []
    page.route("**/board", lambda route: waiting.append(route))
    page.on("websocket", lambda wire: wire.on("framereceived", lambda _: seen.append(wire)))
    page.reload()
    while not waiting:
        page.wait_for_timeout(20)
    waiting.pop().continue_()
    expect(page.locator("svg.board")).to_be_visible()
    with running.page() as host:
        match = host.state["match"]
        host.send("new", game="hexel", match=match)
        host.until(lambda s: s["match"] != match)
        lit(host, 30, 40, 50, 60, 70)
        while not waiting:
            page.wait_for_timeout(20)
        many = len(seen)
        lit(host, 35, 45, 55, 65, 75)
        while len(seen) < many + 3:
            page.wait_for_timeout(20)
        assert len(waiting) == 1
        waiting.pop().continue_()
        while not waiting:
            page.wait_for_timeout(20)
        waiting.pop().continue_()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Hex'el")
        assert not waiting


def test_two_taps_on_sit_down_take_the_seat_once(start: Start, chromium: Any) -> None:
    """The second was told that the invitation is no good, just as the first was let in."""
    running, page = start("--game", "hexalma"), opened(chromium)
    posted: list[Any] = []

    def answer(route: Any) -> None:
        if route.request.method == "POST":
            posted.append(route)
        else:
            route.continue_()

    try:
        with running.page() as host:
            figures = invited(host, 0)["figures"]
        page.goto(f"{running.origin}/join")
        page.get_by_label("The six figures").fill(figures)
        page.route("**/join", answer)
        page.get_by_role("button", name="Sit down").dblclick()
        while not posted:
            page.wait_for_timeout(20)
        page.wait_for_timeout(100)
        assert len(posted) == 1
        posted[0].continue_()
        expect(page.locator(".chip", has_text="You are Black")).to_be_visible()
    finally:
        page.context.close()


def test_a_page_says_in_which_match_it_means_a_move(start: Start, visit: Any) -> None:
    sent: list[dict[str, Any]] = []
    running = start("--game", "hexalma")
    page = visit(running)
    page.on("websocket", lambda wire: wire.on("framesent", lambda it: sent.append(json.loads(it))))
    page.reload()
    expect(page.locator("svg.board")).to_be_visible()
    with running.page() as host:
        match = host.state["match"]
        page.locator('[data-cell="a1"]').dispatch_event("click")
        page.locator('[data-cell="b1"]').dispatch_event("click")
        host.until(lambda s: s["line"]["n"] == 1)
    said = [it for it in sent if it["type"] == "declare" or it.get("cells")]
    assert {it["match"] for it in said} == {match}
    assert said[-1]["type"] == "declare"


def test_the_page_of_an_evening_that_is_still_made_appears_by_itself(chromium: Any) -> None:
    """Though a page of a recording may do nothing on this site."""
    site, page = Site(), opened(chromium)
    answers = iter([b"", b"<!doctype html><main>The evening</main>"])
    site.server.again = lambda _: next(answers)
    try:
        page.goto(f"{site.origin}/?token={TOKEN}")
        page.goto(f"{site.origin}/again/evening")
        expect(page.locator("main")).to_contain_text("is being made")
        expect(page.locator("main")).to_have_text("The evening")
    finally:
        page.context.close()
        site.server.close()
