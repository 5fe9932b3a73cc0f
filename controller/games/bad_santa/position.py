"""A moment of a game of Bad Santa, and what the rules make of a counter, a die, a pass.

Why long: one kind of position serves three games: its contract, what follows and what is told of it
read as one, and each part needs the same bits.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from hexboard.game.position import CHANCE, Event, Phrase, Piece, Question, Refusal
from hexboard.game.value import ByValue
from hexboard.games.bad_santa.chain import shortest
from hexboard.games.bad_santa.choice import Selection
from hexboard.games.bad_santa.ground import BLACK, COLOURS, WHITE, LinkGround
from hexboard.games.bad_santa.groups import Groups, cells_of, joined, listed
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import Message, message
from hexboard.words.errors import BadText, IllegalAction

LABELS = ("12", "34", "56")
"""The reservation counters, by the numbers of the die on them (BSH-2.1)."""
DICE = (-1, -2, -3, -4, -5, -6)
PASS, SWAP = -7, -8
RESIGN = (-9, -10)
ROLL = -11
BACK = -12
"""Actions: a cell is 0 and up, with `labels=free` the label x the board's cells + the cell; `BACK`
- the cell takes the counter there back; `ROLL` has hexboard roll the die (C6)."""
WORDS = ("swapped", "passed", "drawn", "resigned-black", "resigned-white", "rolls")
"""What may follow in a position's text."""
GOES_ON, DRAW = -1, 2
"""`winner` where it is not a colour."""
RECOMMENDED = 11
"""The shortest side that the rules recommend for a Hex board (BSH-1.1)."""


class Setting(Struct, frozen=True):
    """What does not change during a game."""

    title: str
    board: str
    ground: LinkGround
    goal: str
    """The rule that says who wins."""
    first: str = "black"
    shortage: str = "max_reroll"
    labels: str = "order"
    die: str = "physical"
    swap: bool = False
    both_lose: str = "mover"


