"""A simulated person, a simulated board behind the real firmware, and the wizard between them."""

import random
import threading
import time
from pathlib import Path
from typing import Never

import pytest
from msgspec.structs import replace

from hexboard.board import Board, find
from hexboard.calibration import pixels, store
from hexboard.calibration.notes import Notes
from hexboard.calibration.person import ENTER, Screen
from hexboard.calibration.pixels import PixelMap
from hexboard.calibration.result import (
    apply,
    merged,
    summary,
    unfinished,
    unsaid_swaps,
    wiring,
)
from hexboard.calibration.sensors import (
    Asked,
    Felt,
    Finding,
    HandsOff,
    Passed,
    SensorSurvey,
    Wrong,
    spots,
)
from hexboard.calibration.wizard import BoardGoneError, Wizard, exchanged, scene
from hexboard.commands.calibrate.simulated import Robot, bench
from hexboard.devices.installer import build
from hexboard.devices.mailbox import Mailbox
from hexboard.devices.open import Wires
from hexboard.facts import MS, Edge, Presence, Report, Snapshot, Watermark
from hexboard.lights.frame import RANK, LightSettings
from hexboard.scene import Meaning
from hexboard.words import message, say
from tests.calibration.boards import STAR, Faulty, board
from tests.cli import invoke

BOARD = board()
FAULTS = {
    "dead": ["edge:a1-a2"],
    "stuck": ["fall:b1"],
    "noisy": ["edge:b2-c2"],
    "swapped": {"fall:a1": "fall:c2"},
}
FOUND = {
    Finding("edge:a1-a2", "dead"),
    Finding("fall:b1", "stuck"),
    Finding("edge:b2-c2", "noisy"),
    Finding("fall:a1", "swapped", "fall:c2"),
}


class Leaving(Robot):
    """A person who leaves after so many visits."""

    leaves_after = 1000

    def said(self) -> str:
        return "q" if self._visits >= self.leaves_after else super().said()


def survey(robot: Robot, folder: Path) -> tuple[SensorSurvey, bool]:
    """One sitting; the survey and whether it was finished."""
    found, mailbox = SensorSurvey(BOARD), Mailbox[Never]()
    notes = Notes(folder / "flower.notes", BOARD)
    notes.resume(found)
    wires = Wires(BOARD, robot.rig.twin.port, mailbox.post)
    try:
        finished = Wizard(found, notes, mailbox, wires.light, robot).run()
    finally:
        wires.close()
        notes.close()
    return found, finished


@pytest.mark.long
def test_a_person_in_any_order_finds_what_was_injected_even_in_two_sittings(
    tmp_path: Path,
) -> None:
    world = Faulty(BOARD, **FAULTS)  # type: ignore[arg-type]
    with Leaving(BOARD, world, random.Random(4)) as robot:
        robot.leaves_after = 6
        first, finished = survey(robot, tmp_path)
        assert not finished
        assert sum(first.state(s) == "done" for s in BOARD.sensor) >= 1
        robot.leaves_after = 1000
        robot._at = ""
        second, finished = survey(robot, tmp_path)
        kept = summary(second, "2026-01-01", swaps=exchanged(second, robot))
    assert finished
    assert kept.swaps == (("fall:a1", "fall:c2"),)
    mended = apply(BOARD, kept)
    assert mended.sensor["fall:a1"].input == BOARD.sensor["fall:c2"].input
    assert set(unfinished(BOARD, kept)) == {"edge:a1-a2", "fall:b1", "edge:b2-c2"}
    assert second.visits >= first.visits
    assert set(second.findings()) == FOUND


class Answering:
    """A person who says one thing to all that is asked; `asked` are the questions."""

    def __init__(self, says: str) -> None:
        self._says, self.asked = says, list[str]()

    def see(self, screen: Screen) -> None:
        self.asked.append(screen.ask.key)

    def said(self) -> str:
        return self._says


def visited(*asked: Asked) -> SensorSurvey:
    """A survey in which two places were visited, maybe each as it was asked for."""
    found = SensorSurvey(BOARD)
    found.note(HandsOff(True))
    found.note(HandsOff(False))
    for k, sensor in enumerate(("fall:a1", "fall:c2")):
        for it in (it for it in asked if it.sensor == sensor):
            found.note(it)
        found.note(Felt(sensor, True, k * 10**9))
        found.note(Felt(sensor, False, k * 10**9 + 10**8))
    found.note(Passed(10**11))
    return found


