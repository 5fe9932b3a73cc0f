"""The transcript: a table, and what its recording says of each step.

The daemon writes what a transcript yields; `replay` compares it with what was written. One running
blake2b over the canonical bytes of all effects ties the two together. All of it is what everybody
may know: what only the table and one seat know is in the facts alone (`table.secrets`).
"""

from collections.abc import Iterator
from hashlib import blake2b

import msgspec
from msgspec import Struct

from hexboard.board import Board
from hexboard.facts import Fact, Report, Resume, Start
from hexboard.game.match import Match
from hexboard.game.position import Action
from hexboard.perception.witness import Witnesses
from hexboard.table import TableView, open_table
from hexboard.table.effects import Commit, Effect, Refresh, Show, encode_effects
from hexboard.table.secrets import heard_effects, heard_fact, is_whole, was_heard
from hexboard.table.view import Asking

EVERY = 64
"""Facts between two digests, when no commit point comes before."""
MINUTE = 60_000_000_000

_encode = msgspec.json.Encoder(order="deterministic").encode


class Told(Struct, frozen=True):
    """One record of a recording beside the facts: its topic and canonical JSON."""

    topic: str
    payload: bytes


class Transcript:
    """Steps a table; every step gives its effects and the records that belong to it."""

    def __init__(self, board: Board, begin: Start | Resume) -> None:
        self._table = open_table(board, begin)
        self._ledger = self._table.ledger
        self._hash = blake2b(digest_size=16)
        self._facts = 0
        self._minute = 0

    def heard(self, fact: Fact) -> Fact:
        """A fact as everybody may hear it, the very object where nothing of it is hidden; asked for
        before its step."""
        return heard_fact(self._ledger, fact)

    def was_heard(self, fact: Fact, heard: Fact) -> bool:
        """Whether a fact could be heard like this; asked for before its step."""
        return was_heard(self._ledger, fact, heard)

    def is_whole(self, heard: Fact) -> bool:
        """Whether nothing was hidden of what was heard; asked for before its step."""
        return is_whole(self._ledger, heard)

    def hold(self, whole: bool) -> None:
        """Whether nothing stands from now on in the middle of what is taken back as a whole, as it
        was in hexboards of before."""
        self._ledger.whole = whole

    def step(self, fact: Fact) -> tuple[list[Effect], list[Told]]:
        """Step the table on one fact."""
        private = self._ledger.private
        effects = self._table.step(fact)
        return effects, list(self._tell(fact, heard_effects(self._ledger, effects, private)))

    @property
    def view(self) -> TableView[Action]:
        """What the table shows now."""
        return self._table.view()

    @property
    def asking(self) -> Asking | None:
        """What people are being asked."""
        return self._table.asking

    @property
    def chance(self) -> bool:
        """The rules wait for the dealer."""
        return self._table.chance

    @property
    def paused(self) -> bool:
        """The game stands in a pause."""
        return self._table.paused

    @property
    def private(self) -> bool:
        """Cards were dealt that not everybody may know, and the game goes on."""
        return self._ledger.private

    @property
    def sealed(self) -> bool:
        """What its shuffle was made of has not been told."""
        return self._ledger.commitment.seal is not None and not self._ledger.commitment.opened

    @property
    def final(self) -> bool:
        """The game is over for good."""
        return self._ledger.final

    @property
    def match(self) -> Match[Action]:
        """The game as it was played so far."""
        return self._ledger.match

    @property
    def witnesses(self) -> Witnesses:
        """What its rolls have shown of each sensor."""
        return self._table.senses.witnesses

    @property
    def deadline(self) -> int | None:
        """The board time at which the table next wants to conclude something, ns."""
        return self._table.deadline

    def knows(self, report: Report) -> bool:
        """Whether a snapshot, or an edge, would say nothing that is not known already."""
        return self._table.senses.knows(report)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def _tell(self, fact: Fact, effects: list[Effect]) -> Iterator[Told]:
        if effects:
            self._hash.update(fact.n.to_bytes(8, "big"))
            self._hash.update(encode_effects(effects))
        commit = False
        spoken: list[Effect] = []
        for effect in effects:
            if isinstance(effect, Show):
                yield Told("scene", _encode({"n": fact.n, "scene": effect.scene}))
            elif not isinstance(effect, Refresh):
                spoken.append(effect)
                commit |= isinstance(effect, Commit)
        if spoken:
            yield Told("event", _encode({"n": fact.n, "effects": spoken}))
        self._facts += 1
        if commit or self._facts >= EVERY:
            self._facts = 0
            yield Told("digest", _encode({"n": fact.n, "digest": self.digest}))
        if commit or fact.t - self._minute >= MINUTE:
            self._minute = fact.t
            yield Told("state", _encode({"n": fact.n, "state": self._table.state()}))
