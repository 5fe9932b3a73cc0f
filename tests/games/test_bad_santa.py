"""Bad Santa and the digest: hard cases and numbers by their ids, and a slow second referee."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import comb
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf as sgf_reader
from sgfmill import sgf_grammar

from hexboard.board import Board, Cell, plain
from hexboard.facts import Declare, Fact, Start
from hexboard.game.fields import ForeignFormat
from hexboard.game.match import Match
from hexboard.game.position import CHANCE
from hexboard.game.written import load
from hexboard.games.bad_santa import cross, hex, y
from hexboard.games.bad_santa.choice import Selection
from hexboard.games.bad_santa.ground import BLACK, WHITE, GroundShape, LinkGround, ground
from hexboard.games.bad_santa.groups import cells_of, grouped
from hexboard.games.bad_santa.position import DICE, PASS, BadSanta, Setting, begun
from hexboard.lights.frame import LightSettings, Power
from hexboard.scene import Meaning
from hexboard.table import open_table
from hexboard.web.sheet import table_sheet
from hexboard.words import say
from hexboard.words.errors import BadText, IllegalAction
from tests.games.bad_santa_slow import Slow
from tests.games.playing import played
from tests.games.properties import check_names, check_parse_refuses, check_play

GAMES: dict[str, Any] = {"hex": hex, "y": y, "cross": cross}


def at(
    size: int, black: str, white: str, mover: str, turn: int, reserved: str = "", **options: Any
) -> BadSanta:
    """A position of Hex from the names of its cells; reservation counters in order of label."""
    rows = [["."] * size for _ in range(size)]
    signs = [(cell, "B") for cell in black.split()] + [(cell, "W") for cell in white.split()]
    signs += [(cell, str(k + 1)) for k, cell in enumerate(reserved.split())]
    for cell, sign in signs:
        rows[int(cell[1:]) - 1][ord(cell[0]) - 97] = sign
    text = f"{'/'.join(map(''.join, rows))} {mover} {turn}"
    return read(text, size, **options)


def read(text: str, size: int, **options: Any) -> BadSanta:
    position: BadSanta = hex.parse(text, plain(f"rhombus-{size}"), options)
    return position


def parsed(text: str) -> BadSanta:
    raise AssertionError("nothing is ruled in these tests")


def opening(size: int, **options: Any) -> BadSanta:
    """An empty board of Hex, the smallest ones (which `start` refuses) too."""
    board = plain(f"rhombus-{size}")
    place = ground(hex.VARIANT.form, board.cells, size)
    return begun(
        Setting("Bad Santa Hex", board.name, place, "BSH-5.1", **options), 0, 0, 0, [], [], 1
    )


def told(position: BadSanta) -> list[tuple[str, str]]:
    return [(event.key.removeprefix("bad_santa."), event.rule) for event in position.events]


def refused(position: BadSanta, name: str) -> tuple[str, str]:
    """Key and rule of a refusal, which `play` raises too."""
    refusal = position.refusal(position.action(name))
    assert refusal is not None
    with pytest.raises(IllegalAction) as caught:
        position.play(position.action(name))
    assert caught.value.message == refusal
    return refusal.key.removeprefix("bad_santa."), refusal.rule


def stands(position: BadSanta, black: str, white: str) -> bool:
    """Whether exactly these counters stand."""
    names = position.ground.cells
    return [{names[c] for c in cells_of(s)} for s in (position.black, position.white)] == [
        set(black.split()),
        set(white.split()),
    ]


# --------------------------------------------------------------------------- numbers of the digest


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 19])
def test_tc01_first_turn_pairs(size: int) -> None:
    known = {2: 1, 3: 20, 4: 87, 5: 244, 6: 545, 7: 1056, 8: 1855, 9: 3032, 10: 4689, 11: 6940}
    known |= {12: 9911, 13: 13740, 14: 18577, 19: 63972}
    start = opening(size)
    ordered = sum(start.play(cell).offered.bit_count() for cell in start.legal)
    assert ordered == 2 * known[size]
    assert known[size] == comb(size * size, 2) - (3 * size * size - 4 * size + 1)


@pytest.mark.parametrize(
    ("size", "triples"), [(2, 0), (3, 11), (4, 196), (5, 1195), (6, 4544), (7, 13215), (11, 251139)]
)
def test_tc19_triples_on_an_empty_board(size: int, triples: int) -> None:
    place = opening(size).ground
    choice = Selection(place.near, [], place.all, 3, "max_reroll")
    ordered = 0
    for first in cells_of(choice.first if choice.need == 3 else 0):
        room = place.all & ~(choice.clash(first) | 1 << first)
        for second in cells_of(choice.sets(room, 2)):
            ordered += (room & ~(choice.clash(second) | 1 << second)).bit_count()
    assert ordered == 6 * triples


@pytest.mark.parametrize(
    ("size", "black", "white", "count", "sets"),
    [
        (11, "a1", "f6", 3, 237544),
        (3, "a1", "b2", 2, 4),
        (3, "c3", "a1", 3, 2),
        (3, "c1", "a3", 3, 1),
        (4, "c3", "b2", 3, 100),
        (5, "a1", "c3", 3, 800),
    ],
)
def test_second_turn_sets(size: int, black: str, white: str, count: int, sets: int) -> None:
    position = at(size, black, white, "W", 2)
    assert position.choice.need == count
    ordered = 0
    for first in position.legal:
        one = position.play(first)
        for second in one.legal:
            ordered += 1 if count == 2 else one.play(second).offered.bit_count()
    assert ordered == sets * (2 if count == 2 else 6)


@pytest.mark.parametrize(
    ("size", "black", "white", "pairs"),
    [(3, "c3", "a1", 9), (3, "c1", "a3", 10), (4, "c3", "b2", 61), (5, "a1", "c3", 196)],
)
def test_second_turn_pairs(size: int, black: str, white: str, pairs: int) -> None:
    choice = at(size, black, white, "W", 2).choice
    rooms = (
        (choice.free & ~(choice.clash(c) | 1 << c) for c in cells_of(choice.free))
        if choice.need
        else ()
    )
    assert sum(room.bit_count() for room in rooms) == 2 * pairs


def test_full_turns_on_3x3_have_as_many_outcomes_as_the_digest_says() -> None:
    """The digest's numbers are of three counters in the second turn."""
    first = [after for whole in turns(opening(3)) for _, after in outcomes(whole)]
    full = [position for position in first if position.choice.need == 3]
    second = [after for p in full for whole in turns(p) for _, after in outcomes(whole)]
    assert (len(first), len(second), len({(p.black, p.white) for p in second})) == (40, 252, 170)


