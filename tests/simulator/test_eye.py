"""The simulated camera: a hand makes the board look like a position, and the readings say so."""

from queue import Queue
from typing import Any

import pytest

from controller import games
from controller.board import find, load
from controller.errors import BadText
from controller.facts import Reading
from controller.perception.inference import infer, lying
from controller.simulator.eye import Eye
from controller.vision.appearance import looks
from tests.running import eventually

BOARD = load(find("hexhex-5"))
CELLS = [cell.id for cell in BOARD.cells]
PATIENCE = 30
"""Seconds until a reading that should come has not, on a busy machine."""


@pytest.mark.long
def test_a_hand_takes_a_disc_where_no_rule_lets_it_go_and_nothing_from_an_empty_cell() -> None:
    start: Any = games.find("hexalma").start(BOARD, {})
    readings: Queue[Reading] = Queue()
    eye = Eye(BOARD, looks("hexalma"), 1, readings.put, lambda picture: None)
    eye.start(start)
    try:
        for left, onto in (("e5", "e6"), ("a1", "a1"), ("a1", "z9"), ("", "e5")):
            with pytest.raises(BadText):
                eye.carry(left, onto)
        first = readings.get(timeout=PATIENCE)
        eye.carry("a1", "e5")
        while (look := readings.get(timeout=PATIENCE)).cells:
            pass  # until the hand is seen
        look = readings.get(timeout=PATIENCE)
        assert infer(CELLS, [start], first.cells, look.cells).kind == "strange"
        seen = start.seen()
        there = lying(seen, seen, first.cells, look.cells, seen)
        assert {cell for cell, a, b in zip(CELLS, seen, there, strict=True) if a != b} == {
            "a1",
            "e5",
        }
        eye.move(start)
        eventually(lambda: eye.shows(start))
    finally:
        eye.close()


def test_a_hand_moves_a_disc_and_the_camera_reads_the_move() -> None:
    start: Any = games.find("hexalma").start(BOARD, {})
    after = start.play(start.action("b3-c3"))
    readings: Queue[Reading] = Queue()
    pictures: list[bytes] = []
    eye = Eye(BOARD, looks("hexalma"), 1, readings.put, pictures.append)
    eye.start(start)
    try:
        first = readings.get(timeout=PATIENCE)
        assert infer(CELLS, [start], None, first.cells).kind == "same"
        assert eye.shows(start)
        eye.move(after)
        assert not eye.shows(after)
        while (look := readings.get(timeout=PATIENCE)).cells:
            pass  # until the hand is seen
        look = readings.get(timeout=PATIENCE)
        verdict = infer(CELLS, [start], first.cells, look.cells)
        assert (verdict.kind, verdict.lines[0].actions) == ("accept", ("b3-c3",))
        assert eye.shows(after)
        assert eye.truth(start, ["b3-c4", "b3-c3", "nothing"]) == "b3-c3"
        assert eye.truth(start, ["undo", "b3-c4", "nothing"]) == "nothing"
        assert pictures[0].startswith(b"\xff\xd8")
    finally:
        eye.close()
