"""Balls that take their time, and signs between rolls: a roll that was closed may go on."""

import pytest

from hexboard.facts import Lost, Witnessed
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.tiles.catalogue import written
from hexboard.games.hextraction.tiles.tile import Described
from tests.desk import BOARD, OPEN, SLOTS, Desk, start

COLUMN = ("B1", "B2", "B3", "B4", "B5")
DOWN = ("edge:B1-B2", "edge:B2-B3", "edge:B3-B4", "edge:B4-B5", "throat:B5-4")


@pytest.mark.parametrize("pause_ms", [1_800, 10_000])
@pytest.mark.parametrize("before", range(5))
def test_a_ball_that_goes_on_after_a_pause_is_ruled_by_where_it_ends(
    pause_ms: int, before: int
) -> None:
    desk = Desk(COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1", *DOWN[:before])
    desk.wait(pause_ms)
    desk.pulse(*DOWN[before:])
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner == 0
    assert desk.keys[-1] == "hextraction.wins"


def test_what_was_journalled_of_it_is_taken_back() -> None:
    desk = Desk(COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.wait(5_000)
    assert desk.position.phase == "idle"
    assert desk.position.places() == ((1, "B1"),)
    desk.pulse(*DOWN)
    desk.level("floor:ZB", True)
    desk.settle()
    assert [why.key for why in desk.corrected] == ["table.reopened"]
    entries = [entry for commit in desk.commits for entry in commit.entries]
    assert sum('"back"' in entry for entry in entries) == 1
    assert sum('"roll B1-1"' in entry for entry in entries) == 2


def test_a_roll_that_ended_its_turn_may_go_on_as_well() -> None:
    desk = Desk(COLUMN)
    desk.level("seat:A1", True)
    desk.declare("play Asterisk A1 0")
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.wait(5_000)
    assert desk.position.active == 1
    desk.pulse(*DOWN)
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner == 0


def test_what_was_not_heard_between_rolls_is_asked_about() -> None:
    """The ball goes on to B3, and edges are lost: from there it may have left by many tiles."""
    desk = Desk(SLOTS)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.wait(5_000)
    assert desk.choices == []
    desk.pulse("edge:B1-B2", "edge:B2-B3")
    desk.feed(Lost(9))
    desk.settle()
    assert desk.table.asking
    assert desk.table.asking.message.key == "table.which"


def test_each_crossing_may_take_its_time() -> None:
    desk = Desk(COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1")
    for sensor in DOWN:
        desk.wait(3_000)
        desk.pulse(sensor)
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner == 0


def test_what_comes_after_the_next_declaration_is_no_news_of_the_roll() -> None:
    desk = Desk(COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.wait(5_000)
    desk.declare("play Asterisk A1 0")
    assert desk.refused == []
    desk.level("seat:A1", True)
    desk.pulse(*DOWN)
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner is None


def test_a_board_that_people_have_called_right_is_no_news_of_the_roll() -> None:
    desk = Desk(COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.wait(5_000)
    desk.rule("right")
    desk.pulse(*DOWN)
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner is None
    assert desk.corrected == []


@pytest.mark.parametrize(
    "sensor",
    [s.id for s in BOARD.sensors if s.kind in ("edge", "fall", "exit", "throat")],
)
@pytest.mark.parametrize("width_ms", [1, 100])
def test_one_false_pulse_between_rolls_moves_no_ball_and_rules_nothing(
    sensor: str, width_ms: int
) -> None:
    desk = Desk(COLUMN)
    desk.rule("ball 1 B3")
    desk.rule("ball 2 B5")
    before, committed = desk.position, len(desk.commits)
    desk.now += 5_000
    desk.level(sensor, True)
    desk.now += width_ms
    desk.level(sensor, False)
    desk.settle()
    desk.wait(5_000)
    assert desk.position == before
    assert len(desk.commits) == committed


GATES = [sensor.id for sensor in BOARD.sensors if sensor.kind == "gate"]


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("width_ms", [1, 8, 100])
@pytest.mark.parametrize("lies", [True, False], ids=["a ball lies in the lane", "an empty lane"])
def test_a_gate_alone_is_no_roll_before_people_say_so(gate: str, width_ms: int, lies: bool) -> None:
    tiles = {cell.id: OPEN for cell in BOARD.cells}
    desk = Desk(tiles)
    before, committed = desk.position, len(desk.commits)
    if lies:
        desk.level(gate.replace("gate:", "load:"), True)
        desk.now += 700
    desk.level(gate, True)
    desk.now += width_ms
    desk.level(gate, False)
    desk.settle()
    if desk.table.asking:  # else it is sure enough that the ball lies in the lane
        answers = {choice.message.key: choice.name for choice in desk.table.asking.choices}
        desk.decide(answers["table.answer_no_roll"])
    desk.wait(5_000)
    assert desk.position.places() == before.places()
    assert desk.position.phase == "idle"
    assert desk.position.rolls == before.rolls
    assert len(desk.commits) == committed


@pytest.mark.parametrize(("late_ms", "asks"), [(100, False), (900, False), (1_200, True)])
def test_a_gate_long_after_its_lane_let_go_of_a_ball_may_be_a_finger(
    late_ms: int, asks: bool
) -> None:
    """The ball was taken out again, and a finger came to the gate; no ball is so long on its way
    there. Where other sensors saw it, it rolled all the same."""
    desk = Desk(COLUMN)
    desk.level("load:B1-1", True)
    desk.wait(3_000)
    desk.level("load:B1-1", False)
    desk.wait(late_ms)
    desk.pulse("gate:B1-1")
    desk.settle()
    assert bool(desk.table.asking) == asks
    if asks:
        desk.decide("reading 2")
    assert desk.position.rolls == (0 if asks else 1)
    desk.level("load:B1-1", True)
    desk.wait(3_000)
    desk.level("load:B1-1", False)
    desk.wait(late_ms)
    desk.pulse("gate:B1-1", *DOWN[:3])
    desk.settle()
    assert desk.table.asking is None


def test_a_roll_that_was_seen_is_never_doubted_as_such() -> None:
    desk = Desk(COLUMN)
    desk.level("load:B1-1", True)
    desk.now += 700
    desk.level("load:B1-1", False)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.settle()
    assert desk.table.asking is None
    assert desk.position.rolls == 1


# ---------------------------------------------------------------- what goes on, and what does not


@pytest.mark.parametrize(("pause_ms", "wins"), [(2_000, True), (13_000, False)])
def test_a_ball_that_goes_on_may_knock_another_one_on_which_wins(pause_ms: int, wins: bool) -> None:
    """After 13 s it was a hand."""
    desk = Desk(COLUMN)
    desk.rule("ball 1 B3-B4")
    desk.level("edge:B3-B4", True)
    desk.wait(100)
    desk.pulse("load:B1-1", "gate:B1-1", *DOWN[:2])
    desk.wait(pause_ms)
    assert desk.position.phase == "idle"
    desk.level("edge:B3-B4", False)
    desk.wait(100)
    desk.pulse(*DOWN[3:])
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner == (0 if wins else None)


def test_a_roll_goes_on_though_the_tile_that_it_came_to_is_gone() -> None:
    """Three balls lay in B1 and cleared it, until one of them goes on."""
    desk = Desk(COLUMN)
    desk.rule("ball 1 B1")
    desk.rule("ball 2 B1")
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.settle()
    assert desk.position.phase == "idle"
    assert "B1" not in desk.position.tiles
    desk.pulse(*DOWN)
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner == 0
    assert "B1" in desk.position.tiles


def test_one_sign_by_which_a_ball_may_be_the_third_on_a_tile_is_asked_of() -> None:
    """Ball 4 stopped behind ball 3 in B2, and may have come to the two in B3 since; also where the
    next ball is laid before anybody answers."""
    walls = {"B4": Placed("J", 1), "C2": Placed("J", 0)}  # towards B3 and B2
    desk = Desk(dict.fromkeys(("B1", "B2", "B3"), OPEN) | walls)
    for ball, place in enumerate(("B3-B4", "B3", "B2-C2"), 1):
        if "-" in place:
            desk.level(f"edge:{place}", True)
        desk.rule(f"ball {ball} {place}")
    desk.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2")
    desk.settle()
    assert desk.position.places()[-1] == (4, "B2")
    desk.pulse("edge:B2-B3")
    desk.settle()
    desk.level("load:B1-2", True)
    desk.settle()
    assert desk.table.asking
    assert desk.table.asking.message.key == "table.which"
    desk.decide("reading 1")
    assert desk.position.places()[2:] == ((3, "B2-C2"), (4, "B2"))


def test_a_ball_that_its_gate_missed_and_that_took_its_time_moves_none_unasked() -> None:
    """It was taken to be out of the lane again, until it pushes ball 1 off its wall."""
    tiles = {"B1": Placed("X", 5), "B2": OPEN, "B3": Placed("J", 1), "C2": OPEN}
    desk = Desk(tiles)
    desk.level("edge:B2-B3", True)
    desk.rule("ball 1 B2-B3")
    desk.level("load:B1-1", True)
    desk.now += 700
    desk.level("load:B1-1", False)
    desk.wait(3_000)
    assert desk.position.phase == "idle"
    assert desk.choices == []
    desk.pulse("edge:B1-B2")
    desk.level("edge:B2-B3", False)
    desk.wait(200)
    desk.pulse("edge:B2-C2")
    desk.settle()
    assert desk.table.asking
    assert desk.table.asking.message.key == "table.which"


def test_one_sign_and_a_missed_one_may_have_brought_a_third_ball() -> None:
    """That a ball goes on is weighed as less likely than it is: so people are asked the sooner."""
    known = {"B1": ("S", 1), "B2": ("X", 2), "B3": ("DIC", 3), "B4": ("Peace", 4)}
    desk = Desk({slot: Placed(*lies) for slot, lies in known.items()})
    desk.level("edge:B3-B4", True)
    desk.rule("ball 1 B3-B4")
    desk.rule("ball 2 B3")
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.settle()
    assert desk.position.places()[-1] == (3, "B1")
    desk.pulse("edge:B1-B2")
    desk.settle()
    assert desk.table.asking
    assert desk.table.asking.message.key == "table.which"


@pytest.mark.parametrize("then", ["load:B1-2", "seat:A1"])
def test_what_begins_right_after_a_roll_went_on_leaves_it_what_it_came_to(then: str) -> None:
    desk = Desk(COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.wait(5_000)
    desk.pulse(*DOWN)
    desk.level("floor:ZB", True)
    desk.now += 900
    desk.level(then, True)
    desk.settle()
    assert desk.position.winner == 0


@pytest.mark.parametrize("lane", ["B1-1", "B1-2", "D1-1"])
def test_a_loading_place_that_speaks_for_no_ball_hides_none_that_goes_on(lane: str) -> None:
    """Evening 150900032 of the second world: the five signs of the slow ball were told as of
    another one, an accident."""
    desk = Desk(COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.wait(2_000)
    assert desk.position.places() == ((1, "B1"),)
    desk.pulse(f"load:{lane}")
    desk.wait(300)
    desk.pulse(*DOWN)
    desk.level("floor:ZB", True)
    desk.settle()
    assert [why.key for why in desk.corrected] == ["table.reopened"]
    assert desk.position.places() == ((1, "zone:ZB"),)
    assert desk.position.winner == 0


def test_a_loading_place_that_speaks_as_the_roll_is_closed_hides_no_ball_that_goes_on() -> None:
    """It speaks 18 ms before all is taken to be still, and lets go 12 ms after."""
    desk = Desk(COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.wait(1_290)
    desk.level("load:D1-1", True)
    desk.now += 30
    assert desk.position.phase == "rolling"
    desk.level("load:D1-1", False)
    desk.wait(300)
    assert desk.position.phase == "idle"
    desk.pulse(*DOWN)
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.places() == ((1, "zone:ZB"),)
    assert desk.position.winner == 0


def test_a_ball_that_flies_past_its_loading_place_is_known_by_its_gate() -> None:
    desk = Desk((*COLUMN, "D1"))
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.wait(2_000)
    desk.pulse("load:D1-1", "gate:D1-1")
    desk.settle()
    assert desk.corrected == []
    assert desk.position.places() == ((1, "B1"), (2, "D1"))


@pytest.mark.parametrize("slot", ["A1", "C3"])
@pytest.mark.parametrize("put_back", [True, False])
def test_a_ball_goes_on_though_a_hand_lifts_or_lays_another_tile(slot: str, put_back: bool) -> None:
    """A1 lies and is lifted; C3 is open, and a tile comes into it that nobody has named yet."""
    desk = Desk((*COLUMN, "A1"))
    desk.pulse("load:B1-1", "gate:B1-1", DOWN[0])
    desk.wait(2_000)
    assert desk.position.places() == ((1, "B2"),)
    lies = slot in desk.position.tiles
    desk.level(f"seat:{slot}", not lies)
    if put_back:
        desk.wait(500)
        desk.level(f"seat:{slot}", lies)
    desk.wait(500)
    desk.pulse(*DOWN[1:])
    desk.level("floor:ZB", True)
    desk.settle()
    assert [why.key for why in desk.corrected] == ["table.reopened"]
    assert desk.position.winner == 0


@pytest.mark.parametrize("last", ["A1", ""])
def test_a_ball_goes_on_though_another_lies_at_a_wall_with_nothing_behind_it(last: str) -> None:
    """Ball 1 leans there in A1, and A2 is open: the tile that holds it lies there."""
    desk = Desk((*COLUMN, "A1"))
    desk.level("edge:A1-A2", True)
    desk.rule("ball 1 A1" if last else "ball 1 A1-A2")
    if last:
        desk.rule("ball 1 A1-A2")
    assert [(ball.place, ball.last) for ball in desk.position.balls] == [("A1-A2", last)]
    desk.pulse("load:B1-1", "gate:B1-1", DOWN[0])
    desk.wait(5_000)
    assert desk.position.places() == ((1, "A1-A2"), (2, "B2"))
    desk.pulse(*DOWN[1:])
    desk.level("floor:ZB", True)
    desk.settle()
    assert [why.key for why in desk.corrected] == ["table.reopened"]
    assert desk.position.winner == 0


@pytest.mark.parametrize(("rests_ms", "wins"), [(3_000, True), (8_000, False)])
def test_a_ball_that_comes_loose_from_a_rib_may_take_its_time(rests_ms: int, wins: bool) -> None:
    """It is waited for before it is said that somebody took it away."""
    desk = Desk(COLUMN)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.level(DOWN[0], True)
    desk.wait(2_000)
    assert desk.position.places() == ((1, "B1-B2"),)
    desk.level(DOWN[0], False)
    desk.wait(rests_ms)
    assert desk.position.places() == (((1, "B1-B2"),) if wins else ())
    desk.pulse(*DOWN[1:])
    desk.level("floor:ZB", True)
    desk.settle()
    assert desk.position.winner == (0 if wins else None)


def test_balls_that_push_each_other_on_make_no_bad_sensor() -> None:
    """Ball 3 pushes ball 1 out of B3, which leaves over E3, and both others follow it to C3: a
    third touch, if none came back. The quick tracker takes B3-C3 for bad."""
    known = {"B1": ("Peace", 0), "B2": ("DIC", 3), "B3": ("DC", 0), "C3": ("J", 5)}
    known |= {"D3": ("S", 0), "E3": ("Asterisk", 0), "C2": ("DC", 4), "D2": ("S", 4)}
    desk = Desk({slot: Placed(*lies) for slot, lies in known.items()})
    desk.rule("ball 1 B3")
    desk.rule("ball 2 B3")
    desk.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-C3", "edge:C3-D3")
    desk.pulse("edge:B3-C3", "edge:B3-C3", "edge:D3-E3", "exit:E3-3", every=120)
    desk.settle()
    assert not [key for key in desk.keys if key.startswith("sensor.")]
    readings = [dict(read.message.values).get("lost") for read in desk.balls.ending.weighed]
    assert readings[0] == "C3, E3"
    assert "E3" in readings


TRACK = {"B1": OPEN, "B2": Placed("Peace", 0), "B3": OPEN}
"""Down from B1-1; B4 is open, a ball falls there. Only the tile in B2 may be a slow one."""


def rolled(desk: Desk, seat: int, slot: str, inside_ms: int) -> None:
    """A turn whose ball is in B2 for so long, and falls in B4."""
    desk.level(f"seat:{slot}", True)
    desk.declare(f"play Asterisk {slot} 0", seat)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.pulse(DOWN[0], every=inside_ms)
    desk.wait(0)
    desk.pulse(DOWN[1], "edge:B3-B4", "fall:B4")
    desk.settle()


def test_a_tile_that_was_slow_twice_is_waited_for_and_a_quick_one_is_not() -> None:
    desk = Desk(TRACK)
    rolled(desk, 0, "A1", 4_000)
    rolled(desk, 1, "A2", 3_000)
    assert [why.key for why in desk.corrected] == ["table.reopened"] * 2, "not known yet"
    desk.effects.clear()
    rolled(desk, 0, "A3", 5_000)
    assert desk.corrected == [], "twice 3 s are waited for"
    desk.level("seat:A4", True)
    desk.declare("play Asterisk A4 0", 1)
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.settle()
    assert desk.position.active == 0, "B1 is quick: that roll is over"


def test_a_slow_tile_is_waited_for_no_longer_than_it_takes() -> None:
    desk = Desk(TRACK)
    desk.feed(Witnessed(0, (), (), (("Peace 1", (4_000, 3_000)),)))
    desk.pulse("load:B1-1", "gate:B1-1", DOWN[0])
    desk.wait(5_700)
    assert desk.position.phase == "rolling"
    desk.wait(400)
    assert (desk.position.phase, desk.position.places()) == ("idle", ((1, "B2"),))


def test_a_ball_that_is_felt_at_a_wall_is_waited_for_by_nobody() -> None:
    desk = Desk({**TRACK, "B3": Placed("J", 2)})  # a wall towards B2
    desk.feed(Witnessed(0, (), (), (("Peace 1", (4_000, 3_000)),)))
    desk.pulse("load:B1-1", "gate:B1-1", DOWN[0])
    desk.level(DOWN[1], True)
    desk.settle()
    assert (desk.position.phase, desk.position.places()) == ("idle", ((1, "B2-B3"),))


def test_what_a_tile_file_says_of_its_time_is_waited_for_from_the_first_roll_on() -> None:
    bowl = Described(
        *("hexboard/tile-2", "Bowl", "Bowl", "own", "test", ((1, 2, 3, 4, 5, 6),), (1, 4)),
        takes_ms=6_000,
    )
    desk = Desk(begin=start(tiles=written([bowl])))
    position = desk.position
    for slot, tile in {**TRACK, "B2": Placed("Bowl", 0)}.items():
        position = position.with_tile(slot, tile)
    desk.rule(f"position {position}")
    rolled(desk, 0, "A1", 5_500)
    assert desk.corrected == []
    assert desk.keys.count("table.unfelt") == 0


@pytest.mark.parametrize(("dark_ms", "asks"), [(15, False), (400, True), (5_000, True)])
def test_a_beam_that_is_dark_for_long_may_be_a_finger_and_no_ball(dark_ms: int, asks: bool) -> None:
    """Ball 3 fell past B2, or is the third in B1: no ball falls so slowly. After 5 s the beam is
    still dark when all is still."""
    desk = Desk({"B1": Placed("Peace", 0)})
    desk.rule("ball 1 B1")
    desk.rule("ball 2 B1")
    desk.pulse("load:B1-1", "gate:B1-1")
    desk.level("fall:B2", True)
    desk.wait(dark_ms)
    desk.level("fall:B2", False)
    desk.settle()
    assert bool(desk.table.asking) == asks
