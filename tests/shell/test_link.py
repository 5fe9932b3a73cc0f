"""`hexboard link` says where a board's page is while that runs, and only then."""

import json
from pathlib import Path

import pytest

from hexboard import files
from hexboard.daemon.greeting import LINK, Where
from hexboard.daemon.lock import lock
from hexboard.web import mdns, reach
from hexboard.web.keys import lend
from tests.cli import invoke

BOARD = "hexhex-5"


def left(state: Path, port: int) -> str:
    """A link in a state folder, as a power cut leaves it."""
    state.mkdir(parents=True)
    here = f"http://127.0.0.1:{port}/?token=x"
    lend(state / LINK, Where(here, "", here))
    (state / "lock").write_text("4711", "ascii")
    return here


def test_what_a_power_cut_left_is_no_link(tmp_path: Path) -> None:
    here = left(tmp_path / "state", 8765)
    words = ("--home", tmp_path, "link", BOARD, "--state", tmp_path / "state")
    told = invoke(*words)
    assert told.exit_code == 1
    assert told.stderr.startswith("No board is running with its state in")
    with lock(tmp_path / "state" / "lock", BOARD):
        assert invoke(*words).stdout.splitlines()[0] == here


def test_a_simulation_that_runs_goes_before_a_board_that_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    left(files.evenings(BOARD), 8765)
    simulated = files.evenings(BOARD, simulated=True)
    here = left(simulated, 8766)
    with lock(simulated / "lock", BOARD):
        told = invoke("--home", tmp_path, "link", BOARD)
    assert (told.exit_code, told.stdout.splitlines()[0]) == (0, here)


def test_without_a_name_it_is_of_the_only_board_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the settings is hextraction-22, as without any."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    state, other = files.evenings(BOARD, simulated=True), files.evenings("hexhex-3")
    here = left(state, 8766)
    left(other, 8767)
    words = ("--home", tmp_path, "link")
    assert invoke(*words).exit_code == 1
    with lock(state / "lock", BOARD):
        assert invoke(*words).stdout.splitlines()[0] == here
        assert invoke(*words, "hextraction-22").exit_code == 1  # it was named
        with lock(other / "lock", "hexhex-3"):
            told = invoke(*words)
            assert told.exit_code == 1
            assert f"hexboard link --state FOLDER. There are {other}, {state}." in told.stderr


def test_the_link_has_the_address_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The router gave the computer another one since the board began."""
    monkeypatch.setattr(reach, "address", lambda: "192.168.1.20")
    monkeypatch.setattr(mdns, "addresses", lambda name: {"192.168.1.20"})
    here, phone, board = (
        f"http://{it}"
        for it in ("127.0.0.1:87/?token=x", "10.0.0.9:87/?token=x", "10.0.0.9:87/board")
    )
    state = tmp_path / "state"
    state.mkdir()
    lend(state / LINK, Where(here, phone, board, "123456"))
    with lock(state / "lock", BOARD):
        words = ("--home", tmp_path, "link", BOARD, "--state", state)
        told, as_json = invoke(*words).stdout, json.loads(invoke(*words, "--json").stdout)
    assert told.splitlines()[0] == here
    assert "http://192.168.1.20:87/?token=x" in told
    assert "http://192.168.1.20:87/board" in told
    assert "10.0.0.9" not in told
    assert f"http://{reach.name()}.local:87/?token=x" in told
    assert as_json["phone"] == "http://192.168.1.20:87/?token=x"
