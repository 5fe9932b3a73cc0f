"""The simulated board, people's hands over it, and players who go on by themselves.

The board is a twin behind the real firmware, on a serial port like any other; a simulated camera
may look at it. Nothing of it is there on a real board.
"""

import math
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from controller.board import EDGES, Board
from controller.daemon.run import Run
from controller.errors import HexboardError
from controller.facts import Body, Decide, Declare, Ruling
from controller.games.hextraction.tile import Tile
from controller.games.hextraction.tiles import basic
from controller.table import Balls, Pieces, Table
from controller.web.server import Hand

PACE = 0.7
"""Seconds between two things a watched player does."""
UNREAD = 20.0
"""Seconds until a simulated player says what the camera did not notice."""

Post = Callable[[str, Body], None]


class Simulation:
    """A simulated board that lies as a table has it. `post` gets what its players say, `pixels`,
    `balls` and `show` what there is to see, `died` why the firmware ended: from its threads.
    Raises `HexboardError` where a camera cannot look at this game."""

    def __init__(
        self,
        run: Run,
        board: Board,
        table: Table,
        post: Post,
        pixels: Callable[[bytes], None],
        balls: Callable[[Any], None],
        show: Callable[[bytes], None],
        died: Callable[[str], None],
    ) -> None:
        from controller.demo.player import player
        from controller.simulator.rig import Rig
        from controller.simulator.world import World

        world = World(board, tiles_of(table), run.seed, run.speed)
        lay_out(world, table)
        list(world.run(0))
        self.rig = Rig(board, world, pixels, balls, died)
        self.watching = run.watch
        """Its players go on by themselves."""
        self._board, self._post, self._speed = board, post, run.speed
        self._player: Any = player(table, world, run.seed)
        self._next_act = 0.0
        self._eye: Any = None
        """A camera over pieces, and the hand that moves them."""
        self._over: Any = None
        """A camera over tiles and balls."""
        self._tiles: dict[str, Tile] = {}
        """The tiles that it knows."""
        self._look = partial(self._look_on, run, show)
        self._unread: tuple[Body, float] = Declare(-1, ""), math.inf
        """What the hand under the camera did last, and until when it may be read (monotonic s)."""
        if run.camera:
            try:
                self._look(table)
            except HexboardError:
                self.close()
                raise

    def _look_on(self, run: Run, show: Callable[[bytes], None], table: Table) -> None:
        """A camera looks at the simulated board."""
        try:
            from controller.simulator.eye import Eye, Overhead
            from controller.vision.appearance import looks_of
        except ImportError:
            raise HexboardError("vision.not_installed") from None
        self._tiles = tiles_of(table)
        kinds = looks_of(run.game, table.position)
        sees = (self._board, kinds, run.seed, partial(self._post, "camera"), show)
        if isinstance(table, Balls):
            self._over = Overhead(*sees, self.rig.lying)
            self.knows(table)
            self._over.watch()
        else:
            self._eye = Eye(*sees)
            self._eye.start(table.position)

    def knows(self, table: Table) -> None:
        """Tell a camera where balls lie: it counts them."""
        if self._over is not None and isinstance(table, Balls):
            self._over.known = table.at_rest

    @property
    def port(self) -> str:
        """The serial port that the board is on."""
        return self.rig.twin.port

    def close(self) -> None:
        for eye in (self._eye, self._over):
            if eye is not None:
                eye.close()
        self.rig.close()

    def begin(self, table: Table) -> bool:
        """Another match begins: the board is laid out anew, with the tiles it is played with.
        Whether a camera had to begin anew, to look for those."""

        def furnish(world: Any) -> None:
            world.tiles = tiles_of(table)
            lay_out(world, table)

        self.rig.hand(furnish)
        if self._eye is not None:
            self._eye.move(table.position)
        if self._over is None or tiles_of(table) == self._tiles:
            return False
        self._over.close()
        self._look(table)
        return True

    # ------------------------------------------------------------------------------ hands

    def hand(self, hand: Hand, table: Table) -> None:
        """Do what somebody does with a hand. Raises `HexboardError` for what no hand can do."""
        match hand.what:
            case "tap":
                self.rig.hand(lambda world: world.tap(hand.at))
            case "carry" if self._eye is not None:
                self._eye.carry(hand.at, hand.to)
            case "mend" if self._eye is not None:
                self._eye.move(table.position)
            case _ if not isinstance(table, Balls):
                raise HexboardError("daemon.no_hands")
            case "drop":
                self.rig.hand(lambda world: world.drop(hand.at))
            case "seat":
                self.rig.hand(lambda world: world.swap(hand.at, hand.tile, hand.rotation))
            case "unseat":
                self.rig.hand(lambda world: world.unseat(hand.at))
            case "lift":
                self.rig.hand(lambda world: world.lift(self._meant(world, hand)))
            case "rail":
                self.rig.hand(lambda world: world.rail(hand.on))
            case _:
                raise HexboardError("web.no_command")

    def _meant(self, world: Any, hand: Hand) -> int:
        """The ball a hand would take: the one nearest to where the page shows ball `hand.ball`,
        for the world numbers its balls as they come and the referee only those that were rolled."""
        point = where(self._board, hand.at)
        if point is None or not world.balls:
            return hand.ball
        spots = {ball.id: ball.at(world.now) for ball in world.balls.values()}
        return int(min(spots, key=lambda id: math.dist(point, spots[id])))

    def mend(self, table: Table) -> None:
        """Let the hand under the camera do what is to be done; a board that is wrong is left to
        people, where they play."""
        if self._eye is None or not (table.todo and self._eye.still):
            return
        if self.watching or not (isinstance(table, Pieces) and table.wrong):
            self._eye.move(table.position)

    def declare(self, body: Body, table: Table) -> bool:
        """Let a hand do, under the camera, what somebody declares. False where there is no camera,
        or nothing for it to see: then it has to be said. Raises `HexboardError` for what is no
        move, and while the last one is not done."""
        if self._eye is None or not isinstance(body, Declare):
            return False
        position = table.position
        if not self._eye.shows(position):
            raise HexboardError("vision.wait")
        action = position.action(body.action)
        if position.refusal(action) or (after := position.play(action)).seen() == position.seen():
            return False
        self._eye.move(after)
        self._unread = body, time.monotonic() + UNREAD
        return True

    # ------------------------------------------------------------------------------ players

    def play(self, table: Table) -> None:
        """The players do the next thing, at a pace people can follow, until the game is over."""
        if time.monotonic() < self._next_act or not (self.rig.still and table.quiet):
            return
        if self._eye is not None and not self._eye.shows(table.position):
            self._say(self._eye, table)
            return
        if self._over is not None:
            if not self._over.read and time.monotonic() < self._next_act + UNREAD:
                return
            self._over.read = False
        self._next_act = time.monotonic() + PACE / self._speed
        if table.position.scores is not None:
            self.watching = False
            return
        bodies: list[Body] = []
        self.rig.hand(lambda world: bodies.extend(self._player.turn(table)))
        for body in bodies:
            if not self.declare(body, table):
                self._post("player", body)

    def _say(self, eye: Any, table: Table) -> None:
        """A player under the camera says what it did: asked, or when nobody noticed."""
        asking, (body, until) = table.asking, self._unread
        if asking:
            names = [choice.name for choice in asking.choices]
            self._post("player", Decide(asking.id, eye.truth(table.position, names)))
        elif eye.still and time.monotonic() > until:
            self._unread = body, math.inf
            self._post("player", body)


