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
    assert dynamic == {"/overlay", "/api/events"}
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
