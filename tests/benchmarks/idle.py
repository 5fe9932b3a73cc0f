"""A board where nothing happens: `python -m tests.benchmarks.idle [SECONDS]`.

Processor time of the daemon, in per cent of a core, while a simulated Pico (the real firmware, in a
process of its own that is not counted) says that it is there and nobody looks: as a Pi spends most
of an evening. Wanted: 0.5.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks import reference
from tests.running import Running

SETTLE_S, WANTED = 10.0, 0.5


def spent_s(pid: int) -> float:
    """Processor time that a process has used, s."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        board = Running(Path(folder) / "state", "--simulate", "--port", 0, home=home)
        time.sleep(SETTLE_S)
        before, begun = spent_s(board.pid), time.monotonic()
        time.sleep(seconds)
        share = 100 * (spent_s(board.pid) - before) / (time.monotonic() - begun)
        board.end()
    print(f"idle: {share:.2f} % of a core (wanted {WANTED}); reference loop {reference():.1f} ms")
    sys.exit(share > WANTED)


if __name__ == "__main__":
    main()
