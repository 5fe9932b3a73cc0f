"""Eye: what a camera over a board has to tell, frame by frame, wherever the camera is bumped to.

eye = Eye(board, looks(game), camera)
told = eye.look(picture, t)     # every frame: None, or what the table should hear of it
eye.balls                       # where balls lie, by that
eye.trouble                     # why it cannot read the board, as long as it cannot
"""

from collections import deque

import cv2
import numpy as np

from hexboard.appearance import KIT, QUIET_MM, Kit, Look
from hexboard.board import Board
from hexboard.facts import CellCosts, Sample, Tint
from hexboard.vision.cells.balls import Resting
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, project
from hexboard.vision.lamps import DARK, Shining
from hexboard.vision.marks.markers import markers, paper
from hexboard.vision.pose.beacons import Beacons
from hexboard.vision.pose.registration import Registration
from hexboard.vision.settling import Lookout, Sight, lookout
from hexboard.words import Message, message

SHIFT_PX = 0.5
"""Cells that have moved less than this are read where they were."""
SWING_FRAMES, SWUNG_FRAMES = 30, 22
"""When in so many of the last frames the camera stood elsewhere than before, it is no bump."""
LOST_NS = 500_000_000
"""So long without the board until it is called lost: people lean over boards."""

BUMP_SHARE = 0.3
"""When so large a share of the cells moves at once, it is the camera."""
COVERED_NS = 20_000_000_000
"""So long with a hand over the mat's rim until it is taken for a thing that lies there; and with
motion in cells, without a hand, until it is taken for that of a light."""
NAMED = 6
"""So many such cells are named."""
AFRESH_NS = 60_000_000_000
"""Between two words about the same trouble, when other markers are hidden for one."""
SILENT, HEARD = 0.5, 0.3
"""The share of cells that tell nothing from which on that is said, and below which it no longer
is."""
SILENT_READINGS = 3
"""So many readings in a row must agree about that."""
SHAKES = message("registration.shakes")


