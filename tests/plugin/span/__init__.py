"""Span: two players place discs in turn; a chain that links two opposite sides wins."""

from collections.abc import Iterable

from msgspec import Struct

from hexboard.appearance import BLACK, WHITE, Appearance, Look
from hexboard.board import POINTY_STEPS, Axial, Board, plain
from hexboard.game.fields import PagePart
from hexboard.game.game import Game
from hexboard.game.options import Options, choose
from hexboard.game.position import Event, Piece, Question, Refusal
from hexboard.game.value import ByValue
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import Message, message
from hexboard.words.errors import BadText, IllegalAction

BOARD = plain("hexhex-4")
CELLS = [cell.id for cell in BOARD.cells]
PLACES = [(cell.q, cell.r) for cell in BOARD.cells]
RIM = 3
"""How far the sides are from the middle."""
EMPTY, DISCS = ".", "BW"


def along(place: Axial) -> tuple[int, int, int]:
    """How far a cell is from the middle in each of the three directions: RIM and -RIM are sides."""
    q, r = place
    return q, r, q + r


def chain(start: Iterable[Axial], discs: set[Axial]) -> set[Axial]:
    """The discs that hang together with those of `start`."""
    found, fresh = set(start), list(start)
    while fresh:
        q, r = fresh.pop()
        near = {(q + dq, r + dr) for dq, dr in POINTY_STEPS} & discs - found
        found |= near
        fresh += near
    return found


def spans(discs: set[Axial], way: int) -> bool:
    """Whether a chain of these discs links the two sides of one of the three directions."""
    side = [place for place in discs if along(place)[way] == RIM]
    return any(along(place)[way] == -RIM for place in chain(side, discs))


class Span(ByValue, Struct, frozen=True, eq=False):
    """A moment of the game: a character a cell, in the board's order. An action is such a place."""

    cells: str = EMPTY * len(CELLS)
    last: int = -1
    """The cell of the last disc; it is only shown, and -1 where nobody knows it."""
    setting: None = None
    """Nothing is agreed on before."""

    def value(self) -> str:
        return self.cells

    @property
    def turn(self) -> int:
        return (len(CELLS) - self.cells.count(EMPTY)) % 2

    @property
    def winner(self) -> int | None:
        """S3."""
        for seat, disc in enumerate(DISCS):
            discs = {place for place, it in zip(PLACES, self.cells, strict=True) if it == disc}
            if any(spans(discs, way) for way in range(3)):
                return seat
        return None

    @property
    def seats(self) -> tuple[Message, ...]:
        return message("span.seat_0"), message("span.seat_1")

    @property
    def legal(self) -> list[int]:
        if self.winner is not None:
            return []
        return [n for n, it in enumerate(self.cells) if it == EMPTY]

    @property
    def scores(self) -> tuple[int, ...] | None:
        winner = self.winner
        if winner is None and EMPTY in self.cells:
            return None
        return int(winner == 0), int(winner == 1)

    def refusal(self, action: int) -> Refusal | None:
        if self.winner is not None:
            return message("span.over", "S3")
        if self.cells[action] != EMPTY:
            return message("span.taken", "S1", cell=CELLS[action])
        return None

    def actor(self, action: int) -> int:
        return self.turn

    def play(self, action: int) -> "Span":
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        return Span(self.cells[:action] + DISCS[self.turn] + self.cells[action + 1 :], action)

    @property
    def stable(self) -> bool:
        return True

    @property
    def events(self) -> tuple[Event, ...]:
        if self.last < 0:
            return ()
        placed = message(f"span.placed_{1 - self.turn}", "S1", cell=CELLS[self.last])
        if self.scores is None:
            return (placed,)
        winner = self.winner
        end = "span.draw" if winner is None else f"span.wins_{winner}"
        return placed, message(end, "S3")

    def question(self, seat: int) -> Question | None:
        asked = seat == self.turn and self.scores is None
        return Question(seat, message(f"span.ask_{seat}")) if asked else None

    def scene(self) -> Scene:
        meaning = Meaning.LAST if self.winner is None else Meaning.WIN
        return (Mark(CELLS[self.last], meaning),) if self.last >= 0 else ()

    def name(self, action: int) -> str:
        return CELLS[action]

    def action(self, name: str) -> int:
        if name not in CELLS:
            raise BadText("span.no_cell", name=name)
        return CELLS.index(name)

    def __str__(self) -> str:
        return self.cells

    def pieces(self) -> tuple[Piece, ...]:
        cells = zip(CELLS, self.cells, strict=True)
        return tuple(Piece(cell, "disc", DISCS.index(it)) for cell, it in cells if it != EMPTY)

    def places(self, action: int) -> tuple[str, ...]:
        return (CELLS[action],)

    def seen(self) -> bytes:
        return bytes((EMPTY + DISCS).index(it) for it in self.cells)


LOOKS = (Look(), Look(((BLACK,),)), Look(((WHITE,),)))


def looks(position: Span) -> tuple[Look, ...]:
    return LOOKS


def rules() -> str:
    return "span 1"


def board(options: Options) -> str:
    return BOARD.name


def start(ground: Board, options: Options) -> Span:
    choose("span", (), options)
    if [cell.id for cell in ground.cells] != CELLS:
        raise BadText("span.board", board=ground.name)
    return Span()


def parse(text: str, ground: Board, options: Options) -> Span:
    start(ground, options)
    black, white = (text.count(disc) for disc in DISCS)
    if len(text) != len(CELLS) or set(text) - {EMPTY, *DISCS} or black - white not in (0, 1):
        raise BadText("span.no_position", text=text)
    return Span(text)


GAME = Game(
    name="span",
    package=__name__,
    rules=rules,
    board=board,
    start=start,
    parse=parse,
    touched=Span,
    appearance=Appearance(looks),
    page=PagePart(script="widgets.js", style="style.css"),
)
