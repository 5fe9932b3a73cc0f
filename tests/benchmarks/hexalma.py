"""HexAlma against python-chess: `python -m tests.benchmarks.hexalma [ROUNDS]`.

Counts and random games of both in turns, in one process, by its processor time; the median of the
ratios is the figure, because a shared machine drifts. The counts are checked against published
numbers (two independent programs; chess: 197,281). Without python-chess (`pip install chess`) only
ours is shown.
"""

import importlib
import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

from hexboard.game.referee import distinct, perft
from hexboard.games.hexalma import Hexalma, moves, parse, start
from tests.benchmarks import measured, reference

NODES = 4_726_276
"""perft(4) from the start."""
MIDDLES = {
    "(WW)1W2/W3W1/2W1W1W/W4WW1/9/1BB5/3B3/BB3B/1(BB)1B(BB) b": 3_452_826,
    "WW2(WW)/2W1W1/W2WW2/1W6/6(BW)2/4BB2/7/B(BB)BB(BB)1/1B3 b": 2_596_178,
}
"""perft(4) of two positions from the middle of a game."""
SECONDS = 1.0
WANTED = {"perft(4) nodes/s": 20.0}
"""How many times as much as python-chess."""


def expect(what: str, found: int, expected: int) -> None:
    if found != expected:
        sys.exit(f"{what}: {found:,} instead of {expected:,}")
    print(f"{what}: {found:,}, as expected")


def check() -> None:
    """The counts that are too slow for every day."""
    for text, nodes in MIDDLES.items():
        expect(f"perft(4) of {text[:20]}…", perft(parse(text), 4, Hexalma.move_count), nodes)
    expect("different positions after 3 plies", distinct(start(), 3), 54_150)
    boards = {start().board}
    for _ in range(4):
        boards = {moves.moved(board, move) for board in boards for move in moves.legal(board)}
    expect("different boards after 4 plies", len(boards), 1_172_889)


def count() -> float:
    """Nodes a second of perft(4)."""
    began = time.process_time()
    nodes = perft(start(), 4, Hexalma.move_count)
    if nodes != NODES:
        sys.exit(f"perft(4): {nodes:,} instead of {NODES:,}")
    return nodes / (time.process_time() - began)


def play(random: Random) -> int:
    """Plies of one random game: legal moves, one of them, the position after, until it is over."""
    position, plies = start(), 0
    while legal := position.legal:
        position = position.play(legal[int(random.random() * len(legal))])
        plies += 1
    return plies


def count_chess(chess: Any) -> float:
    """Nodes a second of its perft(4), its last ply counted in bulk like ours."""

    def nodes(depth: int) -> int:
        if depth == 1:
            return int(board.legal_moves.count())
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += nodes(depth - 1)
            board.pop()
        return total

    board, began = chess.Board(), time.process_time()
    if (found := nodes(4)) != 197_281:
        sys.exit(f"python-chess: perft(4) {found:,} instead of 197,281")
    return found / (time.process_time() - began)


def play_chess(chess: Any, random: Random) -> int:
    """Plies of one random game of chess, 400 at most."""
    board, plies = chess.Board(), 0
    while plies < 400 and (legal := list(board.legal_moves)):
        board.push(legal[int(random.random() * len(legal))])
        plies += 1
    return plies


def rate(play: Callable[[Random], int], seed: int) -> float:
    """Plies a second over whole games."""
    random, plies, began = Random(seed), 0, time.process_time()
    while (elapsed := time.process_time() - began) < SECONDS:
        plies += play(random)
    return plies / elapsed


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    try:
        chess = importlib.import_module("chess")
    except ImportError:
        chess = None
        print("python-chess is missing: pip install chess")
    check()
    ours: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []
    for seed in range(rounds):
        ours.append((count(), rate(play, seed)))
        if chess:
            peer = count_chess(chess), rate(lambda random: play_chess(chess, random), seed)
            theirs.append(peer)
    for k, what in enumerate(("perft(4) nodes/s", "random play, plies/s")):
        middle = median(figures[k] for figures in ours)
        line = f"{what}: {middle:,.0f}"
        if not theirs:
            measured(what, middle, "python-chess")
        else:
            pairs = zip(ours, theirs, strict=True)
            ratios = sorted(mine[k] / peer[k] for mine, peer in pairs)
            peers = median(figures[k] for figures in theirs)
            times, least = median(ratios), WANTED.get(what)
            measured(what, middle, "python-chess", peers, ratio=times, least=least)
            line += f", python-chess {peers:,.0f}: "
            line += f"{median(ratios):.1f} times ({ratios[0]:.1f} to {ratios[-1]:.1f})"
        print(line)
    print(f"reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()
