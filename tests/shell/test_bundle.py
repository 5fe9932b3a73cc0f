"""`hexboard bundle`: all that helps, replayable, and nothing that is secret."""

import errno
import json
import os
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from hexboard.commands.bundle import _last
from hexboard.files import shipped
from tests.cli import invoke
from tests.running import hexboard

SECRET = "no-stranger-may-read-this"
MATCHES = ("20260101-200000-aaaa", "20260102-200000-bbbb")


@pytest.fixture
def state(tmp_path: Path, home: Path) -> Path:
    """Two matches, the second with hidden cards, pictures and a crash; secrets everywhere."""
    recordings = tmp_path / "state" / "recordings"
    recordings.mkdir(parents=True)
    evening = shipped("boards").parent.parent / "docs" / "golden" / "evening.mcap"
    for day, match in enumerate(MATCHES):
        path = recordings / f"{match}.mcap"
        path.write_bytes(evening.read_bytes())
        os.utime(path, (day, day))
    for ending in (".sealed", ".frames.mcap", ".foxglove.mcap"):
        (recordings / f"{MATCHES[1]}{ending}").write_text(SECRET)
    (recordings / f"{MATCHES[1]}.2.crash.txt").write_text("a traceback")
    for name in ("token", "phones.json", "hextraction.db", "link.json"):
        (tmp_path / "state" / name).write_text(SECRET)
    camera = f'[camera]\nsource = "http://me:{SECRET}@192.0.2.9/x?key={SECRET}"\n'
    broker = f'[mqtt]\nhost = "192.0.2.8"\nuser = "{SECRET}"\npassword = "{SECRET}"\n'
    hooks = f'[webhooks]\nurls = ["https://192.0.2.7/{SECRET}", "https://192.0.2.7?{SECRET}"]\n'
    hooks += f'secret = "{SECRET}"\n'
    (home / "settings.toml").write_text(camera + broker + hooks, "utf-8")
    return tmp_path / "state"


