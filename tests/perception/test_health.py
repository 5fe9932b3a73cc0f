"""Which sensors are left out, and when they may speak again."""

from hexboard.facts import MS
from hexboard.perception.health import BURST, QUIET_NS, STUCK_NS, WINDOW_NS, Health, SensorVerdict
from tests.desk import BOARD

EDGE = "edge:B2-C2"


def flapping(
    health: Health, sensor: str, count: int, every: int, begin: int = 0
) -> list[SensorVerdict]:
    """So many raw edges, one every so many ns."""
    verdicts = (health.edge(sensor, i % 2 == 0, begin + i * every) for i in range(count))
    return [verdict for verdict in verdicts if verdict]


def nobody(sensor: str) -> bool:
    return False


def somebody(sensor: str) -> bool:
    return True


def test_a_sensor_chatters_at_the_edge_that_is_one_too_many() -> None:
    health = Health(BOARD)
    assert flapping(health, EDGE, BURST, MS) == []
    assert flapping(health, EDGE, 3, MS, BURST * MS) == [SensorVerdict(EDGE, "chattering")]
    assert health.out == {EDGE: "chattering"}


def test_as_many_edges_over_a_long_time_are_no_chatter() -> None:
    assert flapping(Health(BOARD), EDGE, 10 * BURST, 2 * WINDOW_NS // BURST) == []


def test_a_flapping_rail_is_left_out_as_well() -> None:
    verdicts = flapping(Health(BOARD), "rail:main", 2 * BURST, 20 * MS)
    assert verdicts == [SensorVerdict("rail:main", "chattering")]


def test_it_speaks_again_once_it_has_been_low_and_quiet() -> None:
    health = Health(BOARD)
    flapping(health, EDGE, BURST + 2, MS)  # the last edge is a fall, at BURST + 1 ms
    quiet = (BURST + 1) * MS + QUIET_NS
    assert list(health.advance(quiet - 1, nobody)) == []
    assert health.deadline == quiet
    assert list(health.advance(quiet, nobody)) == [SensorVerdict(EDGE, "")]
    assert health.out == {}


def test_it_stays_out_while_it_stays_high() -> None:
    health = Health(BOARD)
    flapping(health, EDGE, BURST + 1, MS)  # ends high
    assert health.deadline is None
    assert list(health.advance(100 * QUIET_NS, nobody)) == []


def test_a_sensor_that_nothing_holds_high_is_stuck_until_it_lets_go() -> None:
    health = Health(BOARD)
    health.edge(EDGE, True, 7)
    assert health.deadline == 7 + STUCK_NS
    assert list(health.advance(7 + STUCK_NS - 1, nobody)) == []
    assert list(health.advance(7 + STUCK_NS, nobody)) == [SensorVerdict(EDGE, "stuck")]
    health.edge(EDGE, False, 9 * STUCK_NS)
    assert list(health.advance(9 * STUCK_NS + QUIET_NS, nobody)) == [SensorVerdict(EDGE, "")]


def test_a_sensor_that_a_ball_leans_on_is_not_stuck_and_asks_for_nothing_more() -> None:
    health = Health(BOARD)
    health.edge(EDGE, True, 0)
    assert list(health.advance(STUCK_NS, somebody)) == []
    assert health.deadline is None  # for hours: no ticks


def test_once_a_ball_has_moved_it_is_asked_again_who_holds_the_sensor() -> None:
    health = Health(BOARD)
    health.edge(EDGE, True, 0)
    list(health.advance(STUCK_NS, somebody))
    health.moved(3 * STUCK_NS)
    assert list(health.advance(4 * STUCK_NS - 1, nobody)) == []
    assert list(health.advance(4 * STUCK_NS, nobody)) == [SensorVerdict(EDGE, "stuck")]


def test_a_ball_that_leaves_in_time_leaves_no_doubt() -> None:
    health = Health(BOARD)
    health.edge(EDGE, True, 0)
    list(health.advance(STUCK_NS, somebody))
    health.edge(EDGE, False, 2 * STUCK_NS)
    health.moved(2 * STUCK_NS)
    assert health.deadline is None


def test_tiles_and_power_hold_their_sensors_for_as_long_as_they_like() -> None:
    health = Health(BOARD)
    for sensor in ("seat:C3", "rail:main", "floor:ZB", "load:B1-1"):
        health.edge(sensor, True, 0)
    assert health.deadline is None


def test_a_sensor_can_be_doubted_for_what_it_says() -> None:
    health = Health(BOARD)
    health.edge(EDGE, True, 0)
    health.edge(EDGE, False, 8 * MS)
    assert health.doubt(EDGE) == SensorVerdict(EDGE, "chattering")
    assert health.deadline == 8 * MS + QUIET_NS


def test_a_sensor_left_out_as_stuck_speaks_again_once_a_ball_is_known_to_lie_on_it() -> None:
    health = Health(BOARD)
    health.edge(EDGE, True, 0)
    list(health.advance(STUCK_NS, nobody))
    health.lie([EDGE])
    assert list(health.advance(2 * STUCK_NS, nobody)) == [SensorVerdict(EDGE, "")]
    assert health.deadline is None  # for hours: no ticks
    health.moved(3 * STUCK_NS)
    assert list(health.advance(4 * STUCK_NS, nobody)) == [SensorVerdict(EDGE, "stuck")]
    assert list(health.advance(9 * STUCK_NS, nobody)) == []  # not before people say so again


def test_a_sensor_that_chatters_under_a_ball_speaks_again_once_it_is_quiet() -> None:
    health = Health(BOARD)
    flapping(health, EDGE, BURST + 1, MS)  # ends high
    health.lie([EDGE])
    assert list(health.advance(QUIET_NS, nobody)) == []
    assert list(health.advance(BURST * MS + QUIET_NS, nobody)) == [SensorVerdict(EDGE, "")]
