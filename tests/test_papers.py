"""The papers: links lead somewhere, pages of docs/ are listed and begin with their point."""

import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hexboard.calibration.sensors import Finding
from hexboard.commands.cli import main
from hexboard.daemon.front import LAST
from hexboard.daemon.greeting import LINK as LINKS
from hexboard.daemon.starts import NAME as STARTS
from hexboard.record.hall_journal import NAME as HALL
from tests import game_parts

HERE = Path(__file__).parents[1]
DOCS = HERE / "docs"
PAGES = sorted([*HERE.glob("*.md"), *DOCS.rglob("*.md"), *(HERE / "hardware").glob("*.md")])
DECISIONS = sorted((DOCS / "decisions").glob("0*.md"))
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]*))?\)")


def anchors(text: str) -> set[str]:
    """What a page's headings are called in links, as GitHub makes it."""
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(HERE).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text("utf-8")):
        there = (page.parent / target).resolve() if target else page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there.read_text("utf-8")), f"{target}#{anchor}"


def test_every_page_is_on_the_list_of_its_reader() -> None:
    listed = {target for target, _ in LINK.findall((DOCS / "README.md").read_text("utf-8"))}
    assert {page.name for page in DOCS.glob("*.md")} - {"README.md"} <= listed


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_a_page_begins_with_its_point_in_one_sentence(page: Path) -> None:
    title, _, rest = page.read_text("utf-8").partition("\n")
    first = rest.strip().split("\n\n")[0]
    assert title.startswith("# ")
    assert re.match(r"[A-Z`*]", first), "a heading, a list or a table is no sentence"
    assert re.search(r"[.:](\s|$)", first)


def test_a_decision_says_context_choice_and_consequences_on_one_page() -> None:
    for page in DECISIONS:
        text = page.read_text("utf-8")
        parts = [text.find(f"**{part}.**") for part in ("Context", "Decision", "Consequences")]
        assert -1 not in parts, page.name
        assert parts == sorted(parts), page.name
        assert len(text.splitlines()) < 40, page.name
        assert text.startswith(f"# {page.name[:4]}: ")


def test_the_decisions_are_listed() -> None:
    listed = (DOCS / "decisions" / "README.md").read_text("utf-8")
    assert all(f"({page.name})" in listed for page in DECISIONS)
    assert len(DECISIONS) >= 6


def test_the_first_screen_of_the_readme_has_a_picture_and_commands_that_exist() -> None:
    screen = (HERE / "README.md").read_text("utf-8").splitlines()[:24]
    commands = [found[1] for line in screen if (found := re.match(r"    make ([\w-]+)", line))]
    made = re.findall(r"^([\w-]+):", (HERE / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert len(commands) == 3
    assert set(commands) <= set(made)
    assert any(line.startswith("![") for line in screen)


def test_what_a_game_may_declare_is_written_down_as_it_is() -> None:
    """`python -m tests.game_parts` writes the page anew."""
    assert game_parts.PAGE.read_text("utf-8") == game_parts.page()
    for part in ("Game", "PagePart", "Option", "Hidden (a position)", "Widgets"):
        assert f"## {part}\n" in game_parts.page()
    assert "| `says.turn` | Which turn it is. |" in game_parts.page()


def test_the_site_has_the_pages_of_each_reader_in_their_order() -> None:
    hooks = runpy.run_path(str(DOCS / "site" / "hooks.py"))
    _, *parts = hooks["on_config"]({"docs_dir": str(HERE)})["nav"]
    pages = {title: pages for part in parts for title, pages in part.items()}
    assert list(pages) == [
        "You play",
        "You build a board",
        "You write a game, or a program that uses hexboard",
        "You work on hexboard",
    ]
    assert pages["You build a board"][:2] == ["hardware/guide.md", "hardware/guide.de.md"]
    listed = [it for part in pages.values() for it in part]
    assert {f"docs/{page.name}" for page in DOCS.glob("*.md")} - {"docs/README.md"} <= {*listed}
    assert all((HERE / it).is_file() for it in listed)


def test_what_a_board_keeps_stands_on_the_page_of_files() -> None:
    _, _, kept = (DOCS / "files.md").read_text("utf-8").partition("\n## What hexboard keeps")
    rows = [row.split("|")[1] for row in kept.splitlines() if row.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert {LAST, LINKS, STARTS, HALL, "lock", "token", "phones.json"} <= named
    assert {"GAME.db", "GAME.backup.db", "GAME.damaged.db", "recordings/MATCH.mcap"} <= named


def test_each_kind_of_finding_stands_on_the_page_of_files() -> None:
    """Those that the docstring of a finding explains."""
    rows = (DOCS / "files.md").read_text("utf-8").splitlines()
    (row,) = (it for it in rows if it.startswith("| `findings` |"))
    assert Finding.__doc__ is not None
    kinds = set(re.findall(r"`(\w+)`", Finding.__doc__)) - {"other"}
    assert {"dead", "absent", "weak", "ground"} <= kinds
    assert kinds <= set(re.findall(r"`(\w+)`", row))


def options(command: click.Command, name: str) -> Iterator[tuple[str, list[str]]]:
    """Each option of a command and of those inside it: (command, how the option is written)."""
    yield from ((name, it.opts) for it in command.params if isinstance(it, click.Option))
    if isinstance(command, click.Group):
        for inside in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), inside)
            assert found is not None
            yield from options(found, f"{name} {inside}")


def test_every_option_is_told_on_a_page() -> None:
    """In one way of writing it, by whatever command."""
    text = "".join(page.read_text("utf-8") for page in PAGES if page.name != "CHANGELOG.md")
    told = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text))
    assert not [it for it in options(main, "hexboard") if not told & {*it[1]}]
