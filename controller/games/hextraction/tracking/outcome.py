"""The outcome of a roll: what it comes to, how likely that is, and how doubtful the likeliest."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct

from hexboard.board import CellId
from hexboard.games.hextraction.rules.actions import Action
from hexboard.games.hextraction.tracking.weights import PARTS

Fired = tuple[tuple[CellId, str], ...]
"""Areas that were set off, in order: (slot, area)"""


class RollOutcome(Struct, frozen=True, dict=True):
    """What a roll comes to: a ball in an end zone; or the slots whose tiles go, and where balls
    lie (a slot, a seam, a lane); which areas were set off, each as often as it was; and whether
    there was a roll at all."""

    win: bool
    lost: tuple[CellId, ...] = ()
    rests: tuple[str, ...] = ()
    fired: Fired = ()
    rolled: bool = True
    more: tuple[str, ...] = ()
    """Where balls lie that count as several, once for each ball more."""

    @cached_property
    def outcome(self) -> tuple[object, ...]:
        """What matters to the rules now: of where balls lie only that they lie in lanes, or, of
        three on one tile, what they touch (2.1.3, 2.1.5.5)."""
        lanes = tuple(rest for rest in self.rests if rest[-2:-1] == "-")
        lying = [rest for rest in self.rests if rest not in lanes]
        threes = _threes(lying, self.more) if len(lying) + len(self.more) >= 3 else ()
        return self.win, self.lost, self.fired, lanes, threes, self.rolled


def _threes(lying: Sequence[str], more: Iterable[str]) -> tuple[str, ...]:
    """Where those balls lie that touch a tile which three touch."""
    touching = Counter(cell for rest in (*lying, *more) for cell in rest.split("-"))
    crowded = {cell for cell, count in touching.items() if count >= 3}
    return tuple(rest for rest in lying if not crowded.isdisjoint(rest.split("-")))


class Judged(Struct):
    """A ruling, how unlikely it is, and the best reading that comes to it."""

    cost: int
    ruling: RollOutcome
    best: int
    story: list[tuple[int, int, Action]]
    """What balls did: the number of the sign that told it, the ball, and the happening."""
    blind: bool
    """Where a ball ended is not sensed at all on this board, so that nothing speaks against it."""
    missed: tuple[str, ...] = ()
    """Sensors that balls passed in it without a word of theirs, each as often as that."""
    false: frozenset[str] = frozenset()
    """Sensors that spoke in it for no ball."""


def likeliest(judged: list[Judged]) -> Judged:
    """The best ruling of the likeliest outcome."""
    parts = _outcomes(judged)
    return max(judged, key=lambda one: (parts[one.ruling.outcome], -one.cost))


def doubt(judged: list[Judged]) -> int:
    """How likely it is that the likeliest outcome is not the true one, in millionths of it."""
    parts = _outcomes(judged)
    best = max(parts.values())
    return (sum(parts.values()) - best) * 1_000_000 // best


def agreed(judged: list[Judged], beyond: int) -> list[Judged]:
    """Those that have a roll or have none, as the likeliest outcome has it, if that it errs in this
    is less likely than `beyond` millionths; else all."""
    best = likeliest(judged).ruling.rolled
    same = [one for one in judged if one.ruling.rolled == best]
    parts = _outcomes(judged)
    known = sum(part for (*_, was), part in parts.items() if was == best)
    others = sum(parts.values()) - known
    return same if others * 1_000_000 <= known * beyond else judged


def odds(judged: list[Judged]) -> list[int]:
    """How likely each reading is, in millionths of all."""
    least = min((one.cost for one in judged), default=0)
    parts = [_part(one.cost - least) for one in judged]
    return [part * 1_000_000 // sum(parts) for part in parts]


def _part(worse: int) -> int:
    """How likely what is so much worse than the best is, in millionths of the best."""
    return PARTS[worse] if worse < len(PARTS) else 0


def _outcomes(judged: list[Judged]) -> dict[tuple[object, ...], int]:
    """How likely each outcome is, in millionths of the best ruling."""
    parts: dict[tuple[object, ...], int] = {}
    least = min(one.cost for one in judged)
    for one in judged:
        part = _part(one.cost - least)
        parts[one.ruling.outcome] = parts.get(one.ruling.outcome, 0) + part
    return parts
