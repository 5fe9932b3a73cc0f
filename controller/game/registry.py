"""Which games there are. A package brings one through the entry-point group `hexboard.games`,
which names what it declares (`havannah = "havannah:GAME"`); a person keeps one as a file in
hexboard's own folder (`games/havannah.py`).

One that is broken is named with what is wrong with it, and hurts no other game.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from string import Formatter
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING

from msgspec import Struct

from hexboard import words
from hexboard.appearance import Appearance
from hexboard.board import Board, load, plain, shape
from hexboard.board import find as file_of
from hexboard.files import nearest
from hexboard.game import game
from hexboard.game.game import AnyGame, Game
from hexboard.game.options import switched
from hexboard.game.position import Action, Visible
from hexboard.words import Value
from hexboard.words.errors import BadText, HexboardError, Mistyped

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

OURS = "hexboard"
"""The package whose games keep their names, whoever else claims them."""


class Brought(Struct, frozen=True):
    """A game that somebody brings, before it is looked at."""

    name: str
    by: str
    """Its package, or the path of its file."""
    at: str
    """What should be its `Game`, as an entry point writes that."""
    load: Callable[[], object]
    """Raises whatever a foreign module does."""
    file: bool = False


_own: list[Path] = []
"""The folder of a person's own games, if there is one."""


def look_in(folder: Path) -> None:
    """The games that a person keeps are the Python files of this folder, be it there or not."""
    if _own != [folder]:
        for it in _installed().values() if _own else ():
            if it.file:
                words.forget(it.by)
                sys.modules.pop(it.by, None)
        _own[:] = [folder]
        _forgotten()
        find.cache_clear()


_alone: list[bool] = []
"""Not empty while there are no games but ours."""


@contextmanager
def ours_alone() -> Iterator[None]:
    """Meanwhile there are no games but ours: what others bring is not even loaded."""
    _alone.append(True)
    _forgotten()
    try:
        yield
    finally:
        _alone.pop()
        _forgotten()


def _forgotten() -> None:
    """What was found is looked for again."""
    for found in (_all, _installed):
        found.cache_clear()


@cache
def _all() -> list[Brought]:
    """Whatever claims to be a game; the first keeps a name: ours, packages', a person's files."""
    from importlib.metadata import entry_points

    brought = [
        Brought(entry.name, package(entry), entry.value, entry.load)
        for entry in entry_points(group="hexboard.games")
    ]
    if _alone:
        return [it for it in brought if it.by == OURS]
    packages = sorted(brought, key=lambda it: (it.name, it.by != OURS, it.by))
    paths = sorted(path for folder in _own for path in folder.glob("[!_.]*.py") if path.is_file())
    return [*packages, *(_file(path) for path in paths)]


def _file(path: Path) -> Brought:
    name = path.stem.replace("_", "-")
    return Brought(name, str(path), f"{path.stem}:GAME", partial(_executed, path), file=True)


def _executed(path: Path) -> object:
    """What a file declares; nothing is written beside it."""
    from importlib.util import module_from_spec, spec_from_file_location

    name = str(path)  # nobody can import it by chance, and what names the module names the file
    spec = spec_from_file_location(name, path)
    assert spec is not None, "a .py file has a loader"
    module: ModuleType = module_from_spec(spec)
    sys.modules[name] = module  # annotations are looked up there
    exec(compile(path.read_bytes(), str(path), "exec"), vars(module))
    return vars(module).get("GAME")


@cache
def _installed() -> dict[str, Brought]:
    """What is found, by name; where several claim one, the first."""
    found: dict[str, Brought] = {}
    for brought in _all():
        found.setdefault(brought.name, brought)
    return found


def package(entry: "EntryPoint") -> str:
    """The name of the package that brings a game or a command."""
    return _name(entry.dist) if entry.dist else entry.module


@cache
def _name(package: "Distribution") -> str:
    return package.name  # read from a file each time


def names() -> list[str]:
    """The games that are found."""
    return sorted(_installed())


@cache
def find(name: str) -> AnyGame[Action]:
    """The game of this name. Raises `BadText`, naming those that are there, or the package or file
    whose game cannot be used."""
    claims = [it for it in _all() if it.name == name]
    if not claims:
        known = ", ".join(usable())
        raise BadText("game.none", name=name, near=nearest(name, names()), known=known)
    wrong: list[BadText] = []
    for brought in claims:
        try:
            game = _loaded(brought)
        except BadText as error:
            wrong.append(error)
            if brought.by == OURS:
                break
        else:
            _installed()[name] = brought  # a broken one before it has no claim to the name
            return game
    raise wrong[0]


def _loaded(brought: Brought) -> AnyGame[Action]:
    """What somebody brings. Raises `BadText`, which names it, where that is no game."""
    try:
        game = brought.load()
        if not isinstance(game, Game) or game.name != brought.name:
            raise _undeclared(brought)
        if brought.by != OURS and not _spoken(game):
            raise _wordless(brought, game.package)
    except BadText:
        raise
    except (Exception, SystemExit) as error:  # whatever a foreign module does
        raise _broken(brought, error) from error
    return game


