"""Wires: what a board file says is connected, opened: the Pico, pins of the Pi's header, its strip.

Each device has its own thread and only posts reports; here is only which of them a board needs.
"""

import contextlib
from collections.abc import Callable

from msgspec.structs import replace

from hexboard.board import Board, Strip
from hexboard.facts import Report


class Wires:
    """The devices of one board. `light` shows a frame; `close` gives everything back."""

    def __init__(self, board: Board, port: str, post: Callable[[Report], None]) -> None:
        self._open = contextlib.ExitStack()
        self._show: Callable[[bytes], None] = lambda frame: None
        inputs = chain(board)
        pins = {s.input: s.id for s in board.sensors if s.source == "gpio"}
        lit = bool(board.pixels)
        if inputs or (lit and board.strip.source == "pico"):
            from hexboard.devices.link import Link

            pixels = len(board.pixels) if board.strip.source == "pico" else 0
            link = self._open.enter_context(Link(port, inputs, post, pixels=pixels))
            self._show = link.light
        if pins:
            from hexboard.devices.gpio import Gpio

            self._open.enter_context(Gpio(pins, post))
        if lit and board.strip.source != "pico":
            from hexboard.devices.pixels import Pixels

            self._show = self._open.enter_context(
                Pixels(len(board.pixels), board.strip, post)
            ).light

    def light(self, frame: bytes) -> None:
        """Show this, 8 bytes a pixel (docs/link.md). The newest frame wins."""
        self._show(frame)

    def close(self) -> None:
        self._open.close()


def chain(board: Board) -> list[str]:
    """The sensor of each of the Pico's inputs, "" where nothing is wired."""
    wired = {s.input: s.id for s in board.sensors if s.source == "pico"}
    return [wired.get(i, "") for i in range(max(wired, default=-1) + 1)]


def simulated(board: Board) -> Board:
    """The same board with every wire on the Pico, which is what a simulation can drive."""
    if board.strip.source == "pico" and all(s.source == "pico" for s in board.sensors):
        return board
    sensors = (replace(s, source="pico", input=i) for i, s in enumerate(board.sensors))
    return replace(board, sensors=tuple(sensors), strip=Strip())
