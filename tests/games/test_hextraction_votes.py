"""Votes on tiles (0.5): hard cases by number, refusals by rule."""

import pytest

from hexboard.games.hextraction import Hextraction, parse
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.rules.votes import Vote
from hexboard.scene import Mark, Meaning
from tests.games.test_hextraction import played, pooled, table, told
from tests.games.test_hextraction_effects import WELCOME
from tests.games.test_hextraction_effects import table as placed

ROLLING = ("roll B1-1", "touch 1 B1")


def last(position: Hextraction) -> tuple[str, str]:
    return told(position)[-1]


def test_the_proposer_votes_first_then_the_others_in_turn_order_0_5_2() -> None:
    open_vote = played(table("C3", seats=3), "vote destroy C3 1")
    assert open_vote.question(1) is not None
    assert open_vote.question(0) is None
    assert {open_vote.name(a) for a in open_vote.legal} == {"yea 1", "nay 1"}
    shown = {mark.meaning for mark in open_vote.scene()}
    assert Meaning.ASK in shown
    assert not shown & {Meaning.LEGAL, Meaning.OPEN}  # no lane and no slot invites meanwhile
    second = played(open_vote, "yea 1")
    assert second.awaited == 2
    assert played(second, "nay 2").awaited == 0


def test_a_tile_that_people_put_in_place_of_another_has_no_vote_on_it() -> None:
    asked = played(table("C3"), "vote destroy C3 1", "nay 1")
    swapped = asked.with_tile("C3", Placed("J", 2))
    assert swapped.vote is None
    assert swapped.legal
    assert parse(str(swapped)) == swapped
    beside = asked.with_tile("D3", Placed("J", 2))
    assert beside.vote == asked.vote


def test_hc19_a_tie_destroys_0_5_4() -> None:
    after = played(table("C3"), "vote destroy C3 0", "nay 0", "yea 1")
    assert "C3" not in after.tiles
    assert after.vote is None
    assert ("voted_off", "0.5.4") in told(after)


def test_more_yeas_than_nays_keep_the_tile_0_5_4() -> None:
    after = played(table("C3", seats=3), "vote destroy C3 0", "nay 0", "yea 1", "yea 2")
    assert "C3" in after.tiles
    assert last(after) == ("kept", "0.5.4")


@pytest.mark.parametrize(
    ("done", "action", "rule"),
    [
        (("vote destroy C3 0",), "vote destroy C3 1", "0.5.1"),
        (("vote destroy C3 0",), "roll B1-1", "0.5.1"),
        (("vote destroy C3 0",), "play J C4 0", "0.5.1"),
        (("vote destroy C3 0",), "yea 1", "0.5.2"),
        ((), "yea 0", "0.5.1"),
        ((), "vote destroy C4 0", "0.5.1"),
        ((), "vote destroy Z9 0", "0.5.1"),
        ((), "vote destroy C3 7", "0.5.3"),
    ],
)
def test_hc20_while_a_vote_is_open_nobody_does_anything_else(
    done: tuple[str, ...], action: str, rule: str
) -> None:
    position = played(table("C3"), *done)
    refusal = position.refusal(position.action(action))
    assert refusal is not None
    assert refusal.rule == rule


def test_hc20_who_leaves_during_a_vote_takes_the_ballot_along_2_8_4() -> None:
    position = table("C3", seats=3)
    after = played(position, "vote destroy C3 2", "nay 2", "yea 0", "leave 2", "yea 1")
    assert "C3" in after.tiles


def test_who_concedes_in_a_vote_is_still_heard_2_8_1_2() -> None:
    """Two nays and a yea: only who leaves takes the ballot along."""
    position = table("C3", seats=3)
    after = played(position, "vote destroy C3 2", "nay 2", "concede 2", "yea 0", "nay 1")
    assert "C3" not in after.tiles
    assert after.conceded == (2,)


def test_hc15_a_tile_voted_off_in_a_roll_voids_the_roll_0_5_8() -> None:
    off = played(table("B1 C2"), *ROLLING, "vote destroy C2 1", "nay 1", "nay 0")
    assert off.phase == "rolling"
    after = played(off, "goal 1 ZB", "settle")
    assert after.winner is None
    assert after.phase == "idle"
    assert after.rolls == 0
    assert last(after) == ("reroll", "0.5.8")


def test_hc16_a_roll_voided_by_a_vote_destroys_nothing_more() -> None:
    before = played(table("A3 B1 C2"), *ROLLING, *["touch 1 A3"] * 3)
    after = played(before, "vote destroy C2 1", "nay 1", "nay 0", "off 1 A3 5", "settle")
    assert after.tiles.keys() == {"A3", "B1"}


def test_hc18_k4_a_vote_that_fails_in_a_roll_changes_nothing_and_the_ball_goes_on() -> None:
    before = played(table("B1 C2", seats=3), *ROLLING, "vote destroy C2 1")
    rest = played(before, "goal 1 ZB", "settle")
    assert rest.phase == "rolling"
    assert rest.vote == Vote("C2", 1, settled=True)
    assert played(rest, "yea 1", "yea 2", "yea 0").winner == 0


def test_hc22_a_tile_voted_off_while_it_is_played_is_replaced_and_played_again_0_5_7() -> None:
    """Its On Play is pending: the hand is not off it yet."""
    after = played(placed("", WELCOME), "play Welcome C3 0", "vote destroy C3 1", "nay 1", "yea 0")
    assert (after.tiles, after.plays, after.hands, after.pool) == ({}, 0, (3, 3), 53)


def test_a_tile_that_set_nothing_off_is_played_once_the_game_is_stable_0_5_7() -> None:
    """2.2.5.2, T.Playing: nothing is resolved, and Red may roll. Even an empty bag is no draw."""
    before = played(table(pool=0), "play J C3 2")
    assert before.stable
    after = played(before, "vote destroy C3 1", "nay 1", "yea 0")
    assert (after.tiles, after.plays, after.hands, after.scores) == ({}, 1, (2, 3), None)


def test_a_tile_whose_effects_are_resolved_is_played_0_5_7() -> None:
    before = played(placed("", WELCOME), "play Welcome C3 0", "settle")
    after = played(before, "vote destroy C3 1", "nay 1", "yea 0")
    assert (after.tiles, after.plays, after.hands, after.pool) == ({}, 1, (3, 3), 53)


def test_a_tile_voted_off_after_its_play_is_not_replaced() -> None:
    before = played(table(), "play J C3 2", "roll B1-1", "fell 1 B1", "settle")
    after = played(before, "vote destroy C3 1", "nay 1", "nay 0")
    assert (after.tiles, after.plays, after.hands) == ({}, 1, (2, 3))


def test_hc24_with_an_empty_pool_the_replacement_is_a_draw() -> None:
    before = pooled(placed("", WELCOME), 0)
    after = played(before, "play Welcome C3 0", "vote destroy C3 1", "nay 1", "yea 0")
    assert after.scores == (0, 0)
    assert last(after) == ("pool_empty", "2.10.1")


def test_the_tile_under_vote_is_lit_and_the_vote_is_in_the_text() -> None:
    position = played(table("C3"), *ROLLING, "vote destroy C3 1", "nay 1", "settle")
    assert Mark("C3", Meaning.ASK) in position.scene()
    assert "vote=C3/1/1n!" in str(position)
    assert parse(str(position)) == position


def test_a_tile_that_falls_out_under_vote_ends_the_vote() -> None:
    after = played(table("B1 C2"), *ROLLING, "vote destroy C2 1", "drop C2")
    assert after.vote is None
