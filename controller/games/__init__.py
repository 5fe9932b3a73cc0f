"""The games: one a file or folder, each behind `controller.games.position`.

They are found through the entry-point group `hexboard.games`: another package can bring one.
"""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from controller.errors import BadText
from controller.files import nearest
from controller.games.position import Game
from controller.words import Value

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@cache
def _installed() -> dict[str, "EntryPoint"]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group="hexboard.games")}


def names() -> list[str]:
    """The games that are installed."""
    return sorted(_installed())


@cache
def find(name: str) -> Game:
    """The game of this name. Raises `BadText`, naming those that are there."""
    entry = _installed().get(name)
    if entry is None:
        known = names()
        raise BadText("game.none", name=name, near=nearest(name, known), known=", ".join(known))
    game: Game = entry.load()
    return game


def read_options(game: Game, texts: Iterable[str]) -> dict[str, Value]:
    """Options as a command line has them, `name=value`. Raises `BadText`; `start` judges them."""
    kinds = {option.name: type(option.default) for option in game.OPTIONS}
    options: dict[str, Value] = {}
    for text in texts:
        name, is_one, value = text.partition("=")
        if not is_one:
            raise BadText("game.option_form", text=text)
        kind = kinds.get(name, str)
        if kind is bool and value in ("yes", "no", "true", "false", "on", "off"):
            options[name] = value in ("yes", "true", "on")
        elif kind is int and value.lstrip("-").isdecimal():
            options[name] = int(value)
        else:
            options[name] = value
    return options


def help_text(part: str, language: str = "en") -> str:
    """The rules of a game in our own words (Markdown), by the folder it lives in.

    Raises `BadText` where nobody has written them."""
    from importlib import resources

    path = resources.files("controller.games") / part / "locale" / f"{language}.md"
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise BadText("game.no_help", game=part) from None
