"""Effects of tiles, and the turn around them: hard cases by number, refusals by rule."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hexboard.games import hextraction
from hexboard.games.hextraction import Hextraction, parse, start
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.rules.state import SEATS, Ball
from hexboard.games.hextraction.rules.zones import TileHand, Zones, bag
from hexboard.games.hextraction.tiles.areas import Area
from hexboard.games.hextraction.tiles.catalogue import everything, written
from hexboard.games.hextraction.tiles.effects import OPERATIONS, Operation, TileEffect
from hexboard.games.hextraction.tiles.tile import Described, Hole, Part, Spot
from hexboard.scene import Mark, Meaning
from hexboard.words import say
from hexboard.words.errors import BadText
from tests.games.properties import check_play
from tests.games.test_hextraction import happenings, played, pooled, slots, told


def op(what: str, /, **values: Any) -> Operation:
    return Operation(what, **values)


def effect(cause: str, *do: Operation, **values: Any) -> TileEffect:
    """An effect; a trigger's or hole's area is always "a"."""
    area = "a" if cause in ("trigger", "hole") else ""
    return TileEffect(cause, do, area=area, **values)


def tile(id: str, *effects: TileEffect, **values: Any) -> Described:
    """A tile open at all edges, with a trigger area or hole "a"."""
    edges = (1, 2, 3, 4, 5, 6)
    values.setdefault("triggers", (Spot("a"),))
    return Described(
        "hexboard/tile-2", id, id, "own", "test", (edges,), edges, effects=effects, **values
    )


def table(placed: str, *own: Described, **changes: Any) -> Hextraction:
    """A position with tiles like "C3:Gear", some of them our `own`; options go in as `with_`."""
    options: dict[str, str | int] = {"tiles": written(own), **changes.pop("with_", {})}
    position = start(options=options)
    for item in placed.split():
        slot, _, id = item.partition(":")
        position = position.with_tile(slot, Placed(id or "Asterisk", 0))
    return replace(position, events=(), **changes)


def again(position: Hextraction) -> Hextraction:
    """The same, after it was written and read."""
    options: dict[str, str | int] = {
        "seats": position.setting.seats,
        "tiles": written(t for t in position.setting.tiles.values() if isinstance(t, Described)),
    }
    return parse(str(position), options=options)


def names(position: Hextraction) -> set[str]:
    return {position.name(action) for action in position.legal}


def refused(position: Hextraction, name: str) -> str:
    refusal = position.refusal(position.action(name))
    assert refusal is not None
    assert not say(refusal).startswith(refusal.key)
    return refusal.rule


def firing(position: Hextraction, *fired: str) -> Hextraction:
    """Ball 1 rolls, comes into these slots' areas, falls through the last top slot, and rests."""
    steps = [step for slot in fired for step in (f"touch 1 {slot}", f"fire 1 {slot} a")]
    return played(position, "roll B1-1", *steps, "fell 1 A1", "settle")


BOOM = tile("Boom", effect("trigger", op("destroy", tiles="adjacent")))
PICK = tile("Pick", effect("trigger", op("destroy", tiles="one adjacent")))
CLONE = tile(
    "Clone", effect("trigger", op("roll", who="roller", ramp="self")), ramps=(Spot("own"),)
)
REWIND = tile("Rewind", effect("trigger", op("roll", who="roller", ramp="used")))
GIFT = tile("Gift", effect("trigger", op("roll", who="opponent", ramp="any")))
DEMAND = tile("Demand", effect("trigger", op("play", who="opponent", where="open")))
DOOM = tile("Doom", effect("trigger", op("lose", who="opponent")))
GLORY = tile("Glory", effect("trigger", op("win", who="roller")))
TAX = tile("Tax", effect("trigger", op("discard", who="active", n=1)))
WELCOME = tile("Welcome", effect("on_play", op("draw", who="active", n=1)))
BANNED = tile(
    "Banned",
    effect("on_play", op("win", who="active"), forbidden=True),
    effect("on_play", op("draw", who="active", n=1)),
)
SPARE = tile("Spare", effect("on_play", op("extra", what="roll", who="active")))
LEVER = tile(
    "Lever",
    effect(
        "activated",
        op("draw", who="active", n=1),
        ask="Pull?",
        cost=(op("discard", who="active", n=1),),
        limit_per_turn=1,
    ),
)
DUTY = tile(
    "Duty",
    effect("activated", op("counter", name="n", by=1), ask="Do?", mandatory=True, limit_per_turn=2),
)
ASHES = tile("Ashes", effect("on_destroy", op("draw", who="active", n=1)))
MOURNER = tile("Mourner", effect("on_neighbour_destroyed", op("draw", who="active", n=2)))
ALOUD = tile("Aloud", effect("trigger", op("manual", text="All sing.")))

# ------------------------------------------------------------------ what sets effects off, and when


def test_a_trigger_waits_until_all_balls_rest_2_1_4_2() -> None:
    """T.Trigger, 2.6.1."""
    rolling = played(table("C3:Boom C4", BOOM), "roll B1-1", "touch 1 C3", "fire 1 C3 a")
    assert rolling.phase == "rolling"
    assert "C4" in rolling.tiles
    assert ("fires", "2.6.1") in told(rolling)
    after = played(rolling, "fell 1 A1", "settle")
    assert after.tiles.keys() == {"C3"}
    assert after.phase == "idle"


def test_k21_each_entry_of_a_ball_queues_one_activation() -> None:
    after = played(table("C3:Aloud", ALOUD), "roll B1-1", *["fire 1 C3 a"] * 3, "settle")
    assert [len(after.waiting), names(after)] == [3, {"resolve 1", "resolve 2", "resolve 3"}]


def test_a_ball_that_nobody_rolls_sets_off_nothing_2_11_1() -> None:
    """HC-59, T.Trigger: only a rolling ball."""
    before = table("C3:Boom C4", BOOM).with_ball(1, "C3")
    assert played(before, "fire 1 C3 a") == before


@pytest.mark.parametrize("area", ["b", ""])
def test_an_area_that_the_tile_has_not_got_sets_off_nothing(area: str) -> None:
    rolling = played(table("C3:Boom C4", BOOM), "roll B1-1")
    fire = rolling.action("fire 1 C3 a")
    assert rolling.play(replace(fire, area=area)) == rolling


def test_conditions_are_judged_when_the_effect_is_resolved_2_6_5() -> None:
    bomb = tile(
        "Bomb", effect("trigger", op("destroy", tiles="self"), conditions=("balls_on_self >= 3",))
    )
    two = table("C3:Bomb", bomb).with_ball(8, "C3").with_ball(9, "C3")
    fired = played(two, "roll B1-1", "touch 10 C3", "fire 10 C3 a")
    assert "C3" not in played(fired, "rest 10 C3", "settle").tiles
    left = played(fired, "fell 10 C4", "settle")
    assert "C3" in left.tiles
    assert ("idle_effect", "2.6.5") in told(left)


def test_where_only_people_know_whether_a_condition_holds_they_are_asked() -> None:
    flip = tile(
        "Flip",
        effect("trigger", op("destroy", tiles="self"), conditions=("part arm = up",)),
        parts=(Part("arm", ("up", "down")),),
    )
    asked = firing(table("C3:Flip", flip), "C3")
    assert names(asked) == {"choose yes", "choose no"}
    assert "C3" in played(asked, "choose no").tiles
    assert "C3" not in played(again(asked), "choose yes").tiles
    known = played(table("C3:Flip", flip), "part C3 arm down")
    assert firing(known, "C3").phase == "idle"


def test_on_play_comes_when_the_tile_lies_and_overdrive_only_if_it_was_on_before_hc82() -> None:
    """T.OnPlay, T.Overdrive, 2.2.5."""
    after = played(table("", WELCOME), "play Welcome C3 0", "settle")
    assert (after.hands, after.pool, after.phase) == ((3, 3), 53, "idle")
    late = tile("Late", effect("on_play", op("draw", who="active", n=1), overdrive=True))
    full = " ".join(c.id for c in start().board.cells if c.id != "E4")
    after = played(table(full, late), "play Late E4 0")
    assert after.overdrive
    assert after.hands == (2, 3)


def test_offline_effects_sleep_while_the_tiles_have_power() -> None:
    """T.Offline."""
    night = tile("Night", effect("on_play", op("draw", who="active", n=1), offline=True))
    assert played(table("", night), "play Night C3 0").hands == (2, 3)
    dark = played(table("", night, plays=1), "rail off", "roll B1-1", "fell 1 B1", "settle", "end")
    assert played(dark, "play Night C3 0", "settle").hands == (3, 3)


def test_on_destroy_and_neighbours_are_set_off_and_the_roller_orders_them_2_6_4() -> None:
    """Also once all balls rest (2.1.4.2)."""
    rolling = played(
        table("C3:Ashes C4:Mourner", ASHES, MOURNER), "roll B1-1", *["touch 1 C3"] * 3, "break"
    )
    asked = played(rolling, "fell 1 A1", "settle")
    assert names(asked) == {"resolve 1", "resolve 2"}
    after = played(asked, "resolve 2")
    assert (after.hands, after.pool, after.phase) == ((6, 3), 51, "idle")


