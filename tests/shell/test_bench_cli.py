"""A calibration on a page: by its link, over its wire, with a terminal beside it."""

import contextlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect

from hexboard.appearance import KIT
from hexboard.simulator.camera.tabletop import MODERATE, Tabletop
from hexboard.vision.cells.colours import Palette, asked, dressed
from hexboard.web.keys import cookie_name
from tests.looking import laid, looks
from tests.running import PATIENCE
from tests.shell.test_camera_cli import (
    BOARD,
    CAMERA,
    GREEN_RED,
    PLACE,
    Stream,
    Terminal,
    measured,
    stream,
)

__all__ = ["stream"]  # a fixture


@pytest.mark.long
def test_colours_are_learned_from_a_page_and_the_terminal_beside_it(
    home: Path, stream: Stream, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (home / "settings.toml").write_text("[web]\nport = 0\n", "utf-8")
    measured(home)
    learned = Palette(
        *(GREEN_RED.colours, GREEN_RED.rims, GREEN_RED.nearest, GREEN_RED.apart, GREEN_RED.sizes)
    )
    stream.top = Tabletop(BOARD, CAMERA, PLACE, 1, MODERATE, dressed(KIT, learned))
    stream.lay({})
    command = ("--home", home, "calibrate", "colours", "hexhex-5", "--camera", stream.url)
    terminal = Terminal(*command, "--page")
    terminal.until("Clear the board and step back")
    link = re.search(r"http://\S+token=\S+", terminal.said)
    assert link is not None
    with paged(link[0]) as page:
        sheet = until(page, "ready")
        assert "press the button" in sheet["ask"]  # a page has no keys
        page.send(json.dumps({"type": "ask", "body": {"say": "ok", "to": sheet["question"]}}))
        sheet = until(page, "ready", sheet["question"])
        layout = asked(BOARD, looks("hexalma"))
        towers = {cell: [f"3 {name}", ""] for name, cell in layout.towers.items()}
        alone = {c: [name, ""] for name, cells in layout.alone.items() for c in cells}
        assert sheet["cells"] == alone | towers
        stream.lay(laid(layout))
        os.write(terminal.ours, b"\n")
        while (told := json.loads(page.recv(PATIENCE)))["type"] != "ended":
            pass
        assert told["told"][0].startswith("Learned: ")
    terminal.until("version 1.")
    assert terminal.end() == 0


@contextlib.contextmanager
def paged(link: str) -> Iterator[Any]:
    """The wire of a page that was opened by a link."""
    url = urlsplit(link)
    cookie = f"{cookie_name(int(url.port or 0), key := url.query.partition('=')[2])}={key}"
    origin = f"http://{url.netloc}"
    headers = {"Cookie": cookie, "Origin": origin}
    with connect(
        f"ws://{url.netloc}/live", additional_headers=headers, close_timeout=0.2
    ) as socket:
        yield socket


def until(page: Any, wants: str, after: int = 0) -> dict[str, Any]:
    """The first sheet after question `after` that wants this."""
    while True:
        sheet: dict[str, Any] = json.loads(page.recv(PATIENCE))
        if sheet.get("wants") == wants and sheet["question"] > after:
            return sheet
