"""The whole beside the whole: `python -m tests.benchmarks.mpf [--peer PYTHON]`.

Our complete daemon (`hexboard run` on a board's port: link, acks, recorder, debouncer, table,
tracker, journal, page) and a complete Mission Pinball Framework (`mpf_machine.py`; PYTHON has
`mpf`, `cobs` and `msgspec`), each a process of its own behind the same Pico: our firmware in
MicroPython on a pseudo-terminal, which both speak docs/link.md to. Both get the same edges: a beam
between two cells is broken for a while, again and again, round the board; its cell lights up. Ours
believes a beam after 0.8 ms (`min_high_us`) and lights where the ball is. MPF leaves debouncing to
its hardware: it runs once without, and lights at once, and once where its platform does it by the
same rule. The clock runs from the input's change to the strip's bytes.

Daemons take turns, so that a busy machine hurts all alike; with `--together` all run at once, and
each edge is given to each in turn, which a machine that is never quiet needs. Pauses differ: a Pico
speaks 20 ms after it spoke last, and would always wake one daemon just while the next has its edge.
Figures are medians over rounds, ratios those of the same round. An edge's CPU is what a run took
beyond what idling that long takes.
`--pages N` adds ours with so many pages open. `--beside CHECKOUT` (with its own `.venv`) adds
another commit of ours.
"""

import argparse
import asyncio
import multiprocessing
import os
import random
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from math import isnan
from pathlib import Path
from statistics import median

import websockets
from msgspec import Struct

from hexboard.board import find, load
from hexboard.devices.open import waits
from hexboard.simulator.twin import Twin
from tests.benchmarks import measured, percentile, reference
from tests.benchmarks.ball_to_light import PAUSE, RING, ROUND
from tests.running import Served, cpu_seconds

ROOT = Path(__file__).parents[2]
BOARD = load(find("hextraction-22"))
INPUTS, PIXELS = 152, 150
SETTLE_S = 6.0
"""So long after it said that it is there a daemon may still be busy with its start, and a Pico
that was greeted speaks as if something happened."""
WANTED = {"p50 ms": 1.2, "p99 ms": 1.0, "CPU ms an edge": 1.0}
"""Ours to MPF's, at most."""
ANSWER_S = 1.0
"""A light that takes longer is missed."""


class Measured(Struct, frozen=True):
    """One run of one daemon."""

    times: list[float]
    """From a rise to its cell's light, ms."""
    missed: int
    cpu_ms: float
    """Beyond idling, an edge."""
    idle: float
    """Per cent of a core."""
    memory: float
    """Resident at most, MiB."""
    start: float
    """From nothing to being there, s."""

    @property
    def figures(self) -> dict[str, float]:
        times = sorted(self.times) or [float("nan")]
        return {
            "p50 ms": percentile(times, 0.5),
            "p95 ms": percentile(times, 0.95),
            "p99 ms": percentile(times, 0.99),
            "missed": float(self.missed),
            "CPU ms an edge": self.cpu_ms,
            "idle %": self.idle,
            "MiB": self.memory,
            "start s": self.start,
        }


