"""The stage: tiles and balls of a table on the simulated board, and what hands do there."""

import math

from hexboard.appearance import Lying
from hexboard.board import EDGES, Board
from hexboard.facts import Ruling
from hexboard.game.position import Action
from hexboard.games.hextraction.looks import laid
from hexboard.games.hextraction.simulator.player import BallPlayer, demo_tiles, position_of
from hexboard.games.hextraction.simulator.world import TileWorld
from hexboard.games.hextraction.tiles.catalogue import basic
from hexboard.games.hextraction.tiles.tile import Tile
from hexboard.table import TableView
from hexboard.web.requests import Hand
from hexboard.words.errors import HexboardError

View = TableView[Action]


class BallStage:
    """What Hextraction brings to a simulated board (`hexboard.demo.stage.Stage`)."""

    _world: TileWorld

    def world(self, board: Board, view: View, seed: int, pace: float) -> TileWorld:
        self._world = TileWorld(board, self.things(view), seed, pace)
        lay_out(self._world, view)
        return self._world

    def furnish(self, view: View) -> None:
        self._world.tiles = self.things(view)
        lay_out(self._world, view)

    def player(self, seed: int) -> BallPlayer:
        return BallPlayer(self._world, seed)

    def set_up(self, board: Board, view: View, seed: int) -> Ruling | None:
        """Tiles, so that the first ball has something to roll through; None where the match is not
        played with those."""
        if not basic().keys() <= self.things(view).keys():
            return None
        position = position_of(view)
        for slot, placed in demo_tiles(board, basic(), seed).items():
            position = position.with_tile(slot, placed)
        return Ruling(f"position {position}", "hexboard", "tiles to begin with")

    def things(self, view: View) -> dict[str, Tile]:
        """The tiles that a table is played with."""
        return position_of(view).setting.tiles

    def laid(self) -> dict[str, Lying]:
        return {slot: laid(tile, turn) for slot, (tile, turn) in self._world.slots.items()}

    def hand(self, hand: Hand) -> None:
        world = self._world
        match hand.what:
            case "drop":
                world.drop(hand.at)
            case "seat":
                world.swap(hand.at, hand.thing, hand.turn)
            case "unseat":
                world.unseat(hand.at)
            case "lift":
                world.lift(meant(world, hand))
            case "rail":
                world.rail(hand.on)
            case _:
                raise HexboardError("web.no_command")


def lay_out(world: TileWorld, view: View) -> None:
    """The table's tiles and balls in the world, and nothing else."""
    for slot in list(world.slots):
        world.unseat(slot)
    for ball in list(world.balls):
        world.lift(ball)
    position = position_of(view)
    for slot, placed in position.tiles.items():
        world.seat(slot, placed.tile, placed.rotation)
    for rolled in position.balls:
        world.lay(rolled.place)


def meant(world: TileWorld, hand: Hand) -> int:
    """The ball a hand would take: the one nearest to where the page shows ball `hand.thing`. The
    world numbers its balls as they come, and the referee only those that were rolled."""
    point = where(world.board, hand.at)
    if point is None or not world.balls:
        return int(hand.thing) if hand.thing.isdecimal() else 0
    spots = {ball.id: ball.at(world.now) for ball in world.balls.values()}
    return min(spots, key=lambda id: math.dist(point, spots[id]))


def where(board: Board, place: str) -> tuple[float, float] | None:
    """The point (mm) of a ball's place as pages name it: C3, C3-C4, ramp:B1-6, zone:ZB."""
    points = {f"ramp:{ramp.id}": board.lane_point(ramp) for ramp in board.ramps}
    points |= {f"zone:{zone.id}": board.zone_point(zone) for zone in board.zones}
    points |= {cell.id: (cell.x, cell.y) for cell in board.cells}
    points |= {board.seam(c.id, e): board.edge_point(c.id, e) for c in board.cells for e in EDGES}
    return points.get(place)
