"""What a look shows: certain moves are accepted, doubtful ones asked for, impossible ones shown.

Looks are written by hand here: a cell that surely shows a code costs nothing for it and more than
the limit for every other.
"""

from typing import Any

import pytest

from hexboard.board import find, load
from hexboard.facts import CellCosts
from hexboard.game.registry import find as game
from hexboard.perception.inference import (
    AGAINST_CNAT,
    CLIP_CNAT,
    EXTRA_CNAT,
    GAP_CNAT,
    NAT,
    SAYS_CNAT,
    Look,
    infer,
    later,
    lying,
    mean,
)

BOARD = load(find("hexhex-5"))
CELLS = [cell.id for cell in BOARD.cells]
START: Any = game("hexalma").start(BOARD, {})


def sure(seen: bytes, **doubts: dict[int, int]) -> Look:
    """A look that shows these codes; in the cells named, with these costs instead."""
    cells: list[CellCosts] = [((code, 0),) for code in seen]
    for cell, costs in doubts.items():
        cells[CELLS.index(cell)] = tuple(sorted(costs.items()))
    return tuple(cells)


def after(*names: str) -> Any:
    position = START
    for name in names:
        position = position.play(position.action(name))
    return position


def test_a_board_that_looks_as_before_shows_no_move() -> None:
    look = sure(START.seen())
    assert infer(CELLS, [START], look, look).kind == "same"


def test_a_move_that_every_cell_shows_is_accepted() -> None:
    verdict = infer(CELLS, [START], sure(START.seen()), sure(after("b3-c3").seen()))
    assert verdict.kind == "accept"
    assert verdict.lines[0].actions == ("b3-c3",)
    assert verdict.lines[0].position == after("b3-c3")


def test_two_moves_at_once_are_both_found() -> None:
    verdict = infer(CELLS, [START], sure(START.seen()), sure(after("b3-c3", "h3-g3").seen()))
    assert verdict.kind == "accept"
    assert verdict.lines[0].actions == ("b3-c3", "h3-g3")


def test_each_cell_of_two_moves_must_speak_for_them_and_pay_for_the_second() -> None:
    def kind(says: int) -> str:
        look = sure(after("b3-c3", "h3-g3").seen(), g3={0: says, 2: 0})
        return infer(CELLS, [START], sure(START.seen()), look).kind

    assert kind(SAYS_CNAT + EXTRA_CNAT) == "accept"
    assert kind(SAYS_CNAT + EXTRA_CNAT - 1) == "ask"


@pytest.mark.parametrize(
    ("before", "now", "kind"),
    [
        *((0, 300, "accept"), (0, 299, "ask"), (400, 200, "accept"), (399, 200, "ask")),
        *((800, 100, "accept"), (2900, 100, "accept"), (2900, 99, "ask"), (-1, 300, "ask")),
    ],
)
def test_a_cell_that_spoke_for_what_lay_there_says_more_when_it_speaks_against_it(
    before: int, now: int, kind: str
) -> None:
    """3 nats in all: 2 of now and a fourth of 4, 1 of now and a fourth of 8, which is the most; of
    less than one nothing counts. What was wrong before is taken off whole."""
    was = sure(START.seen(), b3={0: max(0, before), 1: max(0, -before)})
    look = sure(after("b3-c3").seen(), b3={0: 0, 1: now})
    assert infer(CELLS, [START], was, look).kind == kind


def test_one_seat_moving_twice_is_no_play_with_a_move_there_and_back_between() -> None:
    """Black's disc has jumped from b3 to d3; h3 and g3 of White flicker under a lamp. It is not
    b3-c3, h3-g3, c3-d3, g3-h3: White's move is still waited for."""
    jumped = bytearray(START.seen())
    jumped[CELLS.index("b3")], jumped[CELLS.index("d3")] = 0, 1
    look = sure(bytes(jumped), h3={2: 20, 4: 0}, g3={0: 20, 2: 0})
    assert infer(CELLS, [START], sure(START.seen()), look).kind == "partly"
    calm = sure(bytes(jumped))
    assert infer(CELLS, [START], sure(START.seen()), calm).kind == "strange"


def test_two_moves_that_could_be_are_asked_for() -> None:
    """b3 is empty now; where its disc went, c3 and c4 are equally likely."""
    either = {0: 0, 1: 0}
    look = sure(after("b3-c3").seen(), c3=either, c4=either)
    verdict = infer(CELLS, [START], sure(START.seen()), look)
    assert verdict.kind == "ask"
    assert verdict.gap == 0
    assert {line.actions for line in verdict.lines} == {("b3-c3",), ("b3-c4",)}


