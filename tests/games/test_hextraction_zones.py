"""Tiles of Hextraction that lie on no slot: bag, hands, Virtual Pool, what is out of the game."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hexboard.facts import Declare, Fact, Start
from hexboard.game.position import Event
from hexboard.games import hextraction
from hexboard.games.hextraction import Hextraction, parse, rules, start
from hexboard.games.hextraction.rules import destroying, hands
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.rules.zones import (
    Bag,
    TileHand,
    Zones,
    bag,
    copy_of,
    owner_of,
    tile_of,
)
from hexboard.games.hextraction.rules.zones import hand as hand_of
from hexboard.games.hextraction.table.balls import Balls
from hexboard.games.hextraction.tiles.catalogue import everything, written
from hexboard.games.hextraction.tiles.effects import Operation, TileEffect
from hexboard.games.hextraction.tiles.tile import DESCRIBED, Described
from hexboard.lights.frame import LightSettings, Power
from hexboard.table.core import Table
from hexboard.web.sheet import table_sheet
from hexboard.words import Value
from hexboard.words.errors import BadText
from tests.games.test_hextraction import pooled

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
    assert str(hand_of(text)) == text


@pytest.mark.parametrize("text", ["1:J+X", "2:X+J", "-1", "2:", "x"])
def test_a_hand_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        hand_of(text)


# --------------------------------------------------------------------------------------- zones

LISTED = Zones(bag("?*2,Gate,J*2,X~1"), (TileHand((), 2), TileHand((), 1)))
"""Three in the bag; nobody knows what the hands hold."""


def test_a_hand_that_is_not_known_may_hold_anything_unseen_k24() -> None:
    assert LISTED.pool == 3
    assert set(LISTED.held(0)) == {"?", "Gate", "J", "X~1"}
    assert LISTED.may_hold(0, "Z")  # two of the tiles were never listed
    assert not Zones(bag("J*3"), (TileHand((), 1),)).may_hold(0, "Z")


def test_a_tile_known_to_be_in_one_hand_is_in_no_other() -> None:
    known = LISTED.named(0, "Gate")
    assert "Gate" in known.held(0)
    assert "Gate" not in known.held(1)
    assert known.may_hold(1, "Gate")  # as one of those that nobody listed
    none = Zones(bag("Gate,J*2"), (TileHand((), 1), TileHand((), 1))).named(0, "Gate")
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
    zones, open_ = Zones(some, (TileHand(), TileHand())), 0
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
    zones, blind = Zones(some, (TileHand(), TileHand())), Zones(some, (TileHand(), TileHand()))
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


# ------------------------------------------------------------------------------- a game of them

GATE = Described(
    schema=DESCRIBED,
    id="Gate",
    name="Gate",
    set="own",
    source="test",
    nets=((1, 4),),
    sockets=(1, 2, 3, 4, 5, 6),
    keywords=("unique",),
)
PLAIN_GATE = replace(GATE, id="OldGate", owner="Bea", keywords=())
TWIN_A = replace(GATE, id="TwinA", name="Twin", keywords=("virtual", "combo"), combo=("TwinB",))
TWIN_B = replace(TWIN_A, id="TwinB", combo=("TwinA",))
BOUNCE = TileEffect("on_play", (Operation("bounce", who="opponent", tiles="one adjacent"),))
OWN = (GATE, PLAIN_GATE, TWIN_A, TWIN_B)
PUBLISHED = ("BackroomsExit", "TeleportIn", "TeleportOut", "Void", "Contagion", "Seek")
TILES = written((*OWN, *(everything()[id] for id in PUBLISHED)))
SLOTS = [cell.id for cell in start().board.cells]


def game(lie: str = "", *, hand: str = "", other: str = "", **options: Value) -> Hextraction:
    """Tiles like "C3:Gate~1" on the board; the hands as they are written, the rest as agreed."""
    agreed = {"tiles": TILES, "hands": "scan" if hand else "blind", **options}
    position = start(options=agreed)
    for item in lie.split():
        slot, _, copy = item.partition(":")
        placed = Placed(tile_of(copy) or "Asterisk", 0, owner_of(copy))
        position = position.with_tile(slot, placed)
    hands = [read for read in (hand, other) if read]
    for seat, text in enumerate(hands):
        held = hand_of(text)
        known = (*position.zones.hands[:seat], held, *position.zones.hands[seat + 1 :])
        zones = replace(position.zones, hands=known)
        more = len(held) - 3
        position = replace(position, zones=replace(zones, unseen=zones.unseen.plus("?", more)))
    return replace(position, events=())


def full(but: str = "") -> str:
    """Asterisks in every slot but some."""
    return " ".join(slot for slot in SLOTS if slot not in but.split())


def after(position: Hextraction, *names: str) -> Hextraction:
    """After these actions, with the events of all of them."""
    events: tuple[Event, ...] = ()
    for name in names:
        position = position.play(position.action(name))
        events += position.events
    return replace(position, events=events)


def names(position: Hextraction) -> set[str]:
    return {position.name(action) for action in position.legal}


def rule(position: Hextraction, name: str) -> str:
    """The rule by which an action is refused, "" if it is not."""
    refusal = position.refusal(position.action(name))
    return refusal.rule if refusal else ""


def said(position: Hextraction) -> list[tuple[str, str]]:
    return [(event.key.removeprefix("hextraction."), event.rule) for event in position.events]


def played_into(position: Hextraction, tile: str) -> set[str]:
    """The slots into which a tile may be played."""
    return {name.split(" ")[2] for name in names(position) if name.startswith(f"play {tile} ")}


# ---------------------------------------------------------------------------- Combo and Virtual


def test_hc30_a_combo_needs_a_slot_for_each_part_and_the_single_tile_is_legal() -> None:
    before = game(full("C3"), hand="2:J+TeleportIn")
    assert played_into(before, "TeleportIn") == set()
    assert played_into(before, "J") == {"C3"}
    assert rule(before, "play TeleportIn C3 0") == "T.Limit"
    assert {rule(before, "ignore"), rule(before, "clear A1")} == {"2.2.2.3", "2.2.2.1"}


def test_a_combo_is_broken_apart_and_both_parts_are_placed_2_2_1_1() -> None:
    """T.Combo.1."""
    first = after(game(hand="3:J+TeleportIn+X"), "play TeleportIn C3 0")
    assert first.hands == (2, 3)
    assert not first.stable
    assert {name.split(" ")[1] for name in names(first)} == {"TeleportOut"}
    assert "C4" not in played_into(first, "TeleportOut")  # not below the way in
    second = after(first, "play TeleportOut B2 0")
    assert (second.phase, second.plays, second.hands) == ("idle", 1, (2, 3))
    assert second.tiles.keys() == {"C3", "B2"}


def test_hc31_of_two_parts_of_one_owner_the_remover_picks_one() -> None:
    """T.Combo.4."""
    before = game("C3:J~0 A1:TeleportIn~0 A2:TeleportOut~0 B1:TeleportOut~0 D1:TeleportOut~1")
    rolling = after(before, "roll D1-1", "drop A1", "settle")
    assert names(rolling) == {"choose A2", "choose B1"}
    gone = after(rolling, "choose B1")
    assert gone.tiles.keys() == {"C3", "A2", "D1"}
    assert gone.zones.destroyed == bag("TeleportIn~0,TeleportOut~0")
    assert gone.phase == "idle"


def test_the_only_other_part_follows_unasked_2_4_6() -> None:
    before = game("A1:TeleportIn~0 A2:TeleportOut~0 D1:TeleportOut~1")
    gone = after(before, "roll D1-1", "drop A1")
    assert gone.tiles.keys() == {"D1"}
    assert said(gone)[1:] == [("dropped", "2.4.3"), ("follows", "2.4.6")]


def test_hc32_a_discarded_combo_is_one_tile_in_the_pool() -> None:
    """2.4.7; and not in the Virtual Pool (T.VirtualPool.1)."""
    before = game("A1:TeleportIn~0 A2:TeleportOut~0")
    gone = destroying.discard(before, {"A2"})
    assert gone.tiles == {}
    assert gone.zones.unseen.count("TeleportIn~0") == 1
    assert (gone.pool, len(gone.zones.loose)) == (before.pool + 1, 0)
    assert len(gone.zones.virtual) == 0


def test_the_counterpart_of_a_virtual_combo_goes_with_it_whoever_owns_it_t_combo_5() -> None:
    gone = after(game("A1:TwinA~0 D1:TwinB~1"), "roll B1-1", "drop A1")
    assert gone.tiles == {}
    assert gone.zones.virtual == bag("TwinA~0,TwinB~1")


def test_a_tile_of_the_board_goes_to_a_hand_and_a_combo_whole_t_combo_4() -> None:
    spring = replace(GATE, id="Spring", name="Spring", keywords=(), effects=(BOUNCE,))
    tiles = written((*OWN, spring, *(everything()[id] for id in PUBLISHED)))
    lie = "A1:TeleportIn~1 D1:TeleportOut~1 C4:J~1"
    before = game(lie, tiles=tiles)
    gone = after(before, "play Spring B1 0", "settle")
    assert gone.zones.hands[1] == hand_of("4:TeleportIn~1")
    assert (set(gone.tiles), len(gone.zones.loose)) == ({"B1", "C4"}, 0)
    assert rule(replace(gone, active=1, plays=0), "play TeleportIn~1 A1 0") == ""
    assert parse(str(gone), options={"tiles": tiles}) == gone


PRESS = TileEffect("on_play", (Operation("put_on_bag", tiles="one adjacent"),))


def test_a_combo_lies_on_the_bag_once_it_is_whole_and_a_virtual_one_never_does() -> None:
    press = replace(GATE, id="Press", name="Press", keywords=(), effects=(PRESS,))
    tiles = written((*OWN, press, *(everything()[id] for id in PUBLISHED)))
    lie = "A1:TeleportIn~1 D1:TeleportOut~1 C1:TwinA~1"
    before = game(lie, tiles=tiles)
    whole = after(before, "play Press B1 0", "settle", "choose A1")
    assert (whole.zones.top, set(whole.tiles)) == (("TeleportIn~1",), {"B1", "C1"})
    assert (whole.pool, len(whole.zones.loose)) == (before.pool + 1, 0)
    assert parse(str(whole), options={"tiles": tiles}) == whole
    virtual = after(before, "play Press B1 0", "settle", "choose C1")
    assert (virtual.zones.top, virtual.zones.virtual) == ((), bag("TwinA~1"))
    assert virtual.pool == before.pool


def test_what_lies_on_the_bag_is_in_no_hand_is_found_there_and_taken_back_from_it() -> None:
    on_top = Zones(bag("?*5,J,X~1"), (TileHand((), 2), TileHand()), top=("X~1", "J"))
    assert (on_top.pool, str(on_top.unnamed)) == (5, "?*5")
    assert not {"J", "X~1"} & {*on_top.held(0)}
    assert on_top.looked_through("J").fetched(1, "J").top == ("X~1",)
    assert on_top.looked_through("Gate").top == ("X~1", "J")
    begun = game("C4:J", seats=3)
    unseen = begun.zones.unseen.plus("J~2").plus("X")
    lain = replace(begun, zones=replace(begun.zones, unseen=unseen, top=("X", "J~2")))
    assert {"J~2", "X"} <= {*hands.unseen(lain)}
    left = after(lain, "leave 2")
    done = after(left, "reclaim 2 1")
    assert (done.zones.top, done.zones.reclaimed) == (("X",), bag("J~2"))


def test_no_more_lies_on_the_bag_than_is_in_it() -> None:
    begun = game()
    one = str(replace(begun, zones=replace(begun.zones, unseen=bag("?*7"))))
    assert parse(f"{one} top=X", options={"tiles": TILES}).zones.top == ("X",)
    for top in ("X,X", "Nothing"):
        with pytest.raises(BadText):
            parse(f"{one} top={top}", options={"tiles": TILES})


def test_the_counterpart_of_a_virtual_combo_in_a_hand_goes_into_its_pool_t_combo_5() -> None:
    """Whoever owns it; of several whoever removed the first one chooses."""
    spring = replace(GATE, id="Spring", name="Spring", keywords=(), effects=(BOUNCE,))
    tiles = written((*OWN, spring, *(everything()[id] for id in PUBLISHED)))
    before = game("A1:TwinA~1 D1:TwinB~0 E1:TwinB~1 C1:J~1", tiles=tiles)
    asked = after(before, "play Spring B1 0", "settle", "choose A1")
    assert (asked.awaited, names(asked)) == (0, {"choose D1", "choose E1"})
    assert parse(str(asked), options={"tiles": tiles}) == asked
    gone = after(asked, "choose D1")
    assert gone.zones.hands[1] == hand_of("4:TwinA~1")
    assert gone.zones.virtual == bag("TwinB~0")
    assert gone.tiles.keys() == {"B1", "E1", "C1"}


def test_hc34_a_virtual_combo_without_its_counterpart_goes_into_the_virtual_pool() -> None:
    before = game(hand="3:J+TwinA+X")
    lacking = after(before, "play TwinA C3 0", "lack")
    assert lacking.zones.virtual == bag("TwinA")
    assert (lacking.tiles, lacking.hands, lacking.plays) == ({}, (3, 3), 0)
    assert said(lacking)[-1] == ("plays_again", "T.Combo.3")
    none = replace(before.zones, unseen=bag("?*6"))
    over = after(replace(before, zones=none), "play TwinA C3 0", "lack")
    assert (over.scores, said(over)[-1]) == ((0, 0), ("pool_empty", "2.10.1"))


def test_a_counterpart_in_the_virtual_pool_is_created_whoever_owns_it_t_combo_2() -> None:
    before = game(hand="3:J+TwinA~0+X", virtual="TwinB~1")
    first = after(before, "play TwinA~0 C3 0")
    assert "lack" not in names(first)
    both = after(first, "play TwinB~1 B2 0")
    assert len(both.zones.virtual) == 0
    assert {placed.copy for placed in both.tiles.values()} == {"TwinA~0", "TwinB~1"}


def test_hc35_a_virtual_tile_destroyed_is_in_the_virtual_pool_and_counts_as_destroyed() -> None:
    """2.4.2, T.Destroy.3, T.Virtual.2."""
    gone = after(game("C3:BackroomsExit"), "roll D1-1", "drop C3")
    assert gone.zones.virtual == bag("BackroomsExit")
    assert len(gone.zones.destroyed) == 0
    assert said(gone)[-1] == ("dropped", "2.4.3")


def test_hc36_tiles_of_the_virtual_pool_are_never_drawn() -> None:
    """T.Virtual.4, T.VirtualPool.2."""
    before = pooled(game(virtual="TwinA*5", hand="2:J+X"), 0)
    over = after(replace(before, rolls=1, plays=1), "end")
    assert over.scores == (0, 0)
    assert over.zones.virtual == bag("TwinA*5")


# ------------------------------------------------------------------------- Overwrite and Unique


def test_hc39_a_unique_tile_overwrites_the_one_on_the_board() -> None:
    """T.Unique.1, T.TileKeyword."""
    before = game("C2:Gate A1", hand="2:Gate+J")
    assert played_into(before, "Gate") == {"C2"}
    assert rule(before, "play Gate C3 0") == "T.Limit"
    over = after(before, "play Gate C2 1")
    assert over.tiles["C2"] == Placed("Gate", 1)
    assert over.zones.destroyed == bag("Gate")
    assert ("overwritten", "T.Overwrite") in said(over)


def test_hc40_a_tile_of_that_name_that_is_not_unique_binds_nobody() -> None:
    before = game("C2:OldGate", hand="2:Gate+J")
    assert played_into(before, "Gate") == set(SLOTS) - {"C2"}


def test_k29_where_it_cannot_overwrite_a_unique_tile_goes_anywhere() -> None:
    before = game("B3:BackroomsExit", hand="2:BackroomsExit+J")  # only in the highest open slot
    assert played_into(before, "BackroomsExit") == {"B1", "D1"}


def test_hc42_a_unique_tile_is_exchanged_as_often_as_one_likes() -> None:
    before = game("C2:Gate", hand="3:Gate+Gate+J")
    once = after(before, "discard Gate")
    assert (once.hands, once.pool, once.phase) == ((3, 3), before.pool, "idle")
    twice = after(once, "discard Gate")
    assert twice.zones.hands[0] == TileHand(("J",), 2)
    assert rule(game(hand="1:Gate"), "discard Gate") == "T.Unique.2"
    empty = replace(before.zones, unseen=bag("?*6"))
    back = after(replace(before, zones=empty), "discard Gate")
    assert back.scores is None  # what was discarded is what is drawn


def test_hc43_overwriting_one_part_of_a_combo_destroys_the_other() -> None:
    before = game("A1:TeleportIn~0 A2:TeleportOut~0", hand="1:Contagion")
    over = after(replace(before, relief="Contagion"), "play Contagion A2 0")
    assert over.tiles == {"A2": Placed("Contagion", 0)}
    assert over.zones.destroyed == bag("TeleportIn~0,TeleportOut~0")


# ---------------------------------------------------------------------------- nothing is legal


def test_hc74_on_a_full_board_just_enough_is_destroyed_to_play_the_smallest_tile() -> None:
    before = game(full(), hand="2:J+TeleportIn")
    one = after(before, "clear C3")
    assert rule(one, "clear C4") == "2.2.2.1"
    assert played_into(one, "J") == {"C3"}
    assert played_into(one, "TeleportIn") == set()


def test_with_nothing_but_a_combo_two_tiles_are_destroyed_2_2_2_1() -> None:
    one = after(game(full(), hand="1:TeleportIn"), "clear C3")
    assert names(one) >= {"clear C4"}
    two = after(one, "clear B2")
    assert rule(two, "clear C4") == "2.2.2.1"
    assert played_into(two, "TeleportIn")


def test_hc75_a_limit_tile_that_is_shown_overwrites_anything_but_keeps_its_limit_k20() -> None:
    top = [cell.id for cell in start().board.cells if start().board.neighbour(cell.id, 1) is None]
    before = game(full("B1"), hand="2:Contagion+TeleportIn")  # not in the top row; two slots
    assert not [name for name in names(before) if name.startswith("play")]
    assert names(before) >= {"reveal Contagion"}
    shown = after(before, "reveal Contagion")
    assert played_into(shown, "Contagion") == set(SLOTS) - set(top)
    assert rule(shown, "play Contagion B1 0") == "T.Limit"
    done = after(shown, "play Contagion C3 0")
    assert (done.relief, done.tiles["C3"].tile) == ("", "Contagion")


def test_hc76_where_overwriting_does_not_help_the_fewest_effects_are_ignored() -> None:
    before = replace(game("A1", hand="1:Void"), rolls=1)  # not after rolling
    assert rule(before, "reveal Void") == "2.2.2.2"
    assert names(before) == {"ignore"}
    ignoring = after(before, "ignore")
    assert played_into(ignoring, "Void") == set(SLOTS) - {"A1"}
    assert after(ignoring, "play Void C3 0").tiles["C3"].tile == "Void"


def test_k24_of_a_hand_that_is_not_known_people_say_that_nothing_is_legal() -> None:
    """2.2.2."""
    blind = replace(game("A1"), rolls=1)
    assert names(blind) >= {"ignore"}
    assert rule(blind, "reveal Contagion") == "2.2.2.2"  # it is legal in many slots
    assert rule(game("A1", tiles=""), "ignore") == "2.2.2.3"  # there are no tiles with Limits


def test_2_2_4_3_a_tile_that_seats_in_no_way_is_destroyed_and_another_played() -> None:
    done = after(game(hand="3:J+J+X"), "play J C3 0", "unfit")
    assert (done.tiles, done.plays, done.hands) == ({}, 0, (3, 3))
    assert done.zones.destroyed == bag("J")
    assert rule(done, "unfit") == "2.2.4.2"
    assert said(done)[1:] == [("unfit", "2.2.4.3"), ("plays_again", "2.2.4.3")]


# ----------------------------------------------------------------------------- the end of a turn


def test_hc71_which_tiles_are_discarded_is_the_players_choice() -> None:
    """A Virtual one goes into the Virtual Pool (T.Virtual.3)."""
    before = replace(game(hand="5:Gate+J+J+TwinA+X"), rolls=1, plays=1)
    over = after(before, "end")
    assert (over.active, over.ending) == (0, True)
    assert names(over) == {f"discard {tile}" for tile in ("Gate", "J", "TwinA", "X", "?")}
    assert (rule(over, "roll B1-1"), rule(over, "discard Z")) == ("1.2.3", "1.2.3")
    unread = after(over, "discard ?", "discard ?").zones.hands[0]
    assert unread == TileHand((), 3)  # nobody knows which are left
    next_ = after(over, "discard TwinA", "discard X")
    assert next_.zones.virtual == bag("TwinA")
    assert next_.zones.hands[0] == TileHand(("Gate", "J", "J"))
    assert (next_.active, next_.ending, next_.pool) == (1, False, before.pool + 1)


def test_hc72_nothing_is_drawn_to_a_hand_of_three() -> None:
    before = replace(pooled(game(hand="3:J+J+X"), 0), rolls=1, plays=1)
    assert after(before, "end").scores is None


# ------------------------------------------------------------------------- leaving, reclaiming


def test_hc87_a_replacement_that_cannot_be_drawn_ends_the_game() -> None:
    three: dict[str, Value] = {"seats": 3, "bag": "Gate~2,J*27", "tiles": TILES}
    before = after(start(options=three), "leave 2")
    assert rule(before, "return 1 J~0") == "2.8.3"
    back = after(before, "return 1 Gate~2")
    assert (back.hands, back.zones.reclaimed) == ((3, 3, 3), bag("Gate~2"))
    empty = replace(before.zones, unseen=bag("?*8,Gate~2"))
    over = after(replace(before, zones=empty), "return 1 Gate~2")
    assert (over.scores, said(over)[-1]) == ((0, 0, 0), ("pool_empty", "2.10.1"))


def test_2_8_3_2_an_owner_takes_tiles_from_board_bag_and_virtual_pool() -> None:
    """And as many balls as they brought (2.8.3.3, 1.0.3)."""
    agreed: dict[str, Value] = {
        "seats": 3,
        "bag": "Gate~2*2,J*27",
        "virtual": "TwinA~2,TwinB~1",
        "balls": 4,
        "tiles": TILES,
    }
    begun = start(options=agreed).with_tile("C3", Placed("Gate", 0, 2))
    before = after(begun.with_tile("C4", Placed("J", 0)), "leave 2")
    assert rule(before, "reclaim 2 1") == "2.8.3.2"  # two are listed
    assert rule(before, "reclaim 1 0") == "2.8.3"
    done = after(before, "reclaim 2 3")  # and one that nobody had listed
    assert done.zones.reclaimed == bag("?~2,Gate~2*3,TwinA~2")
    assert (set(done.tiles), done.zones.virtual) == ({"C4"}, bag("TwinB~1"))
    assert dict(done.events[-1].values) == {"seat": "Green", "tiles": 4, "balls": 4}
    assert (done.hands, done.pool) == ((3, 3, 0), before.pool + 3 - 3)


def test_hc88_the_boards_owner_having_lost_declares_a_draw() -> None:
    before = after(game(seats=3, board_owner=2), "concede 2")
    assert rule(before, "draw 1") == "2.8.3"
    assert rule(after(game(seats=3), "concede 2"), "draw 2") == "2.8.3.1"
    over = after(before, "draw 2")
    assert (over.scores, said(over)[-1]) == ((0, 0, 0), ("calls_draw", "2.8.3.1"))


def test_hc92_who_leaves_in_their_own_roll_owes_none_and_the_turn_passes() -> None:
    rolling = after(game("B5", seats=3), "roll B1-1", "goal 1 ZB", "leave 0")
    assert rolling.voided
    done = after(rolling, "settle")
    assert (done.scores, done.active, done.rolls) == (None, 1, 0)
    assert "reroll" not in dict(said(done))


def test_k28_a_combo_that_was_not_placed_to_the_end_goes_into_the_pool() -> None:
    placing = after(game(hand="1:TeleportIn", seats=3), "play TeleportIn C3 0")
    done = after(placing, "leave 0")
    assert (done.tiles, done.parts, done.pool) == ({}, (), placing.pool + 1)
    assert "TeleportIn" in done.zones.unseen


def test_hc20_who_leaves_does_so_in_a_vote_too_and_nobody_reclaims_in_one() -> None:
    voting = after(game("C3", seats=3), "concede 2", "vote destroy C3 0")
    assert rule(voting, "reclaim 2 0") == "0.5.1"
    assert rule(voting, "leave 1") == ""


def test_2_5_3_a_tile_whose_rules_nobody_can_show_is_destroyed() -> None:
    before = game("C3:Gate C4:J", hand="2:Gate+J")
    done = after(before, "nocard 1 C3")
    assert (set(done.tiles), done.zones.destroyed) == ({"C4"}, bag("Gate"))
    assert rule(before, "nocard 1 C4") == "2.5.1"  # no star
    held = after(before, "nocard 0 Gate")
    assert (held.hands, held.zones.destroyed) == ((2, 3), bag("Gate"))
    assert held.pool == before.pool - 1


# ----------------------------------------------------------------------------------- the start


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"bag": "J*21"}, "22"),
        ({"bag": "J~0*24"}, "25"),  # Blue brought none and draws three (1.0.7)
        ({"bag": "J*30,Nix"}, "Nix"),
        ({"bag": "J*30,J~7"}, "J~7"),
        ({"bag": "J*x"}, "J*x"),
        ({"bag": "TeleportOut*30", "tiles": TILES}, "TeleportOut"),
        ({"virtual": "J"}, "J"),
        ({"pool": 21}, "still needs 22"),  # whoever brought tiles: the hands were drawn before
        ({"pool": 0, "sets": "basic,demo"}, "still needs 22"),
        ({"pool": 15, "opening": "bag"}, "still needs 16 tiles, so that with the hands"),  # K19
        ({"bag": "BackroomsEntrance,J*30", "sets": "basic,BackroomsEntrance"}, "BackroomsExit"),
    ],
)
def test_1_0_4_a_bag_that_will_not_do_is_refused(options: dict[str, Value], part: str) -> None:
    with pytest.raises(BadText) as caught:
        start(options=options)
    assert part in str(caught.value)


def test_virtual_tiles_begin_in_the_virtual_pool_or_do_not_1_0_5() -> None:
    """T.Virtual.1."""
    begun = start(options={"bag": "J*30,TwinA", "virtual": "TwinA*2,TwinB~1", "tiles": TILES})
    assert begun.zones.virtual == bag("TwinA*2,TwinB~1")
    assert begun.zones.unseen.count("TwinA") == 1


def test_1_0_4_a_pool_of_as_many_as_the_board_has_slots_will_do() -> None:
    assert start(options={"pool": 22}).pool == 22


def test_k19_hands_that_come_out_of_the_pool_count_for_its_least_size_1_0_4() -> None:
    assert start(options={"pool": 22 - 2 * 3, "opening": "bag"}).pool == 16
    assert start(options={"pool": 4, "opening": "bag", "seats": 6}).pool == 4


def test_1_0_7_who_brought_tiles_picks_three_and_the_others_draw_k19() -> None:
    """1.0.6: three tiles of the first seat's that nobody has named are beside those listed."""
    begun = start(options={"bag": "J~0*25"})
    assert (begun.pool, begun.hands) == (22, (3, 3))
    assert begun.zones.unseen == bag("?*3,J~0*25")


