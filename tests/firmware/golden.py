"""docs/golden/link.json against the firmware: prints "agreed n". Arguments: firmware folder, file.

Every frame is decoded and encoded again, and every frame of the device is one that a device in
front of FakePins really sends. Runs under MicroPython and CPython.
"""

import json
import sys

sys.path.append(sys.argv[1])
sys.path.append(__file__.rsplit("/", 1)[0])

from fake_pins import FakePins  # type: ignore[import-not-found]
from frame import Decoder, Encoder, crc16  # type: ignore[import-not-found]
from main import Device  # type: ignore[import-not-found]


def unhex(text: str) -> bytes:
    return bytes(int(text[i : i + 2], 16) for i in range(0, len(text), 2))


with open(sys.argv[2]) as file:
    frames = json.load(file)["frames"]

assert crc16(b"123456789", 9) == 0x29B1

for one in frames:
    frame, wire = unhex(one["frame"]), unhex(one["wire"])
    decoder = Decoder(400)
    assert decoder.take(wire, 0, len(wire)) == len(wire)
    assert bytes(decoder.frame[: decoder.length]) == frame[:-2], one["name"]
    encoder = Encoder(400)
    encoder.body[: len(frame) - 2] = frame[:-2]
    assert bytes(encoder.wire[: encoder.seal(len(frame) - 2)]) == wire, one["name"]

by_name = {one["name"]: unhex(one["wire"]) for one in frames}
NOBODY, OURS = "host hello, to whom it may concern", "host hello, naming the session"

# A device of three pixels, whose files say no build

pins = FakePins(11, 3)
device = Device(pins)


def turn(now: int, *heard: str) -> bytes:
    """What the device says when it hears these at `now`."""
    pins.now = now
    pins.outbox = bytearray()
    for name in heard:
        pins.inbox += by_name[name]
    while device.turn():
        pass
    return bytes(pins.outbox)


pins.drawn = 0
assert by_name["device hello"] in turn(0, NOBODY)
turn(1000, OURS)
pins.image[:] = b"\1\4"
assert by_name["two edges in one look"] == turn(2000)
turn((1 << 30) + 500, "ack")  # the host is still here
pins.image[:] = b"\1\0"
assert by_name["an edge after the tick has wrapped"] in turn((1 << 30) + 1000)
turn((1 << 30) + 1000, "ack")
assert turn((1 << 30) + 1000, OURS).endswith(by_name["snapshot"])
lights = "lights for three pixels: steady, blink, count 3"
turn((1 << 30) + 2000, lights)
turn((1 << 30) + 36000)
assert pins.shown[-1] == bytes((0, 255, 0, 255, 0, 0, 0, 0, 0)), pins.shown
pins.inbox += b"noise\0more\0"
said = turn((1 << 30) + 40000, "ping", lights)
assert by_name["pong"] in said
assert by_name["status"] in said
pins.right = False
pins.image[:] = b"\xff\7"
for _ in range(4):  # one look that is misread tells nothing, nor do four
    assert turn((1 << 30) + 40000) == b""
assert by_name["snapshot of a chain that reads wrong"] == turn((1 << 30) + 41000)
turn((1 << 30) + 42000, "stop")
assert device.stopped

# One of 34, which tells of what files it is and why it ended before

pins = FakePins(11, 34, b"0a1b2c3d")
pins.WHY = "ValueError: x"
device = Device(pins)
pins.drawn = 0
assert by_name["device hello, with its build and why it ended before"] == turn(0, NOBODY)
turn(1000, OURS)
assert by_name["snapshot of a device that holds limits"] == turn(1500, "limits of two rails")
pins.image[:] = b"\1\4"
assert by_name["two edges in one look"] == turn(2000)
pins.image[:] = b"\1\0"
turn(3000)
turn(4000, "ack")
turn(5000, "lights for 34 pixels: more than one COBS block")
turn(50000, "changes of two runs of the 34 pixels")
turn(100000)
assert pins.shown[-1][3 * 2 : 3 * 3] == bytes((0, 0, 255)), pins.shown
assert pins.shown[-1][3 * 30 :][:6] == bytes((9, 9, 9, 0, 0, 0)), pins.shown

# One that looks four times

pins = FakePins(11, 3)
device = Device(pins)
pins.drawn = 0
turn(0, NOBODY)
turn(1000, OURS)
turn(300000, "ack")
assert by_name["looks: four in a second"] in turn(1000000)

print("agreed", len(frames))