def turns(position: BadSanta) -> list[BadSanta]:
    """A turn's every set of counters once, all placed."""
    found: dict[frozenset[int], BadSanta] = {}
    todo = [position]
    while todo:
        here = todo.pop()
        if here.rolling:
            found[frozenset(here.chosen)] = here
        elif frozenset(here.chosen) not in found:
            todo += [here.play(cell) for cell in here.legal]
    return list(found.values())


def outcomes(placed: BadSanta) -> Iterator[tuple[int, BadSanta]]:
    """How a turn can end: weight among the numbers of the die that end it, and the position."""
    ends: dict[BadSanta, int] = {}
    for die in placed.legal:
        after = placed.play(die)
        if not after.reserved:
            ends[after] = ends.get(after, 0) + placed.odds(die)
    for after, weight in ends.items():
        yield weight, after


def chance(position: BadSanta, best: bool, memo: dict[BadSanta, Fraction]) -> Fraction:
    """The exact probability that Black wins, by best play or by sets drawn uniformly."""
    if position.scores is not None:
        return Fraction(1 + position.scores[0] - position.scores[1], 2)
    if position not in memo:
        if list(position.legal) == [PASS]:
            memo[position] = chance(position.play(PASS), best, memo)
            return memo[position]
        values = []
        for placed in turns(position):
            ends = list(outcomes(placed))
            whole = sum(weight for weight, _ in ends)
            values.append(sum(chance(after, best, memo) * w for w, after in ends) / Fraction(whole))
        pick = (max, min)[position.mover] if best else lambda some: sum(some) / Fraction(len(some))
        memo[position] = pick(values)
    return memo[position]


@pytest.mark.parametrize(
    ("size", "shortage", "best", "value"),
    [
        (2, "max_reroll", True, Fraction(0)),
        (2, "max_no_reroll", True, Fraction(1, 3)),
        (2, "pass", True, Fraction(1, 2)),
        (2, "waive_group_rule", True, Fraction(1, 2)),
        *((2, s, False, Fraction(1, 2)) for s in ("max_reroll", "pass", "waive_group_rule")),
        (3, "max_reroll", True, Fraction(1, 3)),
        (3, "max_reroll", False, Fraction(212293, 518400)),
    ],
)
def test_tc25_exact_values(size: int, shortage: str, best: bool, value: Fraction) -> None:
    assert chance(opening(size, shortage=shortage), best, {}) == value


# --------------------------------------------------------------------------------------- hard cases


def test_tc02_neighbours() -> None:
    place = opening(11).ground

    def around(cell: str) -> str:
        near = cells_of(place.near[place.number[cell]] & place.all)
        return " ".join(sorted(place.cells[c] for c in near))

    assert around("f6") == "e6 e7 f5 f7 g5 g6"
    assert around("a1") == "a2 b1"
    assert [len(around(cell).split()) for cell in ("k1", "a11", "k11")] == [3, 3, 2]


def test_tc03_a_pair_may_not_touch() -> None:
    position = played(opening(11), "f6")
    for cell in ("e6", "e7", "f5", "f7", "g5", "g6"):
        assert refused(position, cell) == ("same_group", "BSH-2.2")
    for cell in ("e5", "g7", "a1", "k11"):
        assert position.action(cell) in position.legal


def test_tc04_two_counters_may_not_touch_the_same_group() -> None:
    position = at(11, "f6", "k1", "B", 2, first="white")
    assert refused(played(position, "e6"), "g6") == ("same_group", "BSH-2.2")
    assert played(position, "e6", "a1", "k11").rolling


def test_tc05_counters_may_touch_different_groups() -> None:
    position = at(11, "c3 i9", "k1 k3 k5", "B", 3)
    assert played(position, "c4", "i8", "f6").rolling


def test_bsh_2_4_one_counter_may_join_several_groups_and_then_stands_for_all() -> None:
    position = at(11, "c3 e3", "k1 k3 k5", "B", 3)
    joining = played(position, "d3")
    assert refused(joining, "c4") == ("same_group", "BSH-2.2")
    assert refused(joining, "e2") == ("same_group", "BSH-2.2")
    assert played(position, "c4", "e2", "h8").rolling


def test_tc07_enemy_counters_join_nothing() -> None:
    position = at(11, "k1", "f6", "B", 2, first="white")
    assert played(position, "e6", "g6", "a1").rolling


def test_tc08_a_taken_cell_is_refused() -> None:
    position = at(11, "c3 i9", "k1 k3 k5", "B", 3)
    assert refused(position, "c3") == ("taken", "BSH-2.1")
    assert refused(position, "k1") == ("taken", "BSH-2.1")
    assert refused(played(position, "a1"), "a1") == ("taken", "BSH-2.1")


