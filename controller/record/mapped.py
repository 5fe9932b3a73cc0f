"""Mapped: MCAP's strings and maps of strings, read from the body of a part."""

import struct

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
