"""Letters: how wide text is in Helvetica, and where its lines break.

Widths are Adobe's, in thousandths of the size; an accented letter is as wide as its bare one. Arial
and Liberation Sans are made to the same widths.
"""

from collections.abc import Iterator
from unicodedata import normalize

_ASCII = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556"
    " 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833"
    " 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556"
    " 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334"
    " 260 334 584"
)
_BOLD = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556"
    " 556 556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833"
    " 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611"
    " 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389"
    " 280 389 584"
)
_OTHERS = {
    **dict.fromkeys("“”„", (333, 500)),
    **dict.fromkeys("‘’‚", (222, 278)),
    **dict.fromkeys("–€", (556, 556)),
    **dict.fromkeys("±×÷", (584, 584)),
    "ß": (611, 611),
    "•": (350, 350),
    "·": (278, 278),
    "°": (400, 400),
    "«": (556, 556),
    "»": (556, 556),
    "ø": (611, 611),
    "Ø": (778, 778),
    "æ": (889, 889),
    "\xa0": (278, 278),
}
_WIDEST = 1000
"""Of letters that are not listed."""
_WIDTHS = tuple(
    {chr(32 + k): int(width) for k, width in enumerate(row.split())}
    | {letter: pair[bold] for letter, pair in _OTHERS.items()}
    for bold, row in enumerate((_ASCII, _BOLD))
)


def width(text: str, size: float, bold: bool = False) -> float:
    """How wide a line is, in the unit of `size`."""
    return sum(_width(letter, _WIDTHS[bold]) for letter in text) * size / 1000


def _width(letter: str, widths: dict[str, int]) -> int:
    known = widths.get(letter)
    return widths.get(normalize("NFD", letter)[0], _WIDEST) if known is None else known


def wrapped(text: str, size: float, across: float, bold: bool = False) -> Iterator[str]:
    """Its lines, each at most `across` wide: broken between words, and within one that alone is
    wider. Nothing is lost but blanks."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if width(longer, size, bold) <= across:
            line = longer
            continue
        if line:
            yield line
        line = word
        while width(line, size, bold) > across:
            fits = _fitting(line, size, across, bold)
            yield line[:fits]
            line = line[fits:]
    if line:
        yield line


def _fitting(word: str, size: float, across: float, bold: bool) -> int:
    """How many of its letters fit, one at least."""
    wide = (k for k in range(2, len(word) + 1) if width(word[:k], size, bold) > across)
    return next(wide, len(word) + 1) - 1
