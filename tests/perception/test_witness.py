"""What is learned of sensors from balls: who is named, when, and what that is worth."""

from collections.abc import Iterable
from random import Random

import pytest

from hexboard.perception.witness import Testimony, Witnesses

RIB = "edge:B1-C1"


def heard(witnesses: Witnesses, *rolls: Testimony) -> list[str]:
    """What it was named at the end of each roll."""
    found = []
    for roll in rolls:
        list(witnesses.learn(roll))
        found.append(witnesses.named.get(RIB, ""))
    return found


def passes(works: Iterable[bool]) -> list[Testimony]:
    return [Testimony(saw=(RIB,)) if seen else Testimony(missed=(RIB,)) for seen in works]


def test_a_dead_sensor_is_named_with_its_third_ball_however_long_it_was_good() -> None:
    # of a board of which nothing is known a miss is ln(0.3 * 300) = 4.5 nats, and 10 name
    assert heard(Witnesses(), *passes([False] * 4)) == ["", "", "dead", "dead"]
    late = heard(Witnesses(), *passes([True] * 60 + [False] * 3))
    assert late == [""] * 62 + ["dead"]


def test_of_sensors_that_work_half_the_time_nearly_all_are_named_within_15_balls() -> None:
    chance = Random(3)
    named = sum(
        any(heard(Witnesses(), *passes(chance.random() < 0.5 for _ in range(15))))
        for _ in range(200)
    )
    assert named >= 190


def test_on_a_board_on_which_all_sensors_miss_now_and_then_one_is_not_named_for_it() -> None:
    chance, witnesses = Random(5), Witnesses()
    ribs = [f"edge:{n}" for n in range(136)]
    for _ in range(1000):
        passed = chance.sample(ribs, 10)
        lost = [rib for rib in passed if chance.random() < 0.02]
        saw = tuple(rib for rib in passed if rib not in lost)
        assert list(witnesses.learn(Testimony(saw, tuple(lost)))) == []


def test_a_noisy_sensor_is_named_within_six_turns_and_a_hand_now_and_then_is_not() -> None:
    often = [Testimony(false=frozenset({RIB}))]
    assert "noisy" in heard(Witnesses(), *often * 6)
    now_and_then = [*often, Testimony(), Testimony(), Testimony()] * 50
    assert set(heard(Witnesses(), *now_and_then)) == {""}


def test_what_spoke_between_rolls_counts_for_the_turn_and_once() -> None:
    witnesses = Witnesses()
    for _ in range(3):
        witnesses.between([RIB])
    list(witnesses.learn(Testimony()))
    list(witnesses.learn(Testimony()))
    assert witnesses.known[RIB].restless == 1


def test_a_sensor_that_is_mended_is_named_no_longer() -> None:
    named = heard(Witnesses(), *passes([False] * 5 + [True] * 40))
    assert (named[4], named[6], named[-1]) == ("dead", "weak", "")


def test_what_a_named_sensor_misses_costs_as_little_as_it_is_rare() -> None:
    witnesses = Witnesses()
    heard(witnesses, *passes([False, True] * 6))
    # 6 of 12: (2 * 12 + 2) / (2 * 6 + 1) = 2, and ln 2 is 0.69
    assert (witnesses.named, witnesses.misses) == ({RIB: "weak"}, {RIB: 69})


def test_the_next_match_goes_on_with_what_this_one_knew() -> None:
    one, other = Witnesses(), Witnesses()
    heard(one, *passes([True, False, True, False]), Testimony(false=frozenset({"gate:B1-1"})))
    other.recall(one.fact)
    rest = passes([False, True, False])
    assert heard(one, *rest) == heard(other, *rest)
    assert (other.fact, other.misses) == (one.fact, one.misses)


@pytest.mark.parametrize("times", [1, 5])
def test_what_one_roll_says_again_it_says_of_one_ball(times: int) -> None:
    witnesses = Witnesses()
    assert heard(witnesses, *[Testimony(missed=(RIB,) * times)] * 2) == ["", ""]
    assert witnesses.known[RIB].missed == 2 * times
