"""The daemon: one board's referee while it runs, and what belongs to its running.

`daemon` has the main loop. What it holds: the board itself (`holding`), the match that is played
(`match`), perhaps a camera over the board (`camera`) or, on a laptop, a simulated board
(`simulation`).
"""

from hexboard.daemon.daemon import Daemon
from hexboard.daemon.run import Run

__all__ = ["Daemon", "Run"]
