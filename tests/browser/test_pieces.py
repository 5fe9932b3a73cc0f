"""The page of games of counters and cards: touched, refused, taken back, killed, resumed."""

import re
from typing import Any

import pytest

from tests.browser.test_page import Open, Start, again, chromium, expect, visit
from tests.running import eventually, hexboard

pytestmark = pytest.mark.browser

__all__ = ["chromium", "visit"]  # fixtures


def test_a_turn_of_bad_santa_hex_and_what_is_left_of_it_after_a_kill(
    start: Start, visit: Open
) -> None:
    asked = ("--game", "bad-santa-hex", "--option", "die=physical")
    running = start(*asked)
    page = visit(running)
    ruling = page.locator(".ruling")
    expect(page.locator(".sides line")).to_have_count(4 * 11 * 2 - 2)  # each rim cell shows two
    expect(page.locator(".hex.open")).to_have_count(121)
    page.locator('[data-cell="c3"]').click()
    expect(page.locator('[data-piece="c3"]')).to_contain_text("1-2")
    page.locator('[data-cell="c4"]').click()  # a neighbour
    expect(ruling).to_contain_text("c4 and c3 would be in one group")
    ruling.locator(".rule").click()  # the rule that forbids it, in our words
    expect(page.locator(".rulebook .asked")).to_contain_text("may not touch one another")
    expect(page.locator(".rulebook .asked")).to_be_in_viewport()
    page.locator(".rulebook").get_by_role("button", name="Close").click()
    expect(page.locator("[data-piece]")).to_have_count(1)
    page.locator('[data-cell="h8"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".seat.active")).to_have_text("White")  # who has the die
    page.get_by_role("button", name="4", exact=True).click()
    expect(page.locator('[data-piece="h8"]')).to_have_class(re.compile("of-1"))
    expect(page.locator('[data-piece="c3"]')).to_have_class(re.compile("of-0"))
    expect(page.locator(".pending")).to_have_count(0)
    running.process.kill()
    running.process.communicate()
    again = start(*asked, "--port", running.port)
    expect(page.locator(".card.todo")).to_contain_text("goes on where it was left")
    page.get_by_role("button", name="The board is right").click()
    expect(ruling).to_contain_text("White: place reservation counter 1 of 3")
    page.locator('[data-cell="e5"]').click()
    expect(page.locator("[data-piece]")).to_have_count(3)
    again.end()
    last = again.recordings()[-1]
    assert "the same rulings" in hexboard("replay", last).stdout
    told = hexboard("export", last).stdout
    assert told.startswith("(;FF[4]GM[11]")
    assert "W[h8]C[1. B 12:c3 34:h8 d4 -> h8=W]" in told


def test_a_card_of_hexel_is_chosen_by_its_picture(start: Start, visit: Open) -> None:
    page = visit(start("--game", "hexel", "--option", "seats=3", "--option", "hands=held"))
    page.locator('[data-cell="-1,0"]').click()
    faces = page.locator(".face")
    expect(faces).to_have_count(36)  # a card each; then its turns
    page.locator('[data-action="card BBBBYY"]').click()
    expect(faces).to_have_count(6)
    page.locator('[data-action="place -1,0 YYBBBB"]').click()
    expect(page.locator('[data-piece="-1,0"] path')).to_have_count(6)
    expect(page.locator(".standing li")).to_have_count(3)
    expect(page.locator(".standing")).to_contain_text("Player 3: 0 cards in hand, Stock 40")


def test_a_stake_and_a_hedge_are_chosen_by_more_and_less(start: Start, visit: Open) -> None:
    page = visit(start("--game", "hexel", "--option", "hands=held"))
    page.locator("summary", has_text="type a move").click()
    for move in ("place -1,0 RBRBRB", "place 0,0 YYRRYR", "place 1,0 BBBYYY"):
        page.get_by_label("A move by its name").fill(move)
        page.get_by_role("button", name="Make this move").click()
        expect(page.locator(".entries")).to_contain_text(move.split()[-1])
    stake = page.get_by_role("group", name="The Stake, in chips")
    stake.get_by_role("button", name="More").click(click_count=2)
    stake.get_by_role("button", name="Less").click()
    stake.get_by_role("button", name="Set the Stake: 2").dblclick()  # the second tap bets nothing
    expect(page.locator(".newest")).to_contain_text("sets the Stake at 2")
    hedge = page.get_by_role("group", name="Player 1: chips for the Hedge")
    hedge.get_by_role("slider").press("End")
    hedge.get_by_role("button", name="Into the Hedge: 40").click()
    expect(page.locator(".log")).to_contain_text("Player 1 puts 40 chips into the Hedge")


def test_moves_are_listed_by_name_only_for_who_types_one_and_lights_share_their_hues(
    start: Start, visit: Open
) -> None:
    """A page of 217 cells has enough to do."""
    page = visit(start("--game", "bad-santa-hex", "--option", "die=physical"))
    expect(page.locator(".hex.open")).to_have_count(121)
    assert page.locator("#move-names option").count() == 0
    page.locator("summary", has_text="type a move").click()
    expect(page.locator("#move-names option")).to_have_count(121)
    lit = page.locator('[data-pixel]:not([opacity="0"])')
    eventually(lambda: lit.count() > 20)
    assert 0 < page.locator("radialGradient").count() < 20


def test_a_game_is_given_up_by_a_button_and_shown_in_the_colour_of_who_won(
    start: Start, visit: Open
) -> None:
    running = start("--game", "hexalma")
    page = visit(running, color_scheme="dark")
    screen = page.context.new_page()
    screen.goto(f"{running.origin}/board")
    edge = "(it) => getComputedStyle(it).borderLeftColor"
    expect(screen.locator(".seat.active")).to_have_text("Black")
    assert screen.locator(".prompt").evaluate(edge) == "rgb(106, 95, 134)"
    page.locator("summary", has_text="Resign").click()
    resign = page.locator('[data-action="resign black"]')
    resign.evaluate("(it) => { it.parentElement.style.width = '100px'; }")  # in two lines
    high = resign.bounding_box()["height"]
    resign.click()
    expect(resign).to_have_text("Really?")
    assert resign.bounding_box()["height"] == high
    again(resign)
    expect(page.locator(".ruling")).to_contain_text("White wins")
    for shown, part in ((page, ".ruling"), (screen, ".prompt")):
        expect(shown.locator(".seat.won")).to_contain_text("White")
        assert shown.locator(part).evaluate(edge) == "rgb(217, 210, 187)"


def test_a_disc_is_moved_and_taken_back(start: Start, visit: Open) -> None:
    running = start("--game", "hexalma")
    page = visit(running)
    page.locator('[data-cell="h1"]').click()
    expect(page.locator(".refused")).to_contain_text("is White's. Move one of your own.")
    page.locator('[data-cell="b1"]').click()
    expect(page.locator(".refused")).to_have_count(0)
    page.locator('[data-cell="c1"]').click()
    expect(page.locator('[data-piece="c1"]')).to_have_count(1)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator('[data-piece="c1"]')).to_have_count(0)
    expect(page.locator(".hex.todo")).to_have_count(2)
    page.get_by_role("button", name="The board is right").click()
    expect(page.locator(".hex.todo")).to_have_count(0)
    eventually(lambda: page.locator(".hex.open").count() > 5)


