"""A board file that was edited while nobody played: which edits leave a match as it is."""

from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hexboard.board import Board, Cell, find, load
from hexboard.commands.doctor.matches import journals
from hexboard.daemon import Run, front
from hexboard.daemon.notices import Notices
from hexboard.daemon.opening import Opening
from hexboard.facts import Resume, Start
from hexboard.settings import Settings

BOARD = load(find("hextraction-22"))
RAIL = BOARD.rails[0]
TIED: dict[str, Any] = {
    "cells": (*BOARD.cells[:-1], Cell("Z9", 40, 40, 0.0, 0.0)),
    "ramps": BOARD.ramps[1:],
    "zones": BOARD.zones[1:],
    "key_edge": 1,
    "powered": not BOARD.powered,
}
FREE: dict[str, Any] = {
    "rails": (replace(RAIL, limit_ma=RAIL.limit_ma - 100),),
    "title": "Ours",
    "pixels": (),
    "pitch": 49.5,
    "sensors": tuple(replace(it, dead=it.dead + 1, input=it.input + 1) for it in BOARD.sensors),
}


def begun(run: Run) -> Start | Resume:
    opening = Opening(run, run.board, Notices([], lambda: None))
    with closing(opening.journal()) as journal:
        return opening.begin(journal)


def asked(board: Board, state: Path) -> Run:
    return Run(board, state, Settings(), "hextraction", {}, simulate=True, typed=False)


@pytest.mark.parametrize("what", FREE)
def test_a_match_goes_on_where_no_rule_speaks_of_what_was_edited(what: str, tmp_path: Path) -> None:
    match = begun(asked(BOARD, tmp_path))
    assert isinstance(match, Start)
    again = begun(asked(replace(BOARD, **{what: FREE[what]}), tmp_path))
    assert isinstance(again, Resume)
    assert again.start.match == match.match


@pytest.mark.parametrize("what", TIED)
def test_it_does_not_go_on_where_places_are_others_and_is_not_offered(
    what: str, tmp_path: Path
) -> None:
    begun(asked(BOARD, tmp_path))
    edited = asked(replace(BOARD, **{what: TIED[what]}), tmp_path)
    assert front.going_on(asked(BOARD, tmp_path), "hextraction") is not None
    assert front.going_on(edited, "hextraction") is None
    doubts = [it for it in journals(tmp_path, edited.board) if it.state != "good"]
    assert ["of another board" in it.said for it in doubts] == [True]


def test_a_match_that_is_tied_to_all_of_the_board_goes_on_as_long_as_that_is_the_same(
    tmp_path: Path,
) -> None:
    """As older ones are."""
    run = asked(BOARD, tmp_path)
    opening = Opening(run, run.board, Notices([], lambda: None))
    with closing(opening.journal()) as journal:
        start = opening.new(journal)
        old = msgspec.json.encode(replace(start, board_hash=BOARD.hash))
        journal.abandon(start.match)
        journal.begin("older", old)
    assert isinstance(begun(run), Resume)