@pytest.mark.long
def test_it_has_what_helps_and_no_secret(state: Path, home: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    words = ("--home", home, "bundle", "hexhex-4", "--state", state, "-o", out)
    refused = hexboard(*words, input="n\n")
    assert refused.returncode == 1
    assert not out.exists()
    assert f"recordings/{MATCHES[1]}.mcap" in refused.stdout
    done = hexboard(*words, input="\n")
    assert done.returncode == 0, done.stderr
    with ZipFile(out) as packed:
        inside = {name: packed.read(name) for name in packed.namelist()}
        packed.extract(f"recordings/{MATCHES[1]}.mcap", tmp_path)
    assert set(inside) == {
        "doctor.json",
        "settings.json",
        "board.json",
        f"recordings/{MATCHES[1]}.mcap",
        f"recordings/{MATCHES[1]}.2.crash.txt",
    }
    assert not [name for name, data in inside.items() if SECRET.encode() in data]
    assert json.loads(inside["settings.json"])["camera"] == {"source": "http://"}
    assert {one["check"] for one in json.loads(inside["doctor.json"])} >= {"space", "journal"}
    replayed = hexboard("replay", tmp_path / f"recordings/{MATCHES[1]}.mcap", "--quiet")
    assert replayed.returncode == 0, replayed.stdout


def test_a_file_that_is_there_is_never_written_over(
    state: Path, home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.zip"
    out.write_text("mine")
    told = hexboard(
        "--home", home, "bundle", "hexhex-4", "--state", state, "--json", "--yes", "-o", out
    )
    assert told.returncode == 1
    assert json.loads(told.stdout) == {"error": f"{out} is there already: name another with -o."}
    assert out.read_text() == "mine"


@pytest.mark.parametrize(
    ("board", "settings", "left_out"),
    [
        ("", "brightnes = 3", ["settings.json"]),
        ("", "settle_ms = [", ["settings.json"]),
        ("", "", ["board.json"]),
        ("nix", "", ["board.json"]),
        ("nix", "brightnes = 3", ["settings.json", "board.json"]),
    ],
)
def test_it_is_there_when_settings_or_a_board_make_no_sense(
    state: Path, home: Path, tmp_path: Path, board: str, settings: str, left_out: list[str]
) -> None:
    """That is when somebody needs it."""
    path, out = home / "settings.toml", tmp_path / "out.zip"
    own = "hexhex-4" if settings else "no-such-board"
    path.write_text(f'{settings}\nboard = "{own}"\n{path.read_text("utf-8")}', "utf-8")
    words = ("--home", home, "bundle", *filter(None, [board]), "--state", state, "-o", out)
    done = invoke(*words, "--json", "--yes")
    assert done.exit_code == 0, done.output
    assert [line.split()[0] for line in json.loads(done.stdout)["left_out"]] == left_out
    assert all(f"{name} is left out: " in done.stderr for name in left_out)
    with ZipFile(out) as packed:
        inside = {name: packed.read(name) for name in packed.namelist()}
    kept = {"settings.json", "board.json"} - {*left_out}
    assert kept == {"settings.json", "board.json"} & {*inside}
    assert {f"recordings/{MATCHES[1]}.mcap", f"recordings/{MATCHES[1]}.2.crash.txt"} < {*inside}
    assert {it["check"] for it in json.loads(inside["doctor.json"])} >= {"files", "board"}
    assert not [name for name, data in inside.items() if SECRET.encode() in data]


def test_what_prints_json_writes_by_somebodys_word_alone(
    state: Path, home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.zip"
    words = ("--home", home, "bundle", "hexhex-4", "--state", state, "--json", "-o", out)
    told = invoke(*words)
    assert told.exit_code == 2
    assert "--yes" in json.loads(told.stdout)["error"]
    assert not out.exists()


@pytest.mark.long
def test_who_is_not_asked_is_told_what_is_inside_all_the_same(
    state: Path, home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.zip"
    done = hexboard("--home", home, "bundle", "hexhex-4", "--state", state, "--yes", "-o", out)
    assert done.returncode == 0, done.stderr
    with ZipFile(out) as packed:
        told = [line.split()[-1] for line in done.stdout.splitlines()[:-1]]
        assert told == packed.namelist()


def test_an_old_recording_that_was_copied_is_not_the_last_evening(state: Path) -> None:
    recordings = state / "recordings"
    os.utime(recordings / f"{MATCHES[0]}.mcap")  # now
    assert {path.name.partition(".")[0] for path in _last(recordings, 1)} == {MATCHES[1]}
    assert len({path.name.partition(".")[0] for path in _last(recordings, 2)}) == 2


@pytest.mark.long
def test_a_match_that_went_on_after_a_crash_has_all_of_its_files(
    state: Path, home: Path, tmp_path: Path
) -> None:
    recordings = state / "recordings"
    went_on = f"{MATCHES[1]}+20260102-203000.mcap"
    (recordings / went_on).write_bytes((recordings / f"{MATCHES[1]}.mcap").read_bytes())
    out = tmp_path / "out.zip"
    told = hexboard(
        "--home", home, "bundle", "hexhex-4", "--state", state, "--json", "--yes", "-o", out
    )
    kept = [name for name in json.loads(told.stdout)["inside"] if name.startswith("recordings/")]
    parts = (f"{MATCHES[1]}.mcap", f"{MATCHES[1]}.2.crash.txt", went_on)
    assert sorted(kept) == sorted(f"recordings/{name}" for name in parts)


@pytest.mark.long
def test_a_file_that_this_user_may_not_read_is_named_and_left_out(
    state: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    barred, healthy = state / "recordings" / f"{MATCHES[1]}.mcap", os.open

    def barring(file: Any, *rest: Any, **named: Any) -> int:
        if str(file) == str(barred):
            raise PermissionError(errno.EACCES, "Permission denied", str(file))
        return healthy(file, *rest, **named)

    monkeypatch.setattr(os, "open", barring)
    out = tmp_path / "out.zip"
    words = ("--home", home, "bundle", "hexhex-4", "--state", state, "-o", out, "--json", "--yes")
    done = invoke(*words)
    assert done.exit_code == 0, done.output
    assert f"{barred} cannot be read (Permission denied)" in done.stderr
    with ZipFile(out) as packed:
        names = packed.namelist()
    assert f"recordings/{MATCHES[1]}.2.crash.txt" in names
    assert f"recordings/{MATCHES[1]}.mcap" not in names