def test_after_a_refused_touch_the_one_before_still_counts(start: Start, visit: Open) -> None:
    page = visit(start("--game", "hexalma"))
    page.locator('[data-cell="b3"]').click()
    page.locator('[data-cell="e5"]').click()
    expect(page.locator(".refused")).to_be_visible()
    expect(page.locator(".hex.picked")).to_have_attribute("data-cell", "b3")
    expect(page.locator(".moves h2")).to_have_text("And then?")
    page.locator('[data-cell="c3"].open').click()
    expect(page.locator('[data-piece="c3"]')).to_have_count(1)


def test_a_stack_shows_the_colour_of_each_disc_from_the_bottom_up(
    start: Start, visit: Open
) -> None:
    page = visit(start("--game", "hexalma"))
    page.keyboard.press("w")
    black, white = "rgb(38, 35, 43)", "rgb(243, 239, 226)"
    fills = (
        "(button) => [...button.querySelectorAll('circle')].map((it) => getComputedStyle(it).fill)"
    )
    for thing, fill in (
        ("WB", [white, black]),
        ("BW", [black, white]),
        ("WWB", [white, white, black]),
    ):
        assert page.locator(f'[data-brush="{thing}"]').evaluate(fills) == fill


def test_a_board_is_put_right_by_touching_its_picture(start: Start, visit: Open) -> None:
    page = visit(start("--game", "hexalma"))
    page.get_by_role("button", name="The board is wrong…").click()
    page.locator('[data-brush="WB"]').click()
    page.locator('[data-cell="e5"]').click()
    expect(page.locator('[data-piece="e5"] circle')).to_have_count(2)
    page.keyboard.press("Escape")  # nothing was set: the picture is as it was
    expect(page.locator('[data-piece="e5"] circle')).to_have_count(0)
    page.get_by_role("button", name="The board is wrong…").click()
    for cell in ("a1", "c3"):  # what lies wrong, and where it lies
        page.locator(f'[data-cell="{cell}"]').click()
    page.locator('[data-brush="WB"]').click()
    page.locator('[data-cell="e5"]').click()
    page.locator('[data-brush=""]').click()
    for cell in ("i1", "a2"):
        page.locator(f'[data-cell="{cell}"]').click()
    expect(page.locator('[data-piece="e5"] circle')).to_have_count(2)  # as it would be
    page.locator("[data-arrange]").click()
    expect(page.locator(".card.wrong")).to_have_count(0)
    expect(page.locator(".entries li").first).to_contain_text("by the host")
    for cell, discs in (("a1", 0), ("c3", 1), ("e5", 2), ("i1", 0), ("a2", 0)):
        expect(page.locator(f'[data-piece="{cell}"] circle')).to_have_count(discs)


