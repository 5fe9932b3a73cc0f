"""Tournaments: who meets whom, what came of it, who leads; held against foreign programs.

The files of `tournaments/` were written by FIDE's tie-break server (`gacrux` 1.11.65); each round
of theirs is paired, seats and all, as py4swiss 0.3.1 (bbpPairings' algorithm) pairs it.
"""

from pathlib import Path
from typing import Any

import pytest
from caissify_pairings.fpc import check_trf
from caissify_pairings.trf import TRFParser
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tiebreak_core import GameRecord, PlayerTiebreakData, calculate_all_strict

from hexboard.daemon.hall.desk import HallDesk
from hexboard.daemon.hall.outcomes import HallStory, settled
from hexboard.daemon.hall.tournament import (
    BoardMark,
    begun,
    by_hand,
    closed,
    found,
    joining,
    leaving,
    next_round,
    pairings,
    placed,
    resulted,
    shared,
    standings,
    text,
)
from hexboard.facts import Start
from hexboard.record.hall_journal import HallBegun, HallOver
from hexboard.record.trf import HallOf, Trf, parsed_trf, read_trf, write_trf
from hexboard.words import say
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


NOBODY = 40
ENTERED = st.sampled_from(["1-0", "0-1", "1/2", "1-0", "0-1", "+-", "-+", "--"])
EVENINGS = st.tuples(
    st.integers(4, 11),
    st.lists(
        st.tuples(st.integers(1, 44), st.lists(ENTERED, min_size=8, max_size=8)),
        min_size=1,
        max_size=6,
    ),
)
"""How many play; and for each round who leaves or is back, if that is somebody, or (over `NOBODY`)
that one more joins; and results."""
Evening = tuple[int, list[tuple[int, list[str]]]]


def evening(of: Evening) -> Trf:
    count, rounds = of
    trf = made(count, max(1, min(len(rounds), count - 1)))
    for leaves, said in rounds[: trf.rounds]:
        if leaves <= count:
            trf = leaving(trf, leaves, back=leaves in trf.away)
        elif leaves > NOBODY:
            trf = joining(trf, f"Late {trf.paired}")
        try:
            trf = next_round(trf, {})
        except BadText:  # too few are left who have not met: that is said
            break
        met = [it for it in pairings(trf, trf.paired) if it.black]
        trf = played(trf, *said[: len(met)])
    return trf


@pytest.mark.long
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


Pairs = set[frozenset[int]]
"""Who meets, by number; 0 for nobody."""
FLOATS = [
    [*said.split(), *["1-0"] * 4]
    for said in (
        "0-1 1-0 0-1 1-0",
        "1-0 1-0 0-1 1/2",
        "0-1 0-1 1-0 0-1",
        "0-1 1-0 1-0 1-0",
        "1-0 1-0 1-0 1-0",
    )
]
"""Eight whose fifth round caissify-pairings 0.5.0 pairs with three downfloaters of 2 points where
one is enough; py4swiss 0.3.1 pairs 5-3 6-8 7-4 2-1, as we do."""


@pytest.mark.long
@settings(deadline=None, max_examples=30)
@given(EVENINGS)
@example((8, [(NOBODY, said) for said in FLOATS]))
def test_foreign_programs_read_the_file_and_agree_on_who_meets(of: Evening) -> None:
    """Where nobody leaves, and nobody came late: this one takes who was not there for one who had
    the bye. Where else it differs, it lets more float down than have to."""
    trf = evening((of[0], [(max(NOBODY, change), said) for change, said in of[1]]))
    theirs = TRFParser(text(trf)).parse()
    assert theirs["tournament"]["total_rounds"] == trf.rounds
    for it, read in zip(trf.players, theirs["players"], strict=True):
        assert (it.name, trf.points(it)) == (read["name"], read["score"])
        for round, cell in enumerate(it.cells, 1):
            assert read["results"][round]["opponent"] == (cell.opponent or None)
            assert read["results"][round]["result"] == cell.result
    late = any(cell.result == "Z" for it in trf.players for cell in it.cells)
    for round, said in enumerate(check_trf(text(trf))["rounds"], 1):
        ours, checked = ({_two(it) for it in said[f"{who}_pairings"]} for who in ("trf", "engine"))
        assert late or ours == checked or _fewer(trf, round, ours, checked)


