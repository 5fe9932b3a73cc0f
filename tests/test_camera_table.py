"""The table of pieces with a camera: it plays what is certain, asks, and scolds only late and
rightly.

Readings are written by hand: a cell that surely shows a code costs nothing for it alone.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.board import Board, find, load, plain
from hexboard.facts import (
    MS,
    Body,
    Decide,
    Declare,
    Edge,
    Fact,
    Presence,
    Reading,
    Resume,
    Ruling,
    Sample,
    Start,
    Tick,
    Tint,
)
from hexboard.game import registry
from hexboard.game.position import Action, Touched
from hexboard.games import hexalma
from hexboard.games.hexel.cards import FACES
from hexboard.record.transcript import Transcript
from hexboard.scene import Mark, Meaning
from hexboard.table import Pieces, open_table
from hexboard.table.effects import Commit, Effect, Refresh, Refuse, Tell
from hexboard.table.looks import SITUATION_LOOKS
from hexboard.table.view import NOTHING
from hexboard.words import say

BOARD = load(find("hexhex-5"))
START = Start("m", BOARD.name, BOARD.hash, "hexalma", hexalma.rules(), {"away_ms": 1500}, "test")
CELLS = [cell.id for cell in BOARD.cells]


def sure(seen: bytes, **doubts: dict[int, int]) -> Reading:
    """A reading that shows these codes; in the cells named, with these costs instead."""
    cells: list[tuple[tuple[int, int], ...]] = [((code, 0),) for code in seen]
    for cell, costs in doubts.items():
        cells[CELLS.index(cell)] = tuple(sorted(costs.items()))
    return Reading(tuple(cells))


def told(effects: list[Effect]) -> list[str]:
    """The keys of what was told."""
    return [text.key for effect in effects if isinstance(effect, Tell) for text in effect.messages]


class Desk:
    def __init__(
        self, board: Board = BOARD, start: Start | Resume = START, first: Reading | None = None
    ) -> None:
        self.table = open_table(board, start)
        assert isinstance(self.table.sensing, Pieces)
        self.pieces = self.table.sensing
        self.n = 0
        self.at = 0
        self.cells = [cell.id for cell in board.cells]
        self.feed(first or sure(self.seen))

    @property
    def seen(self) -> bytes:
        return bytes(self.position.seen())

    @property
    def position(self) -> Touched[Action]:
        return self.table.ledger.game.touchable(self.table.position)

    def feed(self, body: Body, after: int = 500, source: str = "camera") -> list[Effect]:
        """Feed a fact so many ms after the one before."""
        self.n, self.at = self.n + 1, self.at + after * MS
        return self.table.step(Fact(self.n, self.at, self.at, source, body))

    def press(self, button: str) -> None:
        """Press a button on the board."""
        self.feed(Edge(f"button:{button}", True), 10, "pico")
        self.feed(Edge(f"button:{button}", False), 100, "pico")
        self.feed(Tick(), 200)

    def after(self, name: str) -> bytes:
        position = self.position
        return bytes(position.play(position.action(name)).seen())

    def played(self, effects: list[Effect]) -> int:
        return sum(isinstance(effect, Commit) for effect in effects)

    def steps(self) -> list[str]:
        """The way back as people read it."""
        return [say(todo.message) for todo in self.table.todo]

    def lit(self, meaning: Meaning) -> set[str]:
        return {mark.place for mark in self.table.scene() if mark.meaning is meaning}

    def wrong(self, **cells: int) -> None:
        """A board that no move explains, and time enough to call it wrong."""
        self.feed(sure(self.moved(**cells)))
        self.feed(Tick(), 1700)
        assert self.pieces.camera.wrong

    def moved(self, **cells: int) -> bytes:
        """What is seen now, with other codes in some cells."""
        seen = bytearray(self.seen)
        for cell, code in cells.items():
            seen[self.cells.index(cell)] = code
        return bytes(seen)


def test_a_move_that_is_seen_is_played_and_committed() -> None:
    desk = Desk()
    after = desk.after("b3-c3")
    assert desk.played(desk.feed(Reading())) == 0
    assert desk.played(desk.feed(sure(after))) == 1
    assert desk.seen == after
    assert desk.table.todo == ()


def test_two_that_could_be_are_asked_for_and_the_answer_is_played() -> None:
    desk = Desk()
    look = sure(desk.after("b3-c3"), c3={0: 0, 1: 0}, c4={0: 0, 1: 0})
    for _ in range(SITUATION_LOOKS):
        assert desk.table.asking is None
        desk.feed(look)
    asking = desk.table.asking
    assert asking is not None
    assert {choice.name for choice in asking.choices} == {"b3-c3", "b3-c4", NOTHING}
    lit = [mark for mark in desk.table.scene() if mark.meaning is Meaning.ASK]
    which = {choice.name: n for n, choice in enumerate(asking.choices, 1)}
    assert {mark.place: mark.count for mark in lit} == {
        "b3": 0,  # of both
        "c3": which["b3-c3"],
        "c4": which["b3-c4"],
    }
    after = desk.after("b3-c4")
    assert desk.played(desk.feed(Decide(asking.id, "b3-c4"))) == 1
    assert desk.seen == after
    assert desk.table.asking is None


def test_a_question_is_closed_when_the_disc_is_put_back() -> None:
    desk = Desk()
    for _ in range(SITUATION_LOOKS):
        desk.feed(sure(desk.after("b3-c3"), c3={0: 0, 1: 0}, c4={0: 0, 1: 0}))
    assert desk.lit(Meaning.ASK)
    desk.feed(Reading())
    desk.feed(sure(desk.seen))
    assert desk.table.asking is None
    assert not desk.lit(Meaning.ASK)


def unsure(desk: Desk, left: str, *ends: str) -> Reading:
    """A look at a disc that has left its cell, and may lie at any of these ends."""
    doubts = {end: {0: 0, desk.seen[CELLS.index(left)]: 0} for end in ends}
    return sure(desk.moved(**{left: 0}), **doubts)


def offered(desk: Desk) -> set[str]:
    """The answers to the open question; nothing where there is none."""
    return {choice.name for choice in desk.table.asking.choices} if desk.table.asking else set()


def test_a_question_goes_with_the_board_it_is_about() -> None:
    """b3 is put back, and then it is b1 that lies doubtfully: an answer to the first question would
    hide that."""
    desk = Desk()
    for _ in range(SITUATION_LOOKS):
        desk.feed(unsure(desk, "b3", "c3", "c4"))
    first = desk.table.asking
    assert first is not None
    desk.feed(Reading())
    desk.feed(unsure(desk, "b1", "c1", "c2"))
    assert desk.table.asking is None
    assert not desk.lit(Meaning.ASK)
    for _ in range(SITUATION_LOOKS):
        desk.feed(unsure(desk, "b1", "c1", "c2"))
    assert offered(desk) == {"b1-c1", "b1-c2", NOTHING}
    (refused,) = [e for e in desk.feed(Decide(first.id, NOTHING)) if isinstance(e, Refuse)]
    assert refused.message.key == "table.no_question"


def test_a_question_goes_when_its_piece_is_lifted_again() -> None:
    desk = Desk()
    for _ in range(SITUATION_LOOKS):
        desk.feed(unsure(desk, "b3", "c3", "c4"))
    desk.feed(Reading())
    desk.feed(sure(desk.moved(b3=0)))
    assert desk.table.asking is None


def test_a_question_stays_while_looks_ask_the_same_and_grows_where_they_ask_more() -> None:
    desk = Desk()
    for name in ("b3-c3", "h3-g3"):
        desk.feed(sure(desk.after(name)))
    for _ in range(SITUATION_LOOKS):
        desk.feed(unsure(desk, "c3", "d3", "d4"))
    asking = desk.table.asking
    for _ in range(4):
        desk.feed(unsure(desk, "c3", "d3", "d4"))
    assert desk.table.asking is asking
    for _ in range(SITUATION_LOOKS):
        desk.feed(unsure(desk, "c3", "d3", "d4", "c4"))
    assert offered(desk) == {"c3-d3", "c3-d4", "c3-c4", NOTHING}


def test_what_people_say_is_right_is_asked_no_longer() -> None:
    desk = Desk()
    for _ in range(SITUATION_LOOKS):
        desk.feed(unsure(desk, "b3", "c3", "c4"))
    desk.feed(Ruling("right"))
    assert desk.table.asking is None
    for _ in range(SITUATION_LOOKS):
        desk.feed(unsure(desk, "b3", "c3", "c4"))
    assert desk.table.asking is None


def test_a_hand_may_make_its_move_after_the_board_was_called_right() -> None:
    """What is seen after a hand is no longer what was right before it, or under it."""
    for again in (False, True):
        desk = Desk()
        desk.feed(Reading())
        desk.feed(Ruling("right"))
        if again:
            desk.feed(Reading())
        after = desk.after("b3-c3")
        assert desk.played(desk.feed(sure(after))) == 1
        assert desk.seen == after


def test_a_move_that_is_said_is_to_be_done_while_the_camera_sees_it_is_not() -> None:
    desk = Desk()
    old = sure(desk.seen)
    desk.feed(Declare(-1, "b3-c3"), source="page")
    assert desk.steps() == ["Move the black disc from b3 to c3"]
    for _ in range(SITUATION_LOOKS):
        desk.feed(Reading())
        desk.feed(old)
    assert desk.table.asking is None
    assert desk.steps() == ["Move the black disc from b3 to c3"]
    desk.feed(Reading())
    desk.feed(sure(desk.moved(b3=1, c3=0, h3=0, g3=2)))
    assert len(desk.table.ledger.match.entries) == 1  # white's move waits
    desk.feed(Reading())
    desk.feed(sure(desk.seen))
    assert desk.steps() == []
    assert not desk.pieces.camera.wrong


def test_who_takes_back_may_make_another_move_at_once() -> None:
    desk = Desk()
    other = sure(desk.after("b3-c4"))
    desk.feed(Reading())
    made = sure(desk.after("b3-c3"))
    desk.feed(made)
    desk.feed(Ruling("undo"), source="page")
    for _ in range(3):
        desk.feed(made)  # nobody has lifted it yet
    assert desk.steps() == ["Move the black disc from c3 to b3"]
    desk.feed(Reading())
    desk.feed(other)
    assert desk.steps() == []
    entries = [str(entry) for entry in desk.table.ledger.match.entries]
    assert entries[1:] == ["Back(to=0)", "Played(action='b3-c4')"]


def test_a_take_back_by_hand_that_is_refused_is_to_be_put_right_and_not_asked_again() -> None:
    desk = Desk(start=replace(START, options={**START.options, "takeback": "agreed"}))
    before = sure(desk.seen)
    desk.feed(sure(desk.after("b3-c3")))
    desk.feed(Reading())
    while desk.table.asking is None:
        desk.feed(before)
    desk.feed(Decide(desk.table.asking.id, "undo", seats=(0,)), source="page")
    assert desk.table.asking is not None
    desk.feed(Decide(desk.table.asking.id, "no", seats=(1,)), source="page")
    for _ in range(5):
        desk.feed(before, 10_000)
        assert desk.table.asking is None
    assert desk.steps() == ["Move the black disc from b3 to c3"]
    desk.feed(Reading())
    desk.feed(sure(desk.seen))
    assert desk.steps() == []


def test_what_people_said_of_the_board_holds_for_no_later_position() -> None:
    """The camera was away; it comes back to a board that somebody has knocked against."""
    desk = Desk()
    desk.feed(Reading())
    desk.feed(Presence(False, "gone"))
    desk.feed(Ruling("right"), source="page")
    desk.feed(Declare(-1, "b3-c3"), source="page")
    desk.feed(Presence(True))
    for _ in range(5):
        desk.feed(sure(desk.moved(a1=0, e5=1)))
    desk.feed(Tick(), 5_000)
    assert {"a1", "e5"} <= set(desk.pieces.camera.wrong)


def test_once_the_game_is_over_nobody_is_scolded_for_clearing_the_board() -> None:
    desk = Desk()
    desk.feed(Declare(0, "resign black"), source="page")
    desk.feed(Reading())
    for look in (desk.moved(a1=0, b3=0, e1=0), bytes(len(desk.seen))):
        for _ in range(3):
            desk.feed(sure(look))
        desk.feed(Tick(), 5_000)
        assert not desk.pieces.camera.wrong
        assert desk.steps() == []


def test_a_counter_that_is_cleared_away_after_a_resignation_stops_no_table() -> None:
    rhombus, bad_santa = load(find("rhombus-11")), registry.find("bad-santa-hex")
    start = Start("m", rhombus.name, rhombus.hash, bad_santa.name, bad_santa.rules(), {}, "test")
    desk = Desk(rhombus, start)
    for cell in ("c3", "e5"):
        desk.feed(Reading())
        desk.feed(sure(desk.after(cell)))
    desk.feed(Declare(-1, "resign black"), source="page")
    desk.feed(Reading())
    desk.feed(sure(desk.moved(c3=0)))
    assert desk.position.scores is not None


def test_a_move_made_under_a_hand_and_then_said_is_done() -> None:
    desk = Desk()
    desk.feed(Reading())
    after = desk.after("b3-c3")
    desk.feed(Declare(-1, "b3-c3"), source="page")
    assert desk.steps() == []
    desk.feed(sure(after))
    assert desk.steps() == []
    assert desk.played(desk.feed(sure(desk.after("h3-g3")))) == 1


def test_what_the_camera_always_had_wrong_is_nothing_to_do_for_a_move_that_is_said() -> None:
    desk = Desk()
    ghost = {0: 2500, 1: 0}  # glare
    desk.feed(sure(desk.seen, d5=ghost))
    desk.feed(Ruling("right"))
    desk.feed(Declare(-1, "b3-c3"), source="page")
    desk.feed(sure(desk.moved(b3=1, c3=0), d5=ghost))
    assert desk.steps() == ["Move the black disc from b3 to c3"]
    desk.feed(Reading())
    desk.feed(sure(desk.seen, d5=ghost))
    assert desk.steps() == []


def test_what_was_seen_while_the_journal_was_away_is_played_when_it_is_back() -> None:
    desk = Desk()
    after = desk.after("b3-c3")
    desk.feed(Presence(False, "the disk is full"), source="journal")
    assert desk.played(desk.feed(sure(after))) == 0
    assert desk.played(desk.feed(Presence(True), source="journal")) == 1
    assert desk.seen == after


def other(game: str, board: Board, **options: int | str | bool) -> Desk:
    """A desk with another game."""
    rules = registry.find(game).rules()
    return Desk(board, Start("m", board.name, board.hash, game, rules, options, "test"))


def test_each_reservation_counter_is_a_move_and_one_too_near_is_named_with_its_rule() -> None:
    desk = other("bad-santa-hex", load(find("rhombus-11")))
    desk.feed(sure(desk.moved(c3=3)))
    desk.feed(Tick(), 60_000)  # one of two is no mistake
    assert not desk.pieces.camera.wrong
    desk.feed(sure(desk.moved(c4=3)))
    effects = desk.feed(Tick(), 1700)
    assert told(effects) == ["table.camera_wrong", "bad_santa.same_group"]
    assert desk.steps() == ["Take the reservation counter off c4"]


@pytest.mark.parametrize("labels", ["order", "free"])
def test_a_reservation_counter_may_be_pushed_on_until_the_die_is_rolled(labels: str) -> None:
    """C8: until then each counter of the turn may be taken back."""
    desk = other("bad-santa-hex", load(find("rhombus-11")), labels=labels)
    named = {"order": ("b9", "e5"), "free": ("12:b9", "34:e5")}[labels]
    for move in named:
        desk.feed(Declare(-1, move))
    desk.feed(sure(desk.seen))
    desk.feed(Reading())
    effects = desk.feed(sure(desk.moved(b9=0, b10=3)))
    effects += desk.feed(Tick(), 1700)
    assert "table.camera_wrong" not in told(effects)
    assert {at for at, code in zip(desk.cells, desk.seen, strict=True) if code == 3} == {
        "b10",
        "e5",
    }


def test_why_a_wrong_board_is_wrong_follows_what_is_tried_next() -> None:
    desk = other("bad-santa-hex", load(find("rhombus-11")))
    desk.feed(sure(desk.after("c3")))
    desk.wrong(c4=3)
    assert desk.pieces.camera.against is not None  # c3 and c4 would be one group
    desk.feed(Reading())
    desk.feed(sure(desk.moved(h8=3, c3=0)))
    assert desk.pieces.camera.against is None


def test_a_card_that_may_not_lie_there_is_named_with_its_rule() -> None:
    """The second card of the first line, of which RRRRRR lies in -1,0."""
    desk = other("hexel", plain("table"), chips="off")
    desk.feed(sure(desk.after("place -1,0 RRRRRR")))
    desk.feed(sure(desk.moved(**{"0,0": FACES.index("RRRRRB")})))
    effects = desk.feed(Tick(), 1700)
    assert told(effects)[0] == "table.camera_wrong"
    assert desk.pieces.camera.against is not None
    assert desk.pieces.camera.against.rule.startswith("HEXEL-")
    assert desk.steps() == ["Take the card RRRRRB off 0,0"]


def test_moves_that_look_the_same_are_all_offered() -> None:
    """Reservation counters whose labels are free all look alike."""
    desk = other("bad-santa-hex", load(find("rhombus-11")), labels="free")
    for _ in range(SITUATION_LOOKS):
        desk.feed(sure(desk.moved(c3=3)))
    asking = desk.table.asking
    assert asking is not None
    assert {choice.name for choice in asking.choices} == {"12:c3", "34:c3", "56:c3", NOTHING}
    assert [m for m in desk.table.scene() if m.meaning is Meaning.ASK] == [Mark("c3", Meaning.ASK)]
    desk.feed(Decide(asking.id, "34:c3"))
    assert str(desk.table.ledger.match.entries[0]) == "Played(action='34:c3')"
    desk.feed(sure(desk.seen))
    assert desk.table.asking is None


DEALT = (
    *("draw RRRRRB", "draw RRRBBB", "draw BBBBBY", "place -1,0 RRRRRB", "place 0,0 BBBRRR"),
    *("place 1,0 BBYBBB", "draw RRBRBB", "draw RRRBRB", "draw RRYRRY", "draw RRRRYY"),
    *("draw RYYRYY", "draw BYBYYY"),
)
"""Three cards in a line, and three in each hand."""


def dealt() -> tuple[Desk, list[str], list[str]]:
    """A game of dealt cards: places of cards that the side holds, and of others, in -1,-1."""
    desk = other("hexel", plain("table"), hands="dealt", chips="off")
    for name in DEALT:
        desk.feed(Declare(-1, name), source="dealer")
    desk.feed(sure(desk.seen))
    assert desk.steps() == []
    position, everybody = desk.position, desk.table.ledger.public
    held = {position.name(action) for action in position.legal}
    names = [everybody.name(action) for action in everybody.legal]
    there = [name for name in names if name.startswith("place -1,-1 ")]
    return desk, [n for n in there if n in held], [n for n in there if n not in held]


def laid(desk: Desk, *names: str) -> Reading:
    """A look at a card in -1,-1 that may be any of these."""
    costs = {FACES.index(name.split(" ")[-1]): 0 for name in names}
    cells = list(sure(desk.seen).cells)
    cells[desk.cells.index("-1,-1")] = tuple(sorted(costs.items()))
    return Reading(tuple(cells))


def test_a_card_that_its_side_does_not_hold_is_called_wrong_without_saying_why() -> None:
    desk, held, foreign = dealt()
    entries = len(desk.table.ledger.match.entries)
    assert desk.feed(laid(desk, foreign[0])) == []
    effects = desk.feed(Tick(), 1700)
    assert desk.pieces.camera.wrong == ("-1,-1",)
    assert told(effects) == ["table.camera_wrong", "table.camera_hidden"]
    face = foreign[0].split(" ")[-1]
    assert desk.steps() == [f"Take the card {face} off -1,-1"]
    assert len(desk.table.ledger.match.entries) == entries
    desk.feed(Reading())
    assert desk.played(desk.feed(laid(desk, held[0]))) == 1
    assert not desk.pieces.camera.wrong


def test_an_answer_that_is_refused_leaves_the_question_open() -> None:
    desk, held, foreign = dealt()
    entries = len(desk.table.ledger.match.entries)
    for _ in range(SITUATION_LOOKS):
        desk.feed(laid(desk, held[0], foreign[0]))
    asking = desk.table.asking
    assert asking is not None
    (refused,) = [e for e in desk.feed(Decide(asking.id, foreign[0])) if isinstance(e, Refuse)]
    assert refused.message.key == "hexel.not_in_hand"
    assert offered(desk) == {held[0], foreign[0], NOTHING}
    desk.feed(Decide(asking.id, held[0]))
    assert offered(desk) == set()
    assert len(desk.table.ledger.match.entries) > entries


def test_counters_that_the_dealers_die_gives_away_are_the_to_do_under_a_camera() -> None:
    desk = other("bad-santa-hex", load(find("rhombus-11")), die="dealt")
    desk.feed(sure(desk.moved(c3=3)))
    desk.feed(sure(desk.moved(h8=3)))
    before = desk.seen
    assert before.count(3) == 2
    desk.feed(Declare(-1, "die 4"), source="dealer")
    assert 3 not in desk.seen
    assert desk.steps() == [
        "Take the reservation counter off c3",
        "Put the black counter on c3",
        "Take the reservation counter off h8",
        "Put the white counter on h8",
    ]
    desk.feed(sure(before))  # nothing was done yet: that is no take-back
    for _ in range(SITUATION_LOOKS):
        desk.feed(sure(before))
    assert desk.table.asking is None
    assert desk.steps()
    desk.feed(Reading())
    desk.feed(sure(desk.seen))
    assert desk.steps() == []


def test_a_question_is_closed_by_a_look_that_is_certain() -> None:
    desk = Desk()
    after = desk.after("b3-c3")
    for _ in range(SITUATION_LOOKS):
        desk.feed(sure(after, c3={0: 0, 1: 0}, c4={0: 0, 1: 0}))
    desk.feed(Reading())
    desk.feed(sure(after))
    assert desk.table.asking is None
    assert desk.seen == after


def test_an_illegal_board_is_shown_only_after_the_hand_has_been_away() -> None:
    """a1 (height 1) to e5 is four cells: no move. 1.5 s after the first look that is said."""
    desk = Desk()
    look = sure(desk.moved(a1=0, e5=1))
    desk.feed(look)
    desk.feed(Tick(), 1400)
    assert not desk.pieces.camera.wrong
    effects = desk.feed(Tick(), 300)
    assert set(desk.pieces.camera.wrong) == {"a1", "e5"}
    assert told(effects) == ["table.camera_wrong", "hexalma.distance"]
    assert desk.pieces.camera.against is not None
    assert desk.pieces.camera.against.rule.startswith("ALMA-3")
    assert desk.lit(Meaning.REFUSED) == {"a1", "e5"}
    assert desk.steps() == ["Move the black disc from e5 to a1"]
    assert desk.lit(Meaning.TODO) == {"a1", "e5"}


def test_another_look_at_a_wrong_board_does_not_forgive_it_for_longer() -> None:
    desk = Desk()
    look = sure(desk.moved(a1=0, e5=1))
    desk.feed(look)
    desk.feed(look, 1000)
    desk.feed(Tick(), 700)
    assert set(desk.pieces.camera.wrong) == {"a1", "e5"}


def test_put_back_in_time_nothing_is_said_and_later_it_is_forgotten() -> None:
    desk = Desk()
    wrong, right = sure(desk.moved(a1=0, e5=1)), sure(desk.seen)
    desk.feed(wrong)
    desk.feed(right, 1000)
    desk.feed(Tick(), 5000)
    assert not desk.pieces.camera.wrong
    desk.feed(wrong)
    desk.feed(Tick(), 2000)
    assert len(desk.pieces.camera.wrong) == 2
    desk.feed(right)
    assert not desk.pieces.camera.wrong


def test_the_way_back_is_walked_step_by_step_and_ends_when_the_board_looks_right() -> None:
    """a1 lies on e1, and white's i1 (in row i, at the other end) on e5: two movements back."""
    desk = Desk()
    desk.wrong(a1=0, e1=1, i1=0, e5=2)
    assert desk.steps() == [
        "Move the black disc from e1 to a1",
        "Move the white disc from e5 to i1",
    ]
    assert desk.lit(Meaning.REFUSED) == {"a1", "e5", "i1", "e1"}
    assert desk.lit(Meaning.TODO) == {"e1", "a1"}
    desk.feed(Reading())  # a hand: what is to be done stays lit
    assert len(desk.steps()) == 2
    desk.feed(sure(desk.moved(i1=0, e5=2)))
    assert desk.steps() == ["Move the white disc from e5 to i1"]
    assert desk.lit(Meaning.REFUSED) == desk.lit(Meaning.TODO) == {"i1", "e5"}
    desk.feed(Reading())
    effects = desk.feed(sure(desk.seen))
    assert desk.steps() == []
    assert not desk.pieces.camera.wrong
    assert not desk.lit(Meaning.REFUSED) | desk.lit(Meaning.TODO)
    assert told(effects) == ["table.camera_again"]


