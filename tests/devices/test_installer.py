"""The installer: what is written for a board, and what may be wrong.

That everything arrives is shown by tests/shell/test_firmware_cli.py.
"""

import os
import pty
import struct
import subprocess
import tty
from pathlib import Path

import msgspec
import pytest

from hexboard.board import ORDERS, Rail, Strip, find, load
from hexboard.devices import installer, probe
from hexboard.devices.installer import FILES, InstallError, build, install, wiring
from hexboard.devices.open import limits
from hexboard.devices.probe import NoPortError
from hexboard.devices.session import HELLO, HOST_HELLO, STOP, unwrap, wrap
from hexboard.files import shipped
from hexboard.simulator import twin
from tests.devices.test_link import usb
from tests.firmware import micropython
from tests.firmware.bench import Bench
from tests.running import eventually

BOARD = load(find("hextraction-22"))


def values(text: str) -> dict[str, object]:
    """What a wiring.py says."""
    names: dict[str, object] = {}
    exec(text, names)
    return {name: value for name, value in names.items() if name.isupper()}


def test_wiring_is_the_shipped_one_but_for_the_board() -> None:
    shipped_one = values(shipped("firmware", "wiring.py").read_text("utf-8"))
    sensors = [s for s in BOARD.sensors if s.source == "pico"]
    last = max(sensor.input for sensor in sensors)
    for order in ORDERS:
        board = msgspec.structs.replace(BOARD, strip=Strip(order=order))
        made = values(wiring(board))
        assert made.pop("ORDER") == order
        assert made.pop("PIXELS") == len(BOARD.pixels)
        inputs = made.pop("INPUTS")
        assert inputs == (last // 8 + 1) * 8
        assert made == {name: shipped_one[name] for name in made}
        assert len(made) == len(shipped_one) - 3


def test_a_board_without_a_strip_or_sensors_on_the_pico_has_least_wiring() -> None:
    bare = msgspec.structs.replace(BOARD, sensors=(), strip=Strip(source="spi"))
    made = values(wiring(bare))
    assert (made["INPUTS"], made["PIXELS"]) == (8, 1)


@micropython
def test_a_board_says_the_build_that_the_host_wants_for_it(tmp_path: Path) -> None:
    """Reckoned by the board's own MicroPython over the files as they are installed."""
    for name in FILES:
        (tmp_path / name).write_bytes(shipped("firmware", name).read_bytes())
    (tmp_path / "wiring.py").write_text(wiring(BOARD), "utf-8")

    def says() -> str:
        ask = [*twin.interpreter(), "-c", "import build; print(build.build().decode())"]
        done = subprocess.run(ask, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert says() == build(BOARD)
    (tmp_path / "wiring.py").write_text(wiring(BOARD).replace('"GRB"', '"RGB"'), "utf-8")
    assert says() != build(BOARD)


def test_what_each_rail_may_give_as_the_device_is_told() -> None:
    """Two rails of 12 mA a channel and 1 mA idle: 3 pixels on 100 mA have 97 mA for light, that is
    97 / 12 * 255 = 2061 levels; 1 pixel on 5 mA has 4 mA, 85 levels."""
    rails = (Rail("a", 100), Rail("b", 5))
    placed = zip(BOARD.pixels, (0, 0, 1, 0), strict=False)
    pixels = tuple(msgspec.structs.replace(pixel, rail=rail) for pixel, rail in placed)
    told = limits(msgspec.structs.replace(BOARD, pixels=pixels, rails=rails))
    assert [struct.unpack("<HBxI", told[k : k + 8]) for k in range(0, len(told), 8)] == [
        (2, 0, 2061),
        (3, 1, 85),
        (4, 0, 2061),
    ]


def test_every_file_of_the_firmware_is_installed_but_the_twins() -> None:
    """A file that main.py needs and FILES lacks would leave a Pico that cannot start."""
    ours = {path.name for path in shipped("firmware").glob("*.py")}
    assert ours - {"pins_sim.py", "twin.py", "cpython.py"} == {*FILES, "wiring.py"}
    assert FILES[-1] == "main.py"


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "PATIENCE_S", 0.2)


@micropython
@pytest.mark.usefixtures("hasty")
def test_a_micropython_that_is_too_old_is_refused_before_anything_is_copied(tmp_path: Path) -> None:
    with Bench(tmp_path, "1.21.0") as pico:
        pico.at_prompt()
        with pytest.raises(InstallError, match=r"has MicroPython 1\.21; 1\.22 or newer is needed"):
            list(install(pico.port, BOARD))
        assert not list(pico.flash.iterdir())


def test_another_microcontroller_is_refused() -> None:
    with pytest.raises(InstallError, match=r"no Raspberry Pi Pico \(esp32\)"):
        installer._judge("P", "esp32 1 24\n")
    installer._judge("P", "rp2 1 22\n")
    installer._judge("P", "rp2 2 0\n")


@pytest.mark.usefixtures("hasty")
def test_a_port_that_does_not_let_mpremote_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installer, "PATIENCE_S", 1)
    master, slave = pty.openpty()
    tty.setraw(slave)
    try:
        with pytest.raises(InstallError, match="Unplug it, plug it in again"):
            list(install(os.ttyname(slave), BOARD))
        fcntl_held(slave)
        with pytest.raises(NoPortError, match="in use by another program"):
            list(install(os.ttyname(slave), BOARD))
    finally:
        os.close(master)
        os.close(slave)


