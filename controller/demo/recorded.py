"""Recorded: the recording of a game that plays itself, faster than any board."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from hexboard import __version__
from hexboard.board import Board
from hexboard.facts import Fact, encode_fact
from hexboard.record.recording import Recorder, new_path
from hexboard.record.schemas import schemas
from hexboard.record.transcript import Told
from hexboard.words import Message
from hexboard.words.dates import stamp
from hexboard.words.errors import BadRecording

Keep = Callable[[Fact, list[Told]], None]
"""Takes each fact, and what is told of its step."""
SYNC = 5_000
"""Facts after which the disk is waited for."""


class Summary(Struct, frozen=True):
    """What came of an evening that played itself."""

    path: Path
    """Its recording."""
    turns: int
    edges: int
    questions: int
    seconds: float
    """Of board time."""
    digest: str


@contextlib.contextmanager
def recorded(board: Board, state: Path, match: str) -> Iterator[tuple[Path, Keep]]:
    """A new recording in a state folder: its path, and what keeps facts in it. Raises
    `BadRecording` at the end if the disk failed."""
    (state / "recordings").mkdir(parents=True, exist_ok=True)
    path = new_path(state / "recordings", f"{match}-{stamp()}")
    troubles: list[Message | None] = []
    recorder = Recorder(
        path,
        schemas=schemas(),
        attachments={"board.json": msgspec.json.encode(board)},
        metadata={"match": match, "code": __version__},
        trouble=troubles.append,
    )

    def keep(fact: Fact, told: list[Told]) -> None:
        recorder.put("fact", fact.t, encode_fact(fact), fact.at)
        for record in told:
            recorder.put(record.topic, fact.t, record.payload)
        if fact.n % SYNC == 0:
            recorder.sync()

    try:
        yield path, keep
    finally:
        recorder.close()
    if troubles and (last := troubles[-1]) is not None:
        raise BadRecording(last.key, **dict(last.values))
