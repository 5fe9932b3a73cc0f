"""`hexboard setup` from the terminal: what is typed beside the page, and what is kept."""

import os
import signal
import socket
from pathlib import Path

import pytest

from hexboard import settings
from hexboard.commands import board_named
from hexboard.commands.cli import _set
from hexboard.commands.first import name_board
from hexboard.commands.setup import SetupWords
from tests.calibration.boards import STAR
from tests.cli import invoke
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


def test_settings_are_their_owners_alone_however_they_come_about(tmp_path: Path) -> None:
    """They may hold a camera's password, a broker's, and a webhook's secret."""
    before = os.umask(0)
    try:
        home = tmp_path / "mine"
        path = home / "settings.toml"
        name_board(home, "hexhex-5")
        assert (home.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
        path.chmod(0o666)
        assert invoke("init", "--force", home=home).exit_code == 0
        assert path.stat().st_mode & 0o777 == 0o600
        kept = path.rename(tmp_path / "kept.toml")
        path.symlink_to(kept)
        name_board(home, "hexhex-5")
        assert path.is_symlink()
        assert settings.load(kept).board == "hexhex-5"
    finally:
        os.umask(before)


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


def test_what_is_to_be_typed_next_is_of_what_was_typed() -> None:
    """It was `hexboard setup`, which begins another board, and play without the camera."""
    typed = SetupWords("hexhex-5", "/dev/video0", "/dev/ttyACM1", True, False)
    camera = "--camera /dev/video0"
    assert typed.again() == f"hexboard setup hexhex-5 {camera} --port /dev/ttyACM1 --lan"
    assert typed.play("hexhex-5") == f"hexboard run hexhex-5 {camera} --lan"
    simulated = SetupWords("", "", "", False, True)
    assert simulated.again() == "hexboard setup --simulate"
    assert simulated.play("my board") == "hexboard run 'my board' --simulate"


@pytest.mark.long
def test_who_stops_is_told_the_command_that_they_typed(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (home / "settings.toml").write_text("[web]\nport = 0\n", "utf-8")
    terminal = Terminal("--home", home, "setup", "hexhex-5", "--simulate")
    terminal.until("Next: ")
    os.write(terminal.ours, b"q\n")
    terminal.until("goes on from here: hexboard setup hexhex-5 --simulate")
    assert terminal.end() == 0


def test_a_taken_port_of_a_bench_is_said_with_what_helps(home: Path) -> None:
    """It named --port, which is the Pico's in these commands."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        (home / "settings.toml").write_text(f"[web]\nport = {port}\n", "utf-8")
        command = ["--home", str(home), "setup", "hexhex-5", "--simulate"]
        done = invoke(*command)
    assert done.exit_code == 1
    assert f"Port {port} is taken" in done.stderr
    assert "--port" not in done.stderr
    assert "[web]" in done.stderr


@pytest.mark.long
def test_a_board_is_chosen_by_what_its_file_is_called(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was chosen by the name that stands in the file, by which nothing is found."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = home / "settings.toml"
    path.write_text(f'board = "{tmp_path}/mine.toml"\n[web]\nport = 0\n', "utf-8")
    (tmp_path / "mine.toml").write_text(STAR, "utf-8")
    (home / "boards").mkdir()
    (home / "boards" / "second.toml").write_text(STAR.replace('"star"', '"other"'), "utf-8")
    terminal = Terminal("--home", home, "setup", "--simulate")
    terminal.until("Next: The board.")
    os.write(terminal.ours, b"\n")  # this one, in the file that the settings name
    terminal.until("Next: The Pico.")
    assert settings.load(path).board == f"{tmp_path}/mine.toml"
    os.write(terminal.ours, b"which\n")
    terminal.said = ""
    terminal.until("Next: The board.")
    os.write(terminal.ours, b"which second\n")
    terminal.until("Next: The Pico.")
    assert settings.load(path).board == "second"
    os.write(terminal.ours, b"q\n")
    assert terminal.end() == 0
    assert (home / "calibration" / "other.simulated.setup.json").exists()


def test_a_board_whose_file_a_step_has_written_is_the_one_of_that_file(home: Path) -> None:
    """Steps after the wiring went on with the wiring of before."""
    (home / "boards").mkdir()
    path = home / "boards" / "star.toml"
    path.write_text(STAR, "utf-8")
    before = board_named(home, "star")
    assert board_named(home, "star") is before
    path.write_text(STAR.replace('kind = "fall"', 'kind = "fall"\nfirst_input = 9'), "utf-8")
    assert [it.input for it in board_named(home, "star").sensors] == [*range(9, 16)]
