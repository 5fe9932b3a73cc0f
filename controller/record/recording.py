"""Recording: an MCAP file of everything that went in and what came of it, in the order it happened.

    recorder = Recorder(path, schemas=schemas(), attachments={"board.json": board},
                        metadata={"match": "m1"}, trouble=print)
    recorder.put("fact", fact.t, encode_fact(fact), fact.at)
    recorder.close()

    recording = read(path)
    for record in recording: ...
    recording.damage                    # None, or what is wrong with the file

The file, front to back: a header, attachments, one metadata record, zstd chunks of JSON messages,
and, when it was closed, MCAP's summary. What power cuts and bad cards do must never look like play,
so every part is checked: chunks and attachments by MCAP's CRCs, the metadata (which MCAP leaves
bare) by a `crc32` entry, and the order by `sequence`, which numbers a file's messages 0, 1, 2, …
across channels. Each channel's metadata tells `offset`, ns from the board's clock to the wall's.
"""

import contextlib
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import msgspec
import zstandard
from mcap.opcode import Opcode
from mcap.writer import MCAP0_MAGIC, CompressionType, IndexType, Writer

from hexboard.files import finite, unused
from hexboard.record.mapped import header, mapped, string
from hexboard.record.tape import LostError, Tape
from hexboard.words import Message, message
from hexboard.words.errors import BadRecording

PROFILE = "hexboard"
OURS, FOR_VIEWERS = (PROFILE, f"{PROFILE} mcap-python"), ("", PROFILE)
"""Profile and library of a recording, and of a file for other programs, which is none."""

