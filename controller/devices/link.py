"""Link: the board's microcontroller on a serial port, one side of docs/link.md.

`Session` (hexboard.devices.session) is the protocol, `Link` the thread that owns the port and turns
messages into reports. Between them `Clock` (controller/devices/clock.py) turns the device's ticks
into the board's time.

    link = Link("/dev/ttyACM0", ["edge:A1-B1", "edge:A1-A2"], mailbox.post)
    link.light(frame)       # 8 bytes a pixel; the newest wins
    link.close()
"""

import contextlib
import os
import select
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from hexboard.devices import ports, session
from hexboard.devices.clock import Clock
from hexboard.devices.driver import Driver
from hexboard.devices.session import Session
from hexboard.facts import Edge, Lost, Presence, Report, Scanned, Snapshot, Watermark

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
    found out. `waits`: when watermarks are wanted after edges (`open.waits`).
    """

    RETRY_S = 0.5

    def __init__(
        self,
        port: str,
        inputs: Sequence[str],
        post: Callable[[Report], None],
        source: str = "pico",
        pixels: int = 0,
        strict: bool = True,
        build: str = "",
        waits: bytes = b"",
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
        self._build = build
        self._pushed = 0  # how often a board at its prompt was started anew
        self._gone = False  # and that was said
        self._kept = False  # it has been away, and what it felt meanwhile it tells now
        self._scanned = Scanned(0, 0)  # how well it looks, as it was told last
        self._met_at = 0  # board ns, until it says how well it looked before that
        self._told_us = self._silent_us = 0  # since then: its time, and how long it was silent
        self._quit_at = 0  # board ns, when it last owed nothing that it has to say
        self._answered = False  # it says more than HELLO
        self._lit_at = 0  # board ns, when lights were last not withheld from it
        self._unlit = False  # and that was said
        self.beat = time.monotonic()
        """When its thread last looked at the port, monotonic s."""
        self._note = ""  # what people should know when it comes up
        self._unfit = ""  # why what the device says is of no use
        self._session = Session(waits)
        self._unsent = b""  # what the port did not take at once
        self._clock = Clock()
        self._lock = threading.Lock()  # guards the session's lights and the port's coming and going
        self._serial: Any = None
        self._thread.start()

    @property
    def shown(self) -> int:
        """The number of the lights frame that the device last said it shows; 0 is none of ours."""
        return self._session.shown

    def light(self, frame: bytes) -> None:
        """Show `frame`, 8 bytes a pixel (docs/link.md). Any thread; the newest frame wins. It is
        written here and now where the port takes it: no other thread has to wake up first."""
        if len(frame) % 8:
            raise ValueError(f"a lights frame is 8 bytes a pixel, not {len(frame)} bytes")
        now = time.monotonic_ns()
        with self._lock:
            self._session.light(frame)
            with contextlib.suppress(OSError):  # the port is gone: its own thread sees to that
                self._speak(now)
            unsent = self._unsent
        if unsent:
            self._wake()

    def limit(self, limits: bytes) -> None:
        """What each rail may give (`open.limits`): the device holds it whatever it is sent."""
        with self._lock:
            self._session.limit(limits)

    def _wake(self) -> None:
        with self._lock:
            if self._serial is not None:
                with contextlib.suppress(OSError):
                    self._serial.cancel_read()

    def _speak(self, now: int) -> None:
        """Write what is due, as much of it as the port takes at once. Under the lock."""
        if self._serial is None or self._unsent or not (out := self._session.send(now)):
            return
        written = 0
        with contextlib.suppress(BlockingIOError):
            written = os.write(self._serial.fileno(), out)
        self._unsent = out[written:]

    def _push_on(self, opened: Any) -> None:
        """Write what the port did not take at once; it is waited for."""
        if self._unsent:
            opened.write(self._unsent)
            with self._lock:
                self._unsent = b""

    def _serve(self) -> None:
        import serial

        self.beat = time.monotonic()

        self.port = ports.port(self._wanted) or self._wanted
        if not ports.is_port(self.port):
            raise FileNotFoundError(self.port)
        with serial.Serial(
            self.port, 115200, timeout=0, write_timeout=TAKES_S, exclusive=True
        ) as opened:
            self._talk(opened)

    def _reason(self, error: Exception) -> str:
        return reason(self.port, error)

    def _talk(self, opened: Any) -> None:
        """Read and write until the port fails, we close, or it is silent and another is wanted."""
        since = self._quit_at = self._lit_at = time.monotonic_ns()
        with self._lock:
            self._session.reconnect()
            self._session.forget()
            self._serial, self._unsent = opened, b""
        self._unfit = ""
        try:
            while not self._closing.is_set():
                self.beat = time.monotonic()
                data = come(opened)
                now = time.monotonic_ns()
                with self._lock:
                    messages = list(self._session.receive(data, now))
                    self._speak(now)
                self._push_on(opened)
                for message in messages:
                    self._tell(message, now)
                self._await(now)
                since = self._session.heard or since
                if now - since > (session.STRANGE_NS if self._session.noisy else session.SILENT_NS):
                    self._session.reread()
                    self._down(silence(self.port, self._session))
                    if ports.port(self._wanted) not in (None, self.port):
                        return  # this was not ours, or ours has another port now
                    self._push(opened)
                    since = self._quit_at = now
                    with self._lock:
                        self._session.reconnect()
        finally:
            with self._lock:
                self._serial = None

    def _await(self, now: int) -> None:
        """Say what a device that speaks has not said for so long: how its inputs are, and that it
        keeps within what its rails may give."""
        if self._session.complete or self._session.heard is None:
            self._quit_at, self._answered = now, False
        elif now - self._quit_at > OWED_NS:
            if self._answered:
                self._judge(self._unfit or PARTLY.format(port=self.port))
            else:
                self._down(self._unfit or DEAF.format(port=self.port))
        if not (self._up and self._session.complete and self._session.withheld):
            self._lit_at = now
        if self._unlit != (unlit := now - self._lit_at > OWED_NS):
            self._unlit = unlit
            if self._up:
                why = UNLIT.format(port=self.port) if unlit else ""
                self._post(Report(self.source, now, Presence(True, self._chosen(why))))

    def _push(self, opened: Any) -> None:
        """Start a board anew that is at its prompt, a few times: there is nobody else to do it."""
        if self._pushed < PUSHES and session.PROMPT.search(self._session.text):
            self._pushed += 1
            opened.write(RESET)

    def _tell(self, message: session.Message, now: int) -> None:
        match message:
            case session.Met():
                self.firmware, self._kept = message.firmware, not message.fresh
                self._pushed, self._met_at = 0, now
                self._told_us = self._silent_us = 0
                if message.fresh:
                    if self._up:  # so soon that nobody missed it: what it felt meanwhile is lost
                        self._down(f"the board on {self.port} began anew")
                    self._scanned = Scanned(0, 0)
                    notes = ended(message.ended), other_build(message.build, self._build)
                    self._note = "; ".join(note for note in notes if note)
                    self._clock.restart()
                if self._strict:
                    there = message.inputs, message.pixels
                    self._judge(misfit(self.port, there, self._inputs, self._pixels))
            case session.Stranger():
                self._quit_at = now
                self._down(version(self.port, message.protocol))
            case session.Heard():
                if not self._answered:  # only now it can owe more
                    self._answered, self._quit_at = True, now
                self._clock.heard(message.ticks, now)
                self._heard(message.ticks)
            case session.Echo():
                self._clock.echo(message.sent, message.ticks, now)
            case session.InputChange():
                self._change(message, now)
            case session.Image():
                self._pictured(message, now)
            case session.DeviceLooks():
                self._looked(message, now)
            case session.DeviceWatermark():
                until = self._clock.board_ns(message.ticks, now)
                self._report(Watermark(until), until, message.ticks)
            case session.Dropped(count, None):
                self._report(Lost(count), now)
            case session.Dropped(count, int() as ticks):
                self._say(Lost(count), ticks, now)

    def _pictured(self, image: session.Image, now: int) -> None:
        """It says how its inputs are; whether its chain answers."""
        over = [why.format(port=self.port) for why in (CHAIN, PARTLY)]
        unfit = "" if self._unfit in over else self._unfit
        if image.wrong and any(self._inputs):
            self._judge(unfit or CHAIN.format(port=self.port))
            return
        if unfit != self._unfit:
            self._judge(unfit)
        self._told_us = self._told_us or image.ticks
        known = zip(self._inputs, session.bits(image.levels), strict=False)
        high = tuple(sensor for sensor, level in known if sensor and level)
        self._say(Snapshot(high), image.ticks, now)

    def _heard(self, ticks: int) -> None:
        """It made a frame then, by its own time, where it has told what it kept: until its first
        image an old edge may be all that it speaks of."""
        if self._told_us:
            self._silent_us = max(self._silent_us, ticks - self._told_us)
            self._told_us = max(self._told_us, ticks)

    def _looked(self, said: session.DeviceLooks, now: int) -> None:
        """It says how well it looks: that is told first, and when it is worse by a quarter; that it
        hung, each time. What else it did before it was met, it did not do in play."""
        met, self._met_at = self._met_at, 0
        if self._silent_us >= said.longest >= LATE_US:
            met = 0  # it did so since
        known, looked = self._scanned, Scanned(said.longest, said.span // max(1, said.count))
        if looked.hung:
            if self._kept or not met:
                self._report(looked, met or now)
            return
        longest, every = looked.longest_us, looked.every_us
        worse = 4 * longest >= 5 * known.longest_us or 4 * every >= 5 * known.every_us
        if worse and not (met or self._unfit):
            self._scanned = Scanned(max(longest, known.longest_us), max(every, known.every_us))
            self._report(self._scanned, now)

    def _judge(self, why: str) -> None:
        """From now on the device is unfit because of `why`, or fit."""
        self._unfit = why
        if why:
            self._kept = False
            self._down(why)

    def _change(self, change: session.InputChange, now: int) -> None:
        sensor = self._inputs[change.input] if change.input < len(self._inputs) else ""
        if not sensor:
            self.unknown += 1
            return
        self._say(Edge(sensor, change.level), change.ticks, now)

    def _say(self, body: Edge | Lost | Snapshot, ticks: int, now: int) -> None:
        self._report(body, self._clock.board_ns(ticks, now), ticks)

    def _report(self, body: Any, at: int, raw: int | None = None) -> None:
        if self._unfit:
            return
        if not self._up:
            self._up, self._gone = True, False
            notes, self._note = self._chosen(self._note), ""
            self._post(Report(self.source, at, Presence(True, notes, self._kept)))
        self._post(Report(self.source, at, body, raw))

    def _down(self, why: str) -> None:
        absent = self._why and why == reason(self.port, FileNotFoundError(2, "No such file"))
        news = not self._gone or (why != self._why and not absent)
        if news and not self._closing.is_set():
            self._up, self._gone, self._why = False, True, why
            told = self._chosen("", why)
            self._post(Report(self.source, time.monotonic_ns(), Presence(False, told)))

    def _chosen(self, after: str, before: str = "") -> str:
        """Between these, which of several Picos was taken, where nobody chose."""
        choice = ports.choice(self.port) if self._wanted == ports.AUTO else ""
        return "; ".join(note for note in (before, choice, after) if note)


def come(opened: Any) -> bytes:
    """What has come at a port, waited for up to `WAIT_S`; none where that is over, or cancelled.
    pyserial's own `read` waits for a number of bytes, and takes two reads for a frame and more time
    than the frame."""
    cancelled = opened.pipe_abort_read_r
    ready, _, _ = select.select([opened.fileno(), cancelled], [], [], WAIT_S)
    if cancelled in ready:
        os.read(cancelled, AT_ONCE_BYTES)
    if opened.fileno() not in ready:
        return b""
    data = os.read(opened.fileno(), AT_ONCE_BYTES)
    if not data:
        raise OSError("it returned no data")
    return data


LATE_US = 40_000
"""A device that was met just now says something twice in so long, if it looks (docs/link.md)."""
AT_ONCE_BYTES = 4096
"""Bytes read in one go."""
TAKES_S = 0.5
"""A port that does not take what is written for so long is gone, seconds."""
OWED_NS = 3_000_000_000
"""A device that speaks for so long and does not do what it has to will not."""
WAIT_S = 0.1
"""Seconds to wait for bytes: longer than a device is silent while nothing happens."""

# Why a board is gone, for people

PUSHES = 3
"""How often a board at MicroPython's prompt is started anew, until our firmware answers."""
RESET = b"\r\3\3\r\1import machine\nmachine.reset()\4"
"""Says to MicroPython's prompt that the board should start anew."""
CHAIN = (
    "the sensor chain on {port} does not answer: is its ribbon cable in, "
    "and is the number of inputs right?"
)

