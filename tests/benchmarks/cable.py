"""A USB cable between hexboard and a Pico: it can be pulled, and can carry rubbish.

The Pico is the real firmware on a pseudo-terminal of its own; it keeps its power, and what it felt,
while the cable is out. `port` leads to the end that hexboard opens.
"""

import os
import pty
import random
import select
import threading
import time
import tty
from pathlib import Path

from hexboard.simulator.twin import Twin


class Cable:
    """From `port` to a Pico with so many inputs and pixels. `close` it."""

    def __init__(self, port: Path, inputs: int, pixels: int) -> None:
        self.port = port
        self._twin = Twin(inputs, pixels)
        self._twin.drive(bytes((inputs + 7) // 8))
        self._pico = os.open(self._twin.port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._pico)
        self._host = -1
        self._lock = threading.Lock()
        self._over = False
        self.plug()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def plug(self) -> None:
        """It is in: the port is there."""
        host, end = pty.openpty()
        tty.setraw(end)
        name = os.ttyname(end)
        with self._lock:
            self._host, self._end = host, end
        fresh = self.port.with_suffix(".new")
        fresh.symlink_to(name)
        fresh.replace(self.port)

    def pull(self) -> None:
        """It is out: the port is gone, and whoever has it open meets an error."""
        self.port.unlink(missing_ok=True)
        with self._lock:
            os.close(self._host)
            os.close(self._end)
            self._host = -1

    def rubbish(self, size: int, dice: random.Random) -> None:
        """So many bytes of noise reach hexboard, as fast as it reads."""
        data = dice.randbytes(size)
        while data:
            with self._lock:
                data = data[os.write(self._host, data[:1024]) :]

    def flood(self, seconds: float, dice: random.Random) -> None:
        """All inputs do as they like for so long, as wires do that lie beside each other loose."""
        size, end = (self._twin.inputs + 7) // 8, time.monotonic() + seconds
        while time.monotonic() < end:
            self._twin.drive(dice.randbytes(size))
        self._twin.drive(bytes(size))

    def close(self) -> None:
        self._over = True
        self._thread.join()
        if self._host >= 0:
            self.pull()
        os.close(self._pico)
        self._twin.close()

    def _carry(self) -> None:
        while not self._over:
            with self._lock:
                host = self._host
                ends = [self._pico] if host < 0 else [self._pico, host]
                ready, _, _ = select.select(ends, [], [], 0)
                for end in ready:
                    self._pass(end)
            if not ready:
                time.sleep(0.001)

    def _pass(self, end: int) -> None:
        """What comes out of one end goes into the other, or is lost where that is not there."""
        try:
            data = os.read(end, 4096)
            other = self._host if end == self._pico else self._pico
            if other >= 0:
                os.write(other, data)
        except OSError:
            return
