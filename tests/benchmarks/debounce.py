"""Fitted debounce against the best there is: `python -m tests.benchmarks.debounce [--seeds N]`.

Twelve trains of edges (`trains.py`). For each the times are fitted from 20, 60 and 300 rolls, and
counted on 2,000 others: balls missed, and crossings too many. Beside them what the board file's
times do, and the best times of a grid of some 5,000 that knows those 2,000 balls and the truth.
Exits with 1 where a fit is worse than the board file, or by more than 1 % of the balls worse than
the best.
"""

import argparse
import sys
from itertools import product
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hexboard.board import Board, find, load
from hexboard.calibration.learner import Learner
from hexboard.perception.debounce import Debouncer, Spec
from tests.benchmarks.trains import TRAINS, WINDOW_NS, Window, edges, train

BALLS = 2000
ROLLS = (20, 60, 300)
SENSOR = "edge:B2-C2"
US = 1000
HIGHS = (
    *(100, 200, 300, 400, 500, 600, 800, 1000, 1250, 1500, 1750, 2000),
    *(2250, 2500, 2750, 3000, 3500, 4000, 5000, 6000),
)
LOWS = (100, 200, 400, 600, 800, 1000, 1250, 1500, 1750, 2000, 2250, 2500, 3000, 4000, 6000)
DEADS = (
    *(0, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000),
    *(12_000, 15_000),
)


class Count(Struct, frozen=True):
    """What came of some balls."""

    missed: int
    doubled: int

    @property
    def wrong(self) -> int:
        return self.missed + self.doubled


def counted(spec: Spec, windows: list[Window]) -> Count:
    """What our debouncer makes of a train."""
    debouncer, rises = Debouncer({SENSOR: spec}), [0] * len(windows)
    for level, at in edges(windows):
        debouncer.edge(SENSOR, level, at)
    for change in debouncer.advance(len(windows) * WINDOW_NS):
        rises[change.at // WINDOW_NS] += change.level
    pairs = [(rise, window.balls) for rise, window in zip(rises, windows, strict=True)]
    return Count(sum(max(0, b - r) for r, b in pairs), sum(max(0, r - b) for r, b in pairs))


def grid(windows: list[Window]) -> tuple[Spec, Count]:
    """The best of the grid, by a debouncer of its own that takes all its times at once."""
    times = np.array(list(product(HIGHS, LOWS, DEADS)), np.int64).T * US
    missed, doubled = (np.zeros(times.shape[1], np.int64) for _ in range(2))
    for window in windows:
        over = _rises(window.highs, *times) - window.balls
        missed += np.maximum(-over, 0)
        doubled += np.maximum(over, 0)
    best = int(np.argmin(missed + doubled))
    high, low, dead = (int(t) for t in times[:, best])
    return Spec(high, low, dead), Count(int(missed[best]), int(doubled[best]))


def _rises(
    highs: tuple[tuple[int, int], ...], high: NDArray[Any], low: NDArray[Any], dead: NDArray[Any]
) -> NDArray[Any]:
    on = np.zeros(high.shape, bool)
    until, rises = np.zeros_like(high), np.zeros_like(high)
    following = [begin for begin, _ in highs[1:]] + [WINDOW_NS]
    for (begin, end), then in zip(highs, following, strict=True):
        rise = ~on & (end - np.maximum(begin, until) >= high)
        rises += rise
        on |= rise
        fall = on & (then - end >= low)
        until = np.where(fall, end + dead, until)
        on &= ~fall
    return rises


def fitted(board: Board, windows: list[Window]) -> Spec:
    """The times in use after a calibration from these rolls."""
    learner = Learner(board)
    for level, at in edges(windows):
        learner.edge(SENSOR, level, at)
    learner.advance((len(windows) + 1) * WINDOW_NS)
    times = learner.fit(SENSOR)
    if times is None or not times.clear:
        return in_use(board)
    return Spec(times.min_high, times.min_low, times.dead)


def in_use(board: Board) -> Spec:
    """What the board file says."""
    sensor = board.sensor[SENSOR]
    return Spec(sensor.min_high, sensor.min_low, sensor.dead)


def told(spec: Spec) -> str:
    return "/".join(f"{t / 1e6:g}" for t in (spec.min_high, spec.min_low, spec.dead))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=1, help="how many fits of each size")
    options.add_argument("--only", default="", help="trains with this in their name")
    asked = options.parse_args()
    board, failed = load(find("hextraction-22")), 0
    print(f"{'missed + doubled of 2,000':26}{'file':>12}{'best':>12}  fitted from {ROLLS} rolls")
    for name in (name for name in TRAINS if asked.only in name):
        windows = train(name, BALLS, seed=0)
        file, (_, best) = counted(in_use(board), windows), grid(windows)
        row = [f"{name:26}{file.missed:6}+{file.doubled:<5}{best.missed:6}+{best.doubled:<5}"]
        for seed, rolls in product(range(1, asked.seeds + 1), ROLLS):
            found = fitted(board, train(name, rolls, seed))
            got = counted(found, windows)
            bad = got.wrong > file.wrong or got.wrong > best.wrong + BALLS // 100
            failed += bad
            row.append(f"{got.missed}+{got.doubled} ({told(found)}){' !' * bad}")
        print("  ".join(row), flush=True)
    print(f"{failed} of {len(TRAINS) * len(ROLLS) * asked.seeds} fits worse than they may be")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
