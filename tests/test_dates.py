"""Dates as files have them."""

import time
from collections.abc import Iterator

import pytest

from hexboard.words.dates import STAMP, iso_date, stamp, stamped_at


@pytest.fixture(autouse=True)
def berlin() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as zone:
        zone.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("at_s", "iso", "name"),
    [
        (1_767_290_400, "2026-01-01T19:00:00+0100", "20260101-190000"),
        (1_782_928_800.9, "2026-07-01T20:00:00+0200", "20260701-200000"),
    ],
)
def test_a_time_is_written_as_the_clock_on_the_wall_has_it(
    at_s: float, iso: str, name: str
) -> None:
    assert (iso_date(at_s), stamp(at_s)) == (iso, name)
    assert STAMP.fullmatch(name)
    assert stamped_at(name) == int(at_s)


def test_an_hour_that_came_twice_is_the_first() -> None:
    """On 25 October 2026 clocks go from 03:00 back to 02:00, at 01:00 UTC = 1,792,890,000 s."""
    assert stamped_at("20261025-023000") == 1_792_890_000 - 1800
    assert stamp(1_792_890_000 + 1800) == "20261025-023000"


@pytest.mark.parametrize("text", ["", "20260230-000000", "00000000-000000"])
def test_what_is_no_stamp_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"does not match|day is out"):
        stamped_at(text)