def test_tc10_a_number_that_is_not_there_is_rolled_again() -> None:
    position = played(opening(11, labels="free"), "12:d4", "56:h8")
    for die in ("die 3", "die 4"):
        position = played(position, die)
        assert told(position) == [("rerolls", "BSH-4.1")]
        assert position.rolling
    position = played(position, "die 2")
    assert told(position) == [("gives", "BSH-3.1")]
    assert stands(position, "h8", "d4")
    assert position.mover == WHITE


@pytest.mark.parametrize("die", range(1, 7))
def test_tc11_the_roll_decides(die: int) -> None:
    position = at(5, "c1 c2 c3 c4", "a1 b1 e1", "B", 4, first="white")
    placed = played(position, "c5", "a4", "e3")
    assert placed.scores is None  # TC-BSH-12: reservation counters link nothing
    after = played(placed, f"die {die}")
    if die > 2:
        assert after.scores == (1, 0)
        assert told(after)[1] == ("wins", "BSH-5.1")
    else:
        assert after.scores is None
        assert stands(after, "c1 c2 c3 c4 a4 e3", "a1 b1 e1 c5")


def test_tc15_the_smallest_board() -> None:
    position = opening(2)
    assert [position.name(move) for move in position.legal] == ["a1", "b2"]
    position = played(position, "a1")
    assert [position.name(move) for move in position.legal] == ["b2"]
    position = played(position, "b2", "die 1")
    assert position.choice.need == 1
    position = played(position, "b1")
    assert told(played(position, "die 5")) == [("rerolls", "C1")]
    after = played(position, "die 2")
    assert stands(after, "b2 b1", "a1")
    assert (after.scores, told(after)[1]) == ((1, 0), ("wins_gift", "C2"))


def linked(place: LinkGround, cells: str, colour: int) -> bool:
    stones = sum(1 << place.number[cell] for cell in cells.split())
    return place.verdict(colour, grouped(stones, place.near)) == 1


def test_tc17_and_18_what_links_on_3x3() -> None:
    place = opening(3).ground
    assert (linked(place, "a1 a2 a3", BLACK), linked(place, "a1 a2 a3", WHITE)) == (True, False)
    assert (linked(place, "a1 b1 c1", BLACK), linked(place, "a1 b1 c1", WHITE)) == (False, True)
    assert not linked(place, "a1 b2 c3", BLACK)
    assert not linked(place, "a1 b2 c3", WHITE)
    assert linked(place, "c1 b2 a3", BLACK)
    assert linked(place, "c1 b2 a3", WHITE)
    tiny = ground(hex.VARIANT.form, (Cell("a1", 0, 0, 0.0, 0.0),), 1)
    assert linked(tiny, "a1", BLACK)
    assert linked(tiny, "a1", WHITE)


def full_board(game: Any, size: int, random: Random) -> tuple[int, int]:
    """What each colour has made of a board filled at random."""
    form: GroundShape = game.VARIANT.form
    place = ground(form, plain(f"{form.board}-{size}").cells, size)
    black = random.getrandbits(len(place.cells)) & place.all
    both = (black, place.all & ~black)
    one, other = (place.verdict(c, grouped(both[c], place.near)) for c in (BLACK, WHITE))
    return one, other


def test_tc16_a_full_board_of_hex_or_y_has_one_winner() -> None:
    random = Random(16)
    for game in (hex, y):
        for size in (2, 3, 5, 8, 11):
            for _ in range(40):
                assert sorted(full_board(game, size, random)) == [0, 1]


@pytest.mark.long
def test_a_full_board_of_cross_is_decided_and_both_can_only_lose() -> None:
    random = Random(17)
    results = {full_board(cross, size, random) for size in (3, 4, 5) for _ in range(300)}
    assert results == {(1, 0), (0, 1), (-1, 0), (0, -1), (-1, -1)}


def test_tc21_only_the_right_picture_is_what_should_be_seen() -> None:
    placed = played(opening(3), "a1", "c3")
    seen = placed.seen()
    assert seen == bytes([3, 0, 0, 0, 0, 0, 0, 0, 3])
    right = {played(placed, f"die {die}").seen() for die in (1, 3)}
    assert right == {bytes([2, *[0] * 7, 1]), bytes([1, *[0] * 7, 2])}
    assert bytes([2, *[0] * 7, 2]) not in right


def test_tc22_white_may_begin_and_tc23_the_second_player_has_three() -> None:
    start = hex.start(plain("rhombus-11"), {"first": "white"})
    assert start.actor(start.legal[0]) == WHITE
    placed = played(start, "a1", "k11")
    assert placed.rolling
    second = played(placed, "die 1")
    assert stands(second, "a1", "k11")
    assert (second.mover, second.choice.need) == (BLACK, 3)


def test_c2_a_gift_can_win_for_the_other_side() -> None:
    position = at(3, "b1 b2", "a1 c1", "W", 4, first="black", shortage="max_no_reroll")
    placed = played(position, "b3")
    while not placed.rolling:
        placed = placed.play(placed.legal[0])
    after = played(placed, "die 1")
    assert after.scores == (1, 0)
    assert told(after) == [("gives", "BSH-3.1"), ("wins_gift", "C2")]
    chain = {mark.place for mark in after.scene() if mark.meaning is Meaning.WIN}
    assert chain == {"b1", "b2", "b3"}


