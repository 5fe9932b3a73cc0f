"""On-ramps: the lanes into a slot, with the beams that see a ball lie in each (load). The beams
that see it leave (gate) stand on the frame's sill."""

from collections.abc import Iterator

from hexboard.board.board import Ramp
from hexboard.commands.build.cad import edge
from hexboard.commands.build.cad.beams import LANE_LOW_MM, across, beam_height_mm, bed
from hexboard.commands.build.cad.hanging import TAB_MM, flat_tab, screw, taken
from hexboard.commands.build.cad.lengths import Lengths
from hexboard.commands.build.cad.recipe import Carved, PrintedPart, Prism, Rod, Solid, Stand
from hexboard.commands.build.module.beds import POST_MM

LANE_MM = 5.5
"""Half a lane's width."""
WALL_HIGH_MM = 8.0
"""How high a lane's walls are over its floor."""
BEHIND_MM = 11.0
"""How far a lane goes on behind the middle of a ball that lies in it."""
WALL_MM = 1.8
POST_END_MM = POST_MM[1] + 1.0
"""How far from a lane's middle its beam's beds are walled in."""
BESIDE_POST_MM = 5.0
"""How far below its beam the ramp is that wide."""


def ramps(found: Lengths) -> Iterator[PrintedPart]:
    """Each on-ramp."""
    for cell in dict.fromkeys(ramp.cell for ramp in found.board.ramps):
        lanes = [ramp for ramp in found.board.ramps if ramp.cell == cell]
        yield PrintedPart(f"ramp-{cell}", _ramp(found, cell, lanes))


def _ramp(found: Lengths, cell: str, lanes: list[Ramp]) -> Carved:
    here, low = found.board.cell[cell], found.under - 0.05 - TAB_MM
    high = LANE_LOW_MM + WALL_HIGH_MM
    loads = [found.board.lane_point(lane) for lane in lanes]
    xs, ys = [x for x, _ in loads], [y for _, y in loads]
    top, below = max(ys) + BEHIND_MM, min(ys) - BESIDE_POST_MM
    blocks = tuple(
        Stand(0.0, 0.0, 0.0).box(long, (min(xs) - wide, max(xs) + wide), (low, high))
        for wide, long in ((LANE_MM + WALL_MM, (here.y, top)), (POST_END_MM, (below, top)))
    )
    body = Carved(blocks, (*taken(found, (here.x, here.y)), *_below(found, cell, low, high)))
    tabs = [flat_tab(found, cell, lane.edge) for lane in lanes]
    tabs += [edge.lug(found, spot, low) for spot in edge.ramp_spots(found, cell)]
    cuts = [it for lane in lanes for it in (*_lane(found, lane), *_load(found, lane))]
    holes = [hole for lane in lanes for hole in screw(found, cell, lane.edge)]
    holes += [edge.hole(spot, low) for spot in edge.ramp_spots(found, cell)]
    return Carved((body, *tabs), (*cuts, *holes))


def _below(found: Lengths, cell: str, low: float, high: float) -> Iterator[Prism]:
    """What lies beside or below the slot, where no lane is."""
    here, pitch = found.board.cell[cell], found.board.pitch
    floor = here.y + LANE_MM + 2.0
    yield Stand(here.x, here.y, 90.0).box(
        (-3 * pitch, 3 * pitch), (-3 * pitch, floor - here.y), (low - 1, high + 1)
    )


def _lane(found: Lengths, lane: Ramp) -> Iterator[Solid]:
    """Down from where a ball lies, and round the corner into the slot."""
    stand, (x, y) = found.stand(lane.cell, lane.edge), found.board.lane_point(lane)
    heights = LANE_LOW_MM, LANE_LOW_MM + WALL_HIGH_MM + 1
    turn_y = _turn(stand, x)
    yield Prism(
        (
            *((x - LANE_MM, turn_y), (x + LANE_MM, turn_y)),
            *((x + LANE_MM, y + BEHIND_MM - WALL_MM), (x - LANE_MM, y + BEHIND_MM - WALL_MM)),
        ),
        *heights,
    )
    yield Rod((x, turn_y, heights[0]), (x, turn_y, heights[1]), LANE_MM)
    _, out = _seen(stand, x, turn_y)
    yield stand.box((-LANE_MM, LANE_MM), (-1.0, out), heights)


def _turn(stand: Stand, x: float) -> float:
    """Where a lane that comes straight down turns towards its slot: on the line through the middle
    of the slot's edge."""
    dx, dy = stand.at(0.0, 1.0)[0] - stand.x, stand.at(0.0, 1.0)[1] - stand.y
    if abs(dx) < 1e-6:
        return stand.y
    return stand.y + (x - stand.x) / dx * dy


def _seen(stand: Stand, x: float, y: float) -> tuple[float, float]:
    """A place as the edge sees it: how far along, how far out."""
    (ax, ay), (ox, oy) = _minus(stand.at(1, 0), stand), _minus(stand.at(0, 1), stand)
    return (x - stand.x) * ax + (y - stand.y) * ay, (x - stand.x) * ox + (y - stand.y) * oy


def _minus(point: tuple[float, float], stand: Stand) -> tuple[float, float]:
    return point[0] - stand.x, point[1] - stand.y


def _load(found: Lengths, lane: Ramp) -> Iterator[Solid]:
    """The beds of the beam across a ball that lies in the lane."""
    sensor = found.board.sensor.get(f"load:{lane.id}")
    if sensor is None:
        return
    height = beam_height_mm(found.plan, "load")
    reach = found.under - TAB_MM - 1, LANE_LOW_MM + WALL_HIGH_MM + 1
    for front in (POST_MM[0], -POST_MM[0]):
        yield from bed(found, across(sensor.x, sensor.y, 90.0), height, front, reach)
