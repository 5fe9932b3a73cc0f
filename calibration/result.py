"""Result: what a calibration found, kept as `calibration/BOARD.json` beside the other files of a
person.

    calibration = load(path)
    board = apply(board, calibration)       # its times, and places exchanged where wires were
    unfinished(board, calibration)          # sensors that still want a visit

It is kept, with the few before it, as every result is (`store.py`).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import reduce
from hashlib import blake2b

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board, Sensor
from hexboard.calibration import store
from hexboard.calibration.sensors import Finding, SensorSurvey, exchange
from hexboard.calibration.times import ENOUGH, Times
from hexboard.calibration.trends import Rate, Trend, noted, worse
from hexboard.facts import MS, Leant, Paced
from hexboard.words import Message, message
from hexboard.words.errors import BadText

AT_ONCE = ("dead", "stuck", "inverted", "noisy", "silent", "ground")
"""Findings that a sensor refutes as soon as it fires. Others a place refutes only where it was
asked for by name, or touched often: who fires says that it works, not whose wire it has."""
UP_TO_MS = (2, 5, 10, 20, 50, 100, 200, 500)
"""The classes in which contacts are counted: up to so many ms each, and one for all longer ones."""


class Other(Struct, frozen=True, array_like=True, order=True):
    """Another sensor that spoke when a place was touched or passed, and how often.

    `how`: "with" it, at once; "instead" of it, when the place was touched by name (`sensor` is ""
    where nothing answered); in "play", for no ball, in a turn in which one passed unfelt.
    """

    sensor: str
    how: str
    times: int


class Measured(Struct, frozen=True):
    """One sensor: where it was wired, what is known of its place, and its times if they are."""

    source: str
    input: int
    state: str
    """`open`, `done` or `unsure`."""
    bursts: int = 0
    times: Times | None = None
    felt: int = 0
    touched: int = 0
    """Touches that it felt, of so many that were counted."""
    spread: tuple[int, ...] = ()
    """How many of its newest contacts were in each class of `UP_TO_MS`; () for none at all."""
    rates: tuple[Rate, ...] = ()
    """How often it worked, and rose by itself, by evenings and surveys."""
    delay: tuple[int, int] | None = None
    """From the first sign of a ball until it is believed, ns: usually, and 19 times in 20; None
    while that is not known. How long before its first sign the ball was there no edge tells."""
    others: tuple[Other, ...] = ()
    """Who else spoke when its place was touched or passed."""

    def __post_init__(self) -> None:
        if not 0 <= self.felt <= self.touched:
            raise ValueError(f"{self.felt} of {self.touched} touches cannot be")
        if len(self.spread) > len(UP_TO_MS) + 1 or min(self.spread, default=0) < 0:
            raise ValueError("contacts are in classes that there are not")

    @property
    def alone(self) -> tuple[int, int]:
        """How often it rose though no ball was there, in so many seconds; of none it is not
        known."""
        kept = [rate for rate in self.rates if rate.by == "alone"]
        return sum(rate.felt for rate in kept), sum(rate.of for rate in kept)


class Calibration(Struct, frozen=True, tag_field="schema", tag="hexboard/calibration-1"):
    """What was found out about one board. Where wires are exchanged, `sensors` go by their wires,
    which stay where they are, and `findings` by their places, where people look."""

    version: int
    """Counts the calibrations of this board."""
    board: str
    wiring: str
    """`wiring` of the board that it was made for."""
    date: str
    """When it was made, ISO 8601."""
    sensors: dict[str, Measured]
    findings: tuple[Finding, ...] = ()
    swaps: tuple[tuple[str, str], ...] = ()
    """Pairs of sensors whose wires are exchanged, as somebody confirmed."""
    taught: bool = False
    """Play has taught this version; the one before is what people made."""
    frozen: bool = False
    """Play teaches it nothing any more, until somebody thaws it."""
    paces: Paced = ()
    """How long balls took lately on their ways."""
    leant: Leant = ()
    """And on their courses, to the left and to the right."""
    recordings: tuple[tuple[str, str], ...] = ()
    """Those that taught it, in play or afterwards: name, and when it was played."""
    pico: str = ""
    """The USB serial number of the Pico that all of it was measured with; "" where nobody knows."""


def wiring(board: Board) -> str:
    """A digest of which sensor is on which input."""
    wires = [(s.id, s.source, s.input) for s in board.sensors]
    return blake2b(msgspec.json.encode(wires), digest_size=8).hexdigest()


def summary(
    survey: SensorSurvey, date: str, pico: str = "", swaps: Iterable[tuple[str, str]] = ()
) -> Calibration:
    """What a survey with this `pico` has found so far, as the first version of a file. `swaps`:
    the wires that are exchanged, as people say."""
    swaps = tuple(sorted(swaps))
    learner, board, findings = survey.learner, survey.board, survey.findings(swaps)
    there = exchange(swaps)
    upside = {f.sensor for f in findings if f.kind == "inverted"}  # of no use in play
    inverted = {there.get(place, place) for place in upside}
    sensors = {
        s: Measured(
            board.sensor[s].source,
            board.sensor[s].input,
            "unsure" if s in inverted else survey.state(s, there.get(s, s)),
            learner.samples[s].bursts,
            times := learner.fit(s),
            *(rate := survey.touched(s)),
            spread(learner.samples[s].contacts),
            (Rate(survey.dates.get(s) or date, "touches", *rate),) if rate[1] else (),
            learner.delay(s, times),
            tuple(_others(survey, s, there.get(s, s))),
        )
        for s in survey.sensors
    }
    return Calibration(1, board.name, wiring(board), date, sensors, findings, swaps, pico=pico)


def _others(survey: SensorSurvey, sensor: str, place: str) -> Iterator[Other]:
    """Who spoke with a sensor, and instead of it when the place of its wire was asked for by
    name."""
    together, said = survey.learner.together, Counter(survey.said.get(place, ()))
    for other in survey.sensors:
        if times := together[sensor, other] + together[other, sensor]:
            yield Other(other, "with", times)
    yield from (Other(other, "instead", said[other]) for other in sorted(said) if other != sensor)


def spread(contacts: Iterable[int]) -> tuple[int, ...]:
    """How many contacts (ns) are in each class of `UP_TO_MS`; () for none at all."""
    counts = [0] * (len(UP_TO_MS) + 1)
    for length in contacts:
        counts[bisect_left(UP_TO_MS, length / MS)] += 1
    return tuple(counts) if any(counts) else ()


def merged(before: Calibration | None, new: Calibration, finished: bool = True) -> Calibration:
    """The next version: what is new, and what only the one before knows of the same wires.

    If a survey is not `finished`: a sensor that it doubts stays what it was, unless there is a
    finding of it; swapped wires are kept as they were, and so are findings that are not `AT_ONCE`,
    of sensors for which there is no new one.
    """
    if before is None:
        return new
    there = exchange(before.swaps)
    named = {there.get(it, it) for f in new.findings for it in (f.sensor, f.other)}
    lasting = set[Finding]()
    if not finished:
        new = replace(new, sensors={s: _decided(it, s in named) for s, it in new.sensors.items()})
        said = {it.sensor for it in new.findings}
        lasting = {f for f in before.findings if f.kind not in AT_ONCE and f.sensor not in said}
    wrong = {there.get(it, it) for f in lasting for it in (f.sensor, f.other)}
    sensors = dict(before.sensors)
    for sensor, it in new.sensors.items():
        old = before.sensors.get(sensor)
        if old is not None and (old.source, old.input) == (it.source, it.input):
            unseen = it.state == "open"
            state = old.state if unseen or sensor in wrong else it.state
            times = it.times if it.times and (it.times.clear or not old.times) else old.times
            bursts = old.bursts if unseen else it.bursts
            it = replace(it, state=state, times=times, bursts=bursts)
            if not it.touched:
                it = replace(it, felt=old.felt, touched=old.touched)
            kept = [one for one in old.others if unseen or one.how == "play"]
            it = replace(
                it,
                spread=it.spread or old.spread,
                rates=reduce(noted, it.rates, old.rates),
                delay=it.delay or old.delay,
                others=tuple(sorted({*kept, *it.others})),
            )
        sensors[sensor] = it
    anew = {s for s, it in new.sensors.items() if it.state != "open"}
    stays = {f for f in before.findings if there.get(f.sensor, f.sensor) not in anew}
    whole = finished and anew >= before.sensors.keys()
    exchanged = (pair for pair in before.swaps if not (finished and anew & set(pair)))
    return replace(
        new,
        version=before.version + 1,
        sensors=sensors,
        findings=tuple(sorted(stays | lasting | set(new.findings))),
        swaps=tuple(sorted({*exchanged, *new.swaps})),
        frozen=before.frozen,
        paces=before.paces,
        leant=before.leant,
        recordings=before.recordings,
        pico=(new.pico if whole else "") or before.pico or new.pico,
    )


def unsaid_swaps(before: Calibration | None, survey: SensorSurvey) -> list[tuple[str, str]]:
    """The exchanged wires of before of which a finished survey does not know whether they still
    are: it was at their places, and none, asked for by name, answered with its own sensor."""
    swaps = () if before is None else before.swaps
    visited = {s for s in survey.sensors if survey.state(s) != "open"}
    return [
        pair
        for pair in swaps
        if visited & set(pair) and all(survey.answers.get(it) != it for it in pair)
    ]


def stopped(
    before: Calibration | None, survey: SensorSurvey, date: str, pico: str = ""
) -> Calibration:
    """The next version after a survey that was stopped; the one before where it brought nothing
    new, so that what `--rollback` could bring back stays there."""
    swaps = () if before is None else before.swaps
    if before is not None:
        same = merged(before, summary(survey, before.date, before.pico, swaps), finished=False)
        if replace(same, version=before.version, taught=before.taught) == before:
            return before
    return merged(before, summary(survey, date, pico, swaps), finished=False)


def forgotten(before: Calibration, sensors: Iterable[str], date: str) -> Calibration:
    """The next version, which knows nothing of the sensors at these places: others replaced them.
    Wires that are exchanged stay so."""
    gone, there = set(sensors), exchange(before.swaps)
    wires = {there.get(sensor, sensor) for sensor in gone}
    return replace(
        before,
        version=before.version + 1,
        date=date,
        taught=False,
        sensors={sensor: it for sensor, it in before.sensors.items() if sensor not in wires},
        findings=tuple(it for it in before.findings if not gone & {it.sensor, it.other}),
    )


def _decided(measured: Measured, named: bool) -> Measured:
    doubted = measured.state == "unsure" and not named
    return replace(measured, state="open") if doubted else measured


# -------------------------------------------------------------------------------------- a board


def apply(board: Board, calibration: Calibration) -> Board:
    """The board with the measured times, and with the wires exchanged that are.

    What is `unfinished`, or was measured on other wires (`foreign` names it), stays as the board
    has it, and so do times that are not `clear`. Raises `BadText` for the calibration of another
    board.
    """
    if calibration.board != board.name:
        raise BadText("calibration.other_board", made=calibration.board, board=board.name)
    sure, wire = _sure(board, calibration), wired(board, calibration)
    known = {s: it for s, it in calibration.sensors.items() if s in sure}
    sensors = (
        _applied(sensor, board.sensor[wire[sensor.id]], known.get(wire[sensor.id]))
        for sensor in board.sensors
    )
    return replace(board, sensors=tuple(sensors))


def wired(board: Board, calibration: Calibration) -> dict[str, str]:
    """For each sensor of the board, the sensor whose wire is really its own."""
    strange = set(foreign(board, calibration))
    wire = {s.id: s.id for s in board.sensors}
    for a, b in calibration.swaps:
        if a in wire and b in wire and not strange & {a, b}:
            wire[a], wire[b] = wire[b], wire[a]
    return wire


def foreign(board: Board, calibration: Calibration) -> tuple[str, ...]:
    """Sensors of the calibration that the board does not have, or has on another input."""
    wires = {s.id: (s.source, s.input) for s in board.sensors}
    return tuple(
        s for s, it in calibration.sensors.items() if wires.get(s) != (it.source, it.input)
    )


def elsewhere(calibration: Calibration, pico: str) -> Message | None:
    """What people should know where this `pico` (its serial number; "" for none) is not the one
    that the board was calibrated with: which wires are exchanged is true of one board only."""
    if pico in ("", calibration.pico) or not calibration.pico:
        return None
    return message(
        "calibration.other_pico", board=calibration.board, made=calibration.pico, here=pico
    )


def unfinished(board: Board, calibration: Calibration) -> tuple[str, ...]:
    """Sensors of the board that nobody visited and no rolls proved, or that are not sure; by their
    places."""
    sure, wire = _sure(board, calibration), wired(board, calibration)
    return tuple(s.id for s in board.sensors if wire[s.id] not in sure)


def trends(board: Board, calibration: Calibration) -> tuple[tuple[str, Trend], ...]:
    """Sensors that get worse, by what they saw of balls or felt of touches; the surest first."""
    strange = set(foreign(board, calibration))
    found = (
        (sensor, trend)
        for sensor, wire in wired(board, calibration).items()
        for by in ("balls", "touches")
        if wire in calibration.sensors.keys() - strange
        and (trend := worse(calibration.sensors[wire].rates, by))
    )
    return tuple(sorted(found, key=lambda it: -it[1].once))


def _sure(board: Board, calibration: Calibration) -> set[str]:
    """The sensors whose wires are proved. In older files exchanged ones are `unsure` where nothing
    is wrong with them beside that."""
    wrong = exchange(calibration.swaps)
    told = {it for f in calibration.findings if f.kind != "swapped" for it in (f.sensor, f.other)}
    pairs = {s for f in calibration.findings if f.kind == "swapped" for s in (f.sensor, f.other)}
    sound = {s for s in pairs & wrong.keys() if not told & {s, wrong[s]}}
    proved = {s for s, it in calibration.sensors.items() if s in sound or _proved(it)}
    return proved - set(foreign(board, calibration))


def _proved(measured: Measured) -> bool:
    rolled = measured.times is not None and measured.times.pulses >= ENOUGH
    return measured.state == "done" or (measured.state == "open" and rolled)


def _applied(sensor: Sensor, wire: Sensor, measured: Measured | None) -> Sensor:
    sensor = replace(sensor, source=wire.source, input=wire.input)
    times = measured and measured.times
    if not times or not times.clear:
        return sensor
    return replace(sensor, min_high=times.min_high, min_low=times.min_low, dead=times.dead)


# ------------------------------------------------------------------------------------ the file


STORE = store.Store(Calibration, "sensors")
place = STORE.place
load = STORE.load
rollback = STORE.rollback
