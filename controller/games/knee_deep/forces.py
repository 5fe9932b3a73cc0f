"""What each side has on and off the board, as everybody may know it: supply, losses, the zone."""

from collections.abc import Iterator

from hexboard.games.knee_deep.state import NAMES, NOBODY, State
from hexboard.games.knee_deep.turn import losses
from hexboard.games.knee_deep.values import KINDS
from hexboard.words import Message, message


def forces(state: State) -> Iterator[Message]:
    """A line a seat, the scrapyard, and how the war stands in the zone of a marker."""
    if not state.round:
        return
    for seat in (0, 1):
        yield _has(state, seat)
    full = state.setting.box.values.scrapyard
    yield message("knee_deep.scrapyard", "KDH-1.8", count=len(state.scrap), full=full)
    if state.marker != NOBODY:
        yield message(
            "knee_deep.in_zone",
            "KDH-8.6",
            name=state.crossing.name,
            gondwana=state.total(0),
            bukseon=state.total(1),
        )


def _has(state: State, seat: int) -> Message:
    health, units = losses(state, seat)
    acv, tank, palooza, extractor, turret, factory = (
        state.supply(seat, kind) for kind in range(len(KINDS))
    )
    return message(
        "knee_deep.forces",
        "KDH-0.9",
        seat=NAMES[seat],
        hq=state.hq_hp(seat),
        units=units,
        health=health,
        acv=acv,
        tank=tank,
        palooza=palooza,
        extractor=extractor,
        turret=turret,
        factory=factory,
    )