def drag(page: Any, cell: str, onto: tuple[float, float]) -> None:
    """What lies in a cell, by the pointer, to a place on the screen."""
    page.mouse.move(*middle(page, cell))
    page.mouse.down()
    page.mouse.move(*onto, steps=5)
    page.mouse.up()


def middle(page: Any, cell: str) -> tuple[float, float]:
    box = page.locator(f'[data-cell="{cell}"] polygon').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


LAID = "it => [...it.querySelectorAll('path')].map((path) => path.getAttribute('class').at(-1))"


def face(page: Any, cell: str) -> str:
    """The symbols of the card in a cell, as they are drawn."""
    return "".join(page.locator(f'[data-piece="{cell}"]').evaluate(LAID))


def test_a_board_of_cards_is_put_right_by_dragging_and_turning(start: Start, visit: Open) -> None:
    page = visit(start("--game", "hexel", "--option", "chips=off", "--option", "hands=held"))
    page.get_by_role("button", name="The board is wrong…").click()
    for brush, cell in (("BBBBBB", "-1,0"), ("BBBBBR", "0,0")):
        page.locator(f'[data-brush="{brush}"]').click()
        page.locator(f'[data-cell="{cell}"]').click()
    page.locator('[data-brush="turn"]').click()
    for _ in range(2):
        page.locator('[data-cell="0,0"]').click()
    assert face(page, "0,0") == "BBBRBB"  # two sixths clockwise: from the south-east to the west
    page.locator('[data-cell="0,0"]').click()
    assert face(page, "0,0") == "BBRBBB"
    page.locator('[data-brush="RRRRRR"]').click()
    page.locator('[data-cell="2,0"]').click()
    page.locator('[data-brush="move"]').click()
    drag(page, "2,0", (5, 5))  # off the board
    expect(page.locator('[data-piece="2,0"]')).to_have_count(0)
    page.locator('[data-brush="YYYYYY"]').click()
    page.locator('[data-cell="3,0"]').click()
    drag(page, "0,0", middle(page, "2,-2"))
    expect(page.locator('[data-piece="0,0"]')).to_have_count(0)
    assert face(page, "2,-2") == "BBRBBB"
    drag(page, "2,-2", middle(page, "0,0"))
    drag(page, "3,0", (5, 5))
    page.locator("[data-arrange]").click()
    expect(page.locator(".card.wrong")).to_have_count(0)
    expect(page.locator(".entries li").first).to_contain_text("by the host")
    expect(page.locator("[data-piece]")).to_have_count(2)
    assert (face(page, "-1,0"), face(page, "0,0")) == ("BBBBBB", "BBRBBB")


