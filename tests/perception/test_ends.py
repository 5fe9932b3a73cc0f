"""Where balls end and what is counted of them: by hand, on tiles that are open all round."""

import pytest

from hexboard.games.hextraction.rules.actions import BallTouch, Fire, Gone, Off, Rest, Wall
from hexboard.games.hextraction.tracking.automaton import UNEXPLAINED_CNAT, Automaton
from hexboard.games.hextraction.tracking.channels import channels
from hexboard.games.hextraction.tracking.ends import (
    KNOCK_CNAT,
    TAKEN_CNAT,
    UNSEEN_REST_CNAT,
    BallEnd,
    Ends,
    acts_of,
    is_said,
)
from hexboard.games.hextraction.tracking.hypothesis import (
    Counting,
    Hypothesis,
    Tally,
    rolled_from,
    story_of,
    without,
)
from hexboard.games.hextraction.tracking.outcome import Judged, RollOutcome, doubt, likeliest
from tests.desk import BOARD

EVERY = tuple(range(1, 7))
SENSORS = frozenset(sensor.id for sensor in BOARD.sensors)


def ends(*held: str, fitted: frozenset[str] = SENSORS) -> Ends:
    """On a board full of open tiles, while these sensors feel a ball."""
    doors = dict.fromkeys(EVERY, EVERY)
    layout = Automaton(BOARD, lambda slot: channels(doors, lambda edge: {}), fitted)
    return Ends(layout, set(held))


def test_a_ball_at_rest_lies_where_it_lay_or_was_taken_away() -> None:
    found = [*ends("edge:B1-B2").of((1, ("at", "B1", 4), False))]
    assert found[:2] == [
        BallEnd(TAKEN_CNAT, 1, (), "gone"),
        BallEnd(0, 1, (), "B1-B2", leans="B1"),
    ]
    assert len(found) == 2


def test_a_ball_that_its_sensor_does_not_feel_any_more_was_knocked_on_unseen() -> None:
    found = [*ends().of((1, ("at", "B1", 4), False))]
    stays = [end for end in found if end.rest == "B1-B2" and not end.told]
    assert [end.cost >= UNSEEN_REST_CNAT for end in stays] == [True]
    assert all(end.cost >= KNOCK_CNAT for end in found if end.told)


def test_a_sensor_that_feels_a_ball_which_is_none_of_those_costs() -> None:
    lies = BallEnd(0, 1, (), "B1-B2")
    assert ends("edge:B1-B2").together((lies,)) == 0
    assert ends("edge:B1-B2", "edge:B2-B3").together((lies,)) == UNEXPLAINED_CNAT


@pytest.mark.parametrize(
    ("rest", "said", "agrees"),
    [("B2", Rest(1, "B2"), True), ("B3", Rest(1, "B2"), False), ("load:B1-1", Gone(1), True)],
)
def test_people_say_where_it_lies(rest: str, said: Rest | Gone, agrees: bool) -> None:
    assert is_said(BallEnd(0, 1, (), rest), said) == agrees


def test_an_end_is_what_happened_unseen_and_that_it_rests() -> None:
    end = BallEnd(0, 3, ((BallTouch, "B2"),), "B2")
    assert [*acts_of(end)] == [BallTouch(3, "B2"), Rest(3, "B2")]
    assert [*acts_of(BallEnd(0, 3, ((Off, "A1", 5),)))] == [Off(3, "A1", 5)]


@pytest.mark.parametrize(("each", "looped"), [(False, True), (True, False)])
def test_touches_are_counted_for_all_balls_or_for_each(each: bool, looped: bool) -> None:
    tally, twice = Tally(BOARD, Counting(each=each)), ((BallTouch, "B2"), (BallTouch, "B2"))
    touches, left, fired = tally.told(0, 0, (), twice, 1)
    touches, *_ = tally.told(touches, left, fired, twice, 2)
    assert (left, fired) == (0, ())
    gone = tally.gone(touches, left, 3)  # four touches, two of each ball
    assert gone == (("B2",) if looped else ())
    touches, *_ = tally.told(touches, left, fired, twice, 1)
    assert tally.gone(touches, left, 3) == ("B2",)


@pytest.mark.parametrize("walls", [True, False])
def test_a_touch_from_outside_counts_where_people_say_so(walls: bool) -> None:
    tally = Tally(BOARD, Counting(walls=walls))
    touches, *_ = tally.told(0, 0, (), ((Wall, "B2"),) * 3, 1)
    assert tally.gone(touches, 0, 1) == (("B2",) if walls else ())


def test_a_tile_goes_over_whose_side_a_ball_left() -> None:
    tally = Tally(BOARD, Counting())
    touches, left, _ = tally.told(0, 0, (), ((BallTouch, "B2"), (Off, "B2", 5), (Off, "A1", 5)), 1)
    assert tally.gone(touches, left, 1) == ("A1", "B2")


def test_an_area_is_set_off_each_time_or_once() -> None:
    fire = ((Fire, "B2", "lane"),)
    for once, times in ((False, 2), (True, 1)):
        tally = Tally(BOARD, Counting(once=once))
        _, _, fired = tally.told(0, 0, (), fire, 1)
        assert tally.told(0, 0, fired, fire, 2)[2] == (("B2", "lane"),) * times


def test_a_story_is_told_from_its_beginning() -> None:
    one = (None, 2, 1, ((BallTouch, "B1"),))
    story = Hypothesis(0, (), story=(one, 4, 1, ((BallTouch, "B2"), (Off, "B2", 5))))
    assert story_of(story) == [
        (2, 1, BallTouch(1, "B1")),
        (4, 1, BallTouch(1, "B2")),
        (4, 1, Off(1, "B2", 5)),
    ]
    assert not rolled_from(story, "B1-1")
    gone = without([(1, ("in", "B1", 0), False), (2, ("in", "B2", 0), False)], [])
    assert [ball for _, ball, _ in story_of(Hypothesis(0, (), story=gone))] == [1, 2]


def test_the_doubt_is_how_likely_another_outcome_is_beside_the_likeliest() -> None:
    def one(cost: int, lost: str, rest: str) -> Judged:
        return Judged(cost, RollOutcome(False, (lost,), (rest,)), cost, [], False)

    same = [one(0, "B1", "B2"), one(100, "B1", "C2")]  # where a ball lies matters to nobody
    assert (likeliest(same), doubt(same)) == (same[0], 0)
    two = [one(0, "B1", "B2"), one(100, "B2", "B2")]
    assert doubt(two) == 367_879  # 1/e
    three = [one(0, "B1", "B2"), one(50, "B2", "B2"), one(50, "B2", "C2")]
    assert likeliest(three) is three[1]  # together they are likelier: 2 / sqrt(e) > 1
