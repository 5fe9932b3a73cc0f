"""A moment of a game, and what some games have beside it: each a small protocol.

A `Position` is immutable: a moment of a game as far as its owner knows it. *Moves* are listed by
`legal`; a *happening* (physics) is not listed and `play` takes it whenever it is well formed; a
*table act* (concede) is not listed either, and `refusal` judges it. Ints inside, names outside.

What a game has beside that it declares (`hexboard.game.fields`): outside it, nothing is guessed.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol, Self, TypeVar

from msgspec import Struct

from hexboard.scene import Scene
from hexboard.words import Message

CHANCE = -1
"""The actor of what nobody chooses: dice, draws, a ball coming to rest."""
WHOLE = -1
"""The eyes (`Hidden.eyes`) of a position that is no view of anybody's."""

Event = Message
"""What a play caused, in terms of the game: key, rule id, named values."""
Refusal = Message
"""Why an action is not allowed: key, rule id, named values."""

A = TypeVar("A")


class Action:
    """An action of some game, to everything outside that game: it comes from a position (`legal`,
    `action`) and goes back to one (`play`, `name`), and means nothing else."""


class Question(Struct, frozen=True):
    """Why a seat has the moves it has: "roll a ball, play a tile or end the turn"."""

    seat: int
    message: Message


class Position(Protocol[A]):
    """A moment of a game. `A` is an int, or a small frozen struct in the rich games."""

    @property
    def seats(self) -> tuple[Message, ...]:
        """The players' names."""

    @property
    def legal(self) -> Collection[A]:
        """Moves, and the chance the rules wait for. Empty means the game is over."""

    @property
    def scores(self) -> tuple[int, ...] | None:
        """One number a seat once the game is over, else None."""

    @property
    def stable(self) -> bool:
        """Nothing is in the middle of being resolved: a take-back comes back to here. What is final
        the table says: one of pieces keeps each choice at once, one whose sensors read on (balls)
        what they no longer doubt."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last play caused, as everybody may hear it."""

    def refusal(self, action: A) -> Refusal | None:
        """Why `action` is not allowed now, naming the rule; None when it is."""

    def actor(self, action: A) -> int:
        """The seat that acts, or `CHANCE`."""

    def play(self, action: A) -> Self:
        """The position after. Raises `IllegalAction` with the refusal."""

    def question(self, seat: int) -> Question | None:
        """What the rules ask of a seat now; of `CHANCE`, who throws or draws by hand."""

    def scene(self) -> Scene:
        """What the lights should mean."""

    def name(self, action: A) -> str:
        """An action as people write it: "e5-e7", "play J C3 2"."""

    def action(self, name: str) -> A:
        """The inverse of `name`. Raises `BadText`."""

    def __str__(self) -> str:
        """Canonical text; the game's `parse` is its inverse."""


def lists(position: Position[A], action: A) -> bool:
    """Whether an action is one of the legal moves. A game may list them as bytes, of which `in`
    raises `ValueError` for an act that is no move, such as to resign."""
    return any(action == move for move in position.legal)


class Piece(Struct, frozen=True, array_like=True):
    """A thing that lies in a cell, for pictures: `kind` is disc, counter, card or unit; or hole,
    for a cell of the board that is not in play."""

    place: str
    kind: str
    seat: int = -1
    """Whose it is; -1 for nobody's."""
    count: int = 1
    """How high a stack is, or the number on it."""
    text: str = ""
    """What is written on it."""


class Visible(Position[A], Protocol[A]):
    """A game whose position can be seen on the board."""

    def seen(self) -> bytes:
        """One code a cell, in the board's order: what the board should show."""


class Touched(Visible[A], Protocol[A]):
    """A game of pieces that lie in cells, whose moves are made by touching the board."""

    def pieces(self) -> tuple[Piece, ...]:
        """What lies in the cells, as a page draws it."""

    def places(self, action: A) -> tuple[str, ...]:
        """The places that a finger touches to make this move: from and to, or the three that meet
        in a point, in any order; () for a die or a bet."""


class Blaming(Position[A], Protocol[A]):
    """A game that says which cells a refused move is about, where those are not its own."""

    def blamed(self, action: A) -> tuple[str, ...]:
        """The cells to light when `action` is refused."""


