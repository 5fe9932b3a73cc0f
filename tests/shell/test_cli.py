"""What every command of hexboard does alike: how it says what it cannot, to people and programs."""

import errno
import json
import os
import resource
import subprocess
import sys
from getpass import getuser
from pathlib import Path

import pytest

from hexboard import __version__
from hexboard.__main__ import _plain
from hexboard.calibration import store
from hexboard.calibration.colours import Colours
from hexboard.commands.cli import OUR_MISTAKE
from hexboard.files import shipped, whole
from hexboard.game import registry
from tests.cli import invoke
from tests.running import HEXBOARD, hexboard

EVENING = Path(__file__).parents[2] / "docs" / "golden" / "evening.mcap"
PUZZLE = shipped("puzzles", "hexalma-1.txt")
BUFFERED = {name: it for name, it in os.environ.items() if name != "PYTHONUNBUFFERED"}
"""What is printed is written in blocks, as where nobody sets it."""
WITHOUT_OPENCV = """
import sys
sys.modules["cv2"] = sys.modules["numpy"] = None  # as where they are not installed
from click.testing import CliRunner
from hexboard.commands.cli import main
for line in sys.stdin.read().splitlines():
    result = CliRunner().invoke(main, ["--home", sys.argv[1], *line.split()])
    print(result.exit_code, result.output.replace("\\n", " "))
"""


def test_without_opencv_every_command_of_the_camera_says_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    commands = (
        "sheet hexhex-5",
        "sheet charuco",
        "sheet units",
        f"see {tmp_path / 'empty.jpg'}",
        "replay none.mcap --from-frames",
        f"calibrate camera --images {tmp_path}",
        "calibrate board hexhex-5 --simulate",
        "calibrate pixels hexhex-5 --simulate",
        f"calibrate colours hexhex-5 --images {tmp_path}",
        "calibrate colours hexhex-5 --rollback",
        "calibrate all hexhex-5 --simulate",
        "calibrate show hexhex-5 -o pictures",
    )
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_OPENCV, str(tmp_path / "home")],
        input="\n".join(commands),
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    for command, said in zip(commands, done.stdout.splitlines(), strict=True):
        assert said.startswith("1 "), command
        assert "need OpenCV: pip install 'hexboard[vision]'" in said, command


@pytest.mark.parametrize(
    ("command", "code", "why"),
    [
        ("see none.jpg --json", 1, "there is no such file"),
        ("see none.jpg --json --board nothing", 1, "nothing"),
        ("see none.jpg --json --position ?", 1, ""),
        ("calibrate show nothing --json", 1, "nothing"),
        ("calibrate colours --rollback --json", 1, "no earlier version"),
        ("calibrate camera --json", 2, "Name either --images FOLDER or --camera SOURCE."),
        ("calibrate pixels rhombus-7 --json", 2, "has no lights"),
        ("calibrate board --jsonn --json", 2, "--jsonn"),
        ("replay pyproject.toml --json", 1, "pyproject.toml"),
    ],
)
def test_a_command_that_prints_json_says_in_json_why_it_fails(
    tmp_path: Path, command: str, code: int, why: str
) -> None:
    done = invoke(*command.split(), home=tmp_path)
    assert done.exit_code == code
    told = json.loads(done.stdout)
    assert list(told) == ["error"]
    assert why in told["error"]
    assert told["error"] in done.stderr  # for who redirects the JSON
    plain = invoke(*command.replace("--json ", "").replace(" --json", "").split(), home=tmp_path)
    assert (plain.exit_code, plain.stdout) == (code, "")


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("play hexalma --seed x", 2),
        ("play hexalma --option x", 2),
        ("run --simulate --option x", 2),
        ("referee hexalma --option x", 2),
        (f"replay {EVENING} --what-if x", 2),
        ("play hexalma --clock x", 2),
        ("run --simulate --clock x", 2),
        ("play hexalma --bot x", 2),
        (f"trace {EVENING} --around x", 2),
        (f"replay {EVENING} --speed x", 2),
        (f"see {EVENING} -o x.txt", 2),
        ("show hexhex-5 -o x.txt", 2),
        ("play nothing", 1),
        ("play hexalma --option x=1", 1),
        ("show nothing", 1),
        (f"trace {EVENING} --around 99999", 1),
        ("replay none.mcap", 1),
    ],
)
def test_what_is_written_wrong_ends_with_2_and_what_is_not_there_with_1(
    tmp_path: Path, words: str, code: int
) -> None:
    done = invoke(*words.split(), home=tmp_path)
    assert (done.exit_code, done.stderr != "") == (code, True), done.output


