"""What the lights show a camera that wishes for it: soon, never for long, not at once again."""

import math

from hexboard.daemon.camera import DIP_S, REST_S, Dip


def test_a_wish_is_granted_until_it_ends() -> None:
    dip = Dip()
    assert not dip.turn(10.0)
    dip.wished = "dark"
    assert dip.turn(10.1)
    assert dip.shown == "dark"
    assert not dip.turn(10.2)
    dip.wished = ""
    assert dip.turn(10.3)
    assert dip.shown == ""
    dip.wished = "dark"  # it was done in time: it may wish again
    assert dip.turn(10.4)


def test_a_camera_that_does_not_get_done_gets_another_dip_after_a_rest() -> None:
    """It says a wish once: pictures that stood still for a dip must not be the last of it."""
    dip = Dip()
    dip.wished = "all"
    assert dip.turn(10.0)
    assert not dip.turn(10.0 + DIP_S - 0.01)
    assert dip.turn(10.0 + DIP_S)
    assert dip.shown == ""
    assert not dip.turn(10.0 + DIP_S + REST_S - 0.01)
    assert dip.turn(10.0 + DIP_S + REST_S)
    assert dip.shown == "all"
    dip.wished = "dark"  # the time of a dip is that of all it shows
    assert dip.turn(10.0 + DIP_S + REST_S + 1.0)
    assert dip.turn(10.0 + DIP_S + REST_S + DIP_S)
    assert dip.shown == ""


def test_it_is_known_when_to_look_after_a_dip_again() -> None:
    dip = Dip()
    assert dip.patience(10.0) == math.inf
    dip.wished = "dark"
    assert dip.patience(10.0) <= 0
    dip.turn(10.0)
    assert dip.patience(10.5) == DIP_S - 0.5
    dip.turn(10.0 + DIP_S)
    assert dip.patience(10.0 + DIP_S) == REST_S
    dip.wished = ""
    assert dip.patience(10.0 + DIP_S) == math.inf
