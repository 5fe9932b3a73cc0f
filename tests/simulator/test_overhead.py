"""The camera over simulated tiles and balls, down to what the table makes of it."""

from queue import Queue

import pytest

from controller.board import find, load
from controller.facts import Reading
from controller.games.hextraction.tiles import basic
from controller.simulator.eye import Overhead
from controller.simulator.world import World
from controller.vision.appearance import looks
from controller.vision.reading import best

PATIENCE = 60
"""Seconds until a reading that should come has not, on a busy machine."""


@pytest.mark.long
def test_tiles_that_are_put_in_and_balls_that_come_and_go_are_read() -> None:
    board = load(find("hextraction-22"))
    world = World(board, basic(), 1)
    world.seat("B3", "Asterisk", 0)
    readings: Queue[Reading] = Queue()

    def lying() -> tuple[dict[str, tuple[str, int]], list[tuple[float, float]]]:
        return dict(world.slots), [ball.at(0) for ball in list(world.balls.values())]

    def told(*balls: str, **tiles: int) -> None:
        """Wait for a reading with just these balls and, among others, these codes of slots."""
        while True:
            reading = readings.get(timeout=PATIENCE)
            codes = dict(zip(board.cell, map(best, reading.cells), strict=False))
            if reading.balls == balls and tiles.items() <= codes.items():
                return

    kinds = looks("hextraction", basic())
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
