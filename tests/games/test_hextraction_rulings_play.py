"""Hextraction: rulings on plays, votes, hands and effects, each read either way (K4 to K34)."""

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.games.hextraction import OPTIONS, Hextraction, parse, start
from hexboard.games.hextraction.rules import destroying
from hexboard.games.hextraction.rules.zones import TileHand, Zones, bag
from hexboard.games.hextraction.tiles.catalogue import everything, written
from hexboard.words import Value
from hexboard.words.errors import BadText
from tests.games.test_hextraction import played, table, told
from tests.games.test_hextraction_effects import (
    ALOUD,
    DUTY,
    GIFT,
    SPARE,
    WELCOME,
    effect,
    firing,
    names,
    op,
    tile,
)
from tests.games.test_hextraction_effects import table as placed
from tests.games.test_hextraction_zones import OWN, PUBLISHED, SLOTS, game, played_into, rule

RULINGS = {option.name: option for option in OPTIONS if option.group == "rulings"}


def both(name: str) -> pytest.MarkDecorator:
    """Once for each value that an option may have."""
    return pytest.mark.parametrize("value", RULINGS[name].choices)


def agreed(position: Hextraction, **options: Any) -> Hextraction:
    """The same, with other rulings."""
    return replace(position, setting=replace(position.setting, **options))


TOP = {"A1", "B1", "C1", "D1", "E1"}
HIGH = tile("High", effect("limit", op("manual", text="-"), conditions=("top_row",)))
KILL = tile("Kill", effect("ongoing", op("disable", tiles="others")))
GREED = tile("Greed", effect("trigger", op("draw", who="active", n=1)))
DEMAND = op("play", who="opponent", where="open")
CHEER = op("manual", text="Cheer.")
BID = tile("Bid", effect("on_play", DEMAND, CHEER))
EMPTY = Zones(bag("?*6"), (TileHand((), 3), TileHand((), 3)))
"""Two hands of three, and nothing left in the bag."""
BLUE = op("roll", who="opponent", ramp="any")
FATE = tile("Fate", effect("on_destroy", op("lose", who="roller")))


def test_what_was_not_agreed_has_the_default_of_its_ruling() -> None:
    """So that a recording from before a ruling was an option is read as it was played."""
    setting = start(options={"ties": "keep"}).setting
    told = {name: getattr(setting, name) for name in RULINGS}
    assert told == {name: o.choices[0] for name, o in RULINGS.items()} | {"ties": "keep"}
    assert all(option.default == option.choices[0] for option in RULINGS.values())


# --------------------------------------------------------------------------------------- votes

IN_VOTE = ("roll B1-1", "touch 1 B1", "vote destroy C2 1")
KEPT = ("yea 1", "yea 2", "yea 0")


@both("vote_balls")
def test_k4_a_ball_that_comes_into_an_end_zone_during_a_vote(value: str) -> None:
    before = agreed(table("B1 C2", seats=3), vote_balls=value)
    after = played(before, *IN_VOTE, "goal 1 ZB", "settle", *KEPT)
    assert after.winner == {"count": 0, "ignored": None}[value]
    assert after.place_of(1) == "zone:ZB"  # it stays where it lies (2.11.2)


@both("vote_balls")
def test_k4_a_ball_that_leaves_over_the_side_during_a_vote(value: str) -> None:
    before = agreed(table("A3 B1 C2", seats=3), vote_balls=value)
    after = played(before, *IN_VOTE, *["touch 1 A3"] * 3, "off 1 A3 5", "settle", *KEPT)
    gone = {"count": {"A3"}, "ignored": set()}[value]
    assert after.tiles.keys() == {"A3", "B1", "C2"} - gone
    assert (after.phase, after.rolls, after.balls) == ("idle", 1, ())


@both("vote_balls")
def test_k4_a_ball_that_rolls_on_after_the_vote_counts_again(value: str) -> None:
    before = agreed(table("A3 B1 C2", seats=3), vote_balls=value)
    after = played(before, *IN_VOTE, "touch 1 A3", *KEPT, "touch 1 C2", "goal 1 ZB", "settle")
    assert after.winner == 0


