"""Frames: a header, a payload and a CRC-16, wrapped in COBS and ended by one zero byte.

    type u8 · seq u16 · ack u16 · payload · crc u16        (little endian; see docs/link.md)

Both classes own their buffers and never allocate after that. What is done for each byte is machine
code (viper). Runs under MicroPython and CPython.
"""

import sys
from array import array

if sys.implementation.name != "micropython":
    from cpython import const, micropython, ptr8, ptr16

HEADER = 5
"""Bytes before the payload."""

# What a decoder's state holds.
FILLED = const(0)  # bytes decoded
LEFT = const(1)  # bytes until the next COBS code
ZERO = const(2)  # that code stands for a zero
CRC = const(3)  # of all bytes but the last two
BROKEN = const(4)  # there were too many


def _entry(byte):
    crc = byte << 8
    for _ in range(8):
        crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


_TABLE = array("H", (_entry(byte) for byte in range(256)))


@micropython.viper
def crc16(data: ptr8, length: int) -> int:
    """CRC-16/CCITT-FALSE of the first `length` bytes; 0x29B1 for b"123456789"."""
    table = ptr16(_TABLE)
    crc = 0xFFFF
    for i in range(length):
        crc = (crc << 8 & 0xFF00) ^ table[crc >> 8 ^ data[i]]
    return crc


@micropython.viper
def _wrap(body: ptr8, length: int, wire: ptr8) -> int:
    """COBS of the first `length` bytes of `body`, and the ending zero; how many bytes that is."""
    start = 0
    at = 1
    code = 1
    for i in range(length):
        byte = body[i]
        if code == 255:  # a full block stands for no zero, so only a further byte ends it
            wire[start] = code
            start = at
            at += 1
            code = 1
        if byte:
            wire[at] = byte
            at += 1
            code += 1
        else:
            wire[start] = code
            start = at
            at += 1
            code = 1
    wire[start] = code
    wire[at] = 0
    return at + 1


@micropython.viper
def _unwrap(chunk: ptr8, start: int, end: int, frame: ptr8, room: int, state: ptr16) -> int:
    """Decode `chunk[start:end]` up to the next zero; its index, or `end`."""
    table = ptr16(_TABLE)
    filled = int(state[FILLED])
    left = int(state[LEFT])
    zero = int(state[ZERO])
    crc = int(state[CRC])
    while start < end:
        byte = int(chunk[start])
        if byte == 0:
            break
        start += 1
        if left:
            left -= 1
        else:
            left = byte - 1
            emit = zero
            zero = int(byte != 255)
            byte = 0
            if emit == 0:
                continue
        if filled == room:
            state[BROKEN] = 1
            continue
        frame[filled] = byte
        filled += 1
        if filled > 2:  # the last two bytes may be the CRC itself
            crc = (crc << 8 & 0xFF00) ^ table[crc >> 8 ^ frame[filled - 3]]
    state[FILLED] = filled
    state[LEFT] = left
    state[ZERO] = zero
    state[CRC] = crc
    return start


@micropython.viper
def copy(target: ptr8, at: int, source: ptr8, start: int, count: int):
    """Copy `count` bytes; a slice would take memory."""
    for i in range(count):
        target[at + i] = source[start + i]


class Encoder:
    """Write header and payload into `body`, `seal` it, and send that many bytes of `wire`."""

    def __init__(self, size):
        self.body = bytearray(size + 2)
        self.wire = bytearray(size + size // 254 + 6)

    def seal(self, length):
        """Add the CRC to the first `length` bytes of `body`; return the length of `wire`."""
        body = self.body
        crc = crc16(body, length)
        body[length] = crc & 0xFF
        body[length + 1] = crc >> 8
        return _wrap(body, length + 2, self.wire)


class Decoder:
    """Bytes in, whole frames out. Garbage costs nothing but a count in `bad`.

    The work (COBS and CRC) is done byte by byte as they come, so that a long frame never holds up
    the scan at its end.
    """

    def __init__(self, size):
        self.frame = bytearray(size + 2)
        self.length = 0
        self.bad = 0
        self._state = array("H", bytes(10))
        self._begin()

    def _begin(self):
        self._seen = False
        for i in range(5):
            self._state[i] = 0
        self._state[CRC] = 0xFFFF

    def take(self, chunk, start, end):
        """Read `chunk[start:end]` up to the end of the next good frame.

        Returns the index of the first byte not read. `length` is then the length of the frame that
        begins `frame`, without its CRC, or 0 when the chunk is used up and none is whole.
        """
        self.length = 0
        while start < end:
            stop = _unwrap(chunk, start, end, self.frame, len(self.frame), self._state)
            if stop > start:
                self._seen = True
            if stop == end:
                return stop
            start = stop + 1
            if self._good():
                self.length = self._state[FILLED] - 2
            elif self._seen:
                self.bad += 1
            self._begin()
            if self.length:
                return start
        return start

    def _good(self):
        """What was decoded up to this zero is a frame."""
        frame, state = self.frame, self._state
        filled = state[FILLED]
        if state[LEFT] or state[BROKEN] or filled < HEADER + 2:
            return False
        return state[CRC] == frame[filled - 2] | frame[filled - 1] << 8
