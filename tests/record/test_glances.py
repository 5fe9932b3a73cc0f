"""What a recording's lines say of a camera's readings."""

from hexboard.facts import Reading
from hexboard.record.glances import Glances
from hexboard.words import say

A, B, UNSURE, NOTHING = ((1, 0),), ((2, 0), (1, 1000)), ((1, 0), (2, 999)), ()


def test_a_reading_says_how_much_is_certain_and_what_has_changed_since_the_last() -> None:
    glances = Glances(("a1", "a2", "a3", "a4"))
    said = [
        say(glances.told(reading))
        for reading in (
            Reading((A, B, UNSURE, NOTHING)),
            Reading((A, B, UNSURE, NOTHING)),
            Reading(()),
            Reading((B, B, UNSURE, A), ("a2",)),
            Reading((B, B, A, A), ()),
        )
    ]
    assert said == [
        "2 of 4 cells certain; changed: -",
        "2 of 4 cells certain; changed: -",
        "nothing can be relied on: a hand, a motion, or no picture",
        "3 of 4 cells certain; changed: a1, a4; balls: a2",
        "4 of 4 cells certain; changed: -; balls: -",
    ]


def test_many_cells_that_have_changed_are_counted() -> None:
    glances = Glances([f"a{k}" for k in range(9)])
    glances.told(Reading((A,) * 9))
    assert say(glances.told(Reading((B,) * 9))) == "9 of 9 cells certain; changed: 9"
    unknown = Glances(())
    unknown.told(Reading((A,) * 9))
    assert say(unknown.told(Reading((B, *(A,) * 8)))) == "9 of 9 cells certain; changed: 1"