def test_an_opening_hand_is_three_different_tiles_of_who_brought_some_1_0_6() -> None:
    begun = start(options={"bag": "J~0*25,X~0", "hands": "scan"})
    one = after(begun, "drew 0 J~0", "drew 1 J~0", "drew 1 J~0")  # who brought none draws blindly
    assert rule(one, "drew 0 J~0") == "1.0.6"
    assert rule(one, "drew 0 J") == "1.0.6"  # that it is another's does not make it different
    picked = after(one, "drew 0 X~0", "drew 0 Peace")
    assert parse(str(picked), options={"hands": "scan", "bag": "J~0*25,X~0"}) == picked
    rolled = after(picked, "roll B1-1", "fell 1 B1", "settle", "play J~0 C3 0", "end")
    assert rule(rolled, "drew 0 X~0") == ""  # drawn since


# ------------------------------------------------------------------------- Create and search


def entrance(**options: Value) -> Hextraction:
    """A ball is in the hole of a Backrooms Entrance, which creates the exit if there is none."""
    sets = "basic,BackroomsEntrance,BackroomsExit"
    before = start(options={"sets": sets, "hands": "scan", **options})
    before = before.with_tile("C3", Placed("BackroomsEntrance", 0))
    return after(before, "roll D1-1", "touch 1 C3", "fire 1 C3 door", "settle")


