"""`hexboard hub`: the wall of a hall of boards, and a hall that plays by itself."""

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import FILE, FOLDER
from hexboard.commands.hub.tournament import tournament
from hexboard.commands.hub.whereabouts import NATS_PORT, hall_of
from hexboard.commands.spoken import say_on, wrong
from hexboard.words import message, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexboard.settings import HubSettings, WebSettings

__all__ = ["hub", "tournament"]
PORT = 8766


@click.command()
@click.argument("nats", required=False)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Port of the page (0: any free one).",
)
@click.option("--lan", is_flag=True, help="Let others in the same network open the page.")
@click.option(
    "--days",
    type=click.IntRange(1, 365),
    default=1,
    show_default=True,
    help="Show results of so many days, back from the newest, 100 at most.",
)
@click.option(
    "--tournament",
    "file",
    type=FILE,
    help="Show this tournament, and take its results from the boards (hexboard tournament).",
)
@click.option(
    "--simulate",
    type=click.IntRange(1, 64),
    metavar="BOARDS",
    help="Start a NATS server and so many simulated boards that play by themselves.",
)
@click.option(
    "--config",
    "folder",
    type=FOLDER,
    help="Write a NATS server's configuration there, with a key for each --board, and stop.",
)
@click.option(
    "--board", "boards", multiple=True, metavar="NAME", help="With --config; may be repeated."
)
@click.pass_obj
def hub(
    home: Path,
    nats: str | None,
    port: int,
    lan: bool,
    days: int,
    file: Path | None,
    simulate: int | None,
    folder: Path | None,
    boards: tuple[str, ...],
) -> None:
    """Show all boards of a hall on one page: what they play, who is to move, points, what is wrong,
    and results. The boards tell a NATS server with JetStream, at NATS (default: the one in the
    settings), which the page is made from.

    A second hub may run beside it, or take its place.
    """
    from hexboard import files, settings
    from hexboard.commands.hub.simulated import simulated
    from hexboard.daemon.hall.wire import library
    from hexboard.record.trf import read_trf

    if boards and folder is None:
        raise wrong("--board goes with --config.")
    if folder is not None:
        _configure(folder, boards)
        return
    if nats is not None and simulate:
        raise wrong("--simulate starts a NATS server of its own: name none.")
    library()
    of, web = hall_of(home, nats), settings.load(home / "settings.toml").web
    state = files.state() / "hub"
    if file is not None:
        read_trf(file)  # what is wrong with it is said before anything is begun
    with contextlib.suppress(KeyboardInterrupt), contextlib.ExitStack() as stack:
        links: dict[str, str] = {}
        if simulate:
            of, links, state = stack.enter_context(simulated(simulate, click.echo))
        _serve(of, web, state, port, lan, days, links, file)
    say_on(say(message("wall.stopped")))


def _configure(folder: Path, boards: tuple[str, ...]) -> None:
    """Write the configuration, and say what to do with it."""
    from hexboard.commands.hub.config import configure

    url, names, notes = configure(folder, boards, NATS_PORT)
    click.echo(say(message("wall.configured", folder=str(folder), count=len(names))))
    for note in notes:
        click.echo(say(note))
    own = f"  hexboard --home {folder}"
    click.echo(f"  nats-server -c {folder / 'nats-server.conf'}\n{own} hub")
    click.echo(say(message("wall.tournament_too")))
    click.echo(f"{own} tournament pair FILE")
    click.echo(say(message("wall.board_gets", folder=str(folder))))
    for name in names[:1]:
        click.echo(f'  [hub]\n  url = "{url}"\n  name = "{name}"\n  key = "/…/{name}.nk"')
        click.echo('  ca = "/…/hall.pem"')


def _serve(
    of: "HubSettings",
    web: "WebSettings",
    state: Path,
    port: int,
    lan: bool,
    days: int,
    boards: "Mapping[str, str]",
    file: Path | None,
) -> None:
    """Until somebody stops it. Raises `Busy` where another program holds the port,
    `HexboardError` for a certificate that cannot be used."""
    from hexboard.daemon.hall.desk import HallDesk
    from hexboard.daemon.hall.wall import HallWall, served
    from hexboard.daemon.hall.wire import run

    desk = HallDesk(file) if file else None
    with served(state, port, web, lan) as (server, links):
        click.echo(f"{say(message('wall.running'))}\n  {links.here}")
        if links.phone:
            click.echo(f"{say(message('wall.elsewhere'))}\n  {links.board}")
        click.echo(say(message("wall.stop")))
        sys.stdout.flush()
        run(HallWall(of, server, days, say_on, boards, desk).run())
