"""What a second worker is worth to an archive: `python -m tests.benchmarks.archive [TURNS]`.

Plays four seeded evenings of TURNS (300) turns each, archives them by one worker and by two, each
into a new folder, and prints the seconds of the whole command, start and end as well, how many
times as fast two are, what of the processor each took, and what that comes to on two cores that do
nothing else. Then a ready question is asked of the same four, and of 1,000 recordings (copies of
one of them). Beside it: the reference loop and what else the machine does.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from hexboard.board import find, load
from hexboard.games.hextraction.simulator.evening import evening
from tests.benchmarks import measured, reference
from tests.running import cpu_seconds

EVENINGS = 4
MANY = 1000


def timed(*words: object) -> tuple[float, float, float]:
    """Wall seconds of a command of hexboard; those of the processor, its workers' with it; and of
    these as many as come one after the other: its own and its busiest worker's."""
    before, begun, busy = _of_children(), time.monotonic(), dict[int, float]()
    with subprocess.Popen(
        [sys.executable, "-m", "hexboard", *map(str, words)], stdout=subprocess.DEVNULL
    ) as run:
        while run.poll() is None:
            for pid in children(run.pid):
                with suppress(OSError, IndexError):
                    busy[pid] = cpu_seconds(pid)
            time.sleep(0.05)
    wall, spent = time.monotonic() - begun, _of_children() - before
    assert run.returncode == 0
    return wall, spent, spent - sum(busy.values()) + max(busy.values(), default=0.0)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    with suppress(OSError):
        return [int(child) for path in listed for child in path.read_text().split()]
    return []


def _of_children() -> float:
    """Seconds of the processor of all that has ended of what this process began."""
    used = os.times()
    return used.children_user + used.children_system


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    board = load(find("hextraction-22"))
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        for seed in range(EVENINGS):
            told = evening(board, here / f"in/{seed}", 20 + seed, turns, 1500, lambda turn: None)
        print(f"{EVENINGS} evenings of {turns} turns, such as {told.edges} edges")
        one, cpu_one, _ = timed("archive", here / "in", "-o", here / "1", "--workers", 1)
        two, cpu_two, least = timed("archive", here / "in", "-o", here / "2", "--workers", 2)
        print(f"one worker {one:.1f} s, two {two:.1f} s: {one / two:.2f} times as fast")
        print(
            f"of the processor {cpu_one:.1f} and {cpu_two:.1f} s; of that {least:.1f} s one after"
        )
        print(f"the other: two cores that do nothing else are {cpu_one / least:.2f} times as fast")
        times_as_fast = one / two
        measured("two workers, times as fast as one", times_as_fast, least=1.8)
        measured("the same on two cores that do nothing else, reckoned", cpu_one / least, least=1.8)
        few, *_ = timed("ask", "asking-tiles", "--archive", here / "2")
        first = min(path for path in (here / "2").iterdir())
        for copy in range(MANY):
            shutil.copytree(first, here / "many" / f"{copy:016x}")
        many, *_ = timed("ask", "asking-tiles", "--archive", here / "many")
        print(f"a question of {EVENINGS} recordings {few:.2f} s, of {MANY} {many:.2f} s")
        measured(f"a question of {MANY} recordings, s", many, most=2)
    load_1, load_5, _ = os.getloadavg()
    cores = len(os.sched_getaffinity(0))
    print(f"{cores} cores, load {load_1:.1f} and {load_5:.1f}; reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()