def _fewer(trf: Trf, round: int, ours: Pairs, checked: Pairs) -> bool:
    return _floats(trf, round, ours) < _floats(trf, round, checked)


def _floats(trf: Trf, round: int, pairs: Pairs) -> list[int]:
    """So many meet somebody of a lower score group, from the highest group on: the fewer the better
    (C.04.3, C.6)."""
    before = replace(
        trf, players=tuple(replace(it, cells=it.cells[: round - 1]) for it in trf.players)
    )
    points = {it.number: before.points(it) for it in before.players} | {0: -1.0}
    met = [sorted(points[it] for it in pair) for pair in pairs]
    return [
        sum(low < group <= high for low, high in met)
        for group in sorted({*points.values()}, reverse=True)
    ]


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


@pytest.mark.long
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
    return PlayerTiebreakData(number, 0, trf.points(it), games)


# ------------------------------------------------------------------------------------ bad input


def test_who_leaves_after_round_2_is_not_paired_and_may_be_back() -> None:
    trf = played(next_round(made(6, 5), {}), "1-0", "1-0", "1-0")
    trf = played(next_round(trf, {}), "1/2", "1/2", "1/2")
    trf = leaving(trf, found(trf, "cem").number)
    trf = next_round(trf, {})
    assert trf.player(3).cells[2].result == "Z"
    assert [it.points for it in standings(trf) if it.away] == [trf.points(trf.player(3))]
    assert sum(it.cells[2].result == "U" for it in trf.players) == 1  # five are left
    trf = leaving(played(trf, "1-0", "1-0"), 3, back=True)
    assert next_round(trf, {}).player(3).cells[3].opponent


def test_who_joins_after_round_2_has_no_points_for_it_and_is_paired_from_then_on() -> None:
    trf = played(next_round(made(5, 4), {}), "1-0", "1-0")
    trf = joining(played(next_round(trf, {}), "1/2", "1/2"), "Nia")
    assert (trf.players[-1].number, trf.value("062"), trf.rounds) == (6, "6", 4)
    assert [cell.text for cell in trf.players[-1].cells] == ["0000 - Z"] * 2
    trf = next_round(parsed_trf(text(trf), "it"), {})
    assert not any(cell.result == "U" for it in trf.players for cell in it.cells[2:])
    assert trf.players[-1].cells[2].opponent
    places = {it.name: it.points for it in standings(trf)}
    assert places["Nia"] == 0


def test_nobody_joins_what_has_no_place_for_them() -> None:
    robin = joining(made(4, robin=True), "Nia")
    assert (robin.rounds, robin.value("142"), robin.value("XXR")) == (5, "5", "5")  # C.05: 5 or 6
    for trf, name, why in (
        (next_round(robin, {}), "Ole", "A round robin has begun"),
        (next_round(made(4, 1), {}), "Ole", "The last of 1 round is paired"),
        (made(4), "ANN", "Two people are called ANN"),
        (made(4), "", "“” is no name for a table"),
    ):
        with pytest.raises(BadText, match=why):
            joining(trf, name)


def test_in_a_round_robin_who_left_loses_without_a_game() -> None:
    trf = played(next_round(made(4, robin=True), {}), "1-0", "1-0")
    trf = next_round(leaving(trf, 4), {})  # 4-3, 1-2
    assert [it.result for it in pairings(trf, 2)] == ["-+", ""]
    trf = played(trf, "-+", "1-0")
    assert [it.result for it in pairings(next_round(trf, {}), 3)] == ["+-", ""]  # 2-4, 3-1


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["Ann"], r"A tournament wants 2 to 999 people"),
        (["Ann", "Ben", "ANN"], r"Two people are called ANN"),
        (["Jos\u00e9", "Jose\u0301"], r"Two people are called Jos"),
        (["Ann B", "Ann  B"], r"Two people are called Ann  B"),
        (["Ann", ""], r"“” is no name for a table"),
        (["Ann", "B\nen"], r"is no name for a table"),
        (["Ann", "x" * 34], r"is no name for a table: letters in one line, 33 at most"),
    ],
)
def test_names_that_cannot_be_are_refused(names: list[str], why: str) -> None:
    with pytest.raises(BadText, match=why):
        begun("Evening", names, None, False, HALL, "2026/11/28")


