"""The secret segment of a recording: facts that not everybody may know while the game goes on.

Beside `MATCH.mcap`, which has them as everybody heard them, stands `MATCH.sealed`: another MCAP
file, with the same facts in full, for its owner's eyes. When the match is over it is opened: the
file is then called `MATCH.secrets`, and `log` and `export` read it as well. Downloads and bundles
take `*.mcap` and `*.secrets`, never `*.sealed`.
"""

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from hexboard.record.recording import Recorder, read
from hexboard.words import Message
from hexboard.words.errors import NO_JSON, BadRecording

SEALED, OPENED = ".sealed", ".secrets"


class _Numbered(Struct):
    """What every fact has, of whatever version."""

    n: int


class SecretRecorder:
    """Writes the secret segment beside a recording; no file comes to be where nothing is secret."""

    def __init__(
        self,
        recording: Path,
        schemas: Mapping[str, bytes],
        metadata: Mapping[str, str],
        trouble: Callable[[Message | None], None],
    ) -> None:
        self._path = recording.with_suffix(SEALED)
        self._schemas, self._metadata, self._trouble = schemas, metadata, trouble
        self._recorder: Recorder | None = None

    def put(self, t: int, fact: bytes, at: int) -> None:
        """Keep a fact in full (canonical JSON)."""
        if self._recorder is None:
            self._recorder = Recorder(
                self._path,
                schemas=self._schemas,
                attachments={},
                metadata=self._metadata,
                trouble=self._trouble,
                mode=0o600,
            )
        self._recorder.put("fact", t, fact, at)

    def open(self, match: str) -> None:
        """The match is over, and this segment too: it would miss its file under its old name."""
        self.close()
        open_match(self._path.parent, match)

    def close(self) -> None:
        if self._recorder is not None:
            self._recorder.close()


def open_match(folder: Path, match: str) -> None:
    """The match is over: its secrets may be read by everybody. What cannot be renamed stays."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f"*{SEALED}"):
            if path.name.startswith(match):
                with contextlib.suppress(OSError):
                    path.replace(path.with_suffix(OPENED))


def secret_facts(recording: Path, opened_only: bool) -> dict[int, bytes]:
    """The facts of a recording that it does not have in full, by their `n`, as far as they are
    whole; empty where there are none, or (`opened_only`) where the match is not over yet. Raises
    `BadRecording`."""
    facts: dict[int, bytes] = {}
    for suffix in (OPENED,) if opened_only else (OPENED, SEALED):
        path = beside(recording, suffix)
        if path.exists() and path != recording:
            for record in read(path):
                facts[_number(record.payload, recording)] = record.payload
    return facts


def beside(recording: Path, suffix: str) -> Path:
    """The secret segment of a recording; it may have been on a disk that writes all names large."""
    path, large = recording.with_suffix(suffix), recording.with_suffix(suffix.upper())
    return large if large.exists() and not path.exists() else path


def _number(payload: bytes, recording: Path) -> int:
    try:
        return msgspec.json.decode(payload, type=_Numbered).n
    except NO_JSON:
        raise BadRecording("recording.not_its_secret", file=str(recording)) from None
