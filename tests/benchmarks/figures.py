"""docs/figures.md, from what benchmarks measured: `python -m tests.benchmarks.figures [NAME …]`.

With a NAME that benchmark is run, with the arguments behind it, and what it says by `measured`
takes the place of what it said last, in `figures.json`, with its command, day and machine. The page
is made of that file alone. One that ends with a sentence (a count that is wrong) is not kept.
"""

import importlib
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.benchmarks import Row, reference, rows

PAGE = Path(__file__).parents[2] / "docs" / "figures.md"
KEPT = Path(__file__).with_name("figures.json")
QUIET = 0.3
"""Load below which a machine is called quiet."""
TITLES = {
    "mpf": "The whole daemon beside Mission Pinball Framework",
    "edge_to_light": "From an edge to its light, through the link alone",
    "ball_to_light": "From a beam to its light, through the whole daemon",
    "longest": "The longest step of a table",
    "hexalma": "HexAlma beside python-chess",
    "bad_santa": "Bad Santa beside OpenSpiel",
    "hexel": "Hex'el beside python-chess and OpenSpiel",
    "vision_naive": "The camera's reader beside a naive one",
    "phones": "States for many phones, beside a loop of the library alone",
    "replay": "Replay of a long evening",
    "restart": "A restart in a long match",
    "pythons": "Replay on all Pythons of this machine",
    "archive": "An archive by two workers beside one",
    "clock": "The device's clock",
    "noise": "Edges over a bad wire",
}
"""The benchmarks that are on the page, in its order."""
HEAD = """# Figures

What was measured, each by the command above its table: ours, a peer's in the same run, and what
is wanted. `make bench` runs what needs no more than a checkout and a few minutes; a peer that was
not installed is named. OpenSpiel comes with a checkout's tests, python-chess with
`pip install -e '.[bench]'`; Mission Pinball Framework needs a Python of its own (`make bench
MPF=PYTHON`).

A ratio is ours to the peer's, of several rounds the median: it alone can be compared between
machines. *Wanted* is said of the ratio; where there is none, of ours. The reference loop is a fixed
loop of Python (`tests.benchmarks.reference`) before and after; the load is what else ran when it
began, and below {quiet} the machine is called quiet.

`python -m tests.benchmarks.figures` writes this page, from `tests/benchmarks/figures.json`.
"""


class Run(Struct, frozen=True):
    """What one benchmark said last, and where."""

    command: str
    day: str
    machine: str
    load: float
    """Of the minute before it."""
    loop_ms: tuple[float, float]
    """The reference loop before and after."""
    rows: tuple[Row, ...]


def kept() -> dict[str, Run]:
    return msgspec.json.decode(KEPT.read_bytes(), type=dict[str, Run])


def machine() -> str:
    """The processor's name, its cores, and this Python."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.is_file() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    cores = len(os.sched_getaffinity(0))
    return f"{name}, {cores} cores, Python {platform.python_version()}"


def run(name: str, arguments: list[str]) -> int:
    """Run a benchmark and keep what it says; its status."""
    if name not in TITLES:
        sys.exit(f"{name} is none of those on the page: {', '.join(TITLES)}.")
    benchmark = importlib.import_module(f"tests.benchmarks.{name}")
    load, before, status = os.getloadavg()[0], reference(), 0
    sys.argv = [name, *arguments]
    try:
        benchmark.main()
    except SystemExit as end:
        if isinstance(end.code, str):
            raise
        status = int(end.code or 0)
    if not rows:
        sys.exit(f"{name} has measured nothing that belongs on the page.")
    loops = round(before, 1), round(reference(), 1)
    shown = ("PATH" if it.startswith("/") else it for it in arguments)
    command = " ".join(("python -m tests.benchmarks.figures", name, *shown))
    day = datetime.now(UTC).date().isoformat()
    found = Run(command, day, machine(), round(load, 1), loops, tuple(map(_short, rows)))
    text = msgspec.json.encode({**kept(), name: found}, order="sorted")
    KEPT.write_bytes(msgspec.json.format(text, indent=1) + b"\n")
    return status


def _short(row: Row) -> Row:
    """With no more figures than mean something."""

    def short(value: float | None) -> float | None:
        return None if value is None else float(f"{value:.4g}")

    ours = float(f"{row.ours:.4g}")
    return msgspec.structs.replace(row, ours=ours, theirs=short(row.theirs), ratio=short(row.ratio))


def page(runs: dict[str, Run]) -> str:
    parts = [HEAD.format(quiet=QUIET)]
    for name, title in TITLES.items():
        told = _told(runs[name]) if name in runs else _unmeasured(name)
        parts.append(f"## {title}\n\n{told}")
    return "\n".join(parts)


def _unmeasured(name: str) -> str:
    return f"Not measured yet: `python -m tests.benchmarks.figures {name}`.\n"


def _told(run: Run) -> str:
    quiet = "quiet" if run.load < QUIET else "not quiet"
    before, after = run.loop_ms
    lines = [
        f"`{run.command}`, {run.day}: {run.machine}; load {run.load} ({quiet}), reference loop",
        f"{before} and {after} ms.",
        "",
        "| | ours | peer | ratio | wanted | |",
        "|---|---|---|---|---|---|",
        *(_line(row) for row in run.rows),
    ]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    cells = [row.what, _number(row.ours), "", "", "", ""]
    if row.peer:
        theirs = "not installed" if row.theirs is None else _number(row.theirs)
        cells[2] = f"{row.peer}: {theirs}"
    if row.ratio is not None:
        cells[3] = f"{row.ratio:.2f}"
    if row.least is not None or row.most is not None:
        bounds = (("at least", row.least), ("at most", row.most))
        cells[4] = " and ".join(f"{word} {_number(it)}" for word, it in bounds if it is not None)
        cells[5] = _verdict(row)
    return f"| {' | '.join(cells)} |"


def _verdict(row: Row) -> str:
    value = row.ratio if row.peer else row.ours
    if value is None:
        return "not measured"
    high = row.least is None or value >= row.least
    low = row.most is None or value <= row.most
    return "reached" if high and low else "**missed**"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def main() -> None:
    status = run(sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else 0
    PAGE.write_text(page(kept()), "utf-8")
    sys.exit(status)


if __name__ == "__main__":
    main()
