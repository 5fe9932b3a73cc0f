"""Our own source, parsed once for all tests that read it."""

import ast
from functools import cache
from pathlib import Path


@cache
def parsed(path: Path) -> ast.Module:
    """The module at `path`."""
    return ast.parse(path.read_text("utf-8"))
