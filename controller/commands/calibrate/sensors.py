"""`hexboard calibrate`: what a board's own sensors and wires are like, measured on the spot."""

import contextlib
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Never

import click

from hexboard.commands import FILE, JSON, PORT, board_named, tell, tell_rollback
from hexboard.commands.calibrate.colours import colours
from hexboard.commands.calibrate.compare import compare
from hexboard.commands.calibrate.health import health
from hexboard.commands.calibrate.lens import camera
from hexboard.commands.calibrate.person import LAN, PAGE, STOPPED, opening, page_of, seated
from hexboard.commands.calibrate.pixels import pixels
from hexboard.commands.calibrate.placement import placing
from hexboard.commands.calibrate.recorded import learned_from, played_in_order
from hexboard.commands.calibrate.rehearsal import rehearsal
from hexboard.commands.calibrate.results import day, every, show
from hexboard.commands.calibrate.wiring import wiring
from hexboard.commands.spoken import wrong
from hexboard.words import message, say
from hexboard.words.dates import iso_date
from hexboard.words.errors import HexboardError

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.calibration.notes import Notes
    from hexboard.calibration.result import Calibration
    from hexboard.calibration.sensors import SensorSurvey
    from hexboard.daemon.at_bench import BenchPage
    from hexboard.settings import Settings


@click.group()
def calibrate() -> None:
    """Measure a board's own sensors, or find out how it is wired."""


@calibrate.command()
@click.argument("board", required=False)
@click.option("--simulate", is_flag=True, help="A simulated board, and a person who does it all.")
@PORT
@click.option("--only", multiple=True, metavar="GROUP", help="Only this kind; may be repeated.")
@click.option("--fresh", is_flag=True, help="Begin anew; else a survey that was stopped goes on.")
@click.option(
    "--touches",
    type=click.IntRange(1, 30),
    help="How often you touch each place that balls pass. Default: 10, which also finds sensors "
    "that often miss; simulated: 1.",
)
@click.option(
    "--from",
    "recordings",
    type=FILE,
    multiple=True,
    help="Learn from a recording; may be repeated.",
)
@click.option("--rollback", is_flag=True, help="Bring the calibration before this one back.")
@click.option(
    "--forget", multiple=True, metavar="SENSOR", help="One that was replaced; may be repeated."
)
@click.option(
    "--freeze/--thaw",
    "frozen",
    default=None,
    help="From now on play teaches the calibration nothing, or again what it can.",
)
@click.option(
    "--new-pico", is_flag=True, help="Only the Pico was replaced: the calibration holds for it."
)
@PAGE
@LAN
@JSON
@click.pass_obj
def sensors(
    home: Path,
    board: str | None,
    simulate: bool,
    port: str | None,
    only: tuple[str, ...],
    fresh: bool,
    touches: int | None,
    recordings: tuple[Path, ...],
    rollback: bool,
    forget: tuple[str, ...],
    frozen: bool | None,
    new_pico: bool,
    page: bool,
    lan: bool,
    as_json: bool,
) -> None:
    """Visit every sensor of a BOARD with a ball in your hand (docs/calibrating.md)."""
    import msgspec

    from hexboard import settings
    from hexboard.calibration import pixels as pixel_map
    from hexboard.calibration import result, store
    from hexboard.calibration.notes import Notes
    from hexboard.calibration.sensors import SensorSurvey
    from hexboard.devices.open import simulated
    from hexboard.devices.ports import serial

    if (rollback, bool(recordings), bool(forget), frozen is not None, new_pico).count(True) > 1:
        raise wrong("--rollback, --from, --forget, --freeze and --new-pico exclude each other.")
    chosen = settings.load(home / "settings.toml")
    which = board_named(home, board or chosen.board)
    if simulate:
        which = simulated(which)
    path = result.place(home, which, simulate)
    if rollback:
        back = result.rollback(path)
        tell_rollback(path, back.version, as_json)
        return
    pico = "" if simulate else serial(port or chosen.link.port)
    before = _before(path, which, fresh, pico)
    if new_pico:
        if not pico:
            raise wrong("--new-pico: no Pico is plugged in.")
        kept = msgspec.structs.replace(before or result.load(path), pico=pico)
        store.amend(path, kept)
        _report(which, path, kept, "moved", as_json)
        return
    if frozen is not None:
        kept = msgspec.structs.replace(before or result.load(path), frozen=frozen)
        store.amend(path, kept)
        _report(which, path, kept, "frozen" if frozen else "thawed", as_json)
        return
    if forget:
        less = _forgotten(which, path, before, forget)
        store.save(path, less)
        _report(which, path, less, "forgotten", as_json)
        return
    if recordings:
        learned = before
        for recording in played_in_order(recordings):
            learned = learned_from(which, recording, learned)
        assert learned is not None
        if before is not None:
            learned = msgspec.structs.replace(learned, version=before.version + 1)
        if _before(path, which, fresh, pico) != before:
            raise HexboardError("calibration.changed", file=str(path))
        store.save(path, learned)
        _report(which, path, learned, "learned", as_json)
        return
    _groups(which, only)
    # what was begun of other groups stays as it is
    groups = f".{'+'.join(sorted(set(only)))}" if only else ""
    notes = Notes(path.with_name(f"{path.stem}{groups}.notes"), which)
    times = touches or (1 if simulate else 10)
    which, unlit = pixel_map.relit(which, pixel_map.beside(path))
    if unlit is not None:
        click.echo(say(unlit), err=True)
    if before is not None and (other := result.elsewhere(before, pico)) is not None:
        click.echo(say(other), err=True)
    survey = SensorSurvey(which, only, times)
    with contextlib.ExitStack() as stack:
        bench = stack.enter_context(page_of(which, chosen, page, lan))
        new, finished = _surveyed(survey, notes, chosen, port, simulate, path, bench, pico, fresh)
        if finished:
            notes.finish()
        _report(which, path, new, "saved" if finished else "stopped", as_json, bench)


