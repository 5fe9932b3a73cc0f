"""A board file, written anew with the wiring that was found."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

from hexboard.board import DARK, Board, BoardFile, PixelEntry, SensorEntry, feels, sensor_places
from hexboard.calibration.chains import Spot, named
from hexboard.words import Message, message

ABOUT = {
    "load": "is there a ball in the lane?",
    "gate": "a ball leaves the lane",
    "edge": "in the rib between two cells",
    "exit": "over the side",
    "fall": "under each cell",
    "throat": "the ways into each end zone",
    "floor": "a ball lies in the end zone",
    "seat": "a tile or piece lies in the cell",
    "pad": "a finger touches the cell",
    "rail": "is there power on the rail?",
    "button": "what people press",
}
WIDTH = 100


def rewired(
    entry: BoardFile,
    board: Board,
    inputs: Mapping[str, int],
    spots: Sequence[Spot] | None = None,
    order: str = "",
) -> BoardFile:
    """The entry with what was found: the input of each of the Pico's sensors (one without is left
    out), where the lights are along the strip (those of no cell stay where they were), the order of
    their colours."""
    groups = [_group(group, board, inputs) for group in entry.sensors]
    pixels = entry.pixels
    if pixels is not None and order:
        pixels = _colours(pixels, order)
    if pixels is not None and spots is not None:
        natural = tuple((cell.id, edge) for cell in board.cells for edge in pixels.edges)
        if len(spots) == len(board.pixels) < len(board.along):
            spots = [spots[k] if k >= 0 else (DARK, 0) for k in board.along]
        at = None if tuple(spots) == natural else tuple(map(named, spots))
        pixels = replace(pixels, at=at)
    return replace(entry, sensors=tuple(g for g in groups if g is not None), pixels=pixels)


def _group(group: SensorEntry, board: Board, found: Mapping[str, int]) -> SensorEntry | None:
    if group.source != "pico":
        return group
    every = tuple(sensor_places(board)[group.kind]) if group.at is None else group.at
    here = [place for place in every if f"{group.kind}:{place}" in found]
    inputs = tuple(found[f"{group.kind}:{place}"] for place in here)
    if not here:
        return None
    straight = inputs == tuple(range(inputs[0], inputs[0] + len(inputs)))
    return replace(
        group,
        at=group.at if tuple(here) == every else tuple(here),
        first_input=inputs[0] if straight else 0,
        inputs=None if straight else inputs,
    )


def _colours(pixels: PixelEntry, order: str) -> PixelEntry:
    white = len(order) == 4 and "rgbw" not in pixels.type
    return replace(pixels, order=order, type="sk6812-rgbw" if white else pixels.type)


def differences(before: Board, after: Board) -> Iterator[Message]:
    """What another wiring changes, in words."""
    for sensor in before.sensors:
        now = after.sensor.get(sensor.id)
        if now is None:
            yield message("calibration.sensor_gone", sensor=sensor.id)
        elif (now.source, now.input) != (sensor.source, sensor.input):
            yield message(
                "calibration.input_moved", sensor=sensor.id, old=sensor.input, new=now.input
            )
    old, new = ([(p.cell, p.edge) for p in board.pixels] for board in (before, after))
    moved = sum(a != b for a, b in zip(old, new, strict=False)) + abs(len(old) - len(new))
    if moved:
        yield message("calibration.lights_moved", moved=moved, all=len(new))
    if before.strip.order != after.strip.order:
        yield message("calibration.order", old=before.strip.order, new=after.strip.order)


# ------------------------------------------------------------------------------------------ TOML


def text(entry: BoardFile, by: str = "hexboard calibrate wiring") -> str:
    """The file, written `by` a command."""
    parts = [
        f"# {entry.title}. Written by `{by}`; see docs/files.md.",
        *_keys(entry, ("cells", "ramps", "zones", "sensors", "pixels", "rails", "build")),
    ]
    for key in ("cells", "ramps", "zones"):
        for item in getattr(entry, key):
            parts += ["", f"[[{key}]]", *_keys(item)]
    for group in entry.sensors:
        about = ABOUT[feels(group.kind, rolled=bool(entry.ramps))]
        parts += ["", f"[[sensors]]           # {about}", *_keys(group)]
    if entry.pixels is not None:
        comment = "along the strip, as it runs" if entry.pixels.at else "cell by cell, as named"
        parts += ["", f"[pixels]              # {comment}", *_keys(entry.pixels)]
    for rail in entry.rails:
        parts += ["", "[[rails]]", *_keys(rail)]
    if entry.build is not None:
        parts += ["", "[build]", *_keys(entry.build)]
    return "\n".join(parts) + "\n"


def _keys(struct: Struct, skip: Sequence[str] = ()) -> Iterator[str]:
    """The keys of a table that say more than their default."""
    for field in fields(struct):
        value = getattr(struct, field.name)
        always = field.default is NODEFAULT
        if field.name not in skip and (always or value != field.default) and value is not None:
            yield f"{field.encode_name} = {_value(msgspec.to_builtins(value))}"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{json.dumps(key)} = {_value(it)}" for key, it in value.items() if it is not None)
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list | tuple):
        items = [_value(item) for item in value]
        short = f"[{', '.join(items)}]"
        return short if len(short) < WIDTH - 10 else "[\n" + "".join(_wrapped(items)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _wrapped(items: list[str]) -> Iterator[str]:
    line = "   "
    for item in items:
        if len(line) + len(item) > WIDTH - 4:
            yield line + "\n"
            line = "   "
        line += f" {item},"
    yield line + "\n"
