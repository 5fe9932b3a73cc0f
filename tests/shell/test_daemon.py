"""The daemon as people meet it: started, used, killed, started again, and told what is wrong."""

import json
import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import find, load
from hexboard.daemon import Run, Sitting
from hexboard.facts import Declare, Presence, Ruling
from hexboard.games.hextraction.table.answers import Answers
from hexboard.games.hextraction.tiles.catalogue import load_own
from hexboard.record.recording import read
from hexboard.record.replay import lines
from hexboard.settings import Settings
from hexboard.web.requests import FromPage
from hexboard.words import say
from tests.running import HEXBOARD, PATIENCE, Running, alive, eventually, hexboard

Start = Callable[..., Running]

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc, sets limits")


def texts(state: dict[str, Any]) -> list[str]:
    return [line["text"] for line in state["log"]]


def pico(state: dict[str, Any]) -> dict[str, Any]:
    return next((link for link in state["links"] if link["source"] == "pico"), {"up": None})


def position(state: dict[str, Any]) -> list[Any]:
    """What the position is, as a page can tell."""
    keys = ("turn", "active", "slots", "balls", "flags", "pool", "hands", "scores")
    return [{**state, **state["own"]}[key] for key in keys]


def browser(running: Running) -> urllib.request.OpenerDirector:
    """What opens addresses as a browser does that the link was opened in."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    opener.open(running.url).close()
    return opener


def board(running: Running) -> dict[str, Any]:
    """What a page asks for once."""
    with browser(running).open(f"{running.origin}/board") as answer:
        told: dict[str, Any] = json.load(answer)
    return told


# ---------------------------------------------------------------------------------- an evening


def test_the_link_opens_the_page_and_a_page_hears_state_and_pixels(start: Start) -> None:
    running = start()
    with browser(running).open(running.origin) as answer:
        assert b"static/app.js" in answer.read()
    assert len(board(running)["cells"]) == 22
    with running.page() as page:
        page.ready()
        assert page.state["simulated"]
        eventually(lambda: page.listen(PATIENCE)["type"] == "pixels")


def test_a_ball_dropped_by_hand_is_ruled_and_becomes_final(start: Start) -> None:
    with start().page() as page:
        page.ready()
        page.hand("drop", "B1-6")
        roll = page.until(lambda s: [line for line in s["log"] if line["rule"] == "2.1.1"])[0]
        assert roll["text"] == "Red rolls ball 1 from lane B1-6."
        assert not roll["final"]
        page.settled()
        (end,) = [line for line in page.state["log"] if line["text"].startswith("Ball 1 ")]
        assert end["final"]
        assert end["rule"]
        assert page.heard["balls"] > 0


@pytest.mark.long
def test_two_pages_see_the_same_evening_and_each_hears_its_own_refusals(start: Start) -> None:
    running = start()
    with running.page() as one, running.page() as two:
        one.send("declare", seat=-1, action="fly")
        assert "fly" in one.refusal()
        two.ready()
        two.roll()
        one.until(lambda s: texts(s) == texts(two.state))
        assert not two.refused


@pytest.mark.long
def test_a_new_game_still_knows_that_the_board_is_connected(start: Start) -> None:
    running = start()
    with running.page() as page:
        page.ready()
        page.roll()
        page.send("new")
        page.until(
            lambda s: (
                s["own"]["turn"] == 1 and not s["own"]["balls"] and "rolls" not in str(texts(s))
            )
        )
        assert pico(page.state)["up"]
        page.ready()
        page.roll()
    assert len(running.recordings()) == 2


@pytest.mark.long
def test_a_ball_is_lifted_where_the_page_shows_it_whatever_its_number(start: Start) -> None:
    """After a restart the simulated world numbers its balls anew; the referee's numbers stay."""
    running = start()
    with running.page() as page:
        page.ready()
        page.rule("ball 1 C4")
        page.rule("ball 2 C3")
        page.rule("ball 1 -")
        page.until(lambda s: [ball["id"] for ball in s["own"]["balls"]] == [2])
    running.end()
    with start().page() as page:
        page.rule("right")
        page.hand("lift", "C3", thing="2")
        page.rule("ball 2 -")
        page.until(lambda s: not s["own"]["balls"])
        assert not page.refused


