"""Programs that play at a board's table, as the guest who holds one key there.

Each speaks to the referee (docs/referee.md) as in a keyboard's game. What it may know is what the
key's page is told; what it does is declared there from afar, and counts once the table took it.
"""

import math
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from hexboard import __version__
from hexboard.board import Board, plain
from hexboard.commands import board_named
from hexboard.commands.bots import REFUSED, TURN_S, Program, SeatReferee
from hexboard.commands.phone import TROUBLE, Phone, Refused, board
from hexboard.game import registry
from hexboard.game.game import AnyGame, board_for
from hexboard.game.match import Match
from hexboard.game.options import Options, choose, in_full
from hexboard.game.position import Action, Position
from hexboard.words import Message, message, say
from hexboard.words.errors import BadText, HexboardError

TRIES = 5
"""So often a move that the rules allow is said to a table that does not take it."""
AGAIN_S = 1.0
"""So long is waited before it is said again; each wait is twice the one before."""
LATE_S = 0.5
"""What was said over a line that broke may have been taken: so long the table may be to show it."""


class Leaves(Exception):
    """The program plays no longer, and nobody has failed."""

    def __init__(self, why: Message) -> None:
        super().__init__(why.key)
        self.why = why


class TableReferee(SeatReferee):
    """The referee of a match at a board, as the program of one seat hears it. `declares` says a
    move there, and raises `HexboardError` where the table refuses it."""

    def __init__(
        self,
        game: AnyGame[Action],
        board: Board,
        options: Options,
        seat: int,
        text: str,
        declares: Callable[["TableReferee", str], None],
    ) -> None:
        first = Match(game, game.read(text, board, options), lambda it: self._parse(it))
        super().__init__(game, board, options, first, seat)
        self._text, self._declares = text, declares
        self._moves: tuple[object, list[str]] = None, []

    def shows(self, text: str) -> None:
        """The table shows this position now. Raises `BadText`."""
        if text != self._text:
            self.match = Match(self.game, self._parse(text), self._parse)
            self._text = text

    @property
    def moves(self) -> list[str]:
        """The names of the moves, sorted; made once a position."""
        if self._moves[0] is not self.match.position:
            position = self.match.position
            self._moves = position, sorted(map(position.name, position.legal))
        return self._moves[1]

    @property
    def turn(self) -> bool:
        """Whether the rules wait for this seat."""
        position = self.match.position
        return any(position.actor(move) == self.seat for move in islice(position.legal, 1))

    def _play(self, action: Action) -> Position[Action]:
        position = self.match.position
        after = position.play(action)  # refused by the rules, it is not even said
        self._declares(self, position.name(action))
        return after


