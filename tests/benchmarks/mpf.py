"""Beside Mission Pinball Framework: `python -m tests.benchmarks.mpf PEER --peer-python PYTHON`.

PEER is a folder with the bench's device (`mcu_sim.py`: a tiny serial wire, and a workload) and its
runner for MPF (`run_mpf.py`); PYTHON is a Python in which MPF is installed. Each daemon in turn,
again and again, gets the same edges: a sensor's cell must be green while it is active. Ours are our
parts on that wire: mailbox, sequencer, scene, lights; no debouncer, for MPF has none there.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable
from functools import reduce
from operator import xor
from pathlib import Path
from statistics import median
from typing import Never

from msgspec.structs import replace

from hexboard.board import Pixel, Rail, plain
from hexboard.devices.mailbox import Mailbox
from hexboard.facts import Edge, Report, Sequencer
from hexboard.lights.frame import LightRenderer, LightSettings
from hexboard.scene import Mark, Meaning
from tests.benchmarks import reference

GREEN = 3
"""The seat whose colour is green."""
SHOWN = ("p50_us", "p99_us", "host_cpu_us_an_edge", "overtaken", "wrong_at_end")


def serve(path: str, side: int) -> None:
    """Our parts behind the wire at `path`, until killed."""
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(fd)
    bare = plain(f"hexhex-{side}")
    cells = [cell.id for cell in bare.cells]
    pixels = tuple(Pixel(i, cell, 0, 0.0, 0.0) for i, cell in enumerate(cells))
    board = replace(bare, pixels=pixels, rails=(Rail("main", limit_ma=2000),))
    mailbox, sequencer, renderer = (
        Mailbox[Never](),
        Sequencer(),
        LightRenderer(board, LightSettings()),
    )
    threading.Thread(target=hear, args=(fd, cells, mailbox.post), daemon=True).start()
    high: set[str] = set()
    shown = renderer.render(()).data
    print("READY", flush=True)
    while True:
        for report in mailbox.drain(1.0):
            fact = sequencer.number(report, time.monotonic_ns())
            if isinstance(fact.body, Edge):
                (high.add if fact.body.level else high.discard)(fact.body.sensor)
        scene = tuple(Mark(cell, Meaning.SEAT, GREEN) for cell in sorted(high))
        frame = renderer.render(scene).data
        os.write(fd, changes(shown, frame))
        shown = frame


def hear(fd: int, cells: list[str], post: Callable[[Report], None]) -> None:
    """Edges from the wire (A5, cell as u16, level, xor of all before) as reports."""
    rest = b""
    while True:
        rest += os.read(fd, 4096)
        for _ in range(len(rest) // 5):
            frame, rest = rest[:5], rest[5:]
            cell = frame[1] << 8 | frame[2]
            post(Report("wire", time.monotonic_ns(), Edge(cells[cell], bool(frame[3]))))


def changes(before: bytes, after: bytes, first: int = 0) -> bytes:
    """Frames (5A, channel as u16, how many, channels, xor) for the pixels that changed, of those
    from pixel `first` on: halves that are equal are not looked at any closer."""
    if before == after:
        return b""
    pixels = len(after) // 8
    if pixels == 1:
        frame = bytes((0x5A, 3 * first >> 8, 3 * first & 255, 3)) + after[:3]
        return frame + bytes((reduce(xor, frame),))
    half = 8 * (pixels // 2)
    left = changes(before[:half], after[:half], first)
    return left + changes(before[half:], after[half:], first + pixels // 2)


def measure(peer: Path, passages: int, command: list[str]) -> dict[str, float]:
    """What the peer's device measures of one daemon, 100 passages a second on 61 cells."""
    device = [sys.executable, str(peer / "mcu_sim.py"), "--radius", "4", "--rate", "100"]
    done = subprocess.run(
        [*device, "--passages", str(passages), "--", *command],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("peer", type=Path, nargs="?")
    options.add_argument("--peer-python", default=sys.executable)
    options.add_argument("--passages", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--serve", metavar="PORT", help="be the daemon on this wire")
    asked = options.parse_args()
    if asked.serve:
        return serve(asked.serve, 5)
    if asked.peer is None:
        options.error("which folder is the peer's?")
    theirs = [
        asked.peer_python,
        str(asked.peer / "run_mpf.py"),
        "--serve",
        "{pty}",
        "--radius",
        "4",
    ]
    daemons = {
        "ours": [sys.executable, "-m", "tests.benchmarks.mpf", "--serve", "{pty}"],
        "mpf at 1000 Hz": [*theirs, "--light-hz", "1000"],
        "mpf at 50 Hz": [*theirs, "--light-hz", "50"],
    }
    found: dict[str, list[dict[str, float]]] = {name: [] for name in daemons}
    for _ in range(asked.rounds):
        for name, command in daemons.items():
            found[name].append(measure(asked.peer, asked.passages, command))
    middle = {
        name: [median(run[key] for run in runs) for key in SHOWN] for name, runs in found.items()
    }
    for name, figures in middle.items():
        listed = "  ".join(f"{key} {value:.0f}" for key, value in zip(SHOWN, figures, strict=True))
        print(f"{name}: {listed}")
    for name in list(daemons)[1:]:
        p50, p99, cpu = (a / b for a, b in zip(middle["ours"][:3], middle[name][:3], strict=True))
        print(f"ours to {name}: p50 {p50:.2f}, p99 {p99:.2f}, CPU an edge {cpu:.2f}")
    print(f"reference loop {reference():.1f} ms")
    return None


if __name__ == "__main__":
    main()
