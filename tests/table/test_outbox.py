"""The outbox: the effects of one step, in order, and whether there is something new to show."""

from hexboard.table.effects import Refresh, Refuse, Tell
from hexboard.table.outbox import Outbox
from hexboard.words import message

NEWS, WHY = message("table.news"), message("table.no")


def test_a_step_has_its_own_effects_and_the_log_goes_on() -> None:
    outbox = Outbox()
    first = outbox.begin()
    outbox.tell(NEWS, 3)
    outbox.refuse(WHY, "page 1")
    second = outbox.begin()
    outbox.put(Refresh())
    outbox.tell(NEWS)
    assert first == [Tell((NEWS,)), Refuse(WHY, "page 1")]
    assert second == [Refresh(), Tell((NEWS,))]
    assert [line.entry for line in outbox.log.lines] == [3, -1]


def test_a_change_is_taken_once_and_a_refusal_is_none() -> None:
    outbox = Outbox()
    assert outbox.take_change()  # a new table has to be shown
    outbox.refuse(WHY, "page 1")
    assert not outbox.take_change()
    outbox.tell(NEWS)
    assert outbox.take_change()
    outbox.change()
    assert (outbox.take_change(), outbox.take_change()) == (True, False)
