"""Files people write: TOML, checked whole, so that every mistake is shown at once with its line.

`read(path, Kind)` gives a `Kind` or raises `BadFile` with one message a mistake: file, line, key
path, what is wrong and the nearest right key.
"""

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from itertools import count, islice
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from hexboard.words import Message, Said, Value, message
from hexboard.words.errors import BadFile

T = TypeVar("T", bound=Struct)
Path_ = tuple[str | int, ...]
"""Where in a file: ("sensors", 2, "kind")."""
KEPT = Path("(a file of the match)")
"""What a file is called of which only the contents are known."""
MOST_MISTAKES = 50
"""So many are told of one file: with more it is another kind of file, or a broken one."""
SIMULATED = "-simulated"
"""Ends the name of a simulated board's folder."""
STDOUT = Path("/dev/stdout")
LIKE = 0.6
"""How like a word must be to be taken for what was meant: 0 not at all, 1 the same."""
_fsync: Callable[[int], None] = os.fsync


def shipped(*parts: str) -> Path:
    """A folder of data that comes with hexboard: `shipped("boards")`, `shipped("tiles", "basic")`.

    In a checkout that is `hardware/` (or `firmware/`, `docs/`); the wheel carries them inside
    `hexboard`."""
    from importlib import resources

    here = Path(str(resources.files("hexboard")))
    carried = here / "shipped"
    root = carried if carried.is_dir() else here.parent
    return root.joinpath(*(() if parts[0] in ("firmware", "docs") else ("hardware",)), *parts)


def home() -> Path:
    """Where files people write live: boards, tiles, settings."""
    return _folder("XDG_CONFIG_HOME", ".config")


def state() -> Path:
    """Where hexboard keeps journals and recordings."""
    return _folder("XDG_STATE_HOME", ".local/state")


def evenings(board: str, simulated: bool = False) -> Path:
    """Where it keeps those of a board: apart from what hands and balls of a simulation did there,
    which is no match that people go on with."""
    return state() / (board + SIMULATED if simulated else board)


def _folder(variable: str, below_home: str) -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "hexboard"
    return Path(os.environ.get(variable) or Path.home() / below_home) / "hexboard"


def unused(path: Path) -> Path:
    """`path`, or the same with a number where that is taken; `path` where nobody may look."""
    with suppress(OSError):
        for k in range(1, 1000):
            candidate = path if k == 1 else path.with_stem(f"{path.stem}.{k}")
            if not candidate.exists():
                return candidate
    return path


