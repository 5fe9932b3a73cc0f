"""A hand with a ball at a simulated board, and a survey that hears of it."""

from collections.abc import Callable
from random import Random

from hexboard.calibration.sensors import (
    Asked,
    Began,
    Felt,
    HandsOff,
    Levels,
    Note,
    Nothing,
    Passed,
    SensorSurvey,
    Wrong,
)
from hexboard.calibration.simulated import Bench
from hexboard.facts import MS


class Hand:
    """A person and a world in simulated time. `visit` chooses where the ball goes next, and they
    may `watch` the lights, and say so whenever another place lights up, as they are told to."""

    def __init__(self, world: Bench, survey: SensorSurvey, watch: bool = True) -> None:
        self.world = world
        self.survey = survey
        self.watch = watch
        self.notes: list[Note] = []
        self.touches = 0

    def note(self, note: Note) -> None:
        self.notes.append(note)
        self.survey.note(note)

    def wait(self, ms: int) -> None:
        for seen in self.world.run(self.world.now + ms * MS):
            self.note(Felt(seen.sensor, seen.level, seen.at))
        self.note(Passed(self.world.now))

    def rest(self) -> None:
        self.note(Began())
        self.note(Levels(tuple(self.world.levels), 0))
        self.note(HandsOff(True))
        self.wait(2000)
        self.note(HandsOff(False))

    def visit(self, choose: Callable[[Asked], str]) -> bool:
        """One visit; False when nothing is asked any more."""
        asked = self.survey.asked
        if asked is None or not self.survey.wanted(asked.sensor):
            asked = self.survey.next()
            if asked is None:
                return False
            self.note(asked)
        place = asked.sensor if asked.exactly else choose(asked)
        before = self.survey.visits
        self.touches += 1
        self.world.touch(place)
        self.wait(150)
        if self.survey.visits == before:
            if place == asked.sensor:
                self.note(Nothing())
        elif self.watch and self.survey.fired != place:
            self.note(Wrong())
        return True

    def all(self, seed: int | None = None, most: int = 0) -> None:
        """Every place: in a random order, or where the wizard asks; fails after `most` visits, or
        four a sensor."""
        todo = [s.id for s in self.world.board.sensors if s.kind != "rail"]
        Random(seed or 0).shuffle(todo)

        def choose(asked: Asked) -> str:
            return todo.pop() if seed is not None and todo else asked.sensor

        if not self.survey.rested:
            self.rest()
        while self.visit(choose):
            assert self.touches < (most or 4 * len(self.world.board.sensors)), "it never ends"


def surveyed(world: Bench, seed: int | None = None, watch: bool = True) -> Hand:
    hand = Hand(world, SensorSurvey(world.board), watch)
    hand.all(seed)
    return hand
