"""Gpio: sensors, buttons and supply rails on the Raspberry Pi's own pins.

Two things, apart on purpose: `PinWatch` knows what was seen and what is to be said (levels and
times in, reports out; no clock, no pin), `Gpio` owns the pins, through gpiozero, and a thread.

    gpio = Gpio({17: "button:end", 27: "rail:main"}, mailbox.post)   # BCM numbers
    gpio.close()

The kernel stamps every edge with its monotonic clock, which is the board's, and lgpio passes the
stamp on. (RPi.GPIO's API has none: there it is the moment of the call.) A burst may overflow the
kernel's queue of 16 edges a pin, so levels are read again after each burst and once a second.
"""

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hexboard.devices.driver import Driver
from hexboard.facts import MS, Edge, Lost, Presence, Report, Snapshot, Watermark
from hexboard.words import Message, message, say

LATE_NS = 10 * MS
"""An edge is here within this: lgpio sorts for 1 ms, and its thread waits for the interpreter."""
QUIET_NS = 20 * MS
"""After so long without an edge a burst is over, and levels are read again."""
AGAIN_NS = 100 * MS
"""Levels that do not add up are read once more: lgpio's thread may have had no time so long."""
IMAGE_NS = 1000 * MS
"""Levels are read again at least so often."""
SOON_NS, IDLE_NS = 5 * MS, 20 * MS
"""How often a watermark is posted: just after an edge, and while nothing happens."""
DEV = Path("/dev")
"""Where the kernel shows its pins, as gpiochip0 and on."""


# What was seen


class PinWatch:
    """What is known of the sensors, and what is to be said of it.

    `levels` are always of all sensors, in the order of `sensors`; True is active. Times are board
    ns, and `now` never runs backwards.
    """

    def __init__(self, sensors: tuple[str, ...], source: str) -> None:
        self._sensors = sensors
        self._source = source
        self._levels: list[bool] = []
        self._odd: dict[int, int] = {}  # sensors that a look saw other than we know, and since when
        self._lost = 0
        self._since = 0
        self._promised = 0
        self._edge_at = 0
        self._look_at = 0  # when levels want to be read again
        self._latest = 0  # and when at the latest, whatever bursts are going on

    def begin(self, levels: list[bool], now: int) -> Iterator[Report]:
        """The pins are ours: here they are."""
        self._levels, self._odd, self._lost = levels, {}, 0
        self._since = self._promised = now
        self._look_at = self._latest = now + IMAGE_NS
        yield Report(self._source, now, Presence(True))
        yield self._image()

    def edge(self, index: int, level: bool, stamp: int, now: int) -> Iterator[Report]:
        """Sensor `index` changed to `level` at `stamp`, as we hear `now`."""
        if not self._levels or stamp < self._since:
            return  # that was before the first look, which has seen it
        self._edge_at, self._look_at = now, min(now + QUIET_NS, self._latest)
        self._odd.pop(index, None)
        if level == self._levels[index]:
            self._lost += 1  # the edge between the two
            return
        self._levels[index] = level
        self._promised = max(self._promised, min(stamp, now))
        yield Report(self._source, self._promised, Edge(self._sensors[index], level), stamp)

    def wants_look(self, now: int) -> bool:
        """Whether levels should be read again."""
        return now >= self._look_at

    def look(self, levels: list[bool], now: int) -> Iterator[Report]:
        """What the levels are `now`. An edge that is still on its way makes one differ from what we
        know; only where it still does `AGAIN_NS` later, without an edge of that sensor between, was
        an edge dropped. (A pin that chatters has edges all the time: it vouches for no other.)"""
        for index, (level, known) in enumerate(zip(levels, self._levels, strict=True)):
            if level == known:
                self._odd.pop(index, None)
            elif now - self._odd.setdefault(index, now) >= AGAIN_NS:
                del self._odd[index]
                self._levels[index] = level
                self._lost += 1
        self._look_at = self._latest = now + (AGAIN_NS if self._odd else IMAGE_NS)
        yield from self.passed(now)
        if self._lost:
            yield Report(self._source, self._promised, Lost(self._lost))
            self._lost = 0
        yield self._image()

    def passed(self, now: int) -> Iterator[Report]:
        """What can be promised `now`."""
        if now - LATE_NS > self._promised:
            self._promised = now - LATE_NS
            yield Report(self._source, self._promised, Watermark(self._promised))

    def lively(self, now: int) -> bool:
        """Whether a debouncer may be waiting for a promise."""
        return now - self._edge_at < QUIET_NS

    def _image(self) -> Report:
        high = (s for s, level in zip(self._sensors, self._levels, strict=True) if level)
        return Report(self._source, self._promised, Snapshot(tuple(high)))


# The pins


