"""What a board costs with circuit boards: what is bought all the same, and what a board house
takes for the rest; and how many joints by hand are left then."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.commands.build.house import HouseEntry
from hexboard.commands.build.lines import BillLine, bill_line, bought, eur, joints_of, need, sourced
from hexboard.commands.build.measures import CHAIN_LEADS, SLACK, buffers, wired
from hexboard.commands.build.module import cover, flower, wires
from hexboard.commands.build.module.chain import feeds, slot_chain
from hexboard.commands.build.orders import (
    BoardKind,
    HouseLine,
    HouseOrder,
    board_kinds,
    by_hand,
    most_of,
    ordered,
)
from hexboard.commands.build.parts import PartEntry, PartsFile
from hexboard.commands.build.tiers import Tiered
from hexboard.words import Message, message, say
from hexboard.words.errors import BadText
from hexboard.words.numbers import decimal

FEED_JOINTS = 2
"""At each circuit board that wires from the supply go to: 5 V and ground."""
POWER_LEADS = 2
"""Of a cable from circuit board to circuit board; the others are the chain's."""
OF_EACH = ("m2",)
"""Fees that are no number of pieces."""


class StillByHand(Struct, frozen=True):
    """What circuit boards leave."""

    counts: Mapping[str, int]
    """How many there are of each kind."""
    board: Board
    """With the sensors that are on none of them."""
    left: Mapping[str, float]
    """How much of everything is wired by hand then (`measures`)."""
    joints: int


class Built(Struct, frozen=True):
    """All of a board with circuit boards, by one service."""

    service: str
    items: tuple[BillLine, ...]
    """What is bought, then what the board house takes (`part` begins with `house-`)."""
    low_eur: float
    high_eur: float
    house_low_eur: float
    house_high_eur: float
    """Of that, at the board house."""
    sourced_percent: int
    joints: int
    """By hand."""
    below: int
    """Of those, what stands in holes from below: not by this service."""
    panels: int
    """How many panels are assembled, all kinds on each; 0 for each kind by itself."""
    panel_mm: tuple[float, float]
    made: Mapping[str, int]
    assembled: Mapping[str, int]


# ---------------------------------------------------------------------------------------- cables


def fed_boards(tier: Tiered, kinds: Collection[str]) -> tuple[int, ...]:
    """Which circuit boards wires from the supply go to, in the order of the chain; beside slots
    there are those of `kinds`."""
    board = tier.board
    if tier.plan.slot:
        return feeds(slot_chain(board, kinds), tier.plan)
    return feeds(flower.flower_chain(board, cover.cover(board)), tier.plan)


def cabled(tier: Tiered, rest: Board, counts: Mapping[str, int]) -> dict[str, float]:
    """Wire and plugs: each circuit board has a cable towards the Pico, of five leads of the chain,
    5 V and ground, a plug at each end, but none at the Pico; 5 V come to some by thicker wires.
    What is wired by hand hangs on the last plug by such a cable."""
    board, plan = tier.board, tier.plan
    kinds = beside_kinds(counts)
    hops = wires.hops_mm(board, kinds) if plan.slot else cover.hops_mm(board, cover.cover(board))
    near = wires.hand_hops_mm(board, kinds)[:1] if plan.slot else ()
    length, on = SLACK * (plan.lead_mm + sum(hops)) / 1000, SLACK * sum(near) / 1000
    hand = wired(rest, plan, sum(near))
    fed = SLACK * 2 * plan.lead_mm * len(fed_boards(tier, kinds)) / 1000
    return {
        "cable_plug": 2 * sum(counts.values()) - 1 + len(near),
        "signal_m": hand["signal_m"] + CHAIN_LEADS * length,
        "strip_m": POWER_LEADS * (length + on),
        "power_m": hand["beams_m"] + fed,
        "buffer": len(buffers(rest, replace(plan, lead_mm=sum(near)))),
    }


