"""A roll of which not everything was heard: it is never ruled as if it had been."""

import pytest
from msgspec.structs import replace

from hexboard.facts import MS, Edge, Lost, Presence, Scanned, Snapshot, Tick
from hexboard.games.hextraction.rules.state import Placed
from hexboard.perception.health import PULSED
from tests.desk import OPEN, SETTLE, WIDTH, Desk

COLUMN = ("B1", "B2", "B3", "B4", "B5", "A2", "A3")
DOWN = ("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-B4", "edge:B4-B5")
WALLED = dict.fromkeys(COLUMN, OPEN) | {"C2": Placed("J", 0)}
"""C2 has a wall towards B2."""
SEATS = tuple(f"seat:{slot}" for slot in COLUMN)


def rolling(*more: str) -> Desk:
    """A ball rolls, and has come as far as B2."""
    desk = Desk(COLUMN)
    desk.feed(Presence(True))
    desk.feed(Snapshot(SEATS))
    desk.pulse(*DOWN[:2], *more)
    return desk


def silence(desk: Desk, seconds: int) -> None:
    """Only the clock is heard."""
    for _ in range(10 * seconds):
        desk.now += 100
        desk.feed(Tick(), at=desk.now * MS, source="table")


def back(desk: Desk, *high: str) -> None:
    desk.feed(Presence(True))
    desk.feed(Snapshot((*SEATS, *high)))


def test_a_board_unplugged_in_mid_roll_ends_no_roll() -> None:
    desk = rolling()
    before = desk.commits
    desk.feed(Presence(False, "unplugged"))
    silence(desk, 60)
    assert desk.position.phase == "rolling"
    assert desk.commits == before
    assert desk.table.asking
    assert desk.table.asking.message.key == "table.waits"
    assert desk.choices == ["as seen", "void"]


def test_a_ball_that_lies_in_an_end_zone_when_the_board_is_back_has_won() -> None:
    desk = rolling()
    desk.feed(Presence(False, "unplugged"))
    silence(desk, 5)
    back(desk, "floor:ZB")
    assert desk.choices == []
    desk.settle()
    assert desk.position.winner == 0


def test_a_ball_that_wins_unheard_raises_no_question_of_those_that_lie_where_they_lay() -> None:
    desk = rolling()
    desk.settle()
    desk.rule(f"position {replace(desk.position, rolls=0)}")
    assert desk.position.places() == ((1, "B2"),)
    desk.pulse(*DOWN[:2])
    desk.feed(Presence(False, "unplugged"))
    silence(desk, 5)
    back(desk, "floor:ZB")
    desk.settle()
    assert desk.choices == []
    assert desk.position.winner == desk.position.active


def test_where_nothing_says_what_became_of_a_ball_people_are_asked() -> None:
    desk = rolling()
    desk.feed(Presence(False, "unplugged"))
    silence(desk, 5)
    back(desk)
    assert desk.choices == []
    desk.settle()
    assert desk.position.phase == "rolling"
    assert desk.table.asking
    assert desk.table.asking.message.key in ("table.which", "table.where")


def test_who_goes_on_without_the_board_is_asked_where_balls_lie() -> None:
    desk = rolling()
    desk.feed(Presence(False, "unplugged"))
    silence(desk, 5)
    desk.decide("as seen")
    assert desk.position.phase == "rolling"
    assert desk.table.asking
    assert desk.table.asking.message.key in ("table.which", "table.where")
    desk.decide("void")
    assert desk.position.phase == "idle"
    assert desk.position.balls == ()


def test_facts_that_were_lost_in_a_roll_are_no_silence() -> None:
    desk = rolling()
    desk.feed(Lost(7))
    desk.settle()
    assert desk.position.phase == "rolling"
    assert desk.table.asking


def test_facts_that_were_lost_before_a_roll_are_no_matter() -> None:
    desk = Desk(COLUMN)
    desk.feed(Lost(7))
    desk.wait(SETTLE)
    desk.pulse(*DOWN, "throat:B5-4")
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner == 0