def _marches(self: "BadSanta", cells: Collection[str]) -> Iterator[tuple[int, int]]:
    """A counter of this turn that goes from one of these cells to another (C8); with free
    labels it keeps its own."""
    if self.winner != GOES_ON or self.rolls:
        return
    count = len(self.ground.cells)
    fields = {self.ground.number[name] for name in cells if name in self.ground.number}
    for code in self.reserved:
        label, cell = divmod(code, count)
        if cell in fields:
            onto = (it for it in self.play(BACK - cell).legal if it % count in fields - {cell})
            kept = (label,) if self.setting.labels == "free" else (0,)
            yield from ((BACK - cell, it) for it in onto if it // count in kept)


class BadSanta(ByValue, Struct, frozen=True, eq=False):
    """A position. A seat is a colour: 0 Black, 1 White. After the end `mover` is whose turn it was.

    Sets of cells are numbers (see `ground`). `reserved` holds label x cells + cell of the
    reservation counters, by label. What is not in the text (groups, the turn's choice, what
    happened last) does not count when positions are compared.
    """

    marches = _marches
    drawn_from: ClassVar[str] = "die"
    palette: ClassVar[tuple[Piece, ...]] = (
        *(Piece(sign, "counter", seat) for seat, sign in enumerate("BW")),
        *(Piece(str(n + 1), "counter", text="-".join(die)) for n, die in enumerate(LABELS)),
    )
    """The counters of both, and those of the turn that is played."""
    setting: Setting
    mover: int
    own: int
    """The mover's counters."""
    their: int
    groups: Groups
    their_groups: Groups
    turn: int
    choice: Selection
    """Where this turn's counters may go."""
    reserved: tuple[int, ...] = ()
    passes: int = 0
    """Passed turns in a row, two of which end the game (C1)."""
    swapped: bool = False
    resigned: int = -1
    winner: int = GOES_ON
    last: tuple[int, ...] = ()
    """The last action, then what `events` needs to tell it."""
    turned: tuple[int, ...] = ()
    """The cells of the last finished turn."""
    room: int = -1
    """The free cells that clash with no counter of this turn; -1 before the first."""
    later: int = -1
    """Those of them that are offered for the next; -1 before the first."""
    rolls: bool = False
    """The die has left the hand, and no counter is taken back any more (C8): the other has said
    that hexboard rolls now (C6), or it showed a number of no counter (BSH-4.1, C1)."""

    def value(self) -> tuple[object, ...]:
        return (
            *(self.mover, self.own, self.their, self.turn, self.reserved),
            *(self.passes, self.swapped, self.resigned, self.winner, self.rolls),
        )

    def __str__(self) -> str:
        """Rows, whose turn, which turn, and what else there is: ".B./W1./... B 3"."""
        return _written(self, {})

    # ------------------------------------------------------------------------------ what is so

    @property
    def ground(self) -> LinkGround:
        return self.setting.ground

    @property
    def black(self) -> int:
        return self.their if self.mover else self.own

    @property
    def white(self) -> int:
        return self.own if self.mover else self.their

    @property
    def seats(self) -> tuple[Message, ...]:
        return message("bad_santa.seat_0"), message("bad_santa.seat_1")

    @property
    def stable(self) -> bool:
        return True

    @property
    def scores(self) -> tuple[int, int] | None:
        """1 for the winner, 0 for the other; 0 for both in a draw."""
        if self.winner == GOES_ON:
            return None
        return int(self.winner == BLACK), int(self.winner == WHITE)

    @property
    def chosen(self) -> tuple[int, ...]:
        """The cells of the reservation counters."""
        count = len(self.setting.ground.cells)
        return tuple(code % count for code in self.reserved)

    @property
    def rolling(self) -> bool:
        """Whether the die decides now: all counters of the turn are placed."""
        return self.later == 0

    @property
    def dealt(self) -> bool:
        """The die is asked for now, and hexboard rolls it (C6)."""
        due = self.setting.die == "dealt" or (self.setting.die == "pressed" and self.rolls)
        return due and self.winner == GOES_ON and self.rolling

    @property
    def offered(self) -> int:
        """The cells where the next reservation counter may go."""
        return self.choice.first if self.later < 0 else self.later

    @property
    def legal(self) -> Sequence[int]:
        """The cells (with each label that is left, where labels are free) and the swap; or the
        numbers of the die, or that it is rolled; or the pass."""
        if self.winner != GOES_ON:
            return ()
        if self.rolling:
            return (ROLL,) if unpressed(self) else DICE
        if not self.choice.need:
            return (PASS,)
        cells = listed(self.offered, len(self.setting.ground.cells))
        if self.setting.labels == "free":
            count, used = len(self.ground.cells), _labels(self)
            free = (k for k in range(3) if k not in used)
            cells = tuple(k * count + cell for k in free for cell in cells)
        return (*cells, SWAP) if _may_swap(self) else cells

    # --------------------------------------------------------------------------- what may be done

    def actor(self, action: int) -> int:
        if action in RESIGN:
            return RESIGN.index(action)
        if action == ROLL:
            return 1 - self.mover
        return CHANCE if action in DICE else self.mover

    def odds(self, action: int) -> int:
        """Every number of the die weighs the same."""
        return 1

    def refusal(self, action: int) -> Refusal | None:
        if action >= 0:
            return _refused_cell(self, action)
        if self.winner != GOES_ON:
            return message("bad_santa.over", self.setting.goal)
        if action <= BACK and BACK - action not in self.chosen:
            return message("bad_santa.no_back", "C8", cell=self.ground.cells[BACK - action])
        if action <= BACK and self.rolls:
            return message("bad_santa.no_back_rolled", "C8")
        if action in (*DICE, ROLL) and not self.rolling:
            missing = self.choice.need - len(self.reserved)
            return message("bad_santa.no_die", "BSH-3.1", count=missing)
        if action in DICE and unpressed(self):
            return message("bad_santa.unpressed", "C6", seat=COLOURS[1 - self.mover])
        if action == ROLL and not unpressed(self):
            return message("bad_santa.no_roll", "C6")
        if action == PASS and self.choice.need:
            return message("bad_santa.no_pass", "C1")
        if action == SWAP and not _may_swap(self):
            return message("bad_santa.no_swap", "C9")
        return None

    def question(self, seat: int) -> Question | None:
        """What the rules ask: counters of the mover, the die of the other, who rolls it as nobody's
        choice (so of `CHANCE` as well)."""
        if self.winner != GOES_ON:
            return None
        if self.rolling:
            roller = COLOURS[1 - self.mover]
            if seat == self.mover:
                return None
            if unpressed(self):
                asked = message("bad_santa.ask_press", "C6", seat=roller)
                return None if seat == CHANCE else Question(seat, asked)
            if self.setting.die == "physical":
                seat = 1 - self.mover
                return Question(seat, message("bad_santa.ask_roll", "BSH-3.1", seat=roller))
            return Question(seat, message("bad_santa.ask_deal", "C6", seat=roller))
        if seat != self.mover:
            return None
        name = COLOURS[seat]
        if not self.choice.need:
            return Question(seat, message("bad_santa.ask_pass", "C1", seat=name))
        number, count = len(self.reserved) + 1, self.choice.need
        rule = "BSH-4.1" if self.turn == 1 else "BSH-2.1" if count == 3 else "C1"
        asked = message("bad_santa.ask", rule, seat=name, number=number, count=count)
        return Question(seat, asked)

    # ------------------------------------------------------------------------------- what follows

    def play(self, action: int) -> "BadSanta":
        """The position after. Raises `IllegalAction` with the refusal."""
        if refusal := self.refusal(action):
            raise IllegalAction(refusal)
        if action >= 0:
            return _reserve(self, action)
        if action <= BACK:
            return _back(self, BACK - action)
        if action in DICE:
            return _roll(self, action)
        if action == PASS:
            return _pass(self)
        if action == SWAP:
            return replace(self, swapped=True, last=(SWAP,))
        if action == ROLL:
            return replace(self, rolls=True, last=(ROLL,))
        loser = RESIGN.index(action)
        return replace(self, resigned=loser, winner=1 - loser, last=(action,), rolls=False)

    # --------------------------------------------------------------------------------- what is told

    @property
    def events(self) -> tuple[Event, ...]:
        if not self.last:
            small = self.turn == 1 and self.setting.goal == "BSH-5.1"
            return (_small(self),) if small and self.ground.size < RECOMMENDED else ()
        told = _told(self)
        return (told,) if self.winner == GOES_ON else (told, _ended(self))

    # -------------------------------------------------------------------------------- what is seen

    def seen(self) -> bytes:
        """0 empty, 1 black, 2 white, 3 a reservation counter, whose label is not seen (C10)."""
        count = len(self.ground.cells)
        reserved = sum(1 << cell for cell in self.chosen)
        codes = _spread(self.black) + 2 * _spread(self.white) + 3 * _spread(reserved)
        return f"{codes:0{count}x}"[::-1].encode().translate(_CODES)

    def things(self, code: int) -> tuple[str, ...]:
        """The counter of a code of `seen`."""
        return (("black", "white", "reservation")[code - 1] + " counter",) if code else ()

    def tried(self, left: str, onto: str, thing: str) -> tuple[str, ...]:
        """A counter was placed."""
        return (onto,)

    def pieces(self) -> tuple[Piece, ...]:
        """The counters by colour, then the reservation counters, which count for nothing yet
        (BSH-3.2)."""
        names = self.ground.cells
        counters = [
            Piece(names[cell], "counter", colour)
            for colour, stones in ((BLACK, self.black), (WHITE, self.white))
            for cell in cells_of(stones)
        ]
        reserved = [
            Piece(names[code % len(names)], "counter", self.mover, text=_spelt(code // len(names)))
            for code in self.reserved
        ]
        outside = [
            Piece(name, "hole") for i, name in enumerate(names) if not self.ground.all >> i & 1
        ]
        return (*counters, *reserved, *outside)

    def arranged(self, laid: Mapping[str, str]) -> str:
        things = {piece.place for piece in self.palette} | {""}
        for thing in laid.values():
            if thing not in things:
                raise KeyError(thing)
        return _written(self, laid)

    def places(self, action: int) -> tuple[str, ...]:
        names = self.ground.cells
        return (names[action % len(names)],) if action >= 0 else ()

    def scene(self) -> Scene:
        names = self.ground.cells
        marks = list(self.ground.rim)
        for colour, stones in ((BLACK, self.black), (WHITE, self.white)):
            marks += [Mark(names[cell], Meaning.SEAT, colour + 1) for cell in cells_of(stones)]
        marks += [Mark(names[c], Meaning.LAST, 1 + _owner(self, c)) for c in self.turned]
        marks += [
            Mark(names[c % len(names)], Meaning.RESERVED, c // len(names) + 1)
            for c in self.reserved
        ]
        if self.winner == GOES_ON and not self.rolling:
            marks += [Mark(names[cell], Meaning.LEGAL) for cell in cells_of(self.offered)]
        meaning, path = _decided(self)
        return (*marks, *(Mark(names[cell], meaning, n) for n, cell in enumerate(path, 1)))

    # ---------------------------------------------------------------------------------------- names

    def phrase(self, action: int) -> Phrase | None:
        """An action in words; None for a counter that its cell says."""
        if action in DICE:
            return Phrase(message("bad_santa.say_die", die=-action), message("bad_santa.say_dice"))
        if action in RESIGN:
            seat = COLOURS[RESIGN.index(action)]
            return Phrase(message("bad_santa.say_resign", seat=seat))
        if action <= BACK:
            cell = self.ground.cells[BACK - action]
            return Phrase(message("bad_santa.say_back", cell=cell))
        if action == ROLL:
            return Phrase(message("bad_santa.say_roll"))
        if action < 0:
            return Phrase(message("bad_santa.say_swap" if action == SWAP else "bad_santa.say_pass"))
        if self.setting.labels != "free":
            return None
        label = _spelt(action // len(self.ground.cells))
        return Phrase(message("bad_santa.say_label", label=label), message("bad_santa.say_labels"))

    @property
    def acts(self) -> tuple[int, ...]:
        """Until the die is rolled each counter of the turn may be taken back (C8); either may
        resign."""
        back = () if self.rolls else self.chosen
        return (*(BACK - cell for cell in back), *RESIGN)

    def name(self, action: int) -> str:
        """ "c4", or where labels are free "34:c4"; "back c4", "die 3", "pass", "swap", "resign
        black"."""
        if action <= BACK:
            return f"back {self.ground.cells[BACK - action]}"
        if action < 0:
            return _NAMES[action]
        label, cell = divmod(action, len(self.ground.cells))
        name = self.ground.cells[cell]
        return f"{LABELS[label]}:{name}" if self.setting.labels == "free" else name

    def action(self, name: str) -> int:
        """The inverse of `name`. Raises `BadText`."""
        if name in _ACTIONS:
            return _ACTIONS[name]
        verb, _, cell = name.rpartition(" ")
        if verb == "back" and cell in self.ground.number:
            return BACK - self.ground.number[cell]
        label, colon, cell = name.rpartition(":")
        number, free = self.ground.number.get(cell), self.setting.labels == "free"
        if number is None or bool(colon) != free or (free and label not in LABELS):
            example = "“34:c3”" if free else "“c3”"
            raise BadText("bad_santa.no_action", text=name[:80], example=example)
        return (LABELS.index(label) * len(self.ground.cells) if free else 0) + number


def _written(position: BadSanta, laid: Mapping[str, str]) -> str:
    """The text with other counters in some cells."""
    count = len(position.ground.cells)
    signs = ["."] * count
    for sign, stones in (("B", position.black), ("W", position.white)):
        for cell in cells_of(stones):
            signs[cell] = sign
    for code in position.reserved:
        signs[code % count] = str(code // count + 1)
    for name, sign in laid.items():
        signs[position.ground.number[name]] = sign or "."
    rows = "/".join("".join(signs[cell] for cell in row) for _, row in position.ground.rows)
    said = (*_words(position), position.rolls and not laid)
    words = [word for word, is_so in zip(WORDS, said, strict=True) if is_so]
    return " ".join((rows, "BW"[position.mover], str(position.turn), *words))


def _words(position: BadSanta) -> tuple[bool, ...]:
    """Which of `WORDS` the text has, but for the last."""
    resigned = (position.resigned == BLACK, position.resigned == WHITE)
    return position.swapped, position.passes == 1, position.passes == 2, *resigned


def _labels(position: BadSanta) -> set[int]:
    return {code // len(position.ground.cells) for code in position.reserved}


def _may_swap(position: BadSanta) -> bool:
    """The second player may swap instead of the first counter of the first turn (C9)."""
    return (
        position.setting.swap and position.turn == 2 and not (position.reserved or position.swapped)
    )


def _refused_cell(position: BadSanta, action: int) -> Refusal | None:
    label, cell = divmod(action, len(position.ground.cells))
    free_label = label not in _labels(position) if position.setting.labels == "free" else not label
    if free_label and position.winner == GOES_ON and position.offered >> cell & 1:
        return None
    name = position.ground.cells[cell]
    if position.winner != GOES_ON:
        return message("bad_santa.over", position.setting.goal)
    if position.rolling:
        return message("bad_santa.roll_now", "BSH-3.1", count=len(position.reserved))
    if not free_label:
        return message("bad_santa.label_used", "BSH-2.1", label=_spelt(label))
    if not position.ground.all >> cell & 1:
        return message("bad_santa.outside", "BSH-1.1", cell=name)
    if not position.choice.free >> cell & 1 or cell in position.chosen:
        return message("bad_santa.taken", "BSH-2.1", cell=name)
    if not position.choice.need:
        return message("bad_santa.must_pass", "C1")
    return _clash(position, cell, name)


def _clash(position: BadSanta, cell: int, name: str) -> Refusal:
    for other in position.chosen:
        if position.choice.clash(other) >> cell & 1:
            place = position.ground.cells[other]
            return message("bad_santa.same_group", "BSH-2.2", cell=name, other=place)
    return message("bad_santa.dead_end", "C5", cell=name, count=position.choice.need)


def _reserve(position: BadSanta, action: int) -> BadSanta:
    count, choice = len(position.setting.ground.cells), position.choice
    cell = action % count
    room = choice.free if position.room < 0 else position.room
    room &= ~(choice.clash(cell) | 1 << cell)
    if position.setting.labels == "free":
        reserved = tuple(sorted((*position.reserved, action)))
    else:  # the order of placing gives the labels (C10)
        action += len(position.reserved) * count
        reserved = (*position.reserved, action)
    return BadSanta(
        position.setting,
        position.mover,
        position.own,
        position.their,
        position.groups,
        position.their_groups,
        position.turn,
        choice,
        reserved,
        position.passes,
        position.swapped,
        last=(action,),
        turned=position.turned,
        room=room,
        later=choice.sets(room, choice.need - len(reserved)),
    )


def _back(position: BadSanta, cell: int) -> BadSanta:
    """Without the counter of this turn in a cell: the others are placed again, in their order,
    which gives them their labels anew unless these are free (C8, C10)."""
    count, free = len(position.setting.ground.cells), position.setting.labels == "free"
    after = replace(position, reserved=(), room=-1, later=-1)
    for code in position.reserved:
        if code % count != cell:
            after = _reserve(after, code if free else code % count)
    return replace(after, last=(BACK - cell,))


def _roll(position: BadSanta, die: int) -> BadSanta:
    """The counter with that number becomes the opponent's, the others the mover's (BSH-3.1)."""
    setting, count = position.setting, len(position.setting.ground.cells)
    label = (-die - 1) // 2
    given = next((code % count for code in position.reserved if code // count == label), -1)
    if given < 0 and again(position):
        return replace(position, last=(die, -1), rolls=True)
    near, chosen = setting.ground.near, position.chosen
    own, groups, their, their_groups = (
        position.own,
        position.groups,
        position.their,
        position.their_groups,
    )
    made, gifts = [], []
    for cell in chosen:
        if cell == given:
            their_groups, reach = joined(their_groups, their, cell, near)
            their |= 1 << cell
            gifts.append(reach)
        else:
            groups, reach = joined(groups, own, cell, near)
            own |= 1 << cell
            made.append(reach)
    winner = judged(setting, position.mover, made, gifts)
    last = (die, given, position.mover)
    if winner != GOES_ON:
        after = begun(setting, position.mover, own, their, groups, their_groups, position.turn)
        return replace(after, swapped=position.swapped, winner=winner, last=last, turned=chosen)
    return begun(
        setting,
        1 - position.mover,
        their,
        own,
        their_groups,
        groups,
        position.turn + 1,
        0,
        position.swapped,
        last,
        chosen,
    )


def _pass(position: BadSanta) -> BadSanta:
    """A turn without counters; the second in a row ends the game (C1)."""
    last = (PASS, position.mover)
    if position.passes:
        return replace(position, passes=2, winner=DRAW, last=last, turned=())
    return begun(
        position.setting,
        1 - position.mover,
        position.their,
        position.own,
        position.their_groups,
        position.groups,
        position.turn + 1,
        1,
        position.swapped,
        last,
    )


def _small(position: BadSanta) -> Event:
    return message("bad_santa.small", "C7", size=position.ground.size, recommended=RECOMMENDED)


def _told(position: BadSanta) -> Event:
    action, *rest = position.last
    names = position.ground.cells
    if action >= 0:
        label, cell = divmod(action, len(names))
        seat, spelt = COLOURS[position.mover], _spelt(label)
        return message("bad_santa.reserves", "BSH-2.1", seat=seat, label=spelt, cell=names[cell])
    if action <= BACK:
        seat, back = COLOURS[position.mover], names[BACK - action]
        return message("bad_santa.takes_back", "C8", seat=seat, cell=back)
    if action == PASS:
        return message("bad_santa.passes", "C1", seat=COLOURS[rest[0]])
    if action == SWAP:
        return message("bad_santa.swaps", "C9", seat=COLOURS[position.mover])
    if action == ROLL:
        return message("bad_santa.rolls", "C6", seat=COLOURS[1 - position.mover])
    if action in RESIGN:
        return message("bad_santa.resigns", "BSH-R", seat=COLOURS[position.resigned])
    if rest == [-1]:
        return message("bad_santa.rerolls", "BSH-4.1" if position.turn == 1 else "C1", die=-action)
    cell, mover = rest
    if cell < 0:
        return message("bad_santa.keeps", "C1", die=-action, seat=COLOURS[mover])
    seat = COLOURS[1 - mover]
    return message("bad_santa.gives", "BSH-3.1", die=-action, cell=names[cell], seat=seat)


def _ended(position: BadSanta) -> Event:
    if position.winner == DRAW:
        return message("bad_santa.drawn", "C1")
    seat, other = COLOURS[position.winner], COLOURS[1 - position.winner]
    if position.resigned >= 0:
        return message("bad_santa.last_one", "BSH-R", seat=seat)
    groups = position.groups if position.winner == position.mover else position.their_groups
    if (verdict := position.ground.verdict(position.winner, groups)) < 0:
        return message("bad_santa.both_lose", "BSC-3", seat=seat, other=other)
    if not verdict:
        return message("bad_santa.loses", "BSC-2", seat=seat, other=other)
    if position.winner == position.mover:
        return message("bad_santa.wins", position.setting.goal, seat=seat)
    return message("bad_santa.wins_gift", "C2", seat=seat, other=other)


def _owner(position: BadSanta, cell: int) -> int:
    """The colour of the counter in a cell."""
    return BLACK if position.black >> cell & 1 else WHITE


def _decided(position: BadSanta) -> tuple[Meaning, list[int]]:
    """The shortest chain that won, or lost, and what to call it."""
    if position.winner not in (BLACK, WHITE) or position.resigned >= 0:
        return Meaning.WIN, []
    ground, loser = position.ground, 1 - position.winner
    stones = (position.black, position.white)
    for colour, meaning, goals in (
        (position.winner, Meaning.WIN, ground.wins[position.winner]),
        (loser, Meaning.DOOMED, ground.loses),
    ):
        chains = (shortest(ground, stones[colour], sides) for sides in goals)
        if path := next((chain for chain in chains if chain), []):
            return meaning, path
    return Meaning.WIN, []


def again(position: BadSanta) -> bool:
    """Whether the die is rolled again where no counter has its number (BSH-4.1, C1)."""
    return position.setting.shortage != "max_no_reroll" or position.turn == 1


def unpressed(position: BadSanta) -> bool:
    """Whether hexboard rolls the die once the other says so, who has not (C6)."""
    return position.rolling and position.setting.die == "pressed" and not position.rolls


def begun(
    setting: Setting,
    mover: int,
    own: int,
    their: int,
    groups: Groups,
    their_groups: Groups,
    turn: int,
    passes: int = 0,
    swapped: bool = False,
    last: tuple[int, ...] = (),
    turned: tuple[int, ...] = (),
) -> BadSanta:
    """A position at the beginning of a turn."""
    ground = setting.ground
    free = ground.all & ~(own | their)
    choice = Selection(ground.near, groups, free, 2 if turn == 1 else 3, setting.shortage)
    return BadSanta(
        setting,
        mover,
        own,
        their,
        groups,
        their_groups,
        turn,
        choice,
        (),
        passes,
        swapped,
        last=last,
        turned=turned,
    )


def judged(setting: Setting, mover: int, made: Groups, gifts: Groups) -> int:
    """Who has won by these new groups of the mover and of the other; the mover is judged first
    (C2). On a full ground somebody always has."""
    ground = setting.ground
    verdict, gift = ground.verdict(mover, made), ground.verdict(1 - mover, gifts)
    if verdict < 0 and gift < 0:  # only where chains can lose (BSC-3)
        return 1 - mover if setting.both_lose == "mover" else mover
    if verdict or gift:
        return mover if verdict > 0 or gift < 0 else 1 - mover
    return GOES_ON


_NAMES = {die: f"die {-die}" for die in DICE} | {
    PASS: "pass",
    SWAP: "swap",
    ROLL: "roll",
    RESIGN[BLACK]: "resign black",
    RESIGN[WHITE]: "resign white",
}
_ACTIONS = {name: action for action, name in _NAMES.items()}
_CODES = bytes.maketrans(b"0123", bytes(range(4)))


def _spelt(label: int) -> str:
    """ "1-2", as it is printed on the counter."""
    return "-".join(LABELS[label])


def _spread(cells: int) -> int:
    """One hexadecimal digit for every bit."""
    return int(f"{cells:b}", 16)