def test_k4_an_effect_set_off_during_a_vote_waits_or_is_not_set_off() -> None:
    for value, phase in (("count", "resolving"), ("ignored", "idle")):
        before = agreed(placed("C3:Aloud C4", ALOUD), vote_balls=value, ties="keep")
        fired = played(before, "roll B1-1", "vote destroy C4 1", "touch 1 C3", "fire 1 C3 a")
        assert played(fired, "settle", "yea 1", "yea 0").phase == phase


@both("void_crowds")
def test_k5_three_balls_after_a_roll_that_a_vote_made_void(value: str) -> None:
    before = agreed(table("B1 C2 C3"), void_crowds=value)
    for ball in (1, 2, 3):
        before = before.with_ball(ball, "C3")
    void = ("roll D1-1", "vote destroy C2 1", "nay 1", "nay 0", "fell 4 D1", "settle")
    after = played(before, *void)
    assert after.tiles.keys() == {"wait": {"B1", "C3"}, "count": {"B1"}}[value]
    assert (after.phase, after.rolls) == ("idle", 0)  # another roll is owed either way
    assert told(after)[-1] == ("reroll", "0.5.8")
    later = played(after, "roll D1-1", f"fell {after.next_ball} D1", "settle")
    assert later.tiles.keys() == {"B1"}


def test_k5_who_rolled_chooses_the_tile_that_three_balls_touch_in_a_void_roll() -> None:
    before = agreed(table("B1 C2 C3 C4"), void_crowds="count")
    for ball, place in ((1, "C3"), (2, "C3"), (3, "C3-C4")):
        before = before.with_ball(ball, place)
    void = ("roll D1-1", "vote destroy C2 1", "nay 1", "nay 0", "fell 4 D1", "settle")
    asked = played(before, *void)
    assert names(asked) == {"choose C3", "choose C4"}
    after = played(asked, "choose C4")
    assert after.tiles.keys() == {"B1", "C3"}
    assert (after.phase, after.rolls) == ("idle", 0)


def test_k5_what_a_void_roll_has_resolved_stays_so() -> None:
    """A destroyed tile never comes back (2.4.4): there is no other reading for a referee."""
    boom = tile("Boom", effect("trigger", op("destroy", tiles="adjacent")), *ALOUD.effects)
    fired = firing(placed("C3:Boom C4", boom), "C3")
    done = played(fired, "resolve 1")
    assert done.tiles.keys() == {"C3"}
    assert played(done, "vote destroy C3 1", "nay 1", "nay 0").tiles.keys() == set()


@both("replacement")
def test_k6_who_replaces_a_tile_voted_off_that_an_effect_made_another_play(value: str) -> None:
    """Hands of three: Red plays one, Blue is made to play one, which is voted off."""
    before = agreed(placed("", BID), replacement=value)
    bid = played(before, "play Bid C3 0", "settle", "play J C4 0")
    after = played(bid, "vote destroy C4 0", "nay 0", "nay 1")
    assert "C4" not in after.tiles
    assert after.hands == {"player": (2, 3), "active": (3, 2)}[value]
    if value == "player":  # Blue plays once more, since the effect said so
        assert (after.awaited, after.phase) == (1, "resolving")
        assert "play J C4 0" in names(after)
    else:
        done = played(after, "choose done")
        assert (done.awaited, done.phase, done.plays) == (0, "idle", 1)
        assert "play J C4 0" in names(done)


def test_k6_where_the_effect_is_over_the_player_plays_again_in_the_next_turn_of_theirs() -> None:
    bid, cheer = tile("Bid", effect("on_play", DEMAND)), tile("Cheer", effect("on_play", CHEER))
    bidding = played(placed("", bid, cheer), "play Bid C3 0", "settle", "play Cheer C4 0")
    held = played(bidding, "vote destroy C4 0", "nay 0", "nay 1")
    assert (held.hands, held.awaited, held.phase) == ((2, 3), 1, "resolving")  # it asks once more
    over = played(bidding, "settle", "vote destroy C4 0", "nay 0", "nay 1")
    assert (over.hands, over.granted, over.phase) == ((2, 3), {(1, "play"): 1}, "idle")


