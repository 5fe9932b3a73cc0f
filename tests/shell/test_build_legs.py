"""The legs of beams' LEDs and phototransistors: they reach their sockets, and nothing is in their
way. Lengths by hand, in mm: a leg is 0.5 thick, two are 2.54 apart; an LED of 3 mm is sold with
legs of 25.4 or more, the shorter one 1 less."""

import math
import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import pytest

from hexboard.board import find, load_plan
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.beams import HANGING_LEG_MM, seam_leg_mm
from hexboard.commands.build.cad.lengths import lengths
from hexboard.commands.build.cad.recipe import Spot, Stand
from hexboard.commands.build.module.circuit import EDGES
from hexboard.commands.build.module.placing import ModulePlan, owned
from hexboard.commands.build.module.wires import far_beams
from hexboard.files import shipped
from tests.solids import at, boards, cut, mesh

BOARD, PLAN = load_plan(find("hextraction-22"))
FOUND = lengths(BOARD, PLAN)
BEAM, SILL = 5.0, -8.0
"""How high the beams at the rim look, and where the frame's underside is."""
ALONG, OUT = 10.4, 3.0
"""Where the legs come down, from the middle of the edge: 6.2, 0.6, 3.1 and half a flange of 1."""
SHORT, LONG = 24.4, 25.4
DEEP, SOCKET = 2.5, 3.0
"""How deep a leg goes into its socket, and how high that is."""


def module() -> ModulePlan:
    assert FOUND.module is not None
    return FOUND.module


TOP = FOUND.stack.board_top + SOCKET


def rims() -> Iterator[tuple[str, int]]:
    """Each edge at the rim that has a beam."""
    at = {name: place for place, name in BOARD.seams.items()}
    for it in BOARD.sensors:
        cell, edge = at.get(it.place, ("", 0))
        if it.kind in ("exit", "gate", "throat"):
            yield cell, edge


def holes(edge: int, letter: str) -> dict[str, tuple[float, float]]:
    """Where the two holes of a socket are: along the edge, without their sign, and out of it."""
    x, y = _way(edge)
    stand = Stand(25.0 * x, 25.0 * y, _degrees(edge))
    part = next(it for it in module().parts if it.part.ref == f"{letter}{edge}")
    (ax, ay), (ox, oy) = _along(stand), _way(edge)
    return {
        pad.name: (
            abs((pad.x - stand.x) * ax + (pad.y - stand.y) * ay),
            (pad.x - stand.x) * ox + (pad.y - stand.y) * oy,
        )
        for pad in module().pads(part)
    }


def _degrees(edge: int) -> float:
    return 90.0 - 60.0 * (edge - 1)


def _way(edge: int) -> tuple[float, float]:
    turn = math.radians(_degrees(edge))
    return math.cos(turn), math.sin(turn)


def _along(stand: Stand) -> tuple[float, float]:
    x, y = stand.at(1.0, 0.0)
    return x - stand.x, y - stand.y


def ways(edge: int, letter: str) -> tuple[list[Spot], list[Spot]]:
    """The way of the long leg and of the short one, as (along, out, height), from the beam down:
    the long one is the outer one, and goes to the hole nearer to the middle of its edge."""
    near, far = sorted(holes(edge, letter).values())
    level = SILL - 0.1 if edge in owned(BOARD) else TOP + 1.2
    found = []
    for out, hole in ((OUT + 1.27, near), (OUT - 1.27, far)):
        corner = ALONG, out, BEAM
        over = hole[0], hole[1], TOP + 0.6
        found.append([corner, (ALONG, out, level), over, (*hole, TOP)])
    return found[0], found[1]


def long(way: list[Spot]) -> float:
    """How long a leg is for its way: with 0.5 mm behind the flange, and what is in the socket."""
    return 0.5 + sum(math.dist(a, b) for a, b in pairwise(way)) + DEEP


def test_the_long_leg_of_either_belongs_into_the_hole_nearer_to_the_middle_of_its_rib() -> None:
    """Of an LED that is the anode, on the side of its 390 ohm; of a phototransistor the emitter, on
    the side of the input."""
    for edge in EDGES:
        for letter, long_leg in (("E", "2"), ("Q", "1")):
            part = next(it.part for it in module().parts if it.part.ref == f"{letter}{edge}")
            found = holes(edge, letter)
            assert min(found, key=lambda it: found[it][0]) == long_leg
            net = next(pin.net for pin in part.pins if pin.name == long_leg)
            assert net == (f"BEAM_{edge}" if letter == "E" else f"IN_{'ABCDEF'[edge - 1]}")
            assert part.body == "socket"


def test_legs_reach_where_a_circuit_board_lies_over_the_rib() -> None:
    """At edges 2, 3 and 4: 13 mm down, then aslant to 25 mm from the slot's middle."""
    for edge in owned(BOARD):
        for letter in "EQ":
            longer, shorter = ways(edge, letter)
            assert long(longer) == pytest.approx(24.1, abs=0.1)
            assert long(longer) < LONG
            assert long(shorter) < SHORT - 2


