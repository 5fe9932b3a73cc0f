"""What another calibration would have ruled: wires exchanged by hand, times that lose balls."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.calibration.replayed import otherwise
from hexboard.calibration.result import Calibration, Measured, wiring
from hexboard.calibration.store import save
from hexboard.calibration.times import Times
from hexboard.record.compare import RulingChange, StandingRuling, changes
from hexboard.record.compare import evening as heard
from hexboard.record.recording import read
from hexboard.record.replay import Replay, board_of
from tests.cli import invoke

MS = 1_000_000
LANE, OTHER = "D1-2", "D1-1"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening")
    invoke("run", "--simulate", "--fast", "--turns", 6, "--state", folder, "--seed", 5)
    (path,) = (folder / "recordings").glob("*.mcap")
    return path


@pytest.fixture(scope="module")
def board(evening: Path) -> Board:
    return board_of(read(evening))


def kept(folder: Path, board: Board, swaps: tuple[tuple[str, str], ...] = (), ms: int = 0) -> Path:
    """A calibration: every sensor where it is, these wires exchanged, balls of so many ms."""
    times = Times(ms * MS, MS, MS, 20, 9 * MS, 0, True) if ms else None
    sensors = {
        s.id: Measured(s.source, s.input, "done", 20, times if s.kind == "edge" else None)
        for s in board.sensors
    }
    made = Calibration(1, board.name, wiring(board), "2026-01-01T10:00:00", sensors, (), swaps)
    path = folder / f"{len(swaps)}-{ms}.json"
    save(path, made)
    return path


def test_the_same_times_rule_the_same(evening: Path, board: Board, tmp_path: Path) -> None:
    done = invoke("calibrate", "compare", evening, "recorded", kept(tmp_path, board))
    assert done.exit_code == 0, done.output
    assert "the same with both.\n" in done.output
    ruled = heard(Replay(evening)).rulings
    assert any(f"from lane {LANE}" in ruling.text for ruling in ruled)
    assert [r.seconds for r in ruled] == sorted(r.seconds for r in ruled)


def test_a_lane_whose_wires_are_exchanged_is_the_other_lane(
    evening: Path, board: Board, tmp_path: Path
) -> None:
    swaps = ((f"gate:{LANE}", f"gate:{OTHER}"), (f"load:{LANE}", f"load:{OTHER}"))
    file = kept(tmp_path, board, swaps)
    done = invoke("replay", evening, "--calibration", file, "--json")
    assert done.exit_code == 2
    found = json.loads(done.output)
    first = found["changes"][0]
    (was,) = (r["text"] for r in first["one"] if "rolls ball 1" in r["text"])
    (now,) = (r["text"] for r in first["other"] if "rolls ball 1" in r["text"])
    assert (was, now) == (f"Red rolls ball 1 from lane {LANE}.", was.replace(LANE, OTHER))
    back = json.loads(invoke("calibrate", "compare", evening, file, "recorded", "--json").output)
    assert [c["one"] for c in back["changes"]] == [c["other"] for c in found["changes"]]


def test_times_that_no_ball_is_long_enough_for_lose_balls_on_their_way(
    evening: Path, board: Board, tmp_path: Path
) -> None:
    file = kept(tmp_path, board, ms=400)
    done = invoke("calibrate", "compare", evening, "recorded", file)
    assert done.exit_code == 2
    assert "at which the rulings differ" in done.output
    assert "Traceback" not in done.output


def test_a_sensor_of_which_nothing_clear_is_known_keeps_its_times(board: Board) -> None:
    one = next(s for s in board.sensors if s.kind == "edge")
    times = Times(9 * MS, MS, MS, 20, 9 * MS, 0, clear=False)
    known = {one.id: Measured(one.source, one.input, "done", 20, times)}
    made = Calibration(1, board.name, wiring(board), "2026-01-01", known)
    assert otherwise(board, made).board.sensor[one.id] == one
    clear = replace(
        made, sensors={one.id: replace(known[one.id], times=replace(times, clear=True))}
    )
    assert otherwise(board, clear).board.sensor[one.id].min_high == 9 * MS


def test_what_cannot_be_compared_is_said(evening: Path, board: Board, tmp_path: Path) -> None:
    other = kept(tmp_path, replace(board, name="another"))
    for words, why in (
        (("recorded", other), "made for the board another, and the evening was played on"),
        (("recorded", tmp_path / "none.json"), "there is no such file"),
        ((evening, "recorded"), "not a good file"),
    ):
        done = invoke("calibrate", "compare", evening, *words)
        assert done.exit_code == 1
        assert why in done.output
        assert why == "not a good file" or "--rollback" not in done.output


def test_places_that_differ_are_found_in_order_and_what_moved_in_time_is_none() -> None:
    def said(*texts: str, late: float = 0) -> list[StandingRuling]:
        return [StandingRuling(n + late, text, "") for n, text in enumerate(texts)]

    one, other = said("a", "b", "c", "d"), said("a", "x", "c", late=0.1)
    assert changes(one, other) == [
        RulingChange((one[1],), (other[1],)),
        RulingChange((one[3],), ()),
    ]
    assert changes(one, said("a", "b", "c", "d", late=5)) == []


@pytest.mark.long
def test_questions_are_counted_as_the_evening_itself_counted_them(tmp_path: Path) -> None:
    played = invoke("run", "--simulate", "--fast", "--turns", 20, "--state", tmp_path, "--seed", 5)
    (path,) = (tmp_path / "recordings").glob("*.mcap")
    asked = heard(Replay(path)).questions
    assert f"; {asked} question" in played.output
    assert asked > 0
