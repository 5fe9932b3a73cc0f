"""The view of a table: made once a fact, frozen, and to each side what it may know."""

from typing import Any

import pytest

from hexboard.board import find, load
from hexboard.facts import Declare, Fact, Start, Touch
from hexboard.game import registry
from hexboard.table import Table, TableView, open_table
from hexboard.table.effects import Show
from hexboard.words import Value


def opened(board: str, game: str, **options: Value) -> Table[Any]:
    start = Start("m", board, "", game, registry.find(game).rules(), options, "")
    return open_table(load(find(board)), start)


def test_a_view_is_made_once_a_fact_and_keeps_what_it_shows() -> None:
    table = opened("hexhex-5", "hexalma")
    before = table.view()
    assert table.view() is before
    effects = table.step(Fact(1, 0, 0, "page", Declare(-1, "b3-c3")))
    after = table.view()
    assert after is table.view()
    assert (before.entries, after.entries) == (0, 1)
    assert (before.positions, after.positions) == (1, 2)
    (shown,) = [effect for effect in effects if isinstance(effect, Show)]
    assert after.scene == shown.scene


def test_nobody_can_write_into_a_view() -> None:
    view: Any = opened("hexhex-5", "hexalma").view()
    with pytest.raises(AttributeError):
        view.confirm = True


def test_touches_show_until_something_is_said() -> None:
    table = opened("hexhex-5", "hexalma")
    table.step(Fact(1, 0, 0, "page", Touch(("b3",))))
    touched = table.view().pieces
    assert touched is not None
    assert touched.touches == ("b3",)
    table.step(Fact(2, 0, 0, "page", Declare(-1, "b3-c3")))
    said = table.view().pieces
    assert said is not None
    assert said.touches == ()


def test_each_side_is_shown_its_own_hand_and_everybody_none() -> None:
    view = scanned("J")
    other = scanned("Void")
    assert [card.key for card in view.hand(1)]
    assert view.hand(-1) == ()
    assert str(view.seen_by(1)) != str(other.seen_by(1))
    for side in (-1, 0, 2, 7):  # the other seat; nobody's; a side that the game has not
        assert str(view.seen_by(side)) == str(other.seen_by(side))
    assert str(view.public) == str(other.public)
    assert str(view.position) != str(other.position)


def scanned(tile: str) -> TableView[Any]:
    """A table of Hextraction on which seat 1 has drawn a tile that nobody else saw."""
    table = opened("hextraction-22", "hextraction", hands="scan")
    table.step(Fact(1, 0, 0, "page 1/1", Declare(1, f"drew 1 {tile}")))
    return table.view()
