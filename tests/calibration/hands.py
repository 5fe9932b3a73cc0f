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
from hexboard.commands.calibrate.simulated import Bench
from hexboard.facts import MS


class Hand:
    """A person and a world in simulated time. `visit` chooses where the ball goes next, and they
    may `watch` the lights, and say so whenever another place lights up, as they are told to: by a
    key, or where they have none (`sign`) with the ball."""

    def __init__(
        self, world: Bench, survey: SensorSurvey, watch: bool = True, sign: bool = False
    ) -> None:
        self.world = world
        self.survey = survey
        self.watch = watch
        self.sign = sign
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

    def ask(self) -> Asked | None:
        """What is asked for now, as the wizard does."""
        asked = self.survey.asked
        if asked is None or not self.survey.wanted(asked.sensor):
            asked = self.survey.next()
            if asked is not None:
                self.note(asked)
        return asked

    def visit(self, choose: Callable[[Asked], str]) -> bool:
        """One visit; False when nothing is asked any more."""
        if (asked := self.ask()) is None:
            return False
        place = asked.sensor if asked.exactly else choose(asked)
        before = self.survey.visits
        self.touches += 1
        self.world.touch(place)
        self.wait(1000)
        if self.survey.visits == before:
            if place == asked.sensor:
                self.note(Nothing())
        elif self.watch and self.survey.fired != place and self.sign:
            if not asked.exactly:
                self.hold_twice(place)
        elif self.watch and self.survey.fired != place:
            self.note(Wrong())
        return True

    def hold_twice(self, place: str) -> None:
        """Hold the ball there for two seconds, twice, while the wizard goes on asking."""
        for _ in range(2):
            self.world.touch(place, 2000)
            for _ in range(25):
                self.wait(100)
                self.ask()

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
