"""Feints: a loading place speaks as if a ball were laid there, and lets go before one can leave it.

What seemed to begin there is no reason to take the last roll for over: that sign is weighed with
what else comes of it, as one from nowhere or as a ball's.
"""

from collections.abc import Iterable

from hexboard.games.hextraction.rules.actions import Action
from hexboard.games.hextraction.table.unsettled import Unsettled
from hexboard.games.hextraction.tracking.readings import QUICK_NS
from hexboard.games.hextraction.tracking.tracker import LOADED_NS, Tracker
from hexboard.perception.debounce import Change


class Feint:
    """What a loading place seemed to end at one table, until it is known better."""

    def __init__(self) -> None:
        self._over: tuple[Unsettled, Change] | None = None  # the roll that it seemed to end, so
        self._signs: tuple[Change, Change] | None = None  # that it spoke, and that it let go

    def begins(self, change: Change, last: Unsettled | None) -> None:
        """Something else seems to begin: the `last` roll seems to be over."""
        lays = change.level and change.sensor.startswith("load:")
        self._over = (last, change) if last is not None and lays else None
        self._signs = None

    def shows(
        self, change: Change, last: Unsettled | None, since: Unsettled, tracker: Tracker
    ) -> Unsettled | None:
        """The roll that may go on, where this change shows that nothing had begun: the one that
        seemed to be over, or the `last`, in which it spoke. What began is taken out of what came
        `since`, and of what the tracker knows."""
        over, self._over = self._over, None
        roll, signs = (over[0], [over[1]]) if over else (last, last.items if last else [])
        rise = _rise(change, signs)
        if roll is None or rise is None:
            return None
        if over:
            since.items = [item for item in since.items if item is not rise]
            roll.items.append(rise)
        roll.items.append(change)
        self._signs = rise, change
        for known in (tracker, since.stand.tracker):
            known.loads.pop(change.sensor.removeprefix("load:"), None)
        return roll

    def recalls(self, change: Change, since: Unsettled, tracker: Tracker) -> None:
        """The gate of that lane speaks soon after: there was a ball, as quick as that."""
        kind, lane = change.sensor.split(":", 1)
        if kind != "gate" or not change.level or self._signs is None:
            return
        let_go = self._signs[1]
        if let_go.sensor == f"load:{lane}" and change.at - let_go.at < LOADED_NS:
            tracker.loads[lane] = False, let_go.at
            since.items += self._signs
        self.forget()

    def forget(self) -> None:
        """People have said otherwise, or looked."""
        self._over, self._signs = None, None


def _rise(change: Change, items: Iterable[Change | Action]) -> Change | None:
    """When a loading place spoke that lets go by this change, if that was no ball's time ago."""
    if change.level or not change.sensor.startswith("load:"):
        return None
    of_it = [it for it in items if isinstance(it, Change) and it.sensor == change.sensor]
    rise = of_it[-1] if of_it else change
    return rise if rise.level and change.at - rise.at + rise.within < QUICK_NS else None
