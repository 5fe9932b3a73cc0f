"""What `threading` and `concurrent.futures` are in a simulation: tasks of its scheduler."""

from collections import deque
from collections.abc import Callable
from typing import Any

from tests.simulation.scheduler import Scheduler, Task


class Threads:
    """Stands for the module `threading`, and has its executors too."""

    def __init__(self, scheduler: Scheduler, wait: Callable[[], None] = lambda: None) -> None:
        def bound(kind: Callable[..., Any]) -> Callable[..., Any]:
            return lambda *given, **named: kind(scheduler, *given, **named)

        self.Thread, self.Event = bound(Thread), bound(Event)
        self.Lock, self.Condition = bound(Lock), bound(Condition)
        self.ThreadPoolExecutor = lambda _, name: Executor(scheduler, name, wait)


class Event:
    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler, self._set = scheduler, False
        self._waiting: list[Task] = []

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        self._set = True
        for task in self._waiting:
            self._scheduler.wake(task)

    def clear(self) -> None:
        self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        task = self._scheduler.current
        if self._set or task is None:
            return self._set
        self._waiting.append(task)
        try:
            self._scheduler.park(timeout)
        finally:
            self._waiting.remove(task)
        return self._set


class Lock:
    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler, self._held = scheduler, False
        self._waiting: deque[Task] = deque()

    def acquire(self, blocking: bool = True) -> bool:
        while self._held and blocking and not self._scheduler.dead:
            task = self._scheduler.current
            assert task is not None, "a call from outside cannot wait for a lock"
            self._waiting.append(task)
            self._scheduler.park()
        if self._held:
            return False
        self._held = True
        return True

    def release(self) -> None:
        self._held = False
        if self._waiting:
            self._scheduler.wake(self._waiting.popleft())

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class Condition(Lock):
    def __init__(self, scheduler: Scheduler) -> None:
        super().__init__(scheduler)
        self._notified: deque[Task] = deque()

    def wait(self, timeout: float | None = None) -> bool:
        task = self._scheduler.current
        assert task is not None, "only a task can wait"
        self._notified.append(task)
        self.release()
        try:
            return self._scheduler.park(timeout)
        finally:
            if task in self._notified:
                self._notified.remove(task)
            self.acquire()

    def notify(self, n: int = 1) -> None:
        for _ in range(min(n, len(self._notified))):
            self._scheduler.wake(self._notified.popleft())


class Thread:
    def __init__(
        self,
        scheduler: Scheduler,
        target: Callable[[], object],
        name: str = "thread",
        daemon: bool = False,
    ) -> None:
        self._scheduler, self._target, self.name = scheduler, target, name
        self._task: Task | None = None

    def start(self) -> None:
        self._task = self._scheduler.start(self.name, self._target)

    def is_alive(self) -> bool:
        return self._task is not None and not self._task.over

    def join(self, timeout: float | None = None) -> None:
        current = self._scheduler.current
        if self._task is None or self._task.over or current is None:
            return
        self._task.joined.append(current)
        self._scheduler.park(timeout)


class Future:
    """What is to come of a job."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._done = Event(scheduler)
        self._error: BaseException | None = None
        self._called: list[Callable[[Any], object]] = []

    def result(self, timeout: float | None = None) -> None:
        if timeout != 0:
            self._done.wait(timeout)
        if not self._done.is_set():
            raise TimeoutError
        if self._error is not None:
            raise self._error

    def add_done_callback(self, call: Callable[[Any], object]) -> None:
        if self._done.is_set():
            call(self)
        else:
            self._called.append(call)

    def finish(self, error: BaseException | None) -> None:
        self._error = error
        self._done.set()
        for call in self._called:
            call(self)


class Executor:
    """One thread that does jobs in turn; `wait` is called before each, and after it."""

    def __init__(self, scheduler: Scheduler, name: str, wait: Callable[[], None]) -> None:
        self._scheduler, self._wait = scheduler, wait
        self._jobs: deque[tuple[Callable[[], object], Future]] = deque()
        self._come = Event(scheduler)
        self._over = False
        self._thread = Thread(scheduler, self._work, name)
        self._thread.start()

    def submit(self, job: Callable[[], object]) -> Future:
        future = Future(self._scheduler)
        self._jobs.append((job, future))
        self._come.set()
        return future

    def shutdown(self) -> None:
        self._over = True
        self._come.set()
        self._thread.join()

    def _work(self) -> None:
        while self._jobs or not self._over:
            if not self._jobs:
                self._come.wait()
                self._come.clear()
                continue
            job, future = self._jobs.popleft()
            error: BaseException | None = None
            self._wait()
            try:
                job()
            except Exception as raised:
                error = raised
            self._wait()
            future.finish(error)
