"""A seat's word on one tile or ball: what asks the others for leave, and what counts at once."""

from hexboard.facts import Ruling
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.tiles.catalogue import written
from tests.desk import Desk, start
from tests.test_table_effects import THROUGH, TILES

BEN = (1,)


def resolving() -> Desk:
    """A ball rolled through a tile that wins, and its effect waits for a vote."""
    begin = start(tiles=written(TILES), takeback="agreed")
    desk = Desk({"B1": Placed("Prize", 0)}, begin)
    desk.pulse(*THROUGH)
    desk.settle()
    assert desk.position.phase == "resolving"
    return desk


def says(desk: Desk, do: str) -> None:
    desk.feed(Ruling(do, "Ben", seats=BEN), source="page")


def test_in_a_roll_a_word_on_a_ball_counts_at_once() -> None:
    """Else the roll ends by itself meanwhile, which is play, and the word is lost."""
    desk = Desk(begin=start(takeback="agreed"))
    desk.pulse("gate:B1-6")
    says(desk, "ball 1 A1")
    assert (desk.table.asking, desk.keys[-1]) == (None, "table.ruled")
    desk.settle()
    assert desk.keys[-1] == "hextraction.settled"
    assert desk.position.places() == ((1, "A1"),)


def test_so_it_does_while_effects_are_resolved() -> None:
    desk = resolving()
    says(desk, "ball 1 B1")
    assert desk.table.asking is None
    assert desk.position.places() == ((1, "B1"),)
