"""`hexboard calibrate wiring`: which light and which sensor of a board is on which wire."""

import contextlib
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never

import click

from hexboard.commands import FILE, PORT, board_named
from hexboard.commands.calibrate.person import LAN, PAGE, STOPPED, page_of, seated
from hexboard.commands.spoken import wrong
from hexboard.words import message, say

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.calibration.answers import WiringAnswers
    from hexboard.calibration.person import Person
    from hexboard.calibration.wiring import Found
    from hexboard.daemon.at_bench import BenchPage
    from hexboard.words import Message


@click.command()
@click.argument("shape", required=False)
@click.option("--simulate", is_flag=True, help="A simulated board, and a person who does it all.")
@PORT
@click.option("--fresh", is_flag=True, help="Begin anew; else what was stopped goes on.")
@click.option(
    "--out",
    type=FILE,
    help="The board file to write. Default: the board's own, or boards/NAME.toml in your "
    "folder; simulated: show it.",
)
@PAGE
@LAN
@click.pass_obj
def wiring(
    home: Path,
    shape: str | None,
    simulate: bool,
    port: str | None,
    fresh: bool,
    out: Path | None,
    page: bool,
    lan: bool,
) -> None:
    """Find out which light and which sensor of a board (or SHAPE) is on which wire."""
    from hexboard import settings
    from hexboard.calibration.answers import WiringAnswers
    from hexboard.calibration.boardfile import rewired, text
    from hexboard.calibration.store import file
    from hexboard.devices.installer import build

    chosen = settings.load(home / "settings.toml")
    name = shape or chosen.board
    which = board_named(home, name)
    lit = which.pixels and which.strip.source == "pico"
    if not lit and not any(s.source == "pico" for s in which.sensors):
        raise wrong(
            "The board {board} has neither lights nor sensors on a Pico. Give its file a [pixels] "
            "table or [[sensors]] groups first (docs/files.md).",
            board=which.name,
        )
    entry, path = _entry(home, name), out or _own(home, name, which)
    kept = file(home / "calibration", "wiring", which.name, simulate).with_suffix(".notes")
    answers = WiringAnswers(kept, entry)
    with page_of(which, chosen, page, lan) as bench:
        if count := answers.resume(fresh):
            click.echo(say(message("calibration.answers_kept", answers=count)), err=True)
        with contextlib.ExitStack() as stack:
            stack.callback(answers.close)
            person, port = seated(stack, which, port or chosen.link.port, simulate, bench)
            own = "" if simulate else build(which)
            found = _found(_wireable(which, simulate), port, person, answers, own)
        if found is None:
            key = "calibration.wiring_stopped" if answers.count else "calibration.nothing_found"
            _end(bench, [message(key, answers=answers.count)], err=True)
            sys.exit(STOPPED)
        new = text(rewired(entry, which, found.inputs, found.spots, found.order))
        told = [*_dark(found), *_changes(which, new)]
        if simulate and out is None:
            click.echo(new, nl=False)  # nobody's own file is written by a simulation
            _end(bench, told, err=True)
            answers.finish()
        elif _written(path, new, person, told, bench):
            answers.finish()


def _end(bench: "BenchPage | None", told: "list[Message]", err: bool = False) -> None:
    """Say what came of it."""
    click.echo("\n".join(map(say, told)), err=err)
    if bench is not None:
        bench.end(told)


def _dark(found: "Found") -> "list[Message]":
    """Which lights stayed dark, and where they are."""
    from hexboard.calibration.chains import named

    if not found.dark:
        return []
    at = {light: f" ({named(spot)})" for light, spot in enumerate(found.spots or ())}
    lights = ", ".join(f"{light}{at.get(light, '')}" for light in found.dark)
    return [message("calibration.dark_lights", lights=lights)]


def _changes(which: "Board", new: str) -> "list[Message]":
    """What differs from the board as it was."""
    from hexboard.board import load
    from hexboard.calibration.boardfile import differences

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{which.name}.toml"
        path.write_text(new, "utf-8")
        told = list(differences(which, load(path)))
    return told or [message("calibration.unchanged", board=which.name)]


def _written(
    path: Path, new: str, person: "Person", told: "list[Message]", bench: "BenchPage | None"
) -> bool:
    """Write the file, if people want that where there is one."""
    from hexboard.calibration.person import confirmed
    from hexboard.files import keep

    question = message("calibration.overwrite", file=str(path), changes="\n".join(map(say, told)))
    wanted = not path.exists() or confirmed(person, question)
    if wanted:
        path.parent.mkdir(parents=True, exist_ok=True)
        keep(path, new.encode(), new=0o666)
    key = "calibration.wrote" if wanted else "calibration.kept"
    _end(bench, [*told, message(key, file=str(path))])
    return wanted


def _own(home: Path, name: str, which: "Board") -> Path:
    """The person's own file of a board, or where it would be: nobody writes into ours."""
    from hexboard.board import find
    from hexboard.files import shipped
    from hexboard.words.errors import BadText

    ours, own = shipped("boards"), home / "boards" / f"{which.name}.toml"
    try:
        path = find(name, [home / "boards"])
    except BadText:
        return own
    return own if path.resolve().is_relative_to(ours.resolve()) else path


def _entry(home: Path, name: str) -> Any:
    """What a board's file says, or would if it had one."""
    from hexboard.board import SCHEMA, BoardFile, find, shape
    from hexboard.files import Source, read
    from hexboard.words.errors import BadText

    try:
        entry, _ = read(Source(find(name, [home / "boards"])), BoardFile)
    except BadText:
        if not shape(name):
            raise
        return BoardFile(SCHEMA, name, name, shape=name)
    return entry


def _wireable(board: "Board", simulate: bool) -> "Board":
    """The board without what is not on the Pico; a simulated Pico sends colours as GRB."""
    from msgspec.structs import replace

    strip = replace(board.strip, order="GRB") if simulate else board.strip
    pixels = board.pixels if strip.source == "pico" else ()
    return replace(board, strip=strip, pixels=pixels)


def _found(
    board: "Board", port: str, person: "Person", answers: "WiringAnswers", build: str
) -> "Found | None":
    """What the person and the wizard find out together; None when they stop. `build` is what the
    Pico should have; "" to ask for none."""
    from hexboard.calibration.wiring import INPUTS, Wiring
    from hexboard.devices.link import Link
    from hexboard.devices.mailbox import Mailbox
    from hexboard.devices.open import limits, spread

    mailbox = Mailbox[Never]()
    pico = Link(port, INPUTS, mailbox.post, strict=False, build=build)
    with pico as link, suppress(KeyboardInterrupt):
        link.limit(limits(board))
        show = spread(board, link.light)
        return Wiring(board, mailbox, show, person, answers).run()
    return None
