"""Failing sensors in the second world: `python -m tests.benchmarks.health [--boards N] [--seed N]`.

Whole evenings of `tests/worlds`, in each of which one sensor is dead, works 30, 50 or 70 % of the
time, or makes 1,500 false rises in three hours; and evenings in which all are healthy. A whole
table referees them. Counted is whether the sensor is named within 10 and 15 balls that passed it
(of noise: turns), how many balls that took, and which others were named. Only sensors that so many
balls pass are taken: of the rest nobody can know.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from statistics import median

from msgspec import Struct

from hexboard.board import Board, find, load
from tests.benchmarks.worlds import Play
from tests.worlds import Evening, Knobs, evening
from tests.worlds.electrics import PASSING
from tests.worlds.evening import BOARD

FAILS = {"dead": 0.0, "works 30 %": 0.3, "works 50 %": 0.5, "works 70 %": 0.7}
NOISY = "1,500 false rises in 3 h"
EACH_MINUTE = 1500 / 180
BALLS = 15
"""A sensor is looked at that so many balls pass."""
SHORT = 10
ROLLS = 150
"""Of an evening."""


class Course(Struct):
    """How one sensor fared in one evening."""

    sensor: str
    passed: list[int]
    """For each turn, how many balls had truly passed it by its end."""
    named: list[str]
    """For each turn, what it was named at its end."""
    others: set[str]
    """Other sensors that were named."""

    def took(self, noisy: bool) -> int | None:
        """After how many balls, or turns, it was named."""
        for turn, (passed, named) in enumerate(zip(self.passed, self.named, strict=True), 1):
            if named:
                return turn if noisy else passed
        return None


def course(board: Board, night: Evening, sensor: str) -> Course:
    """Referee an evening."""
    play, found, count = Play(board, night), Course(sensor, [], [], set()), 0
    for part in night.parts:
        play.part(part)
        if part.roll is None:
            continue
        count += sum(sign.sensor == sensor and sign.way in PASSING for sign in part.roll.signs)
        named = play.referee.witnesses.named
        found.passed.append(count)
        found.named.append(named.get(sensor, ""))
        found.others |= named.keys() - {sensor}
    return found


def candidates(night: Evening) -> list[str]:
    """Sensors that `BALLS` balls pass in an evening."""
    signs = (sign for part in night.parts if part.roll for sign in part.roll.signs)
    passed = Counter(sign.sensor for sign in signs if sign.way in PASSING)
    return sorted(sensor for sensor, times in passed.items() if times >= BALLS)


def failing(board: Board, kind: str, seed: int, boards: int) -> Iterator[Course]:
    """As many evenings, in each of which another sensor fails."""
    for k in range(boards):
        chance = random.Random(f"{seed} {k}")
        sensor = chance.choice(candidates(evening(seed * 1000 + k, Knobs(rolls=ROLLS))))
        loud = ((sensor, EACH_MINUTE),) if kind == NOISY else ()
        weak = () if loud else ((sensor, FAILS[kind]),)
        knobs = Knobs(rolls=ROLLS // 2 if loud else ROLLS, weak=weak, loud=loud)
        yield course(board, evening(seed * 1000 + k, knobs), sensor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=10, help="evenings a row")
    parser.add_argument("--turns", type=int, default=1000, help="healthy turns")
    parser.add_argument("--missed", type=float, default=0.0, help="of all balls, by every sensor")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--json", action="store_true")
    said = parser.parse_args()
    board, figures, begun = load(find(BOARD)), dict[str, object](), time.monotonic()
    out = sys.stderr if said.json else sys.stdout
    print(f"| sensor | evenings | in {SHORT} | in {BALLS} | median | others named |", file=out)
    print("|---" * 6 + "|", file=out)
    for kind in (*FAILS, NOISY):
        if said.only not in kind:
            continue
        courses = list(failing(board, kind, said.seed, said.boards))
        took = [one.took(kind == NOISY) for one in courses]
        within = [sum(t is not None and t <= most for t in took) for most in (SHORT, BALLS)]
        usual = median([t for t in took if t is not None] or [-1])
        others = sum(len(one.others) for one in courses)
        print(
            f"| {kind} | {len(took)} | {within[0]} | {within[1]} | {usual} | {others} |", file=out
        )
        figures[kind] = {"took": took, "others": [sorted(one.others) for one in courses]}
    if said.only in "healthy":
        turns, named = 0, list[str]()
        for k in range(-(-said.turns // ROLLS)):
            night = evening(said.seed * 1000 + 500 + k, Knobs(rolls=ROLLS, missed=said.missed))
            one = course(board, night, "")
            turns, named = turns + len(one.named), named + sorted(one.others)
        print(f"healthy: {turns} turns, named: {', '.join(named) or 'none'}", file=out)
        figures["healthy"] = {"turns": turns, "named": named}
    print(f"{time.monotonic() - begun:.0f} s", file=out)
    if said.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