class Guest:
    """Who holds a key, and lets a program play each seat of it, by `command`. `echo` hears what
    people should know."""

    def __init__(self, phone: Phone, command: str, home: Path, echo: Callable[[Message], None]):
        self._phone, self._command, self._home, self._echo = phone, command, home, echo
        phone.heard = self._wake
        self._players: dict[int, tuple[TableReferee, Program]] = {}
        """By seat; none once the match is over."""
        self._game: AnyGame[Action] | None = None
        self._agreed: tuple[str, Board, Options] | None = None
        """The match, and what it is played with."""
        self._answered = 0, 0
        """The question that was answered last, and over which line: what finds none is lost."""
        self._known = 0
        """The newest news that was looked at."""
        self._state: dict[str, Any] | None = None
        """What the table showed then, over which line."""
        self._line = 0

    def _wake(self) -> None:
        """Something was told; from any thread."""
        for _, program in list(self._players.values()):
            program.wake()

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
                self._wait(None if self._agreed else AGAIN_S)  # what it is played with may not come
            else:
                self._hear(seat)

    # ------------------------------------------------------------------------------ the table

    def _wait(self, seconds: float | None = None) -> None:
        """Wait for something new, and look at it."""
        self._known = self._phone.wait(self._known, seconds)
        self._look()

    def _look(self) -> dict[str, Any] | None:
        """What the table shows; None as long as that is not known, or nobody has chosen a game. Who
        plays knows it too."""
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
        if self._game is not None and self._game.name != state["game"]:
            raise Leaves(message("join.other_game", game=self._game.title()))
        if state["match"] == self._match:
            for seat in self._players:
                self._shows(seat, state)
        self._consent(state)
        return state

    def _seat(self) -> None:
        """Let a program play each seat that there is to play, and no other."""
        if (state := self._look()) is None:
            return
        if state["match"] != self._match:
            self.close()
            self._agree(state)
        own = self._seats if self._agreed and state["scores"] is None else []
        for seat in [it for it in self._players if it not in own]:
            self._end(seat)
        for seat in own:
            if seat not in self._players and seat < len(state["seats"]):
                self._shows(seat, state)

    def _agree(self, state: dict[str, Any]) -> None:
        """A match that began: what it is played with. Raises `HexboardError` where that is not
        known here."""
        self._agreed = None
        try:
            sheet = board(self._phone.seat)
        except (*TROUBLE, ValueError, Refused):  # the line will say so too
            return
        try:
            game, found, options = self._made(state["game"], sheet)
        except (HexboardError, LookupError, TypeError) as error:
            raise _unreadable(error) from None
        if game.touched is None:
            raise BadText("join.balls", game=game.title())
        self._game, self._agreed = game, (state["match"], found, options)

    def _made(
        self, name: str, sheet: dict[str, Any]
    ) -> tuple[AnyGame[Action], Board, dict[str, Any]]:
        """The game that is played, on what board and by which options, as a page is told them.
        Raises `HexboardError` for what is not known here."""
        game = registry.find(name)
        told = {it["name"]: it["value"] for it in reversed(sheet["agreed"]["options"])}
        options = {it.name: told[it.name] for it in game.options if it.name in told}
        for option in game.options:
            if option.file and set(str(options.get(option.name, ""))) & set("/.\n"):
                raise BadText("join.own_file", option=option.name)  # of this computer, if any
        choose(game.name, game.options, options)
        cells = [it["id"] for it in sheet["cells"]]
        with registry.used(name):
            found = plain(board_for(game, options))
        if [cell.id for cell in found.cells] != cells:
            found = board_named(self._home, sheet["name"])
        if [cell.id for cell in found.cells] != cells:
            raise BadText("join.other_board", board=sheet["name"])
        return game, found, in_full(game.options, options)

    def _shows(self, seat: int, state: dict[str, Any]) -> None:
        """Let the program of a seat know the position; it is started where it was not."""
        if self._agreed is None or self._game is None:
            return
        if state["private"] and state["side"] != seat:  # as somebody else may know it
            return
        game, (_, found, options) = self._game, self._agreed
        try:
            with registry.used(game.name):
                if seat in self._players:
                    self._players[seat][0].shows(state["position"])
                    return
                text = state["position"]
                referee = TableReferee(game, found, options, seat, text, self._declares)
        except (HexboardError, LookupError) as error:
            raise _unreadable(error) from None
        self._players[seat] = referee, Program(self._command)
        seated = referee.match.position.seats[seat]
        self._echo(message("join.plays", seat=seated, game=game.title()))

    def _end(self, seat: int) -> None:
        """Tell a program the last news, and let it end."""
        referee, program = self._players.pop(seat)
        if (scores := referee.match.position.scores) is not None:
            seats = zip(referee.match.position.seats, scores, strict=True)
            told = ", ".join(f"{say(seat)} {score}" for seat, score in seats)
            self._echo(message("play.over", scores=told))
        program.close(referee.news())

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
        if any(state[it] for it in first) or state["match"] != self._match:
            return None
        seat: int = state["active"]
        if state["private"] and state["side"] != seat and seat in self._seats:
            self._phone.say("curtain", side=seat)  # of several seats the one whose turn it is
            return None
        if seat not in self._players or seat not in self._seats:
            return None
        referee, _ = self._players[seat]
        if referee.moves != sorted(name for name, _ in state["moves"]):
            raise BadText("join.other_moves")
        return seat if referee.turn else None

    @property
    def _match(self) -> str:
        return self._agreed[0] if self._agreed else ""

    @property
    def _seats(self) -> list[int]:
        return self._phone.you["seats"] if self._phone.you else []

    # ------------------------------------------------------------------------------ the program

    def _hear(self, seat: int) -> None:
        """Hear a program until the position is another, or the table waits for something else.
        Raises `BadText` where it does not play."""
        referee, program = self._players[seat]
        before, left = referee.match.position, TURN_S
        referee.refused = 0
        while referee.match.position is before and self._asked() == seat:
            since = time.monotonic()
            with program.within(left):
                program.say(referee.news())
                line = program.hear()
            left -= time.monotonic() - since
            if line is None:
                raise BadText("join.ends", why=program.why())
            if line:
                answer = referee.line(line)  # the table's time, and not the program's
                with program.within(left):
                    program.say(answer)
            if referee.refused >= REFUSED:
                raise BadText("join.ends", why=message("play.bot_refused", count=REFUSED))
            self._look()

    def _declares(self, referee: TableReferee, name: str) -> None:
        """Say a move at the table, and wait until it took it. Raises `Refused` with the table's
        word, or `BadText` where another position is shown by then."""
        position = referee.match.position
        refused, wait = Refused(""), 0.0
        for _ in range(TRIES):
            self._until_asked(referee, position, wait)
            said = self._said(referee, position, name)
            if said is None:
                return
            refused, wait = said, 2 * wait or AGAIN_S
        raise refused

    def _until_asked(self, referee: TableReferee, position: Position[Action], wait: float) -> None:
        """Wait so many seconds at least, and until the table waits for this seat. Raises `BadText`
        where that shows another position."""
        due = time.monotonic() + wait
        while (left := due - time.monotonic()) > 0:
            self._wait(left)
        while self._still(referee, position) and self._asked() != referee.seat:
            self._wait()

    def _still(self, referee: TableReferee, position: Position[Action]) -> bool:
        """Whether the table shows this position. Raises `BadText` where it shows another."""
        other = self._state is not None and self._state["match"] != self._match
        if other or referee.match.position is not position or referee.seat not in self._seats:
            raise BadText("table.changed_meanwhile")
        return True

    def _said(self, referee: TableReferee, position: Position[Action], name: str) -> Refused | None:
        """Say a move once, and over a new line once more; the table's word where it does not take
        it. Raises `BadText` where it shows another position."""
        phone, newest = self._phone, max((it[0] for it in _entries(self._state)), default=-1)
        line, asked, due, again = -1, 0, math.inf, False
        while True:
            if self._state is not None and self._line != line:
                line, again = self._line, line >= 0
                asked = phone.ask("declare", seat=-1, action=name, after=newest)
            self._wait(None if due == math.inf else max(0.0, due - time.monotonic()))
            for entry, seat, text in _entries(self._state):
                if entry > newest and seat == referee.seat:
                    self._echo(message("join.moved", seat=position.seats[seat], move=text or name))
                    return None
            self._still(referee, position)
            if (refused := phone.refused(asked)) is not None:
                due = min(due, time.monotonic() + LATE_S * again)
                if time.monotonic() >= due:
                    return refused


def _entries(state: dict[str, Any] | None) -> list[tuple[int, int, str]]:
    """What was played last: the entry, the seat, the words."""
    return state["line"]["last"] if state else []


def _unreadable(error: Exception) -> BadText:
    """Why a game at a board cannot be played from here."""
    if not isinstance(error, HexboardError):
        error = BadText("join.no_page", why=f"{type(error).__name__}: {error}"[:200])
    return BadText("join.unreadable", why=error.message, version=__version__)
