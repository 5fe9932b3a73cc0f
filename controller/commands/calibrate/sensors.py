"""`hexboard calibrate`: what a board's own sensors and wires are like, measured on the spot."""

import contextlib
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never

import click

from hexboard.commands import FILE, JSON, PORT, board_named, tell, tell_rollback
from hexboard.commands.calibrate.colours import colours
from hexboard.commands.calibrate.compare import compare
from hexboard.commands.calibrate.health import health
from hexboard.commands.calibrate.lens import camera
from hexboard.commands.calibrate.pixels import pixels
from hexboard.commands.calibrate.placement import placing
from hexboard.commands.calibrate.results import every, show
from hexboard.words import message, say

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.calibration.answers import WiringAnswers
    from hexboard.calibration.notes import Notes
    from hexboard.calibration.person import Person
    from hexboard.calibration.result import Calibration
    from hexboard.calibration.sensors import SensorSurvey
    from hexboard.calibration.wiring import Found
    from hexboard.daemon.at_bench import BenchServer
    from hexboard.settings import Settings

STOPPED = 130
"""The exit code of a command that somebody stopped, as a shell has it."""


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
@click.option("--from", "recording", type=FILE, help="Learn from a recording instead.")
@click.option("--rollback", is_flag=True, help="Bring the calibration before this one back.")
@click.option("--page", is_flag=True, help="On a page with big buttons, not in the terminal.")
@click.option("--lan", is_flag=True, help="With --page: let phones in the same network open it.")
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
    recording: Path | None,
    rollback: bool,
    page: bool,
    lan: bool,
    as_json: bool,
) -> None:
    """Visit every sensor of a BOARD with a ball in your hand (docs/calibrating.md)."""
    from hexboard import settings
    from hexboard.calibration import result, store
    from hexboard.calibration.notes import Notes
    from hexboard.calibration.sensors import SensorSurvey
    from hexboard.devices.open import simulated

    if rollback and recording is not None:
        raise click.UsageError("--rollback and --from exclude each other.")
    if lan and not page:
        raise click.UsageError("--lan goes with --page.")
    chosen = settings.load(home / "settings.toml")
    which = board_named(home, board or chosen.board)
    if simulate:
        which = simulated(which)
    path = result.place(home, which, simulate)
    if rollback:
        back = store.rollback(path, result.Calibration, result.STEP)
        tell_rollback(path, back.version, as_json)
        return
    before = _before(path, which, fresh)
    if recording is not None:
        learned = _learned(which, recording, before)
        store.save(path, learned)
        _report(which, path, learned, "learned", as_json)
        return
    _groups(which, only)
    notes = Notes(path.with_suffix(".notes"), which)
    if fresh:
        notes.path.unlink(missing_ok=True)
    times = touches or (1 if simulate else 10)
    survey = SensorSurvey(which, only, times)
    with contextlib.ExitStack() as stack:
        bench = stack.enter_context(_bench(which, chosen, lan)) if page else None
        new, finished = _surveyed(survey, notes, chosen, port, simulate, before, bench)
        store.save(path, new)
        if finished:
            notes.finish()
        _report(which, path, new, "saved" if finished else "stopped", as_json, bench)


def _before(path: Path, board: "Board", fresh: bool) -> "Calibration | None":
    """The board's calibration so far; one that is of no use is an error, unless all is `fresh`."""
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
    return before


def _groups(board: "Board", only: tuple[str, ...]) -> None:
    kinds = sorted({sensor.kind for sensor in board.sensors})
    if not kinds:
        raise click.UsageError(f"The board {board.name} has no sensors.")
    for group in only:
        if group not in kinds:
            known = ", ".join(kinds)
            raise click.UsageError(f"--only: {board.name} has no {group} sensors. Known: {known}.")


def _bench(board: "Board", chosen: "Settings", lan: bool) -> Any:
    """A page for who calibrates, with the key of the board's page."""
    from hexboard import files
    from hexboard.daemon.at_bench import served

    return served(board, files.state() / board.name, chosen.web, lan)


