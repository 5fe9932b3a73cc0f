"""What one fault of plugs and cables explains: two registers of eight, three inputs of a third."""

from msgspec.structs import replace

from hexboard.calibration.wires import Cause, causes
from tests.calibration.boards import board, moved

BOARD = board()  # 19 sensors on inputs 0 to 18
NAMES = {s.input: s.id for s in BOARD.sensors}


def found(answers: dict[str, str]) -> list[tuple[str, str, str]]:
    return [(c.kind, c.first, c.other) for c in causes(BOARD, answers, ())]


def test_a_board_that_is_wired_right_has_no_cause() -> None:
    assert found(dict(zip(BOARD.sensor, BOARD.sensor, strict=True))) == []


def test_two_faults_are_two_causes_and_the_bigger_comes_first() -> None:
    answers = moved(BOARD, lambda i: -1 if i >= 16 else 23 - i if i >= 8 else i)
    assert found(answers) == [
        ("reversed", NAMES[8], NAMES[15]),
        ("silent", NAMES[16], NAMES[18]),
    ]


def test_one_dead_sensor_in_a_reversed_register_does_not_hide_the_cause() -> None:
    answers = moved(BOARD, lambda i: 7 - i if i < 8 else i) | {NAMES[3]: ""}
    (cause,) = causes(BOARD, answers, ())
    assert cause == Cause("reversed", NAMES[0], NAMES[7], cause.places)
    assert NAMES[3] not in cause.places


def test_two_dead_sensors_of_a_register_are_no_dead_register() -> None:
    answers = {name: name for name in BOARD.sensor} | {NAMES[1]: "", NAMES[2]: ""}
    assert found(answers) == []


def test_swapped_plugs_and_a_chain_that_is_turned_round_are_told_apart() -> None:
    names, full = {i: f"s{i}" for i in range(24)}, BOARD.sensors[0]
    every = tuple(replace(full, id=name, input=i) for i, name in names.items())
    three = replace(BOARD, sensors=every)
    plugs = [*range(16, 24), *range(8, 16), *range(8)]
    for to, told in (
        (plugs, ("plugs", "s0", "s16")),
        (list(range(23, -1, -1)), ("reversed", "s0", "s23")),
    ):
        (cause,) = causes(three, {names[i]: names[to[i]] for i in names}, ())
        assert (cause.kind, cause.first, cause.other) == told


def test_what_is_not_known_yet_speaks_neither_way() -> None:
    answers = {NAMES[i]: NAMES[i + 1] for i in (9, 11, 13)}
    assert found(answers) == [("shifted", NAMES[9], "+1")]


def test_silence_alone_tells_of_no_shifted_chain() -> None:
    """Whatever is shifted past the end of the chain is silent; so is what is dead."""
    answers = {NAMES[i]: "" for i in range(12, 19)}
    assert {kind for kind, *_ in found(answers)} == {"silent"}
