"""The queue of an archive, on a NATS server with JetStream: what is in it, how it is reached.

A job is one recording, replayed by one state of the code. It waits on the subject
`hexboard.jobs.CODE.CONTENT` of a stream that hands each message to one worker and has room for one
a subject, so the same job is never there twice. Files travel in an object store: `in.CONTENT` is
the recording, `out.CODE.CONTENT` is what came of it, for every archive that asks for it within a
day.
"""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct

from hexboard.commands.archive.replaying import JobOutcome
from hexboard.record.gather import ArchivedAs
from hexboard.record.sealed import OPENED, SEALED, beside
from hexboard.words.errors import BadText
from hexboard.words.names import name_of

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.js import JetStreamContext
    from nats.js.api import StreamConfig
    from nats.js.object_store import ObjectStore

T = TypeVar("T")
STREAM, BUCKET = "hexboard-jobs", "hexboard-archive"
KEPT_S = 24 * 3600
ANSWER_S = 5
"""How long the server may be silent before it is taken to be away."""
FILE_S = 300
"""How long a file may be on its way."""
TWICE = 10077
"""JetStream's error where a subject has all the messages that it may have."""


class QueuedJob(Struct, frozen=True):
    """A recording that waits for a worker: its file's name, and what it is known by."""

    file: str
    named: ArchivedAs

    @property
    def subject(self) -> str:
        return f"{subjects(self.named.replayed_by)[:-1]}{self.named.content}"

    @property
    def sent(self) -> str:
        """The object with the recording."""
        return f"in.{self.named.content}"

    @property
    def answer(self) -> str:
        """The object with what came of it."""
        return f"out.{self.named.replayed_by}.{self.named.content}"


class ReplayAnswer(Struct, frozen=True):
    """What came of a job, and the Parquet file of each table."""

    outcome: JobOutcome
    tables: dict[str, bytes] = {}


def subjects(code: str) -> str:
    """All jobs for workers whose code has this digest."""
    return f"hexboard.jobs.{code}.*"


def consumer(code: str) -> str:
    """The consumer that these workers share."""
    return f"workers-{code}"


def files_of(path: Path) -> dict[str, bytes]:
    """A recording and its secret segment, by file name. Raises `OSError`."""
    secret = (beside(path, suffix) for suffix in (SEALED, OPENED))
    return {name_of(it): it.read_bytes() for it in (path, *secret) if it == path or it.is_file()}


def put_down(files: dict[str, bytes], folder: Path, name: str) -> Path:
    """Write a recording that came from elsewhere into a folder; where it is then. Raises `BadText`
    for what is none, and `OSError`."""
    if name not in files or any(Path(it).name != it for it in files):
        raise BadText("queue.not_ours")
    for it, data in files.items():
        (folder / it).write_bytes(data)
    return folder / name


def reason(error: BaseException) -> str:
    """What is wrong with the server, in a line."""
    told = getattr(error, "description", None) or getattr(error, "strerror", None) or str(error)
    return " ".join(told.split()) or type(error).__name__


class JobQueue:
    """The queue on a server, once `at` has reached it; `close` it at the end. Its methods raise
    `nats.errors.Error` or `TimeoutError` while the server is away, or has no room."""

    _objects: "ObjectStore"

    def __init__(self, client: "Client") -> None:
        self._client = client
        self.jetstream: JetStreamContext = client.jetstream(timeout=ANSWER_S)

    @classmethod
    async def at(cls, url: str) -> "JobQueue":
        """Raises `BadText` where no NATS answers there, or where it has no JetStream."""
        import nats
        from nats.errors import Error
        from nats.js.errors import ServiceUnavailableError

        where, seen = url.rpartition("@")[2], list[Exception]()

        async def heard(error: Exception) -> None:
            seen[:] = [error]

        try:
            connecting = nats.connect(url, error_cb=heard, max_reconnect_attempts=-1)
            queue = cls(await asyncio.wait_for(connecting, ANSWER_S))
        except (Error, OSError, ValueError, TimeoutError) as error:
            why = reason(seen[-1] if seen else error)
            raise BadText("queue.no_server", where=where, why=why) from None
        try:
            await queue.prepare()
        except Error as error:
            await queue.close()
            if isinstance(error, ServiceUnavailableError):
                raise BadText("queue.no_jetstream", where=where) from None
            raise BadText("queue.refused", where=where, why=reason(error)) from None
        return queue

    async def prepare(self) -> None:
        """Make the stream and the store, unless they are there: a server may have lost them."""
        from nats.js.api import ObjectStoreConfig

        await self.jetstream.add_stream(_stream())
        config = ObjectStoreConfig(ttl=KEPT_S)
        self._objects = await self.jetstream.create_object_store(BUCKET, config)

    async def close(self) -> None:
        await self._client.close()

    async def give(self, job: QueuedJob, path: Path) -> None:
        """Let a job wait for a worker, unless it does already. Raises `OSError` where its
        recording cannot be read."""
        from nats.js.errors import APIError

        if not await self._there(job.sent):
            await self._put(job.sent, msgspec.msgpack.encode(files_of(path)))
        try:
            await self.jetstream.publish(job.subject, msgspec.json.encode(job), stream=STREAM)
        except APIError as error:
            if error.err_code != TWICE:
                raise

    async def recording(self, job: QueuedJob) -> dict[str, bytes] | None:
        """Its files; None where they are gone, or are none."""
        return _decoded(await self._get(job.sent), dict[str, bytes])

    async def answer(self, job: QueuedJob, answer: ReplayAnswer) -> None:
        await self._put(job.answer, msgspec.msgpack.encode(answer))

    async def answered(self, job: QueuedJob) -> ReplayAnswer | None:
        """What came of a job; None where nothing has yet."""
        found = await self._get(job.answer)
        if found is None:
            return None
        return _decoded(found, ReplayAnswer) or ReplayAnswer(
            JobOutcome(BadText("queue.not_ours").message)
        )

    async def forget(self, name: str) -> None:
        """An object is needed no longer."""
        from nats.js.errors import NotFoundError

        with suppress(NotFoundError):
            await self._objects.delete(name)

    async def _there(self, name: str) -> bool:
        from nats.js.errors import NotFoundError

        try:
            await self._objects.get_info(name)
        except NotFoundError:
            return False
        return True

    async def _put(self, name: str, data: bytes) -> None:
        await asyncio.wait_for(self._objects.put(name, data), FILE_S)

    async def _get(self, name: str) -> bytes | None:
        from nats.js.errors import NotFoundError

        try:
            found = await asyncio.wait_for(self._objects.get(name), FILE_S)
        except NotFoundError:
            return None
        return found.data


def _decoded(data: bytes | None, kind: type[T]) -> T | None:
    if data is None:
        return None
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except msgspec.MsgspecError:
        return None


def _stream() -> "StreamConfig":
    from nats.js.api import DiscardPolicy, RetentionPolicy, StreamConfig

    return StreamConfig(
        name=STREAM,
        subjects=[subjects("*")],
        retention=RetentionPolicy.WORK_QUEUE,
        max_msgs_per_subject=1,
        discard=DiscardPolicy.NEW,
        discard_new_per_subject=True,
        max_age=KEPT_S,
    )
