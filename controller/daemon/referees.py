"""Referees: what programs say over the board's wire, answered (docs/referee.md, "At a table").

All of it in the table's thread. A program is told what its seat may know; its move is declared as
one from afar, and answered once the table took it or refused it. Its next line waits for that.
"""

from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from inspect import GEN_RUNNING, getgeneratorstate
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.daemon.match import Match
from hexboard.facts import WHOEVER, Declare
from hexboard.game.match import Back, Played, Ruled
from hexboard.game.match import Match as Moves
from hexboard.game.position import Action, Position
from hexboard.game.referee import SeatReferee, read, refused, written
from hexboard.table import TableView
from hexboard.web.referee import refusal
from hexboard.web.requests import NOBODY, FromPage, Line
from hexboard.words import Message, message
from hexboard.words.errors import BadText, HexboardError, IllegalAction

LINES = 100
"""So many lines of a program wait while its move is not made yet; more are refused."""
MOST_AT_ONCE = 16
"""Requests in a list: each may be of all moves, and lights do not wait."""
CHANGES = Played | Back | Ruled
"""The entries that change the position."""


def waits(view: TableView[Action]) -> bool:
    """Whether the table waits for a move, and for nothing else."""
    return not (view.paused or view.todo or view.asking or view.wrong or view.confirm)


class TableReferee(SeatReferee):
    """The referee of whichever match is at the table, as the program of one seat hears it.
    `look` is done before each request, and raises `HexboardError` for what is not heard; `declares`
    says a move at the table, and raises that too."""

    def __init__(
        self,
        view: TableView[Action],
        board: Board,
        look: Callable[["TableReferee"], None],
        declares: Callable[[str], None],
    ) -> None:
        first = Moves(view.game, view.public, self._parse)
        super().__init__(view.game, board, view.options, first, NOBODY)
        self._look, self._declares = look, declares
        self._shown: object = None
        self._waits = self._pieces = False
        self._answers: dict[object, dict[str, Any]] = {}

    def shows(self, view: TableView[Action], board: Board, seat: int, waits: bool) -> None:
        """The table shows this now, and `seat` is the program's."""
        if (shown := (view.position, view.options, seat, waits)) == self._shown:
            return
        self._shown, self._waits, self._pieces = shown, waits, view.pieces is not None
        self._changes += 1
        self._answers.clear()
        self.game, self._board, self._options, self.seat = view.game, board, view.options, seat
        self.match = Moves(view.game, view.seen_by(seat), self._parse)
        self._told = self.match.position

    def look(self) -> None:
        """See what the table shows. Raises `HexboardError` for who has no seat there."""
        self._look(self)

    def _do(self, asked: dict[str, Any]) -> dict[str, Any]:
        self.look()
        return super()._do(asked)

    def _ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The same until something changes: it is found once, for light waits meanwhile."""
        do, seat = asked.get("do"), asked.get("seat", ())  # (): it says none
        if {type(do), type(seat)} - {str, int, tuple}:
            return super()._ask(asked)  # and is refused there
        kept = do, seat, asked.get("full") is True
        if kept not in self._answers:
            told = super()._ask(asked)
            if do == "state" and not self._waits:
                told |= {"seat": None, "chance": False}
            self._answers[kept] = told
        return self._answers[kept]

    def _play(self, action: Action) -> Position[Action]:
        if not self._pieces:  # a roll that was said would be another one when the ball comes
            raise BadText("referee.balls")
        position = self.match.position
        after = position.play(action)  # refused by the rules, it is not even said
        self._declares(position.name(action))
        return after


class _Move(Struct, frozen=True):
    """A move that was said at the table."""

    name: str
    match: str
    since: int
    """How many entries the match had."""


class _Wire(Struct):
    """A program's: what it said, and what of that is not answered."""

    last: FromPage
    """The line that is being answered, or was last."""
    referee: TableReferee
    lines: deque[FromPage]
    answering: Generator[None, None, None] | None = None
    """What answers `last`, and stops for as long as the table has not taken a move."""
    move: _Move | None = None
    """The one that was said for the request which is being answered."""
    refusal: Message | None = None
    """The table's word against it."""
    match: str = ""
    """The one that it was told of last."""


