"""Link: the board's microcontroller on a serial port, one side of docs/link.md.

Two things, apart on purpose: `Session` is the protocol (bytes and times in, messages and bytes out;
no clock, no port), `Link` is the thread that owns the port and turns messages into reports.
Between them `Clock` (controller/devices/clock.py) turns the device's ticks into the board's time.

    link = Link("/dev/ttyACM0", ["beam.A1.1", "beam.A1.2"], mailbox.post)
    link.light(frame)       # 8 bytes a pixel; the newest wins
    link.close()
"""

import contextlib
import re
import struct
import threading
import time
from binascii import crc_hqx
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cobs import cobs

from controller.devices import ports
from controller.devices.clock import Clock
from controller.devices.driver import Driver
from controller.facts import MS, Edge, Lost, Presence, Report, Snapshot, Watermark

PROTOCOL = 1

HELLO, EDGES, SNAPSHOT, STATUS, PONG = 1, 2, 3, 4, 5
HOST_HELLO, LIGHTS, ACK, PING, STOP = 16, 17, 18, 19, 20

HEAD = struct.Struct("<BHH")
"""Type, number, and the number of what is wanted next."""
STAMP = struct.Struct("<IH")
"""A device stamp: 30-bit ticks (µs), and how often they had wrapped."""
EDGE = struct.Struct("<HIH")
"""Input with its level in the highest bit, and a stamp."""

LONGEST = 300
"""No frame from a device is longer, wrapped or not."""

HELLO_EVERY = 200 * MS
RESEND = 50 * MS
PING_EVERY = 250 * MS
FIRST_PINGS = 50 * MS
SILENT = 1000 * MS
"""A device that says nothing for so long is gone; one with a host speaks every 20 ms."""
STRANGE = 2000 * MS
"""So long may one speak that makes no frames: a Pico that starts prints a line or two."""

CHAIN_WRONG = 1
"""SNAPSHOT's flag: the end of the sensor chain reads wrong, so the levels mean nothing."""
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


@dataclass(frozen=True)
class Stranger:
    """The device speaks another version of the protocol."""

    protocol: int


@dataclass(frozen=True)
class Heard:
    """The device's time (µs since it started, widened) when it made the frame that was received."""

    ticks: int


@dataclass(frozen=True)
class Change:
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
class Passed:
    """Nothing earlier than `ticks` (µs) is still to come."""

    ticks: int


@dataclass(frozen=True)
class Dropped:
    """The device had to drop `count` changes."""

    count: int


@dataclass(frozen=True)
class Echo:
    """A ping sent at `sent` (board ns) was answered by the device at `ticks` (µs)."""

    sent: int
    ticks: int


Message = Met | Stranger | Heard | Change | Image | Passed | Dropped | Echo


