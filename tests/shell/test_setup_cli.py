"""`hexboard setup` from the terminal: what is typed beside the page, and what is kept."""

import os
import signal
from pathlib import Path

import pytest

from hexboard import settings
from hexboard.commands.cli import _set
from hexboard.commands.first import name_board
from tests.calibration.boards import STAR
from tests.shell.test_camera_cli import Terminal


def test_a_board_is_named_in_the_settings_and_nothing_else_changes(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    name_board(tmp_path, "hexhex-5")  # of what hexboard init writes
    assert settings.load(path) == settings.Settings(board="hexhex-5")
    path.write_text('# mine\nboard = "star"  # built in May\n[web]\nlan = true\n', "utf-8")
    name_board(tmp_path, "hexhex-5")
    assert path.read_text("utf-8") == '# mine\nboard = "hexhex-5"\n[web]\nlan = true\n'
    path.write_text('\ufeffboard = "star"\nlanguage = "de"\n', "utf-8")  # as Notepad begins a file
    assert _set(path) == "de"
    name_board(tmp_path, "hexhex-5")
    assert path.read_text("utf-8") == 'board = "hexhex-5"\nlanguage = "de"\n'
    path.write_text("[web]\nlan = true\n", "utf-8")
    name_board(tmp_path, "hexhex-5")
    assert path.read_text("utf-8") == 'board = "hexhex-5"\n[web]\nlan = true\n'


@pytest.mark.long
def test_steps_are_passed_over_and_stopped_by_keys_and_it_goes_on_there(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (home / "settings.toml").write_text('board = "star"\n[web]\nport = 0\n', "utf-8")
    (home / "boards").mkdir()
    (home / "boards" / "star.toml").write_text(STAR, "utf-8")
    terminal = Terminal("--home", home, "setup", "--simulate")
    for step, key in (("board", "\n"), ("Pico", "s\n"), ("wiring", "nonsense\nq\n")):
        terminal.until(f"Next: The {step}.")
        os.write(terminal.ours, key.encode())
    assert terminal.end() == 0
    passed = home / "calibration" / "star.simulated.setup.json"
    again = Terminal("--home", home, "setup", "--simulate")
    again.until("Next: The wiring.")
    again.process.send_signal(signal.SIGINT)
    again.until("Stopped.")
    assert again.end() == 130
    passed.write_text("{", "utf-8")  # torn: asked for again, and no more
    torn = Terminal("--home", home, "setup", "--simulate")
    torn.until("Next: The board.")
    os.write(torn.ours, b"q\n")
    assert torn.end() == 0
