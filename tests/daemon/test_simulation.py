"""Hands under the simulated camera: they do what somebody may do who declares it."""

from pathlib import Path
from typing import Any

import pytest

from hexboard.daemon.run import Run
from hexboard.daemon.simulation import Simulation
from hexboard.facts import Declare
from hexboard.settings import Settings
from tests.running import eventually
from tests.test_secrets import HEXEL, TABLE, Desk


@pytest.mark.long
def test_no_hand_lays_a_card_that_another_seat_holds(tmp_path: Path) -> None:
    desk = Desk(HEXEL)
    desk.deal()
    while desk.position.phase != "place":
        position = desk.position
        desk.say(position.name(next(iter(position.legal))))
    view: Any = desk.table.view()
    turn = view.position.actor(next(iter(view.position.legal)))
    lays = view.position.name(next(iter(view.position.legal)))
    run = Run(TABLE, tmp_path, Settings(), "hexel", dict(HEXEL.options), True, camera="any")

    def nobody(*_: object) -> None:
        """Hears nothing."""

    simulation = Simulation(run, TABLE, view, nobody, nobody, nobody, nobody, nobody)
    try:
        eye: Any = simulation._eye
        shown = view.game.visibly(view.position)
        eventually(lambda: eye.shows(shown))
        assert not simulation.declare(Declare(1 - turn, lays), view)
        assert eye.still
        assert eye.shows(shown)
        assert simulation.declare(Declare(turn, lays), view)
    finally:
        simulation.close()
