"""`hexboard calibrate`, run as people do: to the end, cut off, taken back, on foreign files."""

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.board import find, load, plain
from hexboard.calibration import result
from hexboard.calibration.result import Calibration, Measured
from hexboard.calibration.sensors import Finding
from hexboard.calibration.store import save
from hexboard.calibration.times import ENOUGH, Times
from hexboard.commands.calibrate.sensors import _before
from hexboard.commands.calibrate.simulated import Robot, bench
from hexboard.commands.calibrate.wiring import _own
from hexboard.daemon import Run, Sitting
from hexboard.facts import Edge, Report
from hexboard.settings import Settings
from tests.calibration.boards import FLOWER
from tests.calibration.test_wiring import BASE as SEATS
from tests.cli import invoke
from tests.devices.test_link import usb
from tests.running import HEXBOARD, PATIENCE, Running, crashing_at, eventually, hexboard
from tests.shell.test_replay_cli import edited


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


@pytest.mark.long
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


@pytest.mark.long
def test_a_survey_of_some_places_leaves_the_whole_one_that_was_begun(flower: Path) -> None:
    notes = flower / "calibration" / "flower.simulated.notes"
    cut_off(flower, signal.SIGKILL, 5)
    begun = notes.read_bytes()
    some = calibrate(flower, "sensors", "flower", "--simulate", "--only", "fall", "--touches", "2")
    assert some.returncode == 0, some.stderr
    assert "Going on" not in some.stderr
    assert notes.read_bytes() == begun
    assert [it.name for it in notes.parent.glob("*.notes")] == [notes.name]
    rest = calibrate(flower, "sensors", "flower", "--simulate", "--json")
    assert f"last on {time.strftime('%Y-%m-%d')}" in rest.stderr
    assert (json.loads(rest.stdout)["unfinished"], notes.exists()) == ([], False)


@pytest.mark.long
def test_what_is_said_of_a_calibration_while_its_board_is_surveyed_holds(flower: Path) -> None:
    assert calibrate(flower, "sensors", "flower", "--simulate").returncode == 0
    command = [*HEXBOARD, "--home", str(flower), "calibrate", "sensors", "flower", "--simulate"]
    notes = flower / "calibration" / "flower.simulated.notes"
    nul = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=nul, stdout=nul, stderr=nul) as surveys:
        eventually(lambda: notes.exists() and notes.read_bytes().count(b'"asked"') >= 3)
        second = calibrate(flower, "sensors", "flower", "--simulate", "--fresh")
        assert (second.returncode, "another terminal" in second.stderr) == (1, True)
        assert calibrate(flower, "sensors", "flower", "--simulate", "--freeze").returncode == 0
    assert (surveys.returncode, notes.exists()) == (0, False)
    assert (saved(flower)["version"], saved(flower)["frozen"]) == (2, True)


def backwards(fact: dict[str, Any]) -> None:
    """A clock that every second fact finds 10 ms behind the one before."""
    if fact["body"]["type"] == "edge" and fact["n"] % 2:
        fact["at"] -= 10**7


def ten_times_as_fast(fact: dict[str, Any]) -> None:
    fact["at"] //= 10


@pytest.mark.long
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
    crashing = crashing_at(99, tmp_path)
    done = hexboard("--home", home, "calibrate", "sensors", "--from", recording, env=crashing)
    assert "after fact 98 (ZeroDivisionError: a mistake of ours)" in done.stderr
    assert done.returncode == 0, done.stderr
    kept = saved(home, "hextraction-22")
    for broken in (backwards, ten_times_as_fast):
        path = edited(recording, tmp_path / "clock.mcap", broken)
        refused = calibrate(home, "sensors", "--from", path)
        assert refused.returncode == 1
        assert "bear times at which they cannot have happened" in refused.stderr
        assert saved(home, "hextraction-22") == kept
        path.unlink()
    other = calibrate(home, "sensors", "rhombus-11", "--from", recording)
    assert other.returncode == 1
    assert "nothing can be learned" in other.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("sensors", "flower", "--only", "gate"), "no gate sensors. Known: edge, fall"),
        (("sensors", "flower", "--rollback", "--from", "x.mcap"), "exclude each other"),
        (("sensors", "flower", "--forget", "fall:a1", "--rollback"), "exclude each other"),
        (("sensors", "flower", "--forget", "fall:a1"), "there is no such file"),
        (("sensors", "flower", "--lan"), "--lan goes with --page"),
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


