"""V4L2: what Linux says of its cameras, and the controls that OpenCV has no name for.

    cameras()                           # ("/dev/video0 (HD Webcam)",)
    pictures("/dev/video1")             # False: a node for metadata, as many webcams have
    put("/dev/video0", AUTOGAIN, 0)     # whether the driver took it

Numbers and layouts are those of the kernel's `linux/videodev2.h`.
"""

import os
import struct
from pathlib import Path

AUTOGAIN = 0x00980912
"""Whether the camera judges its gain by itself: 0 or 1."""

_QUERYCAP = 0x80685600
_CAPABILITY = struct.Struct("16s32s32sIII12x")
"""Driver, card, bus, version, capabilities, those of this node."""
_CAPTURES = 0x00000001 | 0x00001000
"""Pictures in one plane, or in several."""
_G_CTRL, _S_CTRL = 0xC008561B, 0xC008561C
_CONTROL = struct.Struct("Ii")
"""Number, value."""


def cameras() -> tuple[str, ...]:
    """The nodes that give pictures, with what their drivers call them."""
    nodes = sorted(Path("/dev").glob("video*"), key=lambda node: (len(node.name), node.name))
    return tuple(f"{node} ({_card(str(node))})" for node in nodes if pictures(str(node)))


def pictures(node: str) -> bool:
    """Whether a device gives pictures; False for what is no camera at all, too."""
    told = _asked(node, _QUERYCAP, bytes(_CAPABILITY.size))
    return told is not None and bool(_CAPABILITY.unpack(told)[5] & _CAPTURES)


def put(node: str, control: int, value: int) -> bool:
    """Set a control; whether it reads so afterwards."""
    _asked(node, _S_CTRL, _CONTROL.pack(control, value))
    told = _asked(node, _G_CTRL, _CONTROL.pack(control, 0))
    return told is not None and _CONTROL.unpack(told)[1] == value


def _card(node: str) -> str:
    told = _asked(node, _QUERYCAP, bytes(_CAPABILITY.size))
    return _CAPABILITY.unpack(told)[1].rstrip(b"\0").decode("utf-8", "replace") if told else "?"


def _asked(node: str, request: int, data: bytes) -> bytes | None:
    """What a driver answers; None where it does not know the request, or is not there."""
    import fcntl  # photos are read on systems without it, too

    try:
        device = os.open(node, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return None
    try:
        return fcntl.ioctl(device, request, data)
    except OSError:
        return None
    finally:
        os.close(device)
