"""A main loop that is held up: what came meanwhile happened when it did."""

import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from hexboard.daemon import Run
from hexboard.facts import MS, Body, Edge, Presence, Report, Ruling, Snapshot, Watermark
from hexboard.settings import Settings
from tests.desk import BOARD, OPEN, WIDTH
from tests.evening import Evening, go
from tests.running import eventually

ROLL = ("gate:B1-6", "edge:A1-B1", "exit:A1-5")
"""A ball that rolls over B1 and A1 off the board."""
EVERY_MS = 120


class Pico:
    """Tells the daemon, in time, what its sensors feel; each sign of it comes 2 ms later."""

    def __init__(self, evening: Evening) -> None:
        self._mailbox = evening.daemon.mailbox
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._promise)
        self.post(Presence(True))

    def post(self, body: Body, at: int = 0) -> None:
        self._mailbox.post(Report("pico", at or time.monotonic_ns(), body))

    def begin(self) -> None:
        self._thread.start()

    def roll(self) -> None:
        begun = time.monotonic_ns() + 2 * MS
        for number, sensor in enumerate(ROLL):
            for level, after in ((True, 0), (False, WIDTH)):
                at = begun + (number * EVERY_MS + after) * MS
                time.sleep(max(0, at + 2 * MS - time.monotonic_ns()) / 1e9)
                self.post(Edge(sensor, level), at)

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    def _promise(self) -> None:
        while not self._over.wait(0.02):
            now = time.monotonic_ns() - 2 * MS
            self.post(Watermark(now), now)


@pytest.mark.long
@pytest.mark.parametrize("held_s", [0.0, 0.12, 0.25, 0.7])
def test_a_ball_is_felt_though_the_main_loop_was_held_up_as_it_rolled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held_s: float
) -> None:
    """By a disk, or by programs beside it; the times of 8 ms pulses are the Pico's."""
    with ExitStack() as stack:
        run = Run(BOARD, tmp_path, Settings(), "hextraction", port=0)
        at = go(stack, run)
        pico = Pico(at)
        position: Any = at.daemon.view.position
        for slot in ("B1", "A1"):
            position = position.with_tile(slot, OPEN)
        at.daemon._post("page", Ruling(f"position {position}"))
        pico.post(Snapshot(("seat:A1", "seat:B1")))
        pico.begin()
        stack.callback(pico.close)
        at.page.until(lambda s: s["phase"] == "idle" and len(s["active_sensors"]) == 2)
        holds = threading.Event()

        def held() -> None:
            if not holds.is_set():
                holds.set()
                time.sleep(held_s)

        monkeypatch.setattr(at.daemon._room, "again", held)
        eventually(holds.is_set)
        pico.roll()
        at.page.until(lambda s: any("left the board from A1" in it["text"] for it in s["log"]))
