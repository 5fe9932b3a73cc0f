"""A sensor that chatters for hours fills no card, and its level is known all the same."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hexboard import __version__
from hexboard.board import find, load
from hexboard.daemon import Run
from hexboard.daemon.notices import Notices
from hexboard.daemon.sources import Sources
from hexboard.facts import (
    MS,
    Body,
    Edge,
    Fact,
    Lost,
    Presence,
    Report,
    Snapshot,
    Start,
    Watermark,
    decode_fact,
)
from hexboard.game import registry
from hexboard.perception.health import PULSED
from hexboard.record.recording import read
from hexboard.settings import LinkSettings, Settings
from hexboard.simulator.twin import Twin
from hexboard.table import Table, open_table
from tests.evening import go

GATE, OTHER = "gate:B1-1", "gate:C1-1"
SECOND_NS = 1_000 * MS


class Pico:
    """A source that tells each edge, and its levels each second; and what the table hears of it."""

    def __init__(self) -> None:
        board = load(find("hextraction-22"))
        rules = registry.find("hextraction").rules()
        start = Start("m", board.name, board.hash, "hextraction", rules, {}, __version__)
        self.table: Table[Any] = open_table(board, start)
        self.table.step(Fact(1, 0, 0, "table", start))
        self._sources = Sources(board, False, Notices((), lambda: None), lambda _: None)
        self.heard: list[Report] = []
        self.astray: list[str] = []
        """Of which sensors a snapshot said another level than was told."""
        self.now = SECOND_NS
        self._seen_at = 0
        self.high: set[str] = set()
        self.tell(Presence(True))
        self.tell(Snapshot(()))

    def tell(self, body: Body) -> None:
        report = Report("pico", self.now, body)
        for it in self._sources.heard(report, self.table.senses.knows, False):
            self.heard.append(it)
            if isinstance(it.body, Snapshot):
                self.astray += self.table.senses.changed("pico", it.body.high)
            number = len(self.heard) + 1
            self.table.step(Fact(number, self.now, it.at, "pico", it.body))

    def flips(self, sensor: str) -> None:
        self.high ^= {sensor}
        self.tell(Edge(sensor, sensor in self.high))

    def waits(self, span_ns: int) -> None:
        """Time goes by, a snapshot each second and a promise each 10 ms."""
        until = self.now + span_ns
        while self.now < until:
            self.now = min(until, self.now + 10 * MS)
            if self.now - self._seen_at >= SECOND_NS:
                self._seen_at = self.now
                self.tell(Snapshot(tuple(sorted(self.high))))
            number = len(self.heard) + 1
            self.table.step(Fact(number, self.now, self.now, "pico", Watermark(self.now)))

    def edges(self, sensor: str) -> list[Edge]:
        bodies = (it.body for it in self.heard)
        return [it for it in bodies if isinstance(it, Edge) and it.sensor == sensor]


@pytest.fixture
def pico() -> Pico:
    return Pico()


def chatters(pico: Pico, seconds: int, every_ns: int) -> Iterator[None]:
    for _ in range(seconds * SECOND_NS // every_ns):
        pico.flips(GATE)
        pico.waits(every_ns)
        yield


def test_a_floating_input_costs_a_few_facts_a_second_and_stays_left_out(pico: Pico) -> None:
    for _ in chatters(pico, 5, 5 * MS):
        pass
    assert pico.table.senses.health.out == {GATE: "chattering"}
    before = len(pico.heard)
    for _ in chatters(pico, 60, 5 * MS):  # 12,000 edges
        assert pico.table.senses.health.out == {GATE: "chattering"}
    assert len(pico.heard) - before <= 60 * 9
    levels = [it.level for it in pico.edges(GATE)]
    assert all(one != other for one, other in pairwise(levels))


@pytest.mark.parametrize("pause_ms", [1_300, 1_700, 1_900])
def test_one_that_chatters_in_bursts_stays_left_out(pico: Pico, pause_ms: int) -> None:
    for _ in chatters(pico, 1, 5 * MS):
        pass
    for _ in range(30):
        for _ in range(12):
            pico.flips(GATE)
            pico.waits(5 * MS)
        pico.waits(pause_ms * MS)
        assert pico.table.senses.health.out == {GATE: "chattering"}


@pytest.mark.parametrize("more", [0, 1])
def test_it_is_believed_again_once_it_is_quiet_at_the_level_that_it_has(
    pico: Pico, more: int
) -> None:
    for _ in chatters(pico, 9, 7 * MS):
        pass
    while (GATE in pico.high) != bool(more):
        pico.flips(GATE)
    pico.waits(4 * SECOND_NS)
    assert pico.table.senses.debouncer.raw(GATE) == bool(more)
    assert (GATE in pico.table.senses.health.out) == bool(more)  # high with no ball there: stuck


def test_of_the_others_all_is_heard(pico: Pico) -> None:
    for n, _ in enumerate(chatters(pico, 20, 5 * MS)):
        if n % 100 < 2:
            pico.flips(OTHER)
    assert len(pico.edges(OTHER)) == 80
    assert OTHER not in pico.table.senses.health.out


def test_a_ball_now_and_then_over_a_sensor_that_is_left_out_is_heard_whole(pico: Pico) -> None:
    for _ in chatters(pico, 3, 5 * MS):
        pass
    pico.flips(GATE) if GATE in pico.high else None
    pico.waits(1_500 * MS)
    before = len(pico.edges(GATE))
    for _ in range(10):
        for _ in range(2):
            pico.flips(GATE)
            pico.waits(60 * MS)
        pico.waits(900 * MS)
    assert len(pico.edges(GATE)) - before == 20


@pytest.mark.parametrize("seed", range(3))
def test_of_a_storm_a_part_is_heard_and_it_ends_with_every_level_as_it_is(
    pico: Pico, seed: int
) -> None:
    random, senses = Random(seed), pico.table.senses

    def blows() -> bool:
        return senses.storms.on

    blown = [it.id for it in load(find("hextraction-22")).sensors if it.kind in PULSED]
    for _ in range(6_000):
        pico.flips(random.choice(blown))
        pico.waits(MS // 2)
    heard = [it for it in pico.heard if isinstance(it.body, Edge)]
    assert blows(), seed
    assert len(heard) < 3_000, seed
    pico.waits(3_500 * MS)
    assert not blows(), seed
    assert not pico.astray, seed
    assert {it for it in blown if senses.debouncer.raw(it)} == pico.high, seed


@pytest.mark.parametrize("seed", range(20))
def test_a_snapshot_never_says_another_level_than_was_told(pico: Pico, seed: int) -> None:
    """So that nothing is taken for an edge that was lost."""
    random = Random(seed)
    for _ in range(600):
        if random.random() < 0.02:
            pico.tell(random.choice((Lost(1), Presence(True))))
        if random.random() < 0.1:
            pico.tell(Snapshot(tuple(sorted(pico.high))))
        pico.flips(random.choices((GATE, OTHER), (30, 1))[0])
        pico.waits(random.choice((2, 5, 20, 90)) * MS)
    pico.tell(Snapshot(tuple(sorted(pico.high))))
    assert not pico.astray, seed
    assert GATE in pico.table.senses.health.out
    assert len(pico.edges(GATE)) < 500


def left_out(state: dict[str, Any]) -> bool:
    return [(it["id"], it["health"]) for it in state["bad_sensors"]] == [(GATE, "chattering")]


@pytest.mark.long
def test_at_a_real_daemon_an_input_that_hangs_in_the_air_is_recorded_a_few_times_a_second(
    tmp_path: Path,
) -> None:
    board = load(find("hextraction-22"))
    bit = next(sensor.input for sensor in board.sensors if sensor.id == GATE)
    assert bit is not None
    image = bytearray(-(-len(board.sensors) // 8))
    with ExitStack() as stack:
        twin = stack.enter_context(Twin(len(board.sensors), len(board.pixels)))
        wired = Settings(link=LinkSettings(port=twin.port))
        at = go(stack, Run(board, tmp_path, wired, "hextraction", {}, port=0))
        at.page.until(lambda s: any(link["up"] for link in s["links"]))
        for n in range(1_001):
            image[bit // 8] ^= 1 << bit % 8
            twin.drive(bytes(image))
            if n == 200:
                at.page.until(left_out)
            time.sleep(0.005)
        at.page.until(lambda s: GATE in s["active_sensors"])
        recording = at.daemon.match.recording
        image[bit // 8] ^= 1 << bit % 8
        twin.drive(bytes(image))
        at.page.until(lambda s: not left_out(s))
    bodies = [decode_fact(it.payload).body for it in read(recording) if it.topic == "fact"]
    levels = [it.level for it in bodies if isinstance(it, Edge) and it.sensor == GATE]
    assert len(levels) < 100  # of some thousand
    assert not levels[-1]
