"""A game of Bad Santa in SGF is read back; of what others wrote, what SGF knows."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from click.testing import CliRunner
from sgfmill import sgf_grammar

from hexboard.board import plain
from hexboard.commands.cli import main
from hexboard.game.fields import ForeignFormat, Written
from hexboard.game.options import Options, choose
from hexboard.game.sgf import main_line
from hexboard.games.bad_santa import cross, hex, y
from hexboard.games.bad_santa.position import BadSanta
from hexboard.words import say
from hexboard.words.errors import BadText

HEAD = "(;FF[4]GM[11]CA[UTF-8]AP[hexboard]SZ[5]RU[Bad Santa Hex]"
TURN = ";B[d3]\n;W[b2]C[1. B 12:b2 34:d3 d1 -> b2=W]"


def played(line: list[BadSanta], *names: str) -> list[BadSanta]:
    for name in names:
        line = [*line, line[-1].play(line[-1].action(name))]
    return line


VARIANTS = {"hex": hex, "y": y, "cross": cross}


def sgf(
    line: Sequence[BadSanta],
    variant: ModuleType = hex,
    players: tuple[str, ...] = (),
    date: str = "",
) -> str:
    foreign: ForeignFormat[BadSanta] = variant.GAME.foreign
    return foreign.write(line, players, date)


def read(text: str, variant: ModuleType = hex) -> Written:
    foreign: ForeignFormat[BadSanta] = variant.GAME.foreign
    assert foreign.read is not None
    return foreign.read(text)


def again(text: str, variant: ModuleType = hex) -> tuple[BadSanta, Options]:
    found = read(text, variant)
    board = plain(variant.board(found.options))
    first: BadSanta = variant.parse(found.start, board, found.options)
    return played([first], *found.moves)[-1], found.options


def test_a_turn_is_its_reservation_counters_and_its_die() -> None:
    found = read(f"{HEAD}PL[B]\n{TURN})\n")
    assert found.start == "...../...../...../...../..... B 1"
    assert (found.options, found.moves) == ({"size": 5}, ("b2", "d3", "die 1"))
    free = read(f"{HEAD}GC[labels=free swap=True]PL[B]\n{TURN};C[2. W swap])\n")
    assert free.moves == ("12:b2", "34:d3", "die 1", "swap")
    assert free.options == {"size": 5, "labels": "free", "swap": True}


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_read_back(name: str, seed: int) -> None:
    random, variant, options = Random(seed), VARIANTS[name], {"size": 4 + seed % 3}
    agreed = {
        it.name: random.choice(it.choices or (False, True))
        for it in variant.OPTIONS[1:]
        if random.random() < 0.4
    }
    line = [variant.start(plain(variant.board(options)), options | agreed)]
    for _ in range(random.choice((10, 60, 200))):
        if moves := list(line[-1].legal):
            line.append(line[-1].play(random.choice(moves)))
    while line[-1].reserved:  # a turn that is not over is not written
        line.pop()
    position, said = again(sgf(line, variant), variant)
    assert position == line[-1]
    assert choose("", variant.OPTIONS, said) == choose("", variant.OPTIONS, options | agreed)
    assert counters(sgf(line, variant)) == lying(position)


def test_who_played_and_when_is_read_by_others_and_back() -> None:
    """A backslash and a bracket are escaped (FF[4], "Text"): another reader has them plain."""
    line = played([hex.start(plain("rhombus-5"), {"size": 5})], "b2", "d3", "die 1")
    text = sgf(line, hex, ("Ann [a\\b]", "Jürgen, B"), "2026-11-30")
    root = sgf_grammar.parse_sgf_collection(text.encode())[0].sequence[0]
    assert root["PB"] == [rb"Ann [a\\b\]"]
    assert root["PW"] == ["Jürgen, B".encode()]
    assert root["DT"] == [b"2026-11-30"]
    assert read(text).names == ("Ann [a\\b]", "Jürgen, B")
    assert read(text).moves == read(sgf(line)).moves
    assert read(sgf(line)).names == ()
    others = "(;FF[4]GM[11]SZ[5]PW[Ben];B[a1];W[b2])"
    assert read(others).names == ("", "Ben")


def counters(text: str) -> dict[str, str]:
    """What lies where in the end, as another reader of SGF has it."""
    (game,) = sgf_grammar.parse_sgf_collection(text.encode())
    lies: dict[str, str] = {}
    for node in sgf_grammar.main_sequence_iter(game):
        for key in ("AB", "AW", "B", "W"):
            lies |= {cell.decode(): key[-1] for cell in node.get(key, ())}
    return lies


def lying(position: BadSanta) -> dict[str, str]:
    return {piece.place: "BW"[piece.seat] for piece in position.pieces() if piece.kind != "hole"}


@pytest.mark.parametrize("labels", ["free", "order"])
@pytest.mark.parametrize("done", [1, 2, 3])
def test_a_position_that_was_set_in_the_middle_of_a_turn_is_gone_on_from(
    labels: str, done: int
) -> None:
    options: Options = {"size": 5, "die": "pressed", "labels": labels}
    board = plain("rhombus-5")
    turn = ("12:b2", "34:d3", "roll", "die 1")
    if labels != "free":
        turn = ("b2", "d3", "roll", "die 1")
    first = hex.start(board, options)
    composed = hex.parse(str(played([first], *turn[:done])[-1]), board, options)
    line = played([first, composed], *turn[done:])
    assert read(sgf(line)).moves == turn[done:]
    assert again(sgf(line))[0] == line[-1]


def test_what_a_host_has_set_and_a_resignation_are_read_back() -> None:
    options = {"size": 5}
    board = plain("rhombus-5")
    composed = hex.parse("BBB../...../..W../...../..... W 2", board, options)
    line = played([hex.start(board, options)], "b2", "d3", "die 1")
    line = played([*line, composed], "e4", "a4", "c5", "die 2", "resign black")
    found = read(sgf(line))
    assert found.start == "BBB../...../..W../...../..... W 2"
    assert again(sgf(line))[0] == line[-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no “(;”"),
        ("Game: bad-santa-hex", "no “(;”"),
        ("(;GM[1]SZ[19];B[aa])", "no game of Bad Santa Hex"),
        ("(;FF[4]SZ[5]RU[Bad Santa Y])", "no game of Bad Santa Hex"),
        ("(;GM[11]SZ[20])", "from 1 to 19"),
        ("(;GM[11]SZ[9:8])", "from 1 to 19"),
        ("(;GM[11]SZ[five])", "from 1 to 19"),
        ("(;GM[11]SZ[5];B[f1])", "no cell “f1”"),
        ("(;GM[11]SZ[5]\n;B[a1]\n;W[b", "Line 3: no SGF goes on with “[b”"),
        ("(;GM[11]SZ[5]\n;B[a1]\n", "Line 3: the SGF ends in the middle"),
        ("(;GM[11]SZ[5]\n;[a1])", "Line 2: the value [a1] belongs to no property"),
        (f"{HEAD}{TURN.replace('C[', 'N[')})", "do not fit the counters"),
        (f"{HEAD}{TURN.replace('34:d3', '34:e3')})", "do not fit the counters"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(BadText) as refused:
        read(text)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("nodes", "position"),
    [
        (";B[a1];W[C2]", "B..../..W../...../...../..... B 3"),
        (";B[a1];W[c2](;B[b3];W[e5])(;B[d4])", "B..../..W../.B.../...../....W B 3"),
        ("PL[W]AB[b1][c1]AW[e5];AE[c1]", ".B.../...../...../...../....W W 2"),
        (";B[b1];W[swap-pieces]", "...../W..../...../...../..... B 3"),
        (";B[b1];W[swap-sides];B[resign]", ".B.../...../...../...../..... W 2"),
        (
            "C[a \\] and ( ; in \\\na remark]PB[Ann];\n B [ a1 ] ",
            "B..../...../...../...../..... W 2",
        ),
    ],
)
def test_of_a_game_of_hex_the_position_is_read(nodes: str, position: str) -> None:
    """Hex as other programs write it, its points as red-bean.com/sgf/hex.html names them."""
    found = read(f"Dear reader,\n(;FF[4]GM[11]SZ[5]{nodes})\n(;GM[1])")
    assert (found.options, found.moves) == ({"size": 5}, ())
    assert found.start == position


def test_the_grammar_is_read_as_another_reader_does() -> None:
    text = "(;GM[11]C[\\[x\\]: a\\\\b ] A [1]\n[2];Bl[c3];(;B[a1]C[;)])(;B[b2](;W[a3])))"
    (game,) = sgf_grammar.parse_sgf_collection(text.encode())
    theirs = [
        {key: [v.decode() for v in values] for key, values in node.items()}
        for node in sgf_grammar.main_sequence_iter(game)
    ]
    escaped = {
        key: [v.replace("\\[", "[").replace("\\]", "]").replace("\\\\", "\\") for v in values]
        for key, values in theirs[0].items()
    }
    ours = [{key: list(values) for key, values in node.items()} for node in main_line(text)]
    assert ours == [escaped, *theirs[1:]]


BOTH = """d1 e2 4, a2 c3 d4 4, c1 b4 e3 3, d3 a3 b1 3, b3 a1 e1 5, d2 b2 3, c2 c5 3"""
"""Cross on a hexagon of side 3: by its last die both colours link two opposite sides."""


@pytest.mark.parametrize(("both_lose", "result"), [("mover", "W+"), ("opponent", "B+")])
def test_who_is_judged_first_goes_with_the_game(
    both_lose: str, result: str, tmp_path: Path
) -> None:
    """BSC-3: the last turn is Black's, so White wins where the mover is judged first."""
    agreed: Options = {"size": 3, "both_lose": both_lose}
    line = [cross.start(plain("hexhex-3"), agreed)]
    for turn in BOTH.split(", "):
        *cells, die = turn.split(" ")
        line = played(line, *cells, f"die {die}")
    loser, winner = ("Black", "White") if result == "W+" else ("White", "Black")
    told = line[-1].events[-1]
    assert (told.rule, say(told)) == (
        "BSC-3",
        f"Both have linked two opposite sides. {loser} is judged first and loses: {winner} wins.",
    )
    text = sgf(line, cross)
    assert f"RE[{result}]" in text
    assert ("GC[both_lose=opponent]" in text) == (both_lose == "opponent")
    assert again(text, cross)[0] == line[-1]
    file, run = tmp_path / "game.sgf", CliRunner()
    file.write_text(text.replace("GC[both_lose=opponent]", ""), "utf-8")
    out = run.invoke(main, ["read", "bad-santa-cross", str(file), "-o", str(tmp_path / "x.json")])
    assert (out.exit_code, (tmp_path / "x.json").exists()) == ((1, False), (0, True))[
        result == "W+"
    ]
    if result == "B+":  # what is read is another game, and its file knows
        wanted = (
            "The result is “Black 1, White 0” there, but these moves come to “Black 0, White 1”."
        )
        assert wanted in out.output


def test_the_command_makes_a_game_of_it(tmp_path: Path) -> None:
    text, kept = tmp_path / "game.sgf", tmp_path / "game.json"
    text.write_text(f"{HEAD}PL[B]\n{TURN})\n", "utf-8")
    run = CliRunner()
    assert run.invoke(main, ["read", "bad-santa-hex", str(text), "-o", str(kept)]).exit_code == 0
    assert run.invoke(main, ["export", str(kept)]).output == text.read_text("utf-8")
