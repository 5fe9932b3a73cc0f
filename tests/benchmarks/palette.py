"""How well lights are told apart, game by game: `python -m tests.benchmarks.palette`.

Of any two meanings of a game that neither rhythm nor shape tells apart, the least difference by
CIEDE2000, for normal sight and three kinds of colour blindness, at full and at the default
brightness; blinking, and calm. Last, the most flashes in a second of a light that scenes change 50
times a second, through the real firmware. Exits with 1 where a difference is under 10 for normal
sight or under 8 for another, or where there are more than three flashes.
"""

import sys
from itertools import groupby

from hexboard.board import find, load
from hexboard.game import registry
from hexboard.lights.legend import legend
from tests.lights.test_flashes import flashes, trembling
from tests.lights.test_palette import GAMES, LEAST, differences

FLASHES, SEEDS = 3, 12


def row(name: str, calm: bool) -> dict[str, tuple[float, str]]:
    """For each sight the least difference, and of which two."""
    game = registry.find(name)
    ring = any(pixel.edge for pixel in load(find(game.board({}))).pixels)
    found = sorted(
        (sight, d, pair) for pair, sight, d in differences(legend(game.prefix), ring, calm)
    )
    return {sight: next(some)[1:] for sight, some in groupby(found, key=lambda it: it[0])}


def main() -> None:
    print(f"| | {' | '.join(LEAST)} | least of these |")
    print("|---" * 6 + "|")
    bad = False
    for name in GAMES:
        for calm in (False, True):
            found = row(name, calm)
            bad |= any(d < LEAST[sight] for sight, (d, _) in found.items())
            least = " | ".join(f"{found[sight][0]:.1f}" for sight in LEAST)
            print(f"| {name}{' calm' * calm} | {least} | {min(found.values())[1]} |", flush=True)
    most = max(flashes(trembling(seed), 10_000)[0] for seed in range(SEEDS))
    print(f"\nflashes in a second: at most {most} of a light that is to change 50 times a second")
    sys.exit(bad or most > FLASHES)


if __name__ == "__main__":
    main()
