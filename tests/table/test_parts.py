"""The parts of every table: what they do only together."""

import pytest

from hexboard.board import find, load
from hexboard.facts import MS, Presence, Start
from hexboard.games import hexalma
from hexboard.perception.health import SensorVerdict
from hexboard.table.effects import Effect, Refuse, Tell
from hexboard.table.parts import Parts
from hexboard.table.view import Choice
from hexboard.words import Value, message
from hexboard.words.errors import BadText, HexboardError

BOARD = load(find("hexhex-5"))
ASKED, YES = message("table.really"), Choice("yes", message("table.yes"))


def parts(**options: Value) -> Parts[int]:
    rules = hexalma.rules()
    return Parts(
        hexalma.GAME, BOARD, Start("m", BOARD.name, BOARD.hash, "hexalma", rules, options, "t")
    )


def test_the_table_keeps_its_own_times_and_gives_the_game_its_options() -> None:
    made = parts(settle_ms=700, max_plies=9)
    assert (made.settle_ns, made.away_ns) == (700 * MS, 1500 * MS)
    assert made.ledger.options == {"max_plies": 9}
    with pytest.raises(BadText):
        parts(settle_ms=-1)


def test_who_may_know_the_answer_hears_of_each_question() -> None:
    made, heard = parts(), list[int]()
    made.now = 40 * MS

    def answers() -> None:
        assert made.question.asking
        heard.append(made.question.asking.id)
        made.answer(heard[-1], "yes")

    made.on_asked = answers
    effects = made.outbox.begin()
    made.ask(ASKED, (YES,))
    assert (heard, made.question.asking) == ([40], None)
    assert effects == [Tell((ASKED,))]


def test_what_cannot_be_is_refused_in_words_and_nothing_while_the_journal_is_away() -> None:
    made, done = parts(), list[str]()

    def fails() -> None:
        raise HexboardError("table.final")

    effects: list[Effect] = made.outbox.begin()
    made.guarded("page 1", fails)
    made.senses.comes("journal", Presence(False, "full"))
    made.guarded("page 2", lambda: done.append("played"))
    assert effects == [
        Refuse(message("table.final"), "page 1"),
        Refuse(message("table.no_journal"), "page 2"),
    ]
    assert done == []
    made.senses.comes("journal", Presence(True))
    made.guarded("page 2", lambda: done.append("played"))
    assert done == ["played"]


@pytest.mark.parametrize(("state", "key"), [("stuck", "sensor.stuck"), ("", "sensor.healthy")])
def test_of_a_sensor_it_is_told_how_it_is(state: str, key: str) -> None:
    made = parts()
    effects = made.outbox.begin()
    told = made.misbehaves(SensorVerdict("seat:a1", state))
    assert (told.key, effects) == (key, [Tell((told,))])
