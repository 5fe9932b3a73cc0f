"""What is said and asked of a ball fits what the sensors feel, in words that need no thinking."""

import pytest

from hexboard.board import EDGES
from hexboard.facts import Snapshot
from tests.benchmarks.worlds import Play
from tests.desk import BOARD, Desk
from tests.worlds import Knobs, Part, evening

COLUMN = ("B1", "B2", "B3", "B4")


def begun() -> Desk:
    desk = Desk(COLUMN)
    desk.feed(Snapshot(("rail:main", *(f"seat:{slot}" for slot in COLUMN))))
    return desk


@pytest.mark.parametrize("held_ms", [300, 20_000])
def test_of_a_ball_laid_in_a_lane_and_taken_out_it_can_be_said_that_nobody_rolled(
    held_ms: int,
) -> None:
    desk = begun()
    before = desk.position
    desk.level("load:B1-1", True)
    desk.wait(held_ms)
    desk.level("load:B1-1", False)
    desk.settle()
    asking = desk.table.asking
    assert asking is not None
    first, *others = asking.choices
    assert first.message.key == "table.answer_no_roll", "the likeliest answer comes first"
    assert [choice.message.key for choice in others] == [
        "table.answer_reading",
        "table.answer_void",
    ]
    desk.decide(first.name)
    assert desk.table.asking is None
    assert desk.position == before
    desk.wait(60_000)
    assert (desk.position, desk.commits) == (before, desk.commits[:1]), "nor later"
    desk.pulse("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-B4", "edge:B4-B5")
    desk.settle()
    assert desk.keys.count("hextraction.rolls") == 1, "the roll is still due"


@pytest.mark.parametrize("late_ms", [0, 3000])
def test_a_ball_that_a_rib_feels_lies_on_that_rib(late_ms: int) -> None:
    """Late: it had been taken to lie in the tile, felt by nothing, before it rolled back."""
    desk = begun()
    desk.pulse("gate:B1-1", "edge:B1-B2")
    if late_ms:
        desk.pulse("edge:B2-B3")
        desk.wait(late_ms)
        assert desk.keys[-1] == "table.unfelt"
    desk.level("edge:B2-B3", True)
    desk.settle()
    assert desk.position.places() == ((1, "B2-B3"),)
    assert desk.balls.believed.unfelt == set()
    assert desk.keys[-1] == "hextraction.settled"


class Watched(Play):
    """Counts the balls that are said to be felt by nothing, and those of them beside whose tile a
    rib feels a ball where none is known."""

    missed = strange = 0

    def _looked(self, part: Part, asked: bool) -> None:
        places = self.referee.shown.balls.values()
        for said in self.referee.told:
            if said.key == "table.unfelt":
                slot = str(dict(said.values)["place"])
                ribs = {self._board.seam(slot, edge) for edge in EDGES} - set(places)
                self.missed += 1
                self.strange += not self._high.isdisjoint(f"edge:{rib}" for rib in ribs)
        super()._looked(part, asked)


@pytest.mark.long
def test_where_balls_stick_on_ribs_none_is_missed_beside_a_rib_that_feels_one() -> None:
    nights = [evening(7_300 + n, Knobs(rolls=24, sticks=0.2)) for n in range(4)]
    plays = [Watched(BOARD, night) for night in nights]
    for play in plays:
        play.played()
    assert (
        sum(sign.way == "stick" for night in nights for roll in night.rolls for sign in roll.signs)
        > 20
    )
    assert sum(play.missed for play in plays) > 2
    assert sum(play.strange for play in plays) == 0
