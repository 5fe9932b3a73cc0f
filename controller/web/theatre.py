"""The theatre: a recorded game as a page that plays it, one file that needs nothing else.

A *moment* is what pages showed after one fact, as everybody may know it; it is kept as what differs
from the moment before. The file carries scripts, styles and moments, and asks no network for
anything: docs/contracts.md, "Theatre".

    theatre = Theatre(board, "evening-5")
    theatre.show(at_ms, n, view, [("ruling", message("table.undone"))])
    page = theatre.page(notices=())
"""

import base64
import html
import zlib
from collections.abc import Iterable, Sequence
from importlib import resources
from itertools import pairwise
from math import exp
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.facts import MS
from hexboard.game.game import AnyGame
from hexboard.game.position import Action
from hexboard.game.timing import Timing
from hexboard.lights.frame import LightRenderer, LightSettings
from hexboard.table import TableView
from hexboard.table.view import BallTrack
from hexboard.web.differences import Difference, difference
from hexboard.web.modules import inlined, licences, style_sheets
from hexboard.web.sheet import Sheet, agreed_sheet, board_sheet, shown, table_sheet
from hexboard.web.spoken import mostly, page_words_json
from hexboard.words import Message, language, message, say
from hexboard.words.names import naming

LIGHTS = LightSettings(brightness=100)
"""On a screen nobody is dazzled."""
PICTURES_BYTES = 1_000_000
"""So much of a camera's pictures is carried: a page can be sent."""
LEAST_PPM = 1000
"""What is less likely in a cell is not told."""
Cells = Sequence[Sequence[tuple[int, int]]]
"""What a camera made of each cell (`facts.Reading`)."""
LEFT_OUT = ("log", "moves", "words", "acts", "touches", "keeps", "position", "type", "rev")
"""Of a page's state: what only somebody who plays needs, and what the theatre tells itself."""


class ToldLine(Struct, frozen=True, array_like=True):
    """Something that was said of a moment."""

    moment: int
    kind: str
    """`ruling`, `refused`, `question`, `corrected`, `back`, or `pause` and `on`, its end."""
    text: str
    rule: str = ""
    why: tuple[tuple[str, int, str], ...] = ()
    """The readings of a roll that were weighed before it: `ruled`, `lost` or `asked`, their odds
    in millionths, what they come to."""


