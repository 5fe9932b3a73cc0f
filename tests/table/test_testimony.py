"""What a roll says of the sensors that kept silent: only what they can have been asked."""

import re

from hexboard.facts import Presence, Snapshot
from hexboard.games.hextraction.rules.state import Placed
from tests.desk import OPEN, Desk

SECOND = {"A1": Placed("DC", 3), "A2": Placed("J", 5), "B1": Placed("X", 1), "B2": Placed("S", 0)}
CROSSED = SECOND | {"C1": Placed("S", 4), "C2": Placed("Peace", 2)}
"""B1 is a crossing: from its lane straight on there is the wall of A1."""
HELD = {
    "A1": Placed("DIC", 3),
    "A2": Placed("S", 4),
    "A3": Placed("X", 5),
    "B1": Placed("X", 1),
    "B2": Placed("DC", 0),
    "B3": Placed("DC", 3),
    "C1": Placed("X", 3),
    "C2": Placed("J", 5),
}


def begun(tiles: dict[str, Placed], *held: str) -> Desk:
    """A board with these tiles, and a ball on each rib that is held."""
    desk = Desk(tiles)
    if held:
        balls = ",".join(f"{n}@{rib.partition(':')[2]}.B1" for n, rib in enumerate(held, 1))
        desk.rule("position " + re.sub(r"balls=\S*", f"balls={balls}", str(desk.position)))
    desk.feed(Presence(True))
    desk.feed(Snapshot((*(f"seat:{slot}" for slot in tiles), *held)))
    return desk


def missed(desk: Desk) -> list[str]:
    known = desk.table.senses.witnesses.known
    return [sensor for sensor, witness in known.items() if witness.missed]


def test_a_rib_that_a_ball_must_have_crossed_missed_it() -> None:
    desk = begun(dict.fromkeys(("B1", "B2", "B3", "B4", "B5"), OPEN))
    desk.pulse("gate:B1-1", "edge:B1-B2", "edge:B3-B4", "edge:B4-B5")
    desk.settle()
    assert missed(desk) == ["edge:B2-B3"]


def test_a_ball_that_turned_back_within_a_crossing_was_missed_by_no_wall() -> None:
    desk = begun(CROSSED)
    desk.pulse("gate:B1-2", "edge:B1-C1")
    desk.level("edge:C1-C2", True)
    desk.settle()
    assert desk.keys[-2:] == ["hextraction.rests", "hextraction.offline_on"]
    assert missed(desk) == []


def test_a_rib_on_which_a_ball_lies_can_miss_no_other() -> None:
    desk = begun(HELD, "edge:B1-C1")
    desk.settle()
    desk.pulse("gate:B1-6", "edge:A1-B1", "edge:A1-B2", "edge:B2-B3")
    desk.settle()
    assert "hextraction.rolls" in desk.keys
    assert missed(desk) == []
