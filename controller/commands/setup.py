"""`hexboard setup`: a board's first start on one page, step by step from the board to the camera.

Each step is what a command of its own does, with the same file for its result; so whoever stops
goes on where it was, here or there.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any, Literal

import click
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from hexboard.commands import CAMERA, PORT, board_named
from hexboard.commands.calibrate.person import SHARED, page_of, seated
from hexboard.commands.stopping import Heard, heeding
from hexboard.words import Message, message, say
from hexboard.words.answers import agreed
from hexboard.words.dates import iso_date
from hexboard.words.errors import BadFile, BadText, HexboardError

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.daemon.at_bench import BenchPage
    from hexboard.settings import Settings

STEPS = {
    "which": ("setup.which", "setup.which_why"),
    "pico": ("setup.pico", "setup.pico_why"),
    "wiring": ("setup.wiring", "setup.wiring_why"),
    "sensors": ("setup.sensors", "setup.sensors_why"),
    "lights": ("setup.lights", "setup.lights_why"),
    "camera": ("setup.camera", "setup.camera_why"),
    "board": ("setup.view", "setup.view_why"),
    "colours": ("setup.colours", "setup.colours_why"),
    "pixels": ("setup.pixels", "setup.pixels_why"),
}
"""In the order in which one builds on the other: what each is called, and what it is for."""
MEASURED = ("sensors", "camera", "board", "colours", "pixels")
"""Those whose results are files that `calibrate show` knows."""
AGAIN_S = 2.0
"""How often it is looked what there is: a Pico may have been plugged in."""
SKIP, STOP, INSTALL = "s", "q", "install"


class StepsDone(Struct, frozen=True, tag_field="schema", tag="hexboard/setup-1"):
    """Which steps were done that leave no file of their own, and when; which were passed over."""

    done: dict[str, str] = {}
    skipped: tuple[str, ...] = ()


class SetupWords(Struct, frozen=True):
    """What was typed after `hexboard setup`; "" for what the settings say."""

    board: str
    source: str
    port: str
    lan: bool
    simulate: bool

    def again(self) -> str:
        """The command that goes on from here."""
        return self._command("setup", self.board, ["--port", self.port] if self.port else [])

    def play(self, board: str) -> str:
        """The command that plays on this board; its Pico's port is in the settings."""
        return self._command("run", board, [])

    def _command(self, verb: str, board: str, port: list[str]) -> str:
        """A simulated board's camera is simulated too."""
        camera = ["--camera", self.source] if self.source and not self.simulate else []
        lan, simulate = "--lan" if self.lan else "", "--simulate" if self.simulate else ""
        return join(filter(None, ["hexboard", verb, board, *camera, *port, lan, simulate]))


class SetupStep(Struct, frozen=True):
    """How a step stands, as people read it; `none`: here it has no use."""

    name: str
    title: str
    why: str
    state: Literal["done", "left", "skipped", "none"]
    said: str = ""
    date: str = ""


@click.command()
@click.argument("board", required=False)
@CAMERA
@click.option("--simulate", is_flag=True, help="A simulated board; no hardware needed.")
@PORT
@click.option("--lan", is_flag=True, help="Let phones in the same network open the page.")
@click.pass_context
def setup(
    context: click.Context,
    board: str | None,
    source: str | None,
    simulate: bool,
    port: str | None,
    lan: bool,
) -> None:
    """Set up a BOARD on a page, step by step: board, Pico, wiring, sensors, lights, camera.

    What is done stays done; each step may be passed over. Stopped, it goes on where it was.
    """
    from hexboard import settings

    home: Path = context.obj
    chosen = settings.load(home / "settings.toml")
    link = replace(chosen.link, port=port or chosen.link.port)
    camera = replace(chosen.camera, source=source or chosen.camera.source)
    chosen = replace(chosen, link=link, camera=camera)
    typed = SetupWords(board or "", source or "", port or "", lan, simulate)
    named = board or chosen.board
    which = board_named(home, named)
    with page_of(which, chosen, True, lan) as bench, _interrupts() as interrupted:
        context.meta[SHARED] = bench
        start = FirstStart(context, named, which, chosen, typed, bench, interrupted)
        if board:
            start.done("which")
        start.run()


