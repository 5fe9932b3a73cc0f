"""Phones at the table: each has a seat, its own hand, and nothing of anybody else's."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy
import pytest
from websockets.sync.client import connect

from hexboard.web.keys import screen
from tests import codes
from tests.browser.test_curtain import CARDS, say
from tests.browser.test_page import Open, Start, again, chromium, expect, visit
from tests.running import PATIENCE, Running, eventually
from tests.shell.test_phones import seated

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures

PHONE = {"width": 390, "height": 844}
Phone = Callable[..., Any]
Evening = Callable[..., tuple[Running, Any, list[Any]]]


@pytest.fixture
def phone(chromium: Any) -> Iterator[Phone]:
    """`phone(running, secret)` follows an invitation on a phone of its own."""
    contexts: list[Any] = []

    def join(running: Running, secret: str = "", figures: str = "", name: str = "") -> Any:
        context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(f"{running.origin}/join{'#' * bool(secret)}{secret}")
        if figures:
            page.get_by_label("The six figures").fill(figures)
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Green").check()
        page.get_by_role("button", name="Sit down").click()
        return page

    yield join
    for context in contexts:
        context.close()


@pytest.fixture
def evening(start: Start, visit: Open, phone: Phone) -> Evening:
    """`evening({0: ("Ann", "Black")}, "--game", "hexalma")`: a board in the network, its host's
    page, and a phone for each seat, whose user goes by that name and is called as the seat is; a
    board that no file describes has no `pico`."""

    def begin(
        seats: dict[int, tuple[str, str]], *arguments: str, pico: bool = True
    ) -> tuple[Running, Any, list[Any]]:
        running = start("--lan", *arguments)
        host = visit(running, pico)
        pages = []
        for seat, (name, called) in seats.items():
            pages.append(phone(running, figures=invited(host, seat), name=name))
            expect(pages[-1].locator(".chip", has_text=f"You are {called}")).to_be_visible()
        host.keyboard.press("Escape")
        return running, host, pages

    return begin


def invited(host: Any, seat: int) -> str:
    """The figures that the host's page shows to who is to take a seat."""
    if not host.locator(".people").is_visible():
        host.get_by_role("button", name="Seats").click()
    before = host.locator(".invitation .figures").all_inner_texts()
    host.locator(f'[data-invite="{seat}"]').click()
    shown = host.locator(".invitation")
    expect(shown.locator("img")).to_have_attribute("src", re.compile("^data:image/svg"))
    if before:
        expect(shown.locator(".figures")).not_to_have_text(before[0])
    return "".join(shown.locator(".figures").inner_text().split())


@pytest.mark.long
def test_after_a_swap_the_door_has_everybody_where_they_began_with_their_own_colour(
    evening: Evening,
) -> None:
    options = [f"--option={it}" for it in ("swap=yes", "die=dealt", "size=5")]
    game = "--game", "bad-santa-hex"
    _, host, (ann,) = evening({0: ("Ann", "Black")}, *game, *options, pico=False)

    def door() -> None:
        host.locator(".which").click()
        host.locator('dialog [data-game="bad-santa-hex"] .choose').click()
        host.get_by_text("Who plays").click()

    door()
    host.locator('[data-name="1"]').fill("Ben")
    host.locator('[data-action="begin"]').click()
    host.locator('[data-action="begin"]').click()  # really
    expect(ann.locator(".prompt")).to_contain_text("Ann")
    for move in ("a1", "c3"):
        say(ann, move)
    say(host, "swap")
    expect(host.locator(".log .entries li").first).to_contain_text("swap colours")
    door()
    for seat, (name, colour) in enumerate((("Ann", "Green"), ("Ben", "–"))):
        expect(host.locator(f'[data-name="{seat}"]')).to_have_value(name)
        told = host.locator(f'[data-colour="{seat}"]').evaluate("it => it.selectedOptions[0].text")
        assert told == colour


