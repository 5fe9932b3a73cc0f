"""Frames: a header, a payload and a CRC-16, wrapped in COBS and ended by one zero byte.

    type u8 · seq u16 · ack u16 · payload · crc u16        (little endian; see docs/link.md)

Both classes own their buffers and never allocate after that. Runs under MicroPython and CPython.
"""

HEADER = 5
"""Bytes before the payload."""


def _entry(byte):
    crc = byte << 8
    for _ in range(8):
        crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


_TABLE = tuple(_entry(byte) for byte in range(256))


def crc16(data, length):
    """CRC-16/CCITT-FALSE of the first `length` bytes; 0x29B1 for b"123456789"."""
    crc = 0xFFFF
    for i in range(length):
        crc = (crc << 8 & 0xFF00) ^ _TABLE[crc >> 8 ^ data[i]]
    return crc


class Encoder:
    """Write header and payload into `body`, `seal` it, and send that many bytes of `wire`."""

    def __init__(self, size):
        self.body = bytearray(size + 2)
        self.wire = bytearray(size + size // 254 + 6)

    def seal(self, length):
        """Add the CRC to the first `length` bytes of `body`; return the length of `wire`."""
        body, wire = self.body, self.wire
        crc = crc16(body, length)
        body[length] = crc & 0xFF
        body[length + 1] = crc >> 8
        start = 0
        at = code = 1
        for i in range(length + 2):
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


class Decoder:
    """Bytes in, whole frames out. Garbage costs nothing but a count in `bad`.

    The work (COBS and CRC) is done byte by byte as they come, so that a long frame never holds up
    the scan at its end.
    """

    def __init__(self, size):
        self.frame = bytearray(size + 2)
        self.length = 0
        self.bad = 0
        self._begin()

    def _begin(self):
        self._seen = False
        self._filled = 0
        self._left = 0
        self._zero = False
        self._broken = False
        self._crc = 0xFFFF

    def take(self, chunk, start, end):
        """Read `chunk[start:end]` up to the end of the next good frame.

        Returns the index of the first byte not read. `length` is then the length of the frame that
        begins `frame`, without its CRC, or 0 when the chunk is used up and none is whole.
        """
        frame, room = self.frame, len(self.frame)
        filled, left = self._filled, self._left  # four at once would take memory
        zero, crc = self._zero, self._crc
        self.length = 0
        while start < end:
            byte = chunk[start]
            start += 1
            if byte == 0:
                good = left == 0 and filled >= HEADER + 2 and not self._broken
                if good and crc == frame[filled - 2] | frame[filled - 1] << 8:
                    self.length = filled - 2
                elif self._seen:
                    self.bad += 1
                self._begin()
                if self.length:
                    return start
                filled = left = 0
                zero, crc = False, 0xFFFF
                continue
            self._seen = True
            if left:
                left -= 1
            else:
                left = byte - 1
                emit, zero, byte = zero, byte != 255, 0
                if not emit:
                    continue
            if filled == room:
                self._broken = True
                continue
            frame[filled] = byte
            filled += 1
            if filled > 2:  # the last two bytes may be the CRC itself
                crc = (crc << 8 & 0xFF00) ^ _TABLE[crc >> 8 ^ frame[filled - 3]]
        self._filled, self._left = filled, left
        self._zero, self._crc = zero, crc
        return start