@pytest.mark.parametrize("gone", [Presence(False, "unplugged"), Lost(1)])
def test_what_another_source_did_not_hear_is_no_matter(gone: Presence | Lost) -> None:
    desk = rolling(*DOWN[2:], "throat:B5-4")
    desk.level("floor:ZB", True)
    desk.feed(gone, source="camera")
    desk.settle()
    assert desk.position.winner == 0


def test_a_board_that_comes_and_goes_asks_once_at_a_time() -> None:
    desk = rolling()
    for _ in range(5):
        desk.feed(Presence(False, "unplugged"))
        silence(desk, 3)
        assert desk.table.asking
        assert desk.table.asking.message.key == "table.waits"
        back(desk)
        assert desk.choices == []
    desk.settle()
    assert desk.table.asking
    assert desk.position.phase == "rolling"


def test_a_ball_that_was_let_go_while_the_board_was_away_is_no_ball_that_was_taken_out() -> None:
    desk = Desk(COLUMN)
    desk.level("load:B1-1", True)
    desk.wait(300)
    desk.feed(Presence(False, "the cable was pulled"))
    desk.wait(3_000)
    desk.feed(Presence(True))
    desk.level("load:B1-1", False)
    desk.settle()
    assert desk.table.asking


def keeps(desk: Desk, *edges: tuple[int, str, bool]) -> None:
    """The board is back and tells what it kept: (ms, sensor, level), each with its own time."""
    now = desk.now * MS
    desk.feed(Presence(True, kept=True), at=edges[0][0] * MS, t=now)
    for at, sensor, level in edges:
        desk.feed(Edge(sensor, level), at=at * MS, t=now)
    high = (sensor for _, sensor, level in edges if level and not sensor.startswith(PULSED))
    desk.feed(Snapshot((*SEATS, *high)))


def passing(since: int, *sensors: str) -> list[tuple[int, str, bool]]:
    """What a board stamps while a ball passes these sensors, one every 200 ms."""
    pulses = ((since + 200 * i, sensor) for i, sensor in enumerate(sensors))
    return [edge for at, on in pulses for edge in ((at, on, True), (at + WIDTH, on, False))]


def test_what_a_board_kept_while_it_was_away_is_read_as_if_it_had_been_heard() -> None:
    desk = rolling()
    desk.feed(Presence(False, "unplugged"))
    since = desk.now
    silence(desk, 20)
    keeps(desk, *passing(since, *DOWN[2:], "throat:B5-4"), (since + 900, "floor:ZB", True))
    desk.settle()
    assert desk.position.winner == 0
    assert desk.corrected == []


def test_a_ball_that_left_the_board_while_it_was_away_is_no_question_where_that_was_kept() -> None:
    desk = rolling()
    desk.feed(Presence(False, "unplugged"))
    since = desk.now
    silence(desk, 20)
    keeps(desk, *passing(since, "edge:A2-B2", "exit:A2-6"))
    desk.settle()
    assert desk.choices == []
    assert desk.position.phase == "idle"
    assert desk.todo == ["A2"]


def test_a_board_that_began_anew_did_not_keep_what_happened() -> None:
    desk = rolling()
    desk.feed(Presence(False, "unplugged"))
    silence(desk, 3)
    back(desk)
    desk.settle()
    assert desk.table.asking


def test_a_ball_that_is_seen_again_after_a_gap_is_followed_as_ever() -> None:
    desk = rolling()
    desk.feed(Presence(False, "unplugged"))
    desk.now += 400
    back(desk)
    desk.pulse("edge:B3-B4", "edge:A3-B4", "exit:A3-6")
    desk.settle()
    assert desk.choices == []
    assert desk.todo == ["A3"]


def test_a_board_that_never_ends_telling_is_waited_for_for_a_second() -> None:
    desk = rolling()
    desk.feed(Presence(False, "unplugged"))
    silence(desk, 3)
    desk.feed(Presence(True, kept=True))
    silence(desk, 5)
    assert desk.table.asking


