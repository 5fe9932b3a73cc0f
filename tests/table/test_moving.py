"""Moving: what people do with pieces by touching, declaring and answering, without a camera."""

from itertools import permutations

import pytest

from hexboard.board import find, load
from hexboard.facts import Start
from hexboard.game import registry
from hexboard.game.position import Action
from hexboard.games import hexalma
from hexboard.table.moving import Moving
from hexboard.table.parts import Parts
from hexboard.words.errors import HexboardError, IllegalAction

BOARD = load(find("hexhex-5"))
START = Start("m", BOARD.name, BOARD.hash, "hexalma", hexalma.rules(), {}, "test")


@pytest.fixture
def parts() -> Parts[Action]:
    return Parts(registry.find("hexalma"), BOARD, START)


@pytest.fixture
def moving(parts: Parts[Action]) -> Moving:
    return Moving(parts)


def played(parts: Parts[Action]) -> list[str]:
    return [str(entry) for entry in parts.ledger.match.entries]


def test_a_move_that_is_tapped_is_played_once_only_one_is_meant(
    parts: Parts[Action], moving: Moving
) -> None:
    moving.tap("b3")
    first, before = moving.touches.cells, played(parts)
    moving.tap("c3")
    assert (first, before) == (("b3",), [])
    assert (moving.touches.cells, played(parts)) == ((), ["Played(action='b3-c3')"])


@pytest.mark.parametrize("cells", list(permutations(("1.3", "2.5", "6.1"))))
def test_a_point_is_tapped_by_its_three_cells_in_any_order(cells: tuple[str, ...]) -> None:
    """Knee Deep's marker stands where three sectors meet; nobody counts them round in one order."""
    board, knee_deep = load(find("flowers-31")), registry.find("knee-deep")
    start = Start("m", board.name, board.hash, knee_deep.name, knee_deep.rules(), {}, "test")
    parts: Parts[Action] = Parts(knee_deep, board, start)
    moving, mark = Moving(parts), "mark 1,2,6"
    while mark not in map(parts.ledger.position.name, parts.ledger.position.legal):
        parts.ledger.play(next(iter(parts.ledger.position.legal)))
    before = len(played(parts))
    for cell in (cells[0], cells[1], cells[0]):  # which begins anew
        moving.tap(cell)
    assert moving.touches.cells == (cells[0],)
    moving.tap(cells[0])
    for cell in cells:
        assert len(played(parts)) == before
        moving.tap(cell)
    assert played(parts)[before:] == [f"Played(action={mark!r})"]


def test_a_cell_that_is_tapped_twice_is_put_down(parts: Parts[Action], moving: Moving) -> None:
    for _ in range(2):
        moving.tap("b3")
    assert (moving.touches.cells, played(parts)) == ((), [])


def test_a_tap_that_begins_no_move_is_told_and_lit_until_something_is_said(
    parts: Parts[Action], moving: Moving
) -> None:
    moving.tap("e5")
    refused = moving.touches.refused
    moving.declare(0, "b3-c3")
    assert (refused, moving.touches.refused) == (("e5",), ())
    assert len(parts.outbox.log.lines) == 2


def test_what_is_declared_lies_on_the_board_and_what_is_taken_back_is_to_do(
    parts: Parts[Action], moving: Moving
) -> None:
    moving.declare(0, "b3-c3")
    assert not moving.camera.todo
    moving.take_back(0)
    cells = [todo.cell for todo in moving.camera.todo]
    moving.right()
    assert (cells, moving.camera.todo) == (["c3"], ())


def test_a_move_that_is_refused_lights_its_cells(parts: Parts[Action], moving: Moving) -> None:
    with pytest.raises(IllegalAction):
        moving.declare(0, "b3-e5")
    assert set(moving.touches.refused) == {"b3", "e5"}


def test_done_is_for_who_has_a_camera_and_other_rulings_are_for_every_table(
    moving: Moving,
) -> None:
    with pytest.raises(HexboardError):
        moving.rule("done", "host", "")
    assert not moving.rule("undo", "host", "")
