"""Phones through the whole daemon: invited, seated, refused, and gone after it ends."""

import http.client
import json
import os
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.running import HEXBOARD, PATIENCE, Page, Running, eventually, hexboard

Start = Callable[..., Running]


def told(host: Page, type: str) -> Any:
    """The next that a page is told of this type."""
    end = time.monotonic() + PATIENCE  # beats come for ever
    while (told := host.listen(PATIENCE))["type"] != type:
        assert time.monotonic() < end, f"no {type} was told: {host}"
    return told


def invited(host: Page, seat: int) -> Any:
    """An invitation to a seat."""
    host.send("invite", seat=seat)
    return told(host, "invitation")


def seated(running: Running, host: Page, seat: int, name: str) -> str:
    """The cookie of a phone that took a seat."""
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE)
    with closing(connection):
        body = json.dumps({"code": invited(host, seat)["figures"], "name": name})
        connection.request("POST", "/join", body, {"Origin": running.origin})
        cookie = connection.getresponse().getheader("Set-Cookie")
    assert cookie
    return cookie.partition(";")[0]


@contextmanager
def phone(running: Running, cookie: str) -> Iterator[Page]:
    headers = {"Cookie": cookie, "Origin": running.origin}
    with connect(
        f"ws://127.0.0.1:{running.port}/live", additional_headers=headers, close_timeout=0.2
    ) as socket:
        page = Page(socket)
        page.until(lambda s: True)
        yield page


def no(page: Page, type: str, **fields: Any) -> str:
    """What a phone is told that asks for this."""
    before = len(page.refused)
    page.send(type, **fields)
    page.until(lambda s: len(page.refused) > before)
    return page.refused[-1]["reason"]


def test_a_seat_speaks_for_itself_and_sees_its_own_hand_alone(start: Start) -> None:
    running = start("--game", "knee-deep", "--option", "starter=gondwana")
    with running.page() as host:
        cookies = [seated(running, host, seat, name) for seat, name in enumerate(("Ann", "Ben"))]
        watching = seated(running, host, -1, "Cat")
        with (
            phone(running, cookies[0]) as ann,
            phone(running, cookies[1]) as ben,
            phone(running, watching) as cat,
        ):
            ann.until(lambda s: s["side"] == 0 and s["moves"])
            assert no(ann, "touch", cells=["1.0"]) == "First the companions are chosen."
            assert no(ben, "touch", cells=["1.0"]) == "It is not your turn."
            assert no(ben, "declare", seat=0, action="companions general tech")
            for page in (ann, ben):
                page.until(lambda s: s["moves"])
                page.send("declare", seat=-1, action="companions general tech")
            ann.until(lambda s: len(s["hand"]) == 3)
            ben.until(lambda s: len(s["hand"]) == 3)
            cat.until(lambda s: s["rev"] >= ben.state["rev"])
            host.until(lambda s: s["rev"] >= ben.state["rev"])
            for page in (cat, host):
                assert (page.state["side"], page.state["hand"], page.state["moves"]) == (-1, [], [])
            alone = "Only the host can do that."
            assert no(ann, "new") == no(ann, "watch", on=True) == alone
            assert no(ann, "lights", brightness=0, calm=False) == alone
            own = ann.state["position"]
            emptied = own.replace("hands=", "hands=?+")
            assert "Hidden cards cannot be ruled" in no(ann, "ruling", do=f"position {emptied}")
            rich = own.replace(" material=0", " material=4")
            assert "could not come about" in no(ann, "ruling", do=f"position {rich}")
            assert "cannot be in this" in no(ann, "ruling", do=f"problem position {rich}x")
            ann.send("ruling", do=f"problem position {rich}")
            ben.until(lambda s: bool(s["question"]))  # nobody sets it alone
            assert (ben.state["question"]["of"], ben.state["position"][:20]) == ([1], own[:20])
            ben.send("decide", question=ben.state["question"]["id"], choice="no")
            ann.until(lambda s: "Not agreed" in s["log"][0]["text"] and not s["question"])
            assert no(ann, "curtain", side=1) == "That seat is not yours."
            assert no(cat, "declare", seat=-1, action="keep").startswith("You are watching")
            ben.send("ruling", do="undo")
            ann.until(lambda s: bool(s["question"]))  # cards were seen: nothing goes back silently
            assert (ann.state["question"]["of"], len(ben.state["hand"])) == ([0], 3)
            asked = {"question": ann.state["question"]["id"], "choice": "yes"}
            for page, why in ((ben, "asked of others"), (host, "asked of others")):
                assert why in no(page, "decide", **asked)
            assert "ask the host for a seat" in no(cat, "decide", **asked)
            ann.send("decide", **asked, seats=[1], who="Ben")  # a page does not choose who it is
            ben.until(lambda s: not s["hand"])
            assert "seen a card or a throw since: \u2068Ben\u2069." in ben.state["log"][0]["text"]
            assert ben.state["log"][1]["text"] == "Agreed: \u2068Ann\u2069."
            host.send("curtain", side=1)
            cat.until(lambda s: any("showed \u2068Ben\u2069's cards" in it for it in s["notices"]))
    log = hexboard("log", running.recordings()[0], "--json").stdout
    assert r'"who":"\u2068Ben\u2069"' in log.replace(" ", "")
    files = [path for path in running.folder.rglob("*") if path.is_file()]
    secrets = [cookie.partition("=")[2].encode() for cookie in (*cookies, watching)]
    assert not [path for path in files for it in secrets if it in path.read_bytes()]


