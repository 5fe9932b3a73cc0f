"""What a roll may have been, weighed: cases by hand, hard cases by their number, and statistics."""

from collections import Counter
from collections.abc import Set

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hexboard.facts import MS
from hexboard.games.hextraction.rules.actions import Action, Gone, Rest
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.table.slots import channels_of
from hexboard.games.hextraction.tracking import readings
from hexboard.games.hextraction.tracking.automaton import MISS_CNAT, Automaton, Spot, spot_of
from hexboard.games.hextraction.tracking.ends import BallEnd
from hexboard.games.hextraction.tracking.hypothesis import COUNTING, Counting
from hexboard.games.hextraction.tracking.outcome import Judged, RollOutcome, doubt, odds
from hexboard.games.hextraction.tracking.readings import NEVER_CNAT, Readings, grown_by
from hexboard.perception.debounce import Change
from tests.benchmarks.rolls import Listener, results
from tests.desk import BOARD, OPEN, Desk
from tests.simulator.exact import posterior, small_board
from tests.simulator.roll import Faults
from tests.simulator.trials import Trials

NORTH_SHUT = Placed("J", 1)
"""Joins edges 2 and 4."""
ALL = frozenset(sensor.id for sensor in BOARD.sensors)
SETTING = Desk().position.setting


class Roll:
    """Readings over some tiles; signs come 300 ms apart, each lane's load before its gate."""

    def __init__(
        self,
        tiles: dict[str, Placed],
        lying: tuple[str, ...] = (),
        fitted: frozenset[str] = ALL,
        counting: Counting = COUNTING,
        ramps: tuple[str, ...] = (),
    ) -> None:
        there = {slot: channels_of(SETTING, placed) for slot, placed in tiles.items()}
        self.automaton = Automaton(BOARD, there.get, fitted)
        balls = [(n, spot_of(self.automaton, place), False) for n, place in enumerate(lying, 1)]
        starts, next_ball = [(0, balls)], len(lying) + 1
        self.readings = Readings(self.automaton, starts, (), next_ball, {}, counting, ramps)
        self.now = 0
        self._count = 0

    def see(self, *sensors: str, every: int = 300) -> "Roll":
        for sensor in sensors:
            if sensor.startswith("gate:"):
                self._one(f"load:{sensor[5:]}", every)
            self._one(sensor, every)
        return self

    def _one(self, sensor: str, every: int) -> None:
        self.now += every * MS
        for level in (True, False):
            self.readings.see(Change(sensor, level, self.now), self._count)
            self._count += 1

    def hear(self, action: Action) -> None:
        """A person says what happened."""
        self.readings.heard(action, self._count)
        self._count += 1

    def judge(self, *high: str) -> list[Judged]:
        return self.readings.judge(set(high))


def open_tiles(*slots: str) -> dict[str, Placed]:
    return dict.fromkeys(slots, OPEN)


def sure(judged: list[Judged]) -> RollOutcome:
    """The ruling beyond doubt: other ones together are less likely than one in fifty."""
    assert doubt(judged) < 20_000
    return judged[0].ruling


# ------------------------------------------------------------------------------ one ball's way