def _surveyed(
    survey: "SensorSurvey",
    notes: "Notes",
    chosen: "Settings",
    port: str | None,
    simulate: bool,
    before: "Calibration | None",
    bench: "BenchServer | None",
) -> "tuple[Calibration, bool]":
    """A survey by the person at the terminal or at a page, or by a simulated one; whether it was
    finished."""
    from hexboard.calibration import result
    from hexboard.calibration.person import at_terminal
    from hexboard.calibration.wizard import Wizard, exchanged
    from hexboard.devices.mailbox import Mailbox
    from hexboard.devices.open import Wires

    board, mailbox = survey.board, Mailbox[Never]()
    if kept := notes.resume(survey):
        click.echo(say(message("calibration.resumed", notes=kept)), err=True)
    with contextlib.ExitStack() as stack:
        stack.callback(notes.close)
        person: Person
        if bench is not None:
            person, port = _at_bench(stack, bench, survey, simulate, port)
        else:
            person = stack.enter_context(at_terminal())
            if simulate:
                person, port = _simulated(stack, board, person)
        wires = Wires(board, port or chosen.link.port, mailbox.post)
        stack.callback(wires.close)
        with suppress(KeyboardInterrupt):
            wizard = Wizard(survey, notes, mailbox, wires.light, person, lights=chosen.lights)
            if wizard.run():
                new = result.merged(before, result.summary(survey, _now()))
                return exchanged(new, person), True
    return result.merged(before, result.summary(survey, _now())), False


def _at_bench(
    stack: contextlib.ExitStack,
    bench: "BenchServer",
    survey: "SensorSurvey",
    simulate: bool,
    port: str | None,
) -> "tuple[Person, str | None]":
    """Somebody with a page, whose button is the hand at a simulated board; the board's port."""
    from hexboard.calibration.figures import figures
    from hexboard.calibration.simulated import Robot
    from hexboard.calibration.simulated import bench as table
    from hexboard.daemon.at_bench import AtBench

    if not simulate:
        return AtBench(bench, lambda: figures(survey)), port
    robot = stack.enter_context(Robot(survey.board, table(survey.board)))
    return AtBench(bench, lambda: figures(survey), robot.hold), robot.rig.twin.port


def _simulated(stack: contextlib.ExitStack, board: "Board", screen: Any) -> "tuple[Any, str]":
    """A simulated board, and a person at it who shows on the terminal what they see; its port."""
    from hexboard.calibration.simulated import Robot, Watched, bench

    robot = stack.enter_context(Robot(board, bench(board)))
    return Watched(robot, screen), robot.rig.twin.port


def _learned(board: "Board", path: Path, before: "Calibration | None") -> "Calibration":
    """What the edges of a recording say of the sensors' times."""
    from hexboard.calibration import result
    from hexboard.calibration.sensors import SensorSurvey
    from hexboard.calibration.times import ENOUGH
    from hexboard.record.recording import read
    from hexboard.record.replay import board_of
    from hexboard.words.errors import BadRecording

    recording, survey = read(path), SensorSurvey(board)
    made = board_of(recording)
    wire: dict[str, str] = {}  # nothing exchanged
    if before is not None and result.wiring(made) != result.wiring(board):
        wire = result.wired(board, before)
        board = result.apply(board, before)
    if result.wiring(made) != result.wiring(board):
        raise BadRecording(
            "calibration.other_recording", file=str(path), made=made.name, board=board.name
        )
    _replayed(recording, survey.learner, wire)
    if recording.damage:
        click.echo(say(recording.damage), err=True)
    new = result.summary(survey, _now())
    if not _timed(new):
        raise BadRecording("calibration.too_few", file=str(path), enough=ENOUGH)
    return result.merged(before, new)


def _replayed(recording: Any, learner: Any, wire: dict[str, str]) -> None:
    """Tell the learner a recording's edges, each as that of the sensor whose wire it came by."""
    import msgspec

    from hexboard.facts import Edge, Lost, Presence, Watermark, decode_fact
    from hexboard.words.errors import BadRecording

    for record in recording:
        if record.topic != "fact":
            continue
        try:
            fact = decode_fact(record.payload)
        except msgspec.DecodeError:
            raise BadRecording("recording.no_fact") from None
        match fact.body:
            case Edge(sensor, level):
                learner.edge(wire.get(sensor, sensor), level, fact.at)
            case Watermark(until):
                learner.advance(until)
            case Lost() | Presence():
                learner.forget()


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


def _timed(calibration: "Calibration") -> int:
    """How many sensors have times of their own."""
    return sum(it.times is not None for it in calibration.sensors.values())


def _report(
    board: "Board",
    path: Path,
    new: "Calibration",
    how: str,
    as_json: bool,
    bench: "BenchServer | None" = None,
) -> None:
    """Say what was found and kept (`how`: learned, saved or stopped); what was stopped ends with
    130."""
    import msgspec

    from hexboard.calibration import result
    from hexboard.calibration.wizard import told

    left, timed, stopped = result.unfinished(board, new), _timed(new), how == "stopped"
    figures = {"file": str(path), "version": new.version, "finished": not stopped}
    figures |= {"findings": msgspec.to_builtins(new.findings), "swaps": new.swaps}
    figures |= {"unfinished": left, "timed": timed}
    sensors, unsure, file = len(board.sensors), len(left), str(path)
    key = f"calibration.{how}"
    done = message(key, file=file, version=new.version, all=sensors, timed=timed, left=unsure)
    lines = [*(say(told(finding)) for finding in new.findings), say(done)]
    tell(as_json, figures, *lines)
    if bench is not None:
        bench.end(lines)
    if stopped:
        sys.exit(STOPPED)


