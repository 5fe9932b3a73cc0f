"""Programs that play at a board's table, as the guest who holds one key there.

Each speaks to the referee (docs/referee.md) as in a keyboard's game: its lines go to the board and
the answers come back. It is heard when the table waits for its seat. What else a guest there does,
as to agree to a take-back, is done for it.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any

from hexboard.commands.bots import REFUSED, TURN_S, Program
from hexboard.commands.phone import (
    LONGEST_BYTES,
    TROUBLE,
    UNANSWERED,
    Phone,
    Refused,
    Seat,
    Wire,
    board,
    shortest,
)
from hexboard.game.referee import read, refused, written
from hexboard.words import Message, message
from hexboard.words.errors import BadText
from hexboard.words.names import alone

AGAIN_S = 1.0
"""So long is waited before something is said again that came to nothing."""
WAITS_S = (1.0, 2.0, 4.0, 8.0)
"""The same of a move for which the table has no time."""
TABLE = ("table.", "web.", "vision.", "front.")
"""How the keys of refusals begin that are no rule's, nor the protocol's: later it may be taken."""
SHOWN_S = 5.0
"""So long a table may be to show a move that it took."""


class Leaves(Exception):
    """The program plays no longer, and nobody has failed."""

    def __init__(self, why: Message) -> None:
        super().__init__(why.key)
        self.why = why


class SeatProgram:
    """A program, and the wire on which it speaks to the board's referee."""

    def __init__(self, command: str, there: Seat, number: int) -> None:
        self.program = Program(command)
        self.wire = Wire(there, number, self.program.wake)
        self.refused = 0
        """How many of its moves were in a row."""