def test_a_name_is_found_however_it_is_typed() -> None:
    trf = begun("Evening", ("Ann  B", "Jos\u00e9"), None, False, HALL, "2026/11/28")
    assert [found(trf, name).number for name in ("ann b", "JOSE\u0301", "2")] == [1, 2, 2]


def test_a_round_robin_of_more_people_than_a_file_has_rounds_for_is_refused() -> None:
    """100 people meet each other in 99 rounds, 101 in 101 (C.05)."""
    names = [f"P{n}" for n in range(1, 102)]
    trf = begun("Evening", names[:100], None, True, HALL, "2026/11/28")
    assert trf.rounds == 99
    why = r"A round robin takes at most 100 people"
    with pytest.raises(BadText, match=why):
        begun("Evening", names, None, True, HALL, "2026/11/28")
    with pytest.raises(BadText, match=why):
        joining(trf, "Nia")
    assert begun("Evening", names, None, False, HALL, "2026/11/28").rounds == 7  # 2^7 >= 101


def test_more_rounds_than_there_are_opponents_are_refused() -> None:
    with pytest.raises(BadText, match=r"4 people can play at most 3 rounds"):
        made(4, 4)


def test_results_that_cannot_be_are_refused() -> None:
    trf = next_round(made(5), {})
    for round, table, said, why in (
        (1, 3, "1-0", "Round 1 has no pairing 3."),
        (1, 0, "1-0", "Round 1 has no pairing 0."),
        (2, 1, "1-0", "There is no round 2: 1 is paired."),
        (0, 1, "1-0", "There is no round 0: 1 is paired."),
        (1, 1, "3-0", "“3-0” is no result."),
    ):
        with pytest.raises(BadText) as refused:
            resulted(trf, round, table, said)
        assert str(refused.value).startswith(why)
    with pytest.raises(BadText, match=r"Round 1 is not over: results are missing at table 1, 2"):
        next_round(trf, {})
    with pytest.raises(BadText, match=r"Nobody here has the name or the number Zoë\."):
        found(trf, "Zoë")


def test_a_result_that_the_next_round_was_paired_by_may_be_another_but_not_none() -> None:
    trf = next_round(played(next_round(made(4, 3), {}), "1-0", "1-0"), {})
    with pytest.raises(
        BadText, match=r"Round 2 is paired by the results of round 1: enter another"
    ) as refused:
        resulted(trf, 1, 2, "none")
    assert refused.value.message.key == "tournament.paired_on"
    trf = played(resulted(trf, 1, 2, "0-1"), "1-0", "1-0")
    assert closed(trf) == 2
    assert resulted(trf, 2, 1, "none").paired == 2  # of the newest it may


def test_a_file_that_lost_a_result_of_an_earlier_round_goes_no_further_without_it() -> None:
    trf = played(next_round(played(next_round(made(4, 3), {}), "1-0", "1-0"), {}), "1-0", "1-0")
    lost = trf.with_cells(1, {it: replace(trf.player(it).cells[0], result=" ") for it in (4, 2)})
    lost = parsed_trf(lost.text({}), "it.trf")
    assert (closed(trf), closed(lost)) == (2, 0)
    with pytest.raises(BadText, match=r"Round 1 is not over: .* at table 2\. .* --round 1$"):
        next_round(lost, {})
    assert next_round(resulted(lost, 1, 2, "1-0"), {}).paired == 3


def test_a_round_that_cannot_be_paired_is_said() -> None:
    trf = played(next_round(made(4, 3), {}), "1-0", "1-0")
    for number in (2, 4):
        trf = leaving(trf, number)
    with pytest.raises(BadText, match=r"Round 2 cannot be paired: everybody who is left has met"):
        next_round(trf, {})  # 1 and 3 have met
    with pytest.raises(BadText, match=r"Fewer than two people are left"):
        next_round(leaving(trf, 1), {})


