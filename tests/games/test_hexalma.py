"""HexAlma: its rules by their hard cases, its numbers, and what is refused in words."""

import operator
from collections import Counter
from itertools import cycle, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexboard.board import plain
from hexboard.game.referee import distinct, perft
from hexboard.games import hexalma
from hexboard.games.hexalma import Hexalma, moves, parse, start
from hexboard.scene import Mark, Meaning
from hexboard.words import Value, say
from hexboard.words.errors import BadText, IllegalAction
from tests.games import hexalma_slow as slow
from tests.games.playing import played as play
from tests.games.properties import check_parse_refuses, check_play

START = "WWWWW/WWWWWW/7/8/9/8/7/BBBBBB/BBBBB b"
MIDDLES = (
    "(WW)1W2/W3W1/2W1W1W/W4WW1/9/1BB5/3B3/BB3B/1(BB)1B(BB) b",
    "WW2(WW)/2W1W1/W2WW2/1W6/6(BW)2/4BB2/7/B(BB)BB(BB)1/1B3 b",
)

LOOP = ("b3-c3", "h3-g3", "c3-b3", "g3-h3")
"""Both sides there and back."""


def put(side: str, **stacks: str) -> Hexalma:
    """A position with only these stacks."""
    return parse(slow.text(stacks, side))


def targets(position: Hexalma, cell: str) -> set[str]:
    moves = [position.places(action) for action in position.legal]
    return {onto for left, onto in moves if left == cell}


def stack(position: Hexalma, cell: str) -> str:
    """The discs of a cell from the bottom up."""
    pieces = {piece.place: piece for piece in position.pieces()}
    return pieces[cell].text or "BW"[pieces[cell].seat] if cell in pieces else ""


def refused(position: Hexalma, name: str) -> tuple[str, str]:
    with pytest.raises(IllegalAction) as caught:
        play(position, name)
    return caught.value.message.rule, str(caught.value)


def mirrored(text: str) -> str:
    """The same with the colours swapped and the board turned by half (TC-ALMA-23)."""
    rows, side = text.translate(str.maketrans("BWbw", "WBwb")).split(" ")
    turned = rows[::-1].translate(str.maketrans("()", ")("))
    signs = turned.replace(")", "(").split("(")
    signs[1::2] = [f"({discs[::-1]})" for discs in signs[1::2]]
    return f"{''.join(signs)} {side}"


def test_a_position_shares_the_boards_before_it_with_the_one_it_followed() -> None:
    """A long match grows by a board a move, and can be looked at as a whole."""
    position = play(start(), "b3-c3")
    past = play(position, "h3-g3").past
    assert past is not None
    assert past[1] is position.past
    assert repr(position) == f"Hexalma({str(position)!r})"


@given(st.integers(0, 2**32))
@settings(max_examples=30)
def test_two_boards_tell_the_move_between_them(seed: int) -> None:
    dice, board = Random(seed), start().board
    for _ in range(40):
        if not (legal := moves.legal(board)):
            break
        move = dice.choice(legal)
        after = moves.moved(board, move)
        assert moves.between(board, after) == move
        board = after
    assert moves.between(board, moves.passed(board)) is None


def test_equal_positions_are_equal_both_ways() -> None:
    """A loop leads to an equal position, though its past is another; equality looks at now."""
    position = play(start(), *LOOP)
    assert position == start()
    assert operator.ne(position, start()) is False
    assert len({position, start(), play(start(), "b3-c3")}) == 2
    assert position.past != start().past
    assert start() != parse(START.replace(" b", " w"))
    assert start() != play(start(), "draw black") != play(start(), "resign black")
    assert start() != start(options={"repetition": "off"})
    assert start() != START


# ------------------------------------------------------------------------------- hard cases


def test_01_the_first_position() -> None:
    position = start()
    assert str(position) == START
    assert position == parse(START)
    assert len(position.seen()) == 61
    assert Counter(piece.seat for piece in position.pieces()) == {0: 11, 1: 11}


