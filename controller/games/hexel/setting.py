"""What is agreed before a game of Hex'el, and does not change during it."""

import contextlib
from typing import Any

from msgspec import Struct

from hexboard.board import Board
from hexboard.game.codec import NUMBER, Codec, each, read_line, write_line
from hexboard.game.options import Option, Options, choose
from hexboard.games.hexel.deck import TWINS, deck
from hexboard.games.hexel.grid import Grid, grid
from hexboard.words.errors import BadText

NAME = "hexel"
HAND = 3
"""Cards in a hand, and in the opening line (HEXEL-3.1, 4.1)."""
SWITCH = ("on", "off")

OPTIONS = (
    Option("seats", 2, least=1, most=6, rule="HEXEL-A14"),
    Option("deck", "bracelet36", rule="HEXEL-A2", file=True),
    Option("twins", TWINS[0], TWINS, rule="HEXEL-A2"),
    Option("hands", "held", ("held", "dealt"), rule="HEXEL-4.3", dealt="dealt"),
    Option("dealer", 0, least=0, most=5, rule="HEXEL-A15"),
    Option("opening_order", "free", ("free", "drawn"), rule="HEXEL-A4"),
    Option("chips", "on", SWITCH, rule="HEXEL-2.1"),
    Option("stock", 40, least=1, most=9999, rule="HEXEL-2.1"),
    Option("carried", "", rule="HEXEL-7.3", carried=True),
    Option("hedge_min_factor", 0, least=0, most=99, rule="HEXEL-A6"),
    Option("stuck", "pay_as_zero", ("pay_as_zero", "pass_free", "eliminated"), rule="HEXEL-A5"),
    Option("carry_over_rounds", "off", SWITCH, rule="HEXEL-A8"),
    Option("previous", "active", ("active", "last_card"), rule="HEXEL-A9"),
    Option("short_deal", "end", ("end", "deal_equally"), rule="HEXEL-A10"),
    Option("last_left", "wins", ("wins", "plays_on"), rule="HEXEL-A11"),
    Option("table", "physical", ("physical", "unbounded"), rule="HEXEL-G9"),
    Option("live_cells", "on", SWITCH, rule="HEXEL-5.4"),
)


class Setting(Struct, frozen=True):
    """The board, the deck (sorted cards) and the options."""

    grid: Grid
    deck: bytes
    seats: int
    hands: str
    dealer: int
    opening_order: str
    chips: str
    stock: int
    stocks: tuple[int, ...]
    """What each seat begins with: the buy-in, or what the last game left it."""
    hedge_min_factor: int
    stuck: str
    carry_over_rounds: str
    previous: str
    short_deal: str
    last_left: str
    live_cells: str

    @property
    def held(self) -> bool:
        """People hold the printed cards: nobody but they knows which."""
        return self.hands == "held"

    @property
    def money(self) -> bool:
        """Whether chips are played for; who practises alone has nobody to pay (HEXEL-A14)."""
        return _for_chips(self.chips, self.seats)


def setting(board: Board, options: Options) -> Setting:
    """The setting of a game. Raises `BadText` or `BadFile` for what cannot be agreed on."""
    chosen: dict[str, Any] = choose(NAME, OPTIONS, options)
    cards = deck(chosen.pop("deck"), chosen.pop("twins"))
    reach = len(cards) if chosen.pop("table") == "unbounded" else 0
    dealer, stocks = _begins(chosen, chosen.pop("carried"))
    seats, least = chosen["seats"], HAND * (1 + chosen["seats"])
    if dealer >= seats:
        raise BadText("hexel.no_dealer", dealer=dealer, last=seats - 1)
    if len(cards) < least:
        raise BadText("hexel.small_deck", size=len(cards), least=least, seats=seats)
    return Setting(grid(board, reach), cards, **{**chosen, "dealer": dealer, "stocks": stocks})


def carried(dealer: int, stocks: tuple[int, ...]) -> str:
    """The option of that name: "dealer=1 stock=52;28", no stock where no chips are played for."""
    return write_line({"dealer": dealer, "stock": stocks}, _CARRIED, None)


def _begins(chosen: Options, left: str) -> tuple[int, tuple[int, ...]]:
    """Who deals, and what each seat begins with. Raises `BadText` for chips that the last game
    cannot have left: none is made or lost (HEXEL-7.3)."""
    seats, stock = int(chosen["seats"]), int(chosen["stock"])
    bought = (stock if _for_chips(str(chosen["chips"]), seats) else 0,) * seats
    if not left:
        return int(chosen["dealer"]), bought
    with contextlib.suppress(BadText):
        found = read_line(left, _CARRIED, None)
        stocks = found["stock"] or (0,) * seats
        if len(stocks) == seats and sum(stocks) == sum(bought):
            return found["dealer"], stocks
    raise BadText("hexel.bad_carried", text=left[:60], seats=seats, chips=sum(bought))


def _for_chips(chips: str, seats: int) -> bool:
    return chips == "on" and seats > 1


_CARRIED: dict[str, Codec[None]] = {"dealer": NUMBER, "stock": each(NUMBER)}
