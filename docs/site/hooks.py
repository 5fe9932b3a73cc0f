"""What `make site` does to our pages: the order in which they are read comes from `docs/README.md`,
and what leads to a file of the checkout that is no page stands there without its link."""

import posixpath
import re
from pathlib import Path
from typing import Any

LINK = re.compile(r"(!?)\[((?:[^][]|\[[^][]*\])*)\]\(([^)\s]+)\)")
READERS = "docs/README.md"


def on_config(config: Any) -> Any:
    """The parts of the site are the readers, each with its pages in their order."""
    pages = Path(config["docs_dir"])
    parts: list[Any] = [{"hexboard": "README.md"}]
    for part in (pages / READERS).read_text("utf-8").split("\n## ")[1:]:
        title, _, lines = part.partition("\n")
        found = (_page(target) for _, _, target in LINK.findall(lines))
        known = dict.fromkeys(it for it in found if (pages / it).is_file() and it != "README.md")
        parts.append({title: list(known)})
    config["nav"] = parts
    return config


def on_page_markdown(text: str, page: Any, config: Any, files: Any) -> str:
    """Links that lead out of the site become words."""

    def kept(link: re.Match[str]) -> str:
        picture, words, target = link.groups()
        path = target.partition("#")[0]
        if not path or ":" in path:
            return link[0]
        at = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), path))
        there = files.get_file_from_path(at)
        return link[0] if there is not None else ("" if picture else words)

    return LINK.sub(kept, text)


def _page(target: str) -> str:
    """Where a link of the list of readers leads, from the top."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(READERS), target.partition("#")[0]))
