"""The first start in a terminal: who may open the page is asked once, and kept in the settings;
which game is played until people choose one."""

import contextlib
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from hexboard.board import Board


def playable(board: "Board") -> str | None:
    """A game that a board can be played on, where nobody says which; None for none."""
    from hexboard.game import registry
    from hexboard.words.errors import HexboardError

    for game in registry.sound():
        with contextlib.suppress(HexboardError), registry.used(game.name):
            game.begin(board, {})
            return game.name
    return None


def asks(home: Path) -> bool:
    """Whether nothing is set yet, and somebody is there to ask."""
    from hexboard.files import named

    seen = sys.stdin.isatty() and sys.stdout.isatty()
    return seen and not named(home / "settings.toml")


def ask(home: Path) -> None:
    """Ask who may open the page, and write settings that say so."""
    from hexboard.daemon.greeting import hotspot
    from hexboard.settings import EXAMPLE, save
    from hexboard.words import message, say

    click.echo(say(message("first.reach")))
    answer = click.prompt(say(message("first.which")), type=click.IntRange(1, 3), default=1)
    if answer == 3:
        click.echo("\n".join(hotspot()))
    path = home / "settings.toml"
    save(path, EXAMPLE.replace("lan = false", f"lan = {str(answer > 1).lower()}", 1))
    click.echo(say(message("first.kept", file=str(path))))


def name_board(home: Path, name: str) -> None:
    """Write into the settings that this is the board; what else stands there stays."""
    from hexboard.settings import EXAMPLE, save

    path = home / "settings.toml"
    text = path.read_text("utf-8-sig") if path.exists() else EXAMPLE
    line = f"board = {json.dumps(name)}"
    text, count = re.subn(r"^board\s*=.*$", lambda _: line, text, count=1, flags=re.MULTILINE)
    save(path, text if count else f"{line}\n{text}")
