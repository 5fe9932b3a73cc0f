"""A hand with a ball visits every place of a board whose faults we know: they are what is found."""

from collections.abc import Callable
from random import Random

import pytest

from calibration.sensors import (
    Asked,
    Began,
    Felt,
    Finding,
    Levels,
    Note,
    Nothing,
    Passed,
    Rest,
    Survey,
    Wrong,
    spots,
)
from calibration.simulated import Bench
from controller.board import Board
from controller.facts import MS
from tests.calibration.boards import Faulty, board
from tests.desk import BOARD

FLOWER = board()


class Hand:
    """A person and a world in simulated time. `visit` chooses where the ball goes next, and they
    may `watch` the lights, and so see where a wrong place lights up."""

    def __init__(self, world: Bench, survey: Survey, watch: bool = True) -> None:
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
        self.note(Rest(True))
        self.wait(2000)
        self.note(Rest(False))

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
        elif self.watch and not asked.exactly and self.survey.fired != place:
            self.note(Wrong())
        return True

    def all(self, seed: int | None = None) -> None:
        """Every place: in a random order, or where the wizard asks."""
        todo = [s.id for s in self.world.board.sensors if s.kind != "rail"]
        Random(seed or 0).shuffle(todo)

        def choose(asked: Asked) -> str:
            return todo.pop() if seed is not None and todo else asked.sensor

        if not self.survey.rested:
            self.rest()
        while self.visit(choose):
            assert self.touches < 4 * len(self.world.board.sensors), "it never ends"


def surveyed(world: Bench, seed: int | None = None, watch: bool = True) -> Hand:
    hand = Hand(world, Survey(world.board), watch)
    hand.all(seed)
    return hand


FAULTS = {
    "none": ({}, set()),
    "dead": ({"dead": ["edge:B2-C2"]}, {Finding("edge:B2-C2", "dead")}),
    "stuck": ({"stuck": ["fall:C3"]}, {Finding("fall:C3", "stuck")}),
    "inverted": ({"inverted": ["exit:A1-5"]}, {Finding("exit:A1-5", "inverted")}),
    "noisy": ({"noisy": ["gate:B1-1"]}, {Finding("gate:B1-1", "noisy")}),
    "swapped": (
        {"swapped": {"edge:B1-C1": "edge:D3-E3"}},
        {Finding("edge:B1-C1", "swapped", "edge:D3-E3")},
    ),
    "crosstalk": (
        {"crosstalk": {"fall:A1": "seat:E4"}},
        {Finding("seat:E4", "crosstalk", "fall:A1")},
    ),
}


@pytest.mark.parametrize("order", [None, 1, 2])
@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_found_is_what_was_injected(fault: str, order: int | None) -> None:
    faults, expected = FAULTS[fault]
    hand = surveyed(Faulty(BOARD, **faults), order)  # type: ignore[arg-type]
    assert set(hand.survey.findings()) == expected
    doubtful = {f.sensor for f in expected if f.kind not in ("crosstalk", "inverted")}
    doubtful |= {f.other for f in expected if f.kind == "swapped"}
    for sensor in BOARD.sensor:
        assert (hand.survey.state(sensor) == "done") == (sensor not in doubtful), sensor


def test_all_faults_at_once_are_each_found() -> None:
    faults = {
        "dead": ["edge:A1-B1", "load:B1-6"],
        "stuck": ["fall:C3"],
        "noisy": ["gate:D1-1"],
        "swapped": {"edge:B1-C1": "edge:D3-E3", "fall:A2": "throat:B5-3"},
        "crosstalk": {"exit:A1-5": "exit:E4-3"},
    }
    expected = {
        Finding("edge:A1-B1", "dead"),
        Finding("load:B1-6", "dead"),
        Finding("fall:C3", "stuck"),
        Finding("gate:D1-1", "noisy"),
        Finding("edge:B1-C1", "swapped", "edge:D3-E3"),
        Finding("fall:A2", "swapped", "throat:B5-3"),
        Finding("exit:E4-3", "crosstalk", "exit:A1-5"),
    }
    for seed in range(3):
        hand = surveyed(Faulty(BOARD, **faults), seed)  # type: ignore[arg-type]
        assert set(hand.survey.findings()) == expected


def test_a_sound_board_wants_one_visit_a_place() -> None:
    hand = surveyed(Bench(BOARD, {}, 1), seed=5)
    assert hand.touches == len(BOARD.sensors) - 1  # the rail is there at rest


def test_somebody_who_never_looks_up_finds_swapped_wires_by_trying_again() -> None:
    faults = {"swapped": {"edge:a1-a2": "edge:b2-c2"}}
    hand = surveyed(Faulty(FLOWER, **faults), watch=False)  # type: ignore[arg-type]
    assert hand.survey.findings() == (Finding("edge:a1-a2", "swapped", "edge:b2-c2"),)


def test_three_wires_in_a_ring_are_named_place_by_place() -> None:
    world = Faulty(FLOWER)
    world._swapped = {"fall:a1": "fall:a2", "fall:a2": "fall:b1", "fall:b1": "fall:a1"}
    assert set(surveyed(world, 3).survey.findings()) == {
        Finding("fall:a1", "instead", "fall:a2"),
        Finding("fall:a2", "instead", "fall:b1"),
        Finding("fall:b1", "instead", "fall:a1"),
    }


def test_a_survey_goes_on_from_its_notes_wherever_they_were_cut() -> None:
    faults = {"dead": ["edge:a1-a2"], "swapped": {"fall:a1": "fall:c2"}}
    expected = {Finding("edge:a1-a2", "dead"), Finding("fall:a1", "swapped", "fall:c2")}
    whole = surveyed(Faulty(FLOWER, **faults), 7)  # type: ignore[arg-type]
    assert set(whole.survey.findings()) == expected
    for cut in range(0, len(whole.notes), 17):
        world = Faulty(FLOWER, **faults)  # type: ignore[arg-type]
        again = Hand(world, Survey(FLOWER))
        for note in (*whole.notes[:cut], Began()):
            again.survey.note(note)
        again.all(8)
        assert set(again.survey.findings()) == expected


def test_only_the_groups_asked_for_are_visited() -> None:
    hand = Hand(Bench(BOARD, {}, 1), Survey(BOARD, ["gate"]))
    hand.all()
    assert hand.touches == 6
    assert {s.partition(":")[0] for s in hand.survey.sensors} == {"gate"}


def test_a_rail_without_power_is_found_at_rest() -> None:
    world = Bench(BOARD, {}, 1)
    world.levels.clear()
    hand = Hand(world, Survey(BOARD, ["rail"]))
    hand.all()
    assert hand.survey.findings() == (Finding("rail:main", "dead"),)


@pytest.mark.parametrize(
    ("sensor", "lights"),
    [
        ("edge:B1-C1", ("B1/3", "C1/6")),
        ("gate:B1-6", ("B1/6",)),
        ("exit:A1-5", ("A1/5",)),
        ("fall:C3", ("C3",)),
        ("floor:ZB", ("B5/3", "B5/4", "B5/5")),
        ("rail:main", ()),
    ],
)
def test_each_sensor_has_its_lights(sensor: str, lights: tuple[str, ...]) -> None:
    assert spots(BOARD, sensor) == lights


def test_every_light_of_a_sensor_is_one_of_the_board() -> None:
    there: set[str] = {f"{p.cell}/{p.edge}" for p in BOARD.pixels} | set(BOARD.cell)
    boards: tuple[Board, ...] = (BOARD,)
    for which in boards:
        assert all(spot in there for s in which.sensor for spot in spots(which, s))
