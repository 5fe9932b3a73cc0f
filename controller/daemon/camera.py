"""The camera over a real board: what the lights do for it, and the pictures that it doubted.

OpenCV and what reads pictures are imported here when a camera is asked for, and not before.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from hexboard import __version__
from hexboard.appearance import Look
from hexboard.board import Board
from hexboard.daemon.match import Match
from hexboard.daemon.run import Run
from hexboard.facts import Report
from hexboard.game import registry
from hexboard.game.position import Action
from hexboard.record.recording import Recorder, new_path
from hexboard.record.schemas import encoded
from hexboard.table import TableView
from hexboard.words import Message
from hexboard.words.errors import HexboardError

if TYPE_CHECKING:
    from hexboard.vision.shot import Shot

DIP_S = 1.5
"""Seconds that the lights may be off for the camera, at most."""
REST_S = 2.0
"""Seconds of the game's lights after a time in which the camera did not get done."""


def _load() -> None:
    """Have OpenCV, and what reads pictures by it. Raises `HexboardError` where it is not there, or
    lacks something of the system."""
    try:
        from hexboard.vision import device  # noqa: F401
    except ModuleNotFoundError:
        raise HexboardError("vision.not_installed") from None
    except ImportError as error:
        raise HexboardError("vision.not_loaded", why=str(error)) from None


