"""`hexboard update` and `hexboard uninstall`: the installer again, without a checkout."""

import os
import sys
from pathlib import Path
from tempfile import mkdtemp
from zipfile import BadZipFile, ZipFile

import click

from hexboard.commands import TypedPath
from hexboard.files import finite
from hexboard.words.errors import BadText

SCRIPT = "install.sh"
IN_WHEEL = f"hexboard/shipped/hardware/{SCRIPT}"
KEPT = "lock.txt"
"""What the installer leaves in an environment that it has made."""
RUN = 'sh "$0" "$@"; so=$?; rm -r "${0%/*}"; exit $so'
DRY = click.option("--dry-run", is_flag=True, help="Only say what would be done.")
YES = click.option("--yes", is_flag=True, help="Do not ask.")


@click.command()
@click.argument("new", type=TypedPath(exists=True))
@DRY
@YES
def update(new: Path, dry_run: bool, yes: bool) -> None:
    """Bring hexboard up to date from NEW, a wheel or a checkout, by the installer that is in it.

    It says what it will do and asks. Where the new hexboard does not come up on a simulated board
    the one of today stays. Recordings, journals, calibrations and settings are kept; a service that
    is not there is not added.
    """
    _install(_script(new), dry_run, yes, str(new.resolve()), "--no-service")


@click.command()
@DRY
@YES
def uninstall(dry_run: bool, yes: bool) -> None:
    """Take hexboard away: its program, its service and the Pico's name. It says what and asks.

    Recordings, journals, calibrations and settings stay, and so do packages of the system.
    """
    from hexboard.files import shipped

    _install(shipped(SCRIPT).read_bytes(), dry_run, yes, "--uninstall")


def _script(new: Path) -> bytes:
    """The installer of a wheel or a checkout. Raises `BadText`."""
    try:
        if new.is_dir():
            return (new / "hardware" / SCRIPT).read_bytes()
        with ZipFile(finite(new)) as wheel:
            return wheel.read(IN_WHEEL)
    except (OSError, KeyError, BadZipFile):
        raise BadText("update.other", file=str(new)) from None


def _install(script: bytes, dry_run: bool, yes: bool, *words: str) -> None:
    """Become the installer, of the environment that this hexboard is in. Raises `BadText`."""
    if not Path(sys.prefix, KEPT).is_file():
        raise BadText("update.not_here")
    folder = Path(mkdtemp(prefix="hexboard-"))  # the one that runs takes this hexboard away
    (folder / SCRIPT).write_bytes(script)
    flags = [flag for flag, so in (("--dry-run", dry_run), ("--yes", yes)) if so]
    here = ["--venv", sys.prefix]
    os.execvp("sh", ["sh", "-c", RUN, str(folder / SCRIPT), *words, *flags, *here])
