"""HexAlma's moves read from the second world's pictures: accepted, silently wrong, asked, missed.

    python -m tests.benchmarks.paper_moves [--moves N] [--light L] [--size X] [--learn] [--why]

As `vision_moves`, on the sheets that `hexboard sheet` prints (`tests/paper`): each game has another
camera 26 to 34 degrees off the vertical, from another side, in another light, put up as people do
it: the ground is learned from a picture of the empty board. `--size 1.1` makes discs 10 % larger,
and `--learn` has `hexboard calibrate colours` learn them; `--why` prints what was in doubt.
"""

import argparse
import time
from pathlib import Path
from random import Random
from typing import Any

from hexboard.board import find, load
from hexboard.game import registry
from hexboard.perception.inference import Look, LookVerdict, infer, mean
from hexboard.vision.cells.reading import Reader
from tests.benchmarks.cached import added
from tests.looking import looks
from tests.paper.play import MOODS, TILTS_DEG, Desk
from tests.paper.put_up import learned, lens, stood
from tests.paper.world import BLACK, WHITE, Disc

BOARD = load(find("hexhex-5"))
CELLS = [cell.id for cell in BOARD.cells]
DISCS = {"B": BLACK, "W": WHITE}
MOST = 30
"""Moves of one game: each has its own set-up."""
LOOKS = 3
FIGURES = ("moves", "first", "accepted", "wrong", "asked", "missed", "silent", "cells")


class Bench:
    """One game at one desk."""

    def __init__(
        self,
        light: str,
        seed: int,
        size: float = 1.0,
        learn: bool = False,
        why: bool = False,
        tilts: tuple[float, float] = TILTS_DEG,
    ) -> None:
        self.desk = Desk("hexhex-5", MOODS[light], seed, size=size, tilts=tilts)
        self.random, self.why = Random(seed), why
        self.camera = lens(self.desk.world)
        empty = self.desk.picture()
        pose, kit = stood(BOARD, self.camera, empty)
        if learn:
            kit = learned(self.desk, self.camera, pose, empty)
        self.kit = kit
        self.reader = Reader(BOARD, looks("hexalma"), self.camera, pose, kit)

    def laid(self, position: Any) -> dict[str, list[Disc]]:
        found = ((piece.place, piece.text or "BW"[piece.seat]) for piece in position.pieces())
        return {cell: [DISCS[letter] for letter in letters] for cell, letters in found}

    def play(self, most: int) -> dict[str, int]:
        figures = dict.fromkeys(FIGURES, 0)
        module = registry.find("hexalma")
        position: Any = module.start(BOARD, {})
        for _ in range(self.random.randrange(120)):  # somewhere in the middle of a game
            if position.legal:
                position = position.play(self.random.choice(list(position.legal)))
        self.desk.put(self.laid(position))
        before = self.reader.read(self.desk.picture()).cells
        while position.legal and figures["moves"] < most:
            after = position.play(self.random.choice(list(position.legal)))
            if after.seen() != position.seen():
                self.desk.put(self.laid(after))
                before = self.move(position, after, before, figures)
            position = after
        return figures

    def move(self, position: Any, after: Any, before: Look, figures: dict[str, int]) -> Look:
        """See one move; returns the look that is certain from now on."""
        figures["moves"] += 1
        seen: list[Look] = []
        for number in range(LOOKS):
            seen.append(self.reader.read(self.desk.picture()).cells)
            verdict = infer(CELLS, [position], before, mean(seen))
            right = verdict.lines[0].position == after
            if not number:
                figures["first"] += right
                figures["silent"] += sum(not cell for cell in seen[0])
                figures["cells"] += len(CELLS)
            if verdict.kind == "accept":
                figures["accepted"] += 1
                figures["wrong"] += not right
                return mean(seen)
        figures["missed" if verdict.kind in ("same", "unclear") else "asked"] += 1
        if self.why:
            self.explain(position, after, before, mean(seen), verdict)
        return mean(seen)

    def explain(
        self, position: Any, after: Any, before: Look, now: Look, verdict: LookVerdict[Any]
    ) -> None:
        """What kept a move from being certain."""
        line = verdict.lines[0]
        print(verdict.kind, line.actions, "gap", verdict.gap, "right", line.position == after)
        for k, (old, new) in enumerate(zip(position.seen(), after.seen(), strict=True)):
            if old != new or k in line.against:
                print(f"   {CELLS[k]} {old}->{new} before {before[k]} now {now[k]}")


def run(light: str, moves: int, seed: int, cache: Path | None, **how: Any) -> dict[str, int]:
    """Figures over at least `moves` moves."""

    def play(number: int, most: int) -> dict[str, int]:
        return Bench(light, seed + number, **how).play(most)

    return added(moves, MOST, cache, f"{light} {seed} {how['size']} {how['learn']}", play)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=60, help="in each light")
    parser.add_argument("--light", choices=MOODS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=float, default=1.0)
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--why", action="store_true")
    chosen = parser.parse_args()
    for light in chosen.light or MOODS:
        start = time.perf_counter()
        how = {"size": chosen.size, "learn": chosen.learn, "why": chosen.why}
        f = run(light, chosen.moves, chosen.seed, chosen.cache, **how)
        spent = time.perf_counter() - start
        doubt = (f["asked"] + f["missed"]) / f["moves"]
        print(
            f"{light:8} {f['moves']} moves: right at first {f['first'] / f['moves']:.2%}, accepted"
            f" {f['accepted']}, silently wrong {f['wrong']}, asked {f['asked']}, missed"
            f" {f['missed']} ({doubt:.1%}); silent cells {f['silent'] / f['cells']:.2%};"
            f" {spent:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
