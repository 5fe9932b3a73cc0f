"""The mailbox loses no edge in silence."""

import threading
import time
from typing import Never

from hypothesis import given
from hypothesis import strategies as st

from hexboard.devices.mailbox import SHARE, Mailbox
from hexboard.facts import Body, Edge, Lost, Presence, Report, Watermark
from tests.running import PATIENCE

SOURCES = st.sampled_from(("pico", "gpio", "page"))
BODIES = st.builds(Edge, st.just("edge:B1-B2"), st.booleans()) | st.builds(
    Watermark, st.integers(0, 99)
)
REPORTS = st.lists(st.builds(Report, SOURCES, st.integers(0, 99), BODIES), max_size=40)


def edge(source: str, at: int) -> Report:
    return Report(source, at, Edge("edge:B1-B2", True))


@given(REPORTS, st.integers(0, 20))
def test_what_goes_in_comes_out_in_order_or_is_counted_as_lost(
    reports: list[Report], size: int
) -> None:
    mailbox = Mailbox[Never](size)
    for report in reports:
        mailbox.post(report)
    drained = mailbox.drain(0)
    edges = [report for report in reports if isinstance(report.body, Edge)]
    kept, dropped = edges[:size], edges[size:]
    assert drained[: len(kept)] == kept
    lost = {r.source: r.body.count for r in drained if isinstance(r.body, Lost)}
    assert lost == {
        source: sum(r.source == source for r in dropped) for source in {r.source for r in dropped}
    }
    latest = {r.source: r for r in reports if isinstance(r.body, Watermark)}
    assert drained[len(kept) + len(lost) :] == list(latest.values())
    assert mailbox.drain(0) == []


def test_a_drained_box_has_room_again() -> None:
    mailbox = Mailbox[Never](1)
    mailbox.post(edge("pico", 1))
    mailbox.post(edge("pico", 2))
    mailbox.drain(0)
    mailbox.post(edge("pico", 3))
    assert mailbox.drain(0) == [edge("pico", 3)]


def test_what_was_lost_is_stamped_with_the_last_that_was_kept() -> None:
    mailbox = Mailbox[Never](1)
    mailbox.post(edge("pico", 5))
    mailbox.post(edge("gpio", 6))
    assert mailbox.drain(0)[1] == Report("gpio", 5, Lost(1))


def test_a_watermark_gets_in_even_when_the_box_is_full() -> None:
    mailbox = Mailbox[Never](1)
    mailbox.post(edge("pico", 1))
    mailbox.post(Report("pico", 9, Watermark(9)))
    assert [r.body for r in mailbox.drain(0)] == [Edge("edge:B1-B2", True), Watermark(9)]


def test_a_guest_who_asks_without_end_takes_nobody_elses_room() -> None:
    mailbox = Mailbox[str](requests=2 * SHARE, guest=lambda it: "" if it == "host" else it)
    assert [mailbox.ask("ann") for _ in range(SHARE + 1)] == [True] * SHARE + [False]
    assert [mailbox.ask("ben") for _ in range(SHARE)] == [True] * SHARE
    assert not mailbox.ask("cem")  # guests have all their room
    assert mailbox.ask("host")
    assert len(mailbox.drain(0)) == 2 * SHARE + 1
    assert mailbox.ask("ann")


def test_draining_waits_for_a_report_and_no_longer() -> None:
    mailbox = Mailbox[Never]()
    threading.Timer(0.05, mailbox.post, [edge("pico", 1)]).start()
    began = time.monotonic()
    assert mailbox.drain(10) == [edge("pico", 1)]
    assert time.monotonic() - began < 5


def test_a_wake_ends_the_waiting_with_nothing() -> None:
    mailbox = Mailbox[Never]()
    threading.Timer(0.05, mailbox.wake).start()
    began = time.monotonic()
    assert mailbox.drain(10) == []
    assert time.monotonic() - began < 5


def test_who_is_there_is_heard_even_when_the_box_is_full() -> None:
    mailbox = Mailbox[Never](1)
    gone = Report("pico", 3, Presence(False, "unplugged"))
    for report in (edge("pico", 1), edge("pico", 2), gone):
        mailbox.post(report)
    assert mailbox.drain(0) == [edge("pico", 1), gone, Report("pico", 3, Lost(1))]


