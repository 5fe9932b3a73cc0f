"""A tile as an SVG picture: its channels and, on them, trigger areas, holes, pockets and ramps."""

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from math import cos, hypot, radians, sin, sqrt

from hexboard.appearance import Blank
from hexboard.board import EDGES, Edge
from hexboard.games.hextraction.tiles.numbers import number
from hexboard.games.hextraction.tiles.tile import Described, Hole, Pocket, Tile
from hexboard.words import message, say

Point = tuple[float, float]
"""Millimetres, x to the right and y down, from the middle of the tile."""

REACH_MM = 25.0
"""From the middle to an edge, in mm, on the 22-slot board; a corner is 2/sqrt(3) as far."""
CHANNEL_MM = 10.5
"""How wide a channel is drawn, in mm: a 10 mm ball and a little."""
LANE_MM = 6.0
"""How far a lane at a shared edge lies from its middle, in mm."""
STYLE = f"""
text {{ font: 4px sans-serif; text-anchor: middle; fill: #334 }}
.tile {{ fill: #f4f1ea; stroke: #8a94a6; stroke-width: .8 }}
.channel {{ fill: none; stroke: #c3d3ea; stroke-width: {CHANNEL_MM}; stroke-linecap: butt;
  stroke-linejoin: round }}
.dead {{ fill: #c3d3ea }}
.trigger {{ fill: none; stroke: #d1495b; stroke-width: .9 }}
.hole {{ fill: #334 }}
.pocket {{ fill: none; stroke: #5b8def; stroke-width: 1 }}
.ramp {{ fill: #c78500 }}
.socket {{ stroke: #334; stroke-width: 1.6 }}
.name {{ font-weight: bold; font-size: 5px }}
"""


def svg(tile: Tile) -> str:
    """The tile as printed, edge 1 at the top, in millimetres. Dark notches are sockets; what lies
    at a place that is not known is told below."""
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in map(_corner, range(6)))
    body = "\n".join((f'<polygon class="tile" points="{corners}"/>', *_shapes(tile)))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="80mm" height="82mm" '
        f'viewBox="-40 -36 80 82">\n<title>{escape(tile.name)}</title>\n'
        f"<style>{STYLE}</style>\n{body}\n</svg>\n"
    )


def blank(tile: Tile) -> Blank:
    """The tile to cut out of paper, or to cut and mill by."""
    shared = tile.shared if isinstance(tile, Described) else ()
    lines = {net: tuple(map(_up, ways(net, shared))) for net in tile.nets}
    return Blank(
        id=tile.id,
        marker=number(tile.id),
        across=2 * REACH_MM,
        channel=CHANNEL_MM,
        ways=tuple(line for net, own in lines.items() if len(net) > 1 for line in own),
        ends=tuple(line for net, own in lines.items() if len(net) == 1 for line in own),
        sockets=tile.sockets,
    )


def _up(way: list[Point]) -> tuple[Point, ...]:
    """The same line with y up."""
    return tuple((round(x, 3), round(-y, 3)) for x, y in way)


def _shapes(tile: Tile) -> Iterator[str]:
    shared = tile.shared if isinstance(tile, Described) else ()
    for net in tile.nets:
        if len(net) == 1:
            yield '<circle class="dead" cx="0" cy="0" r="8"/>'
        for way in ways(net, shared):
            yield _line("channel", way)
    for edge in EDGES:
        x, y = _edge(edge, REACH_MM + 4)
        yield f'<text x="{x:.1f}" y="{y + 1.4:.1f}">{edge}</text>'
    for edge in tile.sockets:
        yield _line("socket", [_edge(edge, REACH_MM, -2.5), _edge(edge, REACH_MM, 2.5)])
    unplaced: list[str] = []
    if isinstance(tile, Described):
        yield from _spots(tile)
        unplaced += [spot.id for spot in (*tile.triggers, *tile.ramps) if not spot.edges]
        unplaced += [hole.id for hole in tile.holes if not hole.edges]
        unplaced += [pocket.id for pocket in tile.pockets if not pocket.edges]
        unplaced += [part.id for part in tile.parts]
    yield f'<text class="name" x="0" y="37">{escape(tile.name)}</text>'
    if unplaced:
        told = say(message("hextraction.unplaced", parts=", ".join(unplaced)))
        yield f'<text x="0" y="43">{escape(told)}</text>'


