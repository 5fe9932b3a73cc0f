"""Moves read from rendered pictures alone: none is taken for another, and few are asked for.

The figures over thousands are of the benchmark `vision_moves`.
"""

import pytest

from hexboard.simulator.camera.tabletop import MODERATE
from tests.benchmarks.vision_moves import GAMES, MOST, Bench

MOVES = 300 // len(GAMES)
"""Of each game."""


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_no_move_is_taken_for_another_and_few_are_asked_for(game: str) -> None:
    bench, left, number = Bench(game, MODERATE, 7001), MOVES, 0
    wrong = accepted = first = 0
    while left > 0:
        figures = bench.play(number, min(left, MOST))
        wrong, accepted = wrong + figures["wrong"], accepted + figures["accepted"]
        first, left, number = first + figures["first"], left - figures["moves"], number + 1
    assert wrong == 0
    assert accepted >= MOVES * 0.95
    assert first >= MOVES * 0.99
