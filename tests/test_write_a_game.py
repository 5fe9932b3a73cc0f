"""docs/write-a-game.md: its blocks are a game that keeps every promise, and the package that is
installed in test_plugin."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from hexboard.words import say

HERE = Path(__file__).parents[1]
PLUGIN = HERE / "tests" / "plugin"
BLOCKS: dict[str, list[str]] = {}
for language, text in re.findall(
    r"^```(\w+)\n(.*?)^```$", (HERE / "docs/write-a-game.md").read_text("utf-8"), re.M | re.S
):
    BLOCKS.setdefault(language, []).append(text)
*GAME, CHECK = BLOCKS["python"]
FILES = {
    "pyproject.toml": BLOCKS["toml"][0],
    "span/__init__.py": "\n".join(GAME),
    "span/locale/en.toml": BLOCKS["toml"][1],
    "span/locale/en.md": BLOCKS["markdown"][0],
    "span/page/widgets.js": BLOCKS["js"][0],
    "span/page/style.css": BLOCKS["css"][0],
}
"""The package that the page builds."""


def lines(text: str) -> list[str]:
    """Without blank lines, of which the page has fewer."""
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize("name", FILES)
def test_the_package_of_the_tests_is_the_one_on_the_page(name: str) -> None:
    assert lines(FILES[name]) == lines((PLUGIN / name).read_text("utf-8"))
    assert sum(map(len, map(lines, GAME))) < 170


def test_the_pages_blocks_are_a_game_that_keeps_every_promise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    span = imported("span", tmp_path)
    exec(CHECK, vars(span))
    assert "check_game(span, seed=1" in capsys.readouterr().out
    assert span.GAME.help().startswith("# Span\n")
    rules(span)


def imported(name: str, folder: Path) -> ModuleType:
    """A module of this folder, and of no other."""
    module = __import__(name)
    assert Path(str(module.__file__)).is_relative_to(folder)
    return module


def rules(span: ModuleType) -> None:
    """S3, by hand: d1 to d7 link two opposite sides; six of them do not."""
    position = span.GAME.begin(span.BOARD, {})
    black, white = [f"d{n}" for n in range(1, 8)], ["a1", "a2", "a3", "b1", "b2", "g1"]
    for one, other in zip(black, [*white, ""], strict=True):
        assert position.scores is None
        position = position.play(position.action(one))
        position = position.play(position.action(other)) if other else position
    assert position.scores == (1, 0)
    assert [say(event) for event in position.events] == [
        "Black places a disc on d7.",
        "Black links two opposite sides and wins.",
    ]
    refused = position.refusal(position.action("g4"))
    assert refused is not None
    assert (say(refused), refused.rule) == ("The game is over.", "S3")
