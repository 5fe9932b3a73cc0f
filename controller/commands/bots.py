"""Programs that play seats of a keyboard's game.

Each speaks to the referee (docs/referee.md) by its standard input and output, and is heard when it
is its turn.
"""

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterator
from typing import Any

from hexboard.board import Board
from hexboard.commands.referee import Referee, lines, told
from hexboard.game.game import AnyGame
from hexboard.game.match import Match
from hexboard.game.options import Options
from hexboard.game.position import Action, Position
from hexboard.words import Message, message, say
from hexboard.words.errors import BadText

TURN_S = 300.0
"""How long a program may take for a move."""
REFUSED = 100
"""So many refused moves in a row, and somebody else plays for it."""
ENDS_S = 2.0
"""How long it may take to end once the game is over."""


class SeatReferee(Referee):
    """The referee of a match that goes on, as the program of one seat hears it: it is told what
    that seat may know, and moves for that seat alone."""

    def __init__(
        self,
        game: AnyGame[Action],
        board: Board,
        options: Options,
        match: Match[Action],
        seat: int,
    ) -> None:
        super().__init__(game, board, options, match=match)
        self.seat = seat
        self.refused = 0
        """How often it was in a row."""
        self._told = match.position

    def news(self) -> bytes | None:
        if (now := self.match.position) is not self._told:
            self._told = now
            self._changes += 1
        return super().news()

    def _do(self, asked: dict[str, Any]) -> dict[str, Any]:
        match asked:
            case {"do": "act", "action": str(name)}:
                return self._act(name)
            case {"do": "undo" | "load"}:
                raise BadText("referee.not_here")
        return super()._do(asked)

    def _act(self, name: str) -> dict[str, Any]:
        self.refused += 1
        action = self.match.position.action(name)
        if not self._may(self.match.position, action):
            raise BadText("referee.not_yours")
        after = self.match.play(action)
        self.refused = 0
        return {"events": [told(event) for event in self.game.view(after, self.seat).events]}

    def _ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked.get("seat", self.seat) != self.seat:
            raise BadText("referee.not_yours")
        return super()._ask(asked)

    def _may(self, position: Position[Action], action: Action) -> bool:
        return position.actor(action) == self.seat

    @property
    def _position(self) -> Position[Action]:
        return self.game.view(self.match.position, self.seat)

    def _hello(self) -> dict[str, Any]:
        return {**super()._hello(), "seat": self.seat}


class Bot:
    """A program that plays a seat. Raises `BadText` for one that cannot be started."""

    def __init__(self, command: str, referee: SeatReferee) -> None:
        self._referee = referee
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for who sits here
            )
        except (OSError, ValueError, IndexError) as error:  # ValueError: a quote is not closed
            raise BadText("play.no_bot", command=command, why=str(error)[:200]) from None
        self._lines: queue.Queue[bytes | None] = queue.Queue(maxsize=1000)
        threading.Thread(target=self._read, daemon=True).start()

    def plays(self) -> Message | None:
        """Hear it until the position is another; why somebody else has to play for it, if so."""
        before = self._referee.match.position
        self._referee.refused = 0
        with self._within(TURN_S) as late:
            while self._referee.match.position is before:
                self._say(self._referee.news())
                if (line := self._lines.get()) is None:
                    status = self._process.wait()
                    if late.is_set():
                        return message("play.bot_slow", seconds=round(TURN_S))
                    return message("play.bot_gone", status=status)
                self._say(self._referee.line(line))
                if self._referee.refused >= REFUSED:
                    return message("play.bot_refused", count=REFUSED)
        return None

    def close(self) -> None:
        """Tell it how the game ended, and let it end, unless that was done."""
        assert self._process.stdin is not None
        if self._process.stdin.closed:
            return
        with self._within(ENDS_S):
            self._say(self._referee.news())
            with contextlib.suppress(OSError):  # it has ended
                self._process.stdin.close()
            self._process.wait()

    @contextlib.contextmanager
    def _within(self, seconds: float) -> Iterator[threading.Event]:
        """End it where that takes longer, be it that it is silent or that it does not read; whether
        it was ended so."""
        late = threading.Event()

        def end() -> None:
            late.set()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)  # and what it has started

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield late
        finally:
            timer.cancel()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as told_us:
            for line in lines(told_us):
                self._lines.put(line)
        self._lines.put(None)

    def _say(self, line: bytes | None) -> None:
        assert self._process.stdin is not None
        if line is not None:
            with contextlib.suppress(OSError):  # it has ended: what it still said is heard first
                self._process.stdin.write(line + b"\n")
                self._process.stdin.flush()


def commands_of(given: tuple[str, ...], position: Position[Action]) -> dict[int, str]:
    """The command of each seat that a program plays, from `SEAT=COMMAND`: a seat's name, or its
    number from 1. Raises `BadText`."""
    seats = [say(seat) for seat in position.seats]
    found: dict[int, str] = {}
    for text in given:
        name, sure, command = text.partition("=")
        known = [k for k, it in enumerate(seats) if name.casefold() in (it.casefold(), str(k + 1))]
        if not (sure and command.strip() and known):
            raise BadText("play.no_seat", given=text[:80], seats=", ".join(seats))
        found[known[0]] = command
    return found