class Pico:
    """The twin, with a clock from a beam to its cell's light."""

    def __init__(self) -> None:
        self._cells = {
            cell: [i for i, pixel in enumerate(BOARD.pixels) if pixel.cell == cell]
            for cell in ROUND
        }
        self._changed = threading.Condition()
        self._strip = bytes(3 * PIXELS)
        self._at = 0.0
        self.twin = Twin(INPUTS, PIXELS, self._shown)

    def _shown(self, rgb: bytes) -> None:
        at = time.perf_counter()
        with self._changed:
            self._strip, self._at = rgb, at
            self._changed.notify()

    def _colours(self, cell: str) -> list[bytes]:
        return [self._strip[3 * i : 3 * i + 3] for i in self._cells[cell]]

    def drive(self, *sensors: str) -> None:
        bits = sum(1 << BOARD.sensor[sensor].input for sensor in sensors)
        self.twin.drive(bits.to_bytes(INPUTS // 8, "little"))

    def lights(self, sensor: str, cell: str) -> float | None:
        """Milliseconds from a sensor's rise until the cell shows something else; None: too long."""
        with self._changed:
            before = self._colours(cell)
            begun = time.perf_counter()
            self.drive(sensor)
            lit = self._changed.wait_for(lambda: self._colours(cell) != before, ANSWER_S)
            return (self._at - begun) * 1000 if lit else None


class Daemon(Struct, frozen=True):
    """How one is started on a port; what is read of its output, until it says that it is there."""

    command: Callable[[str, Path], list[str]]
    there: Callable[[str], bool]
    folder: Path = ROOT
    path: str = ""
    pages: int = 0


def ours(checkout: Path, pages: int = 0) -> Daemon:
    def command(port: str, folder: Path) -> list[str]:
        home = folder / "home"
        home.mkdir()
        (home / "settings.toml").write_text(f'[link]\nport = "{port}"\n', "utf-8")
        python = checkout / ".venv" / "bin" / "python"
        words = ["run", BOARD.name, "--state", str(folder / "state"), "--port", "0"]
        return [str(python), "-m", "hexboard", "--home", str(home), *words]

    return Daemon(command, lambda line: "Ctrl-C" in line, checkout, "", pages)


def theirs(python: str, hz: int, debounced: bool = False) -> Daemon:
    def command(port: str, folder: Path) -> list[str]:
        rules = folder / "rules"
        where = {pixel.cell: i for i, pixel in enumerate(BOARD.pixels)}
        pairs = [(BOARD.sensor[f"edge:{beam}"], where[cell]) for beam, cell in steps(len(RING))]
        lines = (
            f"{it.input} {pixel} {it.min_high // 1000} {it.min_low // 1000}\n"
            for it, pixel in pairs
        )
        rules.write_text("".join(lines), "utf-8")
        words = [port, str(hz), str(rules), *([waits(BOARD).hex()] if debounced else [])]
        return [python, "-m", "tests.benchmarks.mpf_machine", *words]

    names = str(ROOT / ".venv" / "names")
    return Daemon(command, lambda line: line.startswith("READY"), ROOT, names)


def steps(count: int) -> Iterator[tuple[str, str]]:
    """Beams that break one after the other, each with the cell that lights up then."""
    cells = [after for _, after in pairwise(ROUND)]
    for i in range(count):
        yield RING[i % len(RING)], cells[i % len(RING)]


@contextmanager
def running(daemon: Daemon, port: str, folder: Path) -> Iterator[tuple[int, float, str]]:
    """It runs: its process, how long its start took (s), and the page's address."""
    begun, url = time.monotonic(), ""
    process = subprocess.Popen(
        daemon.command(port, folder),
        cwd=daemon.folder,
        env=os.environ | ({"PYTHONPATH": daemon.path} if daemon.path else {}),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            url = line.strip() if "/?token=" in line and not url else url
            if daemon.there(line):
                break
        else:
            raise RuntimeError("the daemon ended")
        threading.Thread(target=process.stdout.read, daemon=True).start()
        yield process.pid, time.monotonic() - begun, url
    finally:
        process.terminate()
        process.wait()


async def _look(url: str, count: int, ready: Callable[[], None]) -> None:
    served = Served(url)
    asked = {"Cookie": served.cookie, "Origin": served.origin}

    async def page() -> None:
        address = f"ws://127.0.0.1:{served.port}/live"
        async with websockets.connect(address, additional_headers=asked, max_size=None) as wire:
            opened.release()
            async for _ in wire:
                pass

    opened = asyncio.Semaphore(0)
    pages = [asyncio.create_task(page()) for _ in range(count)]
    for _ in pages:
        await opened.acquire()
    ready()
    await asyncio.gather(*pages, return_exceptions=True)


def look(url: str, count: int, ready: Callable[[], None]) -> None:
    """So many pages, in a process of their own."""
    asyncio.run(_look(url, count, ready))


@contextmanager
def watched(url: str, count: int) -> Iterator[None]:
    """So many pages are open."""
    if not count:
        yield
        return
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    process = context.Process(target=look, args=(url, count, ready.set), daemon=True)
    process.start()
    ready.wait()
    yield
    process.kill()
    process.join()


def memory(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


class Run(Struct):
    """A daemon that runs behind a Pico of its own."""

    pico: Pico
    pid: int
    start: float
    times: list[float | None] = []

    @classmethod
    def begin(cls, daemon: Daemon, stack: ExitStack) -> "Run":
        pico, folder = Pico(), stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(pico.twin)
        pid, start, url = stack.enter_context(running(daemon, pico.twin.port, Path(folder)))
        stack.enter_context(watched(url, daemon.pages))
        return cls(pico, pid, start)


def measure(daemons: Iterable[Daemon], count: int, rest_s: float) -> list[Measured]:
    """Daemons from their start, through a rest, through `count` broken beams, by turns."""
    with ExitStack() as stack:
        return through([Run.begin(daemon, stack) for daemon in daemons], count, rest_s)


def through(runs: list[Run], count: int, rest_s: float) -> list[Measured]:
    def spent() -> list[float]:
        return [cpu_seconds(run.pid) for run in runs]

    chance = random.Random(1)

    def by_turns() -> Iterator[Run]:
        for run in runs:
            time.sleep(PAUSE / len(runs) * chance.uniform(0.75, 1.25))
            yield run

    time.sleep(SETTLE_S)
    before, begun = spent(), time.monotonic()
    time.sleep(rest_s)
    rested = time.monotonic() - begun
    idle = [(after - it) / rested for it, after in zip(before, spent(), strict=True)]
    for run in runs:
        run.pico.drive("gate:B1-1")  # a ball comes in
    for run in by_turns():
        run.pico.drive()
    before, begun = spent(), time.monotonic()
    for beam, cell in steps(count):
        for run in by_turns():
            run.times.append(run.pico.lights(f"edge:{beam}", cell))
        for run in by_turns():
            run.pico.drive()
    took, after = time.monotonic() - begun, spent()
    return [
        Measured(
            times := [it for it in run.times if it is not None],
            count - len(times),
            1000 * (after[i] - before[i] - idle[i] * took) / (2 * count),
            100 * idle[i],
            memory(run.pid),
            run.start,
        )
        for i, run in enumerate(runs)
    ]


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--peer", metavar="PYTHON", help="a Python that has mpf, cobs, msgspec")
    options.add_argument("--beside", metavar="CHECKOUT", type=Path)
    options.add_argument("--pages", type=int, default=0)
    options.add_argument("--count", type=int, default=200, help="beams broken in a run")
    options.add_argument("--rest", type=float, default=15.0, help="seconds of idling in a run")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument(
        "--together", action="store_true", help="all run at once, each edge's turn"
    )
    asked = options.parse_args()
    daemons = {"hexboard": ours(ROOT)}
    if asked.beside:
        daemons["the other commit"] = ours(asked.beside.resolve())
    if asked.pages:
        daemons[f"with {asked.pages} pages"] = ours(ROOT, asked.pages)
    if asked.peer:
        daemons["MPF that debounces"] = theirs(asked.peer, 1000, debounced=True)
        daemons |= {f"MPF at {hz} Hz": theirs(asked.peer, hz) for hz in (1000, 50)}
    else:
        print("no --peer PYTHON: hexboard alone")
    rounds: list[dict[str, dict[str, float]]] = []
    for _ in range(asked.rounds):
        turns = [list(daemons)] if asked.together else [[name] for name in daemons]
        found = dict[str, dict[str, float]]()
        for names in turns:
            them = measure([daemons[name] for name in names], asked.count, asked.rest)
            found |= {name: it.figures for name, it in zip(names, them, strict=True)}
        rounds.append(found)
    tell(rounds)
    print(f"reference loop {reference():.1f} ms")


def tell(rounds: list[dict[str, dict[str, float]]]) -> None:
    """Each daemon's figures, and ours to each other's of the same round."""
    first, *others = rounds[0]
    keys = list(rounds[0][first])
    middles = dict[str, list[float]]()
    print(f"{'':28}" + "".join(f"{key:>16}" for key in keys))
    for name in (first, *others):
        middle = middles[name] = [median(one[name][key] for one in rounds) for key in keys]
        print(f"{name:28}" + "".join(f"{value:16.2f}" for value in middle))
    for name in others:
        ratios = [
            median(
                one[first][key] / one[name][key] if one[name][key] else float("nan")
                for one in rounds
            )
            for key in keys
        ]
        print(f"{first + ' to ' + name:28}" + "".join(f"{value:16.2f}" for value in ratios))
        for key, own, their, ratio in zip(keys, middles[first], middles[name], ratios, strict=True):
            most = None if "50 Hz" in name else WANTED.get(key)
            measured(key, own, name, their, ratio=None if isnan(ratio) else ratio, most=most)
    if not others:
        for key, own in zip(keys, middles[first], strict=True):
            measured(key, own, "MPF")


if __name__ == "__main__":
    main()
