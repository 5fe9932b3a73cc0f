"""A hand with a ball visits every place of a board whose faults we know: they are what is found."""

import sys
from random import Random
from types import FrameType

import pytest

from hexboard.board import Board
from hexboard.calibration.restless import OFTEN
from hexboard.calibration.sensors import (
    Asked,
    Began,
    Felt,
    Finding,
    HandsOff,
    Note,
    Nothing,
    Passed,
    SensorSurvey,
    TouchCount,
    Wrong,
    crosstalk,
    spots,
)
from hexboard.commands.calibrate.simulated import HOLD_MS, Bench
from hexboard.facts import MS
from tests.benchmarks.survey import CASES, FAILING, MOST, TOUCHES, Rough, rough, run
from tests.calibration.boards import Faulty, Rewired, board, moved
from tests.calibration.hands import Hand, surveyed
from tests.desk import BOARD

FLOWER = board()


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
    hand = surveyed(Bench(BOARD, 1), seed=5)
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


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("case", CASES)
def test_wrong_wires_are_named_by_their_cause_and_somebody_who_does_as_asked_gets_done(
    case: str, seed: int
) -> None:
    right, visits, _ = run(BOARD, case, seed)
    assert right
    assert visits < (200 if case == "healthy" else MOST)


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("case", ["2 swapped pairs", "three in a ring", "chain shifted by one"])
def test_somebody_without_a_key_at_hand_says_with_the_ball_that_another_place_lit_up(
    case: str, seed: int
) -> None:
    right, visits, _ = run(BOARD, case, seed, sign=True)
    assert right
    assert visits < MOST


def test_a_ball_held_twice_says_what_the_key_says_and_once() -> None:
    wires = {"edge:B1-C1": "edge:D3-E3", "edge:D3-E3": "edge:B1-C1"}
    for sign in (False, True):
        survey = SensorSurvey(BOARD, touches=TOUCHES)
        hand = Hand(Rewired(BOARD, wires), survey, watch=not sign)
        hand.rest()
        hand.visit(lambda asked: "edge:B1-C1")
        assert survey.state("edge:D3-E3") == ("done" if sign else "unsure")
        if sign:
            hand.hold_twice("edge:B1-C1")
            hand.hold_twice("edge:B1-C1")
        assert (survey.state("edge:D3-E3"), survey.visits) == ("unsure", 1)
        assert survey.signs == sign  # it was said of that visit already


def test_touches_that_nobody_counted_make_no_sensor_weak_that_felt_all_but_one() -> None:
    count = TouchCount(10)
    count.trials["a"], count.most["a"] = [10, 9], 5
    assert count.weak("a") == ""
    count.trials["a"] = [9, 9]
    assert count.weak("a") == "18 of 20"  # with the five, 7 of 30 are missing


def test_after_a_wrong_place_it_asks_for_what_tells_most_but_not_for_the_place_just_told() -> None:
    """The ribs on inputs 16 to 23 are reversed; the ball is at 17, whose light is that of 22."""
    ribs = {s.input: s.id for s in BOARD.sensors}
    hand = Hand(
        Rewired(BOARD, moved(BOARD, lambda i: 39 - i if 16 <= i < 24 else i)),
        SensorSurvey(BOARD),
    )
    hand.rest()
    hand.visit(lambda asked: ribs[17])
    assert (walk := hand.ask()) is not None
    assert not walk.exactly  # who says so again, and has not moved, tells nothing of another place
    hand.visit(lambda asked: ribs[100])  # they go where they like
    named = [asked.sensor for _ in range(5) if (asked := hand.ask()) and hand.visit(lambda a: "")]
    assert named[:2] == [ribs[22], ribs[17]]  # what lit up, and what it was exchanged with
    assert named[2] in {ribs[i] for i in (18, 19, 20, 21)}  # a pair, or a register: the nearest
    assert {*named[3:]} == {ribs[16], ribs[23]}  # the ends by which it is named
    assert hand.survey.findings() == (Finding(ribs[16], "reversed", ribs[23]),)
    assert hand.survey.visits == 7
    assert (walk := hand.ask()) is not None
    assert not walk.exactly  # all is explained


