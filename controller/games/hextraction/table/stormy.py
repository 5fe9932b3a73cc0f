"""Stormy: what is left of a game while all sensors together make no sense, and afterwards.

What they said since the storm began is dropped as far as it is provisional; a roll waits, as for a
board that is not connected. What had been entered in the match by then is asked about in one
question once all is quiet. Times are board ns.
"""

from collections import deque

from hexboard.game.match import Entry, Played
from hexboard.games.hextraction.rules.actions import Action, Rail
from hexboard.games.hextraction.table import questions
from hexboard.games.hextraction.table.believed import Believed
from hexboard.games.hextraction.table.ending import Ending
from hexboard.games.hextraction.table.following import Following
from hexboard.perception.debounce import Change
from hexboard.perception.storm import SLOW_NS
from hexboard.table.parts import Parts


class Stormy:
    """Storms at one table."""

    def __init__(
        self, parts: Parts[Action], believed: Believed, following: Following, ending: Ending
    ) -> None:
        self._parts, self._believed = parts, believed
        self._following, self._ending = following, ending
        # When sensors spoke, after how many entries, and which lanes had a ball in them.
        self._entries: deque[tuple[int, int, dict[str, tuple[bool, int]]]] = deque()
        self._first = 0  # the entry with which the storm began

    def hears(self, change: Change) -> None:
        """A sensor speaks that is believed: a storm may turn out to have begun with it."""
        entries, loads = self._parts.ledger.match.entries, self._believed.tracker.loads
        self._entries.append((change.at, len(entries), dict(loads)))
        while self._entries[0][0] < change.at - SLOW_NS:
            self._entries.popleft()

    def begins(self, since: int) -> None:
        """What sensors said since then counts for nothing, and is waited for."""
        believed, match = self._believed, self._parts.ledger.match
        now = since, len(match.entries), believed.tracker.loads
        _, first, loads = next((heard for heard in self._entries if heard[0] >= since), now)
        believed.last = None
        self._following.stops(since)
        believed.tracker.loads = dict(loads)
        self._first = min(first, len(match.entries))
        for source in believed.unsettled.hearing.sources:
            believed.unsettled.hearing.source_left(source)

    def ends(self) -> None:
        """All is quiet: what was entered meanwhile is asked about, and a roll is judged."""
        now, senses, hearing = self._parts.now, self._parts.senses, self._believed.unsettled.hearing
        for source in filter(senses.up, sorted(hearing.sources)):
            hearing.source_returned(source, now, False)
            self._ending.hears(source)
        entered = self._parts.ledger.match.entries[self._first :]
        if count := sum(map(self._counts, entered)):
            self._parts.ask(*questions.stormed(self._first, count))

    def _counts(self, entry: Entry) -> bool:
        """Whether sensors said it, and more than the power that came or went, which is known anew
        by now."""
        if not isinstance(entry, Played):
            return False
        return not isinstance(self._believed.position.action(entry.action), Rail)
