"""Tournaments whose files other programs wrote: what FIDE's format allows is understood."""

from pathlib import Path

import pytest

from hexboard.daemon.hall.desk import shown
from hexboard.daemon.hall.tournament import (
    begun,
    closed,
    next_round,
    pairings,
    resulted,
    standings,
    text,
)
from hexboard.record.trf import HallOf, Trf, parsed_trf, write_trf
from hexboard.words.errors import BadText
from tests.cli import invoke

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
    done = invoke("tournament", "show", tmp_path / "it.trf")
    assert done.output.splitlines()[0] == "Round 1"


SWISS = ("092 Individual: Swiss-System (Dutch)", "142 3")
SIX = (
    (1, "Ann", 1, "   4 w 1"),
    (2, "Ben", 0, "   5 b 0"),
    (3, "Cem", 1, "   6 w 1"),
    (4, "Dora", 0, "   1 b 0"),
    (5, "Eva", 1, "   2 w 1"),
    (6, "Finn", 0, "   3 b 0"),
)
"""Round 1 of six, as the Dutch system pairs it but for seats: three winners, three losers."""


def alone(trf: Trf) -> dict[str, str]:
    """What who has nobody to meet in the newest round has for it."""
    return {it.white.name: it.results[0] for it in pairings(trf, trf.paired) if not it.black}


@pytest.mark.parametrize(("bye", "points"), [("H", 0.5), ("F", 1), ("Z", 0)])
def test_a_bye_that_is_announced_keeps_one_out_of_the_round_and_pairs_nobody_else(
    bye: str, points: float
) -> None:
    """By hand (C.04.3): of three winners Ann and Cem meet, Eva floats to Dora, Finn has the bye."""
    players = [line(*it, f"0000 - {bye}") if it[1] == "Ben" else line(*it) for it in SIX]
    trf = file(SWISS, *players)
    assert (trf.paired, closed(trf), len(pairings(trf, 1))) == (1, 1, 3)
    assert [it.points for it in standings(trf)] == [1, 1, 1, 0, 0, 0]  # round 2 is still to come
    trf = next_round(trf, {})
    assert (trf.paired, pairs(trf)) == (2, [("Ann", "Cem"), ("Dora", "Eva")])
    assert alone(trf) == {"Ben": bye, "Finn": "U"}
    trf = resulted(resulted(trf, 2, 1, "1/2"), 2, 2, "1/2")
    places = {it.name: it.points for it in standings(parsed_trf(text(trf), "it.trf"))}
    assert places == {"Ann": 1.5, "Ben": points, "Cem": 1.5, "Dora": 0.5, "Eva": 1.5, "Finn": 1}


def test_a_bye_for_round_1_comes_before_any_pairing_and_one_for_round_3_waits() -> None:
    """Of four 1 meets 3, and 2 meets 4 (C.04.3)."""
    names = ("Ann", "Ben", "Cem", "Dora")
    players = [line(n, name, 0) for n, name in enumerate(names, 1)]
    later = line(5, "Eva", 0, "0000 - H", "        ", "0000 - H")
    trf = file(SWISS, *players, later)
    assert trf.paired == closed(trf) == 0
    trf = next_round(trf, {})
    assert (trf.paired, pairs(trf)) == (1, [("Ann", "Cem"), ("Ben", "Dora")])
    assert alone(trf) == {"Eva": "H"}
    trf = next_round(resulted(resulted(trf, 1, 1, "1-0"), 1, 2, "1-0"), {})
    assert trf.paired == 2
    assert trf.player(5).cell(2).opponent
    assert trf.player(5).cell(3).result == "H"


def test_nobody_is_paired_where_all_but_one_have_a_bye() -> None:
    players = [line(*it, *(["0000 - H"] if it[0] > 1 else [])) for it in SIX]
    with pytest.raises(BadText, match="Fewer than two people are left"):
        next_round(file(SWISS, *players), {})


@pytest.mark.parametrize(
    ("said", "bye", "points"),
    [("240 H 002    2", "H", 0.5), ("240 F 002    2", "F", 1), ("240   002    2", "Z", 0)],
)
def test_a_bye_in_a_line_of_its_own_is_worth_what_it_says(
    said: str, bye: str, points: float
) -> None:
    """TRF-2026, record 240: H half a point, F a full one, blank none."""
    trf = file((*SWISS, said), *(line(*it) for it in SIX))
    trf = next_round(trf, {})
    assert pairs(trf) == [("Ann", "Cem"), ("Dora", "Eva")]
    assert alone(trf) == {"Ben": bye, "Finn": "U"}
    trf = resulted(resulted(trf, 2, 1, "1-0"), 2, 2, "1-0")
    trf = parsed_trf(text(trf), "it.trf")
    assert {it.name: it.points for it in standings(trf)}["Ben"] == points
    assert next_round(trf, {}).player(2).cell(3).opponent  # of round 2 alone


