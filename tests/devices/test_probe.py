"""The probe: what a board says of itself, and every way in which none is there."""

import os
import pty
import struct
import time
import tty
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from serial import Serial

from hexboard.devices import probe as module
from hexboard.devices.probe import NoBoardError, NoPortError, Probe, probing
from hexboard.devices.session import InputChange, wrap
from hexboard.simulator.twin import Twin
from hexboard.words import speaking
from tests.running import PATIENCE, eventually

INPUTS, PIXELS = 20, 4
IMAGE = b"\2\0\x08"
"""Inputs 1 and 19 are active."""


class Board(Twin):
    """A twin that remembers what its strip showed, and how it ended."""

    def __init__(self) -> None:
        self.strips: list[bytes] = []
        self.exits: list[str] = []
        super().__init__(INPUTS, PIXELS, self.strips.append, self.exits.append)
        self.drive(IMAGE)


@pytest.fixture
def board() -> Iterator[Board]:
    with closing(Board()) as board:
        yield board


def turn_until(probe: Probe, true: Any) -> list[Any]:
    """What changed until `true` was."""
    changed: list[Any] = []
    end = time.monotonic() + PATIENCE
    while not true(changed):
        assert time.monotonic() < end, changed
        changed += probe.turn()
    return changed


def test_a_board_says_how_often_it_looks(board: Board) -> None:
    with probing(board.port) as probe:
        turn_until(probe, lambda _: probe.seen.look_us is not None)
        assert 0 < (probe.seen.look_us or 0) <= probe.seen.longest_us


def test_a_board_says_who_it_is_and_what_it_sees(board: Board) -> None:
    with probing(board.port) as probe:
        turn_until(probe, lambda _: probe.seen.round_trip_us is not None)
        seen = probe.seen
        assert (seen.port, seen.inputs, seen.pixels) == (board.port, INPUTS, PIXELS)
        assert seen.firmware.startswith("hexboard ")
        assert seen.chain
        assert (seen.edges, seen.lost, seen.bad_here, seen.bad_there) == (0, 0, 0, 0)
        turn_until(probe, lambda _: seen.high == (1, 19))
        assert 0 < (seen.round_trip_us or 0) < 1_000_000


def test_damage_that_the_board_counted_before_is_not_of_this_hour(board: Board) -> None:
    """Two hosts, one after the other: what the first one's wire did is no news to the second."""
    with probing(board.port) as probe:
        turn_until(probe, lambda _: probe._session.bad_there == 0)  # it has told how many there are
        probe._serial.write(b"\7\7\7\7\0\7\7\0")
        turn_until(probe, lambda _: probe.seen.bad_there == 2)
    with probing(board.port) as probe:
        turn_until(probe, lambda _: probe._session.bad_there == 2)
        assert probe.seen.bad_there == 0


def test_changes_are_seen_and_lights_are_shown(board: Board) -> None:
    with probing(board.port) as probe:
        turn_until(probe, lambda _: probe.seen.high == (1, 19))
        board.drive(b"\0\0\x0a")
        changed = turn_until(probe, lambda changed: len(changed) >= 2)
        edges = [(one.input, one.level) for one in changed if isinstance(one, InputChange)]
        assert edges[-2:] == [(1, False), (17, True)]
        probe.light(bytes((1, 2, 3, 0, 0, 0, 0, 0)) * PIXELS)
        turn_until(probe, lambda _: board.strips[-1:] == [bytes((1, 2, 3)) * PIXELS])


def test_a_board_is_dark_until_it_confirms_what_its_rails_may_give(board: Board) -> None:
    """240 levels for 4 white lights of 120: each is dimmed by half."""
    with probing(board.port) as probe:
        probe.limit(struct.pack("<HBxI", PIXELS, 0, 240))
        assert "stays dark" in probe.unlit
        probe.light(bytes((40, 40, 40, 0, 0, 0, 0, 0)) * PIXELS)
        turn_until(probe, lambda _: board.strips[-1:] == [bytes((20,)) * 3 * PIXELS])
        assert not probe.unlit


def test_a_chain_that_does_not_answer_is_seen_at_once_and_when_it_is_back(board: Board) -> None:
    with probing(board.port) as probe:
        board.chain(right=False)
        turn_until(probe, lambda _: not probe.seen.chain)
        board.chain(right=True)
        turn_until(probe, lambda _: probe.seen.chain)


def test_stop_ends_the_firmware(board: Board) -> None:
    with probing(board.port) as probe:
        probe.stop()
    eventually(lambda: board.exits)
    assert board.exits == ["the firmware twin ended (0)"]


def test_a_board_that_goes_is_told_in_words(board: Board) -> None:
    with probing(board.port) as probe:
        board.unplug()
        with pytest.raises(NoBoardError, match=r"was unplugged\.$"):
            turn_until(probe, lambda _: False)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 1.0)


@pytest.mark.parametrize(
    ("says", "words"),
    [
        (b"", "does not answer: pull its USB cable"),
        (b"\xf0\x81" * 300, "is it the right port (settings.toml, [link])?"),
        (b"MicroPython v1.24.1 on 2024-11-29\r\n>>> ", "hexboard firmware install."),
        (wrap(1, 0, 1, bytes((9, 0))), "update hexboard on this computer"),
        (b"Traceback:\r\nImportError: no module named 'wiring'\r\n", "no module named 'wiring'"),
    ],
    ids=["silent", "other", "prompt", "newer", "crashed"],
)
@pytest.mark.usefixtures("patience")
def test_what_is_no_board_of_ours_is_told_in_words(says: bytes, words: str) -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    try:
        Thread(target=lambda: os.read(master, 1) and os.write(master, says)).start()
        with pytest.raises(NoBoardError) as told, probing(os.ttyname(slave)):
            pass
        assert words in str(told.value)
        assert not isinstance(told.value, NoPortError)
    finally:
        os.close(master)
        os.close(slave)


def test_what_is_no_port_is_told_in_words(tmp_path: Path, board: Board) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(b"x")
    with Serial(board.port, exclusive=True):
        for port, words in (
            ("/dev/there-is-none", "no board on /dev/there-is-none: is its USB cable in?"),
            (str(plain), "is a file, not a serial port"),
            (str(tmp_path), "is a directory, not a serial port"),
            ("E66138935F6F2C2A", "no board with the serial number E66138935F6F2C2A"),
            (board.port, "is in use by another program"),
        ):
            with pytest.raises(NoPortError) as told, probing(port):
                pass
            assert words in str(told.value)


def test_why_no_board_is_there_is_said_in_the_language_that_is_spoken(tmp_path: Path) -> None:
    for port, words in (
        ("/dev/there-is-none", "kein Brett an /dev/there-is-none: steckt sein USB-Kabel?"),
        (
            str(tmp_path),
            f"{tmp_path} ist ein Ordner, kein serieller Anschluss (settings.toml, [link]).",
        ),
    ):
        with pytest.raises(NoPortError) as told, probing(port):
            pass
        with speaking("de"):
            assert str(told.value) == words


def test_a_mistake_of_the_caller_is_not_blamed_on_the_board(board: Board) -> None:
    with suppress(NoBoardError), pytest.raises(OSError, match="mine"), probing(board.port):
        raise OSError("mine")
