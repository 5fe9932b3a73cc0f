"""The clock of a game at one keyboard."""

import re
from pathlib import Path

import pytest

from hexboard.board import plain
from hexboard.commands.play import TerminalGame
from hexboard.game import registry
from hexboard.words.errors import BadText
from tests.running import hexboard

SECOND = 1_000_000_000


class Evening:
    """Ann and White at a keyboard, with a minute each and 5 seconds a turn; time is ours."""

    def __init__(self, record: Path, clock: str = "1+5") -> None:
        self.now = 0
        game = registry.find("hexalma")
        board, names = plain(game.board({})), ("Ann",)
        self.game = TerminalGame(game, board, {}, None, record, names, clock, lambda: self.now)

    def types(self, text: str, after_s: int) -> None:
        """Somebody has thought for so long before they type."""
        with self.game.thinking():
            self.now += after_s * SECOND
        self.game.take(text)


def left(capsys: pytest.CaptureFixture[str], evening: Evening) -> list[str]:
    """What the seats have left, as it is shown; what was told before is forgotten."""
    capsys.readouterr()
    evening.game.show()
    shown = capsys.readouterr().out
    return re.findall(r"[0-9]+:[0-9]{2}", shown.partition("Time left:")[2])


def test_time_runs_for_who_thinks_stops_in_a_pause_and_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = Evening(tmp_path / "game.json")
    evening.types("b1-c1", after_s=500)  # nobody's time runs before the first move
    assert left(capsys, evening) == ["1:00", "1:00"]
    evening.types("i1:h1", after_s=20)
    evening.types("pause", after_s=10)
    assert left(capsys, evening) == ["0:50", "0:45"]  # 60 - 10; 60 - 20 + 5
    with pytest.raises(BadText, match="go on"):
        evening.types("c1-d1", after_s=300)
    evening.types("go on", after_s=300)
    assert left(capsys, evening) == ["0:50", "0:45"]
    evening.types("position", after_s=51)
    assert "Ann's time has run out. You decide" in capsys.readouterr().out
    evening.types("c1-d1", after_s=9)  # it is told once, and the game goes on
    assert "run out" not in capsys.readouterr().out
    evening.types("h1-f1", after_s=1)
    later = Evening(tmp_path / "game.json", "")
    assert left(capsys, later) == ["0:00", "0:45"]
    with pytest.raises(BadText, match="1\\+5"):
        Evening(tmp_path / "game.json", "10")


@pytest.mark.long
def test_what_is_no_clock_is_said_and_one_that_is_shows_before_each_prompt() -> None:
    assert "is no clock" in hexboard("play", "hexalma", "--clock", "soon").stderr
    told = hexboard(
        "--language", "de", "play", "hexalma", "--clock", "10+5", input="b1-c1\n"
    ).stdout
    assert told.count("Restzeit: Schwarz 10:00, Weiß 10:00") == 2
