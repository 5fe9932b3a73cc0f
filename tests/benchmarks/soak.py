"""A long evening full of faults: `python -m tests.benchmarks.soak [--hours 12] [--speed 20]`.

One process of `hexboard run --simulate` in which moves are made one after the other, without a
pause, so many times faster than real balls roll (12 hours are then 36 minutes). After every few
moves one of the faults of `tests.benchmarks.faults` comes that a process outlives: a Pico that dies
or hangs, a full or slow disk, a folder that goes away, no descriptors, a flood. Prints for each
hour the facts that came, memory, descriptors and threads of the process, and what lies on the disk.

Ends with status 1 where memory grew by more than 5 % after the first hour, descriptors or threads
became more, there are other files than those of its matches and journals, or a fault had another
outcome than declared.
"""

import argparse
import os
import random
import re
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path
from urllib.request import Request, urlopen

from msgspec import Struct

from tests.benchmarks.faults import FAULTS, GAMES, WIRED, Evening
from tests.running import Page, Running

HOUR_S = 3600
MOVES = 20
"""Between two faults."""
MORE = 1.05
"""So many times the first hour's memory may be in use later."""
SPARE = 4
"""Descriptors and threads that a page has which just comes or goes."""
ENDS = ("killed", "memory-short", *WIRED)
"""What a process may not outlive, or wants a Pico of its own."""
OWN = 12
"""Files beside those of matches: journals, their backups and WAL, keys, link."""
FACTS = re.compile(r"^hexboard_facts_total\S* (\S+)$", re.MULTILINE)


class Hour(Struct, frozen=True):
    """How the process stood."""

    facts: int
    memory: int
    descriptors: int
    threads: int
    files: int
    size: int


def stands(running: Running) -> Hour:
    asked = Request(f"{running.origin}/metrics", headers={"Cookie": running.cookie})
    with urlopen(asked) as told:
        facts = sum(float(n) for n in FACTS.findall(told.read().decode()))
    own = Path(f"/proc/{running.pid}")
    resident = int((own / "statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    files = [path for path in running.folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    fds, threads = (len(list((own / name).iterdir())) for name in ("fd", "task"))
    return Hour(round(facts), resident, fds, threads, len(files), size)


def played(
    at: Evening, running: Running, page: Page, hours: int, speed: float
) -> tuple[list[Hour], int]:
    """What stood at the end of each hour, and how many faults there were."""
    found: list[Hour] = []
    begun, faults, count = time.monotonic(), cycle([name for name in FAULTS if name not in ENDS]), 0
    print("hour     facts  faults   memory  descriptors  threads  files   on disk")
    while len(found) < hours:
        for _ in range(MOVES):
            at.move(page)
        name = next(faults)
        at.shown(page)  # where a new game is due it begins before
        at.acknowledged(page)
        try:
            FAULTS[name][0](at, running, page)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
        count += 1
        if time.monotonic() - begun >= (len(found) + 1) * HOUR_S / speed:
            now = stands(running)
            found.append(now)
            print(
                f"{len(found):4} {now.facts:9} {count:7} {now.memory / 1e6:6.1f} MB"
                f" {now.descriptors:10} {now.threads:8} {now.files:6} {now.size / 1e6:6.1f} MB",
                flush=True,
            )
    return found, count


def wrong(found: list[Hour], matches: int) -> list[str]:
    """What was not flat."""
    first, later = found[0], found[1:]
    grown = max((hour.memory for hour in later), default=0) / first.memory
    said = [f"memory {grown:.2f} of the first hour's"] if grown > MORE else []
    if any(hour.descriptors > first.descriptors + SPARE for hour in later):
        said.append("more descriptors")
    if any(hour.threads > first.threads + SPARE for hour in later):
        said.append("more threads")
    if found[-1].files > 3 * matches + OWN:
        said.append(f"{found[-1].files} files of {matches} matches")
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=int, default=12)
    parser.add_argument("--speed", type=float, default=20)
    parser.add_argument("--game", choices=GAMES, default="hextraction")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder), asked.game, random.Random(asked.seed))
        try:
            with evening.begun() as (running, page):
                found, faults = played(evening, running, page, asked.hours, asked.speed)
                matches = len({path.name[:20] for path in running.recordings()})
        except AssertionError as error:
            crashes = [path.read_text("utf-8") for path in Path(folder).rglob("*.crash.txt")]
            sys.exit("\n".join((f"another outcome than declared: {str(error)[:2000]}", *crashes)))
    said = wrong(found, matches)
    print(f"{matches} matches, {faults} faults; {'; '.join(said) or 'flat'}")
    sys.exit(bool(said))


if __name__ == "__main__":
    main()
