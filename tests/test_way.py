"""The way back is a way, and no shorter one is possible: a search over all movements says so."""

from collections.abc import Iterator
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from hexboard.table.restore import Pile, Step, restore_plan

HIGH = 2
PILES = [pile for high in range(HIGH + 1) for pile in product("BW", repeat=high)]
CELLS = "abc"
Board = tuple[Pile, ...]
boards = st.tuples(*(st.sampled_from(PILES) for _ in CELLS))


def done(lies: dict[str, Pile], step: Step) -> dict[str, Pile]:
    """The board after a step; a step that cannot be done fails here."""
    after, count = dict(lies), len(step.things)
    if step.left:
        assert after[step.left][-count:] == step.things
        after[step.left] = after[step.left][:-count]
    if step.onto:
        after[step.onto] += step.things
    return after


def moved(board: Board, want: Board) -> Iterator[Board]:
    """Every board that is one movement of a hand away; what is put down must be right there."""
    places = range(len(board))
    for k in places:
        for n in range(1, len(board[k]) + 1):
            rest = (*board[:k], board[k][:-n], *board[k + 1 :])
            yield rest
            for onto in places:
                yield from put(rest, want, onto, board[k][-n:])
    for onto, things in product(places, PILES[1:]):
        yield from put(board, want, onto, things)


def put(board: Board, want: Board, onto: int, things: Pile) -> Iterator[Board]:
    pile = board[onto] + things
    if want[onto][: len(pile)] == pile:
        yield (*board[:onto], pile, *board[onto + 1 :])


def shortest(lies: Board, want: Board) -> int:
    """The fewest movements, by looking at all of them."""
    edge, known, steps = {lies}, {lies}, 0
    while want not in edge:
        edge = {after for board in edge for after in moved(board, want)} - known
        known |= edge
        steps += 1
    return steps


@settings(max_examples=100, deadline=None)
@given(boards, boards)
def test_the_way_back_ends_where_it_should_and_no_way_is_shorter(lies: Board, want: Board) -> None:
    there, wanted = dict(zip(CELLS, lies, strict=True)), dict(zip(CELLS, want, strict=True))
    steps = restore_plan(there, wanted)
    for step in steps:
        there = done(there, step)
    assert there == wanted
    assert len(steps) == shortest(lies, want)


def test_what_is_covered_is_taken_for_what_it_should_be() -> None:
    steps = restore_plan({"a": ("", "B"), "b": ("W",)}, {"a": ("", "", "W"), "b": ()})
    assert steps == (Step(("W",), "b", "a"),)


def test_one_disc_that_was_moved_is_one_step_and_one_that_was_added_another() -> None:
    steps = restore_plan({"a": (), "b": ("B",), "c": ("W",)}, {"a": ("B",), "b": (), "c": ()})
    assert steps == (Step(("B",), "b", "a"), Step(("W",), "c", ""))


def test_two_that_changed_places_are_three_steps() -> None:
    steps = restore_plan({"a": ("W",), "b": ("B",)}, {"a": ("B",), "b": ("W",)})
    assert [step.cells for step in steps] == [("a",), ("b", "a"), ("b",)]


def test_a_whole_board_is_put_right_without_trying_all_ways() -> None:
    cells = [f"c{k}" for k in range(60)]
    lies = {cell: ("BW"[k % 2],) * (1 + k % 3) for k, cell in enumerate(cells)}
    wanted = dict(zip(cells, reversed(lies.values()), strict=True))
    there = dict(lies)
    for step in restore_plan(lies, wanted):
        there = done(there, step)
    assert there == wanted
