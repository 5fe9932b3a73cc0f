"""An evening as one file in a real Chromium: opened from disk it plays, steps and seeks, alone."""

import importlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hexboard.daemon.theatre import page_of
from hexboard.record.replay import Replay
from tests.browser.test_page import chromium, expect
from tests.firmware.test_pixels import A, B, show
from tests.running import PATIENCE, hexboard
from tests.web.test_theatre import GOLDEN, data, played, states, timed, watched

pytestmark = pytest.mark.browser

__all__ = ["chromium"]  # a fixture

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
BEGIN = "Red: roll a ball and play a tile, in either order."
Visit = Callable[..., Any]


def jpeg() -> bytes:
    """A black picture of two by two points."""
    cv2, numpy = importlib.import_module("cv2"), importlib.import_module("numpy")
    encoded: bytes = cv2.imencode(".jpg", numpy.zeros((2, 2, 3), numpy.uint8))[1].tobytes()
    return encoded


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden evening as a page."""
    path = tmp_path_factory.mktemp("theatre") / "evening.html"
    path.write_text(played(GOLDEN / "evening.mcap"), "utf-8")
    return path


@pytest.fixture
def watch(chromium: Any, evening: Path) -> Iterator[Visit]:
    """`watch("#n=83", …)` opens the file as a browser with these preferences would. When the test
    is over: nothing went wrong in it, and nobody was asked for anything."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def open_page(moment: str = "", **preferences: Any) -> Any:
        context = chromium.new_context(**{"viewport": DESK} | preferences)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", lambda told: wrong.append(told.text) if told.type != "log" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: alone(asked.url, wrong))
        page.goto(f"{evening.as_uri()}{moment}")
        expect(page.locator("svg.board")).to_be_visible()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def alone(url: str, wrong: list[str]) -> None:
    if not url.startswith(("file:", "data:")):
        wrong.append(url)


def test_a_file_from_disk_steps_from_ruling_to_ruling_seeks_and_plays(watch: Visit) -> None:
    page = watch()
    expect(page.locator(".prompt")).to_have_text(BEGIN)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".newest")).to_have_text("The board was put right by player (set up).")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".newest")).to_have_text("Red rolls ball 1 from lane D1-2.")
    expect(page.locator('[data-ball="1"]')).to_have_count(1)
    page.get_by_role("button", name="The next ruling").click()
    expect(page.locator(".newest")).to_have_text("Ball 1 fell through slot C3.")
    expect(page.locator('.entries [aria-current="true"]')).to_contain_text("2.1.5.1")
    page.get_by_role("button", name="The ruling before").click()
    expect(page).to_have_url(re.compile("#n=11$"))
    page.get_by_role("button", name=re.compile("Next question")).click()
    expect(page.locator(".card.question")).to_contain_text("Choose a tile that one of them touches")
    page.locator(".entries button", has_text="Red plays Peace into C3").click()
    expect(page.locator('[data-cell="C3"]')).to_have_attribute("aria-label", re.compile("Peace"))
    page.locator(".player select").select_option("60")
    page.locator("[data-play]").click()
    expect(page.locator("[data-play]")).to_have_attribute("aria-label", "Play")  # it ended
    expect(page.locator(".newest")).to_contain_text("Blue ends the turn")
    page.keyboard.press("Home")
    expect(page.locator(".prompt")).to_have_text(BEGIN)
    page.locator('input[type="range"]').fill("0.5")
    expect(page.locator(".newest")).to_have_text("The board was put right by player (set up).")


def test_a_link_opens_at_its_moment_and_says_so_where_there_is_none(watch: Visit) -> None:
    page = watch("#n=83")
    expect(page.locator(".newest")).to_have_text("Red rolls ball 1 from lane B1-2.")
    expect(page.locator("[data-link]")).to_have_attribute("href", "#n=83")
    for wrong in ("#n=99999", "#n=soon"):
        page.evaluate("to => { location.hash = to; }", wrong)
        expect(page.locator(".banner")).to_contain_text(wrong[1:])
        expect(page.locator(".banner")).to_contain_text("not in this recording")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".banner")).to_have_count(0)


