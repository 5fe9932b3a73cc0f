"""A recording of which the end is lost never looks whole, whatever is asked of it."""

import json
from pathlib import Path

import msgspec
import pytest

from hexboard.files import shipped
from hexboard.record.recording import read
from hexboard.record.replay import board_of
from tests.cli import invoke

EVENING = shipped("boards").parent.parent / "docs" / "golden" / "evening.mcap"


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    """Three quarters of an evening."""
    path, data = tmp_path / "torn.mcap", EVENING.read_bytes()
    path.write_bytes(data[: len(data) * 3 // 4])
    return path


def silent() -> str:
    """A sensor of that evening that never said anything."""
    recording = read(EVENING)
    facts = [msgspec.json.decode(it.payload) for it in recording if it.topic == "fact"]
    spoke = {fact["body"].get("sensor") for fact in facts}
    return next(it.id for it in board_of(recording).sensors if it.id not in spoke)


def test_a_second_look_at_its_beginning_forgets_no_damage(torn: Path) -> None:
    recording = read(torn)
    assert len(list(recording)) > 1
    next(iter(recording))
    assert recording.damage is not None


def test_what_would_be_the_same_says_what_is_lost(torn: Path) -> None:
    done = invoke("replay", torn, "--without", silent())
    assert done.exit_code == 3, done.output
    assert "records before it are whole" in done.stderr
    told = invoke("replay", torn, "--without", silent(), "--json")
    assert told.exit_code == 3
    assert "records before it are whole" in json.loads(told.stdout)["damage"]


def test_two_calibrations_that_rule_the_same_say_it_once(torn: Path) -> None:
    done = invoke("calibrate", "compare", torn, "recorded", "recorded")
    assert done.exit_code == 3, done.output
    assert done.stderr.count("records before it are whole") == 1


def test_how_its_sensors_did_is_told_of_what_is_whole(torn: Path) -> None:
    done = invoke("calibrate", "health", torn)
    assert done.exit_code == 3, done.output
    assert done.stderr.count("records before it are whole") == 1
    assert "1 recording" in done.stdout


def test_a_trace_of_it_ends_so_too(torn: Path) -> None:
    done = invoke("trace", torn, "--around", "20", "--span", "2")
    assert done.exit_code == 3, done.output
    assert done.stderr.count("records before it are whole") == 1
