"""Corpus: what the reader makes of photos of which somebody wrote down what they show.

    label = labelled(Path("lamp-3.jpg"))        # what lamp-3.toml beside it says; None without one
    found = judged(cells, truth, names)         # of each cell: right, or what is the matter
    rates(told)                                 # by condition

A photo's label is TOML: `position` in the game's own notation, and `condition`, any words by which
photos are counted together.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from hexboard.facts import CellCosts
from hexboard.perception.inference import GAP_CNAT
from hexboard.words import message, say
from hexboard.words.errors import NO_JSON, BadText

SUFFIX = ".toml"
NOWHERE = "unlabelled light"
"""The condition of photos whose labels name none."""
KINDS = ("wrong", "doubtful", "silent")
"""What may be the matter with a cell: read as something else, and sure of it; two things may lie
there; nothing is said."""


class Label(Struct, frozen=True, forbid_unknown_fields=True):
    """What a photo shows, and in which light or by which camera it was taken."""

    position: str
    condition: str = NOWHERE


class Misread(Struct, frozen=True):
    """A cell that is not read as what lies there, and surely so."""

    cell: str
    kind: str
    """One of `KINDS`."""
    lies: str
    read: str
    """What it is likeliest to be, "" for nothing."""


def labelled(photo: Path) -> Label | None:
    """The label beside a photo; None where there is none. Raises `BadText` for one that is torn."""
    path = photo.with_suffix(SUFFIX)
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Label)
    except FileNotFoundError:
        return None
    except OSError as error:
        why = str(error.strerror)
    except (tomllib.TOMLDecodeError, *NO_JSON) as error:
        why = str(error)
    raise BadText("vision.label", file=str(path), why=why)


def judged(cells: Mapping[str, CellCosts], truth: bytes, names: Sequence[str]) -> list[Misread]:
    """The cells that are not read as what lies there, or not surely; `names` are the codes'."""
    found = []
    for (cell, costs), code in zip(cells.items(), truth, strict=True):
        (likely, _), *rest = [*sorted(costs, key=lambda entry: entry[1]), (code, 0)]
        sure = rest[0][1] >= GAP_CNAT or len(rest) == 1
        if not costs:
            found.append(Misread(cell, "silent", names[code], ""))
        elif not sure:
            found.append(Misread(cell, "doubtful", names[code], names[likely]))
        elif likely != code:
            found.append(Misread(cell, "wrong", names[code], names[likely]))
    return found


def captions(off: Iterable[Misread]) -> dict[str, str]:
    """What is written into the cells of a picture: "B not W", "B?W", "?W"."""
    between = {"wrong": " not ", "doubtful": "?", "silent": "?"}
    return {
        e.cell: f"{e.read or '-' * (e.kind != 'silent')}{between[e.kind]}{e.lies or '-'}"
        for e in off
    }


def line(told: Mapping[str, Any]) -> str:
    """One photo in words."""
    if "error" in told:
        return f"{told['file']}: {told['error']}"
    cells = captions(msgspec.convert(told["off"], list[Misread]))
    said = ", ".join(f"{cell} {caption}" for cell, caption in cells.items())
    return f"{told['file']}: {said or say(message('vision.all_right'))}"


def rates(told: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How many photos, cells, and cells with something the matter, by condition."""
    by: dict[str, Counter[str]] = {}
    for photo in told:
        counts = by.setdefault(photo["condition"], Counter())
        if "error" in photo:
            counts["unread"] += 1
            continue
        counts["photos"] += 1
        counts["cells"] += photo["cells"]
        counts.update(off["kind"] for off in photo["off"])
    names = ("photos", "unread", "cells", *KINDS)
    return [{"condition": name, **{key: by[name][key] for key in names}} for name in sorted(by)]


def spelt(rate: Mapping[str, Any]) -> str:
    """A condition's figures in words."""
    cells = rate["cells"] or 1
    shares = ", ".join(f"{rate[kind]} {kind} ({rate[kind] / cells:.1%})" for kind in KINDS)
    counts = message("vision.photos", photos=rate["photos"], cells=rate["cells"])
    unread = message("vision.unread", photos=rate["unread"])
    told = f"{rate['condition']}: {say(counts)}: {shares}"
    return f"{told}; {say(unread)}" if rate["unread"] else told
