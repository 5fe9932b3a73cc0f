"""Looks: what a camera has seen of the board, since the last hand and before.

A *look* is a reading of the board at rest. The looks of one situation are taken together; the last
one of a board that is certain is what new ones are compared with.
"""

from collections.abc import Iterable
from itertools import islice

from hexboard.board import Board
from hexboard.game.game import AnyGame
from hexboard.game.position import CHANCE, Action, Touched
from hexboard.perception.inference import Explanation, Look, LookVerdict, infer, later, lying, mean

TURNS = 3
"""So many positions back a take-back is weighed against moves."""
SITUATION_LOOKS = 3
"""Looks at one situation before people are asked; older ones are forgotten."""


class Looks:
    """The looks at one board. `shown` is what a position shows: one code a cell."""

    def __init__(self, game: AnyGame[Action], board: Board) -> None:
        self._game = game
        self._cells = [cell.id for cell in board.cells]
        self.watched = False
        """A camera has seen the board."""
        self.done = False
        """Somebody says that the move is made: the next look decides."""
        self._certain: tuple[bytes, Look] | None = None  # a board, and the look that showed it
        self._trusted: bytes | None = None  # the next look shows this board: people said so
        self._looks: list[Look] = []  # since the last hand, of what is not explained yet
        self.last: Look | None = None
        """The last look since the last hand."""

    @property
    def now(self) -> Look | None:
        """What the looks since the last hand come to together; None where there is none."""
        return mean(self._looks) if self._looks else None

    @property
    def many(self) -> bool:
        """Whether people may be asked: more looks would say no more."""
        return len(self._looks) == SITUATION_LOOKS

    @property
    def certain(self) -> bytes | None:
        """The board that was certain last."""
        return self._certain[0] if self._certain else None

    # ------------------------------------------------------------------------------ what comes

    def hand(self) -> None:
        """A hand is over the board: what was seen before it says nothing any more."""
        self._looks, self.last = [], None

    def take(self, look: Look, certain: Iterable[Touched[Action]]) -> None:
        """A look at the board at rest, and the positions that people can have come from."""
        self.watched, self.last = True, look
        self._looks = [*self._looks, look][-SITUATION_LOOKS:]
        if self._trusted is None:
            return
        if self.weigh(look, None, certain).kind != "accept":  # the hand there made its move
            self._certain = self._trusted, look
        self._trusted = None

    def again(self) -> bool:
        """Consider the last look anew; whether there is one since the last hand."""
        if self.last and not self._looks:
            self._looks = [self.last]
        return self.last is not None

    # ------------------------------------------------------------------------------ what is so

    def explained(self) -> None:
        """What was seen so far is explained."""
        self._looks, self.done = [], False

    def played(self, shown: bytes, now: Look | None) -> None:
        """A look was a move, after which the board is certain."""
        if now:
            self._certain = shown, now

    def same(self, shown: bytes, now: Look) -> None:
        """A look shows what should lie there."""
        self._certain = shown, later(self.before(shown), now)

    def said(self, shown: bytes) -> None:
        """People say that the board shows this."""
        now = self.now or self.last
        self._certain = (shown, now) if now else None
        self._trusted = None if now else shown

    def unsaid(self) -> None:
        """Something else lies there by now than people said."""
        self._trusted = None

    # ------------------------------------------------------------------------------ what it says

    def before(self, shown: bytes) -> Look | None:
        """The look at what should lie there now; of what was said since it knows nothing."""
        if self._certain is None:
            return None
        board, look = self._certain
        cells = zip(look, board, shown, strict=True)
        return tuple(cell if old == new else () for cell, old, new in cells)

    def weigh(
        self, now: Look, before: Look | None, certain: Iterable[Touched[Action]]
    ) -> LookVerdict[Action]:
        """What a look comes to, from these positions, the present one first. What says more than a
        hand can have shown is asked, however well it explains the look; so are several moves that
        make the board what it was, for it may have been put back."""
        older = iter(certain)
        positions = list(islice(older, 1 + TURNS))
        found = infer(self._cells, positions, before, now, self._game.marches)
        best = found.lines[0]
        if found.kind != "accept":
            return found
        if len(best.actions) > 1 and (back := _put_back(best, older)):
            return LookVerdict("ask", (back, best), found.gap)
        told = self._shown_by_hand(positions[0], best)
        return found if told else LookVerdict("ask", found.lines, found.gap)

    def _shown_by_hand(self, position: Touched[Action], line: Explanation[Action]) -> bool:
        """Whether a hand can have shown all of it: at most one choice that touches no place, a
        turn's end, and none that people are asked about twice. (A marker that is pushed on looks
        like both seats' turns, for it goes home at the end of each.)"""
        silent = 0
        for name in line.actions:
            action = position.action(name)
            phrase = self._game.phrase(position, action)
            if phrase is not None and phrase.sure:
                return False
            silent += not position.places(action) and position.actor(action) != CHANCE
            position = position.play(action)
        return silent < 2

    def lying(self, want: bytes, shown: bytes, now: Look, believed: bytes) -> bytes:
        """What a look shows to lie in the cells; it may well be what should."""
        return lying(want, shown, self.before(shown), now, believed)

    def may_be(self, line: Explanation[Action], shown: bytes, now: Look) -> bool:
        """Whether no cell of a look speaks against a way of play."""
        want = line.position.seen()
        return self.lying(want, shown, now, want) == want


def _put_back(
    line: Explanation[Action], older: Iterable[Touched[Action]]
) -> Explanation[Action] | None:
    """The way back to the newest of these older positions that looks as a line does; None where
    none does. The newer ones were weighed."""
    shown = line.position.seen()
    alike = (
        Explanation((), k, 0, at) for k, at in enumerate(older, 1 + TURNS) if at.seen() == shown
    )
    return next(alike, None)
