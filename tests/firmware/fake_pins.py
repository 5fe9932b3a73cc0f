"""Pins for tests: time, inputs and bytes are whatever the test says. Runs under MicroPython too."""


class FakePins:
    """Set `now` and `image`, append to `inbox`; read `outbox` and `shown`."""

    def __init__(self, inputs: int = 11, pixels: int = 3, build: bytes = b"") -> None:
        self.INPUTS = inputs
        self.PIXELS = pixels
        self.ORDER = "GRB"
        self.BUILD, self.WHY = build, ""
        self.now = 0  # µs, not yet cut to 30 bits
        self.image = bytearray((inputs + 7) // 8)
        self.inbox = bytearray()
        self.outbox = bytearray()
        self.shown: list[bytes] = []
        self.room = 1 << 30  # how many bytes one write takes
        self.drawn = 0
        self.right = True  # the chain answers
        self.free = True  # the strip takes a frame
        self.stopped = False
        self.fed = -1

    def ticks(self) -> int:
        return self.now & 0x3FFFFFFF

    def fresh(self) -> bytes:
        self.drawn += 1
        return bytes((0xCC, 0xBB, 0xAA, self.drawn))

    def look(self, image: bytearray) -> bool:
        if self.right:
            image[:] = self.image
        return self.right

    def read(self, buffer: bytearray) -> int:
        count = min(len(buffer), len(self.inbox))
        buffer[:count] = self.inbox[:count]
        self.inbox = self.inbox[count:]
        return count

    def write(self, buffer: bytearray, start: int, end: int) -> int:
        count = min(end - start, self.room)
        self.outbox += buffer[start : start + count]
        return count

    def idle(self) -> bool:
        return self.free

    def show(self, wire: bytearray) -> None:
        self.shown.append(bytes(wire))

    def guard(self) -> None:
        self.fed = 0

    def feed(self) -> None:
        self.fed += 1

    def fail(self, error: Exception) -> None:
        raise error

    def stop(self) -> None:
        self.stopped = True
