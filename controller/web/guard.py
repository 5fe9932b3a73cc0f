"""The guard before the page: nothing is reached without a reason, nor answered without a policy."""

from collections.abc import Callable, Collection

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Sent

from hexboard.web.spoken import spoken_by
from hexboard.words import language, message, say

BARRED = 4403
"""The close code that tells a page its key no longer counts."""
POLICY = (
    "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "object-src 'none'; img-src 'self' data:"
)
OPEN = {"/join", "/favicon.ico"}
OPEN |= {f"/static/{file}" for file in ("join.js", "home.js", "words.js", "style.css", "icon.svg")}
"""What those may see who have no key yet."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Nothing of `app` is reached where `barred` says why not: a message's key. The pages of
    `frames`, by their origin, may show ours in a frame."""

    def __init__(
        self,
        app: ASGIApp,
        barred: Callable[[HTTPConnection], str | None],
        frames: Collection[str] = (),
    ) -> None:
        self._app = app
        self._barred = barred
        self._frames = " ".join(frames)
        self._language = language()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        barred = self._barred(HTTPConnection(scope))
        if barred is None:
            await self._app(scope, receive, _with_headers(send, self._frames))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": BARRED})
        else:
            asked = HTTPConnection(scope)
            sentence = say(message(barred), spoken_by(asked, self._language))
            wants = asked.headers.get("accept", "")
            answer: Response = (
                JSONResponse({"error": sentence}, 403, HEADERS)
                if "json" in wants
                else PlainTextResponse(sentence + "\n", 403, HEADERS)
            )
            await answer(scope, receive, send)


def _with_headers(send: Send, frames: str) -> Send:
    """`send`, which adds `HEADERS` to every answer that lacks them: files, 404, 405."""

    async def sending(told: Sent) -> None:
        if told["type"] == "http.response.start":
            headers = MutableHeaders(scope=told)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if frames:
                policy = headers["Content-Security-Policy"]
                headers["Content-Security-Policy"] = policy.replace(
                    "frame-ancestors 'none'", f"frame-ancestors 'self' {frames}"
                )
        await send(told)

    return sending


def redirected(request: Request) -> Response:
    """To the same page without its token, whatever path a proxy has put before it."""
    page = request.url.path.rpartition("/")[2] or "."
    return RedirectResponse(page, 303, HEADERS)