class Referees:
    """The programs that speak over the board's wire. `send` sends one a line, by its source."""

    def __init__(self, send: Callable[[str, bytes], None]) -> None:
        self._send = send
        self._wires: dict[str, _Wire] = {}
        self._front = True  # nobody has chosen a game yet
        self._board: Board
        self._match: Callable[[], Match]
        self._seated: Callable[[FromPage, TableView[Action]], FromPage]
        self._obey: Callable[[FromPage, TableView[Action], str], None]
        self._seating: Callable[[], bool]

    def begin(
        self,
        board: Board,
        match: Callable[[], Match],
        seated: Callable[[FromPage, TableView[Action]], FromPage],
        obey: Callable[[FromPage, TableView[Action], str], None],
        seating: Callable[[], bool],
    ) -> None:
        """Of what board, and the match that is played; `seated` is a request in the name of the
        seat that it plays now, `obey` does it. Both raise `HexboardError`. As long as `seating` a
        new match seats people, lines wait."""
        self._board, self._match, self._seated, self._obey = board, match, seated, obey
        self._seating = seating

    def hear(self, request: FromPage) -> None:
        """A program said a line. What is a mistake of ours is raised, once it is answered."""
        assert isinstance(request.asked, Line)
        if (wire := self._wires.get(request.source)) is None:
            wire = self._wires[request.source] = self._met(request)
        if len(wire.lines) < LINES:
            wire.lines.append(request)
        else:
            self._send(request.source, refusal(request.asked, message("web.too_fast")))
        self._go_on(wire)

    def refused(self, source: str, why: Message) -> bool:
        """What a source said at the table is refused. Whether it is a program of ours."""
        if (wire := self._wires.get(source)) is None:
            return False
        wire.refusal = why
        return True

    def follow(self, front: bool, here: set[str]) -> Exception | None:
        """What the table shows now is news to programs; who is not `here` any more is forgotten.
        `front`: nobody has chosen a game yet. A mistake of ours with one of them harms no other;
        the last such mistake."""
        self._front = front
        mistake: Exception | None = None
        for source, wire in list(self._wires.items()):
            if source not in here:
                del self._wires[source]
                continue
            try:
                self._go_on(wire)
            except Exception as error:
                mistake = error
        return mistake

    # ------------------------------------------------------------------------------ one program

    def _met(self, request: FromPage) -> _Wire:
        view = self._match().view

        def look(referee: TableReferee) -> None:
            view = self._match().view
            seat = self._seated(wire.last, view).side
            referee.shows(view, self._board, seat, waits(view) and not self._front)

        def declares(name: str) -> None:
            self._declares(wire, name)

        wire = _Wire(request, TableReferee(view, self._board, look, declares), deque())
        return wire

    def _go_on(self, wire: _Wire) -> None:
        """Answer what can be answered by now, then tell the news."""
        if self._seating():
            return
        while wire.answering is not None or wire.lines:
            if wire.answering is None:
                wire.answering = self._answers(wire, wire.lines.popleft())
            if getgeneratorstate(wire.answering) == GEN_RUNNING:  # its own move came to this
                return
            for _ in wire.answering:
                return
            wire.answering = None
        self._tell(wire)

    def _answers(self, wire: _Wire, request: FromPage) -> Generator[None, None, None]:
        """Answer a line. Who asked hears of a mistake of ours too, which is raised then."""
        wire.last, line = request, request.asked
        assert isinstance(line, Line)
        mistake: Exception | None = None
        try:
            asked = read(line.text.encode("utf-8", "surrogatepass"))
            if isinstance(asked, list) and len(asked) > MOST_AT_ONCE:
                raise BadText("referee.list", most=MOST_AT_ONCE)
        except BadText as error:
            self._send(request.source, written(refused(error)))
            return
        answers = list[dict[str, Any]]()
        for it in asked if isinstance(asked, list) else [asked]:
            try:
                answer = wire.referee.answer(it)
            except Exception as error:
                mistake, answer = error, refused(HexboardError("referee.mistake"), it)
            while wire.move is not None and not self._settled(wire, wire.move):
                yield
            if wire.move is not None and wire.refusal is not None:
                answer = refused(IllegalAction(wire.refusal), it)
            wire.move, wire.match = None, self._match().name
            answers.append(answer)
        self._send(request.source, written(answers if isinstance(asked, list) else answers[0]))
        if mistake is not None:
            raise mistake

    def _tell(self, wire: _Wire) -> None:
        """News, where it subscribed to any and still has its seat."""
        with suppress(HexboardError):
            wire.referee.look()
            if (news := wire.referee.news()) is not None:
                self._send(wire.last.source, news)
                wire.match = self._match().name

    # ------------------------------------------------------------------------------ its moves

    def _declares(self, wire: _Wire, name: str) -> None:
        """Say a move at the table. Raises `HexboardError` where that does not hear it."""
        match, wire.refusal = self._match(), None
        if wire.match not in ("", match.name):  # what it knew when it said this
            raise HexboardError("front.before")
        move = _Move(name, match.name, match.view.entries)
        request = self._seated(wire.last, match.view)
        self._obey(replace(request, asked=Declare(WHOEVER, name)), match.view, match.name)
        wire.move = move

    def _settled(self, wire: _Wire, move: _Move) -> bool:
        """Whether the table has taken a move, or refused it: then why it did is kept."""
        match = self._match()
        back = match.name != move.match or len(match.moves.entries) < move.since
        since = [it for it in match.moves.entries[move.since :] if isinstance(it, CHANGES)]
        if back or (since and Played(move.name) not in since):
            wire.refusal = wire.refusal or message("table.changed_meanwhile")
        return bool(since or wire.refusal)
