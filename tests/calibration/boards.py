"""Small boards, and worlds in which some sensors do not work as they should."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from hexboard.board import Board, load
from hexboard.commands.calibrate.simulated import HOLD_MS, Bench
from hexboard.facts import MS
from hexboard.simulator.world import SensorEvent

FLOWER = """\
schema = "hexboard/board-1"
name = "flower"
title = "Seven cells"
shape = "hexhex-2"
[[sensors]]
kind = "edge"
[[sensors]]
kind = "fall"
first_input = 12
[pixels]
[[rails]]
id = "main"
limit_ma = 2000
"""
"""12 sensors in the ribs of seven cells, 7 below them, six lights in each."""
STAR = """\
schema = "hexboard/board-1"
name = "star"
title = "A star"
shape = "hexhex-2"
[[sensors]]
kind = "fall"
[pixels]
edges = [0]
[[rails]]
id = "main"
limit_ma = 2000
"""
"""Seven cells with a sensor and a light each: the quickest there is."""


def board(text: str = FLOWER) -> Board:
    """The board of a text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.toml"
        path.write_text(text, "utf-8")
        return load(path)


class Faulty(Bench):
    """A bench with faults. Each is what it says of the sensor it names."""

    def __init__(
        self,
        board: Board,
        *,
        dead: Iterable[str] = (),
        stuck: Iterable[str] = (),
        inverted: Iterable[str] = (),
        noisy: Iterable[str] = (),
        swapped: Mapping[str, str] | None = None,
        crosstalk: Mapping[str, str] | None = None,
        seconds: int = 60,
    ) -> None:
        super().__init__(board, seed=1)
        self._silent = {*dead, *stuck}
        self._swapped = dict(swapped or {})
        self._swapped |= {b: a for a, b in self._swapped.items()}
        self._disturbs = dict(crosstalk or {})
        self.levels |= {*stuck, *inverted}
        for sensor in noisy:
            for k in range(seconds * 10):
                at = k * 100 * MS + self.random.randrange(50 * MS)
                self._at(at, "level", (sensor, True))
                self._at(at + MS // 3, "level", (sensor, False))

    def _show(self, sensor: str, level: bool) -> Iterator[SensorEvent]:
        if sensor in self._disturbs:
            self._at(self.now + MS, "level", (self._disturbs[sensor], level))
        sensor = self._swapped.get(sensor, sensor)
        if sensor not in self._silent:
            yield from super()._show(sensor, level)


class Rewired(Bench):
    """A bench whose places are on other wires: `wires` says for a place which sensor's wire it has,
    "" for none. What is at rest on a place is on its wire too."""

    def __init__(self, board: Board, wires: Mapping[str, str]) -> None:
        super().__init__(board, seed=1)
        self.wires = wires
        self.levels = {wire for place in self.levels if (wire := wires.get(place, place))}

    def touch(self, sensor: str, ms: int = HOLD_MS) -> None:
        if wire := self.wires.get(sensor, sensor):
            super().touch(wire, ms)


def moved(board: Board, to: Callable[[int], int]) -> dict[str, str]:
    """The wires of a board on which each input's place is on another input of the Pico."""
    inputs = {s.input: s.id for s in board.sensors}
    return {s.id: inputs.get(to(s.input), "") for s in board.sensors}
