"""A storm on all sensors: none of them counts, one sentence says so, one answer mends it."""

import random

import pytest
from msgspec.structs import replace

from hexboard.facts import MS, Edge, Snapshot, Watermark
from hexboard.table.effects import Refresh
from tests.desk import BOARD, SLOTS, Desk

SENSORS = [s.id for s in BOARD.sensors]
NOISE = ("table.storming", "table.calm", "table.stormy", "table.stormed")


def board() -> Desk:
    """All tiles are seated, the power is on, a ball lies in B4 and one in D2."""
    desk = Desk(SLOTS)
    for slot in SLOTS:
        desk.level(f"seat:{slot}", True)
    desk.level("rail:main", True)
    for ball, place in (1, "B4"), (2, "D2"):
        desk.rule(f"ball {ball} {place}")
    desk.wait(5000)
    return desk


def blow(desk: Desk, rate_hz: int, edges: int, seed: int = 1) -> None:
    """So many edges by chance; in the end all sensors are as before."""
    chance = random.Random(seed)
    raw = desk.table.senses.debouncer.raw
    before = {sensor: raw(sensor) for sensor in SENSORS}
    for _ in range(edges):
        desk.now += round(1000 * chance.expovariate(rate_hz))
        sensor = chance.choice(SENSORS)
        desk.feed(Edge(sensor, not raw(sensor)))
    for sensor, level in before.items():
        if raw(sensor) != level:
            desk.feed(Edge(sensor, level))


def calm(desk: Desk) -> None:
    for _ in range(60):
        desk.wait(100)


def noise(desk: Desk) -> list[str]:
    return [key for key in desk.keys if key in NOISE]


@pytest.mark.parametrize("rate_hz", [5_000, 1_000, 200])
def test_a_storm_at_rest_is_one_sentence_and_nothing_moves(rate_hz: int) -> None:
    desk = board()
    before, told = str(desk.position), len(desk.told)
    blow(desk, rate_hz, 2_000)
    calm(desk)
    assert str(desk.position) == before
    assert noise(desk) == ["table.storming", "table.calm"]
    assert len(desk.told) - told < 30  # before: some 2,800
    assert desk.todo == desk.choices == []
    assert not desk.table.senses.health.out


@pytest.mark.parametrize("rolling", [False, True])
def test_a_snapshot_that_contradicts_everything_is_a_storm_and_rules_nothing(rolling: bool) -> None:
    """Each sensor but the rail is at once what it was not, and a while later as before."""
    desk = board()
    desk.feed(Snapshot(high := tuple(sorted(desk.table.senses.debouncer.high))))
    other = tuple(sensor for sensor in SENSORS if (sensor in high) == (sensor == "rail:main"))
    if rolling:
        desk.pulse("load:B1-1", "gate:B1-1")
    before, told = str(desk.position), len(desk.told)
    desk.feed(Snapshot(other))
    calm(desk)
    assert str(desk.position) == before
    assert {"table.storming"} <= {*noise(desk)}
    desk.feed(Snapshot(high))
    calm(desk)
    assert str(desk.position) == before
    game = {key for key in desk.keys[told:] if key.startswith("hextraction.")}
    assert not game  # before: balls that roll and win
    if rolling:
        desk.decide("void")
        assert (desk.position.phase, desk.position.rolls) == ("idle", 0)
        return
    desk.pulse("load:D1-1", "gate:D1-1", "edge:D1-E1", "exit:E1-3")
    desk.settle()
    assert "E1" not in desk.position.tiles


def test_tiles_that_are_put_in_all_at_once_are_no_storm() -> None:
    """A simulated board is set up in no time, and the first ball rolls at once."""
    desk = Desk(SLOTS)
    for slot in SLOTS:
        desk.level(f"seat:{slot}", True)
    desk.level("rail:main", True)
    for sensor in ("gate:B1-1", "edge:B1-B2", "edge:B2-C2"):
        desk.pulse(sensor, every=20)
    assert noise(desk) == []
    assert desk.position.phase == "rolling"


