"""Whole evenings of the second world: nothing is lost or ill-formed, rates are as asked."""

import itertools
import math
from collections import Counter, defaultdict
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from hexboard.board import find, load
from hexboard.facts import Edge, Fact, Lost, Presence, Snapshot, Watermark, decode_fact, encode_fact
from hexboard.games.hextraction.tiles.catalogue import everything
from tests.worlds import CLEAN, Evening, Knobs, evening
from tests.worlds.electrics import FALSE_MS, merged
from tests.worlds.truth import OUT, Part, Roll

BOARD = load(find("hextraction-22"))
SEEDS = range(6)
ROUGH = Knobs(
    rolls=12,
    missed=0.02,
    false=0.005,
    false_between=0.2,
    minutes=0.02,
    turns=0.05,
    takes=0.05,
    drops=0.05,
    knocks=0.1,
    doubles=0.1,
    swaps=0.1,
    bursts=0.05,
    late_ms=2.0,
    slow_rolls=0.3,
)
BROKEN = replace(ROUGH, unplugs=0.2, reboots=0.2, losses=0.2, dead=2, stuck=1, steps=0.1)


@cache
def made(seed: int, knobs: Knobs) -> Evening:
    return evening(seed, knobs)


def bound(share: float, of: int) -> float:
    """Four standard deviations of a binomial share."""
    return 4 * math.sqrt(share * (1 - share) / of)


def test_the_same_seed_gives_the_same_evening() -> None:
    again = evening(3, ROUGH)
    assert msgspec.json.encode(again) == msgspec.json.encode(made(3, ROUGH))
    assert again.parts != made(4, ROUGH).parts


@pytest.mark.parametrize("knobs", [CLEAN, Knobs(), ROUGH, BROKEN])
def test_facts_are_well_formed_and_come_in_order(knobs: Knobs) -> None:
    known = {sensor.id for sensor in BOARD.sensors}
    facts = list(made(1, knobs).facts())
    assert [fact.n for fact in facts] == list(range(1, len(facts) + 1))
    assert all(a.t <= b.t for a, b in itertools.pairwise(facts))
    assert [type(fact.body) for fact in facts[:2]] == [Presence, Snapshot]
    for fact in facts:
        assert fact.source == "pico"
        assert fact.raw == fact.at // 1000
        assert decode_fact(encode_fact(fact)) == fact
        match fact.body:
            case Edge(sensor):
                assert sensor in known
            case Snapshot(high):
                assert set(high) <= known
                assert len(set(high)) == len(high)


@pytest.mark.parametrize("knobs", [CLEAN, Knobs(), ROUGH])
def test_levels_alternate_and_snapshots_agree_with_them(knobs: Knobs) -> None:
    for seed in SEEDS:
        high = {f"rail:{rail.id}" for rail in BOARD.rails}
        for fact in made(seed, knobs).facts():
            match fact.body:
                case Edge(sensor, level):
                    assert level != (sensor in high)
                    (high.add if level else high.discard)(sensor)
                case Snapshot(told):
                    assert set(told) == high


def test_seats_and_resting_balls_are_felt_as_they_lie() -> None:
    for seed in SEEDS:
        high: set[str] = set()
        for part in made(seed, CLEAN).parts:
            for report in part.reports:
                if isinstance(report.body, Edge):
                    (high.add if report.body.level else high.discard)(report.body.sensor)
            seats = {sensor for sensor in high if sensor.startswith("seat:")}
            assert seats == {f"seat:{slot}" for slot, _, _ in part.layout}
            leaning = (place.partition("/") for place in part.balls.values() if "/" in place)
            seams = {BOARD.seam(slot, int(edge)) for slot, _, edge in leaning}
            assert {s.partition(":")[2] for s in high if s.startswith("edge:")} == seams
            floors = {place for place in part.balls.values() if place.startswith("Z")}
            assert {s for s in high if s.startswith("floor:")} == {f"floor:{z}" for z in floors}


