"""Evenings whose light changes, in the second world: what is asked with learning and without.

    python -m tests.benchmarks.paper_evening [--dusk D …] [--game G …] [--ground G …] [--evenings N]

The camera is set up by day and holds its exposure and white balance. Over one game daylight becomes
a lamp's light, another in colour and brightness (`tests/paper/play.py`, `DUSKS`): *fading*, to 30 %
of it, or *shining*, in which pieces stray from the paper. Each evening is played twice
with the same moves and the same noise: by a reader that stays as it was set up, and by one that
follows the tint which the table learns of each explained look.
"""

import argparse
import time
from collections import Counter
from itertools import product
from random import Random
from typing import Any

from hexboard.appearance import Lying
from hexboard.board import plain
from hexboard.game import registry
from hexboard.perception.inference import Look, infer, mean
from hexboard.perception.tints import Tints
from hexboard.vision.cells.reading import Reader, Seen
from tests.looking import looks
from tests.paper.play import DUSKS, MODERATE, Desk, Dusk
from tests.paper.put_up import lens, stood
from tests.paper.world import BLACK, ORANGE, WHITE, Disc

DISCS = (BLACK, WHITE, ORANGE)
PITCH_MM = 40.0
"""Of the board for which the second world's discs are made."""
GAMES = ("hexalma", "bad-santa-hex")
GROUNDS = ("white", "green")
MOVES = 50
LOOKS = 3
FIGURES = ("moves", "accepted", "wrong", "asked", "missed", "silent", "cells")


class Evening:
    """One game at one desk, from day to night."""

    def __init__(self, game: str, ground: str, dusk: Dusk, seed: int, follows: bool) -> None:
        self.module = registry.find(game)
        self.board = plain(self.module.board({}))
        options = () if ground == "white" else ("--ground", ground)
        size = self.board.pitch / PITCH_MM
        self.desk = Desk(self.board.name, MODERATE, seed, *options, size=size)
        self.desk.dusk = dusk
        self.random, self.follows, self.tints = Random(seed), follows, Tints()
        self.position: Any = self.module.begin(self.board, {})
        for _ in range(40):
            self.position = self.position.play(self.random.choice(list(self.position.legal)))
        camera = lens(self.desk.world)
        pose, kit = stood(self.board, camera, self.desk.picture())
        self.reader = Reader(self.board, looks(game), camera, pose, kit)
        self.cells = [cell.id for cell in self.board.cells]

    def laid(self, position: Any) -> dict[str, list[Disc]]:
        things: dict[str, Lying] = registry.appearance(self.module.name).things(
            position, self.board
        )
        return {cell: [DISCS[colour] for colour in it.colours] for cell, it in things.items()}

    def play(self, moves: int) -> dict[str, int]:
        figures = dict.fromkeys(FIGURES, 0)
        self.desk.put(self.laid(self.position))
        first = self.look()
        before = first.cells
        self.learn(first)
        while self.position.legal and figures["moves"] < moves:
            after = self.position.play(self.random.choice(list(self.position.legal)))
            if after.seen() != self.position.seen():
                self.desk.evening = figures["moves"] / (moves - 1)
                self.desk.put(self.laid(after))
                before = self.move(after, before, figures)
            self.position = after
        return figures

    def look(self) -> Seen:
        return self.reader.read(self.desk.picture())

    def move(self, after: Any, before: Look, figures: dict[str, int]) -> Look:
        """See one move; what people are asked about they say rightly."""
        position, self.position = self.position, after
        figures["moves"] += 1
        seen = [self.look() for _ in range(LOOKS)]  # the noise is the same, whatever is read
        figures["silent"] += sum(not cell for cell in seen[0].cells)
        figures["cells"] += len(self.cells)
        for count in range(1, LOOKS + 1):
            now = mean([each.cells for each in seen[:count]])
            verdict = infer(self.cells, [position], before, now)
            if verdict.kind == "accept":
                figures["accepted"] += 1
                figures["wrong"] += verdict.lines[0].position != after
                break
        else:
            figures["missed" if verdict.kind in ("same", "unclear") else "asked"] += 1
        self.learn(seen[count - 1])
        return now

    def learn(self, seen: Seen) -> None:
        """What the table does once a look is explained (`hexboard.table.camera`)."""
        if self.follows:
            self.tints.learn(seen.cells, seen.samples, self.position.seen(), 0)
            self.reader.follow(self.tints.now)


def evenings(chosen: argparse.Namespace, game: str, ground: str, dusk: str, follows: bool) -> str:
    """So many evenings, in a line."""
    start, f = time.perf_counter(), Counter[str]()
    for number in range(chosen.evenings):
        evening = Evening(game, ground, DUSKS[dusk], chosen.seed + number, follows)
        f.update(evening.play(chosen.moves))
    doubt = (f["asked"] + f["missed"]) / f["moves"]
    return (
        f"{dusk}, {game} on {ground}, {'learning' if follows else 'as set up'}: {f['moves']} moves,"
        f" accepted {f['accepted']}, wrong {f['wrong']}, asked {f['asked']}, missed {f['missed']}"
        f" ({doubt:.1%}); silent cells {f['silent'] / f['cells']:.2%};"
        f" {time.perf_counter() - start:.0f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dusk", choices=DUSKS, nargs="+", default=[*DUSKS])
    parser.add_argument("--game", choices=GAMES, nargs="+", default=[*GAMES])
    parser.add_argument("--ground", choices=GROUNDS, nargs="+", default=[*GROUNDS])
    parser.add_argument("--evenings", type=int, default=2)
    parser.add_argument("--moves", type=int, default=MOVES)
    parser.add_argument("--seed", type=int, default=900)
    chosen = parser.parse_args()
    for dusk, game, ground in product(chosen.dusk, chosen.game, chosen.ground):
        for follows in (False, True):
            print(evenings(chosen, game, ground, dusk, follows), flush=True)


if __name__ == "__main__":
    main()