@pytest.mark.parametrize(("brushes", "sure"), [(False, True), (True, False)])
def test_two_places_with_each_others_answer_are_sure_of_it_unless_the_hand_brushes(
    brushes: bool, sure: bool
) -> None:
    wires = {"edge:D2-E2": "edge:E3-E4", "edge:E3-E4": "edge:D2-E2"}
    hand = Hand(Rewired(BOARD, wires), SensorSurvey(BOARD, ["edge"]))
    hand.rest()
    for place in ("edge:B1-B2", "edge:B1-C1"):
        hand.world.touch(place)
        hand.wait(300 if brushes else 1000)
    hand.wait(1000)
    for place in wires:
        hand.note(Asked(place, exactly=True))
        hand.visit(lambda asked: "")
    swapped = Finding("edge:D2-E2", "swapped", "edge:E3-E4")
    assert hand.survey.findings() == (swapped,) * sure


def dragged(hand: Hand, *way: str) -> None:
    """A ball is dragged over these places, 200 ms from one to the next, and then rests."""
    for place in way:
        hand.ask()
        hand.world.touch(place)
        hand.wait(200)
    hand.wait(1500)


ROW = ("edge:B1-C1", "edge:C1-C2", "edge:C2-D2", "edge:C2-C3")
"""Ribs beside each other."""


def test_a_ball_that_is_dragged_teaches_each_place_that_it_comes_over() -> None:
    hand = Hand(Bench(BOARD, 1), SensorSurvey(BOARD, ["edge"]))
    hand.rest()
    dragged(hand, *ROW)
    assert [hand.survey.state(s) for s in ROW] == ["done"] * 4
    assert hand.survey.answers == {}


@pytest.mark.parametrize(
    ("way", "answer"),
    [
        (("edge:D2-E2", "edge:C2-D2", ROW[0]), ROW[0]),  # it comes along, and gets there
        (("edge:D2-E2", "edge:C2-D2"), None),  # not there yet
        (("edge:D2-E2",), "edge:D2-E2"),  # nothing else fires
        (("edge:D2-E2", "edge:D2-E2"), "edge:D2-E2"),
    ],
)
def test_what_a_ball_comes_over_on_its_way_to_a_place_is_not_that_places_answer(
    way: tuple[str, ...], answer: str | None
) -> None:
    hand = Hand(Bench(BOARD, 1), SensorSurvey(BOARD, ["edge"]))
    hand.rest()
    dragged(hand, *ROW[1:3])
    hand.note(Asked(ROW[0], exactly=True))
    for place in way:
        hand.world.touch(place)
        hand.wait(200)
    hand.wait(1500)
    assert hand.survey.answers.get(ROW[0]) == answer
    hand.note(Nothing())
    assert hand.survey.answers[ROW[0]] == (answer or "")


def test_what_a_ball_is_still_dragged_over_as_a_place_is_asked_for_says_nothing_of_it() -> None:
    hand = Hand(Bench(BOARD, 1), SensorSurvey(BOARD, ["edge"]))
    hand.rest()
    hand.world.touch(ROW[0])
    hand.wait(200)
    hand.note(Asked("edge:D3-E3", exactly=True))
    dragged(hand, ROW[1])
    assert (hand.survey.answers, hand.survey.asked) == ({}, Asked("edge:D3-E3", exactly=True))
    for k in range(30):  # it ends
        hand.world.touch(ROW[k % 3])
        hand.wait(200)
    assert hand.survey.answers["edge:D3-E3"] == ""


def test_who_says_wrong_as_a_place_has_just_been_asked_for_means_what_they_saw_before_it() -> None:
    hand = Hand(Bench(BOARD, 1), SensorSurvey(BOARD, ["edge"]))
    hand.rest()
    hand.world.touch(ROW[0])
    hand.wait(200)
    hand.note(Asked("edge:D3-E3", exactly=True))
    hand.world.touch(ROW[1])  # the hand brushes it as it leaves
    hand.wait(1500)
    hand.note(Wrong())
    assert (hand.survey.answers, hand.survey.asked) == ({}, Asked("edge:D3-E3", exactly=True))
    hand.note(Wrong())
    assert hand.survey.answers == {"edge:D3-E3": ROW[1]}


