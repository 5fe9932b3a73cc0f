"""Symbols of cards in rendered pictures: how many are read wrong, how many are not told.

    python -m tests.benchmarks.vision_symbols [--cards N] [--light L] [--seed S] [--cache FILE]

Boards are strewn with random cards, as no rules allow: a reader knows none. A symbol is *unknown*
where a face with another one in its place is within a nat of the likeliest, and on a card whose
cell says nothing. With `--cache` each picture's figures are kept, and it is not drawn again.
Rendered figures say nothing about photos.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from random import Random

from hexboard.appearance import Lying
from hexboard.board import plain
from hexboard.facts import CellCosts
from hexboard.game.registry import find
from hexboard.games.hexel.cards import ALL, EDGES, FACES
from hexboard.simulator.camera.render import view
from hexboard.simulator.camera.tabletop import Tabletop
from hexboard.vision.cells.reading import Reader
from tests.benchmarks.vision_cells import DOUBT
from tests.benchmarks.vision_moves import MOODS
from tests.looking import looks


class Bench:
    """A board for cards in one light; a picture a seed."""

    def __init__(self, light: str) -> None:
        self.mood = MOODS[light]
        self.board = plain(find("hexel").board({}))
        self.camera, self.pose = view(self.board)
        self.reader = Reader(self.board, looks("hexel"), self.camera, self.pose)

    def figures(self, seed: int) -> Counter[str]:
        """Of one picture."""
        random, figures = Random(seed), Counter[str]()
        top = Tabletop(self.board, self.camera, self.pose, seed, self.mood)
        share = random.uniform(0.3, 1)
        truth = [random.choice(ALL) if random.random() < share else 0 for _ in self.board.cells]
        cells = [cell.id for cell in self.board.cells]
        top.put({c: Lying(face=FACES[t]) for c, t in zip(cells, truth, strict=True) if t})
        for cell, code in zip(self.reader.read(top.picture()).cells, truth, strict=True):
            count(cell, code, figures)
        return figures


def count(cell: CellCosts, truth: int, figures: Counter[str]) -> None:
    """Add what one cell says, and what lies there."""
    figures["cards" if truth else "bare"] += 1
    best = min(cell, key=lambda entry: entry[1])[0] if cell else truth
    figures["occupancy wrong"] += (best > 0) != (truth > 0)
    figures["silent"] += not cell
    if truth and best:
        near = [FACES[code] for code, cost in cell if code and cost < DOUBT]
        for edge in EDGES:
            told = {face[edge] for face in near}
            figures["unknown"] += len(told) != 1
            figures["wrong"] += len(told) == 1 and told != {FACES[truth][edge]}


def run(light: str, cards: int, seed: int, cache: Path | None) -> Counter[str]:
    """The figures of at least so many cards."""
    kept: dict[str, dict[str, int]] = {}
    if cache and cache.is_file():
        kept = json.loads(cache.read_text())
    bench, total = Bench(light), Counter[str]()
    while total["cards"] < cards:
        key = f"{light} {seed}"
        if key not in kept:
            kept[key] = dict(bench.figures(seed))
            if cache:
                cache.write_text(json.dumps(kept))
        total.update(kept[key])
        seed += 1
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=1000, help="in each light")
    parser.add_argument("--light", choices=MOODS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path)
    chosen = parser.parse_args()
    for light in chosen.light or MOODS:
        start = time.perf_counter()
        f = run(light, chosen.cards, chosen.seed, chosen.cache)
        symbols = len(EDGES) * f["cards"]
        bound = f"(< {3 / symbols:.4%})" if not f["wrong"] else f"= {f['wrong'] / symbols:.4%}"
        print(
            f"{light:8} {f['cards']} cards: symbols wrong {f['wrong']} of {symbols} {bound},"
            f" unknown {f['unknown']}; {f['bare']} bare cells; cells silent {f['silent']},"
            f" occupancy wrong {f['occupancy wrong']}; {time.perf_counter() - start:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
