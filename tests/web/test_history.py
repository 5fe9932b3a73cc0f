"""The list of moves: in each game's notation, from the first one; and the board after any."""

import json
from typing import Any

import pytest

from hexboard.board import Board, find, load
from hexboard.facts import MS, Body, Declare, Fact, Resume, Ruling, Start
from hexboard.game import registry
from hexboard.record.transcript import Transcript
from hexboard.web.history import NEWEST, START, History
from hexboard.words import say, speaking
from hexboard.words.errors import HexboardError
from tests.test_secrets import HEXEL, Desk


class Evening:
    """A match, and its list of moves as a page asks for it."""

    def __init__(self, game: str, board: Board, **options: Any) -> None:
        begin = Start("m", board.name, board.hash, game, registry.find(game).rules(), options, "t")
        self.table, self.n = Transcript(board, begin), 0
        self.start = begin
        self.history = History()
        self.feed(begin)

    def feed(self, body: Body) -> None:
        self.n += 1
        self.table.step(Fact(self.n, self.n * MS, self.n * MS, "page", body))
        self.history.follow(self.table.match, self.table.view)

    def play(self, *moves: str) -> None:
        for move in moves:
            self.feed(Declare(-1, move))

    @property
    def moves(self) -> list[tuple[int, int, str]]:
        return [(entry, seat, text) for entry, seat, text in json.loads(self.history.moves())]

    def board(self, entry: int) -> Any:
        return json.loads(self.history.board(str(entry)))


def bad_santa() -> Evening:
    return Evening("bad-santa-hex", load(find("rhombus-11")), die="physical")


def test_moves_stand_in_the_notation_of_their_game() -> None:
    evening = bad_santa()
    evening.play("c3", "h8", "die 5", "die 4")
    texts = [text for _, _, text in evening.moves]
    assert texts == ["12:c3", "34:h8", "d5", "d4 → h8=W"]
    assert [seat for _, seat, _ in evening.moves] == [0, 0, -1, -1]

    race = Evening("hexalma", load(find("hexhex-5")))
    race.play("b2-c3", "h4-g4", "a5:b6", "resign white")
    assert [text for _, _, text in race.moves[:3]] == ["b2-c3", "h4-g4", "a5:b6"]
    assert "White" in race.moves[3][2]  # no move of a disc: its sentence


def test_what_a_host_has_set_and_what_has_no_notation_is_said_in_the_language_of_who_reads() -> (
    None
):
    evening = bad_santa()
    evening.play("resign black")
    with speaking("de"):
        assert "Schwarz" in evening.moves[0][2]
    text = str(evening.table.view.position)
    evening.feed(Ruling(f"position {text}", "Ann", "because"))
    assert "Ann" in evening.moves[-1][2]


def test_the_board_after_a_move_is_what_lay_there_then() -> None:
    evening = bad_santa()
    evening.play("c3", "h8")
    pieces = [piece[0] for piece in evening.board(0)["pieces"] if piece[1] == "counter"]
    assert pieces == ["c3"]
    assert [it for it in evening.board(START)["pieces"] if it[1] == "counter"] == []
    assert evening.board(0)["question"] is None


def test_a_move_that_was_taken_back_counts_no_more() -> None:
    evening = bad_santa()
    evening.play("c3", "h8")
    evening.feed(Ruling("undo"))
    evening.play("e5")
    assert [(entry, text) for entry, _, text in evening.moves] == [(0, "12:c3"), (3, "34:e5")]
    with pytest.raises(HexboardError):
        evening.board(1)


def test_after_a_restart_the_list_begins_with_the_match() -> None:
    evening = bad_santa()
    evening.play("c3", "h8", "die 4")
    entries = tuple(
        json.dumps({"type": "played", "action": name}) for name in ("c3", "h8", "die 4")
    )
    again = bad_santa()
    again.table = Transcript(load(find("rhombus-11")), Resume(evening.start, entries))
    again.n = 0
    again.feed(Resume(evening.start, entries))
    assert again.moves == evening.moves


def test_a_state_has_the_newest_moves_and_how_many_there_are() -> None:
    evening = bad_santa()
    evening.play("c3", "h8", *["die 5"] * 8)
    newest: Any = evening.history.newest()
    assert newest["n"] == 10
    assert [list(row) for row in newest["last"]] == [list(it) for it in evening.moves[-NEWEST:]]


def test_a_card_that_was_drawn_is_named_to_nobody() -> None:
    desk = Desk(HEXEL)
    desk.deal()
    while not desk.transcript.view.hand(0):  # the opening line is laid first
        position = desk.position
        desk.feed(Declare(-1, position.name(next(iter(position.legal)))), f"page 1/{position.turn}")
        desk.deal()
    history = History()
    history.follow(desk.transcript.match, desk.transcript.view)
    rows = json.loads(history.moves())
    texts = [text for *_, text in rows]
    hands = {card for seat in (0, 1) for card in desk.transcript.view.hand(seat)}
    drawn = texts[texts.index("A card was drawn") :]  # a card shown before may have been put back
    told = json.dumps(drawn) + history.board(str(rows[-1][0])).decode()
    assert hands
    assert not [card for card in hands if say(card) in told]
