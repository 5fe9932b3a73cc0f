"""The board: the cells of one grid, ramps and end zones at its rim, and the sensors and pixels."""

import math
from functools import cached_property

import msgspec
from msgspec import Struct

from hexboard.board.grid import EDGES, FLAT_STEPS, POINTY_STEPS, Axial, CellId, Edge


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

    @property
    def placed(self) -> bool:
        """Whether it lies at a place of the board; a rail's sense and a button are anywhere."""
        return self.kind not in ("rail", "button")


class Pixel(Struct, frozen=True):
    """One light, `index` along its strip, near edge `edge` of `cell`; edge 0 is the middle. `rail`
    is the number of the supply that feeds it. Lights between that belong to no cell stay dark, and
    are no pixels."""

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
"""What one light of each type draws, µA: idle at most, and each colour at full as usual."""
ORDERS = ("GRB", "RGB", "BGR", "RBG", "GBR", "BRG", "GRBW", "RGBW")
STRIP_SOURCES = ("pico", "pwm", "spi")
SENSOR_SOURCES = ("pico", "gpio")
LAST_INPUT = 255
"""Of a Pico: 32 shift registers, 132 µs a look at 2 MHz."""
BUTTONS = ("end", "undo", "right", "done", "lights")
"""What a button can be for: end the turn, take back, "the board is right", "my move is made", the
next brightness."""


EARLIER = {"9da72de3b5e97369": ("90db745dd9853d43",)}
"""By `match_hash`: each `hash` of boards that came with hexboard while matches were tied to it.
Seats of "hextraction-22" lay elsewhere."""


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
    def lanes(self) -> tuple[str, ...]:
        """The ids of the ramp lanes."""
        return tuple(ramp.id for ramp in self.ramps)

    @cached_property
    def goal(self) -> dict[tuple[CellId, Edge], str]:
        """Which end zone lies outside a cell's edge."""
        return {(zone.cell, edge): zone.id for zone in self.zones for edge in zone.edges}

    @cached_property
    def hash(self) -> str:
        """What a recording is tied to: a digest of everything in the board."""
        return digest(msgspec.json.encode(self))

    @cached_property
    def match_hash(self) -> str:
        """What a match is tied to: a digest of all that rules and positions speak of. Sensors,
        lights, lengths and the title may change while it goes on."""
        cells = tuple((cell.id, cell.q, cell.r) for cell in self.cells)
        shape = (self.name, self.flat_top, self.powered, self.key_edge, cells)
        return digest(msgspec.json.encode((*shape, self.ramps, self.zones)))

    @cached_property
    def along(self) -> tuple[int, ...]:
        """For each light of the strip, up to the last that a cell has: its number in `pixels`; -1
        for one that belongs to no cell."""
        at = {pixel.index: k for k, pixel in enumerate(self.pixels)}
        return tuple(at.get(index, -1) for index in range(1 + max(at, default=-1)))

    @cached_property
    def feeds(self) -> tuple[int, ...]:
        """For each of these the number of its rail: one that stays dark has that of the pixel after
        it."""
        found = [0] * len(self.along)
        for k in reversed(range(len(found))):
            at = self.along[k]
            found[k] = self.pixels[at].rail if at >= 0 else found[k + 1]
        return tuple(found)

    def bears(self, tied_to: str) -> bool:
        """Whether a match that is tied to this digest can go on here: to `match_hash`, or as older
        ones are to `hash`, of this board or of what it was."""
        return tied_to in (self.match_hash, self.hash, *EARLIER.get(self.match_hash, ()))

    @cached_property
    def over(self) -> dict[tuple[CellId, Edge], CellId | None]:
        """The cell over each edge of each; None where the board ends."""
        steps = tuple(zip(EDGES, self.steps, strict=True))
        return {
            (here.id, edge): self.at.get((here.q + dq, here.r + dr))
            for here in self.cells
            for edge, (dq, dr) in steps
        }

    def neighbour(self, cell: CellId, edge: Edge) -> CellId | None:
        """The cell over `edge`; None where the board ends."""
        return self.over[cell, edge]

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

    @cached_property
    def seams(self) -> dict[tuple[CellId, Edge], str]:
        """The name of each edge of each cell: "B1-C1" between two cells, "A1-5" at the rim."""
        order = {cell.id: i for i, cell in enumerate(self.cells)}
        return {
            (cell, edge): "-".join(sorted((cell, other), key=order.__getitem__))
            if other
            else f"{cell}-{edge}"
            for (cell, edge), other in self.over.items()
        }

    def seam(self, cell: CellId, edge: Edge) -> str:
        """The name of a cell's edge."""
        return self.seams[cell, edge]

    @cached_property
    def between(self) -> frozenset[str]:
        """The names of the edges between two cells."""
        return frozenset(self.seams[side] for side, other in self.over.items() if other)

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
    from hashlib import blake2b  # OpenSSL is not loaded where only rules are asked

    return blake2b(encoded, digest_size=8).hexdigest()


def feels(kind: str, rolled: bool) -> str:
    """What a kind of sensor is for hands: under a cell that no ball and no tile comes to, as on a
    board without ramps (not `rolled`), a seat is a "pad" for fingers.

    >>> feels("seat", rolled=False), feels("seat", rolled=True), feels("button", rolled=False)
    ('pad', 'seat', 'button')
    """
    return "pad" if kind == "seat" and not rolled else kind


SEAT_MM = 20.5
"""How far from a slot's middle what sees a tile from below lies, towards the corner after edge 2:
under every tile, and beside the way of the balls that fall."""


def seat_point(board: Board, x: float, y: float) -> tuple[float, float]:
    """Where a cell's seat lies, by the cell's middle: of a slot at a corner, of a plain cell, which
    has a pad, below its light."""
    if board.ramps:
        turn = math.radians(0 if board.flat_top else -30)
        return round(x + SEAT_MM * math.cos(turn), 3), round(y + SEAT_MM * math.sin(turn), 3)
    return x, round(y - board.pitch * 0.3, 3)


def sensor_places(board: Board) -> dict[str, dict[str, tuple[float, float]]]:
    """For each kind of sensor: its possible places, in wiring order, and where they are (mm).

    It sits in a ramp's lane, at its gate, at an edge between two cells or at the rim, under a cell,
    in an end zone's throat or floor, under a seated tile, on a supply rail; or it is a button.
    """
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
        "seat": {name: seat_point(board, x, y) for name, (x, y) in centre.items()},
        "rail": dict.fromkeys((rail.id for rail in board.rails), (0.0, 0.0)),
        "button": dict.fromkeys(BUTTONS, (0.0, 0.0)),
    }
