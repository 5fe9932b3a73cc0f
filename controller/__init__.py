"""hexboard: a referee for games on a real, powered hex board."""


def __getattr__(name: str) -> str:
    """`__version__`, looked up when it is asked for: that takes longer than a game to import."""
    if name != "__version__":
        raise AttributeError(name)
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("hexboard")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0+checkout"
