"""Whether the tests are steady: `python -m tests.benchmarks.steady`.

Runs `make test` (`--runs`) and then `make test-long` (`--long`) many times in a row, every fourth
(`--load-every`) beside eight busy processes (of niceness `--nice`). Prints a line a run: how long
it took, how long the fixed loop of `reference` takes beside it (so that a slow machine is not taken
for slow tests), and which tests failed. Ends with status 1 where one did; what a failed run printed
is in `--keep`.
"""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks import reference

HERE = Path(__file__).parents[2]
BUSY = 8
"""Processes that keep the machine busy in a loaded run."""


def main(arguments: list[str] | None = None) -> int:
    """Run what was asked for; 1 if a run failed, else 0."""
    asked = options().parse_args(arguments)
    asked.keep.mkdir(parents=True, exist_ok=True)
    runs = ["test"] * asked.runs + ["test-long"] * asked.long
    failed = 0
    print("run  target     load  wall s  loop ms  result")
    for number, target in enumerate(runs, start=1):
        busy = BUSY if asked.load_every and number % asked.load_every == 0 else 0
        with load(busy, asked.nice):
            wall, loop, done = run(target)
        told = "green" if done.returncode == 0 else " ".join(failures(done.stdout)) or "no tests"
        print(f"{number:3}  {target:9}  {busy:4}  {wall:6.0f}  {loop:7.0f}  {told}", flush=True)
        if done.returncode:
            failed += 1
            (asked.keep / f"{number}-{target}.txt").write_text(done.stdout, "utf-8")
    print(f"{len(runs) - failed} of {len(runs)} runs were green")
    return min(failed, 1)


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.steady")
    parser.add_argument("--runs", type=int, default=20, help="of make test")
    parser.add_argument("--long", type=int, default=5, help="of make test-long")
    parser.add_argument("--load-every", type=int, default=4, help="0: never beside a load")
    parser.add_argument("--nice", type=int, default=0, help="niceness of the load")
    parser.add_argument("--keep", type=Path, default=HERE / "build" / "steady")
    return parser


@contextmanager
def load(count: int, nice: int) -> Iterator[None]:
    """So many processes that never wait, for a while."""
    code = f"import os\nos.nice({nice})\nwhile 1: pass"
    busy = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def run(target: str) -> tuple[float, float, subprocess.CompletedProcess[str]]:
    """One run of `make`: its seconds, the milliseconds of the fixed loop while it went on, and what
    came of it."""
    begun = time.monotonic()
    with subprocess.Popen(
        ["make", "--no-print-directory", target],
        cwd=HERE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as going:
        loop = reference()
        said, _ = going.communicate()
    done = subprocess.CompletedProcess(going.args, going.returncode, said)
    return time.monotonic() - begun, loop, done


def failures(said: str) -> list[str]:
    """The tests that failed, by what pytest printed."""
    return re.findall(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)


if __name__ == "__main__":
    sys.exit(main())
