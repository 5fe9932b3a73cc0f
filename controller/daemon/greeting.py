"""The greeting: where the page is, in the terminal, and in a file that `hexboard link` reads."""

import os
import sys

from msgspec import Struct

from hexboard.web import reach
from hexboard.web.reach import Reach
from hexboard.words import message, say

LINK = "link.json"
"""The file's name in the state folder, while the daemon runs."""


class Where(Struct, frozen=True):
    """The links that open a running board's page as its host, with the host's key in them."""

    here: str
    """On this computer."""
    phone: str = ""
    """In the same network, where that is let in."""
    board: str = ""
    """For a television at the table: it only shows the board."""


def where(of: Reach, port: int, key: str, board: str) -> Where:
    """The links to a page that is served `of` a port."""
    phone = of.origin(reach.address(), port) if of.network else ""
    query = f"/?token={key}"
    here = of.origin("127.0.0.1", port)
    return Where(here + query, phone and phone + query, f"{phone or here}/board?token={board}")


def greeting(links: Where, board: str, watched: bool, seen: bool) -> list[str]:
    """What is said in the terminal. What systemd keeps for ever holds no key; `seen`: somebody sits
    before it, who can point a camera at a code."""
    if _kept_for_ever():
        return [say(message("web.running_unseen", board=board))]
    told = [say(message("web.running", board=board)), f"  {links.here}"]
    if watched:
        told.append(f"{say(message('vision.view'))} {links.here.replace('/?', '/camera?')}")
    return [*told, *for_phones(links, seen)]


def _kept_for_ever() -> bool:
    """Whether what is said goes to systemd's journal, which names the stream that it reads
    (systemd.exec(5)); a desktop's terminals may inherit that name, not the stream."""
    try:
        out = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{out.st_dev}:{out.st_ino}"


def for_phones(links: Where, seen: bool) -> list[str]:
    """How a phone gets to the page."""
    if not links.phone:
        return [say(message("web.no_phones"))]
    told = [say(message("web.phones")), f"  {links.phone}"]
    return [*told, reach.code_in_text(links.phone)] if seen else told
