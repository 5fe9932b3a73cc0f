"""Programs that speak to the referee at a table, without a wire: what each is sent, and when."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from hexboard.board import plain
from hexboard.daemon.referees import LINES, Referees
from hexboard.daemon.requests import Requests
from hexboard.facts import WHOEVER, Body, Declare, Fact, Ruling, Start
from hexboard.game import registry
from hexboard.game.game import board_for
from hexboard.game.match import Match as Moves
from hexboard.game.position import Action
from hexboard.table import TableView, open_table
from hexboard.table.effects import Refuse
from hexboard.web.keys import Key
from hexboard.web.requests import FromPage, Line
from hexboard.words import speaking

FIRST, SECOND = Key("ann", (0,), far=True), Key("ben", (1,), far=True)
STATE, LEGAL = {"do": "state"}, {"do": "legal"}


class Table:
    """A match of a game at its table, and the programs there. `slow`: what they declare is done
    only by a `hand`."""

    def __init__(self, game: str = "hexalma", slow: bool = False, **options: Any) -> None:
        self.sent: list[tuple[str, Any]] = []
        self.slow, self._n, self._match = slow, 0, 0
        self._declared: list[tuple[str, Body]] = []
        self.programs = Referees(lambda source, line: self.sent.append((source, json.loads(line))))
        self.play(game, **options)
        nobody: Any = None
        opening: Any = SimpleNamespace(board=self.board)
        pages: Any = SimpleNamespace(programs=self.programs, calling=False)
        self.pages = pages
        self._requests = Requests(opening, pages, nobody, self.tell, *[nobody] * 4)
        self._requests.serve(lambda: self)  # type: ignore[arg-type, return-value]
        self.here = {"page 1", "page 2"}
        self.refresh()

    def play(self, game: str, **options: Any) -> None:
        """Another match begins."""
        self.board = plain(board_for(registry.find(game), options))
        self._match += 1
        self.name = f"match {self._match}"
        about = self.name, self.board.name, self.board.hash
        start = Start(*about, game, registry.find(game).rules(), options, "test")
        self.table = open_table(self.board, start)
        self.step("table", start)

    @property
    def view(self) -> TableView[Action]:
        return self.table.view()

    @property
    def moves(self) -> Moves[Action]:
        return self.table.ledger.match

    def tell(self, source: str, body: Body) -> None:
        if self.slow:
            self._declared.append((source, body))
        else:
            self.step(source, body)

    def hand(self) -> None:
        """Does what was declared."""
        for source, body in self._declared:
            self.step(source, body)
        self._declared.clear()

    def step(self, source: str, body: Body) -> None:
        self._n += 1
        for effect in self.table.step(Fact(self._n, self._n, self._n, source, body)):
            if isinstance(effect, Refuse):
                self.programs.refused(effect.to, effect.message)

    def said(self, action: str) -> None:
        """Somebody at the board moves."""
        self.step("page 9", Declare(WHOEVER, action))

    def rule(self, do: str) -> None:
        self.step("page 9", Ruling(do, "host", ""))

    def refresh(self, front: bool = False) -> None:
        """Pages are shown what is so."""
        self.programs.follow(front, self.here)

    def line(self, line: Any, key: Key = FIRST, source: str = "page 1", seat: int = -1) -> None:
        """A program says it."""
        text = line if isinstance(line, str) else json.dumps(line)
        self._requests.obey(FromPage(source, -1, Line(text, seat), key), self.view, self.name)

    def heard(self, source: str = "page 1") -> list[Any]:
        """What a program was sent since it was asked for last."""
        found = [line for to, line in self.sent if to == source]
        self.sent = [it for it in self.sent if it[0] != source]
        return found

    def ask(self, line: Any, key: Key = FIRST, source: str = "page 1") -> Any:
        """The one answer to a line."""
        self.line(line, key, source)
        (answer,) = self.heard(source)
        return answer


def test_a_line_is_answered_and_what_changes_is_news_to_who_subscribed_to_it() -> None:
    at = Table()
    assert at.ask({"do": "hello", "id": 1})["seat"] == 0
    assert at.ask({"do": "subscribe", "to": [STATE]})["answers"][0]["seat"] == 0
    at.refresh()
    assert at.heard() == []
    at.line({"do": "act", "action": "b1-c1", "id": 2})
    answer, news = at.heard()
    assert (answer["id"], answer["ok"], answer["events"][0]["key"]) == (2, True, "hexalma.moves")
    assert news["answers"][0]["seat"] is None  # the disc has still to be moved by a hand
    at.rule("right")
    at.refresh()
    assert [it["answers"][0]["seat"] for it in at.heard()] == [1]
    at.refresh()
    assert at.heard() == []


def test_a_list_and_what_is_said_after_it_wait_for_a_move_that_the_table_has_not_taken() -> None:
    at = Table(slow=True)
    at.ask({"do": "subscribe", "to": [STATE]})
    at.line([{"do": "act", "action": "b1-c1", "id": 1}, {"do": "state", "id": 2}])
    at.line({"do": "position", "id": 3})
    at.refresh()
    assert at.heard() == []
    at.hand()
    at.refresh()
    first, second, news = at.heard()
    assert [(it["id"], it["ok"]) for it in first] == [(1, True), (2, True)]
    assert first[1]["question"].startswith("White")
    assert second["id"] == 3
    assert news["answers"][0]["question"].startswith("White")


@pytest.mark.parametrize("meanwhile", ["another move", "a take-back", "another match"])
def test_a_move_is_refused_once_something_else_was_done_before_it(meanwhile: str) -> None:
    at = Table()
    at.said("b1-c1")
    at.said("h1-g1")
    at.slow = True
    at.line({"do": "act", "action": "c1-d1", "id": 1})
    match meanwhile:
        case "another move":
            at.said("b2-c2")
        case "a take-back":
            at.rule("undo")
        case "another match":
            at.play("hexalma")
    at.refresh()
    (answer,) = at.heard()
    assert (answer["id"], answer["ok"]) == (1, False)
    assert answer["key"] == "table.changed_meanwhile"
    assert at.ask({"do": "state", "id": 2})["ok"]


def test_a_move_that_a_crash_has_taken_the_match_back_before_is_refused() -> None:
    """What was not journalled is gone; the hand then makes another move."""
    at = Table()
    at.said("b1-c1")
    at.said("h1-g1")
    at.slow = True
    at.line({"do": "act", "action": "c1-d1", "id": 1})
    at.moves.forget(1)
    at.refresh()
    assert [it["key"] for it in at.heard()] == ["table.changed_meanwhile"]


def test_a_move_that_the_table_refuses_later_is_answered_so() -> None:
    at = Table(slow=True)
    at.line({"do": "act", "action": "b1-c1", "id": 1})
    at.rule("pause")
    at.hand()
    at.refresh()
    (answer,) = at.heard()
    assert (answer["id"], answer["ok"], answer["key"]) == (1, False, "table.in_pause")


def test_a_page_that_is_closed_while_its_move_waits_is_forgotten_and_harms_nobody() -> None:
    at = Table(slow=True)
    at.line({"do": "act", "action": "b1-c1"})
    at.here = {"page 2"}
    at.refresh()
    at.hand()
    at.refresh()
    assert at.sent == []


def test_a_line_too_many_is_refused_by_its_id_and_those_before_it_are_answered() -> None:
    at = Table(slow=True)
    at.line({"do": "act", "action": "b1-c1", "id": 0})
    for number in range(1, LINES + 2):
        at.line({"do": "state", "id": number})
    (answer,) = at.heard()
    assert (answer["id"], answer["key"]) == (LINES + 1, "web.too_fast")
    at.hand()
    at.refresh()
    assert [(it["id"], it["ok"]) for it in at.heard()] == [(n, True) for n in range(LINES + 1)]


def test_what_is_no_request_is_refused_whatever_was_answered_before() -> None:
    at = Table()
    for asked, key in (
        ({"do": "view"}, "referee.unknown"),
        ({"do": "view", "seat": False}, "referee.no_such_seat"),
        ({"do": "legal", "seat": 0.0}, "referee.no_such_seat"),
        ({"do": "legal", "seat": 1}, "referee.not_yours"),
        ({"do": ["legal"]}, "referee.unknown"),
        ([{"do": "legal"}] * 17, "referee.list"),
        ("{", "referee.json"),
    ):
        for right in ({"do": "view", "seat": 0}, {"do": "legal", "seat": 0}, LEGAL):
            assert at.ask(right)["ok"]
        assert at.ask(asked)["key"] == key
    assert at.ask([]) == []
    keys = set()
    for deep in range(800, 1000):  # as deep as can be read, and deeper
        for said in ("", '"legal", "seat": '):
            keys.add(at.ask('{"do": ' + said + "[" * deep + "]" * deep + "}")["key"])
    assert keys == {"referee.unknown", "referee.not_yours", "referee.json"}


def test_what_is_asked_twice_is_found_once_and_anew_after_a_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at, found = Table(), list[str]()
    kind: Any = type(at.view.position)
    legal = kind.legal.fget

    def counted(position: Any) -> Any:
        found.append("legal")
        return legal(position)

    monkeypatch.setattr(kind, "legal", property(counted))
    before = at.ask([LEGAL, STATE])
    found.clear()
    again = at.ask([LEGAL, {**LEGAL, "id": 1}, STATE, {**STATE, "id": "a"}])
    assert again == [before[0], {**before[0], "id": 1}, before[1], {**before[1], "id": "a"}]
    assert not found
    at.said("b1-c1")
    assert at.ask(LEGAL)["legal"] == []  # White's turn


def test_who_has_no_seat_or_another_one_is_told_so_with_its_id() -> None:
    at = Table()
    answer = at.ask({"do": "hello", "id": "a"}, Key("eve"))
    assert (answer["id"], answer["key"]) == ("a", "web.watching")
    at.line({"do": "hello"}, SECOND, "page 2", seat=0)
    assert [it["key"] for it in at.heard("page 2")] == ["web.not_yours"]
    at.line({"do": "hello"}, Key("two", (0, 1)), "page 2", seat=1)
    assert [it["seat"] for it in at.heard("page 2")] == [1]


def test_while_people_are_seated_in_a_new_match_lines_wait() -> None:
    at = Table()
    at.pages.calling = True
    at.line({"do": "state", "id": 1})
    at.refresh()
    assert at.heard() == []
    at.pages.calling = False
    at.refresh()
    assert [it["id"] for it in at.heard()] == [1]


def test_a_move_that_was_meant_for_the_match_before_is_refused_once() -> None:
    at = Table()
    assert at.ask(LEGAL)["ok"]
    at.play("hexalma")
    move = {"do": "act", "action": "b1-c1"}
    assert at.ask(move)["key"] == "front.before"
    assert at.ask(move)["ok"]  # now it knows


def test_before_a_game_is_chosen_nobody_is_asked_to_move() -> None:
    at = Table()
    at.refresh(front=True)
    assert at.ask(STATE)["seat"] is None
    at.refresh()
    assert at.ask(STATE)["seat"] == 0


@pytest.mark.long
def test_of_hidden_cards_a_program_is_told_its_own() -> None:
    at = Table("knee-deep", hands="dealt")
    whole, own = str(at.view.position), str(at.view.seen_by(1))
    assert whole != own
    told = at.ask({"do": "position"}, SECOND, "page 2")["position"]
    assert told == own


def test_a_match_of_another_game_is_news() -> None:
    at = Table()
    at.ask({"do": "subscribe", "to": [{"do": "hello"}]})
    at.play("bad-santa-hex")
    at.refresh()
    assert [it["answers"][0]["game"] for it in at.heard()] == ["bad-santa-hex"]


def test_a_mistake_of_a_game_is_answered_and_keeps_no_other_program_from_its_news(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = Table()
    at.ask({"do": "subscribe", "to": [STATE]})
    at.line({"do": "subscribe", "to": [STATE]}, SECOND, "page 2")
    at.heard("page 2")
    kind = type(at.view.position)

    def mistaken(position: Any, seat: int) -> None:
        raise ZeroDivisionError

    at.said("b1-c1")
    with monkeypatch.context() as broken:
        broken.setattr(kind, "question", mistaken)
        with pytest.raises(ZeroDivisionError):
            at.line({"do": "state", "id": 7})
        assert [(it["id"], it["key"]) for it in at.heard()] == [(7, "referee.mistake")]
    at.rule("right")
    healthy, calls = kind.question, list[int]()

    def once(position: Any, seat: int) -> Any:
        calls.append(seat)
        return mistaken(position, seat) if len(calls) == 1 else healthy(position, seat)

    monkeypatch.setattr(kind, "question", once)
    assert isinstance(at.programs.follow(False, at.here), ZeroDivisionError)
    assert [it["answers"][0]["seat"] for it in at.heard("page 2")] == [1]


def test_what_a_move_sets_off_is_told_once_it_is_answered() -> None:
    """As a crash whose match cannot be opened again at once: pages are told of it meanwhile."""
    at = Table()
    at.ask({"do": "subscribe", "to": [STATE]})
    step = at.step

    def crashes(source: str, body: Body) -> None:
        at.refresh()
        step(source, body)

    at.step = crashes  # type: ignore[method-assign]
    at.line([{"do": "act", "action": "b1-c1", "id": 1}, {"do": "state", "id": 2}])
    answer, news = at.heard()
    assert [(it["id"], it["ok"]) for it in answer] == [(1, True), (2, True)]
    assert "change" in news


@pytest.mark.long
def test_balls_are_not_a_program_s_to_roll() -> None:
    at = Table("hextraction")
    roll = next(it for it in at.ask(LEGAL)["legal"] if it.startswith("roll"))
    assert at.ask({"do": "act", "action": roll})["key"] == "referee.balls"
    assert not at.moves.entries


def test_what_a_program_is_told_is_english_whatever_is_spoken_here() -> None:
    at = Table()
    with speaking("de"):
        assert at.ask(STATE)["question"] == "Black: move one of your discs."
        assert at.ask({"do": "act", "action": "b1"})["reason"].startswith("“b1” is not an action")
        assert at.ask("{")["reason"].startswith("This is not JSON")