def test_exchanged_wires_of_which_a_survey_knows_nothing_are_asked_about() -> None:
    """Whoever sees no light at another place says no `w`; the wires are as they were."""
    pair = ("fall:a1", "fall:c2")
    before = replace(summary(SensorSurvey(BOARD), "2026-01-01"), swaps=(pair,))
    new = summary(survey := visited(), "2026-01-02")
    assert merged(before, new).swaps == ()
    for says, swaps in (("y", (pair,)), ("n", ())):
        person = Answering(says)
        assert tuple(exchanged(survey, person, unsaid_swaps(before, survey))) == swaps
        assert person.asked == ["calibration.swap_still"]
    assert unsaid_swaps(before, visited(Asked("fall:a1", exactly=True))) == []
    assert unsaid_swaps(None, survey) == []
    assert unsaid_swaps(before, SensorSurvey(BOARD)) == []  # they stay so: nobody was there


def test_the_lights_say_what_is_open_done_unsure_and_asked_for() -> None:
    found = SensorSurvey(BOARD)
    found.note(HandsOff(True))
    found.note(HandsOff(False))
    for k, sensor in enumerate(("edge:a1-a2", "fall:a1", "edge:b1-b2")):
        found.note(Felt(sensor, True, k * 10**9))
        found.note(Felt(sensor, False, k * 10**9 + 10**8))
    found.note(Passed(10**11))
    found.note(Wrong())
    found.note(Asked("edge:a1-b1", False))
    look: dict[str, Meaning] = {}
    for mark in sorted(scene(found), key=lambda mark: RANK[mark.meaning]):
        look[mark.place] = mark.meaning
    first, *_, (one, other) = (spots(BOARD, s) for s in ("edge:a1-a2", "edge:b1-b2"))
    assert look[one] == look[other] == Meaning.UNSURE
    assert {look[spot] for spot in spots(BOARD, "edge:a1-b1")} == {Meaning.ASK}
    assert look[first[1]] == Meaning.OPEN  # in a2, whose own sensor is open still
    assert look[first[0]] == Meaning.SEAT  # in a1, where both are done
    assert look["c1/1"] == Meaning.OPEN


def test_a_board_that_is_not_there_is_told_in_time(tmp_path: Path) -> None:
    found, mailbox = SensorSurvey(BOARD), Mailbox[Never]()
    notes = Notes(tmp_path / "flower.notes", BOARD)
    notes.resume(found)
    wires = Wires(BOARD, str(tmp_path / "no-port"), mailbox.post)
    for report in mailbox.drain(20):  # patience begins once it was looked for
        mailbox.post(report)

    class Nobody:
        def see(self, view: Screen) -> None:
            pass

        def said(self) -> str:
            return ""

    try:
        with pytest.raises(BoardGoneError) as away:
            Wizard(found, notes, mailbox, wires.light, Nobody(), patience=0.5).run()
    finally:
        wires.close()
        notes.close()
    assert "no board on" in str(dict(away.value.message.values)["why"])


def test_firmware_of_another_board_is_told_before_the_first_visit(tmp_path: Path) -> None:
    found, mailbox = SensorSurvey(BOARD), Mailbox[Never]()
    notes = Notes(tmp_path / "flower.notes", BOARD)
    notes.resume(found)
    screens: list[Screen] = []

    class Reader(Robot):
        def see(self, view: Screen) -> None:
            screens.append(view)

        def said(self) -> str:
            return "q" if screens and screens[-1].heard is not None else ""

    with Reader(BOARD, bench(BOARD)) as robot:
        wires = Wires(BOARD, robot.rig.twin.port, mailbox.post, build(BOARD))
        try:
            assert not Wizard(found, notes, mailbox, wires.light, robot).run()
        finally:
            wires.close()
            notes.close()
    last = screens[-1]
    assert last.wants == "hands_off"
    assert last.heard is not None
    told = say(last.heard)
    assert "another build" in told
    assert told.endswith("hexboard firmware install.")


