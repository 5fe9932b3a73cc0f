"""A player for the simulated board: its hands roll balls, seat tiles and answer truthfully.

It plays legal moves at random (seeded), does what the to-do asks, and knows where the balls really
are; so a whole evening runs by itself, for the demo, for tests and for long recordings.
"""

from random import Random

from hexboard.board import Board, CellId
from hexboard.board.building import STARTING
from hexboard.facts import WHOEVER, Body, Decide, Declare, Ruling
from hexboard.game.position import Action
from hexboard.games.hextraction.rules.actions import Play, Roll, Settle
from hexboard.games.hextraction.rules.position import Hextraction, Placed, ours
from hexboard.games.hextraction.simulator.world import TileWorld
from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED
from hexboard.games.hextraction.tiles.tile import Tile
from hexboard.table import TableView


def position_of(table: TableView[Action]) -> Hextraction:
    """The position of a table of Hextraction."""
    return ours(table.position)


class BallPlayer:
    """Plays every seat. Call `turn` whenever the world is still; it acts once."""

    def __init__(self, world: TileWorld, seed: int) -> None:
        self.world = world
        self.random = Random(seed)

    def turn(self, table: TableView[Action]) -> list[Body]:
        """Do the next thing a person would do: move a hand in the world, or say something."""
        if table.asking:
            return [Decide(table.asking.id, self._truth(table))]
        if table.todo:
            return self._tidy(table)
        if table.confirm:
            return [Ruling("right")]
        position = position_of(table)
        if position.phase not in ("idle", "resolving"):
            return []
        stray = [ball.id for ball in self.world.balls.values() if ball.still]
        stuck = {ball.holds for ball in self.world.balls.values() if ball.still}
        moves = [
            m
            for m in position.legal
            if not (isinstance(m, Roll) and f"gate:{m.ramp}" in stuck)
            and not (isinstance(m, Play) and m.tile == UNREGISTERED.id)  # it has tiles with files
            and not isinstance(m, Settle)
        ]
        if position.phase == "resolving" and not moves:
            return []
        if len(stray) > 6 or not moves:
            for id in stray:
                self.world.lift(id)
            return [Ruling(f"ball {ball.id} -", "player", "cleared") for ball in position.balls]
        kind = self.random.choice(sorted({type(move).__name__ for move in moves}))
        move = self.random.choice([m for m in moves if type(m).__name__ == kind])
        if isinstance(move, Roll):
            self.world.drop(move.ramp)
            if any(f"{kind}:{move.ramp}" in self.world.board.sensor for kind in STARTING):
                return []
        return [Declare(WHOEVER, position.name(move))]

    def _tidy(self, table: TableView[Action]) -> list[Body]:
        """Lay tiles as the to-do has them; and say so once they lie, where no sensor does."""
        lain, felt = True, False
        for todo in table.todo:
            put = todo.put
            want = (put.tile, put.rotation) if isinstance(put, Placed) else None
            there = self.world.slots.get(todo.cell)
            felt = felt or f"seat:{todo.cell}" in self.world.board.sensor
            if there == want:
                continue
            lain = False
            if there is not None:
                self.world.unseat(todo.cell)  # what comes in its place comes next time
            elif want is not None:
                self.world.seat(todo.cell, *want)
        return [Ruling("right")] if lain and not felt else []

    def _truth(self, table: TableView[Action]) -> str:
        """The choice that is so. Balls are alike: any that the position does not know will do."""
        assert table.asking is not None
        names = [choice.name for choice in table.asking.choices]
        still = [ball for ball in self.world.balls.values() if ball.still]
        lying = {ball.cell for ball in still if not ball.holds} | {ball.holds for ball in still}
        rests = sorted(ball.holds.partition(":")[2] or ball.cell for ball in still)
        for choice in table.asking.choices:
            if dict(choice.message.values).get("rests") == (", ".join(rests) or "-"):
                return choice.name
        for name in names:
            kind, *words = name.split(" ")
            if kind == "rest" and lying & {words[1], f"edge:{words[1]}", f"gate:{words[1]}"}:
                return name
            if kind == "goal" and f"floor:{words[1]}" in lying:
                return name
        return next((name for name in names if name.startswith("gone")), names[0])


def demo_tiles(board: Board, tiles: dict[str, Tile], seed: int) -> dict[CellId, Placed]:
    """A board that is being played: most slots filled, those near the ramps always."""
    random = Random(seed)
    under = {ramp.cell for ramp in board.ramps}
    near = under | {board.neighbour(cell, edge) for cell in under for edge in (3, 4, 5)}
    filled: dict[CellId, Placed] = {}
    for cell in board.cells:
        tile = tiles["Asterisk"] if cell.id in under else random.choice(list(tiles.values()))
        rotation = random.choice(tile.rotations(board.key_edge))
        if cell.id in near or random.random() < 0.75:
            filled[cell.id] = Placed(tile.id, rotation)
    return filled
