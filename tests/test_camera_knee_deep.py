"""Knee Deep in Hexes under a camera: what lies there afterwards is explained by the fewest moves.

Readings are written by hand, as in test_camera_table: what is surely seen costs nothing.
"""

import pytest
from msgspec.structs import replace

from hexboard.board import find, load
from hexboard.facts import MS, Body, Decide, Declare, Fact, Reading, Ruling, Start, Tick, Touch
from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.values import KINDS
from hexboard.scene import Meaning
from hexboard.table import Pieces, open_table
from hexboard.table.looks import SITUATION_LOOKS
from hexboard.table.view import NOTHING

BOARD = load(find("flowers-31"))
CELLS = [cell.id for cell in BOARD.cells]
AT = {(cell.q, cell.r): cell.id for cell in BOARD.cells}
OPTIONS: dict[str, int | str | bool] = {"hands": "held", "starter": "gondwana", "away_ms": 1500}
START = Start("m", BOARD.name, BOARD.hash, "knee-deep", knee_deep.rules(), OPTIONS, "test")
BEGIN = ("companions general tech", "companions general tech", "keep", "keep")
ACV, TANK, PALOOZA, EXTRACTOR, TURRET, FACTORY = range(1, len(KINDS) + 1)


class Desk:
    """A table on which these moves were made."""

    def __init__(self, *moves: str) -> None:
        self.table, self.n, self.at = open_table(BOARD, START), 0, 0
        assert isinstance(self.table.sensing, Pieces)
        self.pieces = self.table.sensing
        for move in (*BEGIN, *moves):
            self.feed(Declare(-1, move))
            assert not self.table.asking
        self.feed(self.sees())

    def feed(self, body: Body, after: int = 500) -> None:
        self.n, self.at = self.n + 1, self.at + after * MS
        self.table.step(Fact(self.n, self.at, self.at, "camera", body))

    def sees(self, **changed: int) -> Reading:
        """A sure look at the board with other codes in some fields (f2_1 for 2.1)."""
        seen = bytearray(self.position.seen())
        for name, code in changed.items():
            seen[CELLS.index(name[1:].replace("_", "."))] = code
        return Reading(tuple(((code, 0),) for code in seen))

    def doubts(self, field: str, *codes: int) -> Reading:
        """A look that leaves open which of these lies on a field."""
        cells = list(self.sees().cells)
        cells[CELLS.index(field)] = tuple((code, 0) for code in codes)
        return Reading(tuple(cells))

    @property
    def position(self) -> KneeDeep:
        position: object = self.table.position
        assert isinstance(position, KneeDeep)
        return position

    @property
    def units(self) -> dict[str, int]:
        units = self.position.units
        return {CELLS[k]: unit for k, unit in enumerate(units) if unit}


def test_a_unit_that_appears_beside_the_hq_was_deployed_and_paid() -> None:
    desk = Desk()
    desk.feed(desk.sees(f2_2=TANK))
    assert desk.units == {"2.2": TANK}
    assert desk.position.material == 1


def test_a_vehicle_that_moved_further_than_one_energy_brings_it_paid_two() -> None:
    """Every field that an ACV can come to with two (T45), also where one move of many leads on."""
    position = Desk("deploy acv 2.2").position
    twice = [mark.place for mark in position.rings("2.2") if mark.count == 2]
    assert len(twice) > 20
    for far in twice:
        desk = Desk("deploy acv 2.2")
        desk.feed(desk.sees(f2_2=0, **{"f" + far.replace(".", "_"): ACV}))
        assert (desk.units, desk.position.energy) == ({far: ACV}, 0)
        assert desk.table.asking is None


def test_a_vehicle_that_moved_further_than_can_be_paid_is_called_wrong() -> None:
    desk = Desk("deploy acv 2.2", "deploy acv 2.1", "move 2.1-3.6", "deploy acv 2.1")
    rings = {mark.place: mark.count for mark in Desk("deploy acv 2.2").position.rings("2.2")}
    far = next(cell for cell, spent in rings.items() if spent == 2)
    assert desk.position.energy == 1
    desk.feed(desk.sees(f2_2=0, **{"f" + far.replace(".", "_"): ACV}))
    desk.feed(Tick(), 2000)
    assert desk.units == {"2.1": ACV, "2.2": ACV, "3.6": ACV}
    lit = {mark.place for mark in desk.table.scene() if mark.meaning is Meaning.REFUSED}
    assert {"2.2", far} <= lit
    assert desk.pieces.camera.against is not None
    assert desk.pieces.camera.against.rule == "KDH-7.3"  # it is too far for one energy
    (todo,) = desk.table.todo
    assert dict(todo.message.values)["left"] == far


def test_two_like_vehicles_that_moved_are_taken_as_the_least_energy() -> None:
    desk = Desk("deploy acv 2.1", "deploy acv 2.6")
    ground = desk.position.setting.ground
    ends = [desk.position.reach(ground.number[cell])[0] for cell in ("2.1", "2.6")]
    fields = {"f" + CELLS[end].replace(".", "_"): ACV for end in ends}
    assert len(fields) == 2
    desk.feed(desk.sees(f2_1=0, f2_6=0, **fields))
    assert sorted(desk.units) == sorted(CELLS[end] for end in ends)
    assert desk.position.energy == 0


