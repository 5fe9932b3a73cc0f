"""A camera and the tiles of the match: another match may be played with others."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import find, load
from hexboard.calibration import lens_file
from hexboard.daemon import Run
from hexboard.daemon.camera import Camera
from hexboard.games.hextraction.tiles.catalogue import own_options
from hexboard.games.hextraction.tiles.registering import register
from hexboard.settings import Settings
from hexboard.simulator.camera.render import view
from hexboard.table import open_table
from hexboard.vision.pose.lens import Lens
from tests.desk import start as begun
from tests.running import Running


def test_a_camera_looks_for_the_tiles_of_the_match_that_begins(tmp_path: Path) -> None:
    board = load(find("hextraction-22"))
    path = lens_file.path(tmp_path)
    path.parent.mkdir(parents=True)
    lens_file.save(path, Lens(view(board)[0], 0.2, 0.3, 0.001, 12, 0.8, False))
    asked = Run(board, tmp_path, Settings(), "hextraction", camera="/dev/video99", lens=path)
    before, again = (open_table(board, begun()).view() for _ in range(2))
    register(tmp_path, "Bee", "me", ((1, 4),), (1, 2, 3, 4, 5, 6))
    after = open_table(board, begun(**own_options(tmp_path))).view()

    def nothing(*_: object) -> None:
        pass

    camera = Camera(asked, board, before, nothing, nothing, lambda: None, nothing)
    try:
        assert "Bee" not in tiles(camera)
        assert not camera.begin(again)
        assert camera.begin(after)
        assert "Bee" in tiles(camera)
        assert not camera.begin(after)
    finally:
        camera.close()


def tiles(camera: Camera) -> set[str]:
    """What the process that looks was told to look for."""
    kinds: tuple[Any, ...] = camera._watching._job[1]
    return {look.tile for look in kinds}


@pytest.mark.long
def test_a_tile_that_was_registered_is_read_in_the_next_game(
    start: Callable[..., Running],
) -> None:
    with start("--empty", "--camera").page() as page:
        page.ready()
        tile = {"name": "Ant", "owner": "", "nets": [[2, 5]], "sockets": [1, 2, 3, 4, 5, 6]}
        page.send("ask", body=tile)
        page.until(lambda s: "Ant" in " ".join(s["notices"]))
        page.send("new")
        page.until(lambda s: "Ant" in (s["own"]["legal"] or {}).get("play", {}))
        page.hand("seat", "C3", thing="Ant", turn=0)
        page.until(lambda s: s["own"]["slots"].get("C3", {}).get("tile") == "Ant")
        assert not page.refused