def _spots(tile: Described) -> Iterator[str]:
    for trigger in tile.triggers:
        for way in ways(trigger.edges, tile.shared):
            yield _line("trigger", _jagged(way), trigger.id)
    for ramp in tile.ramps:
        for edge in ramp.edges:
            tip, one, two = _edge(edge, 16, 6), _edge(edge, 4, 14), _edge(edge, 8, 18)
            points = " ".join(f"{x:.2f},{y:.2f}" for x, y in (tip, one, two))
            yield f'<polygon class="ramp" points="{points}"><title>{ramp.id}</title></polygon>'
    stops: list[tuple[str, Hole | Pocket]] = [("hole", hole) for hole in tile.holes]
    stops += [("pocket", pocket) for pocket in tile.pockets]
    for kind, stop in stops:
        alike = [other for _, other in stops if other.edges == stop.edges]
        if stop.edges:
            x, y = _along(ways(stop.edges, tile.shared), alike.index(stop), len(alike))
            yield f'<circle class="{kind}" cx="{x:.2f}" cy="{y:.2f}" r="4.5">'
            yield f"<title>{stop.id}</title></circle>"


def _along(lines: list[list[Point]], index: int, count: int) -> Point:
    """The place of one of `count` holes and pockets on the same ways, evenly spread."""
    if len(lines) > 1:  # arms that meet: one stop an arm, half way
        (x, y), _ = lines[index % len(lines)]
        return x / 2, y / 2
    line = _finely(lines[0])
    return line[round((index + 1) * (len(line) - 1) / (count + 1))]


def ways(edges: tuple[Edge, ...], shared: tuple[Edge, ...] = ()) -> list[list[Point]]:
    """Lines along the middle of the channel that joins some edges: one curve between two of them,
    else an arm from each to the middle."""
    if len(edges) == 2:
        return [_curve(_mouth(edges[0], edges[1], shared), _mouth(edges[1], edges[0], shared))]
    return [[_edge(edge), (0.0, 0.0)] for edge in edges]


def _mouth(edge: Edge, other: Edge, shared: tuple[Edge, ...]) -> Point:
    """Where the way from `edge` to `other` begins: of two lanes it takes the nearer one."""
    if edge not in shared:
        return _edge(edge)
    turn = (other - edge) % 6
    return _edge(edge, REACH_MM, 0.0 if turn == 3 else LANE_MM if turn < 3 else -LANE_MM)


def _curve(start: Point, end: Point) -> list[Point]:
    """A parabola from one edge to another that bends towards the tile's middle, in 24 steps."""
    shares = [k / 24 for k in range(25)]
    return [
        ((1 - t) ** 2 * start[0] + t**2 * end[0], (1 - t) ** 2 * start[1] + t**2 * end[1])
        for t in shares
    ]


def _finely(way: list[Point]) -> list[Point]:
    """The same line in steps of at most a few millimetres."""
    if len(way) > 2:
        return way
    (x0, y0), (x1, y1) = way
    return [(x0 + (x1 - x0) * k / 10, y0 + (y1 - y0) * k / 10) for k in range(11)]


def _jagged(way: list[Point]) -> list[Point]:
    """A zigzag over the middle part of a way, as wide as the channel: how triggers are marked."""
    way = _finely(way)
    inner = way[len(way) // 5 : -len(way) // 5]
    out: list[Point] = []
    for k, ((x0, y0), (x1, y1)) in enumerate(pairwise(inner)):
        length = hypot(x1 - x0, y1 - y0) or 1.0
        side = (CHANNEL_MM / 2 - 1) * (1 if k % 2 else -1) / length
        out.append((x0 - (y1 - y0) * side, y0 + (x1 - x0) * side))
    return out


def _edge(edge: Edge, reach: float = REACH_MM, aside: float = 0.0) -> Point:
    """A point over an edge: `reach` mm from the middle, `aside` mm clockwise along it."""
    turn = radians(60 * (edge - 1))
    return reach * sin(turn) + aside * cos(turn), -reach * cos(turn) + aside * sin(turn)


def _corner(k: int) -> Point:
    turn, far = radians(60 * k + 30), 2 * REACH_MM / sqrt(3)
    return far * sin(turn), -far * cos(turn)


def _line(kind: str, points: list[Point], title: str = "") -> str:
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    inside = f"<title>{title}</title>" if title else ""
    return f'<polyline class="{kind}" points="{path}">{inside}</polyline>'