@pytest.mark.long
def test_phones_keep_their_seats_over_a_power_cut(start: Start) -> None:
    running = start("--game", "hexalma")
    with running.page() as host:
        cookie = seated(running, host, 1, "Ben")
    running.process.kill()
    running.process.wait()
    again = start("--game", "hexalma", "--port", running.port)
    with phone(again, cookie) as ben:
        assert no(ben, "declare", seat=-1, action="b3-c3")  # it is Black's turn


@pytest.mark.long
def test_who_takes_the_others_colour_by_the_swap_takes_the_seat_as_well(start: Start) -> None:
    options = ("--option", "swap=yes", "--option", "die=dealt", "--option", "size=5")
    running = start("--game", "bad-santa-hex", *options)
    with running.page() as host:
        cookies = [seated(running, host, seat, name) for seat, name in enumerate(("Ann", "Ben"))]
        with phone(running, cookies[0]) as ann, phone(running, cookies[1]) as ben:
            for cell in ("a1", "c3"):
                ann.until(lambda s: s["moves"])
                ann.send("declare", seat=-1, action=cell)
            ben.until(lambda s: s["active"] == 1 and s["moves"])
            assert no(ann, "declare", seat=-1, action="e5") == "It is not your turn."
            ben.send("declare", seat=-1, action="swap")
            ann.until(lambda s: "swap colours" in s["log"][0]["text"])
            assert no(ben, "declare", seat=-1, action="e5") == "It is not your turn."
            ann.send("declare", seat=-1, action="e5")
            ann.until(lambda s: "e5" not in dict(s["moves"]))
    running.process.kill()
    running.process.wait()
    again = start("--game", "bad-santa-hex", *options, "--port", running.port)
    with phone(again, cookies[0]) as ann, phone(again, cookies[1]) as ben, again.page() as host:
        assert no(ben, "declare", seat=-1, action="e4") == "It is not your turn."
        host.send("ruling", do="undo")
        host.send("ruling", do="undo")  # the counter, then the swap
        ann.until(lambda s: s["active"] == 1 and "swap" in dict(s["moves"]))
        assert no(ann, "declare", seat=-1, action="e4") == "It is not your turn."


@pytest.mark.long
def test_a_link_is_shown_again_while_the_board_runs_and_only_to_its_user(
    start: Start, home: Path
) -> None:
    running = start("--lan")
    kept = running.folder / "link.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    told = hexboard("--home", home, "link", "--state", running.folder, "--json")
    links = json.loads(told.stdout)
    assert links["here"] == running.url
    assert links["phone"].endswith(running.url.partition("127.0.0.1")[2])
    plain = hexboard("--home", home, "link", "--state", running.folder).stdout
    assert running.url in plain
    assert f"/join on the phone and give {links['figures']}" in plain
    running.end()
    after = hexboard("--home", home, "link", "--state", running.folder)
    assert (after.returncode, "hexboard run" in after.stderr) == (1, True)


@pytest.mark.long
def test_new_keys_end_the_old_ones_in_every_place_where_they_are_kept(
    start: Start, home: Path
) -> None:
    running = start("--lan")
    kept = [running.folder / name for name in ("token", "link.json")]
    before = [file.read_text() for file in kept]
    with running.page() as host:
        seated(running, host, 0, "Ann")
        host.send("renew")
        key = told(host, "renewed")["to"].removeprefix("?token=")
    eventually(lambda: key in kept[1].read_text())
    assert kept[0].read_text().strip() == key
    assert not [old for old in before if old.strip() in kept[0].read_text() + kept[1].read_text()]
    assert running.token not in kept[1].read_text()
    assert (running.folder / "phones.json").read_text() == "[]"  # before anybody was told
    said = running.end()[1]
    assert "Every key to this board has ended." in said
    assert f"/?token={key}" in said  # in the terminal, where the board is


