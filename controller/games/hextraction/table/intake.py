"""Intake: what came since all was beyond doubt, as readings take it in.

What is taken in after the same is the same: readings can be weighed on, as more comes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
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


def intake(
    items: Sequence[Change | Action],
    pauses: Iterable[int],
    gaps: Iterable[Gap],
    lying: Mapping[CellId, Placed],
    tiles: Mapping[CellId, Placed],
    physical: Mapping[CellId, Placed],
) -> Iterator[Intake]:
    """All `items`, in the order in which they are taken in. `lying`: the tiles that are believed to
    lie there by now; `physical`: that lay there at first; `tiles`: that belong there."""
    lanes = _of_lanes(items)
    quick, left, lies = _feints(lanes), list(gaps), dict(physical)
    for number in _order(len(items), lanes):
        item, over, laid = items[number], tuple[Gap, ...](), False
        while left and isinstance(item, Change) and item.at >= left[0].until:
            over = (*over, left.pop(0))
        if isinstance(item, Change) and item.sensor.startswith("seat:"):
            slot = item.sensor.removeprefix("seat:")
            if laid := item.level or slot not in lying:  # else the switch flickered: it lies there
                if item.level:
                    lies.setdefault(slot, tiles.get(slot, UNKNOWN))
                else:
                    lies.pop(slot, None)
        now = dict(lies) if laid else None
        yield Intake(number, item, over, number in pauses, number in quick, now)


def as_of(taken: Iterable[Intake], at: int) -> list[Intake]:
    """What was taken in before the first that came later than `at`."""
    return list(takewhile(lambda it: not isinstance(it.item, Change) or it.item.at <= at, taken))


def _of_lanes(items: Iterable[Change | Action]) -> list[tuple[int, Change]]:
    """What gates and loading places said, each with its number."""
    return [
        (number, item)
        for number, item in enumerate(items)
        if isinstance(item, Change) and item.sensor.startswith(("gate:", "load:"))
    ]


def _order(count: int, lanes: list[tuple[int, Change]]) -> list[int]:
    """The numbers of all that came; a ball that its gate felt just before its loading place let go
    of it had been let go by then."""
    order, gates = list(range(count)), dict[str, tuple[int, int]]()
    for number, item in lanes:
        kind, _, lane = item.sensor.partition(":")
        if kind == "gate" and item.level:
            gates[lane] = item.at, number
        elif kind == "load" and not item.level and lane in gates:
            spoke, before = gates[lane]
            if item.at - spoke < EARLY_NS + item.within:
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
