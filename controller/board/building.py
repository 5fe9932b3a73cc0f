"""The `[build]` section of a board file: what its board is made of, checked against the board.

A board is played without it. What is wrong in it stops nobody's game: `hexboard check` says it,
with numbers. Heights are over the board's datum, near the slots' rims; a tile's lower face lies
5 mm below it, and a ball's lowest point passes `ball_low_mm` over it.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Protocol

from msgspec import Struct, field

from hexboard.board.board import LAST_INPUT, Board, Sensor, feels
from hexboard.files import Path_, Source, nearest
from hexboard.words import Message, Said, message
from hexboard.words.numbers import as_written


class SlotEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A slot and the tile that lies in it, flat to flat: a board without has plain cells."""

    tile_mm: float = 50.0
    base_mm: float = 46.0
    opening_mm: float = 46.5
    ledge_mm: float = 3.0
    depth_mm: float = 4.5
    thick_mm: float = 7.5
    key_mm: tuple[float, float] = (11.7, 4.75)
    pocket_mm: float = 2.0


class TierEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A board that is built in part, or further: the kinds of sensors of its file that it has, and
    those that it `adds`, one in each cell, where the file has none."""

    id: str
    sensors: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()


class BuildEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The `[build]` section. See docs/files.md."""

    slot: SlotEntry | None = None
    beams: dict[str, float] = field(default_factory=dict)
    fuses: dict[str, int] = field(default_factory=dict)
    tiers: tuple[TierEntry, ...] = ()
    registers: int | None = None
    bed_mm: tuple[float, float] = (220.0, 220.0)
    ball_mm: float = 9.525
    ball_low_mm: float = 0.6
    tilt_deg: float = 15.0
    supply_ma: int = 4_000
    bank_mah: int = 20_000
    wire_mm2: float = 0.75
    strip_mm2: float = 0.25
    beams_fuse_ma: int | None = None
    beams_on: str = ""
    lead_mm: float = 500.0
    feed_every: int = 50


BEAMS = ("load", "gate", "edge", "exit", "fall", "throat", "floor")
"""The kinds of sensors that are beams of infrared light, each with an LED that is always on."""
ROLLING = ("gate", "edge", "exit", "throat")
"""Beams that a rolling ball crosses: these must lie within its height."""
RIB = "edge"
"""Beams between two slots: through light guides in the rib, so less of their light arrives."""
CELLS = ("seat",)
"""Sensors that each cell can have: a tier adds them to a board of plain cells."""
FOLLOWING = ("edge", "exit", "fall", "throat", "floor")
"""Sensors that say where a ball is; without `STARTING` nobody knows that there is one."""
STARTING = ("load", "gate")
LED_MA = 10
"""What the LED of a beam or of a slot's seat draws, mA: 390 Ω from 5 V, as hardware/wiring.md has
it."""
CLEAR_MM = 0.3
"""How much wider than a tile's base its slot must be, mm."""
WALL_MM = 0.6
"""The thinnest wall beside a pocket that a nozzle of 0.4 mm prints, mm."""
STEADY_SHARE = 0.75
"""How much of its rating a fuse carries for hours (Littelfuse, Fuseology: derate by 25 %)."""
WIRES_MA = {0.5: 3_000, 0.75: 6_000, 1.0: 10_000, 1.5: 16_000}
"""What flexible wire bears by its section, mm² (IEC 60335-1, table 11)."""
INNER_MA = {0.14: 2_000, 0.25: 4_000, 0.34: 5_000, 0.5: 9_000, 0.75: 12_000, 1.0: 15_000}
"""The same of wires from light to light, by makers of wire: the lesser of what Lapp (table T12-1,
from VDE 0891-1 and VDE 0298-4) and Helukabel say of those with two or three cores."""
FUSES_MA = (1_000, 2_000, 3_000, 4_000, 5_000)
"""Blade fuses that are sold everywhere."""
G_MM = 9_810.0
"""How fast what falls grows faster, mm in a second, each second."""


def bears(wire_mm2: float, table: Mapping[float, int] = WIRES_MA) -> int:
    """What a wire of this section bears, mA; 0 for one thinner than any in the table."""
    return max((most for section, most in table.items() if section <= wire_mm2), default=0)


def steady(fuse_ma: int) -> int:
    """What a fuse carries for hours, mA."""
    return int(fuse_ma * STEADY_SHARE)


