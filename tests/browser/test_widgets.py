"""Widgets: each page has those of the game that is played, and goes on where they are broken."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.running import eventually

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures

PHONE = {"viewport": {"width": 390, "height": 844}}


def own(page: Any) -> set[str]:
    """The files of games that a page has asked for."""
    asked = page.evaluate("() => performance.getEntriesByType('resource').map(e => e.name)")
    return {url.partition("/games/")[2] for url in asked if "/games/" in url}


def test_a_page_asks_for_the_scripts_of_its_game_alone_and_of_the_next_one_after_a_restart(
    start: Start, visit: Open
) -> None:
    running = start("--game", "hexel", "--option", "seats=3", "--option", "hands=held")
    page = visit(running, **PHONE)
    assert own(page) == {"hexel/widgets.js", "hexel/style.css"}
    paper = page.locator('[data-piece="0,0"] .paper')
    page.locator('[data-cell="-1,0"]').click()
    page.locator('[data-action="card BBBBYY"]').click()
    expect(page.locator(".face")).to_have_count(6)
    running.end()
    start("--game", "hextraction", "--port", running.port)
    expect(page.locator(".slot")).to_have_count(22)
    expect(page.locator(".face")).to_have_count(0)
    expect(paper).to_have_count(0)
    assert "hextraction/board.js" in own(page)
    assert not [file for file in own(page) if file.startswith("knee-deep")]
    expect(page.locator("#own-style")).to_have_count(1)
    style = page.locator("#own-style").get_attribute("href")
    assert style == f"{running.origin}/games/hextraction/style.css"
    page.locator("[data-tile]").first.click()
    expect(page.locator(".slot.open")).not_to_have_count(0)


def test_with_a_game_that_brings_nothing_a_page_asks_for_nothing(start: Start, visit: Open) -> None:
    assert own(visit(start("--game", "hexalma"))) == set()


BROKEN = {
    "syntax": ("widgets.js", "export const widgets = {", "Unexpected end of input"),
    "raises": ("widgets.js", "throw new Error('no paper')", "no paper"),
    "nothing": ("widgets.js", "export const other = {}", "exports no widgets"),
    "unknown": ("widgets.js", "export const widgets = { Bord: 1 }", "there is no widget Bord"),
    "drawn": (
        "widgets.js",
        "export const widgets = { layers: [() => { throw new Error('no ink'); }] }",
        "no ink",
    ),
    "missing": ("widgets.js", "", "Failed to fetch"),
    "no style": ("style.css", "", "there is no /games/hexel/style.css"),
}
"""A game's file, what it is in place of what it should be ("": it is not there), what is said."""


def instead(text: str) -> Callable[[Any], None]:
    """Answers with this script; without any, that there is none."""
    kind = "text/javascript"
    return lambda route: route.fulfill(status=200 if text else 404, body=text, content_type=kind)


def test_where_a_games_script_is_missing_or_broken_the_page_says_so_and_goes_on(
    start: Start, chromium: Any
) -> None:
    running = start("--game", "hexel", "--option", "seats=3", "--option", "hands=held")
    for file, text, why in BROKEN.values():
        context = chromium.new_context(**PHONE)
        page = context.new_page()
        page.route(f"**/games/hexel/{file}", instead(text))
        page.goto(running.url)
        told = page.locator(".banner.notice")
        expect(told).to_contain_text("The page shows hexel without what the game brings for it")
        expect(told).to_contain_text(why)
        expect(page.locator(".ruling")).to_contain_text("Player 1")
        page.locator('[data-cell="-1,0"]').click()  # the common widgets do what they do
        expect(page.locator('[data-action^="place -1,0"]')).not_to_have_count(0)
        eventually(lambda page=page: page.locator(".picked").count() == 1)  # type: ignore[misc]
        page.keyboard.press("Escape")
        expect(page.locator(".picked")).to_have_count(0)
        context.close()


