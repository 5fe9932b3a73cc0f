"""Trains: the edges that balls make at bad and good contacts, with the truth beside them.

From physics and from nothing of ours. A 10 mm ball is felt over some 6 mm of its way, so a second
one at its heels follows by at least a ball's width in time, which is five thirds of its pulse. A
contact that is closing or opening chatters for a while; at most half of a pulse is lost to that.
Disturbances are short and far from any ball. A board looks at its inputs every 40 us and sees
nothing in between. Times are ns, from the first edge of each window; windows are 200 ms apart.
"""

from collections.abc import Callable, Iterator
from random import Random

from msgspec import Struct

LOOK_NS = 40_000
WINDOW_NS = 200_000_000

Spans = list[tuple[float, float]]
"""Highs, ms: from, until."""


class Window(Struct, frozen=True):
    """What one sensor did within 200 ms: its highs (ns), and how many balls really passed."""

    highs: tuple[tuple[int, int], ...]
    balls: int


def seen(highs: Spans, balls: int) -> Window:
    """The highs as a board sees them that looks every so often."""
    first = highs[0][0]
    looks = [(round((a - first) * 25), round((b - first) * 25)) for a, b in highs]
    out: list[tuple[int, int]] = []
    for a, b in looks:
        if out and a <= out[-1][1]:
            out[-1] = (out[-1][0], b)
        elif a < b:
            out.append((a, b))
    return Window(tuple((a * LOOK_NS, b * LOOK_NS) for a, b in out), balls)


def chatter(chance: Random, at: float, length: float, high: float, low: float) -> Spans:
    """Short highs and lows, of at most so many ms each, from `at` for `length` ms."""
    end, out = at + length, []
    while at < end:
        on, off = chance.uniform(0.05, high), chance.uniform(0.05, low)
        if at + on + off > end:
            break
        out.append((at, at + on))
        at += on + off
    return out


def pulse(
    chance: Random, at: float, width: float, make: float = 0, let: float = 0, piece: float = 0.7
) -> Spans:
    """One ball: chatter of at most `make` ms within the first half of its pulse, the rest in one,
    and chatter of at most `let` ms after it."""
    bounce = min(chance.uniform(0, make), width / 2)
    highs = chatter(chance, at, bounce, piece, piece)
    body = highs[-1][1] + chance.uniform(0.05, piece) if highs else at
    body = min(body, at + width / 2)
    end = at + width
    after = chatter(chance, end + 0.1, chance.uniform(0, let), piece, piece) if let else []
    return [*highs, (body, end), *after]


def ball(
    low: float, high: float, make: float = 0, let: float = 0, piece: float = 0.7
) -> Callable[[Random], Iterator[Window]]:
    """Balls with pulses from `low` to `high` ms, one at a time."""

    def one(chance: Random) -> Iterator[Window]:
        yield seen(pulse(chance, 0, chance.uniform(low, high), make, let, piece), 1)

    return one


def glitches(
    low: float, high: float, longest: float, most: int
) -> Callable[[Random], Iterator[Window]]:
    """Balls, and before each up to `most` disturbances of up to `longest` ms."""

    def one(chance: Random) -> Iterator[Window]:
        for _ in range(chance.randint(0, most)):
            yield seen([(0, chance.uniform(0.06, longest))], 0)
        yield seen(pulse(chance, 0, chance.uniform(low, high)), 1)

    return one


def pairs(low: float, high: float, make: float, let: float) -> Callable[[Random], Iterator[Window]]:
    """Balls, of which three in ten have another at their heels."""

    def one(chance: Random) -> Iterator[Window]:
        width = chance.uniform(low, high)
        highs = pulse(chance, 0, width, make, let)
        if chance.random() < 0.3:
            behind = width * 10 / 6 * chance.uniform(1.1, 2.5)
            highs = [span for span in highs if span[1] < behind - 0.1]
            yield seen([*highs, *pulse(chance, behind, width, make, let)], 2)
        else:
            yield seen(highs, 1)

    return one


def echo(chance: Random) -> Iterator[Window]:
    """A spring that swings back once, after the ball is gone."""
    width = chance.uniform(4, 14)
    back = width + chance.uniform(5.5, 8.5)
    yield seen([(0, width), (back, back + chance.uniform(0.3, 1.6))], 1)


def dirty(chance: Random) -> Iterator[Window]:
    """A contact that lets go for up to 2.5 ms while the ball is on it."""
    width = chance.uniform(6, 20)
    at, highs = 0.0, []
    for _ in range(chance.randint(0, 2)):
        off = at + chance.uniform(0.5, 4)
        again = off + chance.uniform(0.1, 2.5)
        if again > width - 2:
            break
        highs.append((at, off))
        at = again
    yield seen([*highs, (at, width)], 1)


TRAINS: dict[str, Callable[[Random], Iterator[Window]]] = {
    "2-15 ms, bounce to 3": ball(2, 15, make=3),
    "1.2-5 ms, bounce to 1": ball(1.2, 5, make=1),
    "glitches to 2.5 ms": glitches(4, 15, longest=2.5, most=7),
    "clean": ball(5, 14),
    "release bounce to 4": ball(3, 12, let=4, piece=1.0),
    "glitches near balls": glitches(2.6, 9, longest=2, most=3),
    "slow contact": ball(12, 38, make=8, piece=2.5),
    "pairs": pairs(2, 8, make=0.5, let=0.5),
    "pairs, release bounce": pairs(4, 9, make=0, let=1.5),
    "spikes to 0.4 ms": glitches(1.5, 6, longest=0.4, most=7),
    "late echo": echo,
    "dirty contact": dirty,
}


def train(name: str, balls: int, seed: int) -> list[Window]:
    """So many rolls over the sensor of that name (a pair is one roll)."""
    chance = Random(f"{name} {seed}")
    return [window for _ in range(balls) for window in TRAINS[name](chance)]


def edges(windows: list[Window]) -> Iterator[tuple[bool, int]]:
    """Levels and stamps, ns, from 0 on."""
    for k, window in enumerate(windows):
        for begin, end in window.highs:
            yield True, k * WINDOW_NS + begin
            yield False, k * WINDOW_NS + end
