"""Jobs that are done by whoever takes them from a queue: `hexboard archive --queue NATS`."""

import asyncio
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

from hexboard.commands.archive.folder import Archive
from hexboard.commands.archive.jobs import STREAM, JobQueue, QueuedJob, consumer, reason
from hexboard.commands.archive.replaying import JobOutcome, ReplayJob
from hexboard.words import Message, message
from hexboard.words.errors import BadText
from hexboard.words.names import name_of

AHEAD = 32
"""So many jobs wait or are being done: what a queue has to keep does not grow with the archive."""
LOOK_S = 0.2
AGAIN_S = 30
"""Without an answer for so long, each job that waits is given once more: a queue may lose them."""
NOBODY_S = 10
"""Without an answer for so long, it is told where no worker is there."""


def queued(
    jobs: Sequence[ReplayJob],
    url: str,
    archive: Archive,
    half: Path,
    say: Callable[[Message], None],
) -> Generator[tuple[ReplayJob, JobOutcome], None, None]:
    """Each job with what came of it, as workers answer. While the server is away it waits, and
    says so. Raises `BadText` where none answers in the beginning."""
    with asyncio.Runner() as runner:
        queue = runner.run(JobQueue.at(url))
        try:
            giver = _Giver(jobs, queue, archive, half, say)
            while giver.busy:
                yield from runner.run(giver.turn())
        finally:
            runner.run(queue.close())


class _Giver:
    """Gives jobs to a queue and takes answers from it; every step may be done twice."""

    def __init__(
        self,
        jobs: Sequence[ReplayJob],
        queue: JobQueue,
        archive: Archive,
        half: Path,
        say: Callable[[Message], None],
    ) -> None:
        self._left, self._given = list(reversed(jobs)), dict[QueuedJob, ReplayJob]()
        self._queue, self._archive, self._half, self._say = queue, archive, half, say
        self._said: Message | None = None
        self._answered = self._gave = time.monotonic()

    @property
    def busy(self) -> bool:
        """Whether there is a job without an answer."""
        return bool(self._left or self._given)

    async def turn(self) -> list[tuple[ReplayJob, JobOutcome]]:
        """Give what there is room for, and take what is there."""
        from nats.errors import Error

        over: list[tuple[ReplayJob, JobOutcome]] = []
        try:
            await self._give(over)
            await self._take(over)
            await self._tell_if_nobody()
        except (Error, TimeoutError) as error:
            self._tell(message("queue.away", why=reason(error)))
        if over:
            self._answered, self._said = time.monotonic(), None
        else:
            await asyncio.sleep(LOOK_S)
        return over

    async def _give(self, over: list[tuple[ReplayJob, JobOutcome]]) -> None:
        while self._left and len(self._given) < AHEAD:
            job = self._left[-1]
            queued = QueuedJob(name_of(job.path), job.named)
            try:
                await self._queue.give(queued, job.path)
            except OSError as error:
                why = error.strerror or str(error)
                told = message("recording.unreadable", file=str(job.path), why=why)
                over.append((self._left.pop(), JobOutcome(told)))
                continue
            self._given[queued] = self._left.pop()
        silent = time.monotonic() - max(self._answered, self._gave)
        if silent > AGAIN_S:
            for queued, job in self._given.items():
                await self._queue.give(queued, job.path)
            self._gave = time.monotonic()

    async def _take(self, over: list[tuple[ReplayJob, JobOutcome]]) -> None:
        for queued in list(self._given):
            answer = await self._queue.answered(queued)
            if answer is None:
                continue
            outcome = answer.outcome
            if outcome.why is None:
                outcome = self._kept(queued, answer.tables, outcome)
            over.append((self._given.pop(queued), outcome))
            await self._queue.forget(queued.sent)
            if outcome.why is not None:  # the next archive tries again
                await self._queue.forget(queued.answer)

    def _kept(self, job: QueuedJob, tables: dict[str, bytes], outcome: JobOutcome) -> JobOutcome:
        try:
            self._archive.take(job.named, tables, self._half)
        except BadText as error:
            return JobOutcome(error.message)
        except OSError as error:
            why = error.strerror or str(error)
            return JobOutcome(message("archive.unwritten", folder=str(self._archive.path), why=why))
        return outcome

    async def _tell_if_nobody(self) -> None:
        """Where jobs wait, and no worker that has this code asks for one or is at one."""
        from nats.js.errors import NotFoundError

        if not self._given or time.monotonic() - self._answered < NOBODY_S:
            return
        code = next(iter(self._given)).named.replayed_by
        try:
            workers = await self._queue.jetstream.consumer_info(STREAM, consumer(code))
            if workers.num_waiting or workers.num_ack_pending:
                return
        except NotFoundError:
            pass
        self._tell(message("queue.nobody", code=code))

    def _tell(self, said: Message) -> None:
        if said != self._said:
            self._say(said)
        self._said = said
