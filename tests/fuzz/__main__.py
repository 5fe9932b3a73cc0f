"""Feeds every parser with what nobody would send: `python -m tests.fuzz --minutes 60`.

Each input is one that was good, or that once brought something new, changed at a few places
(`tests.fuzz.mutation`). What a parser may do with it: take it, or refuse it in words, in less than
`--seconds` of work. Anything else is shown, kept in `--keep`, and ends the command with 1. An input
with an outcome that was not seen before joins those that are changed. What once was found lies in
`tests/fuzz/corpus` and is read again by `make test`.
"""

import argparse
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.fuzz.mutation import Mutations
from tests.fuzz.targets import Target, targets

HERE = Path(__file__).parents[2]
CORPUS = Path(__file__).parent / "corpus"
MEMORY_BYTES = 4 << 30
"""What a run may take."""
JOINED = 400
"""Inputs that may join the good ones of a target."""


class TooLong(BaseException):
    """It works and works. No parser catches it by chance."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raises `TooLong` after so many seconds of the processor's time."""

    def late(*_: object) -> None:
        raise TooLong(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def fault(target: Target, data: bytes, seconds: float) -> tuple[str, str]:
    """What came of it; and what was wrong, if anything was."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with bounded(seconds):
                return target.read(data), ""
    except KeyboardInterrupt:
        raise
    except BaseException:
        return "wrong", traceback.format_exc()


def fed(target: Target, until: float, asked: argparse.Namespace) -> int:
    """Feed one target so many rounds and so long; the number of faults, one of a kind."""
    mutations = Mutations(target.seeds, Random(f"{asked.seed} {target.name}"))
    outcomes = Counter[str]()
    found: dict[str, bytes] = {}
    done = 0
    while done < asked.rounds or time.monotonic() < until:
        data = mutations.one() if done >= len(target.seeds) else target.seeds[done]
        outcome, why = fault(target, data, asked.seconds)
        done += 1
        if why:
            kind = "\n".join(line for line in why.splitlines() if line.startswith("  File"))[-300:]
            if kind not in found:
                found[kind] = data
                path = asked.keep / target.name / sha256(data).hexdigest()[:16]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
                print(f"{target.name}: {path}\n{why}", flush=True)
        elif outcome not in outcomes and len(mutations.pool) < len(target.seeds) + JOINED:
            mutations.pool.append(data)
        outcomes[outcome] += 1
    kinds = f"{len(outcomes)} outcomes, {len(found)} faults"
    print(f"{target.name:26} {done:8} inputs, {kinds}", flush=True)
    return len(found)


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--minutes", type=float, default=0.0, help="for all parsers together")
    parser.add_argument("--rounds", type=int, default=300, help="inputs a parser at least")
    parser.add_argument("--only", default="", help="parsers whose names begin so, with commas")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10.0, help="that an input may take")
    parser.add_argument("--keep", type=Path, default=HERE / "build" / "fuzz")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """1 if a parser did what it may not, else 0."""
    asked = options().parse_args(arguments)
    with TemporaryDirectory(prefix="hexboard-fuzz-") as folder:
        chosen = [
            target
            for target in targets(Path(folder))
            if target.name.startswith(tuple(asked.only.split(",")))
        ]
        if not chosen:
            print(f"no parser is called {asked.only}", file=sys.stderr)
            return 2
        os.environ |= {"XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        share = asked.minutes * 60 / len(chosen)
        faults = 0
        for target in chosen:
            faults += fed(target, time.monotonic() + share, asked)
    print(f"{faults} faults")
    return min(faults, 1)


if __name__ == "__main__":
    raise SystemExit(main())
