"""What circuit boards cost at a board house: made, assembled, with their parts.

Joints and parts are counted from the circuits that `hexboard build --module` draws, by their pads;
sizes are those of their outlines. Whatever has to be made or assembled more than is needed is paid.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from hexboard.commands.build.house import (
    HouseEntry,
    HousePartEntry,
    Priced,
    ServiceEntry,
    priced,
)
from hexboard.commands.build.module.circuit import CircuitPart
from hexboard.commands.build.module.kinds import laid_out
from hexboard.commands.build.module.placing import BODIES, ModulePlan
from hexboard.commands.build.prices import RatesEntry
from hexboard.commands.build.tiers import Tiered
from hexboard.words.errors import BadText


class BoardKind(Struct, frozen=True):
    """One kind of circuit board: how many are needed, its size, and on each of them joints, and
    parts by value."""

    id: str
    """`slot`, `ramp`, `zone` or `seven`."""
    count: int
    wide_mm: float
    high_mm: float
    smd: int
    """Joints of what lies on it."""
    holes: int
    """Of what stands in holes, its body above."""
    below: int
    """Of what stands in holes, its body below."""
    placed: Mapping[str, int]
    """What a machine places."""
    soldered: Mapping[str, int]
    """What stands in holes, above."""
    under: Mapping[str, int]
    """And below."""


class HouseLine(Struct, frozen=True):
    """What is paid: a fee, or a part by its value; how many, for how much in all, EUR."""

    what: str
    fee: bool
    count: float
    price: Priced


class HouseOrder(Struct, frozen=True):
    """Circuit boards as they are ordered."""

    service: str
    panels: int
    """How many panels are assembled, all kinds on each; 0 for each kind by itself."""
    made: Mapping[str, int]
    """How many of each kind there are then, bare ones too."""
    assembled: Mapping[str, int]
    size_mm: tuple[float, float]
    """Of a panel; 0 without one."""
    lines: tuple[HouseLine, ...]

    @property
    def high(self) -> float:
        return sum(it.count * it.price.high for it in self.lines)


# ------------------------------------------------------------------------------- what is on them


def board_kinds(tier: Tiered, counts: Mapping[str, int]) -> tuple[BoardKind, ...]:
    """Those that a board has, by how many of each. Raises `BadText` where they cannot be drawn."""
    return tuple(
        _kind(id, count, laid_out(id, tier.board, tier.plan.ball_mm)[1])
        for id, count in counts.items()
        if count
    )


def _kind(id: str, count: int, layout: ModulePlan) -> BoardKind:
    fitted = [it for it in layout.parts if it.part.fitted]
    flat = [it.part for it in fitted if not _holes(it.part)]
    above = [it.part for it in fitted if _holes(it.part) and not it.below]
    under = [it.part for it in fitted if _holes(it.part) and it.below]
    xs, ys = zip(*layout.outline, strict=True)
    return BoardKind(
        id=id,
        count=count,
        wide_mm=round(max(xs) - min(xs), 2),
        high_mm=round(max(ys) - min(ys), 2),
        smd=_joints(flat),
        holes=_joints(above),
        below=_joints(under),
        placed=_values(flat),
        soldered=_values(above),
        under=_values(under),
    )


def _holes(part: CircuitPart) -> bool:
    return any(land.drill for land in BODIES[part.body])


def _joints(parts: Sequence[CircuitPart]) -> int:
    return sum(len(BODIES[it.body]) for it in parts)


def _values(parts: Sequence[CircuitPart]) -> Counter[str]:
    return Counter(it.value for it in parts)


# ------------------------------------------------------------------------------------- the order


def ordered(
    house: HouseEntry,
    service: ServiceEntry,
    kinds: Sequence[BoardKind],
    rates: RatesEntry | None,
) -> HouseOrder | None:
    """The cheapest way to have them from a service; None where none fits."""
    desk, most = _Desk(house, service, rates), most_of(house)
    ways = [desk.panels(kinds, number) for number in house.assembled if number <= most]
    alone = all(min(it.wide_mm, it.high_mm) >= service.alone_mm for it in kinds)
    if alone and all(it.count <= most for it in kinds):
        ways.append(desk.apart(kinds))
    return min((it for it in ways if it is not None), key=lambda it: it.high, default=None)


class _Desk:
    """Where one service takes orders."""

    def __init__(self, house: HouseEntry, service: ServiceEntry, rates: RatesEntry | None) -> None:
        self._house, self._service, self._rates = house, service, rates

    def apart(self, kinds: Sequence[BoardKind]) -> HouseOrder:
        """Each kind by itself."""
        house = self._house
        made = {it.id: _step(house.made, it.count) for it in kinds}
        assembled = {it.id: _step(house.assembled, it.count) for it in kinds}
        lines: list[HouseLine] = []
        for it in kinds:
            least, size = made[it.id] <= house.made[0], (it.wide_mm, it.high_mm)
            lines += self._bare(made[it.id], *size, least and max(size) <= house.offer_mm)
            lines += self._edges(it, made[it.id])
            lines += self._assembly([it], assembled)
        return self._order(0, made, assembled, (0.0, 0.0), lines)

    def panels(self, kinds: Sequence[BoardKind], number: int) -> HouseOrder | None:
        """All kinds on each of some panels; None where that is too large, or more than needed."""
        house = self._house
        each = {it.id: -(-it.count // number) for it in kinds}
        if number > max(it.count for it in kinds):
            return None
        if (size := packed(kinds, each, house)) is None:
            return None
        panels = _step(house.made, number)
        made = {kind: panels * count for kind, count in each.items()}
        assembled = {kind: number * count for kind, count in each.items()}
        lines = [*self._bare(panels, *size, offer=False)]
        lines += (line for it in kinds for line in self._edges(it, made[it.id]))
        lines += self._fee("design", len(kinds) - 1)
        lines += self._fee("panel", 1)
        lines += self._fee("depanel", 1)
        lines += self._assembly(kinds, assembled)
        return self._order(number, made, assembled, size, lines)

    def _order(
        self,
        panels: int,
        made: Mapping[str, int],
        assembled: Mapping[str, int],
        size: tuple[float, float],
        lines: Sequence[HouseLine],
    ) -> HouseOrder:
        return HouseOrder(self._service.id, panels, made, assembled, size, tuple(lines))

    def _bare(self, made: int, wide: float, high: float, offer: bool) -> Iterator[HouseLine]:
        if offer:
            yield from self._fee("offer", 1)
        else:
            yield from self._fee("order", 1)
            yield from self._fee("m2", made * wide * high / 1e6)

    def _edges(self, it: BoardKind, made: int) -> Iterator[HouseLine]:
        if min(it.wide_mm, it.high_mm) < self._house.edge_mm:
            yield from self._fee("edge", made)

    def _assembly(
        self, kinds: Sequence[BoardKind], assembled: Mapping[str, int]
    ) -> Iterator[HouseLine]:
        """Fees once for these, for each joint and feeder, and their parts."""
        whole = self._service.sides == 2
        hand = sum(assembled[it.id] * (it.holes + whole * it.below) for it in kinds)
        feeders = {value for it in kinds for value in it.placed}
        if self._service.free:
            feeders = {value for value in feeders if not _part(self._house, value).basic}
        yield from self._fee("setup", 1)
        yield from self._fee("stencil", 1)
        yield from self._fee("packing", 1)
        yield from self._fee("fixture", int(whole and any(it.below for it in kinds)))
        yield from self._fee("feeder", len(feeders))
        yield from self._fee("smt", sum(assembled[it.id] * it.smd for it in kinds))
        yield from self._fee("labour", int(hand > 0))
        yield from self._fee("manual", hand)
        taken = Counter[str]()
        for it in kinds:
            for group in (it.placed, it.soldered, it.under if whole else {}):
                for value, count in group.items():
                    taken[value] += assembled[it.id] * count
        for value, count in taken.items():
            part = _part(self._house, value)
            yield self._of(value, max(count + part.spare, part.least))

    def _of(self, value: str, count: int) -> HouseLine:
        return HouseLine(value, False, count, priced(_part(self._house, value), count, self._rates))

    def _fee(self, id: str, count: float) -> Iterator[HouseLine]:
        entry = self._house.fee(id, self._service.id)
        if entry is not None and count:
            yield HouseLine(id, True, count, priced(entry, count, self._rates))


def by_hand(
    house: HouseEntry, kinds: Sequence[BoardKind], rates: RatesEntry | None
) -> tuple[HouseLine, ...]:
    """What a service that solders above alone leaves: bought loose, as many as are needed."""
    left = Counter[str]()
    for it in kinds:
        for value, count in it.under.items():
            left[value] += it.count * count
    return tuple(
        HouseLine(value, False, count, priced(_part(house, value), count, rates))
        for value, count in left.items()
    )


def _part(house: HouseEntry, value: str) -> HousePartEntry:
    found = next((it for it in house.parts if it.value == value), None)
    if found is None:
        raise BadText("bill.house_lacks", value=value, house=house.name)
    return found


def most_of(house: HouseEntry) -> int:
    """How many of one kind, or panels, it makes and assembles at most."""
    return min(house.made[-1], house.assembled[-1])


def _step(steps: Sequence[int], least: int) -> int:
    return next(it for it in steps if it >= least)


def packed(
    kinds: Sequence[BoardKind], each: Mapping[str, int], house: HouseEntry
) -> tuple[float, float] | None:
    """The smallest panel with so many of each, in rows, a gap between any two, a rail along two
    sides: wide, high. None where that is too large."""
    sizes = [(it.high_mm, it.wide_mm) for it in kinds for _ in range(each[it.id])]
    sizes.sort(reverse=True)
    widest, gap = max(wide for _, wide in sizes), house.gap_mm
    limits = {k * (widest + gap) - gap for k in range(1, len(sizes) + 1)}
    found = []
    for limit in sorted(limits):
        rows = _rows(sizes, limit, gap)
        wide = max(row[0] for row in rows)
        high = sum(row[1] for row in rows) + gap * (len(rows) - 1) + 2 * house.rail_mm
        if max(wide, high) <= house.panel_mm:
            found.append((round(wide, 2), round(high, 2)))
    return min(found, key=math.prod, default=None)


def _rows(
    sizes: Sequence[tuple[float, float]], limit: float, gap: float
) -> list[tuple[float, float]]:
    """Rows of those, the highest first, each as wide as it may be: wide, high."""
    rows: list[tuple[float, float]] = []
    for high, wide in sizes:
        for k, (used, row) in enumerate(rows):
            if used + gap + wide <= limit + 1e-9:
                rows[k] = (used + gap + wide, row)
                break
        else:
            rows.append((wide, high))
    return rows
