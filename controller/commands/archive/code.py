"""The digest of all code that a replay may run through: what is cached is only as good as that."""

from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import hexboard
from hexboard import calibration
from hexboard.commands.archive.folder import DIGEST_BYTES


def code_digest(games: Path) -> str:
    """Of this hexboard's files, of those of every package that brings a game, and of the games that
    a person keeps in the folder `games`."""
    hashed = blake2b(digest_size=DIGEST_BYTES)
    own = {Path(str(module.__file__)).parent for module in (hexboard, calibration)}
    for root in sorted({*own, *_brought(own), *games.glob("*.py")}):
        for file in [root] if root.is_file() else sorted(_sources(root)):
            hashed.update(f"{file.relative_to(root.parent).as_posix()}\n".encode())
            hashed.update(file.read_bytes())
    return hashed.hexdigest()


def _brought(own: set[Path]) -> Iterator[Path]:
    """The folders of packages that bring games, or the files of those that are one file."""
    for entry in entry_points(group="hexboard.games"):
        with suppress(Exception):  # whatever a foreign package does when it is looked for
            spec = find_spec(entry.module)
            path = Path(str(spec and spec.origin))
            if path.is_file() and not own & {*path.parents}:
                yield path.parent if path.name == "__init__.py" else path


def _sources(root: Path) -> Iterator[Path]:
    """Modules, sentences and data; what only pages show is none of it."""
    return (it for kind in ("*.py", "*.toml") for it in root.rglob(kind))
