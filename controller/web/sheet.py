"""What the page shows: the table's public state as plain values (docs/contracts.md, "Page")."""

from typing import Any

from controller.board import Board
from controller.games.hextraction.actions import Play, Roll, Settle
from controller.games.hextraction.position import Hextraction
from controller.games.hextraction.tiles import Tile
from controller.games.hextraction.zones import NOBODY
from controller.lights.frame import Power
from controller.table import Balls, Pieces, Table
from controller.words import Message, message, say


def board_sheet(board: Board, tiles: dict[str, Tile]) -> dict[str, Any]:
    """The board's geometry (mm, y up) and the tiles' channels: asked for once."""
    return {
        "name": board.name,
        "title": board.title,
        "flat_top": board.flat_top,
        "pitch": board.pitch,
        "cells": [
            {"id": c.id, "x": c.x, "y": c.y, "corners": board.corners(c.id)} for c in board.cells
        ],
        "ramps": [
            {"id": r.id, "cell": r.cell, "edge": r.edge} | _point(board.lane_point(r))
            for r in board.ramps
        ],
        "zones": [
            {"id": z.id, "cell": z.cell, "edges": z.edges} | _point(board.zone_point(z))
            for z in board.zones
        ],
        "sensors": [{"id": s.id, "kind": s.kind, "x": s.x, "y": s.y} for s in board.sensors],
        "pixels": [{"x": p.x, "y": p.y} for p in board.pixels],
        "tiles": [
            {
                "id": tile.id,
                "name": tile.name,
                "nets": tile.nets,
                "routes": [(r.start, r.to) for r in tile.routes if r.p >= 0.5],
                "rotations": tile.rotations(board.key_edge),
            }
            for tile in tiles.values()
        ],
    }


def _point(point: tuple[float, float]) -> dict[str, float]:
    return {"x": point[0], "y": point[1]}


def table_sheet(
    table: Table,
    *,
    journalled: int,
    simulated: bool,
    watching: bool,
    power: Power,
    notices: list[Message],
) -> dict[str, Any]:
    """Everything about the table that changes. `journalled` entries are final, later ones not."""
    position = public(table.position)
    sheet = {
        "type": "state",
        "game": table.game.NAME,
        "simulated": simulated,
        "watching": watching,
        "phase": _phase(table),
        "seats": [say(seat) for seat in position.seats],
        "active": _active(position),
        "prompt": _prompt(position),
        "active_sensors": sorted(table.debouncer.high()),
        "bad_sensors": [
            {"id": sensor, "health": state, "text": say(message(f"sensor.{state}", sensor=sensor))}
            for sensor, state in sorted(table.health.out.items())
        ],
        "todo": [
            {
                "cell": todo.cell,
                "text": say(todo.message),
                "tile": todo.put and todo.put.tile,
                "rotation": todo.put and todo.put.rotation,
            }
            for todo in table.todo
        ],
        "question": table.asking
        and {
            "id": table.asking.id,
            "text": say(table.asking.message),
            "choices": [{"name": c.name, "text": say(c.message)} for c in table.asking.choices],
        },
        "lights": {
            "limited": power.percent < 100,
            "percent": power.percent,
            "milliamps": power.milliamps,
            "limit": power.limit,
        },
        "scores": position.scores,
        "outcome": _outcome(position),
        "links": [
            {"source": source, "up": presence.up, "why": presence.why}
            for source, presence in sorted(table.presence.items())
        ],
        "notices": [say(notice) for notice in notices],
        "log": [
            {
                "n": line.n,
                "text": say(line.message),
                "rule": line.message.rule,
                "final": line.entry < journalled,
            }
            for line in reversed(table.log)
        ],
        "resume": {"text": say(message("table.resume"))} if table.confirm else None,
    }
    return sheet | (_balls(table) if isinstance(table, Balls) else _pieces(table))


def public(position: Any) -> Any:
    """What everybody at the table may know, for that is what every page gets."""
    return position.view(NOBODY) if isinstance(position, Hextraction) else position


def _balls(table: Balls) -> dict[str, Any]:
    """What there is of tiles and balls."""
    position = public(table.position)
    return {
        "turn": position.turn,
        "slots": {
            slot: {
                "tile": placed.tile,
                "rotation": placed.rotation,
                "touches": position.touches.get(slot, 0),
            }
            for slot, placed in position.tiles.items()
        },
        "balls": [{"id": b.id, "at": _place(b.place, position)} for b in position.balls],
        "legal": _legal(position),
        "vote": position.vote and position.vote.slot,
        "flags": {
            "power": position.rail,
            "offline": position.offline,
            "overdrive": position.overdrive,
        },
        "pool": position.pool,
        "hands": position.hands,
    }


def _pieces(table: Table) -> dict[str, Any]:
    """What there is of counters and cards: where they lie, and every move with the places that a
    finger touches to make it."""
    position = table.position
    return {
        "position": str(position),
        "pieces": position.pieces(),
        "standing": [say(line) for line in getattr(position, "standing", ())],
        "marks": table.scene(),
        "touches": table.touches if isinstance(table, Pieces) else (),
        "moves": [(position.name(move), position.places(move)) for move in position.legal],
    }


def _phase(table: Table) -> str:
    if table.asking:
        return "asking"
    if table.todo or table.confirm:
        return "wrong"
    if table.position.scores is not None:
        return "over"
    return table.position.phase if isinstance(table, Balls) else "idle"


def _active(position: Any) -> int:
    """The seat that the rules wait for; -1 for nobody."""
    if isinstance(position, Hextraction):
        return position.awaited
    return next((position.actor(move) for move in position.legal), -1)


def _prompt(position: Any) -> str:
    question = position.question(_active(position))
    if question is None:
        return _outcome(position) or ""
    return say(question.message)


def _outcome(position: Any) -> str | None:
    if position.scores is None:
        return None
    best = max(position.scores)
    winners = [seat for seat, score in enumerate(position.scores) if score == best]
    if len(winners) != 1 or best <= 0:
        return say(message("table.draw"))
    return say(message("table.won", seat=say(position.seats[winners[0]])))


def _place(place: str, position: Hextraction) -> str:
    """A ball's place as the page reads it: lanes are "ramp:B1-6"."""
    lanes = {ramp.id for ramp in position.board.ramps}
    return f"ramp:{place}" if place in lanes else place


def _legal(position: Hextraction) -> dict[str, Any]:
    play: dict[str, dict[str, list[int]]] = {}
    other: list[dict[str, str]] = []
    ramps: list[str] = []
    for move in position.legal:
        if isinstance(move, Play):
            play.setdefault(move.tile, {}).setdefault(move.slot, []).append(move.rotation)
        elif isinstance(move, Roll):
            ramps.append(move.ramp)
        elif not isinstance(move, Settle):
            other.append({"name": position.name(move), "text": say(position.label(move))})
    return {"play": play, "other": other, "ramps": ramps}
