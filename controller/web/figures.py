"""Figures: what everybody at a board may know of how it runs, counted since hexboard was started.

`GET /metrics` has them in Prometheus' text format, `GET /health` as a page for people. Who may look
at the board may read both: nothing here tells who they are, or what somebody hides. Hosts may ask
for `GET /doctor`.
"""

import html
import math
import os
import shutil
import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sized
from itertools import accumulate
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from hexboard import __version__
from hexboard.facts import Lost, Presence, Report
from hexboard.web import examined
from hexboard.web.guard import HEADERS
from hexboard.web.keys import Key
from hexboard.web.plain import plain_page
from hexboard.web.spoken import spoken_by
from hexboard.words import Message, language, message, say
from hexboard.words.numbers import in_bytes

WITHIN_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""How late the light is: the bounds that it is counted by."""
DEVICES = frozenset({"pico", "gpio", "pixels", "camera", "journal"})
FORMAT = "text/plain; version=0.0.4; charset=utf-8"
"""Prometheus' text format."""
HOUR_S, MINUTES = 3600, 61
ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class MetricValue(Struct, frozen=True):
    """One number, and the labels that tell it from others of its figure."""

    value: float
    labels: dict[str, str] = {}
    end: str = ""
    """What Prometheus appends to the figure's name."""


class Metric(Struct, frozen=True):
    """One figure, with the key of the sentence that says what it is."""

    name: str
    kind: str
    text: Message
    samples: list[MetricValue]


class Elsewhere(Protocol):
    """Somebody who is told of this board and may be away."""

    @property
    def notice(self) -> Message | None:
        """What is not as it should be there."""


class Figures:
    """Counts for one process. The main loop counts, any thread reads."""

    def __init__(self) -> None:
        self.state = Path()
        """The folder whose disk is looked at."""
        self.board = ""
        self.game = ""
        self.matches = self.crashes = self.entries = self.failing = 0
        """Matches that began or went on; crashes of the table; entries of this match that the
        journal has; sensors that fail."""
        self.pages: Sized = ()
        self.notices: Iterable[Message] = ()
        self.presence: Mapping[str, Presence] = {}
        self.hub: Elsewhere | None = None
        self.examine: Callable[[], bytes] = bytes
        """What the doctor sees (JSON), in the language that is spoken; from any thread."""
        self._facts = Counter[str]()
        self._lost = self._resets = 0
        self._there, self._away = False, True
        self._hour = deque([(time.monotonic(), 0)], MINUTES)  # facts until then, by the minute
        self._light, self._late_s = [0] * (len(WITHIN_S) + 1), 0.0
        self._began = time.monotonic()

    def begin(self, state: Path, board: str, game: str, entries: int) -> None:
        """A match of this game begins or goes on, on a board whose folder is `state`."""
        self.state, self.board, self.game, self.entries = state, board, game, entries
        self.matches += 1

    def heard(self, report: Report) -> None:
        """The table hears this."""
        if (now := time.monotonic()) - self._hour[-1][0] >= 60:
            self._hour.append((now, self._facts.total()))
        source = report.source.partition(" ")[0]
        self._facts[source if source in DEVICES or source == "page" else "other"] += 1
        if isinstance(report.body, Lost):
            self._lost += report.body.count
        elif isinstance(report.body, Presence) and source == "pico":
            came, self._away = self._away and report.body.up, not report.body.up
            self._resets += self._there and came and not report.body.kept
            self._there |= report.body.up

    def saved(self, entries: int, failing: int) -> None:
        """The journal has so many entries of the match; so many sensors fail."""
        self.entries, self.failing = entries, failing

    def lit(self, since_ns: int) -> None:
        """A frame leaves for the lights that shows what could be known then, monotonic ns."""
        late_s = max(0.0, time.monotonic() - since_ns / 1e9)
        self._light[bisect_left(WITHIN_S, late_s)] += 1
        self._late_s += late_s

    def hourly(self) -> int:
        """Facts in the last hour, or so far."""
        now, total = time.monotonic(), sum(dict(self._facts).values())
        return total - next((n for at, n in list(self._hour) if now - at < HOUR_S), total)

    def figures(self) -> Iterator[Metric]:
        """All of them, as they are now."""
        about = {"version": __version__, "board": self.board, "game": self.game}
        facts = sorted(dict(self._facts).items())
        there = sorted(dict(self.presence).items())
        up = [MetricValue(it.up, {"source": source}) for source, it in there]
        counts = list(accumulate(self._light))
        bounds = [*map(str, WITHIN_S), "+Inf"]
        light = [
            MetricValue(n, {"le": bound}, "_bucket")
            for bound, n in zip(bounds, counts, strict=True)
        ]
        light += [MetricValue(self._late_s, end="_sum"), MetricValue(counts[-1], end="_count")]
        each = [MetricValue(n, {"source": source}) for source, n in facts]
        yield Metric("hexboard_info", "gauge", message("figures.info"), [MetricValue(1, about)])
        yield Metric("hexboard_facts_total", "counter", message("figures.facts"), each)
        yield Metric("hexboard_light_seconds", "histogram", message("figures.light"), light)
        yield Metric("hexboard_source_up", "gauge", message("figures.up"), up)
        for name, kind, text, value in (
            ("lost_total", "counter", message("figures.lost"), self._lost),
            ("pico_resets_total", "counter", message("figures.resets"), self._resets),
            ("crashes_total", "counter", message("figures.crashes"), self.crashes),
            ("matches_total", "counter", message("figures.matches"), self.matches),
            ("entries", "gauge", message("figures.entries"), self.entries),
            ("failing_sensors", "gauge", message("figures.failing"), self.failing),
            ("notices", "gauge", message("figures.notices"), len(list(self.notices))),
            ("pages", "gauge", message("figures.pages"), len(self.pages)),
            ("disk_free_bytes", "gauge", message("figures.free"), self.free()),
            ("start_time_seconds", "gauge", message("figures.since"), self.since()),
            ("cpu_seconds_total", "counter", message("figures.cpu"), time.process_time()),
            ("memory_bytes", "gauge", message("figures.memory"), _memory()),
        ):
            yield Metric(f"hexboard_{name}", kind, text, [MetricValue(value)])

    def since(self) -> float:
        """When it was started, by the computer's clock, which may have been set meanwhile."""
        return time.time() - (time.monotonic() - self._began)

    def free(self) -> float:
        """Bytes of room on the disk."""
        try:
            return shutil.disk_usage(self.state).free
        except OSError:
            return float("nan")

    def latest(self) -> str:
        """How late the light is, as people read it: of 100 frames 50 and 99."""
        counts = list(accumulate(self._light))
        bounds = [f"≤ {1000 * bound:g} ms" for bound in WITHIN_S] + [
            f"> {1000 * WITHIN_S[-1]:g} ms"
        ]
        if not counts[-1]:
            return "–"
        halves = (bisect_left(counts, share * counts[-1]) for share in (0.5, 0.99))
        return " · ".join(bounds[it] for it in halves)


