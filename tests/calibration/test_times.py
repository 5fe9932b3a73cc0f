"""Times chosen by what they cost: trains of edges, with the truth beside them."""

from itertools import product

import pytest

from hexboard.board import find, load
from hexboard.calibration.times import balls, contact, parted, percentile, rises
from hexboard.facts import MS
from hexboard.perception.debounce import Spec
from tests.benchmarks.debounce import BALLS, ROLLS, counted, fitted, grid, in_use
from tests.benchmarks.trains import TRAINS, train

BOARD = load(find("hextraction-22"))


def worst(name: str, rolls: int, balls: int) -> tuple[int, int, int]:
    """Mistakes by the board file, by the best of the grid, and by the fit."""
    windows = train(name, balls, seed=0)
    found = fitted(BOARD, train(name, rolls, seed=1))
    best = grid(windows)[1]
    return counted(in_use(BOARD), windows).wrong, best.wrong, counted(found, windows).wrong


@pytest.mark.long
@pytest.mark.parametrize("name", ["2-15 ms, bounce to 3", "glitches to 2.5 ms"])
def test_twenty_rolls_make_no_sensor_worse_and_a_bad_one_good(name: str) -> None:
    file, best, fit = worst(name, 20, 300)
    assert fit <= file
    assert fit <= best + 3


@pytest.mark.long
@pytest.mark.parametrize(("name", "rolls"), list(product(TRAINS, ROLLS)))
def test_a_fit_is_within_one_percent_of_the_best_and_never_worse(name: str, rolls: int) -> None:
    file, best, fit = worst(name, rolls, BALLS)
    assert fit <= file
    assert fit <= best + BALLS // 100


@pytest.mark.parametrize("name", TRAINS)
def test_what_a_choice_is_judged_by_is_the_debouncer_of_the_board(name: str) -> None:
    """The grid has a debouncer of its own; so three agree."""
    windows = train(name, 60, seed=3)
    for spec in (Spec(800_000, MS * 3 // 2, 5 * MS), Spec(100_000, 100_000, 0), grid(windows)[0]):
        over = [rises(w.highs, spec.min_high, spec.min_low, spec.dead) - w.balls for w in windows]
        count = counted(spec, windows)
        assert (-sum(o for o in over if o < 0), sum(o for o in over if o > 0)) == (
            count.missed,
            count.doubled,
        )
    assert grid(windows)[1] == counted(grid(windows)[0], windows)


def burst(*ms: float) -> tuple[tuple[int, int], ...]:
    stamps = [round(at * MS) for at in ms]
    return tuple(zip(stamps[0::2], stamps[1::2], strict=True))


@pytest.mark.parametrize(
    ("found", "there"),
    [
        (burst(0, 8), 1),
        (burst(0, 0.3, 0.5, 1, 2, 9), 1),  # bounce
        (burst(0, 8, 14, 22), 2),  # a ball at another's heels
        (burst(0, 8, 11, 19), 1),  # no two balls are as close as that and as slow
        (burst(0, 8, 14, 15), 1),  # something short after it is none
        (burst(0, 8, 14, 22, 30, 38), 3),
    ],
)
def test_how_many_balls_a_burst_was_physics_says(
    found: tuple[tuple[int, int], ...], there: int
) -> None:
    assert balls(found, 8 * MS) == there


def test_a_low_in_which_no_ball_can_be_gone_is_within_one_contact() -> None:
    assert contact(burst(0, 1, 2, 5, 8, 10)) == 5 * MS


def test_nothing_is_called_a_glitch_where_nothing_is_too_short_for_a_ball() -> None:
    lengths = [MS * k // 10 for k in range(12, 60)]
    assert parted(lengths) == MS
    short = [MS * k // 20 for k in range(1, 40)]
    assert 19 * MS // 10 < parted(sorted([*short, *(MS * k // 4 for k in range(16, 60))])) <= 4 * MS


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [([], 99, 0), ([5], 1, 5), (range(1, 101), 1, 1), (range(1, 101), 99, 99), ([1, 2], 50, 1)],
)
def test_percentiles_are_the_nearest_rank(values: list[int], percent: int, expected: int) -> None:
    assert percentile(values, percent) == expected
