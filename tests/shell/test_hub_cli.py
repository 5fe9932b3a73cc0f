"""`hexboard hub`, and boards that tell it, as people run them."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest

from hexboard.record.hall_journal import NAME
from hexboard.record.recording import read
from tests.cli import invoke
from tests.hall import Nats
from tests.record.test_hall_journal import links
from tests.running import HEXBOARD, PATIENCE, Running, alive, eventually, free_port, hexboard

Start = Callable[..., Running]


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Nats]:
    with Nats(tmp_path) as server:
        yield server


def told_of(home: Path, nats: Nats) -> None:
    (home / "settings.toml").write_text(
        f'settle_ms = 200\n[hub]\nurl = "{nats.url}"\nname = "one"\n', "utf-8"
    )


class HubRunning:
    """`hexboard hub` in its own process."""

    def __init__(self, folder: Path, *words: object) -> None:
        self.process = subprocess.Popen(
            [*HEXBOARD, "--home", str(folder / "hub"), "hub", "--port", "0", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | {"XDG_STATE_HOME": str(folder), "TMPDIR": str(folder)},
            text=True,
        )
        self.said = ""
        while "Ctrl-C" not in self.said:
            self.read()
        [self.link] = re.findall(r"http://\S+", self.said)

    def read(self) -> None:
        """Wait for its next line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.said
        self.said += line

    def end(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(how)
        rest, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, self.said + rest


@pytest.fixture
def hubs(tmp_path: Path) -> Iterator[Callable[..., HubRunning]]:
    """`hubs(*words)` runs `hexboard hub`."""
    started: list[HubRunning] = []

    def run(*words: object) -> HubRunning:
        started.append(HubRunning(tmp_path, *words))
        return started[-1]

    yield run
    for hub in started:
        if hub.process.poll() is None:
            hub.end()


@pytest.mark.long
def test_a_hub_without_a_server_says_so_and_serves_its_page(
    hubs: Callable[..., HubRunning],
) -> None:
    hub = hubs(f"nats://127.0.0.1:{free_port()}")
    browser = build_opener(HTTPCookieProcessor())  # the link goes on to the page with a cookie
    with browser.open(hub.link, timeout=PATIENCE) as answer:
        assert answer.status == 200
        assert b"wall.js" in answer.read()
    with pytest.raises(HTTPError) as refused, urlopen(hub.link.partition("?")[0]):
        pass
    assert refused.value.code == 403
    refused.value.close()
    while "is not there, or has no JetStream (" not in hub.said:
        hub.read()
    code, said = hub.end()
    assert code == 0
    assert "Traceback" not in said
    assert said.endswith("Stopped. What the boards told stays with NATS.\n")


def test_what_is_no_address_is_refused() -> None:
    done = hexboard("hub", "http://hall")
    assert (done.returncode, "http://hall is no address" in done.stderr) == (2, True)
    named = hexboard("hub", "nats://me:secret@hall:4222")
    assert (named.returncode, "nats://…@hall:4222 is no address" in named.stderr) == (2, True)


def test_with_keys_it_says_what_stands_before_a_tournaments_commands_too(tmp_path: Path) -> None:
    hall = tmp_path / "hall"
    done = hexboard("hub", "--config", hall, "--board", "board-1")
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert f"  hexboard --home {hall} hub" in said
    assert f"  hexboard --home {hall} tournament pair FILE" in said
    assert "key = " in (hall / "settings.toml").read_text("utf-8")


@pytest.mark.long
def test_the_doctor_says_what_of_a_board_the_hall_has(
    tmp_path: Path, home: Path, start: Start, nats: Nats
) -> None:
    told_of(home, nats)
    running = start("--game", "hexalma")
    eventually(lambda: nats.told())
    seen = doctor(home, running.folder)
    assert seen == f"The hall at {nats.url} has the one thing that this board has told."
    nats.kill()
    assert doctor(home, running.folder).startswith(f"The hall's NATS at {nats.url} is not there (")
    with urlopen(f"{running.origin}/health?token={running.token}", timeout=PATIENCE) as page:
        assert page.status == 200

    def health() -> str:
        with urlopen(f"{running.origin}/health?token={running.token}", timeout=PATIENCE) as page:
            return str(page.read().decode())

    eventually(lambda: "NATS at" in health())
    running.end()


def doctor(home: Path, state: Path) -> str:
    """What it says of the hall."""
    done = hexboard("--home", home, "doctor", "--simulate", "--state", state, "--json")
    checks = json.loads(done.stdout)["checks"]
    return str(next(it["said"] for it in checks if it["check"] == "hall"))


def has(nats: Nats, count: int) -> bool:
    return len(nats.told()) >= count


def journalled(folder: Path, game: str) -> list[str]:
    """The entries that the journal has, all that a seat may know in them."""
    with closing(sqlite3.connect(folder / f"{game}.db")) as db:
        return [text for (text,) in db.execute("SELECT text FROM entry ORDER BY match, n")]


def heard(recording: Path) -> list[str]:
    """The entries with which a recording goes on, as everybody heard them."""
    first = next(it for it in read(recording) if it.topic == "fact")
    entries: list[str] = json.loads(first.payload)["body"]["entries"]
    return entries


@pytest.mark.long
def test_a_board_that_is_killed_again_and_again_tells_all_of_it_once_and_no_hidden_card(
    home: Path, start: Start, nats: Nats
) -> None:
    told_of(home, nats)
    for _ in range(3):
        running = start("--game", "knee-deep", "--watch")
        more = len(nats.told()) + 20
        eventually(partial(has, nats, more), 0.2)
        running.end(signal.SIGKILL)
    running = start("--game", "knee-deep")
    with running.page() as page:
        page.until(lambda state: True)
    running.end()
    with closing(sqlite3.connect(running.folder / NAME)) as db:
        (last,) = db.execute("SELECT max(n) FROM told").fetchone()
    running = start("--game", "knee-deep")  # tells what was left as the others ended
    eventually(lambda: len(nats.told()) >= last)
    texts = [text for _, _, text in nats.told()]
    assert [link for _, link, _ in nats.told()] == links(texts)
    entries = [
        json.dumps(it["entry"], separators=(",", ":"), ensure_ascii=False)
        for it in map(json.loads, texts)
        if it["type"] == "entry"
    ]
    running.end()
    full, public = journalled(running.folder, "knee-deep"), heard(running.recordings()[-1])
    assert len(full) == len(public)
    assert entries == public
    hidden = [one for one, other in zip(full, entries, strict=True) if one != other]
    assert hidden
    assert not set(hidden) & set(entries)


@pytest.mark.long
def test_a_hall_that_plays_by_itself_starts_and_leaves_nothing_behind(
    tmp_path: Path, hubs: Callable[..., HubRunning]
) -> None:
    hub = hubs("--simulate", 2)
    assert hub.said.startswith(
        "2 simulated boards play and tell a NATS server at\n  nats://127.0.0.1:"
    )
    nats = re.findall(r"nats://\S+[0-9]", hub.said)[0]
    children = children_of(hub)
    assert len(children) == 3
    server = Nats.__new__(Nats)
    server.url = nats
    eventually(lambda: len({at for at, _, _ in server.told()}) == 2, 0.5)
    code, said = hub.end()
    assert (code, "Traceback" in said) == (0, False)
    assert not [pid for pid in children if alive(pid)]
    assert not list(tmp_path.glob("hexboard*"))


def test_without_its_library_a_hall_that_plays_by_itself_is_not_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "nats", None)
    done = invoke("hub", "--simulate", "2")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "pip install 'hexboard[hall]'" in done.stderr


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("setpriv"), reason="nothing here ties processes together")
def test_boards_of_a_hall_that_is_killed_end_with_it(hubs: Callable[..., HubRunning]) -> None:
    hub = hubs("--simulate", 2)
    children = children_of(hub)
    assert len(children) == 3
    hub.process.kill()
    hub.process.communicate()
    eventually(lambda: not [pid for pid in children if alive(pid)])


def children_of(hub: HubRunning) -> list[int]:
    """The server and the boards."""
    listed = Path(f"/proc/{hub.process.pid}/task").glob("*/children")
    return [int(pid) for path in listed for pid in path.read_text().split()]


@pytest.mark.long
def test_a_small_hall_loses_nothing_over_a_hub_that_is_killed_and_a_cut() -> None:
    command = [sys.executable, "-m", "tests.benchmarks.hall", "--boards", "4", "--seconds", "16"]
    done = subprocess.run(
        [*command, "--cut-minutes", "0.5"], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert "once each and in order in the stream: 4 of 4 boards" in done.stdout
    assert "told, and never on the page: 0\n" in done.stdout
    assert "says that something is missing: 0\n" in done.stdout
    assert re.search(r"\(1,500 things\): caught up after .* in order\n", done.stdout)
    assert done.stdout.count("hub killed and started again") == 1
