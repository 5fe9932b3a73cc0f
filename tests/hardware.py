"""All that our boards are built from: `make hardware`, or `python -m tests.hardware [BOARD…]`.

Into build/hardware, a folder for each board, by `hexboard build`:

    tables, tier-…         tables, drawings and cables; a tier with its board file
    power                  what it draws, and a plot of it
    parts                  what a printer makes: STL, STEP, pictures
    boards, boards-slots   circuit boards: netlist, KiCad's board, its rules' report, gerbers,
                           drills, positions

Each is made again only where what it was made from has changed: the files of this checkout that it
loaded or read, by their content, Python, build123d, KiCad and ngspice; or where what was written
has. From nothing that is some three minutes of two processors. Ends with status 1 where one of them
cannot be made, or where what a board house would be sent is not right.

A release has all of it as one file (`make release`).
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from importlib import metadata
from multiprocessing import get_context
from pathlib import Path

from msgspec import MsgspecError, Struct, json

HERE = Path(__file__).parents[1]
BUILT = HERE / "build" / "hardware"
MADE = ".made.json"
"""In each folder: from what it was made, and what was written."""

PLAIN = {"tables": "", "power": "--power"}
PADS = {"tier-touch": "--tier touch", "boards": "--tier touch --module"}
DISCS = {"parts": "--cad"}
ORDERS = {
    "hextraction-22": {
        **PLAIN,
        "tier-lights": "--tier lights",
        "tier-ends": "--tier ends",
        "boards": "--module",
        "boards-slots": "--module --slots",
        "parts": "--cad",
    },
    "hexhex-5": PLAIN | PADS | DISCS,
    "rhombus-11": PLAIN | PADS | DISCS,
    "flowers-31": PLAIN | PADS | DISCS,
    "table": PLAIN | PADS,
}
"""Of each board every folder, and the options of `hexboard build` that fill it. The card table has
no parts to print: Hex'el is played with cards."""

NO_SOURCES = (".venv", "build", "dist")
DEBIAN = ("kicad", "ngspice")
"""What of the tools Debian has; without them circuit boards are neither checked nor plotted."""

ABOUT = """What the boards of hexboard {version} are built from: tables, drawings, circuit boards,
parts to print.

Begin with hardware/guide.md of hexboard (hardware/guide.de.md in German): it says in which order,
and how each step shows that it is right. building.md and printing.md beside it say what each file
is for. Nothing of this has been built by us yet: order one circuit board and print one part before
you order and print all.
"""


class Order(Struct, frozen=True):
    """A folder to be filled."""

    board: str
    name: str
    options: str

    def folder(self, built: Path) -> Path:
        return built / self.board / self.name


class Made(Struct, frozen=True):
    """What a folder was made from, and what is in it: contents by their SHA-256."""

    options: str
    sources: dict[str, str]
    """Paths from the checkout on."""
    tools: dict[str, str]
    files: dict[str, str]
    """Paths from the folder on."""


class Failed(Exception):
    """It cannot be made, or is not right."""


# ------------------------------------------------------------------------------------ what is there


def digest(path: Path) -> str:
    """Of a file's content; "" of none."""
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def tools() -> dict[str, str]:
    """What has a part in it beside this checkout, with its version; "" where it is not here."""
    from hexboard.commands.build.module.kicad import PYTHON

    return {
        "python": sys.version.split()[0],
        "build123d": metadata.version("build123d"),
        "kicad": _says(PYTHON, "-c", "import pcbnew; print(pcbnew.Version())"),
        "ngspice": _says("ngspice", "--version"),
    }


def lacking(here: Mapping[str, str]) -> list[str]:
    """The Debian packages without which it is not whole."""
    return [name for name in DEBIAN if not here[name]]


