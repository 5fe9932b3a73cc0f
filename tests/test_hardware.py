"""`make hardware`: every board and tier is in it, and it makes again what has changed, alone."""

import zipfile
from pathlib import Path

import pytest
from msgspec import json
from msgspec.structs import replace

from hexboard.board import find
from hexboard.commands.build.tiers import tiers
from tests import hardware
from tests.hardware import HERE, MADE, ORDERS, Made, Order, contents, fresh, make, packed

TOOLS = {"python": "3.11.2", "build123d": "0.9.1", "kicad": "6.0.11", "ngspice": ""}
POWER = Order("table", "power", "--power")


def test_every_board_is_made_in_every_tier() -> None:
    """Cells without a touch, and slots with every sensor, are the board itself."""
    assert {path.stem for path in (HERE / "hardware" / "boards").glob("*.toml")} == {*ORDERS}
    for board, folders in ORDERS.items():
        whole = "everything" if board == "hextraction-22" else "lights"
        named = {it.id for it in tiers(find(board))} - {whole}
        assert {it.split()[1] for it in folders.values() if it.startswith("--tier")} == named


def test_a_folder_is_what_would_be_made_until_anything_of_it_changes(tmp_path: Path) -> None:
    folder = POWER.folder(tmp_path)
    folder.mkdir(parents=True)
    (folder / "power.svg").write_text("<svg/>", "utf-8")
    known = Made("--power", {"LICENSE": hardware.digest(HERE / "LICENSE")}, TOOLS, contents(folder))

    def after(made: Made) -> bool:
        (folder / MADE).write_bytes(json.encode(made))
        return fresh(POWER, tmp_path, TOOLS)

    assert after(known)
    assert not after(replace(known, options=""))
    assert not after(replace(known, sources={"LICENSE": "0" * 64}))
    assert not after(replace(known, sources={"gone.py": "0" * 64}))
    assert not after(replace(known, tools={**TOOLS, "ngspice": "ngspice-39"}))
    assert after(known)
    (folder / "power.svg").write_text("<svg>by hand</svg>", "utf-8")
    assert not after(known)
    (folder / MADE).write_text("{torn", "utf-8")
    assert not fresh(POWER, tmp_path, TOOLS)


@pytest.mark.long
def test_what_was_made_knows_what_of_and_is_not_made_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = {"tables": "", "power": "--power"}
    monkeypatch.setattr(hardware, "ORDERS", {"table": tables})
    make(["table"], tmp_path)
    made = json.decode((tmp_path / "table" / "tables" / MADE).read_bytes(), type=Made)
    assert made.sources.keys() >= {
        "hardware/boards/table.toml",
        "hardware/parts.toml",
        "controller/commands/build/sheets.py",
        "controller/locale/en.toml",
    }
    assert not {"controller/daemon/daemon.py", "hardware/boards/hexhex-5.toml"} & {*made.sources}
    assert {"board.svg", "wiring.csv", "cables.yml"} <= {*made.files}
    power = tmp_path / "table" / "power" / "power.svg"
    power.unlink()
    capsys.readouterr()
    make(["table"], tmp_path)
    told = capsys.readouterr().out
    assert "1 of 2 are as they would be made" in told
    assert "table/power: " in told
    assert "table/tables: " not in told
    assert power.is_file()
    file = tmp_path / "hexboard-1.2.3-hardware.zip"
    packed(tmp_path, file, "1.2.3")
    with zipfile.ZipFile(file) as zipped:
        names = {*zipped.namelist()}
        assert "hexboard 1.2.3" in zipped.read("hexboard-1.2.3-hardware/README.txt").decode()
    inside = {f"hexboard-1.2.3-hardware/table/tables/{it}" for it in made.files}
    assert names >= inside | {"hexboard-1.2.3-hardware/LICENSE"}
    assert not any(name.endswith(MADE) for name in names)


@pytest.mark.long
def test_a_board_that_cannot_be_built_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware, "ORDERS", {"table": {"parts": "--cad"}})
    with pytest.raises(hardware.Failed, match=r"^table --cad: table has plain cells"):
        make(["table"], tmp_path)
    assert not (tmp_path / "table" / "parts" / MADE).exists()