def test_a_disc_in_the_hand_on_the_way_back_is_put_where_it_belongs() -> None:
    desk = Desk()
    desk.wrong(a1=0, e5=1)
    desk.feed(sure(desk.moved(a1=0)))
    assert desk.steps() == ["Put the black disc on a1"]


def test_a_wrong_board_may_be_made_a_legal_move_instead() -> None:
    desk = Desk()
    after = desk.after("a1-b2")
    desk.wrong(a1=0, e5=1)
    desk.feed(Reading())
    assert desk.played(desk.feed(sure(after))) == 1
    assert desk.seen == after
    assert desk.steps() == []


def test_what_was_knocked_beside_a_legal_move_is_put_back_and_the_move_stands() -> None:
    desk = Desk()
    after = bytearray(desk.after("b3-c3"))
    knocked = CELLS.index("i1"), CELLS.index("e1")
    after[knocked[0]], after[knocked[1]] = 0, 2
    desk.feed(sure(bytes(after)))
    desk.feed(Tick(), 1700)
    assert desk.steps() == ["Move the white disc from e1 to i1"]
    right = desk.after("b3-c3")
    assert desk.played(desk.feed(sure(right))) == 1
    assert desk.seen == right


def test_a_board_that_people_call_right_is_not_called_wrong_again() -> None:
    for hand in (False, True):  # the button is pressed by a hand that the camera sees
        desk = Desk()
        ghost = {0: 2500, 1: 0}  # glare
        look = sure(desk.seen, d5=ghost, e1=ghost)
        desk.feed(look)
        desk.feed(Tick(), 1700)
        assert desk.pieces.camera.wrong
        if hand:
            desk.feed(Reading())
        desk.feed(Ruling("right"))
        assert not desk.pieces.camera.wrong
        assert desk.steps() == []
        desk.feed(look)
        desk.feed(Tick(), 60_000)
        assert not desk.pieces.camera.wrong
        after = sure(desk.after("b3-c3"), d5=ghost, e1=ghost)
        assert desk.played(desk.feed(after)) == 1


