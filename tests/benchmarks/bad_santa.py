"""How fast Bad Santa is beside OpenSpiel: `python -m tests.benchmarks.bad_santa [ROUNDS]`.

One process, short interleaved rounds (0.25 s each), medians. A step is: what is legal, pick one at
random, play it, ask for the end. Hex 11x11 is what Bad Santa does with a counter (`groups.joined`
and the sides it reaches) without its turns and dice; its peer is OpenSpiel's hex. Bad Santa Hex is
the game with all rulings; its peer is backgammon, which has dice too. Without `open_spiel`
installed ours are timed alone. The digest's figures of random play are checked at the end.
"""

import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

from hexboard.board import plain
from hexboard.games.bad_santa import cross, hex, y
from hexboard.games.bad_santa.groups import Groups, joined
from tests.benchmarks import measured, reference

Game = Callable[[Random], int]
"""Plays one random game and tells how many steps it had."""
WANTED = {("hex 11x11", "OpenSpiel hex"): 1.15, ("bad santa hex", "OpenSpiel backgammon"): 1.0}


def hex_steps() -> Game:
    """Hex 11x11: place a counter, test for a winner."""
    ground = hex.start(plain("rhombus-11"), {}).ground
    near, (black,), (white,) = ground.near, *ground.wins
    single = [bytes((cell,)) for cell in range(len(near))]
    every = bytes(range(len(near)))

    def run(random: Random) -> int:
        pick, legal, steps = random.random, every, 0
        own: int = 0
        their: int = 0
        groups: Groups = []
        their_groups: Groups = []
        goal, their_goal = black, white
        while True:
            cell = legal[int(pick() * len(legal))]
            legal = legal.replace(single[cell], b"")
            groups, reach = joined(groups, own, cell, near)
            own |= 1 << cell
            steps += 1
            if reach & goal == goal:
                return steps
            own, their = their, own
            groups, their_groups = their_groups, groups
            goal, their_goal = their_goal, goal

    return run


def ours(start: Any) -> Game:
    def run(random: Random) -> int:
        pick, position, steps = random.random, start, 0
        while moves := position.legal:
            position = position.play(moves[int(pick() * len(moves))])
            steps += 1
        return steps

    return run


def theirs(name: str) -> Game:
    game = import_module("pyspiel").load_game(name)

    def run(random: Random) -> int:
        pick, state, steps = random.random, game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                chances = state.chance_outcomes()
                state.apply_action(chances[int(pick() * len(chances))][0])
            else:
                moves = state.legal_actions()
                state.apply_action(moves[int(pick() * len(moves))])
            steps += 1
        return steps

    return run


def rate(game: Game, random: Random) -> float:
    """Steps a second over a quarter of one."""
    steps, begun = 0, time.perf_counter()
    while (took := time.perf_counter() - begun) < 0.25:
        steps += game(random)
    return steps / took


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    games = {
        "hex 11x11": hex_steps(),
        "bad santa hex": ours(hex.start(plain("rhombus-11"), {})),
        "bad santa y": ours(y.start(plain("rhombus-11"), {})),
        "bad santa cross": ours(cross.start(plain("hexhex-5"), {})),
    }
    try:
        games |= {
            "OpenSpiel hex": theirs("hex(board_size=11)"),
            "OpenSpiel backgammon": theirs("backgammon"),
        }
    except ImportError:
        print("open_spiel is not installed (pip install open_spiel): no ratios")
    rates: dict[str, list[float]] = {name: [] for name in games}
    for k in range(rounds):
        for name, game in games.items():
            rates[name].append(rate(game, Random(k)))
    for name, seen in rates.items():
        print(f"{name:22} {statistics.median(seen):12,.0f} steps/s, best {max(seen):12,.0f}")
    for (mine, peer), wanted in WANTED.items():
        what, own = f"{mine}, steps/s", statistics.median(rates[mine])
        if peer not in rates:
            measured(what, own, peer, least=wanted)
        else:
            ratio = statistics.median(a / b for a, b in zip(rates[mine], rates[peer], strict=True))
            other = statistics.median(rates[peer])
            measured(what, own, peer, other, ratio=ratio, least=wanted)
            verdict = "reached" if ratio >= wanted else "MISSED"
            print(f"{mine} / {peer}: {ratio:.2f} (wanted {wanted}: {verdict})")
    random_play()
    print(f"reference loop {reference():.1f} ms")


def random_play(count: int = 400) -> None:
    """Turns of random games on 11x11; the digest saw 26 to 44 with a median of 39."""
    random, turns, gifts, wins = Random(7), [], 0, 0
    for _ in range(count):
        position = hex.start(plain("rhombus-11"), {})
        while moves := position.legal:
            position = position.play(random.choice(moves))
        turns.append(position.turn)
        gifts += position.winner != position.mover
        wins += position.winner == 0
    median = statistics.median(turns)
    print(
        f"{count} random games: {min(turns)} to {max(turns)} turns, median {median:.0f}; ", end=""
    )
    print(f"won by a gift {gifts / count:.0%}, by who began {wins / count:.0%}")
    assert 37 <= median <= 41


if __name__ == "__main__":
    main()
