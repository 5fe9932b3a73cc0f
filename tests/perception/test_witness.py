"""What is learned of sensors from balls: who is named, when, and what that is worth."""

from collections.abc import Iterable
from random import Random

import pytest

from hexboard.facts import Witnessed
from hexboard.perception.witness import Testimony, Witnesses
from tests.benchmarks.health import earlier, limit, told

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


def test_a_dead_sensor_is_named_with_its_second_ball_however_long_it_was_good() -> None:
    # of a board of which nothing is known a miss is ln(0.3 * 300) = 4.5 nats, and 9 name
    assert heard(Witnesses(), *passes([False] * 3)) == ["", "dead", "dead"]
    late = heard(Witnesses(), *passes([True] * 60 + [False] * 2))
    assert late == [""] * 61 + ["dead"]


def test_on_an_unknown_board_two_misses_in_a_row_name_a_sensor_and_two_of_three_do_not() -> None:
    # 4.5 nats for each of two, less 0.36 for each that it saw between them: 9.0, and 8.6
    for saw, name in ((0, "dead"), (1, "")):
        assert heard(Witnesses(), *passes([False, *[True] * saw, False]))[-1] == name


def others(saw: int, missed: int = 0) -> Witnessed:
    """A board on which the others are known to have seen and missed so many."""
    return Witnessed(0, (("gate:B1-1", saw, missed, 0, 0, 0, 0, 0),))


@pytest.mark.parametrize(("missed", "name"), [(0, "weak"), (3, "")])
def test_where_the_others_miss_none_the_first_and_the_last_of_15_are_enough(
    missed: int, name: str
) -> None:
    # ln(0.3 * 3300) is 6.90 and ln(0.3 * 3303 / 4) 5.51; twice that less 13 * 0.36: 9.1, and 6.3
    witnesses = Witnesses()
    witnesses.recall(others(3000, missed))
    assert heard(witnesses, *passes([False, *[True] * 13, False]))[-1] == name


def test_what_a_miss_says_is_told_by_what_is_known_of_the_others_in_the_end() -> None:
    one, other = Witnesses(), Witnesses()
    clean = Testimony(saw=("gate:B1-1",) * 3000)
    late = heard(one, *passes([False, *[True] * 12]), clean, *passes([True, False]))
    early = heard(other, clean, *passes([False, *[True] * 13, False]))
    assert late[-1] == early[-1] == "weak"


def test_a_sensor_that_misses_much_does_not_tell_what_the_others_miss() -> None:
    witnesses, alone = Witnesses(), Witnesses()
    witnesses.recall(others(9, 3))
    two = passes([False, False])
    assert heard(witnesses, *two) == heard(alone, *two) == ["", "dead"]


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


def test_who_spoke_for_no_ball_as_one_passed_another_unfelt_is_counted_and_recalled() -> None:
    one, crossed = Witnesses(), Testimony(missed=(RIB,), false=frozenset({"gate:B1-1", RIB}))
    for roll in (crossed, crossed, Testimony(saw=(RIB,), false=frozenset({"gate:B1-2"})), crossed):
        assert list(one.exchanged) == []
        list(one.learn(roll))
    assert list(one.exchanged) == [(RIB, "gate:B1-1", 3)]
    other, evening = Witnesses(), Witnesses()
    other.recall(one.fact)
    assert other.fact == one.fact
    list(other.learn(crossed))
    evening.add(one, Witnesses().fact)
    evening.add(other, one.fact)
    assert list(evening.exchanged) == [(RIB, "gate:B1-1", 4)]
    heard(other, *passes([False] * 5))  # of nine that it missed four are fewer than half
    assert list(other.exchanged) == []


@pytest.mark.parametrize("times", [1, 5])
def test_what_one_roll_says_again_it_says_of_one_ball(times: int) -> None:
    witnesses = Witnesses()
    assert heard(witnesses, Testimony(missed=(RIB,) * times)) == [""]
    assert witnesses.known[RIB].missed == times


def test_what_any_test_can_reach_is_worked_out_by_hand() -> None:
    # two misses of 15: 1 - 0.7^15 - 15 * 0.3 * 0.7^14 = 0.9647; of sound ones that miss 0.001 one
    # stretch in 9,600 has two, less than the one in 4,000 that 200 stretches may have at 5 %
    assert limit(15, 0.7, 0.001) == pytest.approx(0.9647, abs=0.002)
    # four misses of 15: 0.7031; of 0.02 one stretch in 5,500
    assert limit(15, 0.7, 0.02) == pytest.approx(0.7031, abs=0.01)


@pytest.mark.long
@pytest.mark.parametrize("rate", [0.02, 0.005, 0.0003])
def test_on_a_board_that_is_known_it_names_nearly_as_many_as_any_test_could(rate: float) -> None:
    chance = Random(11)
    before = earlier(2700, rate, chance)
    named = sum(told(before, rate, chance) <= 15 for _ in range(200))
    assert named / 200 > limit(15, 0.7, rate) - 0.1