def test_a_part_done_move_is_never_called_wrong() -> None:
    desk = Desk()
    desk.feed(sure(desk.moved(b3=0)))
    desk.feed(Tick(), 60_000)
    assert desk.pieces.camera.wrong == ()


def test_a_take_back_by_hand_is_proposed_and_done_when_agreed() -> None:
    desk = Desk()
    start, after = desk.seen, desk.after("b3-c3")
    desk.feed(sure(after))
    for _ in range(SITUATION_LOOKS):
        desk.feed(sure(start))
    asking = desk.table.asking
    assert asking is not None
    assert asking.choices[0].name == "undo"
    assert say(asking.choices[0].message) == "The last move was taken back"
    desk.feed(Decide(asking.id, "undo"))
    assert desk.seen == start
    assert desk.table.todo == ()


def test_a_card_taken_back_by_hand_takes_back_no_stake() -> None:
    """Nobody can see a stake: the board looked as it does now after it, before it and between."""
    desk = other("hexel", plain("table"))
    lines = ("place -1,0 RRRRRB", "place 0,0 BBBRRR", "place 1,0 BBYBBB")
    for name in lines:
        desk.feed(Declare(-1, name), source="page")
        desk.feed(sure(desk.seen))
    while "phase=place" not in str(desk.position):
        position = desk.position
        desk.feed(Declare(-1, position.name(next(iter(position.legal)))), source="page")
    before, start = desk.position, sure(desk.seen)
    desk.feed(sure(desk.after("place -1,-1 RRRYYR")))
    assert desk.position is not before
    for _ in range(SITUATION_LOOKS):
        desk.feed(start)
    assert offered(desk) == {"undo", NOTHING}
    assert desk.table.asking is not None
    desk.feed(Decide(desk.table.asking.id, "undo"))
    assert desk.position is before


