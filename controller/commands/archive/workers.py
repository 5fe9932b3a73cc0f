"""Workers: processes that do jobs one after the other, as many at a time as asked for.

    for job, answer in done(jobs, work, count, heard=print):    # as they are done
        ...                             # `answer` is None where the process that did it was killed

Python's own pools do not say which job a process was at that was killed, and give up on all others.
Here each process has a pipe of its own: what is lost with it is known, and another one goes on.
"""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

J = TypeVar("J")
R = TypeVar("R")
Work = Callable[[J, Callable[[int], None]], R]
"""Does a job, and says now and then how much more of it is done. A function of a module."""


class Worker(Generic[J, R]):
    """A process that waits for jobs; it ends when nobody holds the other end of its pipe."""

    def __init__(self, work: "Work[J, R]") -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        with _deaf():
            self._process = spawn.Process(target=_attend, args=(theirs, work), daemon=True)
            self._process.start()
        theirs.close()
        self.job: J | None = None

    def give(self, job: J) -> None:
        """Have it do a job."""
        self.job = job
        with suppress(OSError):  # it was killed: its pipe says so
            self.pipe.send(job)

    def end(self) -> None:
        """End it, whatever it does."""
        self._process.terminate()
        self._process.join()
        self.pipe.close()


def done(
    jobs: Sequence[J], work: "Work[J, R]", count: int, heard: Callable[[int], None]
) -> Generator[tuple[J, R | None], None, None]:
    """Each job with its answer, as they are done; `heard` is told how much more of all is done."""
    left, busy = list(reversed(jobs)), list[Worker[J, R]]()
    try:
        while left or busy:
            while left and len(busy) < count:
                worker = Worker[J, R](work)
                worker.give(left.pop())
                busy.append(worker)
            for pipe in wait([worker.pipe for worker in busy]):
                worker = next(it for it in busy if it.pipe is pipe)
                try:
                    more, answer = worker.pipe.recv()
                except (EOFError, OSError):
                    more, answer = -1, None
                if more > 0:
                    heard(more)
                    continue
                job = worker.job
                assert job is not None
                if answer is not None and left:
                    worker.give(left.pop())
                else:
                    busy.remove(worker)
                    worker.end()
                yield job, answer
    finally:
        for worker in busy:
            worker.end()


@contextmanager
def _deaf() -> Iterator[None]:
    """A process that begins here is deaf to Ctrl-C, which whoever began it hears."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:  # Windows
        yield
        return
    resource_tracker.ensure_running()  # its start would undo the next line
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


def _attend(pipe: Connection, work: "Work[Any, Any]") -> None:
    with suppress(EOFError, OSError):
        while True:
            answer = work(pipe.recv(), lambda more: pipe.send((more, None)))
            pipe.send((0, answer))
