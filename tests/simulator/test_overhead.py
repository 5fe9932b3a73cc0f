"""The camera over simulated tiles and balls, down to what the table makes of it."""

from queue import Queue

import pytest

from hexboard.appearance import Lying
from hexboard.board import find, load
from hexboard.facts import Reading
from hexboard.games.hextraction.looks import laid, tile_looks
from hexboard.games.hextraction.simulator.world import TileWorld
from hexboard.games.hextraction.tiles.catalogue import basic
from hexboard.simulator.camera.overhead import Overhead
from hexboard.vision.cells.reading import best
from tests.running import PATIENCE


@pytest.mark.long
def test_tiles_that_are_put_in_and_balls_that_come_and_go_are_read() -> None:
    board = load(find("hextraction-22"))
    world = TileWorld(board, basic(), 1)
    world.seat("B3", "Asterisk", 0)
    readings: Queue[Reading] = Queue()

    def lying() -> tuple[dict[str, Lying], list[tuple[float, float]]]:
        return {at: laid(*way) for at, way in dict(world.slots).items()}, [
            ball.at(0) for ball in list(world.balls.values())
        ]

    def told(*balls: str, **tiles: int) -> None:
        """Wait for a reading with just these balls and, among others, these codes of slots."""
        while True:
            reading = readings.get(timeout=PATIENCE)
            codes = dict(zip(board.cell, map(best, reading.cells), strict=False))
            if reading.balls == balls and tiles.items() <= codes.items():
                return

    kinds = tile_looks(basic())
    eye = Overhead(board, kinds, 1, readings.put, lambda picture: None, lying)
    eye.watch()
    try:
        asterisk = 1 + 6 * list(basic()).index("Asterisk")
        told(B3=asterisk, C3=0)
        world.seat("C3", "Asterisk", 0)
        told(B3=asterisk, C3=asterisk)
        world.lay("B3")
        told("B3", B3=asterisk)
        world.lift(1)
        told(C3=asterisk)
    finally:
        eye.close()
