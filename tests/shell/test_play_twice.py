"""Two terminals at the file of one game: no move of the other is lost."""

from pathlib import Path

import pytest

from hexboard.board import plain
from hexboard.commands.play import TerminalGame
from hexboard.game import registry
from hexboard.words.errors import BadText


def terminal(record: Path) -> TerminalGame:
    game = registry.find("hexalma")
    return TerminalGame(game, plain(game.board({})), {}, None, record)


def test_what_another_terminal_has_played_is_not_written_over(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    mine, other = terminal(record), terminal(record)
    other.take("b1-c1")
    with pytest.raises(BadText, match="has been changed meanwhile"):
        mine.take("b1-c1")  # there was no file as it began
    mine = terminal(record)
    other.take("h1-g1")
    kept = record.read_bytes()
    for said in ("moves", "position", "help"):
        mine.take(said)
        assert record.read_bytes() == kept
    for said in ("i1:h1", "undo", "pause"):
        with pytest.raises(BadText, match="has been changed meanwhile"):
            mine.take(said)
        assert record.read_bytes() == kept
    assert len(mine.match.line) == 2  # nothing of it was played
    assert len(terminal(record).match.line) == 3


def test_looking_at_a_game_writes_no_file(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    terminal(record).take("moves")
    assert not record.exists()
