"""Fingers: which changes of a board's pads are the touch of a finger.

A pad that was pressed for a moment was tapped. Several pads that were down at once are a sleeve or
a hand, and no finger; a pad that is tapped without end is a sensor that fails; and what was felt
while nobody heard it is past. Times are board ns.

So it is in matches that say so (`FINGERS`). In older ones each pad is heard for itself.
"""

from collections import deque

from msgspec import Struct

from hexboard.board import Board, CellId
from hexboard.facts import MS
from hexboard.game.game import AnyGame
from hexboard.game.options import Option
from hexboard.game.position import Action
from hexboard.perception.debounce import Change
from hexboard.table.senses import Senses
from hexboard.words import Value

TAP_NS = 1_000 * MS
"""A sensor that was pressed no longer than this was tapped; else something lies on it."""
PADS = ("seat", "fall")
"""Kinds of sensors in a cell that feel a finger."""
FINGERS = Option("fingers", 0, most=1)
"""How fingers on the board are heard; 0 in matches from before there was anything to choose."""
ENDLESS, ENDLESS_NS = 12, 30_000 * MS
"""So many touches of one pad within so long are no finger's: whoever moves touches others too."""
AGAIN_NS = 2_000 * MS
"""So long after it was told it is told anew that several pads were down at once."""


class Touching(Struct, frozen=True):
    """A pad was let go: a finger `tapped` its cell, or held it `long`. `many`: with other cells at
    once, which is none; `endless`: once more, and too often for a finger; `late`: what happened
    then nobody heard at the time. "" is nothing."""

    kind: str
    cells: tuple[CellId, ...] = ()


NOTHING = Touching("")


def pads(board: Board) -> frozenset[str]:
    """The sensors that feel a finger on a cell."""
    places = (s for s in board.sensors if s.kind in PADS and s.place in board.cell)
    return frozenset(sensor.id for sensor in places)


def newest(game: AnyGame[Action], board: Board) -> dict[str, Value]:
    """What a new match of a game says of fingers; nothing where the board feels none."""
    own = game.table is not None or game.touched is None
    return {} if own or not pads(board) else {FINGERS.name: FINGERS.most}


class Fingers:
    """What a finger does on the pads of one board. `filters`: touches that are no finger's are
    left out, as newer matches have it."""

    def __init__(self, board: Board, senses: Senses, filters: bool) -> None:
        self._pads, self._senses, self._filters = pads(board), senses, filters
        self._source = {sensor.id: sensor.source for sensor in board.sensors}
        self._since: dict[str, int] = {}  # pads that are pressed, since when
        self._crowd: set[str] = set()  # pads that were down with others and are not up
        self._rises: dict[str, deque[int]] = {}  # when each pad was pressed lately
        self._heard: dict[str, int] = {}  # since when a source is heard
        self._told: int | None = None  # when it was told that several pads were down

    def hears(self, source: str, at: int) -> None:
        """A source is there since then: what it felt before is past."""
        self._heard[source] = at

    def drop(self, sensor: str) -> None:
        """A sensor is left out, or found anew: what it said is past."""
        if not self._filters:
            return
        self._since.pop(sensor, None)
        self._crowd.discard(sensor)
        self._rises.pop(sensor, None)

    def felt(self, change: Change) -> Touching:
        """What a change of a sensor tells of a finger."""
        sensor, at = change.sensor, change.at
        if sensor not in self._pads:
            return NOTHING
        if change.level:
            self._since[sensor] = at
            return self._pressed(sensor, at) if self._filters else NOTHING
        since = self._since.pop(sensor, None)
        tapped = since is not None and at - since <= TAP_NS
        if not self._filters:
            return Touching("tapped", (_cell(sensor),)) if tapped else NOTHING
        return self._let_go(sensor, since, at)

    def _pressed(self, sensor: str, at: int) -> Touching:
        """A pad is pressed: with others, or once too often?"""
        others = self._others(sensor)
        self._crowd &= others  # the rest was no more than a glitch
        if others:
            self._crowd |= {sensor, *others}
        rises = self._rises.setdefault(sensor, deque(maxlen=ENDLESS))
        rises.append(at)
        endless = len(rises) == ENDLESS and at - rises[0] <= ENDLESS_NS
        return Touching("endless", (_cell(sensor),)) if endless else NOTHING

    def _let_go(self, sensor: str, since: int | None, at: int) -> Touching:
        crowd = self._crowd | ({sensor, *others} if (others := self._others(sensor)) else set())
        if sensor in crowd:
            self._crowd = crowd - {sensor}
            return self._several(crowd, at)
        source = self._source[sensor]
        if source in self._senses.away or min(at, since or at) < self._heard.get(source, 0):
            return Touching("late", (_cell(sensor),))
        if since is None:
            return NOTHING
        return Touching("tapped" if at - since <= TAP_NS else "long", (_cell(sensor),))

    def _several(self, crowd: set[str], at: int) -> Touching:
        if self._told is not None and at - self._told < AGAIN_NS:
            return NOTHING
        self._told = at
        return Touching("many", tuple(sorted(map(_cell, crowd))))

    def _others(self, sensor: str) -> set[str]:
        """The other pads that are down, as far as anybody knows by now."""
        senses = self._senses
        down = (s for s in self._pads if senses.debouncer.raw(s) or senses.debouncer.level(s))
        return {s for s in down if s != sensor and s not in senses.health.out}


def _cell(sensor: str) -> CellId:
    return sensor.split(":", 1)[1]