def test_a_rollback_is_told_in_json_too(tmp_path: Path) -> None:
    path = tmp_path / "calibration" / "hexhex-5.colours.json"
    path.parent.mkdir()
    ground = {"ground": (0.5, 0.5, 0.5)}
    for version in (1, 2):
        store.save(path, Colours(version, "hexhex-5", "", "", ground, {}, ("a", "b"), 3.0))
    done = invoke("calibrate", "colours", "hexhex-5", "--rollback", "--json", home=tmp_path)
    assert json.loads(done.stdout) == {"file": str(path), "version": 1}


def test_the_list_of_boards_is_told_in_json_too(tmp_path: Path) -> None:
    told = json.loads(invoke("show", "--json", home=tmp_path).stdout)
    names = {one["name"] for one in told["boards"]}
    assert {"hexhex-5", "rhombus-11"} <= names
    assert all(one["title"] for one in told["boards"])
    lines = invoke("show", home=tmp_path).stdout.splitlines()
    assert [line.split()[0] for line in lines] == [one["name"] for one in told["boards"]]


def test_boards_are_listed_by_what_finds_them_and_a_broken_one_hides_no_other(
    tmp_path: Path,
) -> None:
    (tmp_path / "boards").mkdir()
    mine = 'schema = "hexboard/board-1"\nname = "hexhex-5"\ntitle = "Mine"\nshape = "hexhex-5"\n'
    (tmp_path / "boards" / "mine.toml").write_text(mine, "utf-8")
    (tmp_path / "boards" / "torn.toml").write_text("pitch_mm = ", "utf-8")
    shown = invoke("show", home=tmp_path)
    assert shown.exit_code == 0
    names = [line.split()[0] for line in shown.stdout.splitlines()]
    assert names[0] == "mine"
    assert (names.count("hexhex-5"), names.count("torn")) == (1, 0)
    (told,) = shown.stderr.splitlines()
    assert "torn.toml: not valid TOML" in told
    checked = invoke("check", tmp_path / "boards" / "mine.toml", home=tmp_path)
    assert checked.exit_code == 0
    assert "The file is called mine and its board hexhex-5" in checked.stdout


def test_a_full_disk_and_a_read_only_card_are_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "mat.svg"
    there.symlink_to("/dev/full")
    full = invoke("sheet", "hexhex-5", "-o", there, home=tmp_path)
    assert full.exit_code == 1
    assert "No space left on device. Delete what is not needed" in full.stderr

    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    kept = invoke("build", "hexhex-5", "-o", tmp_path / "made", home=tmp_path)
    assert kept.exit_code == 1
    assert f"{tmp_path / 'made'}: Read-only file system. A card that Linux finds" in kept.stderr
    assert "restart it" in kept.stderr


