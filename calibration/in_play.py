"""In play: a calibration while people play: the board it makes, the places that are still unsure,
and what the rolls of the evening go on teaching.

    calibration = InPlay(board, path)
    calibration.board           # to play on: measured times, exchanged wires, the strip's order
    calibration.notices         # what people should know of it
    calibration.known           # what earlier evenings have shown of the sensors
    calibration.scene(scene)    # unfinished places amber, where the game has nothing to say
    calibration.played(name, date)  # every recording
    calibration.hear(report)    # every report
    calibration.keep()          # what was learned goes into the file
"""

from collections import Counter
from collections.abc import Iterator
from copy import copy
from pathlib import Path

from msgspec.structs import replace

from hexboard.board import Board
from hexboard.calibration import level, pixels, store
from hexboard.calibration.learner import Learner
from hexboard.calibration.result import (
    Calibration,
    Measured,
    Other,
    apply,
    elsewhere,
    foreign,
    load,
    unfinished,
    wired,
)
from hexboard.calibration.sensors import lights
from hexboard.calibration.times import ENOUGH
from hexboard.calibration.trends import Rate, noted
from hexboard.facts import MS, Edge, Lost, Presence, Report, Watermark, Witnessed
from hexboard.perception.health import PULSED
from hexboard.perception.leaning import Leaning
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import Message, Said, message
from hexboard.words.errors import BadFile, BadText

QUIET = (Meaning.OPEN, Meaning.TILE, Meaning.SEAT, Meaning.LAST)
"""What a game says of a place all evening long; amber may stand above that."""
NAMED = 4
"""So many sensors are named in the notice; the rest is counted."""
RECORDINGS = 1000
"""The newest so many are known by their names; of older ones it is their evening's date."""


