"""What the lights of a chain of circuit boards may draw: LEDs of beams and seats have their 5 V
from the lights', behind one fuse."""

from msgspec.structs import replace

from hexboard.board import Board, Rail, RailEntry, made
from hexboard.board.building import LED_MA, leds, steady
from hexboard.commands.build.tiers import Tiered


def one_fuse(tier: Tiered) -> Tiered:
    """A board as it is on circuit boards: what is left of the fuse for the lights is their limit.
    What is wired by hand has its 5 V from the last plug, behind the same fuse."""
    board, plan = tier.board, tier.plan
    if not (leds(board) and board.pixels):
        return tier
    rail = lit(board)
    limit = rail.limit_ma
    if fuse := plan.fuses.get(rail.id):
        limit = max(0, min(limit, steady(fuse) - LED_MA * leds(board)))
    plan = replace(plan, beams_on=rail.id, beams_fuse_ma=None)
    rails = tuple(_limited(it, rail.id, limit) for it in tier.entry.rails)
    entry = replace(tier.entry, rails=rails, build=plan)
    return Tiered(tier.id, entry, made(entry), plan)


def _limited(it: RailEntry, rail: str, limit_ma: int) -> RailEntry:
    return replace(it, limit_ma=limit_ma) if it.id == rail else it


def lit(board: Board) -> Rail:
    """The rail of the lights."""
    return board.rails[board.pixels[0].rail]
