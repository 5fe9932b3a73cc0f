"""Shot: a picture that was read, kept with all that reading it again needs.

    shot = taken(t, picture, board, camera, pose, cells, certain, resting)
    again = reread(shot, board, looks(game), kit)
    differing(shot.cells, again)            # the cells that are read otherwise
    balls_reread(shot, board, kit)          # where balls lie, of a game that has some

The picture is cut to the mat and packed without loss: where readings differ, it is the reader. What
holds for all shots of a recording is kept once, beside them:

    attachments = attachments_of(board, looks, kit)
    looks, kit = of_attachments(attachments, lambda: looks)
"""

from collections.abc import Callable, Mapping

import cv2
import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from hexboard.appearance import KIT, Kit, Look
from hexboard.board import Board
from hexboard.facts import CellCosts, Tint
from hexboard.vision.cells.balls import Balls, Map, Resting
from hexboard.vision.cells.reading import Reader, best
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Camera, Pose, project
from hexboard.vision.marks.markers import paper
from hexboard.words.errors import NO_JSON, BadRecording, BadText

DOUBT_CNAT = 1000
"""A cell whose second code costs less is doubtful, 1/100 nat."""

SMALL_PX = 480
"""The longer side of a picture for people."""
DEPTH = 16384.0
"""Of a packed look, steps from dark to white paper: root of the light 0 to 4."""


class Shot(Struct, frozen=True):
    """One picture of a board at rest, and what was read in it."""

    at: int
    """When it was exposed, board ns: the `at` of the reading."""
    cells: tuple[CellCosts, ...]
    size: tuple[int, int]
    """Of the cut picture, px; the camera's matrix is that of the cut one too."""
    matrix: tuple[tuple[float, ...], ...]
    distortion: tuple[float, ...]
    rvec: tuple[float, ...]
    tvec: tuple[float, ...]
    data: bytes
    format: str = "png"
    balls: tuple[str, ...] | None = None
    """Where balls were seen to lie; None where nothing was told of them."""
    ground: bytes = b""
    """The ball-free look that they were found against (`Balls.look`), packed; nothing in a game
    without balls."""
    tint: Tint = Tint()
    """By which it was read."""

    @property
    def doubtful(self) -> bool:
        """Whether some cell says nothing, or nearly says something else; or the balls do not."""
        return (bool(self.ground) and self.balls is None) or any(
            not cell or _second(cell) < DOUBT_CNAT for cell in self.cells
        )

    @property
    def read(self) -> tuple[object, ...]:
        """The likeliest code of each cell, None where it says nothing; where balls lie."""
        return *(best(cell) for cell in self.cells), self.balls


def _second(cell: CellCosts) -> int:
    costs = sorted(cost for _, cost in cell)
    return costs[1] if len(costs) > 1 else DOUBT_CNAT


def taken(
    at: int,
    picture: Picture,
    board: Board,
    camera: Camera,
    pose: Pose,
    cells: tuple[CellCosts, ...],
    certain: bool = False,
    resting: Resting | None = None,
) -> Shot:
    """A shot of a picture and its reading; `resting` found the balls, `certain` or not."""
    ground = resting.ground if resting is not None else None
    box, (width, height) = paper(board), camera.size
    rim = project(
        camera, pose, [(x, y) for x in (box.left, box.right) for y in (box.low, box.high)]
    )
    left, top = np.floor(rim.min(0)).astype(int).clip(0, (width - 1, height - 1)).tolist()
    right, low = np.ceil(rim.max(0)).astype(int).clip(1, (width, height)).tolist()
    cut = picture[top:low, left:right]
    matrix = camera.matrix - np.array([[0, 0, left], [0, 0, top], [0, 0, 0]])
    return Shot(
        at,
        cells,
        (right - left, low - top),
        tuple(tuple(row) for row in matrix.tolist()),
        tuple(np.ravel(camera.distortion).tolist()),
        tuple(np.ravel(pose.rvec).tolist()),
        tuple(np.ravel(pose.tvec).tolist()),
        cv2.imencode(".png", cut, [cv2.IMWRITE_PNG_COMPRESSION, 2])[1].tobytes(),
        balls=resting.seen if resting is not None and certain else None,
        ground=b"" if ground is None else _packed(ground),
    )


