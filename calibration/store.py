"""The store of what a step of a calibration found: a JSON file with the few versions before it.

    pixels = Store(PixelMap, "pixels")
    path = pixels.place(home, board)
    store.save(path, result)
    pixels.load(path)             # raises BadFile, with a sentence
    pixels.rollback(path)         # the one before is back

A result is a struct whose tag is its file's schema.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from getpass import getuser
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from hexboard.board import Board
from hexboard.calibration import versions
from hexboard.words import message
from hexboard.words.errors import NO_JSON, BadFile

Kept = TypeVar("Kept", bound=Struct)


class Versioned(Protocol):
    """A result that counts its versions."""

    @property
    def version(self) -> int: ...


def file(folder: Path, step: str, board: str, simulated: bool = False) -> Path:
    """Where `hexboard calibrate STEP` keeps what it finds of a board, in the folder of
    calibrations; a simulated board has its own. The camera's lens is that of all boards."""
    name = f"{board}.simulated" if simulated else board
    own = {"camera": "camera", "board": f"{name}.camera", "sensors": name}
    return folder / f"{own.get(step, f'{name}.{step}')}.json"


def save(path: Path, result: Struct) -> None:
    """Write it; the one before stays as `.1`. Raises `OSError`."""
    versions.replace(path, _encoded(result))


def amend(path: Path, result: Struct) -> None:
    """Put it in the place of the one that is there, which is its own earlier state: no version of
    its own. Raises `OSError`."""
    versions.write(path, _encoded(result))


def _encoded(result: Struct) -> bytes:
    return msgspec.json.format(msgspec.json.encode(result, order="deterministic"))


class Store(Generic[Kept]):
    """The results of `hexboard calibrate STEP`: each a `kind`, of which `wrong` says what else is
    no good about it; "" for nothing."""

    def __init__(
        self, kind: type[Kept], step: str, wrong: Callable[[Kept], str] = lambda _: ""
    ) -> None:
        self._kind, self._step, self._wrong = kind, step, wrong

    def place(self, home: Path, board: Board, simulated: bool = False) -> Path:
        """Where a board's is kept; a simulated board has its own."""
        return self.beside(home / "calibration", board, simulated)

    def beside(self, folder: Path, board: Board, simulated: bool = False) -> Path:
        """The same, in the folder of calibrations."""
        return file(folder, self._step, board.name, simulated)

    def load(self, path: Path) -> Kept:
        """The result in a file. Raises `BadFile` for any that is none."""
        text = b""
        try:
            text = path.read_bytes()
            result = msgspec.json.decode(text, type=self._kind)
        except FileNotFoundError:
            raise BadFile(str(path), (message("file.missing", file=str(path)),)) from None
        except PermissionError as error:
            raise _denied(path, error.strerror or "?") from None
        except OSError as error:
            why = error.strerror or "?"
        except NO_JSON as error:
            if _newer(text, self._kind):
                newer = message("kept.newer", file=str(path), step=self._step)
                raise BadFile(str(path), (newer,)) from None
            why = str(error)
        else:
            why = self._wrong(result)
            if not why:
                return result
        bad = message("kept.bad", file=str(path), step=self._step, why=why)
        raise BadFile(str(path), (bad,))

    def rollback(self, path: Path) -> Kept:
        """Bring the version before back; the present one is only put aside (`versions.restore`).
        Raises `BadFile` if there is none before it, or it is no good."""
        before = versions.earlier(path, 1)
        if not before.exists():
            raise BadFile(str(path), (message("kept.no_earlier", file=str(path)),))
        result = self.load(before)
        versions.restore(path)
        return result


class _Tagged(Struct):
    """What every result has, of whatever version."""

    schema: str


def _newer(text: bytes, kind: type[Struct]) -> bool:
    """Whether it is of a later schema than a `kind` has: hexboard/lens-2 after hexboard/lens-1."""
    ours, _, known = str(kind.__struct_config__.tag).rpartition("-")
    with suppress(*NO_JSON):
        theirs, _, said = msgspec.json.decode(text, type=_Tagged).schema.rpartition("-")
        return (
            theirs == ours
            and re.fullmatch("[0-9]{1,4}", said) is not None
            and int(said) > int(known)
        )
    return False


def _denied(path: Path, why: str) -> BadFile:
    """It may be whole: it only belongs to somebody else."""
    file, folder, user = str(path), str(path.parent), getuser()
    said = message("kept.denied", file=file, owner=owner(path), user=user, why=why, folder=folder)
    return BadFile(file, (said,))


def owner(path: Path) -> str:
    """Whose file it is; "?" where the system does not say."""
    with suppress(OSError, KeyError, NotImplementedError):
        return path.owner()
    return "?"


def following(path: Path, load: Callable[[Path], Versioned]) -> int:
    """The number of the version after the one in a file; 1 where there is no good one."""
    try:
        return load(path).version + 1
    except BadFile:
        return 1