def test_c5_a_cell_from_which_the_turn_cannot_be_completed_is_refused() -> None:
    position = at(3, "c1", "a3", "W", 2)
    assert {position.name(move) for move in position.legal} == {"a1", "b2", "c3"}
    assert refused(position, "a2") == ("dead_end", "C5")


@pytest.mark.parametrize(
    ("free", "count"), [("f6 e6 e7 f5 f7 g5 g6 k10 j11 k11", 3), ("f6 e6 e7 f5 f7 g5 g6", 2)]
)
def test_c5_a_cell_in_the_middle_of_its_neighbours_has_no_partners(free: str, count: int) -> None:
    """All other empty cells touch f6, or one another."""
    place = opening(11).ground
    cells = sum(1 << place.number[cell] for cell in free.split())
    choice = Selection(place.near, [], cells, count, "pass")
    assert {place.cells[cell] for cell in cells_of(choice.first)} == set(free.split()) - {"f6"}


def test_c8_nothing_is_lost_by_taking_a_counter_back() -> None:
    match: Match[Any] = Match(hex.GAME, opening(3), parsed)
    for name in ("a1", "c3"):
        match.play(match.position.action(name))
    assert str(match.back(1)) == "1../.../... B 1"


def test_c8_a_counter_is_taken_back_in_any_order_until_the_roll() -> None:
    """Black's f6 on 11x11, and three counters that keep apart; each may go first."""
    begin, cells = at(11, "f6", "b9", "B", 3), ("e6", "a1", "k11")
    placed = played(begin, *cells)
    assert placed.rolling
    for first, second, third in permutations(cells):
        one = played(placed, f"back {first}")
        assert told(one) == [("takes_back", "C8")]
        left = [cell for cell in cells if cell != first]
        assert one == played(begin, *left)  # the order of placing gives the numbers (C10)
        assert list(one.legal) == list(played(begin, *left).legal)
        assert read(str(one), 11) == one
        two = played(one, f"back {second}")
        assert [piece.text for piece in two.pieces() if piece.place == third] == ["1-2"]
        none = played(two, f"back {third}")
        assert (none, list(none.legal)) == (begin, list(begin.legal))
    assert {placed.name(act) for act in placed.acts} == {
        *("back e6", "back a1", "back k11", "resign black", "resign white")
    }
    assert placed.actor(placed.action("back a1")) == BLACK


def test_c8_what_is_placed_after_a_take_back_is_rolled_for() -> None:
    """c3 and a1 are placed, c3 is taken back, e5 placed: a1 has 1-2 now, and a 2 gives it away."""
    after = played(opening(5), "c3", "a1", "back c3", "e5", "die 2")
    assert stands(after, "e5", "a1")
    free = played(opening(5, labels="free"), "12:c3", "34:a1", "back c3", "56:e5", "die 3")
    assert stands(free, "e5", "a1")


def test_c8_what_is_no_counter_of_this_turn_is_not_taken_back() -> None:
    placed = played(opening(5), "c3", "a1")
    assert refused(placed, "back b2") == ("no_back", "C8")
    assert refused(played(placed, "die 1"), "back a1") == ("no_back", "C8")
    assert refused(played(placed, "resign white"), "back a1") == ("over", "BSH-5.1")
    assert [placed.name(act) for act in hex.GAME.table_acts(played(placed, "die 1"))] == [
        *("resign black", "resign white")
    ]


@pytest.mark.parametrize("labels", ["order", "free"])
def test_c8_no_counter_is_taken_back_once_a_die_was_rolled_that_decides_nothing(
    labels: str,
) -> None:
    """Free until the roll, also where it is rolled again (BSH-4.1)."""
    names = ("a1", "c3") if labels == "order" else ("12:a1", "34:c3")
    placed = played(opening(3, labels=labels), *names)
    assert set(map(placed.name, placed.acts)) >= {"back a1", "back c3"}
    once = played(placed, "die 5")
    assert once != placed
    assert str(once) == f"{placed} rolls"
    assert read(str(placed), 3, labels=labels) == placed  # of before
    for missed in (once, played(once, "die 6"), read(str(once), 3, labels=labels)):
        assert refused(missed, "back a1") == ("no_back_rolled", "C8")
        assert list(map(missed.name, missed.acts)) == ["resign black", "resign white"]
        assert list(missed.marches({"a1", "b2"})) == []
        assert told(played(missed, "die 1"))[0] == ("gives", "BSH-3.1")


def test_c8_a_take_back_goes_past_what_the_dealer_would_only_throw_again() -> None:
    match: Match[Any] = Match(hex.GAME, opening(5, die="dealt"), parsed)
    for _ in range(8):
        match.play(next(iter(match.position.legal)))
    assert any(map(hex.GAME.deals, match.line))
    _, *before = match.certain
    assert not any(map(hex.GAME.deals, before))
    for back, earlier in enumerate(before, 1):
        again: Match[Any] = Match(hex.GAME, opening(5, die="dealt"), parsed)
        for entry in match.entries:
            again.add(entry)
        to = again.last_choice(back)
        assert to is not None
        assert again.back(to) == earlier


def test_c9_the_second_player_may_swap_once_and_only_first() -> None:
    second = played(opening(5, swap=True), "c3", "a1", "die 1")
    assert "swap" in {second.name(move) for move in second.legal}
    after = played(second, "swap")
    assert told(after) == [("swaps", "C9")]
    assert refused(after, "swap") == ("no_swap", "C9")
    assert (after.black, after.white, after.mover) == (second.black, second.white, WHITE)
    assert refused(played(second, "e5"), "swap") == ("no_swap", "C9")
    assert refused(played(opening(5), "c3", "a1", "die 1"), "swap") == ("no_swap", "C9")


