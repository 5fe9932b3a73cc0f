"""Simulated evenings: `python -m tests.simulation [--evenings N | --minutes M] [--seed N]`.

Each is made of its seed alone: a failure is this seed and the commit, and the same command plays it
again. `--bug NAME` plants a bug first, `--bugs` looks how soon each of them is found. Ends with
status 1 where an invariant is broken, or a planted bug not found.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count

SOONEST = 500
"""In so many evenings each planted bug is to be found."""


def main() -> None:
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets is a part of an evening
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, (sys.executable, "-m", "tests.simulation", *sys.argv[1:]))
    from tests.simulation.bugs import BUGS

    parser = argparse.ArgumentParser(prog="tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first evening's")
    parser.add_argument("--evenings", type=int, default=0, help="so many (default: one)")
    parser.add_argument("--minutes", type=float, default=0.0, help="as many as go into these")
    parser.add_argument("--bug", choices=BUGS, help="plant this bug first")
    parser.add_argument("--bugs", nargs="*", choices=BUGS, help="how soon each (of these) shows")
    asked = parser.parse_args()
    if asked.bugs is not None:
        sys.exit(_bugs(asked.seed, asked.bugs or list(BUGS)))
    planted = BUGS[asked.bug].planted() if asked.bug else contextlib.nullcontext()
    with planted:
        sys.exit(_play(asked.seed, asked.evenings, asked.minutes))


def _seeds(first: int, evenings: int, minutes: float) -> Iterator[int]:
    end = time.monotonic() + 60 * minutes
    for number, seed in enumerate(count(first)):
        if number >= (evenings or 1) and (evenings or time.monotonic() >= end):
            return
        yield seed


def _play(first: int, evenings: int, minutes: float) -> int:
    """Play evenings, say what is broken; the exit status."""
    from tests.simulation.evening import Evening

    began, played, moves, simulated = time.monotonic(), 0, 0, 0.0
    faults: Counter[str] = Counter()
    broken: list[int] = []
    for seed in _seeds(first, evenings, minutes):
        it = Evening(seed).play()
        played, moves, simulated = played + 1, moves + it.moves, simulated + it.seconds
        faults.update((*it.ends, *it.faults))
        faults.update(it.counts)
        if it.broken or not (evenings or minutes):
            print(f"seed {seed}: {it.broken or 'all holds'}\n{_told(it)}", flush=True)
        if it.broken:
            broken.append(seed)
    took = time.monotonic() - began
    an_hour = round(3600 * played / took)
    print(f"{played} evenings, {simulated / 3600:.1f} simulated hours, {moves} entries kept")
    print(f"{took:.0f} s, {an_hour} evenings an hour; {len(broken)} broken {broken[:20]}")
    print(", ".join(f"{what} {often}" for what, often in sorted(faults.items())))
    for seed in broken[:3]:
        print(f"again: git checkout {_commit()} && python -m tests.simulation --seed {seed}")
    return 1 if broken else 0


def _told(it: object) -> str:
    return f"    {it}"


def _commit() -> str:
    command = ("git", "rev-parse", "--short", "HEAD")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "?"


def _bugs(first: int, names: list[str]) -> int:
    """Plant each bug, play until it shows; the exit status."""
    from tests.simulation.bugs import BUGS
    from tests.simulation.evening import Evening

    missed = 0
    for name in names:
        with BUGS[name].planted():
            for number, seed in enumerate(range(first, first + SOONEST), 1):
                if what := Evening(seed).play().broken:
                    print(f"{name}: found in evening {number} (seed {seed}): {what[:150]}")
                    break
            else:
                missed += 1
                print(f"{name}: not found in {SOONEST} evenings")
        sys.stdout.flush()
    return 1 if missed else 0


if __name__ == "__main__":
    main()
