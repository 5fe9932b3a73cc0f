"""Somebody at a bench with a phone in one hand and the ball in the other: a wizard's `Person`."""

import contextlib
import queue
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import msgspec

from hexboard.board import Board
from hexboard.calibration.figures import SensorFigures
from hexboard.calibration.person import Screen
from hexboard.calibration.result import UP_TO_MS
from hexboard.daemon.greeting import for_phones, where
from hexboard.settings import WebSettings
from hexboard.web.bench import BenchServer
from hexboard.web.keys import Keys, token
from hexboard.web.reach import Reach
from hexboard.words import Message, message, say

__all__ = ["AtBench", "BenchServer", "served"]

EVERY_S = 0.3
"""How often what the page shows of sensors is looked at."""

Figures = Callable[[], Mapping[str, SensorFigures]]


class Hands(Protocol):
    """A simulated board, as a page shows and touches it."""

    def hold(self, sensor: str) -> None:
        """Hold a ball over a sensor's place."""

    def strip(self) -> list[tuple[int, ...]]:
        """What the lights show."""


class AtBench:
    """A person with a page. `figures` are those of the sensors as they are now; where the board is
    simulated `hands` are those of the person."""

    def __init__(self, server: BenchServer, figures: Figures, hands: Hands | None = None) -> None:
        self._server = server
        self._figures = figures
        self._hands = hands
        self._view: Screen | None = None
        self._shown: dict[str, object] = {}
        self._looked = 0.0

    def see(self, view: Screen) -> None:
        """Show it."""
        self._view = view
        self._show()

    def said(self) -> str:
        """What was pressed since."""
        if self._view is not None and time.monotonic() - self._looked >= EVERY_S:
            self._show()
        try:
            word = self._server.words.get_nowait()
        except queue.Empty:
            return ""
        if self._hands is not None and word.touch:
            self._hands.hold(word.touch)
        return word.say

    def _show(self) -> None:
        self._looked, view = time.monotonic(), self._view
        assert view is not None
        sheet: dict[str, object] = {
            "type": "bench",
            "ask": say(_pressed(view.ask)),
            "heard": _said(view.heard),
            "wants": view.wants,
            "place": view.place,
            "fired": view.fired,
            "times": view.times,
            "rows": view.rows,
            "sensors": self._figures(),
            "up_to_ms": UP_TO_MS,
            "states": dict(view.states),
            "strip": self._hands.strip() if self._hands is not None and view.states else [],
            "simulated": self._hands is not None,
        }
        if sheet != self._shown:
            self._shown = sheet
            self._server.publish("bench", msgspec.json.encode(sheet))


@contextlib.contextmanager
def served(board: Board, state: Path, web: WebSettings, lan: bool) -> Iterator[BenchServer]:
    """A bench's page, and where it is said. Its key is that of the board's page, in `state`."""
    state.mkdir(parents=True, exist_ok=True)
    key = token(state / "token")
    of = Reach(lan or web.lan, web.names, web.origins, web.certificate, web.key)
    server = BenchServer(web.port, Keys(key), of, board)
    server.start()
    links = where(of, server.port, key)
    told = [say(message("web.bench", board=board.title)), f"  {links.here}"]
    if links.phone:
        told += for_phones(links, sys.stderr.isatty())
    else:
        told.append(say(message("web.bench_here")))
    print(*told, sep="\n", file=sys.stderr, flush=True)
    try:
        yield server
    finally:
        server.close()


def _pressed(ask: Message) -> Message:
    """What is asked for of somebody who has buttons and no Enter key."""
    match ask.key:
        case "calibration.hands_off":
            return message("calibration.bench_hands_off")
        case "calibration.count":
            values = dict(ask.values)
            return message(
                "calibration.bench_count", sensor=values["sensor"], times=values["times"]
            )
    return ask


def _said(heard: Message | None) -> str:
    return "" if heard is None else say(heard)