FLUSH_S = 0.25
"""Seconds between two chunks reaching the operating system: what a killed process loses."""
SYNC_S = 1.0
"""Seconds between two syncs to the disk: what a power cut loses."""
CHUNK_BYTES = 64 * 1024
"""Bytes of a full chunk, before compression."""
INDEXED = IndexType.ATTACHMENT | IndexType.METADATA
"""An index of chunks, four a second, would grow in memory all evening."""
WAITING = 100_000
"""Records that may wait for the disk before the recorder gives up on it."""
HURRY = 4096
"""Waiting records that make the writer start before its time."""
PATIENCE_S = 10.0
"""Seconds that `sync` and `close` wait for a disk that does not answer."""
AGAIN_S = 2.0
"""Seconds between two tries on a disk that fails."""
KEPT_BYTES = 16 * 1024 * 1024
"""Bytes that are kept for a disk that fails before the recorder gives up: hours of play."""
LARGEST_BYTES = 64 * 1024 * 1024
"""Bytes of the largest part that a reader believes in; more is damage."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """One message of a recording; `t` in board ns, `payload` as it was put."""

    topic: str
    t: int
    payload: bytes


# ---------------------------------------------------------------------------------- writing


class Recorder:
    """Writes a new file at `path`, from its own thread: only `sync` and `close` wait for the disk.

    `schemas` gives each topic its JSON Schema; `attachments` (name to bytes) and `metadata` are
    written first, so that a torn file has them; `mode` are the permissions, less the umask. Of a
    disk that fails nothing is raised: what it did not take is kept and tried again, nothing is
    missing later. `trouble` hears `recording.waits` then, None when that is over, and as its last
    word `recording.stopped` or `recording.slow`, from the writer's thread or the one that puts.
    """

    def __init__(
        self,
        path: Path,
        *,
        schemas: Mapping[str, bytes],
        attachments: Mapping[str, bytes],
        metadata: Mapping[str, str],
        trouble: Callable[[Message | None], None],
        mode: int = 0o666,
    ) -> None:
        self.path, self._mode = path, mode
        self._schemas, self._attachments, self._metadata = schemas, attachments, metadata
        self._trouble = trouble
        self._telling, self._gave_up = threading.Lock(), False
        self._waits = False  # for a disk that fails
        self._queue: deque[tuple[str, int, int, bytes]] = deque()
        self._syncs: deque[threading.Event] = deque()
        self._wake, self._over = threading.Event(), False
        self.beat = time.monotonic()
        """When its thread last had nothing left to write, monotonic s."""
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def put(self, topic: str, t: int, payload: bytes, at: int | None = None) -> None:
        """Keep one record: JSON bytes, `t` and `at` (when it happened, else `t`) in board ns."""
        if self._over:
            return
        self._queue.append((topic, t, t if at is None else at, payload))
        if len(self._queue) >= HURRY:
            self._wake.set()
            if len(self._queue) >= WAITING:
                self._give_up(message("recording.slow", file=str(self.path)))

    @property
    def writes(self) -> bool:
        """Whether it has not given up, and is not closed."""
        return not self._over

    def sync(self, timeout: float = PATIENCE_S) -> bool:
        """Wait until all that was put is on the disk; False if it is not in `timeout` seconds, or
        the disk fails."""
        done = threading.Event()
        self._syncs.append(done)
        self._wake.set()
        end = time.monotonic() + timeout
        while not done.wait(0.05) and self._thread.is_alive() and time.monotonic() < end:
            pass
        return done.is_set() and not self._waits

    def close(self) -> None:
        """Write what waits, the summary, and close; `put` does nothing from now on."""
        self._over = True
        self._wake.set()
        self._thread.join(PATIENCE_S)
        if self._thread.is_alive():
            self._give_up(message("recording.slow", file=str(self.path)))

    def _give_up(self, why: Message) -> None:
        self._over = True
        self._tell(why, last=True)

    def _tell(self, what: Message | None, last: bool = False) -> None:
        with self._telling:
            if not self._gave_up:
                self._gave_up = last
                self._trouble(what)

    def _run(self) -> None:
        try:
            with contextlib.closing(Tape(self.path, self._mode)) as tape:
                self._write(tape)
        except Exception as error:  # of any kind: a thread that dies unheard would be worse
            self._give_up(message("recording.stopped", file=str(self.path), why=_why(error)))
            self._queue.clear()

    def _write(self, tape: Tape) -> None:
        writer = Writer(
            tape,  # type: ignore[arg-type]  # it writes, tells and flushes, no more
            chunk_size=CHUNK_BYTES,
            compression=CompressionType.ZSTD,
            index_types=INDEXED,
        )
        # It keeps a list of chunks all the same, and writes it nowhere.
        writer._Writer__chunk_indices = deque(maxlen=0)  # type: ignore[attr-defined]
        self._front(writer)
        channels: dict[str, int] = {}
        offset = written = 0
        last_sync, over = time.monotonic(), False
        while not over:
            over = self._over  # read first, so that all put before `close` is still written
            waiting = [self._syncs.popleft() for _ in range(len(self._syncs))]
            for _ in range(len(self._queue)):
                topic, t, at, payload = self._queue.popleft()
                if not channels:
                    offset = time.time_ns() - t
                    channels = self._channels(writer, offset)
                happened = max(0, offset + at)  # MCAP has no times before 1970
                writer.add_message(channels[topic], offset + t, payload, happened, written)
                written += 1
            if over:
                writer.finish()  # type: ignore[no-untyped-call]
            writer.flush()  # type: ignore[no-untyped-call]
            since = time.monotonic() - last_sync
            due = over or waiting or since >= (AGAIN_S if self._waits else SYNC_S)
            if due or not self._waits:
                self._save(tape, bool(due and tape.kept), over)
                last_sync = time.monotonic() if due else last_sync
            for done in waiting:
                done.set()
            self.beat = time.monotonic()
            if not over:
                self._wake.wait(FLUSH_S)
                self._wake.clear()

    def _save(self, tape: Tape, for_good: bool, last: bool) -> None:
        """Raises `OSError` where it is not to be tried again."""
        try:
            tape.save(for_good)
        except OSError as error:
            if last or tape.kept > KEPT_BYTES or isinstance(error, LostError):
                raise
            if not self._waits:
                self._waits = True
                self._tell(message("recording.waits", file=str(self.path), why=_why(error)))
        else:
            if self._waits and for_good:
                self._waits = False
                self._tell(None)

    def _front(self, writer: Writer) -> None:
        writer.start(*OURS)
        now = time.time_ns()
        for name, data in self._attachments.items():
            kind = "application/json" if name.endswith(".json") else "application/octet-stream"
            writer.add_attachment(now, now, name, kind, data)
        writer.add_metadata(PROFILE, {**self._metadata, "crc32": _sum(self._metadata)})

    def _channels(self, writer: Writer, offset: int) -> dict[str, int]:
        channels, about = {}, {"offset": str(offset)}
        for topic, described in self._schemas.items():
            schema = writer.register_schema(f"{PROFILE}.{topic}", "jsonschema", described)
            channels[topic] = writer.register_channel(topic, "json", schema, about)
        return channels


def _why(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error or type(error).__name__)


# ---------------------------------------------------------------------------------- reading


def new_path(folder: Path, name: str) -> Path:
    """Where a new recording goes: NAME.mcap, with a number where that is taken."""
    return unused(folder / f"{name}.mcap")


def recordings_in(folder: Path, deep: bool = False, name: str = "", see: bool = True) -> list[Path]:
    """The recordings in a folder, or `deep` in its folders too, whose names begin so: no pictures,
    nor, if it may `see` into each, files for other programs. `glob` keeps each pattern it met."""
    other, found = {".frames", ".foxglove"}, folder.glob(f"{'**/' * deep}*.[mM][cC][aA][pP]")
    named = (it for it in found if not other & {*map(str.lower, it.suffixes)})
    return [it for it in named if it.name.startswith(name) and not (see and _for_viewers(it))]


def read(path: Path) -> "Recording":
    """The recording at `path`. Raises `BadRecording` if there is none; damage does not raise."""
    return Recording(path)


class Recording:
    """A recording on the disk. Iterate over it for its `Record`s, in the order they were written.

    Every iteration reads the file anew, a chunk at a time. It yields what is certain: the records
    before the first damage, whole, in order, without a gap; `damage` then tells the rest.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.attachments: dict[str, bytes] = {}
        self.metadata: dict[str, str] = {}
        self.offset = 0
        """From the board's clock to the wall's, ns; known once a record was read."""
        self._blemish: Message | None = None
        """Damage before the first record that the records do not suffer from."""
        self._torn: Message | None = None
        self._walked = False
        try:
            self._chunks_at = self._read_front()
        except OSError as error:
            raise _unreadable(path, error) from None

    def __iter__(self) -> Iterator[Record]:
        kept = 0
        self._torn, self._walked = None, False
        try:
            with finite(self.path, pipe=False).open("rb") as file:
                file.seek(self._chunks_at)
                channels: dict[int, tuple[str, int]] = {}
                for at, opcode, body in _parts(file):
                    if opcode == Opcode.CHUNK:
                        records = _unpack(at, body, channels, kept)
                        kept += len(records)
                        self.offset = next((offset for _, offset in channels.values()), 0)
                        yield from records
                    elif opcode == Opcode.DATA_END:
                        _read_summary(file, kept)
                        break
                    elif opcode != Opcode.MESSAGE_INDEX:
                        raise _TornError(at)
        except _TornError as torn:
            cut = "recording.unclosed" if torn.at == self.path.stat().st_size else "recording.torn"
            self._torn = message(cut, file=str(self.path), kept=kept, at=torn.at)
        except OSError as error:
            why = error.strerror or str(error)
            self._torn = message("recording.failing", file=str(self.path), kept=kept, why=why)
        self._walked = True

    @property
    def damage(self) -> Message | None:
        """What is wrong with the file, None if nothing is. Reads it through once if need be."""
        if not self._walked:
            deque(self, maxlen=0)
        return self._torn or self._blemish

    @property
    def session(self) -> int:
        """How many recordings there were of its match when it began, itself with them; 0 where it
        does not say, as those from before."""
        said = self.metadata.get("session", "")
        return int(said) if said.isdecimal() and len(said) < 10 else 0

    def _read_front(self) -> int:
        """Attachments and metadata; the byte where the chunks begin."""
        with finite(self.path, pipe=False).open("rb") as file:
            _check_header(self.path, file)
            at = file.tell()
            try:
                for at, opcode, body in _parts(file):
                    if opcode == Opcode.ATTACHMENT:
                        self._attachment(at, body)
                    elif opcode == Opcode.METADATA:
                        self._read_metadata(at, body)
                    else:
                        break
            except _TornError as torn:
                at = torn.at
            return at

    def _attachment(self, at: int, body: bytes) -> None:
        try:
            name, end = string(body, 16)  # after two times
            _, end = string(body, end)
            (length,) = _U64.unpack_from(body, end)
            data = body[end + 8 : -4]
            whole = len(data) == length and _U32.unpack(body[-4:]) == (crc32(body[:-4]),)
        except (struct.error, ValueError):
            whole = False
        if whole:
            self.attachments[name] = data
        else:
            self._blemish = message("recording.attachment", file=str(self.path), at=at)

    def _read_metadata(self, at: int, body: bytes) -> None:
        try:
            _, end = string(body, 0)
            metadata = mapped(body, end)
            whole = metadata.pop("crc32", "") == _sum(metadata)
        except (struct.error, ValueError):
            whole = False
        if whole:
            self.metadata = metadata
        else:
            self._blemish = message("recording.metadata", file=str(self.path), at=at)


