"""A board wired in no natural way is found exactly, through the real firmware and its strip."""

import time
from pathlib import Path
from random import Random
from typing import Never

import pytest
from msgspec.structs import replace

from hexboard.board import Board, BoardFile
from hexboard.calibration.answers import WiringAnswers
from hexboard.calibration.boardfile import rewired, text
from hexboard.calibration.person import Screen
from hexboard.calibration.wiring import INPUTS, Found, Wiring
from hexboard.commands.calibrate.simulated import Bench, Robot, bench
from hexboard.commands.calibrate.wiring import _found
from hexboard.devices.installer import build
from hexboard.devices.link import Link
from hexboard.devices.mailbox import Mailbox
from hexboard.facts import Edge, Report, Snapshot
from hexboard.files import Source, read
from hexboard.words import say
from tests.calibration.boards import STAR, board

BASE = """\
schema = "hexboard/board-1"
name = "flower"
title = "Seven cells"
shape = "hexhex-2"
[[sensors]]
kind = "seat"
[[sensors]]
kind = "rail"
first_input = 7
[pixels]
[[rails]]
id = "main"
limit_ma = 2000
"""
RING = (3, 2, 1, 6, 5, 4)
SNAKE = [f"{c}/{e}" for c in ("a1", "a2", "b3", "b2", "b1", "c1", "c2") for e in RING]
"""By hand: rows from the bottom, the middle one backwards; around each cell counter-clockwise."""


def really(order: str = "GRB", inputs: list[int] | None = None) -> Board:
    """The board as it is: shuffled inputs, a snake, perhaps another order of colours."""
    if inputs is None:
        inputs = [11, 3, 8, 0, 14, 5, 9]
    kind = "sk6812-rgbw" if len(order) == 4 else "ws2812b"
    lights = f'[pixels]\ntype = "{kind}"\norder = "{order}"\nat = {SNAKE}\n'.replace("'", '"')
    return board(
        BASE.replace("[pixels]\n", lights)
        .replace('kind = "seat"\n', f'kind = "seat"\ninputs = {inputs}\n')
        .replace("first_input = 7", "first_input = 10")
    )


def entry() -> BoardFile:
    made, mistakes = read(Source(Path("flower.toml"), BASE), BoardFile)
    assert made is not None, mistakes
    return made


def find_out(
    truth: Board,
    kept: Path,
    person: type[Robot] = Robot,
    base: Board | None = None,
    wanted: str = "",
) -> tuple[Found | None, Robot]:
    mailbox = Mailbox[Never]()
    answers = WiringAnswers(kept / "flower.wiring.notes", entry())
    answers.resume()
    with person(truth, bench(truth)) as robot:
        port = robot.rig.twin.port
        with Link(port, INPUTS, mailbox.post, strict=False, build=wanted) as link:
            found = Wiring(base or board(BASE), mailbox, link.light, robot, answers).run()
            answers.close()
        return found, robot


@pytest.mark.long
def test_shuffled_inputs_a_snake_and_the_colours_are_recovered(tmp_path: Path) -> None:
    truth = really("BRG")
    found, _ = find_out(truth, tmp_path)
    assert found is not None
    assert found.inputs == {s.id: s.input for s in truth.sensors}
    assert found.order == "BRG"
    assert found.spots == tuple((p.cell, p.edge) for p in truth.pixels)
    written = board(text(rewired(entry(), board(BASE), found.inputs, found.spots, found.order)))
    assert {s.id: s.input for s in written.sensors} == found.inputs
    assert [(p.cell, p.edge, p.x, p.y) for p in written.pixels] == [
        (p.cell, p.edge, p.x, p.y) for p in truth.pixels
    ]
    assert written.strip.order == "BRG"


def uneven(*at: str) -> Board:
    """Seven cells with these lights along the strip, and no sensors."""
    lights = f"[pixels]\nat = {[*at]}\n".replace("'", '"')
    return replace(board(BASE.replace("[pixels]\n", lights)), sensors=())


@pytest.mark.long
def test_cells_with_different_lights_are_asked_for_those_that_they_have(tmp_path: Path) -> None:
    """Six in each cell were asked for, until nobody was there to answer."""
    base = uneven("a1/2", "a1/5", "-", "a2", "b1/1", "b1/3", "b1/6", "c2")
    truth = uneven("b1/3", "a2", "a1/5", "c2", "b1/6", "a1/2", "b1/1")
    found, _ = find_out(truth, tmp_path, base=base)
    assert found is not None
    assert found.spots is not None
    written = rewired(entry(), base, {}, found.spots, found.order).pixels
    assert written is not None
    assert written.at == ("b1/3", "a2", "-", "a1/5", "c2", "b1/6", "a1/2", "b1/1")


class Musing(Robot):
    """A person who does not answer what was asked at once."""

    mused = False

    def same(self) -> str:
        before, self.mused = self.mused, True
        return super().same() if before else "hm"


