"""The doctor on a page: what `hexboard doctor` sees, for hosts, while the game goes on."""

import html
from collections import Counter
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from threading import Lock, Thread
from typing import Literal

import msgspec
from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from hexboard.web.guard import HEADERS
from hexboard.web.keys import Key
from hexboard.web.plain import plain_page
from hexboard.web.spoken import spoken_by
from hexboard.words import language, message, say, speaking, translated
from hexboard.words.errors import NO_JSON, HexboardError

SIGNS = {"good": "✓", "look": "!", "mend": "✗"}
BODY = """<p><b>{verdict}</b></p>
<ul>{checks}</ul>
<p><a href="doctor">{again}</a> · <a href="health">{figures}</a> · <a href="./">{back}</a></p>
"""


class DoctorCheck(Struct, frozen=True):
    """What one check saw, in words, and what mends it."""

    check: str
    state: Literal["good", "look", "mend"]
    said: str
    todo: str = ""


class DoctorReport(Struct, frozen=True):
    """What `hexboard doctor --json` prints, in the language of who asked."""

    checks: list[DoctorCheck]


class Examiner:
    """Has the doctor look, one at a time, in a thread that nobody waits for. `examine` gives a
    `DoctorReport` (JSON) in the language that is spoken."""

    def __init__(self, examine: Callable[[], bytes]) -> None:
        self._examine = examine
        self._begins = Lock()
        self._looks: Thread | None = None
        self._seen: Callable[[], str] | None = None

    def begin(self) -> None:
        """Have it look, unless it does."""
        with self._begins:
            if self._looks is None:
                self._seen = None
                self._looks = Thread(
                    target=copy_context().run, args=(self._look,), name="doctor", daemon=True
                )
                self._looks.start()

    def _look(self) -> None:
        self._seen = partial(page, self._examine())
        self._looks = None

    def page(self) -> str:
        """What it saw, in the language that is spoken now; "" while it looks. Raises
        `HexboardError` where it could not."""
        if (seen := self._seen) is None:
            self.begin()
            return ""
        return seen()


def routes(
    key: Callable[[HTTPConnection], Key | None], spoken: str, examine: Callable[[], bytes]
) -> tuple[Route, ...]:
    """Where hosts have the doctor look, `/doctor`, and where it says what it saw: the browser asks
    again by itself while it looks."""
    examiner = Examiner(examine)

    def answer(request: Request) -> Response:
        asks = key(request)
        with speaking(spoken_by(request, spoken)):
            try:
                if asks is None or not asks.host:
                    raise HexboardError("web.host_only")
                if request.url.path.endswith("/doctor"):
                    examiner.begin()
                text = examiner.page()
            except HexboardError as error:
                status = 403 if error.message.key == "web.host_only" else 503
                return PlainTextResponse(f"{say(error.message)}\n", status, HEADERS)
            looks = plain_page(language(), say(message("examined.looks")), "")
        again = {} if text else {"Refresh": "1; url=examined"}
        return HTMLResponse(text or looks, 200, {**HEADERS, **again})

    return Route("/doctor", answer), Route("/examined", answer)


def page(report: bytes) -> str:
    """For people, in the language that is spoken: what is to be mended first. Raises
    `HexboardError` where that is no `DoctorReport`."""
    try:
        checks = msgspec.json.decode(report, type=DoctorReport).checks
    except NO_JSON:
        raise HexboardError("examined.failed") from None
    order = ("mend", "look", "good")
    rows = sorted(checks, key=lambda it: order.index(it.state))
    body = BODY.format(
        verdict=_shown(_verdict(checks)),
        checks="".join(map(_row, rows)),
        again=_shown(say(message("examined.again"))),
        figures=_shown(say(message("examined.figures"))),
        back=_shown(say(message("examined.back"))),
    )
    return plain_page(language(), say(message("examined.title")), body)


def _verdict(checks: list[DoctorCheck]) -> str:
    counts = Counter(it.state for it in checks)
    if counts["mend"]:
        return say(message("doctor.ill", mend=counts["mend"], look=counts["look"]))
    if counts["look"]:
        return say(message("doctor.fair", look=counts["look"]))
    return say(message("doctor.well"))


def _row(it: DoctorCheck) -> str:
    todo = f'<br><span class="todo">→ {_shown(it.todo)}</span>' if it.todo else ""
    sign = f'<span class="sign" aria-hidden="true">{SIGNS[it.state]}</span>'
    name, said = _shown(translated(it.check, "check")), _shown(it.said)
    return f'<li class="{it.state}">{sign} <b>{name}</b> {said}{todo}</li>'


def _shown(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")