class Gpio(Driver):
    """Pins of the Pi's header as the source of reports `source`.

    `inputs` is the sensor of each pin, by its BCM number; with `active_low` a pin is pulled up and
    a sensor that pulls it down is active. Reports go to `post` from the pins' threads:
    `Presence(True)` and a `Snapshot`, then edges as they come, watermarks, `Lost` where levels do
    not add up, and a `Snapshot` after each burst and once a second.
    """

    def __init__(
        self,
        inputs: Mapping[int, str],
        post: Callable[[Report], None],
        source: str = "gpio",
        active_low: bool = True,
    ) -> None:
        super().__init__(source, post)
        self._inputs = dict(inputs)
        self._active_low = active_low
        self._watch = PinWatch(tuple(self._inputs.values()), source)
        self._lock = threading.Lock()  # guards the watch, and the order of what is posted
        self._news = threading.Event()
        self._thread.start()

    def _wake(self) -> None:
        self._news.set()

    def _serve(self) -> None:
        with contextlib.ExitStack() as stack:
            self._attend(self._open(stack))

    def _reason(self, error: Exception) -> str:
        return say(reason(error))

    def _open(self, stack: contextlib.ExitStack) -> list[Any]:
        """All pins, or an error that names the first that could not be had."""
        find_library()
        from gpiozero import InputDevice

        devices = []
        for pin in self._inputs:
            try:
                device = InputDevice(pin, pull_up=self._active_low)
            except Exception as error:
                raise PinError(pin) from error
            devices.append(stack.enter_context(contextlib.closing(device)))
        return devices

    def _attend(self, devices: list[Any]) -> None:
        """Listen until we close or a pin fails."""
        heard = [partial(self._edge, index) for index in range(len(devices))]
        try:
            with self._lock:
                for device, call in zip(devices, heard, strict=True):
                    device.pin._call_when_changed = partial(pass_on, device.pin)
                    device.pin.when_changed = call  # gpiozero refers to it weakly
                self._say(self._watch.begin([d.is_active for d in devices], time.monotonic_ns()))
                self._up, self._why = True, ""
            while not self._closing.is_set():
                self._turn(devices)
        finally:
            with self._lock:
                self._up = False
            for device in devices:  # closing alone would leave lgpio's callback where it is
                device.pin.when_changed = None

    def _turn(self, devices: list[Any]) -> None:
        lively = self._watch.lively(time.monotonic_ns())
        if self._news.wait((SOON_NS if lively else IDLE_NS) / 1e9):
            self._news.clear()
            self._closing.wait(SOON_NS / 1e9)
        with self._lock:
            now = time.monotonic_ns()
            if self._watch.wants_look(now):
                self._say(self._watch.look([d.is_active for d in devices], now))
            self._say(self._watch.passed(now))

    def _edge(self, index: int, ticks: float, state: object) -> None:
        """A pin changed: called by gpiozero, in whatever thread its library has for that."""
        level, now = bool(state) != self._active_low, time.monotonic_ns()
        with self._lock:
            if self._up:
                self._say(self._watch.edge(index, level, round(ticks * 1e9), now))
        self._news.set()

    def _say(self, reports: Iterator[Report]) -> None:
        for report in reports:
            self._post(report)


# The library


def pass_on(pin: Any, *what: object) -> None:
    """Have a pin call whoever listens to it, or nobody any more.

    gpiozero does not look whether somebody still does. An edge that comes while its pin is closed
    would raise there, which ends lgpio's one thread: no pin would be heard again.
    """
    try:
        type(pin)._call_when_changed(pin, *what)
    except TypeError:  # it called None
        if pin.when_changed is not None:
            raise


def find_library() -> None:
    """Give gpiozero its pins: what `GPIOZERO_PIN_FACTORY` says, or lgpio, or RPi.GPIO's API.

    gpiozero would go on to others, with a warning for each, until it reports the last one's error.
    """
    from gpiozero import Device

    if Device.pin_factory is not None:
        return
    have_lgpio = find_spec("lgpio") is not None
    if have_lgpio:
        import_lgpio()
    if "GPIOZERO_PIN_FACTORY" in os.environ:
        Device.ensure_pin_factory()
    elif have_lgpio:
        from gpiozero.pins.lgpio import LGPIOFactory

        Device.pin_factory = LGPIOFactory()
    else:
        from gpiozero.pins.rpigpio import RPiGPIOFactory

        Device.pin_factory = RPiGPIOFactory()


def import_lgpio() -> None:
    """Import lgpio without its traces.

    At its import it makes a FIFO in the working directory, which may not be writable, or in LG_WD;
    there it takes the whole process. Nobody needs the FIFO's name once both its ends are open.
    """
    if "lgpio" in sys.modules:
        return
    here = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="hexboard-") as folder:
        os.environ["LG_WD"] = folder
        try:
            import lgpio  # noqa: F401
        finally:
            os.chdir(here)
            del os.environ["LG_WD"]


class PinError(Exception):
    """This pin could not be had; the cause says why."""

    def __init__(self, pin: int) -> None:
        super().__init__(pin)
        self.pin = pin


def reason(error: Exception) -> Message:
    """Why the pins cannot be had, for people."""
    if isinstance(error, PinError):
        return pin_reason(error.pin, error.__cause__)
    chips = [str(chip) for chip in DEV.glob("gpiochip*")]
    if not chips:  # first, for a laptop gets no library from hexboard[pi]
        return message("gpio.none")
    text = str(error)
    if all(map(installed, ("RPi.GPIO", "rpi-lgpio"))) and not isinstance(error, OSError):
        return message("gpio.both")
    if isinstance(error, ModuleNotFoundError):
        return message("gpio.missing", module=error.name or "gpiozero")
    if "usable temporary directory" in text:
        return message("gpio.no_folder")
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return message("gpio.permission")
    return message("gpio.failed", why=text.splitlines()[0] if text else type(error).__name__)


def pin_reason(pin: int, error: BaseException | None) -> Message:
    """Why one pin cannot be had."""
    from gpiozero import GPIOPinInUse, PinFixedPull, PinInvalidPin

    if isinstance(error, PinInvalidPin):
        return message("gpio.no_pin", pin=pin)
    if isinstance(error, PinFixedPull):
        return message("gpio.pull", pin=pin)
    if isinstance(error, GPIOPinInUse) or "busy" in str(error):
        return message("gpio.busy", pin=pin)
    return message("gpio.pin_failed", pin=pin, why=str(error))


def installed(package: str) -> bool:
    """Whether pip installed it."""
    try:
        return bool(metadata.distribution(package))
    except metadata.PackageNotFoundError:
        return False