FILLS = "(it) => getComputedStyle(it).fill"


def test_cells_are_marked_where_a_browser_mixes_no_colours(start: Start, chromium: Any) -> None:
    """As Safari before 16.2, to which the docs promise a page."""
    running = start("--game", "hexalma")
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()

    def unmixed(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("color-mix", "colour-mix"))

    page.route("**/*.css", unmixed)
    page.goto(running.url)
    for cell in ("a1", "b1"):
        page.locator(f'[data-cell="{cell}"]').click()
    last = page.locator(".hex.last polygon").first
    bare = page.locator('[data-cell="e5"] polygon')
    expect(last).to_be_visible()
    assert last.evaluate(FILLS) not in (bare.evaluate(FILLS), "rgb(0, 0, 0)")
    context.close()


LISTENED = """() => {
  let touched = false, lent = false;
  for (const kind of ["pointerup", "click"]) addEventListener(kind, () => {
    touched = true;
    setTimeout(() => (touched = false));
  }, true);
  speechSynthesis.speak = ({ text }) => {
    lent ||= touched;
    if (lent && text) (window.heard ??= []).push(text);
  };
}"""
"""Speech as on iOS: none before a page has spoken while it is touched."""


NEW = """async () => {
  const { told } = await import("/static/device.js");
  const device = { n: 2, text: "pico is there.", aside: true };
  const log = [device, { n: 1, text: "Black moves.", aside: false }];
  return told({ log, prompt: "White: move." }, { log: [], prompt: "White: move." });
}"""


def test_a_board_is_stepped_back_looked_at_from_near_and_read_aloud(
    start: Start, visit: Open
) -> None:
    page = visit(start("--game", "hexalma"), viewport={"width": 360, "height": 740})
    page.evaluate(LISTENED)
    page.get_by_role("button", name="Seats").click()
    page.get_by_role("switch", name="Reads aloud").click()
    page.get_by_role("switch", name="Explains each turn").click()
    page.keyboard.press("Escape")
    expect(page.locator(".explained")).to_contain_text("Move one of your own active discs, alone.")
    assert page.locator('.board [tabindex="0"]').count() == 1
    for cell in ("a1", "b1", "i1", "h1"):
        page.locator(f'[data-cell="{cell}"]').click()
    expect(page.locator('[data-piece="h1"] circle')).to_have_count(2)
    eventually(lambda: len(page.evaluate("() => window.heard ?? []")) == 4)  # moves and turns
    assert page.evaluate("() => heard[0]") == "Black moves a1 onto b1: 2 high now."
    assert page.evaluate(NEW) == ["Black moves."]  # and not what a device does
    page.get_by_role("button", name="The board a move before").click()
    expect(page.locator('[data-piece="h1"] circle')).to_have_count(1)
    expect(page.locator('[data-piece="b1"] circle')).to_have_count(2)
    expect(page.locator(".past")).to_contain_text("The game goes on meanwhile")
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator('[data-piece="h1"] circle')).to_have_count(2)
    page.reload()  # the list begins with the match
    moves = page.locator(".moves-list")
    expect(moves.locator("li")).to_have_text(["1. Black a1:b1", "2. White i1:h1"])
    moves.get_by_role("button", name="a1:b1").click()
    expect(page.locator('[data-piece="b1"] circle')).to_have_count(2)
    expect(page.locator('[data-piece="h1"] circle')).to_have_count(1)
    moves.locator("ol").press("ArrowLeft")
    expect(page.locator('[data-piece="b1"] circle')).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator('[data-piece="h1"] circle')).to_have_count(2)
    page.get_by_role("button", name="Larger").click()
    near = page.locator('[data-cell="e5"] polygon').bounding_box()
    assert near is not None
    assert near["width"] >= 40
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_a_board_that_no_move_explains_is_put_back_step_by_step_under_the_camera(
    start: Start, visit: Open
) -> None:
    page = visit(start("--game", "hexalma", "--camera"))
    page.locator(".view summary").click()
    expect(page.locator(".view img")).to_be_visible()
    page.get_by_label("From this cell").fill("a1")
    page.get_by_label("To this cell").fill("e5")
    page.get_by_role("button", name="Move it by hand").click()
    todo = page.locator(".card.todo")
    expect(todo).to_contain_text("Move the black disc from e5 to a1")
    expect(todo).to_contain_text("ALMA-3.3")
    expect(page.locator(".hex.todo")).to_have_count(2)
    page.get_by_role("button", name="Let the simulated hand do it").click()
    expect(todo).to_have_count(0)
    expect(page.locator(".ruling")).to_contain_text("shows the position again")
    page.locator('[data-cell="b3"]').click()
    page.locator('[data-cell="c3"]').click()  # a hand does it, and the camera sees it
    expect(page.locator('[data-piece="c3"]')).to_have_count(1)
    page.locator("[data-done]").click()
    expect(page.locator(".ruling")).to_contain_text("looks as before")


