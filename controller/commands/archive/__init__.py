"""`hexboard archive` and `ask`: many recordings replayed into Parquet files, and what they say."""

from hexboard.commands.archive.asking import ask
from hexboard.commands.archive.filling import archive

__all__ = ["archive", "ask"]
