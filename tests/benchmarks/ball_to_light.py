"""Through the whole daemon: `python -m tests.benchmarks.ball_to_light [N]`.

A simulated board runs with everything on: firmware, link, recorder, table, journal, page. Beams
between open slots break one after the other at the firmware's inputs, so that a ball is believed to
roll round and round (a beam that saw it too often would be left out as chattering); the clock stops
when the light that follows it leaves the firmware's strip. In it are 0.8 ms of debounce
(`min_high_us`) and the 1 ms after which the firmware says that nothing earlier is to come.
"""

import sys
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path

from hexboard.board import find, load
from hexboard.daemon import Run, Sitting
from hexboard.settings import Settings
from tests.benchmarks import measured, percentile, reference

ROUND = ("B1", "B2", "B3", "B4", "C4", "D5", "D4", "D3", "D2", "D1", "C1", "B1")
"""Slots that a ball from B1 visits on its way round the board."""
RING = ["-".join(sorted(pair)) for pair in pairwise(ROUND)]
PAUSE = 0.06
"""Seconds a beam stays broken, and whole: longer than two frames of the strip."""


def measure(n: int) -> list[float]:
    """Milliseconds from a broken beam to the light, `n` times."""
    board = load(find("hextraction-22"))
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
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
                begun = time.perf_counter()
                drive(f"edge:{RING[i % len(RING)]}")
                if shown.wait(1):
                    times.append((time.perf_counter() - begun) * 1000)
                time.sleep(PAUSE)
                drive()
        finally:
            sitting.stop()
            thread.join()
    return sorted(times)


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    times = measure(n)
    measured("p50, ms", percentile(times, 0.5))
    measured("p99, ms", percentile(times, 0.99))
    measured("lights that stayed away", n - len(times), most=0)
    print(
        f"ball to light, through the daemon: n={len(times)} of {n}, "
        f"p50 {percentile(times, 0.5):.2f} ms, p99 {percentile(times, 0.99):.2f} ms; "
        f"reference loop {reference():.1f} ms"
    )


if __name__ == "__main__":
    main()
