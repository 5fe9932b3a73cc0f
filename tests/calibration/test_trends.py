"""What gets worse from evening to evening is named only where the numbers bear it."""

from functools import reduce
from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.calibration import result
from hexboard.calibration.in_play import InPlay
from hexboard.calibration.result import Calibration, Measured, load, merged
from hexboard.calibration.store import save
from hexboard.calibration.trends import KEPT, Rate, noted, worse
from hexboard.facts import Witnessed
from tests.calibration.boards import board

BOARD = board()
RIB, OTHER = "edge:a1-a2", "edge:b1-b2"


def evenings(*counts: tuple[int, int], by: str = "balls") -> tuple[Rate, ...]:
    """A week apart each."""
    return tuple(
        Rate(f"2026-02-{7 * k + 1:02}T20:00:00+0100", by, felt, of)
        for k, (felt, of) in enumerate(counts)
    )


def calibration(**rates: tuple[Rate, ...]) -> Calibration:
    sensors = {
        s.id: Measured(s.source, s.input, "done", 1, rates=rates.get(s.id, ()))
        for s in BOARD.sensors
    }
    return Calibration(1, "flower", result.wiring(BOARD), "2026-02-01", sensors)


def test_a_sensor_that_falls_from_97_to_61_percent_is_named_with_how_sure_it_is() -> None:
    trend = worse(evenings((38, 39), (36, 41), (27, 44)))
    assert trend is not None
    # of 23 misses 17 or more in the last 44 of 124 balls: once in 26,500, at one of two splits
    assert trend.once == 10_000
    assert [rate.felt for rate in trend.rates] == [38, 36, 27]


@pytest.mark.parametrize(
    "counts",
    [
        [],
        [(5, 40)],
        [(3, 3), (1, 3)],
        [(60, 60), (1, 3)],
        [(40, 40), (39, 40), (38, 40)],
        [(20, 40), (21, 40), (19, 40)],
        [(10, 40), (20, 40), (40, 40)],
        [(0, 0), (0, 40), (0, 40)],
    ],
)
def test_few_balls_a_weak_sensor_that_stays_so_and_one_that_mends_are_not(
    counts: list[tuple[int, int]],
) -> None:
    assert worse(evenings(*counts)) is None


def test_balls_of_one_evening_are_counted_together_and_a_survey_that_goes_on_replaces_itself() -> (
    None
):
    at = "2026-02-01T20:00:00+0100", "2026-02-01T23:30:00+0100", "2026-02-02T20:00:00+0100"
    none: tuple[Rate, ...] = ()
    balls = reduce(noted, (Rate(date, "balls", 9, 10) for date in at), none)
    assert [(rate.felt, rate.of) for rate in balls] == [(18, 20), (9, 10)]
    both = reduce(noted, (Rate(date, "touches", 9, 10) for date in at), balls)
    assert [(r.by, r.of) for r in both] == [
        *(("balls", 20), ("balls", 10)),
        *(("touches", 10), ("touches", 10)),
    ]
    many = reduce(noted, (Rate(f"{year}-01-01", "balls", 1, 1) for year in range(2000, 2020)), none)
    assert len(many) == KEPT
    assert many[-1].date == "2019-01-01"
    odd = noted((Rate("once upon a time", "balls", 1, 1),), Rate("2026-02-01", "balls", 1, 1))
    assert len(odd) == 2


def test_an_evening_with_a_clock_that_is_behind_is_the_last_all_the_same() -> None:
    before = tuple(Rate(f"2026-02-{1 + k:02}T20:00:00+0100", "balls", 38, 39) for k in range(KEPT))
    behind = Rate("1970-01-01T01:00:00+0100", "balls", 9, 40)
    assert noted(before, behind) == (*before[1:], behind)
    assert noted(before, behind, recalled=True) == before  # of a recording: it was long ago
    after = noted(noted(before, behind), Rate("2026-05-01T20:00:00+0200", "balls", 38, 39))
    assert [rate.felt for rate in after[-2:]] == [9, 38]


def test_an_evening_of_play_is_kept_by_sensor_and_a_survey_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "flower.json"
    save(path, calibration(**{RIB: evenings((38, 39), (36, 41))}))
    play = InPlay(BOARD, path)
    assert play.known == Witnessed(0, ((RIB, 74, 6, 0, 0, 0, 0, 0),))
    shown = Witnessed(50, ((RIB, 101, 23, 0, 0, 0, 0, 0), (OTHER, 0, 0, 3, 0, 0, 0, 0)))
    assert play.keep(shown, "2026-03-01T20:00:00+0100") is None
    kept = load(path)
    assert kept.version == 2
    assert kept.sensors[RIB].rates[-1] == Rate("2026-03-01T20:00:00+0100", "balls", 27, 44)
    assert kept.sensors[OTHER].rates == ()  # no ball passed it
    assert [(sensor, trend.once) for sensor, trend in result.trends(BOARD, kept)] == [(RIB, 10_000)]
    survey = calibration(**{RIB: (Rate("2026-03-02T10:00:00+0100", "touches", 9, 10),)})
    after = merged(kept, survey).sensors[RIB].rates
    assert [(rate.by, rate.of) for rate in after] == [
        *(("balls", 39), ("balls", 41), ("balls", 44)),
        ("touches", 10),
    ]


def test_what_was_counted_on_other_wires_is_no_trend() -> None:
    kept = calibration(**{RIB: evenings((38, 39), (36, 41), (27, 44))})
    moved = replace(kept.sensors[RIB], input=99)
    assert result.trends(BOARD, replace(kept, sensors={**kept.sensors, RIB: moved})) == ()


def test_with_exchanged_wires_the_place_is_named_whose_wire_it_is() -> None:
    kept = calibration(**{RIB: evenings((38, 39), (36, 41), (27, 44))})
    ((sensor, _),) = result.trends(BOARD, replace(kept, swaps=((RIB, OTHER),)))
    assert sensor == OTHER
