"""Pieces in colours of one's own are learned from two pictures, and read by them."""

from pathlib import Path
from random import Random
from typing import Any

import cv2
import pytest
from msgspec.structs import replace

from hexboard.appearance import KIT, Kit, Lying
from hexboard.board import find, load
from hexboard.calibration import colours as results
from hexboard.calibration import store
from hexboard.game import registry
from hexboard.games.hextraction.looks import tile_looks
from hexboard.simulator.camera.render import Hand, view
from hexboard.simulator.camera.tabletop import MODERATE, Tabletop
from hexboard.vision.cells.colours import BadColours, asked, dressed, learn
from hexboard.vision.cells.reading import Reader
from hexboard.vision.frame import Picture
from hexboard.vision.shot import attachments_of, of_attachments
from hexboard.words.errors import BadFile, BadRecording, BadText
from tests.cli import invoke
from tests.looking import laid, looks, lying
from tests.running import hexboard

BOARD = load(find("hexhex-5"))
CAMERA, POSE = view(BOARD)
LOOKS = looks("hexalma")
SPOTS = asked(BOARD, LOOKS)
RED_GREEN = replace(
    KIT,
    pieces=((0.05, 0.06, 0.45), (0.10, 0.38, 0.08), KIT.pieces[2]),
    rim=((0.3, 0.3, 0.3), (0.3, 0.3, 0.3), KIT.rim[2]),
    ground=(0.45, 0.50, 0.52),
)
BROWN_BEIGE = replace(
    KIT,
    pieces=((0.04, 0.07, 0.13), (0.30, 0.48, 0.58), KIT.pieces[2]),
    rim=((0.15, 0.20, 0.30), (0.04, 0.07, 0.13), KIT.rim[2]),
    ground=(0.8, 0.8, 0.8),
)


def pictures(kit: Kit) -> tuple[Tabletop, Picture, Picture]:
    """An empty board of these colours, then what is asked for on it."""
    top = Tabletop(BOARD, CAMERA, POSE, 3, MODERATE, kit)
    empty = top.picture()
    top.put(laid(SPOTS))
    return top, empty, top.picture()


@pytest.mark.long
@pytest.mark.parametrize("kit", [RED_GREEN, BROWN_BEIGE], ids=["red and green", "brown and beige"])
def test_unusual_colours_are_read_once_learned(kit: Kit) -> None:
    top, empty, pieces = pictures(kit)
    learned = dressed(KIT, learn(BOARD, CAMERA, POSE, empty, pieces, SPOTS))
    for own, found in zip(kit.pieces, learned.pieces, strict=True):
        assert found == pytest.approx(own, abs=0.03)
    position: Any = registry.find("hexalma").start(BOARD, {})
    random = Random(2)
    for _ in range(15):
        position = position.play(random.choice(list(position.legal)))
    top.put(lying(position, BOARD))
    picture, tops = top.picture(), [0, 1, 2, 1, 2, 1, 2]
    seen = Reader(BOARD, LOOKS, CAMERA, POSE, learned).read(picture)
    best = [min(codes, key=lambda entry: entry[1])[0] for codes in seen.cells if codes]
    assert [tops[code] for code in best] == [tops[code] for code in position.seen()]
    shipped = Reader(BOARD, LOOKS, CAMERA, POSE).read(picture)
    assert len(shipped.unexplained) > 20


@pytest.mark.long
def test_colours_that_are_too_near_are_named() -> None:
    brown = ((0.060, 0.080, 0.120), (0.070, 0.100, 0.140), KIT.pieces[2])
    _, empty, pieces = pictures(replace(KIT, pieces=brown))
    with pytest.raises(BadColours, match="black and white are too near"):
        learn(BOARD, CAMERA, POSE, empty, pieces, SPOTS)


