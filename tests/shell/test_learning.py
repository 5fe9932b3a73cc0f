"""What rolls teach is in the calibration's file once a match is over, before hexboard ends."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hexboard.board import find, load
from hexboard.calibration import result
from hexboard.calibration.result import Calibration, Measured, place, wiring
from hexboard.calibration.store import save
from tests.running import Running, eventually

BOARD = "hextraction-22"


@pytest.mark.long
def test_a_match_that_is_over_has_taught_before_the_plug_is_pulled(
    start: Callable[..., Running], home: Path
) -> None:
    board = load(find(BOARD))
    path = place(home, board, simulated=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    sensors = {it.id: Measured(it.source, it.input, "done", 1) for it in board.sensors}
    save(path, Calibration(4, BOARD, wiring(board), "", sensors))

    def balls() -> int:
        rates = (it.rates for it in result.load(path).sensors.values())
        return sum(rate.of for own in rates for rate in own if rate.by == "balls")

    running = start()
    with running.page() as page:
        page.ready()
        page.roll()
        assert balls() == 0
        page.send("new")
        assert eventually(balls) > 0
    running.process.kill()
    running.process.wait()
    assert balls() > 0
