"""Tiles are individuals: what points at one goes with it, and never at another in its slot."""

import pytest
from msgspec.structs import replace

from hexboard.games.hextraction.rules.position import Placed
from tests.games.test_hextraction import played, told
from tests.games.test_hextraction_effects import again, effect, names, op, table, tile

# Its trigger takes a tile beside it away, and the opponent plays another.
SHIFT = tile(
    "Shift",
    effect(
        "trigger", op("destroy", tiles="one adjacent"), op("play", who="opponent", where="open")
    ),
)
# The same with itself.
GOES = (op("destroy", tiles="self"), op("play", who="opponent", where="open"))
LEAVE = tile("Leave", effect("trigger", *GOES))
TURN = tile("Turn", effect("trigger", *GOES, op("rotate", tiles="self", n=1)))
BACK = tile("Back", effect("trigger", op("destroy", tiles="previous")))


def test_a_tile_that_came_into_the_slot_of_the_last_one_touched_stays_2_1_5_3() -> None:
    before = table("B1:Shift A1", SHIFT)
    steps = ("roll B1-1", "touch 1 B1", "fire 1 B1 a", "touch 1 A1", "off 1 A1 5", "settle")
    rolled = played(before, *steps, "play J A1 0")
    assert rolled.tiles.keys() == {"B1", "A1"}
    elsewhere = played(before, *steps, "play J C3 0")
    assert elsewhere.tiles.keys() == {"B1", "C3"}


def test_the_last_tile_touched_goes_wherever_it_lies_by_then_2_1_5_3() -> None:
    crane = tile("Crane", effect("trigger", op("move_tile", tiles="one adjacent", where="open")))
    before = table("B1:Crane A1", crane)
    steps = ("roll B1-1", "touch 1 B1", "fire 1 B1 a", "touch 1 A1", "off 1 A1 5", "settle")
    assert played(before, *steps, "choose D4").tiles.keys() == {"B1"}


def test_the_previous_tile_is_none_once_another_lies_in_its_slot() -> None:
    before = table("B2:Leave C3:Back", LEAVE, BACK)
    steps = ("roll B1-1", "touch 1 B2", "fire 1 B2 a", "touch 1 C3", "fire 1 C3 a", "rest 1 C3")
    asked = played(before, *steps, "settle", "resolve 1")
    rolled = played(asked, "play J B2 0")
    assert again(rolled) == rolled
    assert rolled.tiles == {"B2": Placed("J", 0), "C3": Placed("Back", 0)}


def test_an_effect_does_to_its_own_tile_nothing_that_it_could_do_to_another_k16() -> None:
    steps = ("roll B1-1", "touch 1 B2", "fire 1 B2 a", "rest 1 B2", "settle")
    asked = played(table("B2:Turn", TURN), *steps)
    rolled = played(asked, "play J B2 0", "settle")
    assert ("in_vain", "2.6.5") in told(rolled)
    assert rolled.tiles == {"B2": Placed("J", 0)}


def test_a_vote_finds_the_tile_that_makes_somebody_lose_where_it_lies_by_then_2_8_2() -> None:
    doomed = tile(
        "Doomed",
        effect("on_play", op("lose", who="opponent"), op("move_tile", tiles="self", where="open")),
    )
    decided = played(table("", doomed), "play Doomed C3 0", "settle", "choose D4")
    assert [outcome.slot for outcome in decided.outcomes] == ["D4"]
    saved = played(decided, "vote destroy D4 1", "nay 1", "nay 0")
    assert (saved.phase, saved.scores, saved.outcomes) == ("idle", None, ())


def test_an_area_was_set_off_once_a_roll_wherever_its_tile_lies_k21() -> None:
    walks = tile(
        "Walks",
        effect(
            "trigger",
            op("move_tile", tiles="self", where="open"),
            op("roll", who="roller", ramp="any"),
        ),
    )
    before = table("C3:Walks", walks, with_={"triggers": "once a roll"})
    rolled = played(before, "roll B1-1", "touch 1 C3", "fire 1 C3 a", "fell 1 A1", "settle")
    second = played(rolled, "choose D4", "roll B1-1", "touch 2 D4", "fire 2 D4 a", "fell 2 A1")
    assert second.waiting == ()


FIRST = tile("First", keywords=("combo",), combo=("Second",))
SECOND = tile("Second", keywords=("combo",), combo=("First",))


@pytest.mark.parametrize("named", ["C3", "B2"])
def test_either_half_of_the_combo_just_played_is_voted_off_while_it_is_played_0_5_7(
    named: str,
) -> None:
    """Another Combo of the same owner lies there already: which half follows is a choice."""
    other = {"A1": Placed("First", 0, 1), "A2": Placed("Second", 0, 1)}
    second = replace(SECOND, effects=(effect("on_play", op("draw", who="each", n=1)),))
    before = replace(table("", FIRST, second), tiles=other)
    whole = played(before, "play First~1 C3 0", "play Second~1 B2 0")
    assert again(whole) == whole
    follows = {"C3": ("A2", "B2"), "B2": ("A1", "C3")}[named]
    gone = played(whole, f"vote destroy {named} 1", "nay 1", "nay 0")
    assert ("plays_again", "0.5.7") in told(gone)
    assert names(gone) == {f"choose {slot}" for slot in follows}
    after = played(gone, f"choose {follows[1]}")
    assert (after.tiles, after.plays, after.hands) == (other, 0, (3, 3))


def test_a_combo_of_an_earlier_play_is_voted_off_without_another_0_5_7() -> None:
    other = {"A1": Placed("First", 0, 1), "A2": Placed("Second", 0, 1)}
    before = replace(table("", FIRST, SECOND), tiles=other)
    whole = played(before, "play First~0 C3 0", "play Second~0 B2 0")
    gone = played(whole, "vote destroy A1 1", "nay 1", "nay 0")
    assert (set(gone.tiles), gone.plays) == ({"C3", "B2"}, 1)


def test_what_is_not_placed_yet_goes_with_any_part_that_was_2_4_6() -> None:
    parts = [
        tile(id, keywords=("combo",), combo=tuple({"Ta", "Tb", "Tc"} - {id}))
        for id in ("Ta", "Tb", "Tc")
    ]
    begun = played(table("", *parts), "play Ta C3 0", "play Tb B2 0")
    gone = played(begun, "vote destroy C3 1", "nay 1", "nay 0")
    assert (gone.tiles, gone.parts, gone.plays) == ({}, (), 0)
    assert str(gone.zones.destroyed) == "Ta,Tb,Tc"
