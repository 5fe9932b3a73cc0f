"""The slots' frame: in parts that fit the printer's bed, which bow ties join from below."""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase

from hexboard.board import EDGES
from hexboard.board.building import ROLLING
from hexboard.commands.build.cad import beams
from hexboard.commands.build.cad.lengths import RIM_MM, Lengths
from hexboard.commands.build.cad.outline import inset, outline
from hexboard.commands.build.cad.recipe import (
    Carved,
    Point,
    PrintedPart,
    Prism,
    Rod,
    Solid,
    Stand,
    hexagon,
    turned,
)
from hexboard.commands.build.geometry import Geometry
from hexboard.commands.build.module.placing import edge_angle

APART_MM = 0.1
"""How far each part stays behind its outline, so that two go side by side."""
KEY_MM = 2.5
"""How high a slot's key stands over its ledge; a tile's notch is 3 mm high."""
TIE_MM = (4.0, 1.6, 3.2)
"""A bow tie: how far it reaches to each side, half its width in the middle and at its ends."""
TIE_HIGH_MM = 2.0
INSERT_MM, INSERT_DEEP_MM = 2.0, 5.5
"""The bore for a brass insert of M3, into which all that hangs on the frame is screwed: radius."""
PEG_MM, PEG_HIGH_MM = 1.3, 2.0
"""The light ring's pegs: radius, height."""
PEG_EDGES = (1.5, 3.5, 5.5)
"""Towards which corners they stand."""


def frames(found: Lengths, places: Geometry) -> tuple[PrintedPart, ...]:
    """Each part of the frame, and the bow ties between them."""
    cells = dict(_groups(found, places))
    part = {it: name for name, on in cells.items() for it in on}
    parts = [PrintedPart(name, _frame(found, part, within)) for name, within in cells.items()]
    if joints := [*_joints(found, part)]:
        parts.append(bow_tie(len(joints)))
    return tuple(parts)


def ties_at(found: Lengths, places: Geometry) -> Iterator[Stand]:
    """Where bow ties join two parts of the frame."""
    part = {it: name for name, on in _groups(found, places) for it in on}
    return (found.stand(*it) for it in _joints(found, part))


def part_of(found: Lengths, places: Geometry, cell: str) -> str:
    """The part of the frame that has this slot."""
    return next(name for name, on in _groups(found, places) if cell in on)


def bow_tie(count: int, of: str = "bow-tie") -> PrintedPart:
    """What joins two parts side by side, from below."""
    return PrintedPart(of, tied(Stand(0, 0, 0), 0.0), count)


def tied(stand: Stand, low: float) -> Prism:
    """One of them across an edge, from this height on."""
    return Prism(tuple(tie(stand, 0.1)), low, low + TIE_HIGH_MM)


def _groups(found: Lengths, places: Geometry) -> Iterator[tuple[str, list[str]]]:
    """Which slots each part has: those of one bed that hang together."""
    for name in places.parts:
        left = [it.id for it in places.slots if it.part == name]
        groups = list[list[str]]()
        while left:
            groups.append(_hanging(found, left))
            left = [it for it in left if it not in groups[-1]]
        for k, group in enumerate(groups):
            yield f"frame-{name}{ascii_lowercase[k] if len(groups) > 1 else ''}", group


def _hanging(found: Lengths, cells: Sequence[str]) -> list[str]:
    """The first of these slots, and all that it hangs together with."""
    group = [cells[0]]
    for cell in group:
        near = (found.board.neighbour(cell, edge) for edge in EDGES)
        group += [it for it in near if it and it in cells and it not in group]
    return group


