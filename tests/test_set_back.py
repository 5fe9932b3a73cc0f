"""Boards that hands set back by several moves, under a camera: going back is proposed, never done.

HexAlma's six plies below could all be made backwards by the rules too.
"""

import pytest

from hexboard.facts import Decide, Reading, Tick
from hexboard.table.looks import SITUATION_LOOKS
from hexboard.table.view import NOTHING
from tests.test_camera_table import Desk, sure

PLIES = ("b3-c3", "h3-g3", "c3-d3", "g3-f3", "b4-c4", "h4-g4")
BACKWARDS = "c4-b4; f3-g3; d3-c3; g4-h4"
"""Four moves by the rules that lead from the last of those boards to that after two plies."""


def set_back(plies: int) -> Desk:
    """All plies were played, then hands set the board back by so many of them."""
    desk = Desk()
    boards = [desk.seen]
    for name in PLIES:
        desk.feed(sure(desk.after(name)))
        boards.append(desk.seen)
    desk.feed(Reading())
    for _ in range(SITUATION_LOOKS):
        desk.feed(sure(boards[len(PLIES) - plies]))
    return desk


def test_four_moves_set_back_by_hand_are_asked_about_and_taken_back_when_agreed() -> None:
    desk = set_back(4)
    asking = desk.table.asking
    assert asking is not None
    answers = [choice.name for choice in asking.choices]
    assert answers == ["undo; undo; undo; undo", BACKWARDS, NOTHING]
    desk.feed(Decide(asking.id, answers[0]))
    assert len(desk.table.ledger.match.counting) == 2
    assert desk.table.todo == ()


def test_moves_that_only_look_set_back_are_played_when_people_say_so() -> None:
    desk = set_back(4)
    asking = desk.table.asking
    assert asking is not None
    desk.feed(Decide(asking.id, BACKWARDS))
    assert len(desk.table.ledger.match.counting) == len(PLIES) + 4


@pytest.mark.parametrize("plies", [5, 6])
def test_who_walks_the_way_back_is_taken_for_no_moves(plies: int) -> None:
    """No move explains the board; whoever does as they are told has it as it was, and nothing was
    played."""
    desk = set_back(plies)
    desk.feed(Tick(), 1700)
    camera = desk.pieces.camera
    assert camera.wrong
    assert camera.want == desk.seen
    assert camera.looks.last is not None
    lies = {cell: look[0][0] for cell, look in zip(desk.cells, camera.looks.last, strict=True)}
    while camera.steps:
        step = camera.steps[0]
        lies[step.onto], lies[step.left] = lies[step.left], 0
        desk.feed(Reading())
        for _ in range(SITUATION_LOOKS):
            desk.feed(sure(bytes(lies.values())))
        desk.feed(Tick(), 1700)
    assert bytes(lies.values()) == desk.seen
    assert len(desk.table.ledger.match.entries) == len(PLIES)
    assert desk.table.asking is None