# ---------------------------------------------------------------------------- power and restart


def test_after_a_power_cut_in_mid_roll_the_game_goes_on_from_the_last_stable_position(
    start: Start, home: Path
) -> None:
    settings = home / "settings.toml"
    usual = settings.read_text("utf-8")
    settings.write_text("settle_ms = 60000\n", "utf-8")  # else it may be at rest
    running = start(speed=1)
    with running.page() as page:
        page.ready()
        play = page.state["own"]["legal"]["play"]
        tile = next(iter(play))
        slot = next(iter(play[tile]))
        rotation = play[tile][slot][0]
        page.send("declare", seat=-1, action=f"play {tile} {slot} {rotation}")
        page.until(lambda s: s["todo"])
        page.hand("seat", slot, thing=tile, turn=rotation)
        before = page.until(lambda s: not s["todo"] and all(x["final"] for x in s["log"]) and s)
        page.hand("drop", "B1-6")
        page.until(lambda s: s["phase"] == "rolling")
    killed = running.recordings()[0]
    eventually(lambda: "hextraction.rolls" in str(list(lines(read(killed)))), every=0.5)
    running.process.kill()
    running.process.wait()
    settings.write_text(usual, "utf-8")

    again = start()
    with again.page() as page:
        assert page.state["resume"]
        assert page.state["phase"] == "wrong"
        assert position(page.state) == position(before)
        page.rule("right")
        page.until(lambda s: not s["resume"])
        page.ready()
        page.hand("drop", "B1-6")
        after = page.until(lambda s: s["phase"] == "rolling" and s)  # at rest in a minute
        assert "Red rolls" in str(texts(after))
    again.end()

    torn = hexboard("replay", killed)
    assert torn.returncode in (0, 3), torn.stdout + torn.stderr
    assert "the same rulings" in torn.stdout
    assert "Red rolls ball 1" in torn.stdout
    assert "is not closed" in torn.stderr or "damaged" in torn.stderr
    whole = hexboard("replay", again.recordings()[-1])
    assert whole.returncode == 0, whole.stdout + whole.stderr
    assert not whole.stderr


@pytest.mark.parametrize(
    "how",
    [pytest.param(it, marks=pytest.mark.long) for it in (signal.SIGINT, signal.SIGHUP)]
    + [signal.SIGTERM],
)
@linux
def test_a_signal_ends_it_cleanly_and_the_firmware_with_it(
    start: Start, how: signal.Signals
) -> None:
    running = start()
    (firmware,) = running.children()
    assert alive(firmware)
    status, said = running.end(how)
    assert status == 0
    assert "The game is kept" in said
    assert not alive(firmware)
    assert hexboard("replay", running.recordings()[0]).stderr == ""


@pytest.mark.long
@linux
def test_the_firmware_does_not_outlive_a_killed_daemon(start: Start) -> None:
    running = start()
    (firmware,) = running.children()
    running.process.kill()
    running.process.wait()
    eventually(lambda: not alive(firmware))


@pytest.mark.long
@linux
def test_a_dead_firmware_is_said_and_plugged_in_again(start: Start) -> None:
    running = start()
    with running.page() as page:
        page.ready()
        os.kill(running.children()[0], signal.SIGKILL)
        page.until(lambda s: pico(s)["up"] is False and s["notices"])
        assert "killed (signal 9)" in page.state["notices"][0]
        page.until(lambda s: not s["notices"])
        page.ready()
        page.roll()
    assert running.end()[0] == 0


@pytest.mark.long
def test_a_second_daemon_on_the_same_board_says_who_has_it(
    start: Start, tmp_path: Path, home: Path
) -> None:
    running = start()
    second = hexboard(
        "--home", home, "run", "--simulate", "--state", tmp_path / "state", "--port", 0
    )
    assert second.returncode == 1
    assert str(running.pid) in second.stderr
    assert "--state" in second.stderr
    with running.page() as page:
        page.ready()