def keep(
    path: Path, data: bytes, lasts: bool = True, new: int | None = None, over: bool = False
) -> None:
    """Put a file there whole or not at all; a link to it stays one. Once that is done it `lasts`
    through a power cut. Only its owner may read it; but with `new` one that is there keeps who may,
    and that is the mode of a new one (less the umask). One that may not be written to stays, but
    with `over` it is replaced too. Raises `OSError`, which names it."""
    there = Path(os.path.realpath(path))
    part = there.with_name(f"{there.name}.part")
    if not over and there.exists() and not os.access(there, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    try:
        with open(part, "wb", opener=partial(os.open, mode=new or 0o600)) as file:
            if new is not None and there.exists():
                _as_before(there.stat(), file.fileno())
            file.write(data)
            file.flush()
            if lasts:
                _fsync(file.fileno())
        part.replace(there)
        if lasts:
            sync_names(there.parent)
    except OSError as error:
        error.filename = str(path)  # a full disk names none, and no other name means anything
        with suppress(OSError):
            part.unlink()
        raise


def _as_before(was: os.stat_result, file: int) -> None:
    """Give a file the owner, group and mode of another, where that can be."""
    mode = stat.S_IMODE(was.st_mode)
    for owner in (was.st_uid, -1):
        with suppress(OSError, AttributeError):  # Windows
            os.fchown(file, owner, was.st_gid)
            break
    else:
        mode &= ~stat.S_IRWXG  # it is another group
    with suppress(OSError, AttributeError):  # a disk that knows no modes
        os.fchmod(file, mode)


def whole(path: Path, data: bytes) -> None:
    """Put a file there that people asked for, whole or not at all; a terminal or a pipe is written
    to, and so is a file beside which nothing may be put. Raises `OSError`, which names it."""
    if path == STDOUT:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    elif _flows(path):
        with path.open("ab") as file:  # somebody's, of which nothing is cut off
            file.write(data)
    else:
        try:
            keep(path, data, lasts=False, new=0o666)
        except PermissionError:  # the folder's, it may be
            if not os.access(path, os.W_OK):
                raise
            with path.open("r+b") as file:
                file.write(data)
                file.truncate()


def _flows(path: Path) -> bool:
    """Whether it is no file of its own: behind /dev/stdout stands what somebody else has opened."""
    system = path.absolute().parts[1:2] in (("dev",), ("proc",))
    return system or (path.exists() and not path.is_file())


def sync_names(folder: Path) -> None:
    """Let renames in a folder last as well; not every system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            _fsync(handle)
        finally:
            os.close(handle)


def chosen_file(text: str) -> tuple[Path, str] | None:
    """The file that an option names by its path, and what stands in it; or what a match kept of one
    (`contents`). None for the name of one of ours. Raises `BadFile` where it cannot be read."""
    if "\n" in text:
        return KEPT, text
    if not (text.endswith(".toml") or "/" in text):
        return None
    path = Path(text).expanduser()
    return path, _text(path)


def contents(text: str) -> str:
    """An option as a match keeps it: in place of a path, what stands in its file. Raises `BadFile`
    where that cannot be read."""
    file = chosen_file(text)
    return text if file is None else file[1].rstrip("\n") + "\n"


class Source:
    """One TOML file, able to say on which line a key stands; or a text that is not in one yet."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        import tomllib

        self.path = path
        self.text = _text(path) if text is None else text
        try:
            self.data: dict[str, Any] = tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:  # also numbers and nests beyond all measure
            raise _unreadable("file.syntax", path, why=str(error)) from None
        self._kept: dict[int, list[int]] = {}
        self._torn: set[Path_] = set()
        self._lines: dict[Path_, int] = {}
        for at, number in _lines(self.text, self.data):
            for depth in range(1, len(at) + 1):
                self._lines.setdefault(at[:depth], number)

    def mistake(self, wrong: str, at: Path_, **values: Said) -> Message:
        """A message about the key at `at`, with file, line and path filled in."""
        path = dotted(self._whole(at)) or "(top)"
        return message(wrong, file=str(self.path), line=self.line(at), path=path, **values)

    def drop(self, at: Path_) -> None:
        """Take what stands at `at` out of `data`; what is left keeps its lines and paths."""
        whole = self._whole(at)
        self._torn |= {whole[:depth] for depth in range(len(whole) + 1)}
        inside: Any = self.data
        for part in at[:-1]:
            inside = inside[part]
        if isinstance(inside, list):
            del self._numbers(inside)[int(at[-1])]
        del inside[at[-1]]

    def complete(self, at: Path_) -> bool:
        """Whether nothing was taken out at `at`, nor inside."""
        return self._whole(at) not in self._torn

    def _numbers(self, items: list[Any]) -> list[int]:
        """Which ones of the file's own list the items are."""
        if id(items) not in self._kept:
            self._kept[id(items)] = [*range(len(items))]
        return self._kept[id(items)]

    def _whole(self, at: Path_) -> Path_:
        """A path in `data` as it is in the whole file."""
        inside: Any = self.data
        whole: Path_ = ()
        for part in at:
            there = isinstance(inside, list) and isinstance(part, int) and part < len(inside)
            whole = (*whole, self._numbers(inside)[int(part)] if there else part)
            named = isinstance(inside, dict) and part in inside
            inside = inside[part] if there or named else None
        return whole

    def line(self, at: Path_) -> int:
        """The line (from 1) of the key at `at`, or of the nearest table around it."""
        at = self._whole(at)
        while at and at not in self._lines:
            at = at[:-1]
        return self._lines.get(at, 1)


def read(source: Source, kind: type[T]) -> tuple[T | None, list[Message]]:
    """The file as a `kind`, or None and every mistake of form in it, up to `MOST_MISTAKES`."""
    mistakes = [wrong for _, wrong in islice(_check(source, source.data, kind, ()), MOST_MISTAKES)]
    if mistakes:
        return None, told(source, mistakes)
    return msgspec.convert(source.data, kind), []


def told(source: Source, mistakes: Iterable[Message]) -> list[Message]:
    """These mistakes, up to `MOST_MISTAKES`."""
    found = list(islice(mistakes, MOST_MISTAKES))
    if len(found) == MOST_MISTAKES:
        found.append(message("file.more", file=str(source.path), most=MOST_MISTAKES))
    return found


def sound(source: Source, kind: type[T]) -> T | None:
    """What of a file is right in form, so that one round finds the mistakes of meaning in it too.

    Each value that `read` finds wrong, or the smallest table that needs it, is taken out of the
    source, which still says lines and paths of the whole file. None where nothing is left.
    """
    while wrong := {at for at, _ in _check(source, source.data, kind, ())}:
        for at in sorted(wrong, key=_last_first):
            if not at:
                return None
            source.drop(at)
    return msgspec.convert(source.data, kind)


def _last_first(at: Path_) -> list[tuple[int, str]]:
    """Later ones of a list, and what lies deeper, come first, so that places stay what they are."""
    return [(-part, "") if isinstance(part, int) else (0, part) for part in at] + [(1, "")]


def refuse(source: Source, mistakes: list[Message]) -> None:
    """Raise `BadFile` when there is at least one mistake."""
    if mistakes:
        raise BadFile(str(source.path), tuple(mistakes))


def _text(path: Path) -> str:
    try:
        return finite(path).read_text("utf-8-sig")  # Notepad begins a file with a mark
    except FileNotFoundError:
        if path.is_symlink():
            raise _unreadable("file.nowhere", path, there=str(path.readlink())) from None
        raise _unreadable("file.missing", path) from None
    except IsADirectoryError:
        raise _unreadable("file.folder", path) from None
    except UnicodeDecodeError:
        raise _unreadable("file.not_text", path) from None
    except OSError as error:
        key = "file.folder" if path.is_dir() else "file.unreadable"
        raise _unreadable(key, path, why=error.strerror or "?") from None


def finite(path: Path, pipe: bool = True) -> Path:
    """A path that somebody named, of what comes to an end. Raises `OSError` for a device (of
    /dev/zero there is always more), and unless it may be a `pipe` for one: it may stay empty."""
    if path.is_char_device() or (not pipe and path.is_fifo()):
        raise OSError(errno.EINVAL, "a pipe" if path.is_fifo() else "a device", str(path))
    return path


def named(path: Path) -> bool:
    """Whether somebody put a file there, be it a link that leads nowhere: who reads it says so."""
    return path.is_file() or (path.is_symlink() and not path.exists())


def _unreadable(key: str, path: Path, **values: Value) -> BadFile:
    return BadFile(str(path), (message(key, file=str(path), **values),))


def dotted(at: Path_) -> str:
    """("sensors", 2, "kind") as people read it: `sensors[2].kind` (counting from 1)."""
    out = ""
    for part in at:
        out += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if out else part
    return out


def nearest(word: str, words: list[str]) -> str:
    """The one of `words` that was meant, for a message's value `near`; "" when none is like it."""
    from difflib import get_close_matches

    known = {each.casefold(): each for each in reversed(words)}
    found = get_close_matches(word.casefold(), list(known), 1, LIKE)
    return known[found[0]] if found else ""


_Wrong = tuple[Path_, Message]
"""Where something is wrong, and what."""


def _check(source: Source, value: Any, kind: Any, at: Path_) -> Iterator[_Wrong]:
    inner = _structs(kind)
    if get_origin(kind) is dict and isinstance(value, dict):
        for key, item in value.items():
            yield from _check(source, item, get_args(kind)[1], (*at, key))
    elif not inner or value is None:
        yield from _check_value(source, value, kind, at)
    elif get_origin(kind) in (tuple, list):
        if isinstance(value, list):
            for i, item in enumerate(value):
                yield from _check(source, item, get_args(kind)[0], (*at, i))
        else:
            yield at, source.mistake("file.value", at, why="Expected a list of tables")
    elif not isinstance(value, dict):
        yield at, source.mistake("file.value", at, why="Expected a table")
    elif len(inner) == 1:
        yield from _check_table(source, value, inner[0], at)
    else:
        yield from _check_tagged(source, value, inner, at)


def _check_value(source: Source, value: Any, kind: Any, at: Path_) -> Iterator[_Wrong]:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        if words := _words(kind) if isinstance(value, str) else ():
            yield _one_of(source, at, value, words)
        else:
            yield at, source.mistake("file.value", at, why=str(error).split(" - at ")[0])


def _check_tagged(
    source: Source, table: dict[str, Any], kinds: list[Any], at: Path_
) -> Iterator[_Wrong]:
    """A table of one of several kinds; a word in it says of which."""
    tag = kinds[0].__struct_config__.tag_field
    by_tag = {kind.__struct_config__.tag: kind for kind in kinds}
    if tag not in table:
        yield at, source.mistake("file.required", at, key=tag)
    elif table[tag] not in by_tag:
        yield _one_of(source, (*at, tag), str(table[tag]), tuple(by_tag))
    else:
        rest = {key: value for key, value in table.items() if key != tag}
        yield from _check_table(source, rest, by_tag[table[tag]], at)


def _one_of(source: Source, at: Path_, word: str, known: tuple[str, ...]) -> _Wrong:
    near = nearest(word, list(known))
    return at, source.mistake("file.one_of", at, word=word[:60], near=near, known=", ".join(known))


def _check_table(source: Source, table: dict[str, Any], kind: Any, at: Path_) -> Iterator[_Wrong]:
    known = _keys(kind)
    for key, value in table.items():
        if key not in known:
            near = nearest(key, list(known))
            names = ", ".join(known)
            yield (
                (*at, key),
                source.mistake("file.unknown", (*at, key), key=key, near=near, known=names),
            )
        else:
            yield from _check(source, value, known[key][0], (*at, key))
    for key, (_, required) in known.items():
        if required and key not in table:
            yield at, source.mistake("file.required", at, key=key)


@cache
def _keys(kind: type[Struct]) -> dict[str, tuple[Any, bool]]:
    """The keys of a table, each with what stands there and whether it must."""
    hints = get_type_hints(kind, include_extras=True)  # bounds are some
    return {it.encode_name: (hints[it.name], it.required) for it in fields(kind)}


def _structs(kind: Any) -> list[Any]:
    """The Structs inside `S`, `S | T`, `S | None` or `tuple[S, ...]`."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return [kind]
    if get_origin(kind) in (Union, UnionType, tuple, list):
        return [found for arg in get_args(kind) for found in _structs(arg)]
    return []


def _words(kind: Any) -> tuple[str, ...]:
    """The words that a `Literal`, or a choice of several, allows; () where any text is right."""
    if get_origin(kind) is Literal:
        return tuple(word for word in get_args(kind) if word)
    if get_origin(kind) in (Union, UnionType) and str not in get_args(kind):
        return tuple(word for arg in get_args(kind) for word in _words(arg))
    return ()


_NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_DOTTED = rf"({_NAME}(?:\s*\.\s*{_NAME})*)"
_HEADER = re.compile(rf"\s*(\[\[?)\s*{_DOTTED}\s*\]")
_KEY = re.compile(rf"\s*{_DOTTED}\s*=")
_SIGN = re.compile(rf"""(?<![\w-]){_DOTTED}\s*=|"(?:\\.|[^"\\])*"|'[^']*'|#.*|[][{{}},]""")
"""What opens, parts and closes lists and tables in a value; texts and remarks are passed over."""


