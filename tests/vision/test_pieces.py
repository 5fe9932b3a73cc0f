"""Units, tiles and balls in rendered pictures; and what is none of the game's says nothing."""

import pytest

from hexboard.appearance import KIT, Lying
from hexboard.board import find, load
from hexboard.games.hextraction.looks import laid
from hexboard.simulator.camera.canvas import Glare, Light
from hexboard.simulator.camera.render import Hand, Renderer, view
from hexboard.vision.cells.balls import Balls
from hexboard.vision.cells.reading import Reader
from hexboard.vision.geometry import project
from hexboard.vision.light import Band
from tests.benchmarks.vision_cells import Bench
from tests.looking import looks

BOARD = load(find("hexhex-5"))
CAMERA, POSE = view(BOARD)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["units", "tiles", "balls"])
def test_all_is_read_right_in_moderate_light(kind: str) -> None:
    figures = Bench(kind, "moderate").figures(31)
    assert figures["told"] > 0.97 * figures["cells"]
    assert figures["wrong"] == figures["doubtful"] == 0


def test_a_ball_that_is_missing_or_too_many_leaves_all_untold() -> None:
    board = load(find("hextraction-22"))
    camera, pose = view(board, tilt=15)
    balls, renderer = Balls(board, camera, pose), Renderer(board, camera, pose)
    tiles = {cell.id: laid("Asterisk") for cell in board.cells}
    seam = board.edge_point("C2", 4)
    spots = [(board.cell["B3"].x, board.cell["B3"].y), seam]
    before = balls.look(renderer.frame(tiles, Light(), 1))
    now = balls.look(renderer.frame(tiles, Light(), 2, balls=spots))
    found = balls.find(before, now, 2)
    assert found is not None
    assert sorted(ball.place for ball in found) == ["B3", "C2-C3"]
    assert balls.find(before, now, 1) is None
    assert balls.find(before, now, 3) is None
    assert balls.find(before, before, 0) == ()


@pytest.mark.long
def test_a_piece_between_two_cells_is_no_confident_mistake() -> None:
    """Half way between c3 and c4: neither may be said to hold it, or both to be empty."""
    reader = Reader(BOARD, looks("hexalma"), CAMERA, POSE)
    renderer = Renderer(BOARD, CAMERA, POSE)
    for colour in (0, 1):
        lying = {"c3": Lying((colour,), dx=BOARD.pitch / 2)}
        seen = reader.read(renderer.frame(lying, Light(), 3))
        told = {cell.id: codes for cell, codes in zip(BOARD.cells, seen.cells, strict=True)}
        assert told["c3"] == told["c4"] == ()
        assert all(codes[0] == (0, 0) for cell, codes in told.items() if cell[0] not in "bcd")


@pytest.mark.long
@pytest.mark.parametrize("game", ["hexalma", "bad-santa-hex", "hexel"])
def test_a_cup_is_not_taken_for_a_piece(game: str) -> None:
    """A foreign thing: blue and white, larger than a disc, on d4."""
    reader = Reader(BOARD, looks(game), CAMERA, POSE)
    here = BOARD.cell["d4"]
    renderer = Renderer(BOARD, CAMERA, POSE)
    cup = [(here.x, here.y, 7.0 * k, Lying((1,), shade=0.5 + 0.1 * k)) for k in range(6)]
    seen = reader.read(renderer.frame({}, Light(), 4, held=cup))
    number = [cell.id for cell in BOARD.cells].index("d4")
    assert seen.cells[number] == ()


@pytest.mark.long
def test_a_mirrored_lamp_on_a_bare_board_makes_no_piece() -> None:
    reader = Reader(BOARD, looks("hexalma"), CAMERA, POSE)
    renderer = Renderer(BOARD, CAMERA, POSE)
    for x, y, radius, level in ((500, 400, 38, 0.27), (700, 300, 59, 0.25), (800, 500, 50, 0.35)):
        light = Light(gain=0.5, glare=(Glare(x, y, radius, level),))
        seen = reader.read(renderer.frame({}, light, 5))
        assert all(codes[0] == (0, 0) for codes in seen.cells if codes)


def test_a_mirrored_lamp_washes_no_symbol_into_another() -> None:
    """Two fifths of full scale beside each card: what is left of it covers some of the symbols."""
    reader = Reader(BOARD, looks("hexel"), CAMERA, POSE)
    faces = {"c3": "RYYYRY", "e5": "YRYYYY", "g7": "BRBRBB"}
    spots = project(CAMERA, POSE, [(BOARD.cell[cell].x, BOARD.cell[cell].y) for cell in faces])
    light = Light(gain=0.42, glare=tuple(Glare(x + 35, y + 45, 40, 0.4) for x, y in spots))
    lying = {cell: Lying(face=face) for cell, face in faces.items()}
    seen = reader.read(Renderer(BOARD, CAMERA, POSE).frame(lying, light, 8))
    for cell, codes in zip(BOARD.cells, seen.cells, strict=True):
        if cell.id in faces:
            (best, _), *others = sorted(codes, key=lambda entry: entry[1])
            assert reader.looks[best].face == faces[cell.id]
            assert all(cost > 500 for _, cost in others)


@pytest.mark.long
@pytest.mark.parametrize("skin", [(0.30, 0.42, 0.66), (0.18, 0.28, 0.48), (0.04, 0.07, 0.13)])
def test_a_hand_is_seen_whatever_its_colour(skin: tuple[float, float, float]) -> None:
    band = Band(BOARD, CAMERA, POSE, KIT)
    renderer = Renderer(BOARD, CAMERA, POSE)
    light = Light(gain=0.5, slope=(-0.33, 0.3), shadow=0.4)
    assert not band.fit(renderer.frame({}, light, 6))[1]
    assert band.fit(renderer.frame({}, light, 6, Hand(0, 0, 4.7, skin)))[1]
