"""Requests: what people ask for on a page, done; what cannot be is raised, to be told that page."""

from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.opening import Opening
from hexboard.daemon.pages import Pages
from hexboard.daemon.run import Run
from hexboard.daemon.simulation import Simulation
from hexboard.facts import WHOEVER, Decide, Declare, Ruling, Touch
from hexboard.game.position import CHANCE, WHOLE, Action, Position
from hexboard.game.written import completed, doubt, load
from hexboard.table import TableView, against
from hexboard.table.view import HOST_SEAT
from hexboard.web.keys import Key
from hexboard.web.pages import within
from hexboard.web.requests import (
    NOBODY,
    Curtain,
    FromPage,
    GameAsk,
    Hand,
    Lights,
    Line,
    New,
    Renew,
    Said,
    Watch,
    said,
)
from hexboard.web.sheet import seat_names, shown
from hexboard.words import ENGLISH, message, say
from hexboard.words.errors import BadText, HexboardError, IllegalAction
from hexboard.words.names import isolated

OF_MATCH = "match", "own", "looked", "against", "said"
"""The names of the notices about what people do in one match."""
BACK = "undo", "void"
"""Rulings by which something is taken back; others set the position, or ask for nobody's leave."""
PROBLEM = "problem "
"""Before a ruling that sets a position, where that may be one that could not come about."""


