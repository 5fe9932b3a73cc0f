"""The command `hexboard`. Each sub-command is imported only when it is called for."""

import importlib
import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import click

from controller import __version__
from controller.errors import HexboardError
from controller.files import nearest
from controller.words import message, say

COMMANDS = {
    "run": "run",
    "init": "files",
    "check": "files",
    "show": "files",
    "replay": "recordings",
    "log": "recordings",
    "export": "recordings",
    "frames": "frames",
    "see": "see",
    "firmware": "firmware",
    "help": "games",
    "play": "games",
    "referee": "games",
    "perft": "games",
    "calibrate": "calibrate",
    "sheet": "sheet",
    "cards": "cards",
    "tiles": "tiles",
}
"""Every command, in the order people meet them, and its module in `controller.commands`."""
VISION = ("cv2", "numpy")
"""What a camera needs, and nothing else: not everybody has it."""
OUR_MISTAKE = 70
"""The exit code of a crash (EX_SOFTWARE)."""


class Commands(click.Group):
    """Every error of ours becomes a sentence and exit code 1; Ctrl-C ends quietly with 130. What
    nobody foresaw is written to a file and told in a sentence too. A command that was to print JSON
    prints the sentence as JSON as well."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            if cmd_name.startswith("-"):
                return None
            near = nearest(cmd_name, list(COMMANDS))
            raise click.UsageError(say(message("cli.no_command", name=cmd_name, near=near)), ctx)
        module = importlib.import_module(f"controller.commands.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        as_json = "--json" in ctx.args
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:  # `hexboard log … | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except click.ClickException as error:  # click says it, and how the command is called
            if as_json:
                click.echo(json.dumps({"error": error.format_message()}))
            raise
        except (Exception, KeyboardInterrupt) as error:
            why, code = _told(error)
        click.echo(why, err=True)
        if as_json:
            click.echo(json.dumps({"error": why}))
        raise click.exceptions.Exit(code)


def _told(error: BaseException) -> tuple[str, int]:
    """What ended a command in a sentence, and its exit code."""
    match error:
        case HexboardError():
            return str(error), error.code
        case OSError():  # a full disk, a folder that is none, a file that is not ours
            file, why = error.filename or "hexboard", error.strerror or str(error)
            return say(message("cli.os", file=str(file), why=why)), 1
        case ModuleNotFoundError() if error.name in VISION:
            return say(message("vision.not_installed")), 1
        case KeyboardInterrupt():
            return "Stopped.", 130
    return _crash(error), OUR_MISTAKE


def _crash(error: BaseException) -> str:
    """Keep the traceback where it can be sent to us; the sentence that says so."""
    from controller import settings

    text = "".join(traceback.format_exception(error))
    path = settings.state() / f"crash-{time.strftime('%Y%m%d-%H%M%S')}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"hexboard {__version__} {sys.argv[1:]}\n\n{text}", "utf-8")
    except OSError:
        return f"{text}\n{say(message('cli.crash_unkept'))}"
    why = f"{type(error).__name__}: {error}"
    return say(message("cli.crash", why=why[:200], file=str(path)))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Try it without hardware:  hexboard run --simulate",
)
@click.version_option(__version__, prog_name="hexboard")
@click.option(
    "--home",
    "home",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of your own files (settings.toml, boards/). Default: ~/.config/hexboard",
)
@click.pass_context
def main(ctx: click.Context, home: Path | None) -> None:
    """A referee for games on a real, powered hex board."""
    from controller import settings

    ctx.obj = home or settings.home()


if __name__ == "__main__":
    main()