class Session:
    """The host's half of the protocol. It never raises on what it receives, and never grows."""

    def __init__(self) -> None:
        self.shown = 0
        """The number of the lights frame on the strip; 0 is the device's calm scene."""
        self.bad = 0
        """Blocks received that were no frame, or a frame that makes no sense."""
        self.bad_there = 0
        """The same, counted by the device."""
        self.heard: int | None = None
        """When the last good frame came, board ns."""
        self._rest = b""
        self._overlong = False  # the block being received is too long already
        self.forget()
        self._session = 0
        self._inputs = 0
        self._light: bytes | None = None
        self._begin()
        self.reconnect()

    def _begin(self) -> None:
        """A new session with a device: all numbers start again."""
        self._wanted = 0  # the next edge
        self._lost = 0
        self._passed = -1
        self._number = 0  # of the newest lights frame sent
        self._waiting = False  # it is not acknowledged yet
        self._lit_at = 0
        self._changed = self._light is not None  # lights newer than the newest sent
        self.shown = 0

    def reconnect(self) -> None:
        """The port was opened (again): say hello, go on where we were if the device can."""
        self._rest = b""
        self._overlong = False
        self._met = False
        self._complete = False  # met, and its first image has come
        self._hello_at: int | None = None
        self._ack = False
        self._pings: dict[int, int] = {}
        self._pinged = 0
        self._ping_at: int | None = None
        self.heard = None

    def forget(self) -> None:
        """Another device may be there now: what the last one said is not of it."""
        self.text = ""
        """The last printable characters that were in no frame."""
        self.error = ""
        """The last line of the last traceback among them."""
        self.noisy = False
        """Something came that was no frame."""

    def light(self, frame: bytes) -> None:
        """Show this, 8 bytes a pixel. Only the newest frame matters; an older one is forgotten."""
        if frame != self._light:
            self._light = frame
            self._changed = True

    # To the device

    def send(self, now: int) -> bytes:
        """Everything that is due at `now` (board ns), perhaps nothing."""
        return b"".join(self._due(now))

    def _due(self, now: int) -> Iterator[bytes]:
        late = self._hello_at is None or now - self._hello_at >= HELLO_EVERY
        if not self._complete and late:
            self._hello_at = now
            self._ack = False
            yield self._frame(HOST_HELLO, 0, struct.pack("<BI", PROTOCOL, self._session))
        if not self._met:
            return
        if self._light is not None and (
            now - self._lit_at >= RESEND if self._waiting else self._changed
        ):
            if self._changed:
                self._number = self._number % 0xFFFF + 1
            self._changed, self._waiting, self._lit_at, self._ack = False, True, now, False
            yield self._frame(LIGHTS, self._number, self._light)
        every = FIRST_PINGS if self._pinged < 8 else PING_EVERY
        if self._ping_at is None or now - self._ping_at >= every:
            self._ping_at, self._ack = now, False
            self._pinged += 1
            self._pings[self._pinged] = now
            self._pings.pop(self._pinged - 8, None)
            yield self._frame(PING, 0, struct.pack("<I", self._pinged))
        if self._ack:
            self._ack = False
            yield self._frame(ACK, 0)

    def _frame(self, kind: int, number: int, payload: bytes = b"") -> bytes:
        return wrap(kind, number, self._wanted, payload)

    # From the device

    def receive(self, data: bytes, now: int) -> Iterator[Message]:
        """What `data`, received at `now` (board ns), says. Consume it all before the next call."""
        *blocks, rest = (self._rest + data).split(b"\0")
        for block in blocks:
            overlong, self._overlong = self._overlong or len(block) > LONGEST, False
            if not (block or overlong):
                continue
            frame = None if overlong else unwrap(block)
            try:
                if frame is None:
                    raise ValueError("no frame")
                yield from self._read(frame, now)
            except (ValueError, struct.error):
                self.bad += 1
                self._scrap(block)
        self._rest = rest
        if self._overlong or len(rest) > LONGEST:
            self._overlong, self._rest = True, b""
            self._scrap(rest)

    def _scrap(self, data: bytes) -> None:
        """Keep the end of what is no frame, in case it tells who is there."""
        self.noisy = self.noisy or bool(data)
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
        kind, number, wanted = HEAD.unpack_from(frame)
        payload = frame[HEAD.size :]
        if kind == HELLO:
            self.heard = now
            yield from self._hello(payload)
            return
        if not self._met:
            return
        self.heard = now
        if self._waiting and wanted == self._number % 0xFFFF + 1:
            self._waiting = False
        if kind == EDGES:
            yield from self._edges(number, payload)
        elif kind == SNAPSHOT:
            lost, shown, flags, image = self._picture(payload)
            self.shown = shown
            yield Heard(ticks(payload))
            if number == self._wanted:  # else changes before it are still to come
                yield from self._dropped(lost)
                yield Image(image, ticks(payload), bool(flags & CHAIN_WRONG))
                self._complete = True
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

    def _picture(self, payload: bytes) -> tuple[int, int, int, bytes]:
        """What a SNAPSHOT says after its stamp: lost, shown, flags, image."""
        lost, shown = struct.unpack_from("<IH", payload, STAMP.size)
        rest = payload[STAMP.size + 6 :]
        if len(rest) != 1 + (self._inputs + 7) // 8:
            raise ValueError("an image of another size")
        return lost, shown, rest[0], rest[1:]

    def _hello(self, payload: bytes) -> Iterator[Message]:
        protocol = payload[0] if payload else -1
        if protocol != PROTOCOL:
            self._met = False
            yield Stranger(protocol)
            return
        session, inputs, pixels, size = struct.unpack_from("<IHHB", payload, 1)
        firmware = payload[10 : 10 + size].decode("ascii", "replace")
        self._inputs = inputs
        fresh = session != self._session
        if fresh:
            self._session = session
            self._begin()
            self._complete = False
            self._hello_at = None  # tell it at once that we heard, or it says nothing more
        met, self._met = self._met, True
        if not met or fresh:
            yield Met(inputs, pixels, firmware, fresh)

    def _edges(self, number: int, payload: bytes) -> Iterator[Message]:
        lost, *_ = struct.unpack_from("<I", payload, STAMP.size)
        body = payload[STAMP.size + 4 :]
        if len(body) % EDGE.size:
            raise ValueError("half an edge")
        self._ack = True
        skip = self._wanted - number & 0xFFFF  # had already
        edges = list(EDGE.iter_unpack(body))
        yield Heard(ticks(payload))
        for what, low, wraps in edges[skip:]:
            self._wanted = self._wanted + 1 & 0xFFFF
            yield Change(what & 0x7FFF, bool(what & 0x8000), widen(low, wraps))
        if self._wanted == number + len(edges) & 0xFFFF:
            yield from self._dropped(lost)
            yield from self._watermark(self._wanted, payload)

    def _watermark(self, number: int, payload: bytes) -> Iterator[Message]:
        """The device's promise holds for us only when everything before `number` has come."""
        if self._wanted - number & 0x8000:
            self._ack = True  # something is missing: what we want tells the device
        elif self._complete and ticks(payload) > self._passed:
            self._passed = ticks(payload)
            yield Passed(self._passed)

    def _dropped(self, lost: int) -> Iterator[Message]:
        if lost > self._lost:
            yield Dropped(lost - self._lost)
            self._lost = lost


