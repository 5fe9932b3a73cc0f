"""`hexboard lights` as people meet it, and how bright a running board is made from a page."""

import json
from collections.abc import Callable
from pathlib import Path
from queue import Queue

import pytest

from hexboard.board import find, load
from hexboard.commands.calibrate.simulated import Robot, bench
from hexboard.commands.lights import lit
from hexboard.devices.installer import build
from hexboard.simulator.twin import Twin
from tests.calibration.boards import board
from tests.cli import invoke
from tests.running import Running

Start = Callable[..., Running]


def test_show_says_what_the_lights_of_a_game_mean_strongest_first(tmp_path: Path) -> None:
    found = json.loads(invoke("lights", "show", "hexalma", "--json", home=tmp_path).output)
    texts = [light["text"] for light in found["lights"]]
    assert texts.index("The discs that won.") < texts.index("Black's back row.")
    said = invoke("lights", "show", home=tmp_path).output  # of the board that is set: Hextraction
    assert "A ball may be rolled from here." in said
    assert "by turns" in said
    calm = invoke("lights", "show", "--calm", home=tmp_path).output
    assert "every other light" in calm
    assert "fades" not in calm


def test_a_board_without_lights_and_a_game_that_is_none_are_said(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "bare.toml").write_text(
        'schema = "hexboard/board-1"\nname = "bare"\ntitle = "Bare"\nshape = "hexhex-3"\n'
    )
    bare = invoke("lights", "test", "bare", home=tmp_path)
    assert (bare.exit_code, bare.output) == (1, "The board bare has no lights.\n")
    assert "Did you mean “hexalma”?" in invoke("lights", "show", "hexallma", home=tmp_path).output


def test_firmware_of_another_board_is_told_before_the_first_pattern(
    capsys: pytest.CaptureFixture[str],
) -> None:
    flower = board()
    with Robot(flower, bench(flower)) as robot, lit(flower, robot.rig.twin.port, build(flower)):
        told = capsys.readouterr().err
    assert "another build" in told
    assert told.endswith("hexboard firmware install.\n")


def test_first_lights_are_lit_before_there_is_a_sensor_chain(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As hardware/guide.md has it in its step 3."""
    whole, red = load(find("hextraction-22")), bytes((60, *[0] * 7))
    shown = Queue[bytes]()
    with Twin(inputs=136, pixels=132, on_pixels=shown.put) as twin:
        twin.chain(False)
        with lit(whole, twin.port, "") as light:
            light(red * 132)
            while shown.get(timeout=10) != bytes((60, 0, 0)) * 132:
                pass
    assert "The board is there: the sensor chain on" in capsys.readouterr().err


@pytest.mark.long
def test_patterns_run_on_a_simulated_board_and_say_what_the_rail_gives(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[lights]\nbrightness = 100\nwhite = [255, 255, 255]\n")
    done = invoke("lights", "test", "--simulate", "--pattern", "rails", home=tmp_path)
    # 132 white lights of 37 mA want 4,884 mA, of which 2,000 are allowed: 1,868 of 4,752, 39 %.
    assert "gives all of its 2000 mA: 39 % of the light that is wanted." in done.output
    assert done.output.endswith("Dark again.\n")


@pytest.mark.long
def test_a_page_sets_how_bright_the_board_is_and_another_page_sees_it(start: Start) -> None:
    running = start()
    with running.page() as one, running.page() as other:
        before = one.ready()["lights"]
        assert (before["brightness"], before["calm"]) == (30, False)
        one.send("lights", brightness=100, calm=True)
        after = other.until(lambda s: s["lights"]["brightness"] == 100 and s["lights"])
        assert after["calm"]
        other.until(lambda s: s["lights"]["milliamps"] > before["milliamps"])
        one.send("lights", brightness=101, calm=True)
        assert "does not understand" in one.refusal()