def test_ongoing_effects_with_a_condition_are_resolved_when_the_game_stabilises() -> None:
    """T.Ongoing."""
    fuse = tile(
        "Fuse", effect("ongoing", op("destroy", tiles="self"), conditions=("balls_on_self = 0",))
    )
    lit = table("C3:Fuse", fuse).with_ball(1, "C3")
    assert "C3" in played(lit, "roll B1-1", "fell 2 B1", "settle").tiles
    assert "C3" not in played(lit, "roll B1-1", "fell 2 B1", "off 1 A3 5", "settle").tiles


def test_an_ongoing_effect_that_the_referee_cannot_keep_is_said_to_be_peoples() -> None:
    odd = tile("Odd", effect("ongoing", op("manual", text="Nobody speaks.")))
    after = played(table("", odd), "play Odd C3 0")
    assert ("unkept", "T.Ongoing") in told(after)


def test_a_disabled_tile_does_nothing_k27() -> None:
    switch = tile(
        "Switch",
        effect("ongoing", op("disable", tiles="others"), conditions=("part sw = off",)),
        parts=(Part("sw", ("on", "off"), "on"),),
    )
    before = table("A1:Switch C3:Boom C4", switch, BOOM)
    assert "C4" not in firing(before, "C3").tiles
    off = played(before, "part A1 sw off")
    assert "C4" in firing(off, "C3").tiles


@pytest.mark.parametrize(
    ("covers", "way", "free"),
    [("others", "off", True), ("adjacent", "off", False), ("others", "on", False)],
)
def test_what_disables_every_other_tile_lifts_the_limits_of_hands_k27(
    covers: str, way: str, free: bool
) -> None:
    """Contagion's Limit is: not in the top row."""
    switch = tile(
        "Switch",
        effect("ongoing", op("disable", tiles=covers), conditions=("part sw = off",)),
        parts=(Part("sw", ("on", "off"), "on"),),
    )
    before = played(table("B2:Switch", switch, with_={"sets": "Contagion"}), f"part B2 sw {way}")
    play = before.action("play Contagion B1 0")
    assert (before.refusal(play) is None) == free
    voted_down = replace(before, notes={**before.notes, ("B2", "vote", "0"): "no"})
    assert voted_down.refusal(play) is not None


def test_an_effect_that_is_disabled_while_it_waits_does_nothing() -> None:
    switch = tile(
        "Switch",
        effect("ongoing", op("disable", tiles="adjacent"), conditions=("part sw = off",)),
        parts=(Part("sw", ("on", "off"), "on"),),
    )
    before = table("C2:Switch C3:Boom C4", switch, BOOM)
    after = played(before, "roll B1-1", "fire 1 C3 a", "part C2 sw off", "fell 1 A1", "settle")
    assert "C4" in after.tiles
    assert ("idle_effect", "2.6.5") in told(after)


def test_a_neighbour_that_is_destroyed_as_well_has_nothing_to_mourn() -> None:
    before = table("C3:Mourner C4:Mourner", MOURNER)
    after = played(before, "roll B1-1", *["touch 1 C3", "touch 1 C4"] * 3, "break")
    assert after.waiting == ()


def test_on_play_effects_are_ordered_by_who_played_and_the_play_lasts_as_long_2_2_5_1() -> None:
    """2.2.1.2, 2.2.5.2, T.OnPlay: voted off before the last is resolved, the tile is replaced."""
    two = tile("Two", *WELCOME.effects, effect("on_play", op("discard", who="active", n=1)))
    before = table("C4:Lever", two, LEVER)
    asked = played(before, "play Two C3 0", "settle")
    assert names(asked) == {"resolve 1", "resolve 2"}
    assert (refused(asked, "roll B1-1"), refused(asked, "activate C4 0")) == ("2.3.2", "2.3.2")
    gone = played(asked, "vote destroy C3 1", "nay 1", "nay 0")
    assert (gone.plays, gone.hands, gone.waiting) == (0, (3, 3), ())
    first = played(asked, "resolve 2")
    assert [key for key, _ in told(first)][-3:] == ["discards_some", "resolves", "draws"]


def test_a_part_may_be_moved_as_its_tile_is_placed_and_stands_anyhow_until_then_2_2_3() -> None:
    """2.2.3.1: nobody knows how a part without Setup stands."""
    flip = tile("Flip", parts=(Part("arm", ("up", "down")),))
    after = played(table("", flip), "play Flip C3 0")
    assert after.notes == {}
    assert played(after, "part C3 arm down").notes == {("C3", "part", "arm"): "down"}


LID = tile("Lid", effect("ongoing", op("block", ramp="any")))
TOAD = tile("Toad", effect("ongoing", op("block", ramp="here")))


def lanes(position: Hextraction) -> set[str]:
    return {name.removeprefix("roll ") for name in names(position) if name.startswith("roll ")}


@pytest.mark.parametrize(
    ("lie", "left"),
    [
        ("C3:Toad", {"B1-6", "B1-1", "B1-2", "D1-6", "D1-1", "D1-2"}),
        ("B1:Toad", {"D1-6", "D1-1", "D1-2"}),
        ("B1:Toad C3:Lid", {"D1-6", "D1-1", "D1-2"}),  # one effect is ignored, not two
        ("B1:Toad D1:Toad C3:Lid", {"B1-6", "B1-1", "B1-2", "D1-6", "D1-1", "D1-2"}),
    ],
)
def test_where_effects_block_every_lane_the_fewest_are_ignored_2_1_2(
    lie: str, left: set[str]
) -> None:
    before = played(table(lie, LID, TOAD), "play J E4 0")
    assert lanes(before) == left
    shut = {"B1-1", "D1-1"} - left
    assert {refused(before, f"roll {lane}") for lane in shut} <= {"2.1.2"}
    lit = {mark.place for mark in before.scene() if mark.meaning is Meaning.LEGAL}
    assert lit == {lane.replace("-", "/") for lane in left}


def test_an_effect_that_asks_for_a_roll_asks_for_one_from_an_open_lane_2_1_2() -> None:
    before = table("C3:Gift D1:Toad", GIFT, TOAD)
    assert lanes(firing(before, "C3")) == {"B1-6", "B1-1", "B1-2"}


GRAVE = tile("Grave", effect("trigger", op("destroy", tiles="last")))


def test_the_last_tile_that_the_ball_touched_goes() -> None:
    rolled = ("touch 1 C3", "fire 1 C3 a", "touch 1 C4", "fell 1 D4", "settle")
    after = played(table("C3:Grave C4 D3", GRAVE), "roll B1-1", *rolled)
    assert after.tiles.keys() == {"C3", "D3"}


PEEK = tile("Peek", effect("trigger", op("look", who="opponent")))


def test_a_hand_is_looked_at_and_shown_to_nobody_else_1_2_1() -> None:
    asked = firing(table("C3:Peek", PEEK, with_={"seats": 3}), "C3")
    assert (asked.awaited, names(asked)) == (0, {"choose Blue", "choose Green"})
    after = played(asked, "choose Green", "choose done")
    (looks,) = (event for event in after.events if event.key == "hextraction.looks")
    assert dict(looks.values) == {"seat": "Red", "whose": "Green"}


def test_hc62_hc63_a_ball_that_lies_in_an_area_fires_only_when_it_comes_back_t_trigger_2() -> None:
    area = Area("a", (1, 4))
    assert area.reached(1, 4)
    assert area.reached(1, 4, within=True) is False  # it leaned at edge 1: it was in the area
    assert area.reached(2, 4, within=True)  # its way leads through the area now
    assert area.reached(2, 3) is False
    assert Area("a", ()).reached(1, 4) is None


def test_what_is_created_has_its_on_play_after_the_effect_that_created_it_t_create_1() -> None:
    imp = tile("Imp", effect("on_play", op("draw", who="each", n=1)), keywords=("virtual",))
    maker = tile(
        "Maker", effect("trigger", op("create", name="Imp"), op("discard", who="roller", n=1))
    )
    before = table("C3:Maker", maker, imp, with_={"virtual": "Imp"})
    after = played(firing(before, "C3"), "play Imp D3 0", "settle", "choose ?")
    assert [key for key, _ in told(after)][1:] == ["discards_some", "resolves", "draws", "draws"]
    assert (after.phase, after.hands) == ("idle", (3, 4))


# ------------------------------------------------------------------------------- resolving, the end


def test_hc03_breaking_the_loop_purges_what_the_destroyed_tiles_had_waiting() -> None:
    before = table("B2:Aloud C2 D2:Aloud", ALOUD)
    rolling = played(
        before, "roll B1-1", "fire 1 B2 a", "fire 1 D2 a", *["touch 1 B2", "touch 1 C2"] * 3
    )
    after = played(rolling, "break")
    assert after.tiles.keys() == {"D2"}
    assert [p.slot for p in after.waiting] == ["D2"]