def test_02_black_has_fifty_first_moves() -> None:
    position = start()
    assert len(position.legal) == 50
    assert targets(position, "a1") == {"a2", "b1", "b2"}
    assert targets(position, "b1") == {"a1", "b2", "c1", "c2"}
    assert targets(position, "b3") == {"a2", "a3", "b2", "b4", "c3", "c4"}
    by_origin = Counter(position.places(action)[0] for action in position.legal)
    assert by_origin == {
        **dict.fromkeys(("a1", "a5"), 3),
        **dict.fromkeys(("a2", "a3", "a4", "b1", "b6"), 4),
        **dict.fromkeys(("b2", "b3", "b4", "b5"), 6),
    }


def test_03_and_04_a_single_disc_moves_to_its_six_neighbours() -> None:
    position = put("B", e5="B", i1="W")
    assert targets(position, "e5") == {"e6", "e4", "f5", "f4", "d5", "d4"}


def test_05_a_stack_of_two_jumps_exactly_two() -> None:
    position = put("B", e5="WB", e6="W", f5="BBB")
    assert targets(position, "e5") == {"e7", "e3", "g5", "g3", "c5", "c3"}
    after = play(position, "e5-e7")
    assert [stack(after, cell) for cell in ("e5", "e6", "e7", "f5")] == ["W", "W", "B", "BBB"]


def test_06_the_picture_of_the_rules() -> None:
    after = play(put("B", e3="BB", e4="W", e5="W"), "e3-e5")
    assert [stack(after, cell) for cell in ("e3", "e4", "e5")] == ["B", "W", "WB"]


def test_07_a_single_disc_never_climbs_on_two() -> None:
    position = put("B", e5="B", e6="WW", f4="WB", e4="W", f5="B")
    assert targets(position, "e5") == {"d4", "d5", "e4", "f5"}


def test_08_two_may_land_on_two() -> None:
    assert stack(play(put("B", e5="BB", e7="WW"), "e5:e7=3"), "e7") == "WWB"


def test_10_three_go_three_and_not_off_the_board() -> None:
    assert targets(put("B", a1="WWB"), "a1") == {"a4", "d1", "d4"}
    assert targets(put("B", a3="WWB"), "a3") == {"d3", "d6"}


def test_11_a_covered_disc_cannot_move_until_it_is_free() -> None:
    position = put("B", e5="WB")
    assert len(play(position, "e5-e7").legal) == 6
    waiting = put("W", e5="WB")
    assert [waiting.name(action) for action in waiting.legal] == ["pass"]


def test_12_own_discs_may_be_covered() -> None:
    assert stack(play(put("W", e5="W", e6="W"), "e5:e6"), "e6") == "WW"


def test_14_who_is_behind_at_his_turn_must_answer() -> None:
    """White counts two on row a, Black one on row i: over at White's turn, not at Black's."""
    stacks = {"a1": "W", "a3": "W", "i2": "B"}
    white, black = put("W", **stacks), put("B", **stacks)
    assert white.scores == (0, 1)
    assert black.scores is None
    assert black.legal
    asked = black.question(0)
    assert asked is not None
    assert (asked.message.key, asked.message.rule) == ("hexalma.ask_answer", "ALMA-4.3")
    assert dict(asked.message.values) == {
        "seat": "Black",
        "other": "White",
        "ours": 1,
        "theirs": 2,
    }


@pytest.mark.parametrize("side", "BW")
def test_15_level_is_no_win(side: str) -> None:
    assert put(side, a1="W", i2="B").scores is None


def test_15_whoever_leaves_the_row_gives_the_lead_away() -> None:
    assert play(put("W", a1="W", i2="B"), "a1-b1").scores == (1, 0)
    assert play(put("W", a1="BW", i2="B"), "a1-a3").scores is None


