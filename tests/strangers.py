"""Games of strangers: Span as one file under any name, and packages as pip lays them out."""

import re
import tomllib
from pathlib import Path

from hexboard.board import plain
from hexboard.commands.new import write_game
from hexboard.demo.recorded import recorded
from hexboard.facts import MS, Body, Declare, Fact, Start
from hexboard.game import registry
from hexboard.record.transcript import Transcript

SPAN = Path(__file__).parent / "plugin" / "span"


def one_file(name: str, more: str = "") -> str:
    """A whole game of this name as one file, with `more` between its rules and its declaration."""
    key = name.replace("-", "_")
    words = tomllib.loads((SPAN / "locale/en.toml").read_text("utf-8"))["span"]
    said = {f"{key}.{what}": sentence for what, sentence in words.items()}
    said[f"{key}.help"] = (SPAN / "locale/en.md").read_text("utf-8")
    text = (SPAN / "__init__.py").read_text("utf-8")
    for quote in ('"', 'f"'):
        text = text.replace(f"{quote}span.", f"{quote}{key}.")
    text = text.replace('"span"', f'"{name}"').replace('"span 1"', f'"{name} 1"')
    rules, _, declaration = text.rpartition("GAME = Game(")
    declaration = declaration.replace("package=__name__,", "package=__name__,\n    words=WORDS,")
    declaration = re.sub(r"    page=.*\n", "", declaration)  # what it brings is a package's
    return f"{rules}WORDS = {said!r}\n{more}\nGAME = Game({declaration}"


def example(name: str, kind: str, folder: Path) -> str:
    """The game of this kind that `hexboard new` writes (into `folder`), as one file."""
    key = name.replace("-", "_")
    write_game(name, kind, folder / name)
    package = folder / name / key
    words = tomllib.loads((package / "locale/en.toml").read_text("utf-8"))[key]
    options = words.pop("option")
    words |= {f"option.{option}": about for option, about in options.items()}
    said = {f"{key}.{what}": sentence for what, sentence in words.items()}
    said[f"{key}.help"] = (package / "locale/en.md").read_text("utf-8")
    text = (package / "__init__.py").read_text("utf-8")
    return text.replace("package=__name__,", f"package=__name__,\n    words={said!r},")


def keep(home: Path, name: str, code: str) -> Path:
    """Lay a file into `games/` of hexboard's own folder."""
    path = home / "games" / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(code, "utf-8")
    return path


def played(home: Path, folder: Path, name: str, *actions: str) -> Path:
    """The recording of a match of a game that lies there."""
    board = plain("hexhex-4")
    registry.look_in(home / "games")
    try:
        begin = Start("m", board.name, board.hash, name, registry.find(name).rules(), {}, "test")
        bodies: tuple[Body, ...] = begin, *(Declare(-1, action) for action in actions)
        transcript = Transcript(board, begin)
        with recorded(board, folder, "m") as (path, keep):
            for n, body in enumerate(bodies, 1):
                fact = Fact(n, n * MS, n * MS, "page", body)
                keep(fact, transcript.step(fact)[1])
    finally:
        registry.look_in(folder / "nothing")
    return path


def lay_out(folder: Path, package: str, code: str, **entries: str) -> None:
    """Lay out a package of one module as pip would: entry points of `hexboard.<group>`, by group,
    each as the lines of its part of entry_points.txt."""
    about = folder / f"{package}-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    parts = [f"[hexboard.{group}]\n{lines}\n" for group, lines in entries.items()]
    (about / "entry_points.txt").write_text("\n".join(parts), "utf-8")
    (folder / f"{package}.py").write_text(code, "utf-8")