def test_a_crash_of_ours_is_told_and_the_match_reopens_at_its_last_stable_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The only fault here that cannot be caused from outside; the daemon itself is the real one."""
    asked = Run(
        load(find("hextraction-22")),
        tmp_path,
        Settings(),
        "hextraction",
        simulate=True,
        port=0,
        empty=True,
    )
    said: list[str] = []
    sitting = Sitting(asked, said.append)
    thread = threading.Thread(target=sitting.run)
    thread.start()
    try:
        daemon = eventually(lambda: sitting.daemon)
        eventually(lambda: daemon.sources.presence.get("pico") == Presence(True))
        daemon.mailbox.ask(FromPage("page 0", -1, Declare(-1, "play J C3 2")))
        eventually(lambda: daemon.match.journalled == 1)
        healthy = Answers.declare

        def broken(answers: Answers, seat: int, name: str) -> None:
            if name == "end":
                raise ZeroDivisionError("a mistake of ours")
            healthy(answers, seat, name)

        monkeypatch.setattr(Answers, "declare", broken)
        daemon.mailbox.ask(FromPage("page 0", -1, Declare(-1, "end")))
        notice = eventually(lambda: daemon.notices.get("crash"))
        assert notice.key == "daemon.crashed"
        eventually(lambda: daemon.view.confirm)  # reopened
        assert set(_position(daemon).tiles) == {"C3"}
        eventually(lambda: daemon.view.presence.get("pico") == Presence(True))  # as before
        daemon.mailbox.ask(FromPage("page 0", -1, Ruling("right", "host")))
        daemon.mailbox.ask(FromPage("page 0", -1, Declare(-1, "roll B1-6")))
        eventually(lambda: _position(daemon).phase == "rolling")
    finally:
        sitting.stop()
        thread.join(PATIENCE)
    (report,) = (tmp_path / "recordings").glob("*.crash.txt")
    assert "ZeroDivisionError" in report.read_text("utf-8")
    assert '"action":"end"' in report.read_text("utf-8")
    crashed = next(p for p in (tmp_path / "recordings").glob("*.mcap") if "+" not in p.name)
    assert "action=end" in hexboard("log", crashed).stdout  # the fact is kept


def _position(daemon: Any) -> Any:
    return daemon.view.position


@pytest.mark.long
def test_it_starts_without_what_only_pictures_archives_and_mqtt_need(tmp_path: Path) -> None:
    """Most of a start is imports: 660 modules, with Python's own."""
    code = (
        "import atexit, sys; atexit.register(lambda: print('MODULES', *sys.modules))\n"
        "from hexboard.commands.cli import main; main()"
    )
    command = (sys.executable, "-W", "error", "-c", code)
    running = Running(
        tmp_path / "state", "--simulate", "--port", 0, home=tmp_path / "home", command=command
    )
    with running.page():
        pass
    status, said = running.end()
    assert status == 0
    modules = said.rpartition("MODULES ")[2].split()
    assert 300 < len(modules) < 800
    assert {"cv2", "numpy", "duckdb", "pyarrow", "paho", "rich", "pytest"}.isdisjoint(modules)


# ------------------------------------------------------------------------------------ full disks


@pytest.mark.long
@linux
def test_when_the_recordings_disk_is_full_it_is_said_and_refereeing_goes_on(start: Start) -> None:
    """No file may grow past a size that the recording has reached and the journal has not."""
    start().end()
    running = start()  # goes on with that game: a journal without a backlog
    with running.page() as page:
        page.rule("right")
        page.until(lambda s: not s["resume"])
        page.ready()
        room = eventually(lambda: running.recordings()[-1].stat().st_size)
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (room, room))
        assert page.roll()["log"][0]["final"]
        page.until(lambda s: any("Recording has stopped" in notice for notice in s["notices"]))
        assert page.state["links"] == [{"source": "pico", "up": True, "why": ""}]


@pytest.mark.long
def test_when_the_recording_fails_it_is_said_and_refereeing_goes_on(
    start: Start, tmp_path: Path
) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "recordings").write_text("in the way", "utf-8")
    with start().page() as page:
        page.until(lambda s: any("Recording has stopped" in notice for notice in s["notices"]))
        page.ready()
        assert page.roll()["log"][0]["final"]


