"""Tournaments: who meets whom, what came of it, who leads; held against foreign programs.

The files of `tournaments/` were written by FIDE's tie-break server (`gacrux` 1.11.65); each of their
rounds is paired, seats and all, as py4swiss 0.3.1 (bbpPairings' algorithm) pairs it.
"""

from pathlib import Path

import pytest
from caissify_pairings.fpc import check_trf
from caissify_pairings.trf import TRFParser
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tiebreak_core import GameRecord, PlayerTiebreakData, calculate_all_strict

from hexboard.daemon.hall.tournament import (
    BoardMark,
    HallStory,
    begun,
    closed,
    found,
    leaving,
    next_round,
    pairings,
    placed,
    resulted,
    settled,
    standings,
    text,
)
from hexboard.record.trf import HallOf, Trf, parsed_trf, read_trf
from hexboard.words.errors import BadFile, BadText

KEPT = sorted((Path(__file__).parent / "tournaments").glob("*.trf"))
NAMES = ("Ann", "Ben", "Cem", "Dora Straße", "Eva", "Finn", "Gül", "Hao", "Ida", "Jan", "Kim")
HALL = HallOf("hexalma", ("one", "two"))
MARKS = {"one": BoardMark(10, 30), "two": BoardMark(5, 30)}


def made(count: int, rounds: int | None = None, robin: bool = False) -> Trf:
    return begun("Evening", NAMES[:count], rounds, robin, HALL, "2026/11/28")


def seats(trf: Trf, round: int) -> list[tuple[int, int]]:
    """Who meets in a round, by number, whoever is at which table; 0 for nobody."""
    met = pairings(trf, round)
    return sorted((it.white.number, it.black.number if it.black else 0) for it in met)


def played(trf: Trf, *said: str) -> Trf:
    """The newest round with these results, by table."""
    for table, result in enumerate(said, 1):
        trf = resulted(trf, trf.paired, table, result)
    return trf


# ------------------------------------------------------------------------------------ pairings


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_each_round_is_paired_as_two_foreign_programs_pair_it(file: Path) -> None:
    whole = read_trf(file)
    assert whole.paired >= 5
    for round in range(1, whole.paired + 1):
        players = tuple(replace(it, cells=it.cells[: round - 1]) for it in whole.players)
        paired = next_round(replace(whole, players=players), {})
        assert seats(paired, round) == seats(whole, round)


TABLES = {  # FIDE Handbook C.05, Annex 1, for 3 or 4 and 5 or 6
    4: ("1-4 2-3", "4-3 1-2", "2-4 3-1"),
    6: (
        "1-6 2-5 3-4",
        "6-4 5-3 1-2",
        "2-6 3-1 4-5",
        "6-5 1-4 2-3",
        "3-6 4-2 5-1",
    ),
}


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_everybody_meets_everybody_by_fides_tables(count: int) -> None:
    trf = made(count, robin=True)
    table = TABLES[count + count % 2]
    assert trf.rounds == len(table)
    for said in table:
        pairs = [tuple(map(int, pair.split("-"))) for pair in said.split()]
        met = [pair for pair in pairs if count >= max(pair)]
        trf = next_round(trf, {})
        assert [it for it in seats(trf, trf.paired) if it[1]] == sorted(met)
        trf = played(trf, *["1/2"] * len(met))
    with pytest.raises(BadText, match=r"All \d rounds are played\."):
        next_round(trf, {})
    assert {it.points for it in standings(trf)} == {(count - 1) / 2}


ENTERED = st.sampled_from(["1-0", "0-1", "1/2", "1-0", "0-1", "+-", "-+", "--"])
EVENINGS = st.tuples(
    st.integers(4, 11),
    st.lists(st.tuples(st.integers(1, 40), st.lists(ENTERED, min_size=5, max_size=5)), min_size=1, max_size=6),
)
"""How many play; and for each round who leaves or is back, if that is somebody, and results."""
Evening = tuple[int, list[tuple[int, list[str]]]]


