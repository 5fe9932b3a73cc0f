"""What a device posts, collected for a test."""

from typing import Any, TypeVar

from hexboard.facts import Edge, Presence, Report, Watermark
from tests.running import eventually

Body = TypeVar("Body")


class Posted(list[Report]):
    """Reports in the order in which they came; give `append` to the device."""

    def of(self, kind: type[Body], since: int = 0) -> list[Body]:
        """The bodies of one kind, from report `since` on."""
        return [report.body for report in self[since:] if isinstance(report.body, kind)]

    def edges(self, since: int = 0) -> list[tuple[str, bool]]:
        return [(edge.sensor, edge.level) for edge in self.of(Edge, since)]

    def early(self) -> list[Report]:
        """Edges that a watermark before them had promised not to come any more."""
        found, passed = [], 0
        for report in self:
            if isinstance(report.body, Watermark):
                passed = report.body.until
            elif isinstance(report.body, Edge) and report.at < passed:
                found.append(report)
        return found

    def wait(self, true: Any) -> Any:
        """What `true()` gives once that is true."""
        return eventually(true)

    def wait_edges(self, count: int) -> list[tuple[str, bool]]:
        """All edges, once there are so many."""
        self.wait(lambda: len(self.edges()) >= count)
        return self.edges()

    def wait_presence(self, up: bool, since: int = 0) -> Presence:
        """The first report since then that the device came, or went."""
        found = self.wait(lambda: [p for p in self.of(Presence, since) if p.up is up])
        return found[0]  # type: ignore[no-any-return]
