"""`hexboard calibrate health`: the table of sensors after an evening."""

import json
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.board import find, load
from hexboard.calibration import result as calibration
from hexboard.calibration.in_play import InPlay
from hexboard.calibration.result import place
from hexboard.facts import Edge, Fact, Witnessed, decode_fact, encode_fact
from hexboard.games.hextraction.simulator.evening import evening
from hexboard.record.recording import Recorder, read
from hexboard.record.schemas import schemas
from tests.cli import invoke


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded evening of a board without a fault."""
    folder = tmp_path_factory.mktemp("night")
    return evening(load(find("hextraction-22")), folder, 1, 30, 1500, lambda turn: None).path


def facts(path: Path) -> list[tuple[Fact, bytes]]:
    records = (record for record in read(path) if record.topic == "fact")
    return [(decode_fact(record.payload), record.payload) for record in records]


def rises(path: Path) -> Counter[str]:
    bodies = (fact.body for fact, _ in facts(path))
    return Counter(it.sensor for it in bodies if isinstance(it, Edge) and it.level)


def again(path: Path, out: Path) -> Recorder:
    """Records the evening of `path` once more, with what belongs to it."""
    return Recorder(
        out,
        schemas=schemas(),
        attachments=read(path).attachments,
        metadata={},
        trouble=lambda why: pytest.fail(str(why)),
    )


def without(path: Path, sensor: str, out: Path) -> Path:
    """The evening as it would have been recorded had that sensor been dead."""
    recorder = again(path, out)
    for fact, payload in facts(path):
        if not (isinstance(fact.body, Edge) and fact.body.sensor == sensor):
            recorder.put("fact", fact.t, payload, fact.at)
    recorder.close()
    return out


@pytest.mark.long
def test_a_sensor_that_was_dead_all_evening_stands_first_with_the_balls_that_passed_it(
    night: Path, tmp_path: Path, home: Path
) -> None:
    ribs = Counter({s: n for s, n in rises(night).items() if s.startswith("edge:")})
    [(rib, times)] = ribs.most_common(1)
    dead = without(night, rib, tmp_path / "dead.mcap")
    done = invoke("calibrate", "health", dead, "--json", home=home)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    first = told["sensors"][0]
    assert told["failing"] == {rib: "dead"}
    assert (first["sensor"], first["seen"], first["state"]) == (rib, 0, "dead")
    assert times / 2 <= first["passed"] <= times, "the answers are those to other questions"
    assert first["at_most"] < 0.5


@pytest.mark.long
def test_a_healthy_evening_names_nobody_and_says_of_whom_nothing_is_known(
    night: Path, home: Path
) -> None:
    done = invoke("calibrate", "health", night, home=home)
    lines = done.stdout.splitlines()
    assert done.exit_code == 0, done.output
    assert lines[-2].endswith("in 1 recording; sensors that fail: 0.")
    assert "of these nothing is known" in lines[-1]
    ribs = {s: n for s, n in rises(night).items() if s.startswith("edge:")}
    saw = {line.split()[0]: line.split()[2:5:2] for line in lines[:-2] if " saw " in line}
    assert all(seen == passed for seen, passed in saw.values())
    seen = {sensor: int(saw.get(sensor, ["0"])[0]) for sensor in ribs}
    assert all(seen[sensor] <= ribs[sensor] for sensor in ribs), "a rise is one ball at most"
    assert sum(seen.values()) >= 0.7 * sum(ribs.values()), "some bounce or tremble"


def test_where_nothing_was_recorded_it_says_what_to_do(home: Path, tmp_path: Path) -> None:
    done = invoke("calibrate", "health", "--state", tmp_path, home=home)
    assert done.exit_code != 0
    assert "Play with hexboard run" in done.output


def knowing(path: Path, before: Witnessed, out: Path) -> Path:
    """The evening as it would have been recorded had that been known before it."""
    recorder = again(path, out)
    for fact, _ in facts(path):
        told = replace(fact, n=fact.n + (fact.n > 1))
        recorder.put("fact", told.t, encode_fact(told), told.at)
        if fact.n == 1:
            known = Fact(2, fact.t, fact.at, "table", before)
            recorder.put("fact", known.t, encode_fact(known), known.at)
    recorder.close()
    return out


@pytest.mark.long
def test_slow_tiles_are_named_with_how_long_balls_took_and_whether_the_board_leans(
    night: Path, tmp_path: Path, home: Path
) -> None:
    alike = (20, 9920, 4920400)
    leant = (("1-3 of 2", *alike), ("1-5 of 2", *alike))
    before = Witnessed(0, (), (), (("Bowl 3", (4000, 3000)),), leant)
    path = str(knowing(night, before, tmp_path / "slow.mcap"))
    done = invoke("calibrate", "health", path, home=home)
    assert done.exit_code == 0, done.output
    assert [line for line in done.stdout.splitlines() if "slow in" in line] == [
        "Balls are slow in Bowl 3 (the tile, and its printed edge where they came in): up to 3.0 s."
        " A roll is waited for as long."
    ]
    told = invoke("calibrate", "health", path, "--json", home=home)
    paces, lean = (json.loads(told.stdout)[name] for name in ("paces", "lean"))
    (line,) = (line for line in done.stdout.splitlines() if "leans" in line)
    assert lean["balls"] > 40, "the evening's own count, too"
    assert line == (
        f"Balls do not show that the board leans to a side: {lean['at_least']} to "
        f"{lean['at_most']}° to the right, by {lean['balls']} passes."
    )
    assert len(paces) > 5, "what the evening itself has shown"
    assert all(0 < ms < 3000 for way, took in paces.items() if way != "Bowl 3" for ms in took)


@pytest.mark.long
def test_a_calibration_is_taught_by_an_evening_that_was_recorded_before_it(
    night: Path, home: Path
) -> None:
    board = load(find("hextraction-22"))
    path = place(home, board)
    told = ["--home", str(home), "calibrate", "sensors", "--from", str(night)]
    done = invoke(*told)
    assert done.exit_code == 0, done.output
    assert "how many they saw, and how long balls took, is kept" in done.stderr
    kept = calibration.load(path)
    saw = {sensor: it.rates for sensor, it in kept.sensors.items() if it.rates}
    health = invoke(*told[:3], "health", night, "--json")
    shown = json.loads(health.stdout)
    counted = {row["sensor"]: (row["seen"], row["passed"]) for row in shown["sensors"]}
    assert {sensor: (rate.felt, rate.of) for sensor, (rate,) in saw.items()} == counted
    assert dict(kept.paces) == {way: tuple(took) for way, took in shown["paces"].items()}
    known = InPlay(board, path).known
    assert known is not None, "the next evening knows it"
    assert known.paces == kept.paces
    again = invoke(*told)
    assert again.exit_code == 0, again.output
    assert "not counted twice" in again.stderr
    assert (calibration.load(path).paces, calibration.load(path).leant) == (kept.paces, kept.leant)
