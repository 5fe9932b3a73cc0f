"""The circuit boards of ramps and end zones: sound, and in their place under the printed parts."""

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.board import find, load, load_plan
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.module.beside import (
    BesideBoard,
    beside,
    ramp_circuit,
    ramp_placed,
    zone_circuit,
    zone_placed,
)
from hexboard.commands.build.module.circuit import CircuitPart, mistakes
from hexboard.commands.build.module.flower import flower_circuit, flower_placed
from hexboard.commands.build.module.kinds import laid_out
from hexboard.commands.build.module.placing import BODIES, ModulePlan, SetPart, turned
from hexboard.commands.build.tiers import tiered
from hexboard.words.errors import BadText
from tests.solids import BODIES_MM, PLUG_MM, at, cut, mesh, prism, seen

BOARD, PLAN = load_plan(find("hextraction-22"))
RAMP_LOW_MM, ZONE_LOW_MM = -11.05, -16.9625
"""The undersides of the printed parts: the frame's, 0.05 and a tab of 3 mm below; the floor beam at
-10, half a ball of 9.525 mm and a floor of 2.2 mm below it."""


def ramp(one: BesideBoard) -> ModulePlan:
    return ramp_placed(one, ramp_circuit(3))


def zone() -> ModulePlan:
    return zone_placed(BOARD, PLAN.ball_mm, zone_circuit())


def nets(parts: tuple[CircuitPart, ...]) -> dict[str, dict[str, str]]:
    return {it.ref: {pin.name: pin.net for pin in it.pins} for it in parts}


def test_there_is_one_for_each_ramp_and_end_zone() -> None:
    found = {(it.kind, it.place): [s.id for s in it.sensors] for it in beside(BOARD)}
    assert found == {
        ("zone", "ZB"): ["floor:ZB", "rail:main"],
        ("zone", "ZD"): ["floor:ZD"],
        ("ramp", "B1"): ["load:B1-6", "load:B1-1", "load:B1-2"],
        ("ramp", "D1"): ["load:D1-6", "load:D1-1", "load:D1-2"],
    }
    lights = tiered(find("hextraction-22"), "lights").board  # has neither lanes' nor zones' beams
    assert beside(lights) == ()
    assert beside(load(find("hexhex-5"))) == ()


@pytest.mark.parametrize("parts", [ramp_circuit(3), zone_circuit()], ids=["ramp", "zone"])
def test_their_circuits_are_those_of_the_wiring_page(parts: tuple[CircuitPart, ...]) -> None:
    """390 ohm from 5 V to an LED, 4.7 k to ground; lights and all else go through to the next."""
    assert mistakes(parts) == []
    found, values = nets(parts), {it.ref: it.value for it in parts}
    for beam in [ref[1:] for ref in found if ref[0] == "E"]:
        pull = f"R{int(beam) + 7}"
        assert (values[f"R{beam}"], values[pull]) == ("390", "4k7")
        assert found[f"R{beam}"] == {"1": "5V", "2": found[f"E{beam}"]["2"]}
        assert found[pull] == {"1": found[f"Q{beam}"]["1"], "2": "GND"}
        assert found["U1"][{"1": "11", "2": "12", "3": "13"}[beam]] == found[f"Q{beam}"]["1"]
    assert found["J1"]["7"] == found["J2"]["7"]
    assert (found["U1"]["9"], found["U1"]["10"]) == (found["J1"]["6"], found["J2"]["6"])
    assert {found["U1"][pin] for pin in ("14", "3", "4", "5", "6")} == {"3V3"}  # free inputs


def test_an_end_zone_feels_the_lights_5_volts() -> None:
    """2N7002: gate in the middle of 10 k from 5 V and 22 k to ground, drain to B with 10 k."""
    found, values = nets(zone_circuit()), {it.ref: it.value for it in zone_circuit()}
    assert found["T1"] == {"1": "HALF", "2": "GND", "3": "IN_B"}
    assert found["U1"]["12"] == "IN_B"
    rail = {values[ref]: set(found[ref].values()) for ref in ("R16", "R17")}
    assert rail == {"10k": {"5V", "HALF"}, "22k": {"HALF", "GND"}}
    assert (values["R18"], set(found["R18"].values())) == ("10k", {"3V3", "IN_B"})


Box = list[tuple[float, float]]
"""The four corners of a rectangle."""


def box(it: SetPart, x: float, y: float, off: tuple[float, float] = (0.0, 0.0)) -> Box:
    sides = [(off[0] + s * x / 2, off[1] + t * y / 2) for s in (-1, 1) for t in (-1, 1)]
    return [(it.x + dx, it.y + dy) for dx, dy in (turned(*at, it.turned) for at in sides)]


def covered(plan: ModulePlan) -> Iterator[tuple[str, bool, Box]]:
    """Of each part its name, a side, and what it covers there: body and pads; plugs as they are
    made, and what comes out of the circuit board on the other side."""
    for it in plan.parts:
        body = it.part.body
        if body == "plug":
            long, wide, aside = PLUG_MM
            yield it.part.ref, it.below, box(it, long, wide, (0.0, aside))
        elif body in BODIES_MM:
            yield it.part.ref, it.below, box(it, *BODIES_MM[body])
        for land in BODIES[body] if body != "electrode" else ():
            pad = box(it, land.wide, land.high, (land.x, land.y))
            yield from (
                (it.part.ref, side, pad) for side in (False, True) if land.drill or not side
            )