def test_c10_labels_follow_the_order_or_are_free() -> None:
    assert [p.text for p in played(opening(5), "c3", "a1").pieces()] == ["1-2", "3-4"]
    free = played(opening(5, labels="free"), "56:c3")
    assert [p.text for p in free.pieces()] == ["5-6"]
    assert refused(free, "56:a1") == ("label_used", "BSH-2.1")
    assert free.play(free.action("12:a1")) == played(opening(5, labels="free"), "12:a1", "56:c3")


def test_s1b_nothing_is_given_away_when_the_number_is_not_there() -> None:
    position = played(opening(2, shortage="max_no_reroll"), "a1", "b2", "die 1", "a2")
    assert stands(played(position, "die 1"), "b2 a2", "a1")
    after = played(position, "die 6")
    assert told(after)[0] == ("keeps", "C1")
    assert stands(after, "b2", "a1 a2")


def test_s2_two_passes_are_a_draw() -> None:
    position = played(opening(2, shortage="pass"), "a1", "b2", "die 1")
    assert refused(position, "a2") == ("must_pass", "C1")
    once = played(position, "pass")
    assert told(once) == [("passes", "C1")]
    twice = played(once, "pass")
    assert (twice.scores, told(twice)[1]) == ((0, 0), ("drawn", "C1"))
    assert refused(opening(3), "pass") == ("no_pass", "C1")


def test_a_small_board_is_said_to_be_smaller_than_recommended() -> None:
    assert told(hex.start(plain("rhombus-7"), {})) == [("small", "C7")]
    assert told(hex.start(plain("rhombus-11"), {})) == []


def test_a_seat_may_resign_whoever_moves() -> None:
    position = played(opening(5), "c3")
    assert position.actor(position.action("resign white")) == WHITE
    after = played(position, "resign white")
    assert (after.scores, after.legal) == ((1, 0), ())
    assert told(after) == [("resigns", "BSH-R"), ("last_one", "BSH-R")]
    assert refused(after, "resign black")[0] == "over"
    assert read(str(after), 5) == after


def test_a_die_is_nobodys_choice_and_not_asked_before_the_counters_lie() -> None:
    position = opening(5)
    assert refused(position, "die 3") == ("no_die", "BSH-3.1")
    placed = played(position, "c3", "a1")
    assert refused(placed, "e5") == ("roll_now", "BSH-3.1")
    assert list(placed.legal) == list(DICE)
    assert {placed.actor(die) for die in DICE} == {CHANCE}
    assert sum(placed.odds(die) for die in DICE) == 6


def test_the_opponent_is_asked_for_the_die() -> None:
    placed = played(opening(5), "c3", "a1")
    for seat in (WHITE, CHANCE):
        question = placed.question(seat)
        assert question is not None
        assert question.seat == WHITE
        assert say(question.message).startswith("White: roll")
    assert placed.question(BLACK) is None
    waits = played(opening(5, die="dealt"), "c3", "a1")
    dealt = waits.question(WHITE)
    assert dealt is not None
    assert "die for White" in say(dealt.message)
    assert waits.dealt
    assert not played(waits, "resign black").dealt
    assert not played(opening(5, die="dealt"), "c3").dealt


def test_c6_hexboard_rolls_once_the_opponent_says_so_and_until_then_c8_holds() -> None:
    placed = played(opening(5, die="pressed"), "c3", "a1")
    assert [placed.name(it) for it in placed.legal] == ["roll"]
    assert placed.actor(placed.action("roll")) == WHITE
    assert placed.question(BLACK) is placed.question(CHANCE) is None
    asked = placed.question(WHITE)
    assert asked is not None
    assert say(asked.message).startswith("White: let hexboard roll")
    assert not placed.dealt
    assert refused(placed, "die 3") == ("unpressed", "C6")
    assert played(placed, "back a1").offered == played(opening(5), "c3").offered
    rolls = played(placed, "roll")
    assert told(rolls) == [("rolls", "C6")]
    assert (rolls.dealt, [rolls.actor(it) for it in rolls.legal]) == (True, [CHANCE] * 6)
    for act in ("back a1", "roll"):
        assert refused(rolls, act) is not None
    again = played(rolls, "die 5")  # of no counter: it is rolled again, and nobody is asked
    assert again.dealt
    after = played(again, "die 1")
    assert not after.dealt
    assert str(after) == "B..../...../..W../...../..... W 2"
    for position in (placed, rolls, again, played(rolls, "resign black"), after):
        assert hex.parse(str(position), plain("rhombus-5"), {"die": "pressed"}) == position
    for die in ("physical", "dealt"):
        assert refused(played(opening(5, die=die), "c3", "a1"), "roll") == ("no_roll", "C6")
        three = played(opening(5, die=die), "c3", "a1", "die 1", "a5", "e1", "e3")
        with pytest.raises(BadText):  # a die that hits in any case is not rolled again
            hex.parse(f"{three} rolls", plain("rhombus-5"), {"die": die})
    assert refused(played(opening(5, die="pressed"), "c3"), "roll") == ("no_die", "BSH-3.1")


def test_lights_show_what_is_offered_reserved_and_last() -> None:
    position = played(at(3, "c1", "a3", "W", 2), "a1")
    marks = {(m.place, m.meaning, m.count) for m in position.scene()}
    assert ("a1", Meaning.RESERVED, 1) in marks
    assert {p for p, meaning, _ in marks if meaning is Meaning.LEGAL} == {"b2", "c3"}
    after = played(position, "b2", "c3", "die 6")
    lasts = {(m.place, m.count) for m in after.scene() if m.meaning is Meaning.LAST}
    assert lasts == {("a1", 2), ("b2", 2), ("c3", 1)}  # white's, and the one given to black


