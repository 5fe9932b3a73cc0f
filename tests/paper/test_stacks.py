"""How high stacks are, read from the second world's printed sheets."""

from itertools import product
from random import Random

import pytest

from hexboard.appearance import Kit
from hexboard.board import find, load
from hexboard.vision.cells.reading import Reader, best
from hexboard.vision.geometry import Camera, Pose
from tests.looking import looks
from tests.paper.play import MOODS, Desk
from tests.paper.put_up import learned, lens, stood
from tests.paper.world import BLACK, HIGH_MM, RADIUS_MM, WHITE

BOARD = load(find("hexhex-5"))
CELLS = [cell.id for cell in BOARD.cells]
STACKS = [list(stack) for high in (1, 2, 3) for stack in product((BLACK, WHITE), repeat=high)]


def misread(desk: Desk, camera: Camera, pose: Pose, kit: Kit, seed: int) -> list[str]:
    """The cells that are read otherwise than they lie, of two boards strewn with 30 stacks."""
    random, wrong = Random(seed), []
    reader = Reader(BOARD, looks("hexalma"), camera, pose, kit)
    for _ in range(2):
        laid = {cell: random.choice(STACKS) for cell in random.sample(CELLS, 30)}
        desk.put({})
        desk.put(laid)
        for cell, told in zip(CELLS, reader.read(desk.picture()).cells, strict=True):
            stack = laid.get(cell, [])
            code = 2 * len(stack) - (stack[-1] == BLACK) if stack else 0
            wrong += [cell] if told and best(told) != code else []
    return wrong


@pytest.mark.long
@pytest.mark.parametrize(("light", "seed"), [("moderate", 905), ("hard", 901)])
def test_how_high_carelessly_laid_stacks_are_is_read_on_white_paper(light: str, seed: int) -> None:
    """Their rings are not quite sharp, and discs lie up to 2 mm off their cells' middles."""
    desk = Desk("hexhex-5", MOODS[light], seed)
    camera = lens(desk.world)
    pose, kit = stood(BOARD, camera, desk.picture())
    assert len(misread(desk, camera, pose, kit, seed)) <= 1


@pytest.mark.long
@pytest.mark.parametrize("size", [0.88, 1.12])
def test_discs_of_another_size_are_read_once_it_is_learned(size: float) -> None:
    desk = Desk("hexhex-5", MOODS["moderate"], 31, size=size)
    camera = lens(desk.world)
    empty = desk.picture()
    pose, kit = stood(BOARD, camera, empty)
    own = learned(desk, camera, pose, empty)
    assert own.radius * BOARD.pitch == pytest.approx(size * RADIUS_MM, rel=0.04)
    assert own.height * BOARD.pitch == pytest.approx(size * HIGH_MM, rel=0.08)
    assert len(misread(desk, camera, pose, own, 31)) <= 2
    assert len(misread(desk, camera, pose, kit, 31)) >= 6
