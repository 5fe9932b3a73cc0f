"""A game, whole: what it declares, and what the rest of hexboard asks it about a position.

    GAME = Game(name="havannah", package=__name__, rules=rules, board=board, start=start,
                parse=parse, touched=Havannah)

Its functions take and give positions of its own class: what `start` gives, `problem` takes, and
mypy finds out by itself that this is a `Game[Havannah, int]`. To the rest it is `AnyGame`.

Its fields stand in `hexboard.game.fields`. What it is asked about a position has an answer also
where it declares nothing of the kind: no words, no hidden cards, nothing to lay.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from hexboard.appearance import Appearance
from hexboard.board.areas import Areas
from hexboard.game.fields import GameFields, P
from hexboard.game.options import Options, choose
from hexboard.game.position import WHOLE, Chance, Hidden, Phrase, Piece, Position, Touched, Visible
from hexboard.scene import Scene
from hexboard.words import Message
from hexboard.words.errors import BadText

A = TypeVar("A")
N = TypeVar("N")


class Game(GameFields[P, A], frozen=True, kw_only=True, eq=False):
    """A game as it declares itself. `P` is the class of its positions, `A` the type of its actions.

    Its sentences stand in `locale/en.toml` of its package, its rules in our own words in
    `locale/en.md` (what `hexboard help` prints); a game of one file says them in `words`.
    """

    def visibly(self, position: Position[A]) -> Visible[A]:
        """A position as the board shows it. Raises `BadText` for a game that cannot be seen."""
        for kind in (self.touched, self.visible):
            if kind is not None and isinstance(position, kind):
                return position
        raise BadText("game.not_visible", game=self.name)

    def touchable(self, position: Position[A]) -> Touched[A]:
        """A position as fingers find it. Raises `BadText` for a game that has no pieces."""
        if self.touched is not None and isinstance(position, self.touched):
            return position
        raise BadText("game.not_touched", game=self.name)

    def hides(self, position: Position[A]) -> Hidden[A] | None:
        """The position, where some of it is hidden from somebody now; else None."""
        if self.hidden is not None and isinstance(position, self.hidden) and position.private:
            return position
        return None

    def view(self, position: Position[A], seat: int) -> Position[A]:
        """A position as `seat` may know it."""
        if self.hidden is not None and isinstance(position, self.hidden):
            return position.view(seat)
        return position

    def eyes(self, position: Position[A]) -> int:
        """Whose view a position is (`Hidden.eyes`); `WHOLE` for the position itself."""
        kind = self.hidden
        return WHOLE if kind is None or not isinstance(position, kind) else position.eyes

    def public(self, position: Position[A]) -> Position[A]:
        """A position as everybody may know it."""
        hides = self.hides(position)
        return position if hides is None else hides.view(len(hides.seats))

    def heard(self, position: Position[A], action: A) -> str:
        """The name of an action as everybody may hear it."""
        hides = self.hides(position)
        return position.name(action) if hides is None else hides.told(action, len(hides.seats))

    def waits(self, position: Position[A]) -> Chance[A] | None:
        """The position, where its rules wait for a chance that the dealer draws; else None."""
        if self.chance is not None and isinstance(position, self.chance) and position.dealt:
            return position
        return None

    def deals(self, position: Position[A]) -> bool:
        """Whether the rules wait for a chance that the dealer draws."""
        return self.waits(position) is not None

    def blamed(self, position: Position[A], action: A) -> tuple[str, ...]:
        """The cells that a refused move is about."""
        if self.blaming is not None and isinstance(position, self.blaming):
            return position.blamed(action)
        return self.touchable(position).places(action)

    def marches(self, position: Position[A], cells: Collection[str]) -> Iterable[tuple[A, ...]]:
        """The moves of one piece that a hand may have made as one, from or to these cells."""
        if self.marching is not None and isinstance(position, self.marching):
            return position.marches(cells)
        return ()

    def things(self, position: Position[A], code: int) -> tuple[str, ...]:
        """What a code of `seen` is as things that a hand moves; () where the game cannot say."""
        if self.handled is not None and isinstance(position, self.handled):
            return position.things(code)
        return ()

    def tried(self, position: Position[A], left: str, onto: str, thing: str) -> tuple[str, ...]:
        """The moves, by name, that a hand may have meant that took a thing from one cell to
        another; "" is beside the board."""
        if self.handled is not None and isinstance(position, self.handled):
            return position.tried(left, onto, thing)
        return ()

    def rings(self, position: Position[A], cell: str) -> Scene:
        """How far the piece in a cell can go, where the game shows that."""
        if self.reaching is not None and isinstance(position, self.reaching):
            return position.rings(cell)
        return ()

    def phrase(self, position: Position[A], action: A) -> Phrase | None:
        """An action in words; None where its places say it all, or nobody says it."""
        if self.phrased is not None and isinstance(position, self.phrased):
            return position.phrase(action)
        return None

    def standing(self, position: Position[A]) -> tuple[Message, ...]:
        """What each seat has that lies in no cell."""
        if self.counted is not None and isinstance(position, self.counted):
            return position.standing
        return ()

    def keeps(self, position: Position[A]) -> tuple[str, str] | None:
        """A file that people may want to keep now: its name and its text."""
        if self.keeping is not None and isinstance(position, self.keeping):
            return position.keeps
        return None

    def table_acts(self, position: Position[A]) -> tuple[A, ...]:
        """The table acts that somebody may do now."""
        if self.phrased is None or not isinstance(position, self.phrased):
            return ()
        return tuple(act for act in position.acts if position.refusal(act) is None)

    def withheld(self, position: Position[A]) -> Iterable[tuple[Phrase, Message]]:
        """The moves that people look for and cannot make now, in words, and why not."""
        if self.withholding is None or not isinstance(position, self.withholding):
            return ()
        return position.withheld

    def exchanged(self: "AnyGame[A]", position: Position[A]) -> bool:
        """Whether a rule has had the two players change seats."""
        return self.seats_swapped is not None and self.seats_swapped(position)

    def seated(self: "AnyGame[A]", position: Position[A], given: tuple[N, ...]) -> tuple[N, ...]:
        """What the players gave, name or colour, as they sit now: a rule may have had two of them
        change seats."""
        return given[1::-1] if self.exchanged(position) and len(given) > 1 else given

    def divided(self: "AnyGame[A]", position: Position[A]) -> Areas:
        """The name of the area that each cell belongs to; nothing where the board is not
        divided."""
        return {} if self.areas is None else self.areas(position)

    def palette(self, position: Position[A]) -> tuple[Piece, ...]:
        """What people can lay into cells to put a position right; () where they write its text."""
        if self.arranging is None or not isinstance(position, self.arranging):
            return ()
        return position.palette

    def arranged(self, position: Position[A], laid: Mapping[str, str]) -> str:
        """The text of a position with these things in these cells. Raises `BadText`."""
        if self.arranging is None or not isinstance(position, self.arranging):
            raise BadText("game.not_arranged", game=self.name)
        try:
            return position.arranged(laid)
        except KeyError as unknown:
            raise BadText("game.not_there", what=str(unknown.args[0])[:40]) from None


AnyGame = Game[Position[A], A]
"""A game to everything outside it: its positions are moments of some game (`Position`)."""


def appearance(game: AnyGame[A]) -> Appearance[Visible[A]]:
    """What a camera has to know of a game. Raises `BadText` for one that no camera can read."""
    if game.appearance is None:
        raise BadText("vision.no_looks", game=game.name)
    return game.appearance


def board_for(game: AnyGame[A], options: Options) -> str:
    """Its `board`, for options that are looked over: raises `BadText` for one that it does not
    know, or that cannot be so."""
    choose(game.name, game.options, options)
    return game.board(options)


def agreed_by(version: str, game: AnyGame[A], options: Options) -> Options:
    """The options of a match that was begun by this version of a game's rules."""
    return {**game.earlier_rules().get(version, {}), **options}
