"""A tournament's file, in FIDE's format (TRF): who plays, whom they met, and what came of it.

Programs for chess tournaments read it and write it. Lines that mean nothing here stay as they are.
What the format has no room for stands in its comments: a JSON object each (`HallOf`, `PairingSet`).

    ### hexboard {"type":"pairing","round":1,"white":1,"black":3,"board":"board-1","after":17}

White is the first seat, black the second.
"""

import re
from pathlib import Path

import msgspec
from msgspec import Struct

from hexboard.files import finite, keep
from hexboard.words import Message, Said, message
from hexboard.words.errors import NO_JSON, BadFile, HexboardError

NAME = slice(14, 47)
"""Where the name stands in a player's line."""
NAME_LETTERS = NAME.stop - NAME.start
HEAD = 80
"""After so many letters of it come points, rank and rounds, which we write."""
CELLS = 91
"""Where the first round stands, and how many letters each has."""
CELL = 10
MOST_ROUNDS, MOST_PLAYERS = 99, 999
OURS = "### hexboard "
WIN, DRAW, LOSS, OPEN = "1", "=", "0", " "
WON, LOST = "+", "-"
"""Without a game: the other one was not there."""
BYE, FULL, HALF, ABSENT = "U", "F", "H", "Z"
"""Without anybody to meet: nobody was left, or a bye that was asked for, of 1 point, ½ or none."""
WORTH = {
    "W": "1W+F",
    "D": "=DH",
    "L": "0L",
    "A": "-Z",
    "P": "U",
}
"""Results by their letter in a line 162: win, draw, loss, absence, the bye of who is left over."""
RESULTS = "".join(WORTH.values()) + OPEN
SCORED = re.compile(r"([WDLAP])\s*(\d+(?:\.\d+)?)")
FITS = {("1", "0"), ("=", "="), ("0", "1"), ("+", "-"), ("-", "+"), ("-", "-"), (" ", " ")} | {
    ("W", "L"),
    ("D", "D"),
    ("L", "W"),
    ("0", "0"),
    ("=", "0"),
    ("0", "="),
}
"""What white and black may have of one game."""


class TrfCell(Struct, frozen=True):
    """What a round was for a player: whom they met (0: nobody), "w", "b" or "-", and its result."""

    opponent: int = 0
    colour: str = " "
    result: str = OPEN

    @property
    def text(self) -> str:
        if self.opponent:
            return f"{self.opponent:>4} {self.colour} {self.result}"
        return f"0000 - {self.result}" if self.result.strip() else " " * 8


BLANK = TrfCell()


class TrfPlayer(Struct, frozen=True):
    """One who plays, by their number; `head` is their line up to their points."""

    number: int
    name: str
    head: str
    cells: tuple[TrfCell, ...] = ()

    def cell(self, round: int) -> TrfCell:
        """What round `round` (from 1) was."""
        return self.cells[round - 1] if 0 < round <= len(self.cells) else BLANK

    def with_cell(self, round: int, cell: TrfCell) -> "TrfPlayer":
        """The same, with that round; rounds before it that they have not are blank."""
        cells = [*self.cells, *[BLANK] * (round - len(self.cells))]
        cells[round - 1] = cell
        return msgspec.structs.replace(self, cells=tuple(cells))


class HallOf(Struct, frozen=True, tag="hall"):
    """What is played, on which boards of the hall."""

    game: str = ""
    boards: tuple[str, ...] = ()
    notes: int = 0
    """In a file: so many pairings are noted, so that it is seen where some are missing."""


class PairingSet(Struct, frozen=True, tag="pairing", omit_defaults=True):
    """A pairing of a round, and the board on which it is played. The first match of that board that
    begins after its first `after` things were told, and comes to an end, is its result."""

    round: int
    white: int
    black: int
    board: str = ""
    after: int | None = None
    stream: int = 0
    """How long the hall's stream was then: what comes before need not be read."""
    match: str = ""
    """Whose result it has."""
    by_hand: bool = False
    """A person entered its result, which the hall does not change."""


_note = msgspec.json.Decoder(HallOf | PairingSet).decode
_written = msgspec.json.Encoder().encode


