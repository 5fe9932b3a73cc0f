"""A sitting: a daemon for each game that is played, one after another; the page stays."""

import time
from collections.abc import Callable
from contextlib import ExitStack

from hexboard.daemon.daemon import Daemon
from hexboard.daemon.front import absent, left_off, safely
from hexboard.daemon.run import Run
from hexboard.daemon.service import Service
from hexboard.game import registry
from hexboard.words import Message, message, say
from hexboard.words.errors import HexboardError

AGAIN_S = 0.5
"""So long after a game that cannot go on it is tried again."""


class Sitting:
    """What `run` begins with, and what people choose on the page after that. `run` until `stop`."""

    def __init__(self, run: Run, echo: Callable[[str], None]) -> None:
        self._run, self._echo = run, echo
        self.daemon: Daemon | None = None
        """The one of the game that is played."""
        self._told_to_stop = False  # an Event.set inside an Event.set never returns

    def run(self) -> None:
        """Raises `HexboardError` where the first game cannot begin."""
        service = Service(self._run, self._echo)
        with ExitStack() as stack:
            stack.enter_context(service.starts.counted())
            stack.callback(service.close)
            why: Message | None = None
            waits = None
            changed = False  # until then there is nobody on a page to be told
            if service.starts.safe:
                stack.enter_context(registry.ours_alone())
                run = before = safely(self._run)
                run.state.mkdir(parents=True, exist_ok=True)
                self._echo(say(service.starts.told))
            else:
                run, waits = left_off(self._run), absent(self._run)
                before = self._run if run.game != self._run.game else run
            while not self._stopping():
                self.daemon = daemon = Daemon(run, self._echo, service)
                if service.starts.safe:
                    daemon.notices.tell("safe", service.starts.told)
                if why is not None:
                    daemon.notices.tell("match", why)
                if waits is not None:
                    daemon.notices.tell("absent", waits)
                if self._stopping():  # said while there was none
                    daemon.stop()
                try:
                    with registry.used(run.game):
                        daemon.run()
                except Exception as error:
                    if daemon.begun or (run is before and not changed):
                        raise
                    if run is before:  # there is no way back as yet: the disk may come again
                        service.server.tell(_untold(run.game, error))
                        time.sleep(AGAIN_S)
                    run, why = before, why or _untold(run.game, error)
                    continue
                if daemon.front.next is None:
                    return
                run, before, why = daemon.front.next, daemon.front.back, None
                changed = True

    def stop(self) -> None:
        """Ask it to end; safe from a signal handler."""
        self._told_to_stop = True
        if self.daemon is not None:
            self.daemon.stop()

    def _stopping(self) -> bool:
        """Whether it was asked, by now: that may come at any moment."""
        return self._told_to_stop


def _untold(game: str, error: Exception) -> Message:
    """Why a game that was chosen did not begin, and that the one before goes on."""
    why = str(error) if isinstance(error, HexboardError) else f"{type(error).__name__}: {error}"
    return message("front.not_begun", game=registry.find(game).title(), why=why[:300])