@pytest.mark.parametrize("knobs", [Knobs(), ROUGH, replace(ROUGH, unplugs=0.3)])
def test_no_edge_comes_that_a_watermark_has_ruled_out(knobs: Knobs) -> None:
    for seed in SEEDS:
        until = at = 0
        for fact in made(seed, knobs).facts():
            if isinstance(fact.body, Watermark):
                assert fact.body.until >= until
                until = fact.body.until
            elif isinstance(fact.body, Edge):
                assert fact.at >= until
                assert fact.at >= at
                at = fact.at
            assert fact.t >= fact.at


@pytest.mark.parametrize("knobs", [CLEAN, Knobs(), ROUGH, BROKEN])
def test_no_ball_is_lost_and_none_is_in_two_places(knobs: Knobs) -> None:
    for seed in SEEDS:
        parts = made(seed, knobs).parts
        for part in parts:
            if part.roll:
                _conserved(part.roll, part)
        for before, part in itertools.pairwise(parts):
            new = part.balls.keys() - before.balls.keys()
            gone = before.balls.keys() - part.balls.keys()
            handled = {deed.ball for deed in part.deeds}
            rolled = set(part.roll.balls) if part.roll else set()
            assert new <= handled | rolled
            if part.kind not in ("begin", "tidy"):
                assert gone <= handled | rolled


def _conserved(roll: Roll, part: Part) -> None:
    assert set(roll.balls) <= roll.rests.keys()
    left = {ball for ball, _ in (*roll.off, *roll.fell)}
    assert len(left) == len(roll.off) + len(roll.fell)
    for ball, place in roll.rests.items():
        assert (place == OUT) == (ball in left)
        if place != OUT:
            assert part.balls[ball] == place
            slot, _, edge = place.partition("/")
            assert slot in part.balls[ball]
            assert slot in {zone.id for zone in BOARD.zones} or slot in BOARD.cell
            assert edge in ("", *"123456")


@pytest.mark.parametrize("knobs", [CLEAN, ROUGH])
def test_signs_of_a_roll_are_in_its_time_and_say_how_a_ball_came_to_its_place(
    knobs: Knobs,
) -> None:
    for seed in SEEDS:
        for roll in made(seed, knobs).rolls:
            assert roll.begin < roll.end
            assert roll.end - roll.begin < 60e9
            _followed(roll)


def _followed(roll: Roll) -> None:
    ways: dict[int, list[str]] = defaultdict(list)
    for sign in roll.signs:
        ways[sign.ball].append(sign.way)
        assert sign.off is None or sign.on < sign.off
        assert sign.on <= roll.end
        if sign.way != "load":
            assert sign.on >= roll.begin - 1e9
    for sensor, ball in {(sign.sensor, sign.ball) for sign in roll.signs}:
        spells = [s for s in roll.signs if (s.sensor, s.ball) == (sensor, ball)]
        for before, after in itertools.pairwise(spells):
            assert before.off is not None
            assert before.off <= after.on, "one ball is over one sensor once at a time"
    for ball, slot in roll.fell:
        assert ways[ball][-1] == "fall"
        assert any(s.sensor == f"fall:{slot}" for s in roll.signs if s.ball == ball)
    for ball, _ in roll.off:
        assert ways[ball][-1] == "exit"
    for ball in roll.balls:
        place = roll.rests[ball]
        if "/" in place:
            last = [s for s in roll.signs if s.ball == ball][-1]
            assert last.off is None
            assert last.way in ("lean", "stick")
        if place.startswith("Z"):
            assert ways[ball][-2:] == ["throat", "floor"]