def test_of_what_a_hand_fires_at_a_place_the_answer_is_what_fired_there_oftenest() -> None:
    hand = Hand(Bench(BOARD, 1), SensorSurvey(BOARD, ["edge"]))
    hand.rest()
    for brushed in ("edge:D2-E2", "edge:D3-E3", "edge:D2-D3"):
        hand.note(Asked(ROW[0], exactly=True))
        for sensor in (ROW[3], brushed):
            hand.world.touch(sensor)
            hand.wait(300)
        hand.wait(1500)
        hand.note(Wrong())
    assert hand.survey.said[ROW[0]] == ["edge:D2-E2", ROW[3], ROW[3]]


@pytest.mark.parametrize(
    ("touches", "way", "by_name"),
    [(1, ROW[:1], True), (1, ROW[:2], False), (10, ROW[:2], True), (10, ROW[:3], False)],
)
def test_a_hand_that_brushes_or_drags_is_asked_for_the_nearest_place_as_before(
    touches: int, way: tuple[str, ...], by_name: bool
) -> None:
    wires = {"edge:D2-E2": "edge:E3-E4", "edge:E3-E4": "edge:D2-E2"}
    hand = Hand(Rewired(BOARD, wires), SensorSurvey(BOARD, ["edge"], touches))
    hand.rest()
    dragged(hand, *way)
    for place in ("edge:D2-E2", "edge:B4-C4"):
        for _ in range(touches):
            hand.ask()
            hand.world.touch(place)
            hand.wait(300)
        hand.wait(1500)
        if place in wires:
            hand.note(Wrong())
    assert (asked := hand.ask()) is not None
    assert asked.exactly == by_name


def test_a_sensor_that_fires_in_a_row_of_places_far_from_its_own_is_asked_for_by_name() -> None:
    wires = {ROW[1]: "edge:E3-E4", "edge:E3-E4": ROW[1]}
    hand = Hand(Rewired(BOARD, wires), SensorSurvey(BOARD, ["edge"]), watch=False)
    hand.rest()
    dragged(hand, *ROW)
    assert hand.survey.state("edge:E3-E4") == "unsure"
    assert [hand.survey.state(s) for s in (ROW[0], *ROW[2:])] == ["done"] * 3
    dragged(hand, "edge:E2-E3", "edge:E3-E4", "edge:D4-E4")
    assert hand.survey.state(ROW[1]) == "unsure"
    hand.all()
    assert hand.survey.findings() == (Finding(ROW[1], "swapped", "edge:E3-E4"),)


def test_one_who_drags_and_sees_another_place_light_up_is_asked_for_all_the_way() -> None:
    hand = Hand(Bench(BOARD, 1), SensorSurvey(BOARD, ["edge"]))
    hand.rest()
    dragged(hand, *ROW)
    hand.note(Wrong())
    assert [hand.survey.state(s) for s in ROW] == ["unsure"] * 4
    hand.ask()
    dragged(hand, "exit:A1-1", "edge:D3-E3", "edge:A3-A4")  # from end to end: no drag
    hand.note(Wrong())
    assert hand.survey.state("edge:D3-E3") == "done"


def test_so_is_one_who_was_asked_for_a_place_by_name_meanwhile() -> None:
    hand = Hand(Bench(BOARD, 1), SensorSurvey(BOARD, ["edge"]))
    hand.rest()
    hand.world.touch(ROW[0])
    hand.wait(200)
    hand.note(Asked("edge:D3-E3", exactly=True))
    dragged(hand, *ROW[1:])
    hand.note(Wrong())
    assert hand.survey.answers == {}
    assert [hand.survey.state(s) for s in ROW] == ["unsure"] * 4


