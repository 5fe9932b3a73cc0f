"""A puzzle: a record with something to find, as in the problems of chess and Hex.

    Game: ludo
    Find: Red wins, whatever the die shows.
    Start: ...

    1. a4
    2. b1
    Result: Red 1, Blue 0

Who is to move first solves it; the moves are the solution. Its first move is the *key*. Where the
solution wins, so does each move from which the rules force a win as soon as the solution has it,
whatever others choose and chance brings; that is looked for by trying all that can come. Where it
does not, or there is too much to try, a move is right that the solution has.
"""

from collections.abc import Iterator

from msgspec import Struct

from hexboard.game.match import Played
from hexboard.game.position import Action, Position
from hexboard.game.record import FIND, GameRecord
from hexboard.words.errors import BadText

MOST_POSITIONS = 20_000
"""So many are looked at for one question: 4 s of a computer's time in the slowest of our games."""
MOST_ACTIONS = 40
"""Longer solutions are not tried: the search is as deep as they are long."""


class TooMuch(Exception):
    """There is more to try than `MOST_POSITIONS`, or further to look than `MOST_ACTIONS`."""


class Puzzle(Struct, frozen=True):
    """What is to be found, from which position, by which seat, and the solution by name."""

    record: GameRecord
    find: str
    first: Position[Action]
    seat: int
    solution: tuple[str, ...]

    @property
    def wins(self) -> bool:
        """Whether the solution ends with the solver's win."""
        return won(self.record.match.position, self.seat)


def puzzle(record: GameRecord) -> Puzzle:
    """The puzzle that a record is. Raises `BadText` for one that asks nothing, or has no solution
    of one piece."""
    match = record.match
    plays = list(match.plays)
    names = [entry.action for _, entry in plays if isinstance(entry, Played)]
    if FIND not in record.headers:
        raise BadText("puzzle.no_task", head=FIND)
    if not names or any(not isinstance(it, Played) for _, it in plays[-len(names) :]):
        raise BadText("puzzle.no_solution")
    first = plays[-len(names)][0]
    seat = first.actor(first.action(names[0]))
    if seat < 0:
        raise BadText("puzzle.chance")
    return Puzzle(record, record.headers[FIND], first, seat, tuple(names))


def won(position: Position[Action], seat: int) -> bool:
    """Whether a seat has won alone."""
    scores = position.scores
    return scores is not None and max(scores) == scores[seat] and scores.count(scores[seat]) == 1


class Search:
    """Whether a seat can force its win; positions that were judged are kept."""

    def __init__(self, seat: int, most: int = MOST_POSITIONS) -> None:
        self._seat, self._left = seat, most
        self._known: dict[tuple[str, int], bool] = {}

    def forces(self, position: Position[Action], depth: int) -> bool:
        """Whether the seat wins within `depth` actions, whatever others do. Raises `TooMuch`."""
        if position.scores is not None:
            return won(position, self._seat)
        if depth <= 0:
            return False
        if depth > MOST_ACTIONS:
            raise TooMuch
        key = str(position), depth
        if key not in self._known:
            self._known[key] = self._tried(position, depth)
        return self._known[key]

    def _tried(self, position: Position[Action], depth: int) -> bool:
        if mine := [it for it in position.legal if position.actor(it) == self._seat]:
            return any(self.forces(it, depth - 1) for it in self._after(position, mine))
        return self.answer(position, depth) is None

    def answer(self, position: Position[Action], depth: int) -> str | None:
        """By name, what others may do, or chance bring, after which the seat does not win within
        `depth` actions; None where there is nothing. Raises `TooMuch`."""
        for action in position.legal:
            for after in self._after(position, [action]):
                if not self.forces(after, depth - 1):
                    return position.name(action)
        return None

    def _after(
        self, position: Position[Action], actions: list[Action]
    ) -> Iterator[Position[Action]]:
        """The positions after these actions; a die that is only thrown again leads to none."""
        for action in actions:
            self._left -= 1
            if self._left < 0:
                raise TooMuch
            after = position.play(action)
            if str(after) != str(position):
                yield after


def keys(found: Puzzle) -> list[str]:
    """The moves by name that solve a puzzle whose solution wins. Raises `TooMuch`."""
    search, first = Search(found.seat), found.first
    return [
        first.name(action)
        for action in first.legal
        if first.actor(action) == found.seat
        and search.forces(first.play(action), len(found.solution) - 1)
    ]