def beams_fuse(plan: BuildEntry, board: Board) -> int:
    """The fuse that all beams have to themselves, mA: where the file does not say it, the smallest
    that carries them. 0 where they have none: no beams, or those behind the fuse of a rail."""
    draws = LED_MA * leds(board)
    if not draws or plan.beams_on:
        return 0
    if plan.beams_fuse_ma is not None:
        return plan.beams_fuse_ma
    return next((fuse for fuse in FUSES_MA if steady(fuse) >= draws), FUSES_MA[-1])


def unsaid(source: Source, plan: BuildEntry, board: Board) -> Iterator[Message]:
    """What a file leaves open that a fire may come of: a board can be right all the same."""
    said = source.data.get("build", {})
    if (fuse := beams_fuse(plan, board)) and plan.beams_fuse_ma is None:
        yield message("build.unfused", beams=LED_MA * leds(board), fuse=fuse)
    lit = {pixel.rail for pixel in board.pixels}
    for i, rail in enumerate(board.rails):
        if i in lit and rail.id not in plan.fuses:
            draws = rail.limit_ma + (LED_MA * leds(board) if plan.beams_on == rail.id else 0)
            fuse = math.ceil(draws / STEADY_SHARE)
            yield message("build.unfused_rail", rail=rail.id, draws=draws, fuse=fuse)
    if "strip_mm2" not in said:
        for name, fuse, strip, most in _thin(plan):
            yield message("build.unsaid_strip", rail=name, fuse=fuse, strip=strip, most=most)


def _thin(plan: BuildEntry) -> Iterator[tuple[str, int, Said, int]]:
    """Each rail whose fuse (mA) lets through more than the wire along the strip (mm²) bears, mA."""
    strip, most = mm(plan.strip_mm2), bears(plan.strip_mm2, INNER_MA)
    for name, fuse in plan.fuses.items():
        if fuse > most:
            yield name, fuse, strip, most


def has_led(board: Board, sensor: Sensor) -> bool:
    """Whether a sensor is seen by the light of an LED of its own: a beam, or a slot's seat."""
    return sensor.kind in BEAMS or feels(sensor.kind, bool(board.ramps)) == "seat"


def leds(board: Board) -> int:
    """How many infrared LEDs a board has, each always on."""
    return sum(has_led(board, sensor) for sensor in board.sensors)


def next_input(board: Board) -> int:
    """The first input of the chain that no sensor has, nor any after it."""
    return 1 + max((it.input for it in board.sensors if it.source == "pico"), default=-1)