def test_17_nobody_wins_at_the_start() -> None:
    assert start().scores is None
    assert parse(START.replace(" b", " w")).scores is None


def test_18_a_threat_can_be_covered_or_wins() -> None:
    threat = play(put("W", b2="W", b3="B", e5="B"), "b2-a2")
    assert threat.scores is None
    saved = play(threat, "b3:a2")
    assert stack(saved, "a2") == "WB"
    assert saved.scores is None
    lost = play(threat, "e5-e6")
    assert lost.scores == (0, 1)
    assert [event.rule for event in lost.events] == ["ALMA-3.1", "ALMA-4.2"]


def test_22_perft_from_the_start() -> None:
    assert [perft(start(), depth) for depth in (1, 2, 3)] == [50, 2_500, 108_700]
    assert [perft(start(), depth, Hexalma.move_count) for depth in (0, 1, 3)] == [1, 50, 108_700]


def test_22_distinct_positions_from_the_start() -> None:
    assert [distinct(start(), depth) for depth in (1, 2)] == [50, 2_500]


@pytest.mark.parametrize(
    ("text", "counts"),
    [(MIDDLES[0], [39, 1_872, 73_482]), (MIDDLES[1], [33, 1_617, 54_996])],
)
def test_22_and_23_perft_of_the_middle_and_of_its_mirror(text: str, counts: list[int]) -> None:
    for position in (parse(text), parse(mirrored(text))):
        assert [perft(position, depth) for depth in (1, 2, 3)] == counts
        assert perft(position, 3, Hexalma.move_count) == counts[2]


def test_23_the_mirrored_game_ends_the_other_way() -> None:
    won = put("W", b2="W", a3="W", e5="B")
    other = parse(mirrored(str(won)))
    assert won.scores == (0, 1)
    assert other.scores == (1, 0)


def test_25_a_stack_of_two_cannot_go_one() -> None:
    rule, text = refused(put("B", e5="BB"), "e5-e6")
    assert rule == "ALMA-3.3"
    assert "must move exactly 2" in text


def test_26_the_third_occurrence_is_a_draw() -> None:
    position = play(start(), *LOOP, *LOOP[:3])
    assert position.scores is None
    position = play(position, LOOP[3])
    assert position.scores == (0, 0)
    assert position.events[-1].rule == "B6"
    assert parse(str(position)).scores == (0, 0)


def test_a_repetition_is_seen_over_hundreds_of_plies() -> None:
    """Black walks round 13 cells and White round 12: the board with Black to move is there again
    after 13 * 12 moves of each, 312 plies, and for the third time after 624."""
    black = ["b1", "b2", "b3", "b4", "b5", "b6", "c6", "c5", "c4", "c3", "c2", "d2", "c1", "b1"]
    white = ["f1", "f2", "f3", "f4", "f5", "f6", "g5", "g4", "g3", "g2", "h1", "g1", "f1"]
    walks = [cycle("-".join(step) for step in pairwise(cells)) for cells in (black, white)]
    position = put("B", b1="B", f1="W")
    for ply in range(624):
        assert position.scores is None, ply
        position = play(position, next(walks[ply % 2]))
    assert position.scores == (0, 0)
    assert position.events[-1].rule == "B6"


def test_26_without_the_option_the_game_goes_on() -> None:
    position = play(start(options={"repetition": "off"}), *LOOP, *LOOP)
    assert position.scores is None
    assert str(position) == START


def test_a_repetition_is_told_from_the_same_board_with_the_other_to_move() -> None:
    """Black goes round a triangle while White goes there and back: the board returns after five
    plies, but it is White's turn; only with Black to move does the first position return."""
    around = ("e5-e6", "h3-g3", "e6-d5", "g3-h3", "d5-e5")
    position = play(put("B", e5="B", h3="W"), *around)
    assert str(position).split(" ")[0] == str(put("W", e5="B", h3="W")).split(" ")[0]
    assert position.scores is None
    there = ("h3-g3", "e5-e6", "g3-h3", "e6-e5")
    assert play(position, *there).scores is None  # White to move twice, Black to move once
    assert play(position, *there, *there).scores == (0, 0)