@pytest.mark.long
@linux
def test_when_the_journal_fails_no_move_is_taken(start: Start) -> None:
    running = start()
    with running.page() as page:
        page.ready()
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (1, 1))
        page.rule("tile B1 -")
        page.until(lambda s: any("journal" in notice.lower() for notice in s["notices"]))
        page.until(lambda s: [x for x in s["links"] if x["source"] == "journal" and not x["up"]])
        assert not all(line["final"] for line in page.state["log"])
        page.send("declare", seat=-1, action="play J C3 2")
        assert "cannot be saved" in page.refusal()
    assert running.end()[0] == 0
    with start().page() as page:  # with room again, it stands where it was acknowledged
        assert "B1" in page.state["own"]["slots"]


@pytest.mark.long
@linux
def test_what_the_journal_could_not_take_is_kept_until_it_can(start: Start) -> None:
    running = start()
    with running.page() as page:
        page.ready()
        _, hard = resource.prlimit(running.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (1, hard))
        page.rule("tile B1 -")
        page.until(lambda s: any(notice.startswith("The journal") for notice in s["notices"]))
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (hard, hard))
        page.until(lambda s: all(line["final"] for line in s["log"]))
        page.until(lambda s: not any(notice.startswith("The journal") for notice in s["notices"]))
    running.end(signal.SIGKILL)
    with start().page() as page:
        assert "B1" not in page.state["own"]["slots"]


# ------------------------------------------------------------------------- what people get wrong


def refused(home: Path, *arguments: object, status: int = 1) -> str:
    """What `hexboard run` says when it cannot."""
    done = hexboard("--home", home, "run", "--port", 0, *arguments)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stderr


@pytest.mark.skipif(Path("/proc/device-tree/model").is_file(), reason="this may be a Pi")
@pytest.mark.parametrize("source", ["pwm", "spi"])
def test_a_board_wired_to_a_pi_says_what_this_computer_lacks(tmp_path: Path, source: str) -> None:
    """Pins and lights of a Pi, and a supply that may give its lights nothing."""
    text = find("hextraction-22").read_text("utf-8")
    for here, there in (
        ('kind = "rail"\n', 'kind = "rail"\nsource = "gpio"\n'),
        ('[pixels]\nsource = "pico"\n', f'[pixels]\nsource = "{source}"\n'),
        ("limit_ma = 2000", "limit_ma = 0"),
    ):
        assert text.count(here) == 1
        text = text.replace(here, there)
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    asked = Run(load(tmp_path / "mine.toml"), tmp_path, Settings(), "hextraction", port=0)
    lines: list[str] = []
    sitting = Sitting(asked, lines.append)
    thread = threading.Thread(target=sitting.run)
    thread.start()
    try:
        daemon = eventually(lambda: sitting.daemon)
        presence = eventually(lambda: len(daemon.sources.presence) == 3 and daemon.sources.presence)
    finally:
        sitting.stop()
        thread.join(PATIENCE)
    assert set(presence) == {"pico", "gpio", "pixels"}
    for name, known in presence.items():
        assert known.why
        assert "Error" not in known.why
        assert lines.count(f"{name} is not connected: {known.why}") == 1
    (dark,) = map(say, daemon.notices)
    assert "“main” stay dark: it may give 0 mA" in dark
    assert lines.count(dark) == 1


def test_a_taken_port_is_said_and_leaves_no_game_behind(tmp_path: Path, home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused(home, "--simulate", "--state", tmp_path / "state", "--port", port)
    assert f"Port {port} is taken" in said
    assert "--port" in said
    assert not (tmp_path / "state" / "recordings").exists()


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"not a database at all" * 100, "not a hexboard journal"), (None, "damaged")],
)
def test_a_journal_that_cannot_be_used_says_what_to_do(
    tmp_path: Path, home: Path, content: bytes | None, expected: str
) -> None:
    path = tmp_path / "state" / "hextraction.db"
    path.parent.mkdir()
    if content is None:
        _break_journal(path)
    else:
        path.write_bytes(content)
    said = refused(home, "--simulate", "--state", path.parent)
    assert str(path) in said
    assert expected in said
    assert "ove it away" in said


def _break_journal(path: Path) -> None:
    from hexboard.record.journal import Journal

    journal = Journal(path)
    journal.begin("m", b"{}")
    journal.commit("m", 0, ["x" * 3000] * 20, "p")
    journal.close()
    data = bytearray(path.read_bytes())
    data[4096 : len(data)] = os.urandom(len(data) - 4096)
    path.write_bytes(data)


