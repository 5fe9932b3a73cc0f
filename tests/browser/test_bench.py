"""A board is calibrated on a phone: one thumb, no keyboard, by the buttons that can be seen."""

import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from hexboard.calibration import result
from tests.browser.test_front import clean
from tests.browser.test_page import chromium, expect
from tests.calibration.boards import FLOWER
from tests.running import HEXBOARD, PATIENCE, hexboard

pytestmark = pytest.mark.browser
__all__ = ["chromium"]  # a fixture

PHONE = {"width": 360, "height": 844}


class Bench:
    """`hexboard calibrate sensors --page`, or another step, at a simulated board, of seven cells
    unless another is named."""

    def __init__(
        self, home: Path, *arguments: str, what: str = "sensors", board: str = "flower"
    ) -> None:
        command = [*HEXBOARD, "--home", str(home), "calibrate", what, board]
        command += ["--simulate", "--page", *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
        assert self.process.stderr is not None
        lines = (line.strip() for line in self.process.stderr)
        self.url = next(line for line in lines if "token=" in line)

    def left(self) -> tuple[int, str]:
        """How it ended, and what it said last."""
        out, err = self.process.communicate(timeout=PATIENCE)
        assert "Traceback" not in err
        return self.process.returncode, out


@pytest.fixture
def bench(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (home / "settings.toml").write_text("[web]\nport = 0\n", "utf-8")
    (home / "boards").mkdir()
    (home / "boards" / "flower.toml").write_text(FLOWER, "utf-8")
    begun: list[Bench] = []

    def begin(*arguments: str, **which: str) -> Bench:
        begun.append(Bench(home, *arguments, **which))
        return begun[-1]

    yield begin
    for it in begun:
        if it.process.poll() is None:
            it.process.send_signal(signal.SIGINT)
        it.left()  # also of one that ended by itself: its pipes are open until they are read out


@pytest.fixture
def phone(chromium: Any) -> Iterator[Callable[[str], Any]]:
    """Opens a page as a phone does; nothing goes wrong in it."""
    contexts, wrong = list[Any](), list[str]()

    def open_page(url: str, theme: str = "dark") -> Any:
        context = chromium.new_context(viewport=PHONE, has_touch=True, color_scheme=theme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(url)
        expect(page.locator("svg.bench")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def visits(page: Any, most: int) -> int:
    """Hold the ball where the page asks, at most so often; how often it was."""
    button, ended = page.get_by_role("button", name="Touch it"), page.locator(".ended")
    for k in range(most):
        expect(button.or_(ended)).to_be_visible()
        if ended.count():
            return k
        before = page.locator(".count").inner_text()
        button.tap()
        expect(page.locator(f".count:text-is('{before}'):visible")).to_have_count(0)
    return most


def test_a_whole_survey_is_done_by_buttons_stopped_and_gone_on_with(
    bench: Any, phone: Any, home: Path
) -> None:
    first = bench()
    page = phone(first.url)
    page.get_by_role("button", name="My hands are off").tap()
    visits(page, 4)
    clean(page)
    expect(page.locator(".count")).to_have_text(re.compile("^[45] of 19$"))
    expect(page.locator(".spot.done")).to_have_count(4)
    page.locator(".spot.done .reach").first.tap()
    expect(page.locator(".sensor-card .rate")).to_contain_text("One contact of")
    expect(page.locator(".spot.done .bar")).to_have_count(4)  # a class each, on the picture
    page.get_by_role("button", name="Stop, and go on later").tap()
    expect(page.locator(".ended")).to_contain_text("goes on from here")
    assert first.left()[0] == 130

    again = bench()
    page = phone(again.url, "light")
    expect(page.locator(".spot.done")).to_have_count(4)  # no rest is asked for again
    clean(page)
    assert visits(page, 40) <= 16
    expect(page.locator(".ended")).to_contain_text("Of 19 places 0 are unfinished")
    assert again.left()[0] == 0
    kept = result.load(home / "calibration" / "flower.simulated.json")
    assert {it.state for it in kept.sensors.values()} == {"done"}
    assert kept.findings == ()


def test_nobody_without_the_key_sees_or_says_anything(bench: Any, chromium: Any) -> None:
    url = urlsplit(bench().url)
    page = chromium.new_context(viewport=PHONE).new_page()
    for path in ("/", "/board", "/static/bench.js"):
        answer = page.goto(f"http://{url.netloc}{path}")
        assert answer.status == 403
    page.context.close()


def test_places_at_which_nothing_happens_are_passed_and_named(bench: Any, phone: Any) -> None:
    page = phone(bench("--only", "fall").url)
    page.get_by_role("button", name="My hands are off").tap()
    nothing, ended = page.get_by_role("button", name="Nothing"), page.locator(".ended")
    for _ in range(40):  # nobody ever touches anything
        nothing.or_(ended).tap()  # a tap on the last page does nothing
        if ended.count():
            break
        page.wait_for_timeout(100)
    expect(page.locator(".ended")).to_contain_text("Nothing answers from fall:")
    page.locator(".spot.bad .reach").first.tap()  # the picture stays, and says which and why
    expect(page.locator(".sensor-card .why")).to_contain_text("Nothing answers from fall:")


class Wires:
    """Somebody who finds out with a phone which light is where, and sees them on the page."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.seen = ""

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).tap()

    def colours(self, lights: int = 42) -> None:
        """Say which colour light 0 has, three times, each another; then all `lights` have one."""
        for _ in range(3):
            lit = self.page.locator(".light.shines > circle")
            if self.seen:
                expect(lit).not_to_have_attribute("style", self.seen)
            self.seen = lit.get_attribute("style")
            levels = [int(level) for level in re.findall(r"\d+", self.seen)]
            self.press(("Red", "Green", "Blue")[levels.index(max(levels))])
        expect(self.page.locator(".light.shines")).to_have_count(lights)
        self.press("Yes, all of them")
        self.seen = ""

    def where(self) -> str:
        """Tap the light that is on, or that it stays dark where its cell is b1; which it was."""
        lit = self.page.locator(f".light.shines:not([data-spot='{self.seen}'])")
        expect(lit).to_have_count(1)
        expect(self.page.locator(".light.shines")).to_have_count(1)
        self.seen = lit.get_attribute("data-spot")
        cell = self.seen.partition("/")[0]
        if cell == "b1":
            self.press("It stays dark")
        else:
            self.page.locator(f"[data-cell='{cell}']").tap()
            self.press(f"Light {self.seen}")
        return str(self.seen)


def test_wires_are_found_by_taps_stopped_and_gone_on_with_past_a_dark_light(
    bench: Any, phone: Any, tmp_path: Path
) -> None:
    out = tmp_path / "found.toml"
    out.write_text("old", "utf-8")
    first = bench("--out", str(out), what="wiring")
    wires = Wires(phone(first.url))
    wires.colours()
    tapped = [wires.where()]
    expect(wires.page.locator(".light.done")).to_have_count(1)
    wires.press("Stop, and go on later")
    expect(wires.page.locator(".ended")).to_contain_text("Your 5 answers are kept")
    assert first.left()[0] == 130
    assert out.read_text("utf-8") == "old"

    again = bench("--out", str(out), what="wiring")
    wires = Wires(phone(again.url, "light"))
    touch = wires.page.get_by_role("button", name="Touch it")
    while not touch.count():
        tapped.append(wires.where())
        expect(wires.page.locator(f".light.shines[data-spot='{wires.seen}']")).to_have_count(0)
        expect(touch.or_(wires.page.locator(".light.shines")).first).to_be_visible()
    assert {spot.partition("/")[0] for spot in tapped} > {"b1"}
    assert len(tapped) < 12  # of 42: the rest follows
    dark = [spot for spot in tapped if spot.startswith("b1/")]
    expect(wires.page.locator(".light.dark")).to_have_count(len(dark))
    for k in range(19):
        expect(wires.page.locator(".count")).to_have_text(f"{k} of 19")
        touch.tap()
    expect(wires.page.locator(".ask")).to_contain_text("is wired as its file says")
    wires.press("Yes")
    expect(wires.page.locator(".ended")).to_contain_text(f"({dark[0]})")
    assert again.left()[0] == 0
    assert 'name = "flower"' in out.read_text("utf-8")


def test_a_rehearsals_map_is_shown_until_somebody_has_seen_it(
    bench: Any, phone: Any, home: Path, tmp_path: Path
) -> None:
    done = hexboard("--home", home, "calibrate", "board", "hexhex-5", "--simulate")
    assert done.returncode == 0, done.stderr
    rehearsal = bench("-o", str(tmp_path / "map.svg"), what="rehearsal", board="hexhex-5")
    page = phone(rehearsal.url)
    expect(page.locator(".place .share")).to_have_count(61)
    expect(page.locator(".ended")).to_contain_text("hexalma can be played like this")
    shown = page.locator(".place").evaluate_all(
        "places => places.map(it => [it.dataset.cell, it.querySelector('.share').textContent])"
    )
    drawn = re.findall(
        r'<text x=[^>]*>(\w+)</text>\n<text class="name"[^>]*>(\d+%)</text>',
        (tmp_path / "map.svg").read_text("utf-8"),
    )
    assert sorted(map(tuple, shown)) == sorted(drawn)
    tints = page.locator(".place.good").count(), page.locator(".place.fair, .place.poor").count()
    assert tints == (sum(int(share[:-1]) >= 90 for _, share in drawn), 61 - tints[0])
    page.get_by_role("button", name="Done").tap()
    code, out = rehearsal.left()
    assert code == 0
    assert "hexalma can be played like this" in out
