"""Pins of a board that is not there: the same functions as pins.py, over two file descriptors.

stdin and stdout are the "USB" (the master of a pty, non-blocking). The Unix stream socket named by
HEXBOARD_TWIN is the board itself: messages `kind u8 · length u16 (little endian) · bytes`, where
`I` from the simulator is a u32 (microseconds that the image before must have been seen for) and an
image of the inputs, `C` is one byte (1: from here on the sensor chain reads wrong, 0: right), and
`P` to it is what the strip would get (green, red, blue). The first image is how things are at
power-on; after that each look takes one, so that no edge is lost however fast they come, and none
before its time, so that no pulse is lost because we slept.
`W` to the simulator feeds the watchdog, first when it begins to watch; `F` from it is a fault, for
tests: 1 an exception in the next look, 2 a look that does not end, more: so many milliseconds that
each look takes from now on.
HEXBOARD_INPUTS and HEXBOARD_PIXELS are the sizes; HEXBOARD_TICKS is where the tick starts;
HEXBOARD_KEPT is the file of kept.py, HEXBOARD_RESET says "watchdog" where that started us.
Runs under MicroPython's unix port and under CPython.
"""

import os
import select
import socket
import sys
import time

import kept
from build import build

_MICROPYTHON = sys.implementation.name == "micropython"
_MASK = 0x3FFFFFFF


def _setting(name, default):
    return int(os.getenv(name) or default)


INPUTS = _setting("HEXBOARD_INPUTS", 152)
PIXELS = _setting("HEXBOARD_PIXELS", 150)
ORDER = "GRB"
BUILD = build()
RESET = 75
"""How the process ends where a board would start anew."""

_kept = os.getenv("HEXBOARD_KEPT") or "/dev/null"
WHY = kept.begin(_kept, os.getenv("HEXBOARD_RESET") == "watchdog")

if _MICROPYTHON:
    _stdin, _stdout = sys.stdin.buffer, sys.stdout.buffer
    _clock = time.ticks_us
else:
    import io

    _stdin, _stdout = io.FileIO(0, "rb", closefd=False), io.FileIO(1, "wb", closefd=False)

    def _clock():
        return time.monotonic_ns() // 1000


def _connect(path):
    board = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    if _MICROPYTHON:  # wants the raw sockaddr: family, then the path
        board.connect((1).to_bytes(2, sys.byteorder) + path.encode() + b"\0")
    else:
        board.connect(path)
    return board


_board = _connect(os.getenv("HEXBOARD_TWIN"))
_poll = select.poll()
_poll.register(_stdin, select.POLLIN)
_poll.register(_board, select.POLLIN)
_wait = _poll.ipoll if _MICROPYTHON else _poll.poll
_board_fd = _board.fileno()
_size = 7 + (INPUTS + 7) // 8
_mail = b""  # what came from the simulator and was not yet looked at
_right = True  # the sensor chain answers
_slow = 0  # milliseconds that each look takes
_fed = 0  # when the watchdog was


_PROMPT, _NAP = 1_100, 100
"""So many microseconds after an image we sleep for so few at a time: a board never does, and owes
its host a watermark within 1 ms of a rise, which sleeps of whole milliseconds would make 2."""


def _chain():
    """What the next messages say of the chain, or of faults; then an image is next, or nothing
    whole."""
    global _mail, _right, _slow
    while _mail[:1] in (b"C", b"F") and len(_mail) >= 4:
        kind, value = _mail[:1], _mail[3]
        _mail = _mail[4:]
        if kind == b"C":
            _right = not value
        elif value == 1:
            raise OSError(5, "a fault for a test")
        elif value == 2:
            while True:
                pass
        else:
            _slow = value


while len(_mail) < _size:  # the inputs as they are at power-on: not a change
    _came = _board.recv(_size - len(_mail))
    if not _came:
        sys.exit()
    _mail += _came
    _chain()
_image, _mail = _mail[7:], b""
_taken = _clock()  # when the last image was
_first = (_setting("HEXBOARD_TICKS", 0) - _clock()) & _MASK


def ticks():
    """Microseconds, 30 bits."""
    return (_clock() + _first) & _MASK


def fresh():
    """Four random bytes, never all zero."""
    return os.urandom(3) + b"\x01"


def look(image):
    """The next image that came and is due, or the last one again; False if the chain is wrong."""
    global _image, _mail, _taken
    _chain()
    if _slow:
        time.sleep(_slow / 1000)
    if len(_mail) >= _size and not _early():
        _taken = _clock()
        _image = _mail[7:_size]
        _mail = _mail[_size:]
    if _right:
        image[:] = _image
    return _right


def _early():
    """Microseconds until the next image is due, 0 when it is."""
    gap = int.from_bytes(_mail[3:7], "little")
    return max(0, gap - ((_clock() - _taken) & _MASK))


def read(buffer):
    """Bytes from the host that are there."""
    return _stdin.readinto(buffer) or 0


def write(buffer, start, end):
    """Write what the host takes at once; return how many bytes."""
    return _stdout.write(memoryview(buffer)[start:end]) or 0


def idle():
    """A strip that is not there takes no time."""
    return True


def show(wire):
    """Tell the simulator what the strip would get."""
    _send(b"P", bytes(wire))


def _send(kind, body):
    size = len(body)
    message = kind + bytes((size & 255, size >> 8)) + body
    if _MICROPYTHON:
        while message:
            message = message[_board.send(message) :]
    else:
        _board.sendall(message)


def guard():
    """From now on the simulator starts us anew when `feed` is not called for a while."""
    global _fed
    _fed = _clock()
    _send(b"W", b"")


def feed():
    """Said ten times a second."""
    if (_clock() - _fed) & _MASK >= 100_000:
        guard()


def fail(error):
    """Keep why, and start anew."""
    kept.put(_kept, kept.words(error))
    sys.exit(RESET)


def stop():
    """There is no prompt behind this firmware: the process ends."""
    kept.put(_kept, "")


def wait(ms):
    """Sleep until something comes or `ms` have passed; False when either channel has ended."""
    global _mail
    if len(_mail) >= _size:
        ms = min(ms, _early() // 1000)
    elif ms and ((_clock() - _taken) & _MASK) < _PROMPT:
        time.sleep(_NAP / 1_000_000)
        ms = 0
    for who, what in _wait(ms):
        if who is _board or who == _board_fd:
            if len(_mail) < _size:
                came = _board.recv(1024)
                if not came:
                    return False
                _mail += came
        elif not what & select.POLLIN:  # only a hang-up
            return False
    return True