@both("replacement")
def test_k6_the_active_players_own_tile_is_replaced_alike(value: str) -> None:
    before = agreed(placed("", WELCOME), replacement=value)
    after = played(before, "play Welcome C3 0", "vote destroy C3 1", "nay 1", "yea 0")
    assert (after.plays, after.hands, after.granted) == (0, (3, 3), {})


def test_hc23_k6_what_a_tile_voted_off_had_overwritten_stays_destroyed() -> None:
    before = game("C2:Gate A1", hand="2:Gate+J")
    after = played(before, "play Gate C2 1", "vote destroy C2 1", "nay 1", "nay 0")
    assert (set(after.tiles), after.zones.destroyed) == ({"A1"}, bag("Gate*2"))


# --------------------------------------------------------------------------------- turns and hands


@pytest.mark.parametrize("hand", ["1:J", "2:J+X", "3:J+J+X", "4:J+J+X+X", "5:J+J+X+X+X"])
def test_k7_the_hand_is_drawn_up_or_discarded_down_to_three_and_never_both(hand: str) -> None:
    before = replace(game(hand=hand), rolls=1, plays=1)
    size = int(hand[0])
    after = played(before, "end", *["discard J"] * max(size - 3, 0))
    assert (after.hands, after.active) == ((3, 3), 1)
    assert before.pool - after.pool == 3 - size  # each tile was drawn or discarded once


@both("bars")
@pytest.mark.parametrize(("what", "action"), [("roll", "roll B1-1"), ("play", "play J C4 0")])
def test_k8_an_effect_that_keeps_somebody_from_a_roll_or_play(
    value: str, what: str, action: str
) -> None:
    bar = tile("Bar", effect("trigger", op("bar", who="opponent", what=what, turns=1)))
    hit = firing(placed("C3:Bar", bar, with_={"bars": value}), "C3")
    after = played(replace(hit, plays=1), "end")
    assert after.active == 1
    assert after.penalties == {}
    barred = {"once": "0.1.11", "never": ""}
    assert rule(after, action) == barred[value]
    floor = {"roll": "2.0.2", "play": "2.0.3"}
    assert (("never_barred", floor[what]) in told(hit)) == (value == "never")


def test_k8_a_turn_is_skipped_even_where_nothing_keeps_from_its_roll() -> None:
    slow = tile("Slow", effect("trigger", op("skip", who="opponent", turns=1)))
    hit = firing(placed("C3:Slow", slow, with_={"bars": "never"}), "C3")
    assert played(replace(hit, plays=1), "end").active == 0


@both("opening")
def test_k19_opening_hands_come_from_outside_the_bag_or_out_of_it(value: str) -> None:
    """Red brings tiles, Blue none: the pool needs 22 tiles for the slots and three for Blue."""
    options: dict[str, Value] = {"bag": "J*22,X~0*3", "opening": value}
    position = start(options=options)
    assert position.hands == (3, 3)
    assert position.pool == {"extra": 22, "bag": 19}[value]
    with pytest.raises(BadText, match="25"):
        start(options=options | {"bag": "J*22,X~0*2"})


def test_k19_hands_hold_what_is_not_listed_where_the_bag_has_too_few() -> None:
    """Seven slots and three who all bring tiles: seven are enough, but the hands hold nine."""
    seven: dict[str, Value] = {"seats": 3, "bag": "J~0*3,J~1*2,J~2*2", "opening": "bag"}
    board = start().board
    position = start(replace(board, cells=board.cells[:7]), seven)
    assert (position.hands, position.pool, position.zones.unseen.count("?")) == ((3, 3, 3), 0, 2)


@both("empty_bag")
def test_k22_a_tile_cannot_be_drawn_while_a_ball_lies_in_an_end_zone(value: str) -> None:
    before = placed("C3:Greed", GREED, with_={"empty_bag": value}, zones=EMPTY)
    scored = ("roll B1-1", "touch 1 C3", "fire 1 C3 a", "goal 1 ZB", "settle")
    assert played(before, *scored).scores == {"now": (0, 0), "stable": (1, 0)}[value]


