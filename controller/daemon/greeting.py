"""The greeting: where the page is, in the terminal, and in a file that `hexboard link` reads."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
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


def where(of: Reach, port: int, key: str) -> Where:
    """The links to a page that is served `of` a port."""
    scheme = "https" if of.certificate else "http"

    def link(host: str) -> str:
        return f"{scheme}://{host}:{port}/?token={key}"

    return Where(link("127.0.0.1"), link(reach.address()) if of.network else "")


@contextlib.contextmanager
def kept(path: Path, links: Where) -> Iterator[None]:
    """The links in a file that only this user may read, as long as they lead anywhere."""
    with contextlib.suppress(OSError):  # then `hexboard link` knows of none
        path.unlink(missing_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "wb") as file:
            file.write(msgspec.json.encode(links))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def greeting(links: Where, board: str, watched: bool, seen: bool) -> list[str]:
    """What is said in the terminal. What systemd keeps for ever holds no key; `seen`: somebody sits
    before it, who can point a camera at a code."""
    if "JOURNAL_STREAM" in os.environ:
        return [say(message("web.running_unseen", board=board))]
    told = [say(message("web.running", board=board)), f"  {links.here}"]
    if watched:
        told.append(f"{say(message('vision.view'))} {links.here.replace('/?', '/camera?')}")
    return [*told, *for_phones(links, seen)]


def for_phones(links: Where, seen: bool) -> list[str]:
    """How a phone gets to the page."""
    if not links.phone:
        return [say(message("web.no_phones"))]
    told = [say(message("web.phones")), f"  {links.phone}"]
    return [*told, reach.code_in_text(links.phone)] if seen else told
