"""Pages: what every page is shown, as who looks at it may know it."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import msgspec

from hexboard.board import Board
from hexboard.calibration.in_play import InPlay
from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.referees import Referees
from hexboard.daemon.run import Run
from hexboard.daemon.simulation import Simulation
from hexboard.facts import MS
from hexboard.game.position import Action
from hexboard.lights.frame import LightSettings, Power
from hexboard.table import TableView
from hexboard.table.view import Asking
from hexboard.web.files import files
from hexboard.web.keys import Keys
from hexboard.web.requests import NOBODY, FromPage
from hexboard.web.server import Server
from hexboard.web.sheet import (
    agreed_sheet,
    board_sheet,
    clock_sheet,
    seat_names,
    shown,
    table_sheet,
)
from hexboard.words import Message, languages, message, say, speaking
from hexboard.words.names import naming, words_of

V = TypeVar("V")
AT_BOARD = ("tap", "button")
"""The sources that are no page: a finger on a cell, and a button."""
ANSWER_S = 30.0
"""So long people answer for themselves."""
LIGHT_FIRST_S = 0.005
"""So long after a change pages are shown it: the watermark that lights the cell comes before."""
PACE_S = 1 / 30
"""So long at least after the last state."""


class Pages:
    """The pages of a `server`: the board once a match, the table's state as it changes, while
    somebody looks. `programs` are told it beside them. `wake` lets who sleeps show it."""

    def __init__(
        self,
        server: Server,
        programs: Referees,
        calibration: InPlay,
        notices: Notices,
        wake: Callable[[], None],
    ) -> None:
        self.server, self.programs, self._wake = server, programs, wake
        server.pages.looked = self._opened
        self._calibration, self._notices = calibration, notices
        self.stale = True
        """They do not show what is so. Of the table's thread alone."""
        self._opens = False  # somebody has begun to look; set by the web's thread
        self.late = False
        """What some seats are asked has waited so long that the host's page answers for them."""
        self.calling = False
        """Phones are about to be called otherwise: what they are called now is no news."""
        self._private = ""  # the match whose cards are hidden now
        self._asking: FromPage | None = None  # who is to be answered
        self._asked = 0, 0.0  # the question that some are asked, and since when, monotonic s
        self._power = Power()
        self._changed: float | None = None  # since when there is something new, monotonic s
        self._shown = 0.0  # when something was shown, monotonic s
        self._seen: dict[str, Callable[[], bytes]] = {}  # what moves on the board, by kind
        self._board = ""

    def lay_open(self, view: TableView[Action], board: Board) -> None:
        """Let pages ask what this board is like."""
        self.server.files, self._board = files(view.game), board.title
        self.server.rekey(partial(Keys.begin, words=words_of(view.position.seats)))
        self.server.geometry = {spoken: _geometry(view, board, spoken) for spoken in languages()}

    def call(self, run: Run) -> None:
        """A match of `run` is open, and will be played: phones are called as was said at the door.
        Not before: a phone has its seat still in the match that goes on where this one cannot."""
        if run.said is not None:
            self.calling = True
            self.server.rekey(partial(self._call, run))

    def _call(self, run: Run, keys: Keys) -> None:
        """In the web's thread, which has the keys."""
        keys.call(run.said or (), run.names, run.colours)
        self.calling, self._opens = False, True  # who waited for it is answered
        self._wake()

    def refresh(
        self,
        match: Match,
        simulation: Simulation | None,
        power: Power,
        lights: LightSettings,
        chosen: bool = True,
    ) -> None:
        """Show the state of things, where that is new. What cannot be made for one side is raised
        once the others are shown theirs."""
        self._ask(match.asking)
        before, self._private = self._private, match.name if match.private else ""
        if self._private and self._private != before:
            self.server.cover()  # before anything is shown of it
        if self._opens:
            self._opens, self.stale = False, True
        if self._notices.changed:  # only then: another thread may tell one just now
            self._notices.changed, self.stale = False, True
        self.stale |= power != self._power
        if self.wait() > 0:
            return
        self.stale, self._changed, self._shown = False, None, time.monotonic()
        self._power = power
        self.server.rev += 1
        view, front = match.view, not (chosen or match.played)
        wrong = self.programs.follow(front, {page.name for page in self.server.pages})
        self.server.history.follow(match.moves, view)
        self.server.pages.seats = seats = len(view.position.seats)
        self.server.pages.exchanged = view.game.exchanged(view.position)
        common = {
            "rev": self.server.rev,
            "at": time.time_ns() // MS,
            "match": match.name,
            "board": self._board,
            "front": front,
            "simulated": simulation is not None,
            "watching": simulation is not None and simulation.watching,
            "marks": self._calibration.scene(view.scene),
            "clock": clock_sheet(view, time.monotonic_ns()),
        }

        def state(looked: tuple[int, str]) -> bytes:
            side, language = looked
            with speaking(language):
                own = {
                    "notices": [say(naming(it, view.names)) for it in self._notices],
                    "late": self._late(view),
                    "line": self.server.history.newest(),
                }
                sheet = table_sheet(view, side, match.journalled, power, lights)
            return msgspec.json.encode(common | own | sheet)

        looking = sorted(self.server.looking)
        spoken = sorted({(NOBODY, language) for _, language in looking})
        hidden = [it for it in looking if view.private and NOBODY < it[0] < seats]
        made, mistake = apart(state, spoken + hidden)
        if any(side == NOBODY for side, _ in made):
            self.server.publish("state", b"", made)
        if (mistake := mistake or wrong) is not None:
            raise mistake

    def _opened(self) -> None:
        """Somebody begins to look; from the web's thread."""
        for kind in list(self._seen):
            made = None
            while made is not (newest := self._seen[kind]):  # what is newer comes last
                made = newest
                self.server.publish(kind, made())
        self._opens = True
        self._wake()

    def wait(self) -> float:
        """Seconds until pages are to be shown what is new; for ever, where nothing is or nobody
        looks, but for the first time: who asks for moves or a seat needs no page before."""
        if not self.stale or (self._shown and not self.server.looking):
            return math.inf
        now = time.monotonic()
        if self._changed is None:
            self._changed = now
        return max(self._changed + LIGHT_FIRST_S, self._shown + PACE_S) - now

    def _ask(self, asking: Asking | None) -> None:
        """Whether an answer to what is asked is late by now."""
        now = time.monotonic()
        number = asking.id if asking and max(asking.of, default=-1) >= 0 else 0
        if number != self._asked[0]:
            self._asked = number, now
        late = bool(number) and now - self._asked[1] >= ANSWER_S
        self.stale |= late != self.late
        self.late = late

    def _late(self, view: TableView[Action]) -> str:
        if not self.late or view.asking is None:
            return ""
        seats = seat_names(view, view.asking.of)
        return say(message("web.late", seats=seats, seconds=round(ANSWER_S)))

    def refuse(self, source: str, why: Message, view: TableView[Action]) -> None:
        """Tell one page why not, with names where it has ids; every page, where a hand at the board
        asked for it: what nobody but one side may know is not said there."""
        at_board = source in AT_BOARD
        if at_board and view.private:
            why = message("table.hidden_refused")
        told = naming(shown(view.game).named(why, view.position), view.names)
        if at_board:
            self.server.tell(told)
        else:
            self.answer(source, told)

    @contextmanager
    def answering(self, request: FromPage) -> Iterator[None]:
        """A page that named its request is answered: by what refuses it in here, or else that it
        was taken."""
        self._asking = request
        yield
        asked, self._asking = self._asking, None
        if asked is not None and asked.id is not None:
            self.server.answer(asked.source, None, asked.id)

    def answer(self, source: str, refusal: Message) -> None:
        """Tell one page that what it asked for is refused."""
        if self.programs.refused(source, refusal):
            return
        id = None
        if self._asking is not None and self._asking.source == source:
            id, self._asking = self._asking.id, None
        self.server.answer(source, refusal, id)

    def pixels(self, rgb: bytes) -> None:
        """What the lights show, 3 bytes a pixel; from any thread."""
        self._see("pixels", lambda: {"type": "pixels", "rgb": rgb})

    def lit(self, frame: bytes) -> None:
        """The same, as a frame for the link has it."""
        self._see("pixels", lambda: {"type": "pixels", "rgb": colours(frame)})

    def balls(self, balls: list[tuple[int, float, float]]) -> None:
        """Where the simulated balls are, [number, x, y] in mm; from any thread."""
        self._see("balls", lambda: {"type": "balls", "balls": balls})

    def _see(self, kind: str, made: Callable[[], object]) -> None:
        """Keep what there is to see; it is made where somebody looks."""
        self._seen[kind] = lambda: msgspec.json.encode(made())
        if self.server.drawn:  # asked last: who begins to look meanwhile asks for what is kept
            self.server.publish(kind, self._seen[kind]())

    def picture(self, jpeg: bytes) -> None:
        """What the camera sees; from any thread."""
        self.server.picture = jpeg


def colours(frame: bytes) -> bytes:
    """Of a frame for the link the first colour of each pixel."""
    return b"".join(frame[i : i + 3] for i in range(0, len(frame), 8))


def _geometry(view: TableView[Action], board: Board, language: str) -> bytes:
    """What pages ask for once."""
    with speaking(language):
        agreed = agreed_sheet(view.game, board, view.options, view.takeback, view.agreed_clock)
        return msgspec.json.encode(
            board_sheet(view.game, board, view.position) | {"agreed": agreed}
        )


def apart(
    state: Callable[[V], bytes], views: Iterable[V]
) -> tuple[dict[V, bytes], Exception | None]:
    """The `state` for each view, made apart, so that a mistake in one harms nobody else; the last
    such mistake. Whoever sits there is shown what everybody may know."""
    made: dict[V, bytes] = {}
    mistake: Exception | None = None
    for view in views:
        try:
            made[view] = state(view)
        except Exception as error:
            mistake = error
    return made, mistake