def test_k22_once_stable_it_is_a_draw_if_nobody_has_won() -> None:
    options: dict[str, Value] = {"empty_bag": "stable", "tiles": written((GREED, ALOUD))}
    before = placed("C3:Greed C4:Aloud", GREED, ALOUD, with_=options, zones=EMPTY)
    drawn = played(firing(before, "C3", "C4"), "resolve 1")
    assert told(drawn)[-2:] == [("pool_empty_soon", "2.10.1"), ("resolves", "2.6.3")]
    assert drawn.scores is None
    assert parse(str(drawn), options=options).stalemate
    after = played(drawn, "choose done")
    assert (after.scores, told(after)[-1]) == ((0, 0), ("pool_empty", "2.10.1"))


def test_k22_in_a_stable_game_it_is_a_draw_at_once() -> None:
    before = agreed(table(pool=0, hands=(2, 3), rolls=1, plays=1), empty_bag="stable")
    assert played(before, "end").scores == (0, 0)


# ------------------------------------------------------------------------------- what is legal


@both("revealed")
def test_k20_a_limit_tile_that_is_shown(value: str) -> None:
    """It may lie in the top row only, and that is full."""
    before = game(" ".join(TOP), hand="1:High", tiles=written((HIGH,)), revealed=value)
    assert names(before) == {"roll B1-1", "roll B1-2", "roll B1-6", "reveal High"} | {
        f"roll D1-{edge}" for edge in (1, 2, 6)
    }
    shown = played(before, "reveal High")
    assert played_into(shown, "High") == {"limited": TOP, "free": set(SLOTS)}[value]


@both("revealed")
def test_k20_where_the_limit_cannot_be_kept_anywhere(value: str) -> None:
    before = replace(game("A1", hand="1:Void", revealed=value), rolls=1)  # not after rolling
    assert names(before) == {"limited": {"ignore"}, "free": {"reveal Void"}}[value]
    relieved = played(before, *names(before))
    everywhere = {"limited": set(SLOTS) - {"A1"}, "free": set(SLOTS)}
    assert played_into(relieved, "Void") == everywhere[value]


@both("unique")
def test_k29_where_a_unique_tile_may_not_overwrite_its_like(value: str) -> None:
    """It may lie in the highest open slot only; its like lies in B3."""
    before = game("B3:BackroomsExit", hand="2:BackroomsExit+J", unique=value)
    slots = {"elsewhere": {"B1", "D1"}, "nowhere": set()}
    assert played_into(before, "BackroomsExit") == slots[value]


def test_k29_a_unique_tile_that_may_go_nowhere_is_helped_like_any_other() -> None:
    """Over its like it ignores one Limit, in B1 or D1 that it is Unique, elsewhere both."""
    before = game("B3:BackroomsExit", hand="1:BackroomsExit", unique="nowhere")
    assert "ignore" in names(before)
    relieved = played(before, "ignore")
    assert played_into(relieved, "BackroomsExit") == {"B1", "D1", "B3"}


# --------------------------------------------------------------------------- keywords and cards

KILLED = {"tiles": written((*OWN, KILL, *(everything()[id] for id in PUBLISHED)))}


@both("keywords")
def test_k27_a_disabled_unique_tile(value: str) -> None:
    before = game("A1:Kill C2:Gate", hand="2:Gate+J", keywords=value, **KILLED)
    open_ = set(SLOTS) - {"A1", "C2"}
    assert played_into(before, "Gate") == {"work": {"C2"}, "sleep": open_}[value]


@both("keywords")
def test_k27_a_part_of_a_disabled_combo_leaves_alone_or_not(value: str) -> None:
    before = game("E1:Kill A1:TeleportIn~0 A2:TeleportOut~0", keywords=value, **KILLED)
    gone = played(before, "roll D1-1", "drop A1")
    assert gone.tiles.keys() == {"work": {"E1"}, "sleep": {"E1", "A2"}}[value]


