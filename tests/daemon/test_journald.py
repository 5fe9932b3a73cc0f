"""Notices in systemd's journal: what a socket in journald's place is sent.

The datagrams are taken apart as https://systemd.io/JOURNAL_NATIVE_PROTOCOL describes them.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hexboard.daemon.journald import Journald
from hexboard.daemon.notices import Notices
from hexboard.words import message, speaking


@pytest.fixture
def journald(tmp_path: Path) -> Iterator[socket.socket]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as at:
        at.bind(str(tmp_path / "journald"))
        at.setblocking(False)
        yield at


def read(data: bytes) -> dict[str, str]:
    fields = {}
    while data:
        name, data = data.split(b"\n", 1)
        if b"=" in name:
            name, value = name.split(b"=", 1)
        else:
            size = int.from_bytes(data[:8], "little")
            value, data = data[8 : 8 + size], data[9 + size :]
        fields[name.decode()] = value.decode()
    return fields


def ours() -> dict[str, str]:
    """As systemd tells a service that journald hears it."""
    found = os.fstat(2)
    return {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"}


def test_what_people_are_told_is_logged_with_fields(
    journald: socket.socket, tmp_path: Path
) -> None:
    log = Journald("hexhex-5", ours(), str(tmp_path / "journald"))
    notices = Notices([], lambda: None, log.note)
    with speaking("de"):
        notices.tell("slow", message("journal.slow", seconds=3))
        notices.tell("slow", message("journal.slow", seconds=3))  # no news
        notices.drop("slow", "never told")
        notices.tell("journal", message("journal.failed", why="the disk\nis full"))
    slow, over, failed = (read(journald.recv(9999)) for _ in range(3))
    assert slow == {
        "MESSAGE": "The disk is slow: to save a move takes 3 s. Lights and pages go on; a move is"
        " final when it is saved.",
        "PRIORITY": "4",
        "SYSLOG_IDENTIFIER": "hexboard",
        "HEXBOARD_BOARD": "hexhex-5",
        "HEXBOARD_NOTICE": "slow",
        "HEXBOARD_KEY": "journal.slow",
    }
    assert (over["PRIORITY"], over["MESSAGE"][:18]) == ("6", "Over: The disk is ")
    assert failed["PRIORITY"] == "3"
    assert "the disk\nis full" in failed["MESSAGE"]
    with pytest.raises(BlockingIOError):
        journald.recv(9999)


@pytest.mark.parametrize("environment", [{}, {"JOURNAL_STREAM": "0:0"}, {"JOURNAL_STREAM": "x"}])
def test_a_terminal_that_journald_does_not_hear_is_left_alone(
    environment: dict[str, str], journald: socket.socket, tmp_path: Path
) -> None:
    Journald("b", environment, str(tmp_path / "journald")).note(
        "slow", message("front.changing"), False
    )
    with pytest.raises(BlockingIOError):
        journald.recv(9999)


def test_a_journald_that_is_away_or_full_holds_nothing_up(tmp_path: Path) -> None:
    address = str(tmp_path / "none")
    Journald("b", ours(), address).note("slow", message("front.changing"), False)
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as deaf:
        deaf.bind(address)
        log = Journald("b", ours(), address)
        for _ in range(1000):
            log.note("slow", message("front.changing"), False)
