"""The log of a table: numbers are given once."""

from hexboard.table.log import LOG_LINES, Log
from hexboard.words import message


def numbers(log: Log) -> list[int]:
    return [line.n for line in log.lines]


def test_what_is_struck_out_leaves_a_gap() -> None:
    log = Log()
    log.add(message("a.first"), 0)
    log.add(message("a.second"), 1)
    log.add(message("table.news"))
    log.forget(1)
    log.add(message("a.third"), 1)
    assert numbers(log) == [1, 3, 4]
    assert [line.entry for line in log.lines] == [0, -1, 1]


def test_only_the_last_lines_are_kept() -> None:
    log = Log()
    for _ in range(LOG_LINES + 3):
        log.add(message("table.news"))
    assert numbers(log) == list(range(4, LOG_LINES + 4))
