"""Hands that rest over a board: how often it is called at rest meanwhile, and how soon after.

    python -m tests.benchmarks.vision_hands [--count N] [--light L]

Each time a hand comes in, rests over the cells for longer than a board needs to be called at rest,
trembles or keeps quite still, and leaves; on boards of three games, in other light each time.
"""

import argparse
import math
from random import Random
from typing import Any

from controller import games
from controller.board import plain
from controller.vision.appearance import looks, lying
from controller.vision.reading import Reader
from controller.vision.render import Hand, view
from controller.vision.tabletop import Tabletop
from controller.vision.watch import QUIET, Watch
from tests.benchmarks.vision_moves import GAMES, MOODS

RESTS = 2 * QUIET
"""Frames with the hand in its place."""
SKINS = ((0.18, 0.28, 0.48), (0.30, 0.42, 0.66), (0.10, 0.16, 0.30), (0.04, 0.07, 0.13))
TREMBLE = 1.0
"""Of half of the hands, mm (standard deviation)."""


class Bench:
    """A board of one game."""

    def __init__(self, game: str) -> None:
        module = games.find(game)
        self.board = plain(module.board(GAMES[game]))
        self.position: Any = module.start(self.board, GAMES[game])
        self.camera, self.pose = view(self.board)
        self.reader = Reader(self.board, looks(game), self.camera, self.pose)

    def reach(self, seed: int, light: str) -> tuple[int, int]:
        """Frames called at rest under one hand; frames after it until the board was (-1: never)."""
        random, watch = Random(seed), Watch(self.reader)
        top = Tabletop(self.board, self.camera, self.pose, seed, MOODS[light])
        top.put(lying(self.position, self.board))
        for _ in range(QUIET + 2):
            watch.look(top.picture())
        cell, side = random.choice(self.board.cells), random.uniform(0, 2 * math.pi)
        skin, trembles = random.choice(SKINS), random.choice((0.0, TREMBLE))
        settled = 0
        for _ in range(RESTS):
            x, y = (random.gauss(at, trembles) for at in (cell.x, cell.y))
            settled += watch.look(top.picture(Hand(x, y, side, skin))).settled
        for frame in range(4 * QUIET):
            if watch.look(top.picture()).settled:
                return settled, frame
        return settled, -1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--light", choices=MOODS, default="hard")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    benches = [Bench(game) for game in GAMES]
    hands = frames = never = 0
    waits = []
    for number in range(chosen.count):
        settled, wait = benches[number % len(benches)].reach(chosen.seed + number, chosen.light)
        hands, frames = hands + (settled > 0), frames + settled
        never += wait < 0
        waits.append(wait)
    print(
        f"{chosen.light} light: {chosen.count} hands of {RESTS} frames: called at rest under"
        f" {hands} of them ({frames} frames); at rest {max(waits)} frames after at most,"
        f" never within {4 * QUIET}: {never}"
    )


if __name__ == "__main__":
    main()