def test_a_damaged_file_says_so(chromium: Any, evening: Path, tmp_path: Path) -> None:
    page = chromium.new_page()
    text = evening.read_text("utf-8")
    at = text.index('id="evening">') + 4000
    damaged = tmp_path / "damaged.html"
    damaged.write_text(text[:at] + "AAAAAAAA" + text[at + 8 :], "utf-8")
    page.goto(damaged.as_uri())
    expect(page.locator(".boot")).to_contain_text("damaged")
    page.close()


def test_what_is_left_of_a_torn_recording_is_played_and_its_long_name_stays_on_a_phone(
    chromium: Any, tmp_path: Path
) -> None:
    torn, file = tmp_path / f"{'a' * 90}.mcap", tmp_path / "torn.html"
    torn.write_bytes((GOLDEN / "evening.mcap").read_bytes()[:40_000])
    file.write_text(played(torn), "utf-8")
    page = chromium.new_page(viewport={"width": 360, "height": 740})
    page.goto(file.as_uri())
    expect(page.locator(".banner")).to_contain_text("is damaged at byte")
    expect(page.locator(".banner")).not_to_contain_text(str(tmp_path))  # nobody else's business
    assert page.locator("h1").evaluate("it => it.scrollWidth <= it.clientWidth")
    expect(page.locator(".prompt")).to_have_text(BEGIN)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.close()


def test_a_roll_shows_its_sensors_its_balls_its_lights_and_why_it_was_ruled_so(
    watch: Visit,
) -> None:
    page = watch("#n=89")
    expect(page.locator(".signs svg")).to_have_attribute("aria-label", re.compile("B1-B2"))
    expect(page.locator(".signs .place", has_text="B1-B2")).not_to_have_count(0)
    expect(page.locator(".signs rect.raw")).not_to_have_count(0)
    expect(page.locator(".signs rect.believed")).not_to_have_count(0)
    expect(page.locator(".signs rect.track")).not_to_have_count(0)
    expect(page.locator(".entries .now", has_text="Ball 1 came to rest at B1-B2.")).to_have_count(1)
    expect(page.locator(".why li.ruled")).to_contain_text("%")
    expect(page.locator(".why li.lost")).to_have_count(2)  # as `hexboard trace` tells of fact 89
    expect(page.locator('[data-pixel][opacity="0"]')).not_to_have_count(132)
    page.keyboard.press("s")
    expect(page.locator(".sensor")).not_to_have_count(0)


def test_the_pages_moments_are_those_that_were_written(watch: Visit, evening: Path) -> None:
    carried = data(evening.read_text("utf-8"))
    moments, told, signs = (carried[name] for name in ("moments", "told", "signs"))
    ours = watch().evaluate(
        """async (reel) => {
          const { Reel } = await import("hexboard/static/reel.js");
          const played = new Reel(reel);
          return reel.moments.map((_, i) => played.state(i));
        }""",
        {"moments": moments, "told": told, "signs": signs},
    )
    assert ours == states(carried)


def test_the_lights_blink_as_the_boards_do(watch: Visit) -> None:
    looks = [(0, 0), (1, 0), (1, 128), (2, 0), (2, 128), (0x33, 0), (0x33, 40), (0x13, 0)]
    times = range(0, 4000, 130)
    shown = watch().evaluate(
        """async ([looks, times]) => {
          const { colours } = await import("hexboard/static/shine.js");
          return times.map((ms) => [...colours(looks.map((_, i) => i), looks, ms)]);
        }""",
        [[[*A, *B, *look] for look in looks], list(times)],
    )
    assert shown == [[part for look in looks for part in show(*look, ms)] for ms in times]


