"""`hexboard archive`, `worker` and `ask`: many recordings replayed into Parquet files, and what
they say."""

from hexboard.commands.archive.asking import ask
from hexboard.commands.archive.filling import archive
from hexboard.commands.archive.working import worker

__all__ = ["archive", "ask", "worker"]
