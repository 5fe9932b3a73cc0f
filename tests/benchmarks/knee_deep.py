"""Knee Deep in Hexes: `python -m tests.benchmarks.knee_deep [games|boxes [COUNT [FIRST]]]`.

Without a word: a playout of 200 turns, `legal` and reach on a full board. `games`: random legal
games (5,000 unless told) with every invariant after every action, on all processors; seeds count
from FIRST, so that a run that was cut off goes on where it says. Each tenth game is also played by
the slow engine. `boxes`: the same (2,000 games), each with a box whose cards, abilities, triggers
and passives are drawn from all that the language has; what a side is told leads to its view, each
position is read back, no card is had that needs what is not so. No other engine of this game is
known: the fixed loop is what to compare with.
"""

import sys
import time
from collections.abc import Callable
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from hexboard.board import plain
from hexboard.games import knee_deep
from hexboard.games.knee_deep.values import CODES, KINDS
from tests.benchmarks import reference
from tests.games.knee_deep_checks import check_step
from tests.games.test_knee_deep_language import any_game
from tests.games.test_knee_deep_slow import agree

BOARD = plain("flowers-31")
LONGEST = 4_000
TEXTS = 100
"""A position is written and read after every so many actions."""
SLOW = 10
"""Every so many games are played by the slow engine too."""
REPORT = 250


def main() -> None:
    print(f"fixed loop: {reference():.0f} ms")
    if sys.argv[1:2] in (["games"], ["boxes"]):
        boxes = sys.argv[1] == "boxes"
        usual = (2_000 if boxes else 5_000, 0)
        count, first = [*map(int, sys.argv[2:]), *usual[len(sys.argv) - 2 :]]
        games(count, first, box_game if boxes else game)
        return
    full_board()
    began = time.perf_counter()
    turns(200)
    print(f"random playout of 200 turns: {time.perf_counter() - began:.2f} s (under 1)")


def games(count: int, first: int, game: Callable[[int], tuple[int, bool, bool]]) -> None:
    """So many games; stops at the first that breaks an invariant, and names its seed."""
    began, actions, ended, compared = time.perf_counter(), 0, 0, 0
    with Pool() as pool:
        results = pool.imap(game, range(first, first + count), chunksize=5)
        for done, (long, over, slow) in enumerate(results, 1):
            actions, ended, compared = actions + long, ended + over, compared + slow
            if done % REPORT == 0 or done == count:
                took = time.perf_counter() - began
                said = f"{done} of {count} games, {actions:,} actions, {ended} came to an end"
                print(f"{said}, {compared} compared with the slow engine; {took:.0f} s", flush=True)
    print(f"no exception and no invariant broken (seeds {first} to {first + count - 1})")


def game(seed: int) -> tuple[int, bool, bool]:
    """A random game with its invariants: its actions, whether it ended, whether it was compared."""
    random, position = Random(seed), knee_deep.start(BOARD)
    try:
        for count in range(LONGEST):
            legal = position.legal
            if not legal:
                break
            after = position.play(legal[int(random.random() * len(legal))])
            check_step(position, after)
            position = after
            if count % TEXTS == 0:
                assert knee_deep.parse(str(position), BOARD) == position, "text"
        if seed % SLOW == 0:
            agree(seed)
    except Exception as error:
        raise AssertionError(f"seed {seed}, action {count}: {error}") from error
    return count, position.scores is not None, seed % SLOW == 0


def box_game(seed: int) -> tuple[int, bool, bool]:
    """A random game with a random box, as `game`."""
    with TemporaryDirectory() as folder:
        try:
            count, over = any_game(seed, Path(folder), LONGEST)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}") from error
    return count, over, False


def turns(wanted: int) -> None:
    """Play on, in as many games as it takes, until so many turns are over."""
    random, over = Random(1), 0
    position = knee_deep.start(BOARD)
    while over < wanted:
        legal = position.legal
        if not legal:
            position = knee_deep.start(BOARD)
            continue
        action = legal[int(random.random() * len(legal))]
        over += action.verb == "mark"
        position = position.play(action)


def full_board() -> None:
    """`legal`, and the reach of every vehicle, with all 46 units on the board."""
    random = Random(2)
    position = knee_deep.start(BOARD)
    while position.phase != "act":
        position = position.play(random.choice(position.legal))
    units = bytearray(position.units)
    free = position.empty()
    random.shuffle(free)
    for unit in CODES:
        kind = position.setting.box.values.units[(unit - 1) % len(KINDS)]
        for _ in range(kind.supply):
            units[free.pop()] = unit
    position = replace(position, units=bytes(units), material=9, energy=9)
    times, reaches = [], []
    for _ in range(50):
        fresh = replace(position, round=2)
        began = time.perf_counter()
        count = len(fresh.legal)
        times.append(time.perf_counter() - began)
        began = time.perf_counter()
        for field in fresh.of(fresh.active, "vehicle"):
            fresh.reach(field)
        reaches.append(time.perf_counter() - began)
    print(f"legal on a full board: {count} actions in {median(times) * 1000:.2f} ms (under 5)")
    print(f"reach of every vehicle: {median(reaches) * 1000:.2f} ms (under 2)")


if __name__ == "__main__":
    main()
