"""The rulings on rolls and what moves, each in both readings: K10, K11, K13 to K15, K17, K18, K21,
K25, K32, K35 and K37, by the rules and at the table. Expected values are worked out by hand."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from hexboard.games.hextraction import Hextraction, parse
from hexboard.games.hextraction.rules import actions
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.tiles.catalogue import everything, written
from hexboard.games.hextraction.tiles.tile import Hole, Spot
from hexboard.games.hextraction.tracking.hypothesis import Counting
from hexboard.games.hextraction.tracking.outcome import RollOutcome
from tests.desk import OPEN, Desk, start
from tests.games.test_hextraction import played, told
from tests.games.test_hextraction_effects import (
    ALOUD,
    ASHES,
    BOOM,
    GIFT,
    effect,
    firing,
    names,
    op,
    refused,
    table,
    tile,
)
from tests.perception.test_readings import NORTH_SHUT, Roll, open_tiles

LIFT = tile("Lift", effect("trigger", op("move_ball", balls="this", where="highest_open")))
SELF = tile("Self", effect("trigger", op("destroy", tiles="self")))
LAY = tile("Lay", effect("on_play", op("place_ball", where="self")))


def agreed(placed: str, *own: object, **rulings: str) -> Hextraction:
    """A position of a match with these rulings."""
    position: Hextraction = table(placed, *own, with_=rulings)  # type: ignore[arg-type]
    return position


def desk(tiles: dict[str, Placed], *own: object, **rulings: str) -> Desk:
    """A table of a match with these rulings."""
    return Desk(tiles, begin=start(tiles=written(own), **rulings))  # type: ignore[arg-type]


# --------------------------------------------------------------------------- lanes and who rolls


def test_k10_the_retry_of_a_stuck_ball_is_free() -> None:
    stuck = played(replace(agreed("B1"), plays=1), "roll B1-1", "rest 1 B1-1", "settle")
    assert (stuck.rolls, set(stuck.tiles)) == (1, {"B1"})
    assert refused(stuck, "end") == "2.3.2"
    again = played(stuck, "roll B1-2", "fell 2 B1", "settle")
    assert refused(again, "roll D1-1") == "2.0.2"


KNOCKED = ("touch 1 C4", "touch 1 C3", "touch 1 C3", "rest 1 C3")


@pytest.mark.parametrize("settled", [(), ("settle",)])
def test_another_ball_after_one_that_is_stuck_is_still_the_same_roll_2_1_3_1(
    settled: tuple[str, ...],
) -> None:
    """By way of another lane to the same slot, in which no ball lies; touches go on (K10)."""
    before = agreed("B1 C3").with_ball(1, "C3")
    stuck = played(before, "roll B1-1", *KNOCKED, "rest 2 B1-1", *settled)
    assert stuck.touches == {"C3": 2}
    assert {n for n in names(stuck) if n.startswith("roll")} == {"roll B1-6", "roll B1-2"}
    assert refused(stuck, "roll D1-1") == "2.3.2"
    assert "stuck" in {m.meaning.value for m in stuck.scene() if m.place == "B1/1"}
    options = {"seats": 2}
    assert parse(str(stuck), options=options) == stuck
    again = played(stuck, "roll B1-6", "touch 3 B1", "touch 3 C3", "goal 3 ZB", "settle")
    assert (again.winner, again.rolls) == (0, 1)
    assert ("settled", "2.1.4") not in told(again)


def test_a_ball_that_comes_out_of_its_lane_after_all_rolls_on_2_1_3_1() -> None:
    stuck = played(agreed("B1"), "roll B1-1", "rest 1 B1-1", "settle")
    after = played(stuck, "touch 1 B1", "fell 1 B1", "settle")
    assert (after.phase, after.rolls, after.retry) == ("idle", 1, "")


def test_after_the_loop_is_broken_no_ball_follows_one_that_is_stuck_t_break_loop_2() -> None:
    """Then that is not possible, and the tile below goes (2.1.3.2)."""
    before = agreed("B1 C3").with_ball(1, "C3")
    rolled = ("touch 1 C4", *["touch 1 C3"] * 3, "break", "rest 1 C4", "rest 2 B1-1")
    assert played(before, "roll B1-1", *rolled).tiles == {}


def test_a_vote_that_voids_the_roll_ends_what_is_owed_for_a_ball_in_its_lane_0_5_8() -> None:
    stuck = played(replace(agreed("B1 C3"), plays=1), "roll B1-1", "rest 1 B1-1", "settle")
    after = played(stuck, "vote destroy C3 1", "nay 1", "nay 0")
    assert (after.phase, after.rolls, after.retry) == ("idle", 0, "")


def test_k10_the_retry_counts_and_with_no_roll_left_the_tile_below_goes() -> None:
    stuck = played(agreed("B1", retries="count"), "roll B1-1", "rest 1 B1-1", "settle")
    assert (stuck.rolls, set(stuck.tiles)) == (1, set())
    assert ("blocked", "2.1.3.2") in told(stuck)


def test_k10_a_retry_that_counts_takes_one_of_two_rolls() -> None:
    before = replace(agreed("B1", retries="count"), granted={(0, "roll"): 1})
    stuck = played(before, "roll B1-1", "rest 1 B1-1", "settle")
    assert (stuck.rolls, set(stuck.tiles)) == (1, {"B1"})
    assert ("stuck", "2.1.3.1") in told(stuck)
    again = played(stuck, "roll B1-2", "rest 2 B1-2", "settle")
    assert (again.rolls, set(again.tiles)) == (2, set())


def test_k10_over_an_open_slot_a_roll_that_counts_is_done() -> None:
    stuck = played(agreed("D1", retries="count"), "roll B1-1", "rest 1 B1-1", "settle")
    assert (stuck.rolls, set(stuck.tiles)) == (1, {"D1"})


@pytest.mark.parametrize(("whose", "winner"), [("who rolls", 1), ("whose turn", 0)])
def test_k11_a_roll_that_an_effect_has_another_seat_make(whose: str, winner: int) -> None:
    asked = firing(agreed("C3:Gift", GIFT, roller=whose), "C3")
    assert asked.awaited == 1  # the other one rolls in any case
    assert played(asked, "roll D1-1", "goal 2 ZD", "settle").winner == winner


# ------------------------------------------------------------------------- touches and the loop


@pytest.mark.parametrize(("whose", "left"), [("of all balls", set()), ("of one ball", {"B2"})])
def test_k13_two_touches_by_one_ball_and_one_by_another(whose: str, left: set[str]) -> None:
    before = agreed("B2", touches=whose).with_ball(5, "B3")
    rolling = played(before, "roll B1-1", "touch 6 B2", "touch 5 B2", "touch 6 B2")
    assert rolling.looped == {"B2"} - left
    assert parse(str(rolling), options={"touches": whose}) == rolling
    assert played(rolling, "fell 6 B3", "fell 5 B3", "settle").tiles.keys() == left


@pytest.mark.parametrize("whose", ["of all balls", "of one ball"])
def test_k13_three_touches_by_one_ball_break_the_loop_in_either_reading(whose: str) -> None:
    touched = ("touch 1 B2", "touch 1 B2", "touch 1 B2")
    rolling = played(agreed("B2", touches=whose), "roll B1-1", *touched)
    assert ("loop_offer", "2.1.4.3") in told(rolling)
    assert played(rolling, "fell 1 B3", "settle").tiles.keys() == set()


def test_k13_touches_of_one_ball_are_counted_anew_in_the_next_roll() -> None:
    before = agreed("B2", touches="of one ball").with_ball(5, "B3")
    once = played(before, "roll B1-1", "touch 5 B2", "touch 5 B2", "rest 5 B2", "gone 6", "settle")
    after = replace(once, rolls=0)
    assert played(after, "roll B1-1", "touch 5 B2").looped == set()


@pytest.mark.parametrize(("way", "place"), [("stop", "C3"), ("go on", "A1")])
def test_k14_a_ball_is_laid_elsewhere_after_the_loop_was_broken_or_not(
    way: str, place: str
) -> None:
    before = agreed("C3:Lift B2 B1 C1 D1", LIFT, teleports=way)
    moves = ("roll B1-1", "touch 1 B2", "touch 1 B2", "touch 1 B2", "touch 1 C3", "fire 1 C3 a")
    after = played(before, *moves, "break", "rest 1 C3", "settle")
    while names(after) & {"choose A1"}:  # A1, C1 and E1 are the highest but for B1 and D1
        after = played(after, "choose A1")
    assert after.place_of(1) == place


# ----------------------------------------------------------------------------------- holes


@pytest.mark.parametrize(
    ("says", "agreed_on", "stays"),
    [("", "slot", True), ("", "side", False), ("fell", "side", True), ("off", "slot", False)],
)
def test_k15_a_hole_counts_as_its_tile_says_else_as_agreed(
    says: str, agreed_on: str, stays: bool
) -> None:
    before = agreed("C3:Pit", tile("Pit", holes=(Hole("a", says),)), holes=agreed_on)
    after = played(before, "roll B1-1", "touch 1 C3", "fell 1 C3", "settle")
    assert ("C3" in after.tiles) == stays


@pytest.mark.parametrize(("holes", "stays"), [("slot", True), ("side", False)])
def test_k15_the_table_sees_what_a_fall_comes_to(holes: str, stays: bool) -> None:
    pit = tile("Pit", holes=(Hole("a"),), triggers=())
    it = desk({"B1": Placed("Pit", 0)}, pit, holes=holes)
    it.pulse("load:B1-1", "gate:B1-1", "fall:B1")
    it.settle()
    assert it.table.asking is None
    assert ("B1" in it.position.tiles) == stays


# ----------------------------------------------------------------------------------- three balls


def three(places: str, tiles: str, **rulings: str) -> Hextraction:
    """After a roll that ended with these balls at rest."""
    position = replace(agreed(tiles, **rulings), plays=1)
    for number, place in enumerate(places.split(), 5):
        position = position.with_ball(number, place)
    return played(position, "roll B1-1", f"fell {position.next_ball} B1", "settle")


def test_k17_one_of_the_tiles_that_three_balls_touch_goes() -> None:
    asked = three("C3 C3 C3-C4", "C3 C4 D4")
    assert names(asked) == {"choose C3", "choose C4"}
    assert played(asked, "choose C3").tiles.keys() == {"C4", "D4"}


def test_k17_all_tiles_that_three_balls_touch_go_unasked() -> None:
    after = three("C3 C3 C3-C4", "C3 C4 D4", three_balls="all")
    assert (after.phase, set(after.tiles)) == ("idle", {"D4"})


def test_k17_the_balls_beside_a_crowd_decide_what_goes_so_their_places_are_judged() -> None:
    one = RollOutcome(False, (), ("C3", "C3", "C3-C4", "E1"))
    other = RollOutcome(False, (), ("C3", "C3", "C2-C3", "E1"))
    elsewhere = RollOutcome(False, (), ("C3", "C3", "C3-C4", "E2"))
    assert one.outcome != other.outcome
    assert one.outcome == elsewhere.outcome


TWO_CROWDS = ("C3 C3 C3-C4 C4 C4", "C3 C4")
"""Three balls on each of two tiles; one of the balls is on both."""


@pytest.mark.parametrize(("first", "goes", "left"), [("C3", "C4", "C3"), ("C4", "C3", "C4")])
def test_the_roller_chooses_which_of_two_crowded_tiles_comes_first_2_1_5_5(
    first: str, goes: str, left: str
) -> None:
    """So that either can be saved: where the other goes, two balls are left on it at most."""
    asked = three(*TWO_CROWDS)
    assert (asked.awaited, names(asked)) == (0, {"choose C3", "choose C4"})
    dealt = played(parse(str(asked), options={"seats": 2}), f"choose {first}")
    assert (dealt.crowd, names(dealt)) == (first, {"choose C3", "choose C4"})
    after = played(dealt, f"choose {goes}")
    assert (after.phase, set(after.tiles)) == ("idle", {left})


@pytest.mark.parametrize(("when", "left"), [("anew", {"C3"}), ("at once", set())])
def test_k38_a_crowded_tile_that_goes_for_another_one(when: str, left: set[str]) -> None:
    after = played(three(*TWO_CROWDS, several_crowds=when), "choose C3", "choose C4")
    assert (after.phase, set(after.tiles)) == ("idle", left)


def test_k38_three_tiles_with_three_balls_at_once_cost_three_tiles() -> None:
    before = three("C3 C3 C3-C4 C4 C4 E2 E2 E2", "C3 C4 E2", several_crowds="at once")
    assert names(before) == {"choose C3", "choose C4", "choose E2"}
    asked = played(before, "choose E2")
    assert names(asked) == {"choose C3", "choose C4"}
    assert played(asked, "choose C3", "choose C4").tiles == {}


@pytest.mark.parametrize(("when", "stays"), [("after a roll", True), ("always", False)])
def test_k35_three_balls_on_a_tile_after_a_play(when: str, stays: bool) -> None:
    position = agreed("C3", crowds=when)
    for number in (1, 2, 3):
        position = position.with_ball(number, "C3")
    after = played(position, "play J C4 0")
    assert ("C3" in after.tiles, after.phase) == (stays, "idle")


# ----------------------------------------------------------------------- balls on tiles that go


def looped(way: str) -> Hextraction:
    """A ball rests on a tile that it touched three times, and the roll ends."""
    touched = ("touch 1 B2", "touch 1 B2", "touch 1 B2")
    return played(agreed("B2", freed_balls=way), "roll B1-1", *touched, "rest 1 B2", "settle")


def test_k18_balls_that_a_tile_frees_when_the_roll_ends_lie_where_they_lie() -> None:
    over = looped("lie")
    assert (over.phase, over.rolls) == ("idle", 1)
    assert played(over, "goal 1 ZB").winner is None


def test_k18_balls_that_a_tile_frees_when_the_roll_ends_roll_on() -> None:
    freed = looped("roll on")
    assert (freed.phase, set(freed.tiles), freed.freed) == ("rolling", set(), (1,))
    assert told(freed)[-1] == ("freed", "2.1.4.1")
    assert parse(str(freed), options={"freed_balls": "roll on"}) == freed
    assert played(freed, "goal 1 ZB", "settle").winner == 0
    still = played(freed, "rest 1 B2", "settle")
    assert (still.phase, still.rolls) == ("idle", 1)


@pytest.mark.parametrize("way", ["lie", "roll on"])
def test_k18_a_ball_that_an_effect_frees_in_the_roll_rolls_on_in_either_reading(way: str) -> None:
    before = agreed("B2:Self", SELF, freed_balls=way)
    freed = played(before, "roll B1-1", "touch 1 B2", "fire 1 B2 a", "rest 1 B2", "settle")
    assert (freed.phase, set(freed.tiles)) == ("rolling", set())
    assert played(freed, "goal 1 ZB", "settle").winner == 0


def test_k18_a_roll_that_freed_nothing_is_over() -> None:
    before = agreed("B2:Boom B3", BOOM, freed_balls="roll on")
    over = played(before, "roll B1-1", "touch 1 B2", "fire 1 B2 a", "rest 1 B2", "settle")
    assert (over.phase, set(over.tiles)) == ("idle", {"B2"})


def waiting(seats: bool) -> Desk:
    """A ball has destroyed the tile that it lies in, which is still to be taken out."""
    it = desk({"B1": Placed("Self", 0), "D1": OPEN}, SELF)
    if seats:
        it.level("seat:B1", True)
        it.level("seat:D1", True)
    it.pulse("load:B1-1", "gate:B1-1")
    it.settle()
    texts = [dict(c.message.values).get("fired") for c in it.table.asking.choices]  # type: ignore
    it.decide(f"reading {1 + texts.index('B1 a')}")  # whether it reached the area is not sensed
    assert (it.position.phase, it.todo) == ("rolling", ["B1"])
    return it


def test_k18_the_table_waits_until_the_tile_is_out_and_follows_the_ball() -> None:
    it = waiting(seats=True)
    it.pulse("load:D1-1", "gate:D1-1", "edge:D1-D2", "fall:D2")
    it.settle()
    assert it.position.phase == "rolling"
    assert it.position.touches == {"B1": 1, "D1": 1}
    it.level("seat:B1", False)
    it.wait(300)
    it.pulse("fall:B1")
    it.settle()
    assert (it.position.phase, it.position.balls) == ("idle", ())


def test_k18_a_ball_that_came_out_with_the_tile_does_not_lie_in_the_open_slot() -> None:
    it = waiting(seats=True)
    it.level("seat:B1", False)
    it.wait(300)
    it.settle()
    assert (it.position.phase, it.position.balls) == ("idle", ())


def test_k18_on_a_board_without_seat_switches_people_say_that_the_tile_is_out() -> None:
    it = waiting(seats=False)
    it.rule("right")
    it.pulse("fall:B1")
    it.settle()
    assert (it.position.phase, it.position.balls) == ("idle", ())


# ------------------------------------------------------------------------------------ triggers


@pytest.mark.parametrize(("way", "waiting"), [("each time", 2), ("once a roll", 1)])
def test_k21_a_ball_that_comes_into_an_area_twice(way: str, waiting: int) -> None:
    before = agreed("C3:Aloud", ALOUD, triggers=way)
    rolling = played(before, "roll B1-1", "touch 1 C3", "fire 1 C3 a", "fire 1 C3 a")
    assert len(rolling.waiting) == waiting
    again = parse(str(rolling), options={"triggers": way, "tiles": written([ALOUD])})
    assert again == rolling


def test_k21_once_a_roll_is_once_in_each_roll() -> None:
    first = firing(agreed("C3:Aloud", ALOUD, triggers="once a roll"), "C3")
    second = replace(played(first, "choose done"), rolls=0)
    fired = played(second, "roll B1-1", "touch 1 C3", "fire 1 C3 a")
    assert len(fired.waiting) == 1


@pytest.mark.parametrize(("way", "times"), [("each time", 2), ("once a roll", 1)])
def test_k21_the_table_counts_as_often_as_agreed(way: str, times: int) -> None:
    toll = replace(ALOUD, triggers=(Spot("a", (1, 4)),))
    it = desk({"B1": OPEN, "B2": Placed("Aloud", 0), "B3": OPEN}, toll, triggers=way)
    it.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B2-B3", "edge:B1-B2")
    it.pulse("edge:A1-B1", "fall:A1")
    it.settle()
    assert it.keys.count("hextraction.fires") == times


def test_k21_what_has_happened_in_a_roll_is_nothing_for_the_dealer() -> None:
    toll = replace(ALOUD, triggers=(Spot("a", (1, 4)),))
    it = desk({"B1": OPEN, "B2": Placed("Aloud", 0), "B3": OPEN}, toll, triggers="once a roll")
    it.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3")
    it.wait(100)
    assert "hextraction.fires" in it.keys
    assert not it.table.view().chance


@pytest.mark.parametrize(("way", "fired"), [("each time", 2), ("once a roll", 1)])
def test_k21_an_area_that_a_ball_comes_back_into_and_stops_in(way: str, fired: int) -> None:
    toll = replace(ALOUD, triggers=(Spot("a", (1, 4)),))
    it = desk({"B1": OPEN, "B2": Placed("Aloud", 0), "B3": OPEN}, toll, triggers=way)
    it.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B2-B3")
    it.settle()  # it stopped in B2, where by its way up it was at a dead end
    assert it.keys.count("hextraction.fires") == fired


@pytest.mark.parametrize(("way", "asked"), [("each time", True), ("once a roll", False)])
def test_k21_whether_a_second_ball_reached_an_area_is_asked_only_where_it_matters(
    way: str, asked: bool
) -> None:
    toll = replace(ALOUD, triggers=(Spot("a", (1, 4)),))
    it = desk({"B1": OPEN, "B2": Placed("Aloud", 0)}, toll, triggers=way)
    it.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "fall:B3")
    it.pulse("load:B1-2", "gate:B1-2", "edge:B1-B2")  # an accident, and it stopped on its way
    it.settle()
    key = it.table.asking and it.table.asking.message.key
    assert (key == "table.which") == asked


# ---------------------------------------------------------------------- power, and tiles that fall


@pytest.mark.parametrize(("power", "offline"), [("rail", True), ("board", False)])
def test_k25_with_the_rail_off_the_tiles_have_power_or_not(power: str, offline: bool) -> None:
    after = played(agreed("", power=power), "rail off", "play J C3 0")
    assert after.offline == offline


@pytest.mark.parametrize(("when", "stays"), [("in a roll", True), ("always", False)])
def test_k32_a_tile_that_comes_out_between_rolls(when: str, stays: bool) -> None:
    after = played(agreed("C3:Ashes", ASHES, fallen_tiles=when), "drop C3")
    assert ("C3" in after.tiles, after.phase) == (stays, "idle")
    assert after.hands[0] == (3 if stays else 4)  # On Destroy: the active seat draws


@pytest.mark.parametrize("when", ["in a roll", "always"])
def test_k32_a_tile_that_comes_out_in_a_roll_is_destroyed_in_either_reading(when: str) -> None:
    after = played(agreed("C3", fallen_tiles=when), "roll B1-1", "drop C3", "fell 1 B1", "settle")
    assert set(after.tiles) == set()


def out(when: str) -> Desk:
    """A seat sensor says between rolls that the tile is out."""
    it = desk({"C3": OPEN}, fallen_tiles=when)
    it.level("seat:C3", True)
    it.wait(1000)
    it.level("seat:C3", False)
    it.wait(1000)
    return it


def test_k32_between_rolls_a_tile_that_is_out_is_put_back() -> None:
    it = out("in a roll")
    assert (it.choices, it.todo) == ([], ["C3"])


@pytest.mark.parametrize(
    ("said", "todo", "tiles"), [("drop C3", [], set()), ("lifted C3", ["C3"], {"C3"})]
)
def test_k32_people_say_whether_a_tile_fell_out(
    said: str, todo: list[str], tiles: set[str]
) -> None:
    it = out("always")
    assert it.choices == ["drop C3", "lifted C3"]
    it.decide(said)
    assert (it.todo, set(it.position.tiles)) == (todo, tiles)


def test_k32_the_question_goes_when_the_tile_is_put_back() -> None:
    it = out("always")
    it.level("seat:C3", True)
    it.wait(1000)
    assert (it.choices, it.todo) == ([], [])


# --------------------------------------------------------------------------- what readings count


def judged(counting: Counting, see: Callable[[Roll], object], *high: str) -> RollOutcome:
    roll = Roll({**open_tiles("B1"), "B2": NORTH_SHUT}, counting=counting)
    see(roll)
    return roll.judge(*high)[0].ruling


def knocks(roll: Roll) -> None:
    """Three balls, one after the other, knock at B2 from B1 and leave by way of A1."""
    for lane in ("B1-1", "B1-2", "B1-6"):
        roll.see(f"gate:{lane}", "edge:B1-B2", "edge:A1-B1", "fall:A1")


def test_readings_count_touches_as_agreed_k13_k37() -> None:
    assert judged(Counting(), knocks).lost == ("B1", "B2")
    assert judged(Counting(walls=False), knocks).lost == ("B1",)
    assert judged(Counting(each=True), knocks).lost == ()


@pytest.mark.parametrize(("walls", "touched"), [("touch", {"B3", "C3"}), ("do not touch", {"B3"})])
def test_k37_a_ball_that_leans_on_a_wall_lies_on_the_tile_behind_it_or_not(
    walls: str, touched: set[str]
) -> None:
    before = agreed("B3 C3", walls=walls)
    after = played(before, "roll B1-1", "touch 1 B3", "wall 1 C3", "rest 1 B3-C3")
    assert set(after.contacts(after.balls[0])) == touched


# ------------------------------------------------------------------------- a tile's own ramp

CLONE = everything()["Clone"]
"""A lane from 1 to 4 with a trigger area, and a ramp of its own."""


def test_a_tile_with_a_ramp_may_be_rolled_from_in_a_turn_2_1_1_2() -> None:
    before = agreed("C3:Clone B3", CLONE)
    assert "roll C3" in names(before)
    assert "roll B3" not in names(before)
    rolling = played(before, "roll C3")
    assert rolling.touches == {"C3": 1}  # T.Touch.A
    assert refused(replace(before, rolls=1), "roll C3") == "2.0.2"


def test_a_ball_that_comes_out_of_a_tile_with_a_ramp_was_rolled_there() -> None:
    it = desk({"C3": Placed("Clone", 0), "C4": OPEN}, CLONE)
    it.pulse("edge:C3-C4", "exit:C4-4")
    assert it.position.phase == "rolling"
    it.settle()
    assert it.table.asking is None
    assert it.keys.count("hextraction.rolls_own") == 1
    assert (it.position.rolls, set(it.position.tiles)) == (1, {"C3"})


def test_a_ball_that_lay_there_was_knocked_and_rolled_by_nobody_2_11() -> None:
    it = desk({"C3": Placed("Clone", 0), "C4": OPEN}, CLONE)
    it.rule("ball 1 C3")
    it.pulse("edge:C3-C4", "exit:C4-4")
    it.settle()
    assert (it.position.phase, it.position.rolls) == ("idle", 0)
    assert it.position.balls == ()


def test_a_ball_out_of_a_tile_with_a_ramp_is_no_roll_once_the_roll_is_done() -> None:
    it = desk({"C3": Placed("Clone", 0), "C4": OPEN}, CLONE)
    it.rule(f"position {replace(it.position, rolls=1)}")
    it.pulse("edge:C3-C4", "exit:C4-4")
    it.settle()
    assert it.position.phase == "idle"
    assert set(it.position.tiles) == {"C3", "C4"}


def through_clone() -> Desk:
    """A ball has gone through a Clone, which asks for a roll from its own ramp."""
    it = desk({"B1": Placed("Clone", 0), "D1": OPEN}, CLONE)
    it.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2", "fall:B2")
    it.settle()
    assert it.position.phase == "resolving"
    return it


def test_the_roll_that_a_tile_asks_for_from_its_own_ramp_is_seen() -> None:
    it = through_clone()
    it.pulse("edge:B1-B2", "fall:B2")
    it.settle()
    assert it.table.asking is None
    assert (it.position.phase, it.position.rolls) == ("idle", 1)
    assert it.keys.count("hextraction.rolls_own") == 1


def test_the_same_roll_can_be_declared_beforehand() -> None:
    it = through_clone()
    it.declare("roll B1")
    it.pulse("edge:B1-B2", "fall:B2")
    it.settle()
    assert (it.position.phase, it.position.rolls) == ("idle", 1)
    assert it.keys.count("hextraction.rolls_own") == 1


def test_a_ball_from_another_ramp_than_the_one_asked_for_is_an_accident_2_11() -> None:
    it = through_clone()
    it.pulse("load:D1-1", "gate:D1-1", "fall:D1")
    it.settle()
    assert "hextraction.accident" in it.keys
    assert it.position.phase == "resolving"


def test_touches_of_rolls_from_a_tiles_own_ramp_count_when_all_is_judged() -> None:
    roll = Roll(open_tiles("C3"), ramps=("C3",))
    for _ in range(3):
        roll.hear(actions.Roll("C3"))
        roll.see("edge:C3-C4", "fall:C4")
    assert roll.judge()[0].ruling.lost == ("C3",)


# -------------------------------------------------------------- balls that are laid, and taken away


def laying() -> Desk:
    """A tile was played that has a ball laid onto it."""
    it = desk({"D1": OPEN, "C4": OPEN}, LAY)
    it.level("seat:C3", True)
    it.wait(500)
    it.declare("play Lay C3 0")
    return it


def test_a_ball_that_an_effect_has_laid_outside_a_roll_is_awaited() -> None:
    it = laying()
    assert it.choices == ["laid"]
    it.decide("laid")
    assert it.position.places() == ((1, "C3"),)
    assert it.choices == []


def test_a_ball_that_was_laid_and_rolls_off_outside_a_roll_changes_nothing_2_11() -> None:
    it = laying()
    it.pulse("edge:C3-C4", "exit:C4-4")
    assert it.choices == []  # it is on its way
    it.settle()
    assert it.position.balls == ()
    assert set(it.position.tiles) == {"C3", "C4", "D1"}


def test_a_roll_begins_though_nobody_said_that_the_ball_was_laid() -> None:
    it = laying()
    it.pulse("load:D1-1", "gate:D1-1", "edge:D1-D2", "fall:D2")
    it.settle()
    assert (it.position.phase, it.position.turn) == ("idle", 2)  # played and rolled: it is over
    assert it.position.places() == ((1, "C3"),)


def test_a_ball_taken_away_in_mid_roll_is_said_to_be_only_believed_where_it_was() -> None:
    it = desk({"B1": OPEN, "B2": OPEN})
    it.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2")
    it.settle()  # somebody took it out of B2
    assert it.position.places() == ((1, "B2"),)
    assert (it.balls.believed.unfelt, it.keys[-1]) == ({1}, "table.unfelt")
    it.rule("ball 1 -")
    assert (it.balls.believed.unfelt, it.position.balls) == (set(), ())


def test_a_ball_that_its_sensor_feels_is_not_in_doubt() -> None:
    it = desk({"B1": OPEN, "B2": Placed("J", 2)})  # open at 3 and 5: a wall towards B1
    it.pulse("load:B1-1", "gate:B1-1")
    it.level("edge:B1-B2", True)
    it.settle()
    assert (it.position.places(), it.balls.believed.unfelt) == (((1, "B1-B2"),), set())


def test_where_people_said_that_a_ball_lies_is_not_in_doubt() -> None:
    it = desk({"B1": OPEN, "B2": OPEN})
    it.pulse("load:B1-1", "gate:B1-1", "edge:B1-B2")
    it.settle()
    it.rule("right")
    assert it.balls.believed.unfelt == set()


# ------------------------------------------------------------- a second ball, and one that is laid

SECOND = ("roll D1-1", "accident B1-1", "touch 2 B1")


@pytest.mark.parametrize(("way", "winner"), [("roll", 0), ("lie", None)])
def test_k39_a_second_ball_that_comes_into_an_end_zone(way: str, winner: int | None) -> None:
    rolling = played(agreed("B1 D1", second_balls=way), *SECOND)
    assert rolling.touches == ({"B1": 1} if way == "roll" else {})
    assert parse(str(rolling), options={"second_balls": way}) == rolling
    after = played(rolling, "goal 2 ZB", "fell 1 D1", "settle")
    assert after.winner == winner
    assert ("accident", "2.11.1") in told(rolling) or winner == 0


@pytest.mark.parametrize("way", ["roll", "lie"])
def test_k39_once_the_loop_is_broken_a_second_ball_counts_for_nothing(way: str) -> None:
    looped = played(agreed("B1 C3", second_balls=way), "roll D1-1", *["touch 1 C3"] * 3, "break")
    after = played(looped, "accident B1-1", "touch 2 B1", "off 2 A3 5", "fell 1 C3", "settle")
    assert (after.phase, set(after.tiles), after.balls) == ("idle", {"B1"}, ())
    won = played(looped, "accident B1-1", "touch 2 B1", "goal 2 ZB", "fell 1 C3", "settle")
    assert won.winner is None
    assert won.place_of(2) == "zone:ZB"  # there it lies (2.11.2)


@pytest.mark.parametrize("way", ["roll", "lie"])
def test_k39_a_second_ball_is_rolled_no_more_in_the_next_roll(way: str) -> None:
    rested = played(agreed("B1 D1", second_balls=way), *SECOND, "rest 2 B1", "fell 1 D1", "settle")
    again = replace(rested, rolls=0)
    assert played(again, "roll D1-1", "touch 2 B2", "goal 2 ZB", "settle").winner == 0  # knocked


@pytest.mark.parametrize(("way", "left"), [("do not touch", {"C3", "C4"}), ("touch", {"C4"})])
def test_k41_a_ball_that_an_effect_has_laid_on_a_tile(way: str, left: set[str]) -> None:
    move = tile("Move", effect("trigger", op("move_ball", balls="this", where="name:Asterisk")))
    before = agreed("C4:Move C3", move, laid_balls=way)
    touched = ("touch 1 C3", "touch 1 C3", "touch 1 C4", "fire 1 C4 a", "rest 1 C4", "settle")
    laid = played(before, "roll B1-1", *touched)
    assert laid.place_of(1) == "C3"
    after = played(laid, "rest 1 C3", "settle")
    assert set(after.tiles) == left
