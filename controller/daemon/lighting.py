"""Lighting: what the board's lights show, within what the supply may give and a camera needs."""

import time
from collections.abc import Callable

from msgspec.structs import replace

from hexboard.board import Board
from hexboard.daemon.camera import Camera
from hexboard.devices.open import Wires
from hexboard.lights.flashes import Flashes
from hexboard.lights.frame import LightRenderer, LightSettings, Power, is_night
from hexboard.scene import Scene
from hexboard.web.requests import Lights


class Lighting:
    """Renders scenes into frames for the wires. `mark` adds what is not the table's to a scene;
    `seen` gets each frame once it is on its way, for pages."""

    def __init__(
        self,
        board: Board,
        settings: LightSettings,
        mark: Callable[[Scene], Scene],
        seen: Callable[[bytes], None] | None,
        before: "Lighting | None" = None,
    ) -> None:
        """`before`, where another game was played on the same lights: what people set then holds,
        and so does what they have seen flash."""
        self._board, self._begun = board, settings
        self.settings: LightSettings = settings
        """How people want their lights."""
        self._night: bool = False
        self._flashes: Flashes = Flashes()
        if before is not None and before._begun == settings:
            self.settings, self._night = before.settings, before._night
            self._flashes = before._flashes
        self._renderer = LightRenderer(board, self.settings)
        self._shown: tuple[Scene, bool] = ((), False)
        self._mark, self._seen = mark, seen
        self.power = Power()
        """What the last frame draws."""
        self.wires: Wires | None = None
        """Where frames go, once it is open."""
        self.camera: Camera | None = None
        """What looks at the board by this light."""

    @property
    def due(self) -> int | None:
        """When something that waits may be shown, so as not to flash; monotonic ns."""
        return self._flashes.due

    def adjust(self, wanted: Lights) -> None:
        """People want their lights otherwise."""
        self.settings = replace(self.settings, brightness=wanted.brightness, calm=wanted.calm)
        self._renderer = LightRenderer(self._board, self.settings)
        self.show(*self._shown)

    def brighten(self) -> None:
        """People want the next brightness: night's, the usual one, full, and night's again."""
        begun, now = self._begun, self.settings.brightness
        levels = sorted({begun.night_brightness, begun.brightness, 100})
        after = next((level for level in levels if level > now), levels[0])
        self.adjust(Lights(after, self.settings.calm))

    def tick(self, minute: int | None) -> bool:
        """It is this minute of the day, None where nobody knows; True where the night has begun or
        ended. What people set on a page, or by a button, holds until then."""
        night = minute is not None and is_night(self._begun.night, minute)
        if night == self._night:
            return False
        self._night = night
        brightness = self._begun.night_brightness if night else self._begun.brightness
        self.adjust(Lights(brightness, self.settings.calm))
        return True

    def show(self, scene: Scene, lit: bool) -> None:
        """Light what a scene means. `lit`: there are lights that do as they are told."""
        self._shown = scene, lit
        wanted = self._renderer.lights(self._mark(scene))
        frame = self._renderer.within(self._flashes.allow(wanted, time.monotonic_ns()))
        self.power = frame.power
        if self.wires is None or not frame.data:
            return
        data = frame.data if self.camera is None else self.camera.light(frame.data, lit)
        self.wires.light(data)
        if self._seen is not None:
            self._seen(frame.data)
