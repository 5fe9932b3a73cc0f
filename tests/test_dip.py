"""What the lights show a camera that wishes for it: soon, never for long, not at once again."""

from controller.daemon.camera import DIP, REST, Dip


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


def test_a_camera_that_does_not_get_done_waits_before_its_next_dip() -> None:
    dip = Dip()
    dip.wished = "all"
    assert dip.turn(10.0)
    assert not dip.turn(10.0 + DIP - 0.01)
    assert dip.turn(10.0 + DIP)
    assert dip.shown == ""
    dip.wished = "all"
    assert not dip.turn(10.0 + DIP + REST - 0.01)
    assert dip.turn(10.0 + DIP + REST + 0.01)