def _before(path: Path, board: "Board", fresh: bool, pico: str) -> "Calibration | None":
    """The board's calibration so far; one that is of no use is an error, unless all is `fresh`:
    then nothing is left of what was measured with another Pico than this `pico`, either."""
    from hexboard.calibration import result
    from hexboard.words.errors import BadFile, BadText

    if not path.exists():
        return None
    try:
        before = result.load(path)
        result.apply(board, before)
    except (BadFile, BadText):
        if fresh:
            return None
        raise
    return None if fresh and result.elsewhere(before, pico) else before


def _forgotten(
    board: "Board", path: Path, before: "Calibration | None", sensors: tuple[str, ...]
) -> "Calibration":
    """The calibration without these sensors. Raises `BadFile` where there is none."""
    from hexboard.calibration import result
    from hexboard.calibration.sensors import exchange

    if before is None:
        before = result.load(path)  # which says that it is not there
    there = exchange(before.swaps)
    for sensor in sensors:
        if there.get(sensor, sensor) not in before.sensors:
            raise wrong(
                "--forget: nothing is known of {sensor} on {board}.",
                sensor=sensor,
                board=board.name,
            )
    return result.forgotten(before, sensors, iso_date())


def _groups(board: "Board", only: tuple[str, ...]) -> None:
    kinds = sorted({sensor.kind for sensor in board.sensors})
    if not kinds:
        raise wrong("The board {board} has no sensors.", board=board.name)
    for group in only:
        if group not in kinds:
            known = ", ".join(kinds)
            raise wrong(
                "--only: {board} has no {group} sensors. Known: {known}.",
                board=board.name,
                group=group,
                known=known,
            )


def _surveyed(
    survey: "SensorSurvey",
    notes: "Notes",
    chosen: "Settings",
    port: str | None,
    simulate: bool,
    path: Path,
    bench: "BenchPage | None",
    pico: str,
    fresh: bool,
) -> "tuple[Calibration, bool]":
    """A survey by the person at the terminal or at a page, or by a simulated one, put into the file
    as that is by then; whether it was finished."""
    from hexboard.calibration import result, store
    from hexboard.devices.mailbox import Mailbox

    board, mailbox = survey.board, Mailbox[Never]()
    if kept := notes.resume(survey, iso_date(), fresh):
        click.echo(say(message("calibration.resumed", notes=kept, date=day(notes.last))), err=True)
    with contextlib.ExitStack() as stack:
        stack.callback(notes.close)
        with opening():
            from hexboard.calibration.figures import figures
            from hexboard.calibration.wizard import Wizard, exchanged
            from hexboard.devices.installer import build
            from hexboard.devices.open import Wires

            port = port or chosen.link.port
            person, port = seated(stack, board, port, simulate, bench, lambda: figures(survey))
            wires = Wires(board, port, mailbox.post, "" if simulate else build(board))
            stack.callback(wires.close)
        with suppress(KeyboardInterrupt):
            wizard = Wizard(survey, notes, mailbox, wires.light, person, lights=chosen.lights)
            if wizard.run():
                unsaid = result.unsaid_swaps(_before(path, board, fresh, pico), survey)
                found = result.summary(survey, iso_date(), pico, exchanged(survey, person, unsaid))
                new = result.merged(_before(path, board, fresh, pico), found)
                store.save(path, new)
                return new, True
    before = _before(path, board, fresh, pico)
    new = result.stopped(before, survey, iso_date(), pico)
    if new is not before:
        store.save(path, new)
    return new, False


def _timed(calibration: "Calibration") -> int:
    """How many sensors have times of their own."""
    return sum(it.times is not None for it in calibration.sensors.values())


def _report(
    board: "Board",
    path: Path,
    new: "Calibration",
    how: str,
    as_json: bool,
    bench: "BenchPage | None" = None,
) -> None:
    """Say what was found and kept (`how`: learned, saved, forgotten, frozen, thawed, moved or
    stopped); what was stopped ends with 130."""
    import msgspec

    from hexboard.calibration import result
    from hexboard.calibration.wizard import told

    left, timed, stopped = result.unfinished(board, new), _timed(new), how == "stopped"
    figures = {"file": str(path), "version": new.version, "finished": not stopped}
    figures |= {"findings": msgspec.to_builtins(new.findings), "swaps": new.swaps}
    figures |= {"unfinished": left, "timed": timed, "frozen": new.frozen}
    sensors, unsure, file = len(board.sensors), len(left), str(path)
    key = f"calibration.{how}"
    done = message(key, file=file, version=new.version, all=sensors, timed=timed, left=unsure)
    lines = [*map(told, new.findings), done]
    tell(as_json, figures, *map(say, lines))
    if bench is not None:
        bench.end(lines)
    if stopped:
        sys.exit(STOPPED)


calibrate.add_command(camera)
calibrate.add_command(compare)
calibrate.add_command(every)
calibrate.add_command(health)
calibrate.add_command(rehearsal)
calibrate.add_command(show)
calibrate.add_command(placing)
calibrate.add_command(colours)
calibrate.add_command(pixels)
calibrate.add_command(wiring)
