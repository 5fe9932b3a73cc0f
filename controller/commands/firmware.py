"""`hexboard firmware`: put the firmware on a Pico, see who is there, try its wires."""

import time
from pathlib import Path
from typing import Any

import click

from controller.commands import board_named
from controller.words import message, say

PORT = click.option(
    "--port", default="auto", show_default=True, help="Its port, or its USB serial number."
)


@click.group()
def firmware() -> None:
    """The program on the board's microcontroller (Raspberry Pi Pico)."""


@firmware.command()
@PORT
@click.option("--board", "name", help="For this board. Default: the one in the settings.")
@click.pass_obj
def install(home: Path, port: str, name: str | None) -> None:
    """Put hexboard's firmware on a Pico.

    Before, once: hold BOOTSEL while you plug the Pico in. It shows up as a drive, RPI-RP2. Copy
    MicroPython's UF2 file onto it (Pico: RPI_PICO, Pico W: RPI_PICO_W, Pico 2: RPI_PICO2, from
    micropython.org/download, 1.22 or newer). The Pico restarts, and this command can talk to it.
    """
    from controller import settings
    from controller.devices.installer import install as steps

    board = board_named(home, name or settings.load(home / "settings.toml").board)
    for step in steps(port, board):
        click.echo(say(message("firmware.step", step=step)))
    time.sleep(1.5)  # it restarts, and USB comes back
    seen = _look(port, 0.5)
    click.echo(say(message("firmware.installed", port=seen.port, firmware=seen.firmware)))


@firmware.command()
@PORT
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def info(port: str, as_json: bool) -> None:
    """Who is on the port: firmware, inputs, pixels, the link's health."""
    import msgspec

    seen = _look(port, 1.0)
    if as_json:
        click.echo(msgspec.json.encode(seen).decode())
        return
    click.echo(f"{seen.firmware} on {seen.port}")
    click.echo(f"{seen.inputs} inputs, {seen.pixels} pixels")
    click.echo("sensor chain: " + ("answers" if seen.chain else say(message("firmware.chain"))))
    trip = "?" if seen.round_trip_us is None else f"{seen.round_trip_us / 1000:.1f} ms"
    click.echo(f"round trip {trip}; {seen.lost} edges lost")
    click.echo(f"bad frames: {seen.bad_here} received here, {seen.bad_there} there")


def _look(port: str, seconds: float) -> Any:
    from controller.devices.probe import probing

    with probing(port) as probe:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            probe.turn()
        return probe.seen


@firmware.command()
@PORT
@click.option("--seconds", type=click.FloatRange(1, 3600), default=20.0, show_default=True)
def test(port: str, seconds: float) -> None:
    """Try the wires: the strip walks through its colours, edges are shown as they come."""
    from controller.devices.link import Change
    from controller.devices.probe import probing

    with probing(port) as probe:
        seen = probe.seen
        click.echo(f"{seen.firmware}: {seen.inputs} inputs, {seen.pixels} pixels")
        if not seen.chain:
            click.echo(say(message("firmware.chain")))
        click.echo(_grid(seen.inputs, set(seen.high)))
        click.echo(say(message("firmware.watch", seconds=round(seconds))))
        begun, shown = time.monotonic(), -1
        while (elapsed := time.monotonic() - begun) < seconds:
            if int(elapsed * 2) != shown:
                shown = int(elapsed * 2)
                probe.light(_walk(seen.pixels, shown))
            for change in probe.turn():
                if isinstance(change, Change):
                    level = "active" if change.level else "idle"
                    click.echo(f"{elapsed:7.3f}  input {change.input:3}  {level}")
        probe.light(bytes(8 * seen.pixels))
        probe.turn()
        click.echo(say(message("firmware.tested", edges=seen.edges, lost=seen.lost)))


COLOURS = ((60, 0, 0), (0, 60, 0), (0, 0, 60), (40, 40, 40))


def _walk(pixels: int, step: int) -> bytes:
    """Every eighth pixel, one further each step, in red, green, blue and white by turns."""
    colour = bytes((*COLOURS[step // 8 % 4], 0, 0, 0, 0, 0))
    return b"".join(colour if i % 8 == step % 8 else bytes(8) for i in range(pixels))


def _grid(inputs: int, high: set[int]) -> str:
    """All inputs, sixteen a line: # is active."""
    lines = []
    for first in range(0, inputs, 16):
        row = range(first, min(first + 16, inputs))
        lines.append(f"{first:4}  " + "".join("#" if i in high else "." for i in row))
    return "\n".join(lines)
