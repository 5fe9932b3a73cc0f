"""What the table of tiles and balls shows beside what every table shows."""

from hexboard.table.view import OwnView


class BallsView(OwnView, frozen=True):
    """What is known of balls that sensors see roll."""

    unfelt: frozenset[int]
    """The balls that are only believed to lie where they lie: no sensor feels them there."""
