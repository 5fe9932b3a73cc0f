"""A board where nothing happens: `python -m tests.benchmarks.idle [SECONDS]`.

Processor time of the whole daemon, in per cent of a core, while a Pico at its port (our firmware in
MicroPython, in a process of its own that is not counted) says that it is there and nobody looks: as
a Pi spends most of an evening. Wanted: 0.5.
"""

import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks import reference
from tests.benchmarks.mpf import ROOT, Pico, ours, running
from tests.running import cpu_seconds

SETTLE_S, WANTED = 10.0, 0.5


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    twin = Pico().twin
    with (
        tempfile.TemporaryDirectory() as folder,
        twin,
        running(ours(ROOT), twin.port, Path(folder)) as (pid, *_),
    ):
        time.sleep(SETTLE_S)
        before, begun = cpu_seconds(pid), time.monotonic()
        time.sleep(seconds)
        share = 100 * (cpu_seconds(pid) - before) / (time.monotonic() - begun)
    print(f"idle: {share:.2f} % of a core (wanted {WANTED}); reference loop {reference():.1f} ms")
    sys.exit(share > WANTED)


if __name__ == "__main__":
    main()