def test_a_sensor_that_fires_after_ever_other_places_is_noisy_and_has_said_nothing() -> None:
    hand = Hand(Bench(BOARD, 1), SensorSurvey(BOARD, ["edge"]))
    hand.rest()
    noisy, *places = list(dict.fromkeys((*ROW, *hand.survey.sensors)))[: 1 + OFTEN]
    hand.note(Asked("edge:D3-E3", exactly=True))
    hand.world.touch(noisy)
    hand.wait(1000)
    assert hand.survey.answers == {"edge:D3-E3": noisy}
    for place in places:
        assert Finding(noisy, "noisy") not in hand.survey.findings()
        for sensor in (place, noisy):
            hand.ask()
            hand.world.touch(sensor)
            hand.wait(1000)
    assert hand.survey.findings() == (Finding(noisy, "noisy"),)
    assert noisy not in hand.survey.answers.values()
    assert hand.survey.wanted("edge:D3-E3")


def test_a_hand_that_goes_to_and_fro_or_hurries_makes_no_sensor_noisy() -> None:
    places = [s.id for s in BOARD.sensors if s.kind == "edge"]
    for pause, pairs in ((1000, [ROW[:2]] * 20), (600, [(ROW[0], it) for it in places])):
        hand = Hand(Bench(BOARD, 1), SensorSurvey(BOARD, ["edge"]))
        hand.rest()
        for sensor in (it for pair in pairs for it in pair):
            hand.world.touch(sensor)
            hand.wait(pause)
        assert hand.survey.findings() == ()


@pytest.mark.long
@pytest.mark.parametrize("touches", [1, 10])
@pytest.mark.parametrize("case", ["healthy", "3 swapped pairs", "dead register"])
def test_a_rough_hand_that_drags_the_ball_finds_what_is_wrong(case: str, touches: int) -> None:
    found, visits, else_too = rough(BOARD, case, 4, True, touches)
    assert (found, else_too) == (True, False)
    assert visits < 200


@pytest.mark.parametrize("seed", range(5))
def test_a_survey_ends_even_for_somebody_who_answers_at_random(seed: int) -> None:
    chance, survey = Random(seed), SensorSurvey(FLOWER)
    hand, every = Hand(Faulty(FLOWER), survey), list(FLOWER.sensor)
    hand.rest()
    for _ in range(3 * 2 * 3 * len(every)):  # visits, answers to them, and asks of each place
        if survey.asked is None or not survey.wanted(survey.asked.sensor):
            if (asked := survey.next()) is None:
                break
            hand.note(asked)
        if chance.random() < 0.7:
            hand.world.touch(chance.choice(every))
        hand.wait(1000)
        if (said := chance.choice((Wrong(), Nothing(), None))) is not None:
            hand.note(said)
    assert survey.next() is None


class TwoBalls(Bench):
    """Somebody with a ball in each hand: every third touch, the other one is over another place."""

    chance = Random(1)

    def touch(self, sensor: str, ms: int = HOLD_MS) -> None:
        super().touch(sensor, ms)
        other = self.chance.choice(list(self.board.sensor))
        if self.chance.random() < 1 / 3 and other != sensor:
            self._pulse(other, self.now + self.chance.randrange(25) * MS, ms * MS)


@pytest.mark.parametrize("seed", range(6))
def test_two_balls_at_once_cost_visits_and_nothing_is_found_that_is_not_so(seed: int) -> None:
    world = TwoBalls(FLOWER, seed=1)
    world.chance = Random(seed)
    hand = surveyed(world, seed if seed % 2 else None)
    assert hand.survey.findings() == ()
    assert {hand.survey.state(sensor) for sensor in FLOWER.sensor} == {"done"}
    assert hand.touches < 2 * len(FLOWER.sensor)


def test_two_places_with_one_answer_are_asked_for_again_and_the_slip_is_forgotten() -> None:
    hand = Hand(Faulty(FLOWER), SensorSurvey(FLOWER, ["fall"]))
    hand.rest()
    for name, touched in (("fall:a1", "fall:a2"), ("fall:a2", "fall:a2"), ("fall:a1", "fall:a1")):
        hand.note(Asked(name, exactly=True))
        hand.world.touch(touched)
        hand.wait(1000)
    assert hand.survey.answers == {"fall:a1": "fall:a1", "fall:a2": "fall:a2"}
    assert hand.survey.state("fall:a2") == "unsure"  # it is asked for once more as well
    hand.all()
    assert hand.survey.findings() == ()


