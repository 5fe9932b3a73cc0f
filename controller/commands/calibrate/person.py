"""Who calibrates: somebody at the terminal or with a page, at a board or at a simulated one."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from hexboard.commands.spoken import wrong
from hexboard.commands.stopping import Heard, heeding
from hexboard.words import Message

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.calibration.figures import SensorFigures
    from hexboard.calibration.person import Person
    from hexboard.daemon.at_bench import BenchPage
    from hexboard.settings import Settings

STOPPED = 130
"""The exit code of a command that somebody stopped, as a shell has it."""
SHARED = "hexboard.setup"
"""What a set-up's page is called among what commands share (`click.Context.meta`)."""
SHOWN = "hexboard.setup.shown"
"""And who sees there what else is only said in the terminal."""
PAGE = click.option("--page", is_flag=True, help="On a page with big buttons, not in the terminal.")
LAN = click.option("--lan", is_flag=True, help="With --page: let phones in the same network open.")


@contextlib.contextmanager
def page_of(board: "Board", chosen: "Settings", page: bool, lan: bool) -> Any:
    """A page for who calibrates, with the key of the board's page; None where nobody wants one. In
    a set-up it is that one's."""
    if (shared := click.get_current_context().meta.get(SHARED)) is not None:
        yield shared
        return
    if not page:
        if lan:
            raise wrong("--lan goes with --page.")
        yield None
        return
    from hexboard import files
    from hexboard.daemon.at_bench import served

    with served(board, files.evenings(board.name), chosen.web, lan) as bench:
        yield bench


@contextlib.contextmanager
def opening() -> Iterator[None]:
    """In here a board is opened: Ctrl-C and its like wait until it is whole, and can be closed."""
    came: list[tuple[Heard, int]] = []
    with heeding(lambda then, number: came.append((then, number))):
        yield
    for then, number in came[:1]:
        then(number, None)


def show_too(said: Message, wants: str = "nothing", heard: Message | None = None) -> None:
    """Show it on the page as well, where a set-up has one. Raises `KeyboardInterrupt` for who stops
    there, which they can where something is wanted; to be called again and again."""
    from hexboard.calibration.person import Screen
    from hexboard.daemon.at_bench import AtBench

    context = click.get_current_context(silent=True)
    shared = context.meta.get(SHARED) if context is not None else None
    if context is not None and shared is not None:
        person = context.meta.setdefault(SHOWN, AtBench(shared, dict))
        person.see(Screen(said, wants, heard=heard))
        if person.said().lower() == "q":
            raise KeyboardInterrupt


def seated(
    stack: contextlib.ExitStack,
    board: "Board",
    port: str,
    simulate: bool,
    bench: "BenchPage | None",
    figures: "Callable[[], Mapping[str, SensorFigures]]" = dict,
) -> "tuple[Person, str]":
    """The person, and the port of the board that they sit at. At a terminal a simulated board has a
    simulated person; with a page its hand is a button."""
    from hexboard.calibration.person import at_terminal
    from hexboard.commands.calibrate.simulated import Robot, Watched
    from hexboard.commands.calibrate.simulated import bench as table

    with opening():
        screen = stack.enter_context(at_terminal()) if bench is None else None
        robot = stack.enter_context(Robot(board, table(board))) if simulate else None
    if robot is not None:
        port = robot.rig.twin.port
    if bench is not None:
        from hexboard.daemon.at_bench import AtBench

        return AtBench(bench, figures, robot), port
    assert screen is not None
    return (screen if robot is None else Watched(robot, screen)), port