class Camera:
    """The camera that a run names, over its board. `post` gets its reports and `show` its JPEG
    pictures, from another thread, as `wake` is called and `trouble`. `unplaced`: why it is not the
    one that was put up, or not with this lens. Raises `HexboardError`: what keeps it from looking,
    and what to do."""

    def __init__(
        self,
        run: Run,
        board: Board,
        view: TableView[Action],
        post: Callable[[Report], None],
        show: Callable[[bytes], None],
        wake: Callable[[], None],
        trouble: Callable[[Message | None], None],
    ) -> None:
        _load()
        from hexboard.calibration import colours, lens_file, placement
        from hexboard.calibration.blinking import level
        from hexboard.vision.device import Watching

        assert run.lens is not None
        if not run.lens.exists():
            raise HexboardError("camera.no_lens", file=str(run.lens))
        lens, folder = lens_file.load(run.lens).camera, run.lens.parent
        held, before, self.unplaced = placement.of(folder, board, run.camera)
        kit = colours.kit(colours.beside(folder, board), board)
        self._board, self._wake, self._trouble = board, wake, trouble
        self._shots: deque[Shot] = deque()
        self._album: Recorder | None = None
        self._doubts = Doubts()
        self._every = bytes((level(board),) * 3 + (0,) * 5)  # a light of a picture of the lights
        self._dip = Dip()
        self._kit = kit
        self._look_for = partial(
            Watching,
            board,
            camera=run.camera,
            lens=lens,
            held=held,
            before=before,
            kit=kit,
            post=post,
            show=show,
            wish=self._wish,
            keep=self._shots.append if run.frames else None,
        )
        seen = registry.appearance(run.game)
        self._counts = seen.balls is not None
        self._watch(seen.looks(view.game.visibly(view.position)))

    def _watch(self, kinds: tuple[Look, ...]) -> None:
        """Look for these things (`vision.appearance.Look`)."""
        from hexboard.vision.shot import attachments_of

        self._kinds = kinds
        self._setting = attachments_of(self._board, kinds, self._kit)
        self._watching = self._look_for(kinds=kinds)

    def _wish(self, wish: str) -> None:
        """From its thread: what the lights should show it (`vision.eye.Eye.wish`)."""
        self._dip.wished = wish
        self._wake()

    def knows(self, view: TableView[Action]) -> None:
        """Tell it where balls lie, which it counts, and what light it reads in."""
        if self._counts:
            self._watching.knows(view.at_rest)
        if view.pieces is not None:
            self._watching.follows(view.pieces.tint)

    def obliged(self) -> bool:
        """Whether the lights have to change now, for it or back to the game's."""
        return self._dip.turn(time.monotonic())

    @property
    def patience(self) -> float:
        """Seconds until `obliged` has to be asked again, whatever happens."""
        return self._dip.patience(time.monotonic())

    def light(self, data: bytes, up: bool) -> bytes:
        """What the lights show where the game wants `data` (8 bytes each); the camera is told
        which cells are lit. `up`: there are lights that do as they are told."""
        shown = {"dark": bytes(len(data)), "all": self._every * (len(data) // 8)}
        data = shown.get(self._dip.shown, data)
        self._watching.lit(self._lit(data) if up else (), up, self._dip.shown == "all")
        return data

    def _lit(self, data: bytes) -> tuple[int, ...]:
        """The cells, by number, in which a light is on."""
        lit = {p.cell for k, p in enumerate(self._board.pixels) if any(data[8 * k : 8 * k + 6])}
        return tuple(k for k, cell in enumerate(self._board.cells) if cell.id in lit)

    def keep(self, match: Match) -> None:
        """Put the pictures that it, or the table, was in doubt about beside the recording, in a
        file of their own."""
        for _ in range(len(self._shots)):
            shot, view = self._shots.popleft(), match.view
            if not self._doubts.take(shot, view.entries, bool(view.asking), view.wrong):
                continue
            if self._album is None:
                self._album = self._new_album(match)
            self._album.put("frame", shot.at, msgspec.json.encode(shot))

    def _new_album(self, match: Match) -> Recorder:
        from hexboard.vision.shot import Shot

        return Recorder(
            new_path(match.recording.parent, f"{match.recording.stem}.frames"),
            schemas={"frame": encoded(Shot)},
            attachments=self._setting,
            metadata={"match": match.name, "game": match.view.game.name, "code": __version__},
            trouble=self._trouble,
        )

    def begin(self, view: TableView[Action]) -> bool:
        """Another match begins: its pictures go into another file. Whether it is played with other
        things, for which the camera then looks from now on."""
        self._part()
        kinds = registry.appearance(view.game.name).looks(view.game.visibly(view.position))
        if kinds == self._kinds:
            return False
        self._watching.close()
        self._shots.clear()
        self._watch(kinds)
        return True

    def close(self) -> None:
        """Give the camera back."""
        self._watching.close()
        self._part()

    def _part(self) -> None:
        if self._album is not None:
            self._album.close()
            self._album, self._doubts = None, Doubts()


class Dip:
    """What the lights show a camera that wishes for it: never for longer than `DIP_S`, and after a
    time that did not suffice the game's for `REST_S`. Times are monotonic seconds."""

    def __init__(self) -> None:
        self.wished = ""
        """ "dark", "all", or "" for the game's; the camera's to set and to take back."""
        self._until = 0.0
        """Until when the wish is granted at most; 0 while it is not."""
        self._resting = 0.0
        self.shown = ""

    def turn(self, now: float) -> bool:
        """Grant a wish or end it; whether that changes what is shown."""
        if not self.wished:
            self._until = 0.0
        elif self._until and now >= self._until:  # it had its time
            self._until, self._resting = 0.0, now + REST_S
        elif not self._until and now >= self._resting:
            self._until = now + DIP_S
        before, self.shown = self.shown, self.wished if self._until else ""
        return self.shown != before

    def patience(self, now: float) -> float:
        """Seconds until the next `turn` is due, whatever is wished meanwhile."""
        return (self._until or self._resting) - now if self.wished else math.inf


class Doubts:
    """Which pictures of a match are worth keeping: those in doubt, and of each position one of each
    thing that was read. A board at rest is read again and again."""

    def __init__(self) -> None:
        self._taken: set[Hashable] = set()

    def take(self, shot: "Shot", entries: int, asking: bool, wrong: tuple[str, ...]) -> bool:
        """Whether to keep this one, read after so many entries; `asking` and `wrong`: what the
        table made of it."""
        what = entries, asking, wrong, shot.read
        if what in self._taken or not (shot.doubtful or asking or wrong):
            return False
        self._taken.add(what)
        return True
