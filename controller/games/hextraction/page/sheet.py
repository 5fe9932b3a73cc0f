"""What the page shows of tiles and balls (docs/contracts.md, "Page")."""

from collections.abc import Iterable

from msgspec.structs import replace

from hexboard.board import Board
from hexboard.game.position import Action
from hexboard.games.hextraction.rules import leaving
from hexboard.games.hextraction.rules.actions import Action as Act
from hexboard.games.hextraction.rules.actions import Play, Reclaim, Roll, Settle
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.table.view import BallsView
from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED, in_play
from hexboard.games.hextraction.tiles.tile import Tile
from hexboard.table import TableView
from hexboard.words import Message, Said, Value, message, say

Sheet = dict[str, object]
UNNAMED = "table.todo_what"
"""What is to be done about a tile of which nobody has said which it is."""


class BallSheet:
    """Hextraction's part of the page (`hexboard.web.sheet.Shown`)."""

    def board(self, board: Board, position: Hextraction) -> Sheet:
        """The tiles' channels."""
        return {
            "tiles": [
                {
                    "id": tile.id,
                    "name": say(message("hextraction.a_tile", tile=_name(tile))),
                    "nets": tile.nets,
                    "routes": [(r.start, r.to) for r in tile.routes if r.p >= 0.5],
                    "rotations": tile.rotations(board.key_edge),
                    "ways": tile.ways(board.key_edge),
                }
                for tile in position.setting.tiles.values()
            ],
        }

    def state(self, view: TableView[Action], position: Hextraction, side: int) -> Sheet:
        """What there is of tiles and balls."""
        unfelt = view.own.unfelt if isinstance(view.own, BallsView) else frozenset()
        return _state(view, position, side, unfelt)

    def phase(self, position: Hextraction) -> str:
        return position.phase

    def active(self, position: Hextraction) -> int:
        return position.awaited

    def named(self, told: Message, position: Hextraction) -> Message:
        return named(told, position)

    def in_short(self, option: str, value: Value) -> Value:
        if option != "tiles":
            return value
        own = in_play(str(value), "").values()
        return ", ".join(tile.name for tile in own if tile is not UNREGISTERED)

    def resumed(self, begun: bool) -> Message:
        first = message("hextraction.resumed_first")  # a roll may have been under way all the same
        return message("hextraction.resumed") if begun else first


def _state(
    view: TableView[Action], position: Hextraction, side: int, unfelt: frozenset[int]
) -> Sheet:
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
            {"id": b.id, "at": _place(b.place, position), "felt": b.id not in unfelt}
            for b in position.balls
        ],
        "next_ball": position.next_ball,
        "legal": _legal(() if view.paused else position.legal, position),
        "acts": _acts(view.private, position, side),
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
        "puts": {
            todo.cell: {"tile": todo.put.tile, "rotation": todo.put.rotation}
            for todo in view.todo
            if isinstance(todo.put, Placed)
        },
        "unnamed": [todo.cell for todo in view.todo if todo.message.key == UNNAMED],
        "unread": position.zones.hands[side].unknown if view.private and side >= 0 else 0,
    }


def _name(tile: Tile) -> Said:
    """What a tile is called; what stands for those without a file has a sentence of ours."""
    return message("hextraction.another") if tile == UNREGISTERED else tile.name


def named(told: Message, position: Hextraction) -> Message:
    """A message with the names of tiles where it has their ids, in messages within it too."""
    tiles = position.setting.tiles

    def shown(name: str, value: Said) -> Said:
        if isinstance(value, Message):
            return named(value, position)
        return _name(tiles[str(value)]) if name == "tile" and value in tiles else value

    return replace(told, values=tuple((name, shown(name, v)) for name, v in told.values))


def _place(place: str, position: Hextraction) -> str:
    """A ball's place as the page reads it: lanes are "ramp:B1-6"."""
    lanes = {ramp.id for ramp in position.board.ramps}
    return f"ramp:{place}" if place in lanes else place


def _legal(legal: Iterable[Act], position: Hextraction) -> Sheet:
    play: dict[str, dict[str, list[int]]] = {}
    other: list[dict[str, str]] = []
    ramps: list[str] = []
    for move in legal:
        if isinstance(move, Play):
            play.setdefault(move.tile, {}).setdefault(move.slot, []).append(move.rotation)
        elif isinstance(move, Roll) and move.ramp not in position.tiles:
            ramps.append(move.ramp)
        elif not isinstance(move, Settle):
            other.append(
                {"name": position.name(move), "text": say(named(position.label(move), position))}
            )
    return {"play": play, "other": other, "ramps": ramps}


def _acts(private: bool, position: Hextraction, side: int) -> list[Sheet]:
    """What may be said beside the moves; where hands are read, only by who looks. Who takes tiles
    back says with it how many were in the bag, from `least` to `most`."""
    found: list[Sheet] = []
    for act in position.acts if not private or side >= 0 else ():
        seat, name = position.actor(act), position.name(act)
        row: Sheet = {"seat": seat, "name": name, "text": say(named(position.label(act), position))}
        if isinstance(act, Reclaim):
            least, most = leaving.bagged(position, seat)
            row |= {"name": f"reclaim {seat}", "least": least, "most": most}
        found.append(row)
    return found
