"""A board that is built in part: each tier is a board of its own, and what it does not feel people
say."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import (
    Board,
    BoardFile,
    BuildEntry,
    SensorEntry,
    TierEntry,
    find,
    load_plan,
    made,
    sensor_places,
)
from hexboard.board.building import next_input
from hexboard.calibration.boardfile import rewired
from hexboard.files import Source, nearest, read
from hexboard.words import Message, message, say
from hexboard.words.errors import BadFile, BadText

TAP_US = 20_000
"""How long a sensor in a cell must be pressed, µs: a finger is, what brushes over it is not."""
WHOLE = "whole"
"""The tier of a board whose file names none."""
SAID = {
    "start": ("load", "gate"),
    "where": ("edge", "exit", "fall", "throat", "floor"),
    "lies": ("seat",),
    "power": ("rail",),
}
"""What people say of a board of balls, each where not every sensor of these kinds is there."""
TAPS = ("seat", "fall")
"""Sensors by which a board without balls feels a touch, as `hexboard.table.fingers` has it."""


class Tiered(Struct, frozen=True):
    """A board as it is in one of its tiers."""

    id: str
    entry: BoardFile
    board: Board
    plan: BuildEntry


def tiers(path: Path) -> tuple[Tiered, ...]:
    """The board in a file in each of its tiers, in their order. Raises `BadFile`."""
    entry, board, plan = _read(path)
    kinds = tuple({sensor.kind: None for sensor in board.sensors})
    named = plan.tiers or (TierEntry(WHOLE, kinds),)
    return tuple(_in_part(entry, board, plan, tier) for tier in named)


def _read(path: Path) -> tuple[BoardFile, Board, BuildEntry]:
    board, plan = load_plan(path)
    entry, _ = read(Source(path), BoardFile)
    assert entry is not None
    return entry, board, plan


def tiered(path: Path, name: str) -> Tiered:
    """The board in a file in the tier of that name; as it is for "".

    Raises `BadFile`, `BadText`."""
    found = {tier.id: tier for tier in tiers(path)}
    if not name:
        entry, board, plan = _read(path)
        return Tiered(tier_of(board, plan), entry, board, plan)
    if name not in found:
        near, known = nearest(name, [*found]), ", ".join(found)
        raise BadText("build.no_tier", tier=name[:40], near=near, known=known)
    return found[name]


def _in_part(entry: BoardFile, board: Board, plan: BuildEntry, tier: TierEntry) -> Tiered:
    """Only with a tier's sensors and all buttons, at the front of the chain; or with more."""
    kinds, has = {*tier.sensors, *tier.adds, "button"}, {sensor.kind for sensor in board.sensors}
    if more := tuple(kind for kind in tier.adds if kind not in has):
        return _with_more(entry, board, plan, tier, more)
    if kinds >= has:
        return Tiered(tier.id, entry, board, plan)
    there = [it for it in board.sensors if it.kind in kinds and it.source == "pico"]
    wires = sorted(there, key=lambda sensor: sensor.input)
    groups = tuple(group for group in entry.sensors if group.kind in kinds)
    kept = replace(entry, sensors=groups, name=f"{entry.name}-{tier.id}")
    kept = rewired(kept, board, {sensor.id: k for k, sensor in enumerate(wires)})
    registers = -(-len(wires) // 8) or plan.registers
    within = tuple(it for it in plan.tiers if kinds.issuperset(it.sensors))
    plan = replace(plan, registers=registers, tiers=within)
    kept = replace(kept, build=plan)
    return Tiered(tier.id, kept, made(kept), plan)


def _with_more(
    entry: BoardFile, board: Board, plan: BuildEntry, tier: TierEntry, more: tuple[str, ...]
) -> Tiered:
    """With sensors that the board itself does not have, one in each cell, behind all others."""
    first, count = next_input(board), len(board.cells)
    added = tuple(
        SensorEntry(kind, first_input=first + k * count, min_high_us=TAP_US)
        for k, kind in enumerate(more)
    )
    had = tuple(replace(it, adds=()) for it in plan.tiers if it.id != tier.id)
    built = TierEntry(tier.id, (*tier.sensors, *tier.adds))
    registers = -(-(first + len(added) * count) // 8)
    plan = replace(plan, registers=registers, tiers=(*had, built))
    name, sensors = f"{entry.name}-{tier.id}", (*entry.sensors, *added)
    entry = replace(entry, name=name, sensors=sensors, build=plan)
    return Tiered(tier.id, entry, made(entry), plan)


# --------------------------------------------------------------------------------- what people say


def tier_of(board: Board, plan: BuildEntry | None) -> str:
    """The last tier whose sensors a board all has; "" where there is none."""
    has = {sensor.kind for sensor in board.sensors}
    named = plan.tiers if plan is not None else ()
    needed = ((tier.id, (*tier.sensors, *tier.adds)) for tier in reversed(named))
    return next((id for id, kinds in needed if has.issuperset(kinds)), "")


def plays(board: Board, tier: str = "") -> Message:
    """Which tier a board is, and what people say because it does not feel it."""
    if tier:
        return message("build.tier", tier=tier, felt=felt(board))
    return message("build.as_is", felt=felt(board))


def played(home: Path, name: str, board: Board) -> Message:
    """The same of a board as it was named; a file that does not say how it is built has no tier."""
    try:
        plan = load_plan(find(name, [home / "boards"]))[1]
    except (BadFile, BadText):
        plan = None
    return plays(board, tier_of(board, plan))


def felt(board: Board) -> Message:
    """What people say of a game on this board because it does not feel it."""
    if not board.ramps:
        taps = any(sensor.kind in TAPS for sensor in board.sensors)
        return message("build.taps" if taps else "build.unfelt")
    lacking = {what: count for what in SAID if (count := _counted(board, what))}
    if not lacking:
        return message("build.felt")
    said = (say(message(f"build.said_{what}", count=count)) for what, count in lacking.items())
    return message("build.said", what="; ".join(said))


def _counted(board: Board, what: str) -> str:
    """How many of the sensors that tell this are there, by kind, where any is missing."""
    has = Counter(sensor.kind for sensor in board.sensors)
    places = {kind: len(at) for kind, at in sensor_places(board).items()}
    needs = {kind: places[kind] for kind in SAID[what] if places[kind]}
    if what == "start" and any(has[kind] >= many for kind, many in needs.items()):
        return ""  # either tells that a ball sets off
    if what == "power" and not board.powered:
        return ""
    return ", ".join(_few(has, needs))


def _few(has: Mapping[str, int], needs: Mapping[str, int]) -> Iterator[str]:
    for kind, many in needs.items():
        if has[kind] < many:
            yield say(message("build.of", has=has[kind], many=many, kind=kind))
