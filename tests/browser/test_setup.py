"""A board's first start, on a phone alone: `hexboard setup`, from the board to the camera."""

import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hexboard.calibration import result
from tests.browser.test_bench import Wires, visits
from tests.browser.test_front import clean
from tests.browser.test_page import chromium, expect
from tests.calibration.boards import STAR
from tests.running import HEXBOARD, PATIENCE

pytestmark = pytest.mark.browser
__all__ = ["chromium"]  # a fixture

PHONE = {"width": 360, "height": 740}


class SetUp:
    """`hexboard setup`, by its page alone."""

    def __init__(self, home: Path, *arguments: str) -> None:
        command = [*HEXBOARD, "--home", str(home), "setup", *arguments]
        pipe, nul = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=nul, stdout=pipe, stderr=pipe, text=True)
        assert self.process.stderr is not None
        lines = (line.strip() for line in self.process.stderr)
        self.url = next(line for line in lines if "token=" in line)

    def left(self) -> tuple[int, str]:
        """How it ended, and what it said last."""
        _, err = self.process.communicate(timeout=PATIENCE)
        assert "Traceback" not in err
        return self.process.returncode, err


Begin = Callable[..., SetUp]
Open = Callable[..., Any]


@pytest.fixture
def begin(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (home / "settings.toml").write_text('board = "star"\n[web]\nport = 0\n', "utf-8")
    (home / "boards").mkdir()
    (home / "boards" / "star.toml").write_text(STAR, "utf-8")
    begun: list[SetUp] = []

    def start(*arguments: str, simulate: bool = True) -> SetUp:
        begun.append(SetUp(home, *["--simulate"] * simulate, *arguments))
        return begun[-1]

    yield start
    for it in begun:
        if it.process.poll() is None:
            it.process.send_signal(signal.SIGINT)
        it.left()


@pytest.fixture
def phone(chromium: Any) -> Iterator[Open]:
    """Opens a page as a phone does; nothing goes wrong in it."""
    contexts, wrong = list[Any](), list[str]()

    def open_page(url: str, theme: str = "dark", locale: str = "en") -> Any:
        context = chromium.new_context(
            viewport=PHONE, has_touch=True, color_scheme=theme, locale=locale
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(url)
        expect(page.locator("main.bench")).to_be_visible()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).tap()


def begins(page: Any, step: str) -> None:
    """The step is next; begin it."""
    expect(page.locator(".next h2")).to_have_text(f"Next: {step}")
    page.locator(".next .main").tap()


def test_a_board_is_set_up_from_the_page_alone_and_goes_on_where_it_was(
    begin: Begin, phone: Open, home: Path
) -> None:
    first = begin()
    page = phone(first.url)
    clean(page)
    begins(page, "The board")
    begins(page, "The Pico")
    expect(page.locator(".ended")).to_contain_text("None of 7 is active")
    press(page, "Go on")
    expect(page.locator(".next h2")).to_have_text("Next: The wiring")
    press(page, "Pass over")
    begins(page, "The sensors")
    press(page, "My hands are off")
    visits(page, 2)
    press(page, "Stop, and go on later")
    expect(page.locator(".ended")).to_contain_text("goes on from here")
    page.context.close()  # and the phone is put away
    first.process.send_signal(signal.SIGINT)
    assert first.left()[0] == 130

    again = begin()
    page = phone(again.url, "light")
    expect(page.locator(".spot.done")).to_have_count(2)
    expect(page.locator("[data-step=wiring]")).to_contain_text("passed over")
    begins(page, "The sensors")
    assert visits(page, 20) <= 6
    expect(page.locator(".ended")).to_contain_text("Of 7 places 0 are unfinished")
    kept = result.load(home / "calibration" / "star.simulated.json")
    assert {it.state for it in kept.sensors.values()} == {"done"}
    press(page, "Go on")
    expect(page.locator(".spot.done")).to_have_count(7)
    begins(page, "The lights")
    for colour in ("red", "green", "blue", "white"):
        expect(page.locator(".ask")).to_contain_text(f"All lights: {colour}")
        press(page, "That is so")
    expect(page.locator(".ask")).to_contain_text("The lights of the rail")
    press(page, "That is so")
    expect(page.locator(".ended")).to_contain_text("All 5 patterns")
    press(page, "Go on")
    begins(page, "The camera over the board")
    expect(page.locator("img.seen")).to_be_visible()
    assert page.evaluate("document.querySelector('img.seen').naturalWidth") > 0
    begins(page, "Where each light is")
    expect(page.locator(".ended")).to_contain_text("hexboard run star --simulate")
    clean(page)
    press(page, "Done")
    assert again.left()[0] == 0


def test_a_second_page_sees_the_same_in_its_language_and_late_answers_are_none(
    begin: Begin, phone: Open
) -> None:
    running = begin("star")  # named: that is the board
    ours, theirs = phone(running.url), phone(running.url, "light", "de")
    expect(theirs.locator(".next h2")).to_have_text("Als Nächstes: Der Pico")
    clean(theirs)
    theirs.evaluate("""async () => {
        const { at } = await import("/static/home.js");
        const socket = new WebSocket(at("/live").replace(/^http/, "ws"));
        await new Promise((opened) => (socket.onopen = opened));
        const wrong = [7, { say: 7 }, { do: "s" }, { say: "x" }, { say: "which no-such" }];
        for (const body of [...wrong, { say: "s", to: 0 }])
          socket.send(JSON.stringify({ type: "ask", body }));
        socket.send("{");
    }""")
    press(ours, "Pass over")
    for page, word in ((ours, "Next: The wiring"), (theirs, "Als Nächstes: Die Verdrahtung")):
        expect(page.locator(".next h2")).to_have_text(word)


def test_what_does_not_work_is_said_and_can_be_tried_again(
    begin: Begin, phone: Open, home: Path
) -> None:
    (home / "calibration").mkdir()
    (home / "calibration" / "star.simulated.json").write_text("{", "utf-8")
    page = phone(begin("star").url)
    page.locator("[data-step=sensors] button").tap()
    expect(page.locator(".ended h1")).to_have_text("Not done yet")
    expect(page.locator(".ended")).to_contain_text(re.compile("not a good file.*sensors"))
    press(page, "Go on")
    (home / "calibration" / "star.simulated.json").unlink()
    page.locator("[data-step=sensors] button").tap()
    press(page, "My hands are off")
    expect(page.locator(".count")).to_have_text("0 of 7")


def test_a_light_in_the_middle_of_its_cell_is_found_by_a_tap_on_it(
    begin: Begin, phone: Open
) -> None:
    page = phone(begin("star").url)
    page.locator("[data-step=wiring] button").tap()
    wires = Wires(page)
    wires.colours(7)
    light = page.locator(".light.shines")
    expect(light).to_have_count(1)
    box = light.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".heard")).to_contain_text("Light 0 is at")


def test_another_board_is_chosen_and_stands_in_the_settings(
    begin: Begin, phone: Open, home: Path
) -> None:
    page = phone(begin().url)
    page.get_by_text("Another board").tap()
    page.locator("[data-board=hexhex-5]").tap()
    expect(page.locator(".place")).to_have_count(61)
    assert 'board = "hexhex-5"\n[web]\nport = 0\n' in (home / "settings.toml").read_text("utf-8")


def test_a_pico_that_is_not_there_comes_with_what_to_do_and_a_button(
    begin: Begin, phone: Open, home: Path
) -> None:
    with (home / "settings.toml").open("a") as settings:
        settings.write("[link]\nport = '/dev/no-such-port'\n")
    page = phone(begin("star", simulate=False).url)
    begins(page, "The Pico")
    expect(page.locator(".ended h1")).to_have_text("Not done yet")
    expect(page.locator(".ended")).to_contain_text("/dev/no-such-port")
    press(page, "Install the firmware")
    expect(page.locator(".ended")).to_contain_text("hold BOOTSEL")
    press(page, "Go on")
    expect(page.locator("[data-step=pico]")).to_contain_text("not yet done")
