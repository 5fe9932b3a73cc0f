"""Whole evenings: what the referee says against what a witness in the simulated world saw."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec
import pytest

from hexboard.board import CellId
from hexboard.facts import Body, Decide, Edge, Fact, Report
from hexboard.games.hextraction.simulator.evening import Evening
from hexboard.games.hextraction.simulator.player import position_of
from hexboard.games.hextraction.simulator.world import RollingBall, TileWorld
from hexboard.record.transcript import Told
from hexboard.table.effects import Corrected, Effect, Tell
from tests.desk import BOARD

SETTLE = 1500
LEFT = {"hextraction.fell": "fell", "hextraction.off": "off", "hextraction.enters": "enters"}


class Witness(TileWorld):
    """A world that writes down how each ball leaves the slots, as it does."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.left: list[tuple[str, str]] = []

    def _on_fallen(self, ball: RollingBall) -> None:
        self.left.append(("fell", ball.cell))
        super()._on_fallen(ball)

    def _leave(self, ball: RollingBall, cell: CellId, edge: int) -> None:
        if (cell, edge) in self.board.goal:
            self.left.append(("enters", self.board.goal[cell, edge]))
        elif (cell, edge) in self.board.exits:
            self.left.append(("off", f"{cell}-{edge}"))
        super()._leave(ball, cell, edge)


class Watched(Evening):
    """An evening that is compared with its witness at every stable moment."""

    def __init__(self, seed: int, settle_ms: int = SETTLE) -> None:
        self.said: list[tuple[str, str]] = []  # how balls left, as ruled since the last moment
        self.rolls = self.asked = self.wrong_unasked = self.wrong_asked = self.corrected = 0
        self.gone = self.gone_asked = 0  # rolls whose ball left the slots
        self.mistakes: list[str] = []
        self._asking = self._rolled = False
        super().__init__(BOARD, seed, settle_ms, self.listen)

    def listen(self, fact: Fact, told: list[Told]) -> None:
        for record in told:
            if record.topic != "event":
                continue
            for effect in msgspec.json.decode(record.payload, type=Event).effects:
                if isinstance(effect, Corrected):
                    self.corrected += 1
                    self.said.clear()
                elif isinstance(effect, Tell):
                    for message in effect.messages:
                        values = dict(message.values)
                        if message.key == "hextraction.rolls":
                            self._rolled = True
                            self.rolls += 1
                        elif message.key == "hextraction.off":
                            self.said.append(("off", f"{values['slot']}-{values['edge']}"))
                        elif message.key in LEFT:
                            place = values.get("slot") or values.get("zone")
                            self.said.append((LEFT[message.key], str(place)))

    def _act(self) -> None:
        if (
            self.transcript.view.asking
        ):  # a choice that the rules give is no question of what happened
            self._asking = self.transcript.view.asking.message.key.startswith("table.")
        elif self.transcript.view.position.stable:
            self.compare()
        super()._act()

    def _say(self, ruling: str) -> None:
        self.compare()
        super()._say(ruling)

    def compare(self) -> None:
        """The world and the referee agree: on how balls left, and on tiles up to the to-do."""
        assert isinstance(self.world, Witness)
        position = position_of(self.transcript.view)
        # Hands that take a tile out may drop several balls through one hole at once (2.11).
        if self._rolled and Counter(self.world.left) != Counter(self.said):
            self.mistakes.append(f"turn {position.turn}: {self.world.left} but {self.said}")
            self.wrong_asked += self._asking
            self.wrong_unasked += not self._asking
        self.asked += self._asking
        if self._rolled and self.world.left:
            self.gone += 1
            self.gone_asked += self._asking
        self._asking = self._rolled = False
        self.world.left.clear()
        self.said.clear()
        table: Any = self.transcript._table
        undone = {todo.cell for todo in self.transcript.view.todo}
        for slot in BOARD.cell:
            placed = position.tiles.get(slot)
            there = self.world.slots.get(slot)
            assert slot in undone or there == (placed and (placed.tile, placed.rotation))
            believed = table.sensing.believed.slots.there.get(slot)
            assert there == (believed and (believed.tile, believed.rotation))


class Event(msgspec.Struct):
    n: int
    effects: list[Effect]


@pytest.fixture(autouse=True)
def _witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexboard.games.hextraction.simulator.evening.TileWorld", Witness)


def test_the_referee_rules_what_the_world_did() -> None:
    evening = Watched(0)
    evening.play(60)
    assert evening.mistakes == []
    assert evening.corrected == 0
    assert evening.rolls >= 30


@pytest.mark.long
def test_it_hardly_ever_asks_what_left_the_board() -> None:
    evenings = [Watched(seed) for seed in range(6)]
    for evening in evenings:
        evening.play(60)
        assert evening.mistakes == []
        assert evening.corrected == 0
    gone, asked = sum(e.gone for e in evenings), sum(e.gone_asked for e in evenings)
    assert sum(e.rolls for e in evenings) >= 220
    assert gone >= 80
    assert asked <= gone * 0.02  # but for two that leave through one hole, which are one pulse


class Deaf(Watched):
    """An evening with bad sensors: an edge between two slots misses one ball in fifty."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._missed: set[str] = set()
        super().__init__(seed)

    def _feed(self, reports: Iterable[Report]) -> None:
        super()._feed(report for report in reports if not self._misses(report.body))

    def _misses(self, body: Body) -> bool:
        if not isinstance(body, Edge) or not body.sensor.startswith("edge:"):
            return False
        if body.level and self._chance.random() < 0.02:
            self._missed.add(body.sensor)
        missed = body.sensor in self._missed
        if not body.level:
            self._missed.discard(body.sensor)
        return missed


@pytest.mark.long
def test_with_bad_sensors_the_referee_asks_rather_than_be_wrong() -> None:
    evenings = [Deaf(seed) for seed in range(3)]
    for evening in evenings:
        evening.play(60)
    rolls = sum(e.rolls for e in evenings)
    assert rolls >= 120
    assert sum(e.wrong_unasked for e in evenings) <= rolls * 0.01


@pytest.mark.long
def test_the_same_seed_is_the_same_evening_to_the_last_byte() -> None:
    def digest(seed: int) -> str:
        evening = Evening(BOARD, seed, SETTLE)
        evening.play(20)
        return evening.transcript.digest

    assert digest(5) == digest(5)
    assert digest(5) != digest(6)


@pytest.mark.long
def test_an_evening_does_not_depend_on_how_python_hashes() -> None:
    code = (
        "from hexboard.board import find, load\n"
        "from hexboard.games.hextraction.simulator.evening import Evening\n"
        "evening = Evening(load(find('hextraction-22')), 3, 1500)\n"
        "evening.play(20)\n"
        "print(evening.transcript.digest)"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(digests) == 1


def test_nobody_is_asked_in_a_roll_again_and_again_where_a_ball_is() -> None:
    """Two balls lie in E1, as far as anyone can tell: that one does answers nothing."""
    given: list[str] = []

    def keep(fact: Fact, told: list[Told]) -> None:
        if isinstance(fact.body, Decide):
            given.append(fact.body.choice)

    Evening(BOARD, 200, 1500, keep).play(15)
    assert given[-2:] == ["rest 6 E1", "reading 1"]
    assert given.count("rest 6 E1") == 1