# -------------------------------------------------------------------------------- the options


def stuck(**options: Any) -> Hexalma:
    """Black's only disc is covered; White's on top can move."""
    return parse(slow.text({"e5": "BW"}, "B"), options=options)


def test_b5_a_turn_without_a_move_is_skipped() -> None:
    position = stuck()
    assert [position.name(action) for action in position.legal] == ["pass"]
    assert position.scores is None
    after = play(position, "pass")
    assert after.events[0].rule == "B5"
    assert after.seat == 1
    assert len(after.legal) == 6
    assert str(after).endswith(" w pass")
    assert parse(str(after)) == after


def test_b5_who_cannot_move_is_asked_to_pass_also_after_the_offer_of_a_draw() -> None:
    position = stuck()
    asked = position.question(0)
    assert asked is not None
    assert say(asked.message) == "Black: none of your discs can move. Pass."
    offered = play(position, "draw black").question(0)
    assert offered is not None
    assert say(offered.message).startswith("Black offers a draw: White may agree, or Black passes")


def test_b6_counts_anew_from_a_position_that_was_set_by_hand() -> None:
    """As the help says: what is laid by hand did not come about by play."""
    limited: dict[str, Value] = {"max_plies": 4}
    position = start(options=limited)
    for name in ("b1-c1", "h1-g1", "c1-d1"):
        position = play(position, name)
    position = parse(position.arranged({"b2": "", "c3": "B"}), options=limited)
    for name in ("g1-f1", "d1-e1", "h3-g3"):
        position = play(position, name)
    assert position.scores is None
    assert play(position, "e1-e2").end == "plies"


def test_b5_or_loses_or_is_a_draw() -> None:
    assert stuck(no_move="lose").scores == (0, 1)
    assert stuck(no_move="draw").scores == (0, 0)


def towers(cell: str, *stacks: str) -> dict[str, str]:
    """Stacks of three on a cell and on all that are three apart: none of them can move."""
    cells = [cell]
    for here in cells:
        steps = (slow.away(here, direction, 3) for direction in slow.DIRECTIONS)
        cells += [there for there in steps if there and there not in cells]
    return dict(zip(cells, stacks, strict=True))


def test_b5_with_nobody_able_to_move_it_is_a_draw() -> None:
    position = put("B", **towers("e5", "BBW", "WWB", "BWB", "WBW", "BBW", "WBW", "WBB"))
    assert position.scores == (0, 0)
    assert "B5" in [event.rule for event in position.events]


def test_b5_who_is_skipped_can_lose_by_it() -> None:
    """Nobody can move, but White stands on a1 and a4 when its turn begins."""
    position = put("B", **towers("a1", "BBW", "WBW", "BBW", "WBW", "WBW", "BBW", "BWW"))
    assert [position.name(action) for action in position.legal] == ["pass"]
    assert play(position, "pass").scores == (0, 1)


def test_b6_a_limit_of_plies_is_a_draw() -> None:
    options: dict[str, Value] = {"max_plies": 3, "repetition": "off"}
    position = play(start(options=options), *LOOP[:2])
    assert position.scores is None
    position = play(position, LOOP[2])
    assert position.scores == (0, 0)
    assert parse(str(position), options=options) == position


def test_b6_a_win_comes_before_the_limit() -> None:
    position = parse(slow.text({"b2": "W", "e5": "B"}, "W"), options={"max_plies": 2})
    assert play(position, "b2-a2", "e5-e6").scores == (0, 1)


def test_b9_either_may_resign_at_any_time() -> None:
    assert play(start(), "resign").scores == (0, 1)
    assert play(start(), "resign black").scores == (0, 1)
    over = play(start(), "b3-c3", "resign black")
    assert over.scores == (0, 1)
    assert over.events[0].rule == "B9"
    assert parse(str(over)) == over
    assert refused(over, "resign white")[0] == "ALMA-4.1"


