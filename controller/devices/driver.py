"""A driver: what a device that comes and goes needs, whichever it is."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Self

from hexboard.facts import Presence, Report


class Driver(ABC):
    """A device as the source of reports `source`, served by a thread of its own, `Thread.start`ed
    when all else is ready.

    When the device cannot be had, or is lost, it posts `Presence(False, why)`, again for a new
    reason, and tries every `RETRY_S`. It never raises.
    """

    RETRY_S: ClassVar[float] = 3.0
    """Seconds from one try to the next."""

    def __init__(self, source: str, post: Callable[[Report], None]) -> None:
        self.source = source
        self._post = post
        self._up = False
        self._why = ""
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name=source, daemon=True)

    @property
    def up(self) -> bool:
        """Whether the device is ours, and answers."""
        return self._up

    def close(self) -> None:
        """Stop, and give the device back."""
        self._closing.set()
        self._wake()
        self._thread.join(timeout=2)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def _serve(self) -> None:
        """Open the device and serve it until `_closing` is set, or it fails in whatever way."""

    @abstractmethod
    def _reason(self, error: Exception) -> str:
        """Why it failed, for people."""

    @abstractmethod
    def _wake(self) -> None:
        """Let `_serve` see that something has changed. Any thread."""

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._serve()
            except Exception as error:  # what drivers raise has nothing in common
                self._down(self._reason(error))
            self._closing.wait(self.RETRY_S)

    def _down(self, why: str) -> None:
        if why != self._why and not self._closing.is_set():
            self._why = why
            self._post(Report(self.source, time.monotonic_ns(), Presence(False, why)))
