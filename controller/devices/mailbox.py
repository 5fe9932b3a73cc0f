"""The mailbox: reports from every thread, on their way to the one that steps the table, and what
pages ask for, among them in the order in which it came.

Bounded. Watermarks coalesce (only the latest of a source matters); no other report is ever dropped,
unless the box is full: then what was dropped becomes a `Lost` report of its source. Who is there is
always heard. Pages have room of their own, less of it: what they ask for takes no report's place,
and what guests ask for no host's, nor a guest's another's.
"""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Generic, TypeVar

from hexboard.facts import Lost, Presence, Report, Watermark

SIZE = 20_000
"""Reports that may wait. A board in a storm makes some 5,000 a second."""
REQUESTS = 1_000
"""What guests may ask for while nobody drains the box, and hosts; the rest is refused."""
SHARE = 100
"""What one guest may ask for of that."""

Asked = TypeVar("Asked")


class Mailbox(Generic[Asked]):
    """`post` and `ask` from any thread, `drain` from one. `guest` says whose request one is: a
    guest's id, or "" for a host's."""

    def __init__(
        self,
        size: int = SIZE,
        requests: int = REQUESTS,
        guest: Callable[[Asked], str] = lambda _: "",
    ) -> None:
        self._size = size
        self._requests = requests
        self._guest = guest
        self.arrivals: list[int] = []
        """When each of what was drained last had come, board ns."""
        self._waiting: deque[tuple[int, Report | Asked]] = deque()
        self._asked: Counter[str] = Counter()  # of those that wait, by guest
        self._watermarks: dict[str, tuple[int, Report]] = {}
        self._lost: Counter[str] = Counter()
        self._woken = False
        self._due: int | None = 0  # who waits is woken by a watermark from then on, board ns
        self._ready = threading.Condition()

    def post(self, report: Report) -> None:
        """Never blocks."""
        now = time.monotonic_ns()
        with self._ready:
            if isinstance(report.body, Watermark):
                self._watermarks[report.source] = now, report
                if not self._passes(report):
                    return
            elif self._has_room or isinstance(report.body, Presence):
                self._waiting.append((now, report))
            else:
                self._lost[report.source] += 1
            self._ready.notify()

    def ask(self, request: Asked) -> bool:
        """What is no report; False where too much of it waits. Never blocks."""
        now, guest = time.monotonic_ns(), self._guest(request)
        with self._ready:
            if self._full(guest):
                return False
            self._waiting.append((now, request))
            self._asked[guest] += 1
            self._ready.notify()
            return True

    def requests(self) -> list[Asked]:
        """What was asked and waits, taken out from among the reports."""
        with self._ready:
            found = [it for _, it in self._waiting if not isinstance(it, Report)]
            self._waiting = deque(it for it in self._waiting if isinstance(it[1], Report))
            self._asked.clear()
            return found

    @property
    def _has_room(self) -> bool:
        """Whether there is room for a report more; what was asked takes none of it."""
        count = len(self._waiting)
        return count < self._size or count - self._asked.total() < self._size

    def _full(self, guest: str) -> bool:
        """Whether too much of a guest, or of all of them, waits, or of hosts."""
        if not guest:
            return self._asked[""] >= self._requests
        guests = self._asked.total() - self._asked[""]
        return self._asked[guest] >= SHARE or guests >= self._requests

    def wake(self) -> None:
        """Let `drain` return: the one that waits, or else the next. Safe in a signal handler."""
        with self._ready:
            self._woken = True
            self._ready.notify()

    def drain(self, timeout: float, due: int | None = 0) -> list[Report | Asked]:
        """All that has come, in order, watermarks last; waits up to `timeout` seconds for some. A
        watermark ends the wait where it passes what is `due` (board ns); with None, none does."""
        with self._ready:
            self._due = due
            come_by = self._waiting or self._lost or self._woken
            if not (come_by or any(self._passes(it) for _, it in self._watermarks.values())):
                self._ready.wait(timeout)
            self._woken = False
            come = list(self._waiting)
            self._waiting.clear()
            self._asked.clear()
            at = next((it.at for _, it in reversed(come) if isinstance(it, Report)), 0)
            last = come[-1][0] if come else 0
            come += [
                (last, Report(source, at, Lost(count))) for source, count in self._lost.items()
            ]
            self._lost.clear()
            come += self._watermarks.values()
            self._watermarks.clear()
            self.arrivals = [came for came, _ in come]
            return [it for _, it in come]

    def _passes(self, report: Report) -> bool:
        """Whether it is a watermark that somebody waits for."""
        body, due = report.body, self._due
        return isinstance(body, Watermark) and due is not None and body.until >= due

    @property
    def present(self) -> int:
        """The time up to which all that came was drained, board ns: now, where nothing waits."""
        now = time.monotonic_ns()
        with self._ready:
            return self._waiting[0][0] if self._waiting else now
