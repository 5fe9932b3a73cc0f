"""A tile that lies otherwise than is believed is suspected by what balls do there, and asked of."""

import math
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.facts import Presence, Resume, Snapshot
from hexboard.game.match import encode_entry
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.table import doubting
from hexboard.games.hextraction.table.unsettled import Unsettled
from hexboard.games.hextraction.tracking.layouts import Layouts
from hexboard.games.hextraction.tracking.readings import MOST_WEIGHED, Readings
from hexboard.scene import Mark, Meaning
from tests.benchmarks.layouts import KNOBS, Mistaken, likelier
from tests.desk import BOARD, OPEN, Desk, start
from tests.worlds import evening

STRAIGHT, BENT = Placed("DC", 0), Placed("DC", 1)
"""Joins 1-3 and 4-6; turned by one sixth 2-4 and 5-1."""


def rolled(*signs: str, rests: str = "") -> Desk:
    """A ball rolled over these sensors, down to an open slot, or to where it lies; B2 is a DC, and
    is said to lie `STRAIGHT`."""
    tiles = {**dict.fromkeys(("B1", "A2", "A3", "B3", "C1", "C2", "C3"), OPEN), "B2": STRAIGHT}
    desk = Desk(tiles)
    for seat in tiles:
        desk.level(f"seat:{seat}", True)
    desk.wait(100)
    desk.pulse(*signs)
    if rests:
        desk.level(rests, True)
    desk.settle()
    return desk


TURNED = ("gate:B1-1", "edge:B1-B2", "edge:A2-B2", "edge:A2-A3", "exit:A3-5")
AS_SAID = ("gate:B1-1", "edge:B1-B2", "edge:B2-C2", "edge:C2-C3", "edge:C3-C4", "fall:C4")
STRAIGHT_ON = ("gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-B4", "fall:B4")
"""As no DC lets a ball go, for none joins 1 and 4."""


def again(desk: Desk, *signs: str) -> None:
    """Another ball rolls there, in a turn that has none yet."""
    desk.rule(f"position {replace(desk.position, rolls=0)}")
    desk.pulse(*signs)
    desk.settle()


def killed(desk: Desk) -> Desk:
    """The table that goes on with what another one had journalled, once people have looked."""
    ledger = desk.table.ledger
    entries = ledger.match.entries[: ledger.committed]
    after = Desk(begin=Resume(start(), tuple(encode_entry(it).decode() for it in entries)))
    high = ("rail:main", *(f"seat:{slot}" for slot in sorted(desk.position.tiles)))
    after.feed(Presence(True))
    after.feed(Snapshot(high))
    after.rule("right")
    return after


def test_a_tile_that_balls_leave_by_a_wall_is_asked_of_and_lit() -> None:
    desk = rolled(*TURNED)
    assert desk.table.asking is not None
    assert desk.table.asking.message.key == "table.turned"
    assert desk.choices == ["lies B2 DC 0", "lies B2 DC 1", "lies B2 ? 0", "void"]
    assert Mark("B2", Meaning.ASK) in desk.table.scene()


def test_who_says_how_it_lies_has_the_roll_told_anew() -> None:
    desk = rolled(*TURNED)
    desk.decide("lies B2 DC 1")
    assert desk.choices == []
    assert desk.position.tiles["B2"].rotation == 1
    assert desk.position.phase == "idle"
    assert "A3" not in desk.position.tiles  # the last tile that it touched (2.1.5.3)
    assert desk.corrected


def test_a_tile_that_lies_as_shown_is_believed() -> None:
    desk = rolled(*TURNED)
    desk.decide("lies B2 DC 0")
    assert desk.position.tiles["B2"] == STRAIGHT
    asking = desk.table.asking
    assert asking is None or asking.message.key != "table.turned"


def test_who_cannot_say_how_it_lies_leaves_every_way_open() -> None:
    desk = rolled(*TURNED)
    desk.decide("lies B2 ? 0")
    assert desk.choices == []
    assert desk.position.tiles["B2"].tile == "?"
    assert desk.position.phase == "idle"


def test_another_tile_is_asked_of_where_no_turn_of_the_one_that_was_said_will_do() -> None:
    desk = rolled(*STRAIGHT_ON)
    assert desk.choices == [], "one roll says too little"
    again(desk, *STRAIGHT_ON)
    assert desk.choices[0] == "lies B2 DC 0"
    ways = [choice.split()[2:] for choice in desk.choices[1:-2]]
    doors = [desk.position.setting.tiles[tile].doors(int(turn)) for tile, turn in ways]
    assert doors
    assert all(4 in each[1] for each in doors)


