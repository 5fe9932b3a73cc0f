"""The calibration file: kept whole, taken back, refused when it is not one of this board."""

import json
from getpass import getuser
from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.calibration import result
from hexboard.calibration.result import (
    Calibration,
    Measured,
    Other,
    apply,
    foreign,
    forgotten,
    load,
    merged,
    rollback,
    stopped,
    summary,
    unfinished,
)
from hexboard.calibration.sensors import Felt, Finding, HandsOff, Levels, Passed, SensorSurvey
from hexboard.calibration.store import save
from hexboard.calibration.times import Times
from hexboard.calibration.trends import Rate
from hexboard.calibration.versions import KEPT, earlier
from hexboard.words.errors import BadFile, BadText
from tests.calibration.boards import Faulty, Rewired
from tests.calibration.hands import surveyed
from tests.desk import BOARD
from tests.shell.test_doctor import bar

A, B = "edge:B1-C1", "edge:B2-C2"
TIMES = Times(3_000_000, 500_000, 4_000_000, 25, 6_000_000, 300_000, True)


def made(version: int = 1, **sensors: Measured) -> Calibration:
    known = {name.replace("_", ":", 1).replace("_", "-"): it for name, it in sensors.items()}
    wires = result.wiring(BOARD)
    return Calibration(version, BOARD.name, wires, "2026-01-01T10:00:00", known)


def measured(sensor: str, state: str = "done", times: Times | None = TIMES) -> Measured:
    wire = BOARD.sensor[sensor]
    return Measured(wire.source, wire.input, state, 3, times)


CALIBRATION = made(edge_B1_C1=measured(A), edge_B2_C2=measured(B, "unsure", None))


def test_measured_times_replace_the_board_files(tmp_path: Path) -> None:
    save(tmp_path / "new" / "b.json", CALIBRATION)
    read = load(tmp_path / "new" / "b.json")
    assert read == CALIBRATION
    board = apply(BOARD, read)
    one = board.sensor[A]
    assert (one.min_high, one.min_low, one.dead) == (3_000_000, 500_000, 4_000_000)
    assert replace(board, sensors=()) == replace(BOARD, sensors=())
    assert [s for s in board.sensors if s.id != A] == [s for s in BOARD.sensors if s.id != A]
    assert board.hash != BOARD.hash


def test_times_that_are_not_clear_are_never_used_nor_put_in_place_of_clear_ones() -> None:
    doubtful = made(edge_B1_C1=measured(A, times=replace(TIMES, clear=False)))
    assert apply(BOARD, doubtful).sensor[A] == BOARD.sensor[A]
    after = merged(CALIBRATION, doubtful)
    assert after.sensors[A].times == TIMES


def test_wires_are_exchanged_where_somebody_said_so() -> None:
    board = apply(BOARD, replace(CALIBRATION, swaps=((A, B),)))
    assert board.sensor[A].input == BOARD.sensor[B].input
    assert board.sensor[B].input == BOARD.sensor[A].input
    assert board.sensor[A].x == BOARD.sensor[A].x


def test_a_dead_sensor_of_an_exchanged_pair_is_named_by_its_place_and_not_sure() -> None:
    """Its wire is the other's: what is dead is the sensor where people stand, and the other, which
    fires on its wire, is sound."""
    world = Faulty(BOARD, swapped={A: B}, dead=[B])  # the sensor at A, whose wire is B's
    for watch in (True, False):
        hand = surveyed(world, watch=watch)
        found = merged(CALIBRATION, summary(hand.survey, "2026-02-02", swaps=[(A, B)]))
        assert found.findings == (Finding(A, "dead"),)
        assert unfinished(BOARD, found) == (A,)
        assert (found.sensors[A].state, found.sensors[B].state) == ("done", "unsure")
        stop = stopped(replace(found, findings=()), hand.survey, "2026-02-03")
        assert (stop.findings, unfinished(BOARD, stop)) == (found.findings, (A,))
    before = replace(found, sensors=found.sensors | {B: replace(measured(B), felt=7, touched=10)})
    assert forgotten(before, [A], "").sensors.keys() == found.sensors.keys() - {B}
    assert forgotten(before, [A], "").findings == ()