def test_a_turret_or_a_tank_is_asked_for() -> None:
    """Two ACVs stand beside the field and so does the HQ: both could be (digest 7)."""
    one, field, other = (AT[place] for place in ((1, 1), (0, 2), (0, 3)))
    desk = Desk(f"deploy acv {one}", *("end", "mark none") * 2, f"deploy acv {other}")
    for _ in range(SITUATION_LOOKS):
        desk.feed(desk.doubts(field, TANK, TURRET))
    asking = desk.table.asking
    assert asking is not None
    names = {choice.name for choice in asking.choices}
    assert names == {f"deploy tank {field}", f"build turret {field}", NOTHING}
    desk.feed(Decide(asking.id, f"build turret {field}"))
    assert desk.units[field] == TURRET


def test_a_marker_on_an_intersection_is_seen_in_its_three_fields() -> None:
    desk = Desk("deploy acv 2.1", "end")
    ground = desk.position.setting.ground
    crossing = ground.crossings[ground.crossing["2,3,7"]]
    codes = {k: desk.position.units[k] + 16 for k in crossing.corner}
    fields = {"f" + CELLS[k].replace(".", "_"): code for k, code in codes.items()}
    desk.feed(desk.sees(**fields))
    position = desk.position
    assert (position.marker_of, position.crossing.name) == (0, "2,3,7")
    assert {position.seen()[k] // 16 for k in crossing.corner} == {1}


def marked(desk: Desk, crossing: str) -> Reading:
    """A look at the board with Gondwana's marker at another crossing, or with none ("")."""
    ground, units = desk.position.setting.ground, desk.position.units
    corner = ground.crossings[ground.crossing[crossing]].corner if crossing else ()
    fields = {k: unit + 16 * (k in corner) for k, unit in enumerate(units)}
    return desk.sees(**{"f" + CELLS[k].replace(".", "_"): code for k, code in fields.items()})


@pytest.mark.parametrize("there", ["1,2,6", "2,6,7", "3,7,8"])
def test_a_marker_that_is_pushed_on_is_not_two_turns(there: str) -> None:
    """It goes home at the end of each, which would look the same."""
    desk = Desk("deploy acv 2.1", "end")
    desk.feed(marked(desk, "2,3,7"))
    before = desk.table.ledger.match.entries[:]
    desk.feed(Reading())  # a hand
    for _ in range(SITUATION_LOOKS):
        desk.feed(marked(desk, there))
    assert desk.table.ledger.match.entries == before
    asking = desk.table.asking
    assert asking is None or NOTHING in {choice.name for choice in asking.choices}


def test_a_marker_that_is_lifted_gives_up_no_damage() -> None:
    """Of that a page asks once more; so does a board."""
    desk = Desk("deploy acv 2.1", "end", "mark 2,3,7")
    units = [*desk.position.units]
    units[CELLS.index("12.2")] = TANK  # it has not looked so before
    fought = replace(desk.position, phase="damage", victor=1, surplus=9, laid=(-1, -1))
    desk.feed(Ruling(f"problem position {replace(fought, units=tuple(units))}"))
    assert desk.position.phase == "damage"
    assert desk.position.name(desk.position.legal[-1]) == "stop"
    desk.feed(desk.sees())
    desk.feed(Reading())
    for _ in range(SITUATION_LOOKS):
        desk.feed(marked(desk, ""))
    assert desk.position.phase == "damage"
    asking = desk.table.asking
    assert asking is not None
    assert {choice.name for choice in asking.choices} >= {"stop", NOTHING}


def test_a_unit_that_a_card_carries_is_carried_by_hand() -> None:
    """Two choices for a page, one movement for a hand: the camera saw no move in it."""
    desk = Desk("deploy acv 2.1", "play carry_all")
    desk.feed(desk.sees(f2_1=0, f12_2=ACV))
    assert desk.units == {"12.2": ACV}


def test_what_is_taken_back_is_seen_put_back() -> None:
    desk = Desk()
    empty = desk.sees()
    desk.feed(desk.sees(f2_2=TANK))
    desk.feed(Ruling("undo"))
    assert desk.table.todo
    desk.feed(empty)
    assert not desk.table.todo
    assert desk.units == {}


def test_a_vehicle_that_is_touched_shows_how_far_it_goes() -> None:
    desk = Desk("deploy acv 2.2")
    desk.feed(Touch(("2.2",)))
    counts = {mark.count for mark in desk.table.scene() if mark.meaning is Meaning.REACH}
    assert counts == {1, 2}
    desk.feed(Touch(()))
    assert not [mark for mark in desk.table.scene() if mark.meaning is Meaning.REACH]


def test_things_are_named_for_the_way_back() -> None:
    position = Desk().position
    assert position.things(0) == ()
    assert position.things(TANK + 6) == ("Bukseon's tank",)
    assert position.things(FACTORY + 16) == ("Gondwana's factory", "Gondwana's marker")
    assert position.things(32) == ("Bukseon's marker",)
