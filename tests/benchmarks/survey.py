"""Wrong wires and a person who answers as asked: `python -m tests.benchmarks.survey [--seeds N]`.

For each way to wire a board wrongly: how often the survey ended, how often exactly the right cause
was named, and how many visits it took, at hextraction-22. The person visits places where they are
asked, or (every second seed) in an order of their own, and says `w` whenever another place lights
up. Exits with 1 where a survey does not end within 400 visits, a healthy one within 200, or fewer
than 98 % name the cause.
"""

import argparse
import sys
from collections.abc import Callable
from random import Random

from hexboard.board import Board, find, load
from hexboard.calibration.sensors import Finding, SensorSurvey
from tests.calibration.boards import Rewired, moved
from tests.calibration.hands import Hand

MOST = 400
Wrong = tuple[dict[str, str], set[Finding]]
"""Which wire each place has, and what should be found."""


def pairs(count: int) -> Callable[[Board, Random], Wrong]:
    """So many pairs of sensors on each other's wires."""

    def wrong(board: Board, chance: Random) -> Wrong:
        some = chance.sample([s.id for s in board.sensors if s.kind != "rail"], 2 * count)
        both = [sorted(pair) for pair in zip(some[::2], some[1::2], strict=True)]
        found = {Finding(one, "swapped", other) for one, other in both}
        return {a: b for one, other in both for a, b in ((one, other), (other, one))}, found

    return wrong


def ring(board: Board, chance: Random) -> Wrong:
    one, two, three = chance.sample([s.id for s in board.sensors if s.kind != "rail"], 3)
    wires = {one: two, two: three, three: one}
    return wires, {Finding(place, "instead", wire) for place, wire in wires.items()}


def shifted(board: Board, chance: Random) -> Wrong:
    by, start = chance.choice((1, -1)), chance.choice((0, 0, 8 * chance.randrange(1, 12)))
    wires = moved(board, lambda i: i + by if i >= start else i)
    first = next(s.id for s in board.sensors if s.input == start)
    return wires, {Finding(first, "shifted", f"{by:+d}")}


def register(board: Board, chance: Random) -> range:
    first = 8 * chance.randrange(16)
    return range(first, first + 8)


def reversed_register(board: Board, chance: Random) -> Wrong:
    own, names = register(board, chance), {s.input: s.id for s in board.sensors}
    wires = moved(board, lambda i: own[0] + own[-1] - i if i in own else i)
    return wires, {Finding(names[own[0]], "reversed", names[own[-1]])}


def ribbons(board: Board, chance: Random) -> Wrong:
    one, other = sorted(chance.sample(range(0, 128, 8), 2))
    names = {s.input: s.id for s in board.sensors}
    there = {one: other, other: one}
    wires = moved(board, lambda i: there.get(i // 8 * 8, i // 8 * 8) + i % 8)
    return wires, {Finding(names[one], "plugs", names[other])}


def silent(board: Board, chance: Random) -> Wrong:
    own, names = register(board, chance), {s.input: s.id for s in board.sensors}
    wires = moved(board, lambda i: -1 if i in own else i)
    return wires, {Finding(names[own[0]], "silent", names[own[-1]])}


def healthy(board: Board, chance: Random) -> Wrong:
    return {}, set()


CASES: dict[str, Callable[[Board, Random], Wrong]] = {
    "healthy": healthy,
    **{f"{count} swapped pair{'s' * (count > 1)}": pairs(count) for count in range(1, 7)},
    "three in a ring": ring,
    "chain shifted by one": shifted,
    "register reversed": reversed_register,
    "ribbons swapped": ribbons,
    "dead register": silent,
}


def run(board: Board, name: str, seed: int) -> tuple[bool, int]:
    """Whether exactly the cause was found, and after how many visits of a hand."""
    wires, wanted = CASES[name](board, Random(f"{name} {seed}"))
    hand = Hand(Rewired(board, wires), SensorSurvey(board))
    hand.all(seed if seed % 2 else None, MOST)
    return set(hand.survey.findings()) == wanted, hand.touches


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=10)
    asked = options.parse_args()
    board, failed = load(find("hextraction-22")), False
    for name in CASES:
        runs = [run(board, name, seed) for seed in range(asked.seeds)]
        named, visits = sum(right for right, _ in runs), sorted(visits for _, visits in runs)
        most = 200 if name == "healthy" else MOST
        bad = named < 0.98 * len(runs) or visits[-1] >= most
        failed |= bad
        print(
            f"{name:22} named {named} of {len(runs)}, visits {visits[len(visits) // 2]} "
            f"(at most {visits[-1]}){' !' * bad}",
            flush=True,
        )
    sys.exit(failed)


if __name__ == "__main__":
    main()
