"""What seats may say beside their moves: all that the rules allow, and nothing else."""

from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from hexboard.games.hextraction import GAME, Hextraction, start
from hexboard.games.hextraction.rules.leaving import bagged
from hexboard.games.hextraction.rules.position import Placed
from hexboard.words import say
from tests.games.test_hextraction import played, table
from tests.games.test_hextraction_zones import game

SEATS = range(3)


def sayable(position: Hextraction) -> Iterator[str]:
    """Every sentence of most kinds, legal or not."""
    tiles, slots = position.setting.tiles, list(position.board.cell)
    copies = [copy for tile in tiles for copy in (tile, *(f"{tile}~{seat}" for seat in SEATS))]
    yield "unfit"
    yield from (f"turn {slot} {rotation}" for slot in slots for rotation in range(6))
    for seat in SEATS:
        yield from (f"{kind} {seat}" for kind in ("concede", "leave", "draw"))
        yield from (f"return {seat} {copy}" for copy in copies)
        yield from (f"nocard {seat} {what}" for what in (*copies, *slots))


def told_apart(position: Hextraction, names: Iterable[str]) -> set[str]:
    """Who says it of a tile on the board does not matter, nor whose a hidden tile is said to be."""
    slots = position.board.cell
    found = set()
    for name in names:
        kind, *words = name.split(" ")
        if kind == "nocard":
            words = words[1:] if words[1] in slots else [words[0], words[1].split("~")[0]]
        found.add(" ".join((kind, *words)))
    return found


POSITIONS = {
    "begun": table("C3", seats=3),
    "just played": played(table("C3", seats=3), "play J C4 0"),
    "one is out": played(table("C3", seats=3), "leave 1"),
    "a vote": played(table("C3", seats=3), "vote destroy C3 1"),
    "cards": game("C3:Gate~2 C4:J", seats=3),
    "cards, one out": played(game("C3:Gate~2 C4:J", seats=3), "leave 2"),
    "the board's owner out": played(table("C3", seats=3), "leave 0"),
}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
def test_what_may_be_said_is_what_the_rules_do_not_refuse(position: Hextraction) -> None:
    legal = {name for name in sayable(position) if not position.refusal(position.action(name))}
    names = {position.name(act) for act in position.acts}
    listed = {name for name in names if not name.startswith(("reclaim", "part", "endless"))}
    assert told_apart(position, listed) == told_apart(position, legal)
    assert all(say(position.label(act)) for act in position.acts)


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
def test_programs_are_told_what_may_be_said_beside_the_moves(position: Hextraction) -> None:
    """`acts` of `hexboard referee`, and what `hexboard play` lists: each with its words."""
    acts = GAME.table_acts(position)
    assert set(acts) == set(position.acts)
    for act in acts:
        phrase = GAME.phrase(position, act)
        assert phrase is not None
        assert say(phrase.said)
        assert phrase.sure == position.name(act).startswith(SURE)
        grouped = position.name(act).split(" ")[-1] not in position.tiles
        assert (phrase.group is not None) == (grouped and position.name(act).startswith(OF_HANDS))


SURE = ("unfit", "concede", "leave", "draw", "nocard")
OF_HANDS = ("return", "nocard")


def test_each_act_belongs_to_a_moment() -> None:
    def kinds(position: Hextraction) -> set[str]:
        return {position.name(act).split(" ")[0] for act in position.acts}

    always = {"concede", "leave"}
    assert kinds(table("C3")) == always | {"nocard"}  # a tile that nobody described may be held
    assert kinds(played(table("C3"), "play J C4 0")) == always | {"nocard", "turn", "unfit"}
    assert kinds(played(table("C3"), "roll B1-1")) == always | {"nocard", "endless"}
    assert kinds(played(table("C3"), "vote destroy C3 1")) == always
    assert kinds(played(table("C3"), "concede 1")) == set()  # the game is over


def test_who_is_out_has_from_none_to_all_of_the_bag_in_it() -> None:
    """Of 54 in the bag, and the own hand of three that went there, any may be theirs."""
    out = played(table(seats=3, pool=54), "leave 1")
    assert "reclaim 1 0" in {out.name(act) for act in out.acts}
    assert bagged(out, 1) == (0, 57)
    assert out.refusal(out.action("reclaim 1 57")) is None
    assert out.refusal(out.action("reclaim 1 58")) is not None


@pytest.mark.parametrize(
    ("tile", "at_first", "moved", "then"),
    [
        ("KillSwitch", ["switch off"], "switch off", ["switch on"]),  # it begins "on"
        ("OpenFlipper", ["flipper left", "flipper right"], "flipper left", ["flipper right"]),
    ],
)
def test_a_part_can_stand_otherwise_than_is_known(
    tile: str, at_first: list[str], moved: str, then: list[str]
) -> None:
    placed = start(options={"sets": f"basic,{tile}"}).with_tile("C3", Placed(tile, 0))

    def parts(of: Hextraction) -> list[str]:
        names = [of.name(act) for act in of.acts]
        return [name.removeprefix("part C3 ") for name in names if name.startswith("part ")]

    assert parts(placed) == at_first
    assert parts(played(placed, f"part C3 {moved}")) == then


def test_in_the_view_of_a_seat_only_that_seat_says_anything() -> None:
    position = replace(game(hand="3:Gate+J+X", seats=3), events=())
    seen = position.view(1)
    assert {seen.actor(act) for act in seen.acts} == {1}
    named = {seen.name(act) for act in seen.acts}
    assert "nocard 0 Gate" not in named
    own = position.view(0)
    held = {own.name(act) for act in own.acts if own.name(act).startswith("nocard 0")}
    assert held == {"nocard 0 Gate"}
