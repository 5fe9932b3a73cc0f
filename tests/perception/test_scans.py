"""A source that does not look all the time: what it may miss, and how late it may be."""

import pytest

from hexboard.facts import MS, Edge, Scanned, Watermark
from hexboard.games.hextraction.rules.actions import Action, BallTouch, Roll
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.tracking.automaton import MISS_CNAT
from hexboard.games.hextraction.tracking.outcome import doubt
from hexboard.games.hextraction.tracking.passes import passes
from hexboard.perception.debounce import Change, Debouncer, Spec
from hexboard.perception.scans import Scans
from hexboard.perception.witness import Testimony, Witnesses
from tests.desk import BOARD, Desk
from tests.perception.test_readings import Roll as Read
from tests.perception.test_readings import open_tiles

SLOW = Scanned(longest_us=20_000, every_us=16_000)
RARELY = Scanned(longest_us=20_000, every_us=900)
GOOD = Scanned(longest_us=3_000, every_us=400)
RIB = "edge:B1-C1"


def test_what_nobody_looks_at_is_counted_by_hand() -> None:
    """A contact of 8 ms is lost where it begins in the first 12 of 20 ms without a look, which one
    second has once; where looks are 16 ms apart, in the first 8 of each 16."""
    scans = Scans()
    assert (scans.within("pico"), scans.unseen_ppm("pico")) == (0, 0)
    for said, unseen in ((GOOD, 0), (RARELY, 12_000), (SLOW, 500_000)):
        scans.learn("pico", said)
        assert scans.within("pico") == 1000 * said.longest_us
        assert scans.unseen_ppm("pico") == unseen
    assert scans.within("gpio") == 0


def test_what_a_source_never_looks_at_is_no_division_by_nothing() -> None:
    scans = Scans()
    scans.learn("pico", Scanned(2_000_000, 0))
    assert scans.unseen_ppm("pico") == 950_000


def test_a_change_says_how_long_before_it_may_have_come() -> None:
    debouncer = Debouncer({"s": Spec(1, 1, 0), "other": Spec(1, 1, 0)})
    debouncer.looked(["s"], 7)
    for sensor in ("s", "other"):
        debouncer.edge(sensor, True, 10)
    assert set(debouncer.advance(20)) == {Change("s", True, 10, 7), Change("other", True, 10)}


@pytest.mark.parametrize(("said", "named"), [(GOOD, 2), (RARELY, 3), (SLOW, 0)])
def test_a_miss_says_less_of_a_sensor_that_nobody_looked_at(said: Scanned, named: int) -> None:
    """9 nats name one: ln(0.3 * 300) is 4.5 a miss, ln(0.3 / 0.012) is 3.2, ln(0.3 / 0.5) none."""
    desk = Desk()
    desk.feed(said)
    witnesses: Witnesses = desk.table.senses.witnesses
    names = []
    for _ in range(20):
        list(witnesses.learn(Testimony(missed=(RIB,))))
        names.append(witnesses.named.get(RIB, ""))
    assert names.count("") == (named - 1 if named else 20)


def test_a_contact_may_be_missed_and_a_level_not() -> None:
    desk = Desk()
    for said in (GOOD, RARELY):  # a sensor misses one in fifty in any case
        desk.feed(said)
        assert desk.table.senses.misses(MISS_CNAT) == {}
    desk.feed(SLOW)
    misses = desk.table.senses.misses(MISS_CNAT)
    brief = {s.id for s in BOARD.sensors if s.kind in ("gate", "edge", "exit", "fall", "throat")}
    assert misses == dict.fromkeys(brief, 69)  # ln 2 is 0.69
    desk.feed(GOOD)
    assert desk.table.senses.misses(MISS_CNAT) == {}


def test_a_hang_is_told_and_says_nothing_of_how_a_device_looks_otherwise() -> None:
    desk = Desk()
    desk.feed(GOOD)
    assert "table.hung" not in desk.keys
    desk.feed(Scanned(500_000, 900))
    assert "table.hung" in desk.keys
    assert desk.table.senses.misses(MISS_CNAT) == {}
    desk.feed(Edge(RIB, True))
    (change,) = desk.table.senses.debouncer.advance(1 << 62)
    assert change.within == 1000 * GOOD.longest_us


def test_that_no_edge_spoke_says_little_where_nobody_looked() -> None:
    """The ball stays in B1, or went on to B2 with no word of the edge between."""
    dearer = []
    for said in (GOOD, SLOW):
        desk = Desk(["B1", "B2"])
        desk.feed(said)
        desk.pulse("load:B1-1", "gate:B1-1")
        believed = desk.balls.believed
        readings = believed.unsettled.readings(believed.slots.there, desk.now * MS)
        costs = {one.ruling.rests: one.cost for one in readings.judge(frozenset())}
        dearer.append(costs["B2",] - costs["B1",])
    assert dearer[0] - dearer[1] == pytest.approx(391 - 69, abs=25)


