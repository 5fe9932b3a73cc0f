"""`hexboard lights`: what a game's lights mean, and patterns to see whether a board's are right."""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never

import click

from hexboard.commands import JSON, PORT, board_named, game_named, tell
from hexboard.words import message, say
from hexboard.words.errors import BadText

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.lights.frame import Colour, LightRenderer

PATIENCE_S = 5.0
"""How long a board may take until it can be lit."""
NAMES = ("colours", "rails", "order", "walk")


@click.group()
def lights() -> None:
    """What the lights mean, and whether they work."""


@lights.command()
@click.argument("game", required=False)
@click.option("--calm", is_flag=True, help="As they look when nothing blinks or fades.")
@JSON
@click.pass_obj
def show(home: Path, game: str | None, calm: bool, as_json: bool) -> None:
    """What the lights of GAME mean, strongest first: of two at one place the upper one is seen."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from hexboard import settings
    from hexboard.game import registry
    from hexboard.lights.legend import legend

    chosen = settings.load(home / "settings.toml")
    module = registry.find(game_named(home, chosen, None, game))
    board = board_named(home, module.board({}))
    ring = any(pixel.edge for pixel in board.pixels)
    rows, found = Table.grid(padding=(0, 2)), []
    for light in reversed(legend(module.prefix)):
        look = light.calm(ring) if calm else light.look()
        a, b = _hex(light.style.a), _hex(light.style.b)
        found.append({"meaning": light.meaning, "count": light.count, "text": light.text})
        found[-1] |= {"look": look, "a": a, "b": b}
        patch = Text("██", a) + Text("██", b if light.style.pattern else a)
        rows.add_row(patch, look, light.text)
    if as_json:
        tell(True, {"game": module.name, "lights": found})
    else:
        Console().print(rows)


def _hex(colour: "Colour") -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


@lights.command()
@click.argument("board", required=False)
@click.option("--pattern", "names", multiple=True, type=click.Choice(NAMES), help="Only this one.")
@click.option("--simulate", is_flag=True, help="A simulated board.")
@PORT
@click.pass_obj
def test(
    home: Path, board: str | None, names: tuple[str, ...], simulate: bool, port: str | None
) -> None:
    """Light a BOARD in patterns and say what should be seen, and what each rail gives.

    Each colour, each rail, the cells in their order along the strip, and one light that walks.
    With the brightness of the settings; Ctrl-C ends it, and the lights go dark.
    """
    from hexboard import settings
    from hexboard.calibration import pixels
    from hexboard.commands.calibrate.simulated import Robot, bench
    from hexboard.devices.installer import build
    from hexboard.devices.open import simulated
    from hexboard.lights.frame import LightRenderer
    from hexboard.lights.patterns import PATTERNS

    chosen = settings.load(home / "settings.toml")
    which = board_named(home, board or chosen.board)
    if not which.pixels:
        raise BadText("pattern.none", board=which.name)
    which, unlit = pixels.relit(which, pixels.place(home, which, simulate))
    if unlit is not None:
        click.echo(say(unlit), err=True)
    renderer = LightRenderer(which, chosen.lights)
    with contextlib.ExitStack() as stack:
        port, own = port or chosen.link.port, "" if simulate else build(which)
        if simulate:
            which = simulated(which)
            port = stack.enter_context(Robot(which, bench(which))).rig.twin.port
        light = stack.enter_context(lit(which, port, own))
        for name in names or NAMES:
            for step in PATTERNS[name](which):
                click.echo(say(step.told))
                _show(renderer, step, light)
                time.sleep(step.seconds)
    click.echo(say(message("pattern.done")))


def _show(renderer: "LightRenderer", step: Any, light: Callable[[bytes], None]) -> None:
    """Light a step; say what the rail that is worst off gives."""
    frame = renderer.plain(step.styles)
    light(frame.data)
    power = frame.power
    rail, most, given = power.rail, power.limit, power.milliamps
    told = message("pattern.draws", rail=rail, milliamps=given, limit=most)
    if power.percent < 100:
        told = message("pattern.limited", rail=rail, limit=most, percent=power.percent)
    click.echo(f"    {say(told)}")


@contextlib.contextmanager
def lit(board: "Board", port: str, own: str) -> Iterator[Callable[[bytes], None]]:
    """What lights a board that is there, its sensors or not; it is dark after. What the board says
    of itself is told. `own` is the firmware that its Pico should have; "" to ask for none. Raises
    `BoardGoneError`."""
    from hexboard.calibration.wizard import BoardGoneError
    from hexboard.devices.link import lightable
    from hexboard.devices.mailbox import Mailbox
    from hexboard.devices.open import Wires
    from hexboard.facts import Presence

    mailbox = Mailbox[Never]()
    with contextlib.ExitStack() as stack:
        wires = Wires(board, port, mailbox.post, own)
        stack.callback(wires.close)
        end, why, up = time.monotonic() + PATIENCE_S, "it says nothing", False
        while not up:
            for report in mailbox.drain(0.1):
                if isinstance(report.body, Presence) and report.source != "gpio":
                    why = report.body.why
                    up = report.body.up or lightable(why)
            if time.monotonic() > end and not up:
                raise BoardGoneError("calibration.no_board", why=why)
        if why:
            click.echo(say(message("calibration.remark", note=why)), err=True)
        try:
            yield wires.light
        finally:
            wires.light(bytes(8 * len(board.pixels)))
            time.sleep(0.2)  # until the last frame is out