@both("keywords")
def test_k27_a_disabled_virtual_tile_is_destroyed_for_good_or_discarded(value: str) -> None:
    before = game("E1:Kill C3:BackroomsExit C4:TwinA", keywords=value, **KILLED)
    gone = played(before, "roll D1-1", "drop C3")
    there = (gone.zones.virtual, gone.zones.destroyed)
    virtual = bag("BackroomsExit")
    assert there == {"work": (virtual, bag("")), "sleep": (bag(""), virtual)}[value]
    pooled = destroying.discard(before, {"C4"})
    twins = {"work": bag("TwinA"), "sleep": bag("")}
    assert (pooled.zones.virtual, pooled.pool - before.pool) == (twins[value], value == "sleep")


def test_k27_the_part_that_is_chosen_to_follow_may_sleep_alone() -> None:
    """The tiles beside E1 are disabled: that in E2 goes for good, or into the pool."""
    beside = tile("Kill", effect("ongoing", op("disable", tiles="adjacent")))
    lie = "E1:Kill E2:TwinB C3:TwinA A3:TwinB"
    before = game(lie, keywords="sleep", tiles=written((*OWN, beside)))
    gone = played(before, "roll D1-1", "drop C3", "settle", "choose E2")
    assert (gone.zones.virtual, gone.zones.destroyed) == (bag("TwinA"), bag("TwinB"))
    asked = replace(destroying.discard(before, {"C3"}), phase="resolving")
    assert isinstance(asked, Hextraction)
    back = played(asked, "choose E2")
    assert (back.zones.virtual, back.pool - before.pool) == (bag("TwinA"), 1)


@both("combo_part")
def test_k30_who_chooses_the_part_that_follows(value: str) -> None:
    """HC-31 with Blue rolling: a part of Red's falls out, Red has two of the other."""
    lie = "A1:TeleportIn~0 A2:TeleportOut~0 B1:TeleportOut~0 D1:TeleportOut~1"
    before = replace(game(lie, combo_part=value), active=1)
    asked = played(before, "roll D1-1", "drop A1", "settle")
    assert names(asked) == {"choose A2", "choose B1"}
    assert asked.awaited == {"remover": 1, "owner": 0}[value]
    assert asked.question(asked.awaited) is not None
    assert played(asked, "choose A2").tiles.keys() == {"B1", "D1"}


def test_k30_the_parts_of_an_owner_who_left_are_chosen_by_who_removed_them() -> None:
    lie = "A1:TeleportIn~0 A2:TeleportOut~0 B1:TeleportOut~0 D1:TeleportOut~1"
    before = replace(game(lie, combo_part="owner", seats=3), active=1)
    asked = played(before, "concede 0", "roll D1-1", "drop A1", "settle")
    assert asked.awaited == 1


@both("cards")
def test_k31_whether_a_card_can_be_missing_for_what_the_screen_shows(value: str) -> None:
    before = game("C3:Seek C4:?", cards=value)
    assert rule(before, "nocard 1 C3") == {"physical": "", "screen": "K31"}[value]
    assert rule(before, "nocard 1 C4") == ""  # of this one the screen knows nothing


# ---------------------------------------------------------------------------------- end of a roll


@both("left_roll")
def test_k28_hc92_who_leaves_in_their_own_roll(value: str) -> None:
    before = agreed(table("A3 B1", seats=3), left_roll=value)
    rolled = ("roll B1-1", "touch 1 B1", "touch 1 A3", "leave 0", "off 1 A3 5", "settle")
    after = played(before, *rolled)
    assert after.tiles.keys() == {"void": {"A3", "B1"}, "counts": {"B1"}}[value]
    assert (after.active, after.phase, after.rolls) == (1, "idle", 0)


@both("left_roll")
def test_k28_who_has_left_does_not_win_by_the_roll(value: str) -> None:
    before = agreed(table("B1", seats=3), left_roll=value)
    after = played(before, "roll B1-1", "touch 1 B1", "leave 0", "goal 1 ZB", "settle")
    assert (after.winner, after.active) == (None, 1)


@both("roll_end")
def test_k33_a_win_and_tiles_that_the_roll_destroys(value: str) -> None:
    """HC-02: B2 was touched three times, and the ball lies in the end zone."""
    steps = ("roll B1-1", *["touch 1 B2"] * 3, "goal 1 ZB", "settle")
    after = played(agreed(table("B1 B2"), roll_end=value), *steps)
    assert after.winner == 0
    assert after.tiles.keys() == {"win": {"B1", "B2"}, "destroy": {"B1"}}[value]