def test_b9_a_draw_needs_both() -> None:
    offered = play(start(), "draw black")
    asked = [say(told.message) for seat in (0, 1) if (told := offered.question(seat))]
    assert asked == [
        "Black offers a draw: White may agree, or Black moves.",
        "White: Black offers a draw. Agree, or play on.",
    ]
    behind = play(put("B", a1="W", a3="W", i2="B"), "draw black").question(0)
    assert behind is not None
    assert say(behind.message).endswith("Else Black answers now, or White wins.")
    assert offered.scores is None
    assert offered.question(1) is not None
    assert refused(offered, "draw black")[0] == "B9"
    assert parse(str(offered)) == offered != start()
    assert play(offered, "draw white").scores == (0, 0)
    assert play(start(), "draw", "draw") == play(offered, "draw white")


def test_b9_a_move_lets_an_offer_lapse() -> None:
    position = play(start(), "draw black", "b3-c3")
    assert play(position, "draw white").scores is None


def test_an_act_has_the_seat_that_it_names() -> None:
    position = start()
    actors = [position.actor(position.action(name)) for name in ("resign white", "draw black")]
    assert actors == [1, 0]


# ------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("e5-e6", "ALMA-3.1"),
        ("h3-g3", "ALMA-2.2"),
        ("b3-d4", "ALMA-3.2"),
        ("b3-b3", "ALMA-3.2"),
        ("a1-a5", "ALMA-3.3"),
        ("b3-d3", "ALMA-3.3"),
        ("pass", "ALMA-3.11"),
    ],
)
def test_a_first_move_is_refused_by_its_rule(name: str, rule: str) -> None:
    assert refused(start(), name)[0] == rule


def test_landing_is_refused_by_its_rule() -> None:
    position = put("B", e5="B", e6="WW", e4="WWW", d4="BB", d6="WWW")
    assert refused(position, "e5:e6")[0] == "ALMA-3.7"
    assert refused(position, "e5:e4")[0] == "ALMA-3.8"
    assert refused(position, "d4:d6")[0] == "ALMA-3.8"


def test_nothing_is_played_after_the_end() -> None:
    assert refused(put("W", a1="W", e5="B"), "a1-b1")[0] == "ALMA-4.1"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("play J C3 2", "not an action of HexAlma"),
        ("die 3", "not an action of HexAlma"),
        ("a1-a6", "not an action of HexAlma"),
        ("b3-c3 ", "not an action of HexAlma"),
        ("b3:c3", "no stack on c3"),
        ("b3:b4=3", "would be 2 high, not 3"),
    ],
)
def test_a_name_that_means_nothing_here_is_refused_in_words(name: str, says: str) -> None:
    with pytest.raises(BadText, match=says):
        start().action(name)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (START.replace("/7/8/", "/7/B7/", 1), "12 discs of Black; each side has 11"),
        (START.replace("/9/", "/4(BBWW)4/"), "character 19, in row e, is 4 high"),
        (START.replace("/9/", "/4(B)4/"), "character 19, in row e, is 1 high"),
        (START.replace("/9/", "/4(BW4/"), "“\\(” at character 19, in row e"),
        (START.replace("/9/", "/4X4/"), "“X” at character 19, in row e"),
        (START.replace("/9/", "/8/"), "Row e \\(from character 18\\) has 9 cells, not 8"),
        (START.replace("/9/", "/45/"), "is written so: WWWWW"),
        (START.replace("/9/", "/"), "9 rows .* this one has 8"),
        (START[:-2], "for the side to move"),
        (START[:-1] + "x", "for the side to move"),
        (f"{START}\n", "for the side to move"),
        ("idle seat=0/2 turn=1", "for the side to move"),
        ("", "for the side to move"),
        (f"{START} b3-c3", "Action 1 of those before this position, “b3-c3”"),
        (f"{slow.text({'e5': 'BWB', 'e6': 'B'}, 'W')} e5-e6", "Action 1 .* “e5-e6”"),
        (f"{START} nonsense", "Action 1 .* “nonsense”"),
        (f"{START} resign black resign white", "Action 2 .* “resign white”"),
        (f"{slow.text({'a1': 'W'}, 'W')} resign black", "Action 1 .* “resign black”"),
        (f"{START} ", "is written so"),
    ],
)
def test_a_bad_position_text_is_refused_with_its_place(text: str, says: str) -> None:
    with pytest.raises(BadText, match=says):
        parse(text)


