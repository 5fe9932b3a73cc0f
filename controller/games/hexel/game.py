"""Hex'el as a game module: how to start and read it, and which rules it is."""

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from hexboard.board import Board
from hexboard.game.options import Carried, Options
from hexboard.games.hexel import text as written
from hexboard.games.hexel.cards import CARD, FACES, UNKNOWN
from hexboard.games.hexel.chips import bought
from hexboard.games.hexel.grid import occupied
from hexboard.games.hexel.notation import called
from hexboard.games.hexel.position import Hexel
from hexboard.games.hexel.setting import HAND, OPTIONS, Setting, carried, setting
from hexboard.games.hexel.state import NOBODY, NONE_YET, PHASES
from hexboard.words import Message, message
from hexboard.words.errors import BadText


def rules() -> str:
    """What a recording is tied to: the rules text, our rulings on it and their options."""
    return _version(2)


def earlier_rules() -> dict[str, Options]:
    """In version 1 the Hedges could go to somebody who was stuck, where the last player to place
    had left (HEXEL-7.4)."""
    return {_version(1): {}}


def _version(number: int) -> str:
    asked = (option for option in OPTIONS if not option.carried)  # the others rule nothing
    rulings = " ".join(f"{option.name}={option.default}" for option in asked)
    return f"hexel {number} rulings {blake2b(rulings.encode(), digest_size=4).hexdigest()}"


def board(options: Options) -> str:
    """The board it is played on where nobody chose one."""
    return "table"


def start(board: Board, options: Options | None = None) -> Hexel:
    """An empty table, the dealer to lay the opening line. Raises `BadText`, `BadFile`."""
    return _start(setting(board, options or {}))


def _start(chosen: Setting) -> Hexel:
    seats = chosen.seats
    return Hexel(
        chosen,
        phase="line" if chosen.held else "draw",
        table=chosen.grid.empty,
        unseen=chosen.deck,
        hands=(b"",) * seats,
        discards=(b"",) * seats,
        chips=bought(chosen.stocks),
        edges=(NONE_YET,) * seats,
        turn=chosen.dealer,
    )


def carries(position: Hexel) -> Carried | None:
    """The chips of a game that is over, and who deals the next one: the next seat clockwise
    (HEXEL-7.3, ruling A15)."""
    if position.phase != "over":
        return None
    chosen = position.setting
    dealer = (chosen.dealer + 1) % chosen.seats
    stocks = position.chips.kept if chosen.money else ()
    said = [
        message("hexel.begins_with", "HEXEL-7.3", seat=called(seat), chips=chips)
        for seat, chips in enumerate(stocks)
    ]
    deals = message("hexel.deals_next", "HEXEL-A15", seat=called(dealer))
    return Carried(carried(dealer, stocks), (*said, deals))


def departed(position: Hexel) -> tuple[int, ...]:
    """The seats that are out while the others play on (HEXEL-6.3)."""
    return position.out if position.phase != "over" else ()


def parse(text: str, board: Board, options: Options | None = None) -> Hexel:
    """The position that `str` wrote. Raises `BadText` for anything else, naming what is wrong."""
    chosen = setting(board, options or {})
    fields = written.read(text, chosen)
    for wrong in _wrong(fields, chosen):
        raise BadText("hexel.cannot_be", part=wrong)
    known = b"".join((fields["drawn"], *fields["hands"], *fields["discards"]))
    table: bytes = fields["table"]
    cards = bytes(CARD[table[cell]] for cell in occupied(table)) + known.replace(b"\0", b"")
    unseen = Counter(chosen.deck)
    unseen.subtract(cards)
    if short := next((card for card, count in sorted(unseen.items()) if count < 0), None):
        raise BadText("hexel.too_often", card=FACES[short])
    position = Hexel(chosen, unseen=bytes(sorted(unseen.elements())), **fields)
    if position.pile < 0:
        raise BadText("hexel.cannot_be", part="hands")
    for wrong in _out_of_step(position):
        raise BadText("hexel.cannot_be", part=wrong)
    return position


