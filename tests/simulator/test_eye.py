"""The simulated camera: a hand makes the board look like a position, and the readings say so."""

from functools import partial
from queue import Queue
from typing import Any

import pytest

from hexboard.board import find, load
from hexboard.facts import Reading
from hexboard.game import registry
from hexboard.perception.inference import infer, lying
from hexboard.simulator.camera.overhead import SimulatedEye
from hexboard.words.errors import BadText
from tests.looking import looks
from tests.looking import lying as laid
from tests.running import PATIENCE, eventually

BOARD = load(find("hexhex-5"))
LAID = partial(laid, board=BOARD)
CELLS = [cell.id for cell in BOARD.cells]


def played(position: Any, name: str) -> Any:
    return position.play(position.action(name))


@pytest.mark.long
def test_a_hand_takes_a_disc_where_no_rule_lets_it_go_and_nothing_from_an_empty_cell() -> None:
    start: Any = registry.find("hexalma").start(BOARD, {})
    readings: Queue[Reading] = Queue()
    eye = SimulatedEye(BOARD, looks("hexalma"), 1, readings.put, lambda picture: None, LAID)
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


@pytest.mark.long
def test_a_hand_moves_a_disc_and_the_camera_reads_the_move() -> None:
    start: Any = registry.find("hexalma").start(BOARD, {})
    after = start.play(start.action("b3-c3"))
    readings: Queue[Reading] = Queue()
    pictures: list[bytes] = []
    eye = SimulatedEye(BOARD, looks("hexalma"), 1, readings.put, pictures.append, LAID)
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
        assert eye.truth(start, ["b3-c4", "b3-c3", "nothing"], played) == "b3-c3"
        assert eye.truth(start, ["undo", "b3-c4", "nothing"], played) == "nothing"
        assert pictures[0].startswith(b"\xff\xd8")
    finally:
        eye.close()