def test_two_moves_taken_back_by_hand_are_taken_back_at_once() -> None:
    desk = Desk()
    first, start = desk.position, sure(desk.seen)
    for name in ("b3-c3", "h3-g3"):
        desk.feed(sure(desk.after(name)))
    for _ in range(SITUATION_LOOKS):
        desk.feed(start)
    asking = desk.table.asking
    assert asking is not None
    assert asking.choices[0].name == "undo; undo"
    desk.feed(Decide(asking.id, "undo; undo"))
    assert desk.position is first
    assert str(desk.table.ledger.match.entries[-1]) == "Back(to=0)"


def test_a_disc_straightened_that_looks_higher_since_is_no_end_of_a_move() -> None:
    """a4 was straightened, and one disc looks a little more like two. Now that of a5 is in a hand,
    which is not a5:a4."""
    desk = Desk()
    higher = {1: 4 * 100, 3: 0}
    assert desk.played(desk.feed(sure(desk.seen, a4=higher))) == 0
    desk.feed(Reading())
    assert desk.played(desk.feed(sure(desk.moved(a5=0), a4=higher))) == 0
    assert desk.played(desk.feed(sure(desk.after("a5:a4")))) == 1


def test_after_an_undo_the_board_is_right_when_the_camera_sees_it_put_back() -> None:
    desk = Desk()
    start, after = desk.seen, desk.after("b3-c3")
    desk.feed(sure(after))
    desk.feed(Ruling("undo"))
    assert desk.steps() == ["Move the black disc from c3 to b3"]
    desk.feed(sure(after))
    assert desk.table.todo
    desk.feed(sure(start))
    assert desk.table.todo == ()


