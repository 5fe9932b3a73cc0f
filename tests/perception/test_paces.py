"""How long balls take: what is kept, and how long one is waited for."""

import pytest

from hexboard.facts import Witnessed
from hexboard.perception.paces import KEPT, LONGEST_MS, Paces
from hexboard.perception.witness import Testimony, Witnesses


def learned(*took: int, way: str = "Bowl 3") -> Paces:
    paces = Paces()
    paces.learn((way, ms) for ms in took)
    return paces


@pytest.mark.parametrize(
    ("took", "patience"),
    [
        ((), 0),
        ((4000,), 0),  # once may be chance
        ((4000, 3000), 6000),  # twice the second slowest
        ((300, 300, 300, 300, 300, 300, 300, 9000), 600),  # one of eight was held up
        ((300, 300, 300, 300, 300, 300, 5000, 9000), 10_000),
        ((9000, 9000), LONGEST_MS),  # 18 s is longer than anything goes on by itself
    ],
)
def test_a_ball_is_waited_for_twice_what_the_slow_ones_took(
    took: tuple[int, ...], patience: int
) -> None:
    assert learned(*took).patience_ms("Bowl 3") == patience


def test_a_way_that_is_hardly_known_is_as_slow_as_its_tile_and_no_other_tile_is() -> None:
    paces = learned(4000, 3000)
    assert paces.patience_ms("Bowl 1") == 6000
    assert paces.patience_ms("Bowls 3") == 0
    paces.learn([("Bowl 1", 300)] * 4)
    assert paces.patience_ms("Bowl 1") == 600, "known by itself"


def test_what_a_file_states_holds_until_enough_is_known() -> None:
    paces = learned(300, 300)
    assert paces.patience_ms("Bowl 3", 5000) == 5000
    paces.learn([("Bowl 3", 300)] * 2)
    assert paces.patience_ms("Bowl 3", 5000) == 600
    assert Paces().patience_ms("Bowl 3", 99_000) == LONGEST_MS


def test_only_the_last_times_are_kept() -> None:
    paces = learned(*[4000] * KEPT, *[300] * KEPT)
    assert paces.known == (("Bowl 3", (300,) * KEPT),)
    assert paces.patience_ms("Bowl 3") == 600


def test_the_slow_ways_are_named_with_what_their_slow_balls_took() -> None:
    paces = learned(4000, 3000)
    paces.learn([("DC 1", 200)] * 4)
    assert paces.slow == (("Bowl 3", 3000),)


def test_the_next_match_and_the_next_evening_know_it() -> None:
    before, after = Witnesses(), Witnesses()
    list(before.learn(Testimony(took=(("Bowl 3", 4000), ("Bowl 3", 3000)))))
    assert before.fact == Witnessed(1, (), (), (("Bowl 3", (4000, 3000)),))
    after.recall(before.fact)
    assert after.paces.patience_ms("Bowl 3") == 6000
    evening = Witnesses()
    evening.add(after, before.fact)
    assert evening.paces.known == before.paces.known


def test_a_ball_is_hasty_that_took_less_than_a_third_of_the_quickest_but_one_of_eight() -> None:
    paces = learned(*[200] * 6, 160, way="lane B1-1")
    assert paces.hasty("lane B1-1", 20) == 0, "seven are too few"
    paces.learn([("lane D1-2", 20)])
    assert (paces.hasty("lane B1-1", 53), paces.hasty("lane B1-1", 54)) == (160, 0)
    assert paces.hasty("tile 1", 20) == 0
    short = learned(*[79] * 8, way="lane B1-1")
    assert short.hasty("lane B1-1", 5) == 0, "contacts are not that exact"
