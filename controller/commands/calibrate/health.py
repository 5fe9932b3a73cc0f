"""`hexboard calibrate health`: how each sensor did in an evening's play, out of its recordings."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import FOLDER, JSON, READ, board_named, tell
from hexboard.words import message, say
from hexboard.words.errors import BadText
from hexboard.words.numbers import decimal

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.perception.witness import Witness, Witnesses

EVENING_S = 12 * 3600
"""Recordings that ended so long before the newest one are of the same evening."""


@click.command()
@click.argument("files", nargs=-1, type=READ)
@click.option("--board", help="Of which board the last evening. Default: the one in the settings.")
@click.option("--state", type=FOLDER, help="Its folder, where that was given to hexboard run.")
@JSON
@click.pass_obj
def health(
    home: Path, files: tuple[Path, ...], board: str | None, state: Path | None, as_json: bool
) -> None:
    """How each sensor did in play: balls that it saw of those that passed it.

    Out of recordings (FILES); with none of them named, of the last evening. Of how many sensors
    nothing is known is said as well.

    Exit status: 3 where a recording is damaged; then it is of what is whole.
    """
    from msgspec import to_builtins

    from hexboard.calibration import level
    from hexboard.perception.health import PULSED

    paths = files or _evening(home, board, state)
    board_then, evening, code = _played(paths)
    sensors = tuple(sensor.id for sensor in board_then.sensors if sensor.kind in PULSED)
    lean = evening.leaning.lean(board_then)
    rows = [_row(sensor, evening) for sensor in _order(sensors, evening)]
    unknown = [sensor for sensor in sensors if not _of(evening, sensor).passed]
    failing = dict(sorted(evening.named.items()))
    figures = {
        "recordings": [str(path) for path in paths],
        "turns": evening.turns,
        "sensors": [dict(zip(COLUMNS, row, strict=True)) for row in rows],
        "failing": failing,
        "unknown": unknown,
        "instead": list(evening.exchanged),
        "paces": dict(evening.paces.known),
        "lean": to_builtins(lean),
    }
    turns, bad = evening.turns, len(failing)
    ends = [say(message("health.sum", turns=turns, files=len(paths), failing=bad))]
    for sensor, other, times in evening.exchanged:
        ends.append(say(message("kept.instead", sensor=sensor, other=other, times=times)))
    for way, most in evening.paces.slow:
        ends.append(say(message("health.slow", way=way, seconds=decimal(most / 1000, 1))))
    if lean:
        ends.append(say(level.told(lean)))
    if unknown:
        ends.append(say(message("health.unknown", count=len(unknown), all=len(sensors))))
    tell(as_json, figures, *_table(rows), *ends)
    sys.exit(code)


COLUMNS = ("sensor", "seen", "passed", "at_least", "at_most", "restless", "state")


def _evening(home: Path, board: str | None, state: Path | None) -> tuple[Path, ...]:
    """The recordings of the last evening, oldest first. Raises `BadText` where there is none."""
    from hexboard import files, settings
    from hexboard.commands.calibrate.recorded import begun
    from hexboard.record.recording import recordings_in

    chosen = board or settings.load(home / "settings.toml").board
    folder = (state or files.evenings(board_named(home, chosen).name)) / "recordings"
    found = sorted((begun(path), path) for path in recordings_in(folder))
    if not found:
        raise BadText("health.none", folder=str(folder))
    return tuple(path for at, path in found if at >= found[-1][0] - EVENING_S)


def _played(paths: tuple[Path, ...]) -> "tuple[Board, Witnesses, int]":
    """The board that these recordings are of, what they show of it, and how the command ends."""
    from hexboard.commands.steps import status
    from hexboard.facts import Witnessed
    from hexboard.perception.witness import Witnesses
    from hexboard.record.replay import Replay, board_of

    evening, code = Witnesses(), 0
    for path in paths:
        run, before = Replay(path), Witnesses().fact
        for step in run.salvaged():
            if isinstance(step.fact.body, Witnessed):
                before = step.fact.body
        if damage := run.outcome.damage:
            click.echo(say(damage), err=True)
            code = max(code, status(damage))
        evening.add(run.witnesses, before)
    return board_of(run.recording), evening, code


def _of(evening: "Witnesses", sensor: str) -> "Witness":
    from hexboard.perception.witness import Witness

    return evening.known.get(sensor, Witness())


def _order(sensors: tuple[str, ...], evening: "Witnesses") -> list[str]:
    """Those that fail, then the ones that missed or made up most."""
    known = [sensor for sensor in {*sensors, *evening.known} if evening.known.get(sensor)]

    def worst(sensor: str) -> tuple[bool, float, int, str]:
        it = evening.known[sensor]
        return sensor not in evening.named, -it.missed / max(it.passed, 1), -it.restless, sensor

    return sorted(known, key=worst)


def _row(sensor: str, evening: "Witnesses") -> tuple[str, int, int, float, float, int, str]:
    it = evening.known[sensor]
    low, high = it.works
    state = evening.named.get(sensor, "")
    return sensor, it.seen, it.passed, round(low, 3), round(high, 3), it.restless, state


def _table(rows: list[tuple[str, int, int, float, float, int, str]]) -> list[str]:
    """The rows as people read them."""
    lines = []
    for sensor, seen, passed, low, high, restless, state in rows:
        least, most = f"{low:.0%}", f"{high:.0%}"
        felt = message("health.saw", seen=seen, all=passed, low=least, high=most)
        saw = say(felt) if passed else ""
        alone = say(message("health.restless", turns=restless)) if restless else ""
        told = ", ".join(filter(None, (saw, alone)))
        lines.append(f"{sensor:16} {told}{f'  <- {state}' if state else ''}")
    return lines
