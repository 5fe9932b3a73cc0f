"""One recording, every Python: `python -m tests.benchmarks.pythons [PYTHON …]`.

Plays a short seeded evening, then replays it under each interpreter named (default: every Python
3.11 and newer found on PATH and under ~/.pyenv), in a fresh venv with hexboard installed, under two
hash seeds each; prints the digests, and fails if they are not all the same.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hexboard.board import find, load
from hexboard.games.hextraction.simulator.evening import evening
from tests.benchmarks import measured

HERE = Path(__file__).parents[2]


def pythons() -> Iterator[str]:
    """Interpreters that hexboard supports, each version once."""
    found = [shutil.which(f"python3.{minor}") for minor in range(11, 20)]
    found += [str(p) for p in sorted(Path.home().glob(".pyenv/versions/3.*/bin/python3"))]
    seen = set()
    for python in filter(None, found):
        run = subprocess.run(
            [
                python,
                "-c",
                "import sys; print(sys.version_info[:2] >= (3, 11), sys.version.split()[0])",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode == 0 and run.stdout.startswith("True") and run.stdout not in seen:
            seen.add(run.stdout)
            yield python


def digests(python: str, recording: Path, folder: Path) -> Iterator[str]:
    """The digests of a replay under `python`, with two hash seeds."""
    venv = folder / "venv"
    shutil.rmtree(venv, ignore_errors=True)
    subprocess.run([python, "-m", "venv", venv], check=True)
    pip = [
        str(venv / "bin" / "python"),
        "-m",
        "pip",
        "install",
        "-q",
        "--disable-pip-version-check",
    ]
    subprocess.run([*pip, str(HERE)], check=True, stderr=subprocess.DEVNULL)
    for seed in ("0", "4711"):
        run = subprocess.run(
            [str(venv / "bin" / "hexboard"), "replay", str(recording), "--json"],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
            cwd=folder,
        )
        yield json.loads(run.stdout)["digest"]


def main() -> None:
    board = load(find("hextraction-22"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        told = evening(board, folder, 3, 200, 1500, lambda turn: None)
        path = told.path
        all_digests, count = {told.digest}, 0
        for python in sys.argv[1:] or pythons():
            version = subprocess.run(
                [python, "--version"], capture_output=True, text=True, check=True
            )
            found = list(digests(python, path, folder))
            all_digests |= {*found}
            count += 1
            print(f"{version.stdout.strip():16} {' '.join(found)}")
    if len(all_digests) != 1:
        sys.exit("the digests differ")
    measured("Pythons", count)
    measured("different digests", len(all_digests), most=1)
    print("the same digest everywhere")


if __name__ == "__main__":
    main()