def test_sides_are_lit_at_the_outer_edges_of_hex_only() -> None:
    tones = {m.place: m.count for m in opening(3).scene() if "/" in m.place}
    assert {place for place, seat in tones.items() if seat == 1} == {
        *("a1/1", "a1/6", "b1/1", "b1/6", "c1/1", "c1/6"),
        *("a3/3", "a3/4", "b3/3", "b3/4", "c3/3", "c3/4"),
    }
    assert {place for place, seat in tones.items() if seat == 2} == {
        *("a1/4", "a1/5", "a2/4", "a2/5", "a3/5"),
        *("c1/2", "c2/1", "c2/2", "c3/1", "c3/2"),
    }
    assert not [m for m in y.start(plain("rhombus-5"), {}).scene() if "/" in m.place]


def test_y_is_played_on_the_triangle_of_a_rhombus() -> None:
    start = y.start(plain("rhombus-4"), {})
    assert str(start) == "..../.../../. B 1"
    assert len(start.legal) == 10
    assert refused(start, "b4") == ("outside", "BSH-1.1")
    assert start.seen() == bytes(16)


@pytest.mark.parametrize(("both", "scores"), [("mover", (0, 1)), ("opponent", (1, 0))])
def test_cross_where_both_link_opposite_sides_in_one_turn(
    both: str, scores: tuple[int, int]
) -> None:
    """By hand: c5 d4 d3 e2 e1 are black from the lower right to the upper left, and so are the
    white c1 c2 c3 b3 b4; neither reaches three alternate sides."""
    text = "WWB/2.3W/WWW.1/..BB/BB. B 5"
    position = cross.parse(text, plain("hexhex-3"), {"both_lose": both})
    after = played(position, "die 6")
    assert after.scores == scores
    assert told(after) == [("gives", "BSH-3.1"), ("both_lose", "BSC-3")]
    chain = {mark.place for mark in after.scene() if mark.meaning is Meaning.DOOMED}
    assert chain == ({"c5", "d4", "d3", "e2", "e1"}, {"c1", "c2", "c3", "b3", "b4"})[scores[0]]


@pytest.mark.parametrize("both", ["mover", "opponent"])
def test_cross_who_alone_links_opposite_sides_loses_whoever_would_if_both_did(both: str) -> None:
    """Black c5 d4 d3 e2 e1 again; White has no b4 and so no chain."""
    position = cross.parse("WWB/2.3./WWW.1/..BB/BB. B 5", plain("hexhex-3"), {"both_lose": both})
    after = played(position, "die 6")
    assert after.scores == (0, 1)
    assert told(after)[1] == ("loses", "BSC-2")


def test_cross_a_gift_can_make_the_other_side_lose() -> None:
    """White c1 c2 c3 b3 b4 again; Black has no e1 and so no chain."""
    position = cross.parse("WWB/2.3W/WWW.1/..BB/.B. B 5", plain("hexhex-3"), {})
    after = played(position, "die 6")
    assert after.scores == (1, 0)
    assert told(after)[1] == ("loses", "BSC-2")


def test_cross_three_alternate_sides_win_even_with_two_opposite_ones() -> None:
    """b1 is at the left below, b4 at the right below, e1 at the top and at the left above."""
    place = cross.start(plain("hexhex-3"), {}).ground

    def verdict(cells: str) -> int:
        stones = sum(1 << place.number[cell] for cell in cells.split())
        return place.verdict(BLACK, grouped(stones, place.near))

    assert verdict("c1 c2 c3 c4 c5") == -1
    assert verdict("a2 b2 c2 c1") == 0
    assert verdict("b1 b2 b3 b4") == 0
    assert verdict("b1 b2 b3 c3 d2 e1 b4") == 1
    assert verdict("d4 d3 d2 c3 b3 a3 d1") == 1  # the same turned round
    assert verdict("b1 b2 b3 b4 d2 e1") == 0  # not connected


# ---------------------------------------------------------------------------------------- sgf


def sgf(line: Sequence[BadSanta], variant: ModuleType = hex) -> str:
    foreign: ForeignFormat[BadSanta] = variant.GAME.foreign
    return foreign.write(line, (), "")


def test_sgf_opens_in_another_reader_and_has_every_counter() -> None:
    random = Random(11)
    line = [hex.start(plain("rhombus-11"), {})]
    while line[-1].legal:
        line.append(line[-1].play(random.choice(list(line[-1].legal))))
    game = sgf_reader.Sgf_game.from_string(sgf(line))
    root = game.get_root()
    heads = {key: root.get_raw(key).decode() for key in ("FF", "GM", "SZ", "RU", "RE", "PL")}
    winner = "BW"[line[-1].winner]
    assert (heads.pop("RU"), heads.pop("RE")) == ("Bad Santa Hex", f"{winner}+")
    assert heads == {"FF": "4", "GM": "11", "SZ": "11", "PL": "B"}
    nodes = game.get_main_sequence()[1:]
    found: dict[str, list[str]] = {"B": [], "W": []}
    for node in nodes:
        (key,) = {"B", "W"} & set(node.properties())
        found[key].append(node.get_raw(key).decode())
    assert all(len(set(cells)) == len(cells) for cells in found.values())
    assert stands(line[-1], " ".join(found["B"]), " ".join(found["W"]))
    comments = [node.get("C") for node in nodes if node.has_property("C")]
    assert len(comments) == line[-1].turn
    assert comments[-1].endswith("wins")