@pytest.mark.long
def test_a_tile_registered_meanwhile_is_no_reason_to_end_a_game(start: Start, home: Path) -> None:
    first = start("--empty")
    with first.page() as page:
        page.send("declare", seat=-1, action="play J C3 0")
        page.until(lambda s: s["own"]["slots"].get("C3", {}).get("tile") == "J")
        tile = {"name": "Mine", "owner": "", "nets": [[1, 4]], "sockets": [4]}
        page.send("ask", body=tile)
        page.until(lambda s: "Mine" in " ".join(s["notices"]))
    first.end()
    assert set(load_own(home)) == {"Mine"}
    with start("--empty").page() as page:
        page.until(lambda s: s["own"]["slots"].get("C3", {}).get("tile") == "J")
        assert "Mine" not in page.state["own"]["legal"]["play"]
        page.send("new")
        page.until(lambda s: "Mine" in (s["own"]["legal"] or {}).get("play", {}))


@pytest.mark.long
def test_a_match_holds_the_files_it_was_begun_with(
    start: Start, tmp_path: Path, home: Path
) -> None:
    """HEXEL-A2: a deck of one's own; its file is gone when the match goes on and is replayed."""
    deck = tmp_path / "mine.toml"
    head = 'schema = "hexboard/deck-1"\nname = "My cards"\nsize = 30\n[cards]\n'
    deck.write_text(head + "RRRRRR = 20\nBBBBBB = 10\n", "utf-8")
    running = start("--game", "hexel", "--option", f"deck={deck}", "--option", "hands=dealt")
    with running.page() as page:
        page.until(lambda s: s["log"])
    running.end()
    deck.write_text(f"# the old ones\n{deck.read_text()}", "utf-8")
    asked = start("--game", "hexel", "--option", f"deck={deck}")
    with asked.page() as page:
        page.until(lambda s: s["resume"])
    asked.end()
    deck.unlink()
    again = start("--game", "hexel")
    with again.page() as page:
        page.until(lambda s: s["resume"])
    agreed = {option["name"]: option["value"] for option in board(again)["agreed"]["options"]}
    assert (agreed["deck"], agreed["hands"]) == ("My cards", "dealt")
    again.end()
    assert len(again.recordings()) == 3
    for recording in again.recordings():
        done = hexboard("replay", recording, "--quiet")
        assert done.returncode == 0, done.stderr
    assert "no such file" in refused(home, "--game", "hexel", "--option", f"deck={deck}")


@pytest.mark.long
def test_a_match_whose_journal_was_altered_is_made_again_and_said(start: Start) -> None:
    running = start()
    with running.page() as page:
        page.ready()
    running.end()
    with sqlite3.connect(running.folder / "hextraction.db") as db:
        db.execute("""UPDATE entry SET text = '{"type":"played","action":"nonsense"}'""")
    db.close()
    with start().page() as page:
        assert "was made again from" in page.state["notices"][0]
        assert page.state["resume"]


@pytest.mark.parametrize("below", ["", "sub", "sub/sub"])
def test_a_state_folder_that_is_a_file_is_said(tmp_path: Path, home: Path, below: str) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    done = hexboard("--home", home, "run", "--simulate", "--state", tmp_path / "file" / below)
    assert done.returncode in (1, 2)
    assert str(tmp_path / "file") in done.stderr


@linux
def test_a_state_folder_that_cannot_be_written_is_said(home: Path) -> None:
    said = refused(home, "--simulate", "--state", "/proc/hexboard")
    assert "/proc/hexboard" in said
    assert "--state" in said


def test_an_unknown_board_gets_the_nearest_name(home: Path) -> None:
    assert "Did you mean “hextraction-22”?" in refused(home, "hextracton-22", "--simulate")


def test_a_mistake_in_the_settings_is_shown_with_its_line(home: Path) -> None:
    (home / "settings.toml").write_text("# mine\nsettel_ms = 100\n", "utf-8")
    said = refused(home, "--simulate")
    assert f"{home / 'settings.toml'}:2: settel_ms: unknown key" in said
    assert "settle_ms" in said


