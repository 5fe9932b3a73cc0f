"""The scheduler: tasks that take turns as a seed says, on a clock that only it moves.

A task is what the shell thinks is a thread. It has the word until it waits for something, or asks
for the time: then another may have it. Nothing here knows of hexboard.
"""

import heapq
import traceback
from collections.abc import Callable
from random import Random
from zlib import crc32

from greenlet import getcurrent, greenlet

STEP_NS = 50_000
"""The longest that one turn takes, ns."""
BREATHER = 12
"""Of so many times that somebody asks for the time, another has the word in between once."""
MOST_STEPS = 2_000_000
"""Turns of an evening: with more it goes round in a circle."""


class Died(BaseException):
    """The process is killed, or the power is gone: no task goes on."""


class StuckError(Exception):
    """Nobody can go on, or everybody goes round in a circle."""


class Task:
    """What the shell takes for a thread."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.greenlet: greenlet
        self.waits = 0
        """The number of its wait, to know a timer of an earlier one by."""
        self.parked = False
        self.woken = False
        self.over = False
        self.joined: list[Task] = []


class Scheduler:
    """Tasks and calls at a time, in an order that `dice` chooses."""

    def __init__(self, dice: Random, began_ns: int = 10**12) -> None:
        self.dice = dice
        self.now = began_ns
        """Monotonic ns."""
        self.steps = 0
        self.dead = False
        self.failures: list[str] = []
        """What a thread died of, that nobody caught."""
        self.digest = 0
        """Of all turns so far: who had the word when."""
        self.tasks: list[Task] = []
        self._ready: list[Task] = []
        self._due: list[tuple[int, int, Task | None, int, Callable[[], None] | None]] = []
        self._count = 0
        self._running: Task | None = None
        self._main = getcurrent()

    @property
    def current(self) -> Task | None:
        """The task that has the word; None outside of all."""
        return self._running

    def start(self, name: str, run: Callable[[], object]) -> Task:
        """A task that will run this."""
        task = Task(name)
        task.greenlet = greenlet(lambda: self._live(task, run), self._main)
        self.tasks.append(task)
        self._ready.append(task)
        return task

    def at(self, when_ns: int, call: Callable[[], None]) -> None:
        """Call this then, outside of all tasks."""
        self._count += 1
        heapq.heappush(self._due, (when_ns, self._count, None, 0, call))

    def after(self, wait_ns: int, call: Callable[[], None]) -> None:
        self.at(self.now + wait_ns, call)

    def park(self, timeout_s: float | None = None) -> bool:
        """The task that has the word waits, for so long at most; whether it was woken."""
        task = self._alive()
        task.waits += 1
        task.parked, task.woken = True, False
        if timeout_s is not None:
            self._count += 1
            due = self.now + max(0, round(timeout_s * 1e9))
            heapq.heappush(self._due, (due, self._count, task, task.waits, None))
        self._main.switch()
        self._alive()
        return task.woken

    def wake(self, task: Task) -> None:
        """Let a task that waits go on."""
        if task.parked:
            task.parked, task.woken = False, True
            self._ready.append(task)

    def breathe(self, always: bool = False) -> None:
        """Somebody else may have the word."""
        task = self._running
        if task is None or (not always and self.dice.randrange(BREATHER)):
            return
        self._alive()
        self._ready.append(task)
        self._main.switch()
        self._alive()

    def run(self, until: Callable[[], bool]) -> None:
        """Let tasks have their turns until that is so. Raises `StuckError`."""
        while not until():
            self._fire()
            if not self._ready:
                if not self._due:
                    raise StuckError("everybody waits, and for nothing")
                self.now = max(self.now, self._due[0][0])
                continue
            self._turn()
            if self.steps > MOST_STEPS:
                raise StuckError("it does not come to an end")

    def kill(self) -> None:
        """No task goes on: each is unwound where it waits."""
        self.dead = True
        for task in self.tasks:
            for _ in range(100):
                if task.over or not task.greenlet:  # one that never ran ends at once
                    break
                self._running = task
                task.greenlet.throw(Died)
            self._running = None
        self.tasks.clear()
        self._ready.clear()
        self._due.clear()

    def _live(self, task: Task, run: Callable[[], object]) -> None:
        try:
            if not self.dead:
                run()
        except Died:
            pass
        except BaseException:
            self.failures.append(f"{task.name}: {traceback.format_exc()}")
        task.over = True
        for other in task.joined:
            self.wake(other)

    def _alive(self) -> Task:
        if self.dead:
            raise Died
        if self._running is None:
            raise StuckError("only a task can wait")
        return self._running

    def _turn(self) -> None:
        self.steps += 1
        task = self._ready.pop(self.dice.randrange(len(self._ready)))
        self.now += self.dice.randrange(1, STEP_NS)
        self.digest = crc32(f"{self.now} {task.name}".encode(), self.digest)
        self._running = task
        try:
            task.greenlet.switch()
        finally:
            self._running = None
        if task.over and task in self.tasks:
            self.tasks.remove(task)

    def _fire(self) -> None:
        while self._due and self._due[0][0] <= self.now:
            _, _, task, number, call = heapq.heappop(self._due)
            if call is not None:
                call()
            elif task is not None and task.parked and task.waits == number:
                task.parked = False
                self._ready.append(task)
