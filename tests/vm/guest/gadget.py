"""A Pico on USB: the kernel's own gadget, its serial function, and the real firmware behind it.

The firmware runs in a twin on a pseudo-terminal. `Pico` carries its bytes to and from /dev/ttyGS0,
as the USB half of a Pico does, so that the firmware survives a pulled cable: a Pico on a powered
board does too.
"""

import contextlib
import os
import select
import threading
import time
import tty
from pathlib import Path

from hexboard.simulator.twin import Twin

UDC = "dummy_udc.0"
FOLDER = Path("/sys/kernel/config/usb_gadget")
DEVICE_END = "/dev/ttyGS0"


class Gadget:
    """A USB serial device with the numbers of a Pico, at first not plugged in."""

    def __init__(self, product: int = 0x0005) -> None:
        self.folder = FOLDER / f"g{product:04x}"
        strings, function = self.folder / "strings/0x409", self.folder / "functions/acm.usb0"
        config = self.folder / "configs/c.1"
        for folder in (strings, function, config):
            folder.mkdir(parents=True)
        (self.folder / "idVendor").write_text("0x2e8a")
        (self.folder / "idProduct").write_text(f"0x{product:04x}")
        (strings / "serialnumber").write_text("e660000000000000")
        (config / "acm.usb0").symlink_to(function)

    def plug(self) -> None:
        (self.folder / "UDC").write_text(UDC)

    def unplug(self) -> None:
        """Also when it is not plugged in."""
        with contextlib.suppress(OSError):
            (self.folder / "UDC").write_text("\n")

    def close(self) -> None:
        self.unplug()
        (self.folder / "configs/c.1/acm.usb0").unlink()
        for folder in ("functions/acm.usb0", "configs/c.1", "strings/0x409", "."):
            (self.folder / folder).rmdir()


class Pico(Gadget):
    """The gadget with the firmware in it; `shown` is what its strip has got, newest last."""

    def __init__(self, inputs: int, pixels: int) -> None:
        self.shown: list[bytes] = []
        self.twin = Twin(inputs, pixels, self.shown.append)  # first: on a slow day it fails
        super().__init__()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._carry, name="usb", daemon=True)
        self._thread.start()

    def drive(self, *high: int) -> None:
        """Set these inputs active and no others."""
        image = bytearray((self.twin.inputs + 7) // 8)
        for number in high:
            image[number >> 3] |= 1 << (number & 7)
        self.twin.drive(bytes(image))

    def reboot(self) -> None:
        """It loses power and gets it again: off the bus, and the firmware starts anew."""
        self.unplug()
        self.twin.unplug()
        self.twin.plug()
        self.plug()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()
        self.twin.close()
        super().close()

    def _carry(self) -> None:
        """Until the end; a pulled cable or a reboot closes one side, and both are opened anew."""
        while not self._closing.is_set():
            with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
                ends = [opened(stack, DEVICE_END), opened(stack, self.twin.port)]
                while not self._closing.is_set():
                    carry(*ends)
            time.sleep(0.01)


def opened(stack: contextlib.ExitStack, terminal: str) -> int:
    end = os.open(terminal, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    stack.callback(os.close, end)
    tty.setraw(end)
    return end


def carry(one: int, other: int) -> None:
    """What has come at one end, to the other, once that takes it. Raises `OSError` at a hang-up."""
    ready, _, _ = select.select([one, other], [], [], 0.05)
    for source in ready:
        data = os.read(source, 256)
        if not data:
            raise OSError("hung up")
        sink = other if source == one else one
        while data:
            select.select([], [sink], [], 1.0)
            data = data[os.write(sink, data) :]
