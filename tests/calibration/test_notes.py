"""Notes on the disk outlive a kill at any byte."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hexboard.calibration.notes import Notes
from hexboard.calibration.result import stopped
from hexboard.calibration.sensors import Asked, Felt, HandsOff, Note, Passed, SensorSurvey
from hexboard.calibration.trends import Rate
from hexboard.facts import MS
from hexboard.words.errors import Busy
from tests.calibration.boards import FLOWER, board

BOARD = board()
NOTES: list[Note] = [HandsOff(True), HandsOff(False)]
for k, sensor in enumerate(("edge:a1-a2", "fall:a1", "fall:a2")):
    at = 1000 * k * MS
    NOTES += [Asked(sensor, False), Felt(sensor, True, at), Felt(sensor, False, at + 50 * MS)]
    NOTES += [Passed(at + 20 * MS), Passed(at + 500 * MS)]


def taken(path: Path, notes: list[Note]) -> SensorSurvey:
    survey = SensorSurvey(BOARD)
    keep = Notes(path, BOARD)
    keep.resume(survey)
    for note in notes:
        keep.put(note)
        survey.note(note)
    keep.close()
    return survey


def done(survey: SensorSurvey) -> int:
    return sum(survey.state(s) == "done" for s in BOARD.sensor)


def test_a_survey_goes_on_where_it_was_cut_off_at_any_byte(tmp_path: Path) -> None:
    whole = tmp_path / "whole.notes"
    assert done(taken(whole, NOTES)) == 3
    data = whole.read_bytes()
    before = 0
    for length in (*range(0, len(data), 5), len(data)):
        path = tmp_path / "cut.notes"
        path.write_bytes(data[:length])
        now = done(taken(path, []))
        assert before <= now <= 3
        before = now
        if not path.exists():  # its first line was torn: nothing is kept
            assert length < 80
            continue
        after = path.read_bytes()  # what was torn off is gone, what is new is whole
        assert after.endswith(b"\n")
        assert data[:length].startswith(after[: after.rindex(b"{")]) or length < 80
    assert before == 3


def test_what_was_told_before_and_after_a_cut_adds_up(tmp_path: Path) -> None:
    path = tmp_path / "b.notes"
    taken(path, NOTES[:7])
    with path.open("ab") as file:
        file.write(b'{"type":"felt","sen')
    assert done(taken(path, NOTES[7:])) == 3
    assert done(taken(path, [])) == 3


def test_notes_of_another_wiring_are_not_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "b.notes"
    taken(path, NOTES)
    other = board(FLOWER.replace("first_input = 12", "first_input = 20"))
    notes = Notes(path, other)
    assert notes.resume(SensorSurvey(other)) == 0
    notes.close()
    assert done(taken(path, [])) == 0


def test_a_finished_survey_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "b.notes"
    notes = Notes(path, BOARD)
    notes.resume(SensorSurvey(BOARD))
    notes.finish()
    assert list(tmp_path.iterdir()) == []


def test_a_survey_that_goes_on_elsewhere_is_not_written_by_two(tmp_path: Path) -> None:
    path = tmp_path / "b.notes"
    first = Notes(path, BOARD)
    first.resume(SensorSurvey(BOARD))
    for fresh in (False, True):
        with pytest.raises(Busy, match="being calibrated in another terminal"):
            Notes(path, BOARD).resume(SensorSurvey(BOARD), fresh=fresh)
    for note in NOTES:
        first.put(note)
    first.close()
    assert done(taken(path, [])) == 3


def test_what_was_noted_stays_until_somebody_is_there_who_begins_afresh(tmp_path: Path) -> None:
    path = tmp_path / "b.notes"
    taken(path, NOTES)
    for puts, left in ((0, 3), (1, 0)):
        notes = Notes(path, BOARD)
        assert notes.resume(SensorSurvey(BOARD), fresh=True) == 0
        for note in NOTES[:puts]:
            notes.put(note)
        notes.close()
        assert done(taken(path, [])) == left


def test_touches_are_of_the_day_on_which_they_were_felt(tmp_path: Path) -> None:
    """A survey that was stopped goes on a year later."""
    path = tmp_path / "b.notes"
    then, now = "2025-11-30T20:00:00+0100", "2026-11-30T20:00:00+0100"

    def visit(sensor: str, date: str) -> tuple[Notes, SensorSurvey]:
        survey, notes = SensorSurvey(BOARD, touches=2), Notes(path, BOARD)
        notes.resume(survey, date)
        for k in range(2):
            at = 300 * k * MS
            ends = at + 50 * MS, at + 300 * MS
            for note in (Felt(sensor, True, at), Felt(sensor, False, ends[0]), Passed(ends[1])):
                notes.put(note)
                survey.note(note)
        notes.close()
        return notes, survey

    notes = Notes(path, BOARD)
    notes.resume(SensorSurvey(BOARD), then)
    for note in NOTES[:2]:
        notes.put(note)
    notes.close()
    _, survey = visit("edge:a1-a2", then)
    first = stopped(None, survey, then)
    notes, survey = visit("edge:b1-b2", now)
    second = stopped(first, survey, now)
    assert notes.last == then
    assert second.sensors["edge:a1-a2"].rates == (Rate(then, "touches", 2, 2),)
    assert second.sensors["edge:b1-b2"].rates == (Rate(now, "touches", 2, 2),)


def test_older_notes_are_of_when_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "b.notes"
    taken(path, NOTES)
    assert b'"began"}' in path.read_bytes()  # no date
    os.utime(path, (1_764_500_000, 1_764_500_000))  # 2025-11-30, 10:53 UTC
    notes = Notes(path, BOARD)
    notes.resume(SensorSurvey(BOARD))
    notes.close()
    assert datetime.fromisoformat(notes.last) == datetime(2025, 11, 30, 10, 53, 20, tzinfo=UTC)
