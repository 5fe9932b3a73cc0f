"""Session: the link's protocol, one side of docs/link.md: bytes and times in, messages and bytes
out; no clock, no port. `hexboard.devices.link` gives it both.
"""

import re
import struct
from binascii import crc_hqx
from collections.abc import Iterator
from dataclasses import dataclass

from cobs import cobs

from hexboard.devices.runs import changes
from hexboard.facts import MS

PROTOCOL = 1

HELLO, EDGES, SNAPSHOT, STATUS, PONG, LOOKS = 1, 2, 3, 4, 5, 6
HOST_HELLO, LIGHTS, ACK, PING, STOP, LIMITS, CHANGES = 16, 17, 18, 19, 20, 21, 22

HEAD = struct.Struct("<BHH")
"""Type, number, and the number of what is wanted next."""
STAMP = struct.Struct("<IH")
"""A device stamp: 30-bit ticks (µs), and how often they had wrapped."""
EDGE = struct.Struct("<HIH")
"""Input with its level in the highest bit, and a stamp."""

LONGEST = 300
"""No frame from a device is longer, wrapped or not."""

HELLO_EVERY_NS = 200 * MS
RESEND_NS = 50 * MS
HEARS_NS = 60_000
"""Beside that a byte of a lights frame may take so long: a Pico hears some 27 kB/s."""
PING_EVERY_NS = 250 * MS
SELDOM_NS = 1000 * MS
"""The same where nothing happens: no edge came and no lights went for `QUIET_NS`."""
QUIET_NS = 4000 * MS
UNHEARD_NS = 250 * MS
"""A host says something so often: after 2 s without it a device goes dark (docs/link.md)."""
FIRST_PINGS_NS = 50 * MS
SILENT_NS = 1000 * MS
"""A device that says nothing for so long is gone; one with a host speaks every 80 ms at least."""
STRANGE_NS = 2000 * MS
"""So long may one speak that makes no frames: a Pico that starts prints a line or two."""

BEGINNING = 0, 1
"""The numbers of the next edge to come and of the lights frame wanted, in a session that begins."""
CHAIN_WRONG = 1
"""SNAPSHOT's flag: the end of the sensor chain reads wrong, so the levels mean nothing."""
LIMITED = 2
"""SNAPSHOT's flag: the device holds what each rail may give."""
LIMITS_EVERY_NS = 100 * MS
IGNORED = 3
"""Of so many CHANGES in a row a device took none: it knows of none."""
CTRL_C = 3
KEPT = 200
"""Characters kept of what was no frame."""
ERROR = re.compile(r"^(?!SyntaxError)\w*(?:Error|Exception|Interrupt|Exit)\b.*(?=\n)", re.MULTILINE)
"""The last line of a traceback. SyntaxError is what a MicroPython prompt makes of our frames."""
PROMPT = re.compile(r">>> |raw REPL|MicroPython v")


# Frames


def wrap(kind: int, number: int, wanted: int, payload: bytes = b"") -> bytes:
    """One frame as it goes over the wire: CRC added, in COBS, with its ending zero."""
    frame = HEAD.pack(kind, number, wanted) + payload
    block: bytes = cobs.encode(frame + crc_hqx(frame, 0xFFFF).to_bytes(2, "little"))
    return block + b"\0"


def unwrap(block: bytes) -> bytes | None:
    """The frame in one block (its zero cut off), CRC checked and removed; None if it is not one."""
    try:
        frame: bytes = cobs.decode(block)
    except cobs.DecodeError:
        return None
    if len(frame) < HEAD.size + 2 or crc_hqx(frame[:-2], 0xFFFF) != frame[-1] << 8 | frame[-2]:
        return None
    return frame[:-2]


# What a device says, message by message


@dataclass(frozen=True)
class Met:
    """The device answered in our protocol. `fresh`: it started or forgot us; numbers start anew."""

    inputs: int
    pixels: int
    firmware: str
    fresh: bool
    build: str = ""
    """Of which files it is, and for which wiring; "" where it does not say."""
    ended: str = ""
    """Why it ended before this start; "" where nothing was wrong, or it does not say."""


@dataclass(frozen=True)
class Stranger:
    """The device speaks another version of the protocol."""

    protocol: int


@dataclass(frozen=True)
class Heard:
    """The device's time (µs since it started, widened) when it made the frame that was received."""

    ticks: int


@dataclass(frozen=True)
class InputChange:
    """An input changed its level at `ticks` (µs)."""

    input: int
    level: bool
    ticks: int


@dataclass(frozen=True)
class Image:
    """All levels at `ticks` (µs): bit i of `levels`, lowest first, is input i. `wrong`: the sensor
    chain does not answer as it should, and they mean nothing."""

    levels: bytes
    ticks: int
    wrong: bool = False


