"""Whether a board leans to a side: by hand calculation, and by balls of the second world."""

import math

import pytest

from hexboard.board import find, load
from hexboard.calibration.level import told
from hexboard.facts import Leant, Witnessed
from hexboard.perception.leaning import KEPT, Leaning, mirrored
from hexboard.perception.witness import Testimony, Witnesses
from tests.benchmarks.worlds import Play
from tests.worlds import Knobs, evening

BOARD = load(find("hextraction-22"))
G, PITCH = 9810, 50


def times(side_deg: float, start: float = 250.0, tilt_deg: float = 10.0) -> tuple[int, int]:
    """How long a ball takes from the top edge of a tile to the lower right, and to the lower left,
    ms: it comes with `start` mm/s, and gains v² = 10/7 g h as it falls by h."""
    right, down = PITCH / 2 * math.cos(math.radians(30)), PITCH * 0.75
    radius = PITCH / 2 * math.tan(math.radians(60))
    arc = radius * math.radians(60)
    found = []
    for sign in (1, -1):
        fall = down * math.sin(math.radians(tilt_deg))
        fall += sign * right * math.sin(math.radians(side_deg))
        end = math.sqrt(start**2 + 10 / 7 * G * fall)
        found.append(round(1000 * 2 * arc / (start + end)))
    return found[0], found[1]


def learned(side_deg: float, balls: int = 20) -> Leaning:
    leaning = Leaning()
    to_right, to_left = times(side_deg)
    for k in range(balls):
        jitter = (0.8, 1.0, 1.25)[k % 3]
        leaning.learn(
            [("1-3 of 2", round(to_right * jitter)), ("1-5 of 2", round(to_left * jitter))]
        )
    return leaning


def test_the_hand_calculation_is_what_a_stopwatch_would_show() -> None:
    assert times(0) == (141, 141)  # from 250 to 392 mm/s over 45.3 mm
    assert times(3) == (137, 146)  # to 412 and 371 mm/s


@pytest.mark.parametrize("side_deg", [-6.0, -3.0, 3.0, 6.0])
def test_a_lean_is_found_that_balls_by_hand_calculation_show(side_deg: float) -> None:
    lean = learned(side_deg).lean(BOARD)
    assert lean is not None
    assert lean.degrees == pytest.approx(side_deg, rel=0.2)
    assert lean.at_least < side_deg < lean.at_most
    assert lean.balls == 40


def test_a_lean_is_said_only_where_it_is_sure_and_more_than_slight() -> None:
    few, many = learned(6.0, 15).lean(BOARD), learned(6.0, 60).lean(BOARD)
    assert few is not None
    assert many is not None
    assert (told(few).key, told(many).key) == ("health.level", "health.leans_right")
    slight = learned(0.8, 60).lean(BOARD)
    left = learned(-6.0, 60).lean(BOARD)
    assert slight is not None
    assert left is not None
    assert (told(slight).key, told(left).key) == ("health.level", "health.leans_left")


def test_of_few_balls_or_of_one_side_alone_nothing_is_said() -> None:
    assert learned(5.0, 14).lean(BOARD) is None
    one_side = Leaning()
    one_side.learn([("1-3 of 2", 150)] * 60)
    assert one_side.lean(BOARD) is None
    straight = Leaning()
    straight.learn([("1-4 of 2", 150)] * 60)
    assert straight.lean(BOARD) is None


def test_a_ball_that_was_held_up_says_nothing() -> None:
    leaning = learned(3.0)
    before = leaning.known
    leaning.learn([("1-3 of 2", 1001), ("1-5 of 2", 19)])
    assert leaning.known == before


def test_a_board_that_was_put_level_is_known_again() -> None:
    leaning = learned(6.0, 60)
    lean = leaning.lean(BOARD)
    assert lean is not None
    assert lean.sure
    to_right, to_left = times(0)
    for _ in range(4 * KEPT):
        leaning.learn([("1-3 of 2", to_right), ("1-5 of 2", to_left)])
    lean = leaning.lean(BOARD)
    assert lean is not None
    assert not lean.sure
    assert abs(lean.degrees) < 1


def test_left_and_right_are_exchanged_in_a_mirror_and_top_and_bottom_stay() -> None:
    assert mirrored(BOARD) == {1: 1, 2: 6, 3: 5, 4: 4, 5: 3, 6: 2}
    cell = BOARD.cells[0]
    for board in (BOARD, load(find("hexhex-5"))):
        cell = board.cells[0]
        for edge, image in mirrored(board).items():
            (x, y), (other, same) = (
                board.edge_point(cell.id, edge),
                board.edge_point(cell.id, image),
            )
            assert x - cell.x == pytest.approx(cell.x - other, abs=0.01)
            assert y == pytest.approx(same, abs=0.01)


def test_the_next_match_and_the_next_evening_know_it() -> None:
    before, after = Witnesses(), Witnesses()
    list(before.learn(Testimony(courses=(("1-3 of 2", 150), ("1-3 of 2", 150)))))
    known: Leant = (("1-3 of 2", 2, 1002, 502002),)  # 100 ln(150) = 501
    assert before.fact == Witnessed(1, (), leant=known)
    after.recall(before.fact)
    evening = Witnesses()
    evening.add(after, before.fact)
    assert after.leaning.known == evening.leaning.known == known


@pytest.mark.long
@pytest.mark.parametrize("side_deg", [-7.0, 0.0, 7.0])
def test_a_table_finds_how_the_second_world_leans(side_deg: float) -> None:
    known = Witnessed(0, ())
    for seed in range(8):
        play = Play(BOARD, evening(4_200 + seed, Knobs(rolls=48, side_deg=side_deg)))
        play.referee.witnesses.recall(known)
        known = play.played().referee.witnesses.fact
    leaning = Leaning(known.leant)
    lean = leaning.lean(BOARD)
    assert lean is not None
    assert lean.at_least <= side_deg <= lean.at_most
    assert (lean.degrees > 2) - (lean.degrees < -2) == (side_deg > 0) - (side_deg < 0)
    assert side_deg or not lean.sure
