"""Hex'el counted and timed: `python -m tests.benchmarks.hexel [ROUNDS]`.

Counts what the digest counts, with our positions: valid opening lines, draws that can be laid,
first turns without a Hoxla. Then steps a second (legal moves, one at random, play, look), in ROUNDS
(9) short rounds interleaved with python-chess and OpenSpiel's backgammon where they are installed
(`pip install chess open_spiel`), and inference's unit: play and see every legal move.
"""

import sys
import time
from collections.abc import Callable
from itertools import combinations, permutations
from random import Random
from statistics import median
from typing import Any

from msgspec.structs import replace

from hexboard.board import plain
from hexboard.game.referee import perft
from hexboard.games.hexel import start
from tests.benchmarks import measured, reference

TABLE = plain("table")
SLICE = 0.25
"""Seconds of one round."""


def layable(deck: str, order: str) -> int:
    """How many draws of three cards can be laid: sets where the order is free, else sequences."""
    first = start(TABLE, {"hands": "dealt", "deck": deck, "opening_order": order})
    draws = (combinations if order == "free" else permutations)(first.setting.deck, 3)
    return sum(replace(first, phase="line", drawn=bytes(draw)).can_line() for draw in draws)


def first_turns() -> tuple[int, int, int]:
    """Of a thousand valid lines: how many let some card score at once, and the fewest and most
    placements that a card has."""
    random, scoring, counts = Random(1), 0, list[int]()
    position = start(TABLE, {})
    for _ in range(1000):
        after = position
        for _ in range(3):
            after = after.play(random.choice(list(after.legal)))
        after = replace(after, phase="place", hands=(bytes(3), bytes(3)), events=())
        scoring += any(after.play(move).scores for move in after.legal)
        for card in set(after.unseen):
            held = replace(after, hands=(bytes((card,)), b""))
            counts.append(sum(len(faces) for _, faces in held.room()))
    return scoring, min(counts), max(counts)


def check() -> bool:
    """The digest's numbers, each with ours."""
    wanted: tuple[tuple[str, int, Callable[[], int]], ...] = (
        ("valid lines, bracelet36", 150_930, lambda: perft(start(TABLE, {}), 3)),
        (
            "valid lines, necklace39",
            219_468,
            lambda: perft(start(TABLE, {"deck": "necklace39"}), 3),
        ),
        ("sets layable, bracelet36", 5_893, lambda: layable("bracelet36", "free")),
        ("sets layable, necklace39", 7_730, lambda: layable("necklace39", "free")),
        ("draws layable as drawn, bracelet36", 26_742, lambda: layable("bracelet36", "drawn")),
    )
    right = True
    for what, number, count in wanted:
        begun, found = time.perf_counter(), count()
        verdict = "right" if found == number else f"WRONG, should be {number:,}"
        right = right and found == number
        print(f"{what}: {found:,} in {time.perf_counter() - begun:.1f} s: {verdict}")
    scoring, least, most = first_turns()
    print(f"1,000 lines: {scoring} let a card score at once; a card has {least} to {most} places")
    return right and not scoring and most <= 42


# ------------------------------------------------------------------------------------------ speed


def ours(**options: str | int) -> Callable[[float], int]:
    """Steps of random games; the board is looked at after each."""
    first, random = start(TABLE, options), Random(5)

    def run(seconds: float) -> int:
        steps, end = 0, time.perf_counter() + seconds
        position = first
        while time.perf_counter() < end:
            moves = list(position.legal)
            position = position.play(random.choice(moves)) if moves else first
            position.seen()
            steps += 1
        return steps

    return run


def chess_steps() -> Callable[[float], int]:
    import chess  # type: ignore[import-not-found,unused-ignore]

    random, board = Random(5), chess.Board()

    def run(seconds: float) -> int:
        steps, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            moves = list(board.legal_moves)
            if moves and board.ply() < 300:
                board.push(random.choice(moves))
            else:
                board.reset()
            steps += 1
        return steps

    return run


def spiel_steps() -> Callable[[float], int]:
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    random, game = Random(5), pyspiel.load_game("backgammon")

    def run(seconds: float) -> int:
        steps, end, state = 0, time.perf_counter() + seconds, game.new_initial_state()
        while time.perf_counter() < end:
            if state.is_terminal():
                state = game.new_initial_state()
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return run


def inference() -> tuple[int, float]:
    """Legal placements in mid-game with held hands, and ms to play and see them all."""
    random, position = Random(2), start(TABLE, {})
    while position.table[:-1].count(0) > 50:
        moves = [move for move in position.legal if position.play(move).scores is None]
        position = position.play(random.choice(moves)) if moves else start(TABLE, {})
    begun = time.perf_counter()
    boards = [position.play(move).seen() for move in position.legal]
    return len(boards), (time.perf_counter() - begun) * 1000


def speed(rounds: int) -> None:
    runners: dict[str, Any] = {
        "hexel dealt": ours(hands="dealt", seats=4),
        "hexel held": ours(seats=4),
    }
    absent: list[str] = []
    for name, make in (("chess", chess_steps), ("open_spiel backgammon", spiel_steps)):
        try:
            runners[name] = make()
        except ImportError:
            print(f"{name} is not installed: no ratio to it")
            absent.append(name)
    counts: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(rounds):
        for name, run in runners.items():
            counts[name].append(run(SLICE) / SLICE)
    print(f"reference loop {reference():.1f} ms")
    for name, rates in counts.items():
        print(f"{name}: {median(rates):,.0f} steps/s")
    for peer in [name for name in counts if not name.startswith("hexel")]:
        for mine in ("hexel dealt", "hexel held"):
            ratios = [a / b for a, b in zip(counts[mine], counts[peer], strict=True)]
            own, other = median(counts[mine]), median(counts[peer])
            measured(f"{mine}, steps/s", own, peer, other, ratio=median(ratios))
            print(f"{mine} / {peer}: {median(ratios):.2f}")
    for peer in absent:
        measured("hexel held, steps/s", median(counts["hexel held"]), peer)
    moves, taken = inference()
    print(f"inference: {moves} placements played and seen in {taken:.1f} ms")


def main() -> None:
    right = check()
    speed(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
    sys.exit(not right)


if __name__ == "__main__":
    main()
