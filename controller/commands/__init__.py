"""The commands of `hexboard`, one module a family; `controller.cli` finds them by name.

A module imports only what its help needs; what a command needs, it imports when it runs.
"""

from pathlib import Path
from typing import Any


def board_named(home: Path, name: str) -> Any:
    """The board `name` (a file of `home`, one of ours, or a path). Raises `BadFile`, `BadText`."""
    from controller.board import find, load, plain, shape

    own = home / "boards"
    if shape(name) and not (own / f"{name}.toml").is_file():
        return plain(name)
    return load(find(name, [own]))
