"""Glances: what the readings of a camera say, one after the other, each in a few words.

glances = Glances(cells)
glances.told(reading)       # "55 of 61 cells certain; changed: b3, c3"
"""

from collections.abc import Sequence

from hexboard.facts import Reading
from hexboard.perception.inference import GAP_CNAT
from hexboard.words import Message, message

NAMED = 8
"""So many cells that have changed are named; of more, how many they are."""


class Glances:
    """`cells` are the names of the board's cells, in its order; () where the board is not known."""

    def __init__(self, cells: Sequence[str]) -> None:
        self._names = cells
        self._before: tuple[int | None, ...] | None = None

    def told(self, reading: Reading) -> Message:
        """A reading, and what it says otherwise than the last one that said something."""
        if not reading.cells:
            return message("recording.no_reading")
        codes = tuple(min(cell, key=_cost)[0] if cell else None for cell in reading.cells)
        before, self._before = self._before or codes, codes
        pairs = enumerate(zip(before, codes, strict=False))
        return message(
            "recording.reading",
            certain=sum(map(certain, reading.cells)),
            all=len(codes),
            changed=self._named([k for k, (was, now) in pairs if was != now]),
            balls="" if reading.balls is None else f"; balls: {', '.join(reading.balls) or '-'}",
        )

    def _named(self, changed: list[int]) -> str:
        if len(changed) > NAMED or any(k >= len(self._names) for k in changed):
            return str(len(changed))
        return ", ".join(self._names[k] for k in changed) or "-"


def certain(cell: tuple[tuple[int, int], ...]) -> bool:
    """Whether a cell says one thing, and everything else is far less likely."""
    costs = sorted(map(_cost, cell))
    return len(costs) == 1 or (len(costs) > 1 and costs[1] - costs[0] >= GAP_CNAT)


def _cost(entry: tuple[int, int]) -> int:
    return entry[1]