def test_a_roll_that_all_sensors_saw_leaves_no_doubt() -> None:
    roll = Roll(open_tiles("B1", "B2"))
    roll.see("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "fall:B3")
    assert sure(roll.judge()) == RollOutcome(False)


def test_a_missed_crossing_is_no_question_where_every_way_comes_to_the_same() -> None:
    roll = Roll(open_tiles("B1", "B2"))
    roll.see("gate:B1-1", "edge:B1-B2", "fall:B3")
    assert sure(roll.judge()) == RollOutcome(False)


def test_a_missed_gate_is_a_roll_all_the_same() -> None:
    roll = Roll(open_tiles("B1", "A1"))
    roll._one("load:B1-1", 100)
    roll.see("edge:A1-B1", "exit:A1-5")
    assert sure(roll.judge()) == RollOutcome(False, ("A1",))


def test_a_false_exit_does_not_cost_a_tile_when_the_ball_is_seen_again() -> None:
    column = ("B1", "B2", "B3", "B4", "B5")
    roll = Roll(open_tiles("A1", *column))
    roll.see("gate:B1-6", "exit:A1-5", *(f"edge:B{n}-B{n + 1}" for n in range(1, 5)))
    roll.see("throat:B5-4")
    assert sure(roll.judge("floor:ZB")) == RollOutcome(True)


def test_a_doubled_sign_is_one_crossing() -> None:
    roll = Roll(open_tiles("B1", "A1"))
    roll.see("gate:B1-1", "edge:A1-B1")
    roll.see("edge:A1-B1", every=20)
    roll.see("exit:A1-5")
    assert sure(roll.judge()) == RollOutcome(False, ("A1",))


@pytest.mark.parametrize(("width_ms", "back"), [(30, False), (300, True)])
def test_a_ball_that_was_over_an_edge_for_long_may_have_rolled_back(
    width_ms: int, back: bool
) -> None:
    """Into B2, from where it would have to go up again; B3 it could leave."""
    roll = Roll(open_tiles("B1", "B2", "B3"))
    roll.see("gate:B1-1", "edge:B1-B2")
    for level, at in ((True, 300), (False, 300 + width_ms)):
        roll.readings.see(Change("edge:B2-B3", level, roll.now + at * MS), 6 + (not level))
    costs = {one.ruling.rests: one.cost for one in roll.judge()}
    assert (costs["B2",] < costs["B3",]) is back


@pytest.mark.parametrize(("way", "through"), [(1, True), (4, True), (2, False), (5, False)])
def test_a_ball_goes_through_no_channel_in_which_another_one_lies(way: int, through: bool) -> None:
    """A DIC joins 1-4, 2-3 and 5-6: one ball fills a channel. Another one lay in B2 or in C3."""
    roll = Roll({"B1": OPEN, "B2": Placed("DIC", 0), "C3": OPEN})
    spots: list[Spot] = [("in", "B2", way), ("in", "C3", 0)]
    starts = [(0, [(1, spot, 0)]) for spot in spots]
    roll.readings = Readings(roll.automaton, starts, (), 2, {})
    roll.see("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "fall:B3")
    costs = {one.ruling.rests: one.cost for one in roll.judge()}
    dearer = costs["B2",] - costs["C3",]
    assert dearer > 200 if through else abs(dearer) < 20


@pytest.mark.parametrize(("width_ms", "echo"), [(5, True), (40, False)])
def test_a_ball_that_is_back_at_a_wall_at_once_is_over_it_for_long(
    width_ms: int, echo: bool
) -> None:
    """It fell back for 14 ms: at 1.2 m/s² that is 2 cm/s, and the sensor sees 6 mm of it."""
    roll = Roll({"B1": OPEN, "B2": NORTH_SHUT})
    roll.see("gate:B1-1")
    signs = ((0, True), (30, False), (57, True), (57 + width_ms, False), (390, True))
    for number, (at, level) in enumerate(signs, 4):
        roll.readings.see(Change("edge:B1-B2", level, roll.now + (300 + at) * MS), number)
    judged = roll.judge("edge:B1-B2")
    assert judged[0].ruling == RollOutcome(False, (), ("B1-B2",))
    assert (doubt(judged) < 20_000) is echo  # else B2 may have been touched three times


def test_a_ball_that_leans_and_one_that_its_sensor_no_longer_feels() -> None:
    tiles = {"B1": OPEN, "B2": NORTH_SHUT}
    roll = Roll(tiles).see("gate:B1-1", "edge:B1-B2")
    assert sure(roll.judge("edge:B1-B2")) == RollOutcome(False, (), ("B1-B2",))
    assert roll.judge()[0].ruling.rests == ("B1",)


def test_a_ball_that_its_sensor_did_not_feel_before_either_lies_where_it_lay() -> None:
    """Silence that goes on says nothing; a sensor that lets go does."""
    tiles = {"B1": OPEN, "B2": NORTH_SHUT, "D1": OPEN}
    roll = Roll(tiles, lying=("B1-B2",)).see("gate:D1-1", "edge:D1-D2", "fall:D2")
    assert roll.judge()[0].ruling.rests == ("B1-B2",)
    roll.readings.see(Change("edge:B1-B2", False, roll.now), 6)
    assert roll.judge()[0].ruling.rests == ("B1",)


@pytest.mark.parametrize(
    ("width_ms", "after_ms", "together"),
    [(48, -30, True), (48, 0, True), (48, 9, True), (48, 11, False), (348, -30, False)],
)
def test_a_ball_is_not_over_two_edges_at_once(width_ms: int, after_ms: int, together: bool) -> None:
    """The next edge speaks so long after the last one let go. One in twenty is 3.0 nats. A sensor
    that is high for long may be stuck."""
    costs = []
    for after in (200, after_ms):
        roll = Roll(open_tiles("B1", "B2", "B3"))
        roll.see("gate:B1-1")
        at = roll.now + 300 * MS
        changes = [("edge:B1-B2", True, at), ("edge:B1-B2", False, at + width_ms * MS)]
        changes += [("edge:B2-B3", True, at + (width_ms + after) * MS)]
        changes += [("edge:B2-B3", False, at + (width_ms + 18 + after) * MS)]
        for n, change in enumerate(sorted(changes, key=lambda one: one[2]), 4):
            roll.readings.see(Change(*change), n)
        costs.append(min(one.cost for one in roll.judge() if one.ruling.rests == ("B3",)))
    assert costs[1] - costs[0] == pytest.approx(300 if together else 0, abs=5)


def test_a_ball_that_hopped_over_a_wall_is_followed() -> None:
    tiles = {"B1": OPEN, "B2": NORTH_SHUT}  # digest 5.3: jump tiles
    roll = Roll(tiles).see("gate:B1-1", "edge:B1-B2", "edge:B2-C2", "fall:C2")
    assert sure(roll.judge()) == RollOutcome(False)


def test_a_ball_that_came_to_rest_unseen_is_told_from_one_that_left_unseen() -> None:
    roll = Roll({"B1": OPEN, "A1": OPEN}).see("gate:B1-6", "edge:A1-B1")
    judged = roll.judge()
    assert doubt(judged) > 20_000
    assert {j.ruling for j in judged[:2]} == {
        RollOutcome(False, (), ("A1",)),
        RollOutcome(False, ("A1",)),
    }


def test_a_ball_that_lay_inside_a_tile_does_not_climb_where_one_was_let_go_above() -> None:
    roll = Roll(open_tiles("D1", "D2"), lying=("D2",))
    roll._one("load:D1-1", 300)  # its gate misses the ball
    roll.see("edge:D1-D2")
    assert sure(roll.judge()).rolled
    assert roll.judge()[0].ruling.rests == ("D2", "D2")


def test_a_ball_that_ran_up_into_a_lane_does_not_stay_there() -> None:
    roll = Roll({"B1": OPEN, "B2": NORTH_SHUT}).see("gate:B1-1")
    roll._one("gate:B1-2", 300)  # up, and down again unseen
    roll.see("edge:B1-B2")
    assert sure(roll.judge("edge:B1-B2")).rests == ("B1-B2",)
    assert all("B1-2" not in one.ruling.rests for one in roll.judge("edge:B1-B2"))


def test_a_gate_that_speaks_twice_is_no_ball_that_went_and_came_back() -> None:
    roll = Roll({"B1": OPEN, "B2": NORTH_SHUT}).see("gate:B1-1")
    roll._one("gate:B1-1", 30)
    roll.see("edge:B1-B2", "edge:B1-B2")  # B2 is touched twice, not three times
    assert sure(roll.judge("edge:B1-B2")) == RollOutcome(False, (), ("B1-B2",))


# -------------------------------------------------------------------------------- hard cases


def test_hc_54_a_ball_that_rebounds_out_of_an_end_zone_does_not_win() -> None:
    roll = Roll(open_tiles("B1", "B2", "B3", "B4", "B5"))
    roll.see("gate:B1-1", *(f"edge:B{n}-B{n + 1}" for n in range(1, 5)))
    roll.see("throat:B5-4", "throat:B5-4")
    assert not roll.judge()[0].ruling.win


def test_hc_60_a_fall_through_an_open_slot_costs_nothing() -> None:
    assert sure(Roll({}).see("gate:B1-1", "fall:B1").judge()) == RollOutcome(False)


def test_hc_94_three_balls_lean_on_one_tile() -> None:
    tiles = {"C3": Placed("J", 0), "B3": OPEN, "C2": NORTH_SHUT, "D3": OPEN}
    places = ("B3-C3", "C3-D3")
    roll = Roll(tiles, lying=places)
    assert sure(roll.judge(*(f"edge:{place}" for place in places))).rests == places


def test_hc_95_a_ball_that_bounced_off_a_wall_leaves_from_its_own_tile() -> None:
    tiles = open_tiles("B1", "B2", "B3", "A3") | {"C3": Placed("J", 0)}
    roll = Roll(tiles)
    roll.see("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-C3", "edge:A3-B3", "exit:A3-5")
    assert sure(roll.judge()) == RollOutcome(False, ("A3",))


def test_three_balls_touch_a_tile_three_times() -> None:
    roll = Roll(open_tiles("B1"))  # 2.1.5.4
    roll.see("gate:B1-1", "gate:B1-2", "gate:B1-6")
    roll.see("edge:B1-B2", "fall:B2", "edge:B1-C1", "fall:C1", "edge:A1-B1", "fall:A1")
    assert sure(roll.judge()) == RollOutcome(False, ("B1",))


def test_a_ball_that_lies_there_is_knocked_on() -> None:
    roll = Roll(open_tiles("B1", "B2", "C2"), lying=("B2",))  # 2.1.4.1
    roll.see("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "fall:B3", "edge:B2-C2", "edge:C2-C3")
    roll.see("fall:C3")
    assert sure(roll.judge()) == RollOutcome(False)


def test_a_ball_that_was_picked_up_is_no_longer_there() -> None:
    tiles = {"B1": OPEN, "B2": NORTH_SHUT, "D1": OPEN}
    roll = Roll(tiles, lying=("B1-B2",))
    roll._one("edge:B1-B2", 10)  # its last sign is that the sensor comes free
    roll.see("gate:D1-1", "edge:D1-D2", "fall:D2")
    assert all("B1-B2" not in j.ruling.rests for j in roll.judge()[:1])


def test_a_ball_from_nowhere_moves_no_ball_that_cannot_have_been_there() -> None:
    roll = Roll(open_tiles("B1", "E3"), lying=("B1",))
    roll.see("edge:E3-E4")
    assert sure(roll.judge()) == RollOutcome(False, (), ("B1",), rolled=False)


def test_a_part_in_an_unknown_state_leaves_every_way_open() -> None:
    tiles = {"B1": OPEN}  # all states of a moving part together are its doors
    for out, end in (("edge:A1-B1", "fall:A1"), ("edge:B1-C1", "fall:C1")):
        assert sure(Roll(tiles).see("gate:B1-1", out, end).judge()) == RollOutcome(False)


# --------------------------------------------------------------------------------- any sensors


@pytest.mark.parametrize(
    ("kinds", "asked"),
    [
        ((), True),  # T0: people declare the roll
        (("load", "gate", "throat", "floor", "seat"), True),  # T1
        (("load", "gate", "throat", "floor", "seat", "edge", "fall", "exit"), False),  # T2
    ],
    ids=["T0", "T1", "T2"],
)
def test_what_is_not_sensed_becomes_a_question(kinds: tuple[str, ...], asked: bool) -> None:
    board = BOARD.__class__(
        **{f: getattr(BOARD, f) for f in BOARD.__struct_fields__ if f != "sensors"},
        sensors=tuple(s for s in BOARD.sensors if s.kind in kinds),
    )
    desk = Desk(("B1", "B2"), board=board)
    if not kinds:
        desk.declare("roll B1-1")
    passed = ("load:B1-1", "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "fall:B3")
    desk.pulse(*(sensor for sensor in passed if sensor in board.sensor))
    desk.settle()
    assert (desk.table.asking is not None) == asked
    assert (desk.position.phase == "rolling") == asked
    if asked:
        desk.decide("fell 1 B3")
    assert desk.position.phase == "idle"
    assert set(desk.position.tiles) == {"B1", "B2"}


# --------------------------------------------------------------------------------- of every roll


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3))
@example(26692, 3)  # a ball in a lane does not touch the tile below it
@example(346, 3)  # a ball is laid 0.3 s after the first one has left
def test_without_faults_the_true_ruling_is_always_among_the_likely_ones(
    seed: int, balls: int
) -> None:
    trial = Trials(BOARD, seed, Faults(), balls).one()
    listener = Listener(BOARD, trial)
    heard = listener.hear()
    assert heard.questions or heard.ruled.outcome == trial.ruled.outcome


def test_readings_that_agree_on_everything_are_one() -> None:
    roll = Roll(open_tiles(*(cell.id for cell in BOARD.cells)))
    roll.see("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-B4")
    keys = Counter(readings.key_of(each, COUNTING.each) for each in roll.readings.readings)
    assert max(keys.values()) == 1
    assert len(keys) < 60


def test_a_way_is_dearer_by_every_sensor_that_missed_it() -> None:
    automaton = Roll(open_tiles("B1", "B2")).automaton
    seen = automaton.seen(("in", "B1", 1), "edge:B1-B2")[0]
    unseen = next(w for w in automaton.unseen(("in", "B1", 1)) if w.spot == seen.spot)
    assert unseen.cost - seen.cost == MISS_CNAT


# --------------------------------------------------------------------------------- statistics


@pytest.mark.long
def test_with_bad_sensors_rolls_are_ruled_right_or_asked() -> None:
    rolls = results(BOARD, 150, 5, Faults(miss=0.02, false=0.005), (1, 2, 3))
    assert len(rolls) == 150
    assert sum(roll.wrong for roll in rolls) <= 1
    assert sum(roll.questions > 0 for roll in rolls) <= 8


@pytest.mark.long
def test_what_is_too_unlikely_to_be_followed_would_have_changed_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What each judgement of thirty rolls says, as far as it says a millionth of anything."""
    judge, noted = Readings.judge, list[dict[RollOutcome, int]]()

    def note(of: Readings, high: Set[str]) -> list[Judged]:
        found = judge(of, high)
        likely = zip(found, odds(found), strict=True)
        noted.append({one.ruling: ppm for one, ppm in likely if ppm})
        return found

    def rolled() -> list[dict[RollOutcome, int]]:
        noted.clear()
        for count in (1, 2, 3):
            trials = Trials(BOARD, 90 + count, Faults(miss=0.05, false=0.0125), count)
            for _ in range(10):
                Listener(BOARD, trials.one()).hear()
        return [*noted]

    monkeypatch.setattr(Readings, "judge", note)
    cut = rolled()
    monkeypatch.setattr(readings, "MERGED_CNAT", NEVER_CNAT)
    monkeypatch.setattr(readings, "NEGLIGIBLE_CNAT", NEVER_CNAT)
    assert (len(cut) > 30, rolled()) == (True, cut)


ENDS = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from(("B1", "B1-B2", "B2-C2", ""))), max_size=6
)


@given(st.lists(ENDS, max_size=3), st.integers(1, 8), st.integers(0, 20))
def test_the_likeliest_ends_of_all_balls_are_found_by_the_likeliest_of_each(
    balls: list[list[tuple[int, str]]], width: int, limit: int
) -> None:
    """Beside each ball's ends after each of those before it, put in order and cut."""
    found: list[tuple[int, tuple[BallEnd, ...]]] = [(0, ())]
    known = found
    for n, ends in enumerate(balls):
        options = [BallEnd(cost, n, (), rest) for cost, rest in sorted(ends)]
        found = grown_by(found, options, False, limit, width)
        every = [
            (cost + end.cost, (*before, end))
            for cost, before in known
            for end in options
            if not ("-" in end.rest and end.rest in [one.rest for one in before])
        ]
        known = sorted([one for one in every if one[0] <= limit], key=lambda one: one[0])[:width]
        assert found == known


def test_a_roll_of_which_not_all_can_be_weighed_in_time_is_asked_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trials(BOARD, 91, Faults(), 1).one()
    assert Listener(BOARD, trial).hear().questions == []
    monkeypatch.setattr(readings, "MOST_WEIGHED", 5)
    assert Listener(BOARD, trial).hear().questions == ["table.which"]
    monkeypatch.setattr(readings, "MOST_WEIGHED", 6_000)
    monkeypatch.setattr(readings, "MOST_ENDINGS", 0)
    trial = Trials(BOARD, 91, Faults(miss=0.05, false=0.0125), 3).one()
    assert "table.which" in Listener(BOARD, trial).hear().questions


@pytest.mark.long
def test_the_tracker_asks_where_the_exact_posterior_is_in_doubt() -> None:
    board, faults = small_board(), Faults(miss=0.02, false=0.005)
    trials = Trials(board, 8, faults, 1, lying=0.0)
    exact = ours = 0
    for _ in range(100):
        trial = trials.one()
        rulings = posterior(board, trial, faults.miss, faults.false, len(trials.ground.pulsed))
        whole: dict[tuple[object, ...], float] = {}
        for ruling, share in rulings.items():
            whole[ruling.outcome] = whole.get(ruling.outcome, 0.0) + share
        exact += max(whole.values(), default=0.0) < 0.98
        ours += bool(Listener(board, trial).hear().questions)
    assert ours <= 1.5 * exact + 2


def test_two_tables_judge_the_same_facts_alike() -> None:
    trials = [Trials(BOARD, 3, Faults(miss=0.05, false=0.02), 2).one() for _ in range(2)]
    first, second = (Listener(BOARD, trial).hear() for trial in trials)
    assert (first.ruled, first.questions) == (second.ruled, second.questions)


def test_what_people_say_binds_where_it_is_unlikely() -> None:
    roll = Roll(open_tiles("D1", "E1"))
    roll.see("gate:D1-1", "edge:D1-E1", "exit:E1-3")  # it left, if nobody says otherwise
    roll.hear(Rest(1, "E1"))
    assert roll.judge()[0].ruling.rests == ("E1",)


def test_where_a_ball_lies_matters_beside_one_that_counts_as_two_2_1_5_5() -> None:
    """Ball 2 lies in B1 or, unseen, with ball 1 in B2: only there it is a third."""
    doubts = []
    for counting in (Counting(), Counting(weights={1: 2})):
        roll = Roll(open_tiles("B1", "B2"), lying=("B2",), counting=counting)
        doubts.append(doubt(roll.see("gate:B1-1").judge()))
    assert doubts[0] < doubts[1]


def test_a_ball_that_was_gone_before_the_roll_is_said_to_be() -> None:
    roll = Roll(open_tiles("A1", "B1", "B2"))
    lying = [(1, spot_of(roll.automaton, "A1"), False)]
    roll.readings = Readings(roll.automaton, [(500, lying), (0, ())], (), 2, {})
    roll.see("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "fall:B3")
    first, second = roll.judge()
    assert (first.ruling.rests, first.story[0]) == ((), (0, 1, Gone(1)))
    assert second.ruling.rests == ("A1",)
    assert not [told for told in second.story if isinstance(told[2], Gone)]
