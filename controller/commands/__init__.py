"""The commands of `hexboard`, one module a family; `controller.cli` finds them by name.

A module imports only what its help needs; what a command needs, it imports when it runs.
"""

import json
from pathlib import Path
from typing import Any

import click

from controller.words import message, say


def board_named(home: Path, name: str) -> Any:
    """The board `name` (a file of `home`, one of ours, or a path). Raises `BadFile`, `BadText`."""
    from controller.board import find, load, plain, shape

    own = home / "boards"
    if shape(name) and not (own / f"{name}.toml").is_file():
        return plain(name)
    return load(find(name, [own]))


def tell_rollback(path: Path, version: int, as_json: bool) -> None:
    """Say which version of a calibration is back."""
    if as_json:
        click.echo(json.dumps({"file": str(path), "version": version}))
    else:
        click.echo(say(message("calibration.rolled_back", file=str(path), version=version)))
