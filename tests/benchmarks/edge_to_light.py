"""From a broken beam to the light it makes: `python -m tests.benchmarks.edge_to_light [N]`.

An input flips at the twin; the link reports the edge; the host answers with a lights frame at once;
the clock stops when the strip's bytes leave the twin. Real firmware, real pty, real pyserial. A
fixed loop is timed in the same run, so that numbers of two machines can be compared.
"""

import queue
import sys
import threading
import time

from hexboard.devices.link import Link
from hexboard.facts import Edge, Report
from hexboard.simulator.twin import Twin
from tests.benchmarks import measured, percentile, reference

PIXELS = 150
PAUSE = 0.05
"""Seconds between flips: longer than the 34 ms that the device leaves between two renderings."""


def measure(n: int) -> list[float]:
    """Milliseconds from edge to light, `n` times."""
    shown: queue.SimpleQueue[float] = queue.SimpleQueue()
    ready = threading.Event()

    def on_pixels(rgb: bytes) -> None:
        shown.put(time.perf_counter())

    def post(report: Report) -> None:
        ready.set()
        if isinstance(report.body, Edge):
            colour = (0, 60, 0) if report.body.level else (60, 0, 0)
            link.light(bytes((*colour, 0, 0, 0, 0, 0)) * PIXELS)

    times = []
    with Twin(152, PIXELS, on_pixels) as twin, Link(twin.port, ["beam"], post) as link:
        if not ready.wait(5):
            raise TimeoutError("the twin did not answer")
        time.sleep(0.5)
        while not shown.empty():
            shown.get()
        for i in range(n):
            start = time.perf_counter()
            twin.drive(bytes((~i & 1,)) + bytes(18))
            times.append((shown.get(timeout=2) - start) * 1000)
            time.sleep(PAUSE)
        print(f"interpreter {twin.interpreter}")
    return sorted(times)


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    times = measure(n)
    p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
    measured("p50, ms", p50)
    measured("p99, ms", p99)
    print(f"n {n}  p50 {p50:.2f} ms  p99 {p99:.2f} ms  reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()
