"""The board page: a television at the table shows what everybody may know, and lets people in."""

import json
import re
from contextlib import ExitStack
from pathlib import Path
from socket import create_connection
from typing import Any
from urllib.parse import urlsplit

import numpy
import pytest

from hexboard.web.pages import SCREENS
from tests import codes
from tests.browser.test_curtain import CARDS, say
from tests.browser.test_page import Open, Start, chromium, expect, visit
from tests.browser.test_seats import Phone, invited, phone
from tests.running import Running, hexboard

pytestmark = pytest.mark.browser

__all__ = ["chromium", "phone", "visit"]  # fixtures

TELEVISION = {"width": 1920, "height": 1080}


STANDING = {"width": 768, "height": 1024}

OVERLAPS = """() => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const [board, ...others] = [".stage svg", ".beside", ".welcome"].map(box);
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  return others.filter((other) => meet(board, other)).length;
}"""
"""How many of what stands beside the board on a board page it lies over."""


WALLS = [(1280, 720), (1920, 1080), (1024, 768), (768, 1024)]

WRITTEN = """() => {
  const all = new DOMRect(0, 0, innerWidth, innerHeight);
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const [beside, lately, welcome] = [".beside", ".lately", ".welcome"].map(box);
  const inside = (one, other) => one.left >= other.left - 1 && one.right <= other.right + 1 &&
    one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
  const meet = (one, other) => one.left < other.right && one.right > other.left &&
    one.top < other.bottom && one.bottom > other.top;
  const shown = [...document.querySelectorAll(".screen :is(h1, .seats li, .prompt, .lately li)")]
    .filter((it) => it.getBoundingClientRect().left < lately.right);
  const cut = (it) => {
    const range = document.createRange();
    range.selectNodeContents(it);
    return [...range.getClientRects()]
      .some((row) => !inside(row, all) || !inside(row, beside) || meet(row, welcome));
  };
  const lines = shown.filter((it) => it.closest(".lately"));
  return [shown.filter(cut).map((it) => it.textContent), lines.length];
}"""
"""What of the words beside the board is cut off or lies under the code, and how many lines of the
log are in sight."""


HASH = re.compile("[0-9a-f]{64}")


def dealt(state: dict[str, Any]) -> bool:
    """It is somebody's turn, and the dealer's no more."""
    return bool(state["active"] >= 0)


def hashed_last(state: dict[str, Any]) -> bool:
    """The hash is on a television yet."""
    return any(HASH.search(line["text"]) for line in state["log"][:4])


def hashed(running: Running) -> None:
    """Begins games until a line of cards cannot be laid, and is to be drawn again by a long
    sentence, with the hash that commits to the cards still among what was ruled last."""
    with running.page() as wire:
        wire.until(lambda state: any(each["up"] for each in state["links"]) and dealt(state))
        while not hashed_last(wire.state) or "shuffle them back" not in wire.state["prompt"]:
            match = wire.state["match"]
            wire.send("new", match=match)
            wire.until(lambda state: state["match"] != match and dealt(state))  # noqa: B023


def link(running: Running, home: Path) -> str:
    """The board page's, as `hexboard link` shows it, on this computer's own address."""
    told = hexboard("--home", home, "link", "--state", running.folder, "--json").stdout
    shown = urlsplit(json.loads(told)["board"])
    assert (shown.path, running.token in shown.query) == ("/board", False)
    return f"{running.origin}{shown.path}?{shown.query}"


