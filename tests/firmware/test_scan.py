"""Scanning: every change once, in order, stamped, or counted as lost."""

from hypothesis import given
from hypothesis import strategies as st

from tests.firmware import firmware

scan = firmware("scan")


def look(one, image: bytes, now: int) -> None:  # type: ignore[no-untyped-def]
    one.tick(now)
    one.look(image)


def edges(one) -> list[tuple[int, bool, int]]:  # type: ignore[no-untyped-def]
    """(input, level, widened µs) of the edges kept."""
    numbers = range(one.first, one.first + (one.end - one.first & 0xFFFF))
    at = [number & one.mask for number in numbers]
    return [
        (one.what[i] & 0x7FFF, one.what[i] >= 0x8000, one.wraps[i] << 30 | one.when[i]) for i in at
    ]


def test_the_first_look_is_no_change() -> None:
    one = scan.Scan(16)
    look(one, b"\x81\x01", 5)
    look(one, b"\x80\x03", 6)
    assert edges(one) == [(0, False, 6), (9, True, 6)]


def test_a_wrapping_tick_is_counted() -> None:
    one = scan.Scan(8)
    for level, now in enumerate((scan.TICKS, 1, scan.TICKS, 0)):
        look(one, bytes((level & 1,)), now)
    top = scan.TICKS
    assert edges(one) == [(0, True, 1 << 30 | 1), (0, False, 1 << 30 | top), (0, True, 2 << 30)]


def test_bits_beyond_the_last_input_are_silent() -> None:
    one = scan.Scan(3)
    look(one, b"\0", 0)
    look(one, b"\xff", 1)
    assert [edge[0] for edge in edges(one)] == [0, 1, 2]


def test_a_full_ring_counts_what_it_drops() -> None:
    one = scan.Scan(8, room=4)
    for now in range(11):
        look(one, bytes((now & 1,)), now)
    assert len(edges(one)) == 4
    assert one.lost == 6
    one.forget(2)
    look(one, b"\1", 20)
    assert edges(one)[-1] == (0, True, 20)


@given(st.lists(st.binary(min_size=19, max_size=19), max_size=8))
def test_the_edges_lead_from_the_first_image_to_the_last(images: list[bytes]) -> None:
    one = scan.Scan(152, room=2048)
    state = bytearray(19)
    for now, image in enumerate([bytes(19), *images]):
        look(one, image, now)
    for number, level, _ in edges(one):
        assert bool(state[number >> 3] >> (number & 7) & 1) != level
        state[number >> 3] ^= 1 << (number & 7)
    assert bytes(state) == bytes(images[-1] if images else 19)


def test_an_acknowledgement_of_what_was_never_sent_is_ignored() -> None:
    one = scan.Scan(8)
    look(one, b"\0", 0)
    look(one, b"\1", 1)
    one.forget(40_000)
    assert len(edges(one)) == 1
