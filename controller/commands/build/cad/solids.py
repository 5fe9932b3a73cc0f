"""Recipes made solid by build123d, and written: the only module that imports it."""

import os
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

from build123d import (
    Edge,
    Face,
    GeomType,
    Plane,
    Pos,
    Rot,
    Shape,
    Vector,
    Wire,
    export_step,
    export_stl,
)
from build123d import Solid as Made

from hexboard.commands.build.cad.recipe import (
    Carved,
    Cone,
    MovedSolid,
    Point,
    PrintedPart,
    Prism,
    Rod,
    Solid,
    Spot,
)

VIEW_MM = (-300.0, -500.0, 450.0)
"""From where a part is drawn."""
ROUND_STEPS = 16
"""Straight pieces of a round edge in a drawing."""
FINE_MM, FINE_RAD = 0.02, 0.3
"""How far a file of triangles may be off a round face, and by which angle one turns to the next."""

COARSE_MM, COARSE_RAD = 0.1, 0.4
"""The same, in a picture."""


def made(shape: Solid) -> Shape:
    """The solid that a recipe describes."""
    match shape:
        case Prism(points, low, high):
            face = Face(Wire.make_polygon([(x, y, low) for x, y in points]))
            return Made.extrude(face, Vector(0, 0, high - low))
        case Rod(start, end, radius):
            way = Vector(*end) - Vector(*start)
            return Made.make_cylinder(radius, way.length, Plane(origin=start, z_dir=way))
        case Cone(x, y, low, high, below, above):
            return Made.make_cone(below, above, high - low, Plane(origin=(x, y, low)))
        case Carved(adds, cuts):
            first, *more = map(made, adds)
            whole = first.fuse(*more) if more else first
            return whole.cut(*map(made, cuts)) if cuts else whole
        case MovedSolid(it, about_x, about_z, by):
            return Pos(*by) * Rot(0, 0, about_z) * Rot(about_x, 0, 0) * made(it)


def step(shape: Shape, path: Path) -> None:
    """Written as STEP, where it sits."""
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        export_step(shape, path)


def stl(shape: Shape, path: Path) -> tuple[float, float, float]:
    """Written as STL, in the middle of the bed and standing on it; how long, deep and high it is,
    mm."""
    box = shape.bounding_box()
    middle = box.center()
    laid = Pos(-middle.X, -middle.Y, -box.min.Z) * shape
    export_stl(laid, path, tolerance=FINE_MM, angular_tolerance=FINE_RAD)
    return round(box.size.X, 2), round(box.size.Y, 2), round(box.size.Z, 2)


def triangles(shape: Shape) -> tuple[list[Spot], list[tuple[int, int, int]]]:
    """Corners, mm, and three of them for each triangle, for a picture."""
    corners, faces = shape.tessellate(COARSE_MM, COARSE_RAD)
    return [(it.X, it.Y, it.Z) for it in corners], faces


def both(part: PrintedPart) -> tuple[Shape, Shape]:
    """A part as it sits in the board, and as it lies on the bed."""
    sits = made(part.shape)
    return sits, Rot(part.about_x, 0, 0) * sits if part.about_x else sits


def lines(shape: Shape) -> list[tuple[Point, ...]]:
    """What is seen of its edges from before, above and a little to the left, mm."""
    middle = shape.bounding_box().center()
    eye = middle + Vector(*VIEW_MM)
    visible, _ = shape.project_to_viewport(eye, look_at=middle)
    return [tuple(_drawn(edge)) for edge in visible]


def _drawn(edge: Edge) -> Iterator[Point]:
    """A straight edge by its ends, another by some more points."""
    steps = 1 if edge.geom_type == GeomType.LINE else ROUND_STEPS
    for k in range(steps + 1):
        at = edge.position_at(k / steps)
        yield at.X, at.Y
