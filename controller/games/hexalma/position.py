"""A moment of a game of HexAlma, and what the rules make of it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.game.options import Option, Options, choose
from hexboard.game.position import Event, Phrase, Piece, Question, Refusal
from hexboard.game.value import ByValue
from hexboard.games.hexalma import moves, notation
from hexboard.games.hexalma.moves import CELLS, DISTANCE, EMPTY, HEIGHT, SEAT, counted
from hexboard.games.hexalma.notation import DRAW, EACH, PASS, RESIGN, SEATS
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import Message, message
from hexboard.words.errors import BadText, IllegalAction

NAME = "hexalma"
OPTIONS = (
    Option("no_move", "pass", ("pass", "lose", "draw"), rule="B5"),
    Option("repetition", "draw3", ("draw3", "off"), rule="B6"),
    Option("max_plies", 0, least=0, most=9999, rule="B6"),
)
NONE = -1
Past = tuple[bytes, "Past | None"]
"""A board and those before it, latest first: a position shares all but the first with the one that
it followed."""
TRACES = 1023
"""Which bits of a board's hash make its trace: one of 1024."""
CHAPTER = 256
"""Boards in a chapter of a long past."""


class Chapter(Struct, frozen=True):
    """How often each of the boards was there that a chapter of a past has, and the chapter before
    it: a long past is looked through by the chapter."""

    counts: Mapping[bytes, int]
    before: "Chapter | None"


class Setting(Struct, frozen=True):
    """What does not change during a game: the options, and whether one looks back (B6)."""

    no_move: str
    repetition: str
    max_plies: int
    looks_back: bool