def beside_kinds(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Which circuit boards beside those of slots are counted."""
    return tuple(kind for kind in wires.BESIDE if kind in counts)


# ----------------------------------------------------------------------------------------- prices


def built(
    tier: Tiered,
    parts: PartsFile,
    suited: Sequence[PartEntry],
    found: Mapping[str, float],
    rest: StillByHand,
) -> tuple[tuple[Built, ...], str]:
    """What a board costs by each service that takes it; else why that is not known."""
    house = parts.house
    if house is None:
        return (), say(message("bill.no_house"))
    try:
        kinds = board_kinds(tier, rest.counts)
        orders = [(it, ordered(house, it, kinds, parts.rates)) for it in house.services]
        loose = by_hand(house, kinds, parts.rates)
    except BadText as error:
        return (), str(error)
    kept = tuple(_kept(tier, parts, suited, found, rest))
    all_: list[Built] = []
    for service, order in orders:
        if order is not None:
            one_side = service.sides == 1
            all_.append(_built(rest, order, kept, loose if one_side else (), kinds, one_side))
    return tuple(all_), "" if all_ else say(_refused(house, kinds))


def _refused(house: HouseEntry, kinds: Sequence[BoardKind]) -> Message:
    """Why no service takes them."""
    wanted, most = max(it.count for it in kinds), most_of(house)
    if wanted > most:
        return message("bill.too_many", house=house.name, most=most, wanted=wanted)
    return message("bill.no_service", house=house.name)


def _built(
    rest: StillByHand,
    order: HouseOrder,
    kept: Sequence[BillLine],
    loose: Sequence[HouseLine],
    kinds: Sequence[BoardKind],
    one_side: bool,
) -> Built:
    below = sum(it.count * it.below for it in kinds) if one_side else 0
    bought_loose = [_line(it, "loose") for it in loose]
    if bought_loose:  # their joints, in one line
        bought_loose[0] = replace(bought_loose[0], joints=below)
    paid = [*map(_line, _merged(order.lines))]
    items = (*kept, *bought_loose, *paid)
    return Built(
        service=order.service,
        items=items,
        low_eur=round(sum(it.low_eur for it in items), 2),
        high_eur=round(sum(it.high_eur for it in items), 2),
        house_low_eur=round(sum(it.low_eur for it in paid), 2),
        house_high_eur=round(sum(it.high_eur for it in paid), 2),
        sourced_percent=sourced(items),
        joints=rest.joints + below,
        below=below,
        panels=order.panels,
        panel_mm=order.size_mm,
        made=dict(order.made),
        assembled=dict(order.assembled),
    )


def _kept(
    tier: Tiered,
    parts: PartsFile,
    suited: Sequence[PartEntry],
    found: Mapping[str, float],
    rest: StillByHand,
) -> Iterator[BillLine]:
    """The parts that are bought all the same: what is wired by hand of all that is on no circuit
    board; and what lies in the print, without joints, for its legs go into sockets."""
    on_them = {what: count - rest.left.get(what, 0.0) for what, count in found.items()}
    without = Tiered(tier.id, tier.entry, rest.board, tier.plan)
    for part in suited:
        entry = replace(part, count={"all": 1.0}, joints=0, soldered=None)
        by = {"all": need(part.count, rest.left) + need(part.boards or {}, on_them)}
        if bought(entry, by) > 0:
            line = bill_line(entry, by, without, parts.rates)
            detail = bill_line(part, rest.left, without, parts.rates).detail
            yield replace(line, joints=joints_of(part, rest.left), detail=detail)


def _merged(lines: Sequence[HouseLine]) -> Iterator[HouseLine]:
    """Alike fees and parts of several orders in one."""
    for key in dict.fromkeys((it.what, it.fee, it.price) for it in lines):
        alike = [it.count for it in lines if (it.what, it.fee, it.price) == key]
        yield HouseLine(key[0], key[1], sum(alike), key[2])


def _line(it: HouseLine, where: str = "house") -> BillLine:
    name = say(message(f"bill.fee_{it.what}")) if it.fee else it.what
    whole = it.what not in OF_EACH
    return BillLine(
        part=f"{where}-{it.what}",
        name=name,
        count=round(it.count) if whole else round(it.count, 4),
        unit="" if whole else "m²",
        detail="",
        low_eur=round(it.count * it.price.low, 2),
        high_eur=round(it.count * it.price.high, 2),
        joints=0,
        numbers=(),
        instead=(),
        sources=it.price.sources,
    )


# --------------------------------------------------------------------------------------- in words


def told_built(found: Sequence[Built], why: str) -> Iterator[Message]:
    """What a board costs with circuit boards, as sentences."""
    if why:
        yield message("bill.boards_why", why=why)
    for it in found:
        yield message(
            "bill.boards_both" if not it.below else "bill.boards_above",
            low=eur(it.low_eur),
            high=eur(it.high_eur),
            house_low=eur(it.house_low_eur),
            house_high=eur(it.house_high_eur),
            sourced=it.sourced_percent,
            joints=it.joints,
            below=it.below,
        )
        made = ", ".join(say(_number(kind, count)) for kind, count in it.made.items())
        assembled = ", ".join(say(_number(kind, count)) for kind, count in it.assembled.items())
        if it.panels:
            wide, high = (decimal(length) for length in it.panel_mm)
            yield message(
                "bill.on_panels",
                panels=it.panels,
                wide=wide,
                high=high,
                made=made,
                assembled=assembled,
            )
        else:
            yield message("bill.apart", made=made, assembled=assembled)


def _number(kind: str, count: int) -> Message:
    return {
        "slot": message("bill.slots", count=count),
        "ramp": message("bill.ramps", count=count),
        "zone": message("bill.zones", count=count),
        "seven": message("bill.sevens", count=count),
    }[kind]
