"""What somebody asks for on a page is said in the name of one of their seats."""

from typing import Any

import pytest

from hexboard.board import plain
from hexboard.daemon.requests import Requests
from hexboard.facts import WHOEVER, Declare, Start
from hexboard.games import hexel
from hexboard.table import open_table
from hexboard.web.keys import HOST, Key
from hexboard.web.requests import FromPage

TABLE = plain("table")
ANN, BEN = Key("ann", (0,)), Key("ben", (1, 2))


def said(key: Key, action: str) -> int:
    """The seat in whose name the table hears it: at a table of three who all put chips into their
    Hedges, Ann is asked first."""
    options: dict[str, int | str | bool] = {"seats": 3, "hands": "held"}
    table = open_table(
        TABLE, Start("m", TABLE.name, TABLE.hash, "hexel", hexel.rules(), options, "test")
    )
    ledger: Any = table.ledger
    for name in ("place -1,0 RBRBRB", "place 0,0 YYRRYR", "place 1,0 BBBYYY", *["draw ?"] * 9):
        ledger.play(ledger.position.action(name))
    ledger.play(ledger.position.action("stake 3"))
    assert ledger.position.phase == "hedge"
    heard: list[Any] = []
    nobody: Any = None
    requests = Requests(
        *(nobody, nobody, nobody),
        lambda source, body: heard.append(body),
        *(nobody, nobody, nobody, nobody),
    )
    view: Any = table.view()
    requests.obey(FromPage("page", -1, Declare(WHOEVER, action), key), view)
    return int(heard[0].seat)


@pytest.mark.parametrize(
    ("key", "action", "seat"),
    [
        (BEN, "hedge 1 6", 1),
        (BEN, "hedge 2 6", 2),  # though nobody asks that seat before the others
        (BEN, "concede 2", 2),
        (BEN, "hedge 0 6", 1),  # which is Ann's: it is refused
        (ANN, "hedge 2 6", 0),
        (HOST, "hedge 2 6", WHOEVER),
        (BEN, "fold", 1),  # which is none: it is refused
    ],
)
def test_who_has_two_seats_speaks_for_the_one_whose_action_it_is(
    key: Key, action: str, seat: int
) -> None:
    assert said(key, action) == seat
