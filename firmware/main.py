"""The board's loop: look at the inputs, hear the host, tell it, light the pixels.

There is no output queue. What the host should know is state (edges in the ring, things that are
due); a frame is made only when the one before has left, so a host that does not read costs ring
space, and what the ring must drop is counted. It costs no look once it is not heard any more; until
then a write may wait for it (pins.py). Protocol: docs/link.md. Runs under
MicroPython and CPython; all hardware is behind `pins`.
"""

import struct

from frame import HEADER, Decoder, Encoder, copy
from pixels import Pixels
from scan import TICKS, Scan

PROTOCOL = 1
FIRMWARE = b"hexboard 0.1.0"

HELLO, EDGES, SNAPSHOT, STATUS, PONG, LOOKS = 1, 2, 3, 4, 5, 6
HOST_HELLO, LIGHTS, ACK, PING, STOP, LIMITS, CHANGES = 16, 17, 18, 19, 20, 21, 22

CHAIN_WRONG, LIMITED = 1, 2  # SNAPSHOT's flags

NOBODY = bytes(4)
BATCH = 24  # edges in one frame at most, which keeps it in one COBS block
FEW = 4  # and at least, however bad the wire is
LONGEST = HEADER + 4 + 6 + 8 * BATCH
"""Bytes of the longest frame; a hello is shorter."""

CHUNK = 24  # bytes heard in one turn: a Pico takes some 12 µs for each, and must look again

# Microseconds
RESEND = 50_000
AGAIN = 3_000  # longer than an acknowledgement takes; when one wants what we sent, that was lost
STATUS_EVERY, QUIET_EVERY = 20_000, 80_000
QUIET = 4_000_000  # after edges, lights or a greeting, in which a referee may still wait for time
WAITS = 1_010, 3_050
"""After a rise, and after all edges: the host's debouncer waits for a watermark just past what a
level must last. A host that knows its sensors says other times, in units of `WAIT`."""
WAIT = 20
SNAPSHOT_EVERY = LOOKS_EVERY = 1_000_000
LOOKS_KEPT = 60_000_000  # looks of longer ago do not count: by then nobody was there to be told
HELLO_EVERY = 250_000
GONE = 2_000_000

MISREAD = 5  # looks in a row: fewer are a spark on the ribbon, and tell nobody anything


