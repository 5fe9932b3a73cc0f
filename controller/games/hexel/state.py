"""What is so in a game of Hex'el: where cards and chips are, and what follows from that alone."""

from functools import cache, lru_cache
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from hexboard.game.position import Event, Refusal
from hexboard.game.value import ByValue
from hexboard.games.hexel.actions import Place
from hexboard.games.hexel.cards import CARD, FACES, TURNS, UNKNOWN, fitting, others
from hexboard.games.hexel.chips import Chips
from hexboard.games.hexel.grid import Faces, Grid, following
from hexboard.games.hexel.setting import HAND, Setting
from hexboard.words import message

PHASES = ("draw", "line", "deal", "stake", "hedge", "place", "over")
NOBODY = -1
NONE_YET = -1
"""No edges matched in this round so far."""
Room = list[tuple[int, bytes]]
"""Each cell where a card may be laid, and the faces that may lie there."""


class State(ByValue, Struct, frozen=True, eq=False):
    """What there is to know. Cards of `hands` and `discards` are sorted, one entry a seat; 0 is a
    card that the owner of this state has not seen. `unseen` are those whose place it does not
    know."""

    setting: Setting
    phase: str
    table: Faces
    unseen: bytes
    hands: tuple[bytes, ...]
    discards: tuple[bytes, ...]
    chips: Chips
    edges: tuple[int, ...]
    """What each seat matched last in this round, 0 where it was stuck."""
    drawn: bytes = b""
    """Cards turned up for the opening line and not laid yet (hands dealt by hexboard)."""
    turn: int = 0
    round: int = 0
    hedged: tuple[int, ...] = ()
    latest: int = NONE_YET
    """What the last turn of this round matched, whoever made it."""
    spot: int = NOBODY
    """Where the last card was placed."""
    placer: int = NOBODY
    """Who placed it."""
    out: tuple[int, ...] = ()
    winner: int = NOBODY
    eyes: int = NOBODY
    """The seat whose view this is; nobody's for the referee's."""
    events: tuple[Event, ...] = ()

    def value(self) -> tuple[object, ...]:
        return (
            *(self.phase, self.table, self.hands, self.discards, self.chips, self.edges),
            *(self.drawn, self.turn, self.round, self.hedged, self.latest, self.spot),
            *(self.placer, self.out, self.winner, self.eyes),
        )

    # ------------------------------------------------------------------------------ what is so

    @property
    def scores(self) -> tuple[int, ...] | None:
        """1 for the winner, 0 for the others (HEXEL-5.4); all 0 where nobody wins."""
        if self.phase != "over":
            return None
        return tuple(int(seat == self.winner) for seat in range(self.setting.seats))

    @property
    def pile(self) -> int:
        """How many cards are left to draw."""
        return len(self.unseen) - sum(hand.count(UNKNOWN) for hand in self.hands + self.discards)

    @property
    def inside(self) -> tuple[int, ...]:
        """The seats still in the game."""
        return self.clockwise(0)

    @property
    def dealer(self) -> int:
        """Who deals and begins; the next one still in where the dealer is out."""
        return next(iter(self.clockwise(self.setting.dealer)), self.setting.dealer)

    def clockwise(self, first: int) -> tuple[int, ...]:
        """The seats still in the game, in turn, from `first` on."""
        return _clockwise(self.setting.seats, first, self.out)

    @property
    def receiver(self) -> int:
        """Who gets the next card: one each, clockwise from the dealer's left (HEXEL-4.1)."""
        return min(self.clockwise(self.dealer + 1), key=lambda seat: len(self.hands[seat]))

    @property
    def share(self) -> int:
        """Cards each player gets this round: three, or what there is for all (HEXEL-A10)."""
        inside = self.inside
        return min(HAND, (self.pile + sum(len(self.hands[s]) for s in inside)) // len(inside))

    @property
    def line_cell(self) -> int:
        """The cell of the opening line that is next: west, middle, east."""
        return next(cell for cell in self.setting.grid.line if not self.table[cell])

    @property
    def rival(self) -> int:
        """The nearest previous player still in who has played this round (HEXEL-A9), or nobody."""
        others = [seat for seat in self.clockwise(self.turn + 1) if seat != self.turn]
        return others[-1] if others and self.edges[others[-1]] != NONE_YET else NOBODY

    @property
    def to_match(self) -> int:
        """Edges that the next placement has to match to be free of insurance; 0 for any."""
        if self.rival == NOBODY:
            return 0
        return self.latest if self.setting.previous == "last_card" else self.edges[self.rival]

    @property
    def may_be_unknown(self) -> bool:
        """Whether the hand whose turn it is holds a card that could be any unseen one."""
        return UNKNOWN in self.hands[self.turn]

    def playable(self) -> bytes:
        """The cards that the turn's hand may hold, for all that is known; some twice."""
        if self.phase == "line":
            return self._layable()
        hand = self.hands[self.turn]
        return hand.replace(b"\0", b"") + (self.unseen if UNKNOWN in hand else b"")

    def _layable(self) -> bytes:
        if self.setting.held:
            return self.unseen
        return self.drawn[:1] if self.setting.opening_order == "drawn" else self.drawn

    # ------------------------------------------------------------------------- the cards that fit

    def room(self) -> Room:
        """Where the turn's hand may lay a card."""
        asked = self.table.asked
        faces = b"\0".join(map(fitting, asked.values())).translate(None, others(self.playable()))
        return list(zip(asked, faces.split(b"\0"), strict=False))  # none is asked: one empty part

    def opening(self) -> bytes:
        """The faces that may be laid next in the opening line."""
        grid = self.setting.grid
        place = grid.line.index(self.line_cell)
        west = self.table[grid.line[place - 1]] if place else UNKNOWN
        ordered = not self.setting.held and self.setting.opening_order == "drawn"
        cards = self.unseen if self.setting.held else self.drawn
        return _line(grid, place, west, cards, ordered)

    def lays(self, place: Place) -> Self:
        """The opening line with one more card."""
        card = CARD[place.face : place.face + 1]
        table = self.setting.grid.laid(self.table, place.cell, place.face)
        if self.setting.held:
            return replace(self, table=table, unseen=self.unseen.replace(card, b"", 1))
        return replace(self, table=table, drawn=self.drawn.replace(card, b"", 1))

    def can_line(self) -> bool:
        """Whether the cards turned up, or any of the deck where only people see which those are,
        can be laid in a valid line (HEXEL-3.3, 3.4)."""
        return bool(self.opening())

    def bad_line(self, place: Place) -> Refusal | None:
        """Why a matching card may not lie in the opening line: a Hoxla at once (A3), or no card
        could complete the line then (A4)."""
        grid = self.setting.grid
        after = grid.laid(self.table, place.cell, place.face)
        if chances := grid.chances(after, place.cell):
            notches = ", ".join(grid.ids[cell] for cell in chances)
            return message("hexel.chance", "HEXEL-3.3", cells=notches)
        if place.cell != grid.line[-1] and not self.lays(place).can_line():
            return message("hexel.dead_end", "HEXEL-3.4", face=FACES[place.face])
        return None

    def hopeless(self, room: Room) -> bytes:
        """The cards of `playable` that fit nowhere."""
        fitting = b"".join([faces for _, faces in room])
        return self.playable().translate(None, fitting.translate(CARD))

    def is_stuck(self, room: Room) -> bool:
        """Whether it can be that no card of the hand fits (HEXEL-A5)."""
        hand, hopeless = self.hands[self.turn], self.hopeless(room)
        known = hand.replace(b"\0", b"")
        if set(known) - set(hopeless):
            return False
        return len(hopeless) - len(known) >= hand.count(UNKNOWN)

    @property
    def blind(self) -> bool:
        """Whether the card that comes now is hidden from whose position this is."""
        return self.phase == "deal" and (
            self.setting.held or self.eyes not in (NOBODY, self.receiver)
        )

    def least_hedge(self, seat: int) -> int:
        """The smallest Hedge payment a seat may make; all it has where that is less."""
        stake = self.chips.stake
        return stake * min(self.setting.hedge_min_factor, self.chips.stock[seat] // stake)


@cache
def _clockwise(seats: int, first: int, out: tuple[int, ...]) -> tuple[int, ...]:
    around = [*range(first, seats), *range(min(first, seats))]
    return tuple([seat for seat in around if seat not in out])


@lru_cache(1024)  # asked for each card that may begin the line, game after game
def _line(grid: Grid, place: int, west: int, cards: bytes, ordered: bool) -> bytes:
    """The faces of some cards (of the first, where they come in order) that may be laid at this
    `place` of the opening line, east of the face `west`: none makes a Hoxla at once (A3), and
    another card can go on (A4)."""
    playable = cards[:1] if ordered else cards
    faces = following(grid, place - 1, west).translate(None, others(playable))
    if place == len(grid.line) - 1:
        return faces
    return bytes([face for face in faces if _goes_on(grid, place, face, cards, ordered)])


def _goes_on(grid: Grid, place: int, face: int, cards: bytes, ordered: bool) -> bool:
    """Whether a card that is left can be laid east of this face."""
    card = CARD[face : face + 1]
    if place == len(grid.line) - 2 and not ordered and cards.count(card) == 1:
        rest = following(grid, place, face).translate(None, TURNS[face])
        return bool(rest.translate(None, others(cards)))
    return bool(_line(grid, place + 1, face, cards.replace(card, b"", 1), ordered))
