"""Knee Deep in Hexes: `python -m tests.benchmarks.knee_deep [GAMES]`.

Random legal games with all invariants (default 5,000), a playout of 200 turns, `legal` and reach on
a full board. No other engine of this game is known, so the fixed loop is what to compare with.
"""

import sys
import time
from random import Random
from statistics import median

from msgspec.structs import replace

from controller.board import plain
from controller.games import knee_deep
from controller.games.knee_deep.values import CODES, KINDS
from tests.benchmarks import reference
from tests.games.test_knee_deep import check_invariants

BOARD = plain("flowers-31")
CHECKED = 20
"""Invariants are looked at after every so many actions, and at the end."""
LONGEST = 4_000


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    print(f"fixed loop: {reference():.0f} ms")
    full_board()
    began = time.perf_counter()
    turns(200)
    print(f"random playout of 200 turns: {time.perf_counter() - began:.2f} s (under 1)")
    began, ended, actions = time.perf_counter(), 0, 0
    for seed in range(games):
        position, count = game(seed)
        ended += position.scores is not None
        actions += count
    took = time.perf_counter() - began
    print(
        f"{games} games, {actions:,} actions in {took:.0f} s, no exception; {ended} came to an end"
    )


def game(seed: int) -> tuple[knee_deep.KneeDeep, int]:
    """A random game, with its invariants."""
    random, position = Random(seed), knee_deep.start(BOARD)
    for count in range(LONGEST):
        legal = position.legal
        if not legal:
            break
        position = position.play(legal[int(random.random() * len(legal))])
        if count % CHECKED == 0:
            check_invariants(position)
    check_invariants(position)
    return position, count


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
    free = [k for k in range(len(units)) if position.free(k)]
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
