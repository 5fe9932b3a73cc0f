"""Before beside after: `python -m tests.benchmarks.paired CHECKOUT [ROUNDS]`.

CHECKOUT is another commit with its own `.venv` (`make .venv/.run` there). Both do
the same seeded work in turns, each in a process of its own; processor time is counted, so that a
busy machine hurts both alike. The figure is after / before: the median of the rounds' ratios.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median

HERE = Path(__file__).parents[2]
ROUNDS = 7
SETTING = """
import importlib, sys, time
from pathlib import Path
from random import Random
try:
    import hexboard as package
except ImportError:
    import controller as package  # until one name was left
name = package.__name__
def module(path): return importlib.import_module(f"{name}.{path}")
plain = module("board").plain
"""
STEPS = """
game, random, steps = module("games.{module}"), Random(1), 0
board = plain(game.board({{}}))
begun = time.process_time()
while steps < {count}:
    position = game.start(board, {options})
    while position.legal and steps < {count}:
        position = position.play(random.choice(list(position.legal)))
        steps += 1
print(time.process_time() - begun)
"""
REPLAY = """
Replay = module("record.replay").Replay
list(Replay(Path("docs/golden/evening.mcap")))
begun = time.process_time()
for _ in range(5):
    for step in Replay(Path("docs/golden/evening.mcap")):
        assert not step.differences
print(time.process_time() - begun)
"""
START = """
import subprocess, os
begun = os.times()
command = [sys.executable, "-m", f"{{name}}.cli", *{words}]
for _ in range(5):
    subprocess.run(command, check=True, capture_output=True)
now = os.times()
print(now.children_user + now.children_system - begun.children_user - begun.children_system)
"""
WORK = {
    "steps of HexAlma": STEPS.format(module="hexalma", count=20_000, options={}),
    "steps of Hex'el": STEPS.format(module="hexel", count=2_000, options={"chips": "off"}),
    "steps of Bad Santa Hex": STEPS.format(module="bad_santa.hex", count=20_000, options={}),
    "steps of Knee Deep": STEPS.format(module="knee_deep", count=4_000, options={}),
    "replay of the golden evening": REPLAY,
    "start: hexboard --version": START.format(words=["--version"]),
    "start: hexboard help": START.format(words=["help"]),
    "start: perft hexalma 1": START.format(words=["perft", "hexalma", "1"]),
}


def seconds(checkout: Path, work: str) -> float:
    """Processor time that a checkout needs for some work, s."""
    python = checkout / ".venv" / "bin" / "python"
    command = (python, "-c", SETTING + work)
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{checkout}: {done.stderr.strip().splitlines()[-1]}")
    return float(done.stdout)


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    before = Path(sys.argv[1]).resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    print(f"after / before, median of {rounds} (least to most); before, s")
    for name, work in WORK.items():
        pairs = [(seconds(before, work), seconds(HERE, work)) for _ in range(rounds)]
        ratios = sorted(after / first for first, after in pairs)
        spread = f"({ratios[0]:.2f} to {ratios[-1]:.2f})"
        print(f"{name:30} {median(ratios):5.2f} {spread:15} {median(p[0] for p in pairs):6.2f}")


if __name__ == "__main__":
    main()
