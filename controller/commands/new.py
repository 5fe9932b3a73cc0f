"""`hexboard new`: what people begin with to make something of their own."""

import re
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

import click

from hexboard.commands import FOLDER
from hexboard.words import SHORT
from hexboard.words.errors import BadText

TEMPLATE = Path(__file__).parent / "template"
KINDS = ("connection", "pieces", "cards")
"""The games that there are to begin with; each is a folder of the template."""
FILES = {
    "pyproject.toml": "pyproject.toml.txt",
    "{module}/__init__.py": "{kind}/game.py.txt",
    "{module}/locale/en.toml": "{kind}/en.toml.txt",
    "{module}/locale/en.md": "{kind}/en.md.txt",
    "tests/test_{module}.py": "{kind}/test_game.py.txt",
}
"""The files of a game's package, and what each is made of."""


@click.group()
def new() -> None:
    """Begin something of your own from an example that works."""


@new.command()
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default=KINDS[0],
    show_default=True,
    help="Stones are placed and link sides; pieces move; or hidden hands of cards are dealt.",
)
@click.option(
    "--in",
    "folder",
    type=FOLDER,
    default=Path(),
    help="Where the package's folder is made; else here.",
)
def game(name: str, kind: str, folder: Path) -> None:
    """Write a package with a small game NAME, to change into yours.

    It runs at once: `pip install -e NAME`, then `hexboard play NAME`.
    """
    _refuse(name)
    target = folder / name
    if target.exists():
        raise BadText("new.exists", path=str(target))
    for path in write_game(name, kind, target):
        click.echo(path)
    click.echo(f"\npip install -e {target}\nhexboard play {name}")


@new.command()
@click.argument("name")
@click.pass_obj
def language(home: Path, name: str) -> None:
    """Write a table for the language NAME (as fr), with all that hexboard says, to put your own
    words in: locale/NAME.toml in your folder of files."""
    from hexboard.commands.language import table_to_begin_with

    if not SHORT.fullmatch(name):
        raise BadText("language.name", file=f"{name}.toml", name=name)
    path = home / "locale" / f"{name}.toml"
    if path.exists():
        raise BadText("new.exists", path=str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(table_to_begin_with(), "utf-8")
    click.echo(path)


def _refuse(name: str) -> None:
    """Raises `BadText` for what cannot be the name of a game, its package and its sentences."""
    from hexboard import words
    from hexboard.game import registry

    module = name.replace("-", "_")
    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or iskeyword(module):
        raise BadText("new.name", name=name)
    families = {game.prefix for game in registry.sound()}
    if name in registry.names() or module in families:
        raise BadText("new.taken", name=name)
    if words.owner(module) or find_spec(module) is not None:
        raise BadText("new.module", name=name, module=module)


def write_game(name: str, kind: str, target: Path) -> list[Path]:
    """Write the package of a game of this kind into a new folder; the files, in order."""
    module = name.replace("-", "_")
    title = name.replace("-", " ").capitalize()
    values = {"NAME": name, "KEY": module, "MODULE": module, "TITLE": title}
    written = []
    for to, source in FILES.items():
        text = (TEMPLATE / source.format(kind=kind)).read_text("utf-8")
        for key, value in values.items():
            text = text.replace(f"@{key}@", value)
        path = target / to.format(module=module)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        written.append(path)
    return written