def bits(image: bytes) -> Iterator[bool]:
    """The levels of inputs 0, 1, 2, ... in an image."""
    return (bool(byte >> bit & 1) for byte in image for bit in range(8))


def widen(low: int, wraps: int) -> int:
    """Microseconds since the device started, from 30-bit ticks and how often they wrapped."""
    return wraps << 30 | low


def ticks(payload: bytes, offset: int = 0) -> int:
    """The stamp at `offset`, widened."""
    return widen(*STAMP.unpack_from(payload, offset))


# The thread


class Link(Driver):
    """A board's microcontroller on `port`, as the source of reports `source`.

    `port` may also be a USB serial number, or "auto": the first Pico on USB. `inputs[i]` is the
    sensor of input i, "" where nothing is wired; the board file has `pixels` pixels. Reports go to
    `post` from the link's own thread. It posts `Presence(False, why)` when the board is gone, not
    there to begin with, or not of use, again when a new reason keeps it away, and tries every half
    second; when the board is back it posts `Presence(True)`, the edges that happened meanwhile if
    the board was not off, and a `Snapshot`. It never raises.

    One that is not `strict` also takes a board with fewer inputs or pixels: its wires are being
    found out.
    """

    RETRY = 0.5

    def __init__(
        self,
        port: str,
        inputs: Sequence[str],
        post: Callable[[Report], None],
        source: str = "pico",
        pixels: int = 0,
        strict: bool = True,
    ) -> None:
        self.port = port
        """Where the board is; "auto" while it is being looked for."""
        super().__init__(source, post)
        self.firmware = ""
        """The version of the firmware, once it has said hello."""
        self.unknown = 0
        """Changes of inputs that the board file does not know."""
        self._wanted = port
        self._inputs = tuple(inputs)
        self._pixels = pixels
        self._strict = strict
        self._gone = False  # and that was said
        self._unfit = ""  # why what the device says is of no use
        self._session = Session()
        self._clock = Clock()
        self._lock = threading.Lock()  # guards the session's lights and the port's coming and going
        self._serial: Any = None
        self._thread.start()

    @property
    def shown(self) -> int:
        """The number of the lights frame that the device last said it shows; 0 is none of ours."""
        return self._session.shown

    @property
    def round_trip_ns(self) -> int | None:
        """The shortest of the last few round trips."""
        return self._clock.round_trip_ns

    @property
    def bad_frames(self) -> tuple[int, int]:
        """Damaged frames: received here, and received by the device."""
        return self._session.bad, self._session.bad_there

    def light(self, frame: bytes) -> None:
        """Show `frame`, 8 bytes a pixel (docs/link.md). Any thread; the newest frame wins."""
        if len(frame) % 8:
            raise ValueError(f"a lights frame is 8 bytes a pixel, not {len(frame)} bytes")
        with self._lock:
            self._session.light(frame)
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            if self._serial is not None:
                with contextlib.suppress(OSError):
                    self._serial.cancel_read()

    def _serve(self) -> None:
        import serial

        self.port = ports.port(self._wanted) or self._wanted
        if not ports.is_port(self.port):
            raise FileNotFoundError(self.port)
        with serial.Serial(
            self.port, 115200, timeout=0.02, write_timeout=0.5, exclusive=True
        ) as opened:
            self._talk(opened)

    def _reason(self, error: Exception) -> str:
        return reason(self.port, error)

    def _talk(self, opened: Any) -> None:
        """Read and write until the port fails or we close."""
        since = time.monotonic_ns()
        with self._lock:
            self._session.reconnect()
            self._session.forget()
            self._serial = opened
        self._unfit = ""
        try:
            while not self._closing.is_set():
                data = opened.read(opened.in_waiting or 1)
                now = time.monotonic_ns()
                with self._lock:
                    messages = list(self._session.receive(data, now))
                    out = self._session.send(now)
                if out:
                    opened.write(out)
                for message in messages:
                    self._tell(message, now)
                since = self._session.heard or since
                if now - since > (STRANGE if self._session.noisy else SILENT):
                    self._session.reread()
                    self._down(silence(self.port, self._session))
                    since = now
                    with self._lock:
                        self._session.reconnect()
        finally:
            with self._lock:
                self._serial = None

    def _tell(self, message: Message, now: int) -> None:
        match message:
            case Met():
                self.firmware = message.firmware
                if message.fresh:
                    self._clock.restart()
                if self._strict:
                    self._judge(misfit(self.port, message, self._inputs, self._pixels))
            case Stranger():
                self._down(version(self.port, message.protocol))
            case Heard():
                self._clock.heard(message.ticks, now)
            case Echo():
                self._clock.echo(message.sent, message.ticks, now)
            case Change():
                self._change(message, now)
            case Image() if message.wrong:
                self._judge(CHAIN.format(port=self.port))
            case Image():
                if self._unfit == CHAIN.format(port=self.port):
                    self._judge("")
                known = zip(self._inputs, bits(message.levels), strict=False)
                high = tuple(sensor for sensor, level in known if sensor and level)
                self._say(Snapshot(high), message.ticks, now)
            case Passed():
                until = self._clock.board_ns(message.ticks, now)
                self._report(Watermark(until), until, message.ticks)
            case Dropped():
                self._report(Lost(message.count), now)

    def _judge(self, why: str) -> None:
        """From now on the device is unfit because of `why`, or fit."""
        self._unfit = why
        if why:
            self._down(why)

    def _change(self, change: Change, now: int) -> None:
        sensor = self._inputs[change.input] if change.input < len(self._inputs) else ""
        if not sensor:
            self.unknown += 1
            return
        self._say(Edge(sensor, change.level), change.ticks, now)

    def _say(self, body: Edge | Snapshot, ticks: int, now: int) -> None:
        self._report(body, self._clock.board_ns(ticks, now), ticks)

    def _report(self, body: Any, at: int, raw: int | None = None) -> None:
        if self._unfit:
            return
        if not self._up:
            self._up, self._gone = True, False
            why = ports.choice(self.port) if self._wanted == ports.AUTO else ""
            self._post(Report(self.source, at, Presence(True, why)))
        self._post(Report(self.source, at, body, raw))

    def _down(self, why: str) -> None:
        absent = self._why and why == reason(self.port, FileNotFoundError(2, "No such file"))
        news = not self._gone or (why != self._why and not absent)
        if news and not self._closing.is_set():
            self._up, self._gone, self._why = False, True, why
            self._post(Report(self.source, time.monotonic_ns(), Presence(False, why)))


