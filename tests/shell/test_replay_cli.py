"""`hexboard replay` and `log`, run as people do: on whole, torn, edited and foreign files."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import msgspec
import pytest

from hexboard.record.recording import Record, Recorder, read
from hexboard.record.schemas import schemas
from tests.running import PATIENCE, crashing_at, hexboard

NATIVE = ("pty", "termios", "tty", "fcntl", "serial", "gpiozero", "starlette", "uvicorn")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording of eight turns."""
    folder = tmp_path_factory.mktemp("evening")
    played = hexboard("run", "--simulate", "--fast", "--turns", 8, "--state", folder, "--seed", 5)
    assert played.returncode == 0, played.stderr
    assert "8 turns" in played.stdout
    (path,) = (folder / "recordings").glob("*.mcap")
    assert str(path) in played.stdout
    return path


def edited(
    evening: Path, path: Path, edit: Callable[[dict[str, Any]], object], crop: int | None = None
) -> Path:
    """The evening with its facts edited, as a whole and undamaged recording."""
    recording = read(evening)
    records = list(recording)[:crop]
    out = Recorder(
        path,
        schemas=schemas(),
        attachments=recording.attachments,
        metadata=recording.metadata,
        trouble=lambda why: pytest.fail(str(why)),
    )
    for record in records:
        out.put(record.topic, record.t, changed(record, edit))
    out.close()
    return path


DRIVES = "\x1b]0;x\x07\u202e"
"""Turns what a terminal shows, and names its window."""


def driven(told: str) -> bool:
    return any(letter in told for letter in DRIVES if not letter.isprintable())


@pytest.mark.long
def test_no_letter_of_a_recording_or_a_puzzle_drives_the_terminal(
    evening: Path, tmp_path: Path
) -> None:
    path = edited(evening, tmp_path / "x.mcap", lambda fact: fact.update(source=DRIVES))
    told = hexboard("log", path).stdout
    assert "\\x1b]0;x\\x07\\u202e: " in told
    assert not driven(told)
    puzzle = tmp_path / "puzzle.txt"
    start = "Start: B...B/B...B/.WWW./B...B/B...B B 7"
    heads = (
        "Game: bad-santa-hex",
        f"Title: a{DRIVES}",
        f"Find: b{DRIVES}",
        "Option: size=5",
        start,
    )
    moves = "1. a3, c1, e3, die 1\nResult: Black 1, White 0\n"
    puzzle.write_text("\n".join(heads) + f"\n\n{moves}", "utf-8")
    done = hexboard("play", "--problem", puzzle, input="quit\n")
    assert "a\\x1b]0;x" in done.stdout
    assert not driven(done.stdout)
    puzzle.write_text(f"Game: {DRIVES}\n", "utf-8")
    for command in ("check", "read"):
        done = hexboard(command, puzzle)
        assert done.returncode
        assert not driven(done.stdout + done.stderr)


def changed(record: Record, edit: Callable[[dict[str, Any]], object]) -> bytes:
    if record.topic != "fact":
        return record.payload
    fact = msgspec.json.decode(record.payload)
    edit(fact)
    return msgspec.json.encode(fact, order="deterministic")


def test_a_recording_replays_to_the_same_rulings(evening: Path) -> None:
    done = hexboard("replay", evening)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "rolls ball 1 from lane" in done.stdout
    assert "[2.1.1]" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("the same rulings")


def test_quiet_is_only_the_summary(evening: Path) -> None:
    assert len(hexboard("replay", evening, "--quiet").stdout.splitlines()) == 2


@pytest.mark.long
def test_the_summary_as_json_is_the_same_under_two_hash_seeds(evening: Path) -> None:
    outcomes = [
        json.loads(
            hexboard("replay", evening, "--json", env=os.environ | {"PYTHONHASHSEED": seed}).stdout
        )
        for seed in ("0", "4711")
    ]
    assert outcomes[0] == outcomes[1]
    assert outcomes[0]["differences"] == 0
    assert outcomes[0]["damage"] is None
    assert len(outcomes[0]["digest"]) == 32


