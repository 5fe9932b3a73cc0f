"""`hexboard firmware`, run as people do: against the twin, a prompt, and nothing at all."""

import json
import signal
import subprocess
import threading
from functools import partial
from pathlib import Path

import pytest

from hexboard import __version__
from hexboard.board import find, load
from hexboard.commands import firmware as command
from hexboard.devices import bootsel
from hexboard.devices.installer import FILES, InstallError, wiring
from hexboard.files import shipped
from hexboard.simulator.twin import Twin
from tests.devices.test_link import usb
from tests.firmware import micropython
from tests.firmware.bench import Bench
from tests.running import HEXBOARD, PATIENCE, eventually, hexboard


def firmware(*arguments: object) -> subprocess.CompletedProcess[str]:
    return hexboard("firmware", *arguments, stdin=subprocess.DEVNULL)


def test_info_says_who_is_there(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(f'[link]\nport = "{tmp_path}/pico"\n', "utf-8")
    with Twin(20, 4) as twin:
        (tmp_path / "pico").symlink_to(twin.port)
        told = hexboard("--home", tmp_path, "firmware", "info")
        assert told.returncode == 0, told.stderr
        who, health = told.stdout.splitlines()
        assert who == f"hexboard {__version__} on {tmp_path}/pico: 20 inputs, 4 pixels"
        assert health.startswith("Round trip ")
        assert health.endswith(" 0 changes lost; damaged frames: 0 received here, 0 there")
        twin.drive(b"\2\0\0")
        seen = json.loads(firmware("info", "--json", "--port", twin.port).stdout)
        assert (seen["inputs"], seen["pixels"], seen["high"], seen["chain"]) == (20, 4, [1], True)


@pytest.mark.long
def test_info_says_what_is_wrong_with_the_wires() -> None:
    with Twin(8, 1) as twin:
        twin.drive(b"\xff")
        told = firmware("info", "--port", twin.port).stdout.splitlines()
        assert told[2].startswith("Every input is active: ")
        twin.chain(right=False)
        told = firmware("info", "--port", twin.port).stdout.splitlines()
        assert told[2].startswith("The sensor chain does not answer: ")
        assert told[3] == "A board without sensors has no chain: then all is well."
    with Twin(20, 1) as twin:
        twin.chain(right=False)
        told = firmware("info", "--port", twin.port).stdout.splitlines()
        assert told[2].startswith("The sensor chain does not answer: ")
        assert len(told) == 3


def _heard(said: list[str], words: str) -> bool:
    return any(words in line for line in list(said))


def test_a_test_shows_lights_and_changes_until_it_is_stopped() -> None:
    strips: list[bytes] = []
    with Twin(20, 16, strips.append) as twin:
        twin.drive(b"\0\0\x08")
        command = [*HEXBOARD, "firmware", "test", "--port", twin.port, "--seconds", "600"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            red_first = b"\x3c\0\0" + bytes(7 * 3)
            eventually(lambda: red_first * 2 in strips)
            eventually(lambda: bytes(3) + red_first + red_first[:-3] in strips)
            assert running.stdout is not None
            said: list[str] = []
            hears = threading.Thread(target=said.extend, args=(running.stdout,))
            hears.start()
            for change, words in (
                (partial(twin.drive, b"\0\1\x08"), "input 8 active"),
                (partial(twin.drive, b"\0\0\x08"), "input 8 idle"),
                (partial(twin.chain, right=False), "does not answer"),
                (partial(twin.chain, right=True), "answers again"),
            ):
                change()
                eventually(partial(_heard, said, words))
            running.send_signal(signal.SIGINT)
            hears.join(PATIENCE)
        said = [line.rstrip("\n") for line in said]
        assert running.returncode == 0
        eventually(lambda: strips[-1:] == [bytes(3 * 16)])
    assert said[1:3] == ["   0  ................", "  16  ...#"]
    assert [line[9:] for line in said[4:-1] if line] == [
        "input 8 active",
        "input 8 idle",
        "The sensor chain does not answer: is its ribbon cable in, "
        "and is the number of inputs right?",
        "The sensor chain answers again.",
    ]
    assert said[-1] == "2 changes came, 0 were lost."


RAIL = """\
schema = "hexboard/board-1"
name = "dim"
title = "On a small supply"
shape = "hexhex-2"
[pixels]
[[rails]]
id = "main"
limit_ma = 68
"""


@pytest.mark.parametrize("pixels", ["[pixels]", ""], ids=["some in the file", "none"])
def test_a_test_lights_within_what_the_rail_may_give_to_all_that_the_firmware_lights(
    tmp_path: Path, pixels: str
) -> None:
    """42 pixels in the file, 64 on the strip idle at 64 mA; 4 of 68 are left: 85 levels."""
    (tmp_path / "settings.toml").write_text('board = "dim"\n', "utf-8")
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "dim.toml").write_text(RAIL.replace("[pixels]", pixels), "utf-8")
    sums: set[int] = set()
    with Twin(8, 64, lambda rgb: sums.add(sum(rgb))) as twin:
        told = hexboard("--home", tmp_path, "firmware", "test", "--port", twin.port, "--seconds", 1)
    assert told.returncode == 0, told.stderr
    assert 60 < max(sums) <= 85  # eight red ones of 60 are 480


@pytest.mark.long
@micropython
def test_install_stops_the_firmware_that_runs_copies_restarts_and_looks(tmp_path: Path) -> None:
    with Bench(tmp_path) as pico:
        pico.runs_firmware()
        told = firmware("install", "--port", pico.port, "--board", "hextraction-22")
        assert told.returncode == 0, told.stdout + told.stderr
        assert told.stdout.splitlines() == [
            "Stopping what runs there …",
            "Looking who is there …",
            "Copying the firmware …",
            "Restarting …",
            f"hexboard {__version__} runs on {pico.port}.",
        ]
        installed = {path.name: path.read_text("utf-8") for path in pico.flash.iterdir()}
    expected = {name: shipped("firmware", name).read_text("utf-8") for name in FILES}
    assert installed == expected | {"wiring.py": wiring(load(find("hextraction-22")))}


@pytest.mark.parametrize("command", ["info", "test", "install"])
def test_where_no_board_is_it_says_so(command: str) -> None:
    told = firmware(command, "--port", "/dev/there-is-none")
    assert told.returncode == 1
    assert told.stderr.startswith("no board on /dev/there-is-none: is its USB cable in?")
    assert ("hold BOOTSEL" in told.stderr) == (command == "install")


@pytest.mark.parametrize("back", [True, False])
def test_a_new_pico_is_waited_for_and_no_other_taken_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, back: bool
) -> None:
    """One that runs something else is plugged in all the time; it comes first by serial number."""
    other, new = usb("/dev/ttyACM0", "A"), usb("/dev/ttyACM1", "B")
    looks = [[other], [other], [other], [other, new] if back else [other]]
    monkeypatch.setattr(
        "serial.tools.list_ports.comports", lambda: looks.pop(0) if looks[1:] else looks[0]
    )
    monkeypatch.setattr(command, "RESTART_S", PATIENCE if back else 1)
    monkeypatch.setattr(bootsel, "drive", lambda: tmp_path)
    monkeypatch.setattr(bootsel, "copy", lambda *_: None)
    if back:
        assert command._copy(tmp_path / "new.uf2", "auto") == "/dev/ttyACM1"
        return
    with pytest.raises(InstallError, match="did not show up on USB again"):
        command._copy(tmp_path / "new.uf2", "auto")


def test_help_says_how_to_begin_with_a_new_pico() -> None:
    told = " ".join(firmware("install", "--help").stdout.split())
    for word in ("BOOTSEL", "RPI-RP2", "RP2350", "UF2", "RPI_PICO2", "1.22 or newer"):
        assert word in told