def evening(of: Evening) -> Trf:
    count, rounds = of
    trf = made(count, max(1, min(len(rounds), count - 1)))
    for leaves, said in rounds[: trf.rounds]:
        if leaves <= count:
            trf = leaving(trf, leaves, back=leaves in trf.away)
        try:
            trf = next_round(trf, {})
        except BadText:  # too few are left who have not met: that is said
            break
        met = [it for it in pairings(trf, trf.paired) if it.black]
        trf = played(trf, *said[: len(met)])
    return trf


@settings(deadline=None, max_examples=60)
@given(EVENINGS)
def test_nobody_meets_twice_and_everybody_plays_or_has_one_bye(of: Evening) -> None:
    trf = evening(of)
    for it in trf.players:
        met = [cell.opponent for cell in it.cells if cell.result in "10=" and cell.opponent]
        assert len(set(met)) == len(met)
        assert [cell.result for cell in it.cells].count("U") <= 1
        assert len(it.cells) == trf.paired
        assert it.number not in met
    assert parsed_trf(text(trf), "it") == trf
    assert closed(trf) == trf.paired


@settings(deadline=None, max_examples=30)
@given(EVENINGS)
def test_foreign_programs_read_the_file_and_agree_on_who_meets(of: Evening) -> None:
    trf = evening(of)
    theirs = TRFParser(text(trf)).parse()
    assert theirs["tournament"]["total_rounds"] == trf.rounds
    for it, read in zip(trf.players, theirs["players"], strict=True):
        assert (it.name, it.points) == (read["name"], read["score"])
        for round, cell in enumerate(it.cells, 1):
            assert read["results"][round]["opponent"] == (cell.opponent or None)
            assert read["results"][round]["result"] == cell.result
    for round in check_trf(text(trf))["rounds"]:
        ours, checked = round["trf_pairings"], round["engine_pairings"]
        assert {_two(it) for it in ours} == {_two(it) for it in checked}


def _two(pair: dict[str, int]) -> frozenset[int]:
    return frozenset((pair["white"], pair["black"] or 0))


# ------------------------------------------------------------------------------------ places


def test_places_of_a_small_round_robin_are_as_counted_by_hand() -> None:
    trf = made(4, robin=True)
    for said in (("1-0", "1/2"), ("0-1", "1-0"), ("0-1", "1/2")):
        trf = played(next_round(trf, {}), *said)
    # 1-4 1-0, 2-3 ½; 4-3 0-1, 1-2 1-0; 2-4 0-1, 3-1 ½. Ann 2½, Cem 2, Dora 1, Ben ½.
    places = [(it.rank, it.name, it.points, it.sonneborn) for it in standings(trf)]
    assert places == [
        (1, "Ann", 2.5, 1 + 0.5 + 2 / 2),  # Dora's and Ben's points, half of Cem's
        (2, "Cem", 2.0, 0.5 / 2 + 1 + 2.5 / 2),
        (3, "Dora Straße", 1.0, 0.5),
        (4, "Ben", 0.5, 2 / 2),
    ]


KINDS = {"U": "pairing_bye", "Z": "requested_bye", "+": "forfeit_win", "-": "forfeit_loss"}


@settings(deadline=None, max_examples=60)
@given(EVENINGS)
def test_buchholz_and_sonneborn_berger_are_as_a_foreign_program_counts_them(of: Evening) -> None:
    trf = evening(of)
    whole = {it.number: _foreign(trf, it.number) for it in trf.players}
    asked = ["buchholz", "sonneborn_berger"]
    for it in standings(trf):
        theirs = calculate_all_strict(
            whole[it.number], whole, asked, total_rounds=trf.paired, ruleset="fide-2026"
        )
        counts = {"buchholz": it.buchholz, "sonneborn_berger": it.sonneborn}
        assert theirs == counts


def _foreign(trf: Trf, number: int) -> PlayerTiebreakData:
    it = trf.player(number)
    games = [
        GameRecord(
            cell.opponent or -1,
            0,
            {"1": 1.0, "+": 1.0, "U": 1.0, "=": 0.5}.get(cell.result, 0.0),
            "black" if cell.colour == "b" else "white",
            round,
            kind=KINDS.get(cell.result, "played"),
        )
        for round, cell in enumerate(it.cells, 1)
    ]
    return PlayerTiebreakData(number, 0, it.points, games)