def test_until_stops_at_that_fact(evening: Path) -> None:
    done = hexboard("replay", evening, "--until", 40, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["facts"] == 40


def test_as_recorded_shows_the_same_rulings_without_an_engine(evening: Path) -> None:
    played = hexboard("replay", evening).stdout.splitlines()[:-2]
    assert hexboard("replay", evening, "--as-recorded").stdout.splitlines() == played


def test_speed_is_checked(evening: Path) -> None:
    done = hexboard("replay", evening, "--speed", "fast")
    assert done.returncode == 2
    assert "--speed" in done.stderr
    assert hexboard("replay", evening, "--speed", "1000x", "--until", 20).returncode == 0


def test_log_prints_a_line_a_record(evening: Path) -> None:
    done = hexboard("log", evening)
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()[0]
    assert "table: start match=evening-5" in first
    assert any("[2.1.1]" in line for line in done.stdout.splitlines())


def test_every_line_of_log_as_json_is_json(evening: Path) -> None:
    lines = [json.loads(line) for line in hexboard("log", evening, "--json").stdout.splitlines()]
    assert {line["topic"] for line in lines} == {"fact", "event", "scene", "digest", "state"}
    assert len(lines) == len(list(read(evening)))
    facts = hexboard("log", evening, "--json", "--topic", "fact").stdout.splitlines()
    assert [json.loads(line)["n"] for line in facts] == list(range(1, len(facts) + 1))


def test_log_into_a_pipe_that_closes_ends_quietly(evening: Path) -> None:
    command = f"'{sys.executable}' -m hexboard log '{evening}' --json | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["topic"] == "fact"
    assert done.stderr == ""


# ----------------------------------------------------------------------------------- damage


def test_json_nested_beyond_all_measure_is_said(tmp_path: Path) -> None:
    path = tmp_path / "deep.mcap"
    recorder = Recorder(path, schemas=schemas(), attachments={}, metadata={}, trouble=print)
    recorder.put("fact", 1, b"[" * 100_000 + b"]" * 100_000)
    recorder.close()
    done = hexboard("log", path)
    assert done.returncode == 1
    assert "holds a record (fact) that is not JSON" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("share", [0.86, 0.99])  # in the second chunk; at its end
def test_a_torn_file_is_replayed_as_far_as_it_goes_and_says_so(
    evening: Path, tmp_path: Path, share: float
) -> None:
    data = evening.read_bytes()
    torn = tmp_path / "torn.mcap"
    torn.write_bytes(data[: int(len(data) * share)])
    commands = (["replay"], ["replay", "--as-recorded"], ["log"], ["export", "--record"])
    for command in commands:
        done = hexboard(*command, torn)
        assert done.returncode == 3, done.stderr
        assert str(torn) in done.stderr
        assert "records before it are whole" in done.stderr
    assert "records before" in json.loads(hexboard("replay", torn, "--json").stdout)["damage"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no whole record"),
        (b"this is a letter to my aunt\n" * 50, "not a recording"),
        (b"\x89MCAP0\r\n", "no whole record"),
        (b"\x89MCAP0\r\n\x01\x24" + b"\xff" * 9, "hexboard recording"),
        (None, "no file"),
    ],
)
@pytest.mark.parametrize("command", ["replay", "log"])
def test_what_is_no_recording_is_said(
    tmp_path: Path, content: bytes | None, words: str, command: str
) -> None:
    path = tmp_path / "no.mcap"
    if content is not None:
        path.write_bytes(content)
    done = hexboard(command, path)
    assert done.returncode == 1
    assert str(path) in done.stderr
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_is_no_recording(tmp_path: Path) -> None:
    assert "folder" in hexboard("replay", tmp_path).stderr


# ------------------------------------------------------------------------------- other evenings


