"""The longest step of a table: `python -m tests.benchmarks.longest [--walks N] [--signs N ...]`.

Balls that go where they like: each leaves its tile by any of its ways, turns round where there is
none, and comes out of thin air elsewhere where it cannot go on, up to so many signs in one roll. No
roll of real balls is like that; it is what takes longest to weigh. Prints the longest step of each,
ms of CPU, with what came of it; beside the reference loop.
"""

import argparse
import random
import time
from statistics import median

from hexboard.board import EDGES, Board, find, load, opposite
from hexboard.commands.run import set_aside
from hexboard.facts import MS, Edge, Fact, Watermark
from tests.benchmarks import measured, reference
from tests.benchmarks.rolls import Listener, with_areas
from tests.simulator.roll import Faults
from tests.simulator.trials import Trials

BETWEEN_MS, PULSE_MS = 120, 30


class Walk(Listener):
    """A table at which so many balls walk by chance, until so many signs came or people are
    asked."""

    def __init__(self, board: Board, seed: int, signs: int, balls: int) -> None:
        more = with_areas() if seed % 2 == 0 else ()
        self.longest_ms, self.signs = 0.0, 0
        super().__init__(board, Trials(board, seed, Faults(), 1, more=more).one())
        self._chance = random.Random(seed)
        self.now = 2000 * MS
        at = [(ramp.cell, ramp.edge) for ramp in board.ramps[:balls]]
        for ramp in board.ramps[:balls]:
            self._load(ramp.id)
        while self.signs < signs and self.table.asking is None:
            ball = self._chance.randrange(len(at))
            at[ball] = self._on(*at[ball])
        for _ in range(6):
            self.now += 3000 * MS
            self._until(self.now)
            self.feed(Watermark(self.now))

    @property
    def asked(self) -> str:
        """What people are asked in the end; "" for nothing."""
        return self.table.asking.message.key if self.table.asking else ""

    def _on(self, cell: str, entry: int) -> tuple[str, int]:
        """A ball goes on from a tile that it came into by an edge."""
        tiles = self.position.tiles
        ways = [e for e in EDGES if self.board.over[cell, e] in tiles]
        placed = tiles.get(cell)
        if placed is not None:
            tile = self.position.setting.tiles[placed.tile]
            doors = tile.doors(placed.rotation).get(entry, ())
            ways = [e for e in ways if e in doors] or ways
        if not ways:
            return self._chance.choice(sorted(tiles)), 0
        out = self._chance.choice(ways)
        there = self.board.over[cell, out]
        assert there is not None
        self._pulse(f"edge:{self.board.seams[cell, out]}")
        self.signs += 1
        return there, opposite(out)

    def _load(self, lane: str) -> None:
        self.feed(Edge(f"load:{lane}", True))
        self.now += 500 * MS
        self._until(self.now)
        self.feed(Edge(f"load:{lane}", False))
        self._pulse(f"gate:{lane}")

    def _pulse(self, sensor: str) -> None:
        for level, later in ((True, BETWEEN_MS), (False, PULSE_MS)):
            self.now += later * MS
            self._until(self.now)
            self.feed(Edge(sensor, level))
        self.now += MS
        self.feed(Watermark(self.now))

    def _step(self, fact: Fact) -> None:
        begun = time.thread_time()
        super()._step(fact)
        self.longest_ms = max(self.longest_ms, 1000 * (time.thread_time() - begun))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--walks", type=int, default=8)
    options.add_argument("--signs", type=int, nargs="+", default=[30, 90, 280])
    asked = options.parse_args()
    board = load(find("hextraction-22"))
    steps = list[float]()
    for seed in range(1, 1 + asked.walks):
        for signs in asked.signs:
            for balls in (2, 3):
                set_aside()  # what other walks left is none of this one's
                walk = Walk(board, seed, signs, balls)
                steps.append(walk.longest_ms)
                came = f"seed {seed}, {balls} balls, {walk.signs:3} signs"
                print(f"{came}: {walk.longest_ms:7.1f} ms  {walk.asked}", flush=True)
    print(
        f"the longest step {max(steps):.0f} ms, of one walk in the median {median(steps):.0f} ms",
        end="",
    )
    print(f"; reference loop {reference():.1f} ms")
    measured("longest step of a table whose balls go where they like, ms", max(steps), most=50)
    measured("the same of one walk in the median, ms", median(steps))


if __name__ == "__main__":
    main()
