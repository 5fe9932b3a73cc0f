"""`hexboard calibrate`, run as people do: to the end, cut off, taken back, on foreign files."""

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.calibration.boards import FLOWER
from tests.calibration.test_wiring import BASE as SEATS
from tests.running import HEXBOARD, eventually, hexboard


@pytest.fixture
def flower(home: Path) -> Path:
    """The folder of a person whose board has seven cells."""
    (home / "boards").mkdir()
    (home / "boards" / "flower.toml").write_text(FLOWER, "utf-8")
    return home


def calibrate(home: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return hexboard("--home", home, "calibrate", *arguments, stdin=subprocess.DEVNULL)


def saved(home: Path, name: str = "flower.simulated") -> dict[str, Any]:
    read: dict[str, Any] = json.loads((home / "calibration" / f"{name}.json").read_text("utf-8"))
    return read


def cut_off(home: Path, how: signal.Signals, asked: int) -> int:
    """A survey that is ended by a signal once so many places more were asked for."""
    command = [*HEXBOARD, "--home", str(home), "calibrate", "sensors", "flower", "--simulate"]
    notes = home / "calibration" / "flower.simulated.notes"

    def count() -> int:
        return notes.read_bytes().count(b'"asked"') if notes.exists() else 0

    before = count()
    nul = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=nul, stdout=nul, stderr=nul) as cut:
        eventually(lambda: count() >= before + asked)
        cut.send_signal(how)
    return cut.returncode


def test_a_survey_is_killed_then_stopped_goes_on_and_is_taken_back(flower: Path) -> None:
    notes = flower / "calibration" / "flower.simulated.notes"
    assert cut_off(flower, signal.SIGKILL, 5) == -signal.SIGKILL
    assert not (flower / "calibration" / "flower.simulated.json").exists()
    assert cut_off(flower, signal.SIGINT, 4) == 130
    stopped = saved(flower)
    states = [it["state"] for it in stopped["sensors"].values()]
    assert stopped["version"] == 1
    assert 7 <= states.count("done") < len(states)
    done = calibrate(flower, "sensors", "flower", "--simulate", "--json")
    assert done.returncode == 0, done.stderr
    assert "Going on" in done.stderr
    assert "Listening" not in done.stderr  # what was heard at rest is known
    told = json.loads(done.stdout)
    assert (told["version"], told["findings"], told["unfinished"]) == (2, [], [])
    assert not notes.exists()
    first = saved(flower)
    assert {it["state"] for it in first["sensors"].values()} == {"done"}

    again = calibrate(flower, "sensors", "flower", "--simulate", "--only", "fall")
    assert again.returncode == 0, again.stderr
    assert "version 3" in again.stdout
    assert "Going on" not in again.stderr
    assert calibrate(flower, "sensors", "flower", "--simulate", "--rollback").returncode == 0
    assert saved(flower) == first
    assert calibrate(flower, "sensors", "flower", "--simulate", "--rollback").returncode == 0
    assert saved(flower) == stopped
    none = calibrate(flower, "sensors", "flower", "--simulate", "--rollback")
    assert none.returncode == 1
    assert "no earlier" in none.stderr


def test_times_are_learned_from_a_recorded_evening(home: Path, tmp_path: Path) -> None:
    played = hexboard("run", "--simulate", "--fast", "--turns", 60, "--state", tmp_path)
    assert played.returncode == 0, played.stderr
    (recording,) = (tmp_path / "recordings").glob("*.mcap")
    done = calibrate(home, "sensors", "--from", recording)
    assert done.returncode == 0, done.stderr
    read = saved(home, "hextraction-22")
    timed = {s: it["times"] for s, it in read["sensors"].items() if it["times"]}
    assert len([s for s in timed if s.startswith("edge:")]) == 49
    assert all(5e6 <= t["shortest"] <= 6e6 for s, t in timed.items() if s.startswith("edge:"))
    assert not read["findings"]
    torn = tmp_path / "torn.mcap"
    torn.write_bytes(recording.read_bytes()[:-4000])
    assert calibrate(home, "sensors", "--from", torn).returncode == 0
    other = calibrate(home, "sensors", "rhombus-11", "--from", recording)
    assert other.returncode == 1
    assert "nothing can be learned" in other.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("sensors", "flower", "--only", "gate"), "no gate sensors. Known: edge, fall"),
        (("sensors", "flower", "--rollback", "--from", "x.mcap"), "exclude each other"),
        (("sensors", "flowr"), "Did you mean “flower”"),
        (("sensors", "rhombus-7"), "has no sensors"),
        (("wiring", "rhombus-7"), "neither lights nor sensors"),
        (("wiring", "no-such"), "no board “no-such”"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    flower: Path, arguments: tuple[str, ...], why: str
) -> None:
    done = calibrate(flower, *arguments)
    assert done.returncode in (1, 2)
    assert why in " ".join(done.stderr.split())


def test_a_torn_calibration_is_refused_and_the_one_before_comes_back(flower: Path) -> None:
    folder = flower / "calibration"
    folder.mkdir()
    whole = {"schema": "hexboard/calibration-1", "version": 3, "board": "flower"}
    whole |= {"wiring": "", "date": "", "sensors": {}}
    (folder / "flower.simulated.json.1").write_text(json.dumps(whole), "utf-8")
    (folder / "flower.simulated.json").write_text('{"schema": "hexb', "utf-8")
    done = calibrate(flower, "sensors", "flower", "--simulate")
    assert done.returncode == 1
    assert "--rollback" in done.stderr
    assert calibrate(flower, "sensors", "flower", "--simulate", "--rollback").returncode == 0
    assert saved(flower) == whole


def test_a_board_file_is_written_with_its_wires_and_passes_check(
    flower: Path, tmp_path: Path
) -> None:
    (flower / "boards" / "flower.toml").write_text(SEATS, "utf-8")
    out = tmp_path / "found.toml"
    done = calibrate(flower, "wiring", "flower", "--simulate", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "is wired as its file says" in done.stdout
    assert hexboard("check", out).returncode == 0
    assert 'kind = "seat"' in out.read_text("utf-8")
    assert [p.name for p in tmp_path.glob("found*")] == ["found.toml"]
