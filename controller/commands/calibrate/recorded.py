"""What recordings teach a calibration: `hexboard calibrate sensors --from`."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.words import message, say
from hexboard.words.dates import STAMP, iso_date, stamped_at

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.calibration.evenings import RecordedEvening
    from hexboard.calibration.learner import Learner
    from hexboard.calibration.result import Calibration
    from hexboard.record.recording import Recording

EARLY_S, LATE_S = 1, 300
"""So much before it happened, or after it, no edge is heard: its clock is wrong."""
BROKEN = 20
"""One edge in so many may bear a wrong time; with more a recording's clock is broken."""


def learned_from(board: "Board", path: Path, before: "Calibration | None") -> "Calibration":
    """What the edges of a recording say of the sensors' times, and its rolls of how well they see
    balls, and how long these take. Raises `BadRecording` where it says nothing of either."""
    from hexboard.calibration import evenings, result
    from hexboard.calibration.sensors import SensorSurvey
    from hexboard.calibration.times import ENOUGH
    from hexboard.record.recording import read
    from hexboard.record.replay import board_of
    from hexboard.words.errors import BadRecording

    recording, survey = read(path), SensorSurvey(board)
    made, wires = board_of(recording), board
    wire: dict[str, str] = {}  # nothing exchanged
    if before is not None and result.wiring(made) != result.wiring(board):
        wire = result.wired(board, before)
        wires = result.apply(board, before)
    if result.wiring(made) != result.wiring(wires):
        raise BadRecording(
            "calibration.other_recording", file=str(path), made=made.name, board=board.name
        )
    _replayed(recording, survey.learner, wire)
    if recording.damage:
        click.echo(say(recording.damage), err=True)
    new = result.summary(survey, iso_date())
    timed = any(it.times is not None for it in new.sensors.values())
    shown = _rolls(path, made)
    if not timed and not shown.balls:
        raise BadRecording("calibration.too_few", file=str(path), enough=ENOUGH)
    known = result.merged(before, new) if timed or before is None else before
    taught = evenings.recalled(known, board, shown) if shown.balls else known
    if taught is None:
        click.echo(say(message("calibration.known_evening", file=str(path))), err=True)
    elif shown.balls:
        balls = sum(of for _, of in shown.balls.values())
        said = message("calibration.rolls", file=str(path), balls=balls, sensors=len(shown.balls))
        click.echo(say(said), err=True)
    return taught or known


def _rolls(path: Path, board: "Board") -> "RecordedEvening":
    """What the rolls of a recording show; nothing where it cannot be replayed, which is said."""
    from hexboard.calibration.evenings import RecordedEvening
    from hexboard.facts import Witnessed
    from hexboard.perception.witness import Witnesses
    from hexboard.record.replay import Replay
    from hexboard.words.errors import HexboardError

    run, before, witnesses = Replay(path), Witnesses().fact, Witnesses()
    try:
        for step in run.salvaged():
            if isinstance(step.fact.body, Witnessed):
                before = step.fact.body
        witnesses = run.witnesses
        if run.crashed:
            click.echo(say(run.crashed), err=True)
    except HexboardError as error:
        click.echo(str(error), err=True)
        before = witnesses.fact
    return RecordedEvening(path.stem, _date(path), board, witnesses, before)


def _date(path: Path) -> str:
    return iso_date(begun(path))


def begun(path: Path) -> float:
    """When a recording was begun, s since 1970: by its name, in which the last stamp is of where a
    match went on, or else by its file."""
    try:
        return stamped_at(STAMP.findall(path.stem)[-1])
    except (IndexError, ValueError, OverflowError):
        return path.stat().st_mtime


def played_in_order(paths: Iterable[Path]) -> list[Path]:
    """Recordings, the oldest first."""
    return sorted(paths, key=_date)


def _replayed(recording: "Recording", learner: "Learner", wire: dict[str, str]) -> None:
    """Tell the learner a recording's edges, each as that of the sensor whose wire it came by.

    An edge that cannot have happened when it says so is left out; raises `BadRecording` where many
    are, for then the lengths of contacts cannot be believed either.
    """
    from hexboard.facts import Edge, Lost, Presence, Watermark
    from hexboard.record.trace import facts
    from hexboard.words.errors import BadRecording

    last: dict[str, int] = {}
    edges = wrong = 0
    for fact in facts(recording):
        match fact.body:
            case Edge(sensor, level):
                edges += 1
                early, late = -EARLY_S * 10**9, LATE_S * 10**9
                back = fact.at < last.get(fact.source, fact.at)
                last[fact.source] = fact.at
                if back or not early <= fact.t - fact.at <= late:
                    wrong += 1
                    learner.forget()
                else:
                    learner.edge(wire.get(sensor, sensor), level, fact.at)
            case Watermark(until):
                learner.advance(until)
            case Lost() | Presence():
                last.pop(fact.source, None)
                learner.forget()
    if wrong * BROKEN > edges:
        raise BadRecording(
            "calibration.broken_clock", file=str(recording.path), wrong=wrong, edges=edges
        )