def test_what_if_stands_beside_what_was_and_a_moment_is_kept_as_a_picture(
    chromium: Any, tmp_path: Path
) -> None:
    recording, file = GOLDEN / "evening.mcap", tmp_path / "otherwise.html"
    wrote = hexboard("export", "--page", recording, "--without", "edge:B1-B2", "-o", file)
    assert wrote.returncode == 2, wrote.stderr
    page = chromium.new_page(viewport=DESK)
    page.goto(file.as_uri())
    expect(page.locator(".pair svg.board")).to_have_count(2)
    first = page.locator(".whatif li").first
    expect(first).to_contain_text("Ball 1 came to rest at B1-B2.")
    first.get_by_role("button").click()
    rests = page.locator(".entries .now", has_text="Ball 1 came to rest at B1-B2.")
    expect(rests).to_have_count(1)
    expect(page.locator(".pair figcaption").last).not_to_contain_text("B1-B2.")
    with page.expect_download() as download:
        page.get_by_role("button", name="Keep as picture").click()
    kept = tmp_path / "moment.svg"
    download.value.save_as(kept)
    assert download.value.suggested_filename.startswith("evening-5-")
    with page.expect_download() as filmed:
        page.get_by_role("button", name="Play as a film").click()
        expect(page.locator("[data-play]")).to_have_attribute("aria-label", "Pause")
        page.get_by_role("button", name="Stop the film").click()
    film = tmp_path / "stretch.webm"
    filmed.value.save_as(film)
    assert film.read_bytes()[:4] == b"\x1a\x45\xdf\xa3"  # as EBML begins
    page.goto(kept.as_uri())  # alone, without our style sheets
    tile = page.locator('[data-cell="A1"] path').first
    assert tile.evaluate("it => getComputedStyle(it).fill") not in ("rgb(0, 0, 0)", "none")
    page.close()


def test_what_the_camera_saw_stands_beside_the_board(chromium: Any, tmp_path: Path) -> None:
    path, at = watched(tmp_path)
    replay, file = Replay(path), tmp_path / "watched.html"
    file.write_text(page_of(replay, replay, pictures={at: jpeg()})[0], "utf-8")
    page = chromium.new_page(viewport=PHONE)
    page.goto(f"{file.as_uri()}#n=2")
    expect(page.locator(".card.eye")).to_contain_text("each of 61 cells was certain")
    expect(page.locator(".card.eye img")).to_have_count(0)
    page.evaluate("() => { location.hash = 'n=3'; }")
    expect(page.locator(".card.eye li").first).to_have_text("c3 empty 73.1 %, B 26.9 %")
    expect(page.locator(".card.eye li").last).to_have_text("d4 nothing could be told")
    loaded = "it => it.decode().then(() => it.naturalWidth)"
    assert page.locator(".card.eye img").evaluate(loaded) == 2
    page.evaluate("() => { location.hash = 'n=4'; }")
    expect(page.locator(".card.eye")).to_contain_text("a hand was over the board")
    page.close()


def test_clocks_run_as_the_evening_plays_and_stand_in_a_pause(
    chromium: Any, tmp_path: Path
) -> None:
    """As `timed` says: 40 s of Black's three minutes are gone when the pause begins."""
    file = tmp_path / "timed.html"
    file.write_text(played(timed(tmp_path)), "utf-8")
    page = chromium.new_page(viewport=PHONE)
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{file.as_uri()}#n=3")
    clocks = page.locator(".ruling .clock")
    expect(clocks).to_have_text(["3:00", "2:40"])
    page.locator(".player summary").click()
    page.get_by_role("switch", name="Skip").click()
    page.locator("[data-play]").click()
    expect(clocks.first).to_have_text(re.compile("2:5"))
    expect(clocks.last).to_have_text("2:40")
    page.locator("[data-play]").click()
    page.evaluate("() => { location.hash = 'n=4'; }")
    expect(page.locator(".prompt")).to_have_text("The game has a pause")
    expect(clocks).to_have_text(["2:20", "2:40"])
    expect(page.locator(".clock.runs")).to_have_count(0)
    expect(page.locator(".timeline .pause")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.close()


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    watch: Visit, size: dict[str, int], scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = watch("#n=89", viewport=size, color_scheme=scheme)
    expect(page.locator(".why")).to_be_visible()
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    found = json.loads(json.dumps(axe.run(page).response["violations"]))
    assert [(it["id"], it["nodes"][0]["html"]) for it in found] == []