class _TornError(Exception):
    """The file makes no sense from byte `at` on."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


_PART = struct.Struct("<BQ")
"""Every part: opcode, length of what follows."""
_CHUNK = struct.Struct("<QQQII4sQ")
"""Start, end, size and CRC unpacked, "zstd" with its length, length packed."""
_MESSAGE = struct.Struct("<BQHIQQ")
"""A part whose body begins with channel, sequence, log time, publish time."""
_CHANNEL = struct.Struct("<HH")
_U32 = struct.Struct("<I")
_U64 = struct.Struct("<Q")
_BEGIN, _VIEWERS = header(*OURS), header(*FOR_VIEWERS)
_SUMMARY = frozenset(
    {
        Opcode.SCHEMA,
        Opcode.CHANNEL,
        Opcode.STATISTICS,
        Opcode.CHUNK_INDEX,
        Opcode.ATTACHMENT_INDEX,
        Opcode.METADATA_INDEX,
        Opcode.SUMMARY_OFFSET,
    }
)


def _parts(file: BinaryIO) -> Iterator[tuple[int, int, bytes]]:
    """From where the file stands: (byte, opcode, body) of each part. Ends by `_TornError` alone."""
    at = file.tell()
    while True:
        head = file.read(_PART.size)
        if len(head) < _PART.size:
            raise _TornError(at)
        opcode, length = _PART.unpack(head)
        if length > LARGEST_BYTES:
            raise _TornError(at)
        body = file.read(length)
        if len(body) < length:
            raise _TornError(at)
        yield at, opcode, body
        at += _PART.size + length


def _check_header(path: Path, file: BinaryIO) -> None:
    head = file.read(len(_BEGIN))
    if head != _BEGIN and _BEGIN.startswith(head):
        raise BadRecording("recording.empty", file=str(path))
    if not head.startswith(MCAP0_MAGIC):
        raise BadRecording("recording.not_mcap", file=str(path))
    if head.startswith(_VIEWERS):
        raise BadRecording("recording.for_viewers", file=str(path))
    file.seek(len(MCAP0_MAGIC))
    try:
        _, opcode, body = next(_parts(file))
    except _TornError:
        opcode, body = 0, b""
    if opcode != Opcode.HEADER or PROFILE.encode() not in body:
        raise BadRecording("recording.foreign", file=str(path))


def _for_viewers(path: Path) -> bool:
    """Whether it begins as one for other programs; of what cannot be read nobody knows."""
    with contextlib.suppress(OSError), finite(path, pipe=False).open("rb") as file:
        return file.read(len(_VIEWERS)) == _VIEWERS
    return False


def _unpack(at: int, body: bytes, channels: dict[int, tuple[str, int]], kept: int) -> list[Record]:
    """The records of the chunk at byte `at`, all or (`_TornError`) none; learns its channels."""
    records: list[Record] = []
    try:
        raw = _decompress(body)
        here, end = 0, len(raw)
        while here < end:
            opcode, length, channel, sequence, log_time, _ = _MESSAGE.unpack_from(raw, here)
            start, here = here, here + _PART.size + length
            if opcode == Opcode.MESSAGE:
                topic, offset = channels[channel]
                if sequence != kept + len(records):
                    raise ValueError("a gap")
                payload = raw[start + _MESSAGE.size : here]
                records.append(Record(topic, log_time - offset, payload))
            elif opcode == Opcode.CHANNEL:
                channels[channel] = _channel(raw[start + _PART.size : here])
    except (struct.error, KeyError, ValueError, zstandard.ZstdError):
        raise _TornError(at) from None
    return records


def _decompress(body: bytes) -> bytes:
    _, _, size, crc, _, name, _ = _CHUNK.unpack_from(body)
    packed = body[_CHUNK.size :]
    # The frame names its own size, and zstandard would believe it: a bomb has to be seen before.
    if name != b"zstd" or size > LARGEST_BYTES or zstandard.frame_content_size(packed) != size:
        raise ValueError("not a chunk")
    raw = zstandard.decompress(packed)
    if crc32(raw) != crc:
        raise ValueError("wrong CRC")
    return raw


def _channel(body: bytes) -> tuple[str, int]:
    """A channel's topic and clock offset."""
    topic, end = string(body, _CHANNEL.size)
    _, end = string(body, end)
    return topic, int(mapped(body, end)["offset"])


def _read_summary(file: BinaryIO, kept: int) -> None:
    """A closed file says how many messages it has, and ends at the end."""
    for at, opcode, body in _parts(file):
        if opcode == Opcode.STATISTICS and body[:8] != _U64.pack(kept):
            raise _TornError(at)
        if opcode == Opcode.FOOTER:
            end = file.tell()
            if file.read(len(MCAP0_MAGIC) + 1) != MCAP0_MAGIC:
                raise _TornError(end)
            return
        if opcode not in _SUMMARY:
            raise _TornError(at)


def _sum(metadata: Mapping[str, str]) -> str:
    return str(crc32(msgspec.json.encode(sorted(metadata.items()))))


def _unreadable(path: Path, error: OSError) -> BadRecording:
    if isinstance(error, FileNotFoundError):
        return BadRecording("recording.missing", file=str(path))
    if path.is_dir():  # which Windows calls a lack of permission
        return BadRecording("recording.directory", file=str(path))
    return BadRecording("recording.unreadable", file=str(path), why=error.strerror or str(error))
