"""Blinking: a board's lights shown one pattern after another, and a camera's picture of each."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Never

from hexboard.board import Board
from hexboard.calibration.wizard import BoardGoneError
from hexboard.devices.mailbox import Mailbox
from hexboard.facts import Presence
from hexboard.lights.frame import limit
from hexboard.vision.frame import Frame, Picture
from hexboard.vision.pose.pixel_map import Lamp, find, patterns

LEVEL = 60
"""How bright a light is that is on, of 255: clear, and little power."""
LAGS_NS = (250_000_000, 1_500_000_000)
"""A frame that came so long after a pattern was sent shows it: with most cameras, and with those
that send over a network, or where the computer is busy, ns."""


class Blinking:
    """One board and one camera. `light` shows 8 bytes a pixel, `mailbox` hears of the strip."""

    def __init__(
        self,
        board: Board,
        mailbox: Mailbox[Never],
        light: Callable[[bytes], None],
        frames: Iterator[Frame],
        patience: float = 5.0,
    ) -> None:
        self.board = board
        self._mailbox, self._light, self._frames = mailbox, light, frames
        self._patience = patience
        self._level = level(board)

    def wait(self) -> None:
        """Until the lights can be lit. Raises `BoardGoneError`."""
        end, why = time.monotonic() + self._patience, "it says nothing"
        while time.monotonic() < end:
            for report in self._mailbox.drain(0.1):
                match report.body:
                    case Presence(True) if report.source != "gpio":
                        return
                    case Presence(False, reason):
                        why = reason
        raise BoardGoneError("calibration.no_board", why=why)

    def lamps(self) -> dict[int, Lamp]:
        """Each light that the camera tells; where most are missing, asked again with more time."""
        count = len(self.board.pixels)
        seen: dict[int, Lamp] = {}
        for lag_ns in LAGS_NS:
            if 2 * len(seen) <= count:
                seen = find([self.show(on, lag_ns) for on in patterns(count)], count)
        return seen

    def show(self, lit: Iterable[int], lag_ns: int = LAGS_NS[0]) -> Picture:
        """A picture of the board with these lights on and no others."""
        on = frozenset(lit)
        grey = bytes((self._level,) * 3 + (0,) * 5)
        count = len(self.board.pixels)
        self._light(b"".join(grey if k in on else bytes(8) for k in range(count)))
        sent = time.monotonic_ns()
        return next(frame.image for frame in self._frames if frame.t >= sent + lag_ns)


def level(board: Board) -> int:
    """How bright all lights may be at once, within what every rail can give."""
    most = LEVEL
    for k, rail in enumerate(board.rails):
        fed = [3 * LEVEL for pixel in board.pixels if pixel.rail == k]
        if fed:
            wanted, room, _ = limit(fed, rail)
            most = min(most, LEVEL * room // wanted if wanted > room else LEVEL)
    return most
