"""Which pictures are kept beside a recording: doubtful ones, one of each thing that was read."""

from hexboard.daemon.camera import Doubts
from hexboard.vision.shot import Shot

SURE, UNSURE = ((1, 0), (2, 2000)), ((1, 0), (2, 300))
OTHER, NOTHING = ((2, 0), (1, 2000)), ()


def shot(*cells: tuple[tuple[int, int], ...], balls: tuple[str, ...] | None = None) -> Shot:
    eye = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), (0.0,), (0.0,), (0.0,)
    return Shot(0, cells, (1, 1), *eye, b"", balls=balls)


def test_a_board_at_rest_is_kept_once_however_often_it_is_read() -> None:
    doubts = Doubts()
    taken = [doubts.take(shot(SURE, UNSURE), 3, False, ()) for _ in range(5)]
    assert taken == [True, False, False, False, False]
    assert not doubts.take(shot(SURE, SURE), 3, False, ())
    assert doubts.take(shot(SURE, NOTHING), 3, False, ())
    assert not doubts.take(shot(SURE, UNSURE), 3, False, ())
    assert doubts.take(shot(SURE, UNSURE), 4, False, ())  # after the next move


def test_what_the_table_doubts_is_kept_though_each_cell_is_sure() -> None:
    doubts = Doubts()
    assert not doubts.take(shot(SURE, SURE), 3, False, ())
    assert doubts.take(shot(SURE, SURE), 3, True, ())
    assert doubts.take(shot(SURE, OTHER), 3, True, ())
    assert doubts.take(shot(SURE, OTHER), 3, False, ("a1",))
    assert not doubts.take(shot(SURE, OTHER), 3, False, ("a1",))
    assert doubts.take(shot(SURE, SURE, balls=("B3",)), 3, True, ())