class Trf(Struct, frozen=True):
    """A tournament as its file has it."""

    lines: tuple[str, ...]
    """All others, as they are."""
    players: tuple[TrfPlayer, ...]
    hall: HallOf = HallOf()
    set: tuple[PairingSet, ...] = ()
    """In the order of rounds and tables."""

    def value(self, code: str) -> str:
        """What the line with this code says; "" without one."""
        found = (line[4:].strip() for line in self.lines if line[:3] == code)
        return next(found, "")

    def saying(self, code: str, value: str) -> "Trf":
        """The same with that line where the first of them stood; without any where there is no
        value."""
        at = next((n for n, it in enumerate(self.lines) if it[:3] == code), len(self.lines))
        before, after = self.lines[:at], [it for it in self.lines[at:] if it[:3] != code]
        more = [f"{code} {value}"] if value else []
        return msgspec.structs.replace(self, lines=(*before, *more, *after))

    @property
    def name(self) -> str:
        return self.value("012")

    @property
    def paired(self) -> int:
        """So many rounds are paired: somebody meets somebody. Byes may stand in later ones."""
        cells = (one for it in self.players for one in enumerate(it.cells, 1))
        return max((round for round, cell in cells if cell.opponent), default=0)

    def byes(self, round: int) -> dict[int, str]:
        """Who has a bye in a round that is not paired yet, by number, and which: by lines 240 (its
        kind, the round, numbers), and by their own, which count where both say something."""
        found = dict[int, str]()
        for line in self.lines:
            numbers = [int(word) for word in line[5:].split() if word.isdecimal()]
            if line[:3] == "240" and numbers[:1] == [round]:
                found |= dict.fromkeys(numbers[1:], line[4:5].strip().upper() or ABSENT)
        cells = ((it.number, it.cell(round)) for it in self.players)
        return found | {n: it.result for n, it in cells if not it.opponent and it.result != OPEN}

    @property
    def robin(self) -> bool:
        """Whether everybody meets everybody."""
        said = f"{self.value('192')} {self.value('092')}".lower()
        return any(word in said for word in ("robin", "berger"))

    @property
    def rounds(self) -> int:
        """So many there are to be; 0 where the file does not say."""
        said = self.value("142") or self.value("XXR")
        return int(said) if said.isdecimal() else 0

    def points(self, player: TrfPlayer) -> float:
        """What somebody has of all rounds, by the file's line 162; without one 1, ½ and 0. A game
        that is open counts nothing."""
        said = {it[1]: float(it[2]) for it in SCORED.finditer(self.value("162"))}
        win = said.get("W", 1.0)
        scored = {"W": win, "D": 0.5, "L": 0.0, "A": 0.0, "P": win} | said
        worth = {one: scored[it] for it, results in WORTH.items() for one in results}
        return sum((worth[it.result] for it in player.cells if it.result != OPEN), 0.0)

    @property
    def away(self) -> frozenset[int]:
        """Who is not paired, until they are back."""
        words = " ".join(line[4:] for line in self.lines if line[:3] == "XXZ").replace(",", " ")
        return frozenset(int(word) for word in words.split() if word.isdecimal())

    def player(self, number: int) -> TrfPlayer:
        return next(it for it in self.players if it.number == number)

    def with_cells(self, round: int, cells: dict[int, TrfCell]) -> "Trf":
        """The same, where these players have these cells in a round."""
        players = tuple(
            it.with_cell(round, cells[it.number]) if it.number in cells else it
            for it in self.players
        )
        return msgspec.structs.replace(self, players=players)

    def text(self, ranks: dict[int, int]) -> str:
        """The file, with everybody's rank."""
        hall = msgspec.structs.replace(self.hall, notes=len(self.set))
        lines = [*self.lines, OURS + _written(hall).decode()]
        for it in self.players:
            lines.append(_line(it, self.points(it), ranks.get(it.number, it.number)))
        lines += [OURS + _written(it).decode() for it in self.set]
        return "".join(f"{line}\n" for line in lines)


def head(number: int, name: str) -> str:
    """A new player's line up to their points."""
    return f"001 {number:>4}      {name:<{NAME_LETTERS}}".ljust(HEAD)


def _line(player: TrfPlayer, points: float, rank: int) -> str:
    about = f"{player.head:<{HEAD}}{points:4.1f} {rank:>4}  "
    return about + "  ".join(cell.text for cell in player.cells) if player.cells else about.rstrip()


# --------------------------------------------------------------------------------- reading


