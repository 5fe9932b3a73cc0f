"""A board that leans to a side: `python -m tests.benchmarks.leaning [--times N] [--seed N]`.

Evenings of the second world, on boards that lean so far to the right, are refereed by a table, each
with what the one before taught; what is found out of the balls' times is beside what is so. Found:
how far it leans by that, for each of the boards. Sure: how many are told that their board leans,
and to the right side. Within: how often the truth lies in the interval that is told, wanted 19 in
20.
"""

import argparse

from hexboard.board import Board, find, load
from hexboard.facts import Witnessed
from hexboard.perception.leaning import Lean, Leaning
from tests.benchmarks.worlds import Play
from tests.worlds import Knobs, evening
from tests.worlds.evening import BOARD

SIDES_DEG = (-5.0, -3.0, 0.0, 3.0, 5.0)
EVENINGS, ROLLS = 8, 48


def leans(board: Board, side_deg: float, seed: int) -> Lean | None:
    """What some evenings show of a board that leans so far to the right."""
    known = Witnessed(0, ())
    for k in range(EVENINGS):
        knobs = Knobs(rolls=ROLLS, side_deg=side_deg, missed=0.02, false=0.005)
        play = Play(board, evening(100 * seed + k, knobs))
        play.referee.witnesses.recall(known)
        known = play.played().referee.witnesses.fact
    return Leaning(known.leant).lean(board)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=2, help="boards of each lean")
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    board = load(find(BOARD))
    print(f"| leans by, ° ({EVENINGS} evenings of {ROLLS} rolls) | found, ° | sure | within |")
    print("|---" * 4 + "|")
    for side_deg in SIDES_DEG:
        seeds = range(said.seed, said.seed + said.times)
        found = [it for seed in seeds if (it := leans(board, side_deg, seed))]
        sure = sum(it.sure and it.degrees * side_deg > 0 for it in found)
        within = sum(it.at_least <= side_deg <= it.at_most for it in found)
        degrees = ", ".join(f"{it.degrees:.1f}" for it in found)
        print(f"| {side_deg:.0f} | {degrees} | {sure} | {within} of {len(found)} |", flush=True)


if __name__ == "__main__":
    main()