@pytest.mark.long
def test_firmware_that_does_not_start_is_said(tmp_path: Path, home: Path) -> None:
    for interpreter in ("/nowhere/micropython", shutil.which("false") or "/bin/false"):
        done = hexboard(
            *("--home", home, "run", "--simulate", "--state", tmp_path / "state", "--port", 0),
            env=os.environ | {"HEXBOARD_MICROPYTHON": interpreter},
        )
        assert done.returncode == 1
        assert "firmware" in done.stderr


# ------------------------------------------------------------------------------------ real boards


@pytest.mark.long
def test_without_a_board_the_page_comes_up_and_says_what_to_do(start: Start) -> None:
    running = start(simulate=False)
    with running.page() as page:
        page.until(lambda s: pico(s)["up"] is False)
        why = pico(page.state)["why"]
        assert "no Pico found on USB" in why
        assert "settings.toml" in why
        assert not page.state["simulated"]
        page.hand("drop", "B1-6")
        assert "no hands" in page.refusal()
        page.send("declare", seat=-1, action="play J C3 2")  # moves can be tapped all the same
        page.until(lambda s: "C3" in s["own"]["slots"])
    assert running.end()[0] == 0


@pytest.mark.long
def test_a_port_named_in_the_settings_is_tried(start: Start, home: Path) -> None:
    (home / "settings.toml").write_text('[link]\nport = "/dev/ttyNOWHERE"\n', "utf-8")
    with start(simulate=False).page() as page:
        page.until(lambda s: "/dev/ttyNOWHERE" in pico(s).get("why", ""))


def test_simulation_options_need_the_simulation(home: Path) -> None:
    assert "--simulate" in refused(home, "--watch", status=2)
    assert "--simulate" in refused(home, "--fast", status=2)


@pytest.mark.parametrize(
    "more",
    [
        *(["--option", "seats=4"], ["--clock", "10"], ["--takeback", "host"]),
        *(["--camera"], ["--watch"], ["--port", "9"], ["--lan"], ["--speed", "2"]),
    ],
    ids=lambda more: str(more[0]),
)
def test_an_evening_that_plays_itself_takes_no_options_and_says_so(
    home: Path, more: list[str]
) -> None:
    """It drops none unsaid, nor those of the settings."""
    fast = ["--simulate", "--fast", "--turns", "1", "--state", str(home / "s")]
    said = refused(home, *fast, *more, status=2)
    assert "--fast goes with --simulate" in said


def test_an_evening_that_plays_itself_says_that_the_settings_options_do_not_count(
    home: Path,
) -> None:
    (home / "settings.toml").write_text("[options]\nseats = 4\n", "utf-8")
    fast = ("run", "--simulate", "--fast", "--turns", "1", "--state", str(home / "s"))
    done = hexboard("--home", home, *fast)
    assert done.returncode == 0, done.stderr
    assert "those in the settings do not count for it." in done.stdout


@pytest.mark.long
def test_watching_a_simulated_game_plays_it(start: Start) -> None:
    with start("--watch").page() as page:
        page.until(lambda s: s["watching"] and s["own"]["turn"] > 1)
        page.send("watch", on=False)
        page.until(lambda s: not s["watching"])


@pytest.mark.long
def test_it_needs_no_terminal(tmp_path: Path, home: Path) -> None:
    """As a service: nothing to read from, nobody who reads what it says."""
    process = subprocess.Popen(
        [*HEXBOARD, "--home", home, "run", "--simulate", "--port", "0", "--state", tmp_path / "s"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    eventually((tmp_path / "s" / "token").exists)
    time.sleep(0.5)
    process.terminate()
    assert process.communicate(timeout=PATIENCE)[1] == ""
    assert process.returncode == 0


@pytest.mark.long
def test_old_recordings_go_when_a_match_begins(start: Start, home: Path) -> None:
    running = start()
    folder = running.folder / "recordings"
    running.end()
    with (home / "settings.toml").open("a", encoding="utf-8") as settings:
        settings.write("recordings_gb = 1\n")
    old = folder / "20200101-200000-aaaa.mcap"
    old.touch()
    os.truncate(old, 1_100_000_000)
    os.utime(old, (1, 1))
    start()
    assert not old.exists()
    assert list(folder.glob("*.mcap"))
