"""The table of rules is what the sources say."""

from tests.rules import TABLE, table


def test_the_committed_table_of_rules_is_current() -> None:
    assert TABLE.read_text(encoding="utf-8") == table(), "run python -m tests.rules"


def test_a_rule_stands_with_the_function_and_the_test_that_name_it() -> None:
    (row,) = (
        line
        for line in TABLE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| 0.5.7 |")
    )
    assert "voting.replaced" in row
    assert "test_hc22_a_tile_voted_off" in row
