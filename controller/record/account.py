"""The account: a table, and what its recording says of each step.

The daemon writes what an account yields; `replay` compares it with what was written. One running
blake2b over the canonical bytes of all effects ties the two together. All of it is what everybody
may know: what only the table and one seat know is in the facts alone (`table.secrets`).
"""

from collections.abc import Iterator
from hashlib import blake2b

import msgspec
from msgspec import Struct

from controller.board import Board
from controller.effects import Commit, Effect, Refresh, Show, encode_effects
from controller.facts import Fact, Resume, Start
from controller.table import open_table
from controller.table.secrets import heard_effects, heard_fact

EVERY = 64
"""Facts between two digests, when no commit point comes before."""
MINUTE = 60_000_000_000

_encode = msgspec.json.Encoder(order="deterministic").encode


class Told(Struct, frozen=True):
    """One record of a recording beside the facts: its topic and canonical JSON."""

    topic: str
    payload: bytes


class Account:
    """Steps a table; every step gives its effects and the records that belong to it."""

    def __init__(self, board: Board, begin: Start | Resume) -> None:
        self.table = open_table(board, begin)
        self._hash = blake2b(digest_size=16)
        self._facts = 0
        self._minute = 0

    def heard(self, fact: Fact) -> Fact:
        """A fact as everybody may hear it; asked for before its step."""
        return heard_fact(self.table, fact)

    def step(self, fact: Fact) -> tuple[list[Effect], list[Told]]:
        """Step the table on one fact."""
        private = self.table.private
        effects = self.table.step(fact)
        return effects, list(self._tell(fact, heard_effects(self.table, effects, private)))

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
            yield Told("state", _encode({"n": fact.n, "state": self.table.state()}))
