"""A roll that never ends: it is said, and people are asked, while it goes on."""

from itertools import cycle, islice

import pytest

from hexboard.facts import Snapshot
from tests.desk import Desk

TILES = ("B1", "B2", "B3", "C2", "C3")
ROUND = ("edge:B2-C2", "edge:C2-C3", "edge:B3-C3", "edge:B2-B3")


def begun() -> Desk:
    desk = Desk(TILES)
    desk.feed(Snapshot(("rail:main", *(f"seat:{slot}" for slot in TILES))))
    desk.pulse("gate:B1-1", "edge:B1-B2")
    return desk


def round_and_round(desk: Desk, seconds: int) -> None:
    desk.pulse(*islice(cycle(ROUND), seconds * 5), every=200)


def test_a_ball_that_goes_round_is_asked_about_while_it_does() -> None:
    desk = begun()
    round_and_round(desk, 20)
    assert desk.table.asking is None, "a long roll is no endless one"
    round_and_round(desk, 15)
    assert desk.keys.count("table.storm") == 1, "one question, however long it takes to answer"
    assert desk.choices == ["settle", "void"]
    asked = desk.table.asking
    desk.settle()
    assert desk.table.asking == asked, "the same question, once it lies still"


def test_an_endless_roll_that_does_not_count_is_owed_again() -> None:
    desk = begun()
    round_and_round(desk, 31)
    desk.decide("void")
    round_and_round(desk, 5)
    desk.wait(15_000)
    assert (desk.table.asking, desk.position.phase, desk.position.places()) == (None, "idle", ())
    desk.pulse("gate:B1-1", "edge:B1-B2")
    desk.settle()
    assert desk.keys.count("hextraction.rolls") == 2
    assert desk.position.rolls == 1


def test_an_endless_roll_that_counts_is_over_as_the_board_shows() -> None:
    desk = begun()
    round_and_round(desk, 31)
    desk.decide("settle")
    assert desk.position.phase == "idle"
    lost = {dict(said.values)["slot"] for said in desk.told if said.key == "hextraction.loop"}
    assert lost == {"B2", "B3", "C2", "C3"}, "each was touched three times"


@pytest.mark.parametrize("every", [100, 400, 1400])
def test_a_sensor_that_flaps_for_ever_is_left_out_and_the_roll_ends(every: int) -> None:
    desk = begun()
    desk.pulse(*["edge:B2-C2"] * (20_000 // every), every=every)
    assert "sensor.chattering" in desk.keys
    assert desk.position.phase == "idle"
    assert desk.position.places() == ((1, "B2"),)
    assert desk.table.asking is None


def test_a_gate_that_flaps_for_ever_in_a_roll_is_asked_about() -> None:
    desk = begun()
    desk.pulse(*["gate:B1-1"] * 160, every=1400)
    assert desk.keys.count("table.storm") == 1
    desk.decide("void")
    assert "hextraction.voided" in desk.keys
