"""What `replay`, `log`, `trace` and `export` say of options and files that cannot be used."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from hexboard.record.foxglove import INFO, ViewerFile, ViewerLog, stamp
from hexboard.record.recording import Recorder, read, recordings_in
from hexboard.record.schemas import schemas
from tests.cli import invoke

EVENING = Path(__file__).parents[2] / "docs" / "golden" / "evening.mcap"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--what-if no_move=lose", "--what-if goes with a recording"),
        ("--without edge:B1-B2", "--without goes with a recording"),
        ("--page", "--page goes with a recording"),
        ("--until 1 --json", "--until goes with a recording"),
        ("--speed abc", "--speed goes with a recording"),
    ],
)
def test_what_goes_with_recordings_alone_is_refused_of_a_record(
    words: str, why: str, tmp_path: Path
) -> None:
    record = tmp_path / "game.txt"
    record.write_text("Game: hexalma\n\n1. b1-c1\nResult: *\n", "utf-8")
    done = invoke("replay", record, *words.split())
    assert (done.exit_code, why in done.output) == (2, True), done.output
    told = invoke("replay", record, "--json")
    assert json.loads(told.output) == {
        "n": 1,
        "text": "Black moves b1 to c1.",
        "rule": "ALMA-3.1",
    }


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--calibration none.json --without edge:B1-B2", "--calibration goes with --json alone."),
        ("--as-recorded --what-if pool=90", "--as-recorded goes with --speed, --until, --json alo"),
        ("--from-frames --until 9", "--from-frames goes with --json alone."),
        ("--what-if pool=90 --speed 2", "--what-if goes with --without, --until, --page, --port,"),
        ("--page --speed abc", "--page goes with"),
        ("--without edge:B1-B2 --until 9 --quiet", "--without goes with"),
        ("--speed abc", "not 'abc'"),
    ],
)
def test_options_of_which_one_would_do_nothing_are_refused(words: str, why: str) -> None:
    done = invoke("replay", EVENING, *words.split())
    assert (done.exit_code, why in done.output) == (2, True), done.output


@contextmanager
def written(path: Path, **attachments: bytes) -> Iterator[Recorder]:
    """A recording with the first 40 records of the evening, not closed yet."""
    golden = read(EVENING)
    files = {"board.json": golden.attachments["board.json"]} | attachments
    recorder = Recorder(
        path, schemas=schemas(), attachments=files, metadata=golden.metadata, trouble=print
    )
    for record in islice(golden, 40):
        recorder.put(record.topic, record.t, record.payload)
    recorder.sync()
    yield recorder
    recorder.close()


@pytest.mark.parametrize("command", ["replay", "trace", "export --record", "export --foxglove"])
def test_what_cannot_be_replayed_says_which_command_shows_it_and_that_one_does(
    command: str, tmp_path: Path
) -> None:
    path = tmp_path / "m.mcap"
    with written(path, **{"board.json": b"lost"}):
        pass
    done = invoke(*command.split(), path)
    assert (done.exit_code, "hexboard replay --as-recorded shows" in done.output) == (1, True)
    shown = invoke("replay", "--as-recorded", path)
    assert (shown.exit_code, "Red rolls ball 1" in shown.output) == (0, True), shown.output


def test_a_match_that_goes_on_is_not_said_to_have_been_killed(tmp_path: Path) -> None:
    path = tmp_path / "m.mcap"
    with written(path):
        done = invoke("replay", path)
    assert (done.exit_code, "is still being recorded, or" in done.output) == (0, True), done.output


def test_a_file_for_other_viewers_is_named_what_it_is_and_is_no_recording_of_a_folder(
    tmp_path: Path,
) -> None:
    """It is called as people like."""
    path = tmp_path / "evening.mcap"
    with ViewerFile(path) as file:
        file.put("/log", 0, ViewerLog(stamp(0), INFO, "Red takes C3.", "ruling", "3.2", 17))
    for command in ("replay", "log", "trace", "export --page"):
        done = invoke(*command.split(), path)
        assert (done.exit_code, "written for other viewers" in done.output) == (1, True), command
    with written(tmp_path / "m.mcap"):
        pass
    assert recordings_in(tmp_path) == [tmp_path / "m.mcap"]


@pytest.mark.parametrize(
    "command",
    ["replay", "log", "trace", "export --page", "export --foxglove", "calibrate health"],
)
def test_a_folder_or_what_may_not_be_read_is_no_mistake_of_who_typed_it(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status 2 would say that a ruling differs."""
    done = invoke(*command.split(), tmp_path)
    assert (done.exit_code, "is a folder, not a recording" in done.output) == (1, True), done.output
    (path := tmp_path / "m.mcap").touch()
    monkeypatch.setattr(os, "access", lambda *_, **__: False)  # root may read everything
    done = invoke(*command.split(), path)
    assert (done.exit_code, "has no whole record" in done.output) == (1, True), done.output


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("export --page LOOP", "Too many levels of symbolic links"),
        ("export --foxglove LOOP", "Too many levels of symbolic links"),
        (f"archive {EVENING} --workers 1 --against LOOP", "There is no archive in"),
    ],
)
def test_a_link_to_itself_crashes_nothing(
    command: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "loop.mcap").symlink_to("loop.mcap")
    words = command.replace("LOOP", str(tmp_path / "loop.mcap")).split()
    done = invoke(*words, "-o", "out")
    assert (done.exit_code, said in done.output) == (1, True), done.output


