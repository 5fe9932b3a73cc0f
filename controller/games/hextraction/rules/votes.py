"""A vote: whether a tile of the board stays (0.5), or a Forbidden effect of it counts (0.4).

The question is "keep this tile?": yea keeps it, nay destroys it, a tie destroys it too (0.5.4, K3).
What the verdict does to the game stands in `voting`; here is who votes when, and the tally.
"""

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import CellId


class Vote(Struct, frozen=True):
    """An open vote on the tile in `slot`, called by the seat `proposer`."""

    slot: CellId
    proposer: int
    ballots: tuple[tuple[int, bool], ...] = ()
    """Who has voted and how, yea being True, in the order in which they did."""
    settled: bool = False
    """Every ball came to rest meanwhile: the roll is concluded once the vote is over (K4)."""
    effect: int | None = None
    """The first Forbidden effect of those it is about; None where it is about the tile."""

    def voter(self, seats: int, out: tuple[int, ...]) -> int | None:
        """Whose ballot is awaited: the proposer's, then the others' in turn order (0.5.2).

        `out` are the seats that are in the game no more. None when everybody has voted.
        """
        done = {seat for seat, _ in self.ballots} | set(out)
        order = ((self.proposer + k) % seats for k in range(seats))
        return next((seat for seat in order if seat not in done), None)

    def cast(self, seat: int, yea: bool) -> "Vote":
        """With one ballot more."""
        return replace(self, ballots=(*self.ballots, (seat, yea)))

    def without(self, seat: int) -> "Vote":
        """Without the ballot of somebody who left (0.5.1, 2.8.4)."""
        return replace(self, ballots=tuple(b for b in self.ballots if b[0] != seat))

    @property
    def tally(self) -> tuple[int, int]:
        """How many yeas and how many nays."""
        yeas = sum(yea for _, yea in self.ballots)
        return yeas, len(self.ballots) - yeas

    def keeps(self, ties: str) -> bool:
        """Whether the tile stays: only by more yeas than nays (0.5.4), or by as many if `ties`
        "keep" it (K3)."""
        yeas, nays = self.tally
        return yeas >= nays if ties == "keep" else yeas > nays

    def __str__(self) -> str:
        """ "C3/1/1n,2y": slot, proposer, ballots; the effect, if it is about one; "!" at the end
        once all is at rest."""
        ballots = ",".join(f"{seat}{'ny'[yea]}" for seat, yea in self.ballots)
        about = "" if self.effect is None else f"/{self.effect}"
        rest = "!" if self.settled else ""
        return f"{self.slot}/{self.proposer}/{ballots}{about}{rest}"


def parse(text: str) -> Vote:
    """The inverse of `str`. Raises `ValueError` or `KeyError`."""
    slot, proposer, ballots, *about = text.removesuffix("!").split("/")
    cast = tuple(
        (int(ballot[:-1]), {"y": True, "n": False}[ballot[-1]])
        for ballot in ballots.split(",")
        if ballots
    )
    effect = int(about[0]) if about else None
    return Vote(slot, int(proposer), cast, text.endswith("!"), effect)
