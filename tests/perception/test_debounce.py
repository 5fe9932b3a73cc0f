"""The debouncer against an obvious one that looks at every instant."""

from hypothesis import given
from hypothesis import strategies as st

from hexboard.perception.debounce import Change, Debouncer, Spec

END = 80
SPECS = st.builds(Spec, st.integers(0, 6), st.integers(0, 6), st.integers(0, 12))
TIMES = st.lists(st.integers(1, 50), unique=True, max_size=16).map(sorted)
"""When a sensor's raw level flips: it begins low and is high after the first."""


def oracle(spec: Spec, flips: list[int]) -> list[tuple[int, Change]]:
    """The rule in words, instant by instant: (when believed, change).

    A level is believed at the first instant at which it has been there for long enough; what a rise
    was before the dead time ended does not count.
    """
    believed, began, dead_until = False, 0, 0
    changes = []
    for now in range(END):
        raw = sum(flip <= now for flip in flips) % 2 == 1
        if now in flips:
            if (now - 1 >= 0) and (
                change := _long(spec, believed, not raw, began, dead_until, now)
            ):
                believed = change.level  # it had lasted until this very instant
                dead_until = dead_until if believed else change.at + spec.dead
                changes.append((now, change))
            began = now
        if change := _long(spec, believed, raw, began, dead_until, now):
            believed = change.level
            dead_until = dead_until if believed else change.at + spec.dead
            changes.append((now, change))
    return changes


def _long(
    spec: Spec, believed: bool, raw: bool, began: int, dead_until: int, now: int
) -> Change | None:
    since = max(began, dead_until) if raw else began
    enough = spec.min_high if raw else spec.min_low
    return Change("s", raw, since) if raw != believed and now - since >= enough else None


def debounced(spec: Spec, flips: list[int], asked: set[int]) -> list[Change]:
    """What the debouncer says, asked to advance at some instants only, and at the end."""
    debouncer, level = Debouncer({"s": spec}), False
    changes: list[Change] = []
    for now in range(END):
        if now in flips:
            level = not level
            debouncer.edge("s", level, now)
        if now in asked:
            changes += debouncer.advance(now)
    return changes + list(debouncer.advance(END))


@given(SPECS, TIMES)
def test_it_says_what_an_instant_by_instant_debouncer_says(spec: Spec, flips: list[int]) -> None:
    expected = [change for _, change in oracle(spec, flips)]
    assert debounced(spec, flips, set(range(END))) == expected


@given(SPECS, TIMES, st.sets(st.integers(0, END)))
def test_when_it_is_asked_changes_nothing(spec: Spec, flips: list[int], asked: set[int]) -> None:
    assert debounced(spec, flips, asked) == debounced(spec, flips, set(range(END)))


@given(SPECS, TIMES)
def test_its_deadline_is_when_the_next_change_is_believed(spec: Spec, flips: list[int]) -> None:
    believed = {now for now, _ in oracle(spec, flips)}
    debouncer, level = Debouncer({"s": spec}), False
    for now in range(END):
        due = debouncer.deadline
        if now in flips:
            level = not level
            debouncer.edge("s", level, now)
        elif due == now:
            assert now in believed
        assert bool(list(debouncer.advance(now))) == (now in believed)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 40)), max_size=20, unique=True))
def test_changes_come_in_the_order_of_being_believed(flips: list[tuple[str, int]]) -> None:
    specs = {"a": Spec(1, 1, 0), "b": Spec(4, 2, 0), "c": Spec(0, 3, 5)}
    debouncer, levels = Debouncer(specs), dict.fromkeys("abc", False)
    for sensor, now in sorted(flips, key=lambda flip: flip[1]):
        levels[sensor] = not levels[sensor]
        debouncer.edge(sensor, levels[sensor], now)
    expected = sorted(
        (when, sensor, change.at, change.level)
        for sensor in "abc"
        for when, change in oracle(specs[sensor], sorted(t for s, t in flips if s == sensor))
    )
    said = [(change.sensor, change.at, change.level) for change in debouncer.advance(END)]
    assert said == [entry[1:] for entry in expected]


def test_a_glitch_is_nothing() -> None:
    assert debounced(Spec(5, 5, 0), [10, 14], set()) == []


def test_a_pulse_is_stamped_when_it_began() -> None:
    said = debounced(Spec(5, 5, 0), [10, 20], set())
    assert said == [Change("s", True, 10), Change("s", False, 20)]


def test_a_bouncing_contact_is_one_pulse_from_its_last_bounce() -> None:
    said = debounced(Spec(5, 5, 0), [10, 11, 12, 30, 32, 34], set())
    assert said == [Change("s", True, 12), Change("s", False, 34)]


def test_after_a_fall_the_sensor_is_dead_and_a_level_that_outlasts_it_begins_then() -> None:
    assert debounced(Spec(2, 2, 20), [10, 15, 20, 30], set())[2:] == []  # gone before 35
    assert debounced(Spec(2, 2, 20), [10, 15, 20, 50], set())[2:] == [
        Change("s", True, 35),
        Change("s", False, 50),
    ]


def test_a_level_may_simply_be_believed() -> None:
    debouncer = Debouncer({"s": Spec(2, 2, 0)})
    debouncer.edge("s", True, 1)
    debouncer.settle("s", True)
    assert (debouncer.level("s"), debouncer.deadline) == (True, None)
    assert list(debouncer.high) == ["s"]


def test_what_has_lasted_nobody_knows_how_long_is_believed_however_soon_it_ends() -> None:
    debouncer = Debouncer({"s": Spec(5, 2, 20)})
    debouncer.edge("s", True, 10, lasted=True)
    debouncer.edge("s", False, 11)
    assert list(debouncer.advance(20)) == [Change("s", True, 10), Change("s", False, 11)]
    debouncer.edge("s", True, 25, lasted=True)
    debouncer.edge("s", False, 26)
    assert list(debouncer.advance(40)) == []  # dead until 31
