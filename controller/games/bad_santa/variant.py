"""A game of the family: what its module offers, made from its form and its options."""

from functools import partial
from typing import Any

from msgspec import Struct

from hexboard.board import Board, plain
from hexboard.game.fields import ForeignFormat, PagePart
from hexboard.game.game import Game
from hexboard.game.options import Option, Options, choose
from hexboard.games.bad_santa import sgf
from hexboard.games.bad_santa.ground import COLOURS, GroundShape, ground, side_of
from hexboard.games.bad_santa.looks import APPEARANCE
from hexboard.games.bad_santa.notation import notation
from hexboard.games.bad_santa.position import BadSanta, Setting, begun
from hexboard.games.bad_santa.text import problem, read
from hexboard.words.errors import BadText

SMALLEST = 3
"""The shortest side that can be played (C7)."""
VERSION = "rulings C1-C10, 2"
EARLIER = "rulings C1-C10, 1"
"""Read as well: there anybody named the number of the die, and before 27 November 2026 no counter
was taken back by an act of its own."""
SHARED = (
    Option("first", "black", choices=("black", "white"), rule="BSH-1.3"),
    Option(
        "shortage",
        "max_reroll",
        choices=("max_reroll", "max_no_reroll", "pass", "waive_group_rule"),
        rule="C1",
    ),
    Option("labels", "order", choices=("order", "free"), rule="C10"),
    Option("die", "physical", choices=("physical", "pressed", "dealt"), rule="C6", dealt="dealt"),
    Option("swap", False, rule="C9"),
)
"""The options of every game of the family, besides the size."""


class Variant(Struct, frozen=True):
    """One game of the family."""

    name: str
    title: str
    form: GroundShape
    goal: str
    """The rule that says who wins."""
    options: tuple[Option, ...]
    small: int
    """The size that a first game is best played on."""
    sample: str
    """A game under way, for pictures of it."""

    def rules(self) -> str:
        """The version of the rules, which recordings are tied to."""
        return f"{self.title}, {VERSION}"

    def board(self, options: Options) -> str:
        """The board it is played on where nobody chose one."""
        return f"{self.form.board}-{choose(self.name, self.options, options)['size']}"

    def start(self, board: Board, options: Options) -> BadSanta:
        """An empty board. Raises `BadText` for an unknown option or a board that does not fit."""
        setting = self._setting(board, options)
        return begun(setting, COLOURS.index(setting.first.title()), 0, 0, [], [], 1)

    def parse(self, text: str, board: Board, options: Options) -> BadSanta:
        """The position a text stands for. Raises `BadText`."""
        return read(text, self._setting(board, options))

    def _begun(self, options: Options) -> BadSanta:
        return self.start(plain(self.board(options)), options)

    def game(self) -> Game[BadSanta, int]:
        """The declaration of this one."""
        return Game(
            name=self.name,
            package="hexboard.games.bad_santa",
            family="bad_santa",
            rules=self.rules,
            earlier_rules=lambda: {f"{self.title}, {EARLIER}": {}},
            unknown_acts=lambda: {f"{self.title}, {EARLIER}": ("back",)},
            board=self.board,
            start=self.start,
            parse=self.parse,
            problem=problem,
            options=self.options,
            beginners={"size": self.small},
            sample=self.sample,
            touched=BadSanta,
            handled=BadSanta,
            marching=BadSanta,
            phrased=BadSanta,
            arranging=BadSanta,
            notation=notation,
            seats_swapped=lambda position: position.swapped,
            chance=BadSanta,
            appearance=APPEARANCE,
            foreign=ForeignFormat(
                write=partial(sgf.write, tuple(it for it in self.options if it.name != "size")),
                read=partial(sgf.read, self._begun),
            ),
            page=PagePart(shows=_shows),
        )

    def _setting(self, board: Board, options: Options) -> Setting:
        chosen: dict[str, Any] = choose(self.name, self.options, options)
        del chosen["size"]
        side = side_of(self.form, board.cells)
        if side is None or side < SMALLEST:
            example = self.board({})
            raise BadText("bad_santa.board", board=board.name, game=self.title, example=example)
        if options.get("size", side) != side:
            size = options["size"]
            raise BadText("bad_santa.size", board=board.name, side=side, size=size)
        place = ground(self.form, board.cells, side)
        return Setting(self.title, board.name, place, self.goal, **chosen)


def _shows() -> object:
    """What pages are told beside the counters, once one asks."""
    from hexboard.games.bad_santa.sheet import SidesSheet

    return SidesSheet()
