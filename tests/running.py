"""hexboard as people run it: a process of its own, a link it prints, a page that listens."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.sync.client import connect

from hexboard.web.keys import cookie_name

HEXBOARD = (sys.executable, "-W", "error", "-m", "hexboard")
PATIENCE = 300.0
"""Seconds until something that should happen has not; the one such number of all tests. It is a
hundred times what most of it takes, for the machine may be busy: no test is to lose a race."""


def hexboard(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """One run of the command to its end; it never shows a traceback."""
    done = subprocess.run(
        [*HEXBOARD, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        **options,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


CRASHING = """
from hexboard.record.transcript import Transcript

def broken(transcript, fact, healthy=Transcript.step):
    if fact.n == {n}:
        raise ZeroDivisionError("a mistake of ours")
    return healthy(transcript, fact)

Transcript.step = broken
"""


def crashing_at(n: int, folder: Path) -> dict[str, str]:
    """The environment of a process whose tables crash at this fact; `folder` is for what does
    it."""
    (folder / "sitecustomize.py").write_text(CRASHING.format(n=n))
    return {**os.environ, "PYTHONPATH": str(folder)}


def eventually(true: Callable[[], Any], every: float = 0.02) -> Any:
    """What `true` gives, as soon as that is true; asked `every` so many seconds."""
    end = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < end, "it never came to that"
        time.sleep(every)
    return found


class Page:
    """What a browser's page hears and says, over its WebSocket."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.heard: Counter[str] = Counter()
        self.state: dict[str, Any] = {}
        self.refused: list[dict[str, str]] = []

    def send(self, type: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": type, **fields}))

    def hand(self, what: str, at: str = "", **fields: Any) -> None:
        self.send("hand", what=what, at=at, **fields)

    def rule(self, ruling: str) -> None:
        self.send("ruling", do=ruling)

    def listen(self, timeout: float) -> dict[str, Any]:
        """The next message. Raises `TimeoutError`."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout))
        self.heard[message["type"]] += 1
        if message["type"] == "state":
            self.state = message
        elif message["type"] == "refused":
            self.refused.append(message)
        return message

    def __repr__(self) -> str:
        """What matters when a test fails: the state, and what was refused."""
        dull = ("own", "seats", "lights")
        state = {key: it for key, it in self.state.items() if key not in dull}
        return json.dumps({**state, "refused": self.refused})

    def until(self, true: Callable[[dict[str, Any]], Any]) -> Any:
        """What `true` gives of the first state of which it is true, the present one included."""
        end = time.monotonic() + PATIENCE
        while not (self.state and (found := true(self.state))):
            left = end - time.monotonic()
            assert left > 0, f"it never came to that: {self}"
            try:
                self.listen(left)
            except TimeoutError:
                continue
        return found

    def refusal(self) -> str:
        """The next refusal."""
        end = time.monotonic() + PATIENCE
        while not self.refused:
            assert time.monotonic() < end, "nothing was refused"
            self.listen(PATIENCE)
        return self.refused.pop(0)["reason"]

    def ready(self) -> dict[str, Any]:
        """The first state in which the board is connected and as it should be."""

        def shown(state: dict[str, Any]) -> bool:
            up = any(link["source"] == "pico" and link["up"] for link in state["links"])
            seats = {f"seat:{slot}" for slot in state["own"]["slots"]}
            return up and not state["todo"] and seats <= set(state["active_sensors"])

        self.until(shown)
        return self.state

    def settled(self) -> dict[str, Any]:
        """The first state of a board at rest whose rulings are all final."""
        self.until(lambda s: s["phase"] != "rolling" and all(line["final"] for line in s["log"]))
        return self.state

    def roll(self, lane: str = "B1-6") -> dict[str, Any]:
        """Drop a ball and wait until its ruling is final."""
        said = self.state["log"][0]["n"]
        self.hand("drop", lane)
        self.until(lambda s: s["phase"] == "rolling")
        self.until(lambda s: s["log"][0]["n"] > said and s["log"][0]["final"])
        return self.settled()


class Served:
    """The page of a board that runs: its link has been read."""

    def __init__(self, url: str) -> None:
        self.url, split = url, urlsplit(url)
        self.port, self.token = int(split.port or 0), parse_qs(split.query)["token"][0]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.cookie = f"{cookie_name(self.port, self.token)}={self.token}"

    @contextmanager
    def page(self) -> Iterator[Page]:
        with connect(
            f"ws://127.0.0.1:{self.port}/live",
            additional_headers={"Cookie": self.cookie, "Origin": self.origin},
            max_size=None,
            close_timeout=0.2,  # what is unread would hold it for ten seconds
        ) as socket:
            page = Page(socket)
            page.until(lambda s: True)
            yield page


class Running(Served):
    """`hexboard run` in its own process. Ends it when the test is over."""

    def __init__(
        self,
        state: Path,
        *arguments: object,
        home: Path,
        command: tuple[str, ...] = HEXBOARD,
    ) -> None:
        self.folder = state
        self.process = subprocess.Popen(
            [*command, "--home", str(home), "run", "--state", str(state), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.began, out = "", self.process.stdout.fileno()  # what lines read ahead would be lost
        while "Ctrl-C" not in self.began.rpartition("\n")[0] and (said := os.read(out, 1 << 16)):
            self.began += said.decode("utf-8")
        lines = self.began.splitlines()
        url = next((line.strip() for line in lines if "/?token=" in line), "")
        assert url, self.process.communicate()[1]
        super().__init__(url)

    @property
    def pid(self) -> int:
        return self.process.pid

    def children(self) -> list[int]:
        """The processes it has started, whatever thread of it did: the firmware."""
        return children(self.pid)

    def recordings(self) -> list[Path]:
        """Its recordings, oldest first."""
        files = (self.folder / "recordings").glob("*.mcap")
        return sorted(files, key=lambda path: path.stat().st_mtime_ns)

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """End it; its exit status, and what it still said on both streams."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            out, err = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, err = self.process.communicate()
        assert "Traceback" not in err, err
        return self.process.returncode, out + err


def children(process: int) -> list[int]:
    """The processes that a process has started, whatever thread of it did."""
    listed = Path(f"/proc/{process}/task").glob("*/children")
    return [int(pid) for path in listed for pid in path.read_text().split()]


def free_port() -> int:
    """A port of this computer that nobody listens at: none of those that Linux gives to whoever
    connects to somebody, for one of them may be taken before a server is up."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def cpu_seconds(pid: int) -> float:
    """What a process itself has used, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
