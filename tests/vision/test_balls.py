"""Steel balls from look to look: what they lie on is learned, and nothing is said in doubt."""

from functools import cache

import msgspec
import pytest

from hexboard.appearance import KIT
from hexboard.board import find, load
from hexboard.games.hextraction.looks import laid
from hexboard.simulator.camera.canvas import Glare, Light
from hexboard.simulator.camera.render import Renderer, view
from hexboard.vision.cells.balls import Balls, Resting, Rolling
from hexboard.vision.eye import Eye
from hexboard.vision.frame import Picture
from hexboard.vision.settling import FEW_READINGS, QUIET_FRAMES
from hexboard.vision.shot import Shot, balls_reread, taken
from tests.looking import looks

BOARD = load(find("hextraction-22"))
CAMERA, POSE = view(BOARD, tilt=15)
BALLS = Balls(BOARD, CAMERA, POSE)
NUMBER = {cell.id: k for k, cell in enumerate(BOARD.cells)}
TILES = ("B2", "B3", "C2", "C3")
LAMP = Glare(520, 420, 15, 0.3)
B3 = (BOARD.cell["B3"].x, BOARD.cell["B3"].y)
SEAM = BOARD.edge_point("C2", 4)
Spots = tuple[tuple[float, float], ...]


@cache
def renderer() -> Renderer:
    return Renderer(BOARD, CAMERA, POSE)


@cache
def shot(
    spots: Spots = (), tiles: tuple[str, ...] = TILES, glare: tuple[Glare, ...] = ()
) -> Picture:
    """The board with an Asterisk in these slots, turned by two in B4, and balls at places, mm."""
    lying = {cell: laid("Asterisk", 2 * (cell == "B4")) for cell in tiles}
    return renderer().frame(lying, Light(glare=glare), len(spots), balls=spots)


def codes(tiles: tuple[str, ...] = TILES) -> list[int]:
    """By the definition of `seen`: 1 for an Asterisk that is not turned, 3 for one in B4."""
    return [(cell.id in tiles) * (3 if cell.id == "B4" else 1) for cell in BOARD.cells]


def looked(
    resting: Resting, *spots: tuple[float, float], known: tuple[str, ...] | None = ()
) -> object:
    """The second of two looks: one says where balls are, two that they lie still."""
    resting.look(shot(spots), codes(), known)
    return resting.look(shot(spots), codes(), known)


def begun() -> Resting:
    """A board that was seen without balls."""
    resting = Resting(BALLS)
    assert looked(resting) == ()
    return resting


@pytest.mark.long
def test_balls_are_told_once_they_lie_still_whether_their_number_is_known_or_not() -> None:
    for known in (("B3",), None):
        resting = begun()
        assert resting.look(shot((B3,)), codes(), known) is None
        assert resting.look(shot((B3,)), codes(), known) == ("B3",)
        assert resting.look(shot((SEAM,)), codes(), known) is None
        assert resting.look(shot((SEAM,)), codes(), known) == ("C2-C3",)


def test_a_ball_too_many_and_one_that_was_taken_are_seen_against_what_is_known() -> None:
    resting = begun()
    assert looked(resting, B3, SEAM, known=("B3",)) == ("B3", "C2-C3")
    assert looked(resting, known=("B3",)) == ()


def test_a_mirrored_lamp_is_no_ball_and_hides_none() -> None:
    resting = begun()
    for spots, known in (((), ()), ((B3,), None)):
        for _ in range(2):
            told = resting.look(shot(spots, TILES, (LAMP,)), codes(), known)
        assert told == ("B3",) * len(spots)


def test_a_new_tile_is_learned_while_balls_lie_about_it() -> None:
    resting = begun()
    assert looked(resting, B3, known=("B3",)) == ("B3",)
    more = (*TILES, "B4")
    for _ in range(2):
        told = resting.look(shot((B3,), more), codes(more), ("B3",))
    assert told == ("B3",)
    b4 = (BOARD.cell["B4"].x, BOARD.cell["B4"].y)
    for _ in range(2):
        told = resting.look(shot((B3, b4), more), codes(more), ("B3", "B4"))
    assert told == ("B3", "B4")


def test_a_ball_that_lay_there_from_the_start_is_believed_until_it_is_known_to_have_gone() -> None:
    """Nobody has seen the ground under it."""
    resting = Resting(BALLS)
    assert looked(resting, B3, known=("B3",)) == ("B3",)
    assert looked(resting, B3, SEAM, known=("B3",)) == ("B3", "C2-C3")
    assert looked(resting, B3, SEAM, known=("B3", "C2-C3")) == ("B3", "C2-C3")
    assert looked(resting, SEAM, known=("C2-C3",)) == ("C2-C3",)
    assert looked(resting, SEAM, B3, known=("B3", "C2-C3")) == ("B3", "C2-C3")


def test_a_ball_before_a_ramps_gate_is_none_of_the_boards() -> None:
    ramp = BOARD.ramps[0]
    gate = BOARD.edge_point(ramp.cell, ramp.edge)
    assert BALLS.place(*gate) == ramp.id
    assert looked(begun(), gate) == ()


def test_a_rolling_ball_is_motion_and_a_board_at_rest_is_not() -> None:
    rolling = Rolling(BOARD, CAMERA, POSE)
    told = [rolling.look(shot(spots)) for spots in ((), (), (B3,), (B3,), (SEAM,), ())]
    assert told == [False, False, True, False, True, True]
    assert not rolling.look(shot((B3,)), (NUMBER["B3"],))  # its light went on, maybe


def test_balls_in_a_picture_that_was_kept_are_found_again() -> None:
    resting = begun()
    looked(resting, B3, SEAM, known=None)
    shot_ = taken(1, shot((B3, SEAM)), BOARD, CAMERA, POSE, (((0, 0),),), True, resting)
    kept = msgspec.json.decode(msgspec.json.encode(shot_), type=Shot)
    assert balls_reread(kept, BOARD, KIT) == kept.balls == ("B3", "C2-C3")
    assert not kept.doubtful
    doubtful = taken(1, shot(), BOARD, CAMERA, POSE, (((0, 0),),), False, resting)
    assert doubtful.balls is None
    assert doubtful.doubtful


def test_an_eye_tells_balls_with_its_readings_and_anew_when_others_are_known() -> None:
    eye = Eye(BOARD, looks("hextraction"), CAMERA)

    def told(picture: Picture, frames: int) -> list[object]:
        return [eye.balls for _ in range(frames) if eye.look(picture, 0)]

    *_, last = told(shot(), 4 * QUIET_FRAMES)
    assert last == ()
    eye.known = None
    first, second, *_ = told(shot((B3,)), 4 * QUIET_FRAMES)
    assert (first, second) == (None, ("B3",))
    told(shot((B3,)), FEW_READINGS * 9)  # by now it reads every ten seconds only
    eye.known = ("B3",)
    assert told(shot((B3,)), 2) == [("B3",)]
