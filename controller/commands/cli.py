"""The command `hexboard`. Each sub-command is imported only when it is called for."""

import errno
import importlib
import json
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from hexboard.commands import FOLDER
from hexboard.commands.spoken import fall_silent, in_words, listen, printable, spoken
from hexboard.commands.stopping import asked, status, stopping
from hexboard.files import nearest
from hexboard.words import (
    ENGLISH,
    Message,
    chosen,
    languages,
    look_in,
    message,
    say,
    speaking,
    unread,
)
from hexboard.words.errors import BadText, HexboardError, without_addresses

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

COMMANDS = {
    "run": "run",
    "setup": "setup",
    "link": "link",
    "join": "join",
    "init": "files",
    "check": "files",
    "show": "files",
    "replay": "recordings",
    "log": "log",
    "trace": "trace",
    "export": "recordings",
    "archive": "archive",
    "worker": "archive",
    "ask": "archive",
    "hub": "hub",
    "tournament": "hub",
    "see": "see",
    "lights": "lights",
    "firmware": "firmware",
    "help": "games",
    "play": "games",
    "referee": "games",
    "perft": "games",
    "read": "records",
    "new": "new",
    "calibrate": "calibrate",
    "sheet": "sheet",
    "build": "build",
    "doctor": "doctor",
    "bundle": "bundle",
    "update": "update",
    "uninstall": "update",
}
"""Our commands, in the order people meet them, and the module of each in `hexboard.commands`. Games
bring more: entry points of the group `hexboard.commands`."""
OURS = "hexboard"
"""The package whose commands keep their names."""
EXTRAS = {
    "cv2": "vision.not_installed",
    "numpy": "vision.not_installed",
    "duckdb": "archive.not_installed",
    "nats": "queue.not_installed",
    "build123d": "cad.not_installed",
}
"""Libraries that only a camera, an archive or a printer needs: not everybody has them."""
PLACES = ("--state", "-o", "--out")
"""Options by which people choose where a command writes."""
ELSEWHERE = (
    *(errno.EACCES, errno.EPERM, errno.EROFS),
    *(errno.ENOSPC, errno.EDQUOT, errno.EEXIST, errno.ENOENT),
)
"""What does not happen in another place."""
OUR_MISTAKE = 70
"""The exit code of a crash (EX_SOFTWARE)."""