class Eye:
    """Finds one board in the pictures of one camera, and reads it whenever it is at rest."""

    def __init__(
        self,
        board: Board,
        looks: tuple[Look, ...],
        camera: Camera,
        kit: Kit = KIT,
        before: Pose | None = None,
    ) -> None:
        """`before` is where the camera was put up; a board without markers needs it."""
        self.board, self.camera = board, camera
        self.trouble: Message | None = None
        """Why the board cannot be read; None while it can, and before that is certain."""
        self.pose: Pose | None = None
        """Where the camera stands over the cells that are read."""
        self.known: tuple[str, ...] | None = ()
        """The places where balls are known to lie; None while they roll."""
        self.tint = Tint()
        """In which colours to read."""
        self._looks, self._kit = looks, kit
        self._registration = Registration(camera, markers(board))
        self._beacons = Beacons(camera, board, before)
        self._missed: int | None = None  # since when the board is not found, ns
        self._reached: int | None = None  # since when a hand is over its rim, ns
        self._stirred: int | None = None  # since when cells move and nobody is there, ns
        self._said = 0  # when the trouble was last put into words, ns
        box = paper(board).grown(-QUIET_MM / 2)
        across, along = (box.left, 0.0, box.right), (box.low, 0.0, box.high)
        self._rim = np.array([(x, y) for x in across for y in along])
        self._middles = np.array([(cell.x, cell.y) for cell in board.cells])
        self._poses: deque[Pose] = deque(maxlen=SWING_FRAMES)  # of the last frames with the board
        self._spots: Array | None = None  # where the cells are read, px
        self._lookout: Lookout | None = None
        self._resting = False  # a reading was told and not yet taken back
        self._silent: deque[int] = deque(maxlen=SILENT_READINGS)  # cells, in the last readings
        self._mute = False  # most cells tell nothing

    @property
    def wish(self) -> str:
        """What the board's lights should show the camera: `all`, `dark`, "" for the game's."""
        dark = self._lookout is not None and self._lookout.wants_dark
        return self._beacons.wish or ("dark" if dark else "")

    @property
    def balls(self) -> tuple[str, ...] | None:
        """The places where balls lay in the last reading; None where that is not known."""
        return self._lookout.balls if self._lookout is not None else None

    @property
    def samples(self) -> tuple[Sample, ...]:
        """How what was read last looks."""
        return self._lookout.samples if self._lookout is not None else ()

    @property
    def read_by(self) -> Tint:
        """The tint by which that was read."""
        return self._lookout.watch.reader.tint if self._lookout is not None else self.tint

    @property
    def resting(self) -> Resting | None:
        """What finds balls at rest, in a game that has some."""
        return self._lookout.resting if self._lookout is not None else None

    def look(self, picture: Picture, t: int, lamps: Shining = DARK) -> tuple[CellCosts, ...] | None:
        """A reading of the board at rest; () when it can no longer be relied on; None for no news.
        `t` is when the picture was exposed, ns.

        Raises `ValueError` for a picture of another size than the camera's.
        """
        state = self._registration.look(picture)
        if state.pose is not None:
            self._beacons.rest(state.pose)
        pose = state.pose or self._beacons.look(picture, lamps)
        if pose is None or not (pose is self.pose or self._whole(pose)):
            self._missed = t if self._missed is None else self._missed
            if t - self._missed >= LOST_NS:
                self._suffer(state.why or message("registration.outside"), t)
            return self.blind()
        self._missed = None
        self._poses.append(pose)
        if self._lookout is None or self._shifted(pose):
            steady = self._steady() if state.moved else pose
            if steady is None:  # a camera that still swings
                return self.blind()
            self._lookout = self._aimed(steady)
        self._lookout.watch.reader.follow(self.tint)
        told = self._lookout.look(picture, lamps, self.known)
        if len(self._lookout.sight.moving) > BUMP_SHARE * len(self.board.cells):
            self._beacons.bumped()
        sight = self._lookout.sight
        moves = sight.moving or self._stirred is not None
        hand = sight.hand or (self._reached is not None and not sight.settled)  # or a shadow's edge
        self._reached = self._since(self._reached, hand, t)
        self._stirred = self._since(self._stirred, moves and _restless(sight), t)
        covered = self._reached is not None and t - self._reached >= COVERED_NS
        if covered and sight.hand:
            self._suffer(message("registration.covered"), t)
        elif self._stirred is not None and t - self._stirred >= COVERED_NS:
            if sight.moving:
                self._suffer(message("registration.restless", cells=self._named(sight.moving)), t)
        elif not (covered or (self.trouble == SHAKES and self._shakes())):
            self.trouble = self._muteness(told)
        return self._telling(told)

    @staticmethod
    def _since(before: int | None, now: object, t: int) -> int | None:
        """Since when something is so, ns, that is or is not so at `t`."""
        return None if not now else t if before is None else before

    def _named(self, cells: tuple[int, ...]) -> str:
        names = [self.board.cells[k].id for k in cells]
        return ", ".join(names[:NAMED]) + " …" * (len(names) > NAMED)

    def _muteness(self, told: tuple[CellCosts, ...] | None) -> Message | None:
        """That most cells tell nothing, by the last readings, and what to do."""
        if told:
            self._silent.append(sum(not cell for cell in told))
        if len(self._silent) == SILENT_READINGS:
            count = len(self.board.cells)
            if min(self._silent) >= SILENT * count:
                self._mute = True
            elif max(self._silent) < HEARD * count:
                self._mute = False
        if not self._mute:
            return None
        if self.trouble is not None and self.trouble.key == "registration.silent":
            return self.trouble
        most, board = max(self._silent), self.board
        return message("registration.silent", silent=most, all=len(board.cells), board=board.name)

    def blind(self) -> tuple[CellCosts, ...] | None:
        """Nothing can be seen just now: () where something was told that no longer holds."""
        if self._lookout is not None:
            self._lookout = self._lookout.anew()
        return self._telling(() if self._resting else None)

    def _suffer(self, why: Message, t: int) -> None:
        """Why the board cannot be read; the words of one reason do not change with every frame."""
        same = self.trouble is not None and why.key == self.trouble.key
        if not same or t - self._said >= AFRESH_NS:
            self.trouble, self._said = why, t

    def _telling(self, told: tuple[CellCosts, ...] | None) -> tuple[CellCosts, ...] | None:
        if told is not None:
            self._resting = told != ()
        return told

    def _whole(self, pose: Pose) -> bool:
        """Whether the whole mat is in the picture: its rim is the light's reference."""
        rim = project(self.camera, pose, self._rim)
        return bool(((rim >= 0) & (rim <= np.array(self.camera.size) - 1)).all())

    def _shifted(self, pose: Pose) -> bool:
        """Whether the cells lie elsewhere in the picture than they are read."""
        if pose is self.pose:
            return False
        now = project(self.camera, pose, self._middles)
        return self._spots is None or float(np.abs(now - self._spots).max()) > SHIFT_PX

    def _shakes(self) -> bool:
        """Whether the camera has not stood still for long."""
        return len(set(self._poses)) >= SWUNG_FRAMES

    def _steady(self) -> Pose | None:
        """The middle of where a camera stands that shakes: None for one that swings a moment, or
        so far that its cells cannot be read from there, which is said."""
        if not self._shakes():
            return None
        seen = np.array([project(self.camera, pose, self._middles) for pose in self._poses])
        middle = seen.mean(0)
        if float(np.abs(seen - middle).max()) > SHIFT_PX:
            self.trouble = SHAKES
            return None
        points = np.hstack([self._middles, np.zeros((len(middle), 1))])
        ok, rvec, tvec = cv2.solvePnP(points, middle, self.camera.matrix, self.camera.distortion)
        return Pose(np.asarray(rvec).ravel(), np.asarray(tvec).ravel()) if ok else None

    def _aimed(self, pose: Pose) -> Lookout:
        self.pose = pose
        self._poses.clear()
        self._spots = project(self.camera, pose, self._middles)
        rim = self._lookout.watch.rim if self._lookout is not None else None
        return lookout(self.board, self._looks, self.camera, pose, self._kit, rim)


def _restless(sight: Sight) -> bool:
    """Whether a board is not at rest though nobody is there and nothing rolls."""
    return not (sight.settled or sight.hand or sight.rolls)