@contextlib.contextmanager
def _interrupts() -> Iterator[list[KeyboardInterrupt]]:
    """What stopped the command, as Ctrl-C does: a step that ends well then is the last one."""
    came: list[KeyboardInterrupt] = []

    def interrupt(stop: Heard, number: int) -> None:
        try:
            stop(number, None)
        except KeyboardInterrupt as stopped:
            came.append(stopped)
            raise

    with heeding(interrupt):
        yield came


class FirstStart:
    """The steps of one board, which is called `named` (its file's name, or path), and who does them
    on the page of `bench`."""

    def __init__(
        self,
        context: click.Context,
        named: str,
        board: "Board",
        chosen: "Settings",
        typed: SetupWords,
        bench: "BenchPage",
        interrupted: list[KeyboardInterrupt],
    ) -> None:
        self.board, self._named = board, named
        self._context, self._home, self._chosen = context, Path(context.obj), chosen
        self._typed, self._simulate = typed, typed.simulate
        self._bench, self._interrupted = bench, interrupted
        bench.goes_on = True

    def run(self) -> None:
        """Do what people choose, until they stop."""
        while (name := self._chosen_step()) != STOP:
            step, _, value = name.partition(" ")
            if step == SKIP:
                self._pass_over(self._next(self.steps()))
            elif step == "which":
                self._which(value)
            else:
                self._do(step)
        self._bench.goes_on = False
        left = self._next(self.steps())
        again = message("setup.later", command=self._typed.again())
        told = again if left else self._ready()
        click.echo(say(told))
        self._bench.end([told])

    # ------------------------------------------------------------------------ how things stand

    def steps(self) -> list[SetupStep]:
        """How each step stands, in the language that is spoken."""
        kept = self._passed()
        return [self._step(name, kept) for name in STEPS]

    def _step(self, name: str, kept: StepsDone) -> SetupStep:
        from hexboard.commands.calibrate.results import day, found_by

        title, why = (say(message(key)) for key in STEPS[name])
        if lacks := self._lacks(name):
            return SetupStep(name, title, why, "none", lacks)
        date, said, good = kept.done.get(name, ""), "", True
        if name in MEASURED:
            found = found_by(self._home, self.board, name, self._simulate)
            date, good = found.date, found.good
            said = found.said if date else ""
        elif name == "which":
            said = say(
                message(
                    "setup.board_is",
                    title=self.board.title,
                    cells=len(self.board.cells),
                    sensors=len(self.board.sensors),
                    pixels=len(self.board.pixels),
                )
            )
        if date and good:
            return SetupStep(name, title, why, "done", said, day(date))
        state: Literal["skipped", "left"] = "skipped" if name in kept.skipped else "left"
        return SetupStep(name, title, why, state, said, day(date))

    def _lacks(self, name: str) -> str:
        """Why a step has nothing to do here; "" where it has."""
        from hexboard.commands.calibrate.results import lacking, needless

        board, source = self.board, self._chosen.camera.source
        lit = bool(board.pixels)
        on_pico = any(it.source == "pico" for it in board.sensors) or (
            lit and board.strip.source == "pico"
        )
        if name in ("pico", "wiring"):
            return "" if on_pico else say(message("setup.no_wires"))
        if name == "lights":
            return "" if lit else say(message("kept.no_lights"))
        if name == "sensors":
            return needless(board, name)
        if name in MEASURED:
            port = self._chosen.link.port
            return lacking(board, name, source, self._simulate, port, _command(name))
        return ""

    def _next(self, steps: list[SetupStep]) -> str:
        """The first that is left; "" for none."""
        return next((step.name for step in steps if step.state == "left"), "")

    def _sheet(self) -> dict[str, object]:
        steps = self.steps()
        name = self._next(steps)
        return {
            "type": "setup",
            "question": self._bench.question,
            "board": self.board.name,
            "called": self._named,
            "title": self.board.title,
            "steps": to_builtins(steps),
            "next": name,
            "ready": say(self._ready()),
            "boards": self._boards() if name == "which" else [],
            "states": self._states(),
            "sensors": {},
            "cells": {},
            "strip": [],
            "picture": self._bench.question if self._bench.picture else 0,
        }

    def _ready(self) -> Message:
        return message("setup.ready", command=self._typed.play(self._named))

    def _boards(self) -> list[tuple[str, str]]:
        """The boards that there are, by what they are called and their title."""
        from hexboard.files import shipped

        own, ours = (self._home / "boards").glob("*.toml"), shipped("boards").glob("*.toml")
        found = dict[str, str]()
        for path in (*sorted(own), *sorted(ours)):
            with contextlib.suppress(HexboardError):
                found.setdefault(path.stem, board_named(self._home, str(path)).title)
        return list(found.items())

    def _states(self) -> dict[str, str]:
        """What the calibration knows of each sensor so far."""
        from hexboard.calibration import result

        path = result.place(self._home, self.board, self._simulate)
        known: dict[str, str] = {}
        if path.exists():
            with contextlib.suppress(BadFile, BadText):
                known = {s: it.state for s, it in result.load(path).sensors.items()}
        return {s.id: known.get(s.id, "open") for s in self.board.sensors if s.kind != "rail"}

    # ------------------------------------------------------------------------- what was passed

    def _path(self) -> Path:
        from hexboard.calibration.store import file

        return file(self._home / "calibration", "setup", self.board.name, self._simulate)

    def _passed(self) -> StepsDone:
        from hexboard.calibration.store import Store

        try:
            return Store(StepsDone, "setup").load(self._path())
        except BadFile:  # none yet; or torn, and then it is asked for again
            return StepsDone()

    def done(self, name: str) -> None:
        """Keep that a step was done."""
        kept, date = self._passed(), iso_date()
        self._keep(replace(kept, done={**kept.done, name: date}))

    def _pass_over(self, name: str) -> None:
        kept = self._passed()
        if name:
            self._keep(replace(kept, skipped=(*kept.skipped, name)))

    def _keep(self, kept: StepsDone) -> None:
        from hexboard.calibration import store

        store.amend(self._path(), kept)

    # ------------------------------------------------------------------------------- the steps

    def _chosen_step(self) -> str:
        """What people want done next: a step's name, `SKIP` or `STOP`."""
        from hexboard.calibration.person import ENTER, Screen

        bench = self._bench
        bench.question += 1
        steps = self.steps()
        name, looked = self._next(steps), 0.0
        if bench.typist is not None:
            title = next((step.title for step in steps if step.name == name), "")
            ask = message("setup.next", step=title) if name else message("setup.all_done")
            bench.typist.see(Screen(ask, keys=message("setup.keys")))
        while True:
            if time.monotonic() - looked > AGAIN_S:
                looked = time.monotonic()
                bench.show(self._sheet)
            word = bench.said().say
            if word == ENTER:
                word = f"which {self._named}" if name == "which" else name
            if self._interrupted:  # what was imported then may have swallowed it
                raise self._interrupted[0]
            if word and word in self._words():
                return word
            time.sleep(0.05)

    def _words(self) -> set[str]:
        """What can be chosen."""
        steps = {step.name for step in self.steps() if step.state != "none"}
        boards = (self._named, *(name for name, _ in self._boards()))
        return {*steps, *(f"which {name}" for name in boards), SKIP, STOP}

    def _do(self, name: str) -> None:
        """Do a step. What it ends with is shown until somebody goes on."""
        from hexboard.calibration.person import Screen
        from hexboard.daemon.at_bench import AtBench

        bench = self._bench
        bench.picture, bench.ended = None, False
        AtBench(bench, dict).see(Screen(message("setup.looking"), "nothing"))
        try:
            self._own(name) if name in ("pico", INSTALL, "lights") else self._calibrate(name)
        except (HexboardError, click.ClickException) as error:
            why = str(error) if isinstance(error, HexboardError) else error.format_message()
            bench.end([message("doctor.why", why=why)], wrong=True, offers=self._offers(name))
        except ImportError:
            bench.end([message("vision.not_installed")], wrong=True)
        except KeyboardInterrupt:
            bench.end([message("setup.stopped")], wrong=True)
        except SystemExit:  # it was stopped, and has said so
            pass
        if self._interrupted:
            raise self._interrupted[0]
        word = self._heed()
        if word in self._offers(name):
            self._do(word)

    def _heed(self) -> str:
        """What is said to what a step ended with; "" where it ended with nothing."""
        word = ""
        while self._bench.ended and not (word := self._bench.said().say):
            time.sleep(0.05)
        return word

    def _calibrate(self, name: str) -> None:
        """What a command of `hexboard calibrate` does."""
        from hexboard.commands.calibrate.results import given, jpeg

        command, chosen = _command(name), self._chosen
        values = given(
            command, self._named, chosen.camera.source, self._simulate, chosen.link.port, False
        )
        self._context.invoke(command, **values)
        if name == "wiring":
            self.done(name)
            self._take(self._named)
        self._bench.picture = jpeg(self._home, self.board, self._simulate, name)

    def _own(self, name: str) -> None:
        """A step that no other command does."""
        if name == INSTALL:
            self._install()
        told, good = self._lights() if name == "lights" else self._pico()
        if good:
            self.done("lights" if name == "lights" else "pico")
        self._bench.end(told, wrong=not good, offers=() if good else self._offers(name))

    def _offers(self, name: str) -> tuple[str, ...]:
        """What may help where a step failed."""
        return (INSTALL,) if name in ("pico", INSTALL) and not self._simulate else ()

    def _install(self) -> None:
        """Put the firmware on the Pico, and wait until it speaks."""
        from hexboard.calibration.person import Screen
        from hexboard.commands.firmware import restarted
        from hexboard.daemon.at_bench import AtBench
        from hexboard.devices.installer import install

        person = AtBench(self._bench, dict)
        for step in install(self._chosen.link.port, self.board):
            person.see(Screen(message(step), "nothing"))
        restarted(self._chosen.link.port)

    def _pico(self) -> tuple[list[Message], bool]:
        """Who answers, and whether that is good."""
        from hexboard.commands.doctor.wired import devices
        from hexboard.settings import CameraSettings

        chosen = replace(self._chosen, camera=CameraSettings())
        found = list(devices(self.board, chosen, self._simulate))
        told = [f"{it.said} {it.todo}".strip() for it in found]
        return [message("doctor.why", why=it) for it in told], all(
            it.state != "mend" for it in found
        )

    def _lights(self) -> tuple[list[Message], bool]:
        """Somebody looks at each colour and each rail, and says whether that is so."""
        from hexboard.calibration import pixels
        from hexboard.calibration.person import Screen
        from hexboard.commands.lights import lit
        from hexboard.devices.installer import build
        from hexboard.devices.open import simulated
        from hexboard.lights.frame import LightRenderer
        from hexboard.lights.patterns import PATTERNS

        board = simulated(self.board) if self._simulate else self.board
        board, unlit = pixels.relit(board, pixels.place(self._home, board, self._simulate))
        told = [] if unlit is None else [unlit]
        spots = tuple((f"{p.cell}/{p.edge}" if p.edge else p.cell, "done") for p in board.pixels)
        patterns = [*PATTERNS["colours"](board), *PATTERNS["rails"](board)]
        renderer, wrong = LightRenderer(board, self._chosen.lights), list[Message]()
        with contextlib.ExitStack() as stack:
            port = self._chosen.link.port
            person, port = seated(stack, board, port, self._simulate, self._bench)
            own = "" if self._simulate else build(board)
            light = stack.enter_context(lit(board, port, own))
            for k, pattern in enumerate(patterns):
                light(renderer.plain(pattern.styles).data)
                rows = (("lights", k, 0, len(patterns)),)
                person.see(Screen(pattern.told, "lit", rows=rows, states=spots))
                if not _agreed(person.said):
                    wrong.append(pattern.told)
        if wrong:
            return [*told, message("setup.lights_wrong"), *wrong], False
        return [*told, message("setup.lights_good", count=len(patterns))], True

    def _which(self, name: str) -> None:
        """This is the board; where another than before was chosen the settings name it. "" asks
        again which it is."""
        from hexboard.commands import first

        if not name:
            kept = self._passed()
            self._keep(replace(kept, done={k: v for k, v in kept.done.items() if k != "which"}))
        elif name == self._named:
            self.done("which")
        else:
            try:
                self._take(name)
            except HexboardError as error:  # its file was changed since it was offered
                self._bench.end([message("doctor.why", why=str(error))], wrong=True)
                self._heed()
                return
            first.name_board(self._home, name)
            self._typed = replace(self._typed, board="")  # it is what the settings say now
            self.done("which")

    def _take(self, name: str) -> None:
        """This is the board, as it is in its file now. Raises `HexboardError`."""
        self.board, self._named = board_named(self._home, name), name
        self._bench.take_board(self.board)


def _agreed(said: Callable[[], str]) -> bool:
    """Whether it is as it was told. Raises `KeyboardInterrupt` for who stops."""
    while (so := agreed(word := said())) is None:
        if word.lower() == STOP:
            raise KeyboardInterrupt
        time.sleep(0.05)
    return so


def _command(step: str) -> Any:
    from hexboard.commands.calibrate import calibrate

    return calibrate.commands.get(step)
