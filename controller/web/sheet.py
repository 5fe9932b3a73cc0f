"""What the page shows: the table's public state as plain values (docs/contracts.md, "Page")."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.board import Board
from controller.files import Source, chosen_file
from controller.games import hextraction
from controller.games.hextraction import leaving
from controller.games.hextraction.actions import Play, Reclaim, Roll, Settle
from controller.games.hextraction.position import Hextraction
from controller.games.hextraction.tile import Tile
from controller.games.hextraction.tiles import UNREGISTERED, in_play
from controller.games.position import Option, Options, choose
from controller.lights.frame import Power
from controller.table import Balls, Pieces, Table
from controller.words import Message, Value, message, say, sentences


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


def agreed_sheet(game: Any, board: Board, options: Options) -> dict[str, Any]:
    """What is agreed on before a game: its options, and the numbers of a game that has such."""
    part = str(game.__name__).removeprefix("controller.games.").split(".")[0]
    words = sentences(part)
    chosen = choose(game.NAME, game.OPTIONS, options)
    return {
        "options": [
            {
                "name": option.name,
                "value": _in_short(game.NAME, option, chosen[option.name]),
                "given": chosen[option.name] != option.default,
                "text": words.get(f"{part}.option.{option.name}", ""),
                "rule": option.rule,
                "group": option.group,
            }
            for option in game.OPTIONS
        ],
        "figures": game.figures(board, options) if hasattr(game, "figures") else (),
    }


def _in_short(game: str, option: Option, value: Value) -> Value:
    """An option's value; of one that holds whole files, what these are called."""
    if option.file and (file := chosen_file(str(value))):
        about = Source(*file).data
        return str(about.get("title", about.get("name", file[0])))
    if (game, option.name) == (hextraction.NAME, "tiles"):
        own = in_play(str(value), "").values()
        return ", ".join(tile.name for tile in own if tile is not UNREGISTERED)
    return value


def _point(point: tuple[float, float]) -> dict[str, float]:
    return {"x": point[0], "y": point[1]}


def table_sheet(
    table: Table,
    side: int,
    *,
    journalled: int,
    simulated: bool,
    watching: bool,
    power: Power,
    notices: list[Message],
) -> dict[str, Any]:
    """Everything about the table that changes, as who sits at `side` may know it; -1 is everybody.
    `journalled` entries are final, later ones not."""
    hides = table.private and 0 <= side < len(table.position.seats)
    position = table.position.view(side) if hides else table.public
    tell = _teller(position)
    sheet = {
        "type": "state",
        "private": table.private,
        "side": side,
        "game": table.game.NAME,
        "simulated": simulated,
        "watching": watching,
        "phase": _phase(table),
        "seats": [say(seat) for seat in position.seats],
        "active": _active(position),
        "prompt": _prompt(position, tell),
        "active_sensors": sorted(table.debouncer.high()),
        "bad_sensors": [
            {"id": sensor, "health": state, "text": say(message(f"sensor.{state}", sensor=sensor))}
            for sensor, state in sorted(table.health.out.items())
        ],
        "todo": [
            {
                "cell": todo.cell,
                "text": tell(todo.message),
                "tile": todo.put and todo.put.tile,
                "rotation": todo.put and todo.put.rotation,
            }
            for todo in table.todo
        ],
        "question": table.asking
        and {
            "id": table.asking.id,
            "text": tell(table.asking.message),
            "choices": [{"name": c.name, "text": tell(c.message)} for c in table.asking.choices],
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
                "text": tell(line.message),
                "rule": line.message.rule,
                "final": line.entry < journalled,
            }
            for line in reversed(table.log)
        ],
        "resume": {"text": say(_welcome(table))} if table.confirm else None,
    }
    if isinstance(table, Balls):
        return sheet | _balls(table, position, side)
    return sheet | _pieces(table, position, side)


