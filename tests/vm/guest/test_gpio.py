"""The pins of a real kernel under the unmodified gpiozero, lgpio and rpi-lgpio, in our device.

A sensor is active while its pin is low (the default). Order and counts, never milliseconds: this
kernel runs in an interpreter.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import pytest
from gpiozero import Device

from hexboard.devices.gpio import Gpio
from hexboard.facts import Edge, Lost, Presence, Report, Snapshot, Watermark
from tests.vm.guest.pins import LIVE, Wires
from tests.vm.guest.posted import Posted

PINS = {5: "beam:A", 6: "beam:B", 13: "seat:C", 27: "rail:D"}
CHECKOUT = Path(__file__).parents[3]
LIBRARIES = ("lgpio", "rpigpio")


@pytest.fixture
def posted() -> Posted:
    return Posted()


@contextmanager
def library(name: str, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """gpiozero's pin factory of this name, as the environment of a Pi would choose it."""
    patch.setenv("GPIOZERO_PIN_FACTORY", name)
    patch.setenv("RPI_LGPIO_REVISION", "c03114")
    Device.pin_factory = None
    yield
    if Device.pin_factory is not None:
        Device.pin_factory.close()
        Device.pin_factory = None


@pytest.fixture(params=LIBRARIES)
def both(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with library(request.param, monkeypatch):
        yield request.param


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with library("lgpio", monkeypatch):
        yield


@pytest.fixture
def wires() -> Iterator[Wires]:
    with closing(Wires(*PINS)) as wires:
        yield wires


def test_every_edge_comes_once_in_order_with_the_time_of_its_own(
    both: str, wires: Wires, posted: Posted
) -> None:
    for _ in range(3):
        posted.clear()
        expected, moments = one_after_the_other(wires, posted)
        if not posted.of(Lost):  # else the library's thread got no time for long; that was said
            break
    assert posted.edges() == expected
    edges = [report for report in posted if isinstance(report.body, Edge)]
    for edge, began, ended in zip(edges, moments, moments[1:], strict=False):
        assert began <= edge.at <= ended
    low = {sensor for sensor in PINS.values() if (sensor, True) in last_of_each(expected)}
    assert set(posted.of(Snapshot)[-1].high) == low
    assert posted.of(Presence)[0].up
    assert type(Device.pin_factory).__name__.lower() == f"{both}factory"


def one_after_the_other(wires: Wires, posted: Posted) -> tuple[list[tuple[str, bool]], list[int]]:
    """200 edges, each when the one before has come; what they are, and just before when."""
    pins, low = list(PINS), set[int]()
    expected, moments = [], []
    with Gpio(PINS, posted.append):
        posted.wait(lambda: posted.of(Snapshot))
        assert posted.of(Snapshot)[0].high == ()
        for step in range(200):
            pin = pins[step * 3 % 4 if step % 5 else 0]
            low ^= {pin}
            expected.append((PINS[pin], pin in low))
            moments.append(time.monotonic_ns())
            wires.pull(pin, up=pin not in low)
            posted.wait(lambda step=step: len(posted.edges()) > step or posted.of(Lost))
        moments.append(time.monotonic_ns())
        since = len(posted)
        posted.wait(lambda: posted.of(Snapshot, since))
    return expected, moments


def last_of_each(edges: list[tuple[str, bool]]) -> set[tuple[str, bool]]:
    """Every sensor with its last level."""
    return set(dict(edges).items())


def test_no_edge_is_earlier_than_a_watermark_before_it(both: str, posted: Posted) -> None:
    with closing(Wires(*PINS)) as wires, Gpio(PINS, posted.append):
        posted.wait(lambda: posted.of(Watermark))
        for step in range(60):
            wires.pull(list(PINS)[step % 4], up=step % 8 >= 4)
            time.sleep(0.01)
        ended = time.monotonic_ns()
        posted.wait(lambda: settled(posted, ended))
        posted.wait(lambda: posted.of(Watermark)[-1].until > ended)
    assert posted.edges()
    assert posted.early() == []


def test_after_a_burst_that_the_kernel_cannot_hold_the_level_is_right(
    both: str, wires: Wires, posted: Posted
) -> None:
    many = 2001
    with Gpio(PINS, posted.append):
        posted.wait(lambda: posted.of(Snapshot))
        for step in range(many):
            wires.pull(5, up=step % 2 == 1)
        ended = time.monotonic_ns()
        posted.wait(lambda: settled(posted, ended))
        level, edges, lost = account(posted, "beam:A")
        assert level
        assert edges == many or lost > 0  # on this kernel always; what matters is that it is known
        if both == "lgpio":  # the kernel's stamp, not when we heard of it
            stamps = [report.raw or 0 for report in posted if isinstance(report.body, Edge)]
            assert 0 < min(stamps) <= max(stamps) <= ended
        wires.pull(5, up=True)
        posted.wait(lambda: not account(posted, "beam:A")[0])


def settled(posted: Posted, since: int) -> bool:
    """Whether two images of all levels came after `since` with nothing between them."""
    said = [report for report in posted if isinstance(report.body, Edge | Lost | Snapshot)][-2:]
    return all(isinstance(one.body, Snapshot) and one.at > since for one in said)


def account(reports: list[Report], sensor: str) -> tuple[bool, int, int]:
    """What somebody knows who believes the reports: the level, edges that came, edges lost."""
    level, edges, lost, doubt = False, 0, 0, True
    for report in reports:
        match report.body:
            case Edge(name, to) if name == sensor:
                assert to is not level or doubt, "an edge to where it was, and no word of a loss"
                level, edges, doubt = to, edges + 1, False
            case Lost(missing):
                lost, doubt = lost + missing, True
            case Snapshot(high):
                level = sensor in high
    return level, edges, lost


def test_closing_in_the_middle_of_a_burst_leaves_the_library_alive(
    both: str, wires: Wires, posted: Posted
) -> None:
    """A call that comes too late would end lgpio's one thread, and no pin would be heard again."""
    enough = threading.Event()

    def burst() -> None:
        for step in count():
            wires.pull(5, up=step % 2 == 1)
            if enough.is_set():
                return

    storm = threading.Thread(target=burst)
    storm.start()
    try:
        for _ in range(10):
            with Gpio(PINS, posted.append):
                posted.wait(lambda: posted.of(Snapshot))
                since = len(posted)
                posted.wait(lambda since=since: posted.edges(since))
    finally:
        enough.set()
        storm.join()
    since, flips = len(posted), count()

    def heard() -> bool:
        wires.pull(6, up=next(flips) % 2 == 1)
        return "beam:B" in dict(posted.edges(since))

    with Gpio(PINS, posted.append):
        posted.wait(heard)


HOLD = """
import lgpio, sys
lgpio.gpio_claim_input(lgpio.gpiochip_open(0), 13)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_pin_that_another_program_holds_is_said_and_taken_when_free(
    lgpio: None, posted: Posted, tmp_path: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with Gpio(PINS, posted.append):
            why = posted.wait_presence(False).why
            holder.stdin.close()
            posted.wait_presence(True)
            posted.wait(lambda: posted.of(Snapshot))
    sentence(why, "13")


def test_a_pin_that_no_pi_has_is_said(lgpio: None, posted: Posted) -> None:
    with Gpio({5: "beam:A", 77: "beam:B"}, posted.append):
        sentence(posted.wait_presence(False).why, "77")
    assert not posted.of(Edge)


def test_a_machine_without_pins_is_said(lgpio: None, posted: Posted) -> None:
    LIVE.write_text("0")
    try:
        with Gpio(PINS, posted.append):
            sentence(posted.wait_presence(False).why)
    finally:
        LIVE.write_text("1")


def sentence(why: str, *words: str) -> None:
    """One line for people, that names what it is about."""
    assert why
    assert "\n" not in why
    assert "Traceback" not in why
    assert "Error" not in why
    for word in words:
        assert word in why


UNWRITABLE = """
import os, time
from hexboard.devices.gpio import Gpio
from hexboard.facts import Presence
posted = []
with Gpio({5: "beam:A"}, posted.append):
    while not any(isinstance(one.body, Presence) for one in posted):
        time.sleep(0.05)
print(next(one.body for one in posted if isinstance(one.body, Presence)))
print(os.getcwd())
"""


def test_a_working_directory_that_cannot_be_written_is_no_trouble() -> None:
    """lgpio makes a file in it, and systemd starts a service in /. Told another place, lgpio goes
    there with the whole process: then our relative paths would mean something else."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", UNWRITABLE],
        cwd="/sys",  # even root makes no files there
        env=os.environ | {"PYTHONPATH": str(CHECKOUT), "GPIOZERO_PIN_FACTORY": "lgpio"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.stderr == ""
    assert done.stdout == "Presence(up=True, why='', kept=False)\n/sys\n"
