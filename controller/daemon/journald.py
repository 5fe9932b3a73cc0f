"""Journald: notices in systemd's journal, with fields to search by, where that is what hears us.

    journalctl --user-unit hexboard -p warning        # what people were told, and nothing else
    journalctl HEXBOARD_NOTICE=slow -o verbose        # when the disk was slow

Written by journald's own protocol (https://systemd.io/JOURNAL_NATIVE_PROTOCOL), one datagram a
line. Anywhere else nothing is logged: the terminal and the pages say it.
"""

import contextlib
import os
import socket
from collections.abc import Mapping

from hexboard.words import ENGLISH, Message, say, speaking

SOCKET = "/run/systemd/journal/socket"
ERROR, WARNING, INFO = 3, 4, 6
"""Priorities, as syslog counts them."""
GRAVE = ("crash", "mistake", "journal", "recording", "secrets", "album")
"""The names of notices by which something does not work."""


class Journald:
    """Notices of the board of this name."""

    def __init__(
        self,
        board: str,
        environment: Mapping[str, str] = os.environ,
        address: str = SOCKET,
    ) -> None:
        self._board, self._address = board, address
        self._heard = environment.get("JOURNAL_STREAM", "") in (_stream(1), _stream(2))

    def note(self, name: str, text: Message, over: bool) -> None:
        """Log that people are told this, or that it is over."""
        if not self._heard:
            return
        with speaking(ENGLISH):
            said = say(text)
        fields = {
            "MESSAGE": f"Over: {said}" if over else said,
            "PRIORITY": str(INFO if over else ERROR if name in GRAVE else WARNING),
            "SYSLOG_IDENTIFIER": "hexboard",
            "HEXBOARD_BOARD": self._board,
            "HEXBOARD_NOTICE": name,
            "HEXBOARD_KEY": text.key,
        }
        line = b"".join(_field(key, value) for key, value in fields.items())
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.setblocking(False)
            to.sendto(line, self._address)


def _field(name: str, value: str) -> bytes:
    """One field; of several lines with its length before."""
    data = value.encode("utf-8", "replace")
    if b"\n" not in data:
        return name.encode() + b"=" + data + b"\n"
    return name.encode() + b"\n" + len(data).to_bytes(8, "little") + data + b"\n"


def _stream(descriptor: int) -> str:
    """What `JOURNAL_STREAM` says where this leads to journald; a shell's children inherit it
    though theirs leads elsewhere."""
    try:
        found = os.fstat(descriptor)
    except OSError:
        return "closed"
    return f"{found.st_dev}:{found.st_ino}"
