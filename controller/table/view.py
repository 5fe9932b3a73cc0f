"""The view: all that a table shows at one moment, in one frozen value.

Daemon, pages, recordings and simulated players read this and nothing else of the table. It is never
written anywhere as it is: it holds the whole position. What goes to a page is made of `seen_by`,
what everybody may hear of `public`.
"""

from collections.abc import Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from hexboard.board import CellId
from hexboard.facts import Presence, Seal, Tint
from hexboard.game.game import AnyGame
from hexboard.game.position import Position
from hexboard.game.timing import Timing
from hexboard.scene import Scene
from hexboard.words import Message, Value

A = TypeVar("A")
NOTHING = "nothing"
"""The answer that nothing was moved."""
HOST_SEAT = -1
"""Stands for the host among the seats that are asked."""


class Choice(Struct, frozen=True):
    """One answer to a question: an action by name, or a ruling."""

    name: str
    message: Message


class Asking(Struct, frozen=True):
    """A question only people can answer, likeliest answer first.

    Its number is the board time at which it was asked, ms, or one more than that of the question
    before: an answer to a question from before a crash, or of another match, meets no other one.
    """

    id: int
    message: Message
    choices: tuple[Choice, ...]
    of: tuple[int, ...] = ()
    """The seats that have still to say yes; () for a question that anybody answers."""
    ordered: bool = False
    """What is chosen comes next and the others come after it, so that people can put all of them in
    order at once. Each is answered on its own all the same: meanwhile one may fall away."""


class Todo(Struct, frozen=True):
    """A cell that people must still change by hand before the board shows the position.

    `put` is what should lie there, as the game's own table has it; None for nothing.
    """

    cell: CellId
    put: object
    message: Message


class Line(Struct, frozen=True):
    """A message in the table's log, its number from 1, and the match entry it came with (-1: none).

    Numbers are given once: what a correction strikes out leaves a gap.
    """

    n: int
    message: Message
    entry: int


class OwnView(Struct, frozen=True):
    """What a table of a game's own shows beside: only that game reads it."""


class PiecesView(Struct, frozen=True):
    """What is known of pieces that people move."""

    touches: tuple[CellId, ...]
    """The cells touched so far to make a move."""
    wrong: tuple[CellId, ...]
    """The cells that no move explains, from when that is said until it is put right."""
    against: Message | None
    """The rule against what was tried, where one is plain, while the board is called wrong."""
    tint: Tint = Tint()
    """What a camera is to read by."""


class BallTrack(Struct, frozen=True):
    """Where a ball is believed to be while it rolls."""

    ball: int
    place: str
    """A slot, a seam, a lane or an end zone; "" for none of these."""
    moving: bool


class Weighed(Struct, frozen=True):
    """One of the things that a roll may have been, as it was weighed."""

    message: Message
    odds_ppm: int
    """How likely it is, in millionths."""
    ruled: bool
    """It is what was ruled; of several that come to the same, the likeliest."""


class TableView(Struct, Generic[A], frozen=True, kw_only=True):
    """What a table shows after one fact. Times are board ns."""

    game: AnyGame[A]
    options: Mapping[str, Value]
    """What was agreed on, as the game knows it."""
    takeback: str
    """What has to be agreed before something is taken back (`consent`)."""
    position: Position[A]
    """All of it, with what is hidden: for the dealer, and for who plays every seat."""
    positions: int
    """How many positions led here, the first one counted; fewer after a take-back."""
    entries: int
    """How many entries the match has."""
    committed: int
    """How many of them stand."""
    final: bool
    """The game is over for good."""
    chance: bool
    """The rules wait for the dealer."""
    place: str
    """Where in the sealed shuffle the dealer's next draw stands; "" where none is due."""
    quiet: bool
    """Nothing is being concluded: what it waits for is a person or a ball."""
    confirm: bool
    """After a restart: people have not looked the board over yet."""
    begun: bool
    """Somebody has made a move: more than cards dealt, or pieces set up."""
    todo: tuple[Todo, ...]
    asking: Asking | None
    log: tuple[Line, ...]
    """Oldest first."""
    scene: Scene
    presence: Mapping[str, Presence]
    high: frozenset[str]
    """The sensors that are believed active."""
    out: Mapping[str, str]
    """The sensors that are left out, and why: stuck, chattering …"""
    failing: Mapping[str, Message]
    """The sensors that count for less, and why, by what balls and rolls have shown."""
    seal: Seal | None
    """The shuffle that hidden cards are dealt from, seed and salt too."""
    unsealed: bool
    """What the shuffle was made of has been told."""
    unknown_acts: frozenset[str] = frozenset()
    """The table acts that are not offered, for the match is of rules without them (`Game`)."""
    names: Mapping[str, str] = {}
    """What seats are called whose players gave a name, by the English word for them."""
    colours: tuple[int, ...] = ()
    """The colours that players chose, by seat; -1 for none."""
    agreed_clock: str = ""
    """The clock that was agreed on ("10+5"); "" for none."""
    paused: bool = False
    """The game has a pause."""
    clock: Timing | None = None
    """What time the seats have left, where a clock was agreed on."""
    watched: bool = False
    """A camera has seen the board."""
    at_rest: tuple[str, ...] | None = None
    """Where a camera should see balls; None while some may roll, and where there are none."""
    tracks: tuple[BallTrack, ...] = ()
    """The balls that sensors see roll or lie."""
    weighings: int = 0
    """How often readings were weighed so far."""
    weighed: tuple[Weighed, ...] = ()
    """The readings that were weighed last, the likeliest first."""
    own: OwnView | None = None
    pieces: PiecesView | None = None

    @property
    def private(self) -> bool:
        """Cards were dealt that not everybody may know, and the game goes on."""
        return self.game.hides(self.position) is not None

    @property
    def public(self) -> Position[A]:
        """The position as everybody may know it."""
        return self.game.public(self.position)

    def seen_by(self, side: int) -> Position[A]:
        """The position as who sits at `side` may know it; at -1, everybody."""
        hides = self.game.hides(self.position)
        if hides is None or not 0 <= side < len(hides.seats):
            return self.public
        return hides.view(side)

    def hand(self, side: int) -> tuple[Message, ...]:
        """The hidden cards or tiles of who sits at `side`, in words; () where nothing is hidden."""
        hides = self.game.hides(self.position)
        return () if hides is None or side < 0 else hides.view(side).hand(side)

    @property
    def wrong(self) -> tuple[CellId, ...]:
        """The cells that no move explains."""
        return self.pieces.wrong if self.pieces else ()