def test_a_gap_just_under_the_limit_asks_and_the_limit_itself_accepts() -> None:
    def kind(gap: int) -> str:
        look = sure(after("b3-c3").seen(), c3={0: gap // 2, 1: 0}, c4={0: 0, 1: gap - gap // 2})
        verdict = infer(CELLS, [START], sure(START.seen()), look)
        assert verdict.gap == gap
        return verdict.kind

    assert kind(GAP_CNAT - 1) == "ask"
    assert kind(GAP_CNAT) == "accept"


def test_what_the_look_before_already_had_wrong_counts_for_nothing() -> None:
    """Glare makes d5 look occupied, in both looks: no move onto d5 is seen in it."""
    ghost = {0: 25 * NAT, 1: 0}
    before = sure(START.seen(), d5=ghost)
    assert infer(CELLS, [START], before, before).kind == "same"
    verdict = infer(CELLS, [START], before, sure(after("b3-c3").seen(), d5=ghost))
    assert (verdict.kind, verdict.lines[0].actions) == ("accept", ("b3-c3",))


def test_an_old_ghost_and_a_new_doubt_do_not_make_a_move() -> None:
    """c3 has looked occupied all along; now b3 looks a little emptier. That is not b3-c3."""
    ghost, doubt = {0: 25 * NAT, 1: 0}, {0: 0, 1: 4 * NAT}
    before = sure(START.seen(), c3=ghost)
    verdict = infer(CELLS, [START], before, sure(START.seen(), c3=ghost, b3=doubt))
    assert verdict.kind != "accept"
    assert infer(
        CELLS, [START], sure(START.seen()), sure(START.seen(), c3=ghost, b3=doubt)
    ).kind == ("accept")


def test_a_disc_in_the_air_is_a_move_that_is_not_finished() -> None:
    lifted = bytearray(START.seen())
    lifted[CELLS.index("b3")] = 0
    verdict = infer(CELLS, [START], sure(START.seen()), sure(bytes(lifted)))
    assert verdict.kind == "partly"


def test_what_no_move_explains_names_its_cells() -> None:
    """A black disc of a single stack has jumped from a1 to e5."""
    jumped = bytearray(START.seen())
    jumped[CELLS.index("a1")], jumped[CELLS.index("e5")] = 0, 1
    verdict = infer(CELLS, [START], sure(START.seen()), sure(bytes(jumped)))
    assert verdict.kind == "strange"
    assert {CELLS[k] for k in verdict.lines[0].against} <= {"a1", "e5"}


def test_a_move_put_back_is_offered_as_a_take_back() -> None:
    now = after("b3-c3")
    verdict = infer(CELLS, [now, START], sure(now.seen()), sure(START.seen()))
    assert verdict.kind == "ask"
    assert verdict.lines[0].back == 1


def test_a_silent_cell_decides_nothing() -> None:
    """Neither c3 nor c4 says anything: which of them b3 went to is not known."""
    look = sure(after("b3-c3").seen(), c3={}, c4={})
    verdict = infer(CELLS, [START], sure(START.seen()), look)
    assert verdict.kind != "accept"


def test_a_move_onto_a_cell_that_looks_odd_is_asked_for_not_scolded() -> None:
    """b3 is empty, c3 looks more like a stack of three than like the disc that must be there."""
    look = sure(after("b3-c3").seen(), c3={0: 25 * NAT, 1: 9 * NAT, 5: 0})
    verdict = infer(CELLS, [START], sure(START.seen()), look)
    assert (verdict.kind, verdict.lines[0].actions) == ("ask", ("b3-c3",))


def test_a_hidden_cell_is_no_witness_of_a_move() -> None:
    """h6 lies under glare and i5 is misread: the move i5:h5 must not become h6:h5."""
    before, after = sure(START.seen(), h6={}), START.play(START.action("b3-c3"))
    seen = bytearray(after.seen())
    h5, i5 = CELLS.index("h5"), CELLS.index("i5")
    seen[h5] = 4
    look = sure(bytes(seen), h6={}, i5={2: 7 * NAT, 6: 0})
    assert seen[i5] == 2
    verdict = infer(CELLS, [after], before, look)
    assert verdict.lines[0].actions == ("h6:h5",)
    assert verdict.kind == "ask"


def test_dice_that_lead_to_the_same_position_are_not_asked_for() -> None:
    board = load(find("rhombus-11"))
    position: Any = game("bad-santa-hex").start(board, {})
    for name in ("b2", "h8"):
        position = position.play(position.action(name))
    cells = [cell.id for cell in board.cells]
    rolled = position.play(position.action("die 4"))
    verdict = infer(cells, [position], sure(position.seen()), sure(rolled.seen()))
    assert verdict.kind == "accept"
    assert verdict.lines[0].position == rolled


def test_what_lies_in_the_cells_is_what_should_unless_a_look_speaks_against_it() -> None:
    seen = START.seen()
    a1, d5 = CELLS.index("a1"), CELLS.index("d5")
    near = sure(seen, d5={0: AGAINST_CNAT, 1: 0})
    assert lying(seen, seen, None, near, seen) == seen
    ghost = sure(seen, d5={0: AGAINST_CNAT + 1, 1: 0})
    there = lying(seen, seen, None, ghost, seen)
    assert [k for k, code in enumerate(there) if code != seen[k]] == [d5]
    assert lying(seen, seen, ghost, ghost, seen) == seen  # it looked so when it was right
    silent = sure(there, a1={}, d5={})
    assert lying(seen, seen, None, silent, there) == there
    moved = after("a1-b2").seen()  # the look before says nothing of what was not there yet
    assert lying(moved, seen, sure(seen), sure(seen), moved)[a1] == seen[a1]


def test_the_later_of_two_looks_counts_unless_it_says_nothing() -> None:
    one: Look = (((0, 0), (1, 400)), ((2, 0),), ())
    two: Look = (((0, 200), (1, 0)), (), ((3, 0),))
    assert later(one, two) == (two[0], one[1], two[2])
    assert later(None, two) == two


def test_the_mean_of_looks_is_no_surer_than_one_and_ignores_silent_cells() -> None:
    one: Look = (((0, 0), (1, 400)), ((2, 0),), ())
    two: Look = (((0, 200), (1, 0)), (), ((3, 0),))
    assert mean([one, two]) == (((0, 0), (1, 100)), ((2, 0),), ((3, 0),))
    assert mean([one, one, one]) == one


def test_codes_that_are_not_listed_cost_the_most() -> None:
    assert mean([(((0, 0), (1, 100)),), (((1, 0),),)]) == (((0, CLIP_CNAT // 2 - 50), (1, 0)),)