def test_what_is_wrong_with_an_exchanged_wire_is_said_of_its_place() -> None:
    world = Rewired(BOARD, {A: "", B: A})
    world.levels.add(B)  # A's contact, on B's wire, does not open any more
    hand = surveyed(world)
    assert hand.survey.findings([(A, B)]) == (Finding(A, "stuck"),)
    noisy = surveyed(Faulty(BOARD, swapped={A: B}, noisy=[A], seconds=600))
    assert Finding(B, "noisy") in noisy.survey.findings()  # nothing is exchanged yet
    found = summary(noisy.survey, "", swaps=[(A, B)])
    assert found.findings == (Finding(A, "noisy"),)
    assert A in unfinished(BOARD, found)


def test_exchanged_wires_of_an_older_file_are_sure_though_they_were_written_unsure() -> None:
    both = {s: measured(s, "unsure") for s in (A, B)}
    old = replace(CALIBRATION, sensors=both, swaps=((A, B),), findings=(Finding(A, "swapped", B),))
    assert not {A, B} & {*unfinished(BOARD, old)}
    worse = replace(old, findings=(Finding(A, "dead"), *old.findings))
    assert {A, B} <= {*unfinished(BOARD, worse)}


def test_a_survey_that_was_stopped_takes_nothing_back_but_what_it_found() -> None:
    doubted = made(edge_B1_C1=measured(A, "unsure", None))
    assert merged(CALIBRATION, doubted).sensors[A].state == "unsure"
    after = merged(CALIBRATION, doubted, finished=False)
    assert (after.sensors[A].state, after.sensors[A].times) == ("done", TIMES)
    dead = replace(doubted, findings=(Finding(A, "dead"),))
    assert merged(CALIBRATION, dead, finished=False).sensors[A].state == "unsure"


def test_a_survey_that_was_stopped_takes_back_no_wires_nor_what_one_touch_cannot_refute() -> None:
    exchanged, touched = replace(CALIBRATION, swaps=((A, B),)), made(edge_B2_C2=measured(B))
    assert merged(exchanged, touched, finished=False).swaps == ((A, B),)
    for finding in (Finding(B, "weak", "13 of 20"), Finding(B, "instead", A)):
        kept = merged(replace(CALIBRATION, findings=(finding,)), touched, finished=False)
        assert (kept.findings, kept.sensors[B].state) == ((finding,), "unsure")
        worse = replace(touched, findings=(Finding(B, "noisy"),))
        after = merged(replace(CALIBRATION, findings=(finding,)), worse, finished=False)
        assert after.findings == worse.findings
    dead = replace(CALIBRATION, findings=(Finding(B, "dead"),))
    assert merged(dead, touched, finished=False).findings == ()


def test_a_survey_that_was_stopped_before_anything_was_visited_makes_no_version() -> None:
    before = replace(CALIBRATION, findings=(Finding(B, "weak", "13 of 20"),), taught=True)
    survey = SensorSurvey(BOARD)
    known = merged(before, summary(survey, before.date))
    assert stopped(known, survey, "2026-02-02T10:00:00") is known
    survey.note(HandsOff(True))
    survey.note(HandsOff(False))
    survey.note(Felt(B, True, 10**9))
    survey.note(Passed(10**10))
    after = stopped(known, survey, "2026-02-02T10:00:00")
    assert (after.version, after.date) == (known.version + 1, "2026-02-02T10:00:00")


def test_a_new_survey_of_a_frozen_board_is_frozen_and_play_has_not_taught_it() -> None:
    taught = replace(CALIBRATION, frozen=True, taught=True)
    after = merged(taught, CALIBRATION)
    assert (after.frozen, after.taught, after.version) == (True, False, 2)
    less = forgotten(taught, [A], "2026-01-02")
    assert (less.frozen, less.taught, less.version) == (True, False, 2)


def test_a_survey_says_anew_who_speaks_with_a_sensor_and_play_is_not_forgotten() -> None:
    play, old = Other(B, "play", 4), Other("", "instead", 2)
    before = made(edge_B1_C1=replace(measured(A), others=(old, play), delay=(1, 2)))
    new = made(edge_B1_C1=replace(measured(A), others=(Other(B, "with", 1),)))
    after = merged(before, new).sensors[A]
    assert (after.others, after.delay) == ((play, Other(B, "with", 1)), (1, 2))
    unseen = made(edge_B1_C1=measured(A, "open", None))
    assert merged(before, unseen).sensors[A].others == (old, play)