def test_a_strip_with_white_keeps_its_places_and_says_so(tmp_path: Path) -> None:
    truth = replace(really("GRBW"), sensors=())
    found, robot = find_out(truth, tmp_path, Musing, base=replace(board(BASE), sensors=()))
    assert found == Found({}, None, "GRBW")
    assert robot.rgb
    written = board(text(rewired(entry(), board(BASE), {}, found.spots, found.order)))
    assert (written.strip.order, written.strip.type) == ("GRBW", "sk6812-rgbw")


class Measuring(Robot):
    """A person who reads how bright the strip is at most, and stops when all of it is lit."""

    most = 0

    def _strip(self, rgb: bytes) -> None:
        super()._strip(rgb)
        self.most = max(self.most, sum(rgb))

    def same(self) -> str:
        return "q"


def test_while_wires_are_found_out_the_strip_keeps_within_what_its_rail_may_give(
    tmp_path: Path,
) -> None:
    """42 pixels idle at 42 mA, 10 of 52 are left for light: 10 / 12 * 255 = 212 levels."""
    base = replace(board(BASE.replace("2000", "52")), sensors=())
    answers = WiringAnswers(tmp_path / "flower.wiring.notes", entry())
    answers.resume()
    truth = replace(really(), sensors=())
    with Measuring(truth, bench(truth)) as robot:
        assert _found(base, robot.rig.twin.port, robot, answers, "") is None
        answers.close()
        assert 3 * 42 < robot.most <= 212


class Tapping(Robot):
    """A person who answers with a finger where that is enough, and errs now and then."""

    slips = 0

    def _answer(self, view: Screen) -> str:
        answer = super()._answer(view)
        if view.wants == "spot" and answer:
            self.slips += 1
            cell = answer.partition("/")[0]
            if self.slips == 1:
                return "Q9/1"
            if self.slips == 2:
                return cell + "/7"
            if self.slips == 4:
                return cell + "/²"
            if self.slips in (3, 5):
                self.rig.hand(lambda world: self._tap(world, f"seat:{cell}"))
                self._answered, self._judged, self._since = view, self.rgb, time.monotonic()
                return ""
        return answer

    def _tap(self, world: object, sensor: str) -> None:
        assert isinstance(world, Bench)
        world.touch(sensor)


@pytest.mark.long
def test_taps_and_slips_lead_to_the_same_wiring(tmp_path: Path) -> None:
    truth = really(inputs=[0, 1, 2, 3, 4, 5, 6])  # as the file says: so a tap tells a cell
    found, robot = find_out(truth, tmp_path, Tapping)
    assert found is not None
    assert found.spots == tuple((p.cell, p.edge) for p in truth.pixels)
    assert isinstance(robot, Tapping)
    assert robot.slips > 5


class Holding:
    """A person who holds a ball at each sensor until the next one is asked for, and then takes it
    there at once."""

    def __init__(self, mailbox: Mailbox[Never]) -> None:
        self._mailbox, self._asked = mailbox, list[str]()
        self.heard: list[str] = []

    def see(self, screen: Screen) -> None:
        self.heard.append(screen.heard.key if screen.heard else "")
        if screen.wants == "trigger" and screen.place not in self._asked:
            if self._asked:
                self._edge(len(self._asked) - 1, False)
            self._edge(len(self._asked), True)
            self._asked.append(screen.place)

    def _edge(self, number: int, level: bool) -> None:
        now = time.monotonic_ns()
        self._mailbox.post(Report("pico", now, Edge(str(number), level)))

    def said(self) -> str:
        return "q" if "calibration.input_taken" in self.heard else ""


def test_a_ball_that_is_held_until_the_next_sensor_is_asked_for_answers_once(
    tmp_path: Path,
) -> None:
    """What it does as it is lifted was an answer too, and the touch after it was lost."""
    mailbox = Mailbox[Never]()
    mailbox.post(Report("pico", 0, Snapshot(())))
    answers = WiringAnswers(tmp_path / "flower.wiring.notes", entry())
    answers.resume()
    base = board(BASE.replace("[pixels]\n", ""))
    person = Holding(mailbox)
    found = Wiring(base, mailbox, lambda data: None, person, answers).run()
    answers.close()
    assert found is not None
    assert sorted(found.inputs.values()) == list(range(len(found.inputs)))
    assert "calibration.input_taken" not in person.heard


class Dimmed(Robot):
    """A board on which three lights are dead, the first one among them."""

    dead = (0, 5, 24)

    def strip(self) -> list[tuple[int, ...]]:
        return [(0, 0, 0) if i in self.dead else it for i, it in enumerate(super().strip())]

    def _answer(self, view: Screen) -> str:
        lit = [i for i, colour in enumerate(super().strip()) if max(colour)]
        if view.wants in ("spot", "colour") and len(lit) == 1 and lit[0] in self.dead:
            return "n"
        return super()._answer(view)


