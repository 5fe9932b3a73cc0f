"""A board as an SVG picture: cells, ramps, end zones, sensors with their inputs, pixels."""

from collections.abc import Iterable, Iterator
from html import escape

from hexboard.board import Board

STYLE = """
text { font: 5px sans-serif; text-anchor: middle; fill: #334 }
.cell { fill: #eef1f6; stroke: #8a94a6; stroke-width: .8 }
.ramp { stroke: #c78500; stroke-width: 4; stroke-linecap: round }
.zone { stroke: #2a9d5c; stroke-width: 4; stroke-linecap: round }
.pixel { fill: #5b8def; opacity: .55 }
.sensor { fill: #d1495b }
.input { font-size: 3px; fill: #d1495b }
.name { font-weight: bold }
"""


def svg(board: Board, over: Iterable[str] = ()) -> str:
    """The board in millimetres, to scale; a sensor's number is its input. `over` are more shapes,
    which lie on it."""
    points = [point for cell in board.cells for point in board.corners(cell.id)]
    left, right = min(x for x, _ in points) - 35, max(x for x, _ in points) + 35
    low, high = min(y for _, y in points) - 35, max(y for _, y in points) + 35
    width, height = round(right - left, 1), round(high - low, 1)
    body = "\n".join((*_shapes(board), *over))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="{left:.1f} {-high:.1f} {width} {height}">\n'
        f"<title>{escape(board.title)}</title>\n<style>{STYLE}</style>\n{body}\n</svg>\n"
    )


def _shapes(board: Board) -> Iterator[str]:
    for cell in board.cells:
        corners = " ".join(f"{x},{-y}" for x, y in board.corners(cell.id))
        yield f'<polygon class="cell" points="{corners}"/>'
    for ramp in board.ramps:
        yield _line("ramp", board.lane_point(ramp), board.edge_point(ramp.cell, ramp.edge, 4))
    for zone in board.zones:
        for edge in zone.edges:
            yield _line("zone", board.edge_point(zone.cell, edge, 2), board.zone_point(zone))
    for pixel in board.pixels:
        yield f'<circle class="pixel" cx="{pixel.x}" cy="{-pixel.y}" r="2"/>'
    for cell in board.cells:
        size = ' style="font-size: 4px"' if len(cell.id) > 3 else ""
        yield f'<text class="name" x="{cell.x}" y="{-cell.y + 8}"{size}>{escape(cell.id)}</text>'
    for sensor in board.sensors:
        if not sensor.placed:
            continue
        x, y = sensor.x, -sensor.y
        yield f'<circle class="sensor" cx="{x}" cy="{y}" r="1.2">'
        yield f"<title>{escape(sensor.id)}</title></circle>"
        yield f'<text class="input" x="{x}" y="{y + 4.5}">{sensor.input}</text>'


def _line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = start, end
    return f'<line class="{kind}" x1="{x1}" y1="{-y1}" x2="{x2}" y2="{-y2}"/>'