class Device:
    """One board on one `pins`; call `turn` for ever."""

    def __init__(self, pins):
        self.pins = pins
        self.scan = Scan(pins.INPUTS)
        self.pixels = Pixels(pins.PIXELS, pins.ORDER)
        self.image = bytearray(len(self.scan.image))
        self.texts = _texts(pins)
        self.session = pins.fresh()  # names this conversation; new at boot and for each new host
        self.met = False  # the host has named our session
        self.present = False  # the host was heard lately
        self.heard = 0
        self.sent = 0  # the number of the next edge to send
        self.progress = 0  # when edges last went out or were acknowledged
        self.batch = BATCH  # halved when edges must be sent again, one more when they arrive
        self.wanted = 1  # the number of the next lights frame wanted
        self.lost = 0
        self.wrong = False  # the sensor chain does not answer to its end
        self.misread = MISREAD - 1  # looks in a row: one that was never right is wrong at once
        self.stopped = False  # the host wants MicroPython's prompt
        self.token = bytearray(4)
        self.looks = 0  # at the inputs, since `looks_at`
        self.longest = self.worst = 0  # without a look: since then, and since the start
        self.pong_due = self.snapshot_due = self.status_due = self.looks_due = False
        self.hello_due = True
        self.hello_at = self.snapshot_at = self.status_at = self.edges_at = 0
        self.stirred = 0  # when something happened last
        self.waits = WAITS  # so long after edges watermarks are due, whatever else was said
        self.owed = 0  # so many of them: after a fall the second alone
        self.looked_at = self.looks_at = pins.ticks()
        self.inbox = bytearray(CHUNK)
        self.decoder = Decoder(HEADER + 8 * pins.PIXELS + 64)
        self.encoder = Encoder(LONGEST)
        self.out = self.out_end = 0  # what of encoder.wire is still to be written

    def turn(self):
        """Do everything once; True when there is more to do at once."""
        now = self.pins.ticks()
        self.look(now)
        count = self.pins.read(self.inbox)
        self.hear(count, now)
        self.watch_the_time(now)
        self.speak(now)
        if self.pixels.turn(now, self.present, self.pins.idle()):
            self.pins.show(self.pixels.wire)
        return self.pixels.busy or count == len(self.inbox)

    def look(self, now):
        """What the inputs are, if the chain answers; what it says otherwise means nothing."""
        right = self.pins.look(self.image)
        self.looks += 1
        gap = (now - self.looked_at) & TICKS
        self.looked_at = now
        if gap > self.longest:
            self.longest = gap
        self.scan.tick(now)
        if right:
            self.misread = 0
            self.scan.look(self.image)
        elif not self.wrong:
            self.misread += 1
        if self.wrong != (self.misread >= MISREAD):
            self.wrong = not self.wrong
            self.snapshot_due = True

    # What the host says

    def hear(self, count, now):
        at = 0
        while at < count:
            at = self.decoder.take(self.inbox, at, count)
            if self.decoder.length:
                self.handle(self.decoder.frame, self.decoder.length, now)

    def handle(self, frame, length, now):
        kind = frame[0]  # struct.unpack would take memory
        seq = frame[1] | frame[2] << 8
        ack = frame[3] | frame[4] << 8
        size = length - HEADER
        if kind == HOST_HELLO:
            if size >= 5:
                self.greet(frame, length, now)
            return
        if kind == STOP:
            self.stopped = True
        if not self.met:
            return
        self.present = True
        self.heard = now
        if ack != self.scan.first:
            self.scan.forget(ack)
            self.progress = now
            self.batch = min(self.batch + 1, BATCH)
            if (self.sent - self.scan.first) & 0x8000:
                self.sent = self.scan.first
        elif kind == ACK and self.sent != ack and (now - self.progress) & TICKS >= AGAIN:
            self.again(now)
        if kind == LIGHTS:
            self.status_due = True
            self.stirred = now
            if size % 8 == 0 and (seq - self.wanted) & 0xFFFF < 0x8000:  # newer: it replaces
                self.pixels.take(frame, HEADER, length, seq)
                self.wanted = (seq + 1) & 0xFFFF or 1
        elif kind == CHANGES:
            self.status_due = True
            self.stirred = now
            if seq == self.wanted and self.pixels.change(frame, HEADER, length, seq):
                self.wanted = (seq + 1) & 0xFFFF or 1
        elif kind == LIMITS:
            self.pixels.limit(frame, HEADER, length)
            self.snapshot_due = True
        elif kind == PING and size == 4:
            copy(self.token, 0, frame, HEADER, 4)
            self.pong_due = True

    def greet(self, frame, length, now):
        """A host names the session it knows. Ours: go on. None: begin anew. Another: correct it."""
        named = bytes(frame[HEADER + 1 : HEADER + 5])
        self.waits = WAITS
        if length >= HEADER + 7:
            self.waits = WAIT * frame[HEADER + 5], WAIT * frame[HEADER + 6]
        if frame[HEADER] == PROTOCOL and named == self.session:
            self.met = self.present = self.snapshot_due = True
            self.heard = self.stirred = now
        elif frame[HEADER] == PROTOCOL and named == NOBODY:
            self.session = self.pins.fresh()
            self.scan.restart()
            self.pixels.restart()
            self.met = self.present = self.snapshot_due = False
            self.sent = self.lost = 0
            self.wanted = 1
        self.hello_due = True

    # What falls due

    def watch_the_time(self, now):
        if (now - self.looks_at) & TICKS >= LOOKS_KEPT:  # well before the ticks wrap
            self.looks = 0
            self.looks_at = now
        if self.present and (now - self.heard) & TICKS > GONE:
            self.present = False
        if not self.present:
            if (now - self.hello_at) & TICKS >= HELLO_EVERY:
                self.hello_due = True
            return
        if (now - self.snapshot_at) & TICKS >= SNAPSHOT_EVERY or self.lost != self.scan.lost:
            self.snapshot_due = True
            self.lost = self.scan.lost
        if self.owed and (now - self.edges_at) & TICKS >= self.waits[-self.owed]:
            self.owed -= 1
            self.status_due = True
        if (now - self.status_at) & TICKS >= self.status_every(now):
            self.status_due = True
        if (now - self.looks_at) & TICKS >= LOOKS_EVERY:
            self.looks_due = True
        if self.sent != self.scan.first and (now - self.progress) & TICKS >= RESEND:
            self.again(now)

    def status_every(self, now):
        """Microseconds between two watermarks: fewer where nothing happens."""
        return QUIET_EVERY if (now - self.stirred) & TICKS >= QUIET else STATUS_EVERY

    def again(self, now):
        """Send from the oldest edge on: a shorter frame has a better chance on a bad wire."""
        self.sent = self.scan.first
        self.progress = now
        self.batch = max(self.batch >> 1, FEW)

    # What we say

    def speak(self, now):
        """Write what is left of the last frame, then frames while they are due and fit."""
        for _ in range(16):
            if self.out == self.out_end:
                length = self.compose(now)
                if not length:
                    return
                self.out, self.out_end = 0, self.encoder.seal(length)
            if not self.write():
                return

    def write(self):
        """Write what the host takes of the last frame; True when all has left. While none is heard
        it goes byte by byte: of more, some may have no room, and are waited for."""
        step = self.out_end if self.present else 1
        while self.out < self.out_end:
            end = min(self.out + step, self.out_end)
            self.out += self.pins.write(self.encoder.wire, self.out, end)
            if self.out < end:
                return False
        return True

    def compose(self, now):
        """The most urgent frame into `encoder.body`; its length, 0 when nothing is due."""
        if self.hello_due:
            self.hello_due = False
            self.hello_at = now
            return self.compose_hello()
        if not (self.met and self.present):
            return 0
        body = self.encoder.body
        if self.pong_due:
            self.pong_due = False
            copy(body, HEADER, self.token, 0, 4)
            ticks = self.pins.ticks()
            wrap = self.scan.wrap + (ticks < self.scan.ticks) & 0xFFFF
            struct.pack_into("<IH", body, HEADER + 4, ticks, wrap)
            return self.head(PONG, self.sent, 10)
        if self.sent != self.scan.end:
            return self.compose_edges(now)
        if self.snapshot_due:
            self.snapshot_due = False
            self.snapshot_at = now
            self.stamp(HEADER)
            flags = CHAIN_WRONG if self.wrong else 0
            if self.pixels.limited:
                flags |= LIMITED
            struct.pack_into("<IHB", body, HEADER + 6, self.scan.lost, self.pixels.shown, flags)
            image = self.scan.image
            copy(body, HEADER + 13, image, 0, len(image))
            return self.head(SNAPSHOT, self.sent, 13 + len(image))
        if self.status_due:
            self.status_due = False
            self.status_at = now
            self.stamp(HEADER)
            struct.pack_into("<HI", body, HEADER + 6, self.pixels.shown, self.decoder.bad)
            return self.head(STATUS, self.sent, 12)
        if self.looks_due:
            self.looks_due = False
            return self.compose_looks(now)
        return 0

    def compose_looks(self, now):
        """How often the inputs were looked at since this was told last, and the longest gaps."""
        self.worst = max(self.worst, self.longest)
        span = (now - self.looks_at) & TICKS
        told = self.encoder.body
        struct.pack_into("<IIII", told, HEADER, self.looks, span, self.longest, self.worst)
        self.looks = self.longest = 0
        self.looks_at = now
        return self.head(LOOKS, self.sent, 16)

    def compose_hello(self):
        pins, body = self.pins, self.encoder.body
        body[HEADER] = PROTOCOL
        copy(body, HEADER + 1, self.session, 0, 4)
        struct.pack_into("<HH", body, HEADER + 5, pins.INPUTS, pins.PIXELS)
        copy(body, HEADER + 9, self.texts, 0, len(self.texts))
        return self.head(HELLO, self.sent, 9 + len(self.texts))

    def compose_edges(self, now):
        scan, body = self.scan, self.encoder.body
        if self.sent == scan.first:
            self.progress = now
        number = self.sent
        at, rise = HEADER + 10, 0
        for _ in range(self.batch):
            if self.sent == scan.end:
                break
            i = self.sent & scan.mask
            struct.pack_into("<HIH", body, at, scan.what[i], scan.when[i], scan.wraps[i])
            rise |= scan.what[i] >> 15
            self.sent = (self.sent + 1) & 0xFFFF
            at += 8
        self.stamp(HEADER)
        struct.pack_into("<I", body, HEADER + 6, scan.lost)
        self.edges_at = self.stirred = now
        self.owed = max(self.owed, 1 + rise)
        return self.head(EDGES, number, at - HEADER)

    def stamp(self, at):
        """The watermark: the next edge to send, or the last look, is the earliest still to come."""
        scan, ticks, wrap = self.scan, self.scan.ticks, self.scan.wrap
        if self.sent != scan.end:
            i = self.sent & scan.mask
            ticks, wrap = scan.when[i], scan.wraps[i]
        struct.pack_into("<IH", self.encoder.body, at, ticks, wrap)

    def head(self, kind, seq, size):
        struct.pack_into("<BHH", self.encoder.body, 0, kind, seq, self.wanted)
        return HEADER + size


def _texts(pins):
    """Version, build, why it ended before: each after its length, none without need."""
    found = b""
    for text in (pins.WHY.encode(), pins.BUILD, FIRMWARE):
        if text or found:
            found = bytes((len(text),)) + text + found
    return found


def run(pins):
    """Scan, listen and speak until the host or the pins want an end (the Pico's never do).

    An exception is kept for the next hello, and the board starts anew; so does one whose turn does
    not end, for only a whole turn feeds the watchdog."""
    try:
        device = Device(pins)
        pins.guard()
        busy = True
        while not device.stopped and pins.wait(0 if busy else 1):
            busy = device.turn()
            pins.feed()
    except Exception as error:
        pins.fail(error)
    else:
        pins.stop()


if __name__ == "__main__":
    import kept

    before = kept.read()
    if before == kept.STAY:
        kept.put(kept.FILE, "")
    else:
        if before not in ("", kept.WORKS):
            import time

            time.sleep(0.5)  # after an exception Ctrl-C is heard for a moment

        import pins

        run(pins)