def _says(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()[:200]


def fresh(order: Order, built: Path, here: Mapping[str, str]) -> bool:
    """Whether a folder has what would be made."""
    folder = order.folder(built)
    try:
        made = json.decode((folder / MADE).read_bytes(), type=Made)
    except (OSError, MsgspecError):
        return False
    return (
        (made.options, made.tools) == (order.options, dict(here))
        and all(digest(HERE / name) == known for name, known in made.sources.items())
        and contents(folder) == made.files
    )


def contents(folder: Path) -> dict[str, str]:
    """Every file in a folder but `MADE`."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != MADE)
    return {path.relative_to(folder).as_posix(): digest(path) for path in found}


# -------------------------------------------------------------------------------- what is made anew


def fill(order: Order, built: Path, here: Mapping[str, str]) -> float:
    """Fill a folder, in a process that has loaded nothing else: what it loads and opens is what the
    folder was made from.

    Returns how long it took, s. Raises `Failed`."""
    begun, opened = time.monotonic(), set[str]()
    os.environ |= {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"}
    sys.addaudithook(lambda event, about: opened.add(str(about[0])) if event == "open" else None)
    folder = order.folder(built)
    shutil.rmtree(folder, ignore_errors=True)
    home = built / "nobody's home"  # without settings, tiles or parts of somebody
    run("--home", str(home), "build", order.board, *order.options.split(), "-o", str(folder))
    loaded = (str(getattr(it, "__file__", "")) for it in [*sys.modules.values()])
    found = Made(order.options, dict(sources({*opened, *loaded})), dict(here), contents(folder))
    (folder / MADE).write_bytes(json.format(json.encode(found)))
    return time.monotonic() - begun


def run(*words: str) -> None:
    """A command of hexboard, in this process. Raises `Failed`."""
    from click.testing import CliRunner

    from hexboard.commands.cli import main

    done = CliRunner().invoke(main, words)
    if done.exit_code:
        raise Failed(done.output.strip() or repr(done.exception))


def sources(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The files of this checkout among those, not what is made of them, each with its digest."""
    for path in sorted({Path(name).resolve() for name in names if name}):
        if path.is_relative_to(HERE) and path.is_file():
            name = path.relative_to(HERE)
            if name.parts[0] not in NO_SOURCES and "__pycache__" not in name.parts:
                yield name.as_posix(), digest(path)


def orders(boards: Iterable[str]) -> list[Order]:
    """Every folder of those boards, what takes longest first."""
    every = [
        Order(board, name, options) for board in boards for name, options in ORDERS[board].items()
    ]
    return sorted(every, key=lambda it: ("--cad" not in it.options, "--module" not in it.options))


def make(boards: Iterable[str], built: Path) -> None:
    """What is not there yet, or made from something else than there is now. Raises `Failed`."""
    here, begun = tools(), time.monotonic()
    for name in lacking(here):
        tell(f"{name} is not here: what it checks or makes is left out (apt install {name})")
    every = orders(boards)
    old = [it for it in every if not fresh(it, built, here)]
    if kept := len(every) - len(old):
        tell(f"{kept} of {len(every)} are as they would be made")
    alone = get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), alone, max_tasks_per_child=1) as processes:
        filled = {processes.submit(fill, it, built, here): it for it in old}
        try:
            for done in as_completed(filled):
                it = filled[done]
                tell(f"{it.folder(built).relative_to(built)}: {done.result():.0f} s")
        except Failed as error:
            processes.shutdown(cancel_futures=True)
            raise Failed(f"{it.board} {it.options}: {error}") from None
    size = sum(path.stat().st_size for path in built.rglob("*") if path.is_file()) / 1e6
    tell(f"{built}: {size:.0f} MB, in {time.monotonic() - begun:.0f} s")


def packed(built: Path, file: Path, version: str) -> None:
    """All of it as one file, with the licence and where to begin."""
    root = file.stem
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zipped:
        zipped.writestr(f"{root}/README.txt", ABOUT.format(version=version))
        zipped.write(HERE / "LICENSE", f"{root}/LICENSE")
        for it in orders(sorted(ORDERS)):
            folder = it.folder(built)
            for name in contents(folder):
                zipped.write(folder / name, f"{root}/{it.board}/{it.name}/{name}")


def tell(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.hardware", description=__doc__)
    parser.add_argument("boards", nargs="*", metavar="BOARD")
    boards = parser.parse_args().boards or [*ORDERS]
    if unknown := [it for it in boards if it not in ORDERS]:
        parser.error(f"no board {', '.join(unknown)}: there are {', '.join(ORDERS)}")
    try:
        make(boards, BUILT)
    except Failed as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
