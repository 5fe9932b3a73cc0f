"""The clock of a roll: since when nothing has moved, and how long a vote may still be called.

Times are board ns.
"""

from hexboard.facts import MS

SILENT_NS = 1_100 * MS
"""After so long it is known of a source that says nothing whether it is there (docs/link.md)."""
GRACE_NS = 5_000 * MS
"""How long people have to call a vote once an effect has decided the game (2.8.2, 2.9.2)."""


class RollClock:
    """All is still `settle_ns` after the last sign of a moving ball."""

    def __init__(self, settle_ns: int) -> None:
        self._settle_ns = settle_ns
        self._since: int | None = None  # the last believed sign of a moving ball
        self._longer = 0  # so long beyond that it is waited
        self._decided: int | None = None  # an effect has decided the game

    @property
    def runs(self) -> bool:
        """It is waited for that all is still."""
        return self._since is not None

    def start(self, at: int) -> None:
        """Something moves: a sign of that."""
        self._since, self._longer = at, 0

    def put_off(self, at: int) -> None:
        """A sign, if something is believed to move."""
        if self._since is not None:
            self._since = max(self._since, at)

    def waits(self, silent: bool, until: int = 0) -> bool:
        """All seems still. Whether that is waited for longer: since a source is silent, or because
        a ball may well go on by itself `until` then."""
        if self._since is None:
            return False
        slow = until - self._since - self._settle_ns
        before, self._longer = self._longer, max(self._longer, SILENT_NS * silent, slow)
        return self._longer > before

    def stop(self) -> None:
        """Nothing is waited for any more."""
        self._since = None

    def decide(self, now: int) -> None:
        """An effect has decided the game, now if not before."""
        if self._decided is None:
            self._decided = now

    def reopen(self) -> None:
        """Something else has to be done before the game is decided."""
        self._decided = None

    @property
    def timers(self) -> list[tuple[int, str]]:
        """When all is still, and when nobody can call a vote any more."""
        timers: list[tuple[int, str]] = []
        if self._since is not None:
            timers.append((self._since + self._settle_ns + self._longer, "settle"))
        if self._decided is not None:
            timers.append((self._decided + GRACE_NS, "grace"))
        return timers