@calibrate.command()
@click.argument("shape", required=False)
@click.option("--simulate", is_flag=True, help="A simulated board, and a person who does it all.")
@PORT
@click.option("--fresh", is_flag=True, help="Begin anew; else what was stopped goes on.")
@click.option(
    "--out",
    type=FILE,
    help="The board file to write. Default: boards/NAME.toml in your folder; simulated: show it.",
)
@click.pass_obj
def wiring(
    home: Path,
    shape: str | None,
    simulate: bool,
    port: str | None,
    fresh: bool,
    out: Path | None,
) -> None:
    """Find out which light and which sensor of a board (or SHAPE) is on which wire."""
    from hexboard import settings
    from hexboard.calibration.answers import WiringAnswers
    from hexboard.calibration.boardfile import rewired, text
    from hexboard.calibration.person import at_terminal
    from hexboard.calibration.store import file

    chosen = settings.load(home / "settings.toml")
    name = shape or chosen.board
    which = board_named(home, name)
    lit = which.pixels and which.strip.source == "pico"
    if not lit and not any(s.source == "pico" for s in which.sensors):
        raise click.UsageError(
            f"The board {which.name} has neither lights nor sensors on a Pico. Give its file a "
            "[pixels] table or [[sensors]] groups first (docs/files.md)."
        )
    entry, path = _entry(home, name), out or home / "boards" / f"{which.name}.toml"
    kept = file(home / "calibration", "wiring", which.name, simulate).with_suffix(".notes")
    if fresh:
        kept.unlink(missing_ok=True)
    answers = WiringAnswers(kept, entry)
    if count := answers.resume():
        click.echo(say(message("calibration.answers_kept", answers=count)), err=True)
    with contextlib.ExitStack() as stack:
        stack.callback(answers.close)
        person: Person = stack.enter_context(at_terminal())
        if simulate:
            person, port = _simulated(stack, which, person)
        found = _found(_wireable(which, simulate), entry, port or chosen.link.port, person, answers)
    if found is None:
        key = "calibration.wiring_stopped" if answers.count else "calibration.nothing_found"
        click.echo(say(message(key, answers=answers.count)), err=True)
        sys.exit(STOPPED)
    if found.dark:
        lights = ", ".join(map(str, found.dark))
        click.echo(say(message("calibration.dark_lights", lights=lights)), err=simulate)
    new = text(rewired(entry, which, found.inputs, found.spots, found.order))
    if simulate and out is None:
        click.echo(new, nl=False)  # nobody's own file is written by a simulation
        answers.finish()
    elif _written(which, path, new, person):
        answers.finish()


def _written(which: "Board", path: Path, new: str, person: "Person") -> bool:
    """Say what differs from the board as it was, and write the file if people want that."""
    from hexboard.board import load
    from hexboard.calibration.boardfile import differences

    beside = path.with_name(f"{path.name}.new")
    path.parent.mkdir(parents=True, exist_ok=True)
    beside.write_text(new, "utf-8")
    told = [say(difference) for difference in differences(which, load(beside))]
    click.echo("\n".join(told) or say(message("calibration.unchanged", board=which.name)))
    wanted = not path.exists() or _agreed(person, path)
    if wanted:
        beside.replace(path)
    else:
        beside.unlink()
    key = "calibration.wrote" if wanted else "calibration.kept"
    click.echo(say(message(key, file=str(path))))
    return wanted


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
    board: "Board", entry: Any, port: str, person: "Person", answers: "WiringAnswers"
) -> "Found | None":
    """What the person and the wizard find out together; None when they stop."""
    from hexboard.calibration.wiring import INPUTS, Wiring
    from hexboard.devices.link import Link
    from hexboard.devices.mailbox import Mailbox

    mailbox = Mailbox[Never]()
    ring = entry.pixels.edges if entry.pixels else ()
    with Link(port, INPUTS, mailbox.post, strict=False) as link, suppress(KeyboardInterrupt):
        return Wiring(board, ring, mailbox, link.light, person, answers).run()
    return None


def _agreed(person: "Person", path: Path) -> bool:
    from hexboard.calibration.person import confirmed

    return confirmed(person, message("calibration.overwrite", file=str(path)))


calibrate.add_command(camera)
calibrate.add_command(compare)
calibrate.add_command(every)
calibrate.add_command(health)
calibrate.add_command(show)
calibrate.add_command(placing)
calibrate.add_command(colours)
calibrate.add_command(pixels)