def shown_of(path: Path, trf: Trf) -> list[str]:
    """What `show` says of who meets nobody in the newest round."""
    write_trf(path / "it.trf", text(trf))
    done = invoke("tournament", "show", path / "it.trf")
    return [it.strip() for it in done.output.partition("\n\n")[0].splitlines() if it[:5] == " " * 5]


def test_byes_of_two_kinds_and_of_several_people_are_told_apart(tmp_path: Path) -> None:
    byes = ("240 H 002    2    3", "240 F 002    6", "240 H 003    1")
    trf = next_round(file((*SWISS, *byes), *(line(*it) for it in SIX)), {})
    assert alone(trf) == {"Ben": "H", "Cem": "H", "Finn": "F", "Dora": "U"}  # 1-5 alone are left
    assert shown_of(tmp_path, trf) == [
        "Ben has a half-point bye",
        "Cem has a half-point bye",
        "Dora has nobody to meet (bye)",
        "Finn has a full-point bye",
    ]
    told = shown(trf, standings(trf))
    assert (told["byes"], told["half_byes"]) == (["Dora"], ["Ben", "Cem"])
    assert (told["full_byes"], told["absent"]) == (["Finn"], [])


def test_who_rests_in_a_round_robin_is_not_away(tmp_path: Path) -> None:
    """C.05, Annex 1, of three: 1 meets 4, who is nobody; 2 meets 3."""
    robin = begun("Evening", ("Ann", "Ben", "Cem"), None, True, HallOf(), "2026/11/28")
    trf = next_round(robin, {})
    assert shown_of(tmp_path, trf) == ["Ann has nobody to meet"]
    told = shown(trf, standings(trf))
    assert (told["rests"], told["absent"], told["byes"]) == (["Ann"], [], [])


def test_a_game_that_is_open_counts_nothing() -> None:
    """TRF-2026, record 162: A is for who did not come. Nobody has played yet."""
    players = (line(n, name, 0.0, "") for n, name, *_ in SIX[:4])
    trf = next_round(file((*SWISS, "162  W 3.0    D 1.0    L 0.0    A 1.0    P 3.0"), *players), {})
    assert [trf.points(it) for it in trf.players] == [0.0] * 4


@pytest.mark.parametrize(
    ("system", "points"),
    [
        ("162  W 3.0    D 1.0    L 0.0", {"Ann": 4, "Ben": 1, "Cem": 4, "Dora": 3, "Finn": 3}),
        (
            "162  W 3.0    D 1.0    L 0.0    A 0.0    P 1.0",
            {"Ann": 4, "Ben": 1, "Cem": 4, "Dora": 3, "Finn": 1},
        ),
        (
            "162  W 2.0    D 1.0    L 0.5    A 0.0    P 1.0",
            {"Ann": 3, "Ben": 1.5, "Cem": 3, "Dora": 2.5, "Finn": 1.5, "Eva": 2.5},
        ),
    ],
)
def test_points_are_counted_as_the_file_says(system: str, points: dict[str, float]) -> None:
    """TRF-2026, record 162: W win, D draw, L loss, A absence, P the bye of who is left over; a
    half-point bye is worth a draw. Round 2: Ann and Cem draw, Dora beats Eva, Finn has the bye."""
    win, loss = (3.0, 0.0) if "W 3.0" in system else (2.0, 0.5)
    players = (line(n, name, win if at else loss, cell) for n, name, at, cell in SIX)
    trf = file((*SWISS, system, "240 H 002    2"), *players)
    assert [it.points for it in standings(trf)] == [win] * 3 + [loss] * 3
    trf = next_round(trf, {})
    met = {it.table: (it.white.name, it.black.name) for it in pairings(trf, 2) if it.black}
    for table, names in met.items():
        won = "1-0" if names[0] == "Dora" else "0-1"
        trf = resulted(trf, 2, table, won if "Dora" in names else "1/2")
    trf = parsed_trf(text(trf), "it.trf")
    assert {it.name: it.points for it in standings(trf)} == {"Eva": 3} | points
    lines = (it for it in text(trf).splitlines() if it[:3] == "001")
    assert {it[14:47].strip(): float(it[80:84]) for it in lines} == {"Eva": 3} | points