def tiles_of(table: Table) -> dict[str, Tile]:
    """The tiles that a table is played with."""
    return table.position.setting.tiles if isinstance(table, Balls) else {}


def set_up(board: Board, table: Table, seed: int) -> Ruling | None:
    """Tiles on the simulated board, so that the first ball has something to roll through; None
    where the match is not played with those."""
    if not isinstance(table, Balls) or not basic().keys() <= tiles_of(table).keys():
        return None
    from controller.demo.player import demo_tiles

    position = table.position
    for slot, placed in demo_tiles(board, basic(), seed).items():
        position = position.with_tile(slot, placed)
    return Ruling(f"position {position}", "demo", "set up for the demo")


def lay_out(world: Any, table: Table) -> None:
    """The table's tiles and balls in the world, and nothing else."""
    for slot in list(world.slots):
        world.unseat(slot)
    for ball in list(world.balls):
        world.lift(ball)
    if isinstance(table, Balls):
        for slot, placed in table.position.tiles.items():
            world.seat(slot, placed.tile, placed.rotation)
        for ball in table.position.balls:
            world.lay(ball.place)


def where(board: Board, place: str) -> tuple[float, float] | None:
    """The point (mm) of a ball's place as pages name it: C3, C3-C4, ramp:B1-6, zone:ZB."""
    points = {f"ramp:{ramp.id}": board.lane_point(ramp) for ramp in board.ramps}
    points |= {f"zone:{zone.id}": board.zone_point(zone) for zone in board.zones}
    points |= {cell.id: (cell.x, cell.y) for cell in board.cells}
    points |= {board.seam(c.id, e): board.edge_point(c.id, e) for c in board.cells for e in EDGES}
    return points.get(place)
