"""The service: what stays while one game follows another: the board's lock, the page, its links."""

import contextlib
import sqlite3
import threading
from collections.abc import Callable

from hexboard.daemon.again import Recordings
from hexboard.daemon.greeting import Links
from hexboard.daemon.hall import Hub
from hexboard.daemon.lighting import Lighting
from hexboard.daemon.lock import lock
from hexboard.daemon.mqtt import Mqtt
from hexboard.daemon.referees import Referees
from hexboard.daemon.run import Run
from hexboard.daemon.starts import Starts
from hexboard.daemon.webhooks import Webhooks
from hexboard.devices.mailbox import Mailbox
from hexboard.record.hall_journal import HallJournal
from hexboard.web import reach
from hexboard.web.keys import Keys, figures, token
from hexboard.web.reach import Reach
from hexboard.web.requests import Curtain, FromPage, Line
from hexboard.web.server import Server
from hexboard.words import message, say
from hexboard.words.errors import HexboardError


class Service:
    """The service of the board that `run` names. Whoever opens it first starts it; `close` it at
    the end."""

    server: Server
    links: Links
    recordings: Recordings
    programs: Referees
    """Those that speak to the referee over the board's wire."""
    hall: HallJournal | None = None
    """What a hall is told of this board's matches, where the settings name one."""
    lighting: Lighting | None = None
    """What the lights show, of the game that is played, or was played last."""

    def __init__(self, run: Run, echo: Callable[[str], None]) -> None:
        self._run, self._echo = run, echo
        self.starts = Starts(run.state)
        self._stack = contextlib.ExitStack()
        self._mailbox: Mailbox[FromPage] | None = None
        self._hears = threading.Lock()  # nothing is left in the mailbox of the game before

    def open(self, mailbox: Mailbox[FromPage]) -> None:
        """Serve pages, unless they are served: what they ask for goes into `mailbox`. Raises `Busy`
        where another process holds the board or the port."""
        if self._mailbox is not None:
            return
        run, web, state = self._run, self._run.settings.web, self._run.state
        state.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as stack:
            stack.enter_context(lock(state / "lock", run.board.name))
            of = Reach(run.lan or web.lan, web.names, web.origins, web.certificate, web.key)
            given = figures() if of.network else ""
            keys = Keys(token(state / "token"), state / "phones.json", given)
            port = web.port if run.port is None else run.port
            self.server = Server(port, keys, mailbox.ask, of)
            self.server.figures.examine = run.examine
            self.server.start()
            stack.callback(self.server.close)
            self.programs = Referees(self.server.send)
            self.links = Links(self.server, state, self._echo)
            stack.callback(self.links.close)
            self.recordings = Recordings(state / "recordings", run.home)
            stack.callback(self.recordings.close)
            self.server.again = self.recordings.page
            self._tell_others(stack)
            self._stack = stack.pop_all()
        self._mailbox = mailbox

    def _tell_others(self, stack: contextlib.ExitStack) -> None:
        """Let a broker and other addresses hear what everybody may know. What keeps them from that
        is said; people play without."""
        run = self._run
        if run.settings.webhooks.urls:
            hooks = Webhooks(
                run.settings.webhooks,
                run.board.title,
                self.server,
                self._echo,
                called=run.settings.name or f"{reach.name()}-{run.board.name}",
            )
            stack.callback(hooks.close)
        if run.settings.mqtt.host:
            try:
                told = Mqtt(
                    run.settings.mqtt,
                    run.board.name,
                    run.board.title,
                    self.server,
                    self._echo,
                    run.settings.name,
                )
            except HexboardError as error:
                self._echo(say(error.message))
            else:
                stack.callback(told.close)
        if run.settings.hub.url:
            try:
                hub = self._hub()
            except (HexboardError, sqlite3.Error) as error:
                self._echo(_why(error))
            else:
                stack.callback(hub.close)
                self.hall, self.server.figures.hub = hub.journal, hub

    def _hub(self) -> Hub:
        return Hub(
            self._run.settings.hub,
            name=self._run.board.name,
            title=self._run.board.title,
            state=self._run.state,
            server=self.server,
            echo=self._echo,
            link=lambda: self.links.spectators,
        )

    def hear(self, mailbox: Mailbox[FromPage]) -> None:
        """A game has begun: from now on what pages ask for goes into `mailbox`. What they asked for
        since the one before ended was meant for that, and came to nothing."""
        with self._hears:
            before, self._mailbox = self._mailbox, mailbox
            left = [] if before is None or before is mailbox else before.requests()
            for request in left:
                if isinstance(request.asked, Line):  # it speaks to whichever game
                    mailbox.ask(request)
        self.server.pages.take = self._ask
        for request in left:
            if not isinstance(request.asked, Curtain | Line):  # a phone that wakes says the former
                self.server.answer(request.source, message("front.changing"), request.id)
            elif request.id is not None:
                self.server.answer(request.source, None, request.id)

    def _ask(self, request: FromPage) -> bool:
        """Into the mailbox of the game that is played, in whatever thread."""
        with self._hears:
            return self._mailbox is not None and self._mailbox.ask(request)

    @property
    def opened(self) -> bool:
        """Whether pages are served."""
        return self._mailbox is not None

    def close(self) -> None:
        self._stack.close()


def _why(error: Exception) -> str:
    """Why no hub hears of this board."""
    told = error.message if isinstance(error, HexboardError) else None
    return say(told or message("hub.unkept", why=str(error)))