@pytest.mark.parametrize("after_ms", [0, 3000, 8000])
def test_a_word_about_a_tile_does_not_hide_a_ball_that_a_storm_swallowed(after_ms: int) -> None:
    """It is asked about until somebody says what became of it; then all of it is final."""
    desk = board()
    desk.level("load:B1-1", True)
    desk.wait(500)
    desk.level("load:B1-1", False)
    blow(desk, 2_000, 300)
    for _ in range(after_ms // 100):
        desk.wait(100)
    desk.level("seat:A1", False)
    desk.rule("tile A1 -")
    calm(desk)
    assert "table.stormed" not in desk.keys  # what people say is no noise
    assert [asks.message.key for asks in filter(None, [desk.table.asking])] == ["table.which"]
    desk.decide("void")
    desk.settle()
    assert desk.balls.settled
    assert "A1" not in desk.position.tiles
    assert desk.choices == []


@pytest.mark.parametrize("stormy", [False, True])
def test_no_button_is_pressed_in_a_storm(stormy: bool) -> None:
    undo = replace(BOARD.sensors[0], id="button:undo", kind="button", place="undo")
    desk = Desk(SLOTS, board=replace(BOARD, sensors=(*BOARD.sensors, undo)))
    desk.rule("ball 1 B4")
    desk.wait(5000)
    before = str(desk.position)
    if stormy:
        blow(desk, 1_000, 300)
    desk.pulse("button:undo", every=500)
    desk.wait(500)
    assert (str(desk.position) == before) is stormy


def test_a_storm_builds_no_page() -> None:
    """What is shown stands still, however many edges come."""
    desk = board()
    blow(desk, 1_000, 300)
    desk.effects.clear()
    blow(desk, 1_000, 300, seed=2)
    assert not any(isinstance(effect, Refresh) for effect in desk.effects)


def test_a_slow_storm_is_taken_back_by_one_answer() -> None:
    desk = board()
    before = str(desk.position)
    blow(desk, 30, 600)
    calm(desk)
    assert desk.keys[-1] == "table.stormed"
    assert str(desk.position) != before
    assert desk.choices[0].startswith("back ")
    desk.decide(desk.choices[0])
    assert str(desk.position) == before
    assert desk.choices == []


def test_what_was_entered_in_a_slow_storm_may_stay() -> None:
    desk = board()
    blow(desk, 30, 600)
    calm(desk)
    after = str(desk.position)
    desk.decide("stays so")
    desk.settle()
    assert str(desk.position) == after
    assert desk.choices == []


def rolling() -> Desk:
    """A ball rolls; in three seconds it has come to C3, where it stops."""
    desk = board()
    desk.pulse("load:B1-1", every=500)
    desk.pulse("gate:B1-1", "edge:B1-B2", "edge:B2-C2", every=900)
    return desk


def test_a_roll_in_a_storm_waits_and_is_asked_about() -> None:
    desk = rolling()
    blow(desk, 2_000, 6_000)
    assert desk.position.phase == "rolling"
    assert desk.table.asking is not None
    assert desk.table.asking.message.key == "table.waits_stormy"
    calm(desk)
    assert desk.position.phase == "rolling"
    assert desk.table.asking.message.key in ("table.where", "table.which")
    desk.decide("void")
    assert desk.position.phase == "idle"
    assert [place for _, place in desk.position.places()] == ["B4", "D2"]


@pytest.mark.long
def test_a_roll_that_a_slow_storm_swallowed_is_asked_about() -> None:
    desk = rolling()
    blow(desk, 100, 2_000)
    calm(desk)
    assert desk.table.asking is not None
    assert desk.table.asking.message.key in ("table.where", "table.which")
    desk.decide("void")
    assert [place for _, place in desk.position.places()] == ["B4", "D2"]


def test_a_ball_that_left_its_lane_just_before_a_storm_is_asked_about() -> None:
    """Its gate spoke, if at all, while no sensor was believed."""
    desk = board()
    desk.level("load:B1-1", True)
    desk.now += 800
    desk.level("load:B1-1", False)
    desk.now += 40
    blow(desk, 2_000, 3_000)
    calm(desk)
    assert desk.table.asking is not None
    assert desk.table.asking.message.key in ("table.where", "table.which")


@pytest.mark.long
def test_who_does_not_wait_for_a_storm_says_where_balls_lie() -> None:
    desk = rolling()
    blow(desk, 2_000, 6_000)
    desk.decide("as seen")
    assert desk.table.asking is not None
    assert desk.table.asking.message.key in ("table.where", "table.which")


def test_what_really_changed_in_a_storm_is_known_when_it_is_over() -> None:
    desk = board()
    blow(desk, 1_000, 300)
    desk.level("seat:C3", False)
    calm(desk)
    assert desk.todo == ["C3"]


def test_a_storm_that_comes_again_is_said_again() -> None:
    desk = board()
    for seed in (1, 2):
        blow(desk, 1_000, 1_000, seed)
        calm(desk)
    assert noise(desk) == ["table.storming", "table.calm"] * 2


def test_a_pulse_on_all_sensors_at_once_rolls_nothing() -> None:
    """The supply dips."""
    desk = board()
    before = str(desk.position)
    for level in (False, True, False, True):
        for sensor in SENSORS:
            if sensor.split(":")[0] not in ("seat", "rail", "button"):
                desk.feed(Edge(sensor, not level))
        desk.now += 5
    desk.feed(Watermark(desk.now * MS))
    calm(desk)
    assert str(desk.position) == before
    assert desk.choices == []
