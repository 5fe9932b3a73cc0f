"""Touches: the fingers that make a move on the board itself, or on a page that shows it.

The cells touched so far are lit, with what may come next, until a move is meant or nothing follows
for a while. What a pad felt of a finger is `fingers`. Times are board ns.
"""

from itertools import chain

from hexboard.board import EDGES, Board, CellId
from hexboard.facts import MS
from hexboard.game.game import AnyGame
from hexboard.game.position import Action, Touched
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import Message, message
from hexboard.words.errors import BadText, IllegalAction

TOUCH_NS = 20_000 * MS
"""A touch that nothing follows is forgotten after this."""
POINT = 3
"""So many cells meet in a point."""

Beginning = list[tuple[str, tuple[CellId, ...]]]
"""Legal moves, by name, and the places that each touches."""


def remaining(places: tuple[CellId, ...], touched: tuple[CellId, ...]) -> tuple[CellId, ...] | None:
    """Which of a move's places may be touched next: the one whose turn it is, or of three that meet
    in a point the rest; none where all are. None where the move does not begin with these touches.

    >>> remaining(("e2", "e4"), ("e2",)), remaining(("e2", "e4"), ("e4",))
    (('e4',), None)
    >>> remaining(("a", "b", "c"), ("b",)), remaining(("a", "b", "c"), ("c", "b", "a"))
    (('a', 'c'), ())
    """
    if len(places) == POINT and {*touched} <= {*places} and len({*touched}) == len(touched):
        return tuple(place for place in places if place not in touched)
    count = len(touched)
    return places[count : count + 1] if places[:count] == touched else None


class Touches:
    """The cells touched so far to make a move, and those of the move that was refused last. What
    may begin where is asked of `public`: the position as everybody may know it."""

    def __init__(self, game: AnyGame[Action], board: Board) -> None:
        self._game, self._board = game, board
        self.cells: tuple[CellId, ...] = ()
        """The cells touched so far to make a move."""
        self.refused: tuple[CellId, ...] = ()
        """The places of the move that was refused last, until something else is said."""
        self.forget_at: int | None = None
        """When the touches are forgotten."""
        self.lapsed: tuple[CellId, ...] = ()
        """The cells whose touches were forgotten, where nothing else was said since: what was taken
        up there may still be in a hand."""

    def hold(self, cells: tuple[CellId, ...], now: int) -> None:
        """These cells are touched, and a move begins there."""
        self.cells, self.forget_at, self.lapsed = cells, now + TOUCH_NS, ()

    def put_down(self) -> None:
        """Nothing is touched any more."""
        self.cells, self.forget_at, self.lapsed = (), None, ()

    def lapse(self) -> None:
        """Nothing followed for a while."""
        cells = self.cells
        self.forget()
        self.lapsed = cells

    def forget(self) -> bool:
        """Something else was said; whether anything was touched or refused."""
        there = bool(self.refused or self.cells)
        self.refused = ()
        self.put_down()
        return there

    def beginning(self, public: Touched[Action], cells: tuple[CellId, ...]) -> Beginning:
        """The legal moves that begin with these touches, for all that everybody may know."""
        moves = ((move, public.places(move)) for move in public.legal)
        return [(public.name(move), at) for move, at in moves if remaining(at, cells) is not None]

    def against(self, public: Touched[Action], cells: tuple[CellId, ...]) -> Message:
        """No move goes on like this: the rule against it, where that is plain."""
        for text in self._tried(public, cells):
            try:
                refusal = public.refusal(public.action(text))
            except (BadText, IllegalAction):
                continue
            if refusal:
                return refusal
        return message("table.touch_none", cells=", ".join(cells))

    def _tried(self, public: Touched[Action], cells: tuple[CellId, ...]) -> list[str]:
        """What may have been meant, by name: a move that is named by its cells, or a thing comes to
        the last one, or leaves it."""
        codes = dict(zip((cell.id for cell in self._board.cells), public.seen(), strict=True))
        things = {cell: self._game.things(public, code) for cell, code in codes.items()}
        left, last = ("", *cells)[-2:]
        around = (self._board.neighbour(last, edge) for edge in EDGES)
        hands = [(left, last), *((last, other) for other in around if other)]
        tried = self._game.tried
        moved = (tried(public, *hand, (things.get(hand[0]) or ("",))[-1]) for hand in hands)
        return ["-".join(cells), *chain.from_iterable(moved)]

    # ------------------------------------------------------------------------------ in lights

    def lit(self, marks: Scene, public: Touched[Action]) -> Scene:
        """A scene while cells are touched: what may come next, for all that everybody knows,
        instead of all that may begin."""
        if not self.cells:
            return marks
        picked = [Mark(cell, Meaning.PICKED) for cell in self.cells]
        rings = self._game.rings(public, self.cells[0]) if len(self.cells) == 1 else ()
        if rings:  # how far the piece can go
            return (*marks, *picked, *rings)
        kept = (m for m in marks if m.meaning not in (Meaning.LEGAL, Meaning.ONTO))
        return (*kept, *picked, *self._following(public))

    def _following(self, public: Touched[Action]) -> list[Mark]:
        """The places that may be touched next; those where something lies look different."""
        cells = [cell.id for cell in self._board.cells]
        there = dict(zip(cells, public.seen(), strict=True))
        rest = (
            remaining(places, self.cells) or () for _, places in self.beginning(public, self.cells)
        )
        following = dict.fromkeys(chain.from_iterable(rest))
        return [Mark(c, Meaning.ONTO if there[c] else Meaning.LEGAL) for c in following]
