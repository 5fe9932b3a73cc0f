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
from tests.browser.test_page import chromium, expect
from tests.calibration.boards import FLOWER
from tests.running import HEXBOARD, PATIENCE

pytestmark = pytest.mark.browser
__all__ = ["chromium"]  # a fixture

PHONE = {"width": 390, "height": 844}


class Bench:
    """`hexboard calibrate sensors --page` at a simulated board of seven cells."""

    def __init__(self, home: Path, *arguments: str) -> None:
        command = [*HEXBOARD, "--home", str(home), "calibrate", "sensors", "flower"]
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

    def begin(*arguments: str) -> Bench:
        begun.append(Bench(home, *arguments))
        return begun[-1]

    yield begin
    for it in begun:
        if it.process.poll() is None:
            it.process.send_signal(signal.SIGINT)
            it.left()


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
    expect(page.locator(".count")).to_have_text(re.compile("^[45] of 19$"))
    expect(page.locator(".spot.done")).to_have_count(4)
    page.locator(".spot.done .reach").first.tap()
    expect(page.locator(".sensor-card .rate")).to_contain_text("One contact of")
    page.get_by_role("button", name="Stop, and go on later").tap()
    expect(page.locator(".ended")).to_contain_text("goes on from here")
    assert first.left()[0] == 130

    again = bench()
    page = phone(again.url, "light")
    expect(page.locator(".spot.done")).to_have_count(4)  # no rest is asked for again
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
