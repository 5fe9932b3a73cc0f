"""hexboard: a referee for games on a real, powered hex board."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("hexboard")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0+checkout"