def test_where_they_do_not_reach_they_are_counted_as_joints() -> None:
    """17 of 34 beams at the rim: eleven exits, four gates and two throats at edges 1, 5 and 6. With
    20 mm of another leg on each, 5 mm beside it, they do."""
    far = [it for it in rims() if it[1] not in owned(BOARD)]
    assert {edge for _, edge in far} == {1, 5, 6}
    assert len(far) == far_beams(BOARD) == 17
    for edge in (1, 5, 6):
        for letter in "EQ":
            longer, shorter = ways(edge, letter)
            assert long(longer) > LONG
            assert long(longer) < LONG + 15
            assert long(shorter) < SHORT + 15


def test_legs_at_the_rim_do_not_touch() -> None:
    """1.1 mm from middle to middle, of all legs of one slot: 0.6 mm of air."""
    for cell in {cell for cell, _ in rims()}:
        legs = []
        for edge in (edge for place, edge in rims() if place == cell):
            stand = FOUND.stand(cell, edge)
            for side, letter in ((1, "E"), (-1, "Q")):
                legs += [[*_spots(stand, side, way)] for way in ways(edge, letter)]
        for one, other in combinations(legs, 2):
            assert min(math.dist(a, b) for a in one for b in other) > 1.1, cell


def _spots(stand: Stand, side: int, way: list[Spot]) -> Iterator[Spot]:
    """Twenty places along each piece of a leg."""
    for a, b in pairwise(way):
        for k in range(21):
            x, out, z = (p + (q - p) * k / 20 for p, q in zip(a, b, strict=True))
            yield stand.spot(side * x, out, z)


def test_between_two_slots_an_led_and_its_legs_are_9_and_a_half_mm() -> None:
    """From 2.4 mm deep in the frame to 2.5 mm deep in the socket; what hangs 3.3 mm under a print
    has a leg of 2.8 mm out of it. The guide's picture says so too."""
    assert seam_leg_mm(FOUND) == pytest.approx((SILL + 2.4) - (TOP - DEEP))
    assert seam_leg_mm(FOUND) == pytest.approx(9.5, abs=0.05)
    assert pytest.approx(2.8) == HANGING_LEG_MM
    shown = (shipped("pictures") / "legs.svg").read_text("utf-8")
    assert {">9.5<", ">2.5<", ">socket, 3<"} <= {*re.findall(">[^<>]+<", shown)}
    for guide in ("guide.md", "guide.de.md"):
        text = shipped(guide).read_text("utf-8").replace(",", ".")
        assert "9.5 mm" in text
        assert "2.8 mm" in text


@pytest.fixture(scope="module")
def printed() -> dict[str, Any]:
    names = ("ramp-", "zone-", "frame", "foot-", "light-ring")
    return {it.name: mesh(it.shape) for it in all_parts(BOARD, PLAN) if it.name.startswith(names)}


@pytest.mark.long
def test_nothing_is_in_the_way_of_legs_at_the_rim(printed: dict[str, Any]) -> None:
    """0.25 mm of room all round them, from the frame's underside to their sockets."""
    ring = printed["light-ring"]
    for cell, edge in rims():
        here, stand = BOARD.cell[cell], FOUND.stand(cell, edge)
        around = {"light-ring": at(ring, here.x, here.y)}
        around |= {
            it: solid for it, solid in printed.items() if it != "light-ring" and _near(solid, stand)
        }
        for side, letter in ((1, "E"), (-1, "Q")):
            for way in ways(edge, letter):
                for piece in _pieces(stand, side, way):
                    for name, solid in around.items():
                        assert cut(piece, solid) < 0.01, (cell, edge, letter, name)


def _near(solid: Any, stand: Stand) -> bool:
    (left, low, _), (right, high, _) = solid.bounds
    return bool(left - 15 < stand.x < right + 15 and low - 15 < stand.y < high + 15)


def _pieces(stand: Stand, side: int, way: list[Spot]) -> Iterator[Any]:
    """A leg with its room, from where it leaves the frame."""
    import trimesh

    under = [(*way[0][:2], SILL - 0.02), *way[1:]]
    for a, b in pairwise(under):
        ends = [stand.spot(side * x, out, z) for x, out, z in (a, b)]
        yield trimesh.creation.cylinder(0.5, segment=ends, sections=16)


@pytest.mark.long
def test_sockets_are_in_nobodys_place() -> None:
    """5.08 × 2.54 × 3 mm over the circuit board, beside all else that stands on it, pads taken as
    high as their part."""
    found = [*boards(FOUND, module())][1:]
    sockets = [it for it in found if it.extents[2] == pytest.approx(SOCKET)]
    sockets = [it for it in sockets if max(it.extents) < 10]  # nor what sees a tile
    assert len(sockets) == 12
    for one in sockets:
        assert sum(cut(one, it) > 0.001 for it in found) == 1