def test_a_ball_that_lies_on_a_wall_after_a_reboot_is_known_to_have_rolled_there() -> None:
    """Its gate spoke while nobody heard: no other ball can lie there. How often it knocked at C2's
    wall first is not known, and a third time would cost C2."""
    desk = Desk(WALLED)
    desk.feed(Presence(True))
    desk.feed(Snapshot((*SEATS, "seat:C2")))
    desk.pulse("load:B1-1")
    desk.feed(Presence(False, "no answer"))
    silence(desk, 20)
    back(desk, "seat:C2", "edge:B2-C2")
    desk.settle()
    assert desk.choices == ["reading 1", "reading 2", "void"]
    assert desk.table.asking
    asked = [dict(choice.message.values) for choice in desk.table.asking.choices[:2]]
    assert [(one["lost"], one["rests"]) for one in asked] == [("-", "B2-C2"), ("C2", "B2-C2")]
    desk.decide("reading 1")
    assert desk.position.places() == ((1, "B2-C2"),)
    assert desk.position.rolls == 1


def test_of_two_edges_that_were_lost_one_ball_has_passed_one_sensor() -> None:
    """Gate, B1-B2, and what was lost; then it is seen below B3. A way that passes more sensors
    than that is none."""
    desk = rolling()
    desk.feed(Lost(2))
    desk.feed(Snapshot(SEATS))
    desk.pulse("edge:B3-B4", "edge:A3-B4", "exit:A3-6")
    desk.settle()
    assert desk.choices == []
    assert desk.todo == ["A3"]


def test_a_ball_that_fell_is_no_question_where_as_many_edges_were_lost() -> None:
    """Of a ball on a board without a tile below its lane: its gate, and that it fell."""
    desk = Desk()
    desk.pulse("load:B1-1")
    desk.feed(Lost(4))
    desk.feed(Snapshot(()))
    desk.settle()
    assert desk.choices == []
    assert desk.position.rolls == 1
    assert desk.position.places() == ()


def test_a_level_that_changed_is_one_of_the_edges_that_were_lost() -> None:
    """B2-C2 is high: the ball came up to it and leans there, a touch of C2 and no second one."""
    desk = Desk(WALLED)
    desk.feed(Presence(True))
    desk.feed(Snapshot((*SEATS, "seat:C2")))
    desk.pulse(*DOWN[:2])
    desk.feed(Lost(1))
    desk.feed(Snapshot((*SEATS, "seat:C2", "edge:B2-C2")))
    desk.settle()
    assert desk.choices == []
    assert desk.position.places() == ((1, "B2-C2"),)


def test_after_very_many_lost_edges_anything_may_have_happened() -> None:
    desk = rolling()
    desk.feed(Lost(400))
    desk.feed(Snapshot(SEATS))
    desk.settle()
    assert desk.table.asking


def test_what_balls_do_before_anybody_knows_of_a_roll_is_weighed_with_it() -> None:
    """The gate was lost; the ball leaves by A3 before all is still."""
    desk = Desk(WALLED)
    desk.feed(Presence(True))
    desk.feed(Snapshot((*SEATS, "seat:C2")))
    desk.pulse("load:B1-1")
    desk.feed(Lost(2))
    desk.feed(Snapshot((*SEATS, "seat:C2")))
    desk.pulse("edge:B1-B2", "edge:B2-B3", "edge:A3-B3", "exit:A3-6")
    desk.settle()
    assert desk.choices == []
    assert desk.todo == ["A3"]
    assert desk.position.rolls == 1


def test_a_roll_that_was_over_may_have_gone_on_in_a_gap() -> None:
    """Nothing spoke for a second and a half; then the board was away, and the floor feels it."""
    desk = rolling()
    desk.settle()
    assert desk.position.phase == "idle"
    desk.feed(Presence(False, "no answer"))
    silence(desk, 3)
    back(desk, "floor:ZB")
    desk.settle()
    assert desk.choices == []
    assert desk.position.winner == 0


def test_a_roll_that_a_board_kept_from_its_gate_on_is_read_as_if_it_had_been_heard() -> None:
    desk = Desk(COLUMN)
    desk.feed(Presence(True))
    desk.feed(Snapshot(SEATS))
    desk.pulse("load:B1-1")
    desk.feed(Presence(False, "unplugged"))
    since = desk.now
    silence(desk, 20)
    keeps(desk, *passing(since, *DOWN, "throat:B5-4"), (since + 1400, "floor:ZB", True))
    desk.settle()
    assert desk.choices == []
    assert desk.position.winner == 0