def test_a_register_whose_ground_is_loose_is_one_finding() -> None:
    own = [s.id for s in BOARD.sensors if 16 <= s.input < 24]
    hand = surveyed(Faulty(BOARD, noisy=own))
    assert hand.survey.findings() == (Finding(own[0], "ground", own[-1]),)


def test_a_survey_goes_on_from_its_notes_wherever_they_were_cut() -> None:
    faults = {"dead": ["edge:a1-a2"], "swapped": {"fall:a1": "fall:c2"}}
    expected = {Finding("edge:a1-a2", "dead"), Finding("fall:a1", "swapped", "fall:c2")}
    whole = surveyed(Faulty(FLOWER, **faults), 7)  # type: ignore[arg-type]
    assert set(whole.survey.findings()) == expected
    for cut in range(0, len(whole.notes), 17):
        world = Faulty(FLOWER, **faults)  # type: ignore[arg-type]
        again = Hand(world, SensorSurvey(FLOWER))
        for note in (*whole.notes[:cut], Began()):
            again.survey.note(note)
        again.all(8)
        assert set(again.survey.findings()) == expected


def test_only_the_groups_asked_for_are_visited() -> None:
    hand = Hand(Bench(BOARD, 1), SensorSurvey(BOARD, ["gate"]))
    hand.all()
    assert hand.touches == 6
    assert {s.partition(":")[0] for s in hand.survey.sensors} == {"gate"}


def test_a_rail_without_power_is_found_at_rest() -> None:
    world = Bench(BOARD, 1)
    world.levels.clear()
    hand = Hand(world, SensorSurvey(BOARD, ["rail"]))
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


@pytest.mark.parametrize("order", [None, 3])
def test_a_ball_forgotten_on_a_rib_is_not_called_inverted(order: int | None) -> None:
    world = Bench(BOARD, 1)
    world.levels.add("edge:B1-C1")
    hand = Hand(world, SensorSurvey(BOARD))
    hand.rest()
    for _ in range(20):
        asked = hand.survey.next()
        assert asked is not None
        hand.visit(lambda asked: asked.sensor)
    world._at(world.now, "level", ("edge:B1-C1", False))  # somebody sees it, and takes it away
    hand.all(order)
    assert hand.survey.findings() == ()
    assert hand.survey.state("edge:B1-C1") == "done"


def test_of_a_rib_that_is_inverted_it_is_said_however_long_the_ball_is_held() -> None:
    world = Faulty(BOARD, inverted=["edge:B1-C1"])
    hand = Hand(world, SensorSurvey(BOARD, ["edge"]))
    hand.rest()
    hand.note(Asked("edge:B1-C1", exactly=True))
    world.touch("edge:B1-C1", 2000)
    hand.wait(2500)
    hand.all()
    assert hand.survey.findings() == (Finding("edge:B1-C1", "inverted"),)


@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("case", FAILING)
def test_ten_touches_a_place_tell_what_is_wrong_under_bounce_and_a_hand_that_brushes(
    case: str, seed: int
) -> None:
    named, visits, something_else = rough(BOARD, case, seed)
    assert (named, something_else) == (True, False)
    assert visits < (200 if case == "healthy" else MOST)


def test_a_release_bounce_is_no_second_visit() -> None:
    survey = SensorSurvey(BOARD)
    hand = Hand(Bench(BOARD, 1), survey)
    hand.rest()
    rib, at = "edge:B1-C1", 10_000 * MS
    for level, later in ((True, 0), (False, 300), (True, 310), (False, 312), (True, 350)):
        survey.note(Felt(rib, level, at + later * MS))
    survey.note(Passed(at + 1000 * MS))
    assert survey.visits == 1


