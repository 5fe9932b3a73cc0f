"""An evening in this process: a daemon in a thread, without hardware, and a page of it."""

import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from websockets.sync.client import connect

from hexboard.board import Board
from hexboard.daemon import Daemon, Run, Sitting
from hexboard.facts import Lost
from hexboard.settings import Settings
from hexboard.web.keys import cookie_name
from hexboard.words import Value
from tests.running import PATIENCE, Page, eventually


class Evening:
    """A daemon in a thread of this process, and a page of it; `look` opens another one, of a phone
    whose cookie holds another `secret` than the host's."""

    def __init__(
        self, sitting: Sitting, page: Page, end: Callable[[], None], look: Callable[..., Page]
    ) -> None:
        self._sitting, self.page, self.end, self.look = sitting, page, end, look

    @property
    def daemon(self) -> Daemon:
        """That of the game which is played now."""
        assert self._sitting.daemon is not None
        return self._sitting.daemon

    def full(self, full: bool) -> None:
        """The journal's disk is full, or has room again."""
        self.daemon.journal._db.execute(f"PRAGMA query_only = {full:d}")

    def act(self, action: str, journalled: bool = True) -> None:
        """The page says a move, until that counts, and is final if it is to be `journalled`. Fails
        with what the page was told where it is refused."""
        count, refused = self.entries, len(self.page.refused)
        self.page.send("declare", seat=-1, action=action)
        eventually(lambda: self.entries > count or self._unrefused(refused))
        if journalled:
            eventually(lambda: self.daemon.match.journalled == self.entries)

    def _unrefused(self, refused: int) -> bool:
        """False; once the page has listened for a moment, and been told of no more refusals."""
        with suppress(TimeoutError):
            self.page.listen(0.02)
        assert len(self.page.refused) == refused, self.page
        return False

    def crash(self) -> None:
        """A report of the Pico's that the table crashes on, until the match is open again and the
        daemon rests."""
        until = self.daemon.recovery._until
        self.daemon._post("pico", Lost(1))
        eventually(lambda: self.daemon.recovery._until > until)

    @property
    def entries(self) -> int:
        return self.daemon.view.entries


def begin(stack: ExitStack, state: Path, board: Board, game: str, **options: Value) -> Evening:
    """Run a game on a board; `stack` ends it."""
    return go(stack, Run(board, state, Settings(), game, options, port=0))


def go(stack: ExitStack, run: Run) -> Evening:
    """The same, as `run` says."""
    lines: list[str] = []
    sitting, state = Sitting(run, lines.append), run.state
    thread = threading.Thread(target=sitting.run)

    def end() -> None:
        sitting.stop()
        thread.join(PATIENCE)

    thread.start()
    stack.callback(end)
    eventually(lambda: any("Ctrl-C" in line for line in lines) or not thread.is_alive())
    assert thread.is_alive(), "it ended before it began"
    it = sitting.daemon
    assert it is not None
    port, token = it.pages.server.port, (state / "token").read_text().strip()
    live = f"ws://127.0.0.1:{port}/live"

    def look(secret: str = token) -> Page:
        headers = {
            "Cookie": f"{cookie_name(port, token)}={secret}",
            "Origin": f"http://127.0.0.1:{port}",
        }
        opened = connect(live, additional_headers=headers, max_size=None, close_timeout=0.2)
        page = Page(stack.enter_context(opened))
        page.until(lambda s: True)
        return page

    return Evening(sitting, look(), end, look)