def test_hc04_after_the_loop_is_broken_nothing_brings_a_ball_in_t_break_loop_2() -> None:
    teleport = tile("Teleport", effect("trigger", op("move_ball", balls="this", where="self")))
    before = table("B2 C3:Clone D3:Teleport", CLONE, teleport)
    fired = ("fire 1 C3 a", "fire 1 D3 a")
    asked = played(before, "roll B1-1", *fired, *["touch 1 B2"] * 3, "break", "rest 1 D3", "settle")
    after = played(asked, "resolve 1")
    assert after.phase == "idle"
    assert told(after).count(("no_introduce", "T.BreakLoop.2")) == 2
    assert after.places() == ((1, "D3"),)
    win = played(before, "roll B1-1", *fired, *["touch 1 B2"] * 3, "break", "goal 1 ZB", "settle")
    assert played(win, "resolve 2").winner == 0


def test_hc11_a_loop_without_end_is_broken_whatever_the_roller_wants_2_1_4_4() -> None:
    rolling = played(table("B2 C2"), "roll B1-1", *["touch 1 B2"] * 7, "touch 1 C2")
    after = played(rolling, "endless 1")
    assert after.tiles.keys() == {"C2"}
    assert after.broken
    assert ("loop", "2.1.4.4") in told(after)
    assert refused(table(""), "endless 1") == "2.1.4"
    assert refused(rolling, "endless 7") == "2.1.4.4"


def test_hc12_without_a_tile_touched_three_times_an_endless_roll_destroys_nothing() -> None:
    rolling = played(table("B2"), "roll B1-1", "touch 1 B2")
    after = played(rolling, "endless 0")
    assert after.tiles.keys() == {"B2"}
    assert told(after)[-1] == ("endless_none", "2.1.4.4")


def test_hc15_a_vote_in_a_roll_nullifies_every_pending_trigger_0_5_8() -> None:
    before = table("B2:Aloud C2:Aloud B5", ALOUD)
    rolling = played(before, "roll B1-1", "fire 1 B2 a", "fire 1 C2 a", "vote destroy C2 1")
    after = played(rolling, "nay 1", "nay 0", "goal 1 ZB", "settle")
    assert (after.phase, after.winner, after.rolls, after.waiting) == ("idle", None, 0, ())
    assert after.tiles.keys() == {"B2", "B5"}


def test_hc15_also_when_the_balls_rest_and_effects_are_being_resolved() -> None:
    asked = firing(table("B2:Aloud C2:Aloud", ALOUD), "B2", "C2")
    after = played(asked, "vote destroy C2 1", "nay 1", "nay 0")
    assert (after.phase, after.rolls, after.waiting) == ("idle", 0, ())
    assert ("reroll", "0.5.8") in told(after)


def test_hc64_a_trigger_whose_tile_another_one_destroys_ceases_2_4_5() -> None:
    """2.6.4, T.Destroy.2."""
    asked = firing(table("C3:Boom C4:Aloud", BOOM, ALOUD), "C3", "C4")
    after = played(asked, "resolve 1")
    assert after.phase == "idle"
    assert after.tiles.keys() == {"C3"}


@pytest.mark.parametrize(("way", "hand"), [("finish", 2), ("stop", 3)])
def test_hc66_k16_an_effect_that_destroys_its_tile_finishes_or_stops(way: str, hand: int) -> None:
    """2.4.5 taken by the letter would stop it."""
    seek = tile(
        "Seek", effect("trigger", op("destroy", tiles="self"), op("discard", who="roller", n=1))
    )
    after = firing(table("C3:Seek", seek, with_={"self_destruction": way}), "C3")
    assert "C3" not in after.tiles
    assert after.hands == (hand, 3)


def test_hc67_who_is_made_to_roll_wins_with_that_ball_k11() -> None:
    """T.Rolling. T.Rolling, 2.1.5.2."""
    asked = firing(table("C3:Gift", GIFT), "C3")
    assert asked.phase == "resolving"
    assert asked.awaited == 1
    assert {"roll B1-1", "roll D1-6"} <= names(asked)
    rolling = played(again(asked), "roll D1-1")
    assert (rolling.phase, rolling.roller, rolling.active) == ("rolling", 1, 0)
    after = played(rolling, "goal 2 ZD", "settle")
    assert after.winner == 1


@pytest.mark.parametrize(("way", "count"), [("count", 2), ("reset", 1)])
def test_k12_a_nested_roll_goes_on_counting_touches_or_not(way: str, count: int) -> None:
    before = table("C3:Rewind", REWIND, with_={"nested_rolls": way})
    asked = played(before, "roll D1-6", "touch 1 C3", "fire 1 C3 a", "fell 1 A1", "settle")
    assert names(asked) == {"roll D1-6"}  # the lane used in this roll
    assert played(asked, "roll D1-6", "touch 2 C3").touches == {"C3": count}


def test_a_nested_roll_is_none_of_the_turns_own_and_what_it_fires_waits_too() -> None:
    asked = firing(table("C3:Rewind", REWIND), "C3")
    twice = played(asked, "roll B1-1", "fire 1 C3 a", "settle")
    assert names(twice) == {"roll B1-1"}
    after = played(twice, "roll B1-1", "fell 1 B1", "settle")
    assert (after.phase, after.rolls) == ("idle", 1)


def test_a_ball_stuck_in_a_nested_roll_is_rolled_again_k10() -> None:
    asked = firing(table("B1 C3:Rewind", REWIND), "C3")
    stuck = played(asked, "roll B1-1", "rest 1 B1-1", "settle")
    assert ("stuck", "2.1.3.1") in told(stuck)
    assert names(stuck) == {"roll B1-1"}


def test_an_own_ramp_and_a_ball_taken_from_the_area_teleport() -> None:
    enter = tile(
        "In", effect("trigger", op("roll", who="roller", balls="in_area", ramp="name:Out"))
    )
    leave = tile("Out", ramps=(Spot("own"),))
    before = table("C3:In B4:Out", enter, leave)
    asked = played(before, "roll B1-1", "touch 1 C3", "fire 1 C3 a", "rest 1 C3", "settle")
    assert names(asked) == {"roll B4"}
    rolling = played(asked, "roll B4")
    assert [ball.place for ball in rolling.balls] == ["B4"]
    assert rolling.touches == {"C3": 1, "B4": 1}
    after = played(rolling, "goal 2 ZB", "settle")
    assert after.winner == 0
    gone = played(before, "roll B1-1", "touch 1 C3", "fire 1 C3 a", "fell 1 C4", "settle")
    assert ("in_vain", "2.6.5") in told(gone)  # only balls still in the area (T.Trigger.3)


def test_each_ball_in_an_area_is_that_of_its_own_trigger_t_trigger_3() -> None:
    drain = tile("Drain", effect("trigger", op("remove_ball", balls="in_area")))
    before = table("C3:Drain", drain).with_ball(7, "C3").with_ball(6, "B1")
    asked = played(before, "roll D1-1", "fire 6 C3 a", "rest 6 C3", "fire 8 C3 a", "rest 8 C3")
    first = played(asked, "settle", "resolve 2")
    assert first.balls == ()  # the second took ball 8 and the one that lay there, the first ball 6
    assert told(first).count(("gone", "2.11.2")) == 3


def test_who_was_made_to_roll_decides_the_order_of_what_that_sets_off_k11() -> None:
    asked = firing(table("C3:Gift C4:Aloud D4:Aloud", GIFT, ALOUD), "C3")
    after = played(asked, "roll B1-1", "fire 2 C4 a", "fire 2 D4 a", "settle")
    assert after.awaited == 1


def test_hc68_an_effect_can_ask_for_a_play_while_nothing_else_may_be_done_2_3_2() -> None:
    """T.Playing."""
    asked = firing(table("C3:Demand", DEMAND, WELCOME), "C3")
    assert asked.awaited == 1
    assert refused(asked, "roll B1-1") == "2.3.2"
    assert refused(asked, "play Welcome C3 0") == "2.3.2"
    assert refused(asked, "play DIC C4 1") == "2.2.4.1"
    after = played(again(asked), "play Welcome C4 0", "settle")
    assert (after.phase, after.hands, after.plays) == ("idle", (4, 2), 0)  # On Play: active draws
    assert after.tiles["C4"] == Placed("Welcome", 0)


def test_nothing_but_what_is_asked_is_done_in_the_meantime_2_3_2() -> None:
    """2.2.1.3, 2.3.1: an effect that waits or is resolved keeps the game unstable."""
    asked = firing(table("C3:Aloud C4:Aloud", ALOUD), "C3", "C4")
    for action in ("roll B1-1", "play J B1 0", "end", "break", "settle", "resolve 9", "choose C3"):
        assert refused(asked, action)
    assert refused(table(""), "resolve 1") == "2.6.4"


def test_what_is_by_hand_waits_until_people_say_that_it_is_done() -> None:
    asked = firing(table("C3:Aloud", ALOUD), "C3")
    assert names(asked) == {"choose done"}
    question = asked.question(0)
    assert question is not None
    assert "All sing." in say(question.message)
    assert played(asked, "choose done").phase == "idle"