def test_hc38_a_tile_is_created_while_the_roll_is_still_open() -> None:
    """It leaves the Virtual Pool, as it can in no other way (T.Virtual.4, T.VirtualPool.2)."""
    before = entrance(virtual="BackroomsExit~1")
    waiting = [name for name in names(before) if name.startswith("resolve")]
    asked = after(before, min(waiting)) if waiting else before
    assert played_into(asked, "BackroomsExit~1") == {"B1", "D1"}  # its Limit
    made = after(asked, "play BackroomsExit~1 B1 0")
    assert made.tiles["B1"] == Placed("BackroomsExit", 0, 1)
    assert len(made.zones.virtual) == 0
    assert made.hands == (3, 3)
    assert ("plays", "2.2.4") in said(made)


def test_what_is_to_be_created_may_be_nowhere_t_create() -> None:
    before = entrance()
    waiting = [name for name in names(before) if name.startswith("resolve")]
    asked = after(before, min(waiting)) if waiting else before
    assert "lack" in names(asked)
    assert "BackroomsExit" not in {t.tile for t in after(asked, "lack").tiles.values()}


def test_a_tile_looked_for_in_the_bag_is_shown_and_kept_t_pool_2() -> None:
    """T.Pool.1 to T.Pool.3."""
    begun = game("C3:Seek", hand="3:J+J+X", bag="Gate,J*24")
    before = after(begun, "roll D1-1", "touch 1 C3", "fire 1 C3 area", "settle")
    assert names(before) == {"choose J", "choose X", "choose ?"}
    asked = after(before, "choose X")
    assert names(asked) >= {"choose Gate", "choose none"}
    done = after(asked, "choose Gate")
    assert done.zones.hands[0].known == ("Gate", "J", "J")
    assert done.view(1).zones.hands[0] == TileHand((), 3)
    told = [key for key, _ in said(done)]
    assert (done.pool, told[-2:]) == (begun.pool, ["finds", "freed"])
    on_top = replace(asked, zones=replace(asked.zones, top=("Gate", "J")))
    assert names(on_top) == names(asked)
    assert after(on_top, "choose Gate").zones.top == ("J",)