def whole() -> str:
    return text(next_round(played(next_round(made(5), MARKS), "1-0", "1/2"), MARKS))


def refusal(said: str) -> str:
    """Why a text of a file is refused; "" where it is read, and can be shown."""
    try:
        trf = parsed_trf(said, "it.trf")
        standings(trf)
        pairings(trf, trf.paired)
    except (BadFile, BadText) as error:
        return str(error)
    return ""


def test_every_torn_file_is_refused_with_a_line() -> None:
    said = whole()
    assert refusal(said) == refusal(said[:-1]) == ""  # without its last line's end all is there
    for end in range(len(said) - 1):
        assert refusal(said[:end]).startswith("it.trf:")


@pytest.mark.long
@settings(deadline=None, max_examples=300)
@given(st.integers(0, 2000), st.text(max_size=3), st.integers(0, 30))
def test_a_file_that_was_altered_anywhere_is_read_or_refused(at: int, put: str, cut: int) -> None:
    said = whole()
    assert "Traceback" not in refusal(said[:at] + put + said[at + cut :])


def test_what_the_library_stumbles_over_is_a_sentence() -> None:
    nobody_first = text(made(3)).replace("001    1", "001    9")
    why = refusal(nobody_first)
    assert why.startswith("The tournament cannot be counted: KeyError")


def test_what_other_programs_wrote_stays_as_it_is() -> None:
    whole = KEPT[0].read_text("utf-8")
    trf = read_trf(KEPT[0])
    assert [line for line in whole.splitlines() if line[:3] != "001"] == list(trf.lines)
    theirs = [line.rstrip() for line in whole.splitlines() if line[:3] == "001"]
    ranks = {it.number: int(line[85:89]) for it, line in zip(trf.players, theirs, strict=True)}
    ours = [line for line in trf.text(ranks).splitlines() if line[:3] == "001"]
    assert ours == theirs


# ------------------------------------------------------------------------------------ the hall


def story(match: str, begun: int, ended: int, *scores: int, **other: Any) -> HallStory:
    about = {"game": "hexalma", "seats": ("Black", "White"), **other}
    return HallStory(match, begun=begun, ended=ended, scores=scores, **about)


def two_tables() -> Trf:
    return next_round(made(4, 2), MARKS)  # 1-3 on one after 10, 4-2 on two after 5


def after(trf: Trf, *stories: HallStory, board: str = "one") -> tuple[list[str], list[str]]:
    """Results by table, and what is said of matches that do not count."""
    trf, refused = settled(trf, {board: stories})
    return [it.result for it in pairings(trf, trf.paired)], [str(it.why.key) for it in refused]


def test_the_first_match_that_begins_and_ends_after_the_pairing_is_its_result() -> None:
    trf = two_tables()
    assert [(it.board, it.after) for it in trf.set] == [("one", 10), ("two", 5)]
    won, other = story("m1", 11, 20, 1, 0), story("m2", 21, 30, 0, 1)
    assert after(trf, won, other) == (["1-0", ""], [])
    assert after(trf, story("m1", 11, 0), other) == (["0-1", ""], [])  # m1 was given up
    assert after(trf, story("m1", 11, 20, 3, 3)) == (["½-½", ""], [])
    assert after(trf, won, board="two") == (["", "1-0"], [])
    assert after(trf, won, board="three") == (["", ""], [])


def test_what_does_not_count_is_said() -> None:
    trf = two_tables()
    assert after(trf, story("m1", 9, 12, 1, 0)) == (["", ""], ["tournament.early"])
    assert after(trf, story("m0", 2, 8, 1, 0)) == (["", ""], [])  # long over
    other = story("m1", 11, 12, 1, 0, game="hexel")
    assert after(trf, other) == (["", ""], ["tournament.other_game"])
    three = story("m1", 11, 12, 1, 0, 0)
    assert after(trf, three) == (["", ""], ["tournament.others"])
    strangers = story("m1", 11, 12, 1, 0, seats=by("Ben", "Dora Straße"))
    assert after(trf, strangers) == (["", ""], ["tournament.guests"])