class Requests:
    """Does what pages ask for. `tell` lets the table hear what somebody says there, by source;
    `choose` another game, or `new` begins another match of this one; `light` sets how the board is
    lit, `renew` ends every key for who asks it there."""

    def __init__(
        self,
        opening: Opening,
        pages: Pages,
        notices: Notices,
        tell: Callable[[str, Said], None],
        new: Callable[[Run], None],
        light: Callable[[Lights], None],
        renew: Callable[[str], None],
        choose: Callable[[New, Position[Action]], Run | None],
    ) -> None:
        self._opening, self._pages, self._notices = opening, pages, notices
        self._tell, self._new, self._light, self._renew = tell, new, light, renew
        self._choose = choose
        self._times: dict[str, int] = {}  # how often something was done that all are told of
        self.simulation: Simulation | None = None
        """The simulated board, where there is one."""

    def serve(self, match: Callable[[], Match]) -> None:
        """Do what programs say, too, in the `match` that is played."""
        pages, board = self._pages, self._opening.board
        pages.programs.begin(board, match, self._as_program, self.obey, lambda: pages.calling)

    def obey(self, request: FromPage, view: TableView[Action], match: str = "") -> None:
        """Do it in this `match`. Raises `HexboardError` for what cannot be; then nothing has
        changed."""
        if isinstance(request.asked, Line):
            self._pages.programs.hear(request)
            return
        if request.match not in ("", match):
            raise HexboardError("front.before")
        if request.key.digest and not isinstance(request.asked, Curtain):
            request = self._as_seated(request, view)
        if not request.key.host:
            _allow(request, view)
        match request.asked:
            case Declare() | Touch() | Decide() | Ruling() as body:
                self._hear(body, request, view)
            case Curtain(side):
                self._pages.stale = True
                self._looked(side, request, view)
            case New() as wanted:
                if (again := self._choose(wanted, view.position)) is not None:
                    self._new(again)
            case Renew():
                self._renew(request.source)
            case Watch(on):
                if self.simulation is not None:
                    self.simulation.watching = on
                self._pages.stale = True
            case Lights() as wanted:
                self._light(wanted)
                self._pages.stale = True
            case Hand() as hand if self.simulation is not None:
                self.simulation.hand(hand, view)
            case Hand():
                raise HexboardError("daemon.no_hands")
            case GameAsk(body):
                self._notices.tell("own", self._opening.ask(bytes(body)))

    def _as_program(self, request: FromPage, view: TableView[Action]) -> FromPage:
        """What a program says, in the name of the seat that it plays now. Raises `HexboardError`
        where it has none."""
        wanted = request.asked.seat if isinstance(request.asked, Line) else NOBODY
        request = self._as_seated(request, view) if request.key.digest else request
        if not request.key.seats:
            raise HexboardError("web.watching")
        if wanted not in (NOBODY, *request.key.seats):
            raise HexboardError("web.not_yours")
        return replace(request, side=request.key.seats[0] if wanted == NOBODY else wanted)

    def _as_seated(self, request: FromPage, view: TableView[Action]) -> FromPage:
        """With its key as it is now: since it was sent a new match may seat its phone otherwise, a
        rule of the game may have, or a host. Raises `HexboardError`."""
        if self._pages.calling and not request.key.host:
            raise HexboardError("front.changing")
        keys = self._pages.server.keys
        key = keys.seated(request.key, view.game.exchanged(view.position))
        if key is None:
            raise HexboardError("web.no_token")
        key = within(key, len(view.position.seats))
        if view.private and not key.host and request.side not in (NOBODY, *key.seats):
            raise HexboardError("web.not_yours")
        return replace(request, key=key)

    def _looked(self, side: int, request: FromPage, view: TableView[Action]) -> None:
        """Nobody looks at the cards of somebody's phone without everybody knowing."""
        held = self._pages.server.keys.holder(side)
        if held is not None and held.id != request.key.id and view.private and side != NOBODY:
            seat = say(view.position.seats[side], ENGLISH)
            count = self._counted("looked")
            key = "web.looked" if count == 1 else "web.looked_again"
            self._notices.tell("looked", message(key, seat=seat, count=count))

    def _counted(self, name: str) -> int:
        """How often everybody is told of this in this match, with now: who put the last notice away
        is told by another text."""
        self._times[name] = self._times.get(name, 0) + 1 if name in self._notices else 1
        return self._times[name]

    def _hear(self, body: Said, request: FromPage, view: TableView[Action]) -> None:
        """Let the table hear what somebody says, or a hand under the camera do it."""
        asked = isinstance(body, Decide) and view.asking is not None and bool(view.asking.of)
        if view.private and request.side == NOBODY and not (asked or isinstance(body, Ruling)):
            raise HexboardError("web.curtain")
        if isinstance(body, Ruling):
            body = replace(body, do=self._recorded(body.do, view, request))
        if isinstance(body, Declare) and view.private and _only_hidden(body, view, request.side):
            who = say(view.position.seats[request.side], ENGLISH)
            told = message("web.said_against", seat=who, count=self._counted("said"))
            self._notices.tell("said", told)
        if isinstance(body, Touch) and body.cells and view.pieces:
            self._touch(body.cells, request, view)
        seat = request.side if view.private else _seat(body, request, view)
        seats, who = self._answering(request.key, view) if asked else _speaking(request.key, view)
        sets = isinstance(body, Ruling) and not body.do.startswith(BACK) and not view.private
        if sets and self._alone(request.key, view):
            seats = ()
        heard = said(body, seat, who, seats, request.key.far)
        if self.simulation is None or not self.simulation.declare(heard, view):
            self._tell(request.source, heard)

    def _recorded(self, do: str, view: TableView[Action], request: FromPage) -> str:
        """A ruling as it is recorded: what a page laid into cells ("arrange a1=B b1=") as the
        position that comes of it. Raises `BadText`, also for an impossible position, and for a
        problem where there is none and nobody asked for one ("problem position TEXT")."""
        meant, asked = do.removeprefix(PROBLEM), do.startswith(PROBLEM)
        verb, _, text = meant.partition(" ")
        if verb not in ("arrange", "position"):
            return do
        if verb == "arrange":
            laid = dict(it.partition("=")[::2] for it in text.split())
            text = view.game.arranged(view.seen_by(request.side), laid)
        problem = asked or doubt(view.game, view.position) is not None
        ruled = load(view.game, text, self._opening.board, view.options, problem)
        if not _leaves_hidden(view, ruled, request.side):
            raise BadText("table.ruled_view")
        asks = view.takeback != "host" or bool(request.key.seats)
        if not asks and not self._can_be(view, ruled):  # else who is asked says yes before that
            told = message("web.set_against", count=self._counted("against"))
            self._notices.tell("against", told)
        return f"{PROBLEM if asked else ''}position {text}"

    def _can_be(self, view: TableView[Action], ruled: Position[Action]) -> bool:
        """Whether a position that somebody sets can be beside the cards that they do not see."""
        hides = view.game.hides(view.position)
        if hides is None or view.game.eyes(ruled) == WHOLE:
            return True
        try:
            text = completed(view.game, view.position, ruled)
            view.game.read(text, self._opening.board, view.options)
        except BadText:
            return False
        return True

    def _alone(self, key: Key, view: TableView[Action]) -> bool:
        """Whether a host's page is the only one that anybody plays at: then its word is enough."""
        others = (seat for seat in range(len(view.position.seats)) if seat not in key.seats)
        return key.host and all(self._pages.server.keys.holder(seat) is None for seat in others)

    def _touch(self, cells: tuple[str, ...], request: FromPage, view: TableView[Action]) -> None:
        """Raises `IllegalAction` with the game's reason where no move of who touches begins so."""
        active = shown(view.game).active(view.position)
        if not request.key.host and NOBODY != active not in request.key.seats:
            raise HexboardError("table.not_your_turn")
        if (why := against(view, self._opening.board, cells, request.side)) is not None:
            raise IllegalAction(why)

    def _answering(self, key: Key, view: TableView[Action]) -> tuple[tuple[int, ...], str]:
        """For which of the seats that are asked somebody answers, and how that is told: the host's
        page for those without a phone, and in time for those that say nothing."""
        if not key.host:
            return _speaking(key, view)
        holder, late = self._pages.server.keys.holder, self._pages.late
        of = view.asking.of if view.asking else ()
        ours = {HOST_SEAT, *key.seats}
        seats = tuple(it for it in of if it in ours or late or holder(it) is None)
        if not seats:
            raise HexboardError("table.not_asked")
        host = say(message("web.host"), ENGLISH)
        if HOST_SEAT in seats:
            return seats, host
        told = message("web.spoken", seats=seat_names(view, seats, ENGLISH), who=host)
        return seats, say(told, ENGLISH)


