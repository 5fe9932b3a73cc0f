"""A Pico on a real USB bus: found, unplugged, plugged in again, rebooted; link and whole daemon."""

import struct
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import serial

from hexboard.commands import board_named
from hexboard.devices.link import Link
from hexboard.devices.ports import find
from hexboard.facts import Edge, Lost, Presence, Snapshot, Watermark
from tests.running import Running
from tests.vm.guest.gadget import Gadget, Pico
from tests.vm.guest.posted import Posted

SENSORS = [f"beam:{number}" for number in range(16)]
PIXELS = 4


@pytest.fixture
def pico() -> Iterator[Pico]:
    with closing(Pico(len(SENSORS), PIXELS)) as pico:
        yield pico


@pytest.fixture
def posted() -> Posted:
    return Posted()


@pytest.fixture
def link(posted: Posted, pico: Pico) -> Iterator[Link]:
    """On a Pico that is plugged in and has answered."""
    pico.plug()
    with Link("auto", SENSORS, posted.append) as link:
        posted.wait(lambda: posted.of(Snapshot))
        yield link


def flips(pico: Pico, count: int, high: set[int]) -> list[tuple[str, bool]]:
    """Change one input after the other, from `high` on; the edges that makes."""
    edges = []
    for step in range(count):
        number = step * 7 % len(SENSORS)
        high ^= {number}
        pico.drive(*high)
        edges.append((SENSORS[number], number in high))
    return edges


def test_a_pico_is_found_by_its_numbers_and_nothing_else_is(posted: Posted) -> None:
    assert find() is None
    with closing(Gadget(0x000A)) as other:  # a Pico that runs something else
        other.plug()
        posted.wait(lambda: Path("/dev/ttyACM0").exists())
        assert find() is None
    posted.wait(lambda: not Path("/dev/ttyACM0").exists())
    with closing(Gadget()) as pico:
        pico.plug()
        assert posted.wait(find) == "/dev/ttyACM0"
        pico.unplug()
        posted.wait(lambda: find() is None)


def test_every_edge_comes_over_usb_once_in_order_with_times_that_rise(
    pico: Pico, link: Link, posted: Posted
) -> None:
    expected = flips(pico, 200, set())
    assert posted.wait_edges(len(expected)) == expected
    stamps = [report.raw or 0 for report in posted if isinstance(report.body, Edge)]
    assert stamps == sorted(stamps)
    assert posted.of(Watermark)
    assert posted.early() == []
    assert not posted.of(Lost)


def test_lights_reach_the_strip(pico: Pico, link: Link) -> None:
    red = struct.pack("8B", 255, 0, 0, 255, 0, 0, 0, 0)
    link.light(red * PIXELS)
    Posted().wait(lambda: pico.shown and pico.shown[-1] == bytes((255, 0, 0)) * PIXELS)


def test_what_happened_while_the_cable_was_out_comes_later(
    pico: Pico, link: Link, posted: Posted
) -> None:
    expected = flips(pico, 3, set())
    posted.wait_edges(3)
    pulled = len(posted)
    pico.unplug()
    assert "/dev/ttyACM0 was unplugged" in posted.wait_presence(False, pulled).why
    posted.wait(lambda: not link.up and link.port == "auto")
    gone = len(posted)
    high = {number for number, name in enumerate(SENSORS) if (name, True) in expected}
    expected += flips(pico, 20, high)
    assert posted.edges(gone) == []
    pico.plug()
    posted.wait_presence(True, gone)
    assert posted.wait_edges(23) == expected
    posted.wait(lambda: posted.of(Snapshot, gone))
    assert set(posted.of(Snapshot, gone)[-1].high) == {SENSORS[number] for number in high}
    assert not posted.of(Lost)


def test_after_a_reboot_the_levels_are_those_of_now(pico: Pico, link: Link, posted: Posted) -> None:
    pico.drive(1, 2)
    posted.wait_edges(2)
    pulled = len(posted)
    pico.unplug()
    posted.wait_presence(False, pulled)
    pico.drive(2, 3)  # nobody sees that: it is off from now on
    gone = len(posted)
    pico.reboot()
    posted.wait_presence(True, gone)
    posted.wait(lambda: posted.of(Snapshot, gone))
    assert set(posted.of(Snapshot, gone)[0].high) == {"beam:2", "beam:3"}
    assert posted.edges(gone) == []
    pico.drive(3)
    assert posted.wait(lambda: posted.edges(gone)) == [("beam:2", False)]


def test_a_port_that_another_program_holds_is_said(pico: Pico, posted: Posted) -> None:
    pico.plug()
    port = posted.wait(find)
    with serial.Serial(port, exclusive=True), Link("auto", SENSORS, posted.append):
        why = posted.wait_presence(False).why
    assert port in why
    assert "in use" in why
    assert not posted.of(Snapshot)


def test_no_pico_is_said_once(posted: Posted) -> None:
    with Link("auto", SENSORS, posted.append):
        why = posted.wait_presence(False).why
        time.sleep(2)  # it looks twice a second
    assert "no Pico found on USB" in why
    assert posted.of(Presence) == [Presence(False, why)]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(*arguments: object) -> Running:
        started.append(Running(tmp_path / "state", *arguments, home=tmp_path))
        return started[-1]

    yield start
    for running in started:
        running.end()


def test_the_daemon_referees_on_a_pico_through_unplug_and_replug(
    tmp_path: Path, run: Callable[..., Running]
) -> None:
    board = board_named(tmp_path, "hextraction-22")
    inputs = {sensor.id: sensor.input for sensor in board.sensors}
    seat = next(sensor.id for sensor in board.sensors if sensor.kind == "seat")

    def link(state: dict[str, Any]) -> Any:
        return next((link for link in state["links"] if link["source"] == "pico"), None)

    with (
        closing(Pico(max(inputs.values()) + 1, len(board.pixels))) as pico,
        run("hextraction-22", "--port", 0).page() as page,
    ):
        page.until(lambda state: "no Pico found" in (link(state) or {}).get("why", ""))
        pico.plug()
        page.until(lambda state: link(state)["up"])
        pico.drive(inputs[seat])
        page.until(lambda state: seat in state["active_sensors"])
        pico.unplug()
        page.until(lambda state: not link(state)["up"] and link(state)["why"])
        pico.drive()
        pico.plug()
        page.until(lambda state: link(state)["up"] and not link(state)["why"])
        page.until(lambda state: seat not in state["active_sensors"])