def problem(position: Hexel) -> Message | None:
    """Why a written position could not come about (`Game.problem`); None where it looks so."""
    return next(_unlikely(position), None)


def _unlikely(position: Hexel) -> Iterator[Message]:
    """What the rules let nobody lay, and an end that has no cause."""
    grid, table = position.setting.grid, position.table
    cards = list(occupied(table))
    for cell in cards:
        if grid.wrong(table, cell, table[cell]) is not None:
            yield message("hexel.unmatched", "HEXEL-5.2", cell=grid.ids[cell])
    for cell in sorted({*cards} - _joined(position)):
        yield message("hexel.floating", "HEXEL-5.1", cell=grid.ids[cell])
    played = any(cell not in grid.line for cell in cards)
    if not played == (position.spot != NOBODY) == (position.placer != NOBODY):
        yield message("hexel.no_last", "HEXEL-5.1")
    if not _evenly_dealt(position):
        yield message("hexel.uneven", "HEXEL-4.1")
    hoxlas = [cell for cell in cards if grid.hoxla(table, cell)]
    over = position.phase == "over"
    if hoxlas and not over:
        yield message("hexel.past_end", "HEXEL-5.4", cell=grid.ids[hoxlas[0]])
    few = len(position.inside) <= int(position.setting.seats > 1)
    if over and not hoxlas and not few and not _run_out(position):
        yield message("hexel.no_end", "HEXEL-7.4")
    elif over and position.winner != (wins := _wins(position, bool(hoxlas))):
        if wins == NOBODY:
            yield message("hexel.no_winner", "HEXEL-7.4")
        else:
            yield message("hexel.other_winner", "HEXEL-7.3", seat=called(wins))


def _evenly_dealt(position: Hexel) -> bool:
    """Whether the cards in hand come from an equal deal, three each where the rules want that
    (ruling A10), and from turns clockwise after it."""
    phase, setting = position.phase, position.setting
    if phase not in ("deal", "stake", "hedge", "place"):
        return True
    held = [len(position.hands[seat]) for seat in position.clockwise(position.turn)]
    if phase == "deal":
        return max(held) - min(held) <= 1 and (
            position.share == HAND or setting.short_deal == "deal_equally"
        )
    if phase == "place":  # who is still to place in this lap has one card more
        return held == sorted(held, reverse=True) and held[0] - held[-1] <= 1
    return len(set(held)) == 1 and (held[0] == HAND or setting.short_deal == "deal_equally")


def _wins(position: Hexel, hoxla: bool) -> int:
    """Who wins a game that is over: who made the Hoxla (HEXEL-5.4), who alone is left (A11), or
    who of those placed last where that wins the Hedges (HEXEL-7.4), which the position does not say
    once the last one to place is out."""
    inside, placer = position.inside, position.placer
    if hoxla:
        return placer
    if len(inside) == 1 < position.setting.seats and position.setting.last_left != "plays_on":
        return inside[0]
    if not inside or not position.setting.money or placer == NOBODY:
        return NOBODY
    if placer not in inside and position.winner in inside:
        return position.winner
    return position.clockwise(placer + 1)[-1]


def _joined(position: Hexel) -> set[int]:
    """The cells with cards that hang together with the first one of the opening line."""
    grid, table = position.setting.grid, position.table
    found, edge = set[int](), {cell for cell in grid.line[:1] if table[cell]}
    while edge:
        found |= edge
        edge = {near for cell in edge for near in grid.around[cell] if table[near]} - found
    return found


def _run_out(position: Hexel) -> bool:
    """Whether there are too few cards for another round (HEXEL-7.4)."""
    least = HAND if position.setting.short_deal == "end" else 1
    return not any(position.hands) and position.share < least