# ------------------------------------------------------------------------------------- secrets


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_another_seats_hand_changes_nothing_that_one_may_know_1_2_1(data: st.DataObject) -> None:
    """Two deals that differ only in what Blue holds: equal views, texts, lights and messages."""
    kinds = st.sampled_from(("J", "X", "Gate", "Void", "Z", "TeleportIn"))
    hands = [data.draw(st.lists(kinds, min_size=3, max_size=3), label="hand") for _ in range(2)]
    deals = [game(hand="3:J+Void+X", other=f"3:{'+'.join(sorted(hand))}") for hand in hands]
    for _ in range(data.draw(st.integers(0, 12))):
        one, two = deals
        assert [str(one.view(seat)) for seat in (0, 2)] == [str(two.view(seat)) for seat in (0, 2)]
        assert (one.scene(), one.events, one.seen()) == (two.scene(), two.events, two.seen())
        assert one.question(0) == two.question(0)
        both = sorted(names(one) & names(two))
        if not both:
            break
        name = data.draw(st.sampled_from(both), label="action")
        deals = [deal.play(deal.action(name)) for deal in deals]


@pytest.mark.long
@settings(max_examples=10, deadline=None)
@given(st.data())
def test_what_a_seat_is_told_leads_it_to_what_it_may_know(data: st.DataObject) -> None:
    position = game("C3:Gate", hand="3:Gate+J+X", other="5:J+TeleportIn+Void")
    for _ in range(data.draw(st.integers(1, 15))):
        if not (legal := sorted(names(position))):
            break
        drew = ("drew 1 X", "drew 1 Gate") if position.zones.hands[1].unknown else ()
        act = position.action(data.draw(st.sampled_from((*legal, *drew)), label="action"))
        for seat in (0, 1, 2):
            view = position.view(seat)
            assert view.view(seat) == view
            heard = {view.action(position.told(move, seat)) for move in position.legal}
            assert heard <= set(view.legal)
            assert view.play(view.action(position.told(act, seat))) == position.play(act).view(seat)
            assert parse(str(view), options=OPTIONS_OF_SCAN) == view
        position = position.play(act)