# -------------------------------------------------------------------------------- three balls


def three(places: str, tiles: str, *own: Described) -> Hextraction:
    """After a roll that ended with these balls."""
    position = table(tiles, *own, plays=1)
    for number, place in enumerate(places.split(), 5):
        position = position.with_ball(number, place)
    return played(position, "roll B1-1", f"fell {position.next_ball} B1", "settle")


def test_hc44_the_roller_destroys_one_of_the_tiles_that_the_three_balls_touch_2_1_5_5() -> None:
    asked = three("C3 C3 C3-C4", "C3 C4 D4")
    assert names(asked) == {"choose C3", "choose C4"}
    assert asked.awaited == 0
    assert refused(asked, "choose D4") == "2.3.2"
    after = played(again(asked), "choose C4")
    assert after.tiles.keys() == {"C3", "D4"}
    assert after.phase == "idle"
    assert told(after)[0] == ("three_balls", "2.1.5.5")


def test_hc94_k37_three_balls_that_lean_on_a_tile_from_outside_touch_it() -> None:
    asked = three("B3-C3 C2-C3 C3-D3", "C3 B3 C2 D3")
    assert names(asked) == {"choose C3", "choose B3", "choose C2", "choose D3"}


def test_where_only_one_tile_is_touched_it_goes_unasked() -> None:
    after = three("C3 C3 C3", "C3 C4")
    assert after.tiles.keys() == {"C4"}
    assert after.phase == "idle"


def test_hc46_two_balls_are_no_crowd() -> None:
    assert three("C3 C3-C4", "C3 C4").tiles.keys() == {"C3", "C4"}


def test_k17_one_tile_for_each_crowded_one_and_each_is_looked_at_again_before() -> None:
    asked = three("C3-C4 C3-C4 C3-C4", "C3 C4")
    after = played(asked, "choose C3", "choose C3")
    assert after.tiles.keys() == set()  # C4 was crowded as well, and only it was left


def test_k35_after_a_play_three_balls_may_lie_on_a_tile() -> None:
    position = table("C3")
    for number in (1, 2, 3):
        position = position.with_ball(number, "C3")
    assert "C3" in played(position, "play J C4 0").tiles


def test_balls_inside_a_tile_that_changes_the_rule_of_three_do_not_count_2_1_5_5() -> None:
    """Countdown's published text."""
    calm = tile("Calm", effect("ongoing", op("modify", what="three_ball_rule")))
    assert three("C3 C3 C3", "C3:Calm C4", calm).tiles.keys() == {"C3", "C4"}
    assert three("C3 C3 C3", "C3 D4:Calm", calm).tiles.keys() == {"D4"}
    assert three("C3-C4 C3-C4 C4 C4", "C3:Calm C4", calm).phase == "resolving"  # C4 has four


def test_k15_a_hole_that_counts_as_leaving_costs_its_tile_hc60() -> None:
    void = tile("Pit", holes=(Hole("a", "off"),))
    pot = tile("Pot", holes=(Hole("a", "fell"),))
    for id, kept in (("Pit", False), ("Pot", True)):
        before = table(f"C3:{id}", void, pot)
        after = played(before, "roll B1-1", "touch 1 C3", "fell 1 C3", "settle")
        assert ("C3" in after.tiles) == kept


# ------------------------------------------------------------------------------- Forbidden effects


def test_hc26_one_nay_disables_a_forbidden_effect_and_the_others_count_0_4_2_0_4_3() -> None:
    """Any nay disables it; the others count (0.4.3)."""
    asked = played(table("", BANNED, with_={"seats": 4}), "play Banned C3 0")
    assert names(asked) == {"yea 0", "nay 0"}
    after = played(asked, "yea 0", "yea 1", "nay 2", "yea 3", "settle")
    assert after.winner is None
    assert after.hands[0] == 3  # the other effect let the active seat draw
    assert ("not_enabled", "0.4.2") in told(after)


def test_a_forbidden_effect_counts_if_nobody_is_against_it_0_4_1() -> None:
    """The tile has another effect that is not Forbidden, and is voted on all the same (0.4.4)."""
    asked = played(table("", BANNED), "play Banned C3 0", "yea 0", "yea 1", "settle")
    after = played(played(asked, "resolve 1"), "settle")
    assert after.winner == 0


def test_a_forbidden_trigger_that_was_voted_down_sleeps_as_long_as_its_tile_lies_there() -> None:
    risk = tile("Risk", effect("trigger", op("destroy", tiles="self"), forbidden=True))
    before = played(table("", risk), "play Risk C3 0", "yea 0", "nay 1")
    assert "C3" in firing(before, "C3").tiles
    agreed = played(table("", risk), "play Risk C3 0", "yea 0", "yea 1")
    assert "C3" not in firing(agreed, "C3").tiles


TABOO = tile(
    "Taboo",
    effect("trigger", op("draw", who="active", n=1), forbidden=True),
    effect("trigger", op("destroy", tiles="self"), forbidden=True),
)


@pytest.mark.parametrize(("ballot", "hand", "stays"), [("yea", 3, False), ("nay", 2, True)])
def test_two_forbidden_effects_of_one_play_are_one_vote_0_4_5(
    ballot: str, hand: int, stays: bool
) -> None:
    voted = played(table("", TABOO), "play Taboo C3 0", "yea 0", f"{ballot} 1")
    assert voted.vote is None
    fired = firing(voted, "C3")
    done = played(fired, "resolve 1") if fired.waiting else fired
    assert (done.hands[0], "C3" in done.tiles) == (hand, stays)


def test_hc27_each_play_of_a_forbidden_tile_is_voted_on_anew_0_4_5() -> None:
    once = played(table("", BANNED), "play Banned C3 0", "nay 0", "nay 1")
    lifted = replace(once.with_tile("C3", None), plays=0)
    assert played(lifted, "play Banned C3 0").vote is not None


def test_hc22_a_tile_voted_off_before_its_on_play_is_replaced_and_does_nothing() -> None:
    two = tile("Two", effect("on_play", op("manual", text="x")))
    asked = played(table("", two), "play Two C3 0", "settle")
    assert names(asked) == {"choose done"}
    after = played(asked, "vote destroy C3 1", "nay 1", "yea 0")
    assert (after.tiles, after.hands, after.pool, after.plays) == ({}, (3, 3), 53, 0)
    assert after.phase == "idle"


# -------------------------------------------------------------------------- losing, winning, grace


def test_hc28_who_lost_by_a_tile_stays_in_if_it_is_voted_off_before_the_game_stabilises() -> None:
    """2.8.1.1, 2.8.2, 0.5.6."""
    grace = firing(table("C3:Doom", DOOM, with_={"seats": 3}), "C3")
    chosen = played(grace, "choose Blue")
    assert names(chosen) == {"settle"}  # until then a vote may be called (2.8.2)
    assert chosen.conceded == ()
    saved = played(chosen, "vote destroy C3 1", "nay 1", "nay 2", "yea 0")
    assert saved.conceded == ()
    assert saved.phase == "idle"
    assert played(again(chosen), "settle").conceded == (1,)


def test_who_loses_by_an_on_play_effect_is_saved_by_the_vote_too_2_8_2() -> None:
    curse = tile("Curse", effect("on_play", op("lose", who="active")))
    grace = played(table("", curse), "play Curse C3 0", "settle")
    assert names(grace) == {"settle"}
    assert played(grace, "settle").winner == 1
    saved = played(grace, "vote destroy C3 0", "nay 0", "yea 1")
    assert (saved.scores, saved.outcomes, saved.plays) == (None, (), 0)


def test_who_wins_by_a_tile_has_not_won_before_the_game_stabilises_2_9_2() -> None:
    grace = firing(table("C3:Glory", GLORY), "C3")
    assert grace.scores is None
    saved = played(grace, "vote destroy C3 1", "nay 1", "yea 0")
    assert saved.scores is None
    assert saved.phase == "idle"
    after = played(grace, "settle")
    assert (after.winner, told(after)) == (0, [("wins_by_effect", "2.9.1.2")])


@pytest.mark.parametrize(("way", "winner"), [("first", 1), ("last", 0)])
def test_hc90_k23_who_loses_and_wins_at_once_has_lost_first(way: str, winner: int) -> None:
    curse = tile("Curse", effect("trigger", op("lose", who="active")))
    before = table("C3:Curse", curse, with_={"losses": way})
    after = played(before, "roll B1-1", "fire 1 C3 a", "goal 1 ZB", "settle", "settle")
    assert after.winner == winner


def test_hc91_when_an_effect_makes_everybody_lose_it_is_a_draw() -> None:
    end = tile("End", effect("trigger", op("lose", who="each")))
    assert played(firing(table("C3:End", end), "C3"), "settle").scores == (0, 0)


