"""The guard before the page: nothing is reached without a reason, nor answered without a policy."""

import html
from collections.abc import Callable, Collection

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Sent

from hexboard.web.keys import BOARD, Keys
from hexboard.web.plain import plain_page
from hexboard.web.spoken import spoken_by
from hexboard.words import language, message, say

KEPT_S = 400 * 86_400
"""Seconds for which a browser keeps its key, from the last time that it opened a page: the longest
that they allow. Keys end on the board's side."""
BARRED = 4403
"""The close code that tells a page its key no longer counts."""
POLICY = (
    "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "object-src 'none'; img-src 'self' data:"
)
STYLED = f"{POLICY}; style-src 'self' 'unsafe-inline'"
"""Of pages without controls: OBS puts its Custom CSS into them as they would themselves."""
OPEN = {"/join", "/favicon.ico"}
OPEN |= {f"/static/{file}.js" for file in ("boot", "join", "home", "words", "theme", "settings")}
OPEN |= {"/static/style.css", "/static/icon.svg"}
"""What those may see who have no key yet."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Nothing of `app` is reached where `barred` says why not: a message's key. The pages of
    `frames`, by their origin, may show ours in a frame; `joining` is where who has no key takes an
    invitation."""

    def __init__(
        self,
        app: ASGIApp,
        barred: Callable[[HTTPConnection], str | None],
        frames: Collection[str] = (),
        joining: str = "",
    ) -> None:
        self._app, self._joining = app, joining
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
            await self._refused(HTTPConnection(scope), barred)(scope, receive, send)

    def _refused(self, asked: HTTPConnection, barred: str) -> Response:
        """Why not, as who asks wants to have it: as JSON, as a page, as text."""
        language = spoken_by(asked, self._language)
        sentence = say(message(barred), language)
        wants = asked.headers.get("accept", "")
        if "json" in wants:
            return JSONResponse({"error": sentence, "key": barred}, 403, HEADERS)
        if "html" not in wants:
            return PlainTextResponse(sentence + "\n", 403, HEADERS)
        body = f"<p>{html.escape(sentence)}</p>"
        up = "../" * (asked.url.path.count("/") - 1)
        if self._joining and barred == "web.no_token":
            figures = html.escape(say(message("web.have_figures"), language))
            body += f'\n<p><a class="main" href="{up}{self._joining}">{figures}</a></p>'
        return HTMLResponse(plain_page(language, "hexboard", body, up), 403, HEADERS)


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


def held(connection: HTTPConnection, keys: Keys, port: int) -> str:
    """What a browser's cookies hold that opens this board's page; "" where nothing does. Who has a
    key and opened a board page's link too keeps their seats, or a host's rights."""
    given = (connection.cookies.get(name, "") for name in keys.cookies(port))
    return next((secret for secret in given if keys.of(secret) is not None), "")


def admitted(answer: Response, secret: str, keys: Keys, port: int, encrypted: bool) -> Response:
    """An answer with a cookie that opens everything from now on: from a link on another page too,
    which browsers withhold a strict one from. Whatever changes something is asked for its origin.
    """
    own, board = keys.cookies(port)
    answer.set_cookie(
        board if keys.of(secret) == BOARD else own,
        secret,
        max_age=KEPT_S,
        httponly=True,
        samesite="lax",
        secure=encrypted,
    )
    return answer


def redirected(request: Request) -> Response:
    """To the same page without its token, whatever path a proxy has put before it."""
    page = request.url.path.rpartition("/")[2] or "."
    return RedirectResponse(page, 303, HEADERS)
