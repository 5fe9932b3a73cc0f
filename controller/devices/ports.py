"""Ports: which serial port the board's microcontroller is on, when nobody named one."""

AUTO = "auto"
"""In the settings: find it."""
PICO = (0x2E8A, 0x0005)
"""USB vendor and product of a Raspberry Pi Pico that runs MicroPython."""


def find() -> str | None:
    """The port of the first Pico on USB, None when there is none."""
    from serial.tools import list_ports

    return min((p.device for p in list_ports.comports() if (p.vid, p.pid) == PICO), default=None)