def test_what_was_lost_beside_a_level_that_changed_may_be_its_chatter() -> None:
    """It came to C2's wall once, and lies there: with two more edges, twice or three times."""
    desk = Desk(WALLED)
    desk.feed(Presence(True))
    desk.feed(Snapshot((*SEATS, "seat:C2")))
    desk.pulse(*DOWN[:2], "edge:B2-C2")
    desk.feed(Lost(3))
    desk.feed(Snapshot((*SEATS, "seat:C2", "edge:B2-C2")))
    desk.settle()
    assert desk.table.asking
    assert any(
        dict(choice.message.values).get("lost") == "-" for choice in desk.table.asking.choices
    )


def test_a_board_that_has_fallen_silent_ends_no_roll() -> None:
    """It used to promise that it told all; whether it is there is known a second later."""
    desk = rolling()
    desk.wait(10)
    silence(desk, 2)
    assert desk.position.phase == "rolling"
    desk.feed(Presence(False, "no answer"))
    silence(desk, 2)
    assert desk.position.phase == "rolling"
    assert desk.choices == ["as seen", "void"]


def test_a_board_that_promises_no_more_and_never_goes_is_not_waited_for_for_ever() -> None:
    desk = rolling("edge:A2-B2", "exit:A2-6")
    desk.wait(10)
    silence(desk, 4)
    assert desk.position.phase == "idle"
    assert desk.todo == ["A2"]


def test_where_a_roll_that_was_over_may_well_have_gone_on_in_a_gap_people_are_asked() -> None:
    """One way leads from B2 to the side of the board; still, that it lies there is likelier."""
    straight = Placed("DIC", 0)
    desk = Desk({"B1": straight, "B2": straight, "B3": Placed("J", 4), "A3": Placed("J", 5)})
    seats = tuple(f"seat:{slot}" for slot in ("B1", "B2", "B3", "A3"))
    desk.feed(Presence(True))
    desk.feed(Snapshot(seats))
    desk.pulse("load:B1-1", *DOWN[:2])
    desk.settle()
    assert desk.position.places() == ((1, "B2"),)
    desk.feed(Presence(False, "no answer"))
    silence(desk, 3)
    desk.feed(Presence(True))
    desk.feed(Snapshot(seats))
    desk.settle()
    assert desk.table.asking
    assert desk.table.asking.message.key == "table.which"


def test_a_roll_in_whose_gap_a_sensor_got_stuck_is_still_one() -> None:
    desk = Desk(COLUMN)
    desk.feed(Presence(True))
    desk.feed(Snapshot(SEATS))
    desk.pulse("load:B1-1", *DOWN[:2], "edge:A2-B2", "exit:A2-6")
    desk.level("edge:B3-B4", True)
    desk.feed(Presence(False, "no answer"))
    silence(desk, 4)
    back(desk, "edge:B3-B4")
    desk.settle()
    assert "edge:B3-B4" in desk.table.senses.health.out
    desk.settle()
    assert desk.choices == ["reading 1", "reading 2", "void"], "the exit's word may have been false"
    desk.decide("reading 1")
    assert desk.position.rolls == 1
    assert desk.todo == ["A2"]


def test_how_often_a_ball_touched_its_last_wall_unheard_is_asked_where_three_times_matter() -> None:
    """It lies on C2's wall; a third touch, which would break the loop, is one in a hundred: too
    many for a roll during which nobody listened."""
    desk = Desk(WALLED)
    desk.feed(Presence(True))
    desk.feed(Snapshot((*SEATS, "seat:C2")))
    desk.pulse(*DOWN[:2])
    desk.feed(Presence(False, "no answer"))
    silence(desk, 3)
    back(desk, "seat:C2", "edge:B2-C2")
    desk.settle()
    assert desk.choices == ["reading 1", "reading 2", "void"]
    desk.decide("reading 1")
    assert desk.position.places() == ((1, "B2-C2"),)