def by(*names: str) -> tuple[str, ...]:
    """Seats whose players gave a name, as a board tells them (docs/contracts.md); "" for none."""
    words = ("Black", "White")
    return tuple(f"\u2068{name}\u2069" if name else words[n] for n, name in enumerate(names))


@pytest.mark.parametrize(
    "seats", [by("Zoe", "Yan"), by("Ann", "Zoe"), by("", "Zoe"), by("Ann", "Ann")]
)
def test_a_match_of_guests_is_no_pairings_and_it_is_said_who_played(seats: tuple[str, ...]) -> None:
    """Table 1 of `one` is Ann's and Cem's."""
    friendly = story("m1", 11, 12, 1, 0, seats=seats)
    trf, refused = settled(two_tables(), {"one": [friendly]})
    assert [it.result for it in pairings(trf, 1)] == ["", ""]
    names = ", ".join(seat for seat in seats if seat != "Black")
    assert say(refused[0].why) == (
        f"one tells the end of a match of other people ({names}): it does not count. "
        "Enter the result by hand, or play."
    )
    theirs = story("m2", 13, 14, 0, 1, seats=by("Ann", "Cem"))
    assert after(two_tables(), friendly, theirs)[0] == ["0-1", ""]


@pytest.mark.parametrize(
    ("seats", "result"),
    [
        (by("Ann", "Li"), "1-0"),  # the family's name is enough, and who has it alone
        (by("li", "ANN"), "0-1"),
        (by("Ann Smith", "Ann"), "1-0"),  # two are called Ann: the other seat says which
        (by("Ann", "Ann"), "1-0"),  # as they sit
        (by("Ann Li", "Kim"), ""),  # Kim is another one of the tournament
        (by("Ann Smithers", "Li"), ""),
    ],
)
def test_a_part_of_a_name_is_enough_at_a_seat(seats: tuple[str, ...], result: str) -> None:
    names = ("Smith, Ann", "Kim", "Ann  Li", "Jan")
    trf = begun("Evening", names, 2, False, HALL, "2026/11/28")
    assert after(next_round(trf, MARKS), story("m1", 11, 12, 1, 0, seats=seats))[0][0] == result


def test_somebody_who_is_called_as_a_seat_is_nobody_elses() -> None:
    """The word for a seat is no name, though it is somebody's."""
    trf = begun("Evening", ("Ann", "White", "Cem", "Black"), 2, False, HALL, "2026/11/28")
    assert after(next_round(trf, MARKS), story("m1", 11, 12, 1, 0)) == (["1-0", ""], [])


@pytest.mark.parametrize("seats", [(), ("Black",), ("Black", "White", "Red")])
def test_a_board_that_tells_two_points_of_another_number_of_seats_is_said(
    tmp_path: Path, seats: tuple[str, ...]
) -> None:
    write_trf(tmp_path / "t.trf", text(two_tables()))
    desk = HallDesk(tmp_path / "t.trf")
    desk.hear("one", HallBegun(11, Start("m1", "hexhex-5", "", "hexalma", "", {}, "")))
    desk.hear("one", HallOver(12, "m1", "hexalma", seats, (1, 0), ""))
    assert desk.look()
    assert [it.why.key for it in desk.refused] == ["tournament.others"]


def test_names_at_the_seats_go_before_their_order() -> None:
    turned = story("m1", 11, 12, 1, 0, seats=by("cem", "Ann"))
    assert after(two_tables(), turned) == (["0-1", ""], [])


def test_what_is_taken_back_is_open_again_and_a_persons_word_stays() -> None:
    trf = two_tables()
    trf, _ = settled(trf, {"one": [story("m1", 11, 20, 1, 0)]})
    assert trf.set[0].match == "m1"
    assert after(trf) == (["1-0", ""], [])  # a hub that has just begun knows nothing yet
    assert after(trf, story("m1", 11, 0)) == (["", ""], [])
    assert after(trf, story("m1", 11, 30, 0, 1)) == (["0-1", ""], [])
    corrected = resulted(trf, 1, 1, "1/2")
    assert after(corrected, story("m1", 11, 20, 1, 0)) == (["½-½", ""], [])
    again = resulted(corrected, 1, 1, "none")
    assert after(again, story("m1", 11, 20, 1, 0)) == (["1-0", ""], [])


