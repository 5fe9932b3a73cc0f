"""A seat's word on one tile or ball: what asks the others for leave, and what counts at once."""

from hexboard.facts import Decide, Ruling, Snapshot
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.tiles.catalogue import written
from tests.desk import OPEN, Desk, start
from tests.test_table_effects import THROUGH, TILES

BEN = (1,)


def resolving(tiles: dict[str, Placed]) -> Desk:
    """A ball rolled through these tiles, and an effect waits for people."""
    begin = start(tiles=written(TILES), takeback="agreed")
    desk = Desk(tiles, begin)
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
    desk = resolving({"B1": Placed("Prize", 0)})
    says(desk, "ball 1 B1")
    assert desk.table.asking is None
    assert desk.position.places() == ((1, "B1"),)


def test_where_the_table_asks_of_a_ball_a_tile_is_no_answer() -> None:
    desk = Desk({"B1": OPEN, "A1": OPEN}, start(takeback="agreed"))
    desk.pulse("gate:B1-6", "edge:A1-B1")
    desk.settle()
    asked = desk.table.asking
    assert asked is not None
    assert asked.message.key == "table.where"
    says(desk, "tile A1 -")
    assert (desk.refused, desk.table.asking) == (["table.question_open"], asked)
    assert "A1" in desk.position.tiles
    says(desk, "ball 1 B1")  # where it is told, that is the answer
    assert desk.refused == ["table.question_open"]
    assert dict(desk.position.places()) == {1: "B1"}


def test_what_the_rules_have_somebody_choose_keeps_no_ball_from_being_put_right() -> None:
    tiles = {"B1": Placed("Ram", 0), "A1": OPEN, "B2": OPEN}
    desk = resolving(tiles)
    assert desk.table.asking is not None
    assert desk.table.asking.message.key.startswith("hextraction.")
    says(desk, "tile A1 -")
    assert desk.refused == ["table.question_open"]
    says(desk, "ball 1 A1")
    assert dict(desk.position.places()) == {1: "A1"}


def test_where_the_table_asks_of_a_tile_no_word_is_an_answer() -> None:
    desk = Desk({"B1": OPEN}, start(takeback="agreed", fallen_tiles="always"))
    desk.feed(Snapshot(("seat:B1",)))
    desk.level("seat:B1", False)
    desk.settle()
    assert desk.table.asking is not None
    assert desk.table.asking.message.key == "table.fallen"
    for do in ("tile B1 -", "ball 1 A1"):
        says(desk, do)
    assert desk.refused == ["table.question_open"] * 2
    assert "B1" in desk.position.tiles


def test_while_cards_are_hidden_the_host_asks_too() -> None:
    """docs/phones.md, "Taking back": they are asked by everybody."""
    desk = Desk(begin=start(takeback="agreed", hands="scan"))
    desk.rule("tile C2 J 0")
    asked = desk.table.asking
    assert asked is not None
    assert (asked.of, desk.position.tiles) == ((0, 1), {})
    desk.decide("yes")
    assert desk.position.tiles == {"C2": Placed("J", 0)}


def test_while_a_vote_is_open_a_take_back_can_be_agreed_to() -> None:
    desk = resolving({"B1": Placed("Prize", 0)})
    desk.declare("vote destroy B1 1", seat=1)
    assert desk.position.vote is not None
    desk.feed(Ruling("undo", "Ann", seats=(0,)), source="page")
    desk.wait(100)
    asked = desk.table.asking
    assert asked is not None
    assert (asked.message.key, asked.of) == ("table.take_back", BEN)
    desk.feed(Decide(asked.id, "yes", BEN), source="page")
    assert desk.position.vote is None
