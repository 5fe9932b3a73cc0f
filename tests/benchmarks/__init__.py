"""Figures, each by a command: `python -m tests.benchmarks.NAME`. Not timed tests."""

import time


def reference() -> float:
    """Milliseconds that this machine takes for a fixed loop."""
    start = time.perf_counter()
    total = 0
    for i in range(1_000_000):
        total += i & 7
    return (time.perf_counter() - start) * 1000


def percentile(sorted_times: list[float], share: float) -> float:
    """The smallest time that `share` of all do not exceed."""
    return sorted_times[min(len(sorted_times) - 1, int(share * len(sorted_times)))]