def _frame(found: Lengths, part: Mapping[str, str], cells: Sequence[str]) -> Carved:
    board, slot = found.board, found.slot
    around = inset(outline([board.corners(cell) for cell in cells]), APART_MM)
    plate = Prism(around, found.under, RIM_MM)
    middles = [(board.cell[cell].x, board.cell[cell].y) for cell in cells]
    holes = (Prism(hexagon(at, found.hole), found.under - 1, RIM_MM) for at in middles)
    openings = (Prism(hexagon(at, slot.opening_mm), found.ledge, RIM_MM + 1) for at in middles)
    sills = [beams.sill(found, *rim) for rim in rims(found, cells)]
    sills += [beams.step(found, *rim) for rim in rims(found, cells) if rim in board.entry]
    body = Carved((plate, *sills), (*holes, *openings))
    adds, cuts = _beams(found, cells)
    cuts += [_insert(found, *rim) for rim in rims(found, cells)]
    cuts += [peg for at in middles for peg in pegs(found, at, PEG_MM + 0.15, PEG_HIGH_MM + 0.2)]
    ties = (tie(found.stand(*it), 0.0) for it in _joints(found, part) if it[0] in cells)
    others = (tie(stand, 0.0) for stand in _facing(found, part, cells))
    low, high = found.under - 1, found.under + TIE_HIGH_MM + 0.2
    cuts += [Prism(tuple(points), low, high) for points in (*ties, *others)]
    return Carved((body, *_keys(found, cells), *adds), tuple(cuts))


def rims(found: Lengths, cells: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Every edge of these slots at the board's rim."""
    for cell in cells:
        yield from ((cell, edge) for edge in EDGES if not found.board.neighbour(cell, edge))


def _beams(found: Lengths, cells: Sequence[str]) -> tuple[list[Solid], list[Solid]]:
    """Posts and pockets of the beams at these slots."""
    adds, cuts = list[Solid](), list[Solid]()
    at = {name: place for place, name in reversed(found.board.seams.items())}
    for sensor in found.board.sensors:
        height = beams.beam_height_mm(found.plan, sensor.kind)
        cell, edge = at.get(sensor.place, ("", 0))
        if sensor.kind not in ROLLING or not cell:
            continue
        near = found.board.neighbour(cell, edge)
        if cell not in cells and near not in cells:
            continue
        stand = found.stand(cell, edge)
        if near:
            adds += beams.seam_posts(found, stand, height)
            cuts += beams.seam_pockets(found, stand, height)
        else:
            adds += beams.rim_posts(stand, height)
            cuts += beams.rim_pockets(found, stand, height)
    return adds, cuts


def _keys(found: Lengths, cells: Sequence[str]) -> Iterator[Prism]:
    """The tab in each slot that a tile's notch must find; down to the underside, so that it prints
    without support."""
    wide, deep = found.slot.key_mm
    inner = (found.board.pitch - found.slot.opening_mm) / 2
    for cell in cells:
        stand = found.stand(cell, found.board.key_edge)
        high = found.under, found.ledge + KEY_MM
        yield stand.box((-wide / 2, wide / 2), (-inner - deep, 0.5 - inner), high)


def _insert(found: Lengths, cell: str, edge: int) -> Rod:
    high = found.under - 1, found.under + INSERT_DEEP_MM
    return found.stand(cell, edge).bore(0.0, beams.OUT_MM, high, INSERT_MM)


def pegs(found: Lengths, at: Point, radius: float, high: float) -> Iterator[Rod]:
    """The pegs by which a slot's light ring hangs under the frame, or their bores."""
    out = found.board.pitch / 3**0.5 - 3.6
    for edge in PEG_EDGES:
        dx, dy = turned((out, 0.0), edge_angle(edge))
        x, y = at[0] + dx, at[1] + dy
        yield Rod((x, y, found.under - 0.5), (x, y, found.under + high), radius)


def _joints(found: Lengths, part: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Every edge between slots of two parts, as its first slot has it."""
    for cell, edge, other in found.board.shared_edges:
        if part[cell] != part[other]:
            yield cell, edge


def _facing(found: Lengths, part: Mapping[str, str], cells: Sequence[str]) -> Iterator[Stand]:
    """Those of them whose other slot is one of these."""
    for cell, edge in _joints(found, part):
        if found.board.neighbour(cell, edge) in cells and cell not in cells:
            yield found.stand(cell, edge)


def tie(stand: Stand, less: float) -> Iterator[Point]:
    """A bow tie across an edge."""
    reach, waist, end = (it - less for it in TIE_MM)
    around = ((-end, -reach), (-waist, 0), (-end, reach), (end, reach), (waist, 0), (end, -reach))
    return (stand.at(*it) for it in around)
