"""The Pico's own pins.py over a pretended `machine` and `rp2`: prints what it did.

Arguments: firmware folder, the file that outlives a start. Runs under MicroPython's unix port,
stdin and stdout as the USB.
"""

import sys

sys.path.append(sys.argv[1])

did: list[str] = []


class Pin:
    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number: int, mode: int = 0, pull: int = 0, value: int = 0) -> None:
        self.number = number
        if pull:
            did.append("GP" + str(number) + " pulled up")

    def __call__(self, value: int) -> None:
        did.append("GP" + str(self.number) + "=" + str(value))


class SPI:
    tail = 0

    def __init__(self, number: int, **how: object) -> None:
        pass

    def readinto(self, image: bytearray) -> None:
        image[:] = b"\xff" * (len(image) - 2) + b"\x7e" + bytes((SPI.tail,))


class StateMachine:
    def __init__(self, number: int, program: object, freq: int, sideset_base: Pin) -> None:
        did.append("machine " + str(number) + " on GP" + str(sideset_base.number))

    def active(self, on: int) -> None:
        pass


class DMA:
    def pack_ctrl(self, size: int, inc_write: bool, treq_sel: int) -> int:
        return 7

    def config(self, read: bytearray, write: object, count: int, ctrl: int, trigger: bool) -> None:
        self.read = read
        did.append("strip " + str(count) + " " + str(sum(read)))


class WDT:
    def __init__(self, timeout: int) -> None:
        did.append("watched for " + str(timeout))

    def feed(self) -> None:
        did.append("fed")


class Module:
    pass


machine, rp2, micropython, clock = Module(), Module(), Module(), Module()
machine.Pin, machine.SPI = Pin, SPI  # type: ignore[attr-defined]
machine.WDT_RESET = 3  # type: ignore[attr-defined]
machine.reset_cause = lambda: 3  # type: ignore[attr-defined]
machine.WDT = WDT  # type: ignore[attr-defined]
machine.reset = lambda: did.append("reset")  # type: ignore[attr-defined]
rp2.StateMachine, rp2.DMA = StateMachine, DMA  # type: ignore[attr-defined]
rp2.PIO = Module()  # type: ignore[attr-defined]
rp2.PIO.OUT_LOW = rp2.PIO.SHIFT_LEFT = rp2.PIO.JOIN_TX = 0  # type: ignore[attr-defined]
rp2.asm_pio = lambda **how: lambda program: program  # type: ignore[attr-defined]
micropython.kbd_intr = lambda key: did.append("kbd " + str(key))  # type: ignore[attr-defined]
clock.now = 0  # type: ignore[attr-defined]
clock.ticks_us = lambda: clock.now  # type: ignore[attr-defined]
clock.ticks_diff = (  # type: ignore[attr-defined]
    lambda end, start: ((end - start + (1 << 29)) & 0x3FFFFFFF) - (1 << 29)
)
for name, module in (
    ("time", clock),
    ("machine", machine),
    ("rp2", rp2),
    ("micropython", micropython),
):
    sys.modules[name] = module  # type: ignore[assignment]

import kept  # type: ignore[import-not-found]  # noqa: E402

kept.FILE = sys.argv[2]
kept.put(kept.FILE, kept.WORKS)

import pins  # type: ignore[import-not-found]  # noqa: E402

image = bytearray(19)
assert pins.look(image)
assert bytes(image) == bytes(18) + b"\x81", image
SPI.tail = 1
image[0] = 9
assert not pins.look(image)
assert image[0] == 9  # what is not believed is not there
for now, begins in ((0, False), (4899, False), (4900, True), (9799, False), (9800, True)):
    clock.now = now & 0x3FFFFFFF  # type: ignore[attr-defined]
    assert pins.idle() == begins, now
    if begins:
        pins.show(b"\1" * 450)  # 4.5 ms, and 0.4 for the lights to take it over
clock.now = 9800 + (1 << 29) + 99  # type: ignore[attr-defined]
assert pins.idle()  # long after, too
inbox = bytearray(5)
assert pins.read(inbox) == 3, inbox
assert bytes(inbox[:3]) == b"a\3b", inbox
assert 0 <= pins.ticks() < 1 << 30
for _ in range(1000):
    drawn = pins.fresh()
    assert len(drawn) == 4, drawn
    assert 0 not in drawn, drawn
    assert 3 not in drawn, drawn
assert pins.wait(1)
assert pins.write(b"-" * 100 + b"\n", 90, 101) == 11


class Full:
    """A USB that takes 10 bytes more, and then none."""

    def write(self, buffer: bytes, start: int, size: int) -> "int | None":
        taken, self.room = min(size, self.room), 0
        return taken or None

    room = 10


pins._stdout = Full()
assert pins.write(bytes(64), 0, 64) == 10
assert pins.write(bytes(64), 10, 64) == 0
assert pins.WHY.startswith("the watchdog"), pins.WHY
assert kept.read(kept.FILE) == kept.WORKS
pins.guard()
pins.feed()
try:
    [][0]
except Exception as error:
    pins.fail(error)
assert kept.read(kept.FILE).startswith("IndexError: list index out of range (pico.py:")
assert kept.begin(kept.FILE, True).startswith("IndexError")  # which the watchdog did not cause
pins.stop()
assert kept.read(kept.FILE) == kept.STAY
print(" ".join(did))