@pytest.mark.long
def test_pads_want_a_finger_and_no_ball(tmp_path: Path) -> None:
    felt = '\n[[sensors]]\nkind = "seat"\n'
    pads = board(find("hexhex-5").read_text("utf-8") + felt)
    found, mailbox = SensorSurvey(pads), Mailbox[Never]()
    notes = Notes(tmp_path / "pads.notes", pads)
    notes.resume(found)
    screens: list[Screen] = []

    class Reader(Robot):
        def see(self, view: Screen) -> None:
            screens.append(view)
            super().see(view)

        def said(self) -> str:
            return "q" if screens and screens[-1].wants == "visit" else super().said()

    with Reader(pads, bench(pads)) as robot:
        wires = Wires(pads, robot.rig.twin.port, mailbox.post)
        try:
            Wizard(found, notes, mailbox, wires.light, robot).run()
        finally:
            wires.close()
            notes.close()
    last = screens[-1]
    assert last.keys is not None
    told = f"{say(last.ask)} {say(last.keys)}"
    assert "Touch a cell, for example" in told
    assert "hold the finger there" in told
    assert "ball" not in told


@pytest.mark.long
def test_a_cable_pulled_and_put_back_costs_nothing(tmp_path: Path) -> None:
    with Robot(BOARD, bench(BOARD)) as robot:

        def trip() -> None:
            robot.rig.twin.unplug()
            time.sleep(0.3)
            robot.rig.twin.plug()

        cable = threading.Timer(3.0, trip)
        cable.start()
        found, finished = survey(robot, tmp_path)
        cable.join()
    assert finished
    assert found.findings() == ()
    assert all(found.state(s) == "done" for s in BOARD.sensor)


class Quitting:
    """A person who leaves as soon as the first thing is asked for."""

    asked = False

    def see(self, view: Screen) -> None:
        self.asked = view.wants == "hands_off"

    def said(self) -> str:
        return "q" if self.asked else ""


@pytest.mark.parametrize(("brightness", "lit"), [(100, True), (0, False)])
def test_the_wizard_lights_as_the_settings_say(tmp_path: Path, brightness: int, lit: bool) -> None:
    shown, mailbox, found = list[bytes](), Mailbox[Never](), SensorSurvey(BOARD)
    mailbox.post(Report("pico", 0, Snapshot(())))
    notes = Notes(tmp_path / "flower.notes", BOARD)
    notes.resume(found)
    lights = LightSettings(brightness=brightness)
    assert not Wizard(found, notes, mailbox, shown.append, Quitting(), lights=lights).run()
    notes.close()
    (frame,) = shown
    assert any(level for i, level in enumerate(frame) if i % 8 < 6) == lit


MIXED = board(
    STAR
    + """
[[sensors]]
kind = "rail"
source = "gpio"
inputs = [5]
"""
)
"""Sensors on a Pico, and the power rail on a pin of the Pi, as hardware/pi.md has it."""


class Resting:
    """A person who keeps their hands off, and leaves when the first place is asked for."""

    def __init__(self) -> None:
        self._wants = ""

    def see(self, view: Screen) -> None:
        self._wants = view.wants

    def said(self) -> str:
        return {"hands_off": ENTER, "": ""}.get(self._wants, "q")


def begun(folder: Path, *reports: Report) -> SensorSurvey:
    """A survey by somebody who rests, in whose mailbox these reports are."""
    survey, mailbox = SensorSurvey(MIXED), Mailbox[Never]()
    notes = Notes(folder / "star.notes", MIXED)
    for report in reports:
        mailbox.post(report)
    notes.resume(survey)
    try:
        wizard = Wizard(survey, notes, mailbox, lambda lights: None, Resting(), patience=0.3)
        assert not wizard.run()
    finally:
        notes.close()
    return survey


@pytest.mark.long
def test_what_the_pico_says_does_not_put_out_what_is_on_the_pis_pins(tmp_path: Path) -> None:
    """It called the power rail dead."""
    rail, rest = Snapshot(("rail:main",)), Snapshot(())
    survey = begun(tmp_path, Report("gpio", 0, rail), Report("pico", 1, rest))
    assert survey.rested
    assert survey.findings() == ()


@pytest.mark.long
def test_a_rail_that_went_off_on_the_pis_pins_is_not_on_with_the_picos_next_word(
    tmp_path: Path,
) -> None:
    said = (
        Report("gpio", 0, Snapshot(("rail:main",))),
        Report("gpio", 1, Edge("rail:main", False)),
        Report("pico", 2, Snapshot(())),
    )
    survey = begun(tmp_path, *said)
    assert survey.findings() == (Finding("rail:main", "dead"),)


@pytest.mark.parametrize("strip", [False, True])
def test_a_pico_that_is_away_is_told_though_the_pis_pins_are_there(
    strip: bool, tmp_path: Path
) -> None:
    said = [
        Report("pico", 0, Presence(False, "no board on /dev/ttyACM0")),
        Report("gpio", 0, Presence(True)),
        *(Report("gpio", at, Snapshot(("rail:main",))) for at in (1, 2)),
        *([Report("pixels", 3, Presence(True))] * strip),
    ]
    with pytest.raises(BoardGoneError, match="ttyACM0"):
        begun(tmp_path, *said)