def test_a_round_that_another_followed_is_closed_to_the_hall() -> None:
    trf = next_round(played(two_tables(), "1-0", "1-0"), MARKS)
    late = story("m1", 11, 40, 0, 1)
    before = seats(trf, 1), [it.result for it in pairings(trf, 1)]
    trf, _ = settled(trf, {"one": [late]})
    assert (seats(trf, 1), [it.result for it in pairings(trf, 1)]) == before


def test_a_board_that_is_free_gets_the_next_pairing() -> None:
    trf = next_round(made(6, 3), {"one": BoardMark(10, 30)})
    assert [it.board for it in pairings(trf, 1)] == ["one", "", ""]
    first = story("m1", 11, 20, 1, 0)
    trf, _ = settled(trf, {"one": [first]})
    trf = placed(trf, 2, "one", BoardMark(20, 50))
    second = story("m2", 21, 30, 0, 1)
    assert after(trf, first, second) == (["1-0", "0-1", ""], [])


def test_a_board_that_has_an_open_pairing_gets_another_and_it_is_known_which() -> None:
    """1 and 2 are on their boards; who changes their table changes no result by hand."""
    trf = placed(two_tables(), 1, "two", BoardMark(20, 50))
    assert (shared(trf, 1), shared(trf, 2)) == ([2], [1])
    before, later = story("m1", 6, 9, 1, 0), story("m2", 21, 30, 0, 1)
    assert after(trf, before, later, board="two")[0] == ["0-1", "1-0"]
    trf = placed(two_tables(), 2, "one", BoardMark(20, 50))
    assert after(trf, later)[0] == ["", "0-1"]  # who was put there last plays next
    assert after(trf, story("m1", 11, 19, 1, 0), later)[0] == ["1-0", "0-1"]
    trf = placed(resulted(two_tables(), 1, 1, "1-0"), 1, "two", BoardMark(20, 50))
    assert (by_hand(trf, 1), by_hand(trf, 2), shared(trf, 2)) == (True, False, [])
    assert after(trf, later, board="two")[0] == ["1-0", "0-1"]
    again = resulted(trf, 1, 1, "none")
    assert after(again, later, board="two")[0] == ["0-1", ""]


def test_tables_of_a_round_that_another_program_paired_stay_where_they_are() -> None:
    """What is noted of one pairing moves no other: the file has no notes of ours."""
    own = text(two_tables()).splitlines(keepends=True)
    trf = parsed_trf("".join(it for it in own if not it.startswith("### hexboard")), "x.trf")
    shown = [(1, 1), (2, 4)]
    for changed in (trf, resulted(trf, 1, 2, "1-0"), placed(trf, 2, "one", BoardMark(10, 30))):
        assert [(it.table, it.white.number) for it in pairings(changed, 1)] == shown
    trf = placed(trf, 2, "one", BoardMark(10, 30))
    assert after(trf, story("m1", 11, 20, 1, 0)) == (["", "1-0"], [])
    _, refused = settled(trf, {"one": [story("m1", 9, 12, 1, 0)]})
    assert [it.table for it in refused] == [2]
    again = parsed_trf(text(trf), "x.trf")
    assert [(it.table, it.white.number) for it in pairings(again, 1)] == shown


def test_one_seat_with_a_name_says_who_sits_at_the_other() -> None:
    """White sat down at the second seat, where the first player won without giving a name."""
    trf = two_tables()
    white, black = (trf.player(number).name for number in (1, 3))
    for seats in (by("", white), by(black, "")):
        won = story("m1", 11, 20, 1, 0, seats=seats)
        assert after(trf, won)[0][0] == "0-1"
    assert after(trf, story("m1", 11, 20, 1, 0, seats=by(white, "")))[0][0] == "1-0"
