"""Wizard: guides a person over every sensor of a board, and lights where they are.

The person visits places in any order with a ball in the hand. Everything that happens is noted
first and then told to the survey, which says what is next.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Never

from hexboard.board import feels
from hexboard.calibration import sensors
from hexboard.calibration.notes import Notes
from hexboard.calibration.person import ENTER, Person, Screen, confirmed
from hexboard.devices.mailbox import Mailbox
from hexboard.facts import Edge, Lost, Presence, Report, Snapshot, Watermark
from hexboard.lights.flashes import Flashes
from hexboard.lights.frame import LightRenderer, LightSettings
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import Message, message
from hexboard.words.errors import HexboardError

RESTING_S = 2.0
"""Seconds that nobody may touch the board, to hear what it says by itself."""
GREEN = 3
"""The seat whose colour is green."""
LIGHTS = LightSettings()
"""How lights are for who has set nothing."""


class BoardGoneError(HexboardError, OSError):
    """The board did not answer, or went away and stayed away."""


class Wizard:
    """One survey with one person. `run` until all is said or they stop."""

    def __init__(
        self,
        survey: sensors.SensorSurvey,
        notes: Notes,
        mailbox: Mailbox[Never],
        light: Callable[[bytes], None],
        person: Person,
        patience: float = 5.0,
        lights: LightSettings = LIGHTS,
    ) -> None:
        self.survey = survey
        self._notes = notes
        self._mailbox = mailbox
        self._light = light
        self._person = person
        self._renderer = LightRenderer(survey.board, lights)
        self._flashes = Flashes()
        self._patience = patience
        self._heard: Message | None = None
        self._shown: Screen | None = None
        self._scene: Scene = ()
        self._begun = time.monotonic()
        self._why = ""
        self._sources = frozenset(sensor.source for sensor in survey.board.sensors)
        self._high: dict[str, set[str]] = {}
        """What is active on each source that is there: a snapshot is of one alone."""
        self._met = False
        """It has been there; from then on it is waited for."""

    def run(self) -> bool:
        """True when all is said, False when the person stopped; what is noted stays either way.

        Raises `BoardGoneError` when there is no board for `patience` seconds to begin with. One
        that goes away later is waited for.
        """
        while not self._up:
            self._listen(0.05)
        if not self.survey.rested and not self._rest():
            return False
        while (ask := self._ask()) is not None:
            self._see(self._screen(ask))
            self._listen(0.05)
            if not self._answer(self._said()):
                return False
        self._see(self._plain(message("calibration.all_said")))
        return True

    def _rest(self) -> bool:
        """Hear what the board does when nobody touches it."""
        while not (said := self._person.said()):
            self._see(self._plain(message("calibration.hands_off"), "hands_off"))
            self._listen(0.05)
        if said.lower() == "q":
            return False
        self._see(self._plain(message("calibration.listening")))
        self._note(sensors.HandsOff(True))
        end = time.monotonic() + RESTING_S
        while (left := end - time.monotonic()) > 0:
            self._listen(left)
        self._note(sensors.HandsOff(False))
        return True

    def _ask(self) -> sensors.Asked | None:
        """What is asked for: the same as before while it is wanted."""
        asked = self.survey.asked
        if asked is None or not self.survey.wanted(asked.sensor):
            asked = self.survey.next()
            if asked is not None:
                self._note(asked)
        return asked

    def _said(self) -> str:
        """What the person says. While the board is away nothing but `q` can be meant."""
        said = self._person.said().lower()
        return said if self._up or said == "q" else ""

    def _answer(self, said: str) -> bool:
        """Take in what the person says; False when they stop."""
        if said == "q":
            return False
        if said:
            self._shown = None  # so that they see what is asked, the same or not
        if said == "w":
            self._heard = message("calibration.wrong", sensor=self.survey.fired)
            self._note(sensors.Wrong())
        elif said == "n":
            self._note(sensors.Nothing())
        elif said == ENTER and self.survey.asked is not None and self.survey.asked.times > 1:
            self._note(sensors.AllTouched())
        elif said not in ("", ENTER):
            self._heard = message("calibration.not_understood", said=said[:40])
        return True

    # ------------------------------------------------------------------------------- the board

    @property
    def _up(self) -> bool:
        """Whether all that has sensors is there."""
        return self._high.keys() == self._sources

    def _listen(self, timeout: float) -> None:
        for report in self._mailbox.drain(timeout):
            for note in self._heard_of(report):
                self._note(note)
        if not self._met and time.monotonic() - self._begun > self._patience:
            raise BoardGoneError("calibration.no_board", why=self._why or "it says nothing")

    def _heard_of(self, report: Report) -> Iterator[sensors.Note]:
        match report.body:
            case Edge(sensor, level):
                high = self._high.get(report.source, set())
                (high.add if level else high.discard)(sensor)
                yield sensors.Felt(sensor, level, report.at)
            case Snapshot(active) if report.source in self._sources:
                self._high[report.source] = set(active)
                if self._up:
                    self._met = True
                    yield sensors.Levels(
                        tuple(sorted(set().union(*self._high.values()))), report.at
                    )
            case Watermark(until):
                yield sensors.Passed(until)
            case Presence(False, why) if report.source in self._sources:
                self._high.pop(report.source, None)
                self._why = why
                self._heard = message("calibration.away", why=why)
                yield sensors.Began()
            case Presence(_, note) if note:  # also that a strip is away, which nobody waits for
                self._heard = message("calibration.remark", note=note)
            case Presence(True) if self._met and report.source in self._sources:
                self._heard = message("calibration.back")
            case Lost(count):
                yield sensors.Began()
                self._heard = message("calibration.lost", count=count)

    def _note(self, note: sensors.Note) -> None:
        visits, signs = self.survey.visits, self.survey.signs
        self._notes.put(note)
        self.survey.note(note)
        if self.survey.signs != signs:
            self._heard = message("calibration.wrong", sensor=self.survey.fired)
        elif self.survey.visits != visits:
            self._heard = message("calibration.fired", sensor=self.survey.fired)

    # -------------------------------------------------------------------------------- the screen

    def _plain(self, ask: Message, wants: str = "") -> Screen:
        """A screen that asks for no place."""
        return Screen(ask, wants, heard=self._heard, rows=rows(self.survey))

    def _screen(self, ask: sensors.Asked) -> Screen:
        board, sensor = self.survey.board, self.survey.board.sensor[ask.sensor]
        wants = "count" if ask.times > 1 else "exactly" if ask.exactly else "visit"
        if ask.times > 1:
            todo = message("calibration.count", sensor=ask.sensor, times=ask.times)
        else:
            kind = feels(sensor.kind, bool(board.ramps))
            todo = message(f"calibration.{wants}_{kind}", place=sensor.place)
        keys = message("calibration.keys" if board.ramps else "calibration.keys_pads")
        if (times := self.survey.touches) > 1:
            key = "calibration.keys_times" if board.ramps else "calibration.keys_times_pads"
            keys = message(key, times=times)
        return Screen(
            todo,
            wants,
            ask.sensor,
            self.survey.fired,
            self.survey.visits,
            self._heard,
            rows(self.survey),
            keys,
            ask.times,
        )

    def _see(self, screen: Screen) -> None:
        if screen != self._shown:
            self._shown = screen
            self._person.see(screen)
        now, due = scene(self.survey), self._flashes.due
        if now != self._scene or (due is not None and due <= time.monotonic_ns()):
            self._scene = now
            lights = self._flashes.allow(self._renderer.lights(now), time.monotonic_ns())
            self._light(self._renderer.within(lights).data)


def rows(survey: sensors.SensorSurvey) -> tuple[tuple[str, int, int, int], ...]:
    """For each group: how many are done, unsure, all."""
    board = survey.board
    counted: dict[str, list[int]] = {}
    for sensor in survey.sensors:
        row = counted.setdefault(board.sensor[sensor].kind, [0, 0, 0])
        state = survey.state(sensor)
        row[0] += state == "done"
        row[1] += state == "unsure"
        row[2] += 1
    return tuple((kind, done, unsure, every) for kind, (done, unsure, every) in counted.items())


def scene(survey: sensors.SensorSurvey) -> Scene:
    """Open places dim, done ones green, unsure ones amber; what fired last bright, what is asked
    for pulsing. A light that several sensors share is done when all of them are."""
    states: dict[str, set[str]] = {}
    for sensor in survey.sensors:
        for spot in sensors.lights(survey.board, sensor):
            states.setdefault(spot, set()).add(survey.state(sensor))
    marks = [Mark(spot, *_meant(there)) for spot, there in states.items()]
    if survey.fired:
        marks += [Mark(spot, Meaning.PICKED) for spot in sensors.lights(survey.board, survey.fired)]
    if survey.asked:
        marks += [
            Mark(spot, Meaning.ASK) for spot in sensors.lights(survey.board, survey.asked.sensor)
        ]
    return tuple(marks)


def _meant(states: set[str]) -> tuple[Meaning, int]:
    if "unsure" in states:
        return Meaning.UNSURE, 0
    return (Meaning.OPEN, 0) if "open" in states else (Meaning.SEAT, GREEN)


def exchanged(
    survey: sensors.SensorSurvey, person: Person, before: Iterable[tuple[str, str]] = ()
) -> list[tuple[str, str]]:
    """The swapped wires that the person confirms: those that the survey found, then those that were
    swapped `before`. These are asked about as well, for a light at another place than the ball's is
    easily overlooked."""
    found = [(it.sensor, it.other) for it in survey.findings() if it.kind == "swapped"]
    asked = dict.fromkeys(found, "swap")
    for a, b in before:
        if (b, a) not in asked:
            asked.setdefault((a, b), "still")
    return [pair for pair, how in asked.items() if confirmed(person, _swapped(how, *pair))]


def _swapped(how: str, a: str, b: str) -> Message:
    if how == "still":
        return message("calibration.swap_still", sensor=a, other=b)
    return message("calibration.swap", sensor=a, other=b)


def told(finding: sensors.Finding) -> Message:
    """A finding as people read it."""
    return message(f"calibration.is_{finding.kind}", sensor=finding.sensor, other=finding.other)
