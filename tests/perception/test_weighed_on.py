"""A roll is weighed while balls roll: no step weighs much, and what is judged is the same."""

from typing import Any

import pytest

from hexboard.board import Board
from hexboard.facts import Fact
from hexboard.games.hextraction.table.unsettled import Unsettled
from hexboard.games.hextraction.tiles.tile import Tile
from hexboard.games.hextraction.tracking.hypothesis import Hypothesis
from hexboard.games.hextraction.tracking.readings import Readings
from tests.benchmarks.longest import Walk
from tests.benchmarks.rolls import Listener, with_areas
from tests.desk import BOARD, SLOTS, Desk
from tests.simulator.roll import Faults
from tests.simulator.trials import Trial, Trials


class Told(Listener):
    """A table that hears a trial, with `all` that it did."""

    def __init__(self, board: Board, trial: Trial) -> None:
        self.all: list[object] = []
        super().__init__(board, trial)
        self.hear()

    def _step(self, fact: Fact) -> None:
        self.all.append(self.table.step(fact))
        self.all.append(judged_of(self))


def judged_of(listener: Listener) -> tuple[object, ...]:
    """What a table has weighed last, what it asks, and what it doubts."""
    return listener.balls.ending.judged, listener.table.asking, listener.balls.noted


@pytest.mark.long
def test_balls_that_go_where_they_like_are_weighed_in_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ninety signs of three balls that no roll makes: without bounds one step weighs 106,489 ways
    of balls. One roll may weigh 6,000, and those of its last sign; one step 1,000 while balls roll,
    and those of a sign."""
    move, step, ways = Readings._moved, Walk._step, [0]

    def moved(*given: Any) -> Hypothesis:
        ways[-1] += 1
        return move(*given)

    def stepped(of: Walk, fact: Fact) -> None:
        ways.append(0)
        step(of, fact)

    monkeypatch.setattr(Readings, "_moved", moved)
    monkeypatch.setattr(Walk, "_step", stepped)
    assert Walk(BOARD, 4, 90, 3).asked == "table.which"
    assert 700 < max(ways) < 1_800
    ways[:] = [0]
    monkeypatch.setattr(Unsettled, "weigh_on", lambda *_: None)
    assert Walk(BOARD, 4, 90, 3).asked == "table.which"
    assert 3_000 < max(ways) < 9_000


@pytest.mark.parametrize("balls", [1, 2, 3])
@pytest.mark.parametrize("more", [(), with_areas()], ids=["basic", "areas"])
def test_what_is_weighed_while_balls_roll_is_judged_as_weighed_at_once(
    balls: int, more: tuple[Tile, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that the table does, and each reading that it weighs in the end."""
    taken = list[int]()
    weigh = Unsettled._weigh

    def weighed(of: Unsettled, *given: Any) -> Any:
        taken.append(len(of._weighed.taken) if of._weighed else 0)
        return weigh(of, *given)

    monkeypatch.setattr(Unsettled, "_weigh", weighed)
    faults = Faults(miss=0.05, false=0.0125)
    trials = [Trials(BOARD, 910 + n, faults, balls, more=more).one() for n in range(6)]
    on = [Told(BOARD, trial) for trial in trials]
    assert sum(map(bool, taken)) > len(taken) / 2  # it goes on from what was weighed
    monkeypatch.setattr(Unsettled, "weigh_on", lambda *_: None)
    for trial, told in zip(trials, on, strict=True):
        assert Told(BOARD, trial).all == told.all


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 9))
def test_what_no_roll_does_is_judged_alike_weighed_at_once(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here sensors are left out and heeded again, and not all can be weighed."""
    on = [judged_of(Walk(BOARD, seed, signs, 3)) for signs in (30, 90)]
    monkeypatch.setattr(Unsettled, "weigh_on", lambda *_: None)
    assert [judged_of(Walk(BOARD, seed, signs, 3)) for signs in (30, 90)] == on


def test_a_sensor_that_lets_go_late_has_not_felt_a_ball_all_the_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A ball that leans there is knocked on while another one holds it down: what was weighed as
    unlikely is weighed anew."""

    def judged() -> object:
        desk = Desk(SLOTS)
        desk.rule("ball 1 B3-B4")
        desk.level("edge:B3-B4", True)
        desk.wait(3000)
        desk.pulse("load:B1-1", every=500)
        desk.pulse("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B4-B5", "edge:B5-C4", every=300)
        desk.level("edge:B3-B4", False)
        desk.pulse("edge:B3-C3", "edge:C3-D3", every=300)
        desk.settle()
        ending = desk.balls.ending
        assert ending.judged
        return desk.effects, ending.judged

    anew = list[bool]()
    steadied = Readings.steadied

    def noted(of: Readings, steady: set[str]) -> bool:
        anew.append(not steadied(of, steady))
        return not anew[-1]

    monkeypatch.setattr(Readings, "steadied", noted)
    on = judged()
    assert True in anew
    monkeypatch.setattr(Unsettled, "weigh_on", lambda *_: None)
    assert judged() == on
