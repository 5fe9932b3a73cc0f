"""Tap mode end to end: a finger on a board's cells, the real firmware, the referee, the page."""

from collections.abc import Callable
from pathlib import Path

from tests.running import Running
from tests.test_pieces import with_sensors


def test_a_disc_is_moved_by_tapping_its_cells(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    running = start(with_sensors(tmp_path), "--game", "hexalma", speed=1)
    with running.page() as page:
        page.until(lambda s: any(x["source"] == "pico" and x["up"] for x in s["links"]))
        page.hand("tap", "b1")
        page.until(lambda s: ["b1", "picked", 0] in s["marks"])
        assert ["c1", "legal", 0] in page.state["marks"]
        page.hand("tap", "c1")
        page.until(lambda s: any(piece[0] == "c1" for piece in s["pieces"]))
        page.hand("tap", "e5")  # nothing lies there
        page.until(lambda s: ["e5", "refused", 0] in s["marks"])
        assert page.state["log"][0]["rule"].startswith("ALMA-")


def test_a_touch_on_one_page_is_lit_on_all_and_a_board_without_sensors_feels_no_tap(
    start: Callable[..., Running],
) -> None:
    running = start("--game", "hexalma")
    with running.page() as page, running.page() as other:
        page.send("touch", cells=["b1"])
        other.until(lambda s: ["b1", "picked", 0] in s["marks"])
        page.hand("tap", "b1")
        assert "feels a tap" in page.refusal()
