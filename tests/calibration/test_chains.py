"""Strips of known orders are found from few answers; any other by asking for every light."""

import random
from itertools import islice

import pytest
from msgspec.structs import replace

from hexboard.board import EDGES, Board, Pixel, find, load
from hexboard.calibration.chains import PROBES, Chain, Spot, orders
from tests.calibration.boards import board
from tests.desk import BOARD

RHOMBUS = load(find("rhombus-11"))
FLOWER = board()


def lit(which: Board, ring: tuple[int, ...]) -> Board:
    """The same board with lights at these edges of every cell."""
    spots = [(cell.id, edge) for cell in which.cells for edge in ring]
    lights = (Pixel(i, cell, edge, 0, 0, 0) for i, (cell, edge) in enumerate(spots))
    return replace(which, pixels=tuple(lights))


def asked(chain: Chain, strip: tuple[Spot, ...], cells_only: bool = False) -> int:
    """Answer truly until the order is known; how many questions that took."""
    count = 0
    while (light := chain.next()) is not None:
        count += 1
        assert count <= 2 * len(strip), "it never ends"
        cell, edge = strip[light]
        vague = cells_only and light not in chain.answers and chain.left
        chain.answer(light, cell, None if vague else edge)
    return count


def snake(board: Board) -> tuple[Spot, ...]:
    """By hand: columns from the left, the first from the top, the next from the bottom, and so on;
    around each cell counter-clockwise from edge 4."""
    columns: dict[float, list[tuple[float, str]]] = {}
    for cell in board.cells:
        columns.setdefault(cell.x, []).append((-cell.y, cell.id))
    out: list[Spot] = []
    for k, x in enumerate(sorted(columns)):
        names = [name for _, name in sorted(columns[x])]
        for name in names if k % 2 == 0 else reversed(names):
            out += [(name, edge) for edge in (4, 3, 2, 1, 6, 5)]
    return tuple(out)


def test_a_snake_is_found_from_a_few_answers() -> None:
    strip = snake(BOARD)
    assert strip[:2] == (("A1", 4), ("A1", 3))
    assert strip[4 * 6] == ("B5", 4)
    chain = Chain(BOARD)
    assert asked(chain, strip) <= 8 + PROBES
    assert chain.spots == strip


@pytest.mark.long
def test_every_fifth_order_is_found() -> None:
    for which, ring in ((BOARD, EDGES), (RHOMBUS, (0,)), (FLOWER, (1, 3, 5))):
        which = lit(which, ring)
        for order in islice(orders(which), 0, None, 5):
            chain = Chain(which)
            assert asked(chain, order.spots) <= 8 + PROBES
            assert chain.spots == order.spots, order


def test_taps_that_tell_only_the_cell_help_too() -> None:
    chain = Chain(BOARD)
    asked(chain, snake(BOARD), cells_only=True)
    assert chain.spots == snake(BOARD)


def test_a_strip_in_no_order_is_asked_for_light_by_light() -> None:
    spots = [(cell.id, edge) for cell in FLOWER.cells for edge in EDGES]
    random.Random(3).shuffle(spots)
    chain = Chain(FLOWER)
    assert asked(chain, tuple(spots)) == len(spots)
    assert chain.spots == tuple(spots)


def test_cells_with_different_lights_have_each_its_own_in_every_order() -> None:
    """One light, none, three: a snake of columns among them is found by few answers. By hand."""
    lights = {"a1": (0,), "b1": (2, 4), "b2": (0,), "c1": (1, 3, 5), "c2": (6,)}
    which = replace(lit(FLOWER, (0, *EDGES)), name="uneven")
    here = tuple(it for it in which.pixels if it.edge in lights.get(it.cell, ()))
    chain = Chain(replace(which, pixels=here))
    assert chain.length == 8
    assert {len(order.spots) for order in chain.left} == {8}
    strip = (("b1", 4), ("b1", 2), ("c1", 5), ("c1", 3), ("c1", 1), ("a1", 0), ("b2", 0), ("c2", 6))
    assert strip in {order.spots for order in chain.left}
    assert asked(chain, strip) <= 8
    assert chain.spots == strip


def test_an_answer_can_be_taken_back() -> None:
    chain = Chain(FLOWER)
    first = chain.next()
    assert first is not None
    before = chain.left
    chain.answer(first, "c3", 5)
    assert chain.left != before
    assert chain.forget() == first
    assert chain.left == before
    assert chain.forget() is None


@pytest.mark.parametrize(("ring", "count"), [(EDGES, 12), ((0,), 1), ((1, 4), 2)])
def test_rings_are_counted_once(ring: tuple[int, ...], count: int) -> None:
    which = lit(FLOWER, ring)
    cells = {tuple(cell for cell, _ in order.spots) for order in orders(which)}
    assert len(Chain(which).left) == count * len(cells)


def test_dead_lights_of_a_strip_that_follows_no_way_take_what_is_left() -> None:
    """And of one that does, each its place on it. `back` takes a dark light back too."""
    natural = [(cell.id, edge) for cell in FLOWER.cells for edge in EDGES]
    for spots, dead in ((natural, {0, 13, 41}), (natural[::2] + natural[1::2], {3, 20})):
        chain = Chain(FLOWER)
        while (light := chain.next()) is not None:
            if light in dead:
                chain.skip(light)
                assert chain.forget() == light
                chain.skip(light)
            else:
                chain.answer(light, *spots[light])
        assert chain.spots is not None
        assert sorted(chain.spots) == sorted(natural)
        right = [i for i, spot in enumerate(chain.spots) if spot == spots[i]]
        assert set(range(42)) - set(right) <= (set() if spots == natural else dead)
