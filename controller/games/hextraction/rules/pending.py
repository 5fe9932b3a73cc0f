"""An effect that was set off, and waits or is being resolved (2.1.4.2, 2.6.3)."""

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules.zones import NOBODY, copy_of, owner_of, tile_of


class Pending(Struct, frozen=True):
    """One activation of the effect `effect` of the tile that lay in `slot` when it was set off.

    `seat` makes its choices; `ball` set it off, 0 for none.
    """

    number: int
    slot: CellId
    tile: str
    effect: int
    seat: int
    ball: int = 0
    before: CellId = ""
    """The slot whose tile the ball touched before this one."""
    step: int = 0
    """How many of its operations are done, those of its cost first (2.7.3)."""
    answers: tuple[str, ...] = ()
    """What was chosen for the operation at hand so far."""
    owner: int = NOBODY
    """Whose the tile is, as far as that was known when the effect was set off."""
    lies: bool = True
    """No other tile has come into the slot since."""

    @property
    def own(self) -> CellId:
        """The slot as that of its tile; "" once another one lies there."""
        return self.slot if self.lies else ""

    @property
    def key(self) -> str:
        """Which effect it is: "C3/0"."""
        return f"{self.slot}/{self.effect}"

    def answered(self, answer: str) -> "Pending":
        """With one answer more."""
        return replace(self, answers=(*self.answers, answer))

    def next(self) -> "Pending":
        """Its next operation is at hand."""
        return replace(self, step=self.step + 1, answers=())

    def __str__(self) -> str:
        """ "2:C3:Gear~1:0:1:4:B2:0:C4+2": as the fields stand above, the tile with its owner, the
        answers joined by "+"; "-C3" where another tile lies in the slot."""
        copy, slot = copy_of(self.tile, self.owner), self.slot if self.lies else f"-{self.slot}"
        fields = (self.number, slot, copy, self.effect, self.seat, self.ball)
        return ":".join(map(str, (*fields, self.before, self.step, "+".join(self.answers))))


def parse(text: str) -> Pending:
    """The inverse of `str`. Raises `ValueError`."""
    number, slot, copy, effect, seat, ball, before, step, answers = text.split(":")
    return Pending(
        number=int(number),
        slot=slot.removeprefix("-"),
        tile=tile_of(copy),
        effect=int(effect),
        seat=int(seat),
        ball=int(ball),
        before=before,
        step=int(step),
        answers=tuple(answers.split("+")) if answers else (),
        owner=owner_of(copy),
        lies=not slot.startswith("-"),
    )