@both("roll_end")
def test_k33_a_last_word_of_a_destroyed_tile_comes_too_late_for_a_win_or_not(value: str) -> None:
    steps = ("roll B1-1", *["touch 1 B2"] * 3, "goal 1 ZB", "settle")
    after = played(placed("B2:Fate", FATE, with_={"roll_end": value}), *steps)
    if value == "destroy":  # Red will lose; before that a vote could be called (2.8.2)
        assert after.scores is None
        after = played(after, "settle")
    assert after.winner == {"win": 0, "destroy": 1}[value]


@both("mandatory")
def test_k34_a_mandatory_effect_that_may_be_activated_twice(value: str) -> None:
    before = agreed(placed("C3:Duty", DUTY, rolls=1, plays=1), mandatory=value)
    assert rule(before, "end") == "2.7.4.4"
    once = played(before, "activate C3 0")
    assert rule(once, "end") == {"once": "", "while able": "2.7.4.4"}[value]
    assert rule(played(once, "activate C3 0"), "end") == ""


def test_k34_one_without_a_limit_never_holds_up_a_turn() -> None:
    free = replace(DUTY.effects[0], limit_per_turn=None)
    endless = replace(DUTY, effects=(free,))
    before = placed("C3:Duty", endless, rolls=1, plays=1)
    once = played(agreed(before, mandatory="while able"), "activate C3 0")
    assert rule(once, "end") == ""


# ------------------------------------------------------------------------- two of a kind at once

CROWN = tile("Crown", effect("trigger", op("win", who="opponent")))


@pytest.mark.parametrize(("way", "scores"), [("first", (1, 0)), ("draw", (0, 0))])
def test_k40_one_wins_by_a_ball_and_another_by_an_effect(way: str, scores: tuple[int, int]) -> None:
    before = agreed(placed("C3:Crown", CROWN), two_winners=way)
    rolled = played(before, "roll B1-1", "touch 1 C3", "fire 1 C3 a", "goal 1 ZB", "settle")
    assert played(rolled, "settle").scores == scores


@both("two_winners")
def test_k40_one_who_wins_twice_has_won(value: str) -> None:
    glory = tile("Glory", effect("trigger", op("win", who="roller")))
    before = agreed(placed("C3:Glory", glory), two_winners=value)
    rolled = played(before, "roll B1-1", "touch 1 C3", "fire 1 C3 a", "goal 1 ZB", "settle")
    assert played(rolled, "settle").winner == 0


@pytest.mark.parametrize(("way", "hand"), [("both work", 2), ("neither works", 3)])
def test_k42_two_tiles_that_disable_all_others(way: str, hand: int) -> None:
    """A third one lets whoever rolls over it draw a tile, if nothing disables it."""
    before = agreed(placed("C3:Kill C4:Kill D3:Greed", KILL, GREED), disablers=way)
    before = played(before, "play J A1 0")
    after = played(before, "roll B1-1", "touch 1 D3", "fire 1 D3 a", "fell 1 B1", "settle")
    assert after.hands[0] == hand


@both("disablers")
def test_k42_one_alone_disables_the_others(value: str) -> None:
    before = played(agreed(placed("C3:Kill D3:Greed", KILL, GREED), disablers=value), "play J A1 0")
    after = played(before, "roll B1-1", "touch 1 D3", "fire 1 D3 a", "fell 1 B1", "settle")
    assert after.hands[0] == 2


# ------------------------------------------------------------------------------ who rolls again

MAKE = effect("activated", op("roll", who="opponent", ramp="any"), ask="Blue rolls:")


@both("rerolls")
def test_k44_a_tile_voted_off_in_a_roll_that_an_effect_began(value: str) -> None:
    """0.5.8: the active player gets a reroll, not Blue, whom the effect made roll."""
    before = agreed(placed("B1:Act C3", tile("Act", MAKE)), rerolls=value)
    void = ("vote destroy B1 1", "nay 1", "nay 0", "fell 1 D1", "settle")
    after = played(before, "activate B1 0", "roll D1-1", *void)
    again = [dict(e.values)["seat"] for e in after.events if e.key == "hextraction.reroll"]
    assert again == (["Red"] if value == "always" else [])
    assert (after.rolls, after.active, after.phase) == (0, 0, "idle")
    for _ in range(2 if value == "always" else 1):
        assert rule(after, "roll D1-1") == ""
        after = played(after, "roll D1-1", f"fell {after.next_ball} D1", "settle")
    assert rule(after, "roll D1-1") == "2.0.2"