def fcntl_held(slave: int) -> None:
    import fcntl

    fcntl.flock(slave, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.long
@micropython
@pytest.mark.usefixtures("hasty")
def test_an_installation_that_is_cut_off_leaves_no_old_program_over_new_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without one the Pico stays at its prompt, and the host says what to do."""
    really = installer._mpremote

    def cut(port: str, *words: str) -> str:
        if words[0] == "fs":
            raise InstallError("firmware.stuck", port=port)
        return really(port, *words)

    monkeypatch.setattr(installer, "_mpremote", cut)
    with Bench(tmp_path) as pico:
        pico.at_prompt()
        for there in (["main.py", "scan.py"], ["scan.py"]):
            for name in there:
                (pico.flash / name).write_text("# of before", "utf-8")
            with pytest.raises(
                InstallError, match=r"mpremote in\..* which has no program now: give"
            ):
                list(install(pico.port, BOARD))
            assert [path.name for path in pico.flash.iterdir()] == ["scan.py"]


@pytest.mark.long
@micropython
@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("fills", [0, 4096])
def test_a_flash_without_room_keeps_its_program(tmp_path: Path, fills: int) -> None:
    """A real LittleFS of 4 KiB blocks, two of which are its own, two for names, one for wiring.py:
    all goes onto it as it is, and nothing where another file lies there."""
    sizes = [shipped("firmware", name).stat().st_size for name in FILES]
    blocks = 2 + 2 + 1 + sum(-(-(size + 64) // 4096) for size in sizes)
    with Bench(tmp_path, blocks=blocks) as pico:
        pico.at_prompt()
        for name, size in (("main.py", 9), ("mine.txt", fills)):
            lay = f"with open({name!r}, 'wb') as it: it.write(b'#' * {size})"
            installer._mpremote(pico.port, "exec", lay)
        steps = install(pico.port, BOARD)
        if not fills:
            assert list(steps)[-1] == "firmware.restarting"
            return
        with pytest.raises(InstallError, match=r"full: \d+ kB more .*first: mine.txt\. Keep"):
            list(steps)
        eventually(lambda: pico.twins)  # it runs what it had


@pytest.mark.long
@pytest.mark.usefixtures("hasty")
def test_firmware_of_another_protocol_is_asked_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's own advice for it is this installation; no Ctrl-C would break in."""
    monkeypatch.setattr(installer, "PATIENCE_S", 1)
    master, slave = pty.openpty()
    tty.setraw(slave)
    try:
        os.write(master, wrap(HELLO, 0, 1, bytes((2, 0))))
        with pytest.raises(InstallError, match="Unplug it, plug it in again"):
            list(install(os.ttyname(slave), BOARD))
        frames = map(unwrap, os.read(master, 4096).split(b"\0"))
        assert [frame[0] for frame in frames if frame] == [HOST_HELLO, STOP]
    finally:
        os.close(master)
        os.close(slave)


def test_a_pico_that_is_not_there_comes_with_what_to_do() -> None:
    for port, words in (
        ("/dev/there-is-none", "no board on /dev/there-is-none: is its USB cable in?"),
        ("E66138935F6F2C2A", "no board with the serial number E66138935F6F2C2A"),
    ):
        with pytest.raises(InstallError) as told:
            list(install(port, BOARD))
        assert words in str(told.value)
        assert "hold BOOTSEL while you plug it in" in str(told.value)


def test_of_several_picos_none_is_overwritten_unless_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plugged = [usb("/dev/ttyACM0", "E9"), usb("/dev/ttyACM1", "E6")]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: plugged)
    monkeypatch.setattr(installer, "_mpremote", None)
    with pytest.raises(InstallError, match=r"\(E6 on /dev/ttyACM1, E9 on /dev/ttyACM0\)"):
        list(install("auto", BOARD))


def test_without_mpremote_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installer, "find_spec", lambda name: None)
    with pytest.raises(InstallError, match="pip install mpremote"):
        list(install("auto", BOARD))
