"""Kept: why the firmware ended, in a small file, from one start to the next.

While it works the file says so; found like that, the power went, or the watchdog bit. After an
exception the file has its words, for the next hello. Runs under MicroPython and CPython.
"""

import io
import sys

if sys.implementation.name == "micropython":
    print_exception = sys.print_exception
else:
    from cpython import print_exception  # type: ignore[no-redef]

FILE = "ended.txt"
WORKS = "works"
STAY = "stay"
"""The host wants MicroPython's prompt at the next start."""
LONGEST = 90
"""Letters that a hello has room for."""


def read(path=FILE):
    """What is kept, as far as a hello has room; "" for nothing. What is damaged is no text."""
    try:
        with open(path, "rb") as file:
            return _plain(map(chr, file.read(LONGEST)))
    except OSError:
        return ""


def put(path, text):
    """Keep this instead. Where nothing can be written the firmware works all the same."""
    try:
        with open(path, "w") as file:
            file.write(text)
    except OSError:
        pass


def begin(path, bitten):
    """The firmware works from now on; why it ended before, "" for power that went. `bitten`: the
    watchdog started it."""
    before = read(path)
    if before != WORKS:
        put(path, WORKS)
        return before
    return "the watchdog: a turn of its loop did not end" if bitten else ""


def words(error):
    """An exception in a line, with where it was raised."""
    text = io.StringIO()
    print_exception(error, text)
    lines = [line.strip() for line in text.getvalue().split("\n") if line.strip()]
    places = [line for line in lines if line.startswith("File ")]
    where = places[-1].split(", in ")[0][5:].replace('"', "") if places else "?"
    said = lines[-1] + " (" + where.split("/")[-1].replace(", line ", ":") + ")"
    return _plain(said)


def _plain(letters):
    """Letters of a hello; any other is a question mark."""
    return "".join(letter if " " <= letter <= "~" else "?" for letter in letters)[:LONGEST]
