"""Mission Pinball Framework as a daemon on the link's wire, for `tests.benchmarks.mpf`.

`python -m tests.benchmarks.mpf_machine PORT HZ RULES [WAITS]`, with a Python that has `mpf`, `cobs`
and `msgspec`. A complete, headless MPF (its default modes and core modules; no media controller)
with one switch an input, one light a pixel and a `light_player` rule a beam: RULES is a file with a
line `INPUT PIXEL HIGH LOW` each. Its platform is built of what MPF's own serial platforms are built
of (`BaseSerialCommunicator`, `PlatformBatchLightSystem`), and speaks docs/link.md by our `Session`.

MPF leaves debouncing to the hardware. With WAITS (HELLO's, in hexadecimal) this platform does it,
by ours' rule: a switch changes once its input has been so for HIGH or LOW µs, as the device
promises.
"""

import asyncio
import logging
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import mpf.core
from mpf.core.config_loader import YamlMultifileConfigLoader
from mpf.core.machine import MachineController
from mpf.core.platform import LightsPlatform, SwitchPlatform
from mpf.core.platform_batch_light_system import PlatformBatchLight, PlatformBatchLightSystem
from mpf.platforms.base_serial_communicator import BaseSerialCommunicator
from mpf.platforms.interfaces.switch_platform_interface import SwitchPlatformInterface
from mpf.tests.TestDataManager import TestDataManager

from hexboard.devices import session

INPUTS, PIXELS = 152, 150
TICK_S = 0.05
"""So often what falls due is sent: pings, and what was lost."""
BATCH = 60
"""Channels in one update, as in the platforms that MPF brings."""
COMMON = """#config_version=6
mpf:
  platforms:
    bench: tests.benchmarks.mpf_machine.Platform
hardware:
  platform: bench
machine:
  min_balls: 0
playfields:
  playfield:
    tags: default
    default_source_device: None
"""


class Switch(SwitchPlatformInterface):  # type: ignore[misc]
    def get_board_name(self) -> str:
        return "Pico"


class Light(PlatformBatchLight):  # type: ignore[misc]
    def get_max_fade_ms(self) -> int:
        return 0

    def get_board_name(self) -> str:
        return "Pico"

    def is_successor_of(self, other: Any) -> bool:
        return bool(self.number == other.number + 1)

    def get_successor_number(self) -> int:
        return int(self.number + 1)

    def __lt__(self, other: Any) -> bool:
        return bool(self.number < other.number)


class Debouncer:
    """Changes of inputs, until they have lasted: for so many µs high or low, by the input."""

    def __init__(self, lasts: dict[int, tuple[int, int]]) -> None:
        self._lasts = lasts
        self._held: dict[int, session.InputChange] = {}
        self._high: set[int] = set()

    def change(self, it: session.InputChange) -> None:
        if it.level == (it.input in self._high):
            self._held.pop(it.input, None)
        else:
            self._held[it.input] = it

    def lasted(self, until: int) -> Iterator[session.InputChange]:
        """What has lasted by then, device µs."""
        for it in list(self._held.values()):
            high, low = self._lasts.get(it.input, (0, 0))
            if it.ticks + (high if it.level else low) <= until:
                del self._held[it.input]
                self._high ^= {it.input}
                yield it


class Wire(BaseSerialCommunicator):  # type: ignore[misc]
    """The link's bytes: edges go to MPF's switches, the frame of all pixels to the Pico."""

    def __init__(self, platform: Any, port: str) -> None:
        self.session = session.Session(platform.waits)
        self.debouncer = Debouncer(platform.lasts if platform.waits else {})
        self.frame = bytearray(8 * PIXELS)
        super().__init__(platform, port, 115200)

    async def _identify_connection(self) -> None:
        pass

    def _parse_msg(self, msg: bytes) -> None:
        for it in self.session.receive(msg, time.monotonic_ns()):
            if isinstance(it, session.InputChange) and not self.platform.waits:
                self._switch(it)
            elif isinstance(it, session.InputChange):
                self.debouncer.change(it)
            elif isinstance(it, session.DeviceWatermark):
                for lasted in self.debouncer.lasted(it.ticks):
                    self._switch(lasted)
        self.due()

    def _switch(self, it: session.InputChange) -> None:
        switches = self.machine.switch_controller
        switches.process_switch_by_num(str(it.input), int(it.level), self.platform)

    def due(self) -> None:
        if out := self.session.send(time.monotonic_ns()):
            self.send(out)

    def light(self, levels: list[tuple[Any, float, int]]) -> None:
        for light, brightness, _ in levels:
            pixel, channel = divmod(light.number, 3)
            self.frame[8 * pixel + channel] = int(255 * brightness)
        self.session.light(bytes(self.frame))
        self.due()


