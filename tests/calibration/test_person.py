"""A person at a terminal that is none: lines in, lines out."""

import io
import os

from rich.console import Console

from hexboard.calibration.person import ENTER, Screen, Typist, confirmed
from hexboard.words import message, speaking
from tests.running import eventually


def typed(text: str) -> tuple[Typist, io.StringIO]:
    out = io.StringIO()
    return Typist(out, io.StringIO(text)), out


def everything(person: Typist) -> list[str]:
    """All that is said, to the end of the input."""
    said: list[str] = []
    while not said or said[-1] != "q":
        said.append(eventually(person.said))
    return said


def test_lines_are_what_is_said_enter_alone_is_something_and_the_end_is_q() -> None:
    person, _ = typed("  w \n\nB3/2\n\x1b[2J\x07n\n")
    assert everything(person) == ["w", ENTER, "B3/2", "[2Jn", "q"]


def test_an_input_that_breaks_is_the_end_of_it() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"w\n\xff\xfe\n")
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as broken:
        person = Typist(io.StringIO(), broken)
        assert everything(person)[-1] == "q"


def test_lines_out_say_only_what_is_new() -> None:
    person, out = typed("")
    ask = message("calibration.exactly_fall", place="C3")
    rows = (("fall", 1, 0, 7),)
    person.see(Screen(ask, rows=rows))
    person.see(Screen(ask, rows=rows, heard=message("calibration.fired", sensor="fall:C2")))
    assert out.getvalue().splitlines() == [
        "1/7  Drop the ball through the slot C3.",
        "1/7  fall:C2 fired.",
    ]


def test_who_has_answered_reads_anew_what_is_asked() -> None:
    person, out = typed("w\n")
    ask = message("calibration.exactly_fall", place="C3")
    person.see(Screen(ask))
    assert eventually(person.said) == "w"
    heard = message("calibration.wrong", sensor="fall:C2")
    for visits in range(2):
        person.see(Screen(ask, heard=heard, visits=visits))
    assert out.getvalue().splitlines() == [
        "Drop the ball through the slot C3.",
        "Noted: fall:C2 fired for another place.",
        "Drop the ball through the slot C3.",
    ]


def test_the_table_at_a_terminal_is_in_the_language_that_is_spoken() -> None:
    person, _ = typed("")
    ask = message("calibration.exactly_fall", place="C3")
    person.see(Screen(ask, rows=(("fall", 1, 2, 7),)))
    with speaking("de"):
        console = Console(file=io.StringIO(), width=100)
        console.print(person._table())
        assert isinstance(console.file, io.StringIO)
        title, row = console.file.getvalue().splitlines()[:2]
    assert title.split() == ["fertig", "nicht", "sicher", "noch", "nicht", "besucht"]
    assert row.split() == ["fall", "1", "2", "4"]


def test_only_a_yes_is_a_yes() -> None:
    question = message("calibration.same")
    for said, meant in (("y\n", True), ("YES\n", True), ("\n", False), ("n\n", False), ("", False)):
        assert confirmed(typed(said)[0], question) is meant


def test_whoever_is_gone_confirms_nothing_however_often_they_are_asked() -> None:
    person, _ = typed("y\n")
    question = message("calibration.same")
    assert [confirmed(person, question) for _ in range(3)] == [True, False, False]