def test_an_empty_box_is_not_waited_for_beyond_the_timeout() -> None:
    began = time.monotonic()
    assert Mailbox[Never]().drain(0.05) == []
    assert 0.04 <= time.monotonic() - began < 5


def test_each_thread_finds_its_reports_in_its_order() -> None:
    mailbox, count = Mailbox[Never](), 2_000
    sources = ("a", "b", "c", "d")

    def post(source: str) -> None:
        for at in range(count):
            body: Body = Watermark(at) if at % 7 == 6 else Edge("edge:B1-B2", True)
            mailbox.post(Report(source, at, body))

    threads = [threading.Thread(target=post, args=(source,)) for source in sources]
    for thread in threads:
        thread.start()
    drained: list[Report] = []
    while any(thread.is_alive() for thread in threads):
        drained += mailbox.drain(0.01)
    drained += mailbox.drain(0)
    for source in sources:
        edges = [r.at for r in drained if r.source == source and isinstance(r.body, Edge)]
        assert edges == [at for at in range(count) if at % 7 != 6]
        marks = [r.at for r in drained if r.source == source and isinstance(r.body, Watermark)]
        assert marks == sorted(marks)
        assert marks[-1] == max(at for at in range(count) if at % 7 == 6)


def test_what_pages_ask_comes_among_the_reports_in_order_and_takes_no_reports_place() -> None:
    mailbox = Mailbox[str](size=2, requests=2)
    mailbox.post(edge("pico", 1))
    assert mailbox.ask("new")
    assert mailbox.ask("watch")
    assert not mailbox.ask("one too many")
    mailbox.post(edge("pico", 2))
    mailbox.post(edge("pico", 3))  # lost: two reports wait
    came = [edge("pico", 1), "new", "watch", edge("pico", 2), Report("pico", 2, Lost(1))]
    assert mailbox.drain(0) == came
    assert mailbox.ask("again")
    assert mailbox.drain(0) == ["again"]


def test_what_was_asked_can_be_taken_out_and_the_reports_stay() -> None:
    mailbox = Mailbox[str](size=2, requests=1)
    assert mailbox.ask("new")
    mailbox.post(edge("pico", 1))
    assert mailbox.requests() == ["new"]
    assert mailbox.ask("again")
    assert mailbox.drain(0) == [edge("pico", 1), "again"]


def test_a_watermark_that_nothing_waits_for_wakes_nobody() -> None:
    mailbox = Mailbox[Never]()
    drained: list[Report] = []
    waiting = threading.Thread(target=lambda: drained.extend(mailbox.drain(PATIENCE, None)))
    mark = Report("pico", 7, Watermark(7))
    mailbox.post(mark)
    waiting.start()
    mailbox.post(mark)
    waiting.join(0.05)
    assert waiting.is_alive()
    mailbox.post(edge("pico", 3))
    waiting.join(PATIENCE)
    assert drained == [edge("pico", 3), mark]
    mailbox.post(mark)
    assert mailbox.drain(PATIENCE) == [mark]  # and one that is waited for comes at once


def test_a_watermark_that_passes_nothing_that_is_due_wakes_nobody() -> None:
    mailbox = Mailbox[Never]()
    drained: list[Report] = []
    waiting = threading.Thread(target=lambda: drained.extend(mailbox.drain(PATIENCE, 9)))
    mailbox.post(Report("gpio", 8, Watermark(8)))
    waiting.start()
    mailbox.post(Report("pico", 7, Watermark(7)))
    waiting.join(0.05)
    assert waiting.is_alive()
    passing = Report("pico", 9, Watermark(9))
    mailbox.post(passing)
    waiting.join(PATIENCE)
    assert drained == [Report("gpio", 8, Watermark(8)), passing]
    mailbox.post(passing)
    assert mailbox.drain(PATIENCE, 9) == [passing]  # and one that came before is not waited for


def test_each_thing_has_the_time_at_which_it_came() -> None:
    mailbox = Mailbox[str]()
    begun = time.monotonic_ns()
    mailbox.post(Report("pico", 1, Watermark(1)))
    mailbox.post(edge("pico", 2))
    between = time.monotonic_ns()
    mailbox.ask("new")
    assert begun <= mailbox.present <= between  # what came then is not drained yet
    assert mailbox.drain(0) == [edge("pico", 2), "new", Report("pico", 1, Watermark(1))]
    first, second, mark = mailbox.arrivals
    assert begun <= mark <= first <= between <= second <= time.monotonic_ns() <= mailbox.present
