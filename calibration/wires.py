"""Wires: what one fault of plugs and cables explains, of all that places answered.

Each place has answered with a sensor, its own or another's, or with nothing. A fault says of every
input of a register (of eight; the one nearest to the Pico is the first) which input its place
answers on. The fault that explains most is taken first, then what explains most of the rest; three
places at least, and hardly any that speak against it. What no fault explains is told place by
place.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from math import log2

from msgspec import Struct

from hexboard.board import Board

REGISTER = 8
"""Inputs of one shift register."""
SHIFTS = (1, -1, 2, -2, 3, -3, REGISTER, -REGISTER)
LEAST = 3
"""Fewer places are told one by one."""
AGAINST = 7
"""One place in so many may speak against a fault: a sensor can be dead as well."""


SLIP = -log2(0.02)
"""Bits against a view for each place that answers otherwise: hands brush, and sensors miss."""
HARDLY = 20
"""What is so many bits less likely than the likeliest counts for nothing."""
ENOUGH = 0.4
"""An answer that tells fewer bits is not worth a walk."""


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
    faults = _faults(max(inputs, default=-1) + 1)
    while wrong := {i: answer for i, answer in left.items() if answer != inputs[i]}:
        scores = ((_score(f, inputs, left, wrong), f) for f in faults)
        score, fault = max(scores, key=lambda one: one[0])
        if score < LEAST:
            return
        explained = _explained(fault, inputs, wrong)
        yield _cause(fault, inputs, explained)
        for i in explained:
            del left[i]


def telling(board: Board, answers: Mapping[str, str], open_: Sequence[str]) -> tuple[str, ...]:
    """The open places to visit next: those whose answer would tell most of what is wrong with the
    wires, within a tenth of a bit. If no answer would tell more than `ENOUGH`: the ends of the
    likeliest fault; then, until `LEAST` answers bear it out, all its places. () if none of these is
    open, if nothing is wrong, or if no single fault of plugs and cables is the likeliest.

    Each fault of plugs and cables is believed as far as it fits the answers so far. Two more
    explanations compete: wires swapped in pairs, and each wrong place a fault of its own. Each
    begins as likely as all cable faults together, divided by the number of sensors once for every
    pair, or wrong place: it could have been any of them.
    """
    wrong = {place: answer for place, answer in answers.items() if answer != place}
    inputs = {s.input: s.id for s in board.sensors if s.source == "pico"}
    if not wrong or not inputs:
        return ()
    pairs = {answer: place for place, answer in wrong.items() if answer and answer not in answers}
    faults = _faults(max(inputs) + 1)
    every, chance = log2(len(faults)), log2(len(inputs))
    own = len({frozenset(it) for it in wrong.items()})
    views: list[tuple[float, Mapping[str, str], Fault | None]] = [
        (every - chance * own, wrong | pairs, None),
        (every - chance * len(wrong), wrong, None),
    ]
    at = {i: wrong[s] for i, s in inputs.items() if s in wrong}
    for fault in faults:
        if _explained(fault, inputs, at):
            moved = {inputs[i]: inputs.get(to, "") for i, to in fault.moved.items() if i in inputs}
            views.append((0.0, moved, fault))
    fits = [(prior - _slips(view, answers) * SLIP, view, fault) for prior, view, fault in views]
    most, view, likeliest = max(fits, key=lambda it: it[0])
    believed = [(2 ** (fit - most), view) for fit, view, _ in fits if fit > most - HARDLY]
    bits = {place: _bits(believed, place) for place in open_}
    if (best := max(bits.values(), default=0.0)) > ENOUGH:
        return tuple(place for place in open_ if bits[place] >= best - 0.1)
    if likeliest is None:
        return ()
    cause = _cause(likeliest, inputs, [i for i in likeliest.moved if i in inputs])
    if ends := tuple(place for place in open_ if place in (cause.first, cause.other)):
        return ends
    explained = sum(view.get(place) == answer for place, answer in wrong.items())
    return tuple(s for s in open_ if s in cause.places) if explained < LEAST else ()


def _slips(view: Mapping[str, str], answers: Mapping[str, str]) -> int:
    """How many places answer otherwise than in `view`; whatever it does not name, with itself."""
    return sum(view.get(place, place) != answer for place, answer in answers.items())


def _bits(believed: Sequence[tuple[float, Mapping[str, str]]], place: str) -> float:
    """How much the answer of a place would tell, in bits: the entropy of what it may be."""
    odds = dict[str, float]()
    for weight, view in believed:
        answer = view.get(place, place)
        odds[answer] = odds.get(answer, 0.0) + weight
    every = sum(odds.values())
    return -sum(it / every * log2(it / every) for it in odds.values() if it)


def _ground(inputs: dict[int, str], restless: set[str], left: dict[int, str]) -> Iterator[Cause]:
    """Registers of which nothing is at rest, or answers: their sensors have lost their ground."""
    for first in range(0, max(inputs, default=-1) + 1, REGISTER):
        here = [inputs[i] for i in range(first, first + REGISTER) if i in inputs]
        awake = [s for s in here if s in restless]
        if len(awake) >= LEAST and len(awake) * (AGAINST + 1) >= len(here) * AGAINST:
            yield Cause("ground", here[0], here[-1], frozenset(here))
            for i in range(first, first + REGISTER):
                left.pop(i, None)


@cache
def _faults(inputs: int) -> tuple[Fault, ...]:
    """Every fault of a chain with so many inputs; of two that explain the same the first holds."""
    registers = range(0, inputs, REGISTER)
    own = {first: range(first, first + REGISTER) for first in registers}
    faults = [Fault("silent", first, 0, dict.fromkeys(own[first], -1)) for first in registers]
    faults += [Fault("reversed", first, first, _turned(own[first])) for first in registers]
    for first, other in combinations(registers, 2):
        there = (*own[other], *own[first])
        faults.append(Fault("plugs", first, other, dict(zip(sorted(there), there, strict=True))))
    for first, by in product(registers, SHIFTS):
        faults.append(Fault("shifted", first, by, {i: i + by for i in range(first, inputs)}))
    whole = _turned(range(len(registers) * REGISTER))
    return (*faults, Fault("reversed", 0, inputs - 1, whole))


def _turned(inputs: range) -> dict[int, int]:
    return dict(zip(inputs, reversed(inputs), strict=True))


def _explained(fault: Fault, inputs: dict[int, str], wrong: dict[int, str]) -> list[int]:
    """The inputs of the wrong places that answer as a fault has it: it leaves none at its own."""
    moved = fault.moved
    return [i for i in wrong if i in moved and inputs.get(moved[i], "") == wrong[i]]


def _score(
    fault: Fault, inputs: dict[int, str], left: dict[int, str], wrong: dict[int, str]
) -> int:
    """How many places it explains, less those against it; 0 where it does not fit."""
    explained = _explained(fault, inputs, wrong)
    firing = [i for i in explained if wrong[i]]
    if len(explained) < LEAST or (fault.kind != "silent" and len(firing) < LEAST):
        return 0  # silence tells of no other wire
    against = sum(i in left for i in fault.moved) - len(explained)
    return len(explained) - against if len(explained) >= AGAINST * against else 0


def _cause(fault: Fault, inputs: dict[int, str], explained: list[int]) -> Cause:
    places = frozenset(inputs[i] for i in explained)
    first = inputs[min(explained)]
    match fault.kind:
        case "shifted":
            other = f"{fault.other:+d}"
        case "plugs":
            first = _begins(fault.first, inputs, explained)
            other = _begins(fault.other, inputs, explained)
        case _:
            other = inputs[max(explained)]
    return Cause(fault.kind, first, other, places)


def _begins(register: int, inputs: dict[int, str], explained: list[int]) -> str:
    """The first sensor of a register of which that is explained; of none, the first it has."""
    own = range(register, register + REGISTER)
    known = [i for i in explained if i in own] or [i for i in inputs if i in own] or explained
    return inputs[min(known)]
