"""Somebody at a bench with a phone in one hand and the ball in the other: a wizard's `Person`.

Who sits at the terminal sees and says the same; whoever answers first has answered.
"""

import contextlib
import queue
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from hexboard.board import Board
from hexboard.calibration.figures import SensorFigures
from hexboard.calibration.person import Person, Screen, at_terminal
from hexboard.calibration.result import UP_TO_MS
from hexboard.daemon.greeting import for_phones, where
from hexboard.settings import WebSettings
from hexboard.web.bench import BenchServer, BenchWord
from hexboard.web.keys import Keys, token
from hexboard.web.reach import Reach
from hexboard.words import Message, message, say
from hexboard.words.errors import Busy

__all__ = ["AtBench", "BenchPage", "served"]

EVERY_S = 0.3
"""How often what the page shows of sensors is looked at."""
ANYTIME = ("q", "w")
"""What is meant whatever is asked now: the light before may still be the wrong one."""

Figures = Callable[[], Mapping[str, SensorFigures]]


class Hands(Protocol):
    """A simulated board, as a page shows and touches it."""

    def hold(self, sensor: str) -> None:
        """Hold a ball over a sensor's place."""

    def strip(self) -> list[tuple[int, ...]]:
        """What the lights show."""


class BenchPage(BenchServer):
    """A bench's page, and who types in the terminal that it was begun in, if anybody can."""

    typist: Person | None = None

    def said(self) -> BenchWord:
        """What was pressed since, or typed; no answer to what is not asked any more."""
        try:
            word = self.words.get_nowait()
        except queue.Empty:
            return BenchWord("" if self.typist is None else self.typist.said())
        late = word.to not in (-1, self.question) and word.say not in ANYTIME
        return BenchWord(touch=word.touch) if late else word


class AtBench:
    """A person with a page. `figures` are those of the sensors as they are now; where the board is
    simulated `hands` are those of the person."""

    def __init__(self, server: BenchPage, figures: Figures, hands: Hands | None = None) -> None:
        self._server = server
        self._figures = figures
        self._hands = hands
        self._screen: Screen | None = None
        self._looked = 0.0

    def see(self, screen: Screen) -> None:
        """Show it."""
        before, self._screen = self._screen, screen
        self._server.question += before is None or _question(before) != _question(screen)
        if self._server.typist is not None:
            self._server.typist.see(screen)
        self._show()

    def said(self) -> str:
        """What was pressed since, or typed."""
        if self._screen is not None and time.monotonic() - self._looked >= EVERY_S:
            self._show()
        word = self._server.said()
        if self._hands is not None and word.touch:
            self._hands.hold(word.touch)
        return word.say

    def _show(self) -> None:
        self._looked = time.monotonic()
        self._server.show(self._sheet)

    def _sheet(self) -> dict[str, object]:
        screen = self._screen
        assert screen is not None
        return {
            "type": "bench",
            "question": self._server.question,
            "ask": say(_pressed(screen.ask)),
            "heard": _said(screen.heard),
            "wants": screen.wants,
            "place": screen.place,
            "fired": screen.fired,
            "times": screen.times,
            "rows": screen.rows,
            "sensors": self._figures(),
            "up_to_ms": UP_TO_MS,
            "states": dict(screen.states),
            "strip": self._hands.strip() if self._hands is not None and screen.states else [],
            "cells": dict(screen.cells),
            "simulated": self._hands is not None,
        }


@contextlib.contextmanager
def served(board: Board, state: Path, web: WebSettings, lan: bool) -> Iterator[BenchPage]:
    """A bench's page, and where it is said. Its key is that of the board's page, in `state`. Raises
    `Busy` where another program has its port."""
    state.mkdir(parents=True, exist_ok=True)
    key = token(state / "token")
    of = Reach(lan or web.lan, web.names, web.origins, web.certificate, web.key)
    server = BenchPage(web.port, Keys(key), of, board)
    if sys.stdin.isatty():
        server.typist = at_terminal()
    try:
        server.start()
    except Busy as error:  # as a rule the service that plays on this board
        why = dict(error.message.values)["why"]
        raise Busy("web.bench_port", port=web.port, why=why) from None
    links = where(of, server.port, key)
    told = [say(message("web.bench", title=board.title)), f"  {links.here}"]
    if links.phone:
        told += for_phones(links, sys.stderr.isatty())
    else:
        told.append(say(message("web.bench_here")))
    print(*told, sep="\n", file=sys.stderr, flush=True)
    try:
        yield server
    finally:
        server.close()


def _question(screen: Screen) -> tuple[Message, str, str]:
    """What an answer to it is an answer to."""
    return screen.ask, screen.wants, screen.place


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
        case "colours.clear":
            return message("colours.page_clear")
        case "colours.lay":
            return message("colours.page_lay", where=dict(ask.values)["where"])
    return ask


def _said(heard: Message | None) -> str:
    return "" if heard is None else say(heard)
