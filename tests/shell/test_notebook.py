"""docs/archive.ipynb, run as people run it, on an archive whose figures were reckoned by hand."""

import os
import re
from glob import escape
from pathlib import Path
from typing import Any

import duckdb
import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from hexboard.board import find, load
from hexboard.facts import BARE, Declare, Reading, Sample
from hexboard.games.hextraction.simulator.evening import evening
from tests.running import hexboard
from tests.shell.test_archive_cli import MOVES, foreign, played, start

NOTEBOOK = Path(__file__).parents[2] / "docs" / "archive.ipynb"
AS_TEXT = """
%config InlineBackend.figure_formats = ["svg"]
import matplotlib
matplotlib.rcParams["svg.fonttype"] = "none"
"""
"""What makes of a plot a picture whose words can be read."""


def run(archive: Path) -> list[str]:
    """The plots that come of it, as SVG."""
    notebook: Any = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    notebook.cells.insert(0, nbformat.v4.new_code_cell(AS_TEXT))  # type: ignore[no-untyped-call]
    own = {**os.environ, "HEXBOARD_ARCHIVE": str(archive)}
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute(env=own)
    outputs = (it for cell in notebook.cells for it in cell.get("outputs", ()))
    return [it["data"]["image/svg+xml"] for it in outputs if "data" in it]


def words(plot: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", plot)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches that end as by hand, looks of a camera, an evening of balls, and two evenings
    of a sensor that missed 1 of 10, then 4 of 10, and of 5 rolls each over a tile U, of which 1,
    then 2 were asked about."""
    here = tmp_path_factory.mktemp("evenings")
    board = load(find("hexhex-5"))
    for name, last in (("first", "resign white"), ("second", "resign black"), ("third", "")):
        ends = [last] if last else ["draw black", "draw white"]
        played(
            here / name, name, [start(name, board), *(Declare(-1, it) for it in (*MOVES, *ends))]
        )
    looks = (
        Reading((((0, 0), (1, 5000)),) * 61, samples=(Sample(0, BARE, (10, -70, 5)),)),
        Reading(
            (((0, 0), (1, 5000)),) * 60 + (((0, 0), (1, 10)),),
            samples=(Sample(0, BARE, (-70, 0, 0)),),
        ),
    )
    played(here / "looks", "looks", [start("looks", board), *looks])
    evening(load(find("hextraction-22")), here / "balls", 5, 8, 1500, lambda turn: None)
    into = tmp_path_factory.mktemp("archive") / "it's [all] * of it"
    done = hexboard("archive", here, "-o", into, "--workers", 1)
    assert (done.returncode, done.stderr) == (0, "")
    for file in into.glob("*/recordings.parquet"):  # as an older hexboard wrote them
        whole = file.rename(file.with_suffix(".whole"))
        with duckdb.connect() as connection:
            parquet = connection.read_parquet(escape(str(whole)))
            parquet.project("* EXCLUDE (session, pico)").write_parquet(str(file))
    for day, missed in enumerate((1, 4), 1):
        (into / f"{day}").mkdir()
        with duckdb.connect() as connection:
            connection.sql(
                f"SELECT '{day}' AS recording, 'old' AS board, TIMESTAMP '2026-01-0{day}' AS begun"
            ).write_parquet(f"{into}/{day}/recordings.parquet")
            connection.sql(
                f"SELECT '{day}' AS recording, 'B1' AS sensor, {10 - missed} AS seen, "
                f"{missed} AS missed"
            ).write_parquet(f"{into}/{day}/sensors.parquet")
            connection.sql(
                f"SELECT '{day}' AS recording, roll, ['U/1', 'U/2'] AS pieces, "
                f"if(roll < {day}, 'table.where', NULL) AS asked FROM range(5) t(roll)"
            ).write_parquet(f"{into}/{day}/rolls.parquet")
    return into


@pytest.mark.long
def test_the_notebook_plots_what_is_in_an_archive(archive: Path) -> None:
    first, tiles, sensors, light = map(words, run(archive))
    assert {"Won by who moved first", "1 of 3"} <= {*first}
    assert {"old B1", "1 of 10", "4 of 10"} <= {*sensors}
    assert {"hexhex-5", "n = 2"} <= {*light}
    assert {"U", "3 of 10"} <= {*tiles}
    rolls = "SELECT count(*) FROM {rolls} WHERE list_contains(list_transform(pieces, "
    for name in [it for it in tiles if re.fullmatch("[A-Z]", it)][:3]:
        ((count,),) = foreign(archive, f"{rolls} lambda it: split_part(it, '/', 1)), '{name}')")
        assert any(it.endswith(f" of {count}") for it in tiles), name


@pytest.mark.long
def test_what_was_never_recorded_is_said_where_its_plot_would_be(tmp_path: Path) -> None:
    board = load(find("hexhex-5"))
    played(tmp_path / "in", "begun", [start("begun", board), Declare(-1, MOVES[0])])
    assert hexboard("archive", tmp_path / "in", "-o", tmp_path / "out").returncode == 0
    plots = run(tmp_path / "out")
    assert len(plots) == 4
    (tmp_path / "none").mkdir()
    with pytest.raises(
        CellExecutionError, match=r"There is no archive in .*none: hexboard archive"
    ):
        run(tmp_path / "none")
    assert all("nothing recorded of this" in words(plot) for plot in plots)


def test_the_notebook_is_kept_without_what_came_of_it() -> None:
    notebook: Any = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)
