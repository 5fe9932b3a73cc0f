"""A match: play that goes back and forth, and is saved and loaded."""

from collections.abc import Iterator
from pathlib import Path

from hexboard.files import finite, keep
from hexboard.game import record
from hexboard.game.game import board_for
from hexboard.game.match import Entry, Played, Ruled
from hexboard.game.match import Match as Entries
from hexboard.game.position import Action
from hexboard.game.position import Position as Inner
from hexboard.game.save import Save, decode, encode
from hexboard.library.position import Position, begin
from hexboard.words import Value
from hexboard.words.errors import BadText

NOBODY = ""
"""Who ruled the position that a match began with."""


class Match:
    """A game being played. Iterating gives its positions, `len` how many moves count.

    `back` and `forward` only turn the pages; `play` from an earlier position takes back what came
    after it, and `undo` the last move. All that was played stays in `entries`.
    """

    def __init__(self, game: str | Position, /, *, board: str = "", **options: Value) -> None:
        """A new match of a game, or one that begins with a position. Raises `BadText`."""
        self._first = begin(game, board, options) if isinstance(game, str) else game
        first = self._first
        opening = first.game.begin(first.board, first.options)
        self._match: Entries[Action] = Entries(first.game, opening, self._parse)
        if first.inner != opening:
            self._match.rule(first.inner, NOBODY, "")
        self._begin = self._at = len(self._match.line) - 1

    def _parse(self, text: str) -> Inner[Action]:
        return self._first.game.read(text, self._first.board, self._first.options)

    def _position(self, inner: Inner[Action]) -> Position:
        return Position(self._first.game, self._first.board, self._first.options, inner)

    @property
    def position(self) -> Position:
        """The position at the page that is open."""
        return self._position(self._match.line[self._at])

    @property
    def moves(self) -> list[str]:
        """The moves that count, by name."""
        plays = list(self._match.plays)[self._begin :]
        return [entry.action for _, entry in plays if isinstance(entry, Played)]

    @property
    def entries(self) -> int:
        """How many entries were made: moves, and what took moves back."""
        return len(self._match.entries)

    def __iter__(self) -> Iterator[Position]:
        return (self._position(inner) for inner in self._match.line[self._begin :])

    def __len__(self) -> int:
        return len(self._match.line) - 1 - self._begin

    def __repr__(self) -> str:
        return f"<Match of {self._first.game.name}: {' '.join(self.moves) or 'no moves yet'}>"

    # -------------------------------------------------------------------------------- play

    def play(self, *names: str) -> Position:
        """Play moves by name. Raises `IllegalAction` or `BadText`; the moves before it stand."""
        for name in names:
            here = self._match.line[self._at]
            action = here.action(name)
            here.play(action)  # raises before anything is taken back
            self._cut()
            self._match.play(action)
            self._at += 1
        return self.position

    def undo(self) -> Position:
        """Take back the last move before the page that is open, and all after it. Raises `BadText`
        where there is none."""
        if self._at == self._begin:
            raise BadText("table.nothing_to_undo")
        self._at -= 1
        self._cut()
        return self.position

    def _cut(self) -> None:
        """Take back what comes after the page that is open."""
        counting = self._match.counting
        if self._at < len(counting):
            self._match.back(counting[self._at])

    # -------------------------------------------------------------------------------- turning pages

    def back(self, moves: int = 1) -> Position:
        """Look `moves` earlier, at most to the first position."""
        return self.forward(-moves)

    def forward(self, moves: int = 1) -> Position:
        """Look `moves` later, at most to the last position."""
        self._at = max(self._begin, min(len(self._match.line) - 1, self._at + moves))
        return self.position

    # -------------------------------------------------------------------------------- files

    @property
    def record(self) -> str:
        """The moves that count as a record: text that people and `Match.load` read."""
        first = self._first
        return record.write(record.GameRecord(self._match, first.board, first.options))

    def save(self, path: str | Path) -> None:
        """Keep the match in a file that `Match.load` and `hexboard play --record` go on with."""
        first = self._first
        own = first.board.name == board_for(first.game, first.options)
        board = "" if own else first.board.name
        kept = Save(first.game.name, first.options, self._match.entries, board=board)
        keep(Path(path), encode(kept), new=0o600)

    @classmethod
    def load(cls, path: str | Path) -> "Match":
        """The match in a file, be it one that was saved or a record. Raises `BadText` or `BadFile`
        for a file that is none, `OSError` for none."""
        path = Path(path)
        data = finite(path).read_bytes()
        if data[:1] != b"{":
            found = record.read(data.decode("utf-8-sig", "replace"), str(path))
            name, options, entries = found.game.name, found.options, found.match.entries
            match = cls(begin(name, found.board.name, options))
        else:
            save = decode(data, str(path))
            entries = save.entries
            match = cls(begin(save.game, save.board, save.options))
        for entry in entries:
            match._match.add(entry)
        match._at = len(match._match.line) - 1
        counts = match._match.counting[:1] == (0,)
        match._begin = int(counts and _opens(entries[0]))
        return match


def _opens(entry: Entry) -> bool:
    """Whether an entry is the position that a match began with, and no host's word."""
    return isinstance(entry, Ruled) and entry.who == NOBODY
