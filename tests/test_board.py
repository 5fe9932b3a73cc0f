"""Boards are what the digests measured: places, neighbours, and who lies over which edge."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexboard.board import EDGES, Board, find, load, opposite, turned

NAMES = ("hextraction-22", "hexhex-5", "rhombus-11", "flowers-31", "table")

SLOTS_6_2 = """
A1 -86.6 75.0     - B1 B2 A2 - -
A2 -86.6 25.0     A1 B2 B3 A3 - -
A3 -86.6 -25.0    A2 B3 B4 A4 - -
A4 -86.6 -75.0    A3 B4 B5 - - -
B1 -43.3 100.0    R R C1 B2 A1 R
B2 -43.3 50.0     B1 C1 C2 B3 A2 A1
B3 -43.3 0.0      B2 C2 C3 B4 A3 A2
B4 -43.3 -50.0    B3 C3 C4 B5 A4 A3
B5 -43.3 -100.0   B4 C4 G G G A4
C1 0.0 75.0       - D1 D2 C2 B2 B1
C2 0.0 25.0       C1 D2 D3 C3 B3 B2
C3 0.0 -25.0      C2 D3 D4 C4 B4 B3
C4 0.0 -75.0      C3 D4 D5 - B5 B4
D1 43.3 100.0     R R E1 D2 C1 R
D2 43.3 50.0      D1 E1 E2 D3 C2 C1
D3 43.3 0.0       D2 E2 E3 D4 C3 C2
D4 43.3 -50.0     D3 E3 E4 D5 C4 C3
D5 43.3 -100.0    D4 E4 G G G C4
E1 86.6 75.0      - - - E2 D2 D1
E2 86.6 25.0      E1 - - E3 D3 D2
E3 86.6 -25.0     E2 - - E4 D4 D3
E4 86.6 -75.0     E3 - - - D5 D4
"""
"""Hextraction digest 6.2: slot, x, y (mm), what lies over edges 1 to 6; R ramp, G end zone."""


def named(name: str) -> Board:
    return load(find(name))


@pytest.fixture(scope="module")
def slots() -> Board:
    return named("hextraction-22")


def around(board: Board, cell: str) -> set[str]:
    return {other for edge in EDGES if (other := board.neighbour(cell, edge))}


# ------------------------------------------------------------------------------- the 22 slots


def test_the_slots_are_the_22_of_the_digest_in_its_order(slots: Board) -> None:
    rows = [line.split() for line in SLOTS_6_2.strip().splitlines()]
    assert [cell.id for cell in slots.cells] == [row[0] for row in rows]
    assert len(rows) == 22


@pytest.mark.parametrize("row", SLOTS_6_2.strip().splitlines(), ids=lambda row: row[:2])
def test_a_slot_lies_where_the_digest_has_it(slots: Board, row: str) -> None:
    name, x, y, *neighbours = row.split()
    cell = slots.cell[name]
    assert (round(cell.x, 1), round(cell.y, 1)) == (float(x), float(y))
    for edge, there in zip(EDGES, neighbours, strict=True):
        assert slots.neighbour(name, edge) == (None if there in "-RG" else there)
        assert ((name, edge) in slots.entry) == (there == "R")
        assert ((name, edge) in slots.goal) == (there == "G")
        assert ((name, edge) in slots.exits) == (there == "-")


def test_the_edges_add_up_as_the_digest_counts_them(slots: Board) -> None:
    assert len(slots.shared_edges) == 49
    assert len(slots.exits) == 22
    assert {ramp.id for ramp in slots.ramps} == {"B1-6", "B1-1", "B1-2", "D1-6", "D1-1", "D1-2"}
    assert [(zone.cell, zone.edges) for zone in slots.zones] == [
        ("B5", (3, 4, 5)),
        ("D5", (3, 4, 5)),
    ]


def test_there_are_six_pixels_a_slot_and_136_inputs_each_used_once(slots: Board) -> None:
    assert [pixel.index for pixel in slots.pixels] == list(range(132))
    assert sorted(sensor.input for sensor in slots.sensors) == list(range(136))
    # lanes, gates, shared edges, exits, slots, throats, zones, seats and the power rail
    assert Counter(sensor.kind for sensor in slots.sensors) == {
        "load": 6,
        "gate": 6,
        "edge": 49,
        "exit": 22,
        "fall": 22,
        "throat": 6,
        "floor": 2,
        "seat": 22,
        "rail": 1,
    }


def test_an_edge_sensor_lies_half_way_between_its_two_slots(slots: Board) -> None:
    for sensor in (s for s in slots.sensors if s.kind == "edge"):
        one, two = (slots.cell[name] for name in sensor.place.split("-"))
        assert sensor.x == pytest.approx((one.x + two.x) / 2, abs=0.01)
        assert sensor.y == pytest.approx((one.y + two.y) / 2, abs=0.01)


def test_pixels_lie_inside_their_own_slot_at_their_own_edge(slots: Board) -> None:
    for pixel in slots.pixels:
        cell = slots.cell[pixel.cell]
        # 7 mm inside an edge that is 25 mm from the middle
        assert (pixel.x - cell.x) ** 2 + (pixel.y - cell.y) ** 2 == pytest.approx(18**2, abs=0.1)
        nearest = min(EDGES, key=lambda e: _far(slots.edge_point(cell.id, e), (pixel.x, pixel.y)))
        assert nearest == pixel.edge


def _far(a: tuple[float, float], b: tuple[float, float]) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


# --------------------------------------------------------------------------------- other shapes


@pytest.mark.parametrize(
    ("name", "cells"),
    [("hextraction-22", 22), ("hexhex-5", 61), ("rhombus-11", 121), ("flowers-31", 217)],
)
def test_a_shape_has_its_number_of_cells(name: str, cells: int) -> None:
    assert len(named(name).cells) == cells


def test_a_table_is_61_cells_within_four_steps_of_the_middle() -> None:
    board = named("table")
    assert len(board.cells) == 61
    assert (board.cell["0,0"].x, board.cell["0,0"].y) == (0.0, 0.0)
    assert around(board, "0,0") == {"1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1"}
    assert all(max(abs(c.q), abs(c.r), abs(c.q + c.r)) <= 4 for c in board.cells)


def test_hexalma_rows_are_5_6_7_8_9_8_7_6_5_from_the_bottom() -> None:
    board = named("hexhex-5")
    rows = Counter(cell.id[0] for cell in board.cells)
    assert [rows[letter] for letter in "abcdefghi"] == [5, 6, 7, 8, 9, 8, 7, 6, 5]  # ALMA-1.1
    assert board.cell["a1"].y < board.cell["e5"].y < board.cell["i1"].y


def test_hexalma_e5_has_the_neighbours_of_the_digest() -> None:
    """E e6, W e4, NE f5, NW f4, SE d5, SW d4 (TC-ALMA-03); edge 1 is the north-east."""
    board = named("hexhex-5")
    assert [board.neighbour("e5", e) for e in EDGES] == ["f5", "e6", "d5", "d4", "e4", "f4"]


@pytest.mark.parametrize(
    ("cell", "neighbours"),
    [("f6", "e6 e7 f5 f7 g5 g6"), ("a1", "a2 b1"), ("k11", "j11 k10")],
)
def test_bad_santa_neighbours_are_those_of_the_digest(cell: str, neighbours: str) -> None:
    assert around(named("rhombus-11"), cell) == set(neighbours.split())  # TC-BSH-02


def test_bad_santa_corners_have_two_three_three_and_two_neighbours() -> None:
    board = named("rhombus-11")
    assert [len(around(board, c)) for c in ("a1", "k1", "a11", "k11")] == [2, 3, 3, 2]
    assert board.cell["a1"].x == min(c.x for c in board.cells)  # a1 is at the upper left
    assert board.cell["a1"].y == max(c.y for c in board.cells)


# ------------------------------------------------------------------------------------- flowers

TRIPLES = """
(1,2,6)(1,5,6)(2,3,7)(2,6,7)(3,4,8)(3,7,8)(4,8,9)(5,6,10)(6,7,11)(6,10,11)(7,8,12)(7,11,12)
(8,9,13)(8,12,13)(10,11,15)(10,14,15)(11,12,16)(11,15,16)(12,13,17)(12,16,17)(13,17,18)(14,15,19)
(15,16,20)(15,19,20)(16,17,21)(16,20,21)(17,18,22)(17,21,22)(19,20,24)(19,23,24)(20,21,25)(20,24,25)
(21,22,26)(21,25,26)(22,26,27)(23,24,28)(24,25,29)(24,28,29)(25,26,30)(25,29,30)(26,27,31)(26,30,31)
"""
"""Knee Deep digest 2.3: the 42 points where three sectors meet."""


def corners(board: Board) -> Iterator[tuple[str | None, str | None, str | None]]:
    """The three fields round every corner of the grid, each corner once."""
    seen = set()
    for cell in board.cells:
        for edge in EDGES:
            sides = (board.neighbour(cell.id, edge), board.neighbour(cell.id, turned(edge, 1)))
            x, y = board.corners(cell.id)[edge - 1]
            key = round(x), round(y)
            if key not in seen:
                seen.add(key)
                yield cell.id, *sides


def test_flowers_meet_where_the_digest_says_three_sectors_meet() -> None:
    board = named("flowers-31")
    census: Counter[int] = Counter()
    triples = set()
    for fields in corners(board):
        sectors = {int(field.split(".")[0]) for field in fields if field}
        census[0 if None in fields else len(sectors)] += 1
        if len(sectors) == 3:
            triples.add(tuple(sorted(sectors)))
    # "42 with three sectors, 144 with two, 186 inside one sector, 126 on the rim"
    assert census == {3: 42, 2: 144, 1: 186, 0: 126}
    stated = TRIPLES.strip().strip("()").replace("\n", "").split(")(")
    assert triples == {tuple(map(int, triple.split(","))) for triple in stated}


def test_flower_centres_are_those_of_the_digest_and_turn_into_each_other() -> None:
    board = named("flowers-31")
    stated = {1: (0, 0), 9: (5, 6), 16: (-3, 9), 23: (-11, 12), 31: (-6, 18)}
    for sector, place in stated.items():
        assert board.at[place] == f"{sector}.0"
    for cell in board.cells:  # a half turn about (-3, 9) takes sector k to 32 - k
        there = board.at[-6 - cell.q, 18 - cell.r]
        assert int(there.split(".")[0]) == 32 - int(cell.id.split(".")[0])


# ---------------------------------------------------------------------------------- properties


def test_facing_edges_are_1_4_2_5_and_3_6() -> None:
    assert [opposite(edge) for edge in EDGES] == [4, 5, 6, 1, 2, 3]


@given(st.sampled_from(EDGES), st.integers(-12, 12), st.integers(-12, 12))
def test_turning_is_clockwise_adds_up_and_six_turns_are_none(edge: int, a: int, b: int) -> None:
    assert turned(edge, 6) == edge
    assert turned(turned(edge, a), b) == turned(edge, a + b)
    assert turned(edge, 3) == opposite(edge)
    assert turned(1, 1) == 2  # clockwise
    assert opposite(opposite(edge)) == edge


@given(st.sampled_from(NAMES), st.data())
def test_a_neighbours_neighbour_over_the_facing_edge_is_the_cell(
    name: str, data: st.DataObject
) -> None:
    board = named(name)
    cell = data.draw(st.sampled_from(board.cells))
    for edge in EDGES:
        there = board.neighbour(cell.id, edge)
        if there is None:
            continue
        assert board.neighbour(there, opposite(edge)) == cell.id
        assert board.seam(cell.id, edge) == board.seam(there, opposite(edge))
        one, two = board.edge_point(cell.id, edge), board.edge_point(there, opposite(edge))
        assert one == pytest.approx(two, abs=0.01)
        apart = _far((cell.x, cell.y), (board.cell[there].x, board.cell[there].y)) ** 0.5
        assert apart == pytest.approx(board.pitch, abs=0.01)


@pytest.mark.parametrize("name", NAMES)
def test_cells_one_pitch_apart_are_exactly_the_neighbours(name: str) -> None:
    board = named(name)
    near = {
        frozenset((a.id, b.id))
        for a, b in combinations(board.cells, 2)
        if _far((a.x, a.y), (b.x, b.y)) < (1.1 * board.pitch) ** 2
    }
    assert {frozenset((a, b)) for a, _, b in board.shared_edges} == near
    assert len(board.shared_edges) == len(near)


@pytest.mark.parametrize("name", NAMES)
def test_a_board_lies_round_its_middle(name: str) -> None:
    board = named(name)
    for values in ([c.x for c in board.cells], [c.y for c in board.cells]):
        assert min(values) == pytest.approx(-max(values), abs=0.01)


def test_every_edge_has_one_name_and_no_two_share_it(slots: Board) -> None:
    names = Counter(slots.seam(cell.id, edge) for cell in slots.cells for edge in EDGES)
    assert set(names.values()) == {1, 2}
    assert sum(1 for count in names.values() if count == 2) == 49
    assert sum(1 for count in names.values() if count == 1) == 34
