"""A hall: boards that tell one NATS server, and the wall that shows them.

    python -m tests.benchmarks.hall [--boards 20] [--rate 50] [--seconds 40] [--cut-minutes 60]

Boards replay synthetic journals, so many entries a second each: their hall journal, the thread that
publishes it, `hexboard hub` and a page that listens are the real ones. The hub is killed half-way
and started again. After that comes one more board, which was cut off for so many minutes.
"""

import argparse
import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from bisect import bisect_left
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

from hexboard.daemon.hall import Hub
from hexboard.facts import Start
from hexboard.record.hall_journal import NAME, HallJournal
from hexboard.settings import HubSettings
from hexboard.web.keys import Keys
from hexboard.web.server import Server
from tests.benchmarks import percentile, reference
from tests.daemon.test_mqtt import STATE
from tests.hall import Nats
from tests.running import HEXBOARD, cpu_seconds, free_port

if TYPE_CHECKING:
    from nats.js import JetStreamContext

PROCESSES = 4
STATES_S = 0.1
"""So often boards have another state."""
CUT = "board-cut"
FRESH_NS = 250_000_000
SETTLED_NS = 1_000_000_000
"""So long after a start, or before and after a kill, is told apart."""
ENTRY = '{"type":"played","action":"d7-d8"}'


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--boards", type=int, default=20)
    words.add_argument("--rate", type=int, default=50)
    words.add_argument("--seconds", type=int, default=40)
    words.add_argument("--cut-minutes", type=float, default=60)
    words.add_argument("--only", nargs=2, help=argparse.SUPPRESS)
    asked = words.parse_args()
    if asked.only:
        tell(Path(asked.only[0]), asked.only[1], json.loads(sys.stdin.readline()))
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), asked)


# ------------------------------------------------------------------------------- boards


def match(name: str) -> Start:
    return Start(f"match of {name}", "hexhex-5", "00", "hexalma", "hexalma 1", {}, "test")


def tell(folder: Path, url: str, asked: dict[str, Any]) -> None:
    """One process of boards: each has another entry so many times a second."""
    server = Server(0, Keys("correct-horse-battery-staple"), lambda _: True)
    server.start()
    hubs = []
    for name in asked["boards"]:
        state = folder / name
        state.mkdir(exist_ok=True)
        hub = Hub(HubSettings(url, name), "hexhex-5", name, state, server, report)
        hub.journal.begin(match(name), [])
        hubs.append(hub)
    began, seconds, rate = time.monotonic(), asked["seconds"], asked["rate"]
    known = [hub.journal.known for hub in hubs]
    stated = 0.0
    for k in range(seconds * rate):
        for hub, first in zip(hubs, known, strict=True):
            hub.journal.add([ENTRY], first + k)
        if time.monotonic() - stated >= STATES_S:
            stated = time.monotonic()
            state = json.dumps(STATE | {"rev": k}).encode()
            server.publish("state", b"", {(-1, "en"): state})
        time.sleep(max(0.0, began + (k + 1) / rate - time.monotonic()))
    print(flush=True)
    sys.stdin.readline()  # until the other end is closed
    for hub in hubs:
        hub.close()
    server.close()