def test_what_is_destroyed_follows_from_touches_and_ways_out() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(40):
        for roll in made(seed, Knobs()).rolls:
            touched = Counter(touch.slot for touch in roll.touches)
            last = {slot for _, slot in roll.off}
            often = {slot for slot, times in touched.items() if times >= 3}
            chosen = {slot for _, slot in roll.crowds}
            assert set(roll.destroyed) == (set() if roll.won else last | often | chosen)
            kinds.update(won=roll.won, off=bool(roll.off), fell=bool(roll.fell), loop=bool(often))
    assert all(kinds[kind] for kind in ("won", "off", "fell", "loop"))


def test_a_turn_is_a_roll_and_a_play_by_one_seat_and_every_play_seats() -> None:
    for seed in SEEDS:
        layout: dict[str, tuple[str, int]] = {}
        for part in made(seed, Knobs()).parts:
            for action in part.declares:
                verb, *words = action.split()
                if verb == "play":
                    tile, slot, rotation = words
                    assert slot not in layout
                    assert int(rotation) in everything()[tile].rotations(BOARD.key_edge)
            layout = {slot: (tile, rotation) for slot, tile, rotation in part.layout}
        kinds = Counter(part.kind for part in made(seed, Knobs()).parts)
        assert kinds["roll"] == 12
        assert kinds["begin"] >= 1
        assert abs(kinds["play"] - kinds["roll"]) <= kinds["begin"]


def pulses(facts: list[Fact]) -> Counter[str]:
    return Counter(f.body.sensor for f in facts if isinstance(f.body, Edge) and f.body.level)


