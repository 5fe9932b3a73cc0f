"""A storm of edges over a bad wire: `python -m tests.benchmarks.noise [--edges N] [--every MS]`.

The real firmware (in this interpreter) and a session, back to back in virtual time; of the bytes
each way one in a hundred is changed, left out or doubled. Every edge must come once and in order,
or be within a loss that the device declared; every image must be what the inputs were. Prints how
many came, and exits with 1 when one was wrong. Then 2,000 edges in 82 ms on a good wire.
"""

import argparse
import random
import sys
import time
from collections import deque
from math import log
from typing import Any

from hexboard.devices.session import Dropped, Image, InputChange, Met, Session
from tests.benchmarks import measured, reference
from tests.firmware import firmware
from tests.firmware.fake_pins import FakePins

INPUTS = 16


class Storm:
    """Drive edges in at one end and account for what comes out at the other."""

    def __init__(self, bad: float, seed: int = 1) -> None:
        self.chance = random.Random(seed)
        self.bad = bad
        self.pins = FakePins(INPUTS, 3)
        self.device = firmware("main").Device(self.pins)
        self.session = Session()
        self.due: deque[tuple[int, bool, int]] = deque()  # edges driven, not yet accounted for
        self.images: deque[tuple[int, bytes]] = deque(maxlen=5000)
        self.driven = self.came = self.missing = self.declared = self.wrong = 0

    def wire(self, data: bytes) -> bytes:
        """`data` with its share of bytes changed, left out or doubled."""
        if not (self.bad and data):
            return data
        out, at = bytearray(), 0
        while (next_bad := at + self._run()) < len(data):
            out += data[at:next_bad]
            byte = data[next_bad]
            out += self.chance.choice(
                (bytes((byte ^ self.chance.randrange(1, 256),)), b"", bytes((byte, byte)))
            )
            at = next_bad + 1
        return bytes(out + data[at:])

    def _run(self) -> int:
        """How many bytes stay good from here on."""
        return int(log(1 - self.chance.random()) / log(1 - self.bad))

    def step(self, us: int, flips: int) -> None:
        """`flips` inputs change at once, `us` later than the last."""
        self.pins.now += us
        for number in self.chance.sample(range(INPUTS), flips):
            self.pins.image[number >> 3] ^= 1 << (number & 7)
        if flips:
            self._expect()
        self.images.append((self.pins.now, bytes(self.pins.image)))
        self.pins.inbox += self.wire(self.session.send(self.pins.now * 1000))
        self.device.turn()
        data, self.pins.outbox = bytes(self.pins.outbox), bytearray()
        self.pins.shown.clear()
        for one in self.session.receive(self.wire(data), self.pins.now * 1000):
            self._account(one)

    def _expect(self) -> None:
        before = self.images[-1][1] if self.images else bytes(len(self.pins.image))
        for number in range(INPUTS):
            level = bool(self.pins.image[number >> 3] >> (number & 7) & 1)
            if level != bool(before[number >> 3] >> (number & 7) & 1):
                self.due.append((number, level, self.pins.now))
                self.driven += 1

    def _account(self, one: Any) -> None:
        match one:
            case InputChange():
                self._change((one.input, one.level, one.ticks))
            case Image():
                self.wrong += (one.ticks, one.levels) not in self.images
            case Dropped():
                self.declared += one.count
            case Met(fresh=True) if self.came:
                self.wrong += 1  # nobody restarted

    def _change(self, edge: tuple[int, bool, int]) -> None:
        skipped = 0
        while self.due and self.due[0][2] <= edge[2]:
            if self.due.popleft() == edge:
                self.came += 1
                self.missing += skipped
                return
            skipped += 1
        self.missing += skipped
        self.wrong += 1

    def settle(self) -> None:
        """The wire is good again: let everything arrive, and what did not is missing."""
        self.bad = 0.0
        for _ in range(3000):
            self.step(1000, 0)
        self.missing += len(self.due)
        self.due.clear()

    @property
    def honest(self) -> bool:
        """Each edge came, or is among those declared lost; and nothing else came."""
        return (
            not self.wrong
            and self.missing == self.declared
            and self.came + self.missing == self.driven
        )


def storm(edges: int, bad: float, every: int = 1, seed: int = 1) -> Storm:
    """`edges` edges in bursts, about one in `every` ms."""
    wire = Storm(0.0, seed)
    for _ in range(50):
        wire.step(1000, 0)
    wire.bad = bad
    while wire.driven < edges:
        now = wire.chance.random() * every < 1
        wire.step(1000, wire.chance.choice((0, 0, 0, 1, 1, 2, 3)) if now else 0)
    wire.settle()
    return wire


def burst(edges: int = 2000, us: int = 82_000) -> Storm:
    """All of `edges` within `us`, one every few looks, on a good wire."""
    wire = Storm(0.0)
    for _ in range(50):
        wire.step(1000, 0)
    for _ in range(edges):
        wire.step(us // edges, 1)
    wire.settle()
    return wire


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--edges", type=int, default=1_000_000)
    options.add_argument("--every", type=int, default=1, help="ms between edges, about")
    options.add_argument("--bad", type=float, default=0.01, help="share of bytes")
    asked = options.parse_args()
    begun = time.process_time()
    runs = {
        f"{asked.bad:.2%} of bytes bad": storm(asked.edges, asked.bad, asked.every),
        "burst": burst(),
    }
    for name, run in runs.items():
        print(
            f"{name}: {run.driven} edges, {run.came} came in order, {run.missing} missing, "
            f"{run.declared} declared lost, {run.wrong} wrong; damaged blocks {run.session.bad} "
            f"here, {run.device.decoder.bad} there"
        )
        measured(f"{name}: edges driven", run.driven)
        measured(f"{name}: lost undeclared", run.missing - run.declared, most=0)
        measured(f"{name}: wrong", run.wrong, most=0)
    print(f"{time.process_time() - begun:.0f} s of CPU; reference loop {reference():.1f} ms")
    sys.exit(not all(run.honest for run in runs.values()))


if __name__ == "__main__":
    main()
