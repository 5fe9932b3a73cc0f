"""Intake: what came since all was beyond doubt, as readings take it in.

What is taken in after the same is the same: readings can be weighed on, as more comes.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from hexboard.board import CellId
from hexboard.facts import MS
from hexboard.games.hextraction.rules.actions import Action
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.table.hearing import Gap
from hexboard.games.hextraction.table.slots import UNKNOWN
from hexboard.games.hextraction.tracking.readings import QUICK_NS, Readings
from hexboard.perception.debounce import Change

EARLY_NS = 20 * MS
"""How long before its loading place lets go of a ball its gate may feel it."""
SETTLED_NS = max(EARLY_NS, QUICK_NS)
"""What came so long ago is taken in as it is, whatever follows it."""
FEW_EDGES = 16
"""Of so many lost edges, and no more, it is weighed what each may have been."""
SLOT = "seat:"
"""How the switches that feel a slot's tile are called."""


class Intake(NamedTuple):
    """The `number`th of what came."""

    number: int
    item: Change | Action
    gaps: tuple[Gap, ...] = ()
    """In which not all was heard, before it."""
    paused: bool = False
    """Before it everything was taken to be at rest."""
    quick: bool = False
    """A loading place spoke that let go sooner than a ball leaves it."""
    lies: Mapping[CellId, Placed] | None = None
    """From here on tiles lie so; None: as before."""


class TakenIn(NamedTuple):
    """Readings of what was taken in so far."""

    begun: tuple[object, ...]
    """What they began from."""
    taken: list[Intake]
    readings: Readings


class Came:
    """What came, looked through as it grows: `items` is only appended to. An item that nothing
    around it concerns is taken in as the same `Intake` each time."""

    def __init__(self, items: list[Change | Action]) -> None:
        self.items = items
        self._each: list[Intake] = []
        self._lanes: list[tuple[int, Change]] = []
        """What gates and loading places said, each with its number."""
        self._slots: list[int] = []
        """The numbers of what slots said of their tiles."""

    def taken_in(
        self,
        pauses: Collection[int],
        gaps: Sequence[Gap],
        lying: Mapping[CellId, Placed],
        tiles: Mapping[CellId, Placed],
        physical: Mapping[CellId, Placed],
    ) -> list[Intake]:
        """All of it, in the order in which it is taken in. `lying`: the tiles that are believed to
        lie there by now; `physical`: that lay there at first; `tiles`: that belong there."""
        self._look_through(pauses)
        order = _order(len(self.items), self._lanes)
        taken = [self._each[number] for number in order] if order else [*self._each]
        for number in _feints(self._lanes):
            at = order.index(number) if order else number
            taken[at] = taken[at]._replace(quick=True)
        if self._slots:
            _lay(taken, lying, tiles, dict(physical))
        if gaps:
            _interrupt(taken, gaps)
        return taken

    def _look_through(self, pauses: Collection[int]) -> None:
        """What has come since the last time."""
        for number in range(len(self._each), len(self.items)):
            item = self.items[number]
            self._each.append(Intake(number, item, paused=number in pauses))
            if isinstance(item, Change):
                if item.sensor.startswith(("gate:", "load:")):
                    self._lanes.append((number, item))
                elif item.sensor.startswith(SLOT):
                    self._slots.append(number)


def as_of(taken: list[Intake], at: int) -> list[Intake]:
    """What was taken in before the first that came later than `at`."""
    for count, it in enumerate(taken):
        if isinstance(it.item, Change) and it.item.at > at:
            return taken[:count]
    return taken


def _lay(
    taken: list[Intake],
    lying: Mapping[CellId, Placed],
    tiles: Mapping[CellId, Placed],
    lies: dict[CellId, Placed],
) -> None:
    """How tiles lie from each word of a slot on; at first as in `lies`."""
    for place, it in enumerate(taken):
        if not (isinstance(it.item, Change) and it.item.sensor.startswith(SLOT)):
            continue
        slot = it.item.sensor.removeprefix(SLOT)
        if it.item.level:
            lies.setdefault(slot, tiles.get(slot, UNKNOWN))
        elif slot not in lying:  # else the switch flickered: it lies there
            lies.pop(slot, None)
        else:
            continue
        taken[place] = it._replace(lies=dict(lies))


def _interrupt(taken: list[Intake], gaps: Sequence[Gap]) -> None:
    """Which gaps lie before what was taken in."""
    left = list(gaps)
    for place, it in enumerate(taken):
        over = tuple[Gap, ...]()
        while left and isinstance(it.item, Change) and it.item.at >= left[0].until:
            over = (*over, left.pop(0))
        if over:
            taken[place] = it._replace(gaps=over)


def _order(count: int, lanes: list[tuple[int, Change]]) -> list[int]:
    """The numbers of all that came, none where they stay in order: a ball that its gate felt just
    before its loading place let go of it had been let go by then."""
    order, gates = list[int](), dict[str, tuple[int, int]]()
    for number, item in lanes:
        kind, _, lane = item.sensor.partition(":")
        if kind == "gate" and item.level:
            gates[lane] = item.at, number
        elif kind == "load" and not item.level and lane in gates:
            spoke, before = gates[lane]
            if item.at - spoke < EARLY_NS + item.within:
                order = order or list(range(count))
                order.insert(before, order.pop(number))
    return order


def _feints(lanes: Iterable[tuple[int, Change]]) -> set[int]:
    """The numbers of those by which a loading place spoke, and let go sooner than a ball leaves
    it."""
    found, spoke = set[int](), dict[str, tuple[int, int]]()
    for number, item in lanes:
        if item.sensor.startswith("load:"):
            if item.level:
                spoke[item.sensor] = number, item.at - item.within
            elif item.sensor in spoke and item.at - spoke[item.sensor][1] < QUICK_NS:
                found.add(spoke[item.sensor][0])
    return found


def unheard(readings: Readings, gap: Gap, number: int) -> None:
    """Before the `number`th of what came not all was heard: of a few edges that were lost at most
    every second one is a ball's, of more anything may be."""
    if gap.lost is not None and gap.lost <= FEW_EDGES:
        readings.lost((gap.lost + 1) // 2, number, gap.found)
    else:
        readings.gap(number)