def test_a_war_is_drawn_declared_and_seen(start: Start, visit: Open) -> None:
    asked = ("hands=held", "starter=gondwana", "terrain=drawn")
    page = visit(start("--game", "knee-deep", *(w for word in asked for w in ("--option", word))))
    page.locator("summary", has_text="type a move").click()
    page.get_by_role("button", name="Look at them").click()
    agreed = page.locator(".agreed")
    expect(agreed.locator(".wanting", has_text="scrapyard")).to_contain_text("proposed")
    expect(agreed.locator(".given", has_text="terrain")).to_contain_text("drawn")
    agreed.get_by_role("button", name="Close").click()
    page.locator('[data-cell="1.0"]').click()
    page.locator('[data-action="terrain 1.0 energy"]').click()
    expect(page.locator('[data-piece="1.0"]')).to_have_class(re.compile("Nrg"))
    assert page.locator(".areas text").all_text_contents() == [str(n) for n in range(1, 32)]
    drawn = re.compile(re.escape("energy%20%3D%20%5B%221.0%22"))
    expect(page.locator(".keeps")).to_have_attribute("href", drawn)
    for action in ("ready", *("companions general tech",) * 2, "keep", "keep"):
        again(page.locator(f'[data-action="{action}"]'))
    expect(page.locator(".keeps")).to_have_count(0)
    expect(page.locator(".prompt")).to_contain_text("end the actions")
    page.locator('[data-cell="2.1"]').click()
    page.locator('[data-action="deploy acv 2.1"]').click()
    page.locator("summary", has_text="Deploy: not now (1)").click()
    expect(page.locator(".withheld")).to_contain_text("costs 3 material, and there are 2")
    page.locator('[data-cell="2.1"]').click()
    expect(page.locator(".reach-2")).not_to_have_count(0)
    page.keyboard.press("Escape")
    page.locator('[data-action="end"]').click()
    corner = page.locator('.corner[data-action="mark 1,2,6"]')
    expect(page.locator(".corner")).to_have_count(42)
    corner.click()
    expect(page.locator("[data-marker]")).to_have_count(1)
    expect(page.locator(".hex.marker-1")).to_have_count(3)


