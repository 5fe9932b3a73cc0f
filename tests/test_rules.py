"""The table of rules is what the sources say, and no rule of the referee's is left out."""

import re

import pytest

from hexboard.games.hextraction import start
from tests.rules import (
    CLASSES,
    TABLE,
    due,
    listed,
    naming,
    proved,
    sources,
    table,
    unnamed,
)
from tests.rules_shown import breaks, broken


@pytest.mark.long
def test_the_committed_table_of_rules_is_current() -> None:
    assert TABLE.read_text(encoding="utf-8") == table(), "run python -m tests.rules"


def test_each_rule_of_the_referees_has_a_function_and_a_test() -> None:
    assert unnamed() == []


def test_each_rule_of_the_referees_is_shown_by_tests_that_are_there_and_name_it() -> None:
    """Which they are is found out by `python -m tests.rules_shown`, in minutes."""
    tests, shown = sources()[1], proved()
    assert list(shown) == due()
    assert all(shown.values())
    assert {id: set(names) - {*naming(id, tests)} for id, names in shown.items()} == {
        id: set() for id in shown
    }


def test_a_broken_function_is_broken_for_all_and_whole_again_afterwards() -> None:
    (one,) = (b for b in breaks() if b.name == "turn.may_roll" and not b.instead())
    begun = start()
    with broken(one):
        assert not any(begun.name(move).startswith("roll") for move in begun.legal)
    assert any(begun.name(move).startswith("roll") for move in begun.legal)


def test_each_rule_has_a_class_and_each_open_one_a_reason() -> None:
    assert len(listed()) == 194  # the digest's count
    assert {word for word, _ in listed().values()} <= CLASSES.keys()
    assert all((word == "open") == bool(why) for word, why in listed().values())


def test_a_rule_stands_with_the_function_and_the_test_that_name_it() -> None:
    (row,) = (
        line
        for line in TABLE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| 0.5.7 |")
    )
    assert "voting.replaced" in row
    assert "_0_5_7`" in row


def test_open_rules_come_first() -> None:
    rows = re.findall(r"^\| [\dT][\w.]* \| (\w+) \|", table(), re.MULTILINE)
    assert len(rows) == 194
    assert rows == sorted(rows, key=lambda word: word != "open")


def test_an_id_is_named_by_itself_and_not_by_a_longer_one() -> None:
    names = [
        ("a", "see 2.1.5"),
        ("b", "2.1.5.1"),
        ("test_2_1_5_x", "def test_2_1_5_x"),
        ("d", "12.1.5"),
    ]
    assert naming("2.1.5", names) == ["a", "test_2_1_5_x"]
    assert naming("T.BreakLoop.2", [("e", "def test_it_t_break_loop_2():")]) == ["e"]
