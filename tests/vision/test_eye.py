"""A camera in mid-game: found, bumped, half covered, lost, and never wrong about it."""

from collections.abc import Iterator
from functools import cache
from itertools import count, cycle, islice
from typing import Any

import cv2
import numpy as np
import pytest

from hexboard.board import find, load, plain
from hexboard.daemon.camera import DIP_S
from hexboard.facts import MS, Presence, Reading, Report
from hexboard.game import registry
from hexboard.perception.inference import infer
from hexboard.simulator.camera.render import Hand, view
from hexboard.simulator.camera.tabletop import MODERATE, Tabletop
from hexboard.vision.cells.reading import Reader
from hexboard.vision.device import PACE_NS, SOURCE, Watcher
from hexboard.vision.eye import COVERED_NS, LOST_NS, SWING_FRAMES, SWUNG_FRAMES, Eye
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Pose, project
from hexboard.vision.lamps import LAG_NS, Lamps, Lit
from hexboard.vision.marks.markers import markers
from hexboard.vision.pose.beacons import MISSED_FRAMES
from hexboard.vision.settling import DIP_READINGS, QUIET_FRAMES
from hexboard.words import Message, message
from tests.looking import looks, lying

BOARD = load(find("hexhex-5"))
CELLS = [cell.id for cell in BOARD.cells]
CAMERA, PLACE = view(BOARD)
START: Any = registry.find("hexalma").start(BOARD, {})
Knock = tuple[float, float, float]
SECOND = 15
"""Frames that are looked at in a second."""
CLOCK = count(0, PACE_NS)
"""When they are exposed, ns."""


def bumped(x: float, y: float, turn: float) -> Pose:
    """The camera's place after a knock, mm and radians."""
    return Pose(PLACE.rvec + np.array([0, 0, turn]), PLACE.tvec + np.array([x, y, 0]))


STILL: Knock = (0.0, 0.0, 0.0)


def film(
    position: Any = START, knock: Knock = (0.0, 0.0, 0.0), hand: Hand | None = None
) -> Iterator[Picture]:
    """What the camera sees, for ever."""
    return cycle(drawn(position, knock, hand))


@cache
def drawn(position: Any, knock: Knock, hand: Hand | None) -> tuple[Picture, ...]:
    """A few pictures, no two alike."""
    top = Tabletop(BOARD, CAMERA, bumped(*knock), 1, MODERATE)
    top.put(lying(position, BOARD))
    return tuple(top.picture(hand) for _ in range(2))


def told(eye: Eye, pictures: Iterator[Picture], frames: int = SECOND) -> list[Any]:
    """What there is to tell of so many frames."""
    every = [eye.look(picture, next(CLOCK)) for picture in islice(pictures, frames)]
    return [cells for cells in every if cells is not None]


def fresh() -> Eye:
    return Eye(BOARD, looks("hexalma"), CAMERA)


def why(eye: Eye) -> Message | None:
    """Why it cannot read the board just now."""
    return eye.trouble


def shows(cells: Any, position: Any) -> bool:
    """Whether a reading says that this lies on the board, and nothing else."""
    return infer(CELLS, [position], None, cells).kind == "same"


def covered(picture: Picture, pose: Pose, which: set[int]) -> Picture:
    """A card of white paper on each of these markers, by their place round the board."""
    out = picture.copy()
    for k, marker in enumerate(markers(BOARD)):
        if k in which:
            middle = np.array((marker.x, marker.y))
            card = middle + (np.array(marker.corners) - middle) * 1.15
            rim = project(CAMERA, pose, card).round().astype(np.int32)
            cv2.fillConvexPoly(out, rim, out[tuple(rim[0, ::-1])].tolist())
    return out


@pytest.mark.long
@pytest.mark.parametrize("knock", [(0.5, 0.0, 0.0), (4.0, -15.0, 0.03)])
def test_a_bumped_camera_reads_right_again_within_a_second(
    knock: Knock,
) -> None:
    after = START.play(START.action("b3-c3"))
    eye = fresh()
    (first, *_) = told(eye, film())
    assert shows(first, START)
    taken_back, *looks = told(eye, film(after, knock))
    assert taken_back == ()
    assert len(looks) >= 1
    assert shows(looks[0], after)
    verdict = infer(CELLS, [START], first, looks[0])
    assert (verdict.kind, verdict.lines[0].actions) == ("accept", ("b3-c3",))