DEAF = (
    "the board on {port} speaks but does not hear: pull its USB cable and put it in again; "
    "on a serial line, look at the wire to its RX"
)
PARTLY = (
    "the board on {port} answers but never says how its inputs are (SNAPSHOT, docs/link.md): "
    "hexboard firmware install"
)
UNLIT = (
    "the board on {port} stays dark: it names its build, so it has to confirm what each rail may "
    "give (LIMITS, docs/link.md), and does not: hexboard firmware install"
)


def unlit(why: str) -> bool:
    """Whether a board that is there stays dark, because of `why`."""
    return UNLIT[UNLIT.index("} ") + 2 :] in why


def lightable(why: str) -> bool:
    """Whether a board that is gone because of `why` can be lit: only its sensors do not answer."""
    return CHAIN[: CHAIN.index("{")] in why


def silence(port: str, heard: Session) -> str:
    """Why no frame comes, as far as what came instead tells, and what to do."""
    if heard.deaf:
        return DEAF.format(port=port)
    if heard.error:
        return (
            f"the board on {port} does not answer; its program stopped with {heard.error!r}: "
            "pull its USB cable and put it in again; if it stops once more, "
            "hexboard firmware install"
        )
    if session.PROMPT.search(heard.text):
        return (
            f"the board on {port} runs MicroPython but not hexboard's firmware: "
            "hexboard firmware install"
        )
    if heard.noisy:
        return (
            f"the board on {port} speaks something else: "
            "is it the right port (settings.toml, [link])?"
        )
    return (
        f"the board on {port} does not answer: pull its USB cable and put it in again, firmly; "
        "if it stays silent, hexboard firmware install"
    )