def gap(one: Box, other: Box) -> float:
    """How far apart two rectangles are at least: along the side of either that parts them best."""
    found = []
    for corner, *near in (one[:3], other[:3]):
        for end in near:
            x, y = ((b - a) / math.dist(corner, end) for a, b in zip(corner, end, strict=True))
            a, b = ([x * at[0] + y * at[1] for at in it] for it in (one, other))
            found.append(max(min(b) - max(a), min(a) - max(b)))
    return max(found)


@pytest.mark.parametrize("name", ["ramp", "zone"])
def test_no_leg_is_soldered_there_and_the_long_one_of_either_belongs_up_or_to_the_right(
    name: str,
) -> None:
    """Up the lane on a ramp, to the right on an end zone: an LED's anode, a phototransistor's
    emitter, each on a net of its own."""
    plan = zone() if name == "zone" else ramp(beside(BOARD)[-1])
    found = [it for it in plan.parts if it.part.ref[0] in "EQ"]
    assert {it.part.body for it in found} == {"socket"}
    for it in found:
        one, other = plan.pads(it)
        long = max(one, other, key=lambda pad: pad.y if name == "ramp" else pad.x)
        assert long.net.startswith("BEAM" if it.part.ref[0] == "E" else "IN"), it.part.ref


@pytest.mark.parametrize("name", ["slot", "ramp", "zone", "hexhex-5", "flowers-31", "table"])
def test_no_part_lies_on_another(name: str) -> None:
    """Every two parts on either side, body against body, pad and pin; plugs keep 0.25 mm
    from each other."""
    if name in ("slot", "ramp", "zone"):
        plan = laid_out(name, BOARD, PLAN.ball_mm)[1]
    else:
        plan = flower_placed(tiered(find(name), "touch").board, flower_circuit())
    for (one, side, a), (other, there, b) in combinations(covered(plan), 2):
        if one != other and side == there:
            assert gap(a, b) > 0.0, (one, other)
    plugs = [it for ref, side, it in covered(plan) if ref in ("J1", "J2") and side]
    bodies = [it for it in plugs if math.dist(it[0], it[3]) > 10]
    assert len(bodies) == 2
    assert gap(*bodies) > 0.25


def test_lanes_or_throats_that_leave_no_room_are_refused() -> None:
    one = beside(BOARD)[-1]
    near = tuple(replace(it, x=one.x + 0.8 * (it.x - one.x)) for it in one.sensors)
    with pytest.raises(BadText, match=r"at least 24\.8 mm apart: 3 are 23\.09 mm"):
        ramp(replace(one, sensors=near))
    with pytest.raises(BadText, match=r"pitch of 44 mm") as found:
        zone_placed(replace(BOARD, pitch=44.0), PLAN.ball_mm, zone_circuit())
    assert found.value.message.key == "module.throat"


# ---------------------------------------------------------------------- with the printed parts


@pytest.fixture(scope="module")
def printed() -> dict[str, Any]:
    """All printed parts about ramps and end zones, where they sit."""
    names = ("ramp-", "zone-", "frame", "foot-", "edge-", "strut")
    found = all_parts(BOARD, PLAN)
    return {it.name: mesh(it.shape) for it in found if it.name.startswith(names)}


@pytest.mark.long
@pytest.mark.parametrize("one", beside(BOARD), ids=lambda it: it.place)
def test_leads_come_down_where_the_printed_part_is_open(
    printed: dict[str, Any], one: BesideBoard
) -> None:
    """From the circuit board to the height of the beam, 5 mm over the datum or 10 under it."""
    plan = zone() if one.kind == "zone" else ramp(one)
    solid = printed[f"{one.kind}-{one.place}"]
    height = -10.0 if one.kind == "zone" else 5.0
    leads = [pad for it in plan.parts if it.part.ref[0] in "EQ" for pad in plan.pads(it)]
    assert len(leads) == (4 if one.kind == "zone" else 12)
    for pad in leads:
        start = one.x + pad.x, one.y + pad.y, -30.0
        assert seen(solid, start, (0.0, 0.0, 1.0)) > height + 30.0 - 0.5, (pad.x, pad.y)


@pytest.mark.long
@pytest.mark.parametrize("one", beside(BOARD), ids=lambda it: it.place)
def test_it_hangs_under_its_part_and_in_nobodys_way(
    printed: dict[str, Any], one: BesideBoard
) -> None:
    """The board of 1.6 mm, over it sockets of 3 mm and 0.3 mm of room, and plugs, 6 mm under it."""
    plan = zone() if one.kind == "zone" else ramp(one)
    top = (ZONE_LOW_MM if one.kind == "zone" else RAMP_LOW_MM) - 0.01
    here = at(prism(plan.outline, top - 3.3 - 1.6 - 6.0, top), one.x, one.y)
    for name, solid in printed.items():
        assert cut(here, solid) < 0.01, name
