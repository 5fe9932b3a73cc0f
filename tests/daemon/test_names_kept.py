"""Names of people: where a board keeps them, and that the page of files says how to delete them."""

import re
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from hexboard.board import find, load
from tests.evening import Evening, begin

PAGE = Path(__file__).parents[2] / "docs" / "files.md"
AT_DOOR, ON_PHONE, WATCHED = "Zacharias", "Quirinia", "Xaveria"
BOARD = load(find("hexhex-5"))


def named(state: Path) -> set[str]:
    """The files that have somebody's name, as far as they are not packed."""
    names = [it.encode() for it in (AT_DOOR, ON_PHONE, WATCHED)]
    files = (it for it in state.rglob("*") if it.is_file())
    return {it.name for it in files if any(name in it.read_bytes() for name in names)}


def begun_with_names(at: Evening) -> None:
    """Another match, with a name that was said at the door."""
    match = at.page.state["match"]
    at.page.send("new", game="hexalma", match=match, names=[AT_DOOR])
    at.page.until(lambda s: s["match"] != match and AT_DOOR in s["seats"][0])


@pytest.mark.long
def test_what_the_page_of_files_says_deletes_all_names_and_keeps_the_link(tmp_path: Path) -> None:
    state = tmp_path / "a board"
    with ExitStack() as stack:
        at = begin(stack, state, BOARD, "hexalma")
        keys = at.daemon.pages.server.keys
        for _ in range(2):  # the second one's beginning rolls the journal's copy
            begun_with_names(at)
        keys.accept(keys.invite(1).secret, ON_PHONE, "", 0.0)
        keys.accept(keys.invite(-1).secret, WATCHED, "", 0.0)
        at.page.until(lambda s: ON_PHONE in s["seats"][1])
        at.act("b3-c3")
        keys.keep()
    there = named(state)
    said = PAGE.read_text("utf-8").partition("**Names of people**")[2].partition("\n## ")[0]
    assert {"phones.json", "hexalma.db", "hexalma.backup.db"} <= there
    for name in there:
        assert name.replace("hexalma", "GAME") in said or (state / "recordings" / name).exists()
    token = (state / "token").read_bytes()
    (command,) = re.findall(r"^    (find .*)$", said, re.MULTILINE)
    command = command.replace("~/.local/state/hexboard/BOARD", f"'{state}'")
    subprocess.run(["sh", "-ec", command], check=True)
    assert [it.name for it in state.rglob("*")] == ["token"]
    with ExitStack() as stack:
        at = begin(stack, state, BOARD, "hexalma")
        assert at.page.state["seats"] == ["Black", "White"]
        assert (state / "token").read_bytes() == token
