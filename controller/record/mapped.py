"""Mapped: MCAP's strings and maps of strings, read from a part's body; how a file begins."""

import struct

from mcap.opcode import Opcode
from mcap.writer import MCAP0_MAGIC

_U32 = struct.Struct("<I")


def string(body: bytes, at: int) -> tuple[str, int]:
    """The string at byte `at`, and where it ends. Raises `struct.error` or `ValueError`."""
    (length,) = _U32.unpack_from(body, at)
    end = at + _U32.size + length
    if end > len(body):
        raise ValueError("too long")
    return body[at + _U32.size : end].decode(), end


def mapped(body: bytes, at: int) -> dict[str, str]:
    """The map at byte `at`, likewise."""
    (length,) = _U32.unpack_from(body, at)
    at += _U32.size
    end = at + length
    pairs = {}
    while at < end:
        key, at = string(body, at)
        pairs[key], at = string(body, at)
    return pairs


def header(*named: str) -> bytes:
    """How a file begins that names these, its profile and its library."""
    body = b"".join(_U32.pack(len(it)) + it.encode() for it in named)
    return MCAP0_MAGIC + struct.pack("<BQ", Opcode.HEADER, len(body)) + body