def test_a_strip_that_is_away_is_said_and_not_waited_for(tmp_path: Path) -> None:
    said = (
        Report("gpio", 0, Snapshot(("rail:main",))),
        Report("pico", 1, Snapshot(())),
        Report("pixels", 2, Presence(False, "no SPI")),
    )
    assert begun(tmp_path, *said).rested


def backwards(board: Board) -> PixelMap:
    """The map of a strip that runs from the last light of the board's file to its first."""
    names = tuple(pixels.spot(pixel) for pixel in reversed(board.pixels))
    off = (0.1,) * len(names)
    return PixelMap(1, board.name, pixels.wiring(board), "", names, off, off, "lights")


def test_the_wizard_lights_along_the_strip_as_a_camera_saw_it(tmp_path: Path) -> None:
    """It lit by the board's file, so all its lights were elsewhere."""
    path = tmp_path / "flower.pixels.json"
    store.save(path, backwards(BOARD))
    lit, why = pixels.relit(BOARD, path)
    assert (why, wiring(lit)) == (None, wiring(BOARD))
    shown, mailbox, found = list[bytes](), Mailbox[Never](), SensorSurvey(lit)
    mailbox.post(Report("pico", 0, Snapshot(())))
    found.note(HandsOff(True))
    found.note(HandsOff(False))
    found.note(Felt("fall:a1", True, 10**9))
    found.note(Felt("fall:a1", False, 2 * 10**9))
    found.note(Passed(3 * 10**9))
    notes = Notes(tmp_path / "flower.notes", lit)
    notes.resume(found)

    class Leaving:
        def see(self, view: Screen) -> None:
            pass

        def said(self) -> str:
            return "q" if shown else ""

    assert not Wizard(found, notes, mailbox, shown.append, Leaving()).run()
    notes.close()
    looks = [shown[0][i : i + 6] for i in range(0, len(shown[0]), 8)]
    brightest = max(map(sum, looks))
    here = {i for i, look in enumerate(looks) if sum(look) == brightest}
    last = len(BOARD.pixels) - 1
    mine = {last - k for k, pixel in enumerate(BOARD.pixels) if pixel.cell == "a1"}
    assert here <= mine
    assert len(mine - here) == 1  # a rib there is what is asked for


@pytest.mark.long
def test_a_map_of_no_use_is_a_remark_of_a_survey_and_of_a_test_of_lights(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "star.toml").write_text(STAR, "utf-8")
    path = tmp_path / "calibration" / "star.simulated.pixels.json"
    store.save(path, replace(backwards(board(STAR)), board="other"))
    for words in (["calibrate", "sensors"], ["lights", "test", "--pattern", "rails"]):
        command = ["--home", str(tmp_path), *words, "star", "--simulate"]
        done = invoke(*command)
        assert done.exit_code == 0, done.output
        assert "lit in the order of its file" in done.stderr


def test_a_ball_held_twice_is_heard_without_a_key(tmp_path: Path) -> None:
    """The places of a1-a2 and b2-c2 have each other's wires; the ball is at b2-c2."""
    mailbox, found = Mailbox[Never](), SensorSurvey(BOARD)
    found.note(HandsOff(True))
    found.note(HandsOff(False))
    times = ((0, 100), (4000, 6000), (6500, 8500))  # a touch, and two seconds twice
    mailbox.post(Report("pico", 0, Snapshot(())))
    for at, level in (
        (at, level) for pair in times for at, level in zip(pair, (1, 0), strict=True)
    ):
        now = (10_000 + at) * MS
        mailbox.post(Report("pico", now, Edge("edge:a1-a2", bool(level))))
        mailbox.post(Report("pico", now + 50 * MS, Watermark(now + 50 * MS)))

    class Watching:
        screen: Screen | None = None

        def see(self, view: Screen) -> None:
            self.screen = view

        def said(self) -> str:
            return "q" if self.screen is not None and self.screen.heard is not None else ""

    notes, person = Notes(tmp_path / "flower.notes", BOARD), Watching()
    notes.resume(found)
    assert not Wizard(found, notes, mailbox, lambda lights: None, person).run()
    notes.close()
    assert person.screen is not None
    assert person.screen.heard == message("calibration.wrong", sensor="edge:a1-a2")
