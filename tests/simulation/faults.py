"""Faults: what goes wrong in an evening, for a while, and is mended."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from tests.simulation.disk import FAILING, FULL

if TYPE_CHECKING:
    from tests.simulation.evening import Evening

MS = 1_000_000
SECOND = 1_000 * MS
QUICK_S, SLOW_S = 0.002, 8.0
"""The longest that a disk takes for a sync, and one that is slow: people are told of that."""
QUICK_MS, SLOW_MS = 20, 2000
"""The same of the network."""
Does = Callable[[], None]


def nothing() -> None:
    pass


class Faults:
    """Those of one evening, as `plan` has them."""

    def __init__(self, evening: "Evening", plan: Random) -> None:
        self._evening, self._plan = evening, plan
        self.names: list[str] = []
        """Those there were."""
        self.told_late = False
        """Pages hear late in this life."""
        self.wrong = False
        """Something goes wrong in this life."""
        self._cut = False
        self.lost = False
        """The folder was away this evening, or the disk took nothing: what was to be kept meanwhile
        may not have been."""

    def begin(self) -> None:
        """A life begins."""
        self.told_late = self.wrong = self._cut = False

    @property
    def cut(self) -> bool:
        """The board was away in this life, or asked anew."""
        return self._cut

    def asks(self) -> None:
        """The board may be asked anew: somebody wants another match."""
        self._cut = True

    def cuts(self) -> None:
        """The board goes away."""
        self._cut = True
        if self._evening.balls is not None:
            self._evening.balls.away()

    def come(self, most_s: int) -> int:
        """Some, in the ns to come."""
        plan = self._plan
        lasts = plan.randrange(1, most_s) * SECOND
        for _ in range(plan.randrange(4)):
            self._come(plan.choice(tuple(self._all)), plan.randrange(lasts))
        return lasts

    def _come(self, name: str, wait_ns: int) -> None:
        self.names.append(name)
        self.told_late |= name == "network slow"
        self.wrong = True
        lasts = self._plan.randrange(100, 7000) * MS
        begin, end = self._all[name]
        scheduler = self._evening.scheduler
        scheduler.after(wait_ns, begin)
        scheduler.after(wait_ns + lasts, end)

    @property
    def _all(self) -> dict[str, tuple[Does, Does]]:
        """How each begins and ends."""
        it = self._evening
        disk, line, network = it.disk, it.line, it.network

        def away() -> None:
            self.cuts()
            line.unplug()

        def reboot() -> None:
            self.cuts()
            line.reboot()

        def step() -> None:
            it.clock.step_ns += self._plan.choice((-3600, -1, 5, 86_400)) * SECOND

        def hangs() -> None:
            self.cuts()
            line.hung = True

        def pulled() -> None:
            self.lost = True
            disk.take_away(it.state)

        def refuses(why: int) -> None:
            self.lost = True
            disk.fault = why

        def noise() -> None:
            line.noise = self._plan.choice((50, 300, 1500))

        return {
            "disk full": (lambda: refuses(FULL), _sets(disk, "fault", 0)),
            "disk failing": (lambda: refuses(FAILING), _sets(disk, "fault", 0)),
            "disk slow": (_sets(disk, "slow_s", SLOW_S), _sets(disk, "slow_s", QUICK_S)),
            "cable out": (away, line.plug),
            "Pico reboots": (reboot, nothing),
            "Pico hangs": (hangs, line.works),
            "folder gone": (pulled, lambda: disk.bring_back(it.state)),
            "noise": (noise, _sets(line, "noise", 0)),
            "clock step": (step, nothing),
            "network slow": (
                _sets(network, "slowest_ms", SLOW_MS),
                _sets(network, "slowest_ms", QUICK_MS),
            ),
        }

    def heal(self) -> None:
        """All that is wrong now is mended."""
        it = self._evening
        it.disk.fault, it.disk.slow_s, it.line.noise = 0, QUICK_S, 0
        it.network.slowest_ms = QUICK_MS
        it.disk.bring_back(it.state)
        it.line.works()
        if not it.line.plugged:
            it.line.plug()


def _sets(what: object, name: str, value: object) -> Does:
    return lambda: setattr(what, name, value)
