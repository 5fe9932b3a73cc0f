"""Programs that play seats: of a keyboard's game, and of a board's (`hexboard.commands.guest`).

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
from typing import IO

from hexboard.game.position import Action, Position
from hexboard.game.referee import LONGEST_BYTES, SeatReferee
from hexboard.words import Message, message, say
from hexboard.words.errors import BadText, Mistyped

TURN_S = 300.0
"""How long a program may take for a move."""
REFUSED = 100
"""So many refused moves in a row, and somebody else plays for it."""
ENDS_S = 2.0
"""How long it may take to end once the game is over."""


def lines(pipe: IO[bytes]) -> Iterator[bytes]:
    """The lines of a pipe; of one that is too long only so much that it is seen to be."""
    while line := pipe.readline(LONGEST_BYTES + 1):
        rest = line
        while len(rest) > LONGEST_BYTES and not rest.endswith(b"\n"):
            rest = pipe.readline(LONGEST_BYTES + 1)
        yield line


class Program:
    """A program that was started, and what it says. Raises `BadText` for one that cannot be."""

    late = False
    """It was ended, for it took too long."""

    def __init__(self, command: str) -> None:
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
        self._woken = False
        threading.Thread(target=self._read, daemon=True).start()

    def say(self, line: bytes | None) -> None:
        assert self._process.stdin is not None
        if line is not None:
            with contextlib.suppress(OSError):  # it has ended: what it still said is heard first
                self._process.stdin.write(line + b"\n")
                self._process.stdin.flush()

    def hear(self, seconds: float | None = None) -> bytes | None:
        """Its next line, once there is one; None where it has ended, b"" where none came in so many
        seconds, or before a `wake`."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return b""
        if not line:
            self._woken = False
        return line

    def wake(self) -> None:
        """Have who hears it look up; from any thread."""
        if not self._woken:
            self._woken = True
            try:
                self._lines.put_nowait(b"")
            except queue.Full:  # there is enough to hear
                self._woken = False

    def why(self) -> Message:
        """Why it is heard no more; it is ended where it closed its output alone."""
        late = self.late
        with self.within(ENDS_S):
            status = self._process.wait()
        if late:
            return message("play.bot_slow", seconds=round(TURN_S))
        return message("play.bot_gone", status=status)

    def close(self, news: bytes | None) -> None:
        """Tell it the last news, and let it end, unless that was done."""
        assert self._process.stdin is not None
        if self._process.stdin.closed:
            return
        with self.within(ENDS_S):
            self.say(news)
            with contextlib.suppress(OSError):  # it has ended
                self._process.stdin.close()
            self._process.wait()

    @contextlib.contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """End it where that takes longer, be it that it is silent or that it does not read."""

        def end() -> None:
            self.late = True
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)  # and what it has started

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as told_us:
            for line in lines(told_us):
                self._lines.put(line)
        self._lines.put(None)


class Bot:
    """A program that plays a seat of a match here. Raises `BadText` for one that cannot be
    started."""

    def __init__(self, command: str, referee: SeatReferee) -> None:
        self._referee = referee
        self._program = Program(command)

    def plays(self) -> Message | None:
        """Hear it until the position is another; why somebody else has to play for it, if so."""
        referee, program = self._referee, self._program
        before = referee.match.position
        referee.refused = 0
        with program.within(TURN_S):
            while referee.match.position is before:
                program.say(referee.news())
                if (line := program.hear()) is None:
                    return program.why()
                program.say(referee.line(line))
                if referee.refused >= REFUSED:
                    return message("play.bot_refused", count=REFUSED)
        return None

    def close(self) -> None:
        """Tell it how the game ended, and let it end, unless that was done."""
        self._program.close(self._referee.news())


def commands_of(given: tuple[str, ...], position: Position[Action]) -> dict[int, str]:
    """The command of each seat that a program plays, from `SEAT=COMMAND`: a seat's name, or its
    number from 1. Raises `BadText`."""
    seats = [say(seat) for seat in position.seats]
    found: dict[int, str] = {}
    for text in given:
        name, sure, command = text.partition("=")
        known = [k for k, it in enumerate(seats) if name.casefold() in (it.casefold(), str(k + 1))]
        if not (sure and command.strip() and known):
            raise Mistyped("play.no_seat", given=text[:80], seats=", ".join(seats))
        found[known[0]] = command
    return found
