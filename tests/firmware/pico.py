"""The Pico's own pins.py over a pretended `machine` and `neopixel`: prints what it did.

Argument: firmware folder. Runs under MicroPython's unix port, stdin and stdout as the USB.
"""

import sys

sys.path.append(sys.argv[1])

did: list[str] = []


class Pin:
    OUT = 1

    def __init__(self, number: int, mode: int = 0, value: int = 0) -> None:
        self.number = number

    def __call__(self, value: int) -> None:
        did.append("GP" + str(self.number) + "=" + str(value))


class SPI:
    def __init__(self, number: int, **how: object) -> None:
        pass

    def readinto(self, image: bytearray) -> None:
        image[:] = b"\xff" * (len(image) - 1) + b"\x7e"


class Strip:
    def __init__(self, pin: Pin, count: int) -> None:
        self.buf = bytearray(3 * count)

    def write(self) -> None:
        did.append("strip " + str(sum(self.buf)))


class Module:
    pass


machine, neopixel, micropython = Module(), Module(), Module()
machine.Pin, machine.SPI = Pin, SPI  # type: ignore[attr-defined]
neopixel.NeoPixel = Strip  # type: ignore[attr-defined]
micropython.kbd_intr = lambda key: did.append("kbd " + str(key))  # type: ignore[attr-defined]
sys.modules["machine"] = machine  # type: ignore[assignment]
sys.modules["neopixel"] = neopixel  # type: ignore[assignment]
sys.modules["micropython"] = micropython  # type: ignore[assignment]

import pins  # type: ignore[import-not-found]  # noqa: E402

image = bytearray(19)
pins.look(image)
assert bytes(image) == bytes(18) + b"\x81", image
pins.show(b"\1" * 450)
inbox = bytearray(5)
assert pins.read(inbox) == 3, inbox
assert bytes(inbox[:3]) == b"a\3b", inbox
assert 0 <= pins.ticks() < 1 << 30
assert len(pins.fresh()) == 4
assert pins.wait(1)
assert pins.write(b"-" * 100 + b"\n", 90, 101) == 11
print(" ".join(did))