@pytest.mark.long
def test_a_thousand_connections_at_once_leave_the_board_its_files(
    tmp_path: Path, home: Path
) -> None:
    """In a daemon that may open 1,024, as systemd lets it, a Pico that went away comes back."""
    limited = ("sh", "-c", 'ulimit -n 1024; exec "$0" "$@"', *HEXBOARD)
    simulated = ("--simulate", "--speed", 20, "--port", 0)
    running = Running(tmp_path / "state", *simulated, home=home, command=limited)
    with running.page() as host, ExitStack() as stack:
        host.ready()
        for _ in range(1150):
            stack.enter_context(socket.create_connection(("127.0.0.1", running.port)))
        for firmware in running.children():
            os.kill(firmware, signal.SIGKILL)
        for up in (False, True):
            host.until(lambda s, up=up: any(it["up"] is up for it in s["links"]))  # type: ignore[misc]
    assert running.end()[0] == 0


@pytest.mark.long
def test_what_systemd_keeps_holds_no_key(start: Start, home: Path, tmp_path: Path) -> None:
    """A stream is the journal's where systemd named this very one: a desktop's terminals inherit
    the name alone."""
    state, out = tmp_path / "state", tmp_path / "journal"
    asked = ["--home", str(home), "run", "--simulate", "--port", "0", "--state", str(state)]
    out.touch()
    here = f"{out.stat().st_dev}:{out.stat().st_ino}"
    for stream in (here, "8:1"):
        with out.open("w") as file:
            process = subprocess.Popen(
                [*HEXBOARD, *asked], env={**os.environ, "JOURNAL_STREAM": stream}, stdout=file
            )
        try:
            eventually(lambda: "Ctrl-C" in out.read_text())
        finally:
            process.terminate()
            process.wait(PATIENCE)
        said, key = out.read_text(), (state / "token").read_text().strip()
        assert (key in said, "hexboard link" in said) == (stream != here, stream == here)


@pytest.mark.long
def test_who_plays_alone_sets_the_position_and_else_by_leave_of_the_other(start: Start) -> None:
    """Ann plays a side and is a host too: until Ben has a phone her word is enough."""
    running = start("--game", "hexalma")
    with running.page() as host:
        ann = seated(running, host, 0, "Ann")
        people: list[Any] = []
        while not people:
            people = told(host, "you")["people"]
        host.send("appoint", key=people[0]["id"])
        with phone(running, ann) as page:
            first = page.state["position"]
            page.send("declare", seat=-1, action="b1-c1")
            page.until(lambda s: s["position"] != first)
            page.send("ruling", do=f"position {first}")
            page.until(lambda s: s["position"] == first and not s["question"])
            seated(running, host, 1, "Ben")
            page.send("declare", seat=-1, action="b1-c1")
            moved = page.until(lambda s: s["position"] != first and s["position"])
            page.send("ruling", do=f"position {first}")
            page.until(lambda s: s["question"] and s["question"]["of"] == [1])
            assert page.state["position"] == moved


@pytest.mark.long
def test_a_host_sees_no_hand_of_a_phone_without_everybody_being_told(start: Start) -> None:
    """Be it that the curtain was open before the phone had the seat, the cards were dealt or the
    next game began."""
    running = start("--game", "knee-deep", "--option", "starter=gondwana")

    def dealt(ann: Page, ben: Page) -> None:
        for page in (ann, ben):
            page.until(lambda s: s["moves"])
            page.send("declare", seat=-1, action="companions general tech")
        ben.until(lambda s: len(s["hand"]) == 3)

    def anew(host: Page, ann: Page, ben: Page) -> None:
        before = host.state["match"]
        host.send("new")
        for page in (host, ann, ben):
            page.until(lambda s: s["match"] != before)
        dealt(ann, ben)

    def shown(host: Page, ben: Page) -> tuple[int, list[str], list[str]]:
        host.until(lambda s: s["rev"] >= ben.state["rev"])
        return host.state["side"], host.state["hand"], host.state["notices"]

    with running.page() as host:
        host.until(lambda s: True)
        host.send("curtain", side=1)
        cookies = [seated(running, host, seat, name) for seat, name in enumerate(("Ann", "Ben"))]
        with phone(running, cookies[0]) as ann, phone(running, cookies[1]) as ben:
            dealt(ann, ben)
            assert shown(host, ben) == (-1, [], [])
            host.send("curtain", side=1)
            host.until(lambda s: s["hand"] and s["notices"])
            anew(host, ann, ben)
            assert shown(host, ben) == (-1, [], [])
            ann.send("declare", seat=-1, action="resign gondwana")
            host.until(lambda s: not s["private"])
            host.send("curtain", side=1)
            anew(host, ann, ben)
            assert shown(host, ben) == (-1, [], [])
