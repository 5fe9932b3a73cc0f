"""How well the device's clock is known: `python -m tests.benchmarks.clock [SEEDS]`.

A device that runs 100 ppm fast or slow, pings as the session sends them, up to 2 ms of jitter on a
round trip (any share of it on the way there), and now and then a spike of 30 ms. The error is that
of the board time of stamps between pings.
"""

import random
import sys

from hexboard.devices.clock import Clock
from hexboard.devices.session import FIRST_PINGS_NS, PING_EVERY_NS
from hexboard.facts import MS
from tests.benchmarks import measured, percentile, reference

SETTLED = 10_000 * MS


def errors(seed: int, seconds: int = 40) -> list[tuple[int, float]]:
    """(ns since the first ping, error in ms) of a clock under one device."""
    chance = random.Random(seed)
    drift = chance.choice((-100, 100))  # ppm: that many µs a second
    there_share = chance.random()
    clock, start, found = Clock(), 10**12, []

    def device(at: int) -> int:
        """The device's microseconds at `at`."""
        return (at - start) * (1_000_000 + drift) // 1_000_000_000

    at, count = start, 0
    while at < start + seconds * 1000 * MS:
        there, back = (
            150_000 + int(chance.random() * 2 * MS * share) + spike(chance)
            for share in (there_share, 1 - there_share)
        )
        clock.echo(at, device(at + there), at + there + back)
        due = at + (FIRST_PINGS_NS if count < 8 else PING_EVERY_NS)
        known = at + there + back
        for moment in sorted(chance.randrange(known, max(due, known + 1)) for _ in range(3)):
            reckoned = clock.board_ns(device(moment), moment + 50 * MS)
            found.append((moment - start, abs(reckoned - moment) / MS))
        at, count = max(due, known), count + 1
    return found


def spike(chance: random.Random) -> int:
    """One way in twenty takes up to 30 ms more."""
    return chance.randrange(30 * MS) if chance.random() < 0.05 else 0


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    found = [one for seed in range(seeds) for one in errors(seed)]
    for name, first, last in (("first 10 s", 0, SETTLED), ("after 10 s", SETTLED, 1 << 62)):
        times = sorted(error for at, error in found if first <= at < last)
        measured(f"error, {name}, p99, ms", percentile(times, 0.99))
        print(
            f"clock error, 100 ppm and 2 ms of jitter, {name}: p50 {percentile(times, 0.5):.3f} ms"
            f"  p99 {percentile(times, 0.99):.3f} ms  max {times[-1]:.3f} ms  ({seeds} seeds)"
        )
    print(f"reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()
