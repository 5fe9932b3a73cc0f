"""`hexboard frames`: play games through from rendered pictures alone, record and replay them."""

from functools import partial
from pathlib import Path

import click

GAMES = ("hexalma", "bad-santa-hex", "hexel")
SEEN = (*GAMES, "bad-santa-y", "bad-santa-cross")
"""Games of which a camera sees all that a player does."""


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--moves", type=click.IntRange(1), default=60, show_default=True, help="At most.")
@click.option(
    "--light",
    type=click.Choice(("moderate", "hard")),
    default="moderate",
    show_default=True,
    help="How the rendered board is lit.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Its chance.")
@click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the recordings. Default: ~/.local/state/hexboard/frames",
)
def frames(games: tuple[str, ...], moves: int, light: str, seed: int, state: Path | None) -> None:
    """Play GAMEs (default: hexalma, bad-santa-hex, hexel) through from pictures alone.

    Hands move rendered pieces, the camera's readings say what was played. Each game is recorded,
    and its recording replayed.
    """
    from rich.progress import Progress

    from controller import settings
    from controller.demo.frames import played
    from controller.errors import BadText
    from controller.games import find
    from controller.record.replay import Replay

    folder = state or settings.state() / "frames"
    for game in games:
        if find(game).NAME not in SEEN:
            raise BadText("vision.no_frames", game=game, known=", ".join(SEEN))
    for game in games or GAMES:
        with Progress(transient=True) as progress:
            advance = partial(progress.update, progress.add_task(game, total=moves))
            path, told = played(game, folder, seed, light, moves, advance)
        end = "to its end" if told.over else "so far"
        click.echo(f"{game}: {told.moves} moves {end}, {told.frames} pictures, {light} light")
        click.echo(
            f"  read {told.read}, asked {told.asked}, said by the player {told.said},"
            f" silently wrong {told.wrong}, scolded {told.scolded}"
        )
        replay = Replay(path)
        same = all(not step.differences for step in replay)
        click.echo(f"  recorded in {path}")
        click.echo(f"  replayed: {'the same rulings' if same else 'DIFFERENT rulings'}")
        if not same:
            raise SystemExit(2)
