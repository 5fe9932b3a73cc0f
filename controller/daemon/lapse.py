"""Lapse: whether the certificate of a page counts today."""

import contextlib
import ssl
import time

from hexboard.daemon.clock import behind
from hexboard.words import Message, message


def lapsed(certificate: str) -> tuple[Message, ...]:
    """What people are told of a certificate that has ended, or not begun; nothing by a clock that
    is behind. Of one that cannot be read others say so."""
    if behind():
        return ()
    with contextlib.suppress(AttributeError, KeyError, OSError, ValueError):
        # What Python's own tests read certificates by; openssl need not be installed.
        said = ssl._ssl._test_decode_cert(certificate)  # type: ignore[attr-defined]
        begins, ends = (ssl.cert_time_to_seconds(said[it]) for it in ("notBefore", "notAfter"))
        if not begins <= time.time() < ends:
            first, last = _day(begins), _day(ends)
            return (message("web.lapsed", file=certificate, begins=first, ends=last),)
    return ()


def _day(s: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(s))