def _leaves_hidden(view: TableView[Action], ruled: Position[Action], side: int) -> bool:
    """Whether a position that somebody sets leaves hidden cards alone. It must be written as who
    sits at `side`, or everybody, sees it, and say what they see now wherever something is hidden,
    their own cards too: so a guess at a hand is refused, right or wrong."""
    hides, eyes = view.game.hides(view.position), view.game.eyes(ruled)
    if hides is None or eyes == WHOLE:  # nobody's page has that: the table says so
        return True
    if eyes not in (side, len(hides.seats)):
        return False
    positions = (ruled, hides.view(eyes), view.public, hides)
    words = [str(position).split(" ") for position in positions]
    if len({len(it) for it in words}) > 1:
        return False
    told = zip(*words, strict=True)
    return all(new == seen for new, seen, public, whole in told if public != whole)


def _only_hidden(said: Declare, view: TableView[Action], side: int) -> bool:
    """Whether who sits at `side` may declare this for all that they know, and what others hold
    forbids it: its refusal tells them of that."""
    seen, whole, hides = view.seen_by(side), view.position, view.game.hides(view.position)
    theirs = (side,) if hides is None or hides.deck else (side, CHANCE)  # or people say what came
    try:
        action = whole.action(said.action)
        if view.paused or whole.actor(action) not in theirs or whole.refusal(action) is None:
            return False
        return seen.refusal(seen.action(said.action)) is None
    except HexboardError:
        return False


def _speaking(key: Key, view: TableView[Action]) -> tuple[tuple[int, ...], str]:
    """The seats that somebody speaks for, and what everybody calls them: by their name, or by their
    seat; the host speaks for none in particular. That is recorded, and so in English."""
    called = message("web.host") if key.host else view.position.seats[key.seats[0]]
    return key.seats, isolated(key.name) if key.name else say(called, ENGLISH)


def _seat(body: Said, request: FromPage, view: TableView[Action]) -> int:
    """The seat in whose name something is said, where no cards are hidden; the host's is `WHOEVER`.
    Who has several speaks for the one whose action it is, else for the one that has to act, if that
    is theirs, else for the first. What is no action the table refuses."""
    if request.key.host:
        return WHOEVER
    if isinstance(body, Declare):
        with suppress(BadText):
            actor = view.position.actor(view.position.action(body.action))
            if actor in request.key.seats:
                return actor
    active = shown(view.game).active(view.position)
    return active if active in request.key.seats else request.key.seats[0]


def _allow(request: FromPage, view: TableView[Action]) -> None:
    """Raises `HexboardError` for what is the host's alone, or not for who only watches."""
    match request.asked:
        case Curtain():
            return
        case New() | Watch() | Lights() | Hand() | GameAsk() | Renew():
            raise HexboardError("web.host_only")
        case Ruling("right" | "done" | "play on") if request.key.far:
            raise HexboardError("web.far")
    if not request.key.seats:
        raise HexboardError("web.watching")
