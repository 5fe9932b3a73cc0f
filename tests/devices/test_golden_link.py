"""The host's half of the link against docs/golden/link.json, frame by frame."""

import json
import struct
from pathlib import Path
from typing import Any

from hexboard.devices import session
from hexboard.devices.session import (
    DeviceLooks,
    Echo,
    Image,
    InputChange,
    Met,
    Session,
    unwrap,
    wrap,
)
from hexboard.facts import MS

GOLDEN = Path(__file__).parents[2] / "docs" / "golden" / "link.json"
FRAMES: dict[str, dict[str, Any]] = {
    one["name"]: one for one in json.loads(GOLDEN.read_text())["frames"]
}
HELLO = "device hello, with its build and why it ended before"
WRAPPED = 1 << 30
"""Ticks of a device whose clock has gone round once."""


class Host:
    """A session on one side, golden frames on the other."""

    def __init__(self, waits: bytes = b"") -> None:
        self.session = Session(waits)
        self.now = 0

    def hears(self, *names: str) -> list[Any]:
        """What the session makes of these frames, beside how late it is at the device."""
        data = b"".join(bytes.fromhex(FRAMES[name]["wire"]) for name in names)
        heard = self.session.receive(data, self.now)
        return [one for one in heard if isinstance(one, Met | Image | InputChange | DeviceLooks)]

    def says(self) -> list[bytes]:
        """The frames that it sends now, each as on the wire."""
        self.now += MS
        return [block + b"\0" for block in self.session.send(self.now).split(b"\0")[:-1]]

    def lights(self, frame: bytes) -> list[bytes]:
        self.session.light(frame)
        return self.says()

    def shows(self, number: int) -> None:
        """The device takes the lights of this number."""
        said = struct.pack("<IHHI", 40_000, 0, number, 0)
        status = FRAMES["status"]["type"]
        assert not list(self.session.receive(wrap(status, 3, number + 1, said), self.now))[1:]


def golden(name: str) -> bytes:
    return bytes.fromhex(FRAMES[name]["wire"])


def pixels(name: str) -> bytes:
    return b"".join(map(bytes, FRAMES[name]["fields"]["pixels"]))


def met(limits: bytes = b"") -> Host:
    """A host that the device with a build has greeted, and that said what it owes for that."""
    host = Host()
    host.session.limit(limits)
    host.says()
    assert host.hears(HELLO) == [Met(11, 34, "hexboard 0.1.0", True, "0a1b2c3d", "ValueError: x")]
    return host


def test_it_greets() -> None:
    """The first has a byte more: a Pico that is starting would take a byte 3 for Ctrl-C."""
    host = Host()
    (first,) = host.says()
    told, kept = unwrap(first[:-1]), unwrap(golden("host hello, to whom it may concern")[:-1])
    assert told is not None
    assert kept is not None
    assert told[: len(kept)] == kept
    assert host.hears("device hello") == [Met(11, 3, "hexboard 0.1.0", True)]
    assert golden("host hello, naming the session") in host.says()


def test_it_says_when_it_waits_for_watermarks() -> None:
    name = "host hello, naming the session and its waits"
    host = Host(bytes(us // 20 for us in FRAMES[name]["fields"]["waits_us"]))
    host.says()
    host.hears("device hello")
    assert golden(name) in host.says()


def test_it_says_limits_until_the_device_holds_them_and_then_lights() -> None:
    name = "limits of two rails"
    runs = FRAMES[name]["fields"]["runs"]
    host = met(b"".join(struct.pack("<HBBI", until, rail, 0, most) for until, rail, most in runs))
    kinds = FRAMES["limits of two rails"]["type"], FRAMES["host hello, naming the session"]["type"]
    said = host.lights(bytes(8))
    assert golden(name) in said
    assert host.hears("snapshot of a device that holds limits") == [Image(b"\0\0", 1500)]
    said = host.says()
    assert [frame for frame in said if (unwrap(frame[:-1]) or b" ")[0] in kinds] == []
    assert (
        wrap(FRAMES["lights for three pixels: steady, blink, count 3"]["type"], 1, 0, bytes(8))
        in said
    )


def test_it_reads_what_the_device_feels_and_lights_it() -> None:
    host = met()
    host.says()
    assert host.hears("two edges in one look", "an edge after the tick has wrapped") == [
        InputChange(0, True, 2000),
        InputChange(10, True, 2000),
        InputChange(10, False, WRAPPED + 1000),
    ]
    assert golden("ack") in host.says()
    assert host.hears("snapshot") == [Image(b"\1\0", WRAPPED + 1000)]
    assert host.hears("snapshot of a chain that reads wrong") == [
        Image(b"\1\0", WRAPPED + 41_000, wrong=True)
    ]
    assert host.hears("looks: four in a second") == [DeviceLooks(4, 1_000_000, 700_000, 700_000)]
    for number in range(1, 7):
        host.lights(bytes((number, *bytes(7))))
        host.shows(number)
    three = "lights for three pixels: steady, blink, count 3"
    assert golden(three) in host.lights(pixels(three))
    host.hears("status")
    assert (host.session.shown, host.session.bad_there) == (7, 2)
    many = "lights for 34 pixels: more than one COBS block"
    assert golden(many) in host.lights(pixels(many))
    host.shows(8)
    name = "changes of two runs of the 34 pixels"
    changed = bytearray(pixels(many))
    for first, run in FRAMES[name]["fields"]["runs"]:
        changed[8 * first : 8 * (first + len(run))] = b"".join(map(bytes, run))
    assert golden(name) in host.lights(bytes(changed))


def test_it_pings_and_hears_the_answer() -> None:
    """Tokens are the host's own: here that of the golden answer stands in for the one it gave."""
    host = met()
    ping, pong = unwrap(golden("ping")[:-1]), unwrap(golden("pong")[:-1])
    assert ping is not None
    assert pong is not None
    bodies = [unwrap(frame[:-1]) or b" " for frame in host.says()]
    (said,) = (body for body in bodies if body[0] == ping[0])
    assert len(said) == len(ping)
    answer = wrap(pong[0], 0, 1, said[5:] + pong[9:])
    (echo,) = (it for it in host.session.receive(answer, host.now) if isinstance(it, Echo))
    assert echo == Echo(host.now, WRAPPED + 40_000)


def test_it_stops_a_device() -> None:
    assert wrap(session.STOP, 0, 0) == golden("stop")


def test_each_kind_of_frame_is_golden() -> None:
    """Those of the table in docs/link.md."""
    page = GOLDEN.parents[1] / "link.md"
    rows = (row.split("|") for row in page.read_text("utf-8").splitlines())
    told = {int(row[1]) for row in rows if len(row) > 4 and row[2].strip() in ("device", "host")}
    assert len(told) == 13
    assert {one["type"] for one in FRAMES.values()} == told