def test_of_a_ball_on_a_rib_that_went_on_while_nobody_listened_people_are_asked() -> None:
    """The roll was over by then, with the ball felt on the rib; afterwards nothing feels it."""
    desk = Desk(COLUMN)
    desk.feed(Presence(True))
    desk.feed(Snapshot(SEATS))
    desk.pulse("load:B1-1", DOWN[0])
    desk.level(DOWN[1], True)
    desk.settle()
    assert desk.position.rolls == 1
    desk.feed(Presence(False, "no answer"))
    silence(desk, 3)
    back(desk)
    desk.settle()
    assert desk.choices[0] == "reading 1"


def test_where_nothing_feels_a_ball_that_rolled_unheard_people_are_asked_however_likely_it_is() -> (
    None
):
    """B1 has walls all round, so that it hardly lies elsewhere; of it nothing was heard or felt."""
    walled = {"B1": OPEN} | dict.fromkeys(("A1", "B2", "C1"), Placed("J", 2))
    desk = Desk(walled)
    desk.feed(Presence(True))
    desk.feed(Snapshot(tuple(f"seat:{slot}" for slot in walled)))
    desk.pulse("load:B1-1", DOWN[0])
    desk.feed(Presence(False, "no answer"))
    silence(desk, 3)
    desk.feed(Presence(True))
    desk.feed(Snapshot(tuple(f"seat:{slot}" for slot in walled)))
    desk.settle()
    assert desk.choices == ["rest 1 B1", "fell 1 B1", "gone 1", "void"]
    desk.decide("rest 1 B1")
    assert desk.position.places() == ((1, "B1"),)


def test_far_from_where_it_was_heard_a_ball_may_have_knocked_at_a_wall_three_times_as_well() -> (
    None
):
    """It is let go, and leans on B5's wall when the board is heard again: four tiles of six ways
    each lie between."""
    tiles = dict.fromkeys(COLUMN[:4], OPEN) | {"B5": Placed("J", 2)}
    desk = Desk(tiles)
    desk.feed(Presence(True))
    seats = tuple(f"seat:{slot}" for slot in tiles)
    desk.feed(Snapshot(seats))
    desk.pulse("load:B1-1")
    desk.feed(Presence(False, "no answer"))
    silence(desk, 5)
    desk.feed(Presence(True))
    desk.feed(Snapshot((*seats, "edge:B4-B5")))
    desk.settle()
    assert desk.table.asking
    lost = [dict(choice.message.values).get("lost") for choice in desk.table.asking.choices]
    assert lost[:2] == ["-", "B5"]


@pytest.mark.parametrize("gone", [Presence(False, "no answer"), Scanned(900_000, 900)])
def test_a_ball_that_nothing_feels_is_not_taken_for_one_that_may_have_rolled_unheard(
    gone: Presence | Scanned,
) -> None:
    """It lies inside B2, as far as anyone can tell, and has for long; then nobody listened, and one
    leans on C2's wall: that one, or another that came out of a lane."""
    desk = Desk(WALLED)
    desk.feed(Presence(True))
    seats = (*SEATS, "seat:C2")
    desk.feed(Snapshot(seats))
    desk.pulse("load:B1-1", *DOWN[:2])
    desk.settle()
    assert desk.position.places() == ((1, "B2"),)
    silence(desk, 15)
    desk.feed(gone)
    silence(desk, 3)
    desk.feed(Presence(True))
    desk.feed(Snapshot((*seats, "edge:B2-C2")))
    desk.settle()
    assert desk.table.asking
    assert desk.table.asking.message.key == "table.which"
    assert desk.position.places() == ((1, "B2"),)


def test_what_lets_go_right_after_it_was_found_felt_something() -> None:
    """The rise at B2-B3 was lost, a snapshot found it, and half a millisecond later it fell."""
    desk = rolling()
    desk.feed(Lost(1))
    desk.feed(Snapshot((*SEATS, "edge:B2-B3")))
    desk.feed(Edge("edge:B2-B3", False), at=desk.now * MS + MS // 2)
    desk.settle()
    assert desk.choices == []
    assert desk.position.places() == ((1, "B3"),)


def test_what_lets_go_and_was_never_heard_to_feel_anything_felt_something() -> None:
    desk = rolling()
    desk.feed(Lost(1))
    desk.level("edge:B2-B3", False)
    desk.settle()
    assert desk.choices == []
    assert desk.position.places() == ((1, "B3"),)