@both("rerolls")
def test_k44_a_tile_voted_off_in_a_roll_that_was_set_off_in_the_turns_own(value: str) -> None:
    """0.5.8: Red's roll is owed again, whoever rolls by then."""
    before = agreed(placed("B1:Gift", GIFT), rerolls=value)
    gift = ("roll B1-1", "touch 1 B1", "fire 1 B1 a", "fell 1 B1", "settle", "roll D1-1")
    void = ("vote destroy B1 1", "nay 1", "nay 0", "fell 2 D1", "settle")
    after = played(before, *gift, *void)
    assert (after.rolls, after.granted, after.active) == (0, {}, 0)
    again = [dict(e.values)["seat"] for e in after.events if e.key == "hextraction.reroll"]
    assert again == ["Red"]


def test_k28_who_leaves_in_a_roll_of_an_effect_has_no_roll_owed_again_to_another() -> None:
    """Red's own roll is done, whether Blue leaves before or after letting the ball go."""
    before = placed("B1:Gift", tile("Gift", effect("trigger", BLUE)), with_={"seats": 3})
    gift = ("roll B1-1", "touch 1 B1", "fire 1 B1 a", "fell 1 B1", "settle", "choose Blue")
    for later in (("leave 1",), ("roll D1-1", "leave 1", "fell 2 D1", "settle")):
        after = played(before, *gift, *later)
        if after.phase == "resolving":  # nobody rolls for Blue
            after = played(after, "settle")
        assert (after.rolls, after.granted, after.phase) == (1, {}, "idle")
        assert "reroll" not in [key for key, _ in told(after)]


def test_a_roll_that_was_void_before_its_roller_left_is_owed_again_0_5_8() -> None:
    before = placed("B1:Gift C3", tile("Gift", effect("trigger", BLUE)), with_={"seats": 3})
    gift = ("roll B1-1", "touch 1 B1", "fire 1 B1 a", "fell 1 B1", "settle", "choose Blue")
    void = ("roll D1-1", "vote destroy C3 0", "nay 0", "nay 1", "nay 2", "leave 1")
    between = played(before, *gift, *void)
    assert not between.unowed
    after = played(between, "fell 2 D1", "settle")
    assert (after.rolls, told(after)[-1]) == (0, ("reroll", "0.5.8"))


# ------------------------------------------------------------------------- until when it is played


@both("playing")
def test_k43_the_effects_of_a_tile_come_once_the_hand_is_off_it_or_as_it_is_said(
    value: str,
) -> None:
    """2.2.5, T.OnPlay. Until then it may be found not to seat (2.2.4.3), and the rest waits."""
    before = agreed(placed("", WELCOME), playing=value)
    said = played(before, "play Welcome C3 0")
    if value == "until stable":
        assert (names(said), said.awaited, said.hands) == ({"settle"}, 0, (2, 3))
        assert parse(str(said), options={"tiles": written([WELCOME])}) == said
        question = said.question(0)
        assert question is not None
        assert (question.message.key, said.question(1)) == ("hextraction.ask_release", None)
        assert rule(said, "roll B1-1") == "2.3.2"
        unfit = played(said, "unfit")
        assert (unfit.tiles, unfit.plays, unfit.hands) == ({}, 0, (3, 3))
        said = played(said, "turn C3 1", "settle")
        assert said.tiles["C3"].rotation == 1
        assert (rule(said, "unfit"), rule(said, "turn C3 2")) == ("2.2.4.2", "2.2.4.2")
    assert (said.hands, said.phase) == ((3, 3), "idle")


