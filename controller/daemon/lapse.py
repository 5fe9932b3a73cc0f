"""Lapse: whether a certificate counts today."""

import calendar
import contextlib
import re
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

from hexboard.daemon.clock import behind
from hexboard.web.certificate import PEM, certified
from hexboard.words import Message, message
from hexboard.words.errors import HexboardError

VALIDITY = re.compile(rb"\x30." + 2 * rb"(?:\x17\x0d(\d{12})|\x18\x0f(\d{14}))Z", re.DOTALL)
"""When one begins to count and when it ends, in DER (RFC 5280, 4.1.2.5): each a UTCTime, or a
GeneralizedTime."""


def untimely(certificate: str | Path) -> tuple[str, str] | None:
    """The days on which a certificate begins to count and ends, where that is not now; None for one
    that cannot be read, too: others say so."""
    with contextlib.suppress(OSError, ValueError):
        first = PEM.search(Path(certificate).read_text("ascii", "replace"))
        found = VALIDITY.search(ssl.PEM_cert_to_DER_cert(first[0])) if first else None
        if found:
            begins, ends = (_time(found[k], found[k + 1]) for k in (1, 3))
            if not begins <= time.time() < ends:
                return _day(begins), _day(ends)
    return None


def lapsed(certificate: str) -> tuple[Message, ...]:
    """What people are told of one that has ended, or not begun; nothing by a clock that is
    behind."""
    if behind() or (when := untimely(certificate)) is None:
        return ()
    return (message("web.lapsed", file=certificate, begins=when[0], ends=when[1]),)


def unfit(certificate: str, key: str) -> Iterator[Message]:
    """What the page's server would say of one."""
    try:
        certified(certificate, key)
    except HexboardError as error:
        yield error.message
    yield from lapsed(certificate)


def _time(short: bytes | None, long: bytes) -> int:
    """Seconds since 1970; a year of two digits is one from 1950 on."""
    text = ((b"19" if short >= b"50" else b"20") + short if short else long).decode()
    return calendar.timegm(time.strptime(text, "%Y%m%d%H%M%S"))


def _day(s: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(s))
