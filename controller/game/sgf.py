"""SGF FF[4] (red-bean.com/sgf): the grammar, which all games share, and none of their properties.

    (;FF[4]GM[11]SZ[5];B[a1];W[c3]C[a remark];B[d4](;W[e5])(;W[b2]))

A game is a tree of nodes; what was played is its main line, the first branch everywhere.
"""

import re
from collections.abc import Iterator, Mapping

from hexboard.words.errors import BadText

Node = Mapping[str, tuple[str, ...]]
"""The values of each property, by its identifier."""

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:\\.|[^\]\\])*)\])", re.DOTALL)
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


def main_line(text: str) -> list[Node]:
    """The nodes of the first game's main line, its root first. Raises `BadText`, naming the line,
    for a text that is no SGF, or torn."""
    nodes: list[dict[str, list[str]]] = []
    depth, key, ended = 0, "", False
    for sign, name, value, line in _tokens(text):
        if sign:
            key = ""
            depth += {"(": 1, ")": -1}.get(sign, 0)
            ended = ended or sign == ")"  # what comes after belongs to other branches
            nodes += [{}] if sign == ";" and not ended else []
            if not depth:
                return [{key: tuple(values) for key, values in it.items()} for it in nodes]
        elif name:
            key = "".join(letter for letter in name if letter.isupper())
        elif not key:
            raise BadText("sgf.no_property", line=line, value=value[:40])
        elif not ended and nodes:
            nodes[-1].setdefault(key, []).append(value)
    raise BadText("sgf.torn", line=text.count("\n") + 1)


def _tokens(text: str) -> Iterator[tuple[str, str, str, int]]:
    """Signs, names of properties and values, each with its line. Raises `BadText`."""
    at = re.search(r"\(\s*;", text)
    if at is None:
        raise BadText("sgf.none")
    here, end = at.start(), len(text.rstrip())
    line = text.count("\n", 0, here) + 1
    while here < end:
        found = _TOKEN.match(text, here)
        if found is None:
            raise BadText("sgf.sign", line=line, sign=text[here:].strip()[:20])
        yield found[1] or "", found[2] or "", _plain(found[3] or ""), line
        line += text.count("\n", here, found.end())
        here = found.end()


def _plain(value: str) -> str:
    """A value without its escapes; a line break that is escaped is none."""
    return _ESCAPED.sub(lambda it: "" if it[1].strip("\r\n") == "" else it[1], value)
