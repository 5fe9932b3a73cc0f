"""The board file: what a person writes down of a board, read with every mistake named."""

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from hexboard.board.board import (
    LAST_INPUT,
    ORDERS,
    PIXEL_TYPES,
    SENSOR_SOURCES,
    STRIP_SOURCES,
    Board,
    Cell,
    Pixel,
    Rail,
    Ramp,
    Sensor,
    Strip,
    Zone,
    sensor_places,
)
from hexboard.board.building import BuildEntry, wrong
from hexboard.board.grid import EDGES, SHAPES, Axial, CellId, Edge, Shape, shape
from hexboard.files import Path_, Source, named, nearest, read, refuse, shipped, told
from hexboard.words import Message, Said, message
from hexboard.words.errors import BadFile, BadText
from hexboard.words.numbers import decimal

US = 1_000
"""One microsecond in nanoseconds."""


class CellEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    q: int
    r: int


class RampEntry(Struct, frozen=True, forbid_unknown_fields=True):
    cell: str
    edges: tuple[int, ...]


class ZoneEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    cell: str
    edges: tuple[int, ...]


class SensorEntry(Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    source: str = "pico"
    first_input: int = 0
    inputs: tuple[int, ...] | None = None
    at: tuple[str, ...] | None = None
    min_high_us: int = 1_000
    min_low_us: int = 1_000
    dead_us: int = 0


class PixelEntry(Struct, frozen=True, forbid_unknown_fields=True):
    source: str = "pico"
    type: str = "ws2812b-2020"
    order: str = "GRB"
    at: tuple[str, ...] | None = None
    edges: tuple[int, ...] = EDGES
    inset_mm: float = 7.0


class RailEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    limit_ma: int
    idle_ua: int | None = None
    channel_ua: int | None = None
    cells: tuple[str, ...] | None = None


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A board file as it is written. See docs/files.md."""

    schema: str
    name: str
    title: str
    game: str = ""
    shape: str = "list"
    flat_top: bool = False
    pitch_mm: float = 50.0
    powered: bool = False
    key_edge: int = 4
    cells: tuple[CellEntry, ...] = ()
    ramps: tuple[RampEntry, ...] = ()
    zones: tuple[ZoneEntry, ...] = ()
    sensors: tuple[SensorEntry, ...] = ()
    pixels: PixelEntry | None = None
    rails: tuple[RailEntry, ...] = ()
    build: BuildEntry | None = None


SCHEMA = "hexboard/board-1"
DARK = "-"
"""In place of a light's cell: it belongs to none, and stays dark."""
FAR = 1_000
"""How far a listed cell may lie from (0, 0), in steps."""
LEAST_US = {"button": 20_000}
"""Of a kind, the least `min_high_us` and `min_low_us`: a finger stays longer on a button, and comes
back later, than its contact bounces."""


def load(path: Path) -> Board:
    """The board in a file as it is now. Raises `BadFile` with every mistake in it."""
    stamp = 0, 0, 0
    with suppress(OSError):  # whoever reads it says what is wrong
        found = path.stat()
        stamp = found.st_ino, found.st_mtime_ns, found.st_size
    return _loaded(path, stamp)


@cache
def _loaded(path: Path, _stamp: tuple[int, int, int]) -> Board:
    """The same of a file that was last written then."""
    source = Source(path)
    entry, mistakes = read(source, BoardFile)
    refuse(source, mistakes)
    assert entry is not None
    return _Builder(source, entry).board()


def load_plan(path: Path) -> tuple[Board, BuildEntry]:
    """The board in a file and what it is made of. Raises `BadFile` with every mistake in it, or
    where it does not say."""
    board, source = load(path), Source(path)
    entry, mistakes = read(source, BoardFile)
    refuse(source, mistakes)
    if entry is None or entry.build is None:
        raise BadFile(str(path), (source.mistake("build.none", ()),))
    refuse(source, told(source, wrong(source, entry.build, board)))
    return board, entry.build


def made(entry: BoardFile) -> Board:
    """The board of an entry. Raises `BadFile`."""
    return _Builder(Source(Path(entry.name), ""), entry).board()


def plain(name: str) -> Board:
    """The board of a name, or where no file has it the bare cells of a named shape ("rhombus-7").

    Raises `BadText`.
    """
    cells = shape(name)
    if cells is None or (shipped("boards") / f"{name}.toml").is_file():
        return load(find(name))
    return made(BoardFile(SCHEMA, name, name, shape=name))


def find(name: str, folders: Iterable[Path] = ()) -> Path:
    """The file of a board by its name (looked up in `folders`, then among ours) or by its path."""
    if name.endswith(".toml") or "/" in name:
        return Path(name)
    names = []
    for folder in (*folders, shipped("boards")):
        if named(folder / f"{name}.toml"):
            return folder / f"{name}.toml"
        names += sorted(path.stem for path in folder.glob("*.toml"))
    raise BadText("board.no_such", name=name, near=nearest(name, names), known=", ".join(names))


USUAL_MM = (15, 100)
"""What lies between the cells of boards that people build, mm."""
STRONG_MA = 10_000
"""What the wiring of a strip of lights hardly bears, mA."""


def unusual(board: Board) -> Iterator[Message]:
    """A sentence on each number that can be right and hardly ever is."""
    if not USUAL_MM[0] <= board.pitch <= USUAL_MM[1]:
        yield message("board.far_apart", pitch=decimal(board.pitch))
    for rail in board.rails:
        if rail.limit_ma > STRONG_MA:
            yield message("board.strong", rail=rail.id, limit=rail.limit_ma)


class _Builder:
    """Turns a well-formed file into a board, collecting every mistake of meaning on the way."""

    def __init__(self, source: Source, entry: BoardFile) -> None:
        self.source = source
        self.entry = entry
        self.mistakes: list[Message] = []
        self.taken: set[tuple[CellId, Edge]] = set()  # rim edges that hold a ramp or a zone

    def board(self) -> Board:
        entry = self.entry
        if entry.schema != SCHEMA:
            self._wrong("board.schema", ("schema",), schema=entry.schema, ours=SCHEMA)
        if not 5 <= entry.pitch_mm <= 500:
            self._wrong("board.pitch", ("pitch_mm",), pitch=decimal(entry.pitch_mm))
        if entry.key_edge not in EDGES:
            self._wrong("board.edge", ("key_edge",), edge=entry.key_edge)
        self._names()
        shape = self._shape()
        refuse(self.source, self.mistakes if not shape.cells else [])  # no place can be judged
        bare = self._bare(shape)
        ramps = self._ramps(bare)
        zones = self._zones(bare)
        strip = self._strip()
        rails = tuple(self._rail(r, strip) for r in entry.rails)
        board = msgspec.structs.replace(bare, ramps=ramps, zones=zones, rails=rails, strip=strip)
        if not self.mistakes:
            board = msgspec.structs.replace(
                board, sensors=self._sensors(board), pixels=tuple(self._pixels(board))
            )
        refuse(self.source, self.mistakes)
        return board

    def _wrong(self, key: str, at: Path_, **values: Said) -> None:
        self.mistakes.append(self.source.mistake(key, at, **values))

    def _names(self) -> None:
        """Names are single words, because positions, files and sensors are written with them."""
        entry = self.entry
        if not re.fullmatch(r"[\w-]+", entry.name):
            self._wrong("board.word", ("name",), word=entry.name)
        named: dict[str, tuple[CellEntry | ZoneEntry | RailEntry, ...]] = {
            "cells": entry.cells,
            "zones": entry.zones,
            "rails": entry.rails,
        }
        for key, items in named.items():
            seen: dict[str, int] = {}
            for i, item in enumerate(items):
                if not re.fullmatch(r"\w+", item.id):
                    self._wrong("board.word", (key, i, "id"), word=item.id)
                if item.id in seen:
                    line = self.source.line((key, seen[item.id]))
                    self._wrong("board.id_twice", (key, i, "id"), id=item.id, other=line)
                seen.setdefault(item.id, i)
        for i, rail in enumerate(entry.rails):
            if min(rail.limit_ma, rail.idle_ua or 0, rail.channel_ua or 0) < 0:
                self._wrong("board.negative_rail", ("rails", i))

    def _shape(self) -> Shape:
        entry = self.entry
        if entry.shape == "list":
            if not entry.cells:
                self._wrong("board.no_cells", ("shape",))
            seen: dict[Axial, int] = {}
            for i, cell in enumerate(entry.cells):
                at = cell.q, cell.r
                if max(map(abs, at)) > FAR:
                    self._wrong("board.far", ("cells", i), far=FAR)
                    return Shape(entry.flat_top, ())
                if at in seen:
                    line = self.source.line(("cells", seen[at]))
                    self._wrong("board.cell_twice", ("cells", i), what=str(at), other=line)
                seen.setdefault(at, i)
            return Shape(entry.flat_top, tuple((c.id, (c.q, c.r)) for c in entry.cells))
        named = shape(entry.shape)
        if named is None:
            near = nearest(entry.shape, [*SHAPES, "list"])
            known = ", ".join([*SHAPES, "list"])
            self._wrong("board.shape", ("shape",), shape=entry.shape, near=near, known=known)
            return Shape(True, ())
        if entry.cells:
            self._wrong("board.cells_and_shape", ("cells",), shape=entry.shape)
        return named

    def _bare(self, shape: Shape) -> Board:
        entry, step = self.entry, self.entry.pitch_mm * math.sqrt(3) / 2
        raw = []
        for name, (q, r) in shape.cells:
            along, across = q * step, (r + q / 2) * entry.pitch_mm
            if not shape.flat_top:
                along, across = (q + r / 2) * entry.pitch_mm, r * step
            raw.append((name, q, r, along, -across))
        xs, ys = [x for *_, x, _ in raw] or [0.0], [y for *_, y in raw] or [0.0]
        mid_x, mid_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        cells = tuple(
            Cell(name, q, r, round(x - mid_x, 3), round(y - mid_y, 3)) for name, q, r, x, y in raw
        )
        return Board(
            name=entry.name,
            title=entry.title,
            game=entry.game,
            flat_top=shape.flat_top,
            pitch=entry.pitch_mm,
            powered=entry.powered,
            key_edge=entry.key_edge,
            cells=cells,
            ramps=(),
            zones=(),
            sensors=(),
            pixels=(),
            rails=(),
        )

    def _rim(self, board: Board, at: Path_, cell: str, edges: tuple[int, ...]) -> Iterator[int]:
        """The edges that may hold a ramp or a zone: of a known cell, on the rim, not taken."""
        if cell not in board.cell:
            near = nearest(cell, list(board.cell))
            self._wrong("board.no_cell", (*at, "cell"), cell=cell, near=near)
            return
        if not edges:
            self._wrong("board.no_edges", at)
        for edge in edges:
            if edge not in EDGES:
                self._wrong("board.edge", (*at, "edges"), edge=edge)
            elif (other := board.neighbour(cell, edge)) is not None:
                self._wrong("board.inside", (*at, "edges"), cell=cell, edge=edge, other=other)
            elif (cell, edge) in self.taken:
                self._wrong("board.edge_twice", (*at, "edges"), cell=cell, edge=edge)
            else:
                self.taken.add((cell, edge))
                yield edge

    def _ramps(self, board: Board) -> tuple[Ramp, ...]:
        return tuple(
            Ramp(ramp.cell, edge)
            for i, ramp in enumerate(self.entry.ramps)
            for edge in self._rim(board, ("ramps", i), ramp.cell, ramp.edges)
        )

    def _zones(self, board: Board) -> tuple[Zone, ...]:
        return tuple(
            Zone(z.id, z.cell, tuple(self._rim(board, ("zones", i), z.cell, z.edges)))
            for i, z in enumerate(self.entry.zones)
        )

    def _strip(self) -> Strip:
        pixels = self.entry.pixels or PixelEntry()
        self._among("source", pixels.source, STRIP_SOURCES)
        self._among("type", pixels.type, tuple(PIXEL_TYPES))
        self._among("order", pixels.order, ORDERS)
        return Strip(pixels.source, pixels.type, pixels.order)

    def _among(self, key: str, word: str, known: tuple[str, ...], at: Path_ = ("pixels",)) -> None:
        if word not in known:
            near = nearest(word, list(known))
            self._wrong("board.among", (*at, key), word=word, near=near, known=", ".join(known))

    def _rail(self, entry: RailEntry, strip: Strip) -> Rail:
        """A rail; what it does not say of its lights, their type says."""
        idle, channel = PIXEL_TYPES.get(strip.type, PIXEL_TYPES[Strip().type])
        return Rail(
            entry.id,
            entry.limit_ma,
            idle if entry.idle_ua is None else entry.idle_ua,
            channel if entry.channel_ua is None else entry.channel_ua,
        )

    def _sensors(self, board: Board) -> tuple[Sensor, ...]:
        places = sensor_places(board)
        sensors: list[Sensor] = []
        ids: dict[str, int] = {}
        wires: dict[tuple[str, int], tuple[str, int]] = {}
        for i, group in enumerate(self.entry.sensors):
            if group.kind not in places:
                near, known = nearest(group.kind, list(places)), ", ".join(places)
                self._wrong(
                    "board.kind", ("sensors", i, "kind"), kind=group.kind, near=near, known=known
                )
                continue
            at = tuple(places[group.kind]) if group.at is None else group.at
            inputs = group.inputs or tuple(range(group.first_input, group.first_input + len(at)))
            if min(*inputs, 0, group.min_high_us, group.min_low_us, group.dead_us) < 0:
                self._wrong("board.negative", ("sensors", i))
            last = max((*inputs, 0))
            if group.source == "pico" and last > LAST_INPUT:
                self._wrong("board.input_far", ("sensors", i), input=last, most=LAST_INPUT)
            if len(inputs) != len(at):
                self._wrong(
                    "board.inputs", ("sensors", i, "inputs"), inputs=len(inputs), places=len(at)
                )
            self._among("source", group.source, SENSOR_SOURCES, ("sensors", i))
            for place, number in zip(at, inputs, strict=False):
                name, wire = f"{group.kind}:{place}", (group.source, number)
                if place not in places[group.kind]:
                    near = nearest(place, list(places[group.kind]))
                    self._wrong(
                        "board.place", ("sensors", i, "at"), place=place, kind=group.kind, near=near
                    )
                    continue
                if name in ids:
                    line = self.source.line(("sensors", ids[name]))
                    self._wrong("board.sensor_twice", ("sensors", i), id=name, other=line)
                elif wire in wires:
                    taken, other = wires[wire]
                    line = self.source.line(("sensors", other))
                    self._wrong(
                        "board.input_twice",
                        ("sensors", i, "first_input"),
                        input=wire[1],
                        source=wire[0],
                        id=name,
                        taken=taken,
                        other=line,
                    )
                ids.setdefault(name, i)
                wires.setdefault(wire, (name, i))
                x, y = places[group.kind][place]
                least_us = LEAST_US.get(group.kind, 0)
                sensors.append(
                    Sensor(
                        name,
                        group.kind,
                        place,
                        *wire,
                        x,
                        y,
                        max(group.min_high_us, least_us) * US,
                        max(group.min_low_us, least_us) * US,
                        group.dead_us * US,
                    )
                )
        return tuple(sensors)

    def _pixels(self, board: Board) -> Iterator[Pixel]:
        if self.entry.pixels is None:
            return
        if not board.rails:
            self._wrong("board.no_rail", ("pixels",))
        edges, inset = self.entry.pixels.edges, self.entry.pixels.inset_mm
        if not 0 <= inset <= board.pitch:
            self._wrong("board.inset", ("pixels", "inset_mm"), inset=str(inset))
            return
        for edge in edges:
            if edge not in (0, *EDGES):
                self._wrong("board.edge", ("pixels", "edges"), edge=edge)
        feeds = self._feeds(board)
        for i, (cell, edge) in enumerate(self._spots(board)):
            if cell == DARK:
                continue
            here = board.cell[cell]
            x, y = board.edge_point(cell, edge, -inset) if edge else (here.x, here.y)
            yield Pixel(i, cell, edge, x, y, feeds.get(cell, 0))

    def _spots(self, board: Board) -> Iterator[tuple[CellId, Edge]]:
        """Where the lights sit, along the strip: cell by cell, or as `at` lists them."""
        assert self.entry.pixels is not None
        if self.entry.pixels.at is None:
            yield from ((cell.id, e) for cell in board.cells for e in self.entry.pixels.edges)
            return
        for spot in self.entry.pixels.at:
            cell, _, edge = spot.partition("/")
            if spot == DARK:
                yield DARK, 0
            elif cell in board.cell and edge in ("", *map(str, EDGES)):
                yield cell, int(edge or 0)
            else:
                near = nearest(cell, list(board.cell))
                self._wrong("board.spot", ("pixels", "at"), spot=spot, near=near)

    def _feeds(self, board: Board) -> dict[CellId, int]:
        """Which rail feeds the lights of a cell that a rail names; the first feeds the rest."""
        feeds: dict[CellId, int] = {}
        for i, rail in enumerate(self.entry.rails):
            for cell in rail.cells or ():
                if cell not in board.cell:
                    near = nearest(cell, list(board.cell))
                    self._wrong("board.no_cell", ("rails", i, "cells"), cell=cell, near=near)
                feeds[cell] = i
        return feeds
