"""A board drawn with what its calibration knows: rates and spreads of sensors, what is unknown."""

import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from hexboard.calibration.drawing import drawn, sentence
from hexboard.calibration.result import Calibration, Measured, Other, merged, spread, wiring
from hexboard.calibration.sensors import Finding
from hexboard.calibration.trends import Rate
from hexboard.facts import MS
from tests.desk import BOARD

WEAK, SURE, NEVER = "edge:B1-C1", "edge:B2-C2", "edge:B3-C3"
SVG = "{http://www.w3.org/2000/svg}"


def known(sensor: str, state: str, felt: int, of: int, *lengths_ms: float) -> Measured:
    wire, contacts = BOARD.sensor[sensor], [round(it * MS) for it in lengths_ms]
    return Measured(wire.source, wire.input, state, 9, None, felt, of, spread(contacts))


def picture(sensors: dict[str, Measured], *findings: Finding) -> dict[str, ET.Element]:
    """What is drawn at each sensor."""
    found = Calibration(1, BOARD.name, wiring(BOARD), "2026-01-01", sensors, findings)
    spots = ET.fromstring(drawn(BOARD, found)).iter(f"{SVG}g")
    titles = ((spot.findtext(f"{SVG}title") or "", spot) for spot in spots)
    return {title.split(": ")[0]: spot for title, spot in titles}


def test_contacts_are_counted_in_classes_of_milliseconds() -> None:
    lengths = [round(it * MS) for it in (0.3, 2.0, 2.1, 60, 100, 501, 9000)]
    assert spread(lengths) == (2, 1, 0, 0, 0, 2, 0, 0, 2)
    assert spread([]) == ()


def test_a_weak_sensor_shows_why_it_is_bad_and_one_that_nobody_visited_is_hollow() -> None:
    sensors = {
        WEAK: known(WEAK, "unsure", 13, 20, 3, 4, 30),
        SURE: known(SURE, "done", 10, 10, 60, 70),
    }
    spots = picture(sensors, Finding(WEAK, "weak", "13 of 20"))
    assert len(spots) == len(BOARD.sensors) - 1  # all but the supply
    weak = spots[WEAK]
    assert weak.findtext(f"{SVG}text") == "weak 13/20"
    assert "felt 13 of 20 touches; 3 contacts of 2 to 50 ms" in (weak.findtext(f"{SVG}title") or "")
    (ring,) = (it for it in weak if it.get("stroke-dasharray"))
    arc, whole = map(float, ring.get("stroke-dasharray", "").split())
    assert arc / whole == pytest.approx(0.65, abs=0.001)
    assert len(list(weak.iter(f"{SVG}rect"))) == 2  # of 2 to 5 ms, of 20 to 50
    looks = {s: [it.get("class") for it in spots[s]] for s in (WEAK, SURE, NEVER)}
    assert "dot found" in looks[WEAK]
    assert "dot sure" in looks[SURE]
    assert looks[NEVER] == [None, "dot open"]
    assert "nobody has counted" in (spots[NEVER].findtext(f"{SVG}title") or "")


def test_what_is_known_of_a_sensor_is_told_in_words_and_what_is_not() -> None:
    rib, seat = BOARD.sensor[SURE], next(s for s in BOARD.sensors if s.kind == "seat")
    rates = (Rate("", "alone", 2, 600), Rate("", "alone", 1, 90), Rate("", "balls", 8, 9))
    others = (Other("", "instead", 2), Other(WEAK, "play", 4), Other(NEVER, "with", 3))
    all_known = replace(
        known(SURE, "done", 9, 10), rates=rates, delay=(500_000, 2_140_000), others=others
    )
    assert sentence(rib, all_known) == (
        f"{SURE}: felt 9 of 10 touches; rose 3 times by itself in 12 minutes of play; believed 0.5 "
        "ms after its first sign, 19 times in 20 within 2.1 ms; asked for by name, nothing "
        f"answered 2 times; {WEAK} spoke 4 times as a ball passed unfelt; fired with {NEVER} 3 "
        "times"
    )
    assert sentence(rib, known(SURE, "done", 0, 0)) == (
        f"{SURE}: nobody has counted what it feels; not known how often it rises by itself; not "
        "known how soon it is believed"
    )
    assert sentence(seat, None) == f"{seat.id}: nobody has counted what it feels"


def test_a_spread_stays_where_a_later_calibration_says_nothing_of_it() -> None:
    before = Calibration(
        1, BOARD.name, wiring(BOARD), "2026-01-01", {SURE: known(SURE, "done", 9, 10, 60)}
    )
    later = Calibration(
        1, BOARD.name, wiring(BOARD), "2026-01-02", {SURE: known(SURE, "open", 0, 0)}
    )
    kept = merged(before, later).sensors[SURE]
    assert (kept.felt, kept.touched, kept.spread) == (9, 10, spread([60 * MS]))
