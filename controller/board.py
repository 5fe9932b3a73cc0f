"""The board: hex geometry, and the board file that says where a board has what.

A board is cells (or slots) of one hexagonal grid, their edges, ramps and end zones, and the sensors
and pixels at them. Lengths are millimetres with y up and the origin in the middle of the cells.
Edges are 1..6 clockwise from the top (T.Edge): on a flat-topped grid 1 is north, on a grid with a
corner on top 1 is north-east.
"""

import math
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.errors import BadText
from controller.files import Path_, Source, nearest, read, refuse, shipped
from controller.words import Message

CellId = str
Edge = int
"""1..6, clockwise from the top."""
Axial = tuple[int, int]
"""(q, r): q grows to the right, r downwards."""

EDGES: tuple[Edge, ...] = (1, 2, 3, 4, 5, 6)
FLAT_STEPS: tuple[Axial, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
POINTY_STEPS: tuple[Axial, ...] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
US = 1_000
"""One microsecond in nanoseconds."""


def opposite(edge: Edge) -> Edge:
    """The edge across the cell, which is also the facing edge of the neighbour: 1-4, 2-5, 3-6."""
    return (edge + 2) % 6 + 1


def turned(edge: Edge, rotation: int) -> Edge:
    """Where the printed edge of a tile lies when it is turned `rotation` sixths clockwise."""
    return (edge - 1 + rotation) % 6 + 1


# --------------------------------------------------------------------------------------- shapes


class Shape(Struct, frozen=True):
    """Cells by name on a grid that lies flat side up or corner up."""

    flat_top: bool
    cells: tuple[tuple[CellId, Axial], ...]


def hextraction(columns: tuple[int, ...]) -> Shape:
    """Columns A, B, … of flat-topped slots, each numbered from the top (digest 6.2)."""
    tallest = max(columns)
    cells = []
    for c, count in enumerate(columns):
        for k in range(count):
            half_rows = 2 * k + (tallest - count)
            cells.append((f"{chr(65 + c)}{k + 1}", (c, (half_rows - c) // 2)))
    return Shape(True, tuple(cells))


def hexhex(side: int) -> Shape:
    """A hexagon of cells: rows a, b, … from the bottom, numbered from the left."""
    cells = []
    for row in range(2 * side - 1):
        r = side - 1 - row
        first = max(-side + 1, -side + 1 - r)
        length = 2 * side - 1 - abs(r)
        cells += [(f"{chr(97 + row)}{i + 1}", (first + i, r)) for i in range(length)]
    return Shape(False, tuple(cells))


def rhombus(side: int) -> Shape:
    """A Hex board: letter column, number row, a1 the acute corner at the upper left."""
    cells = ((f"{chr(97 + q)}{r + 1}", (q, r)) for q in range(side) for r in range(side))
    return Shape(False, tuple(cells))


def disc(radius: int) -> Shape:
    """All cells within `radius` of the middle, named by their axial place: "0,0", "-1,2"."""
    span = range(-radius, radius + 1)
    cells = ((f"{q},{r}", (q, r)) for r in span for q in span if abs(q + r) <= radius)
    return Shape(False, tuple(cells))


def flowers(rows: tuple[tuple[Axial, int], ...]) -> Shape:
    """Seven-field flowers in rows (KDH, digest 2.2); field "3.0" is the middle of sector 3.

    Each row is its first centre and how many; the next centre is (2, 1) further.
    """
    centres = [(q + 2 * i, r + i) for (q, r), count in rows for i in range(count)]
    cells = []
    for k, (q, r) in enumerate(centres, 1):
        cells.append((f"{k}.0", (q, r)))
        cells += [(f"{k}.{e}", (q + dq, r + dr)) for e, (dq, dr) in enumerate(POINTY_STEPS, 1)]
    return Shape(False, tuple(cells))


_FLOWER_ROWS = (
    *(((0, 0), 4), ((-3, 2), 5), ((-4, 5), 4), ((-7, 7), 5)),
    *(((-8, 10), 4), ((-11, 12), 5), ((-12, 15), 4)),
)
SHAPES = ("hextraction-22", "hexhex-5", "rhombus-11", "flowers-31", "table")
"""The named shapes. `table` is 61 loose cells for card games (HEXEL-G9); the number in `hexhex-5`
and `rhombus-11` is the side, and may be another one."""
SIDES = {"hexhex": (hexhex, range(2, 14)), "rhombus": (rhombus, range(2, 20))}


def shape(name: str) -> Shape | None:
    """The cells of a named shape; None if there is no such shape."""
    kind, _, side = name.partition("-")
    if kind in SIDES and re.fullmatch("[1-9][0-9]?", side):
        build, sides = SIDES[kind]
        return build(int(side)) if int(side) in sides else None
    match name:
        case "hextraction-22":
            return hextraction((4, 5, 4, 5, 4))
        case "flowers-31":
            return flowers(_FLOWER_ROWS)
        case "table":
            return disc(4)
    return None


# ---------------------------------------------------------------------------------------- board


class Cell(Struct, frozen=True):
    """One hexagon. `x`, `y` in mm from the middle of the board, y up."""

    id: CellId
    q: int
    r: int
    x: float
    y: float


class Ramp(Struct, frozen=True):
    """One lane of an on-ramp: it lets a ball into `cell` over `edge`. Its id is "B1-6"."""

    cell: CellId
    edge: Edge

    @property
    def id(self) -> str:
        return f"{self.cell}-{self.edge}"


class Zone(Struct, frozen=True):
    """An end zone below `cell`, entered over any of `edges`."""

    id: str
    cell: CellId
    edges: tuple[Edge, ...]


class Sensor(Struct, frozen=True):
    """One input. `id` is "kind:place". Times are what its debouncer demands, in ns."""

    id: str
    kind: str
    place: str
    source: str
    input: int
    x: float
    y: float
    min_high: int
    min_low: int
    dead: int


class Pixel(Struct, frozen=True):
    """One light, `index` along its strip, near edge `edge` of `cell`; edge 0 is the middle. `rail`
    is the number of the supply that feeds it."""

    index: int
    cell: CellId
    edge: Edge
    x: float
    y: float
    rail: int = 0


class Strip(Struct, frozen=True):
    """The strip of all pixels: who drives it, what its lights are, in which order colours go."""

    source: str = "pico"
    """`pico`; or on the Pi itself `pwm` (GPIO18) or `spi` (GPIO10)."""
    type: str = "ws2812b-2020"
    order: str = "GRB"


class Rail(Struct, frozen=True):
    """A supply of lights: what it may give (mA) and what one pixel draws, idle and per channel."""

    id: str
    limit_ma: int
    idle_ua: int = 1000
    channel_ua: int = 12_000


PIXEL_TYPES = {
    "ws2812b-2020": (1000, 12_000),
    "ws2812b": (1000, 20_000),
    "sk6812": (1000, 12_000),
    "sk6812-rgbw": (1000, 12_000),
}
"""What one light of each type draws, µA: idle, and each colour at full (data sheets' typical)."""
ORDERS = ("GRB", "RGB", "BGR", "RBG", "GBR", "BRG", "GRBW", "RGBW")
STRIP_SOURCES = ("pico", "pwm", "spi")
SENSOR_SOURCES = ("pico", "gpio")
LAST_INPUT = 151
"""Of a Pico: 19 shift registers."""
BUTTONS = ("end", "undo", "right", "done")
"""What a button can be for: end the turn, take back, "the board is right", "my move is made"."""


class Board(Struct, frozen=True, dict=True):
    """A board, whole. Built by `load`; looked up by the names people use."""

    name: str
    title: str
    flat_top: bool
    pitch: float
    powered: bool
    key_edge: Edge
    cells: tuple[Cell, ...]
    ramps: tuple[Ramp, ...]
    zones: tuple[Zone, ...]
    sensors: tuple[Sensor, ...]
    pixels: tuple[Pixel, ...]
    rails: tuple[Rail, ...]
    strip: Strip = Strip()
    game: str = ""
    """The game that is played on it where nobody names another."""

    @cached_property
    def cell(self) -> dict[CellId, Cell]:
        return {cell.id: cell for cell in self.cells}

    @cached_property
    def sensor(self) -> dict[str, Sensor]:
        return {sensor.id: sensor for sensor in self.sensors}

    @cached_property
    def at(self) -> dict[Axial, CellId]:
        return {(cell.q, cell.r): cell.id for cell in self.cells}

    @cached_property
    def entry(self) -> dict[tuple[CellId, Edge], str]:
        """Which ramp lane lies outside a cell's edge."""
        return {(ramp.cell, ramp.edge): ramp.id for ramp in self.ramps}

    @cached_property
    def goal(self) -> dict[tuple[CellId, Edge], str]:
        """Which end zone lies outside a cell's edge."""
        return {(zone.cell, edge): zone.id for zone in self.zones for edge in zone.edges}

    @cached_property
    def hash(self) -> str:
        """What a recording is tied to: a digest of everything in the board."""
        return digest(msgspec.json.encode(self))

    def neighbour(self, cell: CellId, edge: Edge) -> CellId | None:
        """The cell over `edge`; None where the board ends."""
        here = self.cell[cell]
        dq, dr = self.steps[edge - 1]
        return self.at.get((here.q + dq, here.r + dr))

    @property
    def steps(self) -> tuple[Axial, ...]:
        return FLAT_STEPS if self.flat_top else POINTY_STEPS

    @cached_property
    def shared_edges(self) -> tuple[tuple[CellId, Edge, CellId], ...]:
        """Every edge between two cells once: (cell, its edge, neighbour), in the file's order."""
        order = {cell.id: i for i, cell in enumerate(self.cells)}
        return tuple(
            (cell.id, edge, other)
            for cell in self.cells
            for edge in EDGES
            if (other := self.neighbour(cell.id, edge)) and order[cell.id] < order[other]
        )

    @cached_property
    def exits(self) -> tuple[tuple[CellId, Edge], ...]:
        """Edges over which a ball leaves the board: neither a neighbour, a ramp nor an end zone."""
        taken = self.entry.keys() | self.goal.keys()
        return tuple(
            (cell.id, edge)
            for cell in self.cells
            for edge in EDGES
            if self.neighbour(cell.id, edge) is None and (cell.id, edge) not in taken
        )

    def seam(self, cell: CellId, edge: Edge) -> str:
        """The name of a cell's edge: "B1-C1" between two cells, "A1-5" at the rim."""
        other = self.neighbour(cell, edge)
        if other is None:
            return f"{cell}-{edge}"
        first = next(c.id for c in self.cells if c.id in (cell, other))
        return f"{first}-{other if first == cell else cell}"

    def edge_point(self, cell: CellId, edge: Edge, out: float = 0.0) -> tuple[float, float]:
        """The middle of an edge, mm, moved `out` mm away from the cell (or in, where negative)."""
        here, angle = self.cell[cell], math.radians((90 if self.flat_top else 60) - 60 * (edge - 1))
        reach = self.pitch / 2 + out
        return round(here.x + reach * math.cos(angle), 3), round(
            here.y + reach * math.sin(angle), 3
        )

    def lane_point(self, ramp: Ramp) -> tuple[float, float]:
        """Where a ball waits in a ramp lane, mm: uphill of the lane's edge."""
        here, (x, _) = self.cell[ramp.cell], self.edge_point(ramp.cell, ramp.edge)
        return round(here.x + (x - here.x) * 4 / 3, 3), round(here.y + self.pitch, 3)

    def zone_point(self, zone: Zone) -> tuple[float, float]:
        """Where a ball lies in an end zone, mm."""
        return self.edge_point(zone.cell, zone.edges[len(zone.edges) // 2], self.pitch * 0.3)

    def corners(self, cell: CellId) -> tuple[tuple[float, float], ...]:
        """The six corners, clockwise; corner i lies between edge i and edge i+1."""
        here, size = self.cell[cell], self.pitch / math.sqrt(3)
        turn = 60 if self.flat_top else 30
        angles = (math.radians(turn - 60 * i) for i in range(6))
        return tuple(
            (round(here.x + size * math.cos(a), 3), round(here.y + size * math.sin(a), 3))
            for a in angles
        )


def digest(encoded: bytes) -> str:
    """The digest of a board as it was encoded, perhaps by another version of hexboard."""
    return blake2b(encoded, digest_size=8).hexdigest()


# ----------------------------------------------------------------------------------- board file


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


SCHEMA = "hexboard/board-1"
FAR = 1_000
"""How far a listed cell may lie from (0, 0), in steps."""
SENSOR_KINDS = ("load", "gate", "edge", "exit", "fall", "throat", "floor", "seat", "rail", "button")
"""Where a sensor can sit: in a ramp lane, at its gate, at an edge between two cells or at the rim,
under a cell, in an end zone's throat or floor, under a seated tile, on a supply rail; or it is a
button."""


@cache
def load(path: Path) -> Board:
    """The board in a file. Raises `BadFile` with every mistake in it."""
    source = Source(path)
    entry, mistakes = read(source, BoardFile)
    refuse(source, mistakes)
    assert entry is not None
    return _Builder(source, entry).board()


def plain(name: str) -> Board:
    """The board of a name, or where no file has it the bare cells of a named shape ("rhombus-7").

    Raises `BadText`.
    """
    cells = shape(name)
    if cells is None or (shipped("boards") / f"{name}.toml").is_file():
        return load(find(name))
    entry = BoardFile(SCHEMA, name, name, shape=name)
    return _Builder(Source(Path(name), ""), entry).board()


def find(name: str, folders: Iterable[Path] = ()) -> Path:
    """The file of a board by its name (looked up in `folders`, then among ours) or by its path."""
    if name.endswith(".toml") or "/" in name:
        return Path(name)
    names = []
    for folder in (*folders, shipped("boards")):
        if (folder / f"{name}.toml").is_file():
            return folder / f"{name}.toml"
        names += sorted(path.stem for path in folder.glob("*.toml"))
    raise BadText("board.no_such", name=name, near=nearest(name, names), known=", ".join(names))


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
            self._wrong("board.pitch", ("pitch_mm",), pitch=str(entry.pitch_mm))
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

    def _wrong(self, key: str, at: Path_, **values: str | int) -> None:
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
                sensors.append(
                    Sensor(
                        name,
                        group.kind,
                        place,
                        *wire,
                        x,
                        y,
                        group.min_high_us * US,
                        group.min_low_us * US,
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
            if cell in board.cell and edge in ("", *map(str, EDGES)):
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


def sensor_places(board: Board) -> dict[str, dict[str, tuple[float, float]]]:
    """For each kind of sensor: its possible places, in wiring order, and where they are (mm)."""
    point = board.edge_point
    centre = {cell.id: (cell.x, cell.y) for cell in board.cells}
    return {
        "load": {ramp.id: board.lane_point(ramp) for ramp in board.ramps},
        "gate": {ramp.id: point(ramp.cell, ramp.edge, 3) for ramp in board.ramps},
        "edge": {board.seam(c, e): point(c, e) for c, e, _ in board.shared_edges},
        "exit": {board.seam(c, e): point(c, e, 3) for c, e in board.exits},
        "fall": centre,
        "throat": {
            board.seam(z.cell, e): point(z.cell, e, 3) for z in board.zones for e in z.edges
        },
        "floor": {zone.id: board.zone_point(zone) for zone in board.zones},
        "seat": {name: (x, round(y - board.pitch * 0.3, 3)) for name, (x, y) in centre.items()},
        "rail": dict.fromkeys((rail.id for rail in board.rails), (0.0, 0.0)),
        "button": dict.fromkeys(BUTTONS, (0.0, 0.0)),
    }