def test_a_past_in_which_somebody_had_won_is_refused() -> None:
    """Before its move White stood alone on row a at its own turn: the game was over then."""
    position = slow.text({"a1": "W", "e6": "W", "f5": "B"}, "B")
    assert parse(position).scores is None
    with pytest.raises(BadText, match=r"Action 1 .* “e5-e6”"):
        parse(f"{position} e5-e6")


def test_a_past_is_kept_only_where_an_option_looks_back() -> None:
    text = str(play(start(), *LOOP[:2]))
    assert text == "WWWWW/WW1WWW/2W4/8/9/8/2B4/BB1BBB/BBBBB b b3-c3 h3-g3"
    with pytest.raises(BadText, match="is written so"):
        parse(text, options={"repetition": "off"})


def test_missing_discs_are_told_of() -> None:
    events = put("B", e5="B").events
    assert [event.rule for event in events] == ["ALMA-1.3"]
    assert say(events[0]).startswith("Discs are missing from this board: 1 black and 0 white")


def test_another_board_is_refused() -> None:
    for name in ("hexhex-4", "rhombus-7", "table"):
        with pytest.raises(BadText, match=name):
            start(plain(name))
    assert start(plain("hexhex-5")) == start()


def test_an_option_must_be_known() -> None:
    with pytest.raises(BadText, match="no_move"):
        start(options={"no_move": "skip"})
    with pytest.raises(BadText, match="repetition"):
        start(options={"repetitions": "off"})


# --------------------------------------------------------------------------------- properties


def parse_any(text: str) -> Hexalma:
    return parse(text, plain("hexhex-5"), {})


@pytest.mark.long
@given(st.data(), st.sampled_from((START, *MIDDLES, *map(mirrored, MIDDLES))))
@settings(max_examples=50, deadline=None)
def test_positions_are_positions(data: st.DataObject, text: str) -> None:
    check_play(data, hexalma.GAME, parse(text), parse_any)


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_positions_are_positions_in_a_small_loop(data: st.DataObject) -> None:
    """Few discs: repetitions, skipped turns and wins come soon."""
    text = data.draw(
        st.sampled_from(
            [
                slow.text({"e5": "BW", "i1": "B"}, "B"),
                slow.text({"b2": "W", "h2": "B"}, "W"),
                slow.text({"a1": "BWB", "i5": "W"}, "B"),
            ]
        )
    )
    check_play(data, hexalma.GAME, parse(text), parse_any)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_garbled_texts_are_refused_or_mean_what_they_say(data: st.DataObject) -> None:
    texts = [START, *MIDDLES, str(play(start(), *LOOP[:2], "draw"))]
    check_parse_refuses(data, texts, parse_any)


NAMES = st.builds("{}{}{}".format, *[st.sampled_from(x) for x in (slow.CELLS, "-:", slow.CELLS)])


@given(
    st.sampled_from((START, *MIDDLES)), st.lists(NAMES | st.sampled_from(("pass", "draw black")))
)
@settings(max_examples=100, deadline=None)
def test_an_invented_past_is_refused_or_could_be(text: str, names: list[str]) -> None:
    try:
        position = parse_any(" ".join((text, *names)))
    except BadText:
        return
    assert str(position) == " ".join((text, *names))