@pytest.mark.long
def test_a_piece_on_a_wrong_cell_or_a_hand_is_said() -> None:
    top, empty, _ = pictures(KIT)
    first, *_ = SPOTS.alone["black"]
    del top.lying[first]
    with pytest.raises(BadColours, match=f"{first} does not look like the other pieces"):
        learn(BOARD, CAMERA, POSE, empty, top.picture(), SPOTS)
    with pytest.raises(BadColours, match="over the mat's rim"):
        learn(BOARD, CAMERA, POSE, empty, top.picture(Hand(0, 0, 1.0)), SPOTS)


@pytest.mark.long
def test_who_lays_single_discs_for_towers_is_told() -> None:
    top, empty, _ = pictures(KIT)
    top.put({cell: Lying(thing.colours[:1]) for cell, thing in laid(SPOTS).items()})
    with pytest.raises(BadColours, match="stacked as asked for"):
        learn(BOARD, CAMERA, POSE, empty, top.picture(), SPOTS)


def test_colours_kept_with_pictures_come_back_and_torn_ones_are_refused() -> None:
    kept = attachments_of(BOARD, LOOKS, RED_GREEN)
    assert of_attachments(kept, lambda: ()) == (LOOKS, RED_GREEN)
    assert of_attachments({}, lambda: LOOKS) == (LOOKS, KIT)  # of a hexboard that kept none
    for name in ("looks.json", "kit.json"):
        with pytest.raises(BadRecording, match="another hexboard, or damaged"):
            of_attachments({**kept, name: kept[name][:-9]}, lambda: LOOKS)


def test_looks_that_were_kept_without_their_markers_numbers_get_those_of_today() -> None:
    today = tile_looks(["J", "Z"])
    before = tuple(replace(look, number=-1) for look in today)
    kept = attachments_of(BOARD, before, KIT)
    assert of_attachments(kept, lambda: today) == (today, KIT)
    with pytest.raises(BadRecording):
        of_attachments(kept, lambda: tile_looks(["J"]))


def test_a_file_without_the_grounds_colour_is_no_good(tmp_path: Path) -> None:
    path = tmp_path / "hexhex-5.colours.json"
    store.save(path, results.Colours(1, "hexhex-5", "hexalma", "", {}, {}, ("a", "b"), 3.0))
    with pytest.raises(BadFile, match="no colour called ground"):
        results.kit(path, BOARD)


def test_on_a_plain_board_the_game_is_asked_for(tmp_path: Path) -> None:
    command = ["--home", str(tmp_path), "calibrate", "colours", "hexhex-4", "--images"]
    done = invoke(*command, tmp_path)
    assert done.exit_code == 1
    assert "does not say which game it is for: name the game with --game" in done.output
    named = invoke(*command, tmp_path, "--game", "hexalma")
    assert "no picture called empty" in named.output


@pytest.mark.long
def test_they_are_kept_with_versions_and_brought_back(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    command = ("--home", home, "calibrate", "colours", "hexhex-5")
    missing = hexboard(*command, "--images", folder)
    assert missing.returncode == 1
    assert "no picture called empty" in missing.stderr
    _, empty, pieces = pictures(RED_GREEN)
    for name, picture in (("empty", empty), ("pieces", pieces)):
        cv2.imwrite(str(folder / f"{name}.png"), picture)
    for version in (1, 2):
        done = hexboard(*command, "--images", folder)
        assert done.returncode == 0, done.stderr
        assert f"version {version}." in done.stdout
        assert "If a ruler on a disc says 26.4 mm, not 27.2, the mat was printed" in done.stdout
    assert "version 1" in hexboard(*command, "--rollback").stdout
    path = results.place(home, BOARD)
    assert results.kit(path, BOARD).pieces[0] == pytest.approx(RED_GREEN.pieces[0], abs=0.03)
    with pytest.raises(BadText, match="not rhombus-11"):
        results.kit(path, load(find("rhombus-11")))
    assert results.kit(path.with_name("none.json"), BOARD) == KIT
