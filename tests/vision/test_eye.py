"""A camera in mid-game: found, bumped, half covered, lost, and never wrong about it."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import cv2
import numpy as np
import pytest

from controller import games
from controller.board import find, load, plain
from controller.facts import Presence, Reading, Report
from controller.perception.inference import infer
from controller.vision.appearance import looks, lying
from controller.vision.camera import Pose, project
from controller.vision.device import PACE, SOURCE, Watcher
from controller.vision.eye import LOST, Eye
from controller.vision.markers import markers
from controller.vision.render import Hand, Picture, view
from controller.vision.tabletop import MODERATE, Tabletop
from controller.words import message

BOARD = load(find("hexhex-5"))
CELLS = [cell.id for cell in BOARD.cells]
CAMERA, PLACE = view(BOARD, (960, 720))
START: Any = games.find("hexalma").start(BOARD, {})
SECOND = 15
"""Frames that are looked at in a second."""


def bumped(x: float, y: float, turn: float) -> Pose:
    """The camera's place after a knock, mm and radians."""
    return Pose(PLACE.rvec + np.array([0, 0, turn]), PLACE.tvec + np.array([x, y, 0]))


def table(position: Any, pose: Pose = PLACE, seed: int = 1) -> Tabletop:
    top = Tabletop(BOARD, CAMERA, pose, seed, MODERATE)
    top.put(lying(position, BOARD))
    return top


def film(top: Tabletop, hand: Hand | None = None) -> Iterator[Picture]:
    while True:
        yield top.picture(hand)


def told(eye: Eye, pictures: Iterator[Picture], frames: int = SECOND) -> list[Any]:
    """What there is to tell of so many frames."""
    every = [eye.look(picture) for picture in islice(pictures, frames)]
    return [cells for cells in every if cells is not None]


def fresh() -> Eye:
    return Eye(BOARD, looks("hexalma"), CAMERA)


def wrong(cells: Any, position: Any) -> list[str]:
    """The cells that say something, and that something wrong."""
    pairs = zip(CELLS, cells, position.seen(), strict=True)
    return [cell for cell, codes, truth in pairs if codes and dict(codes).get(truth) != 0]


def covered(picture: Picture, pose: Pose, which: set[int]) -> Picture:
    """A beer mat on each of these markers, by their place round the board."""
    out = picture.copy()
    for k, marker in enumerate(markers(BOARD)):
        if k in which:
            rim = project(CAMERA, pose, marker.corners).round().astype(np.int32)
            cv2.fillConvexPoly(out, rim, (60, 110, 150))
    return out


@pytest.mark.parametrize("knock", [(0.5, 0.0, 0.0), (3.0, -2.0, 0.01), (-15.0, 6.0, 0.1)])
def test_a_bumped_camera_reads_right_again_within_a_second(
    knock: tuple[float, float, float],
) -> None:
    after = START.play(START.action("b3-c3"))
    eye = fresh()
    (first, *_) = told(eye, film(table(START)))
    assert wrong(first, START) == []
    taken_back, *looks = told(eye, film(table(after, bumped(*knock))))
    assert taken_back == ()
    assert len(looks) >= 1
    assert wrong(looks[0], after) == []
    verdict = infer(CELLS, [START], first, looks[0])
    assert (verdict.kind, verdict.lines[0].actions) == ("accept", ("b3-c3",))


def test_while_the_camera_swings_nothing_is_told() -> None:
    eye = fresh()
    assert told(eye, film(table(START)))[-1]
    swing = [next(film(table(START, bumped(2.0 * k, 0, 0)))) for k in (1, 2, 3, 2, 1, -1, -2, -1)]
    assert told(eye, iter(swing)) == [()]


def test_a_quiet_camera_is_never_aimed_anew() -> None:
    """To make a reader takes a fifth of a second."""
    eye = fresh()
    pictures = film(table(START))
    told(eye, pictures, 2)
    assert eye._lookout is not None
    reader = eye._lookout.watch.reader
    hand = Hand(0.0, 60.0, 1.2)
    told(eye, film(table(START), hand))
    told(eye, pictures)
    assert eye._lookout.watch.reader is reader


