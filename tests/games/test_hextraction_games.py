"""A few random games of Hextraction; the benchmark plays ten thousand."""

import pytest

from tests.benchmarks.hextraction import play


@pytest.mark.long
def test_random_games_keep_every_invariant() -> None:
    assert {play(seed)[0] for seed in range(12)} <= {"win", "draw", "cut"}