class Commands(click.Group):
    """Every error of ours becomes a sentence and exit code 1; Ctrl-C ends quietly with 130, and so
    do SIGTERM and SIGHUP with theirs. What nobody foresaw is written to a file and told in a
    sentence too. A command that was to print JSON prints the sentence as JSON as well."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(name for name in sorted(_brought()) if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            module = importlib.import_module(f"hexboard.commands.{COMMANDS[cmd_name]}")
            return spoken(getattr(module, cmd_name))
        if cmd_name.startswith("-"):
            return None
        if entry := _brought().get(cmd_name):
            return spoken(_loaded(entry))
        near = nearest(cmd_name, self.list_commands(ctx))
        raise click.UsageError(say(message("cli.no_command", name=cmd_name, near=near)), ctx)

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            return super().main(*args, **extra)
        except OSError as error:  # what completes a shell's line, into a full disk
            sys.exit(_unparsed(error))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            _speak(ctx, args)
            return super().parse_args(ctx, args)
        except KeyboardInterrupt:
            ctx.close()
            raise click.exceptions.Exit(130) from None
        except click.ClickException as error:
            error.show()
            ctx.close()
            raise click.exceptions.Exit(error.exit_code) from None
        except OSError as error:  # help, into a full disk
            code = _unparsed(error)
            ctx.close()
            raise click.exceptions.Exit(code) from None
        except click.exceptions.Exit:
            ctx.close()
            raise

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        click.Group.format_help(cast(click.Group, spoken(self)), ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from hexboard.files import shipped

        super().format_epilog(ctx, formatter)
        formatter.write(f"  {say(message('cli.pages', folder=str(shipped('docs'))))}\n")

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        click.Group.format_usage(cast(click.Group, spoken(self)), ctx, formatter)

    def invoke(self, ctx: click.Context) -> Any:
        as_json = "--json" in ctx.args
        if as_json:  # programs read it
            ctx.with_resource(speaking(ENGLISH))
        ctx.with_resource(stopping())
        try:
            return super().invoke(ctx)
        except click.exceptions.Exit:
            raise
        except click.Abort as error:  # at a question: by Ctrl-C, or there is nobody to answer
            click.echo(in_words("Aborted!"), err=True)
            raise click.exceptions.Exit(asked(error)) from None
        except BrokenPipeError:  # `hexboard log … | head`
            fall_silent()
            ctx.exit(0)
        except click.ClickException as error:  # click says it, and how the command is called
            if as_json:
                _print_error(error.format_message())
            error.show()  # here, while the language is still spoken
            raise click.exceptions.Exit(error.exit_code) from None
        except (Exception, KeyboardInterrupt) as error:
            entry = None if ctx.invoked_subcommand in COMMANDS else _entry(ctx.invoked_subcommand)
            why, code = _told(error, entry, self._places(ctx))
        with suppress(OSError):  # the terminal may be gone
            click.echo(printable(why), err=True)
        if as_json:
            _print_error(why)
        raise click.exceptions.Exit(code)

    def _places(self, ctx: click.Context) -> list[str]:
        """The options of the command that was called by which people choose where it writes."""
        command: click.Command = self
        for word in (ctx.invoked_subcommand or "", *ctx.args):
            if isinstance(command, click.Group):
                command = command.get_command(ctx, word) or command
        known = {name for it in command.params for name in it.opts}
        return [name for name in PLACES if name in known]


def _unparsed(error: OSError) -> int:
    """Say what the system refused before a command was called; the exit code."""
    if isinstance(error, BrokenPipeError):
        fall_silent()
        return 0
    why, code = _told(error, None)
    click.echo(why, err=True)
    return code


def _print_error(why: str) -> None:
    """Print why a command failed, as JSON. What was printed to may be what failed."""
    try:
        click.echo(json.dumps({"error": why}))
    except OSError:
        fall_silent()


def _all() -> "list[tuple[bool, str, EntryPoint]]":
    """What games bring as commands: whether it is another package's, that package, and what; ours
    come first."""
    from importlib.metadata import entry_points

    entries = entry_points(group="hexboard.commands")
    named = [(entry.dist.name if entry.dist else entry.module, entry) for entry in entries]
    return sorted((by != OURS, by, entry) for by, entry in named)


def _brought() -> "dict[str, EntryPoint]":
    """The commands of games, by name."""
    return _kept(_all())


def _kept(found: "list[tuple[bool, str, EntryPoint]]") -> "dict[str, EntryPoint]":
    """By name; where several claim one, the first."""
    return {entry.name: entry for _, _, entry in reversed(found)}


def left_out() -> list[BadText]:
    """The commands that are left out because another has their name."""
    found = _all()
    kept = _kept(found)
    return [
        BadText("cli.taken", name=entry.name, package=by)
        for _, by, entry in found
        if entry.name in COMMANDS or kept[entry.name] != entry
    ]


def _entry(name: str | None) -> "EntryPoint | None":
    """The entry point of a command of another package's; None for one of ours."""
    found = _all()
    kept = _kept(found).get(name or "")
    return next((entry for foreign, _, entry in found if foreign and entry == kept), None)


def _loaded(entry: "EntryPoint") -> click.Command:
    """A game's command; one that cannot be used says so when it is called, and hurts no other."""
    try:
        command = entry.load()
        why = "" if isinstance(command, click.Command) else type(command).__name__
    except (Exception, SystemExit) as error:  # whatever a foreign module does
        why = f"{type(error).__name__}: {error}"
    if not why:
        return cast(click.Command, command)

    @click.command(
        entry.name,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
        short_help=say(message("cli.broken", name=entry.name, at=entry.value, why=why)),
    )
    def broken() -> None:
        raise BadText("cli.broken", name=entry.name, at=entry.value, why=why)

    return broken


def _told(
    error: BaseException, brought: "EntryPoint | None", places: Sequence[str] = ()
) -> tuple[str, int]:
    """What ended a command, maybe one that another package `brought`, in a sentence, and its exit
    code; it writes elsewhere by the options `places`."""
    match error:
        case HexboardError():
            return str(error), error.code
        case OSError():  # a full disk, a folder that is none, a file that is not ours
            with suppress(OSError):
                _drop_unprinted()
            file, why = error.filename or "hexboard", error.strerror or str(error)
            todo = _unwritten(error.errno, str(file), why)
            told = say(todo)
            if places and error.errno in ELSEWHERE and todo.key != "cli.no_folder":
                told += f" {say(message('cli.elsewhere', options=', '.join(places)))}"
            return told, 1
        case ModuleNotFoundError() if error.name in EXTRAS:
            return say(message(EXTRAS[error.name])), 1
        case KeyboardInterrupt():
            return say(message("cli.stopped")), status(error)
    if brought is not None:
        why = f"{type(error).__name__}: {error}"[:200]
        return say(message("cli.mistake", name=brought.name, at=brought.value, why=why)), 1
    return _crash(error), OUR_MISTAKE


def _drop_unprinted() -> None:
    """What was printed and not taken would fail once more at the end. Raises `OSError`."""
    try:
        sys.stdout.flush()
    except OSError:
        fall_silent()