@pytest.mark.parametrize("which", [{0, 1, 2, 3}, {0, 2, 4, 6}])
def test_half_the_markers_may_be_covered(which: set[int]) -> None:
    for begin in (set[int](), which):  # in the game, and from the first frame on
        eye = fresh()
        pictures = film(table(START))
        told(eye, (covered(picture, PLACE, begin) for picture in pictures))
        hidden = (covered(picture, PLACE, which) for picture in pictures)
        every = told(eye, hidden, 2 * SECOND)
        assert eye.lost is None
        assert () != every[-1]
        assert wrong(every[-1], START) == []


def test_lost_is_said_and_nothing_is_told_until_the_board_is_found() -> None:
    eye = fresh()
    pictures = film(table(START))
    assert told(eye, pictures)
    hidden = (covered(picture, PLACE, set(range(6))) for picture in pictures)
    assert told(eye, hidden, LOST - 1) == [()]
    assert eye.lost is None  # somebody leans over the board
    assert told(eye, hidden, 2 * SECOND) == []
    assert eye.lost == message("registration.few", seen=2, least=3)
    again = told(eye, pictures)
    assert eye.lost is None
    assert wrong(again[0], START) == []


def test_another_boards_mat_is_not_read() -> None:
    other = plain("rhombus-11")
    camera, pose = view(other, (960, 720))
    top = Tabletop(other, camera, pose, 1, MODERATE)
    eye = fresh()
    assert told(eye, film(top)) == []
    assert eye.lost == message("registration.foreign")


# ----------------------------------------------------------------------------------- as reports


class Desk:
    """A watcher and what it has posted."""

    def __init__(self) -> None:
        self.reports: list[Report] = []
        self.watcher = Watcher(fresh(), "cam", self.reports.append)
        self.t = 0

    def look(self, pictures: Iterator[Picture], frames: int = SECOND, each: int = PACE) -> None:
        for picture in islice(pictures, frames):
            self.t += each
            self.watcher.look(picture, self.t)

    def said(self) -> list[str]:
        """What was posted since, in short."""
        out = []
        for report in self.reports:
            assert report.source == SOURCE
            match report.body:
                case Presence(up, why):
                    out.append(f"{'up' if up else 'down'}: {why}" if why else "up")
                case Reading(cells):
                    out.append("reading" if cells else "hand")
        self.reports.clear()
        return [a for a, b in zip(out, [None, *out], strict=False) if a != b]


def test_a_camera_that_goes_takes_its_reading_back_and_says_why() -> None:
    desk = Desk()
    pictures = film(table(START))
    desk.look(pictures)
    assert desk.said() == ["up", "reading"]
    desk.watcher.trouble(message("camera.gone", camera="cam"))
    desk.watcher.trouble(message("camera.absent", camera="cam"))
    desk.watcher.trouble(None)
    gone, absent = "The camera cam is gone.", "There is no camera cam."
    (hand, first, second) = desk.said()
    assert hand == "hand"
    assert first.startswith(f"down: {gone}")
    assert second.startswith(f"down: {absent}")
    desk.look(pictures)
    assert desk.said() == ["up", "reading"]


def test_a_lost_board_is_said_once_and_so_is_its_return() -> None:
    desk = Desk()
    pictures = film(table(START))
    dark = iter([np.full((720, 960, 3), 40, np.uint8)] * 2 * SECOND)
    desk.look(pictures)
    desk.look(dark, 2 * SECOND)
    up, reading, hand, lost = desk.said()
    assert (up, reading, hand) == ("up", "reading", "hand")
    assert lost.startswith("up: The board is lost: 0 of its markers can be seen")
    desk.look(pictures)
    assert desk.said() == ["up", "reading"]


def test_pictures_of_another_size_than_the_lens_was_measured_at_are_refused() -> None:
    desk = Desk()
    desk.look(iter([np.zeros((480, 640, 3), np.uint8)] * 5))
    (refused,) = desk.said()
    assert refused.startswith("down: The camera cam gives pictures of 640 x 480, but its lens was")
    assert "960 x 720" in refused


def test_a_fast_camera_is_not_looked_at_more_often_than_a_slow_one() -> None:
    desk = Desk()
    desk.look(film(table(START)), SECOND, PACE // 4)
    assert desk.said() == ["up"]  # four frames: not yet at rest