def walk(random: Random) -> list[Hexalma]:
    """The positions of a random game, to its end."""
    position = start()
    positions = [position]
    while legal := position.legal:
        position = position.play(random.choice(legal))
        positions.append(position)
    return positions


@pytest.mark.parametrize("seed", range(3))
def test_24_every_disc_stays_on_the_board(seed: int) -> None:
    for position in walk(Random(seed)):
        discs = "".join(stack(position, piece.place) for piece in position.pieces())
        assert Counter(discs) == {"B": 11, "W": 11}
        assert max(piece.count for piece in position.pieces()) <= 3


@pytest.mark.parametrize("seed", range(4))
def test_the_slow_implementation_agrees(seed: int) -> None:
    random, fast, game = Random(seed), start(), slow.Game()
    while (legal := game.legal()) is not None:
        assert str(fast).startswith(slow.text(game.stacks, game.side))
        assert sorted(fast.places(action) for action in fast.legal) == sorted(legal)
        ahead = slow.count(game.stacks, game.side) - slow.count(game.stacks, slow.OTHER[game.side])
        assert fast.lead == ahead
        move = random.choice(legal)
        fast = play(fast, "-".join(move))
        game.play(move)
    assert not fast.legal
    won = slow.won(game.stacks, game.side)
    assert fast.scores == ((game.side == "B", game.side == "W") if won else (0, 0))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_the_slow_implementation_agrees_on_any_stacks(data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.sampled_from(slow.CELLS), max_size=8, unique=True))
    towers = st.text("BW", min_size=1, max_size=3)
    stacks = {cell: data.draw(towers) for cell in cells}
    for side in "BW":
        if max(Counter("".join(stacks.values())).values(), default=0) > 11:
            return
        position = parse(slow.text(stacks, side))
        assert (position.end == "row") == slow.won(stacks, side)
        if not position.end:
            moves = [position.places(action) for action in position.legal]
            assert sorted(filter(None, moves)) == sorted(slow.moves(stacks, side))


# ---------------------------------------------------------------------------------- the board


def test_heights_make_every_move_look_different() -> None:
    """With the tops alone 38 of the 50 first moves look like another (digest 2.6)."""
    after = [start().play(action).seen() for action in start().legal]
    assert len(set(after)) == 50
    tops = Counter(bytes((code + 1) % 2 + 1 if code else 0 for code in seen) for seen in after)
    assert sum(count for count in tops.values() if count > 1) == 38


def test_what_is_seen_is_height_and_top() -> None:
    seen = put("B", a1="B", a2="W", a3="WB", a4="BW", a5="BWB", b1="BBW").seen()
    assert seen == bytes((1, 2, 3, 4, 5, 6)) + bytes(55)


def test_the_scene_shows_what_may_move_what_moved_and_what_counts() -> None:
    position = play(put("W", b2="W", b3="B", e5="B"), "b2-a2")
    marks = Counter((mark.meaning, mark.count) for mark in position.scene())
    assert marks[Meaning.SEAT, 1] == marks[Meaning.SEAT, 2] == 5
    scene = position.scene()
    assert {mark.place for mark in scene if mark.meaning == Meaning.LAST} == {"b2", "a2"}
    assert {mark.place for mark in scene if mark.meaning == Meaning.LEGAL} == {"b3", "e5"}
    assert Mark("a2", Meaning.COUNTS, 2) in scene
    won = play(position, "e5-e6").scene()
    assert Mark("a2", Meaning.WIN, 1) in won
    assert Meaning.LEGAL not in {mark.meaning for mark in won}


def test_a_move_is_touched_from_where_to_where() -> None:
    position = start()
    assert position.places(position.action("b3-c3")) == ("b3", "c3")
    assert position.places(position.action("pass")) == ()
    names = [position.name(action) for action in position.legal]
    assert {"b3-c3", "b3:b4", "a1:a2"} <= set(names)
