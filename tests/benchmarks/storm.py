"""A storm on all sensors at once: `python -m tests.benchmarks.storm [--edges N] [--seed S]`.

Loose ground, a wet board: every sensor of the Hextraction board fires by chance, so many edges a
second, on a table that holds two balls at rest and waits for a roll, and on one in mid-roll. Then
all is quiet again. Prints for each rate how much was told and entered in the match, how long the
longest step took, and what is asked and comes of the first answer; beside the reference loop.
"""

import argparse
import random
import time

from hexboard.facts import MS, Edge, Watermark
from tests.benchmarks import reference
from tests.desk import BOARD, SLOTS, Desk

RATES_HZ = (20_000, 5_000, 1_000, 300, 100, 30, 10)
MOST_S = 600
"""So long a slow storm blows at most."""
CALM_MS = 30_000
SENSORS = [s.id for s in BOARD.sensors if not s.id.startswith("button:")]


class Storm:
    """One table in a storm of `edges` edges, `rate_hz` of them a second."""

    def __init__(self, rate_hz: int, edges: int, rolling: bool, seed: int = 1) -> None:
        self.chance = random.Random(seed)
        self.longest_ms = 0.0
        desk = self.desk = Desk(SLOTS)
        for slot in SLOTS:
            desk.level(f"seat:{slot}", True)
        desk.level("rail:main", True)
        desk.wait(1000)
        for ball, place in (1, "B4"), (2, "D2"):
            desk.rule(f"ball {ball} {place}")
        desk.wait(5000)
        self.before = str(desk.position)
        if rolling:
            self._roll()
        told, entries = len(desk.told), self._entries
        self._blow(rate_hz, edges)
        for _ in range(CALM_MS // 100):
            desk.now += 100
            self._feed(Watermark(desk.now * MS), desk.now * MS)
        self.told, self.entered = len(desk.told) - told, self._entries - entries

    def undone(self) -> str:
        """Whether the first answer to what is asked leaves everything as before the storm."""
        desk = self.desk
        asked = desk.table.asking
        if asked is not None:
            desk.decide(asked.choices[0].name)
            desk.settle()
        same = "as before" if str(desk.position) == self.before else desk.position.phase
        then = f", then {desk.table.asking.message.key}" if desk.table.asking else ""
        return f"{asked.message.key if asked else 'nothing'}: {same}{then}"

    def _roll(self) -> None:
        desk = self.desk
        desk.level("load:B1-1", True)
        desk.now += 500
        desk.level("load:B1-1", False)
        desk.pulse("gate:B1-1", "edge:B1-B2", "edge:B2-B3")

    @property
    def _entries(self) -> int:
        return len(self.desk.table.ledger.match.entries)

    def _blow(self, rate_hz: int, edges: int) -> None:
        desk, chance = self.desk, self.chance
        at, told = desk.now * MS, desk.now * MS
        before = {s: desk.table.senses.debouncer.raw(s) for s in SENSORS}
        levels = {sensor: desk.table.senses.debouncer.raw(sensor) for sensor in SENSORS}
        for _ in range(edges):
            at += round(chance.expovariate(rate_hz) * 1000 * MS)
            while told + 5 * MS <= at:
                told += 5 * MS
                self._feed(Watermark(told), told)
            sensor = chance.choice(SENSORS)
            levels[sensor] = not levels[sensor]
            self._feed(Edge(sensor, levels[sensor]), at)
        for sensor, level in levels.items():
            if level != before[sensor]:
                self._feed(Edge(sensor, before[sensor]), at)
        desk.now = at // MS + 1

    def _feed(self, body: Edge | Watermark, at: int) -> None:
        begun = time.thread_time()
        self.desk.feed(body, at)
        self.longest_ms = max(self.longest_ms, 1000 * (time.thread_time() - begun))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--edges", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rates", type=int, nargs="*", default=RATES_HZ)
    asked = options.parse_args()
    print("   rate           told  entries  longest step (CPU)  one answer")
    for rate in asked.rates:
        for rolling in (False, True):
            run = Storm(rate, min(asked.edges, rate * MOST_S), rolling, asked.seed)
            state = "in a roll" if rolling else "at rest"
            print(
                f"{rate:6} Hz {state:9} {run.told:7} {run.entered:8} {run.longest_ms:13.1f} ms"
                f"  {run.undone()}",
                flush=True,
            )
    print(f"reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()