def _balls(table: Balls, position: Hextraction, side: int) -> dict[str, Any]:
    """What there is of tiles and balls."""
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
        "balls": [
            {"id": b.id, "at": _place(b.place, position), "felt": b.id not in table.unfelt}
            for b in position.balls
        ],
        "next_ball": position.next_ball,
        "legal": _legal(position),
        "acts": _acts(table, position, side),
        "fresh": position.fresh,
        "out": position.conceded,
        "vote": position.vote and position.vote.slot,
        "flags": {
            "power": position.rail,
            "offline": position.offline,
            "overdrive": position.overdrive,
        },
        "pool": position.pool,
        "hands": position.hands,
        "hand": _hand(table, position, side),
        "unread": position.zones.hands[side].unknown if table.private and side >= 0 else 0,
        "watched": table.watched,
    }


def _pieces(table: Table, position: Any, side: int) -> dict[str, Any]:
    """What there is of counters and cards: where they lie, and every move with the places that a
    finger touches to make it. Where cards are hidden, only who is asked has moves."""
    told = not table.private or (side >= 0 and _active(position) == side)
    return {
        "hand": _hand(table, position, side),
        "position": str(position),
        "pieces": position.pieces(),
        "standing": [say(line) for line in getattr(position, "standing", ())],
        "marks": table.scene(),
        "keeps": getattr(position, "keeps", None),
        "touches": table.touches if isinstance(table, Pieces) else (),
        "watched": isinstance(table, Pieces) and table.watched,
        "wrong": _wrong(table) if isinstance(table, Pieces) and table.wrong else None,
        "moves": [(position.name(m), position.places(m)) for m in position.legal if told],
    }


def _hand(table: Table, position: Any, side: int) -> list[str]:
    """The hidden cards or tiles of who looks."""
    tell = _teller(position)
    return [tell(card) for card in position.hand(side)] if table.private and side >= 0 else []


def _wrong(table: Pieces) -> dict[str, str]:
    """Why a board is called wrong: the rule's sentence, where one is plain."""
    why = table.against or message("table.camera_wrong", cells=", ".join(table.wrong))
    return {"text": say(why), "rule": why.rule}


def _welcome(table: Table) -> Message:
    return message("table.resume_balls" if isinstance(table, Balls) else "table.resume")


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


def _prompt(position: Any, tell: Callable[[Message], str]) -> str:
    question = position.question(_active(position))
    if question is None:
        return _outcome(position) or ""
    return tell(question.message)


def _teller(position: Any) -> Callable[[Message], str]:
    """`say`, with the names of tiles."""
    return lambda told: say(named(told, position))


def named(told: Message, position: Any) -> Message:
    """A message with the names of tiles where it has their ids."""
    tiles = position.setting.tiles if isinstance(position, Hextraction) else {}

    def shown(name: str, value: Any) -> Any:
        return tiles[value].name if name == "tile" and value in tiles else value

    return replace(told, values=tuple((name, shown(name, v)) for name, v in told.values))


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
    tell = _teller(position)
    for move in position.legal:
        if isinstance(move, Play):
            play.setdefault(move.tile, {}).setdefault(move.slot, []).append(move.rotation)
        elif isinstance(move, Roll) and move.ramp not in position.tiles:
            ramps.append(move.ramp)
        elif not isinstance(move, Settle):
            other.append({"name": position.name(move), "text": tell(position.label(move))})
    return {"play": play, "other": other, "ramps": ramps}


def _acts(table: Table, position: Hextraction, side: int) -> list[dict[str, Any]]:
    """What may be said beside the moves; where hands are read, only by who looks. Who takes tiles
    back says with it how many were in the bag, from `least` to `most`."""
    tell, found = _teller(position), []
    for act in position.acts if not table.private or side >= 0 else ():
        seat, name = position.actor(act), position.name(act)
        row = {"seat": seat, "name": name, "text": tell(position.label(act))}
        if isinstance(act, Reclaim):
            least, most = leaving.bagged(position, seat)
            row |= {"name": f"reclaim {seat}", "least": least, "most": most}
        found.append(row)
    return found