def test_who_leaves_in_the_middle_of_an_effect_leaves_the_other_the_game() -> None:
    asked = firing(table("C3:Gift", GIFT), "C3")
    assert played(asked, "concede 1").awaited == 1  # until the roll is over it has to roll (2.6.3)
    assert played(asked, "leave 1").winner == 0
    three = firing(table("C3:Aloud C4:Aloud", ALOUD, with_={"seats": 3}), "C3", "C4")
    assert played(three, "leave 0").awaited == 1


FALL = tile("Fall", effect("trigger", op("lose", who="roller")))


@pytest.mark.parametrize("how", ["concede 1", "leave 1"])
def test_who_is_left_still_loses_by_an_effect_that_waits_2_6_3(how: str) -> None:
    """Both lose when the game stabilises: by what waited then, and by conceding (2.8.1)."""
    waiting = firing(table("C3:Fall C4:Aloud", FALL, ALOUD), "C3", "C4")
    after = played(waiting, how, "resolve 1", "choose done", "settle")
    assert after.scores == (0, 0)


def test_who_concedes_may_vote_until_the_game_stabilises_2_8_1_2() -> None:
    """And saves whom the tile lets lose (2.8.2): the vote is a tie (0.5.4)."""
    grace = firing(table("C3:Fall C4", FALL), "C3")
    after = played(grace, "concede 1", "vote destroy C3 1", "nay 1", "yea 0")
    assert "C3" not in after.tiles
    assert after.winner == 0
    assert refused(played(table("", with_={"seats": 3}), "roll B1-1", "concede 1"), "concede 1")


# ------------------------------------------------------------------------------------ the turn


def test_hc70_k9_an_extra_roll_has_to_be_used_before_the_turn_ends_2_0_1_1() -> None:
    rolled = played(
        table("", SPARE), "play Spare C3 0", "settle", "roll B1-1", "fell 1 B1", "settle"
    )
    assert refused(rolled, "end") == "2.0.1.1"
    after = played(rolled, "roll B1-1", "fell 1 B1", "settle")
    assert refused(after, "roll B1-1") == "2.0.2"
    assert played(after, "end").granted == {}


def test_k9_where_extras_may_be_used_they_need_not() -> None:
    before = table("", SPARE, with_={"extras": "may"})
    rolled = played(before, "play Spare C3 0", "settle", "roll B1-1", "fell 1 B1", "settle")
    assert {"end", "roll B1-1"} <= names(rolled)


def test_an_extra_play_has_to_be_made_as_well_or_may_be_k9() -> None:
    again_ = tile("Again", effect("on_play", op("extra", what="play", who="active")))
    must = played(table("", again_, rolls=1), "play Again C3 0", "settle")
    assert refused(must, "end") == "2.0.1.1"
    assert "end" in names(played(must, "play J C4 0"))
    may = played(table("", again_, rolls=1, with_={"extras": "may"}), "play Again C3 0", "settle")
    assert {"end", "play J C4 0"} <= names(may)


def test_an_ongoing_extra_roll_counts_as_long_as_its_tile_lies_there() -> None:
    flag = tile("Flag", effect("ongoing", op("extra", what="roll", who="active")))
    once = played(table("C3:Flag", flag, plays=1), "roll B1-1", "fell 1 B1", "settle")
    assert refused(once, "end") == "2.0.1.1"
    assert "end" in names(once.with_tile("C3", None))


def test_an_ongoing_extra_roll_is_no_extra_play() -> None:
    flag = tile("Flag", effect("ongoing", op("extra", what="roll", who="active")))
    before = table("C3:Flag", flag, rolls=1)
    assert {"roll B1-1", "play J C4 0"} <= names(before)
    after = played(before, "play J C4 0")
    assert not [name for name in names(after) if name.startswith("play ")]
    assert "roll B1-1" in names(after)


def test_an_extra_turn_is_the_same_seats() -> None:
    more = tile("More", effect("on_play", op("extra", what="turn", who="active")))
    before = table("", more, rolls=1)
    after = played(before, "play More C3 0", "settle", "end")
    assert (after.active, after.turn) == (0, 2)
    assert played(replace(after, rolls=1, plays=1), "end").active == 1


def test_hc79_nobody_skips_two_turns_in_a_row_0_1_11() -> None:
    slow = tile("Slow", effect("trigger", op("skip", who="opponent", turns=1)))
    hit = replace(firing(table("C3:Slow", slow), "C3", "C3"), events=())
    hit = replace(played(hit, "resolve 1"), plays=1)
    assert hit.penalties == {(1, "turn"): 2}
    first = played(hit, "end")
    assert first.active == 0
    assert ("suffers_turn", "0.1.11") in told(first)
    second = played(replace(again(first), rolls=1, plays=1), "end")
    assert second.active == 1
    assert ("spared_turn", "0.1.11") in told(second)


@pytest.mark.parametrize(("what", "action"), [("roll", "roll B1-1"), ("play", "play J C4 0")])
def test_k8_who_is_barred_is_so_once_and_never_twice_in_a_row(what: str, action: str) -> None:
    bar = tile("Bar", effect("trigger", op("bar", who="opponent", what=what, turns=1)))
    hit = played(firing(table("C3:Bar", bar), "C3", "C3"), "resolve 1")
    barred = played(replace(hit, plays=1), "end")
    assert refused(barred, action) == "0.1.11"
    other = "play" if what == "roll" else "roll"
    free = replace(barred, **{f"{other}s": 1})
    assert "end" in names(free)  # what is barred is not owed
    back = played(replace(played(free, "end"), rolls=1, plays=1), "end")
    assert back.active == 1
    assert action in names(back)


def test_an_effect_is_activated_for_its_price_as_often_as_it_says_2_7_3() -> None:
    """T.Activated, 2.7.1, 2.7.4.2, 2.7.4.5."""
    before = table("C3:Lever", LEVER)
    assert "activate C3 0" in names(before)
    after = played(before, "activate C3 0")
    assert (after.hands, after.pool, after.phase) == ((3, 3), 54, "idle")
    assert told(after)[1:] == [("discards_some", "T.Discard"), ("draws", "1.2.5")]
    assert refused(after, "activate C3 0") == "2.7.3"
    assert (
        refused(
            table("C3:Lever", LEVER, zones=Zones(bag("?*57"), (TileHand(), TileHand((), 3)))),
            "activate C3 0",
        )
        == "2.7.3"
    )
    assert refused(played(before, "roll B1-1"), "activate C3 0") == "2.3.2"
    resolving = firing(table("C3:Lever C4:Aloud", LEVER, ALOUD), "C4")
    assert refused(resolving, "activate C3 0") == "2.3.2"
    later = played(replace(after, rolls=1, plays=1), "end")
    assert "activate C3 0" in names(later)


def test_an_effect_may_be_activated_in_the_turn_its_tile_was_played_and_after_roll_and_play() -> (
    None
):
    """2.7.4.3, 2.7.4.6, 2.7.4.7, 2.0.4, 2.0.5."""
    after = played(table("", LEVER), "play Lever C3 0")
    assert "activate C3 0" in names(after)
    done = played(after, "roll B1-1", "fell 1 B1", "settle")
    assert {"activate C3 0", "end"} == names(done)
    assert done.actor(done.action("activate C3 0")) == 0  # only the active player's (2.7.4.1)


def test_what_a_voted_off_tile_had_waiting_ceases_and_it_has_no_last_word_0_5_6() -> None:
    both = tile("Both", *ASHES.effects, *ALOUD.effects)
    before = table("C3:Both C4:Mourner", both, MOURNER)
    after = played(before, "vote destroy C3 1", "nay 1", "yea 0")
    assert after.hands == (5, 3)  # the neighbour's effect only


def test_what_was_destroyed_by_an_effect_never_comes_back_2_4_4() -> None:
    """2.4.1, T.Destroy.1: neither hand nor pool nor board have it."""
    before = table("C3:Boom C4 C2", BOOM)
    after = firing(before, "C3")
    total = sum(after.hands) + after.pool + len(after.tiles)
    assert total == sum(before.hands) + before.pool + len(before.tiles) - 2


def test_effects_of_a_roll_keep_the_game_unstable_until_all_are_resolved_2_6_3() -> None:
    """2.3.1. T.Stabilize."""
    asked = firing(table("C3:Aloud C4:Aloud", ALOUD), "C3", "C4")
    assert not asked.stable
    assert not asked.offline
    half = played(asked, "rail off", "resolve 1", "choose done")
    assert not half.stable  # the other is resolved without asking which, but still by hand
    after = played(half, "choose done")
    assert after.stable
    assert after.offline  # latched only now (T.Offline.1)


def test_k34_a_mandatory_effect_is_activated_once_before_the_turn_ends_2_7_4_4() -> None:
    before = table("C3:Duty", DUTY, rolls=1, plays=1)
    assert refused(before, "end") == "2.7.4.4"
    assert names(before) == {"activate C3 0"}
    after = played(before, "activate C3 0")
    assert {"end", "activate C3 0"} == names(after)
    assert after.notes["C3", "count", "n"] == "1"