@pytest.mark.long
def test_an_edited_fact_is_found_and_both_sides_are_shown(evening: Path, tmp_path: Path) -> None:
    plays: list[int] = []

    def edit(fact: dict[str, Any]) -> None:
        if fact["body"].get("action", "").startswith("play "):
            plays.append(fact["n"])
            fact["body"]["action"] = "fly away"

    path = edited(evening, tmp_path / "edited.mcap", edit)
    done = hexboard("replay", path)
    assert done.returncode == 2
    shown = [line for line in done.stderr.splitlines() if line.startswith("fact ")]
    assert shown[0].startswith(f"fact {plays[0]}, ")
    assert "  recorded  " in done.stderr
    assert "plays" in done.stderr
    assert "  replayed  " in done.stderr
    assert "fly away" in done.stderr
    assert done.stdout.splitlines()[-1].endswith("DIFFERENT rulings")
    assert {line.split(",")[0] for line in shown} == {f"fact {plays[0]}"}

    every = hexboard("replay", path, "--keep-going")
    assert every.returncode == 2
    assert len([x for x in every.stderr.splitlines() if x.startswith("fact ")]) > len(shown)
    assert json.loads(hexboard("replay", path, "--json").stdout)["differences"] > 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("field", "what"), [("board_hash", "board"), ("rules", "rules"), ("game", "game")]
)
def test_another_boards_or_rules_recording_is_refused_naming_both(
    evening: Path, tmp_path: Path, field: str, what: str
) -> None:
    ours: list[str] = []

    def edit(fact: dict[str, Any]) -> None:
        if fact["body"]["type"] == "start":
            ours.append(fact["body"][field])
            fact["body"][field] = "another one"

    path = edited(evening, tmp_path / "other.mcap", edit, crop=50)
    done = hexboard("replay", path)
    assert done.returncode == 1
    assert what in done.stderr
    assert "another hexboard" not in done.stderr
    assert "another one" in done.stderr
    assert ours[0] in done.stderr
    assert hexboard("replay", path, "--as-recorded").returncode == 0


def test_facts_that_this_version_does_not_know_are_said(evening: Path, tmp_path: Path) -> None:
    def edit(fact: dict[str, Any]) -> None:
        if fact["n"] == 3:
            fact["body"] = {"type": "telepathy"}

    path = edited(evening, tmp_path / "future.mcap", edit, crop=50)
    done = hexboard("replay", path)
    assert done.returncode == 1
    assert "--as-recorded" in done.stderr
    assert hexboard("log", path).returncode == 0


def test_a_recording_of_an_evening_that_crashed_ends_in_a_sentence(
    evening: Path, tmp_path: Path
) -> None:
    """Option values that no version ever wrote."""

    def edit(fact: dict[str, Any]) -> None:
        if fact["body"]["type"] == "start":
            fact["body"]["options"]["settle_ms"] = "soon"

    done = hexboard("replay", edited(evening, tmp_path / "crash.mcap", edit, crop=50))
    assert done.returncode == 1
    assert "settle_ms cannot be “soon”" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.long
def test_a_replay_that_crashes_says_after_which_fact_and_exits_as_one_that_differs(
    evening: Path, tmp_path: Path
) -> None:
    for words in (["replay"], ["replay", "--json"], ["export", "--record"]):
        done = hexboard(*words, evening, env=crashing_at(9, tmp_path))
        assert done.returncode == 2
        (said,) = done.stderr.splitlines()
        assert "after fact 8 (ZeroDivisionError: a mistake of ours)" in said
        if words[0] == "export":
            assert done.stdout.startswith("Game: hextraction")
        elif words[1:]:
            assert json.loads(done.stdout) == {"error": said}


@pytest.mark.long
def test_what_came_before_a_crash_is_traced_compared_exported_and_archived(
    evening: Path, tmp_path: Path
) -> None:
    crashing, into, page = crashing_at(9, tmp_path), tmp_path / "archive", tmp_path / "page.html"
    for code, *words in (
        (3, "trace", evening),
        (3, "replay", evening, "--what-if", "pool=90"),
        (2, "export", evening, "--page", "-o", page),
        (3, "calibrate", "health", evening),
    ):
        done = hexboard(*words, env=crashing)
        assert done.returncode == code, done.stderr
        (said,) = done.stderr.splitlines()
        assert "after fact 8 (ZeroDivisionError: a mistake of ours)" in said
    assert page.exists()
    traced = (hexboard("trace", evening, "--json", env=env) for env in (crashing, None))
    before, whole = (list(map(json.loads, it.stdout.splitlines())) for it in traced)
    assert before == [line for line in whole if line["fact"] <= 8]
    assert before

    archived = hexboard("archive", evening, "-o", into, "--workers", 1, env=crashing)
    assert archived.returncode == 3, archived.stderr
    sql = "SELECT facts, rulings > 0, damage FROM recordings"
    asked = hexboard("ask", "--archive", into, "--json", sql)
    assert json.loads(asked.stdout)["rows"] == [[8, True, "replay_crashed"]]


