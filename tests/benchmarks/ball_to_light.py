"""Through the whole daemon: `python -m tests.benchmarks.ball_to_light [N]`.

A simulated board runs with everything on: firmware, link, recorder, table, journal, page. Beams
between open slots break one after the other at the firmware's inputs, so that a ball is believed to
roll round and round (a beam that saw it too often would be left out as chattering); the clock stops
when the light that follows it leaves the firmware's strip. In it are 0.8 ms of debounce
(`min_high_us`), after which the firmware says that nothing earlier is to come.

Where the time goes, part by part, is stamped where the parts meet: the mailbox, the match, the
link; what the stamps take is in it.
"""

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import find, load
from hexboard.daemon import Run, Sitting
from hexboard.daemon.match import Match
from hexboard.devices.link import Link
from hexboard.devices.mailbox import Mailbox
from hexboard.facts import Edge, Report, Watermark
from hexboard.settings import Settings
from hexboard.table.effects import Effect, Show
from tests.benchmarks import measured, percentile, reference

ROUND = ("B1", "B2", "B3", "B4", "C4", "D5", "D4", "D3", "D2", "D1", "C1", "B1")
"""Slots that a ball from B1 visits on its way round the board."""
RING = ["-".join(sorted(pair)) for pair in pairwise(ROUND)]
PAUSE = 0.06
"""Seconds a beam stays broken, and whole: longer than two frames of the strip."""


PARTS = (
    "the beam to the edge that is read",
    "the edge to the watermark that is read",
    "the watermark to the main loop",
    "the table's step",
    "the frame",
    "the port",
    "the Pico to the strip",
)
"""What lies between two stamps."""


class Stamps:
    """When an edge came to the end of each part, until its light was written."""

    def __init__(self) -> None:
        self._told = 0.0  # when the last watermark was
        self.begin()

    def begin(self) -> None:
        """A beam breaks now."""
        self.at = [time.perf_counter(), *[0.0] * len(PARTS)]

    def posted(self, report: Report) -> None:
        now = time.perf_counter()
        if isinstance(report.body, Watermark):
            self._told = now
        elif isinstance(report.body, Edge) and not self.at[1]:
            self.at[1] = now

    def drained(self, come: list[Any]) -> None:
        if not self.at[5] and any(isinstance(it.body, Watermark) for it in come):
            self.at[2:4] = self._told, time.perf_counter()

    def stepped(self, effects: list[Effect]) -> None:
        if not self.at[5] and any(isinstance(it, Show) for it in effects):
            self.at[4] = time.perf_counter()

    def lit(self, number: int) -> None:
        self.at[number] = self.at[number] or time.perf_counter()

    @property
    def parts(self) -> list[float] | None:
        """Milliseconds in each part; None where the light had another cause."""
        if min(self.at) <= 0:
            return None
        return [1000 * (after - before) for before, after in pairwise(self.at)]


@contextmanager
def stamped() -> Iterator[Stamps]:
    """The daemon's parts stamp what goes through them."""
    stamps = Stamps()
    post, drain, step, light = Mailbox.post, Mailbox.drain, Match.step, Link.light

    def posting(box: Mailbox[Any], report: Report) -> None:
        stamps.posted(report)
        post(box, report)

    def draining(box: Mailbox[Any], *given: Any) -> list[Any]:
        come = drain(box, *given)
        stamps.drained([it for it in come if isinstance(it, Report)])
        return come

    def stepping(match: Match, *given: Any) -> list[Effect]:
        effects = step(match, *given)
        stamps.stepped(effects)
        return effects

    def lighting(link: Link, frame: bytes) -> None:
        stamps.lit(5)
        light(link, frame)
        stamps.lit(6)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Mailbox, "post", posting)
        patch.setattr(Mailbox, "drain", draining)
        patch.setattr(Match, "step", stepping)
        patch.setattr(Link, "light", lighting)
        yield stamps


def measure(n: int) -> tuple[list[float], list[list[float]]]:
    """Milliseconds from a broken beam to the light, `n` times; and in each part."""
    board = load(find("hextraction-22"))
    times, parts = list[float](), list[list[float]]()
    with tempfile.TemporaryDirectory() as folder, stamped() as stamps:
        run = Run(board, Path(folder), Settings(), "hextraction", simulate=True, port=0, empty=True)
        sitting = Sitting(run, lambda line: None)
        thread = threading.Thread(target=sitting.run)
        thread.start()
        try:
            while (daemon := sitting.daemon) is None or daemon.simulation is None:
                time.sleep(0.05)
            while not daemon.view.presence:
                time.sleep(0.05)
            rig = daemon.simulation.rig
            time.sleep(1)
            shown = threading.Event()
            show = rig.twin.on_pixels

            def on_pixels(rgb: bytes) -> None:
                stamps.lit(7)
                shown.set()
                show(rgb)

            rig.twin.on_pixels = on_pixels
            levels = rig.world.levels

            def drive(*more: str) -> None:
                bits = sum(1 << board.sensor[s].input for s in (*levels, *more))
                rig.twin.drive(bits.to_bytes(17, "little"))

            drive("gate:B1-1")
            time.sleep(PAUSE)
            drive()
            for i in range(n):
                time.sleep(PAUSE)
                shown.clear()
                stamps.begin()
                drive(f"edge:{RING[i % len(RING)]}")
                if shown.wait(1):
                    times.append(1000 * (stamps.at[7] - stamps.at[0]))
                    parts += [it] if (it := stamps.parts) else []
                time.sleep(PAUSE)
                drive()
        finally:
            sitting.stop()
            thread.join()
    return sorted(times), parts


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    times, parts = measure(n)
    measured("p50, ms", percentile(times, 0.5))
    measured("p99, ms", percentile(times, 0.99))
    measured("lights that stayed away", n - len(times), most=0)
    print(
        f"ball to light, through the daemon: n={len(times)} of {n}, "
        f"p50 {percentile(times, 0.5):.2f} ms, p99 {percentile(times, 0.99):.2f} ms; "
        f"reference loop {reference():.1f} ms"
    )
    for name, part in zip(PARTS, zip(*parts, strict=True), strict=True):
        middle = percentile(sorted(part), 0.5)
        measured(f"{name}, p50, ms", middle)
        print(f"  {name:40} {middle:6.3f}")


if __name__ == "__main__":
    main()
