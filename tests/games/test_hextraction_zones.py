"""Tiles of Hextraction that lie on no slot: bag, hands, Virtual Pool, what is out of the game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.games.hextraction.zones import (
    Bag,
    Hand,
    Zones,
    bag,
    copy_of,
    hand,
    owner_of,
    tile_of,
)

COPIES = st.builds(copy_of, st.sampled_from(("J", "X", "Gate", "?")), st.sampled_from((-1, 0, 1)))
BAGS = st.lists(COPIES, max_size=12).map(
    lambda copies: Bag({c: copies.count(c) for c in sorted(set(copies))})
)


# -------------------------------------------------------------------------------------- copies


def test_a_copy_is_a_tile_and_who_owns_it_0_3_2() -> None:
    assert copy_of("J") == "J"
    assert copy_of("J", 1) == "J~1"
    assert (tile_of("J~1"), owner_of("J~1"), owner_of("J")) == ("J", 1, -1)


@given(BAGS)
def test_a_bag_is_written_and_read_back(some: Bag) -> None:
    assert bag(str(some)) == some


@pytest.mark.parametrize("text", ["J*0", "J*1", "X,J", "J,J", "J*-1", ",", "J~x", "J*x"])
def test_a_bag_that_is_not_written_so_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        bag(text)


@pytest.mark.parametrize("text", ["3", "0", "2:J", "3:J+J~1+X"])
def test_a_hand_is_written_and_read_back(text: str) -> None:
    assert str(hand(text)) == text


@pytest.mark.parametrize("text", ["1:J+X", "2:X+J", "-1", "2:", "x"])
def test_a_hand_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        hand(text)


# --------------------------------------------------------------------------------------- zones

LISTED = Zones(bag("?*2,Gate,J*2,X~1"), (Hand((), 2), Hand((), 1)))
"""Three in the bag; nobody knows what the hands hold."""


def test_a_hand_that_is_not_known_may_hold_anything_unseen_k24() -> None:
    assert LISTED.pool == 3
    assert set(LISTED.held(0)) == {"?", "Gate", "J", "X~1"}
    assert LISTED.may_hold(0, "Z")  # two of the tiles were never listed
    assert not Zones(bag("J*3"), (Hand((), 1),)).may_hold(0, "Z")


def test_a_tile_known_to_be_in_one_hand_is_in_no_other() -> None:
    known = LISTED.named(0, "Gate")
    assert "Gate" in known.held(0)
    assert "Gate" not in known.held(1)
    assert known.may_hold(1, "Gate")  # as one of those that nobody listed
    none = Zones(bag("Gate,J*2"), (Hand((), 1), Hand((), 1))).named(0, "Gate")
    assert not none.may_hold(1, "Gate")


def test_what_leaves_a_hand_is_unseen_no_more() -> None:
    after = LISTED.named(0, "Gate").leaves(0, "Gate")
    assert "Gate" not in after.unseen
    assert after.pool == LISTED.pool
    assert after.leaves(0, "Z").unseen == bag("?,J*2,X~1")


def test_what_goes_back_into_the_bag_tells_nobody_what_it_is_1_2_3() -> None:
    after = LISTED.named(0, "Gate").puts_back(0, "Gate")
    assert after == LISTED.puts_back(0, "?")
    assert after.pool == LISTED.pool + 1


ACTS = st.sampled_from(("draws", "named", "leaves", "puts_back", "fetched"))


def acted(zones: Zones, act: str, seat: int, copy: str) -> tuple[Zones, str]:
    """After one thing that may be done, and the copy that lies open then; unchanged and "" where
    it may not."""
    own = zones.hands[seat]
    if act == "draws" and zones.pool:
        return zones.draws(seat), ""
    if act == "named" and own.unknown and (copy in zones.unnamed or "?" in zones.unnamed):
        return zones.named(seat, copy), ""
    if act == "leaves" and zones.may_hold(seat, copy):
        return zones.leaves(seat, copy), copy
    if act == "puts_back" and (copy in own.known or (own.unknown and copy == "?")):
        return zones.puts_back(seat, copy), ""
    if act == "fetched" and zones.pool and (copy in zones.unnamed or "?" in zones.unnamed):
        return zones.fetched(seat, copy), ""
    return zones, ""


@given(BAGS, st.lists(st.tuples(ACTS, st.integers(0, 1), COPIES), max_size=25))
def test_no_tile_is_made_or_lost_and_hands_never_hold_more_than_there_is_0_1_7(
    some: Bag, acts: list[tuple[str, int, str]]
) -> None:
    zones, open_ = Zones(some, (Hand(), Hand())), 0
    for act, seat, copy in acts:
        zones, shown = acted(zones, act, seat, copy)
        open_ += shown != ""
        assert len(zones.census) + open_ == len(some)
        assert zones.pool >= 0
        assert len(zones.unnamed) == zones.pool + sum(h.unknown for h in zones.hands)


@given(BAGS, st.lists(st.tuples(ACTS, st.integers(0, 1), COPIES), max_size=25))
def test_what_one_hand_holds_changes_nothing_that_the_other_may_know_1_2_1(
    some: Bag, acts: list[tuple[str, int, str]]
) -> None:
    """Seat 0 sees the same whether seat 1's tiles are known to the referee or not."""
    zones, blind = Zones(some, (Hand(), Hand())), Zones(some, (Hand(), Hand()))
    for act, seat, copy in acts:
        before = zones
        zones, shown = acted(zones, act, seat, copy)
        if zones == before:
            continue
        if seat == 0 or act == "draws" or shown:
            blind, _ = acted(blind, act, seat, copy)
        elif act == "puts_back":
            blind = blind.puts_back(1, "?")
        elif act == "fetched":
            blind = blind.draws(1)
        assert zones.view(0) == blind.view(0)
        assert zones.view(0).view(0) == zones.view(0)