@dataclass(frozen=True)
class DeviceWatermark:
    """Nothing earlier than `ticks` (µs) is still to come."""

    ticks: int


@dataclass(frozen=True)
class Dropped:
    """The device had to drop `count` changes; all of them before `ticks` (µs), if that is known."""

    count: int
    ticks: int | None = None


@dataclass(frozen=True)
class Echo:
    """A ping sent at `sent` (board ns) was answered by the device at `ticks` (µs)."""

    sent: int
    ticks: int


@dataclass(frozen=True)
class DeviceLooks:
    """The device looked at its inputs `count` times in `span` (µs); the longest that it did not was
    `longest` then, and `worst` since it started (µs)."""

    count: int
    span: int
    longest: int
    worst: int


Message = (
    Met | Stranger | Heard | InputChange | Image | DeviceWatermark | Dropped | Echo | DeviceLooks
)


class Session:
    """The host's half of the protocol; HELLO says its `waits`. It never raises, and never grows."""

    def __init__(self, waits: bytes = b"") -> None:
        self.bad = 0
        """Blocks received that were no whole frame, but for one cut as the port was opened."""
        self.bad_there: int | None = None
        """The same, counted by the device since its start; None until it has told."""
        self.forget()
        self._waits = waits
        self._session = self._inputs = 0
        self._light: bytes | None = None
        self._limits = b""
        self._built = False
        self._begin()
        self.reconnect()

    def _begin(self) -> None:
        """A new session with a device: all numbers start again."""
        self._wanted = 0  # the next edge
        self._lost = 0
        self._passed = -1
        self._number = 0  # of the newest lights frame sent
        self._waiting = False  # it is not acknowledged yet
        self._limited = False  # the device holds our limits
        self._limited_at: int | None = None
        self._lit_at = self._patience = 0  # when lights went last, and how long they may take
        self._sent = self._held = b""  # the newest lights frame sent, and what the device has of it
        self._by_parts = False  # that was sent as CHANGES
        self._ignored = 0  # CHANGES that it did not take, in a row
        self._changed = self._light is not None  # lights newer than the newest sent
        self.shown = 0
        """The number of the lights frame on the strip; 0 is none of ours."""

    def reconnect(self) -> None:
        """The port was opened (again): say hello, go on where we were if the device can."""
        self._rest = b""
        self._cut, self._overlong = True, False  # the block being received: begun before, too long
        self._met = False
        self._early: DeviceLooks | None = None  # the first that it told before that
        self.complete = False  # it was met, and its first image has come
        self._hello_at: int | None = None
        self._ack = False
        self._spoke_at = 0
        self._pings: dict[int, int] = {}
        self._pinged = 0
        self._ping_at: int | None = None
        self._busy_at = 0  # when an edge came last, or lights went
        self.heard: int | None = None
        """When the last good frame came, board ns; of a device that hears us, HELLO is none."""
        self.deaf = False
        """It heard us, and all that it has said since `heard` is HELLO."""

    def forget(self) -> None:
        """Another device may be there now: what the last one said is not of it."""
        self.text = ""
        """The last printable characters that were in no frame."""
        self.error = ""
        """The last line of the last traceback among them."""
        self.noisy = False
        """Something came that was no frame, and no frame has yet."""

    def light(self, frame: bytes) -> None:
        """Show this, 8 bytes a pixel. Only the newest frame matters; an older one is forgotten."""
        if frame != self._light:
            self._light = frame
            self._changed = True

    def limit(self, limits: bytes) -> None:
        """What each rail may give, 8 bytes a run of pixels (docs/link.md); said before the first
        lights, to a device that knows of it."""
        self._limits = limits

    @property
    def withheld(self) -> bool:
        """It gets no lights, for it has not confirmed what each rail may give."""
        return bool(self._limits) and self._built and not self._limited

    # To the device

    def send(self, now: int) -> bytes:
        """Everything that is due at `now` (board ns), perhaps nothing."""
        self._ack = self._ack or now - self._spoke_at >= UNHEARD_NS
        out = b"".join(self._due(now))
        self._spoke_at = now if out else self._spoke_at
        return out

    def _due(self, now: int) -> Iterator[bytes]:
        said = self._hello_at  # None: it is owed, whatever else has come since
        if said is None or (not self.complete and now - said >= HELLO_EVERY_NS):
            self._hello_at = now
            self._ack = False
            yield _greeting(self._session, self._wanted, self._waits)
        if not self._met:
            return
        withheld = self.withheld
        if withheld and (self._limited_at is None or now - self._limited_at >= LIMITS_EVERY_NS):
            self._limited_at, self._ack = now, False
            yield self._frame(LIMITS, 0, self._limits)
        if (
            not withheld
            and self._light is not None
            and (now - self._lit_at >= self._patience if self._waiting else self._changed)
        ):
            yield self._lights(self._light, now)
        if self._ping_at is None or now - self._ping_at >= self._ping_every(now):
            self._ping_at, self._ack = now, False
            self._pinged += 1
            self._pings[self._pinged] = now
            self._pings.pop(self._pinged - 8, None)
            yield self._frame(PING, 0, struct.pack("<I", self._pinged))
        if self._ack:
            self._ack = False
            yield self._frame(ACK, 0)

    def _ping_every(self, now: int) -> int:
        """So long after the last ping there is one, ns."""
        if self._pinged < 8:
            return FIRST_PINGS_NS
        return PING_EVERY_NS if now - self._busy_at < QUIET_NS else SELDOM_NS

    def _lights(self, light: bytes, now: int) -> bytes:
        """The newest lights: what changed, where the device holds the frame before; else whole."""
        self._ignored += self._waiting and self._by_parts
        self._by_parts = bool(self._held) and self._built and self._ignored < IGNORED
        if self._changed:
            self._number = self._number % 0xFFFF + 1
        parts = changes(self._held, light) if self._by_parts else light
        self._by_parts = len(parts) < len(light)
        said = parts if self._by_parts else light
        self._sent, self._held = light, b""
        self._changed, self._waiting, self._ack = False, True, False
        self._lit_at = self._busy_at = now
        self._patience = RESEND_NS + HEARS_NS * len(said)
        return self._frame(CHANGES if self._by_parts else LIGHTS, self._number, said)

    def _frame(self, kind: int, number: int, payload: bytes = b"") -> bytes:
        return wrap(kind, number, self._wanted, payload)

    # From the device

    def receive(self, data: bytes, now: int) -> Iterator[Message]:
        """What `data`, received at `now` (board ns), says. Consume it all before the next call."""
        *blocks, rest = (self._rest + data).split(b"\0")
        for block in blocks:
            overlong, self._overlong = self._overlong or len(block) > LONGEST, False
            cut, self._cut = self._cut, False
            if not (block or overlong):
                continue
            frame = None if overlong else unwrap(block)
            try:
                if frame is None:
                    raise ValueError("no frame")
                yield from self._read(frame, now)
            except (ValueError, struct.error):
                self.bad += overlong or not cut
                self._scrap(block)
        self._rest = rest
        if self._overlong or len(rest) > LONGEST:
            self._overlong, self._rest = True, b""
            self._scrap(rest)

    def _scrap(self, data: bytes) -> None:
        """Keep the end of what is no frame, in case it tells who is there."""
        self.noisy = self.noisy or (bool(data) and self.heard is None)
        shown = (chr(byte) for byte in data[-4 * KEPT :] if byte == 10 or 32 <= byte < 127)
        self.text += "".join(shown)
        for error in ERROR.finditer(self.text):
            self.error = error[0]
        self.text = self.text[-KEPT:]

    def reread(self) -> None:
        """Nothing more came: what was to be the beginning of a frame is none."""
        rest, self._rest = self._rest, b""
        self._scrap(rest)

    def _read(self, frame: bytes, now: int) -> Iterator[Message]:
        self.noisy = False
        kind, number, wanted = HEAD.unpack_from(frame)
        payload = frame[HEAD.size :]
        if kind == HELLO:
            yield from self._hello(payload, (number, wanted))
            self.deaf = self.complete  # who hears us says more than that, and at once
            self.heard = self.heard if self.deaf else now
            return
        if not self._met:
            if kind == LOOKS:  # it goes on with a session: that it hung is told only here
                self._early = self._early or _looks(payload)
            return
        self.heard, self.deaf = now, False
        if self._waiting and wanted == self._number % 0xFFFF + 1:
            self._waiting, self._held = False, self._sent
            self._ignored = 0 if self._by_parts else self._ignored
        if kind == EDGES:
            self._busy_at = now
            yield from self._edges(number, payload)
        elif kind == SNAPSHOT:
            lost, shown, flags, image = self._picture(payload)
            self.shown, self._limited = shown, bool(flags & LIMITED)
            yield Heard(ticks(payload))
            if number == self._wanted:  # else changes before it are still to come
                yield from self._dropped(lost, ticks(payload))
                yield Image(image, ticks(payload), bool(flags & CHAIN_WRONG))
                self.complete = True
            yield from self._watermark(number, payload)
        elif kind == STATUS:
            self.shown, self.bad_there = struct.unpack_from("<HI", payload, STAMP.size)
            yield Heard(ticks(payload))
            yield from self._watermark(number, payload)
        elif kind == PONG:
            (token,) = struct.unpack_from("<I", payload)
            sent = self._pings.pop(token, None)
            if sent is not None:
                yield Echo(sent, ticks(payload, 4))
        elif kind == LOOKS:
            yield _looks(payload)

    def _picture(self, payload: bytes) -> tuple[int, int, int, bytes]:
        """What a SNAPSHOT says after its stamp: lost, shown, flags, image."""
        lost, shown = struct.unpack_from("<IH", payload, STAMP.size)
        rest = payload[STAMP.size + 6 :]
        if len(rest) != 1 + (self._inputs + 7) // 8:
            raise ValueError("an image of another size")
        return lost, shown, rest[0], rest[1:]

    def _hello(self, payload: bytes, numbers: tuple[int, int]) -> Iterator[Message]:
        protocol = payload[0] if payload else -1
        if protocol != PROTOCOL:
            self._met = self.complete = False
            yield Stranger(protocol)
            return
        session, inputs, pixels = struct.unpack_from("<IHH", payload, 1)
        if session != self._session and self._is_anothers(numbers):
            self._session, self._hello_at = 0, None  # the device is to draw a new one
            return
        firmware, build, ended = _texts(payload[9:])
        self._inputs = inputs
        self._built = bool(build)
        fresh = session != self._session
        if fresh:
            self._session = session
            self._begin()
            self.forget()
            self.complete = False
            self._hello_at = None  # tell it at once that we heard, or it says nothing more
        met, self._met = self._met, True
        if not met or fresh:
            yield Met(inputs, pixels, firmware, fresh, build, ended)
            if self._early and not fresh:
                yield self._early
            self._early = None

    def _is_anothers(self, numbers: tuple[int, int]) -> bool:
        """Whether a session that we do not know is one that a device had with another host, or by
        itself: we have not said hello yet, or its `numbers` of edges and lights are not those of a
        beginning. What it felt then is no news, and what it wants we do not have."""
        new = not self._session and self._hello_at is None
        return new or numbers != BEGINNING

    def _edges(self, number: int, payload: bytes) -> Iterator[Message]:
        lost, *_ = struct.unpack_from("<I", payload, STAMP.size)
        body = payload[STAMP.size + 4 :]
        if len(body) % EDGE.size:
            raise ValueError("half an edge")
        self._ack = True
        skip = self._wanted - number & 0xFFFF  # had already
        yield Heard(ticks(payload))
        for what, low, wraps in (edges := list(EDGE.iter_unpack(body)))[skip:]:
            self._wanted = self._wanted + 1 & 0xFFFF
            yield InputChange(what & 0x7FFF, bool(what & 0x8000), widen(low, wraps))
        if self._wanted == number + len(edges) & 0xFFFF:
            yield from self._dropped(lost)
            yield from self._watermark(self._wanted, payload)

    def _watermark(self, number: int, payload: bytes) -> Iterator[Message]:
        """The device's promise holds for us only when everything before `number` has come."""
        if self._wanted - number & 0x8000:
            self._ack = True  # something is missing: what we want tells the device
        elif self.complete and ticks(payload) > self._passed:
            self._passed = ticks(payload)
            yield DeviceWatermark(self._passed)

    def _dropped(self, lost: int, ticks: int | None = None) -> Iterator[Message]:
        if lost > self._lost:
            yield Dropped(lost - self._lost, ticks)
            self._lost = lost


