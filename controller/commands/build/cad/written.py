"""The printed parts of a board, written: each as STEP where it sits in the board, as STL as it lies
on the bed, and as a small picture; how they are put together, step by step; a table of them."""

import csv
import io
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from msgspec import Struct

from hexboard.board import Board, BuildEntry
from hexboard.board.building import RIB, mm
from hexboard.commands.build.cad.all_parts import all_parts
from hexboard.commands.build.cad.assembly import AssemblyStep, assembly
from hexboard.commands.build.cad.beams import HANGING_LEG_MM, guide_length_mm, seam_leg_mm
from hexboard.commands.build.cad.filament import PLA_G_CM3, PartBulk, part_grams
from hexboard.commands.build.cad.lengths import Lengths, lengths
from hexboard.commands.build.cad.picture import picture
from hexboard.commands.build.cad.pieces import PieceKinds
from hexboard.commands.build.cad.recipe import MovedSolid, PrintedPart, Solid, Spot
from hexboard.commands.build.cad.times import MARGIN, BeamPass, passes
from hexboard.files import whole
from hexboard.words import Message, message
from hexboard.words.errors import BadText
from hexboard.words.numbers import decimal

Triangles = tuple[list[Spot], list[tuple[int, int, int]]]
"""Corners, mm, and three of them for each triangle."""


class PartFound(Struct, frozen=True):
    """A part as it was written."""

    name: str
    count: int
    size_mm: tuple[float, float, float]
    """As it lies on the bed."""
    volume_cm3: float
    area_cm2: float


class CadFound(Struct, frozen=True):
    """What was written of a board."""

    board: str
    bed_mm: tuple[float, float]
    parts: tuple[PartFound, ...]
    filament_g: tuple[int, int]
    """Of PLA, all repeats: estimated, from walls and some filling to solid."""
    print_hours: tuple[int, int]
    """Estimated, from a fast printer's hollow parts to a slow one's solid ones."""
    passes: tuple[BeamPass, ...]
    gap_mm: float
    """Between tiles; 0 where there are none."""
    post_mm: float
    """How wide it must be for posts of beams between slots."""
    guides: int
    """Light guides of those beams: two each."""
    guide_size_mm: tuple[float, float]
    """How thick and how long each is; 0 where there are none."""
    legs_mm: tuple[float, float]
    """Of beams: between slots, from the top of the body to the ends of the legs; and how far legs
    stand out of what a circuit board hangs under. 0 where there are none."""
    balls: int
    """That two players want; not printed."""


def write(
    board: Board,
    plan: BuildEntry,
    wanted: PieceKinds,
    grams_an_hour: tuple[float, float],
    folder: Path,
    heard: Callable[[str], object] = str,
) -> CadFound:
    """Write all parts into a folder; `heard` is told the name of each part, and of each step of
    the assembly, before it is made. Raises `BadText`, and `ModuleNotFoundError` without
    build123d."""
    parts, times = all_parts(board, plan, wanted), passes(board, plan)
    meshes = dict[Solid, Triangles]()
    made = []
    for part in parts:
        heard(part.name)
        made.append(_written(part, folder, meshes))
    found = tuple(made)
    for number, step in enumerate(assembly(board, plan, parts), 1):
        heard(step.name)
        drawn = _drawn(step, meshes)
        whole(folder / f"assembly-{number}-{step.name}.svg", drawn.encode())
    whole(folder / "printed.csv", _table(found).encode())
    gap_mm = post_mm = 0.0
    guides, guide_size_mm = 0, (0.0, 0.0)
    legs_mm = 0.0, 0.0
    if plan.slot is not None:
        measured = lengths(board, plan)
        gap_mm, post_mm = measured.gap, round(measured.least_gap, 2)
        guides, guide_size_mm = _guides(measured)
        if guides:
            legs_mm = round(seam_leg_mm(measured), 1), round(HANGING_LEG_MM, 1)
    filament_g, print_hours = _spent(found, grams_an_hour)
    return CadFound(
        board=board.name,
        bed_mm=plan.bed_mm,
        parts=found,
        filament_g=filament_g,
        print_hours=print_hours,
        passes=times,
        gap_mm=gap_mm,
        post_mm=post_mm,
        guides=guides,
        guide_size_mm=guide_size_mm,
        legs_mm=legs_mm,
        balls=wanted.balls,
    )


def _guides(found: Lengths) -> tuple[int, tuple[float, float]]:
    """How many light guides the beams between slots take, and how thick and long each is."""
    count = 2 * sum(it.kind == RIB for it in found.board.sensors)
    size = found.slot.pocket_mm, round(guide_length_mm(found), 2)
    return count, size if count else (0.0, 0.0)


