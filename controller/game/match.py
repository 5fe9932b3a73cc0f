"""A game being played: its entries, and the position after each of them."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from hexboard.game.game import AnyGame
from hexboard.game.position import CHANCE, Position
from hexboard.words.errors import BadText

A = TypeVar("A")


class Played(Struct, frozen=True, tag="played"):
    """An action was played, by its name."""

    action: str


class Back(Struct, frozen=True, tag="back"):
    """Everything from entry `to` on was taken back."""

    to: int


class Ruled(Struct, frozen=True, tag="ruled"):
    """A host replaced the position: the people are right."""

    position: str
    who: str
    why: str


class Noted(Struct, frozen=True, tag="noted"):
    """What the table knows beside the game and is to know again: it changes nothing."""

    text: str


class Timed(Struct, frozen=True, tag="timed"):
    """So much time each seat had left then, ms: it changes nothing."""

    left: tuple[int, ...]


Entry = Played | Back | Ruled | Noted | Timed

encode_entry = msgspec.json.Encoder(order="deterministic").encode
decode_entry = msgspec.json.Decoder(Entry).decode


class Match(Generic[A]):
    """A game being played: append-only entries, and the position after each.

    Undo is an entry of its own (`back to k`), so that saving and loading are the entries.
    """

    def __init__(
        self, game: AnyGame[A], start: Position[A], parse: Callable[[str], Position[A]]
    ) -> None:
        self.game = game
        self._parse = parse
        self.entries: list[Entry] = []
        self.heard: list[Entry] = []
        """The entries as everybody may hear them: without what a game hides."""
        self.noted = ""
        """What was noted last, whatever was taken back since."""
        self._after: list[Position[A]] = [start]
        self._line: list[int] = []  # the entries that still count, by index
        self._written: tuple[Position[A], str] | None = None
        self._opening: int | None = None  # somebody's first move, as far as it was asked for

    def copy(self) -> "Match[A]":
        """The same, to be played on by itself: positions are shared."""
        other = Match(self.game, self._after[0], self._parse)
        other.entries, other.heard, other.noted = self.entries[:], self.heard[:], self.noted
        other._after, other._line = self._after[:], self._line[:]
        other._written = self._written
        return other

    @property
    def position(self) -> Position[A]:
        return self._after[-1]

    @property
    def text(self) -> str:
        """The text of the present position: in some games it tells all that was played, so it is
        made once."""
        if self._written is None or self._written[0] is not self.position:
            self._written = self.position, str(self.position)
        return self._written[1]

    @property
    def line(self) -> tuple[Position[A], ...]:
        """The positions of the game as it counts, the first one first."""
        return tuple(self._after)

    @property
    def length(self) -> int:
        """How many positions `line` has."""
        return len(self._after)

    @property
    def counting(self) -> tuple[int, ...]:
        """The entries that still count, by index: one for each step of `line`."""
        return tuple(self._line)

    def counts(self, entry: int) -> bool:
        """Whether the entry of that index still counts."""
        at = bisect_left(self._line, entry)
        return self._line[at : at + 1] == [entry]

    def play(self, action: A) -> Position[A]:
        """Play and keep an action. Raises `IllegalAction`; then nothing has changed."""
        before = self.position
        after = before.play(action)
        played = Played(before.name(action))
        open_ = self.game.hides(before) is None
        heard = played if open_ else Played(self.game.heard(before, action))
        return self._keep(played, after, heard)

    def rule(self, position: Position[A], who: str, why: str) -> Position[A]:
        """Replace the position by another well-formed one."""
        ruled = Ruled(str(position), who, why)
        return self._keep(ruled, position, Ruled(str(self.game.public(position)), who, why))

    def back(self, to: int) -> Position[A]:
        """Take back every entry from index `to` on that still counts."""
        self.entries.append(Back(to))
        self.heard.append(Back(to))
        while self._line and self._line[-1] >= to:
            self._line.pop()
            self._after.pop()
        return self.position

    def note(self, text: str) -> Position[A]:
        """Keep what the table is to know again."""
        self.entries.append(Noted(text))
        self.heard.append(Noted(text))
        self.noted = text
        return self.position

    def time(self, left: tuple[int, ...]) -> Position[A]:
        """Keep what time the seats have left."""
        self.entries.append(Timed(left))
        self.heard.append(Timed(left))
        return self.position

    @property
    def left(self) -> tuple[int, ...]:
        """What time the seats had left when that was kept last, ms; () where it never was."""
        kept = (entry.left for entry in reversed(self.entries) if isinstance(entry, Timed))
        return next(kept, ())

    def add(self, entry: Entry) -> Position[A]:
        """Keep an entry as it was saved. Raises `BadText` or `IllegalAction` for a foreign one."""
        match entry:
            case Played(action):
                return self.play(self.position.action(action))
            case Ruled(text, who, why):
                return self.rule(self._parse(text), who, why)
            case Noted(text):
                return self.note(text)
            case Timed(left):
                return self.time(left)
            case Back(to) if 0 <= to < len(self.entries):
                return self.back(to)
            case Back(to):
                raise BadText("match.back", to=to, length=len(self.entries))

    def forget(self, length: int) -> None:
        """Drop entries from index `length` on as if they had never been: they were provisional."""
        del self.entries[length:]
        del self.heard[length:]
        self._opening = None
        while self._line and self._line[-1] >= length:
            self._line.pop()
            self._after.pop()
        notes = (entry.text for entry in reversed(self.entries) if isinstance(entry, Noted))
        self.noted = next(notes, "")

    @property
    def plays(self) -> Iterator[tuple[Position[A], Entry]]:
        """Every entry that still counts, with the position before it."""
        return ((self._after[k], self.entries[at]) for k, at in enumerate(self._line))

    def dealt(self, entry: Entry, before: Position[A]) -> bool:
        """Whether the dealer did that, who was waited for: people may do something meanwhile."""
        if not isinstance(entry, Played) or not self.game.deals(before):
            return False
        return before.actor(before.action(entry.action)) == CHANCE

    @property
    def begun(self) -> bool:
        """Somebody has made a move that counts: more than cards dealt, or pieces set up."""
        if self._opening is None or not self.counts(self._opening):
            moved = (
                at
                for at, (before, entry) in zip(self._line, self.plays, strict=True)
                if isinstance(entry, Played) and not self.dealt(entry, before)
            )
            self._opening = next(moved, None)
        return self._opening is not None

    @property
    def backwards(self) -> Iterator[tuple[int, Position[A]]]:
        """The entries that still count, by index, and the position before each: newest first."""
        return zip(reversed(self._line), islice(reversed(self._after), 1, None), strict=True)

    @property
    def choices(self) -> Iterator[tuple[int, Position[A]]]:
        """Those of `backwards` by which people had the choice: not what a dealer did, who would
        only do the same again."""
        for entry, before in self.backwards:
            if before.stable and not self.dealt(self.entries[entry], before):
                yield entry, before

    @property
    def certain(self) -> Iterator[Position[A]]:
        """The positions that people can go back to, the present one first."""
        yield self.position
        yield from (before for _, before in self.choices)

    @property
    def first(self) -> int | None:
        """Index of the first entry that still counts; None at the start."""
        return self._line[0] if self._line else None

    def last_choice(self, back: int = 1) -> int | None:
        """Index of the entry that led on from the position `back` places after the present one in
        `certain`: all from there on is taken back to come to it. None at the start."""
        return next((entry for entry, _ in islice(self.choices, back - 1, None)), self.first)

    def _keep(self, entry: Entry, after: Position[A], heard: Entry) -> Position[A]:
        self._line.append(len(self.entries))
        self.entries.append(entry)
        self.heard.append(heard)
        self._after.append(after)
        return after