def version(port: str, protocol: int) -> str:
    """Which side to update when the device speaks `protocol`."""
    versions = (
        f"the board on {port} speaks link protocol {protocol}, this hexboard {session.PROTOCOL}"
    )
    if protocol > session.PROTOCOL:
        return (
            f"{versions}: update hexboard on this computer (as it was installed: "
            "hardware/install.sh again, or pip install --upgrade hexboard)"
        )
    return f"{versions}: update the board: hexboard firmware install"


def ended(why: str) -> str:
    """What people should know of how the firmware ended, before it started anew by itself."""
    return f"its program had stopped, and started anew: {why}" if why else ""


def other_build(build: str, ours: str) -> str:
    """What people should know where the firmware is another than ours for this board."""
    if build == ours or not ours:
        return ""
    return (
        f"its firmware is another build ({build or 'an older one'}) than this hexboard's for this "
        f"board ({ours}): hexboard firmware install"
    )


def misfit(port: str, there: tuple[int, int], inputs: Sequence[str], pixels: int) -> str:
    """Why a device that scans and lights so many, as `there` says, cannot be the one that the board
    file describes, "" when it can."""
    scans, lights = there
    last = max((i for i, sensor in enumerate(inputs) if sensor), default=-1)
    if last >= scans:
        return (
            f"the board file names input {last}, the board on {port} scans {scans}: "
            "hexboard firmware install brings it up to date, or correct the board file"
        )
    if pixels > lights:
        return (
            f"the board file has {pixels} pixels, the board on {port} lights {lights}: "
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


IN_USE = "{port} is in use by another program (hexboard itself? systemctl --user stop hexboard)"
REASONS = (
    ("No such file", "no board on {port}: is its USB cable in?"),
    ("Permission denied", "no permission for {port}: is this user in the group dialout?"),
    ("Is a directory", "{port} is a directory, not a serial port (settings.toml, [link])"),
    ("Inappropriate ioctl", "{port} is a file, not a serial port (settings.toml, [link])"),
    ("exclusively lock", IN_USE),
    ("busy", IN_USE),
    ("returned no data", "the board on {port} was unplugged"),
    ("Input/output error", "the board on {port} was unplugged"),
    ("No such device", "the board on {port} was unplugged"),
)
"""What the system says, and what that means."""