def test_what_was_measured_on_other_wires_is_left_out_and_named() -> None:
    moved = replace(measured(A), input=99)
    strange = made(edge_B1_C1=moved, edge_X1_X2=measured(B))
    assert foreign(BOARD, strange) == (A, "edge:X1-X2")
    assert apply(BOARD, strange) == BOARD
    assert set(unfinished(BOARD, strange)) == set(BOARD.sensor)


def test_what_is_unsure_or_never_visited_is_unfinished() -> None:
    left = unfinished(BOARD, CALIBRATION)
    assert set(left) == set(BOARD.sensor) - {A}


def test_the_calibration_of_another_board_is_refused() -> None:
    with pytest.raises(BadText) as refused:
        apply(replace(BOARD, name="flower"), CALIBRATION)
    assert refused.value.message.key == "calibration.other_board"
    assert dict(refused.value.message.values) == {"made": BOARD.name, "board": "flower"}


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b"null",
        b'{"schema": "hexboard/calibration-0"}',
        b'{"schema": "hexboard/calibration-9999999999"}',
        b'{"schema": "hexboard/lens-9"}',
    ],
)
def test_what_is_no_calibration_is_refused_in_a_sentence(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(text)
    with pytest.raises(BadFile) as refused:
        load(path)
    assert [m.key for m in refused.value.mistakes] == ["kept.bad"]
    assert str(path) in str(refused.value)


def test_what_a_newer_hexboard_wrote_is_said_to_be_that(tmp_path: Path) -> None:
    """It was called no good file, and a new one was advised in its place."""
    path = tmp_path / "b.json"
    path.write_text('{"schema": "hexboard/calibration-12", "boards": {}}', "utf-8")
    with pytest.raises(BadFile, match="was written by a newer hexboard") as refused:
        load(path)
    assert [m.key for m in refused.value.mistakes] == ["kept.newer"]


def test_a_file_torn_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    save(path, CALIBRATION)
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(BadFile):
            load(path)


def test_a_file_as_it_has_always_been_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text(
        '{"schema": "hexboard/calibration-1", "version": 3, "board": "b", "wiring": "w", '
        '"date": "", "sensors": {"gate:A": {"source": "pico", "input": 4, "state": "done"}}}'
    )
    assert load(path) == Calibration(3, "b", "w", "", {"gate:A": Measured("pico", 4, "done")})
    save(path, load(path))
    assert path.read_text().startswith('{\n  "schema": "hexboard/calibration-1",\n  "version": 3,')


def test_a_negative_time_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    save(path, CALIBRATION)
    path.write_text(path.read_text().replace(": 3000000", ": -3000000"))
    with pytest.raises(BadFile, match="a time is negative"):
        load(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("felt", 11),
        ("felt", -1),
        ("spread", [1] * 30),
        ("spread", [-1]),
        ("rates", [["2026-01-01", "balls", 9, 8]]),
        ("rates", [["2026-01-01", "touches", -1, 8]]),
        ("rates", [["2026-01-01", "alone", 3, -8]]),
    ],
)
def test_what_was_counted_as_it_cannot_be_is_refused(
    tmp_path: Path, key: str, value: object
) -> None:
    path = tmp_path / "b.json"
    rates = Rate("2026-01-01", "alone", 9, 8), Rate("2026-01-01", "balls", 8, 8)
    full = replace(measured(A), felt=10, touched=10, spread=(1,) * 9, rates=rates)
    save(path, made(edge_B1_C1=full))
    assert load(path).sensors[A] == full
    read = json.loads(path.read_text("utf-8"))
    read["sensors"][A][key] = value
    path.write_text(json.dumps(read), "utf-8")
    with pytest.raises(BadFile, match=r"is no good|cannot be|there are not"):
        load(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path, key in ((tmp_path / "none.json", "file.missing"), (tmp_path, "kept.bad")):
        with pytest.raises(BadFile) as refused:
            load(path)
        assert refused.value.mistakes[0].key == key


def test_versions_are_kept_and_taken_back_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    for version in range(1, KEPT + 3):
        save(path, replace(CALIBRATION, version=version))
    newest = KEPT + 2
    assert [load(earlier(path, k)).version for k in range(1, KEPT + 1)] == [
        newest - k for k in range(1, KEPT + 1)
    ]
    for back in range(1, KEPT + 1):
        taken = rollback(path)
        assert taken.version == load(path).version == newest - back
    with pytest.raises(BadFile) as refused:
        rollback(path)
    assert refused.value.mistakes[0].key == "kept.no_earlier"
    assert {p.name for p in tmp_path.iterdir()} == {"b.json", "b.json.undone"}
    assert load(tmp_path / "b.json.undone").version == newest - KEPT + 1  # the last taken back


def test_a_file_that_the_system_keeps_from_this_user_is_not_called_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copied back under another user's number, or measured with sudo: it is the newest."""
    path = tmp_path / "b.json"
    save(path, CALIBRATION)
    save(path, replace(CALIBRATION, version=2))
    with monkeypatch.context() as barred:
        bar(barred, path, "open")
        with pytest.raises(BadFile) as refused:
            load(path)
        assert "belongs to" in str(refused.value)
        assert str(refused.value).endswith(f"sudo chown -R {getuser()} {tmp_path}")
        assert "--rollback" not in str(refused.value)
        assert rollback(path) == CALIBRATION
    assert load(tmp_path / "b.json.undone").version == 2  # nothing is lost


def test_a_torn_present_version_can_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    save(path, CALIBRATION)
    save(path, replace(CALIBRATION, version=2))
    path.write_bytes(b"{")
    assert rollback(path) == CALIBRATION


def test_a_new_survey_keeps_what_only_the_one_before_knew() -> None:
    before = replace(CALIBRATION, findings=(Finding(A, "dead"), Finding(B, "noisy")))
    new = summary(SensorSurvey(BOARD, ["edge"]), "2026-02-02T10:00:00")
    sensors = new.sensors | {B: replace(measured(B), bursts=9, times=None)}
    after = merged(before, replace(new, sensors=sensors))
    assert after.version == 2
    assert after.sensors[A] == measured(A)
    assert after.sensors[B].state == "done"
    assert after.findings == (Finding(A, "dead"),)  # B was visited anew and is sound


def test_a_calibration_is_of_another_pico_once_all_of_it_was_measured_anew() -> None:
    before = replace(CALIBRATION, pico="E6")
    part = replace(made(edge_B1_C1=measured(A)), pico="E9")
    whole = replace(CALIBRATION, sensors={s: measured(s) for s in (A, B)}, pico="E9")
    assert merged(before, part).pico == "E6"
    assert merged(before, whole, finished=False).pico == "E6"
    assert merged(before, whole).pico == "E9"
    assert merged(CALIBRATION, part).pico == "E9"  # of one that does not say
    assert merged(before, replace(whole, pico="")).pico == "E6"  # learned of a recording


def test_exchanged_wires_stay_so_until_their_places_are_visited_again() -> None:
    before = replace(CALIBRATION, swaps=((A, B),))
    untouched = summary(SensorSurvey(BOARD), "2026-02-02T10:00:00")
    assert merged(before, untouched).swaps == ((A, B),)
    visited = replace(untouched, sensors=untouched.sensors | {B: measured(B)})
    assert merged(before, visited).swaps == ()
    again = replace(visited, swaps=((A, B),))
    assert merged(before, again).swaps == ((A, B),)


def test_a_sensor_that_is_upside_down_is_no_use_in_play_and_stays_unsure() -> None:
    survey = SensorSurvey(BOARD)
    survey.note(Levels((A, "rail:main"), 0))
    survey.note(HandsOff(True))
    survey.note(HandsOff(False))
    for k, sensor in enumerate((A, B), 1):
        for at, level in ((0, sensor != A), (100, sensor == A)):
            survey.note(Felt(sensor, level, k * 10**9 + at * 10**6))
    survey.note(Passed(10**10))
    found = summary(survey, "")
    assert found.findings == (Finding(A, "inverted"),)
    assert (found.sensors[A].state, found.sensors[B].state) == ("unsure", "done")
