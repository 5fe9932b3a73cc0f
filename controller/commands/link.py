"""`hexboard link`: the link that opens the page of a board that is running."""

import sys
from pathlib import Path

import click

from hexboard.commands import FOLDER, JSON, board_named, tell
from hexboard.words.errors import NO_JSON, BadText


@click.command()
@click.argument("board", required=False)
@click.option("--state", type=FOLDER, help="The folder that `hexboard run` was given.")
@JSON
@click.pass_obj
def link(home: Path, board: str | None, state: Path | None, as_json: bool) -> None:
    """Show the link of a BOARD that is running, and the code that a phone's camera reads. Default:
    the one in the settings, or else the only one that is running."""
    import msgspec

    from hexboard import files, settings
    from hexboard.daemon.greeting import LINK, Where, for_phones, of_today
    from hexboard.daemon.lock import held
    from hexboard.words import message, say

    if state is None:
        name = board or settings.load(home / "settings.toml").board
        found = board_named(home, name).name
        folders = files.evenings(found), files.evenings(found, simulated=True)
        state = next((it for it in folders if held(it / "lock")), None)
        state = state or (folders[0] if board else _only(folders[0]))
    if not held(state / "lock"):  # a link that was left by a power cut leads nowhere
        raise BadText("web.not_running", folder=str(state))
    try:
        links = of_today(msgspec.json.decode((state / LINK).read_bytes(), type=Where))
    except (OSError, *NO_JSON):
        raise BadText("web.not_running", folder=str(state)) from None
    screen = say(message("web.screen", link=links.board))
    lines = [links.here, *for_phones(links, sys.stdout.isatty()), screen]
    tell(as_json, msgspec.to_builtins(links), *lines)


def _only(otherwise: Path) -> Path:
    """The folder of the only board that is running here; `otherwise` where none is. Raises
    `BadText` for several."""
    from hexboard import files
    from hexboard.daemon.lock import held

    running = sorted(it.parent for it in files.state().glob("*/lock") if held(it))
    if len(running) > 1:
        raise BadText("web.several", known=", ".join(map(str, running)))
    return running[0] if running else otherwise