def test_sgf_tells_the_die_and_the_labels() -> None:
    line = [opening(11, labels="free")]
    for name in ("12:d4", "56:h8", "die 3", "die 4", "die 2"):
        line.append(line[-1].play(line[-1].action(name)))
    assert sgf(line).splitlines()[1:] == [";B[h8]", ";W[d4]C[1. B 12:d4 56:h8 d3 d4 d2 -> d4=W])"]


def test_sgf_sets_up_what_a_host_has_ruled_and_tells_a_resignation() -> None:
    line = [hex.start(plain("rhombus-11"), {}), at(11, "f6", "k1", "W", 2)]
    line.append(played(line[-1], "resign white"))
    text = sgf(line)
    assert "RE[B+R]" in text
    assert ";AB[f6]AW[k1]PL[W]" in text
    sgf_reader.Sgf_game.from_string(text)


def test_sgf_has_no_number_for_y() -> None:
    (game,) = sgf_grammar.parse_sgf_collection(sgf([y.start(plain("rhombus-11"), {})], y).encode())
    root = game.sequence[0]
    assert (root["SZ"], root["RU"], "GM" in root) == ([b"11"], [b"Bad Santa Y"], False)


# --------------------------------------------------------------------------------------- properties


def boards() -> st.SearchStrategy[tuple[str, Board]]:
    small = {"hex": ("rhombus", (3, 4)), "y": ("rhombus", (3, 4, 5)), "cross": ("hexhex", (3,))}
    return st.sampled_from(
        [(g, plain(f"{shape}-{n}")) for g, (shape, sizes) in small.items() for n in sizes]
    )


@st.composite
def agreements(draw: st.DrawFn, game: str) -> dict[str, Any]:
    """Some options, each any of its choices."""
    options = {
        o.name: draw(st.sampled_from(o.choices or (False, True)))
        for o in GAMES[game].OPTIONS
        if o.name != "size"
    }
    return {name: value for name, value in options.items() if draw(st.booleans())}


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_positions_are_positions(data: st.DataObject) -> None:
    game, board = data.draw(boards())
    options = data.draw(agreements(game))
    module = GAMES[game]
    check_play(
        data,
        module.GAME,
        module.start(board, options),
        lambda text: module.parse(text, board, options),
    )


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_garbled_text_is_refused_or_means_what_it_says(data: st.DataObject) -> None:
    board = plain("rhombus-3")
    texts = [".../.../... B 1", "1../.../... B 1", "W../.2./..B W 2", "B../.W./... W 2 passed"]
    options: dict[str, Any] = {"shortage": "pass", "labels": "free", "swap": True}
    check_parse_refuses(data, texts, lambda text: hex.parse(text, board, options))


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_slow_referee_agrees(data: st.DataObject) -> None:
    """Over whole games: the cells offered, the winner, and that no counter gets lost."""
    game, board = data.draw(boards())
    options = data.draw(agreements(game)) | {"labels": "order", "swap": False}
    position: BadSanta = GAMES[game].start(board, options)
    slow = Slow(game, {cell.id: (cell.q, cell.r) for cell in board.cells})
    random = Random(data.draw(st.integers(0, 10**6)))
    names, shortage = position.ground.cells, position.setting.shortage
    while position.legal:
        mover = ("black", "white")[position.mover]
        sets = slow.turn(mover, position.turn == 1, shortage)
        assert (list(position.legal) == [PASS]) == (not sets)
        chosen: frozenset[str] = frozenset()
        while sets and not position.rolling:
            offered = {cell for some in sets if chosen <= some for cell in some - chosen}
            assert {names[move] for move in position.legal} == offered
            cell = random.choice(sorted(offered))
            chosen |= {cell}
            position = position.play(position.action(cell))
        action = random.choice(list(position.legal))
        order = [names[cell] for cell in position.chosen]
        position = position.play(action)
        if action in DICE:
            slow_roll(slow, order, -action, mover, position)
        assert stands(position, " ".join(slow.of("black")), " ".join(slow.of("white")))
        if not position.reserved and action != PASS:
            both = position.setting.both_lose
            winner = slow.winner(mover, both)
            scores = {"black": (1, 0), "white": (0, 1)}.get(winner)
            assert position.scores == (scores or (None if slow.free() else (0, 0)))


def slow_roll(slow: Slow, order: list[str], die: int, mover: str, after: BadSanta) -> None:
    """BSH-3.1 by hand, unless the number is not there and is rolled again."""
    hit = {1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 2}[die]
    if hit >= len(order) and after.reserved:
        return
    other = {"black": "white", "white": "black"}[mover]
    assert hit < len(order) or after.setting.shortage == "max_no_reroll"
    for k, cell in enumerate(order):
        slow.stones[cell] = other if k == hit else mover


