"""The overlay: what lies over a stream's picture, made of the public stream alone."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy
import pytest

from tests.browser.test_board_page import TELEVISION, link
from tests.browser.test_curtain import CARDS, drawn_back, say
from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.running import eventually

pytestmark = pytest.mark.browser

AS_OBS = """css => {
  const own = document.createElement("style");
  own.appendChild(document.createTextNode(css));
  document.querySelector("head").appendChild(own);
}"""
"""How OBS adds what is written as Custom CSS: as the page itself would."""

__all__ = ["chromium", "visit"]  # fixtures


def test_an_overlay_shows_turn_clock_ruling_and_scores_and_nothing_else_is_drawn(
    start: Start, visit: Open, home: Path, chromium: Any, tmp_path: Path
) -> None:
    cv2 = pytest.importorskip("cv2")
    running = start("--game", "hexalma", "--clock", "10+5")
    host = visit(running)
    context = chromium.new_context(viewport=TELEVISION)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.goto(link(running, home).replace("/board", "/overlay"))
    expect(page.locator(".seats .active")).to_contain_text("Black")
    expect(page.locator(".clock")).to_have_text(["10:00", "10:00"])
    white = page.locator(".seats li", has_text="White")
    expect(white).to_have_css("border-bottom-color", "rgb(217, 210, 187)")  # as its discs
    for cell in ("a1", "b1"):
        host.locator(f'[data-cell="{cell}"]').click()
    expect(page.locator(".newest")).to_contain_text("Black moves")
    expect(page.locator(".seats .active")).to_contain_text("White")
    eventually(lambda: page.locator(".clock").nth(1).inner_text() in ("9:58", "9:57", "9:56"))
    shot = page.screenshot(omit_background=True, path=tmp_path / "overlay.png")
    alpha = cv2.imdecode(numpy.frombuffer(shot, numpy.uint8), cv2.IMREAD_UNCHANGED)[:, :, 3]
    box = page.locator(".overlay").bounding_box()
    assert alpha[: int(box["y"])].max() == 0
    assert alpha[int(box["y"]) :].max() > 200
    assert box["y"] > 700, "it stays in the picture's lower third"
    with running.page() as wire:
        wire.send("declare", seat=-1, action="resign white")
    expect(page.locator(".prompt")).to_have_text("Black wins.")
    expect(page.locator(".score")).to_have_count(2)
    dynamic = {path for path in asked if not path.startswith(("/static/", "/favicon"))}
    stream = running.origin.replace("http", "ws") + "/api/events"
    assert dynamic == {"/overlay", "/board", stream}
    running.end()
    expect(page.locator(".overlay")).to_have_count(0)
    context.close()


def test_an_overlay_shows_no_hidden_card(
    start: Start, visit: Open, home: Path, chromium: Any
) -> None:
    running = start("--game", "knee-deep", "--option", "starter=gondwana")
    host = visit(running)
    context = chromium.new_context(viewport=TELEVISION)
    page = context.new_page()
    page.goto(link(running, home).replace("/board", "/overlay"))
    expect(page.locator(".prompt")).to_contain_text("Gondwana")
    for seat in (0, 1):
        drawn_back(host, seat)
        say(host, "companions general tech")
    drawn_back(host, 0)
    hand = host.locator(".card.held li")
    expect(hand).to_have_count(3)
    mine = hand.all_inner_texts()
    say(host, "keep")
    expect(page.locator(".prompt")).to_contain_text("Bukseon")
    assert not CARDS.search(page.content())
    assert not [card for card in mine if card.split(" (")[0] in page.content()]
    context.close()


def test_custom_css_of_obs_counts_on_an_overlay_and_on_the_board_page(
    start: Start, home: Path, chromium: Any
) -> None:
    board = link(start("--game", "hexalma"), home)
    context = chromium.new_context(viewport=TELEVISION)
    page = context.new_page()
    for address, part in ((board.replace("/board", "/overlay"), ".overlay"), (board, ".screen")):
        page.goto(address)
        page.locator(part).wait_for()
        page.evaluate(AS_OBS, f"{part} {{ color: rgb(1, 2, 3); }}")
        expect(page.locator(part)).to_have_css("color", "rgb(1, 2, 3)")
    context.close()


def test_an_overlay_in_each_scene_leaves_a_browser_room_for_more(
    start: Start, home: Path, chromium: Any
) -> None:
    """A browser keeps six connections to one address, in which a WebSocket does not count; all
    sources of an OBS share one."""
    overlay = link(start("--game", "hexalma"), home).replace("/board", "/overlay")
    context = chromium.new_context(viewport={"width": 400, "height": 120})
    for _ in range(7):
        page = context.new_page()
        page.goto(overlay)
        expect(page.locator(".seats .active")).to_contain_text("Black")
    context.close()


def test_an_overlay_has_the_seats_colours_of_the_game_and_of_the_next_one(
    start: Start, home: Path, chromium: Any
) -> None:
    running = start("--game", "knee-deep")
    context = chromium.new_context(viewport=TELEVISION)
    page = context.new_page()
    page.goto(link(running, home).replace("/board", "/overlay"))
    first = page.locator(".seats li").first
    expect(first).to_have_css("border-bottom-color", "rgb(255, 138, 31)")  # Gondwana is orange
    with running.page() as wire:
        wire.send("new", game="hexalma", match=wire.state["match"])
    expect(first).to_contain_text("Black")
    expect(first).to_have_css("border-bottom-color", "rgb(106, 95, 134)")
    context.close()


def test_what_is_not_final_yet_is_said_after_a_second_and_as_large_as_the_rest(
    start: Start, home: Path, chromium: Any
) -> None:
    running = start(speed=0.1)
    context = chromium.new_context(viewport=TELEVISION)
    page = context.new_page()
    page.goto(link(running, home).replace("/board", "/overlay"))
    page.locator(".newest, .prompt").first.wait_for()
    with running.page() as wire:
        wire.ready()
        wire.hand("drop", "B1-6")
        pending = page.locator(".pending")
        pending.wait_for(state="attached")
        begins, later = pending.evaluate(
            """it => {
              const moving = it.getAnimations()[0];
              const size = (at) => {
                moving.currentTime = at;
                return getComputedStyle(it).fontSize;
              };
              return [size(0), size(1001)];
            }"""
        )
    assert begins == "0px"
    assert float(later.removesuffix("px")) == pytest.approx(0.85 * 0.02 * 1920, abs=0.1)
    context.close()