def test_two_phones_have_a_hand_each_and_the_host_none(evening: Evening) -> None:
    seats = {0: ("Ann", "Gondwana"), 1: ("", "Bukseon")}
    _, host, (one, two) = evening(seats, "--game", "knee-deep", "--option", "starter=gondwana")
    say(one, 50 * "W")
    expect(one.locator(".refused")).to_contain_text(50 * "W")
    assert one.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    say(one, "companions general tech")
    expect(two.locator(".prompt")).to_contain_text("Bukseon")
    say(two, "companions general tech")
    hands = [it.locator(".card.held li") for it in (one, two)]
    for hand in hands:
        expect(hand).to_have_count(3)
    cards = [[text.split(" (")[0] for text in hand.all_inner_texts()] for hand in hands]
    for page, own, others in (
        (one, *cards),
        (two, *cards[::-1]),
        (host, [], [*cards[0], *cards[1]]),
    ):
        text = page.content()
        assert not [card for card in others if card in text and card not in own]
    assert not CARDS.search(host.content())
    expect(host.locator(".curtain")).to_contain_text("has a phone of their own")
    host.locator("[data-uncovered]").click()  # to see how it stands, or to begin a pause
    expect(host.locator("svg.board")).to_be_visible()
    expect(host.locator('[data-ruling="pause"]')).to_be_visible()
    assert not CARDS.search(host.content())
    assert not one.locator(".notice").count()
    host.locator("[data-covered]").click()
    expect(one.get_by_role("button", name="Close the curtain")).to_have_count(0)
    host.locator('[data-look="1"]').click()  # the host may, and everybody is told
    for page in (one, two):
        expect(page.locator(".notice")).to_contain_text("The host's page showed Bukseon's cards.")
    one.get_by_role("button", name="Put this notice away").click()
    host.locator('[data-look="-1"]').click()
    host.locator('[data-look="1"]').click()  # and so they are the next time
    expect(one.locator(".notice")).to_contain_text("It has shown cards 2 times now.")
    one.reload()  # as after sleep: the seat is still hers
    expect(hands[0]).to_have_count(3)
    host.get_by_role("button", name="Seats").click()
    off = host.locator(".people li", has_text="Ann").locator('[data-action="dismiss"]')
    off.dblclick()
    expect(off).to_have_text("Really?")  # and no more than asked
    again(off)  # "Really?"
    expect(one.locator(".banner[role=alert]")).to_contain_text("key no longer counts")


def test_a_camera_reads_the_code_and_its_link_seats_the_phone(
    start: Start, visit: Open, phone: Phone
) -> None:
    """By OpenCV's reader of such codes, in a picture of the host's screen."""
    cv2 = pytest.importorskip("cv2")
    running = start("--game", "hexalma", "--lan")
    host = visit(running)
    invited(host, 1)
    shot = cv2.imdecode(numpy.frombuffer(host.screenshot(), numpy.uint8), cv2.IMREAD_COLOR)
    link = codes.read(cv2, shot)
    address, _, secret = link.partition("/join#")
    assert re.fullmatch(rf"http://[\w.-]+:{running.port}", address)
    seated = phone(running, secret=secret)
    expect(seated.locator(".chip", has_text="You are")).to_be_visible()
    expect(host.locator(".invitation")).to_have_count(0)


def test_an_invitation_that_was_used_says_so_and_a_name_is_only_text(
    start: Start, visit: Open, phone: Phone
) -> None:
    running = start("--game", "hexalma", "--lan")
    host = visit(running)
    figures = invited(host, 1)
    name = "<img src=x>"
    first = phone(running, figures=figures, name=name)
    expect(first.locator(".chip", has_text="You are")).to_be_visible()
    expect(host.locator(".people .own.own-2")).to_have_text(name)
    late = phone(running, figures=figures)
    expect(late.get_by_role("alert")).to_contain_text("has been used")
    first.get_by_role("button", name="The board is wrong…").click()
    expect(first.locator(".wrong")).to_be_visible()
    expect(first.get_by_role("button", name="New game")).to_have_count(0)


def test_what_is_typed_before_the_own_cards_come_stays(evening: Evening) -> None:
    seats = {0: ("Ann", "Gondwana")}
    _, _, (ann,) = evening(seats, "--game", "knee-deep", "--option", "starter=gondwana")
    held: list[tuple[Any, str]] = []
    shown: list[str] = []

    def slowly(wire: Any) -> None:
        """What everybody may see comes at once, and what only this seat may see is held back."""

        def pass_on(text: str) -> None:
            told = json.loads(text)
            state = told.get("state", told)  # of one that changed: what differs
            own = held or state.get("side", -1) >= 0
            if told["type"] not in ("state", "changed"):
                wire.send(text)
            elif own:
                held.append((wire, text))
            else:
                shown.append(text)
                wire.send(text)

        wire.connect_to_server().on_message(pass_on)

    ann.route_web_socket(re.compile("/live"), slowly)
    while not shown:  # of two states that wait together a page is sent the later one alone
        held.clear()
        ann.reload()
        eventually(lambda: held or shown or ann.wait_for_timeout(20))
    expect(ann.locator(".chip", has_text="You are Gondwana")).to_be_visible()
    ann.locator("summary", has_text="type a move").click()
    typed = ann.get_by_label("A move by its name")
    typed.fill("companions general tech")
    eventually(lambda: held or ann.wait_for_timeout(20))
    for wire, text in held:
        wire.send(text)
    expect(ann.locator('[data-action="companions general tech"]')).to_have_count(1)
    expect(typed).to_have_value("companions general tech")
    expect(ann.get_by_role("button", name="Make this move")).to_be_visible()


