"""A throttle on sensors that chatter.

An input that hangs in the air changes its level hundreds of times a second, for as long as the
board stands there: that fills the card. Of a sensor that is left out it matters that it still
speaks, and its level. So most of its edges are dropped, and the last ones held back until their
source says anything else: a snapshot, within a second. In a storm that is so of all sensors.
"""

from collections.abc import Callable, Iterator

from hexboard.facts import Edge, Report, Watermark

Knows = Callable[[Report], bool]
"""Whether the table knows all that a snapshot, or an edge, says."""


class Throttle:
    """Holds back edges that the table knows of. In what it lets through, levels alternate as they
    do in what came."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, list[Report]]] = {}  # edges, by source and sensor

    def passes(self, report: Report, knows: Knows) -> Iterator[Report]:
        """What is to be heard now that this report has come: nothing yet, or it, behind what was
        held back. Each is to be taken before the next is asked for."""
        match report.body:
            case Edge(sensor):
                held = self._held.setdefault(report.source, {})
                edges = held.pop(sensor, [])
                if knows(report):
                    held[sensor] = [*edges, report] if len(edges) < 2 else [report]
                    return
                yield from edges
            case Watermark():
                pass
            case _:
                for edges in self._held.pop(report.source, {}).values():
                    yield from edges
        yield report
