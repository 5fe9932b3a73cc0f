"""Rows: what an archive keeps of each recording, in a few flat tables.

A table is a class; its fields are the columns, and their types those of DuckDB (`columns`). Every
row names its `recording`. `n` is the number of a fact, `at_s` its time in seconds
since the first one, `seat` counts from 0. Everything in it is what everybody at the table may know.
"""

from datetime import datetime
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from msgspec import Struct

Texts = tuple[str, ...]


class RecordingRow(Struct, frozen=True, kw_only=True):
    """One recording: what was played, and what it came to."""

    recording: str
    file: str
    """Its name, without the folders."""
    content: str
    """What of it is archived: the digest of its bytes, and how many they are."""
    bytes: int
    replayed_by: str
    """The digest of the code that replayed it."""
    code: str
    """The version of hexboard that was played with."""
    match: str
    resumed: bool
    """The match had begun in an earlier recording."""
    session: int
    """How many recordings there were of its match when it began, itself with them; 0 where it does
    not say. Clocks may be wrong, it counts on."""
    begun: datetime
    """When it began, UTC."""
    seconds: float
    board: str
    board_hash: str
    pico: str | None
    """The serial number of its Pico, which tells boards of a kind apart; none where it was
    simulated, has none, or the recording is from before that was kept."""
    game: str
    rules: str
    options: str
    """What was agreed on, a JSON object."""
    seats: Texts
    players: Texts
    """What who played is called, by seat, as far as they said so."""
    facts: int
    rulings: int
    questions: int
    first: int | None
    """The seat of who began, as they sit in the end."""
    over: bool
    scores: tuple[int, ...] | None
    winner: int | None
    """The seat with the most points once the game is over; none where several have them."""
    position: str
    """How it ended, as the game writes positions."""
    differs: int | None
    """The first fact at which the replay differs from what was ruled that evening."""
    damage: str | None
    """What is wrong with the file: torn, failing, attachment …; `unclosed` where hexboard was
    killed, and a quarter of a second is lost, or what a disk that failed had not taken."""


class FactRow(Struct, frozen=True):
    """One fact, as everybody heard it (docs/contracts.md)."""

    recording: str
    n: int
    at_s: float
    """When it was numbered."""
    happened_s: float
    source: str
    kind: str
    sensor: str | None
    """Of an edge, and its level."""
    level: bool | None
    body: str
    """All that it says, a JSON object."""


class RulingRow(Struct, frozen=True):
    """One event of what stood at the end: an entry has one for each, or one without words. Entries
    that were played in an earlier recording of the match are left out."""

    recording: str
    ruling: int
    """Counts from 1."""
    n: int
    at_s: float
    entry: int
    """The entry's place among those that stood; 0 is how the game began."""
    kind: str
    """`start`, `played`, or `ruled` for a host's word."""
    seat: int | None
    action: str
    rule: str
    key: str
    text: str


class RollRow(Struct, frozen=True):
    """One roll of balls as it was judged when all was still, the last time that it was."""

    recording: str
    roll: int
    """Counts from 1."""
    n: int
    at_s: float
    moved_s: float
    """How long before that the last ball had begun to move."""
    balls: int
    edges: int
    """Of any sensor, since then."""
    places: Texts
    """Where its balls were taken to be, in this order: lanes, seams, slots, zones."""
    pieces: Texts
    """What lay in the cells of these places when it began; of a tile also how it was turned."""
    readings: int
    """How many readings were weighed, at most those that people would be offered."""
    odds_ppm: int | None
    """How likely the one was that was ruled, millionths."""
    ruled: str | None
    asked: str | None
    """The key of the question that people were asked then."""


class QuestionRow(Struct, frozen=True):
    """One question. A key that begins with `table.` is a doubt of the table's; others are what the
    rules let people choose."""

    recording: str
    question: int
    n: int
    at_s: float
    rule: str
    key: str
    text: str
    choices: Texts
    answer: str | None
    """None where it fell away."""
    answer_text: str | None
    waited_s: float | None
    """Until it was answered, or fell away; None where the recording ends before."""


class SensorRow(Struct, frozen=True):
    """One sensor in one recording: what it did there, and how it was calibrated."""

    recording: str
    sensor: str
    kind: str
    place: str
    edges: int
    seen: int
    missed: int
    """Balls that it saw, and that it must have felt and did not."""
    restless: int
    """Turns in which it spoke for no ball."""
    turns: int
    """Turns that were judged."""
    state: str
    """At the end: dead, weak or noisy; "" for nothing bad."""
    left_out: str | None
    """Why it was left out, the last time that it was: chattering, stuck."""
    min_high_ms: float
    min_low_ms: float
    dead_ms: float
    """What its debouncer demanded."""


class ReadingRow(Struct, frozen=True):
    """One look of a camera."""

    recording: str
    n: int
    at_s: float
    hand: bool
    """Nothing could be relied on."""
    cells: int
    certain: int
    tint: int
    """The version of the tint by which it was read."""
    blue: int | None
    green: int | None
    red: int | None
    """How far bare cells lay from their calibrated colour, thousandths of the root of the light."""


TABLES: dict[str, type[Struct]] = {
    "recordings": RecordingRow,
    "facts": FactRow,
    "rulings": RulingRow,
    "rolls": RollRow,
    "questions": QuestionRow,
    "sensors": SensorRow,
    "readings": ReadingRow,
}
TYPES = {str: "VARCHAR", int: "BIGINT", float: "DOUBLE", bool: "BOOLEAN", datetime: "TIMESTAMP"}


def columns(table: type[Struct]) -> dict[str, str]:
    """The columns of a table with their types in DuckDB."""
    return {name: _type(kind) for name, kind in get_type_hints(table).items()}


def _type(kind: Any) -> str:
    if get_origin(kind) is UnionType:
        (kind,) = (part for part in get_args(kind) if part is not NoneType)
    if get_origin(kind) is tuple:
        return f"{TYPES[get_args(kind)[0]]}[]"
    return TYPES[kind]
