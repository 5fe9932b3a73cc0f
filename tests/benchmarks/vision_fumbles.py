"""Fumbles and resting hands: how often a board is called wrong, or at rest, though it is not.

    python -m tests.benchmarks.vision_fumbles [--count N] [--seed S] [--light moderate|hard]
        [--cache FILE]

People hover over a piece, straighten it, lift it and put it back, or pause when a move is half
done. None of that is a mistake, and none of it is another move. With `--cache` the figures of every
ten fumbles, which are those of one game, are kept in a file and not made again.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from hexboard.board import plain
from hexboard.game import registry
from hexboard.simulator.camera.tabletop import Things
from hexboard.vision.marks.markers import playing
from tests.benchmarks.vision_games import Frames
from tests.benchmarks.vision_moves import GAMES, MOODS

KINDS = ("hover", "straighten", "put back", "pause")
PAUSE = 33
"""Frames, 2.2 s: longer than a wrong board is forgiven."""
EACH = 10
"""Fumbles in one game."""
STAY = 12
"""Frames that a hand rests over the board: twice what would be called at rest."""


class Fumbler(Frames):
    """Somebody who fumbles between the moves of a game."""

    def __init__(self, game: str, seed: int, light: str, moves: int = 6) -> None:
        board = plain(registry.find(game).board(GAMES[game]))
        self.rests = self.settled = 0
        super().__init__(board, game, GAMES[game], seed, MOODS[light])
        self.play(moves)

    def fumble(self, kind: str) -> tuple[bool, bool]:
        """Whether it was called wrong, and whether the table took it for a move."""
        position, scolded = self.position, self.told.scolded
        things = self.lying(position)
        cell = self.random.choice(sorted(things))
        if kind == "hover":
            self.reach(cell, lambda: None, STAY)
        elif kind == "straighten":
            self.reach(cell, lambda: self.straighten(cell, things), 2)
        elif kind == "put back":
            self.reach(cell, lambda: self.top.put({c: t for c, t in things.items() if c != cell}))
            self.rest(3)
            self.reach(cell, lambda: self.top.put(things))
        else:
            cell, half = self.half(things)
            self.reach(cell, lambda: self.top.put(half))
            self.rest(PAUSE)
            self.reach(cell, lambda: self.top.put(things))
        self.rest(PAUSE)
        moved = self.position is not position
        return self.told.scolded > scolded or bool(self.view.wrong), moved

    def straighten(self, cell: str, things: Things) -> None:
        """What lies in a cell is put down anew."""
        self.top.put({c: t for c, t in things.items() if c != cell})
        self.top.put(things)

    def half(self, things: Things) -> tuple[str, Things]:
        """A cell, and what lies on the board when only that part of a legal move is done."""
        position = self.position
        moves = [position.play(move) for move in position.legal]
        changed = [(self.changes(things, self.lying(p)), p) for p in moves]
        whole = [(cells, p) for cells, p in changed if len(cells) > 1]
        if not whole:
            return next(iter(things)), things
        cells, after = self.random.choice(whole)
        then = self.lying(after)
        half = things | {cells[0]: then[cells[0]]} if cells[0] in then else dict(things)
        if cells[0] not in then:
            del half[cells[0]]
        return cells[0], half

    def changes(self, before: Things, after: Things) -> list[str]:
        """The cells that differ, those that become empty first."""
        cells = [c for c in before.keys() | after.keys() if before.get(c) != after.get(c)]
        return sorted(cells, key=lambda cell: (cell in after, cell))

    def frame(self, hand: Any = None) -> None:
        super().frame(hand)
        box = playing(self.board)
        if hand and box.left < hand.x < box.right and box.low < hand.y < box.high:
            self.rests += 1
            self.settled += self.lookout.sight.settled


def fumbles(game: str, seed: int, light: str, count: int) -> dict[str, int]:
    """The figures of so many fumbles in one game: of each kind how many, called wrong, taken for a
    move; frames with a hand over the board, and those in which it was called at rest."""
    random, desk, figures = Random(seed), Fumbler(game, seed, light), Counter[str]()
    for _ in range(count):
        kind = random.choice(KINDS)
        called, moved = desk.fumble(kind)
        figures += {kind: 1, f"{kind} called": int(called), f"{kind} moved": int(moved)}
    return dict(figures + Counter(frames=desk.rests, settled=desk.settled))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--light", choices=MOODS, default="moderate")
    parser.add_argument("--cache", type=Path)
    chosen = parser.parse_args()
    start, total = time.perf_counter(), Counter[str]()
    kept: dict[str, dict[str, int]] = {}
    if chosen.cache and chosen.cache.is_file():
        kept = json.loads(chosen.cache.read_text())
    for number in range(-(-chosen.count // EACH)):
        game, seed = tuple(GAMES)[number % len(GAMES)], chosen.seed + number
        count = min(EACH, chosen.count - number * EACH)
        key = f"{game} {chosen.light} {seed} {count}"
        if key not in kept:
            kept[key] = fumbles(game, seed, chosen.light, count)
            if chosen.cache:
                chosen.cache.write_text(json.dumps(kept))
        total += kept[key]
    for kind in KINDS:
        called, moved = total[f"{kind} called"], total[f"{kind} moved"]
        print(f"{kind:10} {total[kind]}: called wrong {called}, taken for a move {moved}")
    print(f"{total['frames']} frames with a hand over the board: at rest {total['settled']}")
    print(f"{chosen.light} light, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
