"""The senses of a table: horizon, snapshots, signs in order."""

import pytest

from hexboard.facts import MS, Fact, Presence, Tick, Watermark
from hexboard.perception.debounce import Change
from hexboard.perception.health import BURST, SensorVerdict
from hexboard.table.senses import LATENESS_NS, Found, Senses
from tests.desk import BOARD

SEAT = "seat:B1"
OURS = [sensor.id for sensor in BOARD.sensors if sensor.source == "pico"]


def test_nothing_earlier_comes_than_the_watermark_of_every_live_source() -> None:
    senses = Senses(BOARD)
    assert senses.horizon(Fact(1, 500 * MS, 480 * MS, "pico", Watermark(450 * MS))) == 450 * MS
    assert senses.horizon(Fact(2, 510 * MS, 500 * MS, "pi", Watermark(500 * MS))) == 450 * MS
    senses.comes("pico", Presence(False))
    assert senses.horizon(Fact(3, 520 * MS, 510 * MS, "table", Tick())) == 500 * MS


def test_a_silent_source_is_waited_for_no_longer_than_facts_may_be_late() -> None:
    senses = Senses(BOARD)
    assert senses.horizon(Fact(1, 900 * MS, 1, "table", Tick())) == 900 * MS - LATENESS_NS
    senses.horizon(Fact(2, 900 * MS, 10 * MS, "pico", Watermark(10 * MS)))
    assert senses.horizon(Fact(3, 2000 * MS, 1, "table", Tick())) == 2000 * MS - LATENESS_NS


def test_the_first_snapshot_is_believed_and_later_ones_imply_edges() -> None:
    senses = Senses(BOARD)
    assert not senses.agrees("pico", (SEAT,))
    signs = list(senses.snapshot("pico", (SEAT,), 5 * MS))
    assert signs == [Found(sensor, sensor == SEAT) for sensor in OURS]
    assert senses.high(SEAT)
    assert senses.agrees("pico", (SEAT, "no such sensor"))
    assert list(senses.snapshot("pico", (), 9 * MS)) == []
    assert not senses.agrees("pico", (SEAT,))
    assert senses.high(SEAT)
    ((due, part),) = senses.timers
    assert part == "debounce"
    assert list(senses.advance(part, due, lambda _: False)) == [Change(SEAT, False, 9 * MS)]
    assert not senses.high(SEAT)


@pytest.mark.parametrize(
    ("sensor", "found", "believed"),
    [
        ("edge:B2-C2", False, [Change("edge:B2-C2", True, 9 * MS)]),
        ("edge:B2-C2", True, [Change("edge:B2-C2", True, 8 * MS)]),
        (SEAT, False, []),
        (SEAT, True, []),
    ],
)
def test_what_balls_set_off_and_lets_go_was_felt_even_if_its_rise_was_lost(
    sensor: str, found: bool, believed: list[Change]
) -> None:
    """A hand that lays a tile is not so quick."""
    senses = Senses(BOARD)
    list(senses.snapshot("pico", (), 5 * MS))
    if found:
        list(senses.snapshot("pico", (sensor,), 8 * MS))
    list(senses.edge(sensor, False, 9 * MS))
    signs = senses.advance("debounce", 10 * MS, lambda _: False)
    assert [sign for sign in signs if sign != Change(sensor, False, 9 * MS)] == believed


def test_before_the_first_snapshot_nobody_knows_what_lets_go() -> None:
    senses = Senses(BOARD)
    list(senses.edge("edge:B2-C2", False, 9 * MS))
    assert senses.quiet


def test_a_sensor_that_chatters_is_heeded_no_more() -> None:
    senses, sensor = Senses(BOARD), "edge:B2-C2"
    signs = [
        sign for n in range(BURST + 1) for sign in senses.edge(sensor, n % 2 == 0, (100 + n) * MS)
    ]
    assert signs == [SensorVerdict(sensor, "chattering")]
    assert senses.debouncer.known(sensor)
    assert not senses.heeded(sensor)


def test_what_is_told_of_sources() -> None:
    senses = Senses(BOARD)
    assert senses.up("journal")
    assert senses.comes("journal", Presence(False, "full")).key == "table.source_down"
    assert not senses.up("journal")
    assert senses.comes("journal", Presence(True)).key == "table.source_up"
    assert senses.comes("journal", Presence(True, "new")).key == "table.source_up_note"
    senses.loses("pico", 3)
    senses.loses("pico", 4)
    assert senses.lost == 7


def test_a_storm_ends_though_sensors_chatter_that_were_left_out_long_before() -> None:
    """Three beams stand in the sun; then somebody bumps the table."""
    senses = Senses(BOARD)
    list(senses.snapshot("pico", (), 1 * MS))
    edges = [sensor for sensor in OURS if sensor.startswith("edge:")]
    sunny, others = edges[:3], [it for it in OURS if it.startswith(("edge:", "seat:"))][3:43]
    said: list[object] = []
    for ms in range(10, 30_000, 20):
        for sensor in sunny:
            said += senses.edge(sensor, ms % 40 == 10, ms * MS)
        if ms == 20_010:
            for sensor in others:
                said += [
                    *senses.edge(sensor, True, ms * MS),
                    *senses.edge(sensor, False, ms * MS + 8),
                ]
            assert senses.storms.on
        for due, part in senses.timers:
            if due <= ms * MS:
                said += senses.advance(part, ms * MS, lambda _: False)
    assert not senses.storms.on
    verdicts = [it for it in said if isinstance(it, SensorVerdict)]
    assert sorted(it.sensor for it in verdicts) == sorted(sunny)
    assert {it.state for it in verdicts} == {"chattering"}
