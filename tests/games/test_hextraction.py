"""Hextraction's first referee and the digest: hard cases by number, refusals by rule."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hexboard.game.position import CHANCE, Event
from hexboard.games import hextraction
from hexboard.games.hextraction import Hextraction, parse, start
from hexboard.games.hextraction.rules.actions import Concede, OfBall, Play
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.rules.zones import Bag, TileHand, Zones
from hexboard.words.errors import BadText, IllegalAction
from tests.games.properties import check_names, check_parse_refuses, check_play


def table(
    tiles: str = "",
    seats: int = 2,
    pool: int = 54,
    hands: tuple[int, ...] = (),
    **changes: object,
) -> Hextraction:
    """A position with Asterisks (all six edges open) in these slots."""
    held = hands or (3,) * seats
    zones = Zones(Bag().plus("?", pool + sum(held)), tuple(TileHand((), n) for n in held))
    position = replace(start(options={"seats": seats}), zones=zones)
    for slot in tiles.split():
        position = position.with_tile(slot, Placed("Asterisk", 0))
    return replace(position, events=(), **changes)


def played(position: Hextraction, *names: str) -> Hextraction:
    """After these actions, with the events of all of them."""
    events: tuple[Event, ...] = ()
    for name in names:
        action = position.action(name)
        assert not isinstance(action, OfBall) or position.ball(action.ball), name
        position = position.play(action)
        events += position.events
    return replace(position, events=events)


def told(position: Hextraction) -> list[tuple[str, str]]:
    """Key and rule of each event."""
    return [(event.key.removeprefix("hextraction."), event.rule) for event in position.events]


def slots(position: Hextraction, key: str) -> set[str]:
    """The slots of all events of one kind."""
    return {
        str(dict(event.values)["slot"])
        for event in position.events
        if event.key == f"hextraction.{key}"
    }


def lies(position: Hextraction, ball: int, place: str) -> Hextraction:
    return position.with_ball(ball, place)


def pooled(position: Hextraction, size: int) -> Hextraction:
    """The same with so many tiles in the bag, whatever they are."""
    more = size - position.pool
    zones = replace(position.zones, unseen=position.zones.unseen.plus("?", more))
    return replace(position, zones=zones)


ALL = " ".join(cell.id for cell in start().board.cells)


def test_a_ball_is_put_into_a_ramp_and_let_go_2_1_1() -> None:
    rolling = played(table("B1"), "roll B1-1")
    assert told(rolling) == [("rolls", "2.1.1")]
    assert (rolling.places(), rolling.roller, rolling.phase) == (((1, "B1-1"),), 0, "rolling")


# ------------------------------------------------------------------- touches and Break the Loop


def test_hc02_a_ball_in_the_end_zone_wins_before_anything_is_destroyed() -> None:
    after = played(
        table("B1 B2 B5"),
        *("roll B1-1", "touch 1 B1", "touch 1 B2", "touch 1 B2", "touch 1 B2", "goal 1 ZB"),
        "settle",
    )
    assert after.winner == 0
    assert after.scores == (1, 0)
    assert after.tiles.keys() == {"B1", "B2", "B5"}
    assert told(after)[-1] == ("wins", "2.1.5.2")


def test_hc03_breaking_the_loop_destroys_at_once_what_was_touched_three_times() -> None:
    """T.BreakLoop.1."""
    rolling = played(
        table("B2 C2 D2"), "roll B1-1", *["touch 1 B2", "touch 1 C2"] * 3, *["touch 1 D2"] * 2
    )
    assert "break" in {rolling.name(action) for action in rolling.legal}
    assert slots(rolling, "loop_offer") == {"B2", "C2"}
    after = played(rolling, "break")
    assert after.tiles.keys() == {"D2"}
    assert slots(after, "loop") == {"B2", "C2"}
    assert after.phase == "rolling"
    assert after.broken
    assert told(after) == [("loop", "2.1.4.3")] * 2


def test_hc04_after_the_loop_is_broken_the_moving_ball_may_still_win() -> None:
    after = played(table("B5"), "roll B1-1", *["touch 1 B5"] * 3, "break", "goal 1 ZB", "settle")
    assert after.winner == 0


def test_hc06_only_the_ball_that_comes_in_touches_a_tile_where_another_lies() -> None:
    """T.Touch.A."""
    after = played(lies(table("C3"), 1, "C3"), "roll D1-1", "touch 2 C3")
    assert after.touches == {"C3": 1}


def test_hc07_a_knocked_ball_that_comes_back_has_touched_both_tiles_once() -> None:
    """T.Touch.B."""
    after = played(
        lies(table("C3 C4"), 1, "C3"), "roll D1-1", "touch 1 C4", "touch 1 C3", "rest 1 C3"
    )
    assert after.touches == {"C3": 1, "C4": 1}


def test_hc08_a_ball_that_slides_off_a_seam_into_one_of_its_tiles_touches_neither() -> None:
    after = played(lies(table("C3 C4"), 1, "C3-C4"), "roll D1-1", "rest 1 C4")
    assert after.touches == {}


def test_hc10_touches_are_counted_anew_in_every_roll() -> None:
    first = played(table("B2", plays=1), "roll B1-1", "touch 1 B2", "touch 1 B2", "rest 1 B2")
    assert first.touches == {"B2": 2}
    second = played(first, "settle", "end", "roll B1-1", "touch 2 B2", "rest 2 B2")
    assert second.touches == {"B2": 1}
    after = played(second, "settle")
    assert "B2" in after.tiles
    assert not slots(after, "loop")


def test_hc10_even_touches_that_a_ruling_left_behind_do_not_count_in_a_new_roll() -> None:
    before = parse(str(table("B2")).replace("touches=", "touches=B2:2"))
    assert played(before, "roll B1-1", "touch 1 B2").touches == {"B2": 1}


def test_the_loop_is_broken_without_asking_when_the_roll_ends_2_1_5_4() -> None:
    rolling = played(table("B2 C2"), "roll B1-1", *["touch 1 B2"] * 3, "touch 1 C2", "rest 1 C2")
    after = played(rolling, "settle")
    assert after.tiles.keys() == {"C2"}
    assert told(after) == [("loop", "2.1.5.4")]


def test_three_touches_by_three_balls_break_the_loop_as_well_k13() -> None:
    before = lies(lies(table("B2"), 1, "A1"), 2, "A2")
    rolling = played(before, "roll B1-1", "touch 1 B2", "touch 2 B2", "wall 3 B2")
    assert rolling.touches == {"B2": 3}
    assert "break" in {rolling.name(action) for action in rolling.legal}


def test_touching_an_open_slot_counts_for_nothing() -> None:
    assert played(table(), "roll B1-1", *["touch 1 B1"] * 3).touches == {}


# --------------------------------------------------------------------- balls and destruction


def test_hc47_the_last_tile_touched_by_a_ball_that_left_is_destroyed() -> None:
    after = played(table("B3 A3"), "roll B1-1", "touch 1 B3", "touch 1 A3", "off 1 A3 5", "settle")
    assert after.tiles.keys() == {"B3"}
    assert told(after)[-1] == ("lost_tile", "2.1.5.3")
    assert after.balls == ()


def test_hc48_nothing_more_is_destroyed_when_that_tile_is_gone_already() -> None:
    after = played(
        table("B3 A3"),
        *("roll B1-1", "touch 1 B3", *["touch 1 A3"] * 3, "break", "off 1 A3 5", "settle"),
    )
    assert after.tiles.keys() == {"B3"}
    assert slots(after, "loop") == {"A3"}
    assert slots(after, "lost_tile") == set()


def test_a_ball_knocked_over_the_side_destroys_the_tile_it_lay_on_2_1_4_1() -> None:
    """It rested on A3 since an earlier roll; all moving balls count as rolled."""
    earlier = played(table("A3", plays=1), "roll B1-1", "touch 1 A3", "rest 1 A3", "settle", "end")
    after = played(replace(earlier, plays=1), "roll B1-1", "off 1 A3 5", "fell 2 B1", "settle")
    assert slots(after, "lost_tile") == {"A3"}


def test_a_ball_knocked_into_an_end_zone_wins_2_1_4_1() -> None:
    after = played(lies(table("B5"), 1, "B5"), "roll D1-1", "goal 1 ZB", "fell 2 D1", "settle")
    assert after.winner == 0


def test_hc95_the_last_tile_is_the_one_it_left_from_not_the_wall_it_bounced_off() -> None:
    after = played(
        table("B3 C3 A3"),
        *("roll B1-1", "touch 1 B3", "wall 1 C3", "touch 1 A3", "off 1 A3 5"),
    )
    assert after.touches == {"B3": 1, "C3": 1, "A3": 1}
    assert slots(played(after, "settle"), "lost_tile") == {"A3"}


def test_hc50_with_every_lane_stuck_the_tile_below_is_destroyed() -> None:
    before = lies(lies(table("B1"), 1, "B1-6"), 2, "B1-2")
    after = played(before, "roll B1-1", "rest 3 B1-1", "settle")
    assert slots(after, "blocked") == {"B1"}
    assert after.rolls == 1


def test_hc50_k10_with_every_lane_stuck_over_an_open_slot_the_roll_is_owed_again() -> None:
    before = lies(lies(table("D1"), 1, "B1-6"), 2, "B1-2")
    after = played(before, "roll B1-1", "rest 3 B1-1", "settle")
    assert after.tiles.keys() == {"D1"}
    assert ("clear_lanes", "2.1.3.2") in told(after)
    assert after.rolls == 0


def test_k10_a_ball_stuck_in_its_lane_is_followed_by_another_in_the_same_turn() -> None:
    stuck = played(table("B1", plays=1), "roll B1-1", "rest 1 B1-1", "settle")
    assert ("stuck", "2.1.3.1") in told(stuck)
    assert stuck.tiles.keys() == {"B1"}
    after = played(stuck, "roll B1-2", "touch 2 B1", "rest 2 B1", "settle")
    assert after.refusal(after.action("end")) is None


def test_hc51_a_ball_that_falls_through_an_open_slot_is_ignored() -> None:
    """2.1.5.1."""
    after = played(table("C3", plays=1), "roll B1-1", "fell 1 B1", "settle")
    assert after.tiles.keys() == {"C3"}
    assert after.balls == ()
    assert after.refusal(after.action("end")) is None  # the roll is done


def test_hc52_a_ball_that_fell_and_bounced_into_the_end_zone_does_not_win() -> None:
    after = played(table("B4"), "roll B1-1", "touch 1 B4", "fell 1 B5", "goal 1 ZB", "settle")
    assert after.scores is None
    assert after.balls == ()


def test_hc54_a_ball_that_came_back_out_of_the_end_zone_does_not_win() -> None:
    after = played(table("B5"), "roll B1-1", "goal 1 ZB", "touch 1 B5", "rest 1 B5", "settle")
    assert after.scores is None
    assert ("back", "2.9.1.1") in told(after)
    assert after.places() == ((1, "B5"),)


def test_hc55_a_ball_that_lay_in_the_end_zone_before_the_roll_does_not_win() -> None:
    after = played(
        lies(table("C3"), 1, "zone:ZB"), "roll D1-1", "touch 2 C3", "rest 2 C3", "settle"
    )
    assert after.scores is None
    assert after.places() == ((1, "zone:ZB"), (2, "C3"))  # and it stays where it lies (2.11.2)


def test_hc56_a_ball_on_the_lip_of_the_end_zone_does_not_win() -> None:
    assert played(table("B5"), "roll B1-1", "touch 1 B5", "rest 1 B5", "settle").scores is None


def test_hc58_a_ball_that_slips_into_the_end_zone_outside_a_roll_does_not_win() -> None:
    after = played(lies(table("B5"), 1, "B5"), "goal 1 ZB")
    assert after.scores is None
    later = played(after, "roll D1-1", "fell 2 D1", "settle")
    assert later.scores is None
    assert later.places() == ((1, "zone:ZB"),)


def test_hc59_a_ball_bumped_between_turns_touches_nothing_and_lies_where_it_lies() -> None:
    after = played(lies(table("C3 C4"), 1, "C3"), "touch 1 C4", "rest 1 C4")
    assert after.touches == {}
    assert after.places() == ((1, "C4"),)
    assert after.phase == "idle"


def test_a_ball_that_leaves_the_board_outside_a_roll_is_only_gone_2_11_1() -> None:
    after = played(lies(table("A3"), 1, "A3"), "off 1 A3 5", "roll D1-1", "fell 1 D1", "settle")
    assert after.tiles.keys() == {"A3"}


def test_a_ball_released_out_of_turn_is_an_accident_2_11_1() -> None:
    after = played(table("B1", rolls=1), "accident B1-1", "touch 1 B1", "goal 1 ZB")
    assert ("accident", "2.11.1") in told(after)
    assert after.scores is None
    assert after.touches == {}


def test_hc80_a_tile_that_comes_out_in_a_roll_is_destroyed_and_its_touches_are_kept() -> None:
    rolling = played(table("B2 C2"), "roll B1-1", *["touch 1 B2"] * 3, "drop B2")
    assert rolling.tiles.keys() == {"C2"}
    assert rolling.touches == {"B2": 3}
    assert ("dropped", "2.4.3") in told(rolling)
    assert slots(played(rolling, "rest 1 C2", "settle"), "loop") == set()


def test_k32_a_tile_that_comes_out_between_rolls_is_not_destroyed() -> None:
    after = played(table("B2"), "drop B2")
    assert after == table("B2")


def test_hc16_a_voided_roll_destroys_nothing_and_is_owed_again() -> None:
    rolling = played(table("B3 A3"), "roll B1-1", *["touch 1 A3"] * 3, "off 1 A3 5")
    after = rolling.void()
    assert after.tiles.keys() == {"B3", "A3"}
    assert told(after) == [("voided", "0.5.8")]
    assert (after.phase, after.rolls, after.balls, after.touches) == ("idle", 0, (), {})


def test_a_roll_that_changes_nothing_still_says_that_it_is_over() -> None:
    rolling = played(table("C3"), "roll B1-1", "touch 1 C3", "rest 1 C3")
    assert told(played(rolling, "settle")) == [("settled", "2.1.4")]


def test_t_break_loop_counts_from_when_the_roll_began_not_the_turn() -> None:
    first = played(table("B2", plays=1), "roll B1-1", *["touch 1 B2"] * 2, "rest 1 B2", "settle")
    second = played(replace(first, rolls=0), "roll B1-1", "touch 2 B2")
    with pytest.raises(IllegalAction) as caught:
        second.play(second.action("break"))
    assert caught.value.message.rule == "2.1.4.3"


# --------------------------------------------------------------------------- turn, hand and pool


def test_hc70_a_turn_cannot_end_before_roll_and_play_are_done() -> None:
    before = table()
    assert refused(before, "end") == "2.0.1.1"
    assert refused(played(before, "play J C3 0"), "end") == "2.0.1.1"
    rolled = played(before, "roll B1-1", "fell 1 B1", "settle")
    assert refused(rolled, "end") == "2.0.1.1"
    assert refused(played(rolled, "play J C3 0"), "end") is None


def test_at_the_end_of_a_turn_the_hand_is_drawn_up_to_three_1_2_2() -> None:
    after = played(table("C4", rolls=1), "play J C3 0", "end")
    assert (after.hands, after.pool) == ((3, 3), 53)
    assert (after.active, after.turn, after.rolls, after.plays) == (1, 2, 0, 0)


def test_hc71_a_hand_of_five_is_brought_down_to_three() -> None:
    after = played(table(hands=(5, 3), rolls=1, plays=1), "end")
    assert (after.hands, after.pool) == ((3, 3), 56)
    assert told(after) == [("discards", "1.2.3")]


def test_hc72_with_three_in_hand_and_an_empty_pool_the_game_goes_on() -> None:
    after = played(table(pool=0, hands=(3, 3), rolls=1, plays=1), "end")
    assert after.scores is None
    assert after.active == 1


def test_an_empty_pool_when_a_tile_must_be_drawn_is_a_draw_2_10_1() -> None:
    after = played(table(pool=0, hands=(2, 3), rolls=1, plays=1), "end")
    assert after.scores == (0, 0)
    assert told(after) == [("pool_empty", "2.10.1")]


def test_the_last_tiles_are_drawn_before_the_empty_pool_ends_the_game() -> None:
    after = played(table(pool=1, hands=(1, 3), rolls=1, plays=1), "end")
    assert (after.hands, after.pool, after.scores) == ((2, 3), 0, (0, 0))


def test_hc74_on_a_full_board_exactly_one_tile_is_destroyed_to_play_one() -> None:
    full = table(ALL)
    moves = {full.name(action) for action in full.legal}
    assert {f"clear {slot}" for slot in ALL.split()} <= moves
    assert refused(full, "play J C3 0") == "2.2.1"
    cleared = played(full, "clear C3")
    assert cleared.tiles.keys() == set(ALL.split()) - {"C3"}
    assert ("cleared", "2.2.2.1") in told(cleared)
    assert refused(cleared, "clear C4") == "2.2.2.1"
    assert played(cleared, "play J C3 0").tiles["C3"] == Placed("J", 0)


# ------------------------------------------------------------------------- Overdrive and Offline


def test_hc82_overdrive_comes_on_after_the_tile_that_fills_the_board_is_played() -> None:
    before = table(ALL.removesuffix("E4"))
    assert not before.overdrive
    after = played(before, "play J E4 0")
    assert after.overdrive
    assert told(after) == [("plays", "2.2.4"), ("overdrive_on", "T.Overdrive.1")]


def test_hc83_overdrive_stays_on_until_the_game_stabilises() -> None:
    rolling = played(table(ALL), "roll B1-1", "drop C3")
    assert rolling.overdrive
    after = played(rolling, "touch 1 B1", "rest 1 B1", "settle")
    assert not after.overdrive
    assert ("overdrive_off", "T.Overdrive.1") in told(after)


def test_hc84_offline_follows_the_rail_only_when_the_game_stabilises() -> None:
    rolling = played(table("B1"), "roll B1-1", "rail off")
    assert not rolling.offline
    asleep = played(rolling, "touch 1 B1", "rest 1 B1", "settle")
    assert asleep.offline
    assert ("offline_on", "T.Offline.1") in told(asleep)
    again = played(asleep, "rail on")
    assert again.offline
    assert not played(again, "play J C3 0").offline


def test_a_board_without_power_is_always_offline() -> None:
    board = replace(start().board, powered=False)
    assert start(board).offline


# ------------------------------------------------------------------------------ losing and leaving


def test_hc90_a_loser_with_a_ball_in_the_end_zone_does_not_win() -> None:
    after = played(table("B5"), "roll B1-1", "goal 1 ZB", "concede 0", "settle")
    assert after.winner == 1
    assert ("last_one", "2.9.1.3") in told(after)


def test_hc91_when_everybody_loses_at_once_it_is_a_draw() -> None:
    after = played(table("B5"), "roll B1-1", "goal 1 ZB", "concede 0", "concede 1", "settle")
    assert after.scores == (0, 0)


def test_losing_waits_until_the_game_stabilises_2_8_1() -> None:
    rolling = played(table(), "roll B1-1", "concede 1")
    assert rolling.phase == "rolling"
    assert played(rolling, "fell 1 B1", "settle").winner == 0


def test_of_three_players_the_turn_of_one_who_concedes_goes_on_to_the_next() -> None:
    after = played(table(seats=3), "concede 0")
    assert (after.active, after.turn, after.rolls, after.plays) == (1, 2, 0, 0)
    rolled = played(table(seats=3), "roll B1-1", "concede 0", "concede 1", "fell 1 B1", "settle")
    assert rolled.winner == 2
    rolled = played(table(seats=3), "roll B1-1", "concede 0", "fell 1 B1", "settle")
    assert (rolled.active, rolled.rolls, rolled.phase) == (1, 0, "idle")


def test_a_concession_in_a_roll_that_is_voided_still_counts() -> None:
    assert played(table(), "roll B1-1", "concede 1").void().winner == 0


def test_a_turn_passes_over_those_who_have_lost() -> None:
    after = played(table(seats=3, rolls=1, plays=1), "concede 1", "end")
    assert after.active == 2


# -------------------------------------------------------------------------------------- refusals


def refused(position: Hextraction, name: str) -> str | None:
    """The rule that refuses this, after seeing that `play` refuses it too."""
    refusal = position.refusal(position.action(name))
    if refusal is None:
        return None
    with pytest.raises(IllegalAction) as caught:
        position.play(position.action(name))
    assert caught.value.message == refusal
    return refusal.rule


ROLLING = played(table("C3"), "roll B1-1", "touch 1 C3")
OVER = played(table("B5"), "roll B1-1", "goal 1 ZB", "settle")


@pytest.mark.parametrize(
    ("position", "action", "rule"),
    [
        (table(), "end", "2.0.1.1"),
        (table(rolls=1), "end", "2.0.1.1"),
        (table(rolls=1), "roll B1-1", "2.0.2"),
        (table(plays=1), "play J C3 0", "2.0.3"),
        (table(), "roll B1-3", "2.1.1.2"),
        (table(), "settle", "2.1.4"),
        (ROLLING, "break", "2.1.4.3"),
        (table("C3"), "play J C3 0", "2.2.1"),
        (table(), "play Teleport C3 0", "2.2.1"),
        (table(), "play J F1 0", "2.2.1"),
        (table(hands=(0, 3)), "play J C3 0", "2.2.1"),
        (table("C3"), "clear C3", "2.2.2.1"),
        (table(), "play DIC C3 1", "2.2.4.1"),
        (table(), "play J C3 6", "2.2.4.1"),
        (ROLLING, "roll B1-1", "2.3.2"),
        (ROLLING, "play J C4 0", "2.3.2"),
        (ROLLING, "end", "2.3.2"),
        (OVER, "roll B1-1", "2.9.1"),
        (OVER, "end", "2.9.1"),
        (OVER, "concede 1", "2.8.1.2"),
        (table(), "concede 2", "2.8.1.2"),
        (table(), "concede -1", "2.8.1.2"),
    ],
)
def test_a_refusal_names_its_rule(position: Hextraction, action: str, rule: str) -> None:
    assert refused(position, action) == rule


@pytest.mark.parametrize(
    "action", ["fell 1 F9", "touch 1 F9", "off 1 C3 1", "goal 1 ZX", "rest 1 C3-E1", "drop F9"]
)
def test_what_cannot_happen_on_this_board_is_refused(action: str) -> None:
    before = lies(table("C3"), 1, "C3")
    assert refused(before, action)


@pytest.mark.parametrize("action", ["touch 9 C3", "fell 9 C3", "goal 9 ZB", "rest 9 C3", "gone 9"])
def test_what_happens_to_a_ball_nobody_knows_changes_and_says_nothing(action: str) -> None:
    after = ROLLING.play(ROLLING.action(action))
    assert after == ROLLING
    assert after.events == ()


# ------------------------------------------------------------------------ what is legal, and who


def test_at_the_start_one_may_roll_in_six_lanes_or_play_any_tile_that_seats_anywhere() -> None:
    """2.0.1, 2.1.1, T.Legal; red goes first (1.0.9)."""
    legal = table().legal
    assert sum(table().name(a).startswith("roll") for a in legal) == 6
    # 22 slots x (DIC 2 + DC 4 + Peace 4 turns + five tiles of six turns, and the unknown tile)
    assert sum(table().name(a).startswith("play") for a in legal) == 22 * (2 + 4 + 4 + 30 + 6)
    assert len(legal) == 6 + 22 * 46


def test_the_active_seat_moves_and_nobody_chooses_what_balls_do() -> None:
    position = table(active=1)
    assert position.actor(position.action("roll B1-1")) == 1
    assert position.actor(position.action("concede 0")) == 0
    assert position.actor(position.action("fell 1 C3")) == CHANCE
    assert position.actor(position.action("settle")) == CHANCE


@pytest.mark.parametrize(
    ("position", "key"),
    [
        (table(), "ask_roll_play"),
        (table(ALL), "ask_roll_clear"),
        (table(ALL, rolls=1), "ask_clear"),
        (table(rolls=1), "ask_play"),
        (table(plays=1), "ask_roll"),
        (table(hands=(0, 3)), "ask_roll"),
        (table(rolls=1, plays=1), "ask_end"),
        (ROLLING, "ask_wait"),
        (played(ROLLING, "touch 1 C3", "touch 1 C3"), "ask_break"),
    ],
)
def test_the_question_says_what_the_active_seat_may_do(position: Hextraction, key: str) -> None:
    question = position.question(0)
    assert question is not None
    assert question.message.key == f"hextraction.{key}"
    assert position.question(1) is None


def test_nobody_is_asked_anything_after_the_end() -> None:
    assert OVER.question(0) is None


# ----------------------------------------------------------------------------------- texts


def test_an_action_is_written_the_way_people_say_it() -> None:
    position = table()
    check_names(position, ["play J C3 2", "off 1 A3 5", "rail on", "rail off", "rest 1 C3-C4"])
    for bad in ("", "play", "play J C3", "play J C3 2 ", "Play J C3 2", "play J C3 02", "rail yes"):
        with pytest.raises(BadText):
            position.action(bad)


def test_a_position_is_written_and_read_back_with_balls_everywhere() -> None:
    before = lies(lies(lies(table("C3 B1"), 1, "C3-C4"), 2, "B1-6"), 3, "zone:ZB")
    after = played(before, "roll D1-1", "off 1 A3 5", "fell 2 C4", "concede 1", "rail off")
    assert parse(str(after)) == after


@given(st.data())
def test_a_garbled_position_is_refused_or_read_back_as_written(data: st.DataObject) -> None:
    before = lies(table("C3 B1 A3"), 1, "C3-C4")
    texts = [str(before), str(ROLLING), str(OVER)]
    check_parse_refuses(data, texts, parse)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("seat=0/2", "seat=2/2"),
        ("seat=0/2", "seat=0/3"),
        ("hands=3,3", "hands=3"),
        ("hands=3,3", "hands=3,-1"),
        ("pool=54", "pool=-1"),
        ("conceded=", "conceded=5"),
        ("winner=-", "winner=0"),
        ("done=0,0", "done=-1,0"),
        ("tiles=", "tiles=C3:DIC:1"),
        ("tiles=", "tiles=F1:J:0"),
        ("balls=", "balls=0@C3."),
        ("balls=", "balls=1@C3.,1@C4."),
        ("balls=", "balls=1@off:C3-1!"),
        ("balls=", "balls=1@nowhere."),
        ("touches=", "touches=F1:1"),
        ("idle", "asleep"),
    ],
)
def test_a_position_that_cannot_be_is_refused(old: str, new: str) -> None:
    text = str(start())
    assert old in text
    with pytest.raises(BadText):
        parse(text.replace(old, new))


@pytest.mark.parametrize(
    "options", [{"seats": 1}, {"seats": 7}, {"pool": -1}, {"pool": "54"}, {"speed": 1}]
)
def test_an_option_that_cannot_be_is_refused(options: dict[str, int | str]) -> None:
    with pytest.raises(BadText):
        start(options=options)


def test_a_board_without_ramps_is_refused() -> None:
    """1.0.1: a board for this game is there."""
    with pytest.raises(BadText):
        start(replace(start().board, ramps=()))


# ------------------------------------------------------------------------------- what is seen


def test_what_is_seen_tells_every_tile_and_turn_apart() -> None:
    codes = set()
    plays = [action for action in start().legal if isinstance(action, Play)]
    for tile, rotation in {(play.tile, play.rotation) for play in plays}:
        seen = start().with_tile("B3", Placed(tile, rotation)).seen()
        place = [cell.id for cell in start().board.cells].index("B3")
        assert len(seen) == 22
        assert not any(seen[:place] + seen[place + 1 :])
        codes.add(seen[place])
    assert len(codes) == 40 + 1
    assert 0 not in codes


def test_a_tile_touched_three_times_is_marked_as_doomed_and_the_end_zone_of_a_win_as_won() -> None:
    marks = played(ROLLING, "touch 1 C3", "touch 1 C3").scene()
    assert ("C3", "doomed", 3) in [(m.place, m.meaning, m.count) for m in marks]
    assert ("B5", "win") in [(m.place, m.meaning) for m in OVER.scene()]


# --------------------------------------------------------------------------- as every game must


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_hextraction_is_a_game_like_any_other(data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 4))
    position = pooled(start(options={"seats": seats}), data.draw(st.sampled_from((0, 2, 54))))
    check_play(
        data,
        hextraction.GAME,
        position,
        lambda text: parse(text, options={"seats": seats}),
        happenings,
    )


def happenings(position: Hextraction) -> st.SearchStrategy[str]:
    """What may happen to the balls, tiles and power of any board, well formed."""
    board = position.board
    ball = st.integers(0, position.next_ball).map(str)
    slot = st.sampled_from([cell.id for cell in board.cells])
    place = st.sampled_from(
        [*board.cell, *(board.seam(c, e) for c, e, _ in board.shared_edges), "B1-6", "zone:ZD"]
    )
    exits = st.sampled_from([f"{cell} {edge}" for cell, edge in board.exits])
    zones = st.sampled_from(["ZB", "ZD"])
    return st.one_of(
        st.tuples(st.sampled_from(("touch", "wall", "fell")), ball, slot),
        st.tuples(st.just("touch"), ball, st.sampled_from(("B1", "B2"))),
        st.tuples(st.just("off"), ball, exits),
        st.tuples(st.just("goal"), ball, zones),
        st.tuples(st.just("rest"), ball, place),
        st.tuples(st.just("gone"), ball),
        st.tuples(st.just("drop"), slot),
        st.sampled_from([("rail", "on"), ("rail", "off"), ("accident", "D1-2")]),
    ).map(" ".join)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_tile_is_ever_made_or_lost(data: st.DataObject) -> None:
    """0.1.7: pool, hands, board and what was destroyed are always as many as at the start."""
    position = table(ALL, pool=6, seats=3)
    total = count(position)
    destroyed = 0
    for _ in range(data.draw(st.integers(1, 40))):
        moves = st.sampled_from((*position.legal, Concede(2)))
        action = data.draw(st.one_of(moves, happenings(position).map(position.action)))
        if position.refusal(action):
            continue
        position = position.play(action)
        kinds = {"loop", "lost_tile", "dropped", "cleared", "blocked", "three_balls"}
        destroyed += sum(e.key.removeprefix("hextraction.") in kinds for e in position.events)
        assert count(position) + destroyed == total


def count(position: Hextraction) -> int:
    return position.pool + sum(position.hands) + len(position.tiles)
