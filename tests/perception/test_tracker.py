"""What balls do, told by sensors: scenarios worked out by hand on the 22-slot board.

A1 … E4 lie in columns; over its edges 1 to 6 B2 meets B1, C1, C2, B3, A2 and A1.
"""

from hexboard.games.hextraction.rules.actions import (
    Action,
    BallTouch,
    Fell,
    Goal,
    Off,
    Rest,
    Roll,
    Wall,
)
from hexboard.games.hextraction.tiles.catalogue import basic
from hexboard.games.hextraction.tracking.tracker import Tracker
from hexboard.perception.debounce import Change
from tests.desk import BOARD

OPEN = ("Asterisk", 0)
"""All six edges open."""
NORTH_SHUT = ("J", 1)
"""The J joins printed edges 1 and 3: turned by one, 2 and 4 are open and 1 is a wall."""


class Board:
    """A tracker over some tiles; the sensors speak a tenth of a second apart."""

    def __init__(self, open: str = "", **tiles: tuple[str, int]) -> None:
        self.tiles = dict.fromkeys(open.split(), OPEN) | tiles
        self.tracker = Tracker(BOARD)
        self.now = 0

    def doors(self, slot: str) -> dict[int, tuple[int, ...]] | None:
        if slot not in self.tiles:
            return None
        tile, rotation = self.tiles[slot]
        return basic()[tile].doors(rotation)

    def see(self, *sensors: str) -> list[Action]:
        actions: list[Action] = []
        for sensor in sensors:
            self.now += 100_000_000
            for level in (True, False):
                change = Change(sensor, level, self.now)
                following = max(self.tracker.balls, default=0) + 1
                actions += self.tracker.change(change, self.doors, following)
        return actions

    def lie(self, *places: str) -> None:
        self.tracker.place(enumerate(places, 1), self.doors)

    def settle(self, *high: str) -> tuple[list[Action], list[int]]:
        rests, missing = self.tracker.settle(lambda sensor: sensor in high)
        return rests, [track.id for track in missing]


# ------------------------------------------------------------------------------- one ball's way


def test_a_ball_rolls_from_its_ramp_from_slot_to_slot_and_falls_through_an_open_one() -> None:
    board = Board("B1 B2 C2")
    seen = board.see("gate:B1-1", "edge:B1-B2", "edge:B2-C2", "edge:C2-C3", "fall:C3")
    assert seen == [
        Roll("B1-1"),
        BallTouch(1, "B1"),
        BallTouch(1, "B2"),
        BallTouch(1, "C2"),
        Fell(1, "C3"),
    ]
    assert board.tracker.balls == {}
    assert board.tracker.strain == 0


def test_a_ball_leaves_over_the_side() -> None:
    board = Board("B1 A1")
    assert board.see("gate:B1-6", "edge:A1-B1", "exit:A1-5")[1:] == [
        BallTouch(1, "B1"),
        BallTouch(1, "A1"),
        Off(1, "A1", 5),
    ]
    assert board.tracker.balls == {}


def test_a_ball_enters_an_end_zone_and_lies_there() -> None:
    board = Board("B5")
    board.lie("B5")
    assert board.see("throat:B5-4") == [Goal(1, "ZB")]
    assert board.settle("floor:ZB") == ([], [])
    assert not board.tracker.moving


def test_a_ball_that_the_floor_of_its_end_zone_does_not_feel_is_missing() -> None:
    board = Board("B5")
    board.lie("B5")
    board.see("throat:B5-4")
    assert board.settle() == ([], [1])
    track = board.tracker.balls[1]
    assert board.tracker.guesses(track, board.doors) == [Goal(1, "ZB"), Rest(1, "B5")]


def test_a_ball_that_rebounds_out_of_its_end_zone_is_in_the_slot_above_again() -> None:
    board = Board("B5")  # HC-54
    board.lie("B5")
    assert board.see("throat:B5-4", "throat:B5-3") == [Goal(1, "ZB"), BallTouch(1, "B5")]
    assert board.tracker.balls[1].slot == "B5"


