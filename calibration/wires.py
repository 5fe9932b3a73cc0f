"""Wires: what one fault of plugs and cables explains, of all that places answered.

Each place has answered with a sensor, its own or another's, or with nothing. A fault says of every
input of a register (of eight; the one nearest to the Pico is the first) which input its place
answers on. The fault that explains most is taken first, then what explains most of the rest; three
places at least, and hardly any that speak against it. What no fault explains is told place by
place.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product

from msgspec import Struct

from hexboard.board import Board

REGISTER = 8
"""Inputs of one shift register."""
SHIFTS = (1, -1, 2, -2, 3, -3, REGISTER, -REGISTER)
LEAST = 3
"""Fewer places are told one by one."""
AGAINST = 7
"""One place in so many may speak against a fault: a sensor can be dead as well."""


class Fault(Struct, frozen=True):
    """`shifted`: from input `first` on each place answers `other` inputs further. `reversed`: the
    register (or, `other` being another, all registers) from `first` on. `plugs`: the registers that
    begin with inputs `first` and `other`, in each other's stead. `silent`: nothing of the register
    answers. `moved` is the input that each place's input answers on, -1 for none."""

    kind: str
    first: int
    other: int
    moved: dict[int, int]


class Cause(Struct, frozen=True):
    """A fault that explains the answers of these places. `first` and `other` are sensors, or how
    far a chain is `shifted`."""

    kind: str
    first: str
    other: str
    places: frozenset[str]


def causes(board: Board, answers: Mapping[str, str], restless: Iterable[str]) -> Iterator[Cause]:
    """What explains places' answers ("" for nothing), and sensors that are active or noisy at rest
    (`restless`)."""
    inputs = {s.input: s.id for s in board.sensors if s.source == "pico"}
    left = {i: answers[s] for i, s in inputs.items() if s in answers}
    yield from _ground(inputs, set(restless), left)
    faults = list(_faults(max(inputs, default=-1) + 1))
    while faults:
        score, fault = max(((_score(f, inputs, left), f) for f in faults), key=lambda one: one[0])
        if score < LEAST:
            return
        explained = [i for i in fault.moved if i in left and _says(fault, i, inputs, left)]
        yield _cause(fault, inputs, explained)
        for i in explained:
            del left[i]


def _ground(inputs: dict[int, str], restless: set[str], left: dict[int, str]) -> Iterator[Cause]:
    """Registers of which nothing is at rest, or answers: their sensors have lost their ground."""
    for first in range(0, max(inputs, default=-1) + 1, REGISTER):
        here = [inputs[i] for i in range(first, first + REGISTER) if i in inputs]
        awake = [s for s in here if s in restless]
        if len(awake) >= LEAST and len(awake) * (AGAINST + 1) >= len(here) * AGAINST:
            yield Cause("ground", here[0], here[-1], frozenset(here))
            for i in range(first, first + REGISTER):
                left.pop(i, None)


def _faults(inputs: int) -> Iterator[Fault]:
    """Every fault of a chain with so many inputs; of two that explain the same the first holds."""
    registers = range(0, inputs, REGISTER)
    own = {first: range(first, first + REGISTER) for first in registers}
    for first in registers:
        yield Fault("silent", first, 0, dict.fromkeys(own[first], -1))
    for first in registers:
        yield Fault("reversed", first, first, _turned(own[first]))
    for first, other in combinations(registers, 2):
        there = (*own[other], *own[first])
        yield Fault("plugs", first, other, dict(zip(sorted(there), there, strict=True)))
    for first, by in product(registers, SHIFTS):
        yield Fault("shifted", first, by, {i: i + by for i in range(first, inputs)})
    yield Fault("reversed", 0, inputs - 1, _turned(range(len(registers) * REGISTER)))


def _turned(inputs: range) -> dict[int, int]:
    return dict(zip(inputs, reversed(inputs), strict=True))


def _says(fault: Fault, place: int, inputs: dict[int, str], left: dict[int, str]) -> bool:
    return inputs.get(fault.moved[place], "") == left[place]


def _score(fault: Fault, inputs: dict[int, str], left: dict[int, str]) -> int:
    """How many places it explains, less those against it; 0 where it does not fit."""
    known = [i for i in fault.moved if i in left]
    says = [left[i] for i in known if _says(fault, i, inputs, left)]
    explained, against = len(says), len(known) - len(says)
    if fault.kind != "silent" and len([sensor for sensor in says if sensor]) < LEAST:
        return 0  # silence tells of no other wire
    return explained - against if explained >= AGAINST * against else 0


def _cause(fault: Fault, inputs: dict[int, str], explained: list[int]) -> Cause:
    places = frozenset(inputs[i] for i in explained)
    first = inputs[min(explained)]
    match fault.kind:
        case "shifted":
            other = f"{fault.other:+d}"
        case "plugs":
            other = inputs[min(i for i in explained if i >= fault.other)]
        case _:
            other = inputs[max(explained)]
    return Cause(fault.kind, first, other, places)
