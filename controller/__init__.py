"""hexboard: a referee for games on a real, powered hex board.

    >>> import hexboard
    >>> position = hexboard.start("hexalma").play("b3-c3")
    >>> position.events
    ('Black moves b3 to c3.',)

See docs/library.md. Nothing is imported before it is asked for.
"""

_LIBRARY = {
    "Match": "hexboard.library.match",
    "Position": "hexboard.library.position",
    "Recording": "hexboard.library.recording",
    "start": "hexboard.library.position",
    "position": "hexboard.library.position",
    "open": "hexboard.library.recording",
    "names": "hexboard.library.position",
    "HexboardError": "hexboard.words.errors",
    "IllegalAction": "hexboard.words.errors",
    "BadText": "hexboard.words.errors",
    "BadRecording": "hexboard.words.errors",
}
"""What other programs take from here, and the module that has it (`__init__.pyi` has its types)."""


def __getattr__(name: str) -> object:
    """A name of the library, or `__version__`: each takes longer to find than this to import."""
    if name == "__version__":
        return globals().setdefault(name, _version())  # asked for twice by an import
    if name not in _LIBRARY:
        raise AttributeError(f"module 'hexboard' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_LIBRARY[name])
    return getattr(module, "Recording" if name == "open" else name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LIBRARY, "__version__"])


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("hexboard")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0+checkout"
