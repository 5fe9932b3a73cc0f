"""Joining: what somebody sends who takes a seat."""

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from starlette.requests import ClientDisconnect, Request

from hexboard.web.keys import COLOURS

JOINING_S = 5.0
"""Seconds in which somebody who takes a seat has sent who they are."""


class Joining(Struct, forbid_unknown_fields=True):
    """What somebody sends who takes a seat."""

    code: str
    name: str = ""
    far: bool = False
    colour: Annotated[int, Meta(ge=-1, lt=COLOURS)] = -1


async def who_joins(request: Request, most: int) -> Joining:
    """What was sent, of `most` bytes. Raises `msgspec.DecodeError` for anything else,
    `TimeoutError` for what does not come."""
    body = b""
    try:
        async with asyncio.timeout(JOINING_S):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise msgspec.DecodeError("too long")
    except ClientDisconnect:
        raise msgspec.DecodeError("broken off") from None
    return msgspec.json.decode(body, type=Joining)