@pytest.mark.long
def test_while_the_camera_swings_nothing_is_told() -> None:
    eye = fresh()
    assert told(eye, film())[-1]
    swing = [next(film(START, (2.0 * k, 0.0, 0.0))) for k in (0, 1, -1) * 4]
    assert told(eye, iter(swing)) == [()]


def shaking(px: float) -> Iterator[Picture]:
    """The board at the start under a camera that never stands still."""
    still, other = drawn(START, (0.0, 0.0, 0.0), None)
    aside = cv2.warpAffine(
        other, np.array([[1, 0, px], [0, 1, 0]]), CAMERA.size, borderMode=cv2.BORDER_REPLICATE
    )
    return cycle([still, np.asarray(aside, np.uint8)])


@pytest.mark.long
def test_a_camera_that_shakes_a_little_is_read_from_its_middle() -> None:
    eye = fresh()
    (first, *_) = told(eye, shaking(0.8), SWING_FRAMES + QUIET_FRAMES)
    assert shows(first, START)
    assert eye.trouble is None


def test_a_camera_that_shakes_more_is_not_read_and_that_is_said() -> None:
    eye = fresh()
    pictures = shaking(1.2)
    assert told(eye, pictures, SWUNG_FRAMES - 1) == []
    assert why(eye) is None  # it may have been knocked
    assert told(eye, pictures, 2) == []
    assert why(eye) == message("registration.shakes")
    assert told(eye, islice(film(), SECOND), SECOND)  # somebody has fastened it
    assert why(eye) is None


@pytest.mark.long
def test_a_quiet_camera_is_never_aimed_anew() -> None:
    """To make a reader takes a fifth of a second."""
    eye = fresh()
    pictures = film()
    told(eye, pictures, 2)
    assert eye._lookout is not None
    reader = eye._lookout.watch.reader
    hand = Hand(0.0, 60.0, 1.2)
    told(eye, film(hand=hand))
    told(eye, pictures)
    assert eye._lookout.watch.reader is reader


@pytest.mark.long
@pytest.mark.parametrize("which", [{0, 1, 2, 3}, {0, 2, 4, 6}])
def test_half_the_markers_may_be_covered(which: set[int]) -> None:
    for begin in (set[int](), which):  # in the game, and from the first frame on
        eye = fresh()
        pictures = film()
        told(eye, (covered(picture, PLACE, begin) for picture in pictures))
        hidden = (covered(picture, PLACE, which) for picture in pictures)
        every = told(eye, hidden, 2 * SECOND)
        assert eye.trouble is None
        assert shows(every[-1], START)


@pytest.mark.long
def test_in_the_game_markers_along_one_side_are_enough() -> None:
    eye = fresh()
    pictures = film()
    told(eye, pictures)
    hidden = (covered(picture, PLACE, {0, 1, 5, 6, 7}) for picture in pictures)
    every = told(eye, hidden, 2 * SECOND)
    assert eye.trouble is None
    assert shows(every[-1], START)