def test_what_rolls_have_shown_of_a_tile_is_known_after_a_restart() -> None:
    desk = rolled(*STRAIGHT_ON)
    again(desk, *AS_SAID)
    restarted = killed(killed(desk))
    assert (desk.choices, restarted.choices) == ([], [])
    for table in (desk, restarted):
        again(table, *STRAIGHT_ON)
    assert desk.choices[0] == "lies B2 DC 0"
    assert restarted.choices == desk.choices


def test_a_tile_that_somebody_has_looked_at_is_not_asked_of_again_after_a_restart() -> None:
    desk = rolled(*TURNED)
    assert desk.choices[0] == "lies B2 DC 0"
    desk.decide("lies B2 DC 0")
    for _ in range(2):
        again(desk, *AS_SAID)
    restarted = killed(desk)
    for table in (desk, restarted):
        again(table, *TURNED)
        assert "lies B2 DC 0" not in table.choices


def test_so_many_ways_are_looked_at_as_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A DC that is shown one way may lie in two others. With time for one of them only that is
    looked at, and the roll is ruled all the same."""
    suppose, ways = Unsettled.supposing, list[Placed]()

    def supposing(of: Unsettled, *given: Any) -> Readings:
        ways.extend(given[2].values())
        return suppose(of, *given)

    monkeypatch.setattr(Unsettled, "supposing", supposing)
    rolled(*STRAIGHT_ON)
    every = len(ways)
    monkeypatch.setattr(doubting, "LAID_WEIGHED", MOST_WEIGHED)
    ways.clear()
    assert rolled(*STRAIGHT_ON).table.asking is None
    assert (every > 2, len(ways)) == (True, 1)


def test_a_ball_that_goes_as_it_can_raises_no_doubt() -> None:
    desk = rolled(*AS_SAID)
    assert desk.choices == []
    assert desk.position.phase == "idle"


def test_a_void_roll_leaves_the_tile_as_it_was_said() -> None:
    desk = rolled(*TURNED)
    desk.decide("void")
    assert desk.position.phase == "idle"
    assert desk.position.tiles["B2"] == STRAIGHT


def test_a_turned_tile_of_the_second_world_is_found_in_its_first_roll() -> None:
    night = evening(300_015, replace(KNOBS, rolls=6))
    assert Mistaken(BOARD, night, "turned").played().found[:1] == [(1, math.inf)]


def test_what_tells_of_a_tile_is_weighed_by_the_files_of_tiles_alone() -> None:
    joins, every, paired = ("J", 0), ("Asterisk", 0), ("DIC", 0)
    assert likelier(joins, every, 1, 3) == 32 / 6  # five ways, 6 of 32 go there
    assert likelier(paired, ("Peace", 0), 1, 4) == 20 / 16
    assert likelier(every, joins, 1, 4) == math.inf  # a wall there
    assert likelier(every, paired, 1, 3) == math.inf  # doors, that are not joined
    assert likelier(every, paired, 0, 3) == 1


# ---------------------------------------------------------------------------------- what is summed

LIES = {"B2": STRAIGHT}
KEY = ("B2", BENT)


def doubted(*gains: int, now: int) -> bool:
    layouts = Layouts()
    layouts.keep(LIES)
    for gain in gains:
        layouts.learn({KEY: gain})
    return layouts.suspects({KEY: now}) == [KEY]


def test_one_roll_that_says_little_is_not_asked_of_but_two_are() -> None:
    assert not doubted(now=500)
    assert doubted(500, now=500)


def test_rolls_that_speak_for_the_tile_take_doubt_away() -> None:
    assert not doubted(500, -400, now=500)
    assert doubted(-5000, 500, now=500), "a tile that was turned late is found as soon"


def test_doubt_ends_with_the_tile_and_with_whoever_looks() -> None:
    for end in ("looked", "forget", "keep"):
        layouts = Layouts()
        layouts.keep(LIES)
        layouts.learn({KEY: 500})
        if end == "keep":
            layouts.keep({"B2": OPEN})
        else:
            getattr(layouts, end)("B2")
        layouts.keep(LIES)
        assert layouts.known == []
        assert layouts.suspects({KEY: 500}) == []


def test_a_tile_that_was_lifted_is_doubted_sooner() -> None:
    layouts = Layouts()
    layouts.keep(LIES)
    layouts.lifted("B2")
    assert layouts.suspects({KEY: 700}) == [KEY]
    assert not doubted(now=700)


def test_ways_that_explain_the_same_are_doubted_together() -> None:
    ways = [Placed("J", turn) for turn in (1, 2, 3, 4)]
    layouts = Layouts()
    layouts.keep({"B2": Placed("J", 0)})
    assert layouts.suspects({("B2", ways[0]): 700}) == []
    assert len(layouts.suspects({("B2", way): 700 for way in ways})) == 4
