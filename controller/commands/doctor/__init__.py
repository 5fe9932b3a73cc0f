"""`hexboard doctor`: everything that a board needs, looked at in turn, and what mends it."""

import contextlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from hexboard.commands import FOLDER, JSON, board_named
from hexboard.commands.doctor.checked import Checked, good, guarded, mend, refused, why
from hexboard.words import message, say
from hexboard.words.errors import BadFile, BadText, Busy

if TYPE_CHECKING:
    from hexboard.board import Board


@click.command()
@click.argument("board", required=False)
@click.option("--simulate", is_flag=True, help="A simulated board; no hardware needed.")
@click.option("--state", type=FOLDER, help="The folder that `hexboard run` is given.")
@JSON
@click.pass_obj
def doctor(
    home: Path, board: str | None, simulate: bool, state: Path | None, as_json: bool
) -> None:
    """Look over a BOARD (default: the one in the settings), what it is wired to and this computer:
    what is good, what should be looked at, what must be mended, and how.

    It changes nothing. Devices and journals are looked at while no `hexboard run` has them. The
    exit status is 1 where something must be mended.
    """
    found: list[Checked] = []
    for checked in looked_over(home, board, simulate, state):
        found.append(checked)
        if not as_json:
            click.echo(checked.line())
    counts = Counter(checked.state for checked in found)
    if as_json:
        click.echo(json.dumps({"good": not counts["mend"], "checks": to_builtins(found)}))
    elif counts["mend"]:
        click.echo(say(message("doctor.ill", mend=counts["mend"], look=counts["look"])))
    elif counts["look"]:
        click.echo(say(message("doctor.fair", look=counts["look"])))
    else:
        click.echo(say(message("doctor.well")))
    sys.exit(1 if counts["mend"] else 0)


def _tier(home: Path, name: str, board: "Board") -> Iterator[Checked]:
    from hexboard.commands.build.tiers import played

    yield good("tier", played(home, name, board))


def looked_over(
    home: Path, name: str | None, simulate: bool, state: Path | None
) -> Iterator[Checked]:
    """All that is seen, in the order in which one needs the other."""
    from hexboard import files, settings
    from hexboard.commands.doctor import computer, matches, pi, wired
    from hexboard.devices.open import simulated

    yield from computer.program()
    yield from computer.own_files(home)
    try:
        chosen = settings.load(home / "settings.toml")
        board = board_named(home, name or chosen.board)
    except (BadFile, BadText, OSError) as error:
        if isinstance(error, OSError):
            yield refused("board", error, home)
        else:
            yield mend("board", why(error), message("doctor.no_board_todo"))
        yield from computer.surroundings(settings.Settings())
        return
    sensors, pixels = len(board.sensors), len(board.pixels)
    yield good("board", message("doctor.board", board=board.name, sensors=sensors, pixels=pixels))
    yield from guarded("tier", home, _tier(home, name or chosen.board, board))
    folder = state or files.evenings(board.name, simulate)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(matches.held(folder, board.name))
        except Busy as error:
            pid = dict(error.message.values)["pid"]
            yield good("devices", message("doctor.running", pid=pid))
        except OSError as error:  # whether a daemon has the board is not known
            yield refused("devices", error, folder)
        else:
            yield from wired.devices(board, chosen, simulate)
            yield from matches.journals(folder, simulated(board) if simulate else board, simulate)
    for check, where, found in (
        ("calibration", home, wired.calibrations(home, board, chosen, simulate)),
        ("config", folder, pi.starting(board)),
        ("matches", folder, matches.before(board.name, folder)),
        ("keys", folder, matches.keys(folder)),
        ("space", folder, matches.space(folder)),
        ("card", folder, pi.card(folder)),
        ("kept", folder, iter(()) if simulate else pi.fleeting(folder)),
        ("starts", folder, matches.starts(folder)),
        ("crashes", folder, matches.crashes(folder)),
        ("hall", folder, matches.hall(folder, board.name, chosen.hub)),
    ):
        yield from guarded(check, where, found)
    yield from computer.surroundings(chosen)