def reach(board: Board) -> tuple[float, float]:
    """How wide and high the outline of its cells is, mm."""
    points = [point for cell in board.cells for point in board.corners(cell.id)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return round(max(xs) - min(xs), 3), round(max(ys) - min(ys), 3)


def cell_size(board: Board) -> tuple[float, float]:
    """How wide and high one cell is, mm."""
    across, corners = board.pitch, board.pitch * 2 / math.sqrt(3)
    return (corners, across) if board.flat_top else (across, corners)


def fastest(board: Board, plan: BuildEntry) -> float:
    """How fast a ball is that has rolled from a ramp over the whole board, mm in a second: without
    slip, and without the channels that slow it."""
    down = reach(board)[1] + board.pitch
    return math.sqrt(2 * 5 / 7 * G_MM * math.sin(math.radians(plan.tilt_deg)) * down)


def chord(plan: BuildEntry, height_mm: float) -> float:
    """How long the part of a ball is that a beam at a height meets, mm; 0 where it misses it."""
    off = height_mm - plan.ball_low_mm - plan.ball_mm / 2
    return 2 * math.sqrt(max(0.0, (plan.ball_mm / 2) ** 2 - off**2))


def mm(length: float) -> Said:
    """A length as people read it."""
    return as_written(f"{length:.2f}".rstrip("0").rstrip("."))


class _Mistakes(Protocol):
    def __call__(self, key: str, at: Path_, **values: Said) -> Message: ...


def wrong(source: Source, plan: BuildEntry, board: Board) -> Iterator[Message]:
    """Every mistake of meaning in a `[build]` section."""

    def mistake(key: str, at: Path_, **values: Said) -> Message:
        return source.mistake(key, ("build", *at), **values)

    looks = (_numbers, _bed, _slot, _pocket, _beams, _chain, _fuses, _led_fuse, _supply, _tiers)
    for look in looks:
        yield from look(plan, board, mistake)
    if "strip_mm2" in source.data.get("build", {}):
        at: Path_ = ("strip_mm2",)
        for name, fuse, strip, most in _thin(plan):
            yield mistake("build.strip", at, rail=name, fuse=fuse, strip=strip, most=most)


def _numbers(plan: BuildEntry, board: Board, mistake: _Mistakes) -> Iterator[Message]:
    names = (
        "ball_mm",
        "wire_mm2",
        "strip_mm2",
        "lead_mm",
        "feed_every",
        "bank_mah",
        "supply_ma",
        "bed_mm",
    )
    found = {name: getattr(plan, name) for name in names}
    if plan.slot is not None:
        found |= {f"slot.{name}": getattr(plan.slot, name) for name in SlotEntry.__struct_fields__}
    for name, value in found.items():
        few = value if isinstance(value, tuple) else (value,)
        if not all(0 < it < 1_000_000 for it in few):
            number = ", ".join(map(str, few))
            yield mistake("build.number", tuple(name.split(".")), number=number)
    for kind, height in plan.beams.items():
        if not abs(height) < 1_000_000:
            yield mistake("build.number", ("beams", kind), number=str(height))
    if not abs(plan.ball_low_mm) < 1_000_000:
        yield mistake("build.number", ("ball_low_mm",), number=mm(plan.ball_low_mm))
    if not 0 < plan.tilt_deg < 90:
        yield mistake("build.number", ("tilt_deg",), number=str(plan.tilt_deg))


def _bed(plan: BuildEntry, board: Board, mistake: _Mistakes) -> Iterator[Message]:
    (wide, high), (bed_x, bed_y) = cell_size(board), plan.bed_mm
    if wide > bed_x or high > bed_y:
        bed = message("build.by", x=mm(bed_x), y=mm(bed_y))
        yield mistake("build.bed", ("bed_mm",), wide=mm(wide), high=mm(high), bed=bed)


def _slot(plan: BuildEntry, board: Board, mistake: _Mistakes) -> Iterator[Message]:
    slot, pitch = plan.slot, mm(board.pitch)
    if slot is None:
        return
    opening, at = slot.opening_mm, ("slot", "opening_mm")
    if board.pitch < slot.tile_mm:
        yield mistake("build.tile", ("slot", "tile_mm"), tile=mm(slot.tile_mm), pitch=pitch)
    if opening < (least := slot.base_mm + CLEAR_MM):
        yield mistake("build.opening", at, has=mm(opening), least=mm(least))
    if (rib := board.pitch - opening) < 2 * WALL_MM:
        yield mistake("build.rib", at, rib=mm(rib), least=mm(2 * WALL_MM), pitch=pitch)
    if slot.depth_mm >= slot.thick_mm:
        deep, thick = mm(slot.depth_mm), mm(slot.thick_mm)
        yield mistake("build.deep", ("slot", "depth_mm"), deep=deep, thick=thick)


def _pocket(plan: BuildEntry, board: Board, mistake: _Mistakes) -> Iterator[Message]:
    if plan.slot is None or not any(sensor.kind == "edge" for sensor in board.sensors):
        return
    rib, pocket = board.pitch - plan.slot.opening_mm, plan.slot.pocket_mm
    most, at = rib - 2 * WALL_MM, ("slot", "pocket_mm")
    if pocket > most > 0:
        yield mistake("build.pocket", at, pocket=mm(pocket), rib=mm(rib), most=mm(most))


def _beams(plan: BuildEntry, board: Board, mistake: _Mistakes) -> Iterator[Message]:
    low, top = mm(plan.ball_low_mm), mm(plan.ball_low_mm + plan.ball_mm)
    for kind, height in plan.beams.items():
        at, high, met = ("beams", kind), mm(height), chord(plan, height)
        if kind not in BEAMS:
            near, known = nearest(kind, [*BEAMS]), ", ".join(BEAMS)
            yield mistake("build.beam", at, kind=kind, near=near, known=known)
        elif kind in ROLLING and not met:
            yield mistake("build.missed", at, kind=kind, height=high, low=low, top=top)
        elif kind in ROLLING and 0 < plan.tilt_deg < 90:
            over = round(1e6 * met / fastest(board, plan))
            wanted = [sensor.min_high for sensor in board.sensors if sensor.kind == kind]
            if over < (least := max(wanted, default=0) // 1000):
                yield mistake("build.brief", at, kind=kind, height=high, over=over, least=least)


def _chain(plan: BuildEntry, board: Board, mistake: _Mistakes) -> Iterator[Message]:
    if (has := plan.registers) is None:
        return  # as many as the inputs need
    inputs = 8 * has
    if inputs > (most := LAST_INPUT + 1):
        at: Path_ = ("registers",)
        yield mistake("build.long", at, registers=has, inputs=inputs, most=most // 8, last=most)
    far = [s for s in board.sensors if s.source == "pico" and s.input >= inputs]
    if far:
        last, at = max(far, key=lambda sensor: sensor.input), ("registers",)
        yield mistake("build.chain", at, registers=has, inputs=inputs, id=last.id, input=last.input)


def _fuses(plan: BuildEntry, board: Board, mistake: _Mistakes) -> Iterator[Message]:
    rails, most = {rail.id: rail for rail in board.rails}, bears(plan.wire_mm2)
    for name, fuse in plan.fuses.items():
        at = ("fuses", name)
        if name not in rails:
            near, known = nearest(name, [*rails]), ", ".join(rails) or "-"
            yield mistake("build.no_rail", at, rail=name, near=near, known=known)
            continue
        limit, holds = rails[name].limit_ma, steady(fuse)
        beams = LED_MA * leds(board) if plan.beams_on == name else 0
        if limit > holds:
            yield mistake("build.fuse", at, rail=name, limit=limit, fuse=fuse, steady=holds)
        elif limit + beams > holds:
            yield mistake(
                "build.fuse_both",
                at,
                rail=name,
                limit=limit,
                beams=beams,
                fuse=fuse,
                steady=holds,
            )
        if fuse > most:
            wire = mm(plan.wire_mm2)
            yield mistake("build.wire", at, rail=name, fuse=fuse, wire=wire, most=most)


def _led_fuse(plan: BuildEntry, board: Board, mistake: _Mistakes) -> Iterator[Message]:
    """The fuse of the beams' LEDs, and its wire; or the rail behind whose fuse they are."""
    rails = [rail.id for rail in board.rails]
    if plan.beams_on and plan.beams_on not in rails:
        near, known = nearest(plan.beams_on, rails), ", ".join(rails) or "-"
        yield mistake("build.no_rail", ("beams_on",), rail=plan.beams_on, near=near, known=known)
    at: Path_ = ("beams_fuse_ma",)
    if (fuse := plan.beams_fuse_ma) is None:
        return
    if plan.beams_on:
        yield mistake("build.two_fuses", at, rail=plan.beams_on)
    beams, holds, most = LED_MA * leds(board), steady(fuse), bears(plan.wire_mm2)
    if beams > holds:
        yield mistake("build.beams_fuse", at, beams=beams, fuse=fuse, steady=holds)
    if fuse > most:
        yield mistake("build.beams_wire", at, fuse=fuse, wire=mm(plan.wire_mm2), most=most)


def _supply(plan: BuildEntry, board: Board, mistake: _Mistakes) -> Iterator[Message]:
    lights, beams = sum(rail.limit_ma for rail in board.rails), LED_MA * leds(board)
    total, gives = lights + beams, plan.supply_ma
    if total > gives > 0:
        at = ("supply_ma",)
        yield mistake("build.supply", at, supply=gives, lights=lights, beams=beams, sum=total)


def _tiers(plan: BuildEntry, board: Board, mistake: _Mistakes) -> Iterator[Message]:
    count = Counter(sensor.kind for sensor in board.sensors)
    seen: set[str] = set()
    for i, tier in enumerate(plan.tiers):
        at: Path_ = ("tiers", i, "sensors")
        at_adds: Path_ = ("tiers", i, "adds")
        name, has = tier.id, [kind for kind in tier.sensors if kind in count]
        if name in seen:
            yield mistake("build.tier_twice", ("tiers", i, "id"), tier=name)
        seen.add(name)
        for kind in sorted({*tier.sensors} - {*has}):
            near, known = nearest(kind, [*count]), ", ".join(count) or "-"
            yield mistake("build.tier_kind", at, tier=name, kind=kind, near=near, known=known)
        for kind in tier.adds:
            if kind not in CELLS:
                near, known = nearest(kind, [*CELLS]), ", ".join(CELLS)
                yield mistake("build.no_cells", at_adds, kind=kind, near=near, known=known)
        more = {*tier.adds} - {*count}
        inputs = len(board.cells) * len(more) + next_input(board)
        if more and inputs > (most := LAST_INPUT + 1):
            yield mistake("build.adds_long", at_adds, tier=name, inputs=inputs, most=most)
        follows = next((kind for kind in FOLLOWING if kind in has), "")
        for kind in STARTING:
            if follows and kind not in has:
                many, lacks = count[follows], count[kind]
                yield mistake(
                    "build.needs", at, tier=name, has=many, kind=follows, needed=kind, count=lacks
                )
        if board.powered and count["rail"] and "rail" not in has:
            yield mistake("build.needs_rail", at, tier=name, count=count["rail"])