def report(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# ------------------------------------------------------------------------------- the page


class WallPage:
    """A page of the wall: when it was first shown how much of each board, Unix ns."""

    def __init__(self, port: int, token: str) -> None:
        self.shown: dict[str, list[tuple[int, int]]] = {}
        self.newest: dict[str, dict[str, Any]] = {}
        self.gaps: list[tuple[int, int]] = []
        """From when to when nobody answered."""
        self._at = f"127.0.0.1:{port}", token
        self._ended = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        host, token = self._at
        there = False
        while not self._ended:
            with suppress(OSError, WebSocketException):
                where = f"ws://{host}/live?token={token}"
                with connect(where, origin=Origin(f"http://{host}"), max_size=None) as wire:
                    while not self._ended:
                        with suppress(TimeoutError):
                            self._hear(json.loads(wire.recv(1)))
                        there = True
            if there and not self._ended:
                self.gaps.append((time.time_ns(), 0))
                there = False
            time.sleep(0.05)

    def _hear(self, told: dict[str, Any]) -> None:
        now = time.time_ns()
        if told["type"] == "board" and told["told"]:
            self.newest[told["name"]] = told
            self.shown.setdefault(told["name"], []).append((told["told"], now))
            if self.gaps and not self.gaps[-1][1]:
                self.gaps[-1] = self.gaps[-1][0], now

    def end(self) -> None:
        self._ended = True
        self._thread.join()

    def whole(self, back: int, told: dict[str, list[tuple[int, int, str]]]) -> int:
        """When after that time the page first showed all of all boards that had stood for
        `FRESH_NS`."""
        seen = sorted((at, name, n) for name, its in self.shown.items() for n, at in its)
        newest = dict[str, int]()
        for at, name, n in seen:
            if at >= back:
                newest[name] = n
                stood = {
                    it: rows[min(newest.get(it, 0), len(rows) - 1)] for it, rows in told.items()
                }
                if all(newest.get(it) and row[1] > at - FRESH_NS for it, row in stood.items()):
                    return at
        return seen[-1][0]

    def late_ms(self, board: str, told: list[tuple[int, int]]) -> list[tuple[int, float]]:
        """When each thing stood (n, Unix ns) and how long after that the page showed it."""
        shown = self.shown[board]
        grown: list[tuple[int, int]] = []
        for n, at in shown:
            if not grown or n > grown[-1][0]:
                grown.append((n, at))
        counts = [n for n, _ in grown]
        return [
            (stood, (grown[k][1] - stood) / 1e6)
            for n, stood in told
            if (k := bisect_left(counts, n)) < len(grown)
        ]


class HubProcess:
    """`hexboard hub` as people start it."""

    def __init__(self, folder: Path, url: str, port: int) -> None:
        self._log = open(folder / "hub.txt", "ab")  # noqa: SIM115  closed with it
        self.process = subprocess.Popen(
            [*HEXBOARD, "hub", url, "--port", str(port)],
            stdout=self._log,
            stderr=self._log,
            env=os.environ | {"XDG_STATE_HOME": str(folder / "xdg")},
        )
        self.token_file = folder / "xdg" / "hexboard" / "hub" / "token"
        while not self.token_file.exists():
            time.sleep(0.05)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._log.close()


# ------------------------------------------------------------------------------- figures


def measure(folder: Path, asked: argparse.Namespace) -> None:
    before = reference()
    names = [f"board-{k:02}" for k in range(1, asked.boards + 1)]
    journals = {name: folder / name for name in names}
    server = Nats(folder)
    server.start()
    served = time.monotonic()
    port = free_port()
    hub = HubProcess(folder, server.url, port)
    page = WallPage(port, hub.token_file.read_text("ascii").strip())
    groups = [names[k::PROCESSES] for k in range(PROCESSES)]
    boards = [started(folder, server.url, group, asked.seconds, asked) for group in groups if group]
    time.sleep(asked.seconds / 2)
    hub.kill()
    time.sleep(1)
    hub = HubProcess(folder, server.url, port)
    began = time.monotonic()
    for board in boards:
        board.stdout.readline()  # it has no more to say
    busy = [
        f"{name} {cpu_seconds(pid) / (time.monotonic() - start):.0%}"
        for name, pid, start in (
            ("the second hub", hub.process.pid, began),
            ("nats-server", server.pid, served),
        )
    ]
    print(f"of a core took {', '.join(busy)}")
    after = caught_up(page, journals)
    tell_figures(asked, page, {name: rows(path) for name, path in journals.items()}, server)
    print(f"all of it was on the page {after:.1f} s after the last")
    entries = round(asked.cut_minutes * 60 * asked.rate)
    cut_off(folder / CUT, entries)
    began = time.monotonic()
    boards.append(started(folder, server.url, [CUT], 0, asked))
    caught_up(page, {CUT: folder / CUT})
    took = time.monotonic() - began
    kept = in_order(server, {CUT: rows(folder / CUT)})[CUT]
    print(
        f"a board cut off for {asked.cut_minutes:g} min ({entries:,} things): caught up after "
        f"{took:.0f} s ({entries / took:,.0f} a second), {'in order' if kept else 'NOT IN ORDER'}"
    )
    for board in boards:
        board.stdin.close()
        board.wait()
    page.end()
    hub.kill()
    server.kill()
    print(f"reference loop {before:.0f} ms before, {reference():.0f} ms after (24 when quiet)")


def cut_off(folder: Path, count: int) -> None:
    """A board that played for so many entries while its cable was out."""
    folder.mkdir()
    with closing(HallJournal(folder)) as journal:
        journal.begin(match(CUT), [ENTRY] * count)


def started(
    folder: Path, url: str, names: list[str], seconds: int, asked: argparse.Namespace
) -> Any:
    """A process of boards, which says a line when it has no more to tell."""
    word = (sys.executable, "-m", "tests.benchmarks.hall", "--only", str(folder), url)
    board = subprocess.Popen(word, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert board.stdin is not None
    what = {"boards": names, "seconds": seconds, "rate": asked.rate}
    board.stdin.write(json.dumps(what) + "\n")
    board.stdin.flush()
    return board


def caught_up(page: WallPage, journals: dict[str, Path]) -> float:
    """Wait until the page shows all of these boards; how long that took, s."""
    began = time.monotonic()
    for name, path in journals.items():
        while not path.exists() or count(path) != page.newest.get(name, {}).get("told"):
            time.sleep(0.05)
    return time.monotonic() - began


def count(folder: Path) -> int:
    with closing(sqlite3.connect(folder / NAME)) as db:
        return int(db.execute("SELECT max(n) FROM told").fetchone()[0])


def rows(folder: Path) -> list[tuple[int, int, str]]:
    """(n, when it stood in Unix ns, its link) of all that a board told."""
    with closing(sqlite3.connect(folder / NAME)) as db:
        return list(db.execute("SELECT n, at, link FROM told ORDER BY n"))


def in_order(server: Nats, told: dict[str, list[tuple[int, int, str]]]) -> dict[str, bool]:
    """Of each board whether the stream has what it told, once each and in that order."""

    async def read(js: "JetStreamContext") -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        last = (await js.stream_info("HEXBOARD")).state.last_seq
        wait = asyncio.Event()

        async def heard(msg: Any) -> None:
            found.setdefault(msg.subject.rpartition(".")[2], []).append(
                msg.headers["Nats-Msg-Id"].partition(".")[0]
            )
            if msg.metadata.sequence.stream >= last:
                wait.set()

        await js.subscribe("hexboard.told.*", ordered_consumer=True, cb=heard)
        await wait.wait()
        return found

    found = server.ask(read)
    return {name: found.get(name) == [link for _, _, link in its] for name, its in told.items()}


def tell_figures(
    asked: argparse.Namespace,
    page: WallPage,
    told: dict[str, list[tuple[int, int, str]]],
    server: Nats,
) -> None:
    late = [
        it for name, its in told.items() for it in page.late_ms(name, [(n, at) for n, at, _ in its])
    ]
    begun = max(its[0][1] for its in told.values()) + SETTLED_NS
    kills = [(gone, page.whole(back, told)) for gone, back in page.gaps]
    gaps = [(0, begun), *((gone - SETTLED_NS, whole) for gone, whole in kills)]
    calm = sorted(ms for at, ms in late if not any(first <= at <= last for first, last in gaps))
    every = sorted(ms for _, ms in late)
    events = sum(map(len, told.values()))
    ordered = in_order(server, told)
    print(f"{len(told)} boards, {asked.rate}/s each for {asked.seconds} s: {events:,} things told")
    print(f"once each and in order in the stream: {sum(ordered.values())} of {len(told)} boards")
    print(f"told, and never on the page: {events - len(late)}")
    torn = sum(bool(it["torn"]) for it in page.newest.values())
    print(f"boards of which the wall says that something is missing: {torn}")
    shares = (0.5, 0.95, 0.99)
    for what, those in (("without start and kill", calm), ("with them", every)):
        few = ", ".join(f"p{100 * share:.0f} {percentile(those, share):.0f}" for share in shares)
        print(f"ms from commit to page, {what}: {few}, longest {those[-1]:.0f} ({len(those):,})")
    for (gone, back), (_, whole) in zip(page.gaps, kills, strict=True):
        print(
            f"hub killed and started again: {(back - gone) / 1e9:.1f} s without a page, "
            f"all there after {(whole - gone) / 1e9:.1f} s"
        )


if __name__ == "__main__":
    main()