@pytest.mark.parametrize(
    "words",
    [
        "play hexalma --record /dev/zero",
        "tournament show /dev/zero",
        "see /dev/zero",
        "update /dev/zero",
        f"replay {EVENING} --calibration /dev/zero",
        "check /dev/zero",
    ],
)
def test_what_has_no_end_is_not_read(tmp_path: Path, words: str) -> None:
    """It was read until the memory was gone."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (8 * 2**30, limits[1]))
    try:
        done = invoke(*words.split(), home=tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
    assert (done.exit_code, "/dev/zero" in done.stderr) == (1, True), done.output


def test_the_home_of_who_types_is_found_where_no_shell_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--home=~/mine`, and `-o ~/x.svg` in quotation marks."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "settings.toml").write_text('language = "de"\n')
    words = ("--home=~/mine", "show", "hexhex-5", "--output=~/x.svg")
    done = invoke(*words)
    assert (done.exit_code, "Gezeichnet" in done.stdout or "gezeichnet" in done.stdout) == (0, True)
    assert sorted(it.name for it in tmp_path.iterdir()) == ["mine", "x.svg"]
    (tmp_path / "mine" / "settings.toml").unlink()
    (tmp_path / "mine.txt").write_text(PUZZLE.read_text("utf-8"), "utf-8")
    solved = invoke("--home=~/mine", "play", "--problem=~/mine.txt")
    assert "There is no puzzle" not in solved.output
    built = invoke("--home=~/mine", "build", "hextraction-22", "-o", "~/built")
    assert built.exit_code == 0
    assert (tmp_path / "built" / "parts.csv").is_file()


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        ("show hexhex-5 -o", "<svg"),
        ("tiles draw Clone -o", "<svg"),
        ("sheet hexhex-5 -o", "%PDF"),
        ("maps show -o", "%PDF"),
        ("cards show -o", "%PDF"),
        (f"trace {EVENING} --csv", "seconds,fact"),
        (f"export --page {EVENING} -o", "<!doctype html>"),
        (f"export --page {EVENING} --json -o", "<!doctype html>"),
    ],
)
@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_a_dash_is_stdout_and_has_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, begins: str, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = invoke(*words.split(), name, home=tmp_path / "home")
    assert done.exit_code == 0
    assert done.stdout_bytes.startswith(begins.encode())
    assert b"/dev/stdout" not in done.stdout_bytes
    assert "/dev/stdout" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [f"export --foxglove {EVENING} -o -", "bundle --yes -o -"])
def test_what_cannot_go_to_stdout_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = invoke(*words.split(), home=tmp_path / "home")
    assert (done.exit_code, done.stdout, "-o: " in done.stderr) == (2, "", True), done.output
    assert list(tmp_path.iterdir()) == []


def test_what_somebody_has_opened_is_not_emptied(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("before\n")
    with kept.open("a") as out:
        whole(Path(f"/dev/fd/{out.fileno()}"), b"after\n")
    assert kept.read_text() == "before\nafter\n"


@pytest.mark.parametrize("words", ["replay", "replay --as-recorded", "log", "trace", "export"])
def test_a_recording_that_was_cut_before_its_first_record_is_said_to_have_none(
    tmp_path: Path, words: str
) -> None:
    """MCAP's parts: magic 8, header 45, the board 29890, description 87, the first chunk 4417."""
    whole, cut = EVENING.read_bytes(), tmp_path / "cut.mcap"
    for length in (*range(0, 60, 4), 8, 53, 29943, 30000, 30030, 30031, 34446):
        cut.write_bytes(whole[:length])
        done = invoke(*words.split(), cut)
        said = f"{cut} has no whole record in it: recording ended before the first was written"
        assert (done.exit_code, done.stderr.startswith(said)) == (1, True), (length, done.output)


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        "replay FOLDER/x.mcap",
        "replay FOLDER/x.mcap --as-recorded",
        "log FOLDER/x.mcap",
        "trace FOLDER/x.mcap",
        "export FOLDER/x.mcap",
        "export --page FOLDER/x.mcap",
        "archive FOLDER -o FOLDER/archive",
        "bundle --state FOLDER --yes -o FOLDER/bundle.zip",
        "see FOLDER",
    ],
)
def test_a_pipe_that_lies_among_recordings_or_pictures_is_not_waited_for(
    tmp_path: Path, words: str
) -> None:
    (tmp_path / "recordings").mkdir()
    for name in ("x.mcap", "recordings/x.mcap", "x.png"):
        os.mkfifo(tmp_path / name)
    done = hexboard("--home", tmp_path, *words.replace("FOLDER", str(tmp_path)).split())
    assert done.returncode == words.startswith("bundle") ^ 1, done.stderr
    assert ("no pictures in it" if words.startswith("see") else "a pipe") in done.stderr