@both("playing")
def test_k43_a_vote_on_a_tile_that_was_just_played_in_a_stable_game(value: str) -> None:
    before = played(agreed(table(), playing=value), "play J C3 2")
    after = played(before, "vote destroy C3 1", "nay 1", "yea 0")
    assert after.tiles == {}
    assert (after.plays, after.hands) == {"until stable": (1, (2, 3)), "as said": (0, (3, 3))}[
        value
    ]
    assert rule(before, "unfit") == ""  # nobody has said whether it seats


FULL = "A1 A2 A3 A4 B1 B2 B3 B4 B5 C1 C2 C3 C4 D1 D2 D3 D4 D5 E1 E2 E3 E4"


@both("playing")
def test_k43_on_a_full_board_what_makes_room_is_part_of_the_play(value: str) -> None:
    """2.2.2.1, 2.2.1.3: nobody rolls meanwhile, and the game does not stabilise (T.Overdrive.1)."""
    late = tile("Late", effect("on_play", op("win", who="active"), overdrive=True))
    before = agreed(placed(FULL, late, overdrive=True), playing=value)
    cleared = played(before, "clear C3")
    part = value == "until stable"
    assert (cleared.stable, cleared.overdrive) == (not part, part)
    rules = [rule(cleared, name) for name in ("roll B1-1", "end", "clear C4")]
    assert rules == (["2.2.1.3", "2.2.1.3", "2.2.2.1"] if part else ["", "2.0.1.1", "2.2.2.1"])
    lies = played(cleared, "play Late C3 0")
    after = played(lies, "settle", "settle") if part else lies
    assert (after.winner, after.overdrive) == (0 if part else None, True)


@both("playing")
def test_k43_a_limit_tile_that_is_shown_is_being_played(value: str) -> None:
    """2.2.2.2, 2.2.1.2."""
    before = agreed(game(FULL.removeprefix("A1 "), hand="2:Contagion+TeleportIn"), playing=value)
    shown = played(before, "reveal Contagion")
    part = value == "until stable"
    assert (shown.stable, rule(shown, "roll B1-1")) == (not part, "2.2.1.3" if part else "")
    after = played(shown, "play Contagion C3 0")
    assert (after.relief, after.phase, after.tiles["C3"].tile) == ("", "idle", "Contagion")


def test_what_was_destroyed_to_make_room_has_its_last_word_after_the_play_2_2_5_1() -> None:
    gift = tile("Gift", effect("on_destroy", op("draw", who="active", n=1)))
    cleared = played(placed(f"C3:Gift {FULL.replace('C3 ', '')}", gift), "clear C3")
    assert (cleared.hands, len(cleared.waiting)) == ((3, 3), 1)
    said = played(cleared, "play J C3 0")
    assert (said.hands, names(said)) == ((2, 3), {"settle"})
    assert played(said, "settle").hands == (3, 3)


def test_a_play_that_cannot_go_on_is_given_up_2_2_2_2() -> None:
    """The card of the Limit tile that was shown is missing (2.5.3), and there is another tile."""
    shown = played(
        game(FULL.removeprefix("A1 "), hand="2:Contagion+TeleportIn"), "reveal Contagion"
    )
    after = played(shown, "nocard 0 Contagion", "drew 0 J")
    assert (after.relief, after.phase, after.hands[0]) == ("", "idle", 2)


def test_an_extra_roll_comes_once_the_tile_that_gives_it_lies_2_2_1_3() -> None:
    said = played(placed("", SPARE), "play Spare C3 0")
    assert (said.granted, rule(said, "roll B1-1")) == ({}, "2.3.2")
    assert played(said, "settle").granted == {(0, "roll"): 1}


# --------------------------------------------------------------------------------------- the page

PAGE = Path(__file__).parents[2] / "docs" / "rulings-hextraction.md"


def test_every_ruling_stands_in_the_table_with_its_option_and_values() -> None:
    rows = re.findall(r"^\| (K\d+) \|.*\| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [id for id, _ in rows] == [f"K{n}" for n in range(1, 45)]
    listed = dict(rows)
    for name, option in RULINGS.items():
        default, *others = map(str, option.choices)
        assert f"`{name}`: **{default}**, {', '.join(others)}" in listed[option.rule]
    assert all(("fixed, because" in text) != ("`" in text) for _, text in rows)
