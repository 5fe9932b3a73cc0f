"""Moves read from rendered pictures alone: accepted, silently wrong, asked, right before asking.

    python -m tests.benchmarks.vision_moves [--moves N] [--game G] [--seed S] [--cache FILE]

Each game is played at random, each move seen in one picture, or three where one is not enough. With
`--cache` every game's figures are kept in a file as soon as it is over, and not played again.
Rendered figures say nothing about photos.
"""

import argparse
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from hexboard.board import plain
from hexboard.game import registry
from hexboard.perception.inference import Look, infer, mean
from hexboard.simulator.camera.render import view
from hexboard.simulator.camera.tabletop import MODERATE, Mood, Tabletop
from hexboard.vision.cells.reading import Reader
from tests.benchmarks.cached import added
from tests.looking import HARD, looks

GAMES: dict[str, dict[str, Any]] = {"hexalma": {}, "bad-santa-hex": {}, "hexel": {"chips": "off"}}
MOODS = {"moderate": MODERATE, "hard": HARD}
MOST = 60
"""Moves of one game."""
LOOKS = 3
"""Pictures of a move before people are asked."""
FIGURES = ("moves", "first", "accepted", "wrong", "asked", "missed", "cells", "cells_wrong")


class Bench:
    """Plays games of one kind in one light; the camera does not move."""

    def __init__(self, game: str, mood: Mood, seed: int) -> None:
        self.game, self.mood, self.options = game, mood, GAMES[game]
        self.module = registry.find(game)
        self.board = plain(self.module.board(self.options))
        self.cells = [cell.id for cell in self.board.cells]
        self.camera, self.pose = view(self.board)
        self.reader = Reader(self.board, looks(game), self.camera, self.pose)
        self.lying = partial(registry.appearance(game).things, board=self.board)
        self.seed = seed

    def play(self, number: int, most: int) -> dict[str, int]:
        """One game's figures, at most `most` moves of it."""
        seed = self.seed + number
        random, figures = Random(seed), dict.fromkeys(FIGURES, 0)
        top = Tabletop(self.board, self.camera, self.pose, seed, self.mood)
        position: Any = self.module.start(self.board, self.options)
        top.put(self.lying(position))
        before = self.reader.read(top.picture()).cells
        while position.legal and figures["moves"] < most:
            after = position.play(random.choice(list(position.legal)))
            if after.seen() != position.seen():  # no pass, no bet, no die that is rolled again
                top.put(self.lying(after))
                before = self.move(top, position, after, before, figures)
            position = after
        return figures

    def move(
        self, top: Tabletop, position: Any, after: Any, before: Look, figures: dict[str, int]
    ) -> Look:
        """See one move; returns the look that is certain from now on."""
        figures["moves"] += 1
        seen: list[Look] = []
        for number in range(LOOKS):
            seen.append(self.reader.read(top.picture()).cells)
            if not number:
                self.count_cells(seen[0], after.seen(), figures)
            verdict = infer(self.cells, [position], before, mean(seen))
            right = verdict.lines[0].position == after
            if not number:
                figures["first"] += right
            if verdict.kind == "accept":
                figures["accepted"] += 1
                figures["wrong"] += not right
                return mean(seen)
        figures["missed" if verdict.kind in ("same", "unclear") else "asked"] += 1
        return mean(seen)

    def count_cells(self, look: Look, truth: bytes, figures: dict[str, int]) -> None:
        """Cells whose occupancy or top colour is wrong on their own; silent ones do not count."""
        for cell, code in zip(look, truth, strict=True):
            if cell:
                best = min(cell, key=lambda entry: entry[1])[0]
                figures["cells"] += 1
                figures["cells_wrong"] += self.top(best) != self.top(code)

    def top(self, code: int) -> int:
        """A code without a stack's height."""
        return 1 + (code - 1) % 2 if self.game == "hexalma" and code else code


def run(game: str, light: str, moves: int, seed: int, cache: Path | None) -> dict[str, int]:
    """Figures over at least `moves` moves."""
    bench = Bench(game, MOODS[light], seed)
    return added(moves, MOST, cache, f"{game} {light} {seed}", bench.play)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=60, help="of each game in each light")
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--light", choices=MOODS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path)
    chosen = parser.parse_args()
    for light in chosen.light or MOODS:
        for game in chosen.game or GAMES:
            start = time.perf_counter()
            f = run(game, light, chosen.moves, chosen.seed, chosen.cache)
            spent = time.perf_counter() - start
            bound = f"< {3 / f['accepted']:.2%}" if f["accepted"] and not f["wrong"] else ""
            print(
                f"{light:8} {game:14} {f['moves']} moves:"
                f" right at first {f['first'] / f['moves']:.2%}, accepted {f['accepted']},"
                f" silently wrong {f['wrong']} {bound},"
                f" asked {f['asked']}, missed {f['missed']};"
                f" cells wrong {f['cells_wrong'] / f['cells']:.3%} of {f['cells']}; {spent:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
