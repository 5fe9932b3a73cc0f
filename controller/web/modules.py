"""Modules: the scripts and styles of a page inside the page itself, for one that is a single file.

A file opened from disk may load no other. So each script becomes a `data:` address in an import
map, under the name that it has among ours, `hexboard/static/hex.js`, and its imports say that name.
"""

import base64
import re
from collections.abc import Iterable
from importlib import resources
from posixpath import dirname, join, normpath
from typing import TypeVar

import msgspec

from hexboard.game.game import AnyGame
from hexboard.web.files import files

A = TypeVar("A")
IMPORTED = re.compile(r'\b(from|import) ?"(\.[^"]+)"')
STYLES = ("static/style.css", "static/theatre.css")


def inlined(game: AnyGame[A], entries: Iterable[str]) -> str:
    """The import map (JSON) of some scripts of ours or of a game's, and of all that they import:
    paths as on the page, `static/hex.js`."""
    waiting, texts = list(entries), dict[str, str]()
    while waiting:
        path = waiting.pop()
        if path not in texts:
            texts[path] = _text(game, path)
            waiting += [_meant(path, found) for _, found in IMPORTED.findall(texts[path])]
    imports = {f"hexboard/{path}": _address(_named(path, text)) for path, text in texts.items()}
    return msgspec.json.encode({"imports": imports}).decode()


def style_sheets(game: AnyGame[A]) -> str:
    """What a page looks like: our style sheets and the game's."""
    own = game.page.style if game.page is not None else ""
    paths = [*STYLES, *([f"games/{game.name}/{own}"] if own else [])]
    return "\n".join(_text(game, path) for path in paths).replace("</", "<\\/")


def licences() -> str:
    """The licences of what is not ours among our scripts; they travel with it."""
    vendor = resources.files("hexboard.web") / "static" / "vendor"
    names = sorted(file.name for file in vendor.iterdir() if file.name.startswith("LICENSE-"))
    return "\n\n".join(f"{name}\n{(vendor / name).read_text('utf-8')}" for name in names)


def _text(game: AnyGame[A], path: str) -> str:
    """A file of the page; empty where a game has it not."""
    folder, _, name = path.partition("/")
    if folder == "static":
        return (resources.files("hexboard.web") / path).read_text("utf-8")
    brought = files(game).get(name)
    return brought.read_text("utf-8") if brought is not None else ""


def _named(path: str, text: str) -> str:
    """A script whose imports say the names of the import map."""
    return IMPORTED.sub(lambda it: f'{it[1]} "hexboard/{_meant(path, it[2])}"', text)


def _meant(path: str, relative: str) -> str:
    return normpath(join(dirname(path), relative))


def _address(text: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"
