"""How long importing a game takes: `python -m tests.benchmarks.imports [RUNS]`.

Processor time of a new interpreter that imports one game's module, less that of one that imports
nothing; the quickest of several runs, taken in turn. Modules are compiled before, as those of an
installed program are. Wanted: under 60 ms each.
"""

import os
import subprocess
import sys
import tempfile
from importlib.metadata import entry_points
from resource import RUSAGE_CHILDREN, getrusage

from tests.benchmarks import reference

WANTED = 60.0


def spent(code: str, compiled: str) -> float:
    """Milliseconds of processor time that a new interpreter takes for this; what it compiles is
    kept in a folder."""
    keeps = {key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    keeps["PYTHONPYCACHEPREFIX"] = compiled
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env=keeps)
    after = getrusage(RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    games = {entry.name: entry.value for entry in entry_points(group="hexboard.games")}
    codes = {"": "pass"} | {name: f"import {module}" for name, module in sorted(games.items())}
    best = dict.fromkeys(codes, float("inf"))
    with tempfile.TemporaryDirectory() as compiled:
        for _ in range(runs):
            for name, code in codes.items():
                best[name] = min(best[name], spent(code, compiled))
    bare = best.pop("")
    print(f"a bare interpreter takes {bare:.0f} ms")
    for name, took in best.items():
        verdict = "reached" if took - bare < WANTED else "MISSED"
        print(f"{name:18} {took - bare:4.0f} ms more (wanted under {WANTED:.0f}: {verdict})")
    print(f"reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()
