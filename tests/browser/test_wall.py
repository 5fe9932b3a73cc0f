"""The wall in a browser: every board, results, what is wrong; in two languages, for everybody."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hexboard.daemon.hall.desk import HallDesk
from hexboard.daemon.hall.tournament import begun, leaving, next_round, resulted
from hexboard.daemon.hall.tournament import text as written
from hexboard.record.trf import HallOf, Trf, write_trf
from tests.browser.test_page import chromium, expect
from tests.daemon.test_hall import Watched
from tests.daemon.test_mqtt import STATE
from tests.hall import Nats
from tests.record.test_hall_journal import links
from tests.running import eventually

if TYPE_CHECKING:
    from nats.js import JetStreamContext

pytestmark = pytest.mark.browser

__all__ = ["chromium"]  # a fixture
KEY = "correct-horse-battery-staple"


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Nats]:
    with Nats(tmp_path) as server:
        yield server


@pytest.fixture
def wall(nats: Nats) -> Iterator[Watched]:
    watched = Watched(nats)
    eventually(lambda: len(watched.wall._made) == 2)  # it has made the streams
    yield watched
    watched.close()


def told(nats: Nats, name: str, now: dict[str, Any], *texts: str) -> None:
    """A board of this name tells how it stands, and some things."""
    state = STATE | now.pop("state", {})
    about = {"title": "My <b>board</b>", "at": 1.0, "told": len(texts), "state": state, "link": ""}

    async def tell(js: "JetStreamContext") -> None:
        for text, link in zip(texts, links(list(texts)), strict=True):
            headers = {"Nats-Msg-Id": link}
            await js.publish(f"hexboard.told.{name}", text.encode(), headers=headers)
        await js.publish(f"hexboard.now.{name}", json.dumps(about | now).encode())

    nats.ask(tell)


OVER = json.dumps(
    {
        "type": "over",
        "n": 1,
        "match": "m1",
        "game": "hexalma",
        "seats": ["Ann", "<i>Ben</i>"],
        "scores": [1, 0],
        "outcome": "Ann wins.",
    }
)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_wall_shows_boards_results_and_what_is_wrong_to_everybody(
    nats: Nats, wall: Watched, chromium: Any, theme: str
) -> None:
    told(nats, "board-2", {"link": "http://board-2.local:8765/board?token=x"})
    told(nats, "board-10", {"state": {"notices": ["The disk is full."], "duo": True}}, OVER)
    context = chromium.new_context(viewport={"width": 390, "height": 800}, color_scheme=theme)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{wall.server.port}/?token={KEY}")
    expect(page.locator("h1")).to_have_text("2 boards")
    expect(page.locator("h2")).to_have_text(["board-2", "board-10", "Results"])
    first, second = page.locator(".boards > li").all()
    expect(first.locator(".active")).to_have_text("White")
    expect(first.locator(".prompt")).to_have_text(STATE["prompt"])
    expect(first.locator("a")).to_have_attribute("href", "http://board-2.local:8765/board?token=x")
    expect(first).to_contain_text("My <b>board</b>")
    expect(second.locator(".ills")).to_contain_text("The disk is full.")
    expect(second.locator(".ills")).to_contain_text("behind")
    dot = "(seat) => getComputedStyle(seat, '::before').backgroundColor"
    white = {"dark": "rgb(217, 210, 187)", "light": "rgb(185, 176, 150)"}[theme]
    assert second.locator(".seat.active").evaluate(dot) == white  # as its pieces
    assert first.locator(".seat.active").evaluate(dot) != white
    expect(page.locator("tbody td").nth(3)).to_have_text("Ann 1 · <i>Ben</i> 0")
    axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    assert axe.run(page).response["violations"] == []
    wide = "document.documentElement.scrollWidth - innerWidth"
    assert page.evaluate(wide) <= 0
    nats.kill()
    expect(page.get_by_role("alert")).to_contain_text("is not there, or has no JetStream")
    context.close()


def test_seats_have_their_games_own_colours_each_on_its_card(
    nats: Nats, wall: Watched, chromium: Any
) -> None:
    told(nats, "one", {"state": {"game": "knee-deep", "duo": True, "active": 0}})
    told(nats, "two", {"state": {"game": "hexalma", "duo": True, "active": 0}})
    told(nats, "three", {"state": {"game": "elsewhere", "duo": True, "active": 0}})
    page = chromium.new_page(color_scheme="dark")
    page.goto(f"http://127.0.0.1:{wall.server.port}/?token={KEY}")
    colour = "seat => getComputedStyle(seat).getPropertyValue('--seat')"
    seat = page.locator("[data-board=one] .seat.active")
    eventually(lambda: seat.evaluate(colour) == "#ff8a1f")  # as Gondwana's units
    for other in ("two", "three"):
        assert page.locator(f"[data-board={other}] .seat.active").evaluate(colour) == "#6a5f86"
    page.close()


def test_a_wall_speaks_german_and_comes_back_by_itself(
    nats: Nats, wall: Watched, chromium: Any
) -> None:
    context = chromium.new_context(locale="de-DE")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{wall.server.port}/board?token={KEY}")
    expect(page.locator(".hint")).to_have_text("Noch hat kein Brett etwas gesagt.")
    told(nats, "eins", {})
    expect(page.locator("h1")).to_have_text("1 Brett")
    expect(page.locator(".ills")).to_contain_text("nach.")
    context.close()


def evening() -> Trf:
    """Five people after the first round, in the second one game is open, and one has left."""
    names = ("Ann", "<b>Ben</b>", "Cem", "Dora Straßenbauer-Obermüller", "Eva")
    trf = begun("Evening", names, 3, False, HallOf("hexalma", ("one",)), "2026/11/28")
    trf = resulted(resulted(next_round(trf, {}), 1, 1, "1-0"), 1, 2, "1/2")
    return resulted(next_round(leaving(trf, 3), {}), 2, 1, "0-1")


@pytest.mark.parametrize(
    ("language", "width", "title", "after", "left"),
    [
        ("en", 390, "Evening: round 2 of 3", "After 1 round", "Cem (has left)"),
        ("de", 1280, "Evening: Runde 2 von 3", "Nach 1 Runde", "Cem (ausgeschieden)"),
    ],
)
def test_a_wall_shows_the_rounds_pairings_and_the_table(
    nats: Nats,
    tmp_path: Path,
    chromium: Any,
    language: str,
    width: int,
    title: str,
    after: str,
    left: str,
) -> None:
    file = tmp_path / "evening.trf"
    write_trf(file, written(evening()))
    watched = Watched(nats, HallDesk(file))
    context = chromium.new_context(
        locale=language, viewport={"width": width, "height": 800}, color_scheme="dark"
    )
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{watched.server.port}/?token={KEY}")
    card = page.locator(".tournament")
    expect(card.locator("h2")).to_have_text([title, after])
    pairings, places = card.locator("table").all()
    expect(pairings.locator("tbody tr").nth(0)).to_contain_text("<b>Ben</b>Ann0-1")
    expect(places.locator("tbody tr").nth(0)).to_have_text("1Eva1½½")
    expect(places.locator("tbody tr").last).to_contain_text(left)
    axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    assert axe.run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    write_trf(file, written(resulted(evening(), 2, 2, "1-0")))
    expect(card.locator("h2").last).to_contain_text("2")
    file.write_text("012 Evening", "utf-8")
    expect(card.get_by_role("alert")).to_contain_text("evening.trf:1:")
    context.close()
    watched.close()
