"""The board: hex geometry, and the board file that says where a board has what.

A board is cells (or slots) of one hexagonal grid (`grid`), their edges, ramps and end zones, and
the sensors and pixels at them (`board`), as a file has them (`file`). Lengths are millimetres with
y up and the origin in the middle of the cells.
"""

from hexboard.board.board import (
    ORDERS,
    Board,
    Cell,
    Pixel,
    Rail,
    Ramp,
    Sensor,
    Strip,
    digest,
    feels,
    sensor_places,
)
from hexboard.board.building import BuildEntry, TierEntry
from hexboard.board.file import (
    DARK,
    SCHEMA,
    US,
    BoardFile,
    PixelEntry,
    RailEntry,
    SensorEntry,
    find,
    load,
    load_plan,
    made,
    plain,
    unusual,
)
from hexboard.board.grid import (
    EDGES,
    POINTY_STEPS,
    Axial,
    CellId,
    Edge,
    disc,
    hexhex,
    opposite,
    rhombus,
    shape,
    turned,
)

__all__ = [
    "DARK",
    "EDGES",
    "ORDERS",
    "POINTY_STEPS",
    "SCHEMA",
    "US",
    "Axial",
    "Board",
    "BoardFile",
    "BuildEntry",
    "Cell",
    "CellId",
    "Edge",
    "Pixel",
    "PixelEntry",
    "Rail",
    "RailEntry",
    "Ramp",
    "Sensor",
    "SensorEntry",
    "Strip",
    "TierEntry",
    "digest",
    "disc",
    "feels",
    "find",
    "hexhex",
    "load",
    "load_plan",
    "made",
    "opposite",
    "plain",
    "rhombus",
    "sensor_places",
    "shape",
    "turned",
    "unusual",
]
