"""Tournaments whose files other programs wrote: what FIDE's format allows is understood."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from hexboard.commands.cli import main
from hexboard.daemon.hall.tournament import next_round, pairings, resulted
from hexboard.record.trf import Trf, parsed_trf, write_trf

ROUND_1 = ("   3 w 1", "   4 b 1", "   1 b 0", "   2 w 0")
"""Ann has beaten Cem, and Ben Dora: numbers 1 to 4."""


def line(number: int, name: str, points: float, *cells: str) -> str:
    """A player's line by FIDE's columns: name from 15, points from 81, rank from 86, rounds."""
    about = f"001 {number:>4} m    {name:<33} {2100 - number * 100:>4} GER".ljust(80)
    return f"{about}{points:4.1f} {number:>4}  " + "  ".join(cells)


def file(lines: tuple[str, ...], *players: str) -> Trf:
    return parsed_trf("\n".join([*lines, *players]), "it.trf")


def pairs(trf: Trf) -> list[tuple[str, str]]:
    """Who meets in the newest round, seats aside."""
    met = [(it.white.name, it.black.name) for it in pairings(trf, trf.paired) if it.black]
    return sorted((min(it), max(it)) for it in met)


@pytest.mark.parametrize(
    "lines",
    [
        ("092 Individual: Swiss-System",),
        (),
        ("092 Individual: Swiss-System (Dutch)", "192 FIDE_DUTCH_2026"),
        ("092 Individual: Swiss-System", "XXR 3"),
    ],
)
def test_nobody_meets_twice_where_the_file_counts_no_rounds(lines: tuple[str, ...]) -> None:
    """C.04.3, C1. After round 1 the two winners meet, and the two losers; then who has not yet."""
    names = ("Ann", "Ben", "Cem", "Dora")
    players = (
        line(n, *about) for n, about in enumerate(zip(names, (1, 1, 0, 0), ROUND_1, strict=True), 1)
    )
    trf = next_round(file(lines, *players), {})
    assert pairs(trf) == [("Ann", "Ben"), ("Cem", "Dora")]
    trf = resulted(resulted(trf, 2, 1, "1/2"), 2, 2, "1/2")
    assert pairs(next_round(trf, {})) == [("Ann", "Dora"), ("Ben", "Cem")]


def test_a_file_that_counts_no_rounds_is_shown_without_a_count(tmp_path: Path) -> None:
    players = (line(1, "Ann", 1, "   2 w 1"), line(2, "Ben", 0, "   1 b 0"))
    write_trf(tmp_path / "it.trf", "\n".join(players))
    done = CliRunner().invoke(main, ["tournament", "show", str(tmp_path / "it.trf")])
    assert done.output.splitlines()[0] == "Round 1"