@pytest.mark.long
def test_dead_lights_are_passed_and_the_rest_is_found(tmp_path: Path) -> None:
    """The wizard's own key was refused, and there was no way past one."""
    truth = replace(really("BRG"), sensors=())
    found, _ = find_out(truth, tmp_path, Dimmed, base=replace(board(BASE), sensors=()))
    assert found is not None
    assert found.order == "BRG"
    assert found.spots == tuple((p.cell, p.edge) for p in truth.pixels)
    assert set(found.dark) <= set(Dimmed.dead)
    assert 0 in found.dark


class Scripted:
    """A person at a board without lights: a word or an input (#5) for each question in turn."""

    def __init__(self, mailbox: Mailbox[Never], *answers: str) -> None:
        self.asked: list[str] = []
        self._mailbox, self._answers = mailbox, iter(answers)
        self._next = ""

    def see(self, view: Screen) -> None:
        self.asked.append(view.place)
        self._next = next(self._answers, "q")

    def said(self) -> str:
        said, self._next = self._next, ""
        if said.startswith("#"):
            self._mailbox.post(Report("pico", 0, Edge(said[1:], True)))
            return ""
        return said


@pytest.mark.parametrize("answers", [("n", "#5"), ("#5", "n"), ("n", "n"), ("#5", "#6")])
def test_back_takes_back_the_last_answer_whatever_it_was(
    answers: tuple[str, str], tmp_path: Path
) -> None:
    """It took back whatever had been passed, however long ago."""
    dark, mailbox = replace(board(STAR), pixels=()), Mailbox[Never]()
    mailbox.post(Report("pico", 0, Snapshot(())))
    person = Scripted(mailbox, *answers, "back", "back")
    kept = WiringAnswers(tmp_path / "star.wiring.notes", entry())
    kept.resume()
    assert Wiring(dark, mailbox, lambda lights: None, person, kept).run() is None
    kept.close()
    falls = ["fall:a1", "fall:a2", "fall:b1"]
    assert person.asked == [*falls, "fall:a2", "fall:a1"]


class Leaving(Robot):
    def said(self) -> str:
        return "q" if self._judged else super().said()


def test_somebody_who_stops_is_told_nothing_false(tmp_path: Path) -> None:
    found, _ = find_out(really(), tmp_path, Leaving)
    assert found is None


class Reading(Robot):
    """A person who reads what they are told with the first question, and leaves."""

    told = ""

    def see(self, view: Screen) -> None:
        self.told = say(view.heard) if view.heard is not None else ""

    def said(self) -> str:
        return "q"


def test_firmware_of_another_board_is_told_with_the_first_question_also_when_it_goes_on(
    tmp_path: Path,
) -> None:
    kept = WiringAnswers(tmp_path / "flower.wiring.notes", entry())
    kept.resume()
    kept.put("colour", "0", "z")  # what is answered already is said as well, and not before it
    kept.close()
    found, robot = find_out(really(), tmp_path, Reading, wanted=build(board(BASE)))
    assert found is None
    assert isinstance(robot, Reading)
    assert "another build" in robot.told
    assert robot.told.endswith("hexboard firmware install.")


class Tripping(Robot):
    """A person who trips over the cable once, when the first sensor is asked for."""

    shown: tuple[str, ...] = ()

    def see(self, view: Screen) -> None:
        self.shown += (view.ask.key,)
        super().see(view)
        if view.wants == "trigger" and "calibration.away" not in self.shown and view.visits == 0:
            self.rig.twin.unplug()
            time.sleep(0.3)
            self.rig.twin.plug()


@pytest.mark.long
def test_a_cable_pulled_and_put_back_is_waited_for(tmp_path: Path) -> None:
    found, robot = find_out(really(), tmp_path, Tripping)
    assert found is not None
    assert found.inputs == {s.id: s.input for s in really().sensors}
    assert isinstance(robot, Tripping)
    assert "calibration.away" in robot.shown


class Rambling(Robot):
    """A person who answers at random, and leaves after so many words."""

    chance = Random(1)
    words = 25

    def _answer(self, view: Screen) -> str:
        self.words -= 1
        cells = [cell.id for cell in self.board.cells]
        said = (*"rgbny", "back", "zz", f"{self.chance.choice(cells)}/{self.chance.randrange(9)}")
        return "q" if not self.words else self.chance.choice(said)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_what_somebody_says_at_random_ends_and_is_a_board_or_none(
    seed: int, tmp_path: Path
) -> None:
    Rambling.chance = Random(seed)
    found, _ = find_out(really(), tmp_path, Rambling)
    if found is not None:  # they get to choose whether it is written
        inputs = {s.id: s.input for s in really().sensors}
        assert found.inputs.items() <= inputs.items()  # the sensors answered for themselves
        written = board(text(rewired(entry(), board(BASE), found.inputs, found.spots, found.order)))
        assert len(written.pixels) == 42
    else:
        kept = WiringAnswers(tmp_path / "flower.wiring.notes", entry())
        assert 0 < kept.resume() <= 25
        kept.close()