def test_a_file_that_did_not_come_is_asked_for_again_in_the_next_match(
    start: Start, chromium: Any
) -> None:
    running = start("--game", "hextraction")
    context = chromium.new_context(**PHONE)
    page = context.new_page()
    page.route("**/games/hextraction/tray.js", lambda route: route.abort())
    page.goto(running.url)
    expect(page.locator(".banner.notice")).to_contain_text("The page shows hextraction without")
    expect(page.locator(".ruling")).to_contain_text("Red")
    expect(page.get_by_role("button", name="Reload")).to_be_visible()
    page.unroute("**/games/hextraction/tray.js")
    with running.page() as wire:
        wire.send("new", match=wire.state["match"])
    expect(page.locator("[data-tile]")).not_to_have_count(0)
    expect(page.locator(".banner.notice")).to_have_count(0)
    context.close()


@pytest.mark.parametrize("how", ["abort", "never"])
def test_a_page_of_which_a_file_does_not_come_says_so_and_is_loaded_again(
    start: Start, chromium: Any, how: str
) -> None:
    running = start("--game", "hexalma")
    context = chromium.new_context(**PHONE)
    page = context.new_page()
    page.clock.install()
    once = {"times": 1}  # taken away by hand, one that never comes would come after all
    page.route("**/static/lit.js", lambda route: route.abort() if how == "abort" else None, **once)
    with page.expect_request("**/static/lit.js"):  # else it is what is loaded again that lacks it
        page.goto(running.url, wait_until="commit")
    if how == "never":
        expect(page.locator(".boot")).to_contain_text("Reading the board")
        page.clock.fast_forward(11_000)
    expect(page.locator(".boot")).to_contain_text("Not all of this page has come")
    page.get_by_role("button", name="Reload").click()
    expect(page.locator("svg.board")).to_be_visible()
    page.clock.fast_forward(11_000)
    expect(page.locator(".boot")).to_have_count(0)
    context.close()


def test_where_the_common_widgets_break_too_the_page_says_so(start: Start, chromium: Any) -> None:
    running = start("--game", "hexalma")
    context = chromium.new_context(**PHONE)
    page = context.new_page()
    broken = "export function Near() { throw new Error('no board'); }"
    page.route("**/static/near.js", instead(broken))
    page.goto(running.url)
    told = page.get_by_role("alert")
    expect(told).to_contain_text("This page is stuck")
    page.unroute("**/static/near.js")
    told.get_by_role("button", name="Reload").click()
    expect(page.locator("svg.board")).to_be_visible()
    context.close()


ASKED = """async (choices) => {
  const { html } = await import("/static/html.js");
  const { render } = await import("/static/vendor/preact.mjs");
  const { Question } = await import("/static/panel.js");
  const { widgets } = await import("/games/hextraction/widgets.js");
  const app = { widgets, send() {}, order: { left: [] } };
  const question = { id: 1, text: "How?", of: [], choices };
  const nets = [[1, 3], [4, 6]], tiles = ["DC", "?"].map((id) => ({ id, name: id, nets }));
  const board = { own: { tiles } };
  const there = document.body.appendChild(document.createElement("div"));
  Object.assign(there, { id: "asked", style: "position: fixed; inset: 0; z-index: 99" });
  const props = { question, board, app, state: {}, you: {} };
  render(html`<${Question} ...${props} />`, there);
}"""


def test_how_a_tile_may_lie_is_shown_side_by_side(start: Start, visit: Open) -> None:
    page = visit(start("--game", "hextraction"), **PHONE)
    names = ("lies B2 DC 0", "lies B2 DC 1", "lies B2 ? 0", "void")
    page.evaluate(ASKED, [{"name": name, "text": name} for name in names])
    answers = page.locator("#asked [data-choice]")
    expect(answers).to_have_count(4)
    pictures = [answers.nth(n).locator("svg.picture") for n in range(4)]
    assert [picture.count() for picture in pictures] == [1, 1, 0, 0]
    shown, other = (pictures[n].bounding_box() for n in (0, 1))
    assert shown["y"] == other["y"]
    assert shown["x"] + shown["width"] < other["x"]
    channels = [pictures[n].locator(".channel.floor").first.get_attribute("d") for n in (0, 1)]
    assert channels[0] != channels[1]
    shine = page.locator("#asked .shine").first  # as Hextraction draws it, not as the front door
    expect(shine).to_have_css("stroke-width", "4px")