def test_a_marker_goes_to_the_point_that_a_finger_or_the_keys_find(
    start: Start, visit: Open
) -> None:
    """On a phone a finger that misses the point by 8 px still means it; the points have names that
    keys find, and none is in the way of who puts the position right."""
    options = ("--option", "hands=held", "--option", "starter=gondwana")
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = visit(start("--game", "knee-deep", *options), **phone)
    for action in (*("companions general tech",) * 2, "keep", "keep"):
        again(page.locator(f'[data-action="{action}"]'))
    expect(page.locator(".pane.near")).to_be_visible()
    expect(page.locator('[data-cell="2.2"].open')).to_be_in_viewport()  # at the HQ
    again(page.locator('[data-action="end"]'))
    expect(page.locator(".corner")).to_have_count(42)
    expect(page.locator(".card.moves")).to_contain_text("Touch a white point.")
    named = page.get_by_role("button", name="Marker where sectors 7, 8 and 12 meet")
    named.scroll_into_view_if_needed()
    box = named.locator(".point").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2 + 8, box["y"] + box["height"] / 2)
    expect(page.locator("[data-marker]")).to_have_count(1)
    expect(page.locator(".corner")).to_have_count(0)
    assert sectors(page) == {"7", "8", "12"}
    page.locator('[data-action="end"]').click()  # nobody fights there, and Bukseon places its own
    expect(page.locator(".corner")).to_have_count(42)
    page.get_by_role("button", name="The board is wrong").click()
    expect(page.locator(".arrange")).to_have_count(1)
    expect(page.locator(".corner")).to_have_count(0)
    page.locator(".card.wrong").get_by_role("button", name="Close").click()
    first = page.locator('.corner[tabindex="0"]')
    expect(first).to_have_attribute("aria-label", "Marker where sectors 1, 2 and 6 meet")
    first.focus()
    page.keyboard.press("ArrowDown")
    expect(first).not_to_have_attribute("aria-label", "Marker where sectors 1, 2 and 6 meet")
    told = first.get_attribute("aria-label")
    page.keyboard.press("Enter")
    expect(page.locator("[data-marker]")).to_have_count(1)
    assert sectors(page) == set(re.findall("[0-9]+", told))


def sectors(page: Any) -> set[str]:
    """Those that meet at the marker: field 7.4 is of sector 7."""
    cells = page.locator(".hex.marker-1, .hex.marker-2")
    expect(cells).to_have_count(3)
    return {str(it.get_attribute("data-cell")).split(".")[0] for it in cells.all()}


def test_a_finger_finds_small_cells_from_near(start: Start, visit: Open) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    page = visit(start("--game", "bad-santa-hex", "--option", "die=physical"), **phone)
    cell = page.locator('[data-cell="f6"]')
    expect(page.locator(".pane.near")).to_be_visible()
    expect(cell).to_be_in_viewport()  # the board's middle
    eventually(lambda: cell.locator("polygon").bounding_box()["width"] > 40)
    page.get_by_role("button", name="Show the whole board").tap()
    expect(cell.locator(".cell-name")).to_be_hidden()
    cell.tap()
    expect(page.locator(".pane.near")).to_be_visible()
    expect(page.locator("[data-piece]")).to_have_count(0)
    cell.tap()
    expect(page.locator("[data-piece]")).to_have_attribute("data-piece", "f6")


def test_a_position_is_set_as_what_it_is(start: Start, visit: Open) -> None:
    """HexAlma: discs never leave the board, so a position without one is a problem; one of a board
    of five rows is none at all."""
    page = visit(start("--game", "hexalma"))
    page.get_by_role("button", name="The board is wrong").click()
    page.locator("summary", has_text="Set the position").click()
    text = page.get_by_label("The position as text")
    first = text.input_value()
    lacking = first.replace("WWWWW/", "WWWW1/", 1)
    card = page.locator(".card.wrong")
    for wrong, why in (("5/6/7/8/9 b", "A game cannot be"), (lacking, "could not come about")):
        text.fill(wrong)
        card.locator("details button", has_text="Set it").click()
        expect(card.locator(".refused")).to_contain_text(why)
        expect(card.locator("[data-problem]")).to_have_count(int(wrong == lacking))
        assert text.input_value() == wrong
    discs = page.locator("[data-piece]").count()
    card.locator("[data-problem]").click()
    expect(card).to_have_count(0)
    expect(page.locator("[data-piece]")).to_have_count(discs - 1)
    expect(page.locator(".log")).to_contain_text("is a problem, which could not come about")
    page.get_by_role("button", name="The board is wrong").click()
    page.locator("summary", has_text="Set the position").click()
    page.get_by_label("The position as text").fill(first)
    card.locator("details button", has_text="Set it").click()
    expect(page.locator(".ruling")).to_contain_text("looks reachable")
    expect(page.locator("[data-piece]")).to_have_count(discs)