class Reaching(Position[A], Protocol[A]):
    """A game that shows how far the piece in a cell can go."""

    def rings(self, cell: str) -> Scene:
        """Marks at every place the piece can reach; () where there is none."""


class Handled(Position[A], Protocol[A]):
    """A game that can say which things people move by hand."""

    def things(self, code: int) -> tuple[str, ...]:
        """What a code of `seen` is as things, by name, from the bottom; "" for a covered one."""

    def tried(self, left: str, onto: str, thing: str) -> tuple[str, ...]:
        """The moves, by name, that a hand may have meant that took `thing` from the cell `left` to
        the cell `onto`; "" is beside the board. They need not be legal, nor even moves."""


class Marching(Position[A], Protocol[A]):
    """A game in which a hand makes several moves of one piece as one."""

    def marches(self, cells: Collection[str]) -> Iterable[tuple[A, ...]]:
        """The fewest moves that bring a piece from one of these cells to another, where one is not
        enough."""


class Chance(Position[A], Protocol[A]):
    """A game with dice or draws."""

    @property
    def dealt(self) -> bool:
        """The rules wait now for a chance that the dealer draws, and nobody at the table."""

    @property
    def drawn_from(self) -> str:
        """What is drawn from now: a pile of cards, a die. Who commits to a shuffle commits to the
        order of each (`hexboard.game.shuffle`)."""

    def odds(self, action: A) -> int:
        """The weight of one chance among those that `legal` lists now."""


class Phrase(Struct, frozen=True):
    """An action as a button says it."""

    said: Message
    """A few words: "Tank, 3 material"."""
    group: Message | None = None
    """The heading that it stands under with others: "Deploy"; None where it needs none."""
    number: int | None = None
    """What it is in a group of numbers, of which one is chosen by more and less: a stake."""
    sure: bool = False
    """It decides so much that people are asked once more before it is done."""


class Phrased(Position[A], Protocol[A]):
    """A game whose moves people can say without knowing how they are written."""

    def phrase(self, action: A) -> Phrase | None:
        """An action in words; None where the places that it touches say it all, or a picture."""

    @property
    def acts(self) -> tuple[A, ...]:
        """The table acts that there are, each with a phrase: resign, offer a draw."""


class Withholding(Phrased[A], Protocol[A]):
    """A game that names moves which people look for and cannot make now: what costs too much."""

    @property
    def withheld(self) -> tuple[tuple[Phrase, Refusal], ...]:
        """Moves in words, each with the reason why not, for pages to show."""


class Arranged(Touched[A], Protocol[A]):
    """A game whose position people put right by laying things into cells, without a text."""

    @property
    def palette(self) -> tuple[Piece, ...]:
        """What can lie in a cell, each as a page draws it; its `place` is the name of the thing."""

    def arranged(self, laid: Mapping[str, str]) -> str:
        """The text of this position with these things in these cells, "" for none. Raises
        `KeyError` for a cell or a thing that there is not."""


class Counted(Position[A], Protocol[A]):
    """A game in which seats have what lies in no cell: chips, cards."""

    @property
    def standing(self) -> tuple[Message, ...]:
        """What each seat has, as everybody may know it."""


class Keeping(Position[A], Protocol[A]):
    """A game that makes a file which people may want to keep."""

    @property
    def keeps(self) -> tuple[str, str] | None:
        """The file's name and text; None while there is none."""


class Hidden(Position[A], Protocol[A]):
    """A game in which not everybody knows everything. Unknown is a value of the same type.

    A seat is who looks; one past the last is nobody's: what everybody may know.
    """

    @property
    def private(self) -> bool:
        """hexboard dealt cards that not everybody may know, and the game goes on."""

    @property
    def deck(self) -> str:
        """The lists of cards that are dealt from, one canonical line: what a shuffle commits to.
        "5+5+7", copies side by side, in the order of `legal`; of several piles, by their names
        (`drawn_from`), "red=5+5+7;blue=3"."""

    @property
    def eyes(self) -> int:
        """Whose view this is: a seat, one past the last for nobody's, -1 for the whole position."""

    def view(self, seat: int) -> Self:
        """What `seat` may know; a view's view for the same seat is itself."""

    def told(self, action: A, seat: int) -> str:
        """The name of an action as `seat` may hear it: "draw" where another would hear which."""

    def hand(self, seat: int) -> tuple[Message, ...]:
        """The cards that a seat holds, in words."""
