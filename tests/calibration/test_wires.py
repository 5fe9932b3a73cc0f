"""What one fault of plugs and cables explains: two registers of eight, three inputs of a third."""

from msgspec.structs import replace

from hexboard.board import find, load
from hexboard.calibration.wires import Cause, causes, telling
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


def test_the_next_place_is_the_one_whose_answer_tells_most_of_what_is_wrong() -> None:
    ribs = [f.id for f in BOARD.sensors]  # in the order of their inputs: 19, three registers
    answers, left = {ribs[15]: ribs[15]}, [s for s in ribs if s != ribs[15]]
    assert telling(BOARD, answers, left) == ()
    # rib 0 answers with 7: of 34 faults one fits (the register reversed); an exchanged pair and a
    # place for itself weigh 34/19 each. Place 7 parts that from the rest: 0.39 of all, 0.97 bits;
    # the places between only the register: 0.22 of all, 0.76 bits
    answers[ribs[0]] = ribs[7]
    assert telling(BOARD, answers, ribs[1:15]) == (ribs[7],)
    # so does 7 with 0: a pair 1.79, the register 1: 0.93 bits, at each of those between
    answers[ribs[7]] = ribs[0]
    assert telling(BOARD, answers, [*ribs[1:7], *ribs[8:15]]) == tuple(ribs[1:7])
    answers[ribs[1]] = ribs[1]  # it is the pair
    assert telling(BOARD, answers, [*ribs[2:7], *ribs[8:15]]) == ()


def test_once_one_fault_is_sure_the_places_that_name_it_are_asked_for() -> None:
    ribs = [f.id for f in BOARD.sensors]
    answers = {ribs[8]: "", ribs[9]: ""}
    # a dead register, or two dead sensors, twice 34/361: 0.63 bits wherever it reaches
    assert telling(BOARD, answers, ribs[10:]) == tuple(ribs[10:16])
    answers[ribs[10]] = ""  # three dead sensors, 34/6859: hardly any bits; it ends with 15
    assert telling(BOARD, answers, ribs[11:]) == (ribs[15],)
    assert telling(BOARD, answers | {ribs[15]: ""}, ribs[11:15]) == ()
    big = load(find("hextraction-22"))
    seats = [s.id for s in big.sensors if 120 <= s.input < 128]
    both = {seats[0]: "", seats[7]: ""}  # two of 136 tell it already, but three are a finding
    assert telling(big, both, seats[1:7]) == tuple(seats[1:7])


def test_plugs_of_which_one_register_was_visited_are_named_with_the_other() -> None:
    for place, answer in ((0, 8), (8, 0)):
        (cause,) = found({NAMES[place + k]: NAMES[answer + k] for k in range(3)})
        assert cause[:3] == ("plugs", NAMES[0], NAMES[8])