def _wrong(fields: dict[str, Any], chosen: Setting) -> Iterator[str]:
    """The names of fields that no position of this setting has."""
    seats, chips = range(chosen.seats), fields["chips"]
    seat_lists = (*fields["hands"], *fields["discards"], fields["drawn"])
    if fields["phase"] not in PHASES:
        yield "phase"
    if fields["turn"] not in seats:
        yield "turn"
    for key in ("placer", "winner"):
        if fields[key] not in (NOBODY, *seats):
            yield key
    if fields["eyes"] not in (NOBODY, *seats, len(seats)):  # the last: what everybody may know
        yield "eyes"
    for key in ("out", "hedged"):
        if list(fields[key]) != sorted(set(fields[key]) & set(seats)):
            yield key
    for key in ("hands", "discards", "edges"):
        if len(fields[key]) != len(seats):
            yield key
    total = chosen.stock * len(seats) if chosen.money else 0
    if {len(chips.stock), len(chips.hedge), len(chips.hand)} != {len(seats)}:
        yield "stock"
    if chips.total != total:
        yield "stock"
    if chips.stake > (chosen.stock if chosen.money else 0):
        yield "stake"
    if not all(-1 <= edges <= 6 for edges in (*fields["edges"], fields["latest"])):
        yield "edges"
    if any(list(cards) != sorted(cards) for cards in seat_lists[:-1]):
        yield "hands"
    if any(len(hand) > HAND for hand in fields["hands"]):
        yield "hands"
    if fields["spot"] != NOBODY and not fields["table"][fields["spot"]]:
        yield "spot"


def _out_of_step(position: Hexel) -> Iterator[str]:
    """The names of fields that do not go with the phase."""
    chosen, phase, inside = position.setting, position.phase, position.inside
    line = [bool(position.table[cell]) for cell in chosen.grid.line]
    opening = phase in ("draw", "line")
    if phase != "over" and not inside:
        yield "out"
        return
    if any(position.hands[seat] for seat in position.out):
        yield "hands"
    if phase != "over" and position.winner != NOBODY:
        yield "winner"
    if phase not in ("place", "over") and position.turn != position.dealer:
        yield "turn"
    if opening:
        yield from _bad_opening(position, line)
    elif phase != "over" and (position.drawn or not all(line)):
        yield "table"
    if phase in ("stake", "hedge") and not chosen.money:
        yield "phase"
    if (phase == "hedge" or (phase == "place" and chosen.money)) and not position.chips.stake:
        yield "stake"
    if (opening or phase == "stake") and position.chips.stake:
        yield "stake"
    if phase == "hedge" and set(inside) <= set(position.hedged):
        yield "hedged"
    if (opening or phase in ("deal", "stake")) and position.hedged:
        yield "hedged"
    if phase == "place" and position.turn not in inside:
        yield "turn"
    yield from _bad_hands(position)


def _bad_hands(position: Hexel) -> Iterator[str]:
    """Everybody has cards when stakes, hedges and turns begin (HEXEL-3.5, 4.1), who places has one
    to place, and the pile has those that a deal still lacks."""
    held = [len(position.hands[seat]) for seat in position.clockwise(position.turn)]
    if position.phase in ("stake", "hedge") and 0 in held:
        yield "hands"
    if position.phase == "place" and not position.hands[position.turn]:
        yield "turn"
    if position.phase == "deal" and not min(held) < position.share >= max(held):
        yield "hands"


def _bad_opening(position: Hexel, line: list[bool]) -> Iterator[str]:
    """Before the line is complete only it lies there, from the west, and nobody holds a card."""
    chosen, count = position.setting, len(list(occupied(position.table)))
    if line != sorted(line, reverse=True) or sum(line) != count or all(line):
        yield "table"
    if any(position.hands) or any(position.discards):
        yield "hands"
    cards = count + len(position.drawn)
    if UNKNOWN in position.drawn or (chosen.held and position.drawn):
        yield "drawn"
    if chosen.opening_order == "free" and list(position.drawn) != sorted(position.drawn):
        yield "drawn"
    if position.phase == "draw" and (chosen.held or cards >= HAND or count):
        yield "phase"
    if position.phase == "line" and not chosen.held and cards != HAND:
        yield "drawn"