def test_a_television_shows_no_card_has_no_control_and_seats_who_points_a_phone_at_it(
    start: Start, visit: Open, phone: Phone, home: Path, chromium: Any
) -> None:
    cv2 = pytest.importorskip("cv2")
    running = start("--game", "knee-deep", "--option", "starter=gondwana", "--lan")
    host = visit(running)
    context = chromium.new_context(viewport=TELEVISION)
    screen = context.new_page()
    screen.goto(link(running, home))
    expect(screen.locator(".prompt")).to_contain_text("Gondwana")
    expect(screen.locator("button, input, select, textarea, a[href]")).to_have_count(0)
    expect(screen.locator(".welcome img")).to_be_visible()
    for size in (TELEVISION, STANDING):
        screen.set_viewport_size(size)
        assert screen.evaluate(OVERLAPS) == 0, size
    screen.set_viewport_size(TELEVISION)
    shot = cv2.imdecode(numpy.frombuffer(screen.screenshot(), numpy.uint8), cv2.IMREAD_COLOR)
    code = codes.read(cv2, shot)
    ann = phone(running, secret=code.partition("#")[2], name="Ann")
    expect(ann.locator(".chip", has_text="You are watching")).to_be_visible()
    expect(screen.locator(".welcome img")).not_to_have_attribute("src", code)
    host.get_by_role("button", name="Seats").click()
    watching = host.locator(".watching li", has_text="Ann")
    watching.locator("summary").click()
    watching.locator('[data-give="0"]').click()
    expect(ann.locator(".chip", has_text="You are Gondwana")).to_be_visible()
    expect(screen.locator(".seats li", has_text="Gondwana")).to_contain_text("Ann")
    ben = phone(running, figures=invited(host, 1), name="Ben")
    for page in (ann, ben):
        expect(page.locator("summary", has_text="type a move")).to_be_visible()
        say(page, "companions general tech")
    expect(ann.locator(".card.held li")).to_have_count(3)
    expect(screen.locator(".lately")).to_contain_text("Ben")
    assert not CARDS.search(screen.content())
    context.close()


def test_a_board_page_too_many_says_so_and_is_filled_when_another_goes(
    start: Start, home: Path, chromium: Any
) -> None:
    running = start("--game", "hexalma", "--lan")
    there = link(running, home)
    address, port = urlsplit(there), int(running.origin.rpartition(":")[2])
    asks = (
        f"GET /live?{address.query} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: Upgrade\r\n"
        f"Origin: {running.origin}\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    context = chromium.new_context(viewport=TELEVISION)
    screen = context.new_page()
    with ExitStack() as stack:
        for _ in range(SCREENS):
            wire = stack.enter_context(create_connection(("127.0.0.1", port)))
            wire.sendall(asks.encode())
            assert wire.recv(12) == b"HTTP/1.1 101"
        screen.goto(there)
        expect(screen.locator(".boot")).to_contain_text("Too many pages are open.")
    expect(screen.locator(".prompt")).to_be_visible()
    context.close()


def test_a_television_says_that_the_program_is_away_and_is_read_from_across_the_table(
    start: Start, home: Path, chromium: Any
) -> None:
    running = start("--game", "hexalma", "--lan")
    context = chromium.new_context(viewport=TELEVISION)
    screen = context.new_page()
    screen.goto(link(running, home))
    expect(screen.locator(".welcome b")).to_have_text(re.compile(r"http://[^#]*:\d+/join"))
    expect(screen.locator(".lately li")).to_have_count(0)  # which devices are there is no news
    heights = "(it) => [...it.querySelectorAll('.seat-name')].map((name) => name.clientHeight)"
    assert min(screen.locator(".seats").evaluate(heights)) > 30
    running.end()
    expect(screen.locator(".prompt")).to_contain_text("not answering")
    context.close()


def test_a_board_page_may_watch_and_invite_to_watch_and_nothing_else(
    start: Start, visit: Open, home: Path, chromium: Any
) -> None:
    running = start("--game", "hexalma", "--lan")
    context = chromium.new_context(viewport=TELEVISION)
    screen = context.new_page()
    screen.goto(link(running, home))
    expect(screen.locator(".welcome img")).to_be_visible()
    screen.goto(f"{running.origin}/")  # the ordinary page with this key
    expect(screen.locator(".chip", has_text="You are watching")).to_be_visible()
    expect(screen.locator(".dock")).to_contain_text("asks the host for a seat")
    expect(screen.locator(".dock button")).to_have_count(0)
    context.close()


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_word_on_the_wall_is_cut_off_or_under_the_code(
    start: Start, home: Path, chromium: Any, language: str
) -> None:
    """Six seats, and in the log a word of 64 letters."""
    running = start("--game", "hexel", "--option", "seats=6", "--lan")
    hashed(running)
    context = chromium.new_context(viewport=TELEVISION, locale=language)
    screen = context.new_page()
    screen.goto(link(running, home))
    expect(screen.locator(".welcome img")).to_be_visible()
    expect(screen.locator(".lately")).to_contain_text(HASH)
    for width, height in WALLS:
        screen.set_viewport_size({"width": width, "height": height})
        cut, lines = screen.evaluate(WRITTEN)
        assert cut == [], (width, height)
        assert screen.evaluate(OVERLAPS) == 0, (width, height)
        assert lines > 0, (width, height)
    context.close()
