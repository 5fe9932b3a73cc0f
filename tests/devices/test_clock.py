"""The device's clock as the board's: drift, jitter, wrapping ticks, reboots, a host that slept."""

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexboard.devices.clock import DRIFT_PPB, WINDOW, Clock, Ping, strip, widest
from hexboard.devices.session import widen
from hexboard.facts import MS

SECOND = 1000 * MS


class World:
    """Two clocks of which we know everything; `now` is the board's, ns."""

    def __init__(self, ppm: int = 0, seed: int = 0, started: int = 0) -> None:
        self.now = 10**12
        self.ppm = ppm
        self.chance = random.Random(seed)
        self.zero = self.now - started
        self.clock = Clock()

    def ticks(self, at: int) -> int:
        """The device's µs at board time `at`."""
        return (at - self.zero) * (1_000_000 + self.ppm) // 10**9

    def ping(self, there: int, back: int) -> None:
        sent, made = self.now, self.now + there
        self.now = made + back
        self.clock.echo(sent, self.ticks(made), self.now)

    def run(self, seconds: int, every: int = 250 * MS, most: int = MS) -> None:
        """Pings with up to `most` ns of delay each way, one in twenty up to 30 ms."""
        for _ in range(seconds * SECOND // every):
            due = self.now + every
            there, back = (100_000 + self.chance.randrange(most + 1) for _ in range(2))
            if self.chance.random() < 0.05:
                back += self.chance.randrange(30 * MS)
            self.ping(there, back)
            self.now = max(due, self.now)

    def error(self) -> int:
        """How wrong the board time of a stamp made 20 ms ago is, ns."""
        at = self.now - 20 * MS
        return abs(self.clock.board_ns(self.ticks(at), self.now) - at)


@pytest.mark.parametrize("ppm", [-100, 0, 100])
def test_without_jitter_a_drifting_clock_is_known_to_microseconds(ppm: int) -> None:
    world = World(ppm)
    world.run(10, most=0)
    assert world.error() < 10_000
    assert world.clock.drift == pytest.approx(-1000 * ppm, abs=2000)


@pytest.mark.long
@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), ppm=st.integers(-100, 100))
def test_after_ten_seconds_of_jitter_and_spikes_the_error_is_small(seed: int, ppm: int) -> None:
    world = World(ppm, seed)
    world.run(10)
    for _ in range(8):
        world.run(1)
        assert world.error() < 500_000


def test_the_first_answer_is_an_estimate_at_once() -> None:
    world = World(100)
    world.clock.heard(world.ticks(world.now - 2 * MS), world.now)
    assert world.clock.board_ns(world.ticks(world.now - 2 * MS), world.now) == world.now
    world.clock.restart()
    world.now += SECOND
    world.ping(MS, 3 * MS)  # 1 ms of this nobody can know
    assert world.error() <= MS + 1000


def test_slow_answers_do_not_move_a_good_estimate() -> None:
    world = World(50)
    world.run(10, most=0)
    before = world.error()
    for _ in range(10):
        world.ping(100_000, 900 * MS)
    assert world.error() <= before + 10_000


def test_ticks_that_wrap_go_on() -> None:
    started = (2**30 - 5_000_000) * 1000
    world = World(100, started=started)
    world.run(5, most=0)
    at = world.now + SECOND
    ticks = world.ticks(at)
    assert ticks > 2**30
    assert abs(world.clock.board_ns(widen(ticks & 0x3FFFFFFF, 1), at + SECOND) - at) < 20_000


def test_after_a_reboot_ticks_begin_anew_and_time_goes_on() -> None:
    world = World(100)
    world.run(20)
    before = world.clock.board_ns(world.ticks(world.now), world.now)
    world.now += SECOND
    world.zero = world.now
    world.clock.restart()
    assert world.clock.drift == 0
    assert before <= world.clock.board_ns(5, world.now) <= world.now
    world.run(10)
    assert world.error() < 500_000


@pytest.mark.parametrize("minutes", [-1, 1])
def test_a_minute_that_only_one_clock_counted_is_found_at_the_first_ping(minutes: int) -> None:
    world = World(100)
    world.run(20)
    world.zero -= minutes * 60 * SECOND  # +1: the host was suspended, and its clock stood still
    world.now += 61 * SECOND if minutes < 0 else SECOND
    world.ping(100_000, 100_000)
    world.now += 100 * MS
    assert world.error() < 100_000
    world.run(10)
    assert world.error() < 500_000


def test_no_more_pings_are_kept_than_are_needed() -> None:
    world = World(100)
    world.run(60)
    assert len(world.clock._pings) == WINDOW


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 90), st.integers(0, 90)), max_size=60))
def test_board_time_is_never_in_the_future_and_never_runs_backwards(
    steps: list[tuple[int, int, int]],
) -> None:
    clock, now, last = Clock(), 10**12, 0
    for step, there, back in steps:
        sent = now + step * MS
        made = sent + there * MS
        now = made + back * MS
        clock.heard(made // 1000, now)
        at = clock.board_ns(made // 1000, now)
        assert last <= at <= now
        last = at
        clock.echo(sent, made // 1000, now)


@settings(max_examples=60, deadline=None)
@given(
    waits=st.lists(st.tuples(*3 * [st.integers(10_000, 30 * MS)]), min_size=2, max_size=WINDOW),
    ppm=st.integers(-600, 600),
)
def test_no_drift_has_a_wider_strip(waits: list[tuple[int, int, int]], ppm: int) -> None:
    """It can be widest only at a slope between two pings; each is tried. A ns for each rounding."""
    pings: list[Ping] = []
    now = 10**12
    for wait, there, back in waits:
        now += 2 * SECOND + 40 * MS + wait
        made = (now - 10**12) * (1_000_000 + ppm) // 1_000_000_000 * 1000
        pings.append((now - there, made, now + back))
    found = widest(tuple(pings))
    assert abs(found) <= DRIFT_PPB
    span = (pings[-1][1] - pings[0][1]) / SECOND
    for i, j in ((0, 0), (2, 2)):
        for one, other in combinations(pings, 2):
            slope = (other[j] - one[i] - other[1] + one[1]) * SECOND // (other[1] - one[1])
            drift = min(max(slope, -DRIFT_PPB), DRIFT_PPB)
            assert width(pings, found) >= width(pings, drift) - span - 4


def width(pings: list[Ping], drift: int) -> int:
    low, high = strip(tuple(pings), drift)
    return high - low


def test_of_several_drifts_whose_strips_are_as_wide_it_is_the_middle_one() -> None:
    """The ping in the middle bounds both sides; the others let the line turn by 3 ms in 3 s one
    way, which is more than is looked for, and by 300 µs in 3 s the other."""
    way, slow, start = MS, 4 * MS, 10**12
    pings = (
        (start - slow, 0, start + way + 300_000),
        (start + 3 * SECOND - way, 3 * SECOND, start + 3 * SECOND + way),
        (start + 6 * SECOND - way - 300_000, 6 * SECOND, start + 6 * SECOND + slow),
    )
    assert widest(pings) == (DRIFT_PPB - 100_000) // 2
