"""`hexboard firmware`: put the firmware on a Pico, see who is there, try its wires."""

import time
from pathlib import Path
from typing import Any

import click

from hexboard.commands import Between, TypedPath, board_named
from hexboard.words import message, say
from hexboard.words.numbers import decimal

PORT = click.option(
    "--port", help="Its port, or its USB serial number. Default: the one in the settings, or auto."
)
RESTART_S = 10.0
"""Seconds that a Pico may take from its reset until it speaks."""


@click.group()
def firmware() -> None:
    """The program on the board's microcontroller (Raspberry Pi Pico)."""


def _settings(home: Path) -> Any:
    from hexboard import settings

    return settings.load(home / "settings.toml")


@firmware.command()
@PORT
@click.option("--board", "name", help="For this board. Default: the one in the settings.")
@click.option(
    "--uf2",
    type=TypedPath(exists=True, dir_okay=False),
    help="Copy this UF2 file onto the Pico's drive first.",
)
@click.pass_obj
def install(home: Path, port: str | None, name: str | None, uf2: Path | None) -> None:
    """Put hexboard's firmware on a Pico.

    Before, once: hold the button BOOTSEL while you plug the Pico in, then let it go. A drive shows
    up: RPI-RP2 (of a Pico 2: RP2350). Get MicroPython's UF2 file from micropython.org/download,
    1.22 or newer (RPI_PICO for a Pico, RPI_PICO_W, RPI_PICO2 or RPI_PICO2_W for the others), and
    copy it onto the drive, or name it with --uf2. The drive goes away, the Pico restarts, and this
    command can talk to it.

    How many inputs and pixels there are, and the order of colours, comes from the board file.
    Give the command again when that has changed, and after each update of hexboard.
    """
    from hexboard.devices.installer import install as steps

    board = board_named(home, name or _settings(home).board)
    port = port or _settings(home).link.port
    if uf2 is not None:
        port = _copy(uf2, port)
    for step in steps(port, board):
        click.echo(say(message(step)))
    seen = restarted(port)
    click.echo(say(message("firmware.installed", port=seen.port, firmware=seen.firmware)))
    _complain(seen)


def _copy(uf2: Path, wanted: str) -> str:
    """Put MicroPython onto a Pico in BOOTSEL, and wait until it is on USB: one that was not there
    before, whichever others are. Its port, where it was to be found; else what was `wanted`."""
    from hexboard.devices import bootsel, ports
    from hexboard.devices.installer import InstallError
    from hexboard.files import finite

    drive, before = bootsel.drive(), ports.picos()
    bootsel.copy(finite(uf2), drive)
    click.echo(say(message("firmware.copied", file=uf2.name, drive=str(drive))))
    end = time.monotonic() + RESTART_S
    while time.monotonic() < end:
        for pico in ports.picos():
            if pico not in before:
                return pico[1] if wanted == ports.AUTO else wanted
        time.sleep(0.2)
    if wanted == ports.AUTO:
        raise InstallError("firmware.not_back", file=uf2.name)
    return wanted


def restarted(port: str) -> Any:
    """What a Pico says that has just been reset. Raises `NoBoardError`."""
    from hexboard.devices.probe import NoBoardError

    end = time.monotonic() + RESTART_S
    while True:
        try:
            return _look(port, 0.5)
        except NoBoardError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


@firmware.command()
@PORT
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.pass_obj
def info(home: Path, port: str | None, as_json: bool) -> None:
    """Who is on the port: firmware, inputs, pixels, the link's health."""
    import msgspec

    seen = _look(port or _settings(home).link.port, 0.5)
    if as_json:
        click.echo(msgspec.json.encode(seen).decode())
        return
    trip = "?" if seen.round_trip_us is None else decimal(seen.round_trip_us / 1000, 1)
    click.echo(_who(seen))
    here, there = seen.bad_here, seen.bad_there
    click.echo(say(message("firmware.health", trip=trip, lost=seen.lost, here=here, there=there)))
    _complain(seen)


def _look(port: str, seconds: float) -> Any:
    from hexboard.devices.probe import probing

    with probing(port) as probe:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            probe.turn()
        return probe.seen


def _who(seen: Any) -> str:
    return say(
        message(
            "firmware.who",
            port=seen.port,
            firmware=seen.firmware,
            inputs=seen.inputs,
            pixels=seen.pixels,
        )
    )


def _complain(seen: Any) -> None:
    """Say what is wrong with the wires, as far as the board can tell."""
    from hexboard.devices.installer import NO_SENSORS

    if not seen.chain:
        click.echo(say(message("firmware.chain")))
        if seen.inputs == NO_SENSORS:
            click.echo(say(message("firmware.no_sensors")))
    elif seen.inputs and len(seen.high) == seen.inputs:
        click.echo(say(message("firmware.all_active")))


@firmware.command()
@PORT
@click.option("--seconds", type=Between(1, 3600), default=20.0, show_default=True)
@click.pass_obj
def test(home: Path, port: str | None, seconds: float) -> None:
    """Try the wires: the strip walks through its colours, edges are shown as they come."""
    from hexboard.devices.open import limits
    from hexboard.devices.probe import probing, sentence

    chosen = _settings(home)
    board = board_named(home, chosen.board)
    with probing(port or chosen.link.port) as probe:
        seen = probe.seen
        probe.limit(limits(board, seen.pixels))
        click.echo(_who(seen))
        _complain(seen)
        click.echo(_grid(seen.inputs, set(seen.high)))
        click.echo(say(message("firmware.watch", seconds=round(seconds))))
        try:
            _watch(probe, seconds)
        except KeyboardInterrupt:
            click.echo()
        if probe.unlit:
            click.echo(say(message("firmware.absent", why=sentence(probe.unlit))))
        probe.light(bytes(8 * seen.pixels))
        probe.turn()
        click.echo(say(message("firmware.tested", edges=seen.edges, lost=seen.lost)))
        _complain(seen)


def _watch(probe: Any, seconds: float) -> None:
    """Let the lights walk, and tell every change."""
    from hexboard.devices.session import InputChange

    begun, shown, chain = time.monotonic(), -1, probe.seen.chain
    while (elapsed := time.monotonic() - begun) < seconds:
        if int(elapsed * 2) != shown:
            shown = int(elapsed * 2)
            probe.light(_walk(probe.seen.pixels, shown))
        for change in probe.turn():
            if isinstance(change, InputChange):
                key = "firmware.active" if change.level else "firmware.idle"
                click.echo(f"{elapsed:7.3f}  " + say(message(key, input=change.input)))
        if probe.seen.chain != chain:
            chain = probe.seen.chain
            key = "firmware.chain_back" if chain else "firmware.chain"
            click.echo(f"{elapsed:7.3f}  " + say(message(key)))


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