@pytest.mark.long
def test_as_many_pulses_are_missed_as_asked() -> None:
    knobs = replace(CLEAN, missed=0.05, rolls=60)
    passing = ("gate", "cross", "bounce", "exit", "fall", "throat")
    signs = felt = 0
    for seed in range(10):
        night = made(seed, knobs)
        spells: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for roll in night.rolls:
            for sign in roll.signs:
                if sign.way in passing and sign.off:
                    spells[sign.sensor].append((sign.on, sign.off))
        alone = {sensor: merged(some) for sensor, some in spells.items()}
        heard = [f for f in night.facts() if isinstance(f.body, Edge) and f.body.level]
        at = {(f.body.sensor, f.at // 10**6) for f in heard if isinstance(f.body, Edge)}
        for sensor, some in alone.items():
            for on, _ in some:
                ms = int(on) // 10**6
                signs += 1
                felt += any((sensor, ms + d) in at for d in (-1, 0, 1))
    assert signs > 1500
    assert 1 - felt / signs == pytest.approx(0.05, abs=bound(0.05, signs))


@pytest.mark.long
def test_as_many_false_pulses_come_as_asked_and_of_every_length() -> None:
    quiet = replace(CLEAN, rolls=40)
    lengths: list[float] = []
    signs = false = 0
    for seed in range(6):
        noisy = made(seed, replace(quiet, false=0.1))
        signs += sum(len(roll.signs) for roll in noisy.rolls)
        calm = pulses(list(made(seed, quiet).facts()))
        loud = pulses(list(noisy.facts()))
        false += sum((loud - calm).values()) + sum((calm - loud).values())
        lengths += _lengths(noisy)
    assert false / signs == pytest.approx(0.1, abs=4 * math.sqrt(0.1 / signs) + 0.01)
    # Log-uniform from 1 to 100 ms: half of them are shorter than 10 ms.
    ours = [ms for ms in lengths if FALSE_MS[0] * 0.9 <= ms <= FALSE_MS[1] * 1.1]
    assert min(ours) < 3
    assert max(ours) > 40


def _lengths(night: Evening) -> list[float]:
    """Of each pulse at a sensor that no ball came near in its part, ms."""
    found, since = [], {}
    for part in night.parts:
        near = {s.sensor for s in part.roll.signs} if part.roll else set()
        for report in part.reports:
            if isinstance(report.body, Edge) and not report.body.sensor.startswith("seat"):
                if report.body.level:
                    since[report.body.sensor] = report.at
                elif report.body.sensor in since and report.body.sensor not in near:
                    found.append((report.at - since[report.body.sensor]) / 1e6)
    return found


@pytest.mark.long
def test_one_way_of_a_slow_roll_takes_a_second_and_up_to_ten() -> None:
    knobs = replace(CLEAN, rolls=60, slow_rolls=1.0)
    stays = sorted(roll.slow_s for seed in range(10) for roll in made(seed, knobs).rolls)
    slow = [stay for stay in stays if stay]
    assert max(slow) <= 10.0
    assert slow[-1] > 4
    # Log-normal, median 1 s, sigma 0.8: half are below 1 s, one in ten above exp(1.025) = 2.8 s.
    below = sum(stay < 1.0 for stay in slow) / len(slow)
    assert below == pytest.approx(0.5, abs=bound(0.5, len(slow)) + 0.03)
    above = sum(stay > 2.787 for stay in slow) / len(slow)
    assert above == pytest.approx(0.1, abs=bound(0.1, len(slow)) + 0.02)
    assert len(slow) / len(stays) > 0.7  # the others fall before they come to it


def test_an_outage_is_said_and_its_edges_come_later_or_never() -> None:
    for seed in SEEDS:
        for kind in ("unplugs", "reboots", "losses"):
            _said(made(seed, replace(CLEAN, **{kind: 1.0})), kind)


def test_a_daemon_that_was_killed_hears_what_is_when_it_is_back() -> None:
    for seed in SEEDS:
        night = made(seed, replace(CLEAN, kills=1.0))
        back = [fact for fact in night.facts() if fact.body == Presence(True)][1:]
        assert len(back) == len(night.rolls)
        for fact, roll in zip(back, night.rolls, strict=True):
            assert fact.at == roll.silence[1]
        spoke = [fact.at for fact in night.facts() if isinstance(fact.body, Edge)]
        silent = [roll.silence for roll in night.rolls]
        assert not any(since < at < until for at in spoke for since, until in silent)


def _edges(night: Evening) -> int:
    return sum(isinstance(fact.body, Edge) for fact in night.facts())


def _said(night: Evening, kind: str) -> None:
    down = [f for f in night.facts() if f.body == Presence(False, getattr(f.body, "why", ""))]
    lost = [f.body.count for f in night.facts() if isinstance(f.body, Lost)]
    if kind == "losses":
        assert lost
        assert not down
        assert sum(lost) == _edges(made(night.seed, CLEAN)) - _edges(night)
        return
    assert not lost
    assert len(down) == len(night.rolls)
    up = True
    for fact in night.facts():
        if isinstance(fact.body, Presence):
            up = fact.body.up
        else:
            assert up, "a board that is away says nothing"
    calm, heard = pulses(list(made(night.seed, CLEAN).facts())), pulses(list(night.facts()))
    if kind == "unplugs":  # the Pico kept its power: every change is told in the end
        assert heard == calm
    else:
        assert heard < calm


def test_a_hand_in_the_board_for_a_minute_is_felt_everywhere() -> None:
    knobs = replace(CLEAN, minutes=0.5, rolls=6)
    deeds = [(part, deed) for part in made(2, knobs).parts for deed in part.deeds]
    minutes = [(part, deed) for part, deed in deeds if deed.kind == "minute"]
    assert minutes
    for part, deed in minutes:
        assert deed.until - deed.at == pytest.approx(60e9, abs=1e6)
        felt = {r.body.sensor for r in part.reports if isinstance(r.body, Edge)}
        assert len(felt) >= 15


def test_people_take_minutes_for_a_match_and_think_between_moves() -> None:
    night = made(1, Knobs())
    gaps = [(part.end - part.begin) / 1e9 for part in night.parts if part.kind == "gap"]
    assert 6 < sorted(gaps)[len(gaps) // 2] < 20
    assert 3 < (night.parts[-1].end - night.parts[0].begin) / 60e9 < 60