class Hexalma(ByValue, Struct, frozen=True, eq=False):
    """A position. `board` is what `moves` calls a board: the stacks and the seat to move.

    `end` says how the game ended: row, repetition, plies, resign, agreed. `spoken` is the seat that
    offers a draw or resigned. These are the position's value; how it came about is not: `past`, the
    boards before this one and how many they are (`plies`) where an option looks back (B6), and
    `last`, the move that led here.
    Three sums spare time: `lead` as `moves.lead` has it; `chapters`, what was there more than
    `CHAPTER` plies ago; and `traces`, a bit for each board since and this one, so that a board
    without its bit is known to be new there.
    """

    setting: Setting
    board: bytes
    past: Past | None = None
    plies: int = 0
    end: str = ""
    spoken: int = NONE
    last: int = NONE
    lead: int = 0
    traces: int = 0
    chapters: Chapter | None = None

    def value(self) -> tuple[object, ...]:
        return self.board, self.end, self.spoken

    def __repr__(self) -> str:
        return f"Hexalma({str(self)!r})"

    # ------------------------------------------------------------------------------ what is so

    @property
    def seat(self) -> int:
        """The seat to move; after the end, whose turn it would be."""
        return self.board[SEAT]

    @property
    def seats(self) -> tuple[Message, ...]:
        return message("hexalma.seat_0"), message("hexalma.seat_1")

    @property
    def stable(self) -> bool:
        return True

    @property
    def legal(self) -> Sequence[int]:
        """Moves of a disc; the pass where there is none (B5)."""
        if self.end:
            return ()
        return moves.legal(self.board) or ((PASS,) if self._skipped() else ())

    def move_count(self) -> int:
        """How many moves `legal` has, without a list of them."""
        return 0 if self.end else moves.count(self.board) or len(self.legal)

    def _skipped(self) -> bool:
        """Whether a turn without a move is skipped: the other can do something with his (B5)."""
        other = moves.passed(self.board)
        return self.setting.no_move == "pass" and bool(moves.legal(other) or moves.lead(other) > 0)

    @property
    def scores(self) -> tuple[int, int] | None:
        """1 for the winner, 0 for the other; both 0 in a draw."""
        if self.legal:
            return None
        winner = self._winner()
        return int(winner == 0), int(winner == 1)

    def _winner(self) -> int:
        """Who won a game that is over; -1 for nobody."""
        if self.end == "row":
            return self.seat
        if self.end == "resign":
            return 1 - self.spoken
        return 1 - self.seat if not self.end and self.setting.no_move == "lose" else NONE

    @property
    def events(self) -> tuple[Event, ...]:
        """What was done last, and how the game ended by it. A board that nobody has played on yet
        is told of where discs are missing."""
        return (*_done(self), *_ended(self))

    # --------------------------------------------------------------------------- what may be done

    def actor(self, action: int) -> int:
        if action <= PASS:
            return self.seat
        return action - (RESIGN if action < DRAW else DRAW)

    def refusal(self, action: int) -> Refusal | None:
        if action < PASS and not self.end and moves.gain(self.board, action) is not None:
            return None
        return self._refusal(action)

    def _refusal(self, action: int) -> Refusal | None:
        """Why an action that is no fitting move is not allowed."""
        if not self.legal:
            return message("hexalma.over", "ALMA-4.1")
        if action >= DRAW and self.actor(action) == self.spoken:
            return message("hexalma.offered", "B9", seat=SEATS[self.spoken])
        if action > PASS or action in self.legal:
            return None
        if action == PASS:
            return message("hexalma.must_move", "ALMA-3.11", seat=SEATS[self.seat])
        return _misfit(self, action)

    def phrase(self, action: int) -> Phrase | None:
        """An action in words; None for the move of a disc, which its cells say."""
        if action < PASS:
            return None
        if action == PASS:
            return Phrase(message("hexalma.say_pass"))
        verb = "resign" if action < DRAW else "draw"
        return Phrase(message(f"hexalma.say_{verb}", seat=SEATS[self.actor(action)]))

    @property
    def acts(self) -> tuple[int, ...]:
        """Either may resign; a draw is offered, or agreed to (B9)."""
        return RESIGN, RESIGN + 1, DRAW, DRAW + 1

    def question(self, seat: int) -> Question | None:
        """What is asked of a seat: its move, and an answer to an offered draw."""
        if not (legal := self.legal):
            return None
        if self.spoken == 1 - seat:
            offers = message("hexalma.ask_draw", "B9", seat=SEATS[seat], other=SEATS[1 - seat])
            return Question(seat, offers)
        return Question(seat, _asked(self, legal)) if seat == self.seat else None

    # ------------------------------------------------------------------------------- what follows

    def play(self, action: int) -> "Hexalma":
        """The position after a move or a table act. Raises `IllegalAction`."""
        board, past, plies, traces = self.board, self.past, self.plies, self.traces
        chapters = self.chapters
        gain = moves.gain(board, action) if action < PASS and not self.end else None
        if gain is not None:
            after, lead = moves.moved(board, action), -self.lead - gain
        elif refusal := self._refusal(action):
            raise IllegalAction(refusal)
        elif action > PASS:
            return self._speak(action)
        else:
            after, lead = moves.passed(board), -self.lead
        end, setting = "row" if lead > 0 else "", self.setting
        if setting.looks_back:
            past, plies = (board, past), plies + 1
            since = plies % CHAPTER
            if not since:
                chapters, traces = Chapter(Counter(islice(_back(past), CHAPTER)), chapters), 0
            trace = 1 << (hash(after) & TRACES)
            if traces & trace or chapters:
                times = [*islice(_back(past), since)].count(after) if traces & trace else 0
                if times + _earlier(chapters, after) >= 2 and setting.repetition == "draw3":
                    end = end or "repetition"
            if 0 < setting.max_plies <= plies:
                end = end or "plies"
            traces |= trace
        return Hexalma(setting, after, past, plies, end, NONE, action, lead, traces, chapters)

    def _speak(self, act: int) -> "Hexalma":
        """A seat resigns, offers a draw, or agrees to one (B9). A move lets an offer lapse."""
        if act < DRAW:
            return replace(self, end="resign", spoken=self.actor(act))
        if self.spoken == NONE:
            return replace(self, spoken=self.actor(act))
        return replace(self, end="agreed", spoken=NONE)

    # ------------------------------------------------------------------------------ how it is shown

    def seen(self) -> bytes:
        """One code a cell: 0 empty; 1, 2 a single disc, 3, 4 a stack of two, 5, 6 of three, each
        with black or white on top. Covered colours cannot be seen, heights must be."""
        return self.board[:SEAT].translate(_SEEN)

    def things(self, code: int) -> tuple[str, ...]:
        """The discs of a code of `seen`, from the bottom; covered ones have no name."""
        return ("",) * ((code - 1) // 2) + (("white disc", "black disc")[code % 2],) if code else ()

    def tried(self, left: str, onto: str, thing: str) -> tuple[str, ...]:
        """A stack stepped, or jumped onto another."""
        return f"{left}-{onto}", f"{left}:{onto}"

    def scene(self) -> Scene:
        """Home rows, the last move, the stacks that can move (or the cells that won). In between,
        the discs that count on an enemy's back row pulse in its colour."""
        marks = [
            Mark(cell, Meaning.SEAT, seat + 1)
            for seat in (0, 1)
            for cell in CELLS[moves.BACK[seat]]
        ]
        if NONE < self.last < PASS:
            marks += [Mark(CELLS[cell], Meaning.LAST) for cell in divmod(self.last, 64)]
        can = dict.fromkeys(move >> 6 for move in self.legal if move < PASS)
        marks += [Mark(CELLS[cell], Meaning.LEGAL) for cell in can]
        for seat in (0, 1):
            won = self.end == "row" and seat == self.seat
            for n, cell in enumerate(_counting(self, seat), 1):
                marks.append(
                    Mark(cell, Meaning.WIN, n) if won else Mark(cell, Meaning.COUNTS, seat + 1)
                )
        return tuple(marks)

    def pieces(self) -> tuple[Piece, ...]:
        """The stacks: whose disc is on top, how high, and where there are more all colours."""
        stacks = zip(CELLS, self.board, strict=False)
        return tuple(
            Piece(cell, "disc", stack & 1, HEIGHT[stack], notation.colours(stack))
            for cell, stack in stacks
            if stack != EMPTY
        )

    def places(self, action: int) -> tuple[str, ...]:
        """The places one touches to make an action: from and to; none for a pass."""
        return (CELLS[action >> 6], CELLS[action & 63]) if action < PASS else ()

    def name(self, action: int) -> str:
        return notation.name(self.board, action)

    def action(self, name: str) -> int:
        """The inverse of `name`. "resign" is the side to move; "draw" too, unless it offered one:
        then it is the other's answer. Raises `BadText`."""
        if name == "resign":
            return RESIGN + self.seat
        if name == "draw":
            return DRAW + (1 - self.seat if self.spoken == self.seat else self.seat)
        return notation.read(self.board, name)

    @property
    def palette(self) -> tuple[Piece, ...]:
        """Every stack that there can be, the discs from the bottom up."""
        return tuple(
            Piece(notation.tower(stack), "disc", stack & 1, HEIGHT[stack], notation.colours(stack))
            for stack in range(EMPTY + 1, len(HEIGHT))
            if HEIGHT[stack]
        )

    def arranged(self, laid: Mapping[str, str]) -> str:
        stacks = {piece.place for piece in self.palette} | {""}
        board = bytearray(self.board)
        for cell, tower in laid.items():
            if tower not in stacks:
                raise KeyError(tower)
            board[moves.NUMBER[cell]] = notation.stack(tower)
        return " ".join((notation.written(bytes(board)), *_spoken(self)))

    def __str__(self) -> str:
        """Board and side to move; then what was played before, where an option looks back (B6),
        and what was spoken since."""
        return " ".join((notation.written(self.board), *_before(self), *_spoken(self)))


def _done(position: Hexalma) -> tuple[Event, ...]:
    if position.spoken != NONE or position.end == "agreed":
        return ()
    if position.last == NONE:
        return _missing(position)
    seat = SEATS[1 - position.seat]
    if position.last == PASS:
        return (message("hexalma.passes", "B5", seat=seat),)
    left, onto = CELLS[position.last >> 6], CELLS[position.last & 63]
    height = HEIGHT[position.board[position.last & 63]]
    if height == 1:
        return (message("hexalma.moves", "ALMA-3.1", seat=seat, left=left, cell=onto),)
    return (message("hexalma.lands", "ALMA-3.6", seat=seat, left=left, cell=onto, height=height),)


def problem(position: Hexalma) -> Message | None:
    """Why a written position could not come about (`Game.problem`): discs never leave the board."""
    return next(iter(_missing(position)), None)


def _missing(position: Hexalma) -> tuple[Event, ...]:
    counts = [moves.discs(position.board, seat) for seat in (0, 1)]
    if counts == [EACH, EACH]:
        return ()
    return (message("hexalma.missing", "ALMA-1.3", black=counts[0], white=counts[1]),)


def _ended(position: Hexalma) -> tuple[Event, ...]:
    mine, other = SEATS[position.seat], SEATS[1 - position.seat]
    match position.end:
        case "row":
            ours, theirs = (
                counted(position.board, seat) for seat in (position.seat, 1 - position.seat)
            )
            return (message("hexalma.wins", "ALMA-4.2", seat=mine, ours=ours, theirs=theirs),)
        case "repetition":
            return (message("hexalma.repetition", "B6"),)
        case "plies":
            return (message("hexalma.plies", "B6", count=position.setting.max_plies),)
        case "resign":
            loser, winner = SEATS[position.spoken], SEATS[1 - position.spoken]
            return (message("hexalma.resigns", "B9", seat=loser, winner=winner),)
        case "agreed":
            return (message("hexalma.agreed", "B9"),)
    if not position.legal:
        if position.setting.no_move == "lose":
            return (message("hexalma.stuck_loses", "B5", seat=mine, winner=other),)
        return (message("hexalma.stuck_draw", "B5", seat=mine),)
    if position.spoken != NONE:
        return (message("hexalma.offers", "B9", seat=SEATS[position.spoken]),)
    return ()


def _misfit(position: Hexalma, move: int) -> Refusal:
    """The first rule that a move breaks."""
    left, cell = CELLS[move >> 6], CELLS[move & 63]
    stack, onto = position.board[move >> 6], position.board[move & 63]
    distance, height = DISTANCE[move], HEIGHT[stack]
    if stack == EMPTY:
        return message("hexalma.empty", "ALMA-3.1", cell=left)
    if stack & 1 != position.seat:
        owner = SEATS[1 - position.seat]
        return message("hexalma.not_yours", "ALMA-2.2", cell=left, owner=owner)
    if not moves.straight(move):
        return message("hexalma.not_straight", "ALMA-3.2", left=left, cell=cell, height=height)
    if distance != height:
        return message("hexalma.distance", "ALMA-3.3", cell=left, height=height)
    if HEIGHT[onto] == moves.HIGHEST:
        return message("hexalma.full", "ALMA-3.8", cell=cell)
    return message("hexalma.too_high", "ALMA-3.7", left=left, cell=cell, onto=HEIGHT[onto])


def _asked(position: Hexalma, legal: Sequence[int]) -> Event:
    seat, other = SEATS[position.seat], SEATS[1 - position.seat]
    if position.spoken == position.seat and legal[0] == PASS:
        return message("hexalma.ask_either_pass", "B9", seat=seat, other=other)
    if position.spoken == position.seat and position.lead < 0:
        return message("hexalma.ask_either_now", "B9", seat=seat, other=other)
    if position.spoken == position.seat:
        return message("hexalma.ask_either", "B9", seat=seat, other=other)
    if legal[0] == PASS:
        return message("hexalma.ask_pass", "B5", seat=seat)
    if position.lead < 0:  # the other wins if that stands at his turn
        ours, theirs = (
            counted(position.board, seat) for seat in (position.seat, 1 - position.seat)
        )
        return message(
            "hexalma.ask_answer", "ALMA-4.3", seat=seat, other=other, ours=ours, theirs=theirs
        )
    return message("hexalma.ask_move", "ALMA-3.1", seat=seat)


def _counting(position: Hexalma, seat: int) -> tuple[str, ...]:
    """The cells of a seat's active discs on the other's back row."""
    row = moves.BACK[1 - seat]
    stacks = zip(CELLS[row], position.board[row], strict=True)
    return tuple(cell for cell, stack in stacks if stack != EMPTY and stack & 1 == seat)


def _back(past: Past | None) -> Iterator[bytes]:
    """The boards of a past, latest first."""
    while past is not None:
        board, past = past
        yield board


def _earlier(chapter: Chapter | None, board: bytes) -> int:
    """How often a board was there in a chapter and those before it."""
    times = 0
    while chapter is not None:
        times += chapter.counts.get(board, 0)
        chapter = chapter.before
    return times


def _before(position: Hexalma) -> list[str]:
    boards = reversed([position.board, *_back(position.past)])
    return [
        notation.name(before, PASS if (move := moves.between(before, after)) is None else move)
        for before, after in pairwise(boards)
    ]


def _spoken(position: Hexalma) -> list[str]:
    if position.end == "agreed":
        return [notation.ACTS[DRAW], notation.ACTS[DRAW + 1]]
    if position.spoken == NONE:
        return []
    return [notation.ACTS[(RESIGN if position.end else DRAW) + position.spoken]]


_SEEN = bytes((0, 0, *(2 * HEIGHT[stack] - 1 + (stack & 1) for stack in moves.STACKS), *[0] * 240))


# ------------------------------------------------------------------------------- start and parse


def rules() -> str:
    """What a recording is tied to."""
    return "hexalma 1"


def board(options: Options) -> str:
    """The board it is played on where nobody chose one."""
    return "hexhex-5"


def start(board: Board | None = None, options: Options | None = None) -> Hexalma:
    """Two rows of discs each, black to begin (ALMA-1.2, 1.3). Raises `BadText`."""
    return _begun(notation.START, board, options)


def parse(text: str, board: Board | None = None, options: Options | None = None) -> Hexalma:
    """The position that `str` wrote. Raises `BadText` for the first mistake.

    What was played before is taken back from the board and then played again, so that no position
    claims a past that the rules do not allow.
    """
    rows, _, rest = text.partition(" ")
    side, _, played = rest.partition(" ")
    before, names = notation.read_board(f"{rows} {side}"), notation.names(played)
    for number, name in reversed([*enumerate(names, 1)]):
        before = notation.taken_back(before, name, number)
    position = _begun(before, board, options)
    for number, name in enumerate(names, 1):
        try:
            position = position.play(position.action(name))
        except (BadText, IllegalAction):
            raise BadText("hexalma.past", number=number, name=name[:80]) from None
    if str(position) != text:
        raise BadText("hexalma.form", text=str(position)[:160])
    return position


def _begun(stacks: bytes, board: Board | None, options: Options | None) -> Hexalma:
    """The position of a board that nobody has played on yet."""
    chosen: dict[str, Any] = choose(NAME, OPTIONS, options or {})
    if board is not None and tuple((c.id, (c.q, c.r)) for c in board.cells) != moves.SHAPE.cells:
        raise BadText("hexalma.board", board=board.name)
    looks_back = chosen["repetition"] != "off" or chosen["max_plies"] > 0
    lead, trace = moves.lead(stacks), 1 << (hash(stacks) & TRACES)
    setting, end = Setting(**chosen, looks_back=looks_back), "row" if lead > 0 else ""
    return Hexalma(setting, stacks, end=end, lead=lead, traces=trace)