def test_a_ball_that_leans_on_a_closed_edge_touches_both_tiles() -> None:
    board = Board("B1", B2=NORTH_SHUT)  # K37
    assert board.see("gate:B1-1", "edge:B1-B2")[1:] == [BallTouch(1, "B1"), Wall(1, "B2")]
    assert board.settle("edge:B1-B2") == ([Rest(1, "B1-B2")], [])


def test_a_ball_that_hops_at_a_wall_touches_it_each_time() -> None:
    board = Board("B1", B2=NORTH_SHUT)  # K37: one touch each time it comes there
    board.see("gate:B1-1", "edge:B1-B2")
    assert board.see("edge:B1-B2", "edge:B1-B2") == [Wall(1, "B2"), Wall(1, "B2")]
    board.now -= 70_000_000  # 30 ms later: the sensor has spoken twice
    assert board.see("edge:B1-B2") == []


def test_a_ball_that_runs_up_into_a_second_lane_and_back_is_no_second_one() -> None:
    board = Board("B1")
    board.see("load:B1-1", "gate:B1-1")
    assert board.see("gate:B1-2", "gate:B1-2") == [BallTouch(1, "B1")]
    assert list(board.tracker.balls) == [1]


def test_after_a_wall_the_last_tile_is_the_one_it_left_from() -> None:
    board = Board("B1 B2 B3 A3", C3=("J", 0))  # HC-95: C3 is open at 1 and 3, B3 lies at its 6
    seen = board.see(
        "gate:B1-1", "edge:B1-B2", "edge:B2-B3", "edge:B3-C3", "edge:A3-B3", "exit:A3-5"
    )
    assert seen[3:] == [BallTouch(1, "B3"), Wall(1, "C3"), BallTouch(1, "A3"), Off(1, "A3", 5)]


def test_a_ball_stays_in_a_lane_whose_tile_is_closed() -> None:
    board = Board(B1=NORTH_SHUT)
    assert board.see("gate:B1-1") == [Roll("B1-1"), Wall(1, "B1")]
    assert board.see("gate:B1-1") == []  # it trembles there
    assert board.settle("gate:B1-1") == ([Rest(1, "B1-1")], [])


def test_a_ball_that_waits_in_a_lane_enters_when_its_gate_says_so() -> None:
    board = Board("B1")
    board.lie("B1-1")  # as a declared roll leaves it
    assert board.see("gate:B1-1", "edge:B1-B2") == [BallTouch(1, "B1")]


def test_a_ball_that_rests_unseen_in_a_tile_is_missing_and_probably_there() -> None:
    board = Board("B1 A1")
    board.see("gate:B1-6", "edge:A1-B1")
    assert board.settle() == ([], [1])
    assert board.tracker.guesses(board.tracker.balls[1], board.doors) == [
        Rest(1, "A1"),
        Fell(1, "A1"),
        Off(1, "A1", 1),
        Off(1, "A1", 5),
        Off(1, "A1", 6),
    ]


def test_a_ball_over_an_open_slot_fell_if_anything() -> None:
    board = Board("B1")
    board.see("gate:B1-1", "edge:B1-B2")
    assert board.tracker.guesses(board.tracker.balls[1], board.doors) == [Fell(1, "B2")]


# ---------------------------------------------------------------------- when a sensor is mistaken


def test_a_missed_edge_is_bridged() -> None:
    board = Board("B1 B2 B3")
    seen = board.see("gate:B1-1", "edge:B2-B3")
    assert seen[1:] == [BallTouch(1, "B1"), BallTouch(1, "B2"), BallTouch(1, "B3")]
    assert board.tracker.strain == 1


def test_two_missed_edges_are_bridged_on_the_way_that_the_tiles_leave() -> None:
    # From B1 to B3: over B2, which is shut to the north, or round it over C1, A1, C2 or A2.
    board = Board("B1 A1 A2 B3", B2=NORTH_SHUT, C1=NORTH_SHUT)
    seen = board.see("gate:B1-1", "edge:B3-B4")
    assert seen[1:] == [BallTouch(1, slot) for slot in ("B1", "A1", "A2", "B3")]


