"""The readings against the exact posterior, on the same rolls of a board of seven slots:
`python -m tests.benchmarks.doubts [--rolls N] [--seed N] [--miss P ...] [--keep FOLDER]`.

Both say of each roll how much they doubt their likeliest outcome. Asking of the rolls with most
doubt first leaves fewer and fewer wrong ones: a curve of questions against wrong rulings. The two
curves are compared at equal wrong rates (questions between two steps in proportion), with an
interval of nine in ten from drawing the rolls anew; and at the doubt at which the table asks.

The exact posterior (tests/simulator/exact) is told the true rates of faults; another one is told
those that the readings assume. Rolls that are kept in a folder are not rolled again.
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from random import Random

from msgspec import Struct, json

from controller.board import Board
from controller.perception.readings import Judged, Ruling, doubt, likeliest
from controller.simulator.roll import Faults
from controller.table.balls import DOUBT, Balls
from tests.benchmarks.rolls import Listener
from tests.simulator.exact import posterior, small_board
from tests.simulator.trials import Ruled, Trial, Trials

ASSUMED = Faults(miss=0.02, false=0.005)
"""The rates of faults that the weights of the readings stand for (docs/tracking.md)."""
LEVELS = (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02)
"""Wrong rates at which questions are compared."""
DRAWS = 300
"""How often the rolls are drawn anew for an interval."""


class Opinion(Struct, array_like=True):
    """What a method says of one roll: how likely its likeliest outcome is wrong, and if it is."""

    doubt: float
    wrong: bool


class Compared(Struct, array_like=True):
    """One roll in the opinion of the readings, of the exact posterior, and of the exact posterior
    that assumes the same rates of faults as the readings."""

    readings: Opinion
    exact: Opinion
    assumed: Opinion


class Listened(Balls):
    """A table that remembers what it weighed when all was still for the first time."""

    judged: list[Judged] | None = None

    def _judge(self) -> None:
        self.judged = self.judged or self._readings().judge(self._high)
        super()._judge()


# ----------------------------------------------------------------------------------- one roll


def compare(board: Board, trial: Trial, faults: Faults, sensors: int) -> Compared:
    """One trial, by all methods."""
    exact = _exact(board, trial, faults, sensors)
    assumed = exact if faults == ASSUMED else _exact(board, trial, ASSUMED, sensors)
    return Compared(_readings(board, trial), exact, assumed)


def _readings(board: Board, trial: Trial) -> Opinion:
    listener = Listener(board, trial, Listened)
    listener.hear()
    assert isinstance(listener.table, Listened)
    judged = listener.table.judged
    if judged is None:  # as far as the table knows nothing rolled
        return Opinion(0.0, trial.ruled.outcome != Ruled(False).outcome)
    against = doubt(judged) / 1e6
    ruled = _ruled(board, trial, likeliest(judged).ruling)
    return Opinion(against / (1 + against), ruled.outcome != trial.ruled.outcome)


def _ruled(board: Board, trial: Trial, found: Ruling) -> Ruled:
    """What a reading comes to, with the tile below a ramp all of whose lanes are held (2.1.3.2)."""
    if found.win:
        return Ruled(True, fired=found.fired)
    open_lanes = {ramp.cell for ramp in board.ramps if ramp.id not in found.rests}
    blocked = {ramp.cell for ramp in board.ramps} - open_lanes
    lost = frozenset({*found.lost, *blocked} & trial.tiles.keys())
    return Ruled(False, lost, found.rests, found.fired)


def _exact(board: Board, trial: Trial, rates: Faults, sensors: int) -> Opinion:
    outcomes: dict[tuple[object, ...], float] = defaultdict(float)
    for ruling, share in posterior(board, trial, rates.miss, rates.false, sensors).items():
        outcomes[ruling.outcome] += share
    best, share = max(outcomes.items(), key=lambda one: one[1], default=(None, 0.0))
    return Opinion(1 - share, best != trial.ruled.outcome)


def comparisons(
    board: Board, faults: Faults, balls: int, seed: int, rolls: int, keep: Path | None
) -> list[Compared]:
    """So many rolls with one number of balls; those in the folder `keep` are read from there."""
    trials = Trials(board, seed * 10 + balls, faults, balls, lying=0.0)
    found: list[Compared] = []
    kept = keep and keep / f"{faults.miss:g}-{faults.false:g}-{balls}-{seed}.jsonl"
    if kept and kept.exists():
        found = [json.decode(line, type=Compared) for line in kept.read_bytes().splitlines()]
    for n in range(rolls):
        trial = trials.one()
        if n < len(found):
            continue
        found.append(compare(board, trial, faults, len(trials.ground.pulsed)))
        if kept:
            with kept.open("ab") as file:
                file.write(json.encode(found[-1]) + b"\n")
    return found[:rolls]


# ----------------------------------------------------------------------------------- the curves


def curve(opinions: Sequence[Opinion]) -> list[tuple[int, int]]:
    """(questions, wrong unasked) as ever smaller doubts are asked about; equal doubts at once."""
    wrong = sum(opinion.wrong for opinion in opinions)
    points, asked = [(0, wrong)], 0
    by_doubt = sorted(opinions, key=lambda opinion: -opinion.doubt)
    for _, group in groupby(by_doubt, key=lambda opinion: opinion.doubt):
        alike = list(group)
        asked += len(alike)
        wrong -= sum(opinion.wrong for opinion in alike)
        points.append((asked, wrong))
    return points


def questions(points: Sequence[tuple[int, int]], wrong: float) -> float:
    """How many questions leave so many wrong, in proportion between two points of a curve."""
    before = points[0]
    for point in points:
        if point[1] <= wrong:
            fallen = before[1] - point[1]
            share = (before[1] - wrong) / fallen if fallen else 0.0
            return before[0] + min(max(share, 0.0), 1.0) * (point[0] - before[0])
        before = point
    return float(points[-1][0])


def at_threshold(opinions: Sequence[Opinion]) -> tuple[int, int]:
    """(questions, wrong unasked) where people are asked from the table's doubt on."""
    least = DOUBT / 1e6
    asked = sum(opinion.doubt > least for opinion in opinions)
    return asked, sum(opinion.wrong for opinion in opinions if opinion.doubt <= least)