def test_a_tile_that_was_read_is_told_to_nobody_else() -> None:
    before = game(hand="3:J")
    drew = before.action("drew 0 X")
    done = before.play(drew)
    assert (before.told(drew, 0), before.told(drew, 1)) == ("drew 0 X", "drew 0 ?")
    assert done.events == ()
    assert done.view(1) == before.view(1)
    assert rule(done, "drew 1 Nix") == "2.2.1"
    assert rule(game(), "drew 0 X") == "K24"


def test_a_page_and_the_recorded_state_know_nothing_of_a_hand() -> None:
    texts = []
    for tile in ("J", "Void"):
        begin = Start("m", "hextraction-22", "", "hextraction", rules(), OPTIONS_OF_SCAN, "")
        table = Table(hextraction.GAME, start().board, begin, Balls)
        table.step(Fact(2, 0, 0, "page", Declare(1, f"drew 1 {tile}")))
        assert isinstance(table.sensing, Balls)
        assert table.sensing.believed.position.zones.hands[1].known == (tile,)
        view: Any = table.view()
        pages = [
            table_sheet(view, side, journalled=0, power=Power(), lights=LightSettings())
            for side in (-1, 0, 1)
        ]
        assert pages[2]["hand"] == [tile, "2 not read yet"]
        texts.append((str(pages[:2]), str(table.state())))
    assert texts[0] == texts[1]