class Theatre:
    """Collects the moments of one recording, and makes the page of them."""

    def __init__(self, board: Board, name: str) -> None:
        self._board, self._name = board, name
        self._renderer = LightRenderer(board, LIGHTS)
        self._looks: dict[bytes, int] = {}
        self._moments: list[tuple[int, int, Difference]] = []
        self._told: list[ToldLine] = []
        self._signs: list[tuple[int, str, int]] = []
        self._state: Sheet = {}
        self._texts: dict[str, bytes] = {}
        self._sheet: Sheet = {}
        self._game: AnyGame[Action] | None = None
        self._weighings = self._asked = self._pictured = 0
        self._seen: list[tuple[int, list[tuple[str, list[tuple[str, int]]]], int, str]] = []

    def show(
        self,
        at_ms: int,
        n: int,
        view: TableView[Action],
        told: Iterable[tuple[str, Message]] = (),
        opened: bool = False,
        zero: int = 0,
    ) -> None:
        """What pages show after fact `n`, and what is told of it, by kind (`ToldLine`). `opened`:
        everybody may know what was dealt; `zero`: when the recording began, board ns."""
        if self._game is None:
            self._open(view)
        state = self._now(view, opened, zero)
        changed = difference(self._state, state)
        lines = self._lines(told, view)
        looked = bool(self._seen) and self._seen[-1][0] == at_ms
        if changed or lines or looked or not self._moments:
            self._moments.append((at_ms, n, changed))
            self._state = state
        why = self._why(view)
        for kind, text in lines:
            said = say(naming(shown(view.game).named(text, view.position), view.names))
            self._told.append(ToldLine(len(self._moments) - 1, kind, said, text.rule, why))
            why = ()

    def sign(self, at_ms: int, sensor: str, level: bool) -> None:
        """An edge of a sensor, as it came."""
        self._signs.append((at_ms, sensor, int(level)))

    def look(self, at_ms: int, names: Sequence[str], cells: Cells, picture: bytes = b"") -> None:
        """What a camera thought of the board: of each cell that was not certain what may lie there,
        by the `names` of its codes, with its odds; and the picture, a JPEG, where it was kept and
        there is room for it."""
        self._pictured += len(picture)
        shown = base64.b64encode(picture).decode() if self._pictured <= PICTURES_BYTES else ""
        doubts = [
            (cell.id, odds)
            for cell, codes in zip(self._board.cells, cells, strict=False)
            if len(odds := thought(names, codes)) != 1
        ]
        self._seen.append((at_ms, doubts, len(cells), shown))

    @property
    def moments(self) -> int:
        """How many there are."""
        return len(self._moments)

    def data(self, notices: Iterable[Message]) -> Sheet:
        """All that the page is told."""
        return {
            "name": self._name,
            "board": self._sheet,
            "looks": [list(look) for look in self._looks],
            "moments": self._moments,
            "told": self._told,
            "signs": self._signs,
            "seen": self._seen,
            "notices": [say(notice) for notice in notices],
        }

    @property
    def rulings(self) -> list[tuple[int, str, str]]:
        """What was ruled: when (ms), the sentence, its rule."""
        ruled = (line for line in self._told if line.kind == "ruling")
        return [(self._moments[line.moment][0], line.text, line.rule) for line in ruled]

    def page(self, notices: Iterable[Message], other: Sheet | None = None) -> str:
        """The page, whole. `notices` are told above it; `other` is another evening's `data`, with
        what it is called (`label`) and where it is ruled otherwise (`changes`)."""
        assert self._game is not None
        game = self._game
        evening = _packed(self.data(notices)) | {"other": other and _packed(other)}
        data = zlib.compress(msgspec.json.encode(evening), 9)
        entry = game.page.script if game.page is not None and game.page.script else ""
        script = f"games/{game.name}/{entry}" if entry else ""
        static = resources.files("hexboard.web") / "static"
        return (
            (static / "theatre.html")
            .read_text("utf-8")
            .format(
                title=html.escape(f"{game.title()} · {self._name}"),
                language=mostly(language()),
                words=page_words_json(language()),
                boot=say(message("page.reading_evening")),
                noscript=say(message("page.noscript")),
                licences=html.escape(licences()).replace("--", "- -"),
                style=style_sheets(game),
                modules=inlined(game, ("static/theatre.js", *([script] if script else ()))),
                bring=f'() => import("hexboard/{script}")' if script else "null",
                data=base64.b64encode(data).decode(),
            )
        )

    def _open(self, view: TableView[Action]) -> None:
        self._game = view.game
        agreed = agreed_sheet(
            view.game, self._board, view.options, view.takeback, view.agreed_clock
        )
        sheet = board_sheet(view.game, self._board, view.public)
        self._sheet = sheet | {"agreed": agreed, "palette": []}  # nobody lays anything here

    def _now(self, view: TableView[Action], opened: bool, zero: int) -> Sheet:
        frame = self._renderer.render(view.scene)
        sheet = table_sheet(replace(view, log=()), -1, view.committed, frame.power, LIGHTS)
        pixels = [frame.data[i : i + 8] for i in range(0, len(frame.data), 8)]
        kept = {key: it for key, it in sheet.items() if key not in LEFT_OUT}
        own = {
            "active_sensors": dict.fromkeys(sorted(view.high), 1),
            "marks": {f"{m.place} {m.meaning} {m.count}": 1 for m in view.scene},
            "pixels": [self._looks.setdefault(look, len(self._looks)) for look in pixels],
            "tracks": {_named(track): track.place for track in view.tracks},
            "hands": _hands(view) if opened else {},
            **({"clock": _clock(view.clock, zero)} if view.clock else {}),
        }
        return self._plain(kept | own)

    def _plain(self, sheet: Sheet) -> Sheet:
        """A sheet as JSON reads it; what is as it was in the last one is the same object."""
        texts = {key: msgspec.json.encode(it) for key, it in sheet.items()}
        same, self._texts = self._texts, texts
        return {
            key: self._state[key] if same.get(key) == text else msgspec.json.decode(text)
            for key, text in texts.items()
        }

    def _lines(
        self, told: Iterable[tuple[str, Message]], view: TableView[Action]
    ) -> list[tuple[str, Message]]:
        """What is told of a moment; a question once, when it is asked."""
        asked = view.asking.id if view.asking else 0
        if view.asking is None or asked == self._asked:
            self._asked = asked
            return list(told)
        self._asked = asked
        question = naming(view.asking.message, view.names)
        return [line for line in told if line[1] != question] + [("question", question)]

    def _why(self, view: TableView[Action]) -> tuple[tuple[str, int, str], ...]:
        if view.weighings == self._weighings:
            return ()
        self._weighings = view.weighings
        ruled = any(one.ruled for one in view.weighed)
        return tuple(
            ("ruled" if one.ruled else "lost" if ruled else "asked", one.odds_ppm, say(one.message))
            for one in view.weighed
        )


def thought(names: Sequence[str], codes: Iterable[tuple[int, int]]) -> list[tuple[str, int]]:
    """What may lie in a cell by what a camera made of it, in short, with its odds in millionths,
    the likeliest first, down to one in a thousand; nothing where the camera said nothing."""
    weights = [(names[code], exp(-cost / 100)) for code, cost in codes if code < len(names)]
    whole = sum(weight for _, weight in weights)
    odds: dict[str, int] = {}
    for name, weight in weights:
        odds[name] = odds.get(name, 0) + round(1e6 * weight / whole)
    return sorted(
        ((name, ppm) for name, ppm in odds.items() if ppm >= LEAST_PPM), key=lambda it: -it[1]
    )


def _packed(data: Sheet) -> Sheet:
    """The same with moments and signs in columns, which are a fifth smaller, packed by zlib."""
    moments, signs = data["moments"], data["signs"]
    return data | {"moments": _columns(moments, 2), "signs": _columns(signs, 1)}


def _columns(rows: Any, growing: int) -> list[Sequence[object]]:
    """Three columns of rows; of the first ones, whose numbers grow, by how much each does."""
    columns = list(zip(*rows, strict=True)) or [()] * 3
    grown = [[b - a for a, b in pairwise((0, *column))] for column in columns[:growing]]
    return [*grown, *columns[growing:]]


def _clock(clock: Timing, zero: int) -> Sheet:
    """What seats have left, ms; of whose time runs, when it will have run out: that stays as it is
    while it runs."""
    left = [ns // MS for ns in clock.left_ns]
    if clock.running >= 0:
        left[clock.running] = (clock.since + clock.left_ns[clock.running] - zero) // MS
    return {"left": left, "running": clock.running}


def _named(track: BallTrack) -> str:
    return say(message("theatre.ball", ball=track.ball))


def _hands(view: TableView[Action]) -> Sheet:
    """The hidden cards of each seat, in words."""
    hands = {str(seat): view.hand(seat) for seat in range(len(view.position.seats))}
    return {seat: [say(card) for card in hand] for seat, hand in hands.items() if hand}