class _Reading:
    """Reads a text; `mistakes` has all that is wrong with it."""

    def __init__(self, file: str, text: str) -> None:
        self._file, self.mistakes = file, list[Message]()
        self.players: dict[int, TrfPlayer] = {}
        self._at: dict[int, int] = {}
        self.hall, self.set, self.lines = HallOf(), list[PairingSet](), list[str]()
        for line, said in enumerate(text.replace("\r", "").split("\n"), 1):
            if said.startswith(OURS):
                self._ours(line, said)
            elif said[:3] == "001":
                self._player(line, said)
            elif said.strip():
                self.lines.append(said)
        self._checked()

    def _wrong(self, key: str, line: int, **values: Said) -> None:
        self.mistakes.append(message(key, file=self._file, line=line, **values))

    def _ours(self, line: int, said: str) -> None:
        try:
            note = _note(said.removeprefix(OURS).encode())
        except NO_JSON:
            self._wrong("trf.note", line)
            return
        if isinstance(note, HallOf):
            self.hall = note
        else:
            self.set.append(note)

    def _player(self, line: int, said: str) -> None:
        number, name = said[4:8].strip(), said[NAME].strip()
        if not (number.isascii() and number.isdecimal() and int(number) and name):
            self._wrong("trf.player", line)
            return
        if int(number) in self.players:
            self._wrong("trf.twice", line, number=number)
            return
        cells = self._cells(line, name, said[CELLS:])
        self._at[int(number)] = line
        self.players[int(number)] = TrfPlayer(int(number), name, said[:HEAD], cells)

    def _cells(self, line: int, name: str, said: str) -> tuple[TrfCell, ...]:
        cells = []
        for n, at in enumerate(range(0, len(said), CELL), 1):
            cell = _cell(said[at : at + CELL].ljust(CELL))
            if cell is None or n > MOST_ROUNDS:
                self._wrong("trf.round", line, name=name, round=n)
                break
            cells.append(cell)
        while cells and cells[-1] == BLANK:
            cells.pop()
        return tuple(cells)

    def _checked(self) -> None:
        """What lines say of each other."""
        if not self.players and not self.mistakes:
            self._wrong("trf.nobody", 1)
        said = next((line[4:].strip() for line in self.lines if line[:3] == "062"), "")
        count = said.split(" ")[0]
        if count.isdecimal() and not self.mistakes and int(count) != len(self.players):
            self._wrong("trf.count", 1, said=count, count=len(self.players))
        for it in self.players.values():
            for round, cell in enumerate(it.cells, 1):
                if cell.opponent and not self._met(it, round, cell):
                    self._wrong("trf.round", self._at[it.number], name=it.name, round=round)
        if not self.mistakes and self.hall.notes != len(self.set):
            self._wrong("trf.notes", 1, said=self.hall.notes, count=len(self.set))
        self.hall = msgspec.structs.replace(self.hall, notes=0)
        for note in self.set:
            white = self.players.get(note.white)
            met = white.cell(note.round).opponent if white and note.round > 0 else 0
            if not met or met != note.black:
                self._wrong("trf.note", self._at.get(note.white, 1))

    def _met(self, player: TrfPlayer, round: int, cell: TrfCell) -> bool:
        """Whether the other one says the same of their game."""
        other = self.players.get(cell.opponent)
        if other is None or other.cell(round).opponent != player.number:
            return False
        theirs = other.cell(round)
        results = (cell.result, theirs.result)
        return {cell.colour, theirs.colour} == {"w", "b"} and results in FITS


def _cell(said: str) -> TrfCell | None:
    """A round as it stands in a line: `   7 w 1  `, `0000 - U  `, blank; None for anything else."""
    opponent, colour, result = said[:4].strip(), said[5].lower(), said[7].upper()
    if not said.strip():
        return BLANK
    if opponent.strip("0") == "":
        if not result.strip():
            return BLANK
        return TrfCell(0, "-", result) if colour in "- " and result in RESULTS else None
    fits = opponent.isascii() and opponent.isdecimal() and colour in "wb" and result in RESULTS
    return TrfCell(int(opponent), colour, result) if fits else None


def read_trf(file: Path) -> Trf:
    """What stands in a file. Raises `BadFile` with every mistake, `HexboardError` where it cannot
    be read."""
    try:
        text = finite(file).read_text("utf-8-sig")
    except OSError as error:
        raise HexboardError("trf.unread", file=str(file), why=error.strerror or "") from None
    except UnicodeError:
        raise HexboardError("trf.no_text", file=str(file)) from None
    return parsed_trf(text, str(file))


def parsed_trf(text: str, file: str) -> Trf:
    """What a text of a file says. Raises `BadFile` with every mistake."""
    it = _Reading(file, text)
    if it.mistakes:
        raise BadFile(file, tuple(it.mistakes))
    return Trf(tuple(it.lines), tuple(it.players.values()), it.hall, tuple(it.set))


def write_trf(file: Path, text: str) -> None:
    """Put it there whole or not at all; then it outlasts a power cut. Raises `OSError`."""
    keep(file, text.encode(), new=0o666)