def test_a_topic_is_shown_or_those_are_named_that_there_are() -> None:
    done = invoke("log", EVENING, "--topic", "nonsense")
    assert (done.exit_code, "fact, event, scene, digest, state, chain" in done.output) == (2, True)
    digests = invoke("log", EVENING, "--topic", "digest")
    (first, *_) = digests.stdout.splitlines()
    found = next(json.loads(it.payload) for it in read(EVENING) if it.topic == "digest")
    assert first == f"00:00.000  digest {json.dumps(found, sort_keys=True)}"


def test_what_trace_writes_has_as_many_lines_as_it_says(tmp_path: Path) -> None:
    files = {"--csv": tmp_path / "t.csv", "--vcd": tmp_path / "t.vcd"}
    words = [str(word) for pair in files.items() for word in pair]
    done = invoke("trace", EVENING, "--around", "20", *words)
    assert done.exit_code == 0
    for path, said in zip(files.values(), done.stderr.splitlines(), strict=True):
        count = path.read_bytes().count(b"\n")
        assert said == f"Wrote {path}: {count} lines."


@pytest.mark.long
def test_what_is_printed_as_json_has_the_keys_that_its_page_lists(tmp_path: Path) -> None:
    page = (EVENING.parents[1] / "commands.md").read_text("utf-8")

    def listed(of: str) -> set[str]:
        """The words in code of a row that are keys, not values."""
        row = page.partition(f"\n| `{of}`")[2].partition("\n")[0].split("|", 1)[1]
        return set(re.findall("`([a-z_]+)`", row.partition("; with")[0].partition("; `pair`")[0]))

    def printed(*words: str) -> list[dict[str, Any]]:
        done = invoke(*words, "--json")
        assert done.exit_code == 0, done.output
        return [json.loads(line) for line in done.output.splitlines()]

    (replay,) = printed("replay", str(EVENING))
    assert set(replay) == listed("replay")
    (recorded,) = printed("replay", "--as-recorded", str(EVENING))
    assert set(recorded) == {"facts", "seconds", "damage"}
    traced = printed("trace", str(EVENING), "--around", "60", "--span", "6")
    kinds = {"raw", "believed", "ball", "ruling", "weighed", "ruled", "lost", "asked"}
    assert {key for it in traced for key in it} == listed("trace") - kinds
    assert {it["kind"] for it in traced} <= kinds
    (lights,) = printed("lights", "show", "hextraction")
    assert set(lights) | set(lights["lights"][0]) == listed("lights show")
    file = str(tmp_path / "t.trf")
    printed("tournament", "new", file, "Ann", "Ben", "--game", "hexalma")
    (paired,) = printed("tournament", "pair", file)
    inside = set(paired["pairings"][0]) | set(paired["places"][0])
    assert set(paired) - {"notes"} | inside == listed("tournament show")
