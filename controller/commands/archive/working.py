"""`hexboard worker`: replays the recordings that wait in a queue, for archives elsewhere."""

import asyncio
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
import msgspec

from hexboard.commands.archive.filling import cores
from hexboard.words import Message, message, say
from hexboard.words.errors import BadText

if TYPE_CHECKING:
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext

    from hexboard.commands.archive.jobs import JobQueue, QueuedJob, ReplayAnswer
    from hexboard.commands.archive.replaying import JobOutcome, ReplayJob
    from hexboard.commands.archive.workers import Worker

BEAT_S = 4
"""How often it is said that a job is still being done."""
SILENT_S = 15
"""Whoever has not said so for so long is gone: the job goes to another."""
ASK_S = 5
"""How long one request for a job stands."""
TRIES = 3
"""A job with which so many workers were lost is given back as one that kills them."""


@click.command()
@click.argument("nats")
@click.option(
    "--workers", type=click.IntRange(1, 256), help="Processes. Default: one for each core."
)
@click.pass_obj
def worker(home: Path, nats: str, workers: int | None) -> None:
    """Replay what `hexboard archive --queue NATS` lets wait on a NATS server (nats://HOST:4222),
    until Ctrl-C.

    A worker takes what was given by the very same code of hexboard and of the games. One that is
    killed loses nothing: after 15 seconds another one begins its recording anew.
    """
    from hexboard.commands.archive.code import code_digest

    games = home / "games"
    asyncio.run(_work(nats, code_digest(games), games, workers or cores()))


async def _work(url: str, code: str, games: Path, count: int) -> None:
    from hexboard.commands.archive.jobs import JobQueue

    queue = await JobQueue.at(url)
    try:
        _tell(message("queue.ready", code=code, count=count))
        async with asyncio.TaskGroup() as group:
            for _ in range(count):
                group.create_task(_Hand(queue, code, games).attend())
    finally:
        await queue.close()


class _Hand:
    """One process and who feeds it: takes a job, has it replayed, gives the answer, and so on."""

    def __init__(self, queue: "JobQueue", code: str, games: Path) -> None:
        self._queue, self._code, self._games = queue, code, games
        self._worker: Worker[ReplayJob, JobOutcome] | None = None

    async def attend(self) -> None:
        """For as long as nobody cancels it; while the server is away it waits, and says so once."""
        from nats.errors import Error

        from hexboard.commands.archive.jobs import reason

        said = False
        try:
            while True:
                try:
                    asked = await self._ask()
                    said = False
                    while True:
                        await self._next(asked)
                except (Error, TimeoutError) as error:
                    if not said:
                        _tell(message("queue.away", why=reason(error)))
                    said = True
                    await asyncio.sleep(1)
        finally:
            if self._worker is not None:
                self._worker.end()

    async def _ask(self) -> "JetStreamContext.PullSubscription":
        from nats.js.api import ConsumerConfig

        from hexboard.commands.archive.jobs import KEPT_S, STREAM, consumer, subjects

        await self._queue.prepare()
        config = ConsumerConfig(
            ack_wait=SILENT_S, max_ack_pending=10_000, inactive_threshold=KEPT_S
        )
        return await self._queue.jetstream.pull_subscribe(
            subjects(self._code), consumer(self._code), STREAM, config
        )

    async def _next(self, asked: "JetStreamContext.PullSubscription") -> None:
        """Wait for a job, and do it. Nothing is confirmed before its answer is kept."""
        from nats.errors import TimeoutError as Nothing

        from hexboard.commands.archive.jobs import QueuedJob

        try:
            (given,) = await asked.fetch(1, timeout=ASK_S)
        except Nothing:
            return
        try:
            job = msgspec.json.decode(given.data, type=QueuedJob)
        except msgspec.MsgspecError:
            _tell(message("queue.not_ours"))
            await given.term()
            return
        beats = asyncio.create_task(_beat(given))
        try:
            answer = await self._answer(job, given.metadata.num_delivered or 0)
            if answer is not None:
                await self._queue.answer(job, answer)
        finally:
            beats.cancel()
        await given.ack_sync()
        if answer is None:
            return
        outcome = answer.outcome
        if outcome.why is None:
            _tell(message("queue.done", file=job.file, facts=outcome.facts))
        else:
            _tell(message("archive.left_out", file=job.file, why=outcome.why))

    async def _answer(self, job: "QueuedJob", tries: int) -> "ReplayAnswer | None":
        """What comes of a job; None where its recording is no longer there."""
        from hexboard.commands.archive.jobs import ReplayAnswer, put_down
        from hexboard.commands.archive.replaying import JobOutcome

        if tries > TRIES:
            return ReplayAnswer(JobOutcome(message("archive.killed")))
        files = await self._queue.recording(job)
        if files is None:
            return None
        try:
            with TemporaryDirectory(ignore_cleanup_errors=True) as name:
                folder = Path(name)
                path = put_down(files, folder, job.file)
                answer = await self._replayed(job, path, folder)
        except BadText as error:
            answer = ReplayAnswer(JobOutcome(error.message))
        except OSError as error:
            why = message("queue.no_room", why=error.strerror or str(error))
            answer = ReplayAnswer(JobOutcome(why))
        return answer

    async def _replayed(self, job: "QueuedJob", path: Path, folder: Path) -> "ReplayAnswer":
        from hexboard.commands.archive.folder import Archive
        from hexboard.commands.archive.jobs import ReplayAnswer
        from hexboard.commands.archive.replaying import JobOutcome, ReplayJob

        archive = Archive(folder / "archive")
        with archive.half() as half:
            outcome = await self._done(ReplayJob(path, job.named, archive.path, half, self._games))
        if outcome is None:
            return ReplayAnswer(JobOutcome(message("archive.killed")))
        if outcome.why is not None:
            return ReplayAnswer(outcome)
        return ReplayAnswer(outcome, archive.packed(job.named.recording))

    async def _done(self, job: "ReplayJob") -> "JobOutcome | None":
        """By a process of its own, which stays for the next one; None where that was killed."""
        from hexboard.commands.archive.replaying import replayed
        from hexboard.commands.archive.workers import Worker

        worker = self._worker or Worker(replayed)
        self._worker = worker
        worker.give(job)
        try:
            more, outcome = 1, None
            while more:
                more, outcome = await asyncio.to_thread(worker.pipe.recv)
        except (EOFError, OSError):
            self._worker = None
            worker.end()
            return None
        return outcome


async def _beat(given: "Msg") -> None:
    """Say again and again that it is being done; a server that is away is told when it is back."""
    from nats.errors import Error

    while True:
        await asyncio.sleep(BEAT_S)
        with suppress(Error):
            await given.in_progress()


def _tell(said: Message) -> None:
    click.echo(say(said), err=True)
