"""A game of Bad Santa Hex in SGF is read back; what SGF does not know is not guessed."""

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from hexboard.board import plain
from hexboard.commands.cli import main
from hexboard.game.options import Options, choose
from hexboard.games.bad_santa import hex
from hexboard.games.bad_santa.position import BadSanta
from hexboard.games.bad_santa.sgf import read, sgf
from hexboard.words.errors import BadText

HEAD = "(;FF[4]GM[11]CA[UTF-8]AP[hexboard]SZ[5]RU[Bad Santa Hex]"
TURN = ";B[d3]\n;W[b2]C[1. B 12:b2 34:d3 d1 -> b2=W]"


def played(line: list[BadSanta], *names: str) -> list[BadSanta]:
    for name in names:
        line = [*line, line[-1].play(line[-1].action(name))]
    return line


def again(text: str) -> tuple[BadSanta, Options]:
    found = read(text)
    board = plain(hex.board(found.options))
    first = hex.parse(found.start, board, found.options)
    return played([first], *found.moves)[-1], found.options


def test_a_turn_is_its_reservation_counters_and_its_die() -> None:
    found = read(f"{HEAD}PL[B]\n{TURN})\n")
    assert found.start == "...../...../...../...../..... B 1"
    assert (found.options, found.moves) == ({"size": 5}, ("b2", "d3", "die 1"))
    free = read(f"{HEAD}GC[labels=free swap=True]PL[B]\n{TURN};C[2. W swap])\n")
    assert free.moves == ("12:b2", "34:d3", "die 1", "swap")
    assert free.options == {"size": 5, "labels": "free", "swap": True}


@pytest.mark.parametrize("seed", range(8))
def test_a_game_is_read_back(seed: int) -> None:
    random, options = Random(seed), {"size": 4 + seed % 3}
    agreed = {
        it.name: random.choice(it.choices or (False, True))
        for it in hex.OPTIONS[1:]
        if random.random() < 0.4
    }
    line = [hex.start(plain(f"rhombus-{options['size']}"), options | agreed)]
    for _ in range(random.choice((10, 60, 200))):
        if moves := list(line[-1].legal):
            line.append(line[-1].play(random.choice(moves)))
    while line[-1].reserved:  # a turn that is not over is not written
        line.pop()
    position, said = again(sgf(line))
    assert position == line[-1]
    assert choose("", hex.OPTIONS, said) == choose("", hex.OPTIONS, options | agreed)


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
    "text",
    [
        "",
        "(;GM[1]SZ[19];B[aa])",
        "(;FF[4]GM[11]SZ[11];B[a1];W[b2])",
        HEAD.replace("SZ[5]", "SZ[20]"),
        HEAD.replace("SZ[5]", "SZ[9:9]"),
    ],
)
def test_other_files_are_said_to_be_none(text: str) -> None:
    with pytest.raises(BadText, match="neither the die nor the reservation counters"):
        read(text)


def test_the_command_makes_a_game_of_it(tmp_path: Path) -> None:
    text, kept = tmp_path / "game.sgf", tmp_path / "game.json"
    text.write_text(f"{HEAD}PL[B]\n{TURN})\n", "utf-8")
    run = CliRunner()
    assert run.invoke(main, ["read", "bad-santa-hex", str(text), "-o", str(kept)]).exit_code == 0
    assert run.invoke(main, ["export", str(kept)]).output == text.read_text("utf-8")
