"""The ledger: what is played, taken back and replaced, and what of it stands."""

import pytest

from hexboard.board import find, load
from hexboard.facts import Resume, Seal, Start
from hexboard.game.match import encode_entry
from hexboard.games import hexalma
from hexboard.table.effects import Commit, Effect, Tell
from hexboard.table.ledger import Ledger
from hexboard.table.outbox import Outbox
from hexboard.words.errors import BadText, IllegalAction

BOARD = load(find("hexhex-5"))
START = Start("m", BOARD.name, BOARD.hash, "hexalma", hexalma.rules(), {}, "test")


class Book:
    """A ledger of HexAlma in which these moves were played, and its outbox."""

    def __init__(self, *moves: str, begin: Start | Resume = START) -> None:
        self.outbox = Outbox()
        self.ledger: Ledger[int] = Ledger(hexalma.GAME, BOARD, begin, {}, self.outbox)
        for move in moves:
            self.ledger.play(self.ledger.declared(-1, move))
        self.effects: list[Effect] = self.outbox.begin()

    @property
    def told(self) -> list[str]:
        tells = (effect for effect in self.effects if isinstance(effect, Tell))
        return [text.key for tell in tells for text in tell.messages]

    @property
    def entries(self) -> tuple[str, ...]:
        return tuple(encode_entry(entry).decode() for entry in self.ledger.match.entries)


def test_only_who_has_to_move_may_declare_and_only_what_the_rules_allow() -> None:
    ledger = Book().ledger
    assert ledger.position.name(ledger.declared(0, "b3-c3")) == "b3-c3"
    with pytest.raises(BadText, match="turn"):
        ledger.declared(1, "b3-c3")
    with pytest.raises(IllegalAction):
        ledger.declared(0, "b3-e5")
    assert ledger.match.entries == []


def test_what_stands_is_written_once_and_from_where_it_differs() -> None:
    book = Book("b3-c3")
    book.ledger.commit()
    book.ledger.commit()
    position = str(book.ledger.position)
    assert book.effects == [Commit(0, ('{"type":"played","action":"b3-c3"}',), position)]
    book.ledger.back(0)
    book.ledger.commit()
    assert book.effects[-1] == Commit(1, ('{"type":"back","to":0}',), str(Book().ledger.position))
    assert book.ledger.committed == 2


def test_a_match_has_begun_with_a_move_that_counts_not_with_what_was_set_up() -> None:
    book = Book()
    book.ledger.match.rule(book.ledger.position, "hexboard", "set up")
    seen = [book.ledger.match.begun]
    book.ledger.play(book.ledger.declared(-1, "b3-c3"))
    seen.append(book.ledger.match.begun)
    book.ledger.back(1)
    assert [*seen, book.ledger.match.begun] == [False, True, False]


def test_who_made_the_first_move_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock asks with every fact, of a match in which many cards may have been dealt first."""
    match = Book("b3-c3", "h1-g1").ledger.match
    looked = list[object]()

    def dealt(entry: object, _: object) -> bool:
        looked.append(entry)
        return False

    monkeypatch.setattr(match, "dealt", dealt)
    assert (match.begun, match.begun, len(looked)) == (True, True, 1)
    match.back(1)
    assert (match.begun, len(looked)) == (True, 1)
    match.forget(0)
    assert not match.begun


def test_a_take_back_is_an_entry_and_is_told() -> None:
    book = Book("b3-c3", "h3-g3")
    book.ledger.back(book.ledger.match.last_choice())
    assert book.told == ["table.undone"]
    assert str(book.ledger.position) == str(Book("b3-c3").ledger.position)
    with pytest.raises(BadText, match="back"):
        Book().ledger.back(None)


def test_a_ruling_replaces_the_position_by_one_that_can_be_read_again() -> None:
    there = str(Book("b3-c3").ledger.position)
    book = Book()
    book.ledger.replace(book.ledger.parse(there), "Ann", "")
    assert book.told == ["table.ruled", "hexalma.moves"]
    assert str(book.ledger.position) == there
    assert dict(book.outbox.log.lines[0].message.values) == {"who": "Ann", "why": "-"}


def test_what_was_provisional_is_dropped_with_what_it_told() -> None:
    book = Book("b3-c3")
    book.ledger.commit()
    lines = book.outbox.log.lines
    book.ledger.back(0)
    assert len(book.outbox.log.lines) == len(lines) + 1
    book.ledger.forget(1)
    assert (len(book.entries), book.outbox.log.lines) == (1, lines)
    with pytest.raises(AssertionError, match="stands"):
        book.ledger.forget(0)


def test_what_is_noted_changes_nothing_and_outlives_a_take_back_and_a_restart() -> None:
    book = Book("b3-c3")
    for text in ("C3 may be turned", "C3 may be turned"):
        book.ledger.note(text)
    book.ledger.back(0)
    again = Book(begin=Resume(START, book.entries)).ledger.match
    assert book.entries[1:] == (
        '{"type":"noted","text":"C3 may be turned"}',
        '{"type":"back","to":0}',
    )
    assert (again.noted, str(again.position)) == ("C3 may be turned", str(Book().ledger.position))
    again.forget(1)
    assert again.noted == ""


def test_a_match_goes_on_from_its_entries_and_is_looked_over() -> None:
    book = Book("b3-c3", "h3-g3")
    again = Book(begin=Resume(START, book.entries)).ledger
    assert str(again.position) == str(book.ledger.position)
    assert (again.committed, again.confirm, book.ledger.confirm) == (2, True, False)
    with pytest.raises(IllegalAction):
        Book(begin=Resume(START, book.entries[1:]))


def test_what_one_start_does_with_a_saved_match_the_next_does_not_see() -> None:
    """It is played again once; each ledger has it for itself."""
    book = Book("b3-c3", "h3-g3")
    book.ledger.note("C3 may be turned")
    saved = Resume(START, book.entries)
    trial = Book(begin=saved).ledger
    trial.back(0)
    trial.note("nothing")
    trial.match.forget(1)
    again = Book(begin=saved)
    assert again.entries == book.entries
    assert [encode_entry(entry).decode() for entry in again.ledger.match.heard] == [*book.entries]
    assert again.ledger.match.line == book.ledger.match.line
    assert (again.ledger.match.counting, again.ledger.match.noted) == ((0, 1), "C3 may be turned")
    again.ledger.play(again.ledger.declared(-1, "b4-c4"))
    assert Book(begin=saved).ledger.match.line == book.ledger.match.line


def test_a_game_that_is_over_and_whose_shuffle_is_known_stays_over() -> None:
    ledger = Book().ledger
    ledger.play(ledger.position.action("resign black"))
    before = ledger.final
    ledger.commitment.made(Seal("c", "d"))
    assert (before, ledger.final) == (False, True)
    with pytest.raises(BadText, match="over"):
        ledger.back(0)
    with pytest.raises(BadText, match="over"):
        ledger.replace(ledger.position, "Ann", "")


def test_the_text_of_a_resumed_position_is_made_once() -> None:
    """In HexAlma it tells all moves: a start asks for it five times, of three tables."""
    book = Book("b3-c4", "h4-g4")
    resume = Resume(START, book.entries)
    one, other = (Book(begin=resume).ledger for _ in range(2))
    assert one.match.text is other.match.text is other.text(other.position)
    assert one.match.text == str(book.ledger.position)
    other.play(other.declared(-1, "c4-d5"))
    assert other.match.text == str(other.position) != one.match.text