def attachments_of(board: Board, looks: tuple[Look, ...], kit: Kit) -> dict[str, bytes]:
    """The attachments of a recording of shots: the board, what the codes look like, and in which
    colours."""
    parts = {"board": board, "looks": looks, "kit": kit}
    return {f"{name}.json": msgspec.json.encode(part) for name, part in parts.items()}


def of_attachments(
    attachments: Mapping[str, bytes], looks: Callable[[], tuple[Look, ...]]
) -> tuple[tuple[Look, ...], Kit]:
    """Looks and kit that were in force; where none were kept, `looks()` and the kit that comes with
    hexboard. Raises `BadRecording` for torn ones."""
    kinds, kit = attachments.get("looks.json"), attachments.get("kit.json")
    try:
        return (
            _numbered(msgspec.json.decode(kinds, type=tuple[Look, ...]), looks)
            if kinds
            else looks(),
            msgspec.json.decode(kit, type=Kit) if kit else KIT,
        )
    except NO_JSON:
        raise BadRecording("frames.no_kit") from None


def _numbered(kept: tuple[Look, ...], looks: Callable[[], tuple[Look, ...]]) -> tuple[Look, ...]:
    """The looks of a hexboard that kept no tile's number, with those of today."""
    if not any(look.tile and look.number < 0 for look in kept):
        return kept
    known = {look.tile: look.number for look in looks()}
    if not {look.tile for look in kept} <= known.keys():
        raise BadRecording("frames.no_kit")
    return tuple(replace(look, number=known[look.tile]) for look in kept)


def reread(shot: Shot, board: Board, looks: tuple[Look, ...], kit: Kit) -> tuple[CellCosts, ...]:
    """What the present reader makes of it. Raises `BadText` for a shot without a picture."""
    reader = Reader(board, looks, *_view(shot), kit)
    reader.follow(shot.tint)
    return reader.read(_picture(shot)).cells


def balls_reread(shot: Shot, board: Board, kit: Kit) -> tuple[str, ...] | None:
    """Where balls lie by what finds them now; None where that is not certain, or the game has none.
    Raises `BadText` for a shot without a picture."""
    ground = cv2.imdecode(np.frombuffer(shot.ground, np.uint8), -1) if shot.ground else None
    if ground is None:
        return None
    balls = Balls(board, *_view(shot), kit)
    found = balls.found((ground / DEPTH).astype(np.float32), balls.look(_picture(shot)))
    return None if found is None else tuple(sorted(ball.place for ball in found))


def _packed(ground: Map) -> bytes:
    deep = np.clip(ground * DEPTH, 0, 65535).astype(np.uint16)
    return cv2.imencode(".png", deep, [cv2.IMWRITE_PNG_COMPRESSION, 2])[1].tobytes()


def _picture(shot: Shot) -> Picture:
    picture = cv2.imdecode(np.frombuffer(shot.data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None or (picture.shape[1], picture.shape[0]) != shot.size:
        raise BadText("frames.no_picture", at=shot.at)
    return np.asarray(picture, np.uint8)


def small(shot: Shot) -> bytes:
    """Its picture as a JPEG for people. Raises `BadText` for a shot without one."""
    picture = _picture(shot)
    share = min(1.0, SMALL_PX / max(picture.shape[:2]))
    told = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", told, [cv2.IMWRITE_JPEG_QUALITY, 60])[1].tobytes()


def _view(shot: Shot) -> tuple[Camera, Pose]:
    camera = Camera(shot.size, np.array(shot.matrix), np.array(shot.distortion))
    return camera, Pose(np.array(shot.rvec), np.array(shot.tvec))


def differing(before: tuple[CellCosts, ...], now: tuple[CellCosts, ...]) -> tuple[int, ...]:
    """The cells, by number, that say something else now: another code, or silence."""
    pairs = enumerate(zip(before, now, strict=True))
    return tuple(k for k, (old, new) in pairs if best(old) != best(new))