def test_done_calls_a_wrong_board_wrong_at_once() -> None:
    desk = Desk()
    desk.feed(sure(desk.moved(a1=0, e5=1)))
    desk.feed(Ruling("done"))
    assert set(desk.pieces.camera.wrong) == {"a1", "e5"}


def test_done_asks_after_one_look() -> None:
    desk = Desk()
    desk.feed(sure(desk.after("b3-c3"), c3={0: 0, 1: 0}, c4={0: 0, 1: 0}))
    assert desk.table.asking is None
    desk.feed(Ruling("done"))
    assert desk.table.asking is not None


def test_done_under_a_hand_decides_by_the_next_look() -> None:
    desk = Desk()
    desk.feed(Reading())
    desk.feed(Ruling("done"))
    desk.feed(sure(desk.moved(a1=0, e5=1)))
    assert set(desk.pieces.camera.wrong) == {"a1", "e5"}


def test_done_is_forgotten_when_something_else_is_said() -> None:
    desk = Desk()
    desk.feed(sure(desk.after("b3-c3")))
    desk.feed(Reading())
    desk.feed(Ruling("done"))
    desk.feed(Ruling("undo"))
    desk.feed(sure(desk.seen))
    desk.feed(sure(desk.moved(a1=0, e5=1)))
    assert not desk.pieces.camera.wrong


