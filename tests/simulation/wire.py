"""The wire: a serial line, and a Pico on it whose firmware is the real one, run by CPython.

The firmware takes its turns when something has come, or is due; a real one takes some 3,000 a
second, in which nothing happens.
"""

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

from hexboard.devices.link import WAIT_S
from tests.firmware import firmware
from tests.simulation.scheduler import Scheduler, Task

PORT = "/dev/ttySIM0"
DESCRIPTOR = -1000
"""Of its port: no real one."""
SOON_NS, HELLO_NS = 1_000_000, 250_000_000
PAINTS_NS = 250_000_000
"""The strip takes a new picture so often: that costs CPython most of all."""
TURNS = 200
"""At once, at most."""
FULL = 50
"""Of so many writes the port takes not all of one at once."""


class Felt(NamedTuple):
    """An input of the board changed."""

    sensor: str
    level: bool
    at: int
    """ns."""
    met: bool
    """The Pico and the daemon knew each other; else it may be one of those that a Pico keeps."""


class Pins:
    """What the firmware knows as the module `pins`."""

    ORDER, WHY = "GRB", ""

    def __init__(self, line: "Line", inputs: int, pixels: int, build: str) -> None:
        self.INPUTS, self.PIXELS, self.BUILD = inputs, pixels, build.encode()
        self._line = line
        self._began = line.scheduler.now
        self.image = bytearray((inputs + 7) // 8)
        self.inbox = bytearray()
        self.strip = b""
        self._painted = -PAINTS_NS

    def ticks(self) -> int:
        return (self._line.scheduler.now - self._began) // 1000 & 0x3FFFFFFF

    def fresh(self) -> bytes:
        return self._line.dice.randbytes(3) + b"\1"

    def look(self, image: bytearray) -> bool:
        image[:] = self.image
        return True

    def read(self, buffer: bytearray) -> int:
        count = min(len(buffer), len(self.inbox))
        buffer[:count] = self.inbox[:count]
        del self.inbox[:count]
        return count

    def write(self, buffer: bytearray, start: int, end: int) -> int:
        self._line.to_host(bytes(buffer[start:end]))
        return end - start

    def idle(self) -> bool:
        now = self._line.scheduler.now
        if now - self._painted >= PAINTS_NS:
            self._painted = now
        return self._painted == now

    def show(self, wire: bytearray) -> None:
        self.strip = bytes(wire)


class Line:
    """A cable with a Pico at its end. `plug`, `unplug`, `reboot`; `noise` is how often a byte is
    spoiled, in 100,000."""

    def __init__(
        self, scheduler: Scheduler, dice: Random, inputs: int, pixels: int, build: str
    ) -> None:
        self.scheduler, self.dice = scheduler, dice
        self._sizes = inputs, pixels, build
        self.plugged, self.pulled = True, 0
        self.noise = 0
        self.hung = False
        self._port: Port | None = None
        self._turning = 0
        self._there: dict[str, int] = {}
        """When the last bytes to each end come there, ns."""
        self.pins = Pins(self, *self._sizes)
        self.reboot()

    def reboot(self) -> None:
        """The Pico starts anew, with what its inputs are."""
        image = self.pins.image
        self.pins = Pins(self, *self._sizes)
        self.pins.image[:] = image
        self.device: Any = firmware("main").Device(self.pins)
        self._soon()

    def unplug(self) -> None:
        """The cable is pulled, which was the Pico's supply."""
        self.plugged, self.pulled = False, self.scheduler.now
        if self._port is not None:
            self._port.broken()

    def plug(self) -> None:
        self.plugged = True
        self.reboot()

    def works(self) -> None:
        """It hangs no more."""
        self.hung = False
        self._soon()

    def feel(self, index: int, level: bool) -> bool:
        """An input has this level; whether it had another."""
        bit, before = 1 << index % 8, self.pins.image[index // 8]
        now = before | bit if level else before & ~bit
        self.pins.image[index // 8] = now
        self._turn()
        return now != before

    @property
    def works_now(self) -> bool:
        """It is there, and does not hang."""
        return self.plugged and not self.hung

    @property
    def frame(self) -> bytes:
        """The first colour of each pixel of the frame that the Pico was sent."""
        frame = self.device.pixels._frame
        return b"".join(frame[at : at + 3] for at in range(0, len(frame), 8))

    @property
    def lit(self) -> int:
        """Lights that are on."""
        strip = self.pins.strip
        return sum(any(strip[at : at + 3]) for at in range(0, len(strip), 3))

    # ------------------------------------------------------------------------------ the bytes

    def to_host(self, data: bytes) -> None:
        port = self._port
        if port is not None:
            data = self._spoiled(data)
            self._after("host", lambda: port.come(data))

    def to_device(self, data: bytes) -> None:
        pins, data = self.pins, self._spoiled(data)

        def come() -> None:
            pins.inbox += data
            self._turn()

        self._after("device", come)

    def _after(self, to: str, call: Callable[[], None]) -> None:
        """What is on the wire takes its time; it overtakes nothing."""
        there = self.scheduler.now + self.dice.randrange(100_000, 900_000)
        self._there[to] = max(self._there.get(to, 0) + 1, there)
        self.scheduler.at(self._there[to], call)

    def _spoiled(self, data: bytes) -> bytes:
        if self.noise and self.dice.randrange(100_000) < self.noise * len(data):
            at = self.dice.randrange(len(data))
            return data[:at] + self.dice.randbytes(self.dice.randrange(3)) + data[at + 1 :]
        return data

    # --------------------------------------------------------------------------- the firmware

    def _turn(self) -> None:
        if not self.plugged or self.hung:
            return
        for _ in range(TURNS):
            more = self.device.turn()
            if not more or not (self.pins.inbox or self.pins.idle()):
                break
        self._wait(self._next())

    def _next(self) -> int:
        """In how many ns something is due."""
        device = self.device
        if not device.present:
            return HELLO_NS
        if device.owed or device.sent != device.scan.first:
            return SOON_NS
        now = self.pins.ticks()
        since = (now - int(device.status_at)) & 0x3FFFFFFF
        return max(SOON_NS, 1000 * (int(device.status_every(now)) - since))

    def _soon(self) -> None:
        self._wait(self.dice.randrange(SOON_NS))

    def _wait(self, wait_ns: int) -> None:
        self._turning += 1
        number = self._turning

        def due() -> None:
            if number == self._turning:
                self._turn()

        self.scheduler.after(wait_ns, due)

    # ------------------------------------------------------- what the link's modules are given

    def serial(self) -> SimpleNamespace:
        """Stands for the module `serial`."""
        return SimpleNamespace(Serial=self._open)

    def write(self, descriptor: int, data: bytes) -> int:
        """Stands for `os.write`; now and then the port takes only a part, or nothing."""
        if self._port is None or descriptor != DESCRIPTOR:
            raise OSError(9, "Bad file descriptor")
        return self._port.write_at_once(data)

    def _open(self, port: str, _: int, **__: Any) -> "Port":
        self.scheduler.breathe(always=True)
        if not self.plugged:
            raise OSError(2, f"could not open port {port}: No such file or directory")
        self._port = Port(self)
        return self._port

    def closed(self, port: "Port") -> None:
        if self._port is port:
            self._port = None


class Port:
    """What `serial.Serial` gives."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._buffer = bytearray()
        self._reads: Task | None = None
        self._broken = False

    def come(self, data: bytes) -> None:
        self._buffer += data
        self.cancel_read()

    def broken(self) -> None:
        self._broken = True
        self.cancel_read()

    def cancel_read(self) -> None:
        if self._reads is not None:
            self._line.scheduler.wake(self._reads)

    def came(self) -> bytes:
        """Stands for `link.come`."""
        scheduler = self._line.scheduler
        if not self._buffer and not self._broken:
            self._reads = scheduler.current
            try:
                scheduler.park(WAIT_S)
            finally:
                self._reads = None
        else:
            scheduler.breathe()
        if self._broken:
            raise OSError("device reports readiness to read but returned no data")
        data = bytes(self._buffer)
        self._buffer.clear()
        return data

    def write(self, data: bytes) -> None:
        if self._broken:
            raise OSError(5, "Input/output error")
        self._line.to_device(data)

    def write_at_once(self, data: bytes) -> int:
        dice, taken = self._line.dice, len(data)
        if not dice.randrange(FULL):
            taken = dice.randrange(len(data) + 1)
            if not taken:
                raise BlockingIOError
        self.write(data[:taken])
        return taken

    def fileno(self) -> int:
        return DESCRIPTOR

    def __enter__(self) -> "Port":
        return self

    def __exit__(self, *_: object) -> None:
        self._line.closed(self)
