"""The readings against the exact posterior, on the same rolls of a board of seven slots:
`python -m tests.benchmarks.doubts [--rolls N] [--seed N] [--miss P ...] [--keep FOLDER]`.

Both say of each roll how much they doubt their likeliest outcome. Asking of the rolls with most
doubt first leaves fewer and fewer wrong ones: a curve of questions against wrong rulings. The two
curves are compared at equal wrong rates (questions between two steps in proportion), with an
interval of nine in ten from drawing the rolls anew; and at the doubt at which the table asks.

The exact posterior (tests/simulator/exact) is told the true rates of faults; another one is told
those that the readings assume. What it thinks of a roll is kept in a folder, for it is slow.
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from random import Random

from msgspec import Struct

from hexboard.board import Board
from hexboard.games.hextraction.table.balls import Balls
from hexboard.games.hextraction.table.ending import DOUBT_PPM
from hexboard.games.hextraction.tracking.outcome import Judged, RollOutcome, doubt, likeliest
from tests.benchmarks.rolls import Listener, kept
from tests.simulator.exact import posterior, small_board
from tests.simulator.roll import Faults
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


class Exact(Struct, array_like=True):
    """What the exact posterior says that is told the true rates of faults, and the one that assumes
    those of the readings."""

    true: Opinion
    assumed: Opinion


class Listened(Balls):
    """A table that remembers what it weighed when all was still for the first time."""

    judged: Sequence[Judged] = ()

    def due(self, name: str) -> None:
        super().due(name)
        self.judged = self.judged or self.ending.judged


# ----------------------------------------------------------------------------------- one roll


def of_readings(board: Board, trial: Trial) -> Opinion:
    """What the table thinks of a trial."""
    listener = Listener(board, trial, Listened)
    listener.hear()
    assert isinstance(listener.balls, Listened)
    judged = [*listener.balls.judged]
    if not judged:  # as far as the table knows nothing rolled
        return Opinion(0.0, trial.ruled.outcome != Ruled(False).outcome)
    against = doubt(judged) / 1e6
    ruled = _ruled(board, trial, likeliest(judged).ruling)
    return Opinion(against / (1 + against), ruled.outcome != trial.ruled.outcome)


def _ruled(board: Board, trial: Trial, found: RollOutcome) -> Ruled:
    """What a reading comes to, with the tile below a ramp all of whose lanes are held (2.1.3.2)."""
    if found.win:
        return Ruled(True, fired=found.fired)
    open_lanes = {ramp.cell for ramp in board.ramps if ramp.id not in found.rests}
    blocked = {ramp.cell for ramp in board.ramps} - open_lanes
    lost = frozenset({*found.lost, *blocked} & trial.tiles.keys())
    return Ruled(False, lost, found.rests, found.fired)


def of_exact(board: Board, trial: Trial, faults: Faults, sensors: int) -> Exact:
    """What the exact posterior thinks of it."""
    true = _posterior(board, trial, faults, sensors)
    return Exact(true, true if faults == ASSUMED else _posterior(board, trial, ASSUMED, sensors))


def _posterior(board: Board, trial: Trial, rates: Faults, sensors: int) -> Opinion:
    outcomes: dict[tuple[object, ...], float] = defaultdict(float)
    for ruling, share in posterior(board, trial, rates.miss, rates.false, sensors).items():
        outcomes[ruling.outcome] += share
    best, share = max(outcomes.items(), key=lambda one: one[1], default=(None, 0.0))
    return Opinion(1 - share, best != trial.ruled.outcome)


def opinions(
    faults: Faults, balls: int, seed: int, rolls: int, keep: Path | None
) -> dict[str, list[Opinion]]:
    """What all think of so many rolls with one number of balls."""
    board = small_board()

    def trials() -> Trials:
        return Trials(board, seed * 10 + balls, faults, balls, lying=0.0)

    file = keep and keep / f"exact-{faults.miss:g}-{balls}-{seed}.jsonl"
    sensors = len(trials().ground.pulsed)
    exact = kept(file, Exact, rolls, trials(), lambda one: of_exact(board, one, faults, sensors))
    ours = kept(None, Opinion, rolls, trials(), lambda one: of_readings(board, one))
    return {
        "the readings": ours,
        "exact posterior": [one.true for one in exact],
        "exact, 2 % assumed": [one.assumed for one in exact],
    }


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
    least = DOUBT_PPM / 1e6
    asked = sum(opinion.doubt > least for opinion in opinions)
    return asked, sum(opinion.wrong for opinion in opinions if opinion.doubt <= least)


def ratio(
    ours: Sequence[Opinion], exact: Sequence[Opinion], wrong: float
) -> tuple[float, float, float]:
    """How many questions the readings need for one of the exact posterior's at the same number of
    wrong rulings; and where nine in ten of these lie if the rolls are drawn anew."""

    def of(picked: Sequence[int]) -> float:
        mine = questions(curve([ours[i] for i in picked]), wrong)
        return (mine + 0.5) / (questions(curve([exact[i] for i in picked]), wrong) + 0.5)

    random = Random(1)
    everyone = range(len(ours))
    drawn = sorted(of(random.choices(everyone, k=len(ours))) for _ in range(DRAWS))
    return of(everyone), drawn[DRAWS // 20], drawn[-DRAWS // 20]


def report(faults: Faults, balls: int, found: dict[str, list[Opinion]]) -> None:
    """What asking of the most doubtful leaves wrong, by each."""
    rolls = len(found["the readings"])
    print(f"\n{faults.miss:.0%} missed, {faults.false:.2%} false, {balls} balls, {rolls} rolls")
    print("                       never asking   at the table's doubt      questions at most wrong")
    print("                              wrong    asked    wrong  ", end="")
    print("".join(f"{level:8.2%}" for level in LEVELS))
    for name, thought in found.items():
        points = curve(thought)
        asked, wrong = at_threshold(thought)
        row = "".join(f"{questions(points, level * rolls):8.1f}" for level in LEVELS)
        print(f"  {name:20} {points[0][1]:12} {asked:8} {wrong:8}  {row}")
    ours, exact = found["the readings"], found["exact posterior"]
    reached = [level for level in LEVELS if level * rolls < curve(ours)[0][1]]
    for level in reached:
        best, low, high = ratio(ours, exact, level * rolls)
        print(
            f"  at {level:.2%} wrong {best:.2f} questions for one (90 %: {low:.2f} to {high:.2f})"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rolls", type=int, default=2000)
    options.add_argument("--balls", type=int, nargs="+", default=[1, 2])
    options.add_argument("--miss", type=float, nargs="+", default=[0.02, 0.05, 0.1])
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", type=Path)
    chosen = options.parse_args()
    if chosen.keep:
        chosen.keep.mkdir(parents=True, exist_ok=True)
    for miss in chosen.miss:
        for balls in chosen.balls:
            faults = Faults(miss=miss, false=miss / 4)
            report(faults, balls, opinions(faults, balls, chosen.seed, chosen.rolls, chosen.keep))


if __name__ == "__main__":
    main()
