"""A few random games of Hextraction; the benchmark plays ten thousand."""

from random import Random

import pytest

from hexboard.games.hextraction import start
from tests.benchmarks.hextraction import one_answer, play


@pytest.mark.long
def test_random_games_keep_every_invariant() -> None:
    assert {play(seed)[0] for seed in range(12)} <= {"win", "draw", "cut"}


def test_on_a_full_board_what_may_be_played_is_one_answer() -> None:
    """2.2.2.1: moves at random, and all balls come to rest at once, until the bag is empty."""
    random, chosen, position = Random(22), 0, start(options={"pool": 400})
    while position.scores is None:
        one_answer(random, position, position.phase)
        chosen += position.choosing
        position = position.play(random.choice(position.legal))
    assert chosen > 50