def test_the_figures_in_the_terminal_make_one_phone_a_host(start: Start, phone: Phone) -> None:
    running = start("--game", "hexalma", "--lan")
    figures = json.loads((running.folder / "link.json").read_text())["figures"]
    ann = phone(running, figures=figures, name="Ann")
    ann.get_by_role("button", name="Seats").tap()
    expect(ann.locator('[data-invite="1"]')).to_be_visible()
    late = phone(running, figures=figures)
    expect(late.get_by_role("alert")).to_contain_text("has been used")


def test_a_phone_is_made_a_host_too_and_its_new_keys_throw_everybody_else_off(
    evening: Evening,
) -> None:
    _, host, (ann, ben) = evening({0: ("Ann", "Black"), 1: ("Ben", "White")}, "--game", "hexalma")
    host.get_by_role("button", name="Seats").click()
    expect(host.locator(".people .list .seat")).to_have_text(["Black", "White"])
    appoint = host.locator(".people li", has_text="Ann").locator('[data-action="appoint"]')
    appoint.click()
    again(appoint)  # "Really?"
    expect(host.locator(".people li", has_text="Ann, host")).to_be_visible()
    expect(appoint).to_have_count(0)
    ann.get_by_role("button", name="Seats").click()
    renew = ann.locator('[data-action="renew"]')
    renew.click()
    again(renew)
    for page in (host, ben):
        expect(page.locator(".banner[role=alert]")).to_contain_text("key no longer counts")
    expect(ann.locator(".people")).to_be_hidden()  # its page is another one now
    assert "token" not in ann.url
    expect(ann.locator(".chip", has_text="You are")).to_have_count(0)
    say(ann, "b3-c3")  # the host's page speaks for everybody
    expect(ann.locator(".ruling .seat.active")).to_contain_text("White")


def test_a_phone_offers_nothing_while_somebody_else_has_the_turn(evening: Evening) -> None:
    people = {0: ("Ann", "Black"), 1: ("Ben", "White")}
    _, host, (ann, ben) = evening(people, "--game", "hexalma")
    expect(ann.locator(".hex.open")).not_to_have_count(0)
    expect(ben.locator(".card.moves")).to_contain_text(re.compile("turn of .?Ann"))
    expect(ben.locator(".hex.open, .card.moves input")).to_have_count(0)
    ben.get_by_text("What else you can do").click()
    expect(ben.locator(".card.moves .choices button")).to_have_text(
        [re.compile("Ben.? resigns"), re.compile("Ben.?: a draw")]
    )
    ben.locator('[data-cell="g1"]').click(force=True)
    expect(ben.locator(".refused")).to_contain_text("not your turn")
    say(ann, "b3-c3")
    expect(ben.locator(".hex.open")).not_to_have_count(0)
    assert not ben.locator(".refused").count()  # it is his turn now
    expect(ann.locator(".card.moves")).to_contain_text(re.compile("turn of .?Ben"))
    expect(ann.locator(".hex.open")).to_have_count(0)
    expect(host.locator(".hex.open")).not_to_have_count(0)  # the host speaks for every seat


def test_a_first_game_is_explained_on_every_phone_that_does_not_say_otherwise(
    evening: Evening,
) -> None:
    game = "--game", "bad-santa-hex", "--option", "size=7"
    _, host, (ann,) = evening({0: ("Ann", "Black")}, *game, pico=False)
    for page in (host, ann):
        expect(page.locator(".explained")).to_contain_text("two reservation counters only")
    ann.get_by_role("button", name="Seats").click()
    ann.locator('[data-device="explain"]').click()
    ann.reload()
    expect(ann.locator(".hex.open")).not_to_have_count(0)
    assert not ann.locator(".explained").count()


