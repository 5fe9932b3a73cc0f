"""Learning: what rolls teach of the sensors goes into the file of their calibration once a match is
over, and in the end: a board whose plug is pulled each night has no other end."""

import threading
from collections.abc import Callable
from functools import partial

from hexboard.calibration.in_play import InPlay
from hexboard.facts import Witnessed
from hexboard.words import say
from hexboard.words.dates import iso_date


class Learning:
    """Of one `calibration`, while people play. What keeps its file from being written is said in
    the terminal (`echo`), in the end."""

    def __init__(self, calibration: InPlay, echo: Callable[[str], None]) -> None:
        self._calibration, self._echo = calibration, echo
        self._apart: InPlay | None = None
        self._thread: threading.Thread | None = None

    def keep(self, shown: Witnessed) -> None:
        """A match is over. In a thread of its own, for it may take seconds to find out a sensor's
        times; while one is at that, the next match has it all."""
        if self._thread is None or not self._thread.is_alive():
            self._done()
            self._apart = self._calibration.apart()
            keep = partial(self._apart.keep, shown, iso_date())
            self._thread = threading.Thread(target=keep, name="learning")
            self._thread.start()

    def finish(self, shown: Witnessed) -> None:
        """Keep all of it, and wait for that."""
        self._done()
        if (why := self._calibration.keep(shown, iso_date())) is not None:
            self._echo(say(why))

    def _done(self) -> None:
        """What a thread has kept is known."""
        if self._thread is not None and self._apart is not None:
            self._thread.join()
            self._calibration.kept_by(self._apart)
