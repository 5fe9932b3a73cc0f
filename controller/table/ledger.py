"""The ledger: the match as it is played, what of it stands, and what each step of it tells."""

from collections.abc import Callable
from functools import lru_cache
from typing import Generic, TypeVar

from hexboard.board import Board
from hexboard.facts import Named, Resume, Start, started
from hexboard.game.game import AnyGame
from hexboard.game.match import Match, decode_entry, encode_entry
from hexboard.game.options import Options
from hexboard.game.position import CHANCE, WHOLE, Position
from hexboard.game.written import completed
from hexboard.table.commitment import Commitment
from hexboard.table.effects import Commit, Corrected
from hexboard.table.outbox import Outbox
from hexboard.words import Message, Value, message
from hexboard.words.errors import BadText, IllegalAction
from hexboard.words.names import called, naming

A = TypeVar("A")
V = TypeVar("V")
UNDONE = message("table.undone")


class Ledger(Generic[A]):
    """One match of a game on a board, with what was agreed on as the game knows it. Raises
    `BadText` for options or saved entries that are not the game's own."""

    def __init__(
        self,
        game: AnyGame[A],
        board: Board,
        begin: Start | Resume,
        options: Options,
        outbox: Outbox,
    ) -> None:
        self.game, self.options = game, options
        self._board, self._outbox = board, outbox
        start = started(begin)
        self.unknown_acts = frozenset(game.unknown_acts().get(start.rules, ()))
        """The table acts that the match's own version of the rules does not know."""
        self._names, self._colours = start.names, start.colours
        outbox.named = lambda told: naming(told, self.names)
        resumed = begin if isinstance(begin, Resume) else None
        entries = resumed.entries if resumed else ()
        self.match: Match[A] = played(game, board, tuple(options.items()), entries).copy()
        self.committed = len(self.match.entries)
        """How many entries stand."""
        self.whole = False
        """In the middle of what is taken back as a whole nothing stands yet."""
        self.confirm = resumed is not None
        """After a restart people look over the board once: "it is right"."""
        self.on_choice: Callable[[], None] = _nobody
        """Hears of each action that somebody chose, before it is played."""
        self.commitment = Commitment(resumed.seal if resumed else None)

    def parse(self, text: str) -> Position[A]:
        """The position that a text stands for. Raises `BadText`."""
        return self.game.read(text, self._board, self.options)

    def ruled(self, text: str) -> str:
        """The whole position's text that people set by what they see: what they do not see stays
        as it is. Raises `BadText` where they would change that."""
        ruled = self.parse(text)
        if self.game.eyes(ruled) == WHOLE:
            return text
        return completed(self.game, self.position, ruled)

    def call(self, word: Named) -> None:
        """What a player is called from now on, and in which colour."""
        if 0 <= word.player < len(self.position.seats):
            seats = len(self.position.seats)
            self._names = _with(self._names or ("",) * seats, word.player, word.name)
            if word.colour >= 0:
                self._colours = _with(self._colours or (-1,) * seats, word.player, word.colour)

    @property
    def names(self) -> dict[str, str]:
        """What seats are called whose players gave a name, by the English word for them."""
        names = self.game.seated(self.position, self._names)
        return called(self.position.seats, names) if names else {}

    @property
    def colours(self) -> tuple[int, ...]:
        """The colours that players chose, by seat; -1 for none."""
        return self.game.seated(self.position, self._colours)

    @property
    def position(self) -> Position[A]:
        return self.match.position

    @property
    def public(self) -> Position[A]:
        """The position as everybody may know it."""
        return self.game.public(self.match.position)

    def text(self, position: Position[A]) -> str:
        """Its text."""
        return self.match.text if position is self.position else str(position)

    @property
    def private(self) -> bool:
        """Cards were dealt that not everybody may know, and the game goes on."""
        return self.game.hides(self.match.position) is not None

    @property
    def final(self) -> bool:
        """The game is over, and everybody may know the shuffle of its cards: played on, no card
        would be hidden any more, so it stays over."""
        return self.commitment.seal is not None and self.position.scores is not None

    def declared(self, seat: int, name: str) -> A:
        """The action a seat names, if it may; seat -1 is whoever has to move. What chance does says
        who throws or draws, where the rules ask a seat to. Raises `BadText` or `IllegalAction`."""
        action = self.position.action(name)
        actor = self.position.actor(action)
        if actor == CHANCE and (asked := self.position.question(CHANCE)) is not None:
            actor = asked.seat
        if seat not in (actor, -1) and actor != CHANCE:
            raise BadText("table.not_your_turn")
        if refusal := self.position.refusal(action):
            raise IllegalAction(refusal)
        return action

    # ------------------------------------------------------------------------------ what comes

    def play(self, action: A) -> Position[A]:
        """Play an action that the rules allow or that simply happened, and tell its events."""
        if self.position.actor(action) != CHANCE:
            self.on_choice()
        entry = len(self.match.entries)
        position = self.match.play(action)
        for event in position.events:
            self._outbox.tell(event, entry)
        self._outbox.change()
        return position

    def back(self, to: int | None, why: Message = UNDONE) -> None:
        """Take back every entry from index `to` on, and say why. Raises `BadText` where there is
        none."""
        self.check_open()
        if to is None:
            raise BadText("table.nothing_to_undo")
        self.match.back(to)
        self._outbox.tell(why, len(self.match.entries) - 1)

    def replace(self, position: Position[A], who: str, why: str) -> None:
        """A host's word replaces the position. Raises `BadText`."""
        self.check_open()
        self.parse(str(position))  # the journal has to be read again
        entry = len(self.match.entries)
        self.match.rule(position, who, why)
        self._outbox.tell(message("table.ruled", who=who, why=why or "-"), entry)
        for event in position.events:
            self._outbox.tell(event, entry)

    def forget(self, first: int) -> None:
        """Drop entries from index `first` on: they were provisional, and are told anew."""
        assert first >= self.committed, "what is journalled stands"
        self.match.forget(first)
        self._outbox.log.forget(first)

    def reopen(self, to: int, why: Message) -> None:
        """What was played from entry `to` on was something else, which is told after this."""
        if to < len(self.match.entries):
            self.match.back(to)
            self._outbox.put(Corrected(why))
            self._outbox.tell(why, len(self.match.entries) - 1)

    def note(self, text: str) -> None:
        """Keep what the table is to know again after a restart, where that is new."""
        if text != self.match.noted:
            self.match.note(text)
            self._outbox.change()

    def time(self, left: tuple[int, ...]) -> None:
        """Keep what time the seats have left, ms."""
        self.match.time(left)
        self._outbox.change()

    def commit(self) -> None:
        """What was played so far stands."""
        if len(self.match.entries) > self.committed:
            new = self.match.entries[self.committed :]
            texts = tuple(encode_entry(entry).decode() for entry in new)
            self._outbox.put(Commit(self.committed, texts, self.text(self.position)))
            self.committed = len(self.match.entries)

    def check_open(self) -> None:
        """Raises `BadText` where a game may not go on that is over."""
        if self.final:
            raise BadText("table.final")


@lru_cache(1)  # a start looks at the saved match, tries it and goes on with it
def played(
    game: AnyGame[A], board: Board, options: tuple[tuple[str, Value], ...], entries: tuple[str, ...]
) -> Match[A]:
    """A match as it was saved, played again; not to be changed. Raises `BadText` or `IllegalAction`
    for what is not the game's own."""
    agreed = dict(options)
    match = Match(game, game.begin(board, agreed), lambda text: game.read(text, board, agreed))
    for entry in entries:
        match.add(decode_entry(entry))
    _ = match.text  # each start compares it with the journal's
    return match


def _with(given: tuple[V, ...], player: int, word: V) -> tuple[V, ...]:
    """What the players gave, with one player's word."""
    return (*given[:player], word, *given[player + 1 :])


def _nobody() -> None:
    """Nobody waits for a choice."""