def test_as_recorded_gives_its_summary_as_json_too(evening: Path) -> None:
    done = hexboard("replay", evening, "--as-recorded", "--json")
    replayed = json.loads(hexboard("replay", evening, "--json").stdout)
    summary = json.loads(done.stdout)
    assert (summary["facts"], summary["damage"]) == (replayed["facts"], None)
    assert summary["seconds"] == pytest.approx(replayed["seconds"])


@pytest.mark.long
@pytest.mark.parametrize(
    "command", [["replay"], ["replay", "--as-recorded"], ["log"], ["replay", "--json"]]
)
def test_replay_and_log_need_nothing_of_linux_and_no_driver(
    evening: Path, command: list[str]
) -> None:
    program = (
        "import sys\n"
        "from hexboard.commands.cli import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        f"print('LOADED', [name for name in {NATIVE!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, command[0], str(evening), *command[1:]],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "moment"), [("replay --page", ""), ("trace --around 12 --page", "#n=12")]
)
def test_a_recording_is_served_as_a_page_until_ctrl_c(
    evening: Path, words: str, moment: str
) -> None:
    command = [sys.executable, "-m", "hexboard", *words.split(), str(evening)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as serving:
        assert serving.stdout is not None
        assert serving.stderr is not None
        told = serving.stdout.readline().decode()
        ((link, opened),) = re.findall(r"(http://127\.0\.0\.1:\d+/)(\S*)", told)
        assert opened == moment
        assert b'id="evening"' in urlopen(link).read()
        serving.send_signal(signal.SIGINT)
        assert serving.wait(PATIENCE) == 130
        assert b"Traceback" not in serving.stderr.read()


@pytest.mark.long
def test_a_page_goes_where_it_is_asked_to_or_is_refused(evening: Path, tmp_path: Path) -> None:
    lost = hexboard("export", evening, "-o", tmp_path / "evening.html")
    assert (lost.returncode, "--page" in lost.stderr) == (2, True)
    lost = hexboard("export", evening, "--what-if", "pool=90")
    assert (lost.returncode, "go with --page" in lost.stderr) == (2, True)
    text = hexboard("export", evening, "--record", "--json")
    assert (text.returncode, "--json goes with" in text.stdout + text.stderr) == (2, True)
    both = hexboard("replay", evening, "--page", "--as-recorded")
    assert (both.returncode, "--without alone" in both.stderr) == (2, True)
    alone = hexboard("trace", evening, "--page", "--json")
    assert (alone.returncode, "--around alone" in alone.stderr) == (2, True)
    taken = hexboard("replay", evening, "--page", "--until", 3, "--port", 70_000)
    assert (taken.returncode, "70000" in taken.stderr) == (2, True)


@pytest.mark.long
def test_another_option_or_a_missing_sensor_tells_where_other_rulings_come_of_it(
    tmp_path: Path,
) -> None:
    evening = Path(__file__).parents[2] / "docs" / "golden" / "evening.mcap"
    same = hexboard("replay", evening, "--what-if", "pool=90")
    assert same.returncode == 0, same.stdout
    assert "with both" in same.stdout
    parted = hexboard("replay", evening, "--without", "edge:B1-B2", "--json")
    assert parted.returncode == 2
    told = json.loads(parted.stdout)
    assert told["other"] == "without edge:B1-B2"
    assert told["changes"][0]["one"][0]["text"] == "Ball 1 came to rest at B1-B2."
    page = "export", evening, "--page", "-o", tmp_path / "evening.html"
    same = hexboard(*page, "--what-if", "pool=90")
    assert (same.returncode, "both evenings are the same" in same.stdout) == (0, True)
    written = hexboard(*page, "--without", "edge:B1-B2", "--json")
    assert (written.returncode, json.loads(written.stdout)["changes"]) == (2, len(told["changes"]))
    wrong = hexboard("replay", evening, "--what-if", "pool=no")
    assert wrong.returncode == 1
    assert "pool" in wrong.stderr
