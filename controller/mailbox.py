"""The mailbox: reports from every thread, on their way to the one that steps the table.

Bounded. Watermarks coalesce (only the latest of a source matters); nothing else is ever dropped,
unless the box is full: then what was dropped becomes a `Lost` report of its source. Who is there is
always heard.
"""

import threading
from collections import Counter, deque

from controller.facts import Lost, Presence, Report, Watermark

SIZE = 20_000
"""Reports that may wait. A board in a storm makes some 5,000 a second."""


class Mailbox:
    """`post` from any thread, `drain` from one."""

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._waiting: deque[Report] = deque()
        self._watermarks: dict[str, Report] = {}
        self._lost: Counter[str] = Counter()
        self._woken = False
        self._ready = threading.Condition()

    def post(self, report: Report) -> None:
        """Never blocks."""
        with self._ready:
            if isinstance(report.body, Watermark):
                self._watermarks[report.source] = report
            elif len(self._waiting) < self._size or isinstance(report.body, Presence):
                self._waiting.append(report)
            else:
                self._lost[report.source] += 1
            self._ready.notify()

    def wake(self) -> None:
        """Let `drain` return: the one that waits, or else the next. Safe in a signal handler."""
        with self._ready:
            self._woken = True
            self._ready.notify()

    def drain(self, timeout: float) -> list[Report]:
        """All that has come, in order, watermarks last; waits up to `timeout` seconds for some."""
        with self._ready:
            if not (self._waiting or self._watermarks or self._lost or self._woken):
                self._ready.wait(timeout)
            self._woken = False
            reports = list(self._waiting)
            self._waiting.clear()
            at = reports[-1].at if reports else 0
            reports += [Report(source, at, Lost(count)) for source, count in self._lost.items()]
            self._lost.clear()
            reports += self._watermarks.values()
            self._watermarks.clear()
            return reports