@pytest.mark.long
def test_a_sensor_that_was_replaced_is_forgotten_and_taken_back(flower: Path) -> None:
    board = load(flower / "boards" / "flower.toml")
    kept = Calibration(
        4,
        "flower",
        result.wiring(board),
        "",
        {s.id: Measured(s.source, s.input, "done", 1) for s in board.sensors},
        (Finding("fall:a1", "weak", "12 of 20"), Finding("fall:c1", "dead")),
    )
    path = flower / "calibration" / "flower.json"
    path.parent.mkdir()
    save(path, kept)
    unknown = calibrate(flower, "sensors", "flower", "--forget", "fall:z9")
    assert "nothing is known of fall:z9" in unknown.stderr
    done = calibrate(flower, "sensors", "flower", "--forget", "fall:a1", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["unfinished"] == ["fall:a1"]
    left = result.load(path)
    assert (left.version, left.findings) == (5, (Finding("fall:c1", "dead"),))
    assert left.sensors == {s: it for s, it in kept.sensors.items() if s != "fall:a1"}
    assert calibrate(flower, "sensors", "flower", "--rollback").returncode == 0
    assert result.load(path) == kept


@pytest.mark.long
def test_a_calibration_is_frozen_shown_as_that_and_thawed(flower: Path) -> None:
    board = load(flower / "boards" / "flower.toml")
    sensors = {s.id: Measured(s.source, s.input, "done", 1) for s in board.sensors}
    kept = Calibration(4, "flower", result.wiring(board), "", sensors)
    path = flower / "calibration" / "flower.json"
    none = calibrate(flower, "sensors", "flower", "--freeze")
    assert (none.returncode, path.exists()) == (1, False)
    save(path, kept)
    assert "Frozen" in calibrate(flower, "sensors", "flower", "--freeze").stdout
    assert result.load(path) == replace(kept, frozen=True)
    assert "Frozen: play teaches it nothing." in calibrate(flower, "show", "flower").stdout
    assert "--freeze" in calibrate(flower, "sensors", "flower", "--thaw", "--rollback").stderr
    assert calibrate(flower, "sensors", "flower", "--thaw").returncode == 0
    assert result.load(path) == kept


@pytest.mark.long
def test_on_another_pico_only_the_pico_is_new_or_all_is_measured_anew(
    flower: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = load(flower / "boards" / "flower.toml")
    sensors = {s.id: Measured(s.source, s.input, "done", 1) for s in board.sensors}
    kept = Calibration(4, "flower", result.wiring(board), "", sensors, pico="E6")
    path = flower / "calibration" / "flower.json"
    save(path, kept)
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [usb("/dev/ttyACM0", "E9")])
    assert _before(path, board, True, "E6") == kept
    assert _before(path, board, False, "E9") == kept
    assert _before(path, board, True, "E9") is None

    def told(*arguments: str) -> str:
        done = invoke(*arguments, home=flower)
        return " ".join((done.stdout + done.stderr).split())

    doctor = ("doctor", "flower", "--state", str(flower / "state"))
    assert "flower was calibrated with another Pico (E6; here is E9)" in told(*doctor)
    assert "holds for the Pico" in told("calibrate", "sensors", "flower", "--new-pico")
    assert result.load(path) == replace(kept, pico="E9")
    assert "another Pico" not in told(*doctor)
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    none = told("calibrate", "sensors", "flower", "--new-pico")
    assert "no Pico is plugged in" in none


@pytest.mark.long
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
    fresh = calibrate(flower, "sensors", "flower", "--simulate", "--only", "fall", "--fresh")
    assert fresh.returncode == 0
    assert saved(flower)["version"] == 1
    assert calibrate(flower, "sensors", "flower", "--simulate", "--rollback").returncode == 1
    (folder / "flower.simulated.json.1").unlink()
    (folder / "flower.simulated.json.2").rename(folder / "flower.simulated.json.1")
    assert calibrate(flower, "sensors", "flower", "--simulate", "--rollback").returncode == 0
    assert saved(flower) == whole


@pytest.mark.long
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


def test_the_wires_go_into_the_persons_own_file_and_never_into_ours(
    home: Path, tmp_path: Path
) -> None:
    """A board named by its path got a second file, which nobody read."""
    elsewhere, boards = tmp_path / "mine.toml", home / "boards"
    boards.mkdir()
    for path in (elsewhere, boards / "second.toml"):
        path.write_text(FLOWER, "utf-8")
    flower, ours = load(elsewhere), load(find("hextraction-22"))
    assert _own(home, str(elsewhere), flower) == elsewhere
    assert _own(home, "second", flower) == boards / "second.toml"
    assert _own(home, "hextraction-22", ours) == boards / "hextraction-22.toml"
    assert _own(home, str(find("hextraction-22")), ours) == boards / "hextraction-22.toml"
    assert _own(home, "hexhex-4", plain("hexhex-4")) == boards / "hexhex-4.toml"


# ---------------------------------------------------------------------------------- in play


GATE, RIB = "gate:B1-6", "edge:C2-C3"


def surveyed(home: Path, **given: Measured) -> Path:
    """The calibration of a simulated board that was visited all over; but for what is given."""
    board = load(find("hextraction-22"))
    sensors = {s.id: Measured(s.source, s.input, "done", 1) for s in board.sensors} | given
    path = home / "calibration" / "hextraction-22.simulated.json"
    date = "2026-01-01T00:00:00+0000"
    wires = result.wiring(board)
    made = Calibration(1, board.name, wires, date, sensors)
    save(path, made)
    return path


@pytest.mark.long
def test_a_run_shows_what_is_unfinished_and_its_match_outlives_a_new_calibration(
    home: Path, start: Callable[..., Running]
) -> None:
    board = load(find("hextraction-22"))
    gate, rib = board.sensor[GATE], board.sensor[RIB]
    old = Times(10**6, 10**6, 10**6, 1, 2 * 10**6, 0, True)
    path = surveyed(
        home,
        **{
            GATE: Measured(gate.source, gate.input, "done", 1, old),
            RIB: Measured(rib.source, rib.input, "unsure"),
        },
    )
    running = start("--empty")
    with running.page() as page:
        state = page.ready()
        (notice,) = state["notices"]
        assert RIB in notice
        assert "hexboard calibrate sensors hextraction-22 --simulate" in notice
        amber = {place for place, meaning, _ in state["marks"] if meaning == "unsure"}
        assert {spot.partition("/")[0] for spot in amber} == {"C2", "C3"}
    code, _ = running.end()
    assert code == 0
    kept = result.load(path)
    new = replace(old, min_high=2 * 10**6)
    changed = replace(kept.sensors[GATE], times=new)
    save(path, replace(kept, sensors=kept.sensors | {GATE: changed}))
    again = start("--empty")  # other times now, but the same board: the match goes on
    with again.page() as page:
        assert len(page.state["notices"]) == 1
    again.end()
    one, other = again.recordings()
    assert other.stem.startswith(f"{one.stem}+")
    for recording in (one, other):
        replayed = hexboard("replay", recording)
        assert replayed.returncode == 0, replayed.stderr


@pytest.mark.long
def test_a_run_goes_on_without_a_calibration_that_is_torn(
    home: Path, start: Callable[..., Running]
) -> None:
    path = surveyed(home)
    path.write_bytes(path.read_bytes()[:-100])
    with start("--empty").page() as page:
        (notice,) = page.ready()["notices"]
        assert "played on without its calibration" in notice
        assert "--rollback" in notice
        page.roll()


def test_what_rolls_by_in_a_run_is_learned_when_it_ends(home: Path, tmp_path: Path) -> None:
    path = surveyed(home)
    board = load(find("hextraction-22"))
    asked = Run(
        board,
        tmp_path / "state",
        Settings(),
        "hextraction",
        simulate=True,
        port=0,
        calibration=path,
    )
    said: list[str] = []
    sitting = Sitting(asked, said.append)
    thread = threading.Thread(target=sitting.run)
    thread.start()
    try:
        daemon = eventually(lambda: sitting.daemon)
        eventually(lambda: any("connected" in line for line in said))
        begin = time.monotonic_ns() - 60 * 10**9
        for k in range(ENOUGH):
            for ms, level in ((0, True), (12, False)):
                at = begin + (1000 * k + ms) * 10**6
                daemon.mailbox.post(Report("pico", at, Edge(GATE, level)))
        eventually(lambda: len(daemon._calibration._learner.samples[GATE].rolled) == ENOUGH)
    finally:
        sitting.stop()
        thread.join(PATIENCE)
    times = result.load(path).sensors[GATE].times
    assert times is not None
    assert (times.min_high, times.pulses) == (board.sensor[GATE].min_high, ENOUGH)
    assert (result.load(path).version, result.load(path).taught) == (2, True)
    (recording,) = (tmp_path / "state" / "recordings").glob("*.mcap")
    assert [name for name, _ in result.load(path).recordings] == [recording.stem]


# ------------------------------------------------------------------------------ wiring, stopped


class Typing:
    """A person who types at `calibrate wiring`, at a board that stands beside them."""

    def __init__(self, home: Path, robot: Robot, *arguments: str) -> None:
        command = [*HEXBOARD, "--home", str(home), "calibrate", "wiring", "flower", *arguments]
        command += ["--port", robot.rig.twin.port]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.read: list[str] = []
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as said:
            for line in said:
                self.read.append(line)

    def asked(self, words: str) -> None:
        """Wait until the last line has these words."""
        eventually(lambda: self.read and words in self.read[-1])

    def type(self, word: str) -> None:
        assert self.process.stdin is not None
        print(word, file=self.process.stdin, flush=True)

    def left(self) -> int:
        """How it ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        code = self.process.wait(PATIENCE)
        self._listener.join(PATIENCE)
        self.process.stdin.close()
        self.process.stdout.close()
        assert "Traceback" not in "".join(self.read)
        return code


def shows(robot: Robot, colour: str) -> bool:
    return robot.colour() == colour


def keeps(notes: Path, said: str) -> bool:
    return f'"said":"{said}"' in notes.read_text("utf-8")


@pytest.mark.long
@pytest.mark.parametrize("stop", ["q", "Ctrl-C"])
def test_a_wiring_that_is_stopped_keeps_its_answers(flower: Path, stop: str) -> None:
    """It lost everything."""
    (flower / "boards" / "flower.toml").write_text(SEATS, "utf-8")
    truth = load(flower / "boards" / "flower.toml")
    notes = flower / "calibration" / "flower.wiring.notes"
    with Robot(truth, bench(truth)) as robot:
        first = Typing(flower, robot)
        for colour in "rgb":
            first.asked("Which colour is light 0")
            eventually(partial(shows, robot, colour))
            first.type(colour)
            eventually(partial(keeps, notes, colour))
        first.asked("all the same colour")
        first.type("y")
        first.asked("Light 0 of 42 is on")
        first.process.send_signal(signal.SIGINT) if stop == "Ctrl-C" else first.type("q")
        assert first.left() == 130
        assert "Your 4 answers are kept" in first.read[-1]
        assert not (flower / "boards" / "flower.toml.part").exists()

        again = Typing(flower, robot)
        again.asked("Light 0 of 42 is on")
        assert "Going on where it was stopped (4 answers" in again.read[0]
        again.type("q")
        assert again.left() == 130

        fresh = Typing(flower, robot, "--fresh")
        fresh.asked("Which colour is light 0")
        assert not any("Going on" in line for line in fresh.read)
        fresh.type("q")
        assert fresh.left() == 130
        assert "nothing was written" in fresh.read[-1]


@pytest.mark.long
def test_a_wiring_cut_off_among_the_sensors_ends_with_the_same_board_file(
    flower: Path, tmp_path: Path
) -> None:
    (flower / "boards" / "flower.toml").write_text(SEATS, "utf-8")
    out, notes = tmp_path / "found.toml", flower / "calibration" / "flower.simulated.wiring.notes"
    command = [*HEXBOARD, "--home", str(flower), "calibrate", "wiring", "flower", "--simulate"]
    nul = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=nul, stdout=nul, stderr=nul) as cut:
        eventually(lambda: notes.exists() and notes.read_bytes().count(b'"trigger"') >= 3)
        cut.send_signal(signal.SIGKILL)
    done = calibrate(flower, "wiring", "flower", "--simulate", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "Going on" in done.stderr
    assert "Which colour" not in done.stderr
    assert "Touch a1." not in done.stderr
    assert "is wired as its file says" in done.stdout
    assert not notes.exists()


@pytest.mark.long
@pytest.mark.parametrize("later_ms", range(0, 600, 50))
def test_ctrl_c_while_a_board_is_opened_ends_it_whole(flower: Path, later_ms: int) -> None:
    (flower / "settings.toml").write_text("[web]\nport = 0\n", "utf-8")
    between = ("-W", "ignore:unclosed file:ResourceWarning")  # Ctrl-C before a `with` is entered
    python, words = (*HEXBOARD[:3], *between), (*HEXBOARD[3:], "--home", str(flower))
    command = [*python, *words, "calibrate", "sensors", "flower"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, "--simulate", "--page"], stderr=pipe, text=True) as cut:
        assert cut.stderr is not None
        assert any("token=" in line for line in cut.stderr)  # its page is there, its board not yet
        time.sleep(later_ms / 1000)
        cut.send_signal(signal.SIGINT)
        assert "Traceback" not in cut.stderr.read()  # of a process or a folder that was left
        assert cut.wait(PATIENCE) == 130