def prometheus(figures: Figures) -> bytes:
    """In Prometheus' text format."""
    lines = []
    for it in figures.figures():
        lines += [f"# HELP {it.name} {say(it.text, 'en')}", f"# TYPE {it.name} {it.kind}"]
        for one in it.samples:
            pairs = [f'{name}="{value.translate(ESCAPED)}"' for name, value in one.labels.items()]
            labels = f"{{{','.join(pairs)}}}" if pairs else ""
            lines.append(f"{it.name}{one.end}{labels} {float(one.value)!r}")
    return ("\n".join(lines) + "\n").encode()


def _memory() -> int:
    """Bytes of memory that this process has; 0 where that cannot be told."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _size(count: float, spoken: str) -> str:
    """Bytes as people read them; "–" where it cannot be told."""
    return "–" if math.isnan(count) else say(in_bytes(int(count)), spoken)


def page(figures: Figures, spoken: str) -> str:
    """For people, in their language: what they are told, and the figures that say something."""
    it = {figure.name: figure for figure in figures.figures()}
    began = time.strftime("%Y-%m-%d %H:%M", time.localtime(figures.since()))
    there = sorted(dict(figures.presence).items())
    rows = [
        (message("figures.since"), began),
        (
            message("figures.up"),
            " · ".join(f"{name} {'✗✓'[one.up]}" for name, one in there),
        ),
        (message("figures.hourly"), figures.hourly()),
        (message("figures.latest"), figures.latest()),
        (message("figures.free"), _size(figures.free(), spoken)),
        (message("figures.memory"), _size(_memory(), spoken)),
    ]
    named = ("pico_resets", "lost", "failing_sensors", "crashes", "matches", "entries", "pages")
    for name in named:
        one = it.get(f"hexboard_{name}_total") or it[f"hexboard_{name}"]
        rows.append((one.text, f"{one.samples[0].value:g}"))
    away = figures.hub.notice if figures.hub is not None else None
    told = [say(notice, spoken) for notice in (*figures.notices, *([away] if away else []))] or [
        say(message("figures.well"), spoken)
    ]
    notices = "".join(f"<li>{html.escape(one)}</li>" for one in told)
    table = "".join(
        f"<tr><td>{html.escape(say(text, spoken))}</td><td>{html.escape(str(value))}</td></tr>"
        for text, value in rows
    )
    title = say(message("figures.title", title=figures.board), spoken)
    return plain_page(spoken, title, f"<ul>{notices}</ul>\n<table>{table}</table>")


Answers = Callable[[Request], Awaitable[Response]]


def how_it_runs(
    figures: Figures, key: Callable[[HTTPConnection], Key | None], spoken: str
) -> tuple[Route, ...]:
    """Where one may read all that; hosts also what the doctor sees."""
    look = examined.routes(key, spoken, lambda: figures.examine())
    return Route("/metrics", _prometheus(figures)), Route("/health", _people(figures)), *look


def _prometheus(figures: Figures) -> Answers:
    """Answers `/metrics`."""

    async def answer(request: Request) -> Response:
        return Response(prometheus(figures), 200, {**HEADERS, "Content-Type": FORMAT})

    return answer


def _people(figures: Figures) -> Answers:
    """Answers `/health`; the browser asks again by itself."""
    ours = language()

    async def answer(request: Request) -> Response:
        again = {**HEADERS, "Refresh": "5", "Vary": "Accept-Language"}
        return HTMLResponse(page(figures, spoken_by(request, ours)), 200, again)

    return answer
