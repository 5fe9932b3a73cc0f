"""Why another computer is not there: what its name, its certificate or the line says against it."""

import socket
import ssl
import time

from hexboard.words import Message, message

NO_NAMES = socket.EAI_AGAIN, socket.EAI_FAIL
"""Nobody was there to be asked for the name (getaddrinfo(3))."""


def away(error: BaseException) -> str | Message:
    """Why it is not, after this error of a line to it, or of a library that has one; "" where the
    error says nothing."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _refused(error)
    if isinstance(error, socket.gaierror):
        return message("away.no_names") if error.errno in NO_NAMES else message("away.unknown")
    if isinstance(error, ssl.SSLError):
        return message("away.no_tls", why=error.reason or str(error))
    if isinstance(error, TimeoutError):
        return message("away.silent")
    if isinstance(error, ConnectionRefusedError):
        return message("away.refused")
    return getattr(error, "strerror", None) or str(error).strip()


def once(why: str | Message) -> str:
    """What is the same each time that it is away for the same reason, without the time it says."""
    return why.key if isinstance(why, Message) else why


def _refused(error: ssl.SSLCertVerificationError) -> str | Message:
    """Why its certificate is not taken, by OpenSSL's code (`X509_V_ERR_…`)."""
    now = time.strftime("%Y-%m-%d %H:%M")
    match error.verify_code:
        case 9:
            return message("away.early", date=now)
        case 10:
            return message("away.ended", date=now)
        case 2 | 18 | 19 | 20 | 21:
            return message("away.unsigned")
        case 62 | 64:
            return message("away.other_name")
    return error.verify_message