OPTIONS_OF_SCAN: dict[str, Value] = {"tiles": TILES, "hands": "scan"}


def test_how_a_turn_ends_tells_nobody_what_a_hand_holds_1_2_1() -> None:
    """A Unique tile may be discarded for another while its like lies there (T.Unique.2): as far as
    others know, any hand may hold one."""
    done = []
    for lie, hand in product(("C3:Gate", "C3:J"), ("2:J+J", "2:Gate+J")):
        turn = replace(game(lie, hand=hand), rolls=1, plays=1)
        done.append((turn.done, rule(turn, "end")))
    assert done == [(False, ""), (False, ""), (True, ""), (True, "")]
    blind = replace(game("C3:Gate"), rolls=1, plays=1)
    assert not blind.done


def test_2_8_3_2_what_others_are_known_to_hold_is_given_back_first() -> None:
    before = after(game(hand="2:Gate~2+J", seats=3), "leave 2")
    assert rule(before, "reclaim 2 0") == "2.8.3.2"
    assert rule(after(before, "return 0 Gate~2"), "reclaim 2 0") == ""


# ------------------------------------------------------------------------------ from hand to hand


def test_a_tile_is_given_from_hand_to_hand_and_nobody_else_sees_which_1_2_1() -> None:
    beg = replace(
        GATE,
        id="Beg",
        name="Beg",
        keywords=(),
        effects=(TileEffect("on_play", (Operation("give", who="opponent", n=1),)),),
    )
    tiles = written((beg,))
    before = game(hand="3:Beg+J+X", other="3:J+S+Z", tiles=tiles, hands="scan")
    asked = after(before, "play Beg C3 0", "settle")
    assert (asked.awaited, names(asked)) == (1, {"choose J", "choose S", "choose Z"})
    choice = asked.action("choose S")
    assert [asked.told(choice, seat) for seat in (0, 1, 2)] == ["choose ?", "choose S", "choose ?"]
    given = after(asked, "choose S")
    assert given.zones.hands == (hand_of("3:J+S+X"), hand_of("2:J+Z"))
    assert str(given.view(1).zones.hands[0]) == "3"
    assert said(given)[-1] == ("gives", "1.2.1")
    blind = after(game(tiles=tiles), "play Beg C3 0", "settle")
    assert (blind.hands, blind.phase, said(blind)[-1]) == ((3, 2), "idle", ("gives", "1.2.1"))