def test_k37_walls_touch_or_do_not() -> None:
    for way, touches in (("touch", {"C3": 1}), ("do not touch", {})):
        before = table("C3", with_={"walls": way})
        assert played(before, "roll B1-1", "wall 1 C3").touches == touches


def test_k3_a_tie_destroys_or_keeps() -> None:
    for way, stays in (("destroy", False), ("keep", True)):
        after = played(table("C3", with_={"ties": way}), "vote destroy C3 0", "nay 0", "yea 1")
        assert ("C3" in after.tiles) == stays


def test_hc78_a_tile_that_does_not_seat_is_turned_in_the_same_slot_2_2_4_2() -> None:
    before = played(table(""), "play J C3 0")
    assert refused(before, "turn C4 2") == "2.2.4.2"
    assert refused(before, "turn C3 0") == "2.2.4.2"
    assert played(before, "turn C3 2").tiles["C3"] == Placed("J", 2)
    assert refused(played(before, "roll B1-1"), "turn C3 2") == "2.2.4.2"
    assert refused(played(table(""), "play DIC C3 0"), "turn C3 1") == "2.2.4.1"


# --------------------------------------------------------------------------------- each operation


def after_one(*do: Operation, tiles: str = "C4", **values: Any) -> Hextraction:
    """After the trigger of a tile in C3 with these operations, as far as nobody has to choose."""
    one = tile("One", effect("trigger", *do), **values)
    before = table(f"C3:One {tiles}", one, DUTY)
    return played(
        before, "roll B1-1", "touch 1 B2", "touch 1 C3", "fire 1 C3 a", "rest 1 C3", "settle"
    )


def test_remove_place_and_move_balls() -> None:
    """T.Roll: to lay a ball down is not to roll it."""
    assert after_one(op("remove_ball", balls="this")).balls == ()
    placed = after_one(op("place_ball", where="self", n=2))
    assert [ball.place for ball in placed.balls] == ["C3", "C3", "C3"]
    assert placed.phase == "rolling"  # in a roll they may move on (2.1.4.1)
    moved = after_one(op("move_ball", balls="this", where="name:Duty"), tiles="B2 D4:Duty")
    assert [(ball.place, ball.rolling) for ball in moved.balls] == [("D4", True)]


def test_a_hole_that_holds_balls_keeps_what_falls_in() -> None:
    keep = tile("Keep", effect("hole", op("hold_ball", n=1)), holes=(Hole("a", "returned"),))
    before = table("C3:Keep", keep)
    fall = ("roll B1-1", "fire 1 C3 a", "fell 1 C3", "settle")
    once = played(before, *fall)
    assert once.places() == ((1, "C3"),)
    second = played(replace(once, rolls=0), "roll B1-1", "fire 2 C3 a", "fell 2 C3", "settle")
    assert second.places() == ((1, "C3"),)
    assert ("in_vain", "2.6.5") in told(second)


def test_draw_and_discard_are_each_ones() -> None:
    assert after_one(op("draw", who="each", n=2)).hands == (5, 5)
    assert after_one(op("discard", who="active", n="all")).hands == (0, 3)
    with_opponent = after_one(op("discard", who="opponent", n=5))
    assert (with_opponent.hands, with_opponent.pool) == ((3, 0), 57)


def test_drawing_from_an_empty_pool_ends_the_game_at_once_2_10_1() -> None:
    greedy = tile("Greedy", effect("on_play", op("draw", who="active", n=2)))
    after = played(pooled(table("", greedy), 1), "play Greedy C3 0", "settle")
    assert after.scores == (0, 0)


def test_tiles_are_destroyed_discarded_moved_swapped_and_turned() -> None:
    assert after_one(op("destroy", tiles="all")).tiles == {}
    back = after_one(op("discard_tile", tiles="one adjacent"))
    assert (set(back.tiles), back.pool) == ({"C3"}, 55)
    asked = after_one(op("move_tile", tiles="one adjacent", where="adjacent_open"))
    assert names(asked) == {f"choose {slot}" for slot in ("C2", "D3", "D4", "B3", "B4")}
    assert played(asked, "choose D4").tiles.keys() == {"C3", "D4"}
    swapped = after_one(op("swap", tiles="one adjacent"))
    assert swapped.tiles == {"C4": Placed("One", 0), "C3": Placed("Asterisk", 0)}
    turned = after_one(op("rotate", tiles="one adjacent", n=1))
    assert names(turned) == {"choose 1", "choose 5"}
    assert played(turned, "choose 5").tiles["C4"] == Placed("Asterisk", 5)


def test_what_is_put_on_the_bag_is_drawn_next_the_uppermost_first_1_2_5() -> None:
    """That of C4 lies uppermost, for C4 comes after B3 in the board's order."""
    asked = after_one(op("put_on_bag", tiles="one adjacent"), tiles="B3 C4:Duty")
    sentence = "Red: which tile of the board is put on the bag, as the One in C3 says?"
    question = asked.question(asked.awaited)
    assert question is not None
    assert say(question.message) == sentence
    laid = played(asked, "choose B3")
    assert (set(laid.tiles), laid.pool, laid.zones.top) == ({"C3", "C4"}, 55, ("Asterisk",))
    assert ("on_bag", "T.Discard.1") in told(laid)
    assert again(laid) == replace(laid, events=())
    both = after_one(op("put_on_bag", tiles="adjacent"), tiles="B3 C4:Duty")
    assert (both.pool, both.zones.top) == (56, ("Duty", "Asterisk"))
    one = after_one(
        op("put_on_bag", tiles="adjacent"), op("draw", who="active", n=1), tiles="B3 C4:Duty"
    )
    assert one.zones.hands[0] == TileHand(("Duty",), 3)
    assert (one.pool, one.zones.top) == (55, ("Asterisk",))
    three = after_one(
        op("put_on_bag", tiles="adjacent"), op("draw", who="each", n=2), tiles="B3 C4:Duty"
    )
    assert three.zones.hands == (TileHand(("Asterisk", "Duty"), 3), TileHand((), 5))


def test_a_ball_that_weighs_two_makes_three_with_another_2_1_5_5() -> None:
    """Ball 9 lies on C3 when ball 1, which counts as two from now on, comes to rest there."""
    heavy = tile("Heavy", effect("trigger", op("weigh", balls="this", n=2)))
    lies = (Ball(9, "C3", rolling=False, last="C3"),)
    before = table("B2 C3:Heavy", heavy, balls=lies)
    rolls = ("roll B1-1", "touch 10 B2", "touch 10 C3", "fire 10 C3 a", "rest 10 C3", "settle")
    gone = played(before, *rolls)
    assert (set(gone.tiles), gone.phase) == ({"B2"}, "idle")
    weighed = [dict(e.values) for e in gone.events if e.key == "hextraction.weighs"]
    assert weighed == [{"ball": 10, "count": 2}]
    assert [(ball.id, ball.weight) for ball in again(gone).balls] == [(9, 1), (10, 2)]
    assert "C3" in played(before, *rolls[:3], *rolls[4:]).tiles  # two that count as one each
    sum_of_two = effect("ongoing", op("win", who="active"), conditions=("balls_on_self >= 2",))
    scale = tile("Scale", *heavy.effects, sum_of_two)
    won = played(table("B2 C3:Scale", scale), *(step.replace("10", "1") for step in rolls))
    assert [outcome.wins for outcome in won.outcomes] == [True]


def test_a_tile_that_seats_in_one_way_only_is_not_turned() -> None:
    """T.Notch, T.Orientation."""
    stiff = replace(tile("Stiff"), sockets=(4,))
    gear = tile("Gear", effect("trigger", op("rotate", tiles="one adjacent", n=1)))
    after = firing(table("C3:Gear C4:Stiff", gear, stiff), "C3")
    assert after.tiles["C4"] == Placed("Stiff", 0)
    assert ("in_vain", "2.6.5") in told(after)


def test_a_part_is_set_or_moved_on_and_where_nobody_knows_it_people_say() -> None:
    wheel = (Part("wheel", ("n", "e", "s", "w"), "n"),)
    put = after_one(op("set_part", part="wheel", state="s"), parts=wheel)
    assert put.notes["C3", "part", "wheel"] == "s"
    asked = after_one(op("set_part", part="wheel", by=1), parts=wheel)
    assert names(asked) == {"choose e", "choose w"}
    unknown = after_one(
        op("set_part", part="wheel", by=1), parts=(Part("wheel", ("n", "e", "s", "w")),)
    )
    assert len(names(unknown)) == 4


def test_the_previous_tile_is_the_one_that_the_ball_came_from() -> None:
    after = after_one(op("destroy", tiles="previous"), tiles="B2 C4")
    assert after.tiles.keys() == {"C3", "C4"}


def test_what_is_optional_is_asked_and_may_be_declined() -> None:
    asked = after_one(op("destroy", tiles="self", optional=True))
    assert names(asked) == {"choose yes", "choose no"}
    assert "C3" in played(asked, "choose no").tiles
    assert "C3" not in played(asked, "choose yes").tiles


