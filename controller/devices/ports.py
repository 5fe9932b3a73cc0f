"""Ports: which serial port the board's microcontroller is on, when the settings do not name one."""

import os

AUTO = "auto"
"""In the settings: find it."""
PICO = (0x2E8A, 0x0005)
"""USB vendor and product of a Raspberry Pi Pico that runs MicroPython."""


def port(wanted: str) -> str | None:
    """The port that `wanted` means: "auto", a USB serial number, or a port; None if not there."""
    if wanted == AUTO:
        return find()
    return wanted if is_port(wanted) else _numbered(wanted)


def is_port(name: str) -> bool:
    """Whether `name` is a port (a path, or COM and a number) and not "auto" or a serial number."""
    return "/" in name or (name.upper().startswith("COM") and name[3:].isdecimal())


def find() -> str | None:
    """The Pico on USB, None when there is none; of several, that with the first serial number."""
    return next((device for _, device in picos()), None)


def choice(taken: str) -> str:
    """A sentence for people when there was more than one Pico to take, else ""."""
    there = picos()
    if len(there) < 2:
        return ""
    return (
        f"took {taken} of {len(there)} Picos on USB ({named(there)}): "
        "to choose, put a serial number in settings.toml under [link] as port"
    )


def named(there: list[tuple[str, str]]) -> str:
    """Every one of these, for people."""
    return ", ".join(f"{serial or 'no serial number'} on {device}" for serial, device in there)


def picos() -> list[tuple[str, str]]:
    """Serial number and port of every Pico, sorted."""
    from serial.tools import list_ports

    found = (p for p in list_ports.comports() if (p.vid, p.pid) == PICO)
    return sorted((p.serial_number or "", p.device) for p in found)


def serial(wanted: str) -> str:
    """The USB serial number of the device that is now on the port that `wanted` means; "" where
    none is there, or it has none."""
    from serial.tools import list_ports

    there = os.path.realpath(port(wanted) or "")  # /dev/hexboard is a link
    found = (p.serial_number or "" for p in list_ports.comports() if p.device == there)
    return next(found, "")


def _numbered(serial: str) -> str | None:
    """The port of the USB device with this serial number, whatever device it is."""
    from serial.tools import list_ports

    found = (p.device for p in list_ports.comports() if (p.serial_number or "") == serial)
    return min(found, default=None)
