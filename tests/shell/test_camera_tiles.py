"""A camera and the tiles of the match: another match may be played with others."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calibration import lens_file
from controller.board import find, load
from controller.daemon import Run
from controller.daemon.camera import Camera
from controller.games.hextraction.registering import register
from controller.games.hextraction.tiles import brought
from controller.settings import Settings
from controller.table import Balls
from controller.vision.lens import Lens
from controller.vision.render import view
from tests.desk import start as begun
from tests.running import Running


def test_a_camera_looks_for_the_tiles_of_the_match_that_begins(tmp_path: Path) -> None:
    board = load(find("hextraction-22"))
    path = lens_file.path(tmp_path)
    path.parent.mkdir(parents=True)
    lens_file.save(path, Lens(view(board)[0], 0.2, 0.3, 0.001, 12, 0.8, False))
    asked = Run(board, tmp_path, Settings(), camera="/dev/video99", lens=path)
    before, again = Balls(board, begun()), Balls(board, begun())
    register(tmp_path, "Bee", "me", ((1, 4),), (1, 2, 3, 4, 5, 6))
    after = Balls(board, begun(**brought(tmp_path)))

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
        page.send("register", name="Ant", owner="", nets=[[2, 5]], sockets=[1, 2, 3, 4, 5, 6])
        page.until(lambda s: "Ant" in " ".join(s["notices"]))
        page.send("new")
        page.until(lambda s: "Ant" in (s["legal"] or {}).get("play", {}))
        page.hand("seat", "C3", tile="Ant", rotation=0)
        page.until(lambda s: s["slots"].get("C3", {}).get("tile") == "Ant")
        assert not page.refused
