"""The theatre of a recording: its replay told to the page that plays it, and that page served."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from hexboard.appearance import piece
from hexboard.facts import MS, Edge, Fact, Reading
from hexboard.game.game import appearance
from hexboard.record.compare import StandingRuling, changes
from hexboard.record.replay import Replay, ReplayStep, messages
from hexboard.record.sealed import OPENED, beside
from hexboard.web.reach import unbound
from hexboard.web.theatre import Theatre
from hexboard.words import Message, message, say

KINDS = {"tell": "ruling", "refuse": "refused", "corrected": "corrected"}
"""What an effect tells, as the theatre calls it."""
PEOPLE = {
    "table.undone": "back",
    "table.undone_by": "back",
    "table.undone_seen": "back",
    "table.stormed_back": "back",
    "table.ruled": "corrected",
    "table.paused": "pause",
    "table.goes_on": "on",
    "table.pause_ends": "on",
}
"""What is told where people changed what stands, or the game has a pause."""
NO_PICTURES: Mapping[int, bytes] = {}
HOSTS = ("127.0.0.1", "localhost")


class PlayedPage(NamedTuple):
    """The page that plays a replay, how many moments it has, and at how many places the other
    evening in it is ruled otherwise; 0 where it has none."""

    text: str
    moments: int
    changes: int = 0


def page_of(
    replay: Replay,
    steps: Iterable[ReplayStep],
    progress: Callable[[float], None] = lambda seconds: None,
    other: tuple[str, Replay] | None = None,
    pictures: Mapping[int, bytes] = NO_PICTURES,
) -> PlayedPage:
    """The page that plays a replay, whose `steps` are taken here. `progress` is told the board time
    in seconds. `other` is the same evening replayed otherwise, and what that is called: the page
    shows both side by side. `pictures` are JPEGs that a camera took, by the time of their reading.
    Raises `BadRecording`."""
    theatre = _told_to(replay, steps, progress, pictures)
    notices = list(_notices(replay))
    if other is None:
        return PlayedPage(theatre.page(notices), theatre.moments)
    second = _told_to(other[1], other[1].salvaged(), progress)
    if crashed := other[1].crashed:
        notices.append(message("theatre.other", label=other[0], why=crashed))
    changes = _changes(theatre, second)
    beside = second.data(()) | {"label": other[0], "changes": changes}
    return PlayedPage(theatre.page(notices, beside), theatre.moments, len(changes))


def _changes(one: Theatre, other: Theatre) -> list[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """Where two evenings were ruled differently: when (ms), and what each ruled instead."""
    ruled = [
        [StandingRuling(at_ms / 1000, text, rule) for at_ms, text, rule in theatre.rulings]
        for theatre in (one, other)
    ]
    return [
        (round(1000 * it.seconds), tuple(r.text for r in it.one), tuple(r.text for r in it.other))
        for it in changes(*ruled)
    ]


def _told_to(
    replay: Replay,
    steps: Iterable[ReplayStep],
    progress: Callable[[float], None],
    pictures: Mapping[int, bytes] = NO_PICTURES,
) -> Theatre:
    """The moments of a replay."""
    file = replay.recording.path
    theatre = Theatre(replay.board, replay.recording.metadata.get("match", file.stem))
    opened = beside(file, OPENED).exists()
    first: int | None = None
    for step in steps:
        first = step.fact.t if first is None else first
        match step.fact:
            case Fact(at=at, body=Reading() as reading):
                game = replay.view.game
                names = [*map(piece, appearance(game).looks(game.visibly(replay.view.position)))]
                theatre.look(max(0, at - first) // MS, names, reading.cells, pictures.get(at, b""))
        _show(theatre, replay, step, first, opened)
        progress((step.fact.t - first) / 1e9)
    return theatre


def _show(theatre: Theatre, replay: Replay, step: ReplayStep, first: int, opened: bool) -> None:
    """What one fact brings."""
    match step.fact:
        case Fact(at=at, body=Edge(sensor, level)):
            theatre.sign(max(0, at - first) // MS, sensor, level)
    told = list(_told(step))
    if told or step.shown or isinstance(step.fact.body, Reading):
        at_ms = (step.fact.t - first) // MS
        theatre.show(at_ms, step.fact.n, replay.view, told, opened, first)


def _told(step: ReplayStep) -> Iterator[tuple[str, Message]]:
    for told in step.told:
        if told.topic == "event":
            for effect, text in messages(msgspec.json.decode(told.payload)):
                yield PEOPLE.get(text.key, KINDS[effect]), text


def _notices(replay: Replay) -> Iterator[Message]:
    """What is to be said of the whole. Raises `BadRecording` where no match began."""
    if damage := replay.outcome.damage:
        named = {"file": replay.recording.path.name}  # where it lies is nobody else's business
        yield replace(damage, values=tuple((dict(damage.values) | named).items()))
    if replay.different:
        yield message("theatre.differs", n=replay.different)


class PageServer(ThreadingHTTPServer):
    """Serves one page on this computer, to this computer: each caller apart, for browsers open
    connections on which they ask nothing. Raises `HexboardError` where it cannot have the port."""

    daemon_threads = True

    def __init__(self, page: str, port: int) -> None:
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except OSError as error:
            raise unbound(port, error) from None
        self.page = page.encode()

    @property
    def link(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        here = self.headers.get("Host", "").partition(":")[0] in HOSTS and self.path == "/"
        body = self.server.page if here else say(message("web.no_file")).encode()
        self.send_response(200 if here else 404)
        self.send_header("Content-Type", f"text/{'html' if here else 'plain'}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody wants to know."""