class Guest:
    """Who holds a key, and lets a program play each seat of it, by `command`. `echo` hears what
    people should know."""

    def __init__(self, phone: Phone, command: str, echo: Callable[[Message], None]):
        self._phone, self._command, self._echo = phone, command, echo
        phone.heard = self._wake
        self._players: dict[int, SeatProgram] = {}
        """By seat; none once the match is over."""
        self._match, self._game, self._title = "", "", ""
        self._answered = 0, 0
        """The question that was answered last, and over which line: what finds none is lost."""
        self._known = 0
        """The newest news that was looked at."""
        self._state: dict[str, Any] | None = None
        """What the table showed then, over which line."""
        self._line = 0

    def _wake(self) -> None:
        """Something was told; from any thread."""
        for player in list(self._players.values()):
            player.program.wake()

    def close(self) -> None:
        """Let the programs end."""
        while self._players:
            self._end(next(iter(self._players)))

    def play(self) -> None:
        """Let them play for as long as there is something to play. Raises `Leaves` in the end, or
        `HexboardError` where a program does not play, or cannot."""
        while True:
            self._seat()
            if (seat := self._asked()) is None:
                self._wait(None if self._match else AGAIN_S)  # what is played may not come
            else:
                self._hear(seat)

    # ------------------------------------------------------------------------------ the table

    def _wait(self, seconds: float | None = None) -> None:
        """Wait for something new, and look at it."""
        self._known = self._phone.wait(self._known, seconds)
        self._look()

    def _look(self) -> dict[str, Any] | None:
        """What the table shows; None as long as that is not known, or nobody has chosen a game."""
        phone = self._phone
        self._state, self._line = phone.told
        state, you = self._state, phone.you
        if phone.barred:
            raise Leaves(message("join.barred"))
        if state is None or you is None:
            return None
        if not you["seats"]:
            raise Leaves(message("join.hosts" if you["host"] else "join.no_seat"))
        if state["front"]:
            return None
        if self._game and self._game != state["game"]:
            raise Leaves(message("join.other_game", game=self._title))
        self._consent(state)
        return state

    def _seat(self) -> None:
        """Let a program play each seat that there is to play, and no other."""
        if (state := self._look()) is None:
            return
        if state["match"] != self._match:
            self.close()
            self._meet(state)
        own = self._seats if self._match and state["scores"] is None else []
        for seat in [it for it in self._players if it not in own]:
            self._end(seat)
        for seat in own:
            if seat not in self._players and seat < len(state["seats"]):
                self._players[seat] = SeatProgram(self._command, self._phone.seat, seat)
                self._echo(message("join.plays", seat=_called(state, seat), game=self._title))

    def _meet(self, state: dict[str, Any]) -> None:
        """A match that began, or that it came to: what is played. Raises `BadText` where no program
        can."""
        self._match = ""
        try:
            sheet = board(self._phone.seat)
        except (*TROUBLE, ValueError, Refused):  # the line will say so too
            return
        if "pieces" not in state:
            raise BadText("join.balls", game=str(sheet["game"]))
        self._match, self._game, self._title = state["match"], state["game"], str(sheet["game"])

    def _end(self, seat: int) -> None:
        """Tell a program the last news, and let it end."""
        player, state = self._players.pop(seat), self._phone.told[0]
        news = None
        if state is not None and state["match"] == self._match and state["scores"] is not None:
            each = enumerate(state["scores"])
            told = ", ".join(f"{_called(state, seat)} {score}" for seat, score in each)
            self._echo(message("play.over", scores=told))
            news = player.wire.news(anew=True)
        player.program.close(news)
        player.wire.close()

    def _consent(self, state: dict[str, Any]) -> None:
        """A program agrees to what the others want to take back, or set."""
        asked = state["question"]
        if not asked or (asked["id"], self._line) == self._answered:
            return
        if {*asked["of"]} & {*self._seats}:
            self._answered = asked["id"], self._line
            self._phone.say("decide", question=asked["id"], choice="yes")

    def _asked(self) -> int | None:
        """The seat of ours whose move the table waits for, and for nothing else."""
        state = self._state
        if state is None:
            return None
        first = ("paused", "todo", "question", "wrong", "resume", "front")
        if any(state.get(it) for it in first) or state["match"] != self._match:
            return None
        seat: int = state["active"]
        return seat if seat in self._players and seat in self._seats else None

    @property
    def _seats(self) -> list[int]:
        return self._phone.you["seats"] if self._phone.you else []

    # ------------------------------------------------------------------------------ the program

    def _hear(self, seat: int) -> None:
        """Hear a program until it has moved, or the table waits for something else. Raises
        `BadText` where it does not play."""
        player, left, before = self._players[seat], TURN_S, self._played
        program = player.program
        player.refused = 0
        while self._played == before and self._asked() == seat:
            news, since = player.wire.news(), time.monotonic()
            with program.within(left):
                program.say(news)
                line = program.hear(AGAIN_S if player.wire.away else None)
            left -= time.monotonic() - since
            if line is None:
                raise BadText("join.ends", why=program.why())
            if line:
                answer, moved = self._answer(seat, line)  # the table's time, not the program's
                with program.within(left):
                    program.say(answer)
                if moved:
                    self._shown(seat, before)
                    return
            if player.refused >= REFUSED:
                raise BadText("join.ends", why=message("play.bot_refused", count=REFUSED))
            self._look()

    def _answer(self, seat: int, line: bytes) -> tuple[bytes, bool]:
        """The answer to a line, and whether a move was made by it."""
        try:
            asked = read(line)
        except BadText as error:
            return written(refused(error)), False
        listed = asked if isinstance(asked, list) else [asked]
        told = [self._said(seat, it) for it in listed]
        went = [
            bool(it["ok"]) for request, it in zip(listed, told, strict=True) if _is_move(request)
        ]
        player = self._players[seat]
        player.refused = 0 if any(went) else player.refused + len(went)
        return written(told if isinstance(asked, list) else told[0]), any(went)

    def _said(self, seat: int, asked: Any) -> dict[str, Any]:
        """What the board answers to a request, over a new line where one breaks. A move that it has
        no time for is said again; one that it took is not, nor one for another position or seat.
        Raises `Leaves` where it is thrown off."""
        try:
            line = shortest(asked)
        except RecursionError as error:  # it was just read, nested so deep
            return refused(BadText("referee.json", why=str(error)), asked)
        if len(line) > LONGEST_BYTES:
            return refused(BadText("referee.long", most=LONGEST_BYTES), asked)
        wire, before = self._players[seat].wire, self._played
        broke, again = False, [*WAITS_S]
        while True:
            try:
                told = wire.ask(line, self._look)
            except UNANSWERED:
                wire.close()
                broke, told = True, refused(BadText("table.changed_meanwhile"), asked)
                self._until(AGAIN_S, lambda: self._state is not None)
            else:
                waits = again and _is_move(asked) and str(told.get("key")).startswith(TABLE)
                if told["ok"] or not waits:
                    return told
                self._until(again.pop(0), lambda: self._asked() == seat or self._over(seat, before))
            if self._over(seat, before) if _is_move(asked) else seat not in self._seats:
                made = broke and _is_move(asked) and self._moved(seat, before) is not None
                own = {"id": asked["id"]} if made and "id" in asked else {}
                return {**own, "ok": True, "events": []} if made else told

    def _over(self, seat: int, before: list[Any]) -> bool:
        """Whether the position is another than the one after `before`, or the seat is not ours any
        more: a move that was said for it is no longer meant."""
        state = self._state
        if state is None:
            return False
        other = state["match"] != self._match or self._played != before
        return other or seat not in self._seats

    def _until(self, seconds: float, so: Callable[[], bool]) -> None:
        """Wait so many seconds at least, and until something is so."""
        due = time.monotonic() + seconds
        while (left := due - time.monotonic()) > 0:
            self._wait(left)
        while not so():
            self._wait()

    def _shown(self, seat: int, before: list[Any]) -> None:
        """A move was taken: see the table show it, and say so."""
        due = time.monotonic() + SHOWN_S
        while self._played == before and (left := due - time.monotonic()) > 0:
            self._wait(left)
        if (text := self._moved(seat, before)) is not None and self._state is not None:
            called = _called(self._state, seat)
            self._echo(message("join.moved", seat=called, move=text))

    @property
    def _played(self) -> list[Any]:
        """What was played last: the entry, the seat, the words."""
        last: list[Any] = self._state["line"]["last"] if self._state else []
        return last

    def _moved(self, seat: int, before: Iterable[list[Any]]) -> str | None:
        """What a seat has played since; None for nothing."""
        if self._state is None or self._state["match"] != self._match:
            return None
        newest = max((entry for entry, *_ in before), default=-1)
        found = (text for entry, who, text in self._played if entry > newest and who == seat)
        return next(found, None)


def _called(state: dict[str, Any], seat: int) -> str:
    """The game's word for a seat, whoever has it."""
    named = state["people"][seat : seat + 1]
    return (named and named[0][0]) or alone(state["seats"][seat])


def _is_move(asked: Any) -> bool:
    """Whether a request is a move."""
    return isinstance(asked, dict) and asked.get("do") == "act"
