"""`hexboard calibrate compare` and `replay --calibration`: what another calibration would rule."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import JSON, READ, tell
from hexboard.commands.steps import status
from hexboard.words import message, say

if TYPE_CHECKING:
    from hexboard.record.compare import ReplayedEvening, RulingChange, StandingRuling

RECORDED = "recorded"
"""What people call the calibration that an evening was played with."""


@click.command()
@click.argument("file", type=READ)
@click.argument("one")
@click.argument("other")
@JSON
def compare(file: Path, one: str, other: str, as_json: bool) -> None:
    """Replay a recording FILE with two calibrations, ONE and OTHER, and show every ruling that
    differs; exit 2 where any does, 3 where the file is damaged and the rest is the same.

    Each is a calibration's file, such as calibration/BOARD.json or one of its earlier versions
    BOARD.json.1, or the word “recorded”: as it was played.
    """
    compared(file, one, other, as_json)


def compared(file: Path, one: str, other: str, as_json: bool) -> None:
    """Tell what two calibrations rule differently, and exit. Raises `BadFile`, `BadRecording`,
    `BadText`."""
    parted(_ruled(file, one), _ruled(file, other), (one, other), as_json)


def parted(
    before: "ReplayedEvening", after: "ReplayedEvening", names: tuple[str, str], as_json: bool
) -> None:
    """Tell where two replays of one evening part, each by what it is called; then the command
    ends."""
    from hexboard.record.compare import changes

    one, other = names
    found = changes(before.rulings, after.rulings)
    lines = [line for change in found for line in change_lines(change, one, other)]
    counts = [len(before.rulings), len(after.rulings)]
    same = message("compare.same", rulings=counts[0])
    differ = message("compare.differs", changes=len(found), one=counts[0], other=counts[1])
    asked = message("compare.asked", one=before.questions, other=after.questions)
    figures: dict[str, object] = {"one": one, "other": other, "rulings": counts}
    figures["questions"] = [before.questions, after.questions]
    figures["changes"] = [change_figures(change) for change in found]
    damage = before.damage or after.damage
    figures["damage"] = damage and say(damage)
    if damage and not as_json:
        click.echo(say(damage), err=True)
    tell(as_json, figures, *lines, say(differ if found else same), say(asked))
    crashed = after.crashed and not before.crashed  # it ended where the other one went on
    sys.exit(2 if found or crashed else status(damage))


def _ruled(file: Path, calibration: str) -> "ReplayedEvening":
    """What an evening comes to with a calibration."""
    from hexboard.calibration import result
    from hexboard.calibration.replayed import otherwise
    from hexboard.files import finite
    from hexboard.record.compare import evening
    from hexboard.record.replay import Replay

    replay = Replay(file)
    if calibration != RECORDED:
        ears = otherwise(replay.board, result.load(finite(Path(calibration))))
        replay = Replay(file, board=ears.board, names=ears.names)
    found = evening(replay)
    if calibration == RECORDED and replay.different:
        click.echo(say(message("trace.differs", n=replay.different)), err=True)
    return found


def change_figures(change: "RulingChange") -> dict[str, object]:
    """A change as programs read it."""
    ruled = {"one": _texts(change.one), "other": _texts(change.other)}
    return {"seconds": round(change.seconds, 3), **ruled}


def _texts(rulings: "tuple[StandingRuling, ...]") -> list[dict[str, str]]:
    return [{"text": ruling.text, "rule": ruling.rule} for ruling in rulings]


def change_lines(change: "RulingChange", one: str, other: str) -> list[str]:
    """A change as people read it: when, and what each of the two ruled."""
    from hexboard.facts import clock

    lines = [clock(change.seconds)]
    for name, rulings in ((one, change.one), (other, change.other)):
        said = [f"{r.text}{r.rule and f'  [{r.rule}]'}" for r in rulings]
        lines += [f"  {Path(name).name:20}  {text}" for text in said or ["-"]]
    return lines
