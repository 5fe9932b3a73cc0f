"""Requests: what people ask for on a page, done; what cannot be is raised, to be told that page."""

from collections.abc import Callable

from hexboard.daemon.notices import Notices
from hexboard.daemon.opening import Opening
from hexboard.daemon.pages import Pages
from hexboard.daemon.simulation import Simulation
from hexboard.facts import Decide, Declare, Ruling, Touch
from hexboard.game.position import Action
from hexboard.table import TableView
from hexboard.web.requests import NOBODY, Curtain, FromPage, GameAsk, Hand, New, Said, Watch, said
from hexboard.words.errors import HexboardError


class Requests:
    """Does what pages ask for. `say` lets the table hear what somebody says there, by source;
    `new` begins another match."""

    def __init__(
        self,
        opening: Opening,
        pages: Pages,
        notices: Notices,
        say: Callable[[str, Said], None],
        new: Callable[[], None],
    ) -> None:
        self._opening, self._pages, self._notices = opening, pages, notices
        self._say, self._new = say, new
        self.simulation: Simulation | None = None
        """The simulated board, where there is one."""

    def obey(self, request: FromPage, view: TableView[Action]) -> None:
        """Raises `HexboardError` for what cannot be; then nothing has changed."""
        match request.asked:
            case Declare() | Touch() | Decide() | Ruling() as body:
                self._hear(body, request, view)
            case Curtain():
                self._pages.stale = True
            case New():
                self._new()
            case Watch(on):
                if self.simulation is not None:
                    self.simulation.watching = on
                self._pages.stale = True
            case Hand() as hand if self.simulation is not None:
                self.simulation.hand(hand, view)
            case Hand():
                raise HexboardError("daemon.no_hands")
            case GameAsk(body):
                self._notices.tell("own", self._opening.ask(bytes(body)))

    def _hear(self, body: Said, request: FromPage, view: TableView[Action]) -> None:
        """Let the table hear what somebody says, or a hand under the camera do it."""
        if view.private and request.side == NOBODY and not isinstance(body, Ruling):
            raise HexboardError("web.curtain")
        heard = said(body, request.side if view.private else -1)
        if self.simulation is None or not self.simulation.declare(heard, view):
            self._say(request.source, heard)
