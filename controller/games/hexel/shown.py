"""What a table of Hex'el shows: cards, lights, what the seats have. Nothing tells of a hand."""

from hexboard.board import CellId
from hexboard.game.position import Piece
from hexboard.games.hexel.actions import Place
from hexboard.games.hexel.cards import FACES
from hexboard.games.hexel.grid import occupied
from hexboard.games.hexel.notation import called
from hexboard.games.hexel.state import State
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import Message, message


def pieces(position: State) -> tuple[Piece, ...]:
    """The cards, each with its six symbols."""
    ids = position.setting.grid.ids
    return tuple(Piece(ids[c], "card", text=FACES[position.table[c]]) for c in _shown(position))


def scene(position: State) -> Scene:
    """The next cell of the opening line; then free cells with what a card there would match, live
    ones in another colour; the last card and, for a moment, the free cells around it; a Hoxla.
    Nothing of it depends on a hand."""
    grid, ids, marks = position.setting.grid, position.setting.grid.ids, list[Mark]()
    marks += [Mark(ids[cell], Meaning.TILE) for cell in _shown(position)]
    if position.phase == "line" and position.can_line():
        marks.append(Mark(ids[position.line_cell], Meaning.TODO))
    if position.spot >= 0:
        marks.append(Mark(ids[position.spot], Meaning.LAST))
        marks += [Mark(ids[c], Meaning.FRESH) for c in _beside(position, position.spot)]
    if position.phase == "place":
        for cell in (c for c in grid.free(position.table) if c < grid.seen):
            live = position.setting.live_cells == "on" and grid.live(position.table, cell)
            which = Meaning.ONTO if live else Meaning.LEGAL
            marks.append(Mark(ids[cell], which, grid.touching(position.table, cell)))
    if position.phase == "over" and position.spot >= 0:
        marks += [Mark(ids[c], Meaning.WIN, n) for n, c in enumerate(_won(position), 1)]
    return tuple(mark for mark in marks if grid.cell[mark.place] < grid.seen)


def _won(position: State) -> list[int]:
    """The cards of a Hoxla, and the free cells around them: a card hides the light below it."""
    grid, table = position.setting.grid, position.table
    cards = grid.hoxla(table, position.spot)
    around = {other for card in cards for other in grid.around[card]}
    return sorted({*cards, *(c for c in around if not table[c] and c < len(grid.ids))})


def blamed(position: State, action: Place) -> tuple[CellId, ...]:
    """Where the lights say why a card may not lie there: the free cells at the ends of the first
    edge that does not match, or the notch that it would leave (HEXEL-3.3); else the cell itself."""
    grid, table, cell = position.setting.grid, position.table, action.cell
    if table[cell] or cell >= grid.seen:
        return (grid.ids[cell],)
    edge = grid.wrong(table, cell, action.face)
    if edge is None:
        cells = grid.chances(grid.laid(table, cell, action.face), cell)
    else:
        cells = _ends(position, cell, grid.around[cell][edge])
    return tuple(grid.ids[c] for c in cells or (cell,) if c < grid.seen)


def _ends(position: State, cell: int, other: int) -> list[int]:
    """The free cells at both ends of the edge between two cells."""
    near = position.setting.grid.around[other]
    return [c for c in _beside(position, cell) if c in near]


def _beside(position: State, cell: int) -> list[int]:
    """The free cells of the board beside one."""
    grid, table = position.setting.grid, position.table
    return [c for c in grid.around[cell] if c < grid.seen and not table[c]]


def standing(position: State) -> tuple[Message, ...]:
    """How many cards each seat holds, and its chips."""
    return tuple(_has(position, seat) for seat in range(position.setting.seats))


def _has(position: State, seat: int) -> Message:
    name, cards, chips = called(seat), len(position.hands[seat]), position.chips
    if not position.setting.money:
        return message("hexel.has", seat=name, cards=cards)
    stock, hedge, hand = chips.stock[seat], chips.hedge[seat], chips.hand[seat]
    if seat in position.out:
        return message("hexel.has_left", seat=name, stock=stock, hedge=hedge, hand=hand)
    return message("hexel.has_chips", seat=name, cards=cards, stock=stock, hedge=hedge, hand=hand)


def _shown(position: State) -> list[int]:
    return [cell for cell in occupied(position.table) if cell < position.setting.grid.seen]