def _lines(text: str, data: dict[str, Any]) -> Iterator[tuple[Path_, int]]:
    """Key paths and the lines they stand on; keys of inline tables count as the line of theirs.

    `data` is what the text means: a line `[4],` inside a list looks like a table, but is none.
    """
    table: Path_ = ()
    counts: dict[Path_, int] = {}
    value = _Value(())
    for number, line in enumerate(text.split("\n"), 1):
        if (header := _HEADER.match(line)) and _parts(header[2])[0] in data:
            table, value = (), _Value(())
            for part in _parts(header[2]):
                table = (*table, part)
                if table in counts:
                    table = (*table, counts[table] - 1)
            if header[1] == "[[":
                if table and isinstance(table[-1], int):
                    table = table[:-1]
                counts[table] = counts.get(table, 0) + 1
                table = (*table, counts[table] - 1)
            yield table, number
        elif key := _KEY.match(line):
            value = _Value((*table, *_parts(key[1])))
            yield value.at, number
            yield from ((at, number) for at in value.tables(line[key.end() :]))
        elif value.open:
            yield from ((at, number) for at in value.tables(line))


class _Value:
    """A value that may go over several lines: which lists and tables are open in it."""

    def __init__(self, at: Path_) -> None:
        self.at = at
        """The path of what comes next."""
        self.open: list[tuple[Path_, Iterator[int] | None]] = []
        """Their paths, and the numbers of what is still to come in a list."""

    def tables(self, line: str) -> Iterator[Path_]:
        """The paths of the tables that begin in a line of it, or in what is left of one."""
        for sign in _SIGN.finditer(line):
            around, numbers = self.open[-1] if self.open else ((), None)
            if sign[1]:
                self.at = (*around, *_parts(sign[1]))
            elif sign[0] == "[":
                self.open.append((self.at, count(1)))
                self.at = (*self.at, 0)
            elif sign[0] == "{":
                yield self.at
                self.open.append((self.at, None))
            elif sign[0] in "]}" and self.open:
                self.at = self.open.pop()[0]
            elif sign[0] == "," and numbers:
                self.at = (*around, next(numbers))


def _parts(dotted_key: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(_NAME, dotted_key)]