def _spent(
    parts: tuple[PartFound, ...], grams_an_hour: tuple[float, float]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Grams and hours, estimated: walls and some filling, or solid."""
    slow, fast = grams_an_hour
    hollow = sum(it.count * part_grams(it.name, _bulk(it)) for it in parts)
    solid = PLA_G_CM3 * sum(it.count * it.volume_cm3 for it in parts)
    grams = round(hollow), round(solid)
    return grams, (math.ceil(grams[0] / fast), math.ceil(grams[1] / slow))


def _bulk(it: PartFound) -> PartBulk:
    return PartBulk("", it.name, math.prod(it.size_mm) / 1000, it.volume_cm3, it.area_cm2)


def _drawn(step: AssemblyStep, meshes: dict[Solid, Triangles]) -> str:
    """A step's picture."""
    import numpy as np

    from hexboard.commands.build.cad.shaded import DrawnMesh, shaded

    drawn = []
    for it in step.parts:
        corners, faces = _triangles(it.shape, meshes)
        moved, off = np.array(corners) + np.array(it.off), np.array(it.off)
        drawn.append(DrawnMesh(it.name, it.kind or it.name, moved, np.array(faces), off, it.new))
    return shaded(step.name, drawn, step.eye)


def _triangles(shape: Solid, meshes: dict[Solid, Triangles]) -> Triangles:
    """A shape's triangles: no solid is made twice."""
    if shape in meshes:
        return meshes[shape]
    if isinstance(shape, MovedSolid):
        corners, faces = _triangles(shape.shape, meshes)
        return [shape.spot(it) for it in corners], faces
    solids = _solids()
    return meshes.setdefault(shape, solids.triangles(solids.made(shape)))


def _written(part: PrintedPart, folder: Path, meshes: dict[Solid, Triangles]) -> PartFound:
    solids = _solids()
    folder.mkdir(parents=True, exist_ok=True)
    sits, lies = solids.both(part)
    meshes[part.shape] = solids.triangles(sits)
    solids.step(sits, folder / f"{part.name}.step")
    drawn = picture(part.name, solids.lines(sits))
    whole(folder / f"{part.name}.svg", drawn.encode())
    x, y, z = solids.stl(lies, folder / f"{part.name}.stl")
    volume, area = round(sits.volume / 1000, 2), round(sits.area / 100, 2)
    return PartFound(part.name, part.count, (x, y, z), volume, area)


def _solids() -> ModuleType:
    """What makes solids: only here is it needed that build123d is installed, and starts."""
    try:
        from hexboard.commands.build.cad import solids
    except ModuleNotFoundError:
        raise
    except ImportError as error:
        raise BadText("cad.no_kernel", why=str(error)) from error
    return solids


def _table(parts: tuple[PartFound, ...]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["part", "count", "x_mm", "y_mm", "z_mm", "volume_cm3", "area_cm2"])
    writer.writerows((it.name, it.count, *it.size_mm, it.volume_cm3, it.area_cm2) for it in parts)
    return text.getvalue()


def told(found: CadFound, folder: Path) -> Iterator[Message]:
    """The figures as sentences."""
    for it in found.parts:
        x, y, z = map(mm, it.size_mm)
        yield message("cad.part", name=it.name, count=it.count, x=x, y=y, z=z)
    bed = message("build.by", x=mm(found.bed_mm[0]), y=mm(found.bed_mm[1]))
    count = sum(it.count for it in found.parts)
    yield message("cad.wrote", files=len(found.parts), count=count, bed=bed, folder=str(folder))
    (low, high), (fast, slow) = found.filament_g, found.print_hours
    yield message("cad.filament", low=low, high=high, fast=fast, slow=slow)
    if found.passes:
        least = min(found.passes, key=lambda it: it.looks)
        looks, dark, margin = decimal(least.looks), mm(least.dark_us / 1000), decimal(MARGIN)
        yield message("cad.passes", kind=least.kind, dark=dark, looks=looks, margin=margin)
    if found.guides:
        thick, long = map(mm, found.guide_size_mm)
        yield message("cad.guides", count=found.guides, thick=thick, length=long)
        between, below = map(mm, found.legs_mm)
        yield message("cad.legs", between=between, below=below)
    if found.balls:
        yield message("cad.balls", count=found.balls)
    if found.gap_mm < found.post_mm and found.guides:
        yield message("cad.no_posts", gap=mm(found.gap_mm), least=mm(found.post_mm))