def test_an_effect_without_anything_to_do_it_with_does_nothing_and_says_so() -> None:
    after = after_one(op("destroy", tiles="one adjacent"), tiles="")
    assert after.phase == "idle"
    assert ("in_vain", "2.6.5") in told(after)
    only_lasts = after_one(op("modify", what="three_ball_rule"))
    assert ("in_vain", "2.6.5") in told(only_lasts)


@pytest.mark.parametrize("what", sorted(OPERATIONS))
def test_no_operation_is_passed_over_in_silence(what: str) -> None:
    """Each asks somebody, changes the position, or says that it cannot; none fails."""
    words = {
        "who": "active", "n": 1, "tiles": "one adjacent", "balls": "this", "name": "Duty",
        "pool": "main", "where": "open", "part": "arm", "state": "up", "by": 1, "turns": 1,
        "what": "roll", "text": "Sing.", "ramp": "any",
    }  # fmt: skip
    form = OPERATIONS[what]
    given = {key: words[key] for key in form.needs}
    arm = (Part("arm", ("up", "down"), "down"),)
    after = after_one(op(what, **given), parts=arm)
    keys = {key for key, _ in told(after)}
    asked = after.phase == "resolving"
    assert asked or keys - {"rolls", "fires", "rests", "resolves", "settled"}


def test_contagion_is_played_over_the_tile_that_the_ball_came_from_t_overwrite() -> None:
    """Digest 4.5: it overwrites the previous tile with itself."""
    before = table("B2 C3:Contagion C4", with_={"sets": "basic,Contagion"})
    fired = ("roll B1-1", "touch 1 B2", "touch 1 C3", "fire 1 C3 area", "off 1 A3 5", "settle")
    asked = played(before, *fired)
    assert names(asked) == {f"choose {turn}" for turn in range(6)}
    assert say(asked.label(asked.action("choose 5"))) == "Turned 5 sixths"
    after = played(asked, "choose 5")
    assert after.tiles == {"C4": Placed("Asterisk", 0)}  # the last tile that the ball touched
    assert str(after.zones.destroyed) == "Asterisk,Contagion"
    assert ("overwrites", "T.Overwrite") in told(after)
    stays = played(played(before, *fired[:-2], "rest 1 C3", "settle"), "choose 5")
    assert stays.tiles["B2"] == Placed("Contagion", 5)
    assert stays.tiles.keys() == {"B2", "C4"}


def test_a_tile_that_overwrites_is_played_anew_0_4_5() -> None:
    over = op("overwrite", tiles="one adjacent")
    creep = tile(
        "Creep",
        effect("trigger", over),
        effect("on_play", op("win", who="active"), forbidden=True),
    )
    before = table("C3:Creep C4 D3", creep, notes={("C3", "vote", "1"): "yes"})
    asked = played(firing(before, "C3"), "choose C4", "choose 0")
    assert asked.tiles.keys() == {"C4", "D3"}
    assert asked.vote is not None
    assert played(asked, "yea 0", "nay 1").winner is None
    assert [outcome.wins for outcome in played(asked, "yea 0", "yea 1", "settle").outcomes] == [
        True
    ]
    assert firing(table("C3:Creep", creep), "C3").phase == "idle"  # nothing beside it


def test_a_tile_overwrites_others_and_only_while_it_lies_there_itself() -> None:
    creep = tile("Creep", effect("trigger", op("overwrite", tiles="all")))
    asked = firing(table("B2 C3:Creep C4", creep), "C3")
    assert names(asked) == {"choose B2", "choose C4"}
    last = tile(
        "Last",
        effect("trigger", op("destroy", tiles="self"), op("overwrite", tiles="one adjacent")),
    )
    gone = firing(table("C3:Last D4", last), "C3")
    assert (gone.phase, set(gone.tiles)) == ("idle", {"D4"})
    assert ("in_vain", "2.6.5") in told(gone)


def test_a_part_of_a_combo_that_overwrites_the_other_goes_with_it_2_4_6() -> None:
    over = effect("trigger", op("overwrite", tiles="one adjacent"))
    first = tile("First", over, keywords=("combo",), combo=("Second",))
    second = tile("Second", keywords=("combo",), combo=("First",))
    before = table("", first, second)
    before = replace(before, tiles={"C3": Placed("First", 0, 0), "C4": Placed("Second", 0, 0)})
    after = played(firing(before, "C3"), "choose 0")
    assert (after.phase, after.tiles) == ("idle", {})
    assert str(after.zones.destroyed) == "First~0,Second~0"


def test_a_tile_that_moves_takes_its_own_touches_along_and_no_others() -> None:
    crane = tile("Crane", effect("trigger", op("move_tile", tiles="self", where="open")))
    before = table("B2 C3:Crane", crane)
    rolling = played(before, "roll B1-1", "touch 1 C3", "fire 1 C3 a", *["touch 1 B2"] * 3)
    after = played(rolling, "drop B2", "rest 1 C3", "settle", "choose B2")
    assert after.tiles.keys() == {"B2"}  # touched once; the one that lay there had three


COUNTDOWN = {"sets": "basic,Countdown"}


def test_countdown_is_set_up_with_six_balls_that_rolls_are_taken_from_2_2_3_2() -> None:
    """Its published text: rolls and spawns use a ball from inside; when empty it is destroyed."""
    asked = played(table("C4", with_=COUNTDOWN), "play Countdown C3 0", "yea 0", "yea 1")
    assert ("setup", "2.2.3.2") in told(played(table("", with_=COUNTDOWN), "play Countdown C3 0"))
    assert [ball.place for ball in asked.balls] == ["C3"] * 6
    assert asked.phase == "idle"
    rolling = played(asked, "roll B1-1")
    assert [ball.place for ball in rolling.balls] == ["C3"] * 5 + ["B1-1"]
    after = played(rolling, "fell 7 B1", "settle")
    assert "C3" in after.tiles  # five lie in it: they do not count as three
    last = replace(after, balls=after.balls[:1], rolls=0)
    empty = played(last, "roll B1-1", "fell 3 B1", "settle")
    assert empty.tiles.keys() == {"C4"}


def test_without_its_forbidden_effect_countdown_costs_a_tile_for_its_balls_2_1_5_5() -> None:
    asked = played(table("", with_=COUNTDOWN), "play Countdown C3 0", "yea 0", "nay 1")
    assert played(asked, "roll B1-1", "fell 7 B1", "settle").tiles == {}


def test_a_ball_that_an_effect_places_comes_from_the_store_as_well() -> None:
    spawn = tile("Spawn", effect("on_play", op("place_ball", where="self")))
    before = table("C3:Countdown", spawn, with_=COUNTDOWN).with_ball(1, "C3").with_ball(2, "C3")
    after = played(before, "play Spawn D4 0", "settle")
    assert after.places() == ((2, "C3"), (3, "D4"))


def test_a_roll_that_an_effect_asks_for_takes_a_ball_that_lies_in_the_store() -> None:
    """Not the one that was just rolled and came in there."""
    before = table("B2:Countdown C3:Rewind", REWIND, with_=COUNTDOWN)
    rolled = ("roll B1-1", "touch 3 C3", "fire 3 C3 a", "rest 3 B2", "settle", "roll B1-1")
    after = played(before.with_ball(1, "B2").with_ball(2, "B2"), *rolled)
    assert after.places() == ((3, "B2"), (4, "B1-1"))
    none_left = played(after, "fire 4 C3 a", "rest 4 A1", "settle", "roll B1-1")
    assert none_left.places() == ((3, "B2"), (4, "A1"), (5, "B1-1"))


def test_what_disables_all_tiles_does_not_disable_itself() -> None:
    hush = effect("ongoing", op("disable", tiles="all"))
    loud = tile("Loud", hush, effect("trigger", op("destroy", tiles="self")))
    after = played(table("B2:Boom B3 C3:Loud", BOOM, loud), "roll B1-1", "fire 1 C3 a", "settle")
    assert set(after.tiles) == {"B2", "B3"}


def test_what_is_disabled_by_an_effect_sleeps_as_long_as_it_lies_there_k27() -> None:
    hush = tile("Hush", effect("trigger", op("disable", tiles="one adjacent")))
    quiet = played(firing(table("C3:Hush C4:Boom D4", hush, BOOM), "C3"), "choose C4")
    assert ("disables", "K27") in told(quiet)
    quiet = replace(quiet, rolls=0, events=())
    assert "D4" in firing(quiet, "C4").tiles
    assert again(quiet) == quiet
    anew = quiet.with_tile("C4", Placed("Boom", 0))
    assert "C3" not in firing(anew, "C4").tiles


def test_what_was_disabled_disables_nothing_any_more() -> None:
    hush = tile("Hush", effect("trigger", op("disable", tiles="name:Switch")))
    switch = tile("Switch", effect("ongoing", op("disable", tiles="name:Boom")))
    before = table("B2:Boom A2 C3:Hush C4:Switch", hush, BOOM, switch)
    assert "A2" in firing(before, "B2").tiles
    assert "A2" not in firing(replace(firing(before, "C3"), rolls=0), "B2").tiles