def test_a_survey_of_many_touches_goes_on_from_its_notes() -> None:
    person = Rough(BOARD, Random(2), {"edge:B1-C1": 0.5}, {}, {})
    notes, tell = list[Note](), person.survey.note

    def noted(note: Note) -> None:
        notes.append(note)
        tell(note)

    person.survey.note = noted  # type: ignore[method-assign]
    person.survey_all(own_order=False)
    again = SensorSurvey(BOARD, touches=TOUCHES)
    for note in notes:
        again.note(note)
    assert again.findings() == person.survey.findings()
    assert [finding.kind for finding in again.findings()] == ["weak"]


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("works 70 %", 6),
        ("works 70 %", 1008),
        ("works 50 %", 1010),
        ("works 50 %", 1021),
        ("3 swapped pairs", 1028),
    ],
)
def test_a_rough_hand_finds_what_is_wrong_and_nothing_beside_it(name: str, seed: int) -> None:
    """Touches of a weak sensor that went on while the next place was asked for already were taken
    for that one's answer; and of a place whose neighbour was brushed last, the neighbour's light
    was said to be wrong. Of 20 touches counted 18 decide nothing: ten more do."""
    found, _, more = rough(BOARD, name, seed)
    assert (found, more) == (True, False)


def test_who_disturbs_whom_is_worked_out_once_for_all_sensors_after_an_edge() -> None:
    survey = SensorSurvey(BOARD)
    ribs = [sensor.id for sensor in BOARD.sensors if sensor.kind == "edge"][:20]
    notes: list[Note] = [Began(), HandsOff(True), HandsOff(False)]
    for k in range(5):
        at = 500 * MS * k
        notes += [Felt(rib, True, at + n) for n, rib in enumerate(ribs)]
        notes += [Felt(rib, False, at + 50 * MS + n) for n, rib in enumerate(ribs)]
        notes.append(Passed(at + 400 * MS))
    for note in notes:
        survey.note(note)
    worked_out = []

    def called(frame: FrameType, event: str, _: object) -> None:
        worked_out.extend([event] * (event == "call" and frame.f_code is crosstalk.__code__))

    sys.setprofile(called)
    try:
        states = {survey.state(rib) for rib in ribs}
        assert survey.next() is not None
        survey.note(Passed(10_000 * MS))
        states |= {survey.state(rib) for rib in ribs}
    finally:
        sys.setprofile(None)
    assert (states, len(worked_out)) == ({"done"}, 1)


@pytest.mark.parametrize("sooner", [True, False])
def test_two_sound_sensors_are_not_dead_for_whoever_says_that_nothing_happens(sooner: bool) -> None:
    """Their wires are exchanged; the person looks at the pulsing place alone, whose light stays as
    it is. Says so at once, they have shown what fires there; or once the other had its time."""
    one, other = "edge:a1-a2", "edge:b1-b2"
    hand = Hand(Faulty(FLOWER, swapped={one: other}), SensorSurvey(FLOWER))
    hand.rest()
    while (asked := hand.ask()) is not None:
        hand.wait(1000)
        hand.world.touch(asked.sensor)
        hand.wait(400)
        if hand.survey.asked is asked:
            hand.wait(0 if sooner else 600)
            hand.note(Nothing())
    assert hand.survey.findings() == (Finding(one, "swapped", other),)


def test_a_sensor_that_fires_elsewhere_only_is_not_called_dead() -> None:
    hand = Hand(Faulty(FLOWER, swapped={"edge:a1-a2": "edge:b1-b2"}), SensorSurvey(FLOWER))
    hand.rest()
    places = ("edge:a1-a2", "edge:b1-b2")
    for place in places:
        hand.world.touch(place)
        hand.wait(1000)
    for place in places * 2:
        hand.note(Asked(place, exactly=True))
        hand.note(Nothing())
    hand.note(Asked("fall:a1", exactly=True))
    hand.note(Nothing())
    hand.note(Asked("fall:a1", exactly=True))
    hand.note(Nothing())
    assert hand.survey.findings() == (
        Finding("edge:a1-a2", "absent"),
        Finding("edge:b1-b2", "absent"),
        Finding("fall:a1", "dead"),
    )
