"""Tap mode end to end: a finger on a board's cells, the real firmware, the referee, the page."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hexboard.board import find
from hexboard.record.replay import Replay, ReplayStep
from tests.running import Page, Running
from tests.test_pieces import with_sensors


@pytest.mark.long
def test_a_disc_is_moved_by_tapping_its_cells(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    running = start(with_sensors(tmp_path), "--game", "hexalma", speed=1)
    with running.page() as page, running.page() as other:
        page.until(lambda s: any(x["source"] == "pico" and x["up"] for x in s["links"]))
        page.hand("tap", "b1")
        assert other.refusal() == "First look the board over, and say that it is right."
        page.send("ruling", do="right")
        page.hand("tap", "b1")
        page.until(lambda s: ["b1", "picked", 0] in s["marks"])
        assert ["c1", "legal", 0] in page.state["marks"]
        page.hand("tap", "c1")
        page.until(lambda s: any(piece[0] == "c1" for piece in s["pieces"]))
        page.hand("tap", "e5")  # nothing lies there
        page.until(lambda s: ["e5", "refused", 0] in s["marks"])
        assert page.state["log"][0]["rule"].startswith("ALMA-")


def test_a_press_of_a_button_steps_the_lights_and_its_recording_replays(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    board = tmp_path / "lit.toml"
    group = '\n[[sensors]]\nkind = "button"\nat = ["lights"]\n'
    board.write_text(find("hexhex-5").read_text("utf-8") + group, "utf-8")
    running = start(board, "--game", "hexalma", speed=1)
    with running.page() as page:
        page.until(lambda s: any(x["source"] == "pico" and x["up"] for x in s["links"]))
        assert page.state["lights"]["brightness"] == 30
        lit(page, 100)
        lit(page, 5)
    running.end()
    (recording,) = running.folder.rglob("*.mcap")
    steps = [step for step in Replay(recording) if b"next_brightness" in said(step)]
    assert (len(steps), [step.differences for step in steps]) == (2, [(), ()])


def lit(page: Page, brightness: int) -> None:
    """Press the button, and wait until the board is so bright and the finger gone."""
    page.hand("tap", "lights")
    page.until(lambda s: s["lights"]["brightness"] == brightness)
    page.until(lambda s: not s["active_sensors"])


def said(step: ReplayStep) -> bytes:
    """What was told of a step."""
    return b"".join(told.payload for told in step.told)


def test_a_touch_on_one_page_is_lit_on_all_and_a_board_without_sensors_feels_no_tap(
    start: Callable[..., Running],
) -> None:
    running = start("--game", "hexalma")
    with running.page() as page, running.page() as other:
        page.send("touch", cells=["b1"])
        other.until(lambda s: ["b1", "picked", 0] in s["marks"])
        page.send("touch", cells=["h1"])
        assert page.refusal() == "The disc on top of h1 is White's. Move one of your own."
        page.send("touch", cells=["nowhere"])
        assert "nowhere" in page.refusal()
        page.hand("tap", "b1")
        assert "feels a tap" in page.refusal()