def test_only_a_forbidden_effect_brings_a_destroyed_tile_back_0_1_8() -> None:
    """T.Pool.1. Last Word; a Combo only in one piece."""
    word = tile("Word", effect("on_play", op("search", who="active", pool="destroyed")))
    gone = bag("J~1,TeleportIn,TeleportIn~0,TeleportOut")
    before = table("", word, with_={"sets": "basic,TeleportIn,TeleportOut"})
    before = replace(before, zones=replace(before.zones, destroyed=gone))
    asked = played(before, "play Word C3 0", "settle")
    assert names(asked) == {"choose J~1", "choose TeleportIn"}
    after = played(again(asked), "choose TeleportIn")
    assert str(after.zones.destroyed) == "J~1,TeleportIn~0"
    assert after.zones.hands[0].known == ("TeleportIn",)
    assert ("brings_back", "0.1.8") in told(after)
    nothing = played(table("", word), "play Word C3 0", "settle")
    assert ("in_vain", "2.6.5") in told(nothing)


TOLL = tile(
    "Toll", effect("trigger", op("skip", who="owner", turns=1), op("draw", who="owner", n=1))
)


def test_what_a_tile_counts_can_set_it_off_and_goes_with_it_t_ongoing() -> None:
    """Tally: at the third pass it pays a tile and goes."""
    before = table("C3:Tally", with_={"sets": "basic,Tally"})
    asked = played(before, "roll B1-1", *["fire 1 C3 fork"] * 3, "fell 1 A1", "settle")
    two = played(asked, "resolve 1", "resolve 2")
    assert two.tiles == {}
    assert two.hands == (4, 3)
    less = played(before, "roll B1-1", *["fire 1 C3 fork"] * 2, "fell 1 A1", "settle", "resolve 1")
    assert less.notes["C3", "count", "passes"] == "2"
    assert again(less) == less


def test_the_owner_of_a_tile_is_who_its_copy_says_0_3_2() -> None:
    before = replace(table("", TOLL), tiles={"C3": Placed("Toll", 0, 1)})
    after = firing(before, "C3")
    assert (after.phase, after.penalties, after.hands) == ("idle", {(1, "turn"): 1}, (3, 4))
    on_destroy = tile("Will", effect("on_destroy", op("draw", who="owner", n=1)))
    before = replace(table("", on_destroy), tiles={"C3": Placed("Will", 0, 1)})
    assert played(before, "roll B1-1", *["touch 1 C3"] * 3, "break", "settle").hands == (3, 4)


def test_where_nobody_knows_the_owner_people_are_asked_once() -> None:
    asked = firing(table("C3:Toll", TOLL, with_={"seats": 3}), "C3")
    assert names(asked) == {"choose Red", "choose Blue", "choose Green"}
    question = asked.question(0)
    assert question is not None
    assert say(question.message) == "Red: whose is the Toll in C3?"
    after = played(again(asked), "choose Green")
    assert (after.phase, after.hands) == ("idle", (3, 3, 4))
    assert firing(replace(again(after), rolls=0), "C3").hands == (3, 3, 5)
    twice = firing(table("C3:Toll", TOLL, with_={"seats": 3}), "C3", "C3")
    assert played(twice, "resolve 1", "choose Green").hands == (3, 3, 5)


def test_nothing_is_read_in_the_middle_of_a_choice_k24() -> None:
    pair = tile("Pair", effect("trigger", op("discard", who="active", n=2)))
    asked = firing(table("C3:Pair", pair, with_={"hands": "scan"}), "C3")
    half = played(asked, "drew 0 J", "choose J")
    assert refused(half, "drew 0 X") == "K24"
    assert played(half, "choose ?").hands == (1, 3)


def test_who_discards_a_whole_hand_unseen_is_asked_nothing() -> None:
    nothing = tile("Nothing", effect("trigger", op("discard", who="each", n=3)))
    before = played(table("C3:Nothing", nothing, with_={"hands": "scan"}), "drew 0 J", "drew 1 X")
    after = firing(before, "C3")
    assert (after.phase, after.hands, after.pool) == ("idle", (0, 0), 60)


# ------------------------------------------------------------------------ every tile we have

ACTING = [t for t in everything().values() if isinstance(t, Described) and t.effects]


def fired(position: Hextraction) -> st.SearchStrategy[str]:
    """Balls come into areas and holes as well."""
    areas = [
        f"{slot} {id}"
        for slot, placed in position.tiles.items()
        if isinstance(it := position.setting.tiles[placed.tile], Described)
        for id in (*(spot.id for spot in it.triggers), *(hole.id for hole in it.holes))
    ]
    other = happenings(position)
    if not areas or not position.balls:
        return other
    balls = st.sampled_from([ball.id for ball in position.balls])
    fires = st.tuples(st.just("fire"), balls.map(str), st.sampled_from(areas)).map(" ".join)
    return st.one_of(fires, fires, other)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_tile_that_comes_with_hexboard_plays(data: st.DataObject) -> None:
    tiles = data.draw(st.lists(st.sampled_from(ACTING), min_size=3, max_size=3), label="tiles")
    options: dict[str, str | int] = {"tiles": written(tiles), "seats": 3}
    position = start(options=options)
    for cell, it in zip(position.board.cells[::2], tiles * 4, strict=False):
        rotation = it.rotations(position.board.key_edge)[0]
        position = position.with_tile(cell.id, Placed(it.id, rotation))
    position = replace(position, plays=1, events=())
    check_play(data, hextraction.GAME, position, lambda text: parse(text, options=options), fired)


def test_what_waits_and_what_may_be_chosen_is_lit_and_said() -> None:
    rolling = played(table("C3:Boom C4:Pick C2", BOOM, PICK), "roll B1-1", "fire 1 C4 a")
    assert Mark("C4", Meaning.PASSING) in rolling.scene()
    after = played(rolling, "fire 1 C3 a", "fell 1 A1", "settle")
    assert [say(after.label(move)) for move in after.legal] == [
        "Pick in C4",
        "Boom in C3",
    ]
    twice = firing(table("C3:Boom", BOOM), "C3", "C3")
    assert [say(twice.label(move)) for move in twice.legal] == ["Boom in C3, by ball 1"] * 2
    both = tile("Both", *(effect("trigger", op("draw", who="roller", n=n)) for n in (1, 2)))
    after = firing(table("C3:Both", both), "C3")
    assert [say(after.label(move)) for move in after.legal] == [
        "Both in C3, effect 1",
        "Both in C3, effect 2",
    ]
    chosen = firing(table("C4:Pick C3 D4", PICK), "C4")
    lit = {mark.place for mark in chosen.scene() if mark.meaning is Meaning.ASK}
    assert lit == {"C3", "D4"}
    lanes = firing(table("C3:Gift", GIFT), "C3").scene()
    assert Mark("B1/6", Meaning.ASK) in lanes


def test_a_lane_in_which_a_ball_stuck_is_lit() -> None:
    stuck = played(table("B1"), "roll B1-1", "rest 1 B1-1", "settle")
    assert Mark("B1/1", Meaning.STUCK) in stuck.scene()


def test_a_position_in_the_middle_of_everything_is_written_and_read_back() -> None:
    before = table("C3:Gift C4:Doom B2:Duty", GIFT, DOOM, DUTY, with_={"seats": 3}, plays=1)
    asked = firing(before, "C3", "C4")
    asked = played(asked, "resolve 2", "choose Green", "choose Blue")
    assert asked.outcomes
    assert asked.doing is not None
    assert again(asked) == asked
    rolling = played(asked, "roll B1-1")
    assert again(rolling) == rolling
    assert slots(rolling, "resolves") == set()
    assert SEATS[rolling.roller] == "Blue"
    assert Ball(2, "B1-1") in rolling.balls


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("doing=2:C3:Gift", "doing=2:C9:Gift"),
        ("doing=2:C3:Gift", "doing=2:C3:Nothing"),
        ("doing=2:C3:Gift:0", "doing=2:C3:Gift:7"),
        ("roller=0", "roller=7"),
        ("resolving", "idle"),
        ("resolving", "rolling extra=1"),
    ],
)
def test_a_position_that_cannot_be_is_refused(old: str, new: str) -> None:
    asked = firing(table("C3:Gift C4:Aloud", GIFT, ALOUD), "C4", "C3")
    asked = played(asked, "resolve 2")
    text = str(asked)
    assert old in text
    options = {"tiles": written((GIFT, ALOUD))}
    with pytest.raises(BadText):
        parse(text.replace(old, new), options=options)


def test_whoever_played_a_tile_orders_its_effects_2_2_5_1() -> None:
    """Also in the turn of another seat, who made them play."""
    call = tile("Call", effect("activated", op("play", who="opponent", where="open"), ask="Call?"))
    sing = effect("on_play", op("manual", text="Sing."))
    asked = played(table("C3:Call", call, tile("Two", sing, sing)), "activate C3 0")
    placed = played(asked, "play Two D4 0")
    assert (placed.awaited, placed.active, len(placed.waiting)) == (1, 0, 2)
