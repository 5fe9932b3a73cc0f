"""Leaning: whether a board leans to its left or right, learned from how long balls took.

A pure function of what rolls were judged to be. A tile's way from edge to edge and its mirror image
are as long and as steep on a board that stands level; where balls take one of the two quicker, all
over the board, it leans that way. How steep it is from top to bottom has no such mirror, and is not
worked out: times of ways (`paces.py`) carry it.

A course has a name: over which edges of the slot a ball came in and reached the next sensor, and
how many ways its tile had for it, "1-3 of 2". Kept of each are a count, the sum and the sum of
squares of ln(ms) in 1/100 nat: whole numbers. No ruling hangs on what is worked out of them.

    leaning = Leaning()
    leaning.learn([("1-3 of 2", 161), ("1-5 of 2", 188)])
    leaning.lean(board)         # Lean(degrees=2.1, at_least=0.7, at_most=3.5, balls=212), or None
"""

import math
from collections.abc import Iterable, Iterator

from msgspec import Struct

from hexboard.board import EDGES, Board, Edge, opposite
from hexboard.facts import Leant

KEPT = 64
"""A course that has so many counts for half: a board that was put level is known again."""
SHORTEST_MS, LONGEST_MS = 20, 1000
"""What is quicker was no pass, what is slower was held up."""
FEW = 3
"""A course is compared that so many balls took, and as many its mirror image."""
ENOUGH = 30
"""Of fewer balls nothing is said."""
SLIGHT_DEG = 1.0
"""Less is as good as level."""
G = 9810.0
"""mm/s²."""
ROLLS = 5 / 7
"""A solid ball that rolls is so much slower to gain speed than one that slides."""
QUICKER = 1.2
"""By so much a ball is quicker at the end of a tile than on its way through it."""
SURE = 1.96
"""Sigmas of 19 in 20."""
ALIKE = 1.5
"""By so much more boards differ than their balls do, which run over the same few tiles again and
again (`tests.benchmarks.leaning`)."""


class Lean(Struct, frozen=True):
    """How far a board leans to its right, seen with the ramps at the top; below 0 to its left."""

    degrees: float
    at_least: float
    at_most: float
    """19 times in 20 it is between these."""
    balls: int
    """How many passes through tiles say so."""

    @property
    def sure(self) -> bool:
        """Whether it leans for certain, and by more than a little."""
        return abs(self.degrees) >= SLIGHT_DEG and self.at_least * self.at_most > 0


class Leaning:
    """All courses of one board."""

    def __init__(self, known: Leant = ()) -> None:
        self._courses = {name: (count, total, squares) for name, count, total, squares in known}

    @property
    def known(self) -> Leant:
        """For each course its count, sum and sum of squares of 100 ln(ms)."""
        return tuple((name, *sums) for name, sums in sorted(self._courses.items()))

    def learn(self, took: Iterable[tuple[str, int]]) -> None:
        """Balls took so many ms on these courses."""
        for name, ms in took:
            if not SHORTEST_MS <= ms <= LONGEST_MS:
                continue
            count, total, squares = self._courses.get(name, (0, 0, 0))
            if count >= KEPT:
                count, total, squares = count // 2, total // 2, squares // 2
            size = round(100 * math.log(ms))
            self._courses[name] = count + 1, total + size, squares + size * size

    def lean(self, board: Board) -> Lean | None:
        """What all pairs of mirror images say together, each as much as it is sure; None where too
        few balls rolled. Where pairs differ by more than chance it is less sure by that (R. T.
        Birge, Phys. Rev. 40, 1932)."""
        pairs = list(self._pairs(board))
        balls = sum(count for _, _, count in pairs)
        if balls < ENOUGH:
            return None
        spread = self._spread()
        weights = [1 / (spread * per**2) for _, per, _ in pairs]
        sine = sum(w * it for w, (it, *_) in zip(weights, pairs, strict=True)) / sum(weights)
        apart = sum(w * (it - sine) ** 2 for w, (it, *_) in zip(weights, pairs, strict=True))
        unlike = max(1.0, apart / max(1, len(pairs) - 1))
        sigma = ALIKE * math.sqrt(unlike / sum(weights))
        least, most = sine - SURE * sigma, sine + SURE * sigma
        return Lean(_degrees(sine), _degrees(least), _degrees(most), balls)

    def _pairs(self, board: Board) -> Iterator[tuple[float, float, int]]:
        """For each course to the right that is known with its mirror image: the sine of the lean
        that the two speak for, its sigma where one ball's ln(s) has 1, how many balls.

        Where the sine is s a ball falls by s · `right` mm more, and its mirror image by as much
        less. By the end that has added 2 · 5/7 · g · s · right to v²; there it has 1.2 of its mean
        speed v = way/T. So ln(T) is less by 5/7 · g · s · right / (2.4 v²), or more.
        """
        mirror = mirrored(board)
        for name, (count, total, _) in sorted(self._courses.items()):
            start, end, ways = _read(name)
            right = _right(board, start, end)
            other = self._courses.get(course(mirror[start], mirror[end], ways), (0, 0, 0))
            if right <= 1 or min(count, other[0]) < FEW:
                continue
            here, there = total / count / 100, other[1] / other[0] / 100
            speed = _way_mm(board, start, end) / (math.exp((here + there) / 2) / 1000)
            gain = 2 * QUICKER * speed**2 / (ROLLS * G * right)
            per = gain * math.sqrt(1 / count + 1 / other[0]) / 2
            yield gain * (there - here) / 2, per, count + other[0]

    def _spread(self) -> float:
        """The variance of ln(s) on one and the same course."""
        known = [it for it in self._courses.values() if it[0] > 1]
        around = sum(squares - total**2 / count for count, total, squares in known)
        return max(around / sum(count - 1 for count, *_ in known) / 100**2, 0.01)


def joined(older: Leant, newer: Leant) -> Leant:
    """What is known by both; of a course that is known well enough the newer."""
    found = {name: (count, total, squares) for name, count, total, squares in older}
    for name, count, total, squares in newer:
        before = found.get(name, (0, 0, 0))
        while before[0] and before[0] + count > KEPT:
            before = before[0] // 2, before[1] // 2, before[2] // 2
        if before[0]:
            count, total, squares = count + before[0], total + before[1], squares + before[2]
        found[name] = count, total, squares
    return tuple((name, *sums) for name, sums in sorted(found.items()))


def _degrees(sine: float) -> float:
    return round(math.degrees(math.asin(max(-1.0, min(1.0, sine)))), 1)


def course(start: Edge, end: Edge, ways: int) -> str:
    """The name of a course."""
    return f"{start}-{end} of {ways}"


def mirrored(board: Board) -> dict[Edge, Edge]:
    """For each edge of a cell its mirror image, left and right exchanged."""
    first = 8 if board.flat_top else 7
    return {edge: (first - edge - 1) % 6 + 1 for edge in EDGES}


def _read(name: str) -> tuple[Edge, Edge, int]:
    edges, _, ways = name.partition(" of ")
    start, _, end = edges.partition("-")
    return int(start), int(end), int(ways)


def _right(board: Board, start: Edge, end: Edge) -> float:
    """How far to the right a course leads, mm."""
    cell = board.cells[0].id
    return board.edge_point(cell, end)[0] - board.edge_point(cell, start)[0]


def _way_mm(board: Board, start: Edge, end: Edge) -> float:
    """How long a course is: an arc that is square to both edges."""
    apart = min((start - end) % 6, (end - start) % 6)
    if end in (start, opposite(start)):
        return board.pitch
    half = math.radians(30 * apart)
    return board.pitch * math.tan(half) * (math.pi / 2 - half)
