"""Notes on the disk outlive a kill at any byte."""

from pathlib import Path

from hexboard.calibration.notes import Notes
from hexboard.calibration.sensors import Asked, Felt, HandsOff, Note, Passed, SensorSurvey
from hexboard.facts import MS
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