def _unwritten(number: int | None, file: str, why: str) -> Message:
    """What to do about an error of the system."""
    match number:
        case errno.EROFS:
            return message("cli.read_only", file=file, why=why)
        case errno.ENOSPC | errno.EDQUOT:
            return message("cli.full", file=file, why=why)
        case errno.EACCES | errno.EPERM:
            return _denied(Path(file), why)
        case errno.EEXIST if Path(file).is_symlink():  # a folder was to be made there
            return message("cli.lost_link", file=file, to=os.readlink(file))
        case errno.EEXIST:
            return message("cli.there", file=file)
        case errno.ENOENT if not (folder := Path(file).absolute().parent).exists():
            return message("cli.no_folder", file=file, folder=str(folder))
    return message("cli.os", file=file, why=why)


def _denied(file: Path, why: str) -> Message:
    """What to do about a file that the system keeps from this user: only what is in hexboard's own
    folders is to be given to them."""
    from getpass import getuser

    from hexboard import files

    user = getuser()
    for folder in (files.home(), files.state()):
        if file.is_relative_to(folder):
            return message("cli.not_yours", file=str(file), why=why, user=user, folder=str(folder))
    return message("cli.os", file=str(file), why=why)


def _crash(error: BaseException) -> str:
    """Keep the traceback where it can be sent to us; the sentence that says so."""
    from hexboard import __version__, files
    from hexboard.words.dates import stamp

    text = without_addresses("".join(traceback.format_exception(error)))
    path = files.state() / f"crash-{stamp()}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = f"hexboard {__version__} {_typed(main, sys.argv[1:])}\n\n{text}"
        files.keep(path, kept.encode("utf-8", "replace"))
    except OSError:
        return f"{text}\n{say(message('cli.crash_unkept'))}"
    why = without_addresses(f"{type(error).__name__}: {error}")
    return say(message("cli.crash", why=why[:200], file=str(path)))


def _typed(group: click.Group, words: list[str]) -> str:
    """A command line as it may be sent: commands, and names of options. What else was typed may be
    a name, or a secret."""
    told = []
    for word in words:
        if word.startswith("-"):
            told.append(word.partition("=")[0] if word.startswith("--") else word[:2])
        elif word in group.list_commands(click.Context(group)):
            told.append(word)
            found = group.get_command(click.Context(group), word)
            group = found if isinstance(found, click.Group) else click.Group()
        else:
            told.append("…")
    return " ".join(told)


def _speak(ctx: click.Context, args: list[str]) -> None:
    """From now on speak the language that is asked for, in settings or by the shell: before click
    reads a word, for it may have to say what is wrong there."""
    from hexboard import files

    listen()
    home = Path(_given(args, "--home") or files.home()).expanduser()
    name = _given(args, "--language")
    look_in(home / "locale")
    shell = next((it for it in map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG")) if it), "")
    wanted = _set(home / "settings.toml")
    spoken = chosen([name or wanted or shell])
    ctx.with_resource(speaking(spoken))
    if wanted and not name and not chosen([wanted], ""):
        click.echo(printable(say(_unspoken(wanted))), err=True)
    if why := unread(spoken):
        click.echo(say(why), err=True)


def _given(args: list[str], option: str) -> str:
    """What stands behind an option before the command's name; "" where it does not."""
    words = iter(args)
    for word in words:
        if not word.startswith("-"):
            return ""
        name, equals, value = word.partition("=")
        value = value if equals else next(words, "") if name in ("--home", "--language") else ""
        if name == option:
            return value
    return ""


def _known(ctx: click.Context, _: click.Parameter, name: str | None) -> None:
    """Whether there is such a language."""
    if name is not None and chosen([name], "") == "":
        raise click.BadParameter(say(_unspoken(name)))


def _unspoken(name: str) -> Message:
    return message("cli.language", name=name, known=", ".join(languages()))


def _set(settings: Path) -> str:
    """The language in a settings file; what else is wrong there says who needs it."""
    try:
        text = settings.read_text("utf-8-sig")
        import tomllib  # here: most have no such file

        return str(tomllib.loads(text).get("language", ""))
    except (OSError, ValueError, RecursionError):
        return ""


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Try it without hardware:  hexboard run --simulate",
)
@click.version_option(package_name="hexboard", prog_name="hexboard")
@click.option(
    "--home",
    "home",
    type=FOLDER,
    help="Folder of your own files (settings.toml, boards/, games/). Default: ~/.config/hexboard",
)
@click.option(
    "--language",
    callback=_known,
    expose_value=False,
    help="What hexboard speaks: en, de, or one of your own. Default: settings.toml, then $LANG",
)
@click.pass_context
def main(ctx: click.Context, home: Path | None) -> None:
    """A referee for games on a real, powered hex board."""
    from hexboard import files
    from hexboard.game import registry

    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
    ctx.obj = home or files.home()
    registry.look_in(ctx.obj / "games")
