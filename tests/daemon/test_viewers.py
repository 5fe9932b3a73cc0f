"""A recording as free viewers show it. What is expected is the golden evening's own text, geometry
that is worked out here, and the fields of the published schemas (docs.foxglove.dev)."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcap.reader import make_reader

from hexboard.board import find, load
from hexboard.commands.cli import main
from hexboard.daemon.viewers import layout, told_to_viewers
from hexboard.record.foxglove import TOPICS, Time, ViewerFile, stamp
from hexboard.record.recording import recordings_in
from hexboard.record.replay import Replay
from tests.golden import GOLDEN
from tests.running import hexboard

EVENING = GOLDEN / "evening.mcap"
FOREIGN = Path(__file__).parents[1] / "foreign"
REQUIRED = {
    "entity": "timestamp frame_id id lifetime frame_locked metadata arrows cubes spheres cylinders "
    "lines triangles texts models",
    "lines": "type pose thickness scale_invariant points color colors indices",
    "triangles": "pose points color colors indices",
    "spheres": "pose size color",
    "cylinders": "pose size bottom_scale top_scale color",
    "texts": "pose billboard font_size scale_invariant color text",
}
"""What an entity and its parts must have, in any order."""


def told(path: Path) -> dict[str, list[tuple[int, dict[str, Any]]]]:
    """Of each topic the times and messages, by the library's own reader."""
    found: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    with path.open("rb") as file:
        for _, channel, message in make_reader(file).iter_messages():
            found.setdefault(channel.topic, []).append((message.log_time, json.loads(message.data)))
    return found


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden evening for viewers, with a picture that was taken at its first fact."""
    path = tmp_path_factory.mktemp("viewers") / "evening.foxglove.mcap"
    run = Replay(EVENING)
    first = next(iter(Replay(EVENING))).fact
    with ViewerFile(path) as file:
        shown = told_to_viewers(run, run, file, [(first.t, b"\xff\xd8\xff")])
    path.with_suffix(".layout.json").write_text(json.dumps(shown), "utf-8")
    return path


def test_what_was_said_is_a_log_with_its_rules(exported: Path) -> None:
    log = [message for _, message in told(exported)["/log"]]
    rules = [it["file"] and f"  [{it['file']}]" for it in log]
    lines = [
        f"{it['line']:5}  {it['message']}{rule}\n" for it, rule in zip(log, rules, strict=True)
    ]
    assert "".join(lines) == (GOLDEN / "evening.txt").read_text("utf-8")
    assert {it["level"] for it in log if it["name"] == "ruling"} == {2}
    assert set(log[0]) == {"timestamp", "level", "message", "name", "file", "line"}


def test_times_are_those_of_the_wall(exported: Path) -> None:
    with EVENING.open("rb") as file:
        _, _, begun = next(make_reader(file).iter_messages(topics=["fact"]))
    [(at, board)] = told(exported)["/board"]
    assert at == begun.log_time
    stamped = board["entities"][0]["timestamp"]
    assert stamped["sec"] * 10**9 + stamped["nsec"] == at
    assert stamp(-5) == Time(0, 0)


def test_the_board_lies_in_metres_with_all_its_cells(exported: Path) -> None:
    cells = {cell.id: cell for cell in load(find("hextraction-22")).cells}
    [(_, board)] = told(exported)["/board"]
    [ground] = board["entities"]
    assert [text["text"] for text in ground["texts"]] == list(cells)
    for line, cell in zip(ground["lines"], cells.values(), strict=True):
        middle = [sum(point[axis] for point in line["points"]) / 6 for axis in "xy"]
        assert middle == pytest.approx([cell.x / 1000, cell.y / 1000], abs=1e-5)
        assert line["type"] == 1  # LINE_LOOP


def test_lights_are_those_that_the_scene_lights(exported: Path) -> None:
    """The first scene of the evening names its cells: no other has a light."""
    with EVENING.open("rb") as file:
        _, _, first = next(make_reader(file).iter_messages(topics=["scene"]))
    scene = json.loads(first.data)["scene"]
    cells = {place.partition("/")[0] for place, *_ in scene}
    board = load(find("hextraction-22"))
    places = {(pixel.x, pixel.y) for pixel in board.pixels if "*" in cells or pixel.cell in cells}
    [lights] = told(exported)["/lights"][0][1]["entities"]
    squares = [
        shape["points"][i : i + 4]
        for shape in lights["triangles"]
        for i in range(0, len(shape["points"]), 4)
    ]
    middles = {
        tuple(round(1000 * sum(point[axis] for point in square) / 4, 1) for axis in "xy")
        for square in squares
    }
    assert middles == {(round(x, 1), round(y, 1)) for x, y in places}


def test_each_part_has_all_that_the_published_schema_requires(exported: Path) -> None:
    for topic, messages in told(exported).items():
        for _, message in messages if TOPICS[topic][0] == "foxglove.SceneUpdate" else ():
            assert set(message) == {"entities", "deletions"}
            for entity in message["entities"]:
                assert set(entity) == set(REQUIRED["entity"].split())
                for kind in ("lines", "triangles", "spheres", "cylinders", "texts"):
                    for part in entity[kind]:
                        assert set(part) == set(REQUIRED[kind].split())


def test_a_picture_is_a_jpeg_at_its_time(exported: Path) -> None:
    [(at, image)] = told(exported)["/camera"]
    assert (image["data"], image["format"]) == ("/9j/", "jpeg")
    assert at == told(exported)["/board"][0][0]


def test_sensors_can_be_plotted(exported: Path) -> None:
    with EVENING.open("rb") as file:
        facts = [json.loads(m.data) for _, _, m in make_reader(file).iter_messages(["fact"])]
    edges = [f["body"] for f in facts if f["body"]["type"] == "edge"]
    levels = [(m["sensor"], m["level"]) for _, m in told(exported)["/sensors"]]
    assert sorted(levels) == sorted((e["sensor"], int(e["level"])) for e in edges)


def test_the_layout_names_panels_topics_and_sensors_that_are_there(exported: Path) -> None:
    shown = json.loads(exported.with_suffix(".layout.json").read_text("utf-8"))
    named = set(re.findall(r"[\w3]+![a-z]+", json.dumps(shown["layout"])))
    assert named == set(shown["configById"])
    topics = told(exported)
    asked = json.dumps(shown["configById"])
    assert set(re.findall(r'"(/\w+)["{]', asked)) <= topics.keys()
    paths = [path["value"] for path in shown["configById"]["StateTransitions!sensors"]["paths"]]
    spoken = {f'/sensors{{sensor=="{m["sensor"]}"}}.level' for _, m in topics["/sensors"]}
    assert paths
    assert set(paths) <= spoken


def test_a_layout_without_camera_and_sensors_has_neither() -> None:
    shown = layout(load(find("hexhex-5")), ["/board", "/log"], [])
    assert set(shown["configById"]) == {"3D!board", "RosOut!log"}


@pytest.mark.parametrize("name", ["hexhex-5", "hextraction-22", "flowers-31"])
def test_a_layout_shows_the_whole_board_from_above_and_no_axes(name: str) -> None:
    """As Lichtblick 1.28 does, looked at: half of 45 degrees reaches 0.414 of the distance."""
    board = load(find(name))
    scene = layout(board, ["/board"], [])["configById"]["3D!board"]
    camera = scene["cameraState"]
    assert (camera["phi"], camera["fovy"]) == (0, 45)
    farthest = max(abs(at) for cell in board.cells for it in board.corners(cell.id) for at in it)
    assert farthest / 1000 < 0.414 * camera["distance"] < 1.4 * farthest / 1000
    assert scene["transforms"] == {"frame:board": {"visible": False}}


def test_what_cannot_be_told_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), ViewerFile(tmp_path / "a.mcap"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_what_is_written_stays_one(tmp_path: Path) -> None:
    (tmp_path / "a.mcap").symlink_to(tmp_path / "there.mcap")
    with ViewerFile(tmp_path / "a.mcap"):
        pass
    assert (tmp_path / "a.mcap").is_symlink()
    assert (tmp_path / "there.mcap").read_bytes().startswith(b"\x89MCAP")


@pytest.mark.long
def test_the_command_writes_both_files_and_says_what_is_torn(tmp_path: Path) -> None:
    torn = tmp_path / "evening.mcap"
    torn.write_bytes(EVENING.read_bytes()[:-3000])
    done = hexboard("export", "--foxglove", torn)
    assert (done.returncode, "damaged" in done.stderr) == (3, True), done.stderr
    assert told(tmp_path / "evening.foxglove.mcap")["/log"]
    assert (tmp_path / "evening.foxglove.layout.json").exists()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["--foxglove", "--page"])
def test_pictures_that_are_lost_are_told(tmp_path: Path, kind: str) -> None:
    shutil.copy(EVENING, tmp_path)
    torn = tmp_path / "evening.frames.mcap"
    torn.write_bytes(EVENING.read_bytes()[:-3000])
    done = hexboard("export", kind, tmp_path / EVENING.name, "-o", tmp_path / "made")
    assert (done.returncode, f"{torn} is damaged at byte" in done.stderr) == (0, True), done.stderr


def test_one_file_is_written_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["export", "--foxglove", "--page", str(EVENING)])
    assert "Choose one of --record" in capsys.readouterr().err


@pytest.mark.parametrize(("kind", "name"), [("--foxglove", "a.mcap"), ("--page", "a.frames.mcap")])
def test_nothing_is_written_over_the_recording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, name: str
) -> None:
    recording = tmp_path / "a.mcap"
    shutil.copy(EVENING, recording)
    with pytest.raises(SystemExit, match="2"):
        main(["export", kind, str(recording), "-o", str(tmp_path / name)])
    assert f"{name} is what is read" in capsys.readouterr().err
    assert recording.read_bytes() == EVENING.read_bytes()
    assert list(tmp_path.iterdir()) == [recording]


@pytest.mark.parametrize(
    ("option", "name"), [("--csv", "a.mcap"), ("--vcd", "a.mcap"), ("--csv", "a.secrets")]
)
def test_no_trace_is_written_over_the_recording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, name: str
) -> None:
    recording = tmp_path / "a.mcap"
    for path in {recording, tmp_path / name}:
        shutil.copy(EVENING, path)
    with pytest.raises(SystemExit, match="2"):
        main(["trace", str(recording), option, str(tmp_path / name)])
    assert f"{name} is what is read" in capsys.readouterr().err
    assert (tmp_path / name).read_bytes() == EVENING.read_bytes()


def test_a_trace_goes_into_a_pipe(tmp_path: Path) -> None:
    done = hexboard("trace", EVENING, "--around", 9, "--span", 1, "--csv", "/dev/stdout")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("seconds,fact,kind,who,value,odds")


def test_what_was_written_beside_a_recording_is_taken_for_none(tmp_path: Path) -> None:
    for name in ("a", "a.frames", "a.foxglove"):
        (tmp_path / f"{name}.mcap").touch()
    assert recordings_in(tmp_path) == [tmp_path / "a.mcap"]


@pytest.mark.long
@pytest.mark.foreign
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed: apt install npm")
def test_foreign_readers_find_nothing_wrong(exported: Path, tmp_path: Path) -> None:
    """`@mcap/core` reads the export and the recording itself, and each message is what the schema
    says that `@foxglove/schemas` publishes for it."""
    for file in FOREIGN.iterdir():
        shutil.copy(file, tmp_path)
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=tmp_path, check=True)
    for path in (exported, EVENING):
        command = ["node", "viewer.js", str(path)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        assert found["wrong"] == []
        assert {name: it["messages"] for name, it in found["topics"].items()} == {
            topic: len(messages) for topic, messages in told(path).items()
        }
        assert found["indexed"] == (path == exported)  # a recording keeps no list of its chunks
