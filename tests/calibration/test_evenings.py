"""What a recorded evening adds to a calibration, by hand-made evenings."""

from pathlib import Path

from msgspec.structs import replace

from hexboard.board import Board, find, load
from hexboard.calibration.evenings import RecordedEvening, recalled
from hexboard.calibration.in_play import InPlay
from hexboard.calibration.result import Calibration, Measured, wiring
from hexboard.calibration.result import load as read
from hexboard.calibration.store import save
from hexboard.calibration.trends import Rate
from hexboard.facts import Witnessed
from hexboard.perception.witness import Testimony, Witnesses

BOARD = load(find("hextraction-22"))
RIB, OTHER = "edge:B1-C1", "edge:B2-C2"
PLAYED = "2026-11-20T20:00:00+0100"
EARLIER = "2026-11-13T20:00:00+0100"
LATER = "2026-11-27T20:00:00+0100"


def known(*rates: Rate) -> Calibration:
    given = BOARD.sensor[RIB]
    measured = Measured(given.source, given.input, "done", rates=rates)
    return Calibration(1, BOARD.name, wiring(BOARD), EARLIER, {RIB: measured})


def shown(name: str, date: str, *took: int, board: Board = BOARD) -> RecordedEvening:
    """An evening in which the rib saw two of three balls that took so many ms in a bowl; before it
    it had seen seven of nine."""
    before = Witnessed(5, ((RIB, 7, 2, 0, 0, 0, 0, 0),), (), (("Bowl 3", (9, 9)),))
    witnesses = Witnesses()
    witnesses.recall(before)
    times = tuple(("Bowl 3", ms) for ms in took)
    courses = tuple(("1-3 of 2", ms) for ms in took)
    list(witnesses.learn(Testimony((RIB, RIB), (RIB,), took=times, courses=courses)))
    return RecordedEvening(name, date, board, witnesses, before)


def test_balls_and_times_of_that_evening_alone_are_added() -> None:
    new = recalled(known(), BOARD, shown("one", PLAYED, 3000, 4000))
    assert new is not None
    assert new.sensors[RIB].rates == (Rate(PLAYED, "balls", 2, 3),)
    assert new.paces == (("Bowl 3", (3000, 4000)),)
    assert new.leant == (), "both were held up"


def test_courses_of_that_evening_are_added_up() -> None:
    """ln(300 ms) is 5.70, ln(400 ms) 5.99: 570 + 599 = 1169, 570² + 599² = 683701."""
    new = recalled(known(), BOARD, shown("one", PLAYED, 300, 400))
    assert new is not None
    assert new.leant == (("1-3 of 2", 2, 1169, 683_701),)
    once = replace(known(), leant=(("1-3 of 2", 1, 500, 250_000), ("1-5 of 2", 1, 500, 250_000)))
    new = recalled(once, BOARD, shown("one", PLAYED, 300, 400))
    assert new is not None
    assert new.leant == (("1-3 of 2", 3, 1669, 933_701), ("1-5 of 2", 1, 500, 250_000))


def test_no_evening_counts_twice() -> None:
    one = recalled(known(), BOARD, shown("one", PLAYED, 300))
    assert one is not None
    assert recalled(one, BOARD, shown("one", PLAYED, 300)) is None
    second = recalled(one, BOARD, shown("two", PLAYED[:11] + "21:00:00+0100", 400))
    assert second is not None, "another match of the same evening"
    ((_, _, felt, of),) = ((it.date, it.by, it.felt, it.of) for it in second.sensors[RIB].rates)
    assert (felt, of) == (4, 6)
    taught_in_play = known(Rate(PLAYED, "balls", 40, 41))
    assert recalled(taught_in_play, BOARD, shown("one", PLAYED, 300)) is None


def test_what_a_board_that_stays_on_for_days_counted_in_play_is_known_by_its_name(
    tmp_path: Path,
) -> None:
    """What play taught is dated by its end."""
    path = tmp_path / "f.json"
    save(path, known())
    play = InPlay(BOARD, path)
    play.played("one", EARLIER)
    play.played("two", PLAYED)
    assert (
        play.keep(Witnessed(9, ((RIB, 38, 2, 0, 0, 0, 0, 0),)), "2026-12-18T20:00:00+0100") is None
    )
    kept = read(path)
    for name, date in (("one", EARLIER), ("two", PLAYED)):
        assert recalled(kept, BOARD, shown(name, date, 300)) is None
    assert recalled(kept, BOARD, shown("three", LATER, 300)) is not None, (
        "of another board's folder"
    )


def test_what_was_played_before_stands_before_what_is_known() -> None:
    newer = replace(
        known(Rate(LATER, "balls", 9, 9)),
        paces=(("Bowl 3", (1, 2, 3, 4, 5, 6, 7)),),
        leant=(("1-3 of 2", 64, 64, 64),),
    )
    new = recalled(newer, BOARD, shown("old", PLAYED, 300, 400))
    assert new is not None
    assert [rate.date for rate in new.sensors[RIB].rates] == [PLAYED, LATER]
    assert new.paces == (("Bowl 3", (400, 1, 2, 3, 4, 5, 6, 7)),)
    assert new.leant == newer.leant, "that is known well enough"
    late = recalled(
        replace(newer, sensors=known(Rate(EARLIER, "balls", 9, 9)).sensors),
        BOARD,
        shown("new", PLAYED, 300),
    )
    assert late is not None
    assert late.paces == (("Bowl 3", (1, 2, 3, 4, 5, 6, 7, 300)),)
    assert [rate.date for rate in late.sensors[RIB].rates] == [EARLIER, PLAYED]


def test_a_sensor_that_hung_on_anothers_wire_counts_there() -> None:
    one, other = BOARD.sensor[RIB], BOARD.sensor[OTHER]
    exchanged = {
        RIB: replace(one, source=other.source, input=other.input),
        OTHER: replace(other, source=one.source, input=one.input),
    }
    sensors = tuple(exchanged.get(it.id, it) for it in BOARD.sensors)
    new = recalled(known(), BOARD, shown("one", PLAYED, board=replace(BOARD, sensors=sensors)))
    assert new is not None
    assert new.sensors[RIB].rates == ()
    assert new.sensors[OTHER].rates == (Rate(PLAYED, "balls", 2, 3),)
