"""docs/figures.md is what benchmarks measured, and nothing else."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.benchmarks import Row, figures


def test_the_page_is_what_was_measured() -> None:
    """`python -m tests.benchmarks.figures` writes it anew."""
    assert figures.PAGE.read_text("utf-8") == figures.page(figures.kept())


def test_every_benchmark_of_the_page_is_there_and_the_makefile_runs_no_other() -> None:
    assert all(find_spec(f"tests.benchmarks.{name}") for name in figures.TITLES)
    assert {*figures.kept()} <= {*figures.TITLES}
    (line,) = (
        line
        for line in (figures.PAGE.parents[1] / "Makefile").read_text("utf-8").splitlines()
        if line.startswith("BENCHMARKS = ")
    )
    assert {*line.split()[2:]} <= {*figures.TITLES}


def test_a_run_is_told_with_its_conditions_and_whether_each_wish_came_true() -> None:
    rows = (
        Row("steps/s", 1200.0, "peer", 800.0, 1.5, least=1.2),
        Row("steps/s of another", 3.0, "peer", 4.0, 0.75, least=1.0),
        Row("steps/s alone", 3.0, "peer", least=1.0),
        Row("p99, ms", 51.0, most=50.0),
        Row("lost", 0.0, most=0.0),
        Row("p50, ms", 3.14159),
    )
    run = figures.Run("a command", "2026-01-02", "a machine", 0.5, (24.0, 25.5), rows)
    page = figures.page({"phones": run})
    assert "`a command`, 2026-01-02: a machine; load 0.5 (not quiet), reference loop" in page
    table = page[page.index("| steps/s |") :].split("\n\n")[0].strip().splitlines()
    assert table == [
        "| steps/s | 1,200 | peer: 800 | 1.50 | at least 1.2 | reached |",
        "| steps/s of another | 3 | peer: 4 | 0.75 | at least 1 | **missed** |",
        "| steps/s alone | 3 | peer: not installed |  | at least 1 | not measured |",
        "| p99, ms | 51 |  |  | at most 50 | **missed** |",
        "| lost | 0 |  |  | at most 0 | reached |",
        "| p50, ms | 3.142 |  |  |  |  |",
    ]
    assert "Not measured yet: `python -m tests.benchmarks.figures mpf`." in page


def test_a_benchmark_that_is_none_is_said() -> None:
    before = figures.KEPT.read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.figures", "weather"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("weather is none of those on the page: mpf, ")
    assert figures.KEPT.read_bytes() == before