class InPlay:
    """One board's calibration, from the file at `path`. A board without one (None, or no such file)
    is played on as its board file says, and nothing is learned."""

    def __init__(self, board: Board, path: Path | None, command: str = "", pico: str = "") -> None:
        """`command` is what people type to finish the calibration; `pico` is the serial number of
        the Pico that is there, "" for none."""
        self.board = board
        self.notices: tuple[Message, ...] = ()
        self._path = path
        self._read: Calibration | None = None
        self._kept: Calibration | None = None  # what was made of that, and is in the file now
        self._learner = Learner(board)
        self._amber: tuple[str, ...] = ()
        self._foreign: set[str] = set()
        self._wire: dict[str, str] = {}
        self._until: dict[str, int] = {}  # nothing earlier of a device is still to come
        self._listened: Counter[str] = Counter()  # ns, by device
        self._played: list[tuple[str, str]] = []
        if path is not None and path.exists():
            self._use(path, command, pico)
        if path is not None:
            self.board, why = pixels.relit(self.board, pixels.beside(path))
            self.notices += () if why is None else (why,)

    def _use(self, path: Path, command: str, pico: str) -> None:
        plain = self.board
        try:
            self._read = load(path)
            self.board = apply(plain, self._read)
        except (BadFile, BadText) as error:
            self._read = None
            self.notices = (message("calibration.not_used", why=str(error)),)
            return
        self._learner = Learner(self.board)
        self._foreign = set(foreign(plain, self._read))
        self._wire = wired(plain, self._read)
        begun = any(it.state != "open" for it in self._read.sensors.values())
        left = unfinished(plain, self._read) if begun else ()  # else only recordings taught it
        self._amber = tuple(spot for sensor in left for spot in lights(self.board, sensor))
        if left:
            self.notices = (_unfinished(left, len(self.board.sensors), command),)
        lean = Leaning(self._read.leant).lean(plain)
        if lean is not None and lean.sure:
            self.notices = (*self.notices, level.told(lean))
        if (other := elsewhere(self._read, pico)) is not None:
            self.notices = (other, *self.notices)

    @property
    def known(self) -> Witnessed | None:
        """What earlier evenings have shown: of the sensors balls seen and missed, so that the first
        match knows how few the sound ones miss, and how long balls take; None where nothing was."""
        balls = {sensor: self._balls(sensor) for sensor in sorted(self._wire)}
        rows = ((s, felt, of - felt, 0, 0, 0, 0, 0) for s, (felt, of) in balls.items() if of)
        shown = tuple(rows)
        paces = self._read.paces if self._read else ()
        leant = self._read.leant if self._read else ()
        known = Witnessed(0, shown, paces=paces, leant=leant)
        return known if shown or paces or leant else None

    def scene(self, scene: Scene) -> Scene:
        """The scene, and amber at the places whose sensors nobody is sure of yet."""
        if not self._amber:
            return scene
        said = {mark.place for mark in scene if mark.meaning not in QUIET}
        free = (s for s in self._amber if not said & {s, s.partition("/")[0], "*"})
        return (*scene, *(Mark(spot, Meaning.UNSURE) for spot in free))

    def played(self, recording: str, date: str) -> None:
        """From this date on play is in the recording of this name."""
        self._played.append((recording, date))

    def hear(self, report: Report) -> None:
        """Learn from a report of a device."""
        if self._read is None:
            return
        match report.body:
            case Edge(sensor, level):
                self._learner.edge(sensor, level, report.at)
            case Watermark(until):
                self._learner.advance(until)
                before = self._until.get(report.source, until)
                self._listened[report.source] += max(until - before, 0)
                self._until[report.source] = until
            case Lost() | Presence():
                self._learner.forget()
                self._until.pop(report.source, None)

    def apart(self) -> "InPlay":
        """The same as it is now, to `keep` in another thread while this one hears more."""
        other = copy(self)
        other._learner, other._played = self._learner.apart(), [*self._played]
        other._listened = self._listened.copy()
        return other

    def kept_by(self, other: "InPlay") -> None:
        """What was learned so far is in the file, by one that was set `apart`."""
        self._kept = other._kept

    def keep(self, shown: Witnessed | None = None, date: str = "") -> Message | None:
        """Put the learned times into the file, and what the evening has `shown` of the sensors
        beyond what was `known`, as it is counted on this `date`; why not, where that fails. Of one
        evening it may be asked more than once: what comes last is all of it.

        The first evening makes a version, which later ones go on with: the one before it is what
        people made. A file that is frozen, or was changed meanwhile, as by `--rollback`, is left
        alone.
        """
        if self._read is None or self._path is None or self._read.frozen:
            return None
        sensors = dict(self._read.sensors)
        for sensor, wire in self._wire.items():
            if wire in sensors and wire not in self._foreign:
                known = self._learned(sensor, sensors[wire])
                for rate in self._rates(sensor, shown, date):
                    known = replace(known, rates=noted(known.rates, rate))
                if shown is not None:
                    known = replace(known, others=self._others(sensor, known, shown))
                sensors[wire] = known
        new = replace(self._read, sensors=sensors)
        if shown is not None and shown.paces:
            new = replace(new, paces=shown.paces, leant=shown.leant)
        if new == self._read:
            return None
        there = self._kept or self._read
        version = there.version if there.taught else there.version + 1
        recordings = (*new.recordings, *self._played)[-RECORDINGS:]
        new = replace(new, recordings=recordings, taught=True, version=version)
        try:
            if new == there or load(self._path) != there:
                return None
            (store.amend if there.taught else store.save)(self._path, new)
            self._kept = load(self._path)
        except (BadFile, OSError) as error:
            return message("calibration.not_kept", file=str(self._path), why=str(error))
        return None

    def _balls(self, sensor: str) -> tuple[int, int]:
        """How many balls a sensor saw on earlier evenings, of how many."""
        wire = self._wire.get(sensor, "")
        if self._read is None or wire in self._foreign or wire not in self._read.sensors:
            return 0, 0
        rates = [rate for rate in self._read.sensors[wire].rates if rate.by == "balls"]
        return sum(rate.felt for rate in rates), sum(rate.of for rate in rates)

    def _rates(self, sensor: str, shown: Witnessed | None, date: str) -> Iterator[Rate]:
        """What this evening shows of a sensor: balls that it saw, and how often it rose alone.

        Of that nothing where no roll was ruled; and where no roll found it restless, only rises
        that were too short for a ball: people may have tried one between matches.
        """
        if shown is None:
            return
        rows = ((row[1:4]) for row in shown.sensors if row[0] == sensor)
        seen, missed, restless = next(rows, (0, 0, 0))
        felt, of = self._balls(sensor)
        if seen + missed > of:
            yield Rate(date, "balls", seen - felt, seen + missed - of)
        given, samples = self.board.sensor[sensor], self._learner.samples[sensor]
        seconds = self._listened[given.source] // (1000 * MS)
        if shown.turns and seconds and given.kind in PULSED:
            alone = samples.bursts - (seen - felt) if restless else samples.glitches
            yield Rate(date, "alone", max(alone, 0), seconds)

    def _others(self, sensor: str, known: Measured, shown: Witnessed) -> tuple[Other, ...]:
        """Who spoke when its place was touched or passed, this evening too; under their wires."""
        times = Counter({one.sensor: one.times for one in known.others if one.how == "play"})
        for place, other, often in shown.instead:
            if place == sensor and other in self._wire:
                times[self._wire[other]] += often
        rest = [one for one in known.others if one.how != "play"]
        return tuple(sorted([*rest, *(Other(one, "play", n) for one, n in times.items())]))

    def _learned(self, sensor: str, known: Measured) -> Measured:
        """What is known of a sensor after this evening: times that rest on its own rolls."""
        samples = self._learner.samples.get(sensor)
        if samples is None or samples.wild or len(samples.rolled) < ENOUGH:
            return known
        times = self._learner.fit(sensor)
        known = replace(known, delay=self._learner.delay(sensor, times) or known.delay)
        return replace(known, times=times) if times is not None and times.clear else known


def _unfinished(left: tuple[str, ...], every: int, command: str) -> Message:
    names: Said = ", ".join(left[:NAMED])
    if len(left) > NAMED:
        names = message("calibration.and_more", names=names, more=len(left) - NAMED)
    return message(
        "calibration.unfinished", left=len(left), all=every, names=names, command=command
    )
