"""The front door in a real Chromium: another game is chosen and played, by clicks alone."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.demo.recorded import recorded
from hexboard.facts import Fact
from tests.browser.test_page import Start, again, chromium, expect, visit
from tests.running import PATIENCE, Running, eventually
from tests.test_secrets import HEXEL, TABLE
from tests.web.test_theatre import GOLDEN

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def clean(page: Any) -> None:
    """axe finds nothing, and nothing is wider than the screen."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = json.loads(json.dumps(axe.run(page).response["violations"]))
    assert [(it["id"], it["nodes"][0]["html"][:200]) for it in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def opened(chromium: Any, running: Running, **preferences: Any) -> Any:
    page = chromium.new_context(**preferences).new_page()
    page.goto(running.url)
    expect(page.locator(".game")).to_have_count(7)
    return page


def test_a_game_is_chosen_at_the_door_then_another_and_the_first_goes_on(
    start: Start, chromium: Any
) -> None:
    page = opened(chromium, start(front=True), **PHONE)
    try:
        expect(page.locator("svg.board")).to_have_count(0)
        for game, many in (("hexalma", "2 players"), ("hextraction", "2–6 players")):
            expect(page.locator(f'[data-game="{game}"] .chip')).to_have_text(many)
        page.locator('[data-game="hexalma"] .choose').tap()
        page.get_by_text("Who plays").tap()
        first = page.locator('[data-name="0"]')
        first.fill("Anna")
        page.locator('[data-name="1"]').fill("Bo")
        eventually(lambda: first.input_value() == "Bo" or page.locator("[data-lots]").tap())
        page.locator('[data-game="hexalma"] [data-action="begin"]').tap()
        expect(page.get_by_role("heading", level=1)).to_contain_text("HexAlma")
        expect(page.locator(".prompt")).to_contain_text("Bo")
        page.locator('[data-cell="a1"]').dispatch_event("click")
        page.locator('[data-cell="b1"]').dispatch_event("click")
        expect(page.locator(".log .entries li").first).to_contain_text("b1")
        page.locator(".which").tap()
        page.locator('dialog [data-game="bad-santa-hex"] .choose').tap()
        expect(page.locator("dialog input[value=first]")).to_be_checked()
        expect(page.locator(".preset", has_text="First game")).to_contain_text("smaller game")
        page.locator('dialog [data-action="begin"]').tap()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Bad Santa Hex")
        expect(page.locator("[data-cell]")).to_have_count(49)
        expect(page.locator(".explained")).to_be_visible()
        expect(page.locator("dialog .game")).to_have_count(0)
        page.locator(".which").tap()
        page.locator('dialog [data-on="hexalma"]').tap()
        expect(page.get_by_role("heading", level=1)).to_contain_text("HexAlma")
        expect(page.locator('[data-piece="b1"]')).to_have_count(1)
        expect(page.locator(".explained")).to_have_count(0)  # it is no first game
    finally:
        page.context.close()


def test_a_clock_is_chosen_among_the_options_and_can_be_put_away(
    start: Start, chromium: Any
) -> None:
    page = opened(chromium, start(front=True), **PHONE)
    try:
        page.locator('[data-game="hexalma"] .choose').tap()
        page.get_by_text("More options").tap()
        expect(page.get_by_label("Seconds that a turn adds")).to_be_disabled()
        page.get_by_label("Minutes a side").fill("7")
        page.get_by_label("Seconds that a turn adds").fill("5")
        clean(page)
        page.locator('[data-game="hexalma"] [data-action="begin"]').tap()
        expect(page.locator(".ruling .clock")).to_have_text(["7:00", "7:00"])
        page.locator(".which").tap()
        page.locator('dialog [data-game="hexalma"] .choose').tap()
        page.locator("dialog").get_by_text("More options").tap()
        expect(page.get_by_label("Minutes a side")).to_have_value("7")
        page.get_by_label("Minutes a side").fill("")
        page.locator('dialog [data-action="begin"]').tap()
        again(page.locator('dialog [data-action="begin"]'))  # really
        expect(page.locator(".ruling .clock")).to_have_count(0)
    finally:
        page.context.close()


def listening(devtools: Any) -> int:
    """How many listeners there are on a page, once what nobody holds is gone."""
    devtools.send("HeapProfiler.collectGarbage")
    return int(devtools.send("Memory.getDOMCounters")["jsEventListeners"])


@pytest.mark.long
def test_a_page_that_stays_open_keeps_nothing_of_the_games_before(
    start: Start, chromium: Any
) -> None:
    """Each other game left its whole page behind, for a tablet in a cafe for months."""
    running = start("--game", "hexalma")
    page = chromium.new_context().new_page()
    page.set_default_timeout(1000 * PATIENCE)
    try:
        page.goto(running.url)
        devtools = page.context.new_cdp_session(page)
        found = []
        for game in ("bad-santa-hex", "hexalma") * 3:
            with running.page() as wire:
                wire.send("new", game=game)
            there = "(it) => document.querySelector(it)?.querySelector('svg.board') != null"
            page.wait_for_function(there, arg=f".page.{game}")  # a locator would hold its element
            if game == "hexalma":
                found.append(min(listening(devtools) for _ in range(20)))
        assert found[2] < 1.2 * found[0]
    finally:
        page.context.close()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_at_the_door(start: Start, chromium: Any, theme: str) -> None:
    page = opened(chromium, start(front=True), color_scheme=theme, **PHONE)
    try:
        clean(page)
        page.locator('[data-game="hextraction"] .choose').tap()
        expect(page.locator('[data-game="hextraction"] [data-action="begin"]')).to_be_visible()
        page.get_by_text("More options").tap()
        clean(page)
    finally:
        page.context.close()


WITHIN = """[...document.querySelectorAll("dialog *, .curtain *")]
    .filter((it) => it.checkVisibility())
    .every((it) => it.getBoundingClientRect().right <= innerWidth + 1)"""
"""Nothing of a dialog or a curtain is beside the screen."""
ODD = [
    "Bartholomäus-Maximilian von und zu Hohenl",
    "<b>Anna</b><img src=x onerror=alert(1)>",
    "שרה \u202eבת \u2066אברהם",
]


def test_long_and_odd_names_are_shown_whole_and_cover_nothing(start: Start, chromium: Any) -> None:
    names = ["M" * 40, *(name.ljust(40, "W")[:40] for name in ODD), "W" * 40, "Bo"]
    running = start(front=True)
    page = opened(chromium, running, **PHONE)
    try:
        page.locator('[data-game="hextraction"] .choose').tap()
        page.get_by_text("More options").tap()
        page.locator("[data-option=seats]").fill("6")
        page.locator("[data-option=seats]").press("Tab")
        page.get_by_text("Who plays").tap()
        expect(page.locator("[data-name]")).to_have_count(6)
        for seat, name in enumerate(names):
            page.locator(f'[data-name="{seat}"]').fill(name)
        page.locator('[data-colour="1"]').select_option(index=4)
        clean(page)
        page.locator('[data-game="hextraction"] [data-action="begin"]').tap()
        expect(page.locator(".ruling .seat b")).to_have_count(6)
        told = page.locator(".ruling .seat b").all_inner_texts()
        assert [it.strip("\u2068\u2069") for it in told[:3]] == names[:3]
        assert "\u202e" not in "".join(told)
        expect(page.locator(".prompt")).to_contain_text(names[0])
        clean(page)
        screen = page.context.new_page()
        screen.set_viewport_size({"width": 1280, "height": 720})
        screen.goto(f"{running.origin}/board")
        expect(screen.locator(".prompt")).to_contain_text("roll a ball")
        prompt = screen.locator(".prompt").bounding_box()
        assert prompt["y"] + prompt["height"] < 720
        boxes = [page.locator(".ruling .seat").nth(seat).bounding_box() for seat in range(6)]
        below = page.locator(".ruling .prompt").bounding_box()
        ends = [box["x"] + box["width"] for box in boxes]  # in one line, pushed sideways
        assert all(ends[k] <= box["x"] + 1 for k, box in enumerate(boxes[1:]))
        assert all(box["y"] + box["height"] <= below["y"] + 1 for box in boxes)
        assert boxes[0]["x"] >= 0
        assert max(box["width"] for box in boxes) <= 360
        page.get_by_role("button", name="Seats").tap()
        expect(page.locator("dialog .seat")).to_have_count(6)
        clean(page)
        assert page.evaluate(WITHIN)
        page.locator("dialog .icon").first.tap()
        page.locator(".which").tap()
        page.locator('dialog [data-game="hexel"] .choose').tap()
        expect(page.locator('dialog [data-name="0"]')).to_have_value(names[0])  # as before
        page.locator('dialog [data-game="hexel"] [data-action="begin"]').tap()
        expect(page.locator(".curtain h2")).to_contain_text(names[0])
        assert page.evaluate(WITHIN)
        clean(page)
    finally:
        page.context.close()


def test_a_recording_of_another_version_and_a_torn_one_are_told_on_a_phone(
    start: Start, chromium: Any
) -> None:
    running = start(front=True)
    folder = running.folder / "recordings"
    with recorded(TABLE, running.folder, "m") as (path, keep):
        keep(Fact(1, 0, 0, "table", replace(HEXEL, rules="hexel-of-1999")), [])
    other = path.rename(folder / "20260301-200000-ab12.mcap")
    torn = folder / "20260302-200000-ab12.mcap"
    torn.write_bytes((GOLDEN / "evening.mcap").read_bytes()[:40_000])
    page = opened(chromium, running, locale="de", **PHONE)
    try:
        page.locator("summary", has_text="Noch einmal ansehen").tap()
        for file, where, said in ((other, "main", "hexel-of-1999"), (torn, ".banner", "Byte")):
            link = page.locator(f'a[href$="again/{file.stem}"]')
            expect(link).to_be_visible()
            page.goto(f"{running.origin}/{link.get_attribute('href')}")
            expect(page.locator(where)).to_contain_text(said)
            expect(page.locator(where)).not_to_contain_text(str(folder))
            size = page.locator(where).evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
            assert size >= 14
            assert page.evaluate("document.documentElement.scrollWidth") == 360
            page.go_back()
            page.locator("summary", has_text="Noch einmal ansehen").tap()
    finally:
        page.context.close()


def test_the_next_game_begins_with_what_the_last_one_left_or_afresh(
    start: Start, chromium: Any
) -> None:
    """HEXEL-A15: the next seat clockwise deals; afresh the first one does."""
    running = start("--game", "hexel", "--option", "hands=held")
    page = chromium.new_context(**PHONE).new_page()
    try:
        page.goto(running.url)
        for pressed, deals in (("Next game", "Player 2"), ("Begin afresh", "Player 1")):
            with running.page() as wire:
                wire.send("declare", seat=-1, action="concede 0")
            left = "The next game would begin with what this one leaves: Player 1 has 40 chips."
            expect(page.locator(".next")).to_contain_text(left)
            clean(page)
            page.get_by_role("button", name=pressed, exact=True).tap()
            expect(page.locator(".prompt")).to_contain_text(f"{deals}: lay a card of the opening")
    finally:
        page.context.close()