@settings(max_examples=25, deadline=None)
@given(st.integers(4, 7), st.integers(0, 10**6))
def test_offered_cells_are_exact_on_boards_of_any_filling(size: int, seed: int) -> None:
    """C5 on positions that games seldom reach, where witnesses are few."""
    random = Random(seed)
    place = opening(size).ground
    cells = list(range(size * size))
    random.shuffle(cells)
    own = sum(1 << c for c in cells[: random.randrange(size * size // 2)])
    their = sum(1 << c for c in cells[-random.randrange(1, size * size // 3) :]) & ~own
    choice = Selection(place.near, grouped(own, place.near), place.all & ~own & ~their, 3, "pass")
    slow = Slow("hex", {c.id: (c.q, c.r) for c in plain(f"rhombus-{size}").cells})
    slow.stones = {place.cells[c]: "black" for c in cells_of(own)}
    slow.stones |= {place.cells[c]: "white" for c in cells_of(their)}
    free = sorted(slow.free())
    clash = {
        a: {b for b in free if b == a or not slow.apart(frozenset((a, b)), "black")} for a in free
    }
    triples = {
        a for a in free for b in free if b not in clash[a] and set(free) - clash[a] - clash[b]
    }
    assert {place.cells[c] for c in cells_of(choice.first)} == triples


# ---------------------------------------------------------------------------------------- bad input


BAD = {
    "": "Write the rows",
    "nonsense": "Write the rows",
    ".../.../... G 1": "Write the rows",
    ".../... B 1": "2 rows, the board has 3",
    ".../..../... B 1": "Row 2 has 4 signs, but 3 cells",
    ".../.x./... B 1": "On b2 stands “x”",
    ".../.../... W 1": "White cannot have turn 1 where Black begins",
    "BW./BW./BW1 B 5": "Counter 1 cannot be on c3",
    "11./.../... B 1": "lies twice or out of order",
    "2../.../... B 1": "lies twice or out of order",
    "12./.../... B 1": "Counter 2 cannot be on b1",
    "B../.../..W W 2 passed": "“passed” does not fit",
    "B../.../..W W 2 hello": "“hello” does not fit",
    "B../.../..W W 02": "Write the rows",
    ".../.../... W 0": "Write the rows",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_text_is_refused_with_a_sentence_that_says_where(text: str) -> None:
    with pytest.raises(BadText) as caught:
        read(text, 3)
    assert BAD[text] in str(caught.value)


PROBLEMS = {
    "B../.../... B 1": "Black has 1 counters, but at turn 1 there are 0 to 0",
    "BBB/..W/... W 2": "Black has 3 counters, but at turn 2 there are 1 to 1",
    ".../.../... W 2": "Black has 0 counters",
}


@pytest.mark.parametrize("text", PROBLEMS)
def test_a_problem_is_read_and_loaded_where_it_is_asked_for(text: str) -> None:
    game, board = hex.GAME, plain("rhombus-3")
    position = game.read(text, board, {})
    assert str(position) == text
    assert position.legal
    assert str(load(game, text, board, {}, problem=True)) == text
    with pytest.raises(BadText, match="could not come about") as caught:
        load(game, text, board, {}, problem=False)
    assert PROBLEMS[text] in str(caught.value)


COMPOSED = {
    "TC-BSH-04": (11, "f6", "", "e6 a1 k11", 3),
    "TC-BSH-05": (11, "c3 i9", "", "c4 i8 f6", 3),
    "TC-BSH-07": (11, "", "f6", "e6 g6 a1", 3),
    "TC-BSH-11": (5, "c1 c2 c3 c4", "a1 b1 e1", "c5 a4 e3", 3),
}
"""Black's and White's counters, the reservation counters and the turn."""


@pytest.mark.parametrize("case", COMPOSED)
def test_what_the_digest_composes_is_loaded_as_a_problem(case: str) -> None:
    """It is Black's second turn: by then Black would have one counter of its own and the gift of
    White's turn, White up to two and the gift of Black's."""
    size, black, white, reserved, turn = COMPOSED[case]
    text = str(at(size, black, white, "B", turn, reserved))
    board = plain(f"rhombus-{size}")
    assert str(load(hex.GAME, text, board, {}, problem=True)) == text
    with pytest.raises(BadText, match="could not come about"):
        load(hex.GAME, text, board, {}, problem=False)


@pytest.mark.parametrize("name", ["z9", "a12", "12:a1", "die 7", "die", "", "A1", "resign"])
def test_an_unknown_action_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(BadText, match=r"is not an action\. Try “c3”"):
        opening(11).action(name)


def test_a_board_that_does_not_fit_is_refused() -> None:
    with pytest.raises(BadText, match=r"cannot be played on the board “hexhex-5”.*rhombus-11"):
        hex.start(plain("hexhex-5"), {})
    with pytest.raises(BadText, match="cannot be played on the board “rhombus-2”"):
        hex.start(plain("rhombus-2"), {})
    with pytest.raises(BadText, match="has 7 cells a side, but the size was to be 9"):
        hex.start(plain("rhombus-7"), {"size": 9})
    with pytest.raises(BadText):
        cross.start(plain("rhombus-5"), {})
    assert hex.board({"size": 9}) == "rhombus-9"
    assert cross.board({}) == "hexhex-5"


def test_names_are_unique_with_every_action_there_is() -> None:
    for labels in ("order", "free"):
        position = opening(5, labels=labels)
        check_names(position, [*map(position.name, range(-35, 25 * (1 + 2 * (labels == "free"))))])


def test_in_a_match_of_rulings_1_no_act_is_offered_that_its_hexboard_may_not_know() -> None:
    """Some of rulings 1 know no "back c4" (C8), others do: theirs is read."""
    board, begin = plain("hexhex-5"), cross.GAME.rules()
    for version, offers in ((begin, True), (begin.replace("C10, 2", "C10, 1"), False)):
        start = Start("m", board.name, board.hash, "bad-santa-cross", version, {}, "0.1.0")
        table = open_table(board, start)
        table.step(Fact(1, 0, 0, "page", Declare(-1, "c4")))
        sheet: Any = table_sheet(table.view(), -1, 0, Power(), LightSettings())
        assert ("back c4" in [name for name, *_ in sheet["acts"]]) == offers
        table.step(Fact(2, 1, 1, "page", Declare(-1, "back c4")))
        assert str(table.view().position) == str(cross.GAME.start(board, {}))