@pytest.mark.parametrize(
    ("after_ms", "within_ms", "together"),
    [(4, 0, True), (4, 5, True), (6, 5, False), (-30, 5, True), (-30, 20, False), (0, 20, False)],
)
def test_two_edges_are_together_only_if_that_is_so_however_late_they_were_seen(
    after_ms: int, within_ms: int, together: bool
) -> None:
    """Less than 10 ms after the other let go: 3 nats. Seen 4 ms after, up to 5 late: 9 at most."""
    costs = []
    for after in (200, after_ms):
        roll = Read(open_tiles("B1", "B2", "B3"))
        roll.see("gate:B1-1")
        at = roll.now + 300 * MS
        changes = [("edge:B1-B2", True, at), ("edge:B1-B2", False, at + 48 * MS)]
        changes += [("edge:B2-B3", True, at + (48 + after) * MS)]
        changes += [("edge:B2-B3", False, at + (66 + after) * MS)]
        for n, change in enumerate(sorted(changes, key=lambda one: one[2]), 4):
            roll.readings.see(Change(*change, within_ms * MS), n)
        costs.append(min(one.cost for one in roll.judge() if one.ruling.rests == ("B3",)))
    assert costs[1] - costs[0] == pytest.approx(300 if together else 0, abs=5)


@pytest.mark.parametrize(("within_ms", "told"), [(0, [40, 30]), (35, [40]), (50, [])])
def test_two_signs_within_one_look_tell_no_time(within_ms: int, told: list[int]) -> None:
    """Down the lane in 40 ms, through B1 in 30."""
    signs = [("load:B1-1", False, 100), ("gate:B1-1", True, 140), ("edge:B1-B2", True, 170)]
    items = [Change(s, level, at * MS, within_ms * MS) for s, level, at in signs]
    story: list[tuple[int, int, Action]] = [
        (1, 1, Roll("B1-1")),
        (1, 1, BallTouch(1, "B1")),
        (2, 1, BallTouch(1, "B2")),
    ]
    tile = Placed("Asterisk", 0)
    known = {tile: dict.fromkeys((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6))}
    found = list(passes(items, story, {"B1": tile}, BOARD, known))
    assert [one.ms for one in found] == told


def test_what_a_source_said_is_of_its_sensors_alone() -> None:
    desk = Desk()
    desk.feed(SLOW, source="gpio")
    assert desk.table.senses.misses(MISS_CNAT) == {}
    desk.feed(Edge(RIB, True))
    desk.now += 50
    desk.feed(Watermark(desk.now * MS))
    assert desk.table.senses.high(RIB)


@pytest.mark.parametrize(("within_ms", "echo"), [(0, True), (4, True), (6, False)])
def test_a_pulse_is_brief_only_if_that_is_so_however_late_its_ends_were_seen(
    within_ms: int, echo: bool
) -> None:
    """Back at a wall at once, for 5 ms: less than 10 is no ball that fell back."""
    roll = Read({"B1": Placed("Asterisk", 0), "B2": Placed("J", 1)})
    roll.see("gate:B1-1")
    signs = ((0, True), (30, False), (57, True), (62, False), (390, True))
    for number, (at, level) in enumerate(signs, 4):
        change = Change("edge:B1-B2", level, roll.now + (300 + at) * MS, within_ms * MS)
        roll.readings.see(change, number)
    assert (doubt(roll.judge("edge:B1-B2")) < 20_000) is echo


@pytest.mark.parametrize(("within_ms", "back"), [(0, True), (100, True), (200, False)])
def test_a_ball_was_over_an_edge_for_long_only_if_that_is_so_however_late_that_was_seen(
    within_ms: int, back: bool
) -> None:
    """Over the edge for 300 ms; for more than 150 it may have rolled back, into B2."""
    roll = Read(open_tiles("B1", "B2", "B3"))
    roll.see("gate:B1-1", "edge:B1-B2")
    for level, at in ((True, 300), (False, 600)):
        change = Change("edge:B2-B3", level, roll.now + at * MS, within_ms * MS)
        roll.readings.see(change, 6 + (not level))
    costs = {one.ruling.rests: one.cost for one in roll.judge()}
    assert (costs["B2",] < costs["B3",]) is back


@pytest.mark.parametrize(("within_ms", "dear"), [(0, False), (200, True)])
def test_a_beam_was_covered_for_long_only_if_that_is_so_however_late_that_was_seen(
    within_ms: int, dear: bool
) -> None:
    """For 300 ms, as by a sleeve: 7 nats, which a ball that fell does not cost."""
    costs = []
    for width in (20, 300):
        roll = Read({})
        roll.see("gate:B1-1")
        for number, (at, level) in enumerate(((300, True), (300 + width, False)), 4):
            change = Change("fall:B1", level, roll.now + at * MS, within_ms * MS)
            roll.readings.see(change, number)
        costs.append(min(one.cost for one in roll.judge() if not one.ruling.rests))
    assert (costs[1] - costs[0] > 600) is not dear


@pytest.mark.parametrize(("said", "early"), [(GOOD, True), (RARELY, False)])
def test_a_gate_is_before_its_loading_place_lets_go_only_by_more_than_a_look(
    said: Scanned, early: bool
) -> None:
    """By 30 ms: 20 is what a ball can do."""
    desk = Desk()
    desk.feed(said)
    desk.level("load:B1-1", True)
    for ms, sensor, level in ((500, "gate:B1-1", True), (8, "gate:B1-1", False)):
        desk.now += ms
        desk.level(sensor, level)
    desk.now += 22
    desk.level("load:B1-1", False)
    desk.pulse("fall:B1")
    believed = desk.balls.believed
    readings = believed.unsettled.readings(believed.slots.there, desk.now * MS)
    assert (readings.least > 500) is early