def test_a_missed_gate_of_a_declared_roll_is_bridged() -> None:
    board = Board("B1 B2")
    board.lie("B1-1")
    assert board.see("edge:B1-B2") == [BallTouch(1, "B1"), BallTouch(1, "B2")]


def test_no_ball_climbs_unseen() -> None:
    board = Board("B1 B2 B3")
    board.see("gate:B1-1", "edge:B1-B2", "edge:B2-B3")
    assert board.see("edge:A1-B1") == []
    assert board.tracker.balls[1].slot == "B3"
    assert board.tracker.strain == 3


def test_a_doubled_edge_is_read_as_there_and_back_and_strains_the_reading() -> None:
    board = Board("B1 B2")
    board.see("gate:B1-1")
    assert board.see("edge:B1-B2", "edge:B1-B2") == [BallTouch(1, "B2"), BallTouch(1, "B1")]
    assert board.tracker.strain == 2


def test_a_sign_that_no_ball_can_have_made_moves_none() -> None:
    board = Board("B1 D4")
    board.lie("D4")
    assert board.see("fall:A1", "exit:A1-5", "edge:A1-B1", "throat:B5-4") == []
    assert board.tracker.balls[1].slot == "D4"


# ---------------------------------------------------------------------------------- several balls


def test_of_two_balls_the_nearer_one_moves() -> None:
    board = Board("B1 B2 B3 D1 D2 D3")
    board.see("gate:B1-1", "gate:D1-1", "edge:B1-B2", "edge:D1-D2")
    assert board.see("edge:D2-D3", "edge:B2-B3") == [BallTouch(2, "D3"), BallTouch(1, "B3")]


def test_of_two_balls_in_one_tile_the_one_that_moved_last_goes_on() -> None:
    board = Board("B1 B2 B3")
    board.see("load:B1-6", "gate:B1-6", "load:B1-2", "gate:B1-2", "edge:B1-B2")
    assert board.tracker.balls[2].slot == "B2"
    assert board.see("edge:B1-B2") == [BallTouch(2, "B1")]


def test_a_ball_at_rest_is_knocked_on_where_no_moving_one_can_be() -> None:
    board = Board("B1 B2 B3 C2")  # 2.1.4.1
    board.lie("B2")
    assert board.see("gate:B1-1", "edge:B1-B2", "edge:B2-B3") == [
        Roll("B1-1"),
        BallTouch(2, "B1"),
        BallTouch(2, "B2"),
        BallTouch(2, "B3"),
    ]
    assert board.see("edge:B2-C2") == [BallTouch(1, "C2")]
    assert board.tracker.balls[1].moving


def test_a_ball_that_leans_stays_when_its_sensor_lets_go_and_comes_again() -> None:
    board = Board("B1", B2=NORTH_SHUT)
    board.lie("B1-B2")
    assert board.see("edge:B1-B2") == []
    assert not board.tracker.moving


def test_who_left_is_nowhere() -> None:
    board = Board("B1")
    board.lie("fell:B2", "off:A1-5", "zone:ZB")
    assert list(board.tracker.balls) == [3]


def test_a_copy_goes_its_own_way() -> None:
    board = Board("B1 B2")
    board.lie("B1")
    copy = board.tracker.copy()
    board.see("edge:B1-B2")
    assert (board.tracker.balls[1].slot, copy.balls[1].slot) == ("B2", "B1")


def test_only_a_ball_beside_it_explains_a_sensor_that_stays_high() -> None:
    board = Board("B1", B2=NORTH_SHUT)
    board.lie("B1-B2", "D1-1")
    explained = {s.id for s in BOARD.sensors if board.tracker.explains(s.id)}
    assert explained == {"gate:D1-1", "edge:A1-B1", "edge:B1-B2", "edge:B1-C1"}
