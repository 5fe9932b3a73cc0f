"""How fast an hour replays: `python -m tests.benchmarks.replay [EDGES]`.

Plays a seeded evening of at least EDGES (36,000) sensor edges into a recording in a temporary
folder, replays it, and prints the ratio to real time beside a fixed reference loop, and the digest
under two hash seeds. Real time is one hour for 36,000 edges, ten a second: busier than any evening.
As people play it, a turn takes a minute, and has some 17 edges.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from hexboard.board import find, load
from hexboard.games.hextraction.simulator.evening import evening
from tests.benchmarks import measured, reference

HOUR = 36_000
TURN_S = 60
"""So long people take for a turn."""


def replayed(path: Path, seed: str) -> tuple[float, str]:
    """Processor seconds of one `hexboard replay`, which waits for nothing, and its digest."""
    command = [sys.executable, "-m", "hexboard", "replay", str(path), "--json"]
    begun = os.times()
    run = subprocess.run(
        command, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
    )
    now = os.times()
    spent = now.children_user + now.children_system - begun.children_user - begun.children_system
    return spent, json.loads(run.stdout)["digest"]


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else HOUR
    board = load(find("hextraction-22"))
    with tempfile.TemporaryDirectory() as folder:
        turns = max(10, wanted // 12)
        told = evening(board, Path(folder), 7, turns, 1500, lambda turn: None)
        path = told.path
        print(f"{told.edges} edges in {turns} turns; {path.stat().st_size / 1e6:.1f} MB recorded")
        digests = []
        for seed in ("0", "12345"):
            seconds, digest = replayed(path, seed)
            hour, evening_s = told.edges / HOUR * 3600, turns * TURN_S
            digests.append(digest)
            measured(f"times real time, hash seed {seed}", hour / seconds)
            measured(f"the same, a minute a turn, hash seed {seed}", evening_s / seconds)
            print(
                f"PYTHONHASHSEED={seed}: {seconds:.1f} s = {hour / seconds:,.0f} times real time, "
                f"{evening_s / seconds:,.0f} times at a minute a turn; "
                f"digest {digest}; reference loop {reference():.1f} ms"
            )
        measured("different digests", len({*digests, told.digest}), most=1)
        print("same digests" if len({*digests, told.digest}) == 1 else "DIGESTS DIFFER")


if __name__ == "__main__":
    main()