class Platform(SwitchPlatform, LightsPlatform):  # type: ignore[misc]
    port, hz, waits = "", 0.0, b""
    lasts: ClassVar[dict[int, tuple[int, int]]] = {}

    def __init__(self, machine: Any) -> None:
        super().__init__(machine)
        self.log = logging.getLogger("Pico")
        self.features["tickless"] = True
        self.config = {"debug": False}

    async def initialize(self) -> None:
        clock = self.machine.clock
        self.lights = PlatformBatchLightSystem(clock, self._show, self.hz, BATCH)
        self.wire = Wire(self, self.port)
        await self.wire.connect()
        clock.schedule_interval(self.wire.due, TICK_S)

    async def start(self) -> None:
        self.lights.start()
        await self.wire.start_read_loop()

    def stop(self) -> None:
        self.lights.stop()
        self.wire.stop()

    async def _show(self, levels: list[tuple[Any, float, int]]) -> None:
        self.wire.light(levels)

    def configure_switch(self, number: str, config: Any, platform_config: Any) -> Switch:
        return Switch(config, number, self)

    async def get_hw_switch_states(self) -> dict[str, int]:
        return {str(number): 0 for number in range(INPUTS)}

    def configure_light(self, number: str, subtype: str, config: Any, settings: Any) -> Light:
        return Light(int(number), self.lights)

    def parse_light_number_to_channels(self, number: str, subtype: str) -> list[dict[str, int]]:
        return [{"number": 3 * int(number) + channel} for channel in range(3)]


class Machine(MachineController):  # type: ignore[misc]
    def create_data_manager(self, name: str) -> Any:
        return TestDataManager({})  # MPF's own, that keeps nothing


def config(rules: list[tuple[int, int]]) -> str:
    """The machine: every input a switch, every pixel a light, and the rules."""
    switches = [f"  s_{i}:\n    number: {i}" for i in range(INPUTS)]
    lights = [f"  l_{i}:\n    number: {i}\n    subtype: led" for i in range(PIXELS)]
    played = [
        f"  s_{i}_active:\n    l_{pixel}: 00ff00\n  s_{i}_inactive:\n    l_{pixel}: stop"
        for i, pixel in rules
    ]
    parts = ["switches:", *switches, "lights:", *lights, "light_player:", *played]
    return COMMON + "\n".join(parts) + "\n"


def main() -> None:
    Platform.port, Platform.hz = sys.argv[1], float(sys.argv[2])
    lines = Path(sys.argv[3]).read_text("utf-8").splitlines()
    told = [tuple(map(int, line.split())) for line in lines]
    Platform.waits = bytes.fromhex("".join(sys.argv[4:]))
    Platform.lasts = {i: (high, low) for i, _, high, low in told}
    rules = [(i, pixel) for i, pixel, *_ in told]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config").mkdir()
        (Path(folder) / "config" / "config.yaml").write_text(config(rules), "utf-8")
        machine = opened(folder)
    print("READY", flush=True)
    machine.clock.loop.run_forever()


def opened(folder: str) -> Any:
    """MPF's machine as it runs headless, without a media controller and its terminal picture."""
    options = {
        "force_platform": None,
        "production": True,
        "mpfconfigfile": str(Path(mpf.core.__path__[0]).parent / "mpfconfig.yaml"),
        "configfile": ["config.yaml"],
        "debug": False,
        "bcp": False,
        "no_load_cache": True,
        "platform_integration_test": False,
        "create_config_cache": False,
        "text_ui": False,
        "no_sound": True,
    }
    logging.disable(logging.CRITICAL)
    loaded = YamlMultifileConfigLoader(folder, ["config.yaml"], False, False).load_mpf_config()
    del loaded.get_machine_config()["mpf"]["core_modules"]["text_ui"]
    loaded.get_machine_config()["bcp"] = []
    asyncio.set_event_loop(asyncio.new_event_loop())
    machine = Machine(options, loaded)
    if not machine.initialize_mpf():
        sys.exit("MPF did not start")
    return machine


if __name__ == "__main__":
    sys.modules["tests.benchmarks.mpf_machine"] = sys.modules["__main__"]
    main()
