"""The daemon: one board's referee while it runs, and what belongs to its running.

`sitting` runs one for each game that is played; the `service` stays. Behind the `front` door
people choose. `daemon` has the main loop. What it holds: the match that is played (`match`),
perhaps a camera over the board (`camera`) or, on a laptop, a simulated board (`simulation`).
"""

from hexboard.daemon.daemon import Daemon
from hexboard.daemon.run import Run
from hexboard.daemon.sitting import Sitting

__all__ = ["Daemon", "Run", "Sitting"]
