"""Figures, each by a command: `python -m tests.benchmarks.NAME`. Not timed tests.

What belongs on docs/figures.md a benchmark says by `measured`; `tests.benchmarks.figures NAME` runs
it and keeps that.
"""

import time

from msgspec import Struct


class Row(Struct, frozen=True, omit_defaults=True):
    """One measured thing, beside a peer's where there is one."""

    what: str
    """With its unit."""
    ours: float
    peer: str = ""
    theirs: float | None = None
    """None for a peer that was not there."""
    ratio: float | None = None
    """Ours to theirs in one run; of several rounds the median."""
    least: float | None = None
    """What is wanted of the ratio; of ours, where there is no peer."""
    most: float | None = None


rows: list[Row] = []
"""What was measured since this process began."""


def measured(
    what: str,
    ours: float,
    peer: str = "",
    theirs: float | None = None,
    *,
    ratio: float | None = None,
    least: float | None = None,
    most: float | None = None,
) -> None:
    """Say a figure for docs/figures.md. The ratio is that of the two, where no better is known."""
    if ratio is None and theirs:
        ratio = ours / theirs
    rows.append(Row(what, ours, peer, theirs, ratio, least, most))


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