def test_a_phone_takes_no_tile_in_hand_while_somebody_else_has_the_turn(evening: Evening) -> None:
    people = {0: ("Ann", "Red"), 1: ("Ben", "Blue")}
    _, _, (ann, ben) = evening(people)
    expect(ann.locator(".tray:not(.spent)")).to_be_visible()
    expect(ben.locator(".tray.spent")).to_be_visible()
    expect(ben.locator(".tray")).to_contain_text(re.compile("turn of .?Ann"))
    ben.get_by_role("button", name="Concede, leave and more…").click()
    expect(ben.locator(".say select").first.locator("option")).to_have_text([re.compile("Ben")])


def test_a_phone_calls_votes_for_its_own_seat_alone(evening: Evening) -> None:
    running, host, (ann,) = evening({0: ("Ann", "Red")})
    with running.page() as wire:
        slot = next(cell for cell, it in wire.ready()["own"]["slots"].items() if it["tile"])
    for page, seats in ((host, ["0", "1"]), (ann, ["0"])):
        page.locator(f'[data-cell="{slot}"]').click()
        votes = page.locator("[data-vote]")
        expect(votes).to_have_count(len(seats))
        assert [it.get_attribute("data-vote") for it in votes.all()] == seats


def test_a_browser_that_is_too_old_is_told_so_and_leaves_the_invitation(
    start: Start, visit: Open, phone: Phone, chromium: Any
) -> None:
    running = start("--game", "hexalma", "--lan")
    figures = invited(visit(running), 1)
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    context.add_init_script("delete Array.prototype.findLastIndex")
    old = context.new_page()
    old.goto(f"{running.origin}/join")
    expect(old.locator(".boot")).to_contain_text("too old for this page")
    expect(old.locator("form")).to_have_count(0)
    context.close()
    newer = phone(running, figures=figures)
    expect(newer.locator(".chip", has_text="You are White")).to_be_visible()


def test_a_link_on_another_sites_page_opens_the_board_and_keeps_the_seat(evening: Evening) -> None:
    """As the wall of a hall has it."""
    running, _, (ann,) = evening({0: ("Ann", "Black")}, "--game", "hexalma")
    link = f"{running.origin}/board?token={screen(running.token)}"
    wall = f"<a href='{link}' rel='noreferrer'>Watch</a>"
    ann.route("http://hall.example/", lambda it: it.fulfill(body=wall, content_type="text/html"))
    ann.goto("http://hall.example/")
    ann.get_by_role("link", name="Watch").click()
    expect(ann.locator(".screen")).to_be_visible()
    ann.goto(running.origin)
    expect(ann.locator(".chip", has_text="You are Black")).to_be_visible()


def test_an_invitation_comes_in_sight_where_it_is_asked_for_however_many_watch(
    start: Start, visit: Open
) -> None:
    running = start("--game", "hexalma", "--lan")
    small = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    with running.page() as wire, ExitStack() as phones:
        cookies = [seated(running, wire, -1, f"Cat {n}") for n in range(20)]
        live = f"ws://127.0.0.1:{running.port}/live"
        for cookie in cookies[:12]:
            keys = {"Cookie": cookie, "Origin": running.origin}
            phones.enter_context(connect(live, additional_headers=keys, max_queue=None))
        host = visit(running, **small)
        host.get_by_role("button", name="Seats").tap()
        for seat, goal in ((0, "To sit as Black"), (1, "To sit as White"), (-1, "To watch")):
            pressed = host.locator(f'[data-invite="{seat}"]')
            pressed.tap()
            shown = host.locator('.people [role="status"] .invitation')
            expect(shown).to_contain_text(goal)
            for part in ("img", ".figures"):
                expect(shown.locator(part)).to_be_in_viewport(ratio=1)
            button, code = pressed.bounding_box(), shown.bounding_box()
            assert 0 <= code["y"] - button["y"] - button["height"] < 120
        watching = host.locator(".watching li:visible")
        expect(watching).to_have_count(12)
        assert max(row.bounding_box()["height"] for row in watching.all()) < 50
        host.locator("summary", has_text="8 watched").tap()
        expect(watching).to_have_count(20)
        ann = watching.filter(has_text="Cat 19")
        ann.locator("summary").tap()
        ann.locator('[data-give="1"]').tap()
        expect(host.locator(".people .list").first).to_contain_text("Cat 19")
