"""The runner that lets a referee play in the second world counts what it says that it counts."""

import pytest
from msgspec.structs import replace

from hexboard.board import find, load
from tests.benchmarks.worlds import Play, pulse
from tests.worlds import CLEAN, Evening, Knobs, evening

BOARD = load(find("hextraction-22"))
QUIET = replace(CLEAN, rolls=4, sticks=0.0, bowls=0.0)


def changed(night: Evening, number: int, *slots: str) -> Evening:
    """The evening, but one roll's truth is that other tiles go."""
    parts = (
        replace(part, roll=replace(part.roll, destroyed=slots, won=False))
        if part.roll and part.roll.number == number
        else part
        for part in night.parts
    )
    return replace(night, parts=tuple(parts))


def test_an_evening_without_faults_is_ruled_as_it_was() -> None:
    play = Play(BOARD, evening(1, QUIET)).played()
    assert play.counts["right"] == play.counts["rolls"] == 4
    assert play.notes == []


def test_a_ruling_that_the_truth_contradicts_is_counted_and_put_right() -> None:
    night = evening(1, QUIET)
    assert not night.rolls[1].won
    assert "C3" not in night.rolls[1].destroyed
    play = Play(BOARD, changed(night, 2, "C3")).played()
    assert (play.counts["wrong"], play.counts["right"]) == (1, 3)
    assert "true: ('C3',)" in play.notes[0]


def test_what_is_ruled_though_nobody_rolled_is_counted() -> None:
    night = evening(1, QUIET)
    silent = replace(night, parts=tuple(replace(part, roll=None) for part in night.parts))
    play = Play(BOARD, silent).played()
    assert play.counts["rolls"] == 0
    assert play.counts["ruled between"] + play.counts["asked between"] >= 2


@pytest.mark.long
def test_a_hand_in_the_board_for_a_minute_holds_nothing_up() -> None:
    night = evening(1, replace(QUIET, rolls=2, minutes=1.0))
    assert [deed.kind for part in night.parts for deed in part.deeds].count("minute") == 3
    play = Play(BOARD, night).played()
    assert (play.counts["right"], play.counts["stuck"], play.counts["ruled between"]) == (2, 0, 0)


def test_a_switch_that_flickers_for_a_millisecond_does_nothing() -> None:
    night = evening(1, replace(QUIET, rolls=2))
    assert pulse(BOARD, night, "seat:C3", 1) == "nothing", "a switch needs 50 ms"


def test_faults_of_the_board_are_heard_by_the_table() -> None:
    night = evening(1, Knobs(rolls=2, unplugs=1.0))
    play = Play(BOARD, night)
    for part in night.parts:
        play.part(part)
        if part.roll:
            assert play.referee.view.presence["pico"].up
            down = [line for line in play.referee.view.log if "source_down" in line.message.key]
            assert down, "that the board was away is said"


@pytest.mark.long
def test_a_dead_rib_is_named_after_few_balls_and_the_next_match_knows_it() -> None:
    rib = "edge:B1-B2"
    play = Play(BOARD, evening(5, Knobs(rolls=30, weak=((rib, 0.0),))))
    passed = matches = 0
    named: list[tuple[int, int]] = []
    for part in play.night.parts:
        matches += part.kind == "begin"
        play.part(part)
        passed += sum(sign.sensor == rib for sign in part.roll.signs) if part.roll else 0
        if play.referee.witnesses.named.get(rib):
            named.append((passed, matches))
    assert named[0][0] <= 15
    assert named[-1][1] > named[0][1], "another match began"
    assert play.referee.witnesses.named == {rib: "dead"}


def test_after_a_kill_the_board_is_looked_over_and_nothing_ruled() -> None:
    play = Play(BOARD, evening(1, Knobs(rolls=6, kills=1.0))).played()
    assert play.counts["asked"] == play.counts["rolls"] == 6
    assert play.counts["ruled between"] == 0


def test_after_a_kill_a_ball_that_is_felt_in_an_end_zone_is_asked_about_and_keeps_nobody() -> None:
    night = evening(31000014, Knobs(rolls=1, kills=1.0))
    assert night.rolls[0].won
    play = Play(BOARD, night).played()
    assert (play.counts["asked"], play.counts["stuck"]) == (1, 0)
    assert (play.referee.asking, play.referee.view.confirm) == (None, False)


@pytest.mark.long
def test_people_choose_for_each_crowded_tile_what_the_roller_chose() -> None:
    night = evening(96100007, Knobs(missed=0.02, false=0.005))
    assert night.rolls[-1].crowds == (("D2", "E1"), ("D3", "D2"))
    play = Play(BOARD, night).played()
    assert play.counts["right"] == play.counts["rolls"] == 12
