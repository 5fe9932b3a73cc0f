"""Hex'el and the digest: hard cases by number, the decks, the money, and a second referee."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hexboard.board import find, load, plain
from hexboard.game.options import Options
from hexboard.game.position import CHANCE
from hexboard.game.referee import perft
from hexboard.games import hexel
from hexboard.games.hexel import Hexel, parse, start
from hexboard.games.hexel.actions import Place
from hexboard.games.hexel.cards import CARD, CARDS, CODES, FACES, TURNS, mirrored
from hexboard.games.hexel.chips import Chips
from hexboard.games.hexel.deck import deck
from hexboard.games.hexel.game import departed, problem
from hexboard.games.hexel.grid import occupied
from hexboard.scene import Meaning
from hexboard.words import say, sentences
from hexboard.words.errors import BadFile, BadText, IllegalAction
from tests.games import hexel_slow as slow
from tests.games.playing import played
from tests.games.properties import check_parse_refuses, check_play

TABLE = plain("table")
OPENING = "-1,0:RBRBRB 0,0:YYRRYR 1,0:BBBYYY"
"""The opening line of TC-HEXEL-04."""


def cards(names: str) -> bytes:
    """A hand: "RRRRRR ? RRBRBB"."""
    return bytes(sorted(0 if name == "?" else CARD[CODES[name]] for name in names.split()))


def laid(
    table: str = OPENING,
    hands: tuple[str, ...] = ("? ? ?", "? ? ?"),
    options: Options | None = None,
    stake: int = 3,
    **changes: object,
) -> Hexel:
    """Seat 0 is to place; everybody has hedged nothing yet. The cards may lie where they never
    could by play, also more often than the deck has them."""
    first = start(TABLE, {"seats": len(hands), **(options or {})})
    faces = bytearray(first.table)
    for item in table.split():
        cell, face = item.split(":")
        faces[first.setting.grid.cell[cell]] = CODES[face]
    held = tuple(map(cards, hands))
    gone = Counter(CARD[face] for face in faces if face) + Counter(b"".join(held))
    chips = replace(first.chips, stake=stake if first.setting.money else 0)
    position = replace(
        first,
        phase="place",
        round=1,
        table=first.setting.grid.table(bytes(faces)),
        unseen=bytes(sorted((Counter(first.unseen) - gone).elements())),
        hands=held,
        chips=chips,
    )
    return replace(position, **changes)


def hedges(position: Hexel, *hedge: int) -> Hexel:
    """With these Hedges, out of the Stocks."""
    chips = position.chips
    for seat, count in enumerate(hedge):
        chips = chips.hedged(seat, count)
    return replace(position, chips=chips)


def told(position: Hexel) -> list[str]:
    return [event.key.removeprefix("hexel.") for event in position.events]


def refused(position: Hexel, name: str) -> tuple[str, str]:
    """Key and rule of the refusal."""
    refusal = position.refusal(position.action(name))
    assert refusal is not None, name
    return refusal.key.removeprefix("hexel."), refusal.rule


def places(position: Hexel, face: str) -> dict[str, set[str]]:
    """Where a card may be placed: cells, each with the faces it may show there."""
    found: dict[str, set[str]] = {}
    for move in position.legal:
        word, *rest = position.name(move).split(" ")
        if word == "place" and CODES[rest[1]] in TURNS[CODES[face]]:
            found.setdefault(rest[0], set()).add(rest[1])
    return found


# ------------------------------------------------------------------------------------- the decks


def test_tc01_bracelet36_has_36_cards_171_orientations_and_72_of_each_symbol() -> None:
    faces = [FACES[card] for card in deck("bracelet36")]
    assert len(set(faces)) == 36
    assert sum(len(set(face)) == 1 for face in faces) == 3
    assert sum(len(TURNS[CODES[face]]) for face in faces) == 171
    assert Counter("".join(faces)) == {"R": 72, "B": 72, "Y": 72}
    assert sum("RR" in face + face[0] for face in faces) == 15


def test_tc02_necklace39_has_the_three_mirror_twins_besides() -> None:
    extra = set(deck("necklace39")) - set(deck("bracelet36"))
    assert {FACES[card] for card in extra} == {"RRBBRB", "RRYYRY", "BBYYBY"}
    faces = [FACES[card] for card in deck("necklace39")]
    assert sum(len(TURNS[CODES[face]]) for face in faces) == 189
    assert Counter("".join(faces)) == {"R": 78, "B": 78, "Y": 78}


def test_the_other_twins_may_be_chosen() -> None:
    one, other = set(deck("bracelet36", "RRBRBB")), set(deck("bracelet36", "RRBBRB"))
    assert {mirrored(card) for card in one} == other
    assert {FACES[card] for card in other - one} == {"RRBBRB", "RRYYRY", "BBYYBY"}


def test_the_slow_program_knows_the_same_cards() -> None:
    assert [FACES[card] for card in CARDS] == slow.necklaces()
    assert [FACES[card] for card in deck("bracelet36")] == slow.bracelets()


def deck_file(folder: Path, size: int, *lines: str) -> Path:
    path = folder / "mine.toml"
    head = f'schema = "hexboard/deck-1"\nname = "Mine"\nsize = {size}\n[cards]\n'
    path.write_text(head + "\n".join(lines) + "\n", "utf-8")
    return path


def test_tc03_a_deck_of_46_cards_is_a_multiset(tmp_path: Path) -> None:
    lines = [f"{FACES[c]} = {2 if k < 7 else 1}" for k, c in enumerate(deck("necklace39"))]
    path = deck_file(tmp_path, 46, *lines)
    assert Counter(deck(str(path))) == Counter(CARDS) + Counter(CARDS[:7])
    assert start(TABLE, {"deck": str(path), "seats": 6}).pile == 46


@pytest.mark.parametrize(
    ("size", "lines", "sentence"),
    [
        (46, ["RRRRRR = 45"], ":3: size: the deck says 46 cards, but 45 are listed"),
        (2, ["RRRRRR = 1", "RBYRBY = 1"], ":6: cards.RBYRBY: “RBYRBY” has three kinds"),
        (
            2,
            ["RRBBRB = 1", "BRRBBR = 1"],
            ":6: cards.BRRBBR: “BRRBBR” is the same card as “RRBBRB”",
        ),
        (
            3,
            ["RRBRBB = 1", "RRBBRB = 1", "BRRBBR = 1"],  # the mirror image twice
            ":7: cards.BRRBBR: “BRRBBR” is the same card as “RRBBRB”",
        ),
        (1, ["RRBB = 1"], ":5: cards.RRBB: “RRBB” is not a card: write six letters"),
        (0, ["RRRRRR = 0"], ":5: cards.RRRRRR: 0 copies; write 1 to 99"),
        (1, ['RRRRRR = "one"'], ":5: cards.RRRRRR: one copies; write 1 to 99"),
        (120, ["RRRRRR = 60", "BBBBBB = 60"], ":3: size: 120 cards; a deck has 1 to 99"),
    ],
)
def test_a_bad_deck_file_is_refused_with_its_line(
    tmp_path: Path, size: int, lines: list[str], sentence: str
) -> None:
    path = deck_file(tmp_path, size, *lines)
    with pytest.raises(BadFile) as caught:
        start(TABLE, {"deck": str(path)})
    assert any(f"{path}{sentence}" in line for line in str(caught.value).splitlines())


def test_a_card_and_its_mirror_image_are_two_cards(tmp_path: Path) -> None:
    path = deck_file(tmp_path, 3, "RRBRBB = 1", "RRBBRB = 2")
    assert Counter(FACES[card] for card in deck(str(path))) == {"RRBRBB": 1, "RRBBRB": 2}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seats": 7}, "1 to 6"),
        ({"deck": "bracelet63"}, "Did you mean “bracelet36”"),
        ({"dealer": 2}, "There is no seat 2 to deal: the last one is 1."),
        ({"stock": 0}, "1 to 9999"),
        ({"carried": "52 and 28"}, "cannot be what the last game left"),
        ({"carried": "dealer=1 stock=52;29"}, "for each of 2 seats, 80 chips in all"),
        ({"carried": "dealer=1 stock=80"}, "for each of 2 seats, 80 chips in all"),
        ({"carried": "dealer=1 stock="}, "for each of 2 seats, 80 chips in all"),
        ({"carried": "dealer=1 stock=52;28", "chips": "off"}, "for each of 2 seats, 0 chips"),
        ({"carried": "dealer=2 stock=52;28"}, "There is no seat 2 to deal: the last one is 1."),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_options_are_refused(options: Options, words: str) -> None:
    with pytest.raises(BadText) as caught:
        start(TABLE, options)
    assert words in str(caught.value)


def test_a_deck_too_small_for_the_players_is_refused(tmp_path: Path) -> None:
    path = deck_file(tmp_path, 8, "RRRRRR = 8")
    with pytest.raises(BadText, match="The deck has 8 cards; 2 players need at least 9"):
        start(TABLE, {"deck": str(path)})


def test_a_deck_that_is_just_enough_for_the_players_is_dealt_out(tmp_path: Path) -> None:
    path = deck_file(tmp_path, 9, "RRRRRR = 9")
    assert start(TABLE, {"deck": str(path)}).pile == 9


def test_a_board_without_a_middle_or_flat_side_up_is_refused() -> None:
    for board in (plain("rhombus-5"), load(find("hextraction-22"))):
        with pytest.raises(BadText, match="lacks the cells"):
            start(board, {})


def test_any_board_with_a_middle_will_do_and_keeps_its_names() -> None:
    assert played(start(plain("hexhex-5"), {}), "place e4 RBRBRB").seen().count(0) == 60


# ------------------------------------------------------------------------------ the opening line


def line(*faces: str) -> Hexel:
    names = [
        f"place {cell} {face}" for cell, face in zip(("-1,0", "0,0", "1,0"), faces, strict=False)
    ]
    return played(start(TABLE, {}), *names)


def test_tc04_and_tc07_a_valid_line() -> None:
    after = line("RBRBRB", "YYRRYR", "BBBYYY")
    assert after.phase == "deal"
    assert told(after) == ["lays"]


@pytest.mark.parametrize(
    ("faces", "cell"), [((), "-1,0"), (("RBRBRB",), "0,0"), (("RBRBRB", "YYRRYR"), "1,0")]
)
def test_of_the_opening_line_the_cell_is_lit_that_is_next(
    faces: tuple[str, ...], cell: str
) -> None:
    position = line(*faces)
    todo = [mark.place for mark in position.scene() if mark.meaning is Meaning.TODO]
    assert todo == [cell]
    assert {it for move in position.legal for it in position.places(move)} == {cell}


def test_tc06_a_line_with_a_chance_is_refused_and_says_where() -> None:
    position = line("RRRBBB")
    assert refused(position, "place 0,0 YYRRYR") == ("chance", "HEXEL-3.3")
    refusal = position.refusal(position.action("place 0,0 YYRRYR"))
    assert refusal is not None
    assert "at 0,-1:" in say(refusal)  # the upper notch of A and B


def test_a_line_whose_edges_differ_is_refused() -> None:
    assert refused(line("RBRBRB"), "place 0,0 YYRYYR") == ("mismatch", "HEXEL-3.1")
    assert refused(line("RBRBRB"), "place 1,0 YYRRYR") == ("line_cell", "HEXEL-3.2")


def test_the_dealer_may_always_shuffle_back_cards_that_only_people_see() -> None:
    after = played(line("RBRBRB"), "redraw")
    assert after == start(TABLE, {})
    assert told(after) == ["redrawn"]


DEALT: Options = {"hands": "dealt"}


def test_cards_that_make_no_line_are_shuffled_back_and_only_those() -> None:
    """RRRRRR, BBBBBB and YYYYYY share no symbol."""
    drawn = played(start(TABLE, DEALT), "draw RRRRRR", "draw BBBBBB", "draw YYYYYY")
    assert [drawn.name(move) for move in drawn.legal] == ["redraw"]
    asked = drawn.question(0)
    assert asked is not None
    assert "make no valid line" in say(asked.message)
    assert drawn.scene() == ()
    assert played(drawn, "redraw") == start(TABLE, DEALT)
    good = played(start(TABLE, DEALT), "draw RBRBRB", "draw RRYRYY", "draw BBBYYY")
    assert refused(good, "redraw") == ("can_line", "HEXEL-3.4")
    assert refused(good, "place -1,0 RRRRRR") == ("not_turned_up", "HEXEL-3.1")


def test_the_order_drawn_may_be_binding() -> None:
    """RBBBBB must lie between the other two, which share no symbol."""
    names = ("draw RRRRRR", "draw BYYYYY", "draw RBBBBB")
    free = played(start(TABLE, DEALT), *names)
    assert [free.name(move) for move in free.legal] != ["redraw"]
    drawn = played(start(TABLE, {**DEALT, "opening_order": "drawn"}), *names)
    assert [drawn.name(move) for move in drawn.legal] == ["redraw"]


def test_cards_that_make_a_line_as_drawn_are_laid_in_that_order() -> None:
    """Those of TC-HEXEL-04, as they lie there."""
    faces = ("RBRBRB", "YYRRYR", "BBBYYY")
    position = start(TABLE, {**DEALT, "opening_order": "drawn"})
    position = played(position, *(f"draw {face}" for face in faces))
    for cell, face in zip(("-1,0", "0,0", "1,0"), faces, strict=True):
        names = [position.name(move) for move in position.legal]
        assert {CARD[CODES[name.split()[-1]]] for name in names} == {CARD[CODES[face]]}
        position = played(position, f"place {cell} {face}")
    assert position.phase == "deal"


@pytest.mark.parametrize("faces", [(), ("RBRBRB",), ("RRRBBB",), ("RBRBRB", "YYRRYR")])
@pytest.mark.parametrize("deck", ["bracelet36", "necklace39"])
def test_the_faces_listed_for_the_line_are_those_that_nothing_refuses(
    faces: tuple[str, ...], deck: str
) -> None:
    position = start(TABLE, {"deck": deck})
    for face in faces:
        position = played(position, f"place {position.setting.grid.ids[position.line_cell]} {face}")
    tried = [Place(position.line_cell, face) for face in range(1, len(FACES))]
    assert [move for move in tried if not position.refusal(move)] == list(position.legal)


def test_a_card_that_would_leave_the_line_unfinished_is_refused() -> None:
    position = played(start(TABLE, DEALT), "draw RRRRRR", "draw BYYYYY", "draw RBBBBB")
    assert refused(position, "place -1,0 RBBBBB") == ("dead_end", "HEXEL-3.4")


@pytest.mark.long
def test_the_36_cards_have_150930_valid_lines() -> None:
    assert perft(start(TABLE, {}), 3) == 150_930


@pytest.mark.long
def test_every_third_of_the_lines_from_one_card_agrees_with_the_slow_program() -> None:
    """A fixed west card and middle card: the east cards allowed, against brute force."""
    for west, middle in (("RBRBRB", "YYRRYR"), ("RRRBBB", "BBBRBR"), ("BBYBYY", "BRRBRB")):
        position = line(west, middle)
        named = {position.name(m).split()[-1] for m in position.legal} - {"redraw"}
        table = {(-1, 0): west, (0, 0): middle}
        left = set(slow.bracelets()) - {slow.card(west), slow.card(middle)}
        faces = {face for card in left for face in slow.turned(card)}
        matched = {face for face in faces if slow.edges({**table, (1, 0): face}, (1, 0))}
        tried = sorted(matched)[::3]
        fair = {face for face in tried if not slow.chance({**table, (1, 0): face})}
        assert named & set(tried) == fair
        assert named <= matched


# -------------------------------------------------------------------------------------- placing


def test_tc04_the_first_turn_has_367_placements_316_of_one_edge_51_of_two() -> None:
    position = laid()
    words = [dict(position.play(move).events[0].values)["word"] for move in position.legal]
    assert Counter(words) == {"Hexba": 316, "Hexel": 51}
    counts = {face: sum(map(len, places(position, face).values())) for face in FACES[1:]}
    monochrome = ("RRRRRR", "YYYYYY", "BBBBBB", "RBBBBB")
    assert [counts[face] for face in monochrome] == [2, 1, 3, 18]


def test_tc08_the_line_has_ten_touching_cells_four_of_them_notches() -> None:
    marks = [mark for mark in laid().scene() if mark.meaning is Meaning.LEGAL]
    assert Counter(mark.count for mark in marks) == {1: 6, 2: 4}


def test_tc09_a_red_six_has_exactly_two_places() -> None:
    assert places(laid(), "RRRRRR") == {"-2,1": {"RRRRRR"}, "-1,-1": {"RRRRRR"}}
    assert say(played(laid(), "place -2,1 RRRRRR").events[0]).endswith(": Hexba.")


def test_tc11_one_matching_edge_of_two_is_not_enough() -> None:
    """(0,-1) lies between the NE of (-1,0), which is B, and the NW of (0,0), which is R."""
    assert refused(laid(), "place 0,-1 RRRBBB") == ("mismatch", "HEXEL-5.2")
    assert say(played(laid(), "place 0,-1 RRBBBR").events[0]).endswith(": Hexel.")


def test_a_finger_that_names_no_card_hears_whether_any_would_fit() -> None:
    """(0,-1) wants a B and an R; nothing but yellow is in hand."""
    assert refused(laid(), "place 0,-1 ?") == ("name_card", "HEXEL-5.1")
    assert refused(laid(hands=("YYYYYY", "?")), "place 0,-1 ?") == ("none_fits", "HEXEL-5.2")
    assert refused(laid(), "place 0,0 ?") == ("taken", "HEXEL-5.1")
    assert refused(laid(), "place 4,-4 ?") == ("no_touch", "HEXEL-5.1")


def test_tc12_a_card_that_touches_nothing_is_refused() -> None:
    assert refused(laid(), "place 4,-4 RRRRRR") == ("no_touch", "HEXEL-5.1")
    assert refused(laid(), "place 0,0 RRRRRR") == ("taken", "HEXEL-5.1")


LIVE = "0,0:RRBBBB 1,0:BBRRBB"


def turn_table(table: str, k: int) -> str:
    """A table turned by k sixths, counter-clockwise as the faces are written."""
    items = []
    for item in table.split():
        cell, face = item.split(":")
        q, r = map(int, cell.split(","))
        for _ in range(k):
            q, r, face = q + r, -q, face[-1] + face[:-1]
        items.append(f"{q},{r}:{face}")
    return " ".join(items)


@pytest.mark.parametrize("k", range(6))
def test_tc13_and_tc21_four_of_six_turns_fit_a_live_cell_and_each_is_a_hoxla(k: int) -> None:
    cell = turn_table("1,-1:RRRRRB", k).split(":")[0]
    position = laid(turn_table(LIVE, k))
    fitting = places(position, "RRRRRB")[cell]
    assert len(fitting) == 4
    for face in fitting:
        after = played(position, f"place {cell} {face}")
        assert after.scores == (1, 0)
        assert told(after)[0] == "hoxla"
        won = {m.place for m in after.scene() if m.meaning is Meaning.WIN}
        assert len(won) == 3 + 9  # the cards, and the ring around three that touch
        assert len(won & {piece.place for piece in after.pieces()}) == 3
    live = [mark.place for mark in position.scene() if mark.meaning is Meaning.ONTO]
    assert live == [cell]


@pytest.mark.parametrize(
    ("face", "lit"),
    [("RRRRRR", "-1,-1"), ("BBBBBB", "1,-1")],  # to (-1,0) it is B-, to (0,0) R-R
)
def test_a_wrong_edge_is_shown_on_the_free_cells_at_its_ends(face: str, lit: str) -> None:
    position = laid(hands=("RRRRRR BBBBBB ?", "? ? ?"))
    place = position.action(f"place 0,-1 {face}")
    assert position.refusal(place)
    assert position.blamed(place) == (lit,)


def test_a_chance_of_a_hoxla_is_shown_on_its_notch() -> None:
    position = line("RRRBBB")
    assert position.blamed(position.action("place 0,0 YYRRYR")) == ("0,-1",)


def test_the_last_card_is_shown_around_it_for_it_hides_its_own_light() -> None:
    after = played(laid(hands=("RRRBBB ? ?", "? ? ?")), "place 0,-1 RRRBBR")
    fresh = {mark.place for mark in after.scene() if mark.meaning is Meaning.FRESH}
    assert fresh == {"-1,-1", "0,-2", "1,-2", "1,-1"}


def test_live_cells_may_stay_dark() -> None:
    scene = laid(LIVE, options={"live_cells": "off"}).scene()
    assert Meaning.ONTO not in {mark.meaning for mark in scene}


def test_tc15_three_edges_without_three_cards_meeting_are_no_hoxla() -> None:
    position = laid("1,0:RRRRRR 0,-1:RRRRRR -1,1:RRRRRR", hands=("RRRRRR", "? ? ?"))
    after = played(position, "place 0,0 RRRRRR")
    assert told(after) == ["plays"]
    assert say(after.events[0]).endswith(": Hexla.")


@pytest.mark.parametrize("count", [5, 6])
def test_tc17_five_and_six_edges_are_announced_by_number(count: int) -> None:
    """Cards around (0,0), yellow but for the edge inward, which is as the card of the hand."""
    wanted, ring = "RBRBBR", []
    for edge, (q, r) in list(enumerate(slow.STEPS))[:count]:
        face = ["Y"] * 6
        face[(edge + 3) % 6] = wanted[edge]
        ring.append(f"{q},{r}:{''.join(face)}")
    position = laid(" ".join(ring), hands=(wanted, "? ? ?"))
    after = played(position, f"place 0,0 {wanted}")
    assert say(after.events[0]).endswith(f": {count}.")
    assert after.latest == count


def test_tc18_a_card_is_the_same_in_all_its_turns() -> None:
    face = "RRBRBB"
    assert len({CARD[CODES[face[k:] + face[:k]]] for k in range(6)}) == 1


def test_tc19_the_mirror_twin_is_not_in_the_deck_of_36() -> None:
    assert refused(laid(), "place -2,0 RRBBRB") == ("not_in_deck", "HEXEL-A2")
    assert refused(start(TABLE, {}), "place -1,0 RRBBRB") == ("not_in_deck", "HEXEL-A2")
    other = start(TABLE, {"deck": "necklace39"})
    assert other.refusal(other.action("place -1,0 RRBBRB")) is None


def test_tc22_a_card_that_lies_there_already_cannot_come_again(tmp_path: Path) -> None:
    assert refused(laid(), "place -2,0 RBRBRB") == ("already_played", "HEXEL-A2")
    lines = [f"{FACES[c]} = {1 + (FACES[c] == 'RBRBRB')}" for c in deck("bracelet36")]
    twice = laid(options={"deck": str(deck_file(tmp_path, 37, *lines))})
    assert twice.refusal(twice.action("place -2,0 BRBRBR")) is None
    again = played(twice, "place -2,0 BRBRBR")
    assert refused(again, "place 2,0 RBRBRB") == ("already_played", "HEXEL-A2")


def test_only_a_card_of_a_known_hand_may_be_placed() -> None:
    position = laid(hands=("RRRRRR", "? ? ?"))
    assert refused(position, "place -2,1 RRRRRB") == ("not_in_hand", "HEXEL-5.1")


def test_cells_beyond_the_board_belong_to_the_unbounded_table_only() -> None:
    with pytest.raises(BadText, match="no cell “5,0”"):
        laid().action("place 5,0 RRRRRR")
    options: Options = {"table": "unbounded"}
    wide = laid("4,0:RRRRRR " + OPENING, ("RRRRRB", "? ? ?"), options)
    after = played(wide, "place 5,0 RRRRRB")
    assert after.table.count(0) == wide.table.count(0) - 1
    assert after.seen() == wide.seen()
    assert len(after.seen()) == 61
    assert parse(str(after), TABLE, options) == after


# --------------------------------------------------------------------------------- no placement

RED = "-1,0:RRRRRR 0,0:RRRRRR 1,0:RRRRRR"
"""Beside these a card needs red."""


def test_who_can_place_must() -> None:
    held = laid(hands=("RRRRRR", "?"))
    assert refused(held, "no_placement RRRRRR") == ("can_place", "HEXEL-5.1")
    assert refused(laid(), "no_placement ?") == ("can_place", "HEXEL-5.1")


def test_people_who_hold_the_cards_say_that_they_are_stuck_where_that_can_be() -> None:
    """Thirteen of the 36 cards have no red; beside RRRRRR only those are stuck."""
    position = laid(RED)
    assert len(position.hopeless(position.room())) == 13
    assert position.refusal(position.action("no_placement ?")) is None
    assert refused(position, "no_placement BBBBBB") == ("no_peeking", "HEXEL-4.3")
    names = set(map(position.name, position.legal))
    assert "no_placement ?" in names
    assert len(names) == 1 + sum(len(faces) for _, faces in position.room())


@pytest.mark.parametrize(
    ("stuck", "keys", "hedge", "pot"),
    [
        ("pay_as_zero", ["stuck", "pays"], 3, 6),
        ("pass_free", ["stuck"], 9, 0),
        ("eliminated", ["stuck", "stuck_out"], 9, 0),
    ],
)
def test_a5_who_is_stuck_discards_and_counts_as_zero(
    stuck: str, keys: list[str], hedge: int, pot: int
) -> None:
    hands = ("BBBBBB YYYYYY", "? ?", "? ? ?")
    position = hedges(laid(RED, hands, {"stuck": stuck, "hands": "dealt"}, turn=0), 9, 9, 9)
    position = replace(position, edges=(-1, -1, 2), latest=2)
    assert [position.name(m) for m in position.legal] == [
        "no_placement BBBBBB",
        "no_placement YYYYYY",
    ]
    after = played(position, "no_placement BBBBBB")
    assert told(after) == keys
    assert after.chips.hedge[0] == hedge
    assert after.chips.hand[2] == pot
    assert after.turn == 1
    assert after.to_match == 0 if stuck != "eliminated" else after.to_match == 2
    assert (0 in after.out) == (stuck == "eliminated")


# ----------------------------------------------------------------------------------------- money


def before(edges: int, hedge: int, seats: int = 2, **options: str | int) -> Hexel:
    """Seat 0 holds RRRRRR, which makes one edge; the seat before it matched `edges`."""
    hands = ("RRRRRR", *["? ? ?"] * (seats - 1))
    position = hedges(laid(hands=hands, options=options), hedge)
    return replace(position, edges=(*[-1] * (seats - 1), edges), latest=edges)


ONE_EDGE = "place -2,1 RRRRRR"


def test_tc23_two_edges_short_cost_two_stakes_into_the_hand_pot() -> None:
    after = played(before(3, hedge=9), ONE_EDGE)
    assert after.chips == Chips(3, stock=(31, 40), hedge=(3, 0), hand=(0, 6))
    assert told(after) == ["plays", "pays"]


def test_tc25_as_many_edges_or_more_cost_nothing() -> None:
    position = laid("1,0:RRRRRR 0,-1:RRRRRR -1,1:RRRRRR", hands=("RRRRRR", "? ? ?"))
    position = replace(position, edges=(-1, 1), latest=1)
    assert played(position, "place 0,0 RRRRRR").chips == position.chips


def test_tc26_a_hoxla_ends_the_game_before_any_insurance() -> None:
    position = hedges(laid(LIVE), 0, 12)
    position = replace(position, edges=(-1, 3), latest=3)
    face = min(places(position, "RRRRRB")["1,-1"])
    after = played(position, f"place 1,-1 {face}")
    assert after.scores == (1, 0)
    assert after.chips == Chips(3, stock=(52, 28), hedge=(0, 0), hand=(0, 0))


def test_tc27_the_first_placement_owes_nothing() -> None:
    position = laid(hands=("RRRRRR", "? ? ?"))
    assert played(position, ONE_EDGE).chips == position.chips


def test_tc29_stock_and_hand_pot_pay_no_insurance() -> None:
    position = before(2, hedge=0, seats=3)
    position = replace(position, chips=replace(position.chips, hand=(12, 0, 0)))
    after = played(position, ONE_EDGE)
    assert told(after) == ["plays", "broke"]
    assert after.out == (0,)
    assert after.chips == position.chips
    assert after.phase == "place"


def test_what_is_left_in_the_hedge_goes_to_who_forced_it() -> None:
    after = played(before(3, hedge=3, seats=3), ONE_EDGE)
    assert (after.out, after.chips.hedge, after.chips.hand) == ((0,), (0, 0, 0), (0, 0, 3))
    assert after.discards == (b"", b"", b"")


def test_tc34_the_last_one_left_takes_the_hedges() -> None:
    position = hedges(before(3, hedge=0), 3, 6)
    after = played(position, ONE_EDGE)
    assert told(after) == ["plays", "broke", "last_left", "takes"]
    assert after.scores == (0, 1)
    assert after.chips == Chips(3, stock=(37, 40), hedge=(0, 0), hand=(0, 3))


def test_a11_the_last_one_left_may_play_on() -> None:
    after = played(before(3, hedge=0, last_left="plays_on"), ONE_EDGE)
    assert (after.phase, after.turn, after.to_match) == ("place", 1, 0)


@pytest.mark.parametrize(("previous", "owed"), [("active", 3), ("last_card", 1)])
def test_a9_after_an_elimination(previous: str, owed: int) -> None:
    """Seat 2 matched 3, seat 0 matches 1 and is out; seat 1 is compared with 3, or with 1."""
    after = played(before(3, hedge=0, seats=3, previous=previous), ONE_EDGE)
    assert (after.turn, after.rival, after.to_match) == (1, 2, owed)


@pytest.mark.parametrize(("carry", "owed"), [("off", 0), ("on", 1)])
def test_a8_the_first_placement_of_a_later_round(carry: str, owed: int) -> None:
    position = laid(hands=("", "RRRRRR"), options={"carry_over_rounds": carry}, turn=1)
    after = played(position, ONE_EDGE, *["draw ?"] * 6, "hedge 0 0", "hedge 1 3")
    assert (after.round, after.turn, after.to_match) == (2, 0, owed)
    assert after.chips.hedge == (0, 3)


def test_a6_hedges_are_multiples_within_the_stock() -> None:
    position = replace(laid(), phase="hedge", hedged=(1,))
    assert refused(position, "hedge 0 42") == ("hedge_stock", "HEXEL-2.3")
    assert refused(position, "hedge 0 4") == ("hedge_multiple", "HEXEL-A6")
    assert refused(position, "hedge 1 3") == ("hedged_already", "HEXEL-2.3")
    assert refused(position, "hedge 5 3") == ("not_in", "HEXEL-6.3")
    named = [position.name(move) for move in position.legal]
    assert named == [f"hedge 0 {chips}" for chips in range(0, 40, 3)]
    strict = replace(laid(options={"hedge_min_factor": 2}), phase="hedge")
    assert refused(strict, "hedge 0 3") == ("hedge_least", "HEXEL-A6")
    assert played(strict, "hedge 1 6").chips.hedge == (0, 6)
    assert say(position.refusal(position.action("hedge 0 42"))) == (  # type: ignore[arg-type]
        "42 chips are more than the Stock has: 40."
    )


def test_the_stake_is_a_positive_number_within_the_buy_in() -> None:
    position = replace(laid(stake=0), phase="stake")
    assert refused(position, "stake 0") == ("bad_stake", "HEXEL-2.2")
    assert refused(position, "stake 41") == ("bad_stake", "HEXEL-2.2")
    assert len(position.legal) == 40
    assert refused(position, "hedge 0 3")[0] == "waits_stake"


# ----------------------------------------------------------------------------- rounds and the end


def test_tc31_four_players_and_nine_cards_left_end_the_game() -> None:
    """Two rounds are played: 24 cards are out, 23 of them face down here, the last one placed."""
    gone = tuple(bytes(count) for count in (6, 6, 6, 5))
    position = laid(hands=("", "", "", "RRRRRR"), options={"seats": 4}, turn=3, discards=gone)
    position = hedges(position, 3, 6, 9, 0)
    after = played(position, ONE_EDGE)
    assert after.pile == 9
    assert told(after) == ["plays", "run_out", "takes"]
    assert after.scores == (0, 0, 0, 1)
    assert after.chips.stock == (37, 34, 31, 58)


@pytest.mark.parametrize(("matched", "winner"), [((2, 0), 0), ((1, 2), 1), ((0, 0), 1)])
def test_7_4_the_hedges_go_to_who_placed_last_of_those_still_in(
    matched: tuple[int, int], winner: int
) -> None:
    """The third seat is the last to place and leaves, the fourth leaves without a card laid. Who
    was stuck before them did not place; where all were, it is the nearest before."""
    options: Options = {"seats": 4, "hands": "held"}
    position = laid(
        hands=("", "", "RRRRRR", "?"),
        options=options,
        turn=2,
        discards=tuple(map(bytes, (7, 7, 6, 6))),
        edges=(*matched, -1, -1),
    )
    after = played(hedges(position, 3, 6, 9, 0), ONE_EDGE, "concede 2")
    assert departed(after) == (2,)
    after = played(after, "concede 3")
    assert told(after)[-2:] == ["run_out", "takes"]
    assert (after.winner, after.placer, departed(after)) == (winner, 2, ())
    assert problem(after) is None
    assert parse(str(after), TABLE, options) == after


def test_a10_what_is_left_may_be_dealt_equally() -> None:
    gone = tuple(bytes(count) for count in (6, 6, 6, 5))
    options: Options = {"seats": 4, "short_deal": "deal_equally"}
    position = laid(hands=("", "", "", "RRRRRR"), options=options, turn=3, discards=gone)
    after = played(position, ONE_EDGE, *["draw ?"] * 8)
    assert (after.phase, after.pile, [len(hand) for hand in after.hands]) == ("hedge", 1, [2] * 4)


def test_without_chips_only_a_hoxla_wins() -> None:
    options: Options = {"chips": "off"}
    gone = tuple(bytes(count) for count in (14, 15))
    after = played(laid(hands=("", "RRRRRR"), options=options, turn=1, discards=gone), ONE_EDGE)
    assert told(after) == ["plays", "run_out"]
    assert after.scores == (0, 0)
    dealt = played(line("RBRBRB", "YYRRYR", "BBBYYY"))
    assert dealt.chips.total == 80
    bare = start(TABLE, options)
    assert bare.chips.total == 0


def test_one_player_practises_without_chips() -> None:
    position = start(TABLE, {"seats": 1})
    names = ("place -1,0 RBRBRB", "place 0,0 YYRRYR", "place 1,0 BBBYYY", *["draw ?"] * 3)
    assert played(position, *names).phase == "place"


def test_cards_are_dealt_clockwise_from_the_dealers_left_and_the_dealer_begins() -> None:
    position = start(TABLE, {"seats": 3, "dealer": 1})
    position = played(position, *(f"place {item.replace(':', ' ')}" for item in OPENING.split()))
    order = []
    for _ in range(9):
        order.append(position.receiver)
        assert position.actor(position.action("draw ?")) == CHANCE
        position = played(position, "draw ?")
    assert order == [2, 0, 1] * 3
    position = played(position, "stake 2", "hedge 2 0", "hedge 0 4", "hedge 1 2")
    turns = []
    for _ in range(3):
        turns.append(position.turn)
        position = position.play(next(iter(position.legal)))
    assert turns == [1, 2, 0]


def test_who_concedes_leaves_the_hedge_for_the_winner() -> None:
    position = hedges(laid(hands=("? ? ?",) * 3), 6, 3, 3)
    after = played(position, "concede 0")
    assert (after.out, after.turn, after.chips.hedge) == ((0,), 1, (6, 3, 3))
    assert refused(after, "concede 0") == ("cannot_concede", "HEXEL-6.3")
    last = played(after, "concede 2")
    assert last.scores == (0, 1, 0)
    assert last.chips.stock == (34, 49, 37)
    assert played(start(TABLE, {"seats": 1}), "concede 0").scores == (0,)


# --------------------------------------------------------------------------------- the next game


def left(position: Hexel) -> tuple[str, list[str]]:
    """What a game that is over leaves, and in words."""
    carried = hexel.GAME.carries and hexel.GAME.carries(position)
    assert carried is not None
    return carried.text, [say(it) for it in carried.said]


def test_hexel_7_3_and_6_3_stocks_and_hand_pots_a_frozen_one_too_begin_the_next_game() -> None:
    """Three seats with 40 chips, Hedges 3, 6 and 9, Stake 3. Seat 0 is two edges short and has 3:
    those go to seat 2, whose Hand Pot is 3; seat 1 concedes, and seat 2 takes the Hedges, 15. Had
    seat 0 been paid 2 before, these are frozen, and it has them again: 37 + 2, 34, 31 + 15 + 1."""
    position = hedges(before(3, hedge=0, seats=3), 3, 6, 9)
    paid = replace(position.chips, hand=(2, 0, 0), stock=(37, 34, 29))
    after = played(replace(position, chips=paid), ONE_EDGE, "concede 1")
    assert after.chips == Chips(3, stock=(37, 34, 44), hedge=(0, 0, 0), hand=(2, 0, 3))
    text, words = left(after)
    assert text == "dealer=1 stock=39;34;47"
    assert words[0].endswith("has 39 chips.")
    assert words[-1].endswith("deals.")
    following = start(TABLE, {"seats": 3, "carried": text})
    assert following.chips == Chips(0, stock=(39, 34, 47), hedge=(0, 0, 0), hand=(0, 0, 0))


def test_hexel_a15_the_next_seat_clockwise_deals_and_lays_the_line() -> None:
    over = played(start(TABLE, {"dealer": 2, "seats": 3}), "concede 0", "concede 2")
    assert left(over)[0] == "dealer=0 stock=40;40;40"
    following = start(TABLE, {"seats": 3, "carried": "dealer=1 stock=40;40;40"})
    assert (following.turn, following.dealer) == (1, 1)
    again = played(following, "concede 0", "concede 1")
    assert left(again)[0] == "dealer=2 stock=40;40;40"


def test_chips_that_nobody_has_won_go_back_to_who_put_them_there() -> None:
    """The last two concede in one round of a game in which the last one left plays on."""
    position = hedges(laid(options={"last_left": "plays_on"}), 6, 9)
    over = played(position, "concede 0", "concede 1")
    assert (over.phase, over.winner) == ("over", -1)
    assert left(over)[0] == "dealer=1 stock=40;40"


def test_without_chips_only_the_dealer_is_carried_on() -> None:
    over = played(start(TABLE, {"chips": "off"}), "concede 0")
    assert left(over) == ("dealer=1 stock=", ["Player 2 deals."])
    following = start(TABLE, {"chips": "off", "carried": "dealer=1 stock="})
    assert (following.turn, following.chips) == (1, Chips(0, (0, 0), (0, 0), (0, 0)))


def test_a_game_that_is_not_over_leaves_nothing() -> None:
    assert hexel.GAME.carries
    assert hexel.GAME.carries(laid()) is None


def test_who_has_lost_all_chips_plays_on_without_a_hedge() -> None:
    position = start(TABLE, {"carried": "dealer=0 stock=0;80"})
    staked = replace(position, phase="stake", chips=position.chips)
    assert refused(staked, "stake 41") == ("bad_stake", "HEXEL-2.2")
    hedging = played(staked, "stake 40")
    assert [hedging.name(it) for it in hedging.legal] == [
        "hedge 0 0",
        *("hedge 1 0", "hedge 1 40", "hedge 1 80"),
    ]


# ---------------------------------------------------------------------------- who may know what


def deal(seed: int, **options: str | int) -> Hexel:
    """A dealt game, some way on."""
    random = Random(seed)
    position = start(TABLE, {"hands": "dealt", **options})
    for _ in range(random.randrange(60)):
        moves = list(position.legal)
        if not moves:
            break
        position = position.play(random.choice(moves))
    return position


@pytest.mark.parametrize("seed", range(30))
def test_a_view_hides_other_hands_and_only_adds_moves(seed: int) -> None:
    position = deal(seed, seats=3)
    for seat in range(3):
        view = position.view(seat)
        assert view.view(seat) == view
        assert view.hands[seat] == position.hands[seat]
        assert not any(b"".join(hand for s, hand in enumerate(view.hands) if s != seat))
        assert set(position.legal) <= set(view.legal)
        assert (view.seen(), view.scene(), view.pile) == (
            *(position.seen(), position.scene(), position.pile),
        )
        assert parse(str(view), TABLE, {"hands": "dealt", "seats": 3}) == view


@pytest.mark.parametrize("seed", range(30))
def test_what_a_seat_is_told_leads_to_its_view_of_what_happened(seed: int) -> None:
    random, position = Random(seed), deal(seed, seats=3)
    for _ in range(3):
        moves = list(position.legal)
        if moves:
            move = random.choice(moves)
            for seat in range(3):
                view = position.view(seat)
                heard = view.action(position.told(move, seat))
                assert view.play(heard) == position.play(move).view(seat)
            position = position.play(move)


@pytest.mark.parametrize("seed", range(20))
def test_positions_that_differ_in_what_a_seat_may_not_know_look_alike_to_it(seed: int) -> None:
    position = deal(seed, seats=3)
    hidden = sorted(position.hands[1] + position.unseen)
    Random(seed).shuffle(hidden)
    count = len(position.hands[1])
    hands = (position.hands[0], bytes(sorted(hidden[:count])), position.hands[2])
    other = replace(position, hands=hands, unseen=bytes(sorted(hidden[count:])))
    assert other.view(0) == position.view(0)
    assert str(other.view(2)) == str(position.view(2))


def test_a_card_in_hand_that_fits_nowhere_is_named_with_the_reason() -> None:
    """Beside RRRRRR a card needs red."""
    position = laid(RED, ("BBBBBB RRRRRB YYYYYY", "? ? ?"), DEALT)
    found = hexel.GAME.withheld(position)
    assert {say(it.said): why.rule for it, why in found} == {
        "BBBBBB": "HEXEL-5.2",
        "YYYYYY": "HEXEL-5.2",
    }
    assert hexel.GAME.withheld(position.view(1)) == ()
    assert hexel.GAME.withheld(laid(RED, ("? ? ?", "? ? ?"))) == ()


def test_held_hands_are_known_to_nobody_and_a_card_only_once_it_is_placed() -> None:
    position = laid()
    assert position.view(0) == position
    after = played(position, ONE_EDGE)
    assert after.hands[0] == bytes(2)
    assert CARD[CODES["RRRRRR"]] not in after.unseen
    assert position.told(position.action("no_placement ?"), 1) == "no_placement ?"


def test_a_card_discarded_face_down_is_known_to_its_player_only() -> None:
    position = laid(RED, ("BBBBBB YYYYYY", "RRRRRB", "? ?"), DEALT)
    move = position.action("no_placement BBBBBB")
    assert [position.told(move, seat) for seat in range(3)] == [
        "no_placement BBBBBB",
        "no_placement ?",
        "no_placement ?",
    ]
    for seat in range(3):
        view = position.view(seat)
        after = view.play(view.action(position.told(move, seat)))
        assert after == position.play(move).view(seat)
        assert (move.card in b"".join(after.discards)) == (seat == 0)  # type: ignore[union-attr]


def test_draws_weigh_as_many_copies_as_there_are(tmp_path: Path) -> None:
    path = deck_file(tmp_path, 12, "RRRRRR = 9", "RRRRRB = 2", "BBBBBB = 1")
    position = start(TABLE, {**DEALT, "deck": str(path)})
    weights = {position.name(move): position.odds(move) for move in position.legal}
    assert weights == {"draw RRRRRR": 9, "draw RRRRRB": 2, "draw BBBBBB": 1}


# ---------------------------------------------------------------------- properties, second referee

GAMES: list[Options] = [
    {},
    {"hands": "dealt", "seats": 3, "stock": 9},
    {"seats": 1, "hands": "dealt", "opening_order": "drawn"},
    {"chips": "off", "seats": 4, "stuck": "eliminated", "deck": "necklace39"},
    {"seats": 2, "table": "unbounded", "previous": "last_card", "short_deal": "deal_equally"},
]


@pytest.mark.parametrize("options", GAMES, ids=lambda options: " ".join(options) or "default")
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_positions_are_positions(options: Options, data: st.DataObject) -> None:
    check_play(data, hexel.GAME, start(TABLE, options), lambda text: parse(text, TABLE, options))


@pytest.mark.parametrize("options", GAMES, ids=lambda options: " ".join(options) or "default")
def test_a_position_anywhere_in_a_game_is_its_text(options: Options) -> None:
    random, position = Random(7), start(TABLE, options)
    total, size = position.chips.total, len(position.setting.deck)
    for _ in range(80):
        moves = list(position.legal)
        assert bool(moves) == (position.scores is None)
        if not moves:
            break
        position = position.play(random.choice(moves))
        again = parse(str(position), TABLE, options)
        assert again == position
        assert again.unseen == position.unseen
        assert position.chips.total == total  # TC-33
        known = sum(map(len, position.hands + position.discards)) + len(position.drawn)
        assert position.pile + known + len(list(occupied(position.table))) == size


@pytest.mark.long
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_garbled_text_is_refused_or_means_what_it_says(data: st.DataObject) -> None:
    texts = [str(deal(seed, seats=3)) for seed in (1, 2, 3, 5, 8)]
    options: Options = {"hands": "dealt", "seats": 3}
    check_parse_refuses(data, texts, lambda text: parse(text, TABLE, options))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("hedge=0;0", "hedge=1;0", "its “stock” cannot be"),
        ("phase=place", "phase=fun", "its “phase” cannot be"),
        ("0,0:YYRRYR", "0,0:RBRBRB", "holds RBRBRB more often than the deck"),
        ("0,0:YYRRYR", "0,0:RYB", "“table=-1,0:RBRBRB;0,0:RYB;1,0:BBBYYY” cannot be read"),
        ("turn=0", "seat=0", "“seat=0” stands where “turn=” should"),
        (" eyes=-", "", "stands where “eyes=” should"),
        ("hands=?+?+?;", "hands=;", "its “turn” cannot be"),
    ],
)
def test_a_bad_position_says_which_part(old: str, new: str, words: str) -> None:
    text = str(laid())
    assert old in text
    with pytest.raises(BadText) as caught:
        parse(text.replace(old, new, 1), TABLE, {})
    assert words in str(caught.value)


def test_the_example_in_the_help_is_the_position_it_says() -> None:
    help = (Path(hexel.__file__).parent / "locale" / "en.md").read_text("utf-8")
    text = next(row.strip() for row in help.splitlines() if row.startswith("    deck=96"))
    assert parse(text, TABLE, {}) == replace(hedges(laid(), 6, 9), hedged=(0, 1))


def test_every_option_has_a_sentence_and_a_rule() -> None:
    spoken = {key.split(".")[-1] for key in sentences("hexel") if ".option." in key}
    assert {option.name for option in hexel.OPTIONS} == spoken
    assert all(option.rule.startswith("HEXEL-") for option in hexel.OPTIONS)


def test_a_position_of_another_deck_is_refused() -> None:
    with pytest.raises(BadText, match="of another deck"):
        parse(str(laid()), TABLE, {"deck": "necklace39"})


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("place 0,-1 RBYRBY", "three kinds of symbols"),
        ("place 0,-1 RRR", "give six letters"),
        ("place 9,9 RRRRRR", "no cell “9,9”"),
        ("stake three", "is not an action"),
        ("hedge 0 -3", "is not an action"),
        ("stake 03", "is not an action"),
        ("", "is not an action"),
    ],
)
def test_a_bad_action_is_refused_in_words(name: str, words: str) -> None:
    with pytest.raises(BadText) as caught:
        laid().action(name)
    assert words in str(caught.value)


def test_a_refused_action_raises_its_rule() -> None:
    with pytest.raises(IllegalAction) as caught:
        played(laid(), "place 4,-4 RRRRRR")
    assert caught.value.message.rule == "HEXEL-5.1"


SECOND: list[tuple[Options, int]] = [
    ({"seats": 2}, 1),
    ({"seats": 3, "stock": 12}, 2),
    ({"seats": 4, "stock": 6, "hedge_min_factor": 1}, 3),
    ({"seats": 5, "stuck": "pass_free"}, 4),
    ({"seats": 6, "dealer": 4, "stock": 20}, 5),
    ({"seats": 2, "carry_over_rounds": "on"}, 6),
    ({"seats": 3, "stuck": "eliminated", "dealer": 1}, 7),
]


@pytest.fixture
def stubborn(tmp_path: Path) -> str:
    """A deck of which hands are often stuck."""
    kinds = ("RRRRRR", "BBBBBB", "YYYYYY", "RRRRRB", "BBBBBY", "RYYYYY")
    return str(deck_file(tmp_path, 36, *(f"{face} = 6" for face in kinds)))


@pytest.mark.long
@pytest.mark.parametrize("own", [False, True], ids=["bracelet36", "stubborn"])
def test_a_second_slow_referee_agrees_move_by_move(own: bool, stubborn: str) -> None:
    """Players avoid a Hoxla while they can, so that games reach later rounds."""
    told_of: Counter[str] = Counter()
    for options, seed in SECOND:
        given = {"hands": "dealt", "deck": stubborn if own else "bracelet36", **options}
        for game in range(4):
            told_of.update(played_twice(given, Random(100 * seed + game)))
    wanted = {"pays", "broke", "run_out", "last_left", "hoxla", "dealt"}
    assert told_of.keys() >= wanted | ({"stuck", "stuck_out"} if own else set())


def played_twice(options: Options, random: Random) -> list[str]:
    """A random game under both referees, and all that was told."""
    position, keys = start(TABLE, options), list[str]()
    while position.phase in ("draw", "line"):
        position = position.play(random.choice(list(position.legal)))
    second = second_referee(position, options)
    while position.legal:
        moves = list(position.legal)
        assert {position.name(move) for move in moves} == second.may()
        move = random.choice(moves)
        for _ in range(20):
            if position.phase != "place" or "hoxla" not in told(position.play(move)):
                break
            move = random.choice(moves)
        second.do(position.name(move))
        position = position.play(move)
        keys += told(position)
        assert same(position, second)
    return keys


def second_referee(position: Hexel, options: Options) -> slow.Game:
    table: slow.Table = {}
    for piece in position.pieces():
        q, r = map(int, piece.place.split(","))
        table[q, r] = piece.text
    chosen = position.setting
    return slow.Game(
        [FACES[card] for card in chosen.deck],
        table,
        chosen.seats,
        chosen.dealer,
        chosen.stock,
        stuck=str(options.get("stuck", "pay_as_zero")),
        carry_over=options.get("carry_over_rounds") == "on",
        least=int(options.get("hedge_min_factor", 0)),
    )


def same(position: Hexel, second: slow.Game) -> bool:
    chips = position.chips
    mine = (position.phase, position.out, chips.stock, chips.hedge, chips.hand, chips.stake)
    purses = second.purses
    pots = [tuple(purse[pot] for purse in purses) for pot in ("stock", "hedge", "pot")]
    theirs = (second.phase, tuple(sorted(second.out)), *pots, second.stake)
    if second.phase == "over":
        return mine == theirs and position.winner == second.winner
    return mine == theirs and position.turn == second.turn


def test_the_slow_referee_agrees_on_any_table_of_matching_cards() -> None:
    """Tables built at random with every one of the 189 faces: fits, edges, live cells, Hoxlas."""
    random, grid = Random(3), start(TABLE, {}).setting.grid
    hoxlas = 0
    for _ in range(12):
        table, plain_table = grid.empty, dict[tuple[int, int], str]()
        for _ in range(30):
            free = grid.free(table) or [grid.cell["0,0"]]
            cell = random.choice(free)
            q, r = map(int, grid.ids[cell].split(","))
            fits = set(grid.fits(table, cell))
            tried = random.sample(range(1, 190), 12)
            for code in tried:
                after = {**plain_table, (q, r): FACES[code]}
                assert (code in fits) == (slow.edges(after, (q, r)) is not None)
            if not fits:
                continue
            code = random.choice(sorted(fits))
            live = grid.live(table, cell)
            assert grid.touching(table, cell) == slow.edges(
                {**plain_table, (q, r): FACES[code]}, (q, r)
            )
            plain_table[q, r] = FACES[code]
            table = grid.laid(table, cell, code)
            assert table == grid.table(bytes(table))
            assert table.asked == grid.table(table).asked
            assert bool(grid.hoxla(table, cell)) == slow.hoxla(plain_table, (q, r)) == live  # P2
            hoxlas += live
    assert hoxlas > 5