def _greeting(session: int, wanted: int, waits: bytes) -> bytes:
    """HELLO, if it can be without the byte that stops a Pico whose firmware still starts: with a
    byte more than it needs, and wanting an edge that has come already."""
    wanted *= session > 0
    while CTRL_C in wanted.to_bytes(2, "little"):
        wanted -= 1
    said = struct.pack("<BI", PROTOCOL, session) + waits
    frames = [wrap(HOST_HELLO, 0, wanted, said + bytes((more,)) * (more > 0)) for more in range(20)]
    return next((frame for frame in frames if CTRL_C not in frame), frames[0])


def _looks(payload: bytes) -> DeviceLooks:
    return DeviceLooks(*struct.unpack_from("<IIII", payload))


def _texts(payload: bytes) -> tuple[str, str, str]:
    """The texts at the end of a HELLO, each after its length; "" for those that are not there."""
    texts = []
    for _ in range(3):
        end = 1 + payload[0] if payload else 0
        texts.append(payload[1:end].decode("ascii", "replace"))
        payload = payload[end:]
    first, second, third = texts
    return first, second, third


def bits(image: bytes) -> Iterator[bool]:
    """The levels of inputs 0, 1, 2, ... in an image."""
    return (bool(byte >> bit & 1) for byte in image for bit in range(8))


def widen(low: int, wraps: int) -> int:
    """Microseconds since the device started, from 30-bit ticks and how often they wrapped."""
    return wraps << 30 | low


def ticks(payload: bytes, offset: int = 0) -> int:
    """The stamp at `offset`, widened."""
    return widen(*STAMP.unpack_from(payload, offset))
