"""Hearing: whether all was heard that balls' sensors had to say, and until when it was not.

A source goes, or loses facts: a gap, up to its return. One that kept what it felt leaves none.
Times are board ns.
"""

from collections.abc import Iterable
from copy import copy
from typing import NamedTuple

from hexboard.board import Board
from hexboard.perception.health import PULSED

FOREVER_NS = 1 << 62
"""Later than anything: the end of a gap that lasts."""


class Gap(NamedTuple):
    """Up to `until` not all was heard: so many edges were lost, or nobody knows how many."""

    until: int
    lost: int | None = None
    found: bool = False
    """And some levels were others afterwards."""


class Hearing:
    """What was not heard of balls since everything was beyond doubt."""

    def __init__(self, board: Board, away: Iterable[str]) -> None:
        self._board = board
        self.sources = {s.source for s in board.sensors if s.kind in PULSED}
        """Whoever tells where balls pass."""
        self._gaps: list[tuple[Gap, str]] = []  # and of which source
        self._gone = self.sources.intersection(away)
        self.fresh = False
        """There was a gap since all was weighed last."""

    def anew(self, away: Iterable[str]) -> "Hearing":
        """Nothing missed so far, on the same board; its sources are not looked up again."""
        other = copy(self)
        other._gaps, other._gone, other.fresh = [], self.sources.intersection(away), False
        return other

    def copy(self) -> "Hearing":
        """The same, of which this one goes on apart."""
        other = self.anew(self._gone)
        other.recall(self)
        return other

    def recall(self, before: "Hearing") -> None:
        """What was not heard before counts as well."""
        self._gaps += before._gaps

    def fade(self, by: int) -> None:
        """What was over by then does not count any more."""
        self._gaps = [(gap, of) for gap, of in self._gaps if gap.until >= by]

    def facts_lost(self, source: str, until: int, lost: int | None = None) -> None:
        """What this source's sensors felt until then was not all heard; `lost`: so many edges of
        theirs, if that is known."""
        if source in self.sources:
            self._gaps.append((Gap(until, lost), source))
            self.fresh = True

    def missed_changes(self, source: str, changed: int) -> None:
        """So many of a source's levels are others than it told: of each an edge was lost, which is
        heard now."""
        for i, (gap, of) in enumerate(self._gaps):
            if of == source and gap.lost is not None:
                found = min(gap.lost, changed)
                some = gap.found or found > 0
                self._gaps[i] = gap._replace(lost=gap.lost - found, found=some), of
                changed -= found

    def source_left(self, source: str) -> None:
        """What this source's sensors feel is not heard from now on."""
        self._gone |= self.sources & {source}

    def source_returned(self, source: str, at: int, kept: bool) -> None:
        """It is heard again; `kept`: what its sensors felt meanwhile, too."""
        if source in self._gone and not kept:
            self.facts_lost(source, at)
        self._gone.discard(source)

    @property
    def away(self) -> list[str]:
        """The sources that are not heard now, by name."""
        return sorted(self._gone)

    @property
    def missed(self) -> bool:
        """Something is over that was not all heard, and will not be told."""
        return bool(self._gaps)

    @property
    def dark(self) -> bool:
        """For a while nobody heard anything, and no one knows how much there was."""
        return any(gap.lost is None for gap in self.gaps)

    @property
    def gaps(self) -> list[Gap]:
        """When not all was heard, each time, in order."""
        lasts = [Gap(FOREVER_NS)] if self._gone else []
        return sorted((gap for gap, _ in self._gaps), key=lambda gap: gap.until) + lasts

    @property
    def unheard(self) -> frozenset[str]:
        """The sensors that may have felt what was not heard."""
        sources = self._gone.union(source for _, source in self._gaps)
        return frozenset(s.id for s in self._board.sensors if s.source in sources)
