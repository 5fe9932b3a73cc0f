"""A Pico in BOOTSEL: which drive, which file, and that nothing else is written.

The drives are folders with the file that a Pico shows; the blocks are made as the format's
description says (https://github.com/microsoft/uf2).
"""

import struct
from pathlib import Path
from threading import Thread

import pytest

from hexboard.devices import bootsel
from hexboard.devices.bootsel import NoDriveError, copy, drive
from hexboard.words.errors import BadText
from tests.running import PATIENCE, eventually

PICO, PICO_2, ABSOLUTE = 0xE48BFF56, 0xE48BFF59, 0xE48BFF57


def block(number: int, count: int, family: int) -> bytes:
    head = (0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + 256 * number, 256, number, count, family)
    return struct.pack("<8I", *head) + bytes(476) + struct.pack("<I", 0x0AB16F30)


def uf2(family: int, count: int = 3) -> bytes:
    return b"".join(block(number, count, family) for number in range(count))


@pytest.fixture
def pico(tmp_path: Path) -> Path:
    return shown(tmp_path / "a drive", "RPI-RP2")


def shown(folder: Path, board: str) -> Path:
    folder.mkdir()
    text = f"UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: {board}\r\n"
    (folder / "INFO_UF2.TXT").write_bytes(text.encode())
    return folder


def takes(pico: Path, size: int) -> Thread:
    """It goes away when it has the whole file, as a Pico does."""

    def wait() -> None:
        eventually(lambda: any(it.stat().st_size == size for it in pico.glob("*.uf2")))
        (pico / "INFO_UF2.TXT").unlink()

    thread = Thread(target=wait)
    thread.start()
    return thread


def test_a_file_for_this_pico_is_copied_whole(pico: Path, tmp_path: Path) -> None:
    file = tmp_path / "new.uf2"
    file.write_bytes(uf2(PICO))
    taking = takes(pico, 3 * 512)
    copy(file, pico, PATIENCE)
    taking.join()
    assert (pico / "new.uf2").read_bytes() == uf2(PICO)


def test_a_pico_2_takes_its_own_with_a_block_for_all(tmp_path: Path) -> None:
    drive = shown(tmp_path / "RP2350", "RP2350")
    file = tmp_path / "new.uf2"
    file.write_bytes(block(0, 2, ABSOLUTE) + uf2(PICO_2))
    taking = takes(drive, 4 * 512)
    copy(file, drive, PATIENCE)
    taking.join()


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "firmware.no_uf2"),
        (b"\x7fELF" * 128, "firmware.no_uf2"),
        (uf2(PICO)[:-1], "firmware.no_uf2"),
        (uf2(PICO)[:-512], "firmware.cut_uf2"),
        (uf2(PICO_2), "firmware.other_uf2"),
    ],
)
def test_another_file_is_refused_and_nothing_written(
    data: bytes, key: str, pico: Path, tmp_path: Path
) -> None:
    file = tmp_path / "new.uf2"
    file.write_bytes(data)
    with pytest.raises(BadText) as refused:
        copy(file, pico)
    assert refused.value.message.key == key
    assert [it.name for it in pico.iterdir()] == ["INFO_UF2.TXT"]


def test_a_drive_that_stays_is_told(pico: Path, tmp_path: Path) -> None:
    file = tmp_path / "new.uf2"
    file.write_bytes(uf2(PICO))
    with pytest.raises(NoDriveError, match="did not restart"):
        copy(file, pico, 0)


def test_a_drive_that_takes_no_file_is_told_as_that(pico: Path, tmp_path: Path) -> None:
    """As one that belongs to another user; root, too, may run this."""
    file = tmp_path / "new.uf2"
    file.write_bytes(uf2(PICO))
    (pico / file.name).mkdir()
    with pytest.raises(NoDriveError, match=r"may not write to .*a drive \(Is a directory\)"):
        copy(file, pico, 0)


def test_the_one_drive_is_found_among_what_is_mounted(
    pico: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    monkeypatch.setattr(bootsel, "MOUNTS", mounts)
    other = tmp_path / "stick"
    other.mkdir()
    rows = [f"/dev/sdb1 {other} vfat rw 0 0", f"/dev/sdc1 {pico} vfat rw 0 0", "broken"]
    mounts.write_text("\n".join(rows).replace("a drive", "a\\040drive"))
    assert drive() == pico
    (pico / "INFO_UF2.TXT").rename(other / "INFO_UF2.TXT")
    assert drive() == other
    shown(tmp_path / "third", "RPI-RP2")
    mounts.write_text(f"/dev/a {other} vfat rw 0 0\n/dev/b {tmp_path / 'third'} vfat rw 0 0\n")
    with pytest.raises(NoDriveError, match="Several Picos"):
        drive()
    mounts.write_text("")
    with pytest.raises(NoDriveError, match="hold BOOTSEL"):
        drive()
