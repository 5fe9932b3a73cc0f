"""The open question: what is an answer to it."""

import pytest

from hexboard.table.open_question import OpenQuestion
from hexboard.table.view import Choice
from hexboard.words import message
from hexboard.words.errors import BadText

YES, NO = (Choice(name, message(f"table.{name}")) for name in ("yes", "no"))
ASKED = message("table.really")


def asked(*at_ms: int) -> OpenQuestion:
    question = OpenQuestion()
    for now_ms in at_ms:
        question.ask(ASKED, (YES, NO), now_ms)
    return question


@pytest.mark.parametrize(("at_ms", "number"), [((700,), 700), ((700, 700), 701), ((700, 9), 701)])
def test_its_number_is_the_time_and_never_given_twice(at_ms: tuple[int, ...], number: int) -> None:
    asking = asked(*at_ms).asking
    assert asking is not None
    assert asking.id == number


def test_an_answer_leaves_it_open_until_it_is_closed() -> None:
    question = asked(700)
    assert question.chosen(700, "no") == NO
    assert question.about("table.other", "table.really")
    question.close()
    assert question.asking is None
    assert not question.about("table.really")


@pytest.mark.parametrize(
    ("number", "name", "key"),
    [(699, "no", "table.no_question"), (700, "perhaps", "table.no_choice")],
)
def test_another_question_or_no_answer_is_refused(number: int, name: str, key: str) -> None:
    with pytest.raises(BadText) as raised:
        asked(700).chosen(number, name)
    assert raised.value.message.key == key


def test_where_nothing_is_asked_nothing_is_answered() -> None:
    with pytest.raises(BadText) as raised:
        OpenQuestion().chosen(0, "no")
    assert raised.value.message.key == "table.no_question"