# Why a board is gone, for people

CHAIN = (
    "the sensor chain on {port} does not answer: is its ribbon cable in, "
    "and is the number of inputs right?"
)


def silence(port: str, session: Session) -> str:
    """Why no frame comes, as far as what came instead tells."""
    if session.error:
        return f"the board on {port} does not answer; its program stopped with {session.error!r}"
    if PROMPT.search(session.text):
        return (
            f"the board on {port} runs MicroPython but not hexboard's firmware: "
            "hexboard firmware install"
        )
    if session.noisy:
        return (
            f"the board on {port} speaks something else: "
            "is it the right port (settings.toml, [link])?"
        )
    return f"the board on {port} does not answer"


def version(port: str, protocol: int) -> str:
    """Which side to update when the device speaks `protocol`."""
    versions = f"the board on {port} speaks link protocol {protocol}, this hexboard {PROTOCOL}"
    if protocol > PROTOCOL:
        return f"{versions}: update hexboard on this computer (git pull, then pip install)"
    return f"{versions}: update the board: hexboard firmware install"


def misfit(port: str, met: Met, inputs: Sequence[str], pixels: int) -> str:
    """Why this device cannot be the one that the board file describes, "" when it can."""
    last = max((i for i, sensor in enumerate(inputs) if sensor), default=-1)
    if last >= met.inputs:
        return (
            f"the board file names input {last}, the board on {port} scans {met.inputs}: "
            "hexboard firmware install brings it up to date, or correct the board file"
        )
    if pixels > met.pixels:
        return (
            f"the board file has {pixels} pixels, the board on {port} lights {met.pixels}: "
            "hexboard firmware install brings it up to date, or correct the board file"
        )
    return ""


def reason(port: str, error: Exception) -> str:
    """Why `port` could not be opened, or was lost."""
    text = str(error)
    if port == ports.AUTO:
        return "no Pico found on USB: plug it in, or name its port in settings.toml under [link]"
    if not ports.is_port(port):
        return f"no board with the serial number {port} on USB: is its cable in?"
    for sign, why in REASONS:
        if sign in text:
            return why.format(port=port)
    return f"the board on {port} is gone ({text})"


REASONS = (
    ("No such file", "no board on {port}: is its USB cable in?"),
    ("Permission denied", "no permission for {port}: is this user in the group dialout?"),
    ("Is a directory", "{port} is a directory, not a serial port (settings.toml, [link])"),
    ("Inappropriate ioctl", "{port} is a file, not a serial port (settings.toml, [link])"),
    ("exclusively lock", "{port} is in use by another program"),
    ("busy", "{port} is in use by another program"),
    ("returned no data", "the board on {port} was unplugged"),
    ("Input/output error", "the board on {port} was unplugged"),
)
"""What the system says, and what that means."""
