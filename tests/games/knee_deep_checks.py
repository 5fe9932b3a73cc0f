"""What is so in every position of Knee Deep in Hexes, and from each to the next."""

from hexboard.games.knee_deep import KneeDeep
from hexboard.games.knee_deep.state import NOBODY
from hexboard.games.knee_deep.text import deck

WAR = ("lay", "answer", "reveal", "resolve", "damage")


def check_step(before: KneeDeep, after: KneeDeep, triggers: bool = False) -> None:
    """An action keeps what it must: a fact that a single position cannot show, and all those it
    can. With `triggers` a turn can begin or end with more than its income."""
    came_back = sum(event.key == "knee_deep.revives" for event in after.events)
    if came_back:
        assert len(after.scrap) >= len(before.scrap) - came_back
    else:
        assert after.scrap.startswith(before.scrap), "a unit left the scrapyard"
    assert after.round - before.round in (0, 1)
    if before.phase not in ("companions", "start"):
        assert after.companions == before.companions
        assert after.starter == before.starter
    _check_marker(before, after)
    turned = after.round and after.active != before.active and after.phase != "over"
    if turned and not triggers:
        assert (after.material, after.energy) == _income(after), "something was left over (10.1)"
    check(after, triggers)


def check(position: KneeDeep, triggers: bool = False) -> None:
    """Units, health points, cards, the marker and the stock."""
    _check_units(position)
    for seat in (0, 1):
        _check_cards(position, seat)
    values = position.setting.box.values
    assert len(position.scrap) <= values.scrapyard
    assert position.phase == "over" or len(position.scrap) < values.scrapyard
    assert position.hurt == (0, 0) or position.winner != NOBODY  # an HQ falls at once, whole
    assert position.material >= 0
    assert position.energy >= 0
    assert position.surplus >= 0
    assert (position.marker == NOBODY) == (position.marker_of == NOBODY)
    if position.phase in ("power_up", "act", *WAR) and position.marker != NOBODY:
        assert position.marker_of != position.active
    if position.phase == "exhaust" and not triggers:
        assert (position.material, position.energy) == (0, 0)
    if position.phase not in (*WAR, "over"):
        assert position.laid == (-2, -2)
        assert (position.bonus, position.included, position.excluded) == ((0, 0), (), ())
    assert bool(position.legal) == (position.scores is None)


def _check_units(position: KneeDeep) -> None:
    """No more of a kind than a side has, none where nothing can stand, each with its health."""
    ground, values = position.setting.ground, position.setting.box.values
    standing = position.units
    assert len(standing) - standing.count(0) == sum(standing[field] > 0 for field in ground.plain)
    for seat in (0, 1):
        health = 0
        for kind, unit in enumerate(values.units):
            code = 1 + 6 * seat + kind
            out = (
                standing.count(code) + position.scrap.count(code) + position.scrap.count(code + 16)
            )
            assert out + position.supply(seat, kind) == unit.supply
            assert 0 <= out <= unit.supply
            health += unit.hp * (out + position.supply(seat, kind))
        assert health == 43


def _check_cards(position: KneeDeep, seat: int) -> None:
    """Every card of the deck is in one place, and no other is anywhere."""
    laid = (position.laid[seat],) if position.laid[seat] > 0 else ()
    top = position.top[seat]
    hidden = (*position.unseen[seat], *top, *position.hands[seat])
    cards = (*hidden, *position.discards[seat], *laid)
    assert bytes(sorted(cards)) == deck(position.setting, seat, position.companions[seat])
    assert position.pile(seat) == len(position.unseen[seat]) + len(top)


def _income(position: KneeDeep) -> tuple[int, int]:
    """Two companions of the house box and the fields beside extractors; the very first turn lacks a
    material (6.1, 6.2, 5.2)."""
    material, energy = position.yields(position.active)
    first = position.round == 1 and position.active == position.starter
    return 4 + len(material) - first, 2 + len(energy)


def _check_marker(before: KneeDeep, after: KneeDeep) -> None:
    """A marker comes on the board by its owner in phase 4, and leaves it with the war (8.11)."""
    if after.marker != NOBODY and before.marker == NOBODY:
        assert before.phase == "mark"
        assert after.marker_of == before.active
    if before.marker != NOBODY and before.marker_of != after.marker_of:
        assert before.phase in ("act", *WAR)