def _spoken(game: AnyGame[Action]) -> bool:
    """Whether a game has sentences under keys of its own. Raises `ValueError` for one that cannot
    be made."""
    known = words.sentences(game.prefix)
    for key, sentence in known.items():
        try:
            list(Formatter().parse(sentence))
        except (TypeError, ValueError) as error:
            raise ValueError(f"sentence {key}: {error}") from None
    return any(key.startswith(f"{game.prefix}.") for key in known)


def _broken(brought: Brought, error: BaseException) -> BadText:
    why = f"{type(error).__name__}: {error}"
    frames = [it.lineno for it in extract_tb(error.__traceback__) if it.filename == brought.by]
    line = (frames or [None])[-1]
    if isinstance(error, SyntaxError) and error.filename == brought.by:
        line, why = error.lineno, f"{type(error).__name__}: {error.msg}"
    if brought.file:
        return BadText(
            "game.file_broken", name=brought.name, file=brought.by, line=line or 1, why=why
        )
    if brought.by == OURS:
        return BadText("game.ours_broken", name=brought.name, why=why)
    return BadText("game.broken", name=brought.name, package=brought.by, why=why)


def _undeclared(brought: Brought) -> BadText:
    if brought.file:
        return BadText("game.file_undeclared", name=brought.name, file=brought.by)
    return BadText("game.undeclared", name=brought.name, package=brought.by, at=brought.at)


def _wordless(brought: Brought, at: str) -> BadText:
    if brought.file:
        return BadText("game.file_wordless", name=brought.name, file=brought.by)
    return BadText("game.wordless", name=brought.name, package=brought.by, at=at)


def _taken(brought: Brought) -> BadText:
    if brought.file:
        return BadText("game.file_taken", name=brought.name, file=brought.by)
    return BadText("game.taken", name=brought.name, package=brought.by)


def brought_by(name: str) -> str:
    """The package, or the path of the file, that brings a game which is not ours; "" for ours."""
    by = _installed()[name].by
    return "" if by == OURS else by


def mistake(name: str, error: BaseException) -> BadText | None:
    """What a game that is not ours did wrong while it was used; None for one of ours."""
    by = brought_by(name)
    if not by:
        return None
    last = extract_tb(error.__traceback__)[-1:]
    at = "".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in last)
    why = f"{type(error).__name__}: {error}"[:200]
    return BadText("game.mistake", name=name, by=by, why=why, at=at)


def title(name: str) -> str:
    """What people call a game; where it is not known here, its name."""
    if name not in _installed():
        return name
    try:
        return find(name).title()
    except HexboardError:
        return name


@contextmanager
def used(name: str) -> Iterator[None]:
    """While a game is used: what one that is not ours raises becomes a `BadText` that names it."""
    try:
        yield
    except HexboardError:
        raise
    except Exception as error:
        if (told := mistake(name, error)) is not None:
            raise told from error
        raise


def sound() -> Iterator[AnyGame[Action]]:
    """The games that can be used, by name; of the others `find` says what is wrong."""
    for name in names():
        try:
            yield find(name)
        except BadText:
            continue


def usable() -> list[str]:
    """The names of the games that can be used."""
    return [game.name for game in sound()]


def broken() -> dict[str, BadText]:
    """What is wrong with games that others bring, by name, where one cannot be used."""
    wrong: dict[str, BadText] = {}
    for name, brought in sorted(_installed().items()):
        if brought.by != OURS:
            try:
                find(name)
            except BadText as error:
                wrong[name] = error
    return wrong


def board(name: str) -> Board:
    """The board that a game is played on where nobody chose one. Raises `HexboardError`."""
    own = find(name).board({})
    return plain(own) if shape(own) else load(file_of(own))


def appearance(name: str) -> Appearance[Visible[Action]]:
    """What a camera has to know of a game. Raises `BadText` for one that no camera can read."""
    return game.appearance(find(name))


def left_out() -> list[BadText]:
    """What is left out because another game has its name."""
    kept = _installed()
    return [_taken(it) for it in _all() if it.by != kept[it.name].by]


WHOLE = re.compile(r"-?[0-9]{1,18}")
"""A number that an option may have; no option counts further."""


def read_options(game: AnyGame[Action], texts: Iterable[str]) -> dict[str, Value]:
    """Options as a command line has them, `name=value`. Raises `BadText`; `start` judges them."""
    kinds = {option.name: type(option.default) for option in game.options}
    options: dict[str, Value] = {}
    for text in texts:
        name, is_one, value = text.partition("=")
        if not is_one:
            raise Mistyped("game.option_form", text=text)
        kind = kinds.get(name, str)
        if kind is int and WHOLE.fullmatch(value):
            options[name] = int(value)
        else:
            options[name] = value
    return switched(game.options, options)