def test_done_says_that_nothing_was_moved_or_only_half_a_move_was_made() -> None:
    desk = Desk()
    desk.feed(sure(desk.seen))
    assert told(desk.feed(Ruling("done"))) == ["table.done_same"]
    desk.feed(sure(desk.moved(b3=0)))
    assert told(desk.feed(Ruling("done"))) == ["table.done_partly"]
    assert not desk.pieces.camera.wrong


def test_done_is_refused_while_there_is_something_to_do_or_nothing_was_seen() -> None:
    desk = Desk()
    desk.feed(sure(desk.after("b3-c3")))
    desk.feed(Ruling("undo"))
    (refused,) = [e for e in desk.feed(Ruling("done")) if isinstance(e, Refuse)]
    assert refused.message.key == "table.todo_first"
    blind = open_table(BOARD, START)
    effects = blind.step(Fact(1, 1, 1, "page", Ruling("done")))
    (refused,) = [e for e in effects if isinstance(e, Refuse)]
    assert refused.message.key == "table.done_blind"


def test_a_button_says_done(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    text = find("hexhex-5").read_text("utf-8")
    file.write_text(text + '[[sensors]]\nkind = "button"\nat = ["done"]\n', "utf-8")
    desk = Desk(load(file))
    desk.feed(sure(desk.moved(a1=0, e5=1)))
    desk.press("done")
    assert set(desk.pieces.camera.wrong) == {"a1", "e5"}


def tapped(folder: Path) -> Desk:
    """Reservation counters whose labels are free, and a sensor under c3."""
    file = folder / "board.toml"
    text = find("rhombus-11").read_text("utf-8")
    file.write_text(text + '[[sensors]]\nkind = "seat"\nat = ["c3"]\n', "utf-8")
    return other("bad-santa-hex", load(file), labels="free")


def tap(desk: Desk) -> None:
    desk.feed(Edge("seat:c3", True), 10, "pico")
    desk.feed(Edge("seat:c3", False), 100, "pico")
    desk.feed(Tick(), 200)
    assert offered(desk) == {"12:c3", "34:c3", "56:c3", NOTHING}


def test_nothing_meant_by_a_tap_does_not_make_a_wrong_board_right(tmp_path: Path) -> None:
    desk = tapped(tmp_path)
    desk.feed(sure(desk.moved(b2=1, b3=2)))
    tap(desk)
    assert desk.table.asking is not None
    desk.feed(Decide(desk.table.asking.id, NOTHING), 10)
    desk.feed(Tick(), 1700)
    assert set(desk.pieces.camera.wrong) == {"b2", "b3"}


def test_what_a_tap_asks_is_not_what_the_camera_asked_before(tmp_path: Path) -> None:
    desk = tapped(tmp_path)
    for _ in range(SITUATION_LOOKS):
        desk.feed(sure(desk.moved(f6=3)))
    assert desk.lit(Meaning.ASK) == {"f6"}
    desk.feed(Ruling(f"position {desk.position}"))
    assert desk.table.asking is None
    tap(desk)
    assert desk.lit(Meaning.ASK) == set()
    desk.feed(sure(desk.seen))
    assert desk.table.asking is not None  # that nothing was moved is no answer to it


def test_several_moves_at_once_are_played_in_order() -> None:
    desk = Desk()
    position = desk.position
    for name in ("b3-c3", "h3-g3"):
        position = position.play(position.action(name))
    assert desk.played(desk.feed(sure(position.seen()))) == 1
    assert [str(entry) for entry in desk.table.ledger.match.entries] == [
        "Played(action='b3-c3')",
        "Played(action='h3-g3')",
    ]


def test_a_slide_that_is_seen_half_way_is_no_move_until_the_disc_is_there() -> None:
    """A disc on a stack of two goes two cells. Pushed, it lies on the cell between for a while,
    which no rule allows, and then between two cells, where no cell says anything."""
    desk = Desk()
    for name in ("a1-b2", "i1-h1"):
        desk.feed(sure(desk.after(name)))
    after = desk.after("b2-d4")
    nothing: dict[str, dict[int, int]] = {"c3": {}, "d4": {}}
    for half in (sure(desk.moved(b2=1, c3=1)), sure(desk.moved(b2=1), **nothing)):
        assert desk.played(desk.feed(half)) == 0
        desk.feed(Reading(), 1000)
        desk.feed(Tick(), 5000)
        assert not desk.pieces.camera.wrong
    assert desk.played(desk.feed(sure(after))) == 1
    assert desk.seen == after


def test_after_a_restart_the_camera_says_what_is_to_be_put_right() -> None:
    desk = Desk(start=Resume(START, ()))
    assert not desk.table.ledger.confirm  # all was right
    desk = Desk(start=Resume(START, ()), first=sure(desk.moved(a1=0, e5=1)))
    assert desk.table.ledger.confirm
    assert desk.steps() == ["Move the black disc from e5 to a1"]
    desk.feed(sure(desk.seen))
    assert desk.steps() == []


def test_a_reading_of_another_board_is_said_and_changes_nothing() -> None:
    desk = Desk()
    before = str(desk.position)
    effects = desk.feed(Reading((((0, 0),),) * 121))
    assert told(effects) == ["table.camera_board"]
    assert str(desk.position) == before


def test_the_same_readings_give_the_same_digest() -> None:
    def digest() -> str:
        account, desk = Transcript(BOARD, START), Desk()
        looks = [sure(desk.seen), Reading(), sure(desk.after("b3-c3"))]
        for n, look in enumerate(looks, 1):
            account.step(Fact(n, n * MS, n * MS, "camera", look))
        return account.digest

    assert digest() == digest()


def tinted(reading: Reading, off: int) -> Reading:
    """A reading with a sample of black discs."""
    return replace(reading, samples=(Sample(1, 0, (off, off, off)),))


def test_an_accepted_move_teaches_the_light_and_a_take_back_forgets_it() -> None:
    desk = Desk()
    tint = desk.table.view().pieces
    assert tint is not None
    assert tint.tint == Tint()
    line = len(desk.table.ledger.match.line)
    desk.feed(Reading())
    assert desk.played(desk.feed(tinted(sure(desk.after("b3-c3")), 40))) == 1
    assert len(desk.table.ledger.match.line) == line + 1
    assert desk.pieces.camera.tints.now == Tint(1, ((0, (20, 20, 20)),))
    effects = desk.feed(Ruling("undo"), source="page")
    assert desk.pieces.camera.tints.now == Tint(2, ())
    assert Refresh() in effects  # the camera hears of it


def test_what_nothing_explains_teaches_nothing() -> None:
    desk = Desk()
    desk.feed(Reading())
    for _ in range(SITUATION_LOOKS):
        desk.feed(tinted(sure(desk.moved(e5=1)), 40))
        assert desk.pieces.camera.tints.now == Tint()


def test_a_board_that_looks_as_it_should_teaches_the_light_too() -> None:
    desk = Desk()
    desk.feed(tinted(sure(desk.seen), 40))
    assert desk.pieces.camera.tints.now.offs == ((0, (20, 20, 20)),)


def test_the_same_facts_teach_the_same_tint() -> None:
    """A recording is facts: fed to a fresh table they lead to the same light, move by move."""
    one, other = Desk(), Desk()
    for move, off in (("b3-c3", 40), ("h7-g7", -70), ("c3-d4", 90)):
        legal = [one.position.name(action) for action in one.position.legal]
        reading = tinted(sure(one.after(move if move in legal else legal[0])), off)
        for body in (Reading(), reading, tinted(reading, off)):
            for desk in (one, other):
                desk.feed(body)
            assert one.pieces.camera.tints.now == other.pieces.camera.tints.now
    assert one.pieces.camera.tints.now.version >= 3