def test_a_game_is_kept_in_a_file_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # it would be waited for
    done = invoke("play", "hexalma", "--record", tmp_path / "pipe", home=tmp_path)
    assert (done.exit_code, "is no file" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    ("words", "file"),
    [
        ("show hexhex-5 -o FILE", "good.svg"),
        ("sheet hexhex-5 -o FILE", "good.svg"),
        ("sheet hexhex-5 -o FILE", "good.pdf"),
        ("tiles draw Clone -o FILE", "good.svg"),
        ("maps show -o FILE", "good.svg"),
        ("maps show -o FILE", "good.pdf"),
        ("cards show -o FILE", "good.svg"),
        ("cards show -o FILE", "good.pdf"),
        ("build hextraction-22 --power -o FOLDER", "power.svg"),
        ("build hextraction-22 -o FOLDER", "parts.csv"),
    ],
)
def test_a_full_disk_leaves_the_file_that_was_there(tmp_path: Path, words: str, file: str) -> None:
    good = tmp_path / file
    good.write_text("what was there")
    command = words.replace("FILE", str(good)).replace("FOLDER", str(tmp_path)).split()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, limits[1]))
    try:
        done = invoke(*command, home=tmp_path / "home")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (done.exit_code, f"{good}: File too large" in done.stderr) == (1, True), done.output
    assert good.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [good]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("help", "hexalma", "--json"), 2),
        (("help", "hexalma"), 1),
        (("--help",), 1),
        (("--version",), 1),
        (("run", "--help"), 1),
        (("replay", "none.mcap", "--json"), 1),
        (("replay", EVENING, "--as-recorded", "--json"), 1),
    ],
)
def test_where_what_is_printed_to_is_full_the_sentence_is_all_that_is_said(
    words: tuple[object, ...], code: int
) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*HEXBOARD, *map(str, words)],
            env=BUFFERED,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_where_completions_are_not_taken_that_is_a_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [Path(sys.executable).with_name("hexboard")],
            env=BUFFERED | {"_HEXBOARD_COMPLETE": "bash_source"},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("hexboard: No space left on device. ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_a_letter_that_the_terminal_lacks_is_replaced(tmp_path: Path, encoding: str) -> None:
    """As where LANG=de_DE: it has no ● and no ○."""
    done = subprocess.run(
        [*HEXBOARD, "--home", str(tmp_path), "play", "hexalma"],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        input=b"quit",
        capture_output=True,
        check=True,
    )
    assert b"\n        O   O   O   O   O\n" in done.stdout
    assert b"\n        X   X   X   X   X\n" in done.stdout


def test_quotation_marks_and_dots_that_the_terminal_lacks_are_plain_ones() -> None:
    """And what nothing stands for is a question mark."""
    wrong = UnicodeEncodeError("latin-1", "a “b”… 中!", 2, 8, "")
    assert _plain(wrong) == ('"b". ?', 8)


def test_with_stdin_closed_a_command_hears_nobody_and_makes_no_mistake(tmp_path: Path) -> None:
    """`hexboard play hexalma <&-`, as some services start it."""
    command = (*HEXBOARD, "--home", str(tmp_path), "play", "hexalma")
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "-", *command], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_of_a_crash_is_its_owners_and_has_no_name_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For it is there to be sent."""
    typed = (
        *("--home", str(tmp_path), "calibrate", "camera", "--camera=rtsp://me:pass@cam/yard"),
        *("-omine", "nats://key:word@hall", "Ann"),
    )
    monkeypatch.setattr(sys, "argv", ["hexboard", *typed])
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(registry, "look_in", mistaken)
    told = invoke(*typed)
    assert told.exit_code == OUR_MISTAKE
    [kept] = (tmp_path / "hexboard").glob("crash-*.txt")
    assert str(kept) in told.output
    assert kept.stat().st_mode & 0o777 == 0o600
    text = kept.read_text("utf-8")
    first = f"hexboard {__version__} --home … calibrate camera --camera -o … …"
    assert text.partition("\n")[0] == first
    assert text.endswith("ZeroDivisionError: at rtsp://…\n")
    assert "pass" not in text + told.output


def mistaken(_: Path) -> None:
    at = "rtsp://me:pass@cam"
    raise ZeroDivisionError(f"at {at}")


def test_ctrl_c_while_the_command_is_still_imported_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n", "utf-8")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([*HEXBOARD, "help"], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.long
def test_a_link_that_leads_nowhere_is_said_in_place_of_what_hexboard_would_take(
    tmp_path: Path,
) -> None:
    """Of settings the defaults were played, of a board the one that comes with hexboard."""
    (tmp_path / "boards").mkdir()
    for name in ("hexhex-5", "rhombus-11"):
        (tmp_path / "boards" / f"{name}.toml").symlink_to(tmp_path / "away.toml")
        shown = invoke("show", name, home=tmp_path)
        assert f"{name}.toml: this leads to {tmp_path / 'away.toml'}, and nothing" in shown.stderr
        assert shown.exit_code == 1
    (tmp_path / "settings.toml").symlink_to("away.toml")
    played = invoke("run", "--simulate", "--fast", home=tmp_path)
    assert played.exit_code == 1
    assert "settings.toml: this leads to away.toml, and nothing is there." in played.stderr
    found = invoke("doctor", "--json", home=tmp_path)
    named = [it["said"] for it in json.loads(found.stdout)["checks"] if it["check"] == "files"]
    assert sum("and nothing is there" in said for said in named) == 3


def test_a_file_that_another_user_has_is_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands in hexboard's own folders can be given back whole; nothing else is to be."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def refuse(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    own = tmp_path / "state" / "hexboard" / "made"
    assert f"sudo chown -R {getuser()} {own.parent}" in _refusal(tmp_path, own)
    there = _refusal(tmp_path, tmp_path / "made")
    assert f"{tmp_path / 'made'}: Permission denied." in there
    assert "name another place, by -o." in there
    assert "chown" not in there
    assert "Give" not in there


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("maps new FILE", "FILE is there already.\n"),
        ("cards new FILE --example", "FILE is there already.\n"),
        (f"read {PUZZLE} -o FILE", "FILE is there already. Or name another place, by -o.\n"),
        ("maps new FOLDER/no/m.toml", "FOLDER/no/m.toml: there is no folder FOLDER/no.\n"),
        ("show hexhex-5 -o FOLDER/no/x.svg", "FOLDER/no/x.svg: there is no folder FOLDER/no.\n"),
        ("read FOLDER -o FILE", "FOLDER is a folder, not a file.\n"),
    ],
)
def test_what_the_system_refuses_is_said_of_what_was_named(
    tmp_path: Path, words: str, said: str
) -> None:
    """With what the command knows: none was told of options that it has not."""
    file = tmp_path / "m.toml"
    file.write_text("mine")

    def named(text: str) -> str:
        return text.replace("FILE", str(file)).replace("FOLDER", str(tmp_path))

    done = invoke(*named(words).split(), home=tmp_path / "home")
    assert (done.exit_code, done.stderr) == (1, named(said))
    assert file.read_text() == "mine"


def _refusal(home: Path, output: Path) -> str:
    return invoke("build", "hexhex-5", "-o", output, home=home).stderr