@pytest.mark.long
def test_lost_is_said_and_nothing_is_told_until_the_board_is_found() -> None:
    eye = fresh()
    pictures = film()
    assert told(eye, pictures, 5 * SECOND)  # by now it reads every ten seconds only
    hidden = (covered(picture, PLACE, set(range(6))) for picture in pictures)
    assert told(eye, hidden, LOST_NS // PACE_NS) == [()]
    assert why(eye) is None  # somebody leans over the board
    assert told(eye, hidden, 2 * SECOND) == []
    which = "upper left, top, upper right, right, lower right, bottom"
    assert why(eye) == message("registration.few", seen=2, least=3, hidden=which)
    again = told(eye, pictures)
    assert why(eye) is None
    assert shows(again[0], START)


@pytest.mark.long
def test_a_mat_that_is_not_wholly_in_the_picture_is_not_read() -> None:
    """Its rim says how the light falls, and who reaches over it."""
    eye = fresh()
    assert told(eye, film(START, (-15.0, 6.0, 0.1))) == []
    assert eye.trouble == message("registration.outside")


@pytest.mark.long
@pytest.mark.parametrize("each", [PACE_NS, 400 * MS])
def test_what_lies_on_the_mats_rim_for_long_is_said_by_however_slow_a_camera(each: int) -> None:
    desk = Desk()
    resting = film(hand=Hand(0.0, 60.0, 1.2))
    desk.look(resting, COVERED_NS // each, each)
    assert desk.said() == ["up"]
    desk.look(resting, 3, each)
    (covered,) = desk.said()
    assert covered.startswith("up: Something has covered the mat's rim")
    desk.look(film())
    assert desk.said() == ["reading", "up"]


@pytest.mark.long
def test_a_board_that_never_comes_to_rest_though_nobody_is_there_is_said_with_its_cells() -> None:
    """A shadow that swings over two of them; under a hand that would be no news."""
    desk, each = Desk(), 400 * MS
    swings = cycle(
        (*drawn(START, STILL, None), *drawn(START.play(START.action("b3-c3")), STILL, None))
    )
    desk.look(swings, COVERED_NS // each, each)
    assert desk.said() == ["up"]
    desk.look(swings, 5, each)
    (restless,) = desk.said()
    assert restless.startswith("up: Nothing can be read: nobody is at the board, but b3, c3 look")
    desk.look(film())
    assert desk.said() == ["reading", "up"]
    over = (*drawn(START, STILL, Hand(0.0, 60.0, 1.2)), *drawn(START, STILL, Hand(0.0, 40.0, 1.2)))
    desk.look(cycle(over), COVERED_NS // each, each)
    desk.look(swings, 4, each)  # it goes, and nothing has come to rest yet
    assert desk.said() == ["hand"]


def test_a_slow_camera_loses_the_board_as_soon_as_a_fast_one() -> None:
    desk = Desk()
    desk.look(film(), 3, 400 * MS)
    desk.look(iter([np.full((960, 1280, 3), 40, np.uint8)] * 3), 3, 400 * MS)
    assert [said[:22] for said in desk.said()] == ["up", "up: The board is lost:"]


@pytest.mark.long
def test_another_boards_mat_is_not_read() -> None:
    other = plain("rhombus-11")
    camera, pose = view(other)
    top = Tabletop(other, camera, pose, 1, MODERATE)
    eye = fresh()
    assert told(eye, cycle([top.picture(), top.picture()])) == []
    assert eye.trouble == message("registration.foreign")


# ----------------------------------------------------------------------------------- as reports


class Desk:
    """A watcher and what it has posted."""

    def __init__(self, eye: Eye | None = None, name: str = "cam") -> None:
        self.reports: list[Report] = []
        self.views: list[bytes] = []
        self.wishes: list[tuple[int, str]] = []
        post, show = self.reports.append, self.views.append
        self.watcher = Watcher(eye or fresh(), name, post, show, self._wish)
        self.t = 0

    def _wish(self, wish: str) -> None:
        self.wishes.append((self.t, wish))

    @property
    def wished(self) -> str:
        """What the lights should show now."""
        return self.wishes[-1][1] if self.wishes else ""

    def look(self, pictures: Iterator[Picture], frames: int = SECOND, each: int = PACE_NS) -> None:
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
    pictures = film()
    desk.look(pictures)
    assert desk.said() == ["up", "reading"]
    desk.watcher.trouble(message("camera.gone", camera="cam"))
    desk.watcher.trouble(message("camera.absent", camera="cam"))
    desk.watcher.trouble(None)
    gone, absent = "The camera cam is gone.", "There is no camera cam"
    (hand, first, second) = desk.said()
    assert hand == "hand"
    assert first.startswith(f"down: {gone}")
    assert second.startswith(f"down: {absent}")
    desk.look(pictures)
    assert desk.said() == ["up", "reading"]


def test_a_lost_board_is_said_once_and_so_is_its_return() -> None:
    desk = Desk()
    pictures = film()
    dark = iter([np.full((960, 1280, 3), 40, np.uint8)] * 2 * SECOND)
    desk.look(pictures)
    desk.look(dark, 2 * SECOND)
    up, reading, hand, lost = desk.said()
    assert (up, reading, hand) == ("up", "reading", "hand")
    assert lost.startswith("up: The board is lost: 0 of its markers can be seen")
    desk.look(pictures)
    assert desk.said() == ["up", "reading"]


def test_whoever_works_at_a_lost_mat_hears_of_other_hidden_markers_once_a_minute() -> None:
    desk, each = Desk(), 12_000 * MS
    (picture, *_) = drawn(START, (0.0, 0.0, 0.0), None)
    desk.look(film())
    desk.said()
    hidden = (covered(picture, PLACE, set(range(k % 3, k % 3 + 6))) for k in count())
    desk.look(hidden, 6, each)
    hand, once = desk.said()
    assert hand == "hand"
    assert once.startswith("up: The board is lost: 2 of its markers")
    desk.look(hidden, 1, each)
    (again,) = desk.said()
    assert again.startswith("up: The board is lost: 2 of its markers")
    assert again != once


def test_a_camera_that_begins_to_shake_is_said_to_once() -> None:
    """Half of its pictures are where they were before."""
    desk = Desk()
    desk.look(film(), 8)
    desk.look(shaking(1.2), SWING_FRAMES + 4)
    up, reading, hand, shakes = desk.said()
    assert (up, reading, hand) == ("up", "reading", "hand")
    assert shakes.startswith("up: The camera shakes.")


def test_pictures_of_another_size_than_the_lens_was_measured_at_are_refused() -> None:
    desk = Desk(name="http://me:secret@cam/video")
    desk.look(iter([np.zeros((480, 640, 3), np.uint8)] * 5))
    (refused,) = desk.said()
    assert refused.startswith(
        "down: The camera http://cam/video gives pictures of 640 x 480, but its lens was"
    )
    assert "1280 x 960" in refused


def test_a_stream_that_alternates_between_two_sizes_is_said_once() -> None:
    """Fifteen seconds of it; then it keeps to the right one, and is read."""
    desk, small = Desk(), np.zeros((480, 640, 3), np.uint8)
    (picture, *_) = drawn(START, (0.0, 0.0, 0.0), None)
    desk.look(cycle([picture, picture, small]), 15 * SECOND)
    assert [line[:4] for line in desk.said()] == ["up", "down"]
    desk.look(film(), 4 * SECOND)
    assert desk.said() == ["up", "reading"]


def test_a_fast_camera_is_not_looked_at_more_often_than_a_slow_one() -> None:
    desk = Desk()
    desk.look(film(), SECOND, PACE_NS // 4)
    assert desk.said() == ["up"]  # four frames: not yet at rest


def test_people_are_shown_a_picture_a_second() -> None:
    desk = Desk()
    desk.look(film(), SECOND, 100 * MS)
    assert [view[:2] for view in desk.views] == [b"\xff\xd8"] * 2  # at 0.1 and 1.1 s


# --------------------------------------------------------------------------------- with lights

GLOW = (3.0, 2.4, 2.0)
LIGHTS = dict.fromkeys(("e5", "a1", "c4", "c5", "d5", "e1"), GLOW)
NUMBERS = tuple(CELLS.index(cell) for cell in LIGHTS)


@cache
def shining() -> tuple[Picture, ...]:
    """The board at the start with these lights on."""
    top = Tabletop(BOARD, CAMERA, PLACE, 1, MODERATE)
    top.put(lying(START, BOARD))
    drawn = top.renderer.frame
    return tuple(drawn(top.lying, top.light, seed, lit=LIGHTS) for seed in (1, 2))


def seen_lit(
    desk: Desk, frames: int, obeys: bool = True, hidden: bool = False, each: int = PACE_NS
) -> None:
    """Frames of a board whose lights blink, and go off when that is wanted; or nobody sees them."""
    lamps = desk.watcher.lamps
    lamps.switch(Lit(desk.t, NUMBERS))
    wanted = ""
    for k in range(frames):
        if desk.wished != wanted and obeys:
            wanted = desk.wished
            lamps.switch(Lit(desk.t, () if wanted else NUMBERS))
        lit = not (wanted or hidden or k // 3 % 2)
        shots = shining() if lit else drawn(START, (0.0, 0.0, 0.0), None)
        desk.look(iter([shots[k % 2]]), 1, each)


@pytest.mark.long
def test_blinking_lights_are_no_motion_and_go_off_once_for_the_reading() -> None:
    desk = Desk()
    seen_lit(desk, 6 * SECOND)
    looks = [r.body for r in desk.reports if isinstance(r.body, Reading) and r.body.cells]
    assert len(looks) == DIP_READINGS
    assert all(shows(look.cells, START) for look in looks)
    (off, dark), (on, light) = desk.wishes
    assert (dark, light) == ("dark", "")
    assert on - off < 800 * MS
    desk.look(film(hand=Hand(0.0, 60.0, 1.2)), 3)  # a hand was there: once more
    seen_lit(desk, 4 * SECOND)
    assert [wish for _, wish in desk.wishes] == ["dark", ""] * 2


@pytest.mark.long
def test_lights_that_do_not_go_off_are_not_waited_for_for_ever() -> None:
    desk = Desk()
    seen_lit(desk, 4 * SECOND, obeys=False)
    assert [wish for _, wish in desk.wishes] == ["dark", ""]
    looks = [r.body for r in desk.reports if isinstance(r.body, Reading) and r.body.cells]
    assert len(looks) == DIP_READINGS  # as many as in the dark, and not one a frame from then on


def test_a_slow_camera_gets_done_in_one_dip_too() -> None:
    desk = Desk()
    seen_lit(desk, 14, hidden=True, each=250 * MS)
    (off, dark), (on, light) = desk.wishes
    assert (dark, light) == ("dark", "")
    assert on - off < DIP_S * 1000 * MS
    assert desk.said() == ["up", "reading"]


@pytest.mark.long
def test_a_lit_board_is_read_again_when_balls_are_known_to_lie_elsewhere() -> None:
    """The table holds a roll for over after the board has come to rest."""
    desk = Desk()
    desk.watcher.eye.known = None
    seen_lit(desk, 18)
    desk.watcher.eye.known = ("a1",)
    seen_lit(desk, 14)
    assert [wish for _, wish in desk.wishes] == ["dark", ""] * 2
    assert len([r for r in desk.reports if isinstance(r.body, Reading)]) == 2 * DIP_READINGS


@pytest.mark.long
def test_lights_would_be_read_as_pieces_or_make_cells_silent() -> None:
    """Why they go off."""
    reader = Reader(BOARD, looks("hexalma"), CAMERA, PLACE)
    assert shows(reader.read(drawn(START, (0.0, 0.0, 0.0), None)[0]).cells, START)
    read = reader.read(shining()[0])
    free = [k for k in NUMBERS if not START.seen()[k]]
    assert any(dict(read.cells[k]).get(0, 3000) > 0 for k in free)


def test_a_frame_shows_what_was_lit_just_before_it() -> None:
    lamps = Lamps()
    lamps.switch(Lit(1000 * MS, (3,)))
    lamps.switch(Lit(2000 * MS, (4,)))
    lamps.switch(Lit(3000 * MS, ()))
    assert lamps.at(999 * MS).now == set()
    assert lamps.at(1500 * MS).now == {3}
    assert lamps.at(2000 * MS + LAG_NS // 2).now == {3, 4}
    assert lamps.at(2000 * MS + LAG_NS).now == {4}
    assert lamps.at(3000 * MS + LAG_NS).now == set()
    assert lamps.at(3000 * MS + LAG_NS).lately == {4}
    assert lamps.at(4100 * MS).lately == set()


ALL = tuple(range(len(CELLS)))


@cache
def unmarked(position: Any, knock: Knock, every: bool) -> tuple[Picture, ...]:
    """A board on plain paper without markers, all of its lights on or off."""
    top = Tabletop(BOARD, CAMERA, bumped(*knock), 1, MODERATE)
    top.put(lying(position, BOARD))
    lit = dict.fromkeys(CELLS, (0.9, 0.9, 0.9)) if every else None
    shots = (top.renderer.frame(top.lying, top.light, seed, lit=lit) for seed in (1, 2))
    return tuple(covered(shot, bumped(*knock), set(range(8))) for shot in shots)


def seen_unmarked(
    desk: Desk, position: Any, knock: Knock, frames: int = 2 * SECOND, up: bool = True
) -> None:
    """Frames of that board, whose lights show what is wished and are dark else."""
    shown = None
    for k in range(frames):
        if desk.wished != shown:
            shown = desk.wished
            every = shown == "all"
            desk.watcher.lamps.switch(Lit(desk.t, ALL if every else (), up, every))
        desk.look(iter([unmarked(position, knock, shown == "all")[k % 2]]), 1)


@pytest.mark.long
def test_a_board_without_markers_is_found_by_its_lights_and_again_after_a_bump() -> None:
    desk = Desk(Eye(BOARD, looks("hexalma"), CAMERA, before=PLACE))
    seen_unmarked(desk, START, (0.0, 0.0, 0.0))
    (look, *_) = [r.body for r in desk.reports if isinstance(r.body, Reading) and r.body.cells]
    assert shows(look.cells, START)
    assert [wish for _, wish in desk.wishes] == ["all", "dark", ""]  # once, and not again
    desk.reports.clear()
    desk.wishes.clear()
    bump, after = desk.t, START.play(START.action("b3-c3"))
    seen_unmarked(desk, after, (4.0, -15.0, 0.03), 3 * SECOND)
    assert [wish for _, wish in desk.wishes] == ["all", "dark", ""]
    assert desk.t - bump > 1000 * MS > desk.wishes[-1][0] - bump  # found within a second
    looked = [r.body for r in desk.reports if isinstance(r.body, Reading)]
    assert looked[0] == Reading()
    verdict = infer(CELLS, [START], look.cells, looked[-1].cells)
    assert (verdict.kind, verdict.lines[0].actions) == ("accept", ("b3-c3",))


@pytest.mark.long
def test_a_camera_that_goes_takes_back_what_it_wished_for() -> None:
    """Else lights would go on and off for a camera that is not there."""
    desk = Desk(Eye(BOARD, looks("hexalma"), CAMERA, before=PLACE))
    seen_unmarked(desk, START, (0.0, 0.0, 0.0), MISSED_FRAMES)
    assert desk.wished == "all"
    desk.watcher.trouble(message("camera.gone", camera="cam"))
    assert desk.wished == ""
    desk.look(iter(unmarked(START, (0.0, 0.0, 0.0), False)), 1)
    assert desk.wished == "all"


@pytest.mark.long
@pytest.mark.parametrize(("before", "up"), [(None, True), (PLACE, False)])
def test_without_lights_or_a_placement_a_board_without_markers_is_lost(
    before: Pose | None, up: bool
) -> None:
    desk = Desk(Eye(BOARD, looks("hexalma"), CAMERA, before=before))
    seen_unmarked(desk, START, (0.0, 0.0, 0.0), SECOND, up)
    assert desk.wishes == []
    assert desk.said()[-1].startswith("up: The board is lost: 0 of its markers")


@pytest.mark.long
def test_a_shadow_that_is_a_hand_in_most_pictures_is_said() -> None:
    """Its soft edge over the rim: rest never comes, and nobody knew why nothing was read."""
    eye = fresh()
    told(eye, film(), 20)
    shadow, none = drawn(START, STILL, Hand(0.0, 60.0, 1.2)), drawn(START, STILL, None)
    told(eye, cycle((*shadow[:1] * QUIET_FRAMES, none[0])), COVERED_NS // PACE_NS + SECOND)
    assert eye.trouble == message("registration.covered")
    told(eye, film(), 2 * SECOND)
    assert eye.trouble is None
