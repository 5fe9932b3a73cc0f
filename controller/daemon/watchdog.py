"""Watchdog: tells systemd that hexboard is up, and then, again and again, that all of it works.

Where one of its threads hangs nothing is said any more, and systemd starts hexboard anew
(hardware/hexboard.service). Under anything else nothing is told to anybody.
"""

import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

Beat = Callable[[], float]
"""When a part last showed that it works, monotonic s."""


class Watchdog:
    """`ready` once, then `turn` by the main loop, which so shows that it works itself."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        patience = environment.get("WATCHDOG_USEC", "")
        self._patience_s = int(patience) / 1e6 if patience.isdecimal() else 0.0
        self._said = 0.0

    def ready(self) -> None:
        """Pages are served and the match is open."""
        self._say("READY=1")

    def turn(self, *beats: Beat) -> None:
        """Say that all works if it does, four times as often as it is waited for."""
        now = time.monotonic()
        if self._patience_s and now - self._said >= self._patience_s / 4:
            if all(now - beat() < self._patience_s / 2 for beat in beats):
                self._say("WATCHDOG=1")
            self._said = now

    def _say(self, text: str) -> None:
        if not self._address:
            return
        address = f"\0{self._address[1:]}" if self._address[0] == "@" else self._address
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.connect(address)
            to.sendall(text.encode())
