"""Before beside after: `python -m tests.benchmarks.paired CHECKOUT [ROUNDS] [WORD]`.

CHECKOUT is another commit with its own `.venv` (`make .venv/.run` there, and here too: each start
looks into every package that is installed for the games that it brings). Both do the same seeded
work in turns, each in a process of its own; processor time is counted, so that a
busy machine hurts both alike. The figure is after / before: the median of the rounds' ratios.
With a WORD only what has it in its name: `camera` for an idle frame, a reading and memory, `rolls`
for what an edge and the end of a roll cost the table of rolling balls, in ms.
What one of the two cannot do yet is said.
"""

import os
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
EVENING = """
import tempfile
Replay, board = module("record.replay").Replay, module("board")
evening = module("games.hextraction.simulator.evening").evening
with tempfile.TemporaryDirectory() as folder:
    table = board.load(board.find("hextraction-22"))
    told = evening(table, Path(folder), 7, 60, 1500, lambda turn: None)
    begun = time.process_time()
    for step in Replay(told.path):
        assert not step.differences
    print(time.process_time() - begun)
"""
START = """
import subprocess, os
begun = os.times()
command = [Path(sys.executable).parent / "hexboard", *{words}]
for _ in range(5):
    subprocess.run(command, check=True, capture_output=True)
now = os.times()
print(now.children_user + now.children_system - begun.children_user - begun.children_system)
"""
CAMERA = """
render, tabletop = module("simulator.camera.render"), module("simulator.camera.tabletop")
registry = module("game.registry")
game = registry.find("bad-santa-hex")
board = plain("rhombus-11")
kinds = registry.appearance("bad-santa-hex").looks(game.visibly(game.begin(board, {{}})))
camera, pose = render.view(board, (1920, 1080))
picture = tabletop.Tabletop(board, camera, pose, 1, tabletop.MODERATE).picture()
{act}
for _ in range(80):
    look()
begun = time.process_time()
for _ in range({count}):
    look()
spent = time.process_time() - begun
"""
EYE = """
eye = module("vision.eye").Eye(board, kinds, camera)
look = lambda: eye.look(picture, 0)
"""
READER = """
reader = module("vision.cells.reading").Reader(board, kinds, camera, pose)
look = lambda: reader.read(picture)
"""
ROLLS = """
rolls = importlib.import_module("tests.benchmarks.rolls")
faults, balls = rolls.Faults(miss=0.02, false=0.005), (1, 2, 3)
found = rolls.results(rolls.load(rolls.find("hextraction-22")), {count}, 61, faults, balls)
times = sorted({what})
print(times[len(times) // 2])
"""
TIME, MEMORY = (
    "print(spent)\n",
    "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n",
)
"""What is printed: seconds, or MiB at most."""
WORK = {
    "camera: 200 idle frames": CAMERA.format(act=EYE, count=200) + TIME,
    "camera: 30 readings": CAMERA.format(act=READER, count=30) + TIME,
    "camera: memory, MiB": CAMERA.format(act=EYE, count=1) + MEMORY,
    "rolls: an edge, p50, ms": ROLLS.format(count=150, what="t for r in found for t in r.times"),
    "rolls: judging one, p50, ms": ROLLS.format(count=150, what="r.judging for r in found"),
    "steps of HexAlma": STEPS.format(module="hexalma", count=20_000, options={}),
    "steps of Hex'el": STEPS.format(module="hexel", count=10_000, options={"chips": "off"}),
    "steps of Hextraction": STEPS.format(module="hextraction", count=3_000, options={}),
    "steps of Bad Santa Hex": STEPS.format(module="bad_santa.hex", count=20_000, options={}),
    "steps of Knee Deep": STEPS.format(module="knee_deep", count=4_000, options={}),
    "replay of the golden evening": REPLAY,
    "replay of 60 turns of balls": EVENING,
    "start: hexboard --version": START.format(words=["--version"]),
    "start: hexboard help": START.format(words=["help"]),
    "start: perft hexalma 1": START.format(words=["perft", "hexalma", "1"]),
}


def seconds(checkout: Path, work: str) -> float:
    """Processor time that a checkout needs for some work, s. Raises `RuntimeError` where it cannot
    do it."""
    python = checkout / ".venv" / "bin" / "python"
    command = (python, "-c", SETTING + work)
    compiled = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        command, cwd=checkout, env=compiled, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{checkout}: {done.stderr.strip().splitlines()[-1]}")
    return float(done.stdout)


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    before = Path(sys.argv[1]).resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    print(f"after / before, median of {rounds} (least to most); before, s")
    word = sys.argv[3] if len(sys.argv) > 3 else ""
    for name, work in WORK.items():
        if word not in name:
            continue
        try:
            pairs = [(seconds(before, work), seconds(HERE, work)) for _ in range(rounds)]
        except RuntimeError as error:
            print(f"{name:30} {error}")
            continue
        ratios = sorted(after / first for first, after in pairs)
        spread = f"({ratios[0]:.2f} to {ratios[-1]:.2f})"
        print(
            f"{name:30} {median(ratios):5.2f} {spread:15} {median(p[0] for p in pairs):6.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
