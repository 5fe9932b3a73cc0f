"""Failing sensors in the second world: `python -m tests.benchmarks.health [--boards N] [--seed N]`.

Whole evenings of `tests/worlds`, in each of which one sensor is dead, works 30, 50 or 70 % of the
time, or makes 1,500 false rises in three hours; and evenings in which all are healthy. A whole
table referees them, until the sensor is named or more than 15 balls passed it. Counted is whether
it is named within 10 and 15 balls (of noise: turns), how many balls that took, and which others
were named by then. Only sensors that so many balls pass are taken: of the rest nobody can know.
With `--evenings N` so many healthy evenings were played before and are kept in the calibration. "At
most" is what no test that is told of every ball exceeds, where healthy sensors miss as few as the
board is known to (`limit`).

`--known`: only the test itself, told of every ball, on boards that miss more and fewer: how many
sensors that work 70 % it names, and on how many boards it names a sound one in 1,000 turns of three
balls past sensors each; on the first evening, and after six.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from math import comb, inf
from statistics import median

from msgspec import Struct

from hexboard.board import Board, find, load
from hexboard.facts import Witnessed
from hexboard.perception.witness import SOUND, Testimony, Witnesses
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
TURNS, EACH = 1000, 3
"""Healthy turns in which nobody is to be named, and balls past sensors in each."""
ALARMS = 0.05
"""So many boards may have a sound sensor named in `TURNS`."""
RATES = (0.02, 0.01, 0.005, 0.002, 0.0003)
"""Of balls that sound sensors miss."""
SENSORS, EVENINGS = 105, 6


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


def course(
    board: Board, night: Evening, sensor: str, before: Witnessed, balls: float = inf
) -> Course:
    """Referee an evening, until a sensor is named or more than so many balls passed it."""
    play, found, count = Play(board, night), Course(sensor, [], [], set()), 0
    play.referee.say(before, "table")
    for part in night.parts:
        play.part(part)
        if part.roll is None:
            continue
        count += sum(sign.sensor == sensor and sign.way in PASSING for sign in part.roll.signs)
        named = play.referee.witnesses.named
        found.passed.append(count)
        found.named.append(named.get(sensor, ""))
        found.others |= named.keys() - {sensor}
        if sensor in named or count > balls:
            break
    return found


def candidates(night: Evening) -> list[str]:
    """Sensors that `BALLS` balls pass in an evening."""
    signs = (sign for part in night.parts if part.roll for sign in part.roll.signs)
    passed = Counter(sign.sensor for sign in signs if sign.way in PASSING)
    return sorted(sensor for sensor, times in passed.items() if times >= BALLS)


def failing(
    board: Board, kind: str, seed: int, boards: int, missed: float, before: Witnessed
) -> Iterator[Course]:
    """As many evenings, in each of which another sensor fails."""
    for k in range(boards):
        chance = random.Random(f"{seed} {k}")
        sensor = chance.choice(candidates(evening(seed * 1000 + k, Knobs(rolls=ROLLS))))
        loud = ((sensor, EACH_MINUTE),) if kind == NOISY else ()
        weak = () if loud else ((sensor, FAILS[kind]),)
        knobs = Knobs(rolls=ROLLS // 2 if loud else ROLLS, weak=weak, loud=loud, missed=missed)
        most = inf if loud else BALLS
        yield course(board, evening(seed * 1000 + k, knobs), sensor, before, most)


def limit(balls: int, works: float, missed: float) -> float:
    """How often any test can name a sensor within so many balls that works so often, where sound
    ones miss `missed`.

    `TURNS` are so many stretches of as many balls, in each of which a sensor might begin to fail;
    each may give a false alarm in `ALARMS` of that. The most powerful test of that size counts the
    misses of the stretch, and draws lots at one count (Neyman and Pearson, 1933). To name at once
    when the count is reached does as well.
    """
    size = ALARMS * balls / (TURNS * EACH)

    def above(rate: float, count: int) -> float:
        ways = (comb(balls, k) * rate**k * (1 - rate) ** (balls - k) for k in range(balls + 1))
        return sum(list(ways)[count:])

    count = next(k for k in range(balls + 2) if above(missed, k) <= size)
    if not count:
        return 1.0
    sound, weak = above(missed, count), above(1 - works, count)
    lots = (size - sound) / (above(missed, count - 1) - sound)
    return weak + lots * (above(1 - works, count - 1) - weak)


def known(chance: random.Random, boards: int) -> Iterator[str]:
    """What the test makes of it if every miss is known."""
    head = f"sound ones miss | at most in {SHORT}, {BALLS} | first evening | alarms | after six"
    yield f"| {head} | alarms |"
    yield "|---" * 6 + "|"
    for rate in RATES:
        most = ", ".join(f"{limit(n, 0.7, rate):.0%}" for n in (SHORT, BALLS))
        row = [f"{rate:.2%}", most]
        for evenings in (0, EVENINGS):
            before = earlier(evenings * ROLLS * EACH, rate, chance)
            took = [told(before, rate, chance) for _ in range(10 * boards)]
            row.append(
                ", ".join(f"{sum(t <= n for t in took) / len(took):.0%}" for n in (SHORT, BALLS))
            )
            row.append(f"{sum(alarm(before, rate, chance) for _ in range(boards))} of {boards}")
        yield f"| {' | '.join(row)} |"


def earlier(balls: int, rate: float, chance: random.Random) -> Witnessed:
    """What earlier evenings showed, in which so many balls passed a board's sensors."""
    of = [balls // SENSORS + (k < balls % SENSORS) for k in range(SENSORS)]
    lost = [sum(chance.random() < rate for _ in range(n)) for n in of]
    rows = (
        (f"{k}", n - no, no, 0, 0, 0, 0, 0) for k, (n, no) in enumerate(zip(of, lost, strict=True))
    )
    return Witnessed(0, tuple(rows))


def told(before: Witnessed, rate: float, chance: random.Random) -> float:
    """After how many balls a sensor that works 70 % is named; one ball in eight turns passes it."""
    evening, others = Witnesses(), [f"{k}" for k in range(1, SENSORS)]
    evening.recall(before)
    for ball in range(1, BALLS + 1):
        for _ in range(8):
            _ = list(evening.learn(passed(chance.sample(others, EACH), rate, chance)))
        _ = list(evening.learn(passed(["0"], 0.3, chance)))
        if "0" in evening.named:
            return ball
    return inf


def alarm(before: Witnessed, rate: float, chance: random.Random) -> bool:
    """Whether any sensor of a sound board is named in `TURNS`."""
    evening, sensors = Witnesses(), [f"{k}" for k in range(SENSORS)]
    evening.recall(before)
    return any(
        list(evening.learn(passed(chance.sample(sensors, EACH), rate, chance)))
        for _ in range(TURNS)
    )


def passed(sensors: list[str], missed: float, chance: random.Random) -> Testimony:
    lost = tuple(sensor for sensor in sensors if chance.random() < missed)
    return Testimony(tuple(sensor for sensor in sensors if sensor not in lost), lost)


def played(board: Board, evenings: int, knobs: Knobs, seed: int) -> Witnessed:
    """What healthy evenings showed, as the calibration keeps it."""
    sums = Counter[str](), Counter[str]()
    for k in range(evenings):
        play = Play(board, evening(seed * 1000 + 800 + k, knobs))
        for part in play.night.parts:
            play.part(part)
        for sensor, it in play.referee.witnesses.known.items():
            sums[0][sensor] += it.seen
            sums[1][sensor] += it.missed
    seen, missed = sums
    return Witnessed(
        0, tuple((s, seen[s], missed[s], 0, 0, 0, 0, 0) for s in sorted(seen | missed))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=10, help="evenings a row")
    parser.add_argument("--turns", type=int, default=1000, help="healthy turns")
    parser.add_argument("--missed", type=float, default=0.0, help="of all balls, by every sensor")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--evenings", type=int, default=0, help="played before, all healthy")
    parser.add_argument("--known", action="store_true", help="the test, told of every ball")
    said = parser.parse_args()
    if said.known:
        for line in known(random.Random(said.seed), said.boards):
            print(line, flush=True)
        return
    board, figures, begun = load(find(BOARD)), dict[str, object](), time.monotonic()
    out = sys.stderr if said.json else sys.stdout
    before = played(board, said.evenings, Knobs(rolls=ROLLS, missed=said.missed), said.seed)
    lost, balls = (
        sum(row[2] for row in before.sensors),
        sum(sum(row[1:3]) for row in before.sensors),
    )
    print(f"known before: {balls} balls, {lost} missed\n", file=out)
    rate = (1 + lost) / (SOUND + balls)
    print(
        f"| sensor | evenings | in {SHORT} | in {BALLS} | at most | median | others named |",
        file=out,
    )
    print("|---" * 7 + "|", file=out)
    for kind in (*FAILS, NOISY):
        if said.only not in kind:
            continue
        courses = list(failing(board, kind, said.seed, said.boards, said.missed, before))
        took = [one.took(kind == NOISY) for one in courses]
        within = [sum(t is not None and t <= most for t in took) for most in (SHORT, BALLS)]
        usual = median([t for t in took if t is not None] or [-1])
        others = sum(len(one.others) for one in courses)
        works = FAILS.get(kind)
        most = [f"{limit(n, works, rate):.0%}" for n in (SHORT, BALLS)] if works is not None else []
        cells = kind, len(took), *within, ", ".join(most), usual, others
        print(f"| {' | '.join(map(str, cells))} |", file=out, flush=True)
        figures[kind] = {"took": took, "others": [sorted(one.others) for one in courses]}
    if said.only in "healthy":
        turns, named = 0, list[str]()
        for k in range(-(-said.turns // ROLLS)):
            night = evening(said.seed * 1000 + 500 + k, Knobs(rolls=ROLLS, missed=said.missed))
            one = course(board, night, "", before)
            turns, named = turns + len(one.named), named + sorted(one.others)
        print(f"healthy: {turns} turns, named: {', '.join(named) or 'none'}", file=out)
        figures["healthy"] = {"turns": turns, "named": named}
    print(f"{time.monotonic() - begun:.0f} s", file=out)
    if said.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
