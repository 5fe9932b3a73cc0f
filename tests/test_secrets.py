"""Dealt cards at the table: the committed shuffle, and what everybody may hear."""

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.board import Board, find, load, plain
from hexboard.devices.dealer import Dealer
from hexboard.facts import (
    MS,
    Body,
    Decide,
    Declare,
    Fact,
    Resume,
    Ruling,
    Seal,
    Start,
    Touch,
    Unseal,
    encode_fact,
    started,
)
from hexboard.game import registry
from hexboard.game.match import Played, encode_entry
from hexboard.game.shuffle import commitment, drawn, pick
from hexboard.games import hexel, knee_deep
from hexboard.record.transcript import Transcript
from hexboard.scene import Meaning
from hexboard.table.effects import Commit, Effect, Refuse, Tell
from hexboard.words import say
from tests.strangers import example, keep

FLOWERS, TABLE = load(find("flowers-31")), load(find("table"))
KNEE_DEEP = Start(
    *("m", FLOWERS.name, FLOWERS.hash, "knee-deep", knee_deep.rules()),
    {"starter": "gondwana"},
    "test",
)
HEXEL = Start(
    *("m", TABLE.name, TABLE.hash, "hexel", hexel.rules()),
    {"hands": "dealt", "chips": "off"},
    "test",
)


@pytest.fixture
def two_hands(tmp_path: Path) -> Iterator[Any]:
    """The game of dealt cards that `hexboard new` writes."""
    keep(tmp_path, "two_hands", example("two-hands", "cards", tmp_path))
    registry.look_in(tmp_path / "games")
    yield registry.find("two-hands")
    registry.look_in(tmp_path / "nothing")


class Desk:
    """An account of a table, and its dealer."""

    def __init__(self, begin: Start | Resume = KNEE_DEEP, board: Board | None = None) -> None:
        start = started(begin)
        ours = FLOWERS if start.board == FLOWERS.name else TABLE
        self.transcript = Transcript(board or ours, begin)
        self.table: Any = self.transcript._table
        self.dealer = Dealer()
        self.n = 0
        self.effects: list[Effect] = []
        self.heard: list[Fact] = []
        self.written: list[str] = []
        self.feed(begin, "table")

    @property
    def position(self) -> Any:
        return self.table.position

    def feed(self, body: Body, source: str = "page 1/0") -> list[Effect]:
        self.n += 1
        fact = Fact(self.n, self.n * 100 * MS, self.n * 100 * MS, source, body)
        self.heard.append(self.transcript.heard(fact))
        self.effects, told = self.transcript.step(fact)
        self.written += [record.payload.decode() for record in told]
        return self.effects

    def deal(self) -> None:
        """As the daemon does."""
        while self.table.view().chance:
            position, seal = self.position, self.table.ledger.commitment.seal
            if seal is None:
                self.feed(self.dealer.seal(position.deck), "dealer")
            else:
                place = self.table.view().place
                self.feed(self.dealer.deal_sealed(position, seal, place), "dealer")

    def say(self, *names: str) -> None:
        for name in names:
            self.feed(Declare(-1, name), "player")
            self.deal()

    @property
    def refused(self) -> list[str]:
        return [effect.message.key for effect in self.effects if isinstance(effect, Refuse)]

    @property
    def told(self) -> str:
        tells = [effect for effect in self.effects if isinstance(effect, Tell)]
        return " ".join(say(m) for tell in tells for m in tell.messages)


def begun(start: Start = KNEE_DEEP) -> Desk:
    desk = Desk(start)
    desk.say("companions general tech", "companions commander trickster")
    return desk


def journalled(desk: Desk) -> tuple[str, ...]:
    """What a power cut leaves of what was played."""
    ledger = desk.table.ledger
    return tuple(encode_entry(it).decode() for it in ledger.match.entries[: ledger.committed])


# ---------------------------------------------------------------------------------- the shuffle


def test_the_commitment_is_a_hash_that_anybody_can_make() -> None:
    deck = "gondwana=sling;bukseon=barrier"
    made = blake2b(b"00ff 1234 gondwana=sling;bukseon=barrier", digest_size=32).hexdigest()
    assert commitment("00ff", "1234", deck) == made
    seal = Dealer().seal(deck)
    assert seal.commitment == commitment(seal.seed, seal.salt, deck)
    assert (len(seal.seed), len(seal.salt)) == (32, 32)
    assert Dealer(1).seal(deck) != Dealer(1).seal(deck)  # a simulation's seed tells nothing


def test_every_card_of_a_pile_is_as_likely_as_its_copies() -> None:
    drawn = Counter(pick("5eed", f"cards {n}", [1, 2, 0, 1]) for n in range(8000))
    assert drawn[2] == 0
    for at, expected in ((0, 2000), (1, 4000), (3, 2000)):
        assert abs(drawn[at] - expected) < 200  # 4 sigma of the largest is 179
    with pytest.raises(ZeroDivisionError):
        pick("5eed", "cards 0", [])


def test_the_hash_is_told_before_the_first_card_and_the_seed_checks_after_the_last() -> None:
    desk = begun()
    bodies = [fact.body for fact in desk.heard]
    first = next(k for k, body in enumerate(bodies) if isinstance(body, Declare) and k > 2)
    assert [type(body) for body in bodies[:4]] == [Start, Declare, Declare, Seal]
    assert first > 3
    seal = desk.table.ledger.commitment.seal
    assert seal is not None
    assert seal.seed not in str(desk.heard) + str(desk.written)
    desk.say("resign gondwana")
    desk.feed(Unseal(seal.seed, seal.salt), "dealer")
    assert "The shuffle checks" in desk.told
    assert "all 6 draws" in desk.told


@pytest.mark.parametrize("takeback", ["", "free", "agreed", "host"])
@pytest.mark.parametrize("ruling", ["undo", "position"])
def test_once_the_shuffle_is_told_the_game_stays_over(ruling: str, takeback: str) -> None:
    options = {**KNEE_DEEP.options, **({"takeback": takeback} if takeback else {})}
    desk = begun(replace(KNEE_DEEP, options=options))
    before = str(desk.position)
    desk.say("resign gondwana")
    over, entries = str(desk.position), list(desk.table.ledger.match.entries)
    assert desk.table.ledger.final
    for _ in range(2):  # before it is told, and after
        desk.feed(Ruling(f"position {before}" if ruling == "position" else ruling))
        assert desk.refused == ["table.final"]
        assert (str(desk.position), desk.table.ledger.match.entries) == (over, entries)
        seal = desk.table.ledger.commitment.seal
        assert seal is not None
        desk.feed(Unseal(seal.seed, seal.salt), "dealer")
    saved = tuple(encode_entry(entry).decode() for entry in entries)
    again = Desk(Resume(KNEE_DEEP, saved, seal))
    again.feed(Ruling("undo"))
    assert again.refused == ["table.final"]


def test_another_seed_or_a_card_that_is_not_the_seeds_does_not_check() -> None:
    desk = begun()
    seal = desk.table.ledger.commitment.seal
    assert seal is not None
    desk.feed(Unseal(seal.seed[::-1], seal.salt), "dealer")
    assert "does NOT check: seed" in desk.told
    cheat = Desk()
    cheat.say("companions general tech")
    cheat.feed(Declare(-1, "companions general tech"), "player")
    seal = Dealer().seal(cheat.position.deck)
    cheat.feed(seal, "dealer")
    position = cheat.position
    honest = drawn(position, seal.seed, cheat.table.view().place)
    other = next(name for m in position.legal if (name := position.name(m)) != honest)
    cheat.feed(Declare(-1, other), "dealer")
    cheat.feed(Unseal(seal.seed, seal.salt), "dealer")
    assert f"draw 1, “{other}”" in cheat.told


def test_hidden_cards_come_from_nobody_but_the_dealer() -> None:
    desk = Desk()
    desk.say("companions general tech")
    desk.feed(Declare(-1, "companions general tech"))
    for seat in (-1, 0):
        desk.feed(Declare(seat, "drawn sling"))
        assert desk.refused == ["table.dealer_only"]


def test_a_take_back_goes_past_what_was_dealt_and_the_same_card_comes_again() -> None:
    desk = begun()
    desk.say("keep", "keep")
    before = str(desk.position)
    desk.say("draw")
    after = str(desk.position)
    desk.feed(Ruling("undo"))
    assert str(desk.position) == before
    desk.say("draw")
    assert str(desk.position) == after


def test_no_take_back_and_nothing_that_is_played_changes_the_card_that_comes() -> None:
    """Knee Deep's `draw` before or after another action: it had been another card (found of 18)."""
    desk = begun()
    desk.say("keep", "keep")
    fresh = cards(desk)
    desk.say("draw")
    (drawn_first,) = cards(desk) - fresh
    desk.feed(Ruling("undo"))
    other = next(
        name
        for move in desk.position.legal
        if (name := desk.position.name(move)) not in ("draw", "resign gondwana")
        and "draw" in {after.name(m) for after in [desk.position.play(move)] for m in after.legal}
    )
    desk.say(other, "draw")
    assert cards(desk) - fresh == Counter({drawn_first: 1})


def cards(desk: Desk) -> Counter[str]:
    """What Gondwana holds."""
    return Counter(say(card) for card in desk.position.hand(0))


def lines_of_the_docs() -> Any:
    """The function by which somebody checks a shuffle who knows nothing of hexboard."""
    text = (Path(__file__).parents[1] / "docs" / "contracts.md").read_text("utf-8")
    lines: dict[str, Any] = {}
    exec(text.partition("```python\n")[2].partition("```")[0], lines)
    return lines["orders"]


def dealt(desk: Desk) -> dict[str, list[str]]:
    """What was drawn from each pile."""
    found: dict[str, list[str]] = {}
    for position, entry in desk.table.ledger.match.plays:
        if isinstance(entry, Played) and entry.action.startswith(("drawn ", "draw ")):
            found.setdefault(position.drawn_from, []).append(entry.action.partition(" ")[2])
    return found


def test_who_trusts_nobody_checks_a_finished_game_with_the_lines_of_the_docs() -> None:
    """What was dealt is each pile's order, as far as it came."""
    orders = lines_of_the_docs()
    desk = begun()
    desk.say("keep", "keep", "draw")
    desk.feed(Ruling("undo"))
    desk.say("draw", "resign gondwana")
    seal = desk.table.ledger.commitment.seal
    assert seal is not None
    told = json.loads(encode_fact(desk.heard[3]))["body"]
    opened = {"seed": seal.seed, "salt": seal.salt}
    fixed = dict(orders(told, opened))
    assert [len(cards) for cards in dealt(desk).values()] == [4, 3]
    assert all(fixed[pile][: len(cards)] == cards for pile, cards in dealt(desk).items())
    with pytest.raises(AssertionError, match="not what was promised"):
        list(orders(told, opened | {"salt": "0"}))


def test_where_cards_go_back_the_lines_of_the_docs_follow_them() -> None:
    begin = replace(KNEE_DEEP, options={**KNEE_DEEP.options, "mulligan": "return"})
    knees = begun(begin)
    knees.say("mulligan", "keep")
    hexel = Desk(HEXEL)
    hexel.deal()
    for _ in range(100):  # a redraw is allowed of some hands
        if "redraw" in map(hexel.position.name, hexel.position.legal):
            break
        hexel = Desk(HEXEL)
        hexel.deal()
    hexel.say("redraw")
    for desk, pile in ((knees, "gondwana"), (hexel, "cards")):
        seal = desk.table.ledger.commitment.seal
        told, opened = {"commitment": seal.commitment, "deck": seal.deck}, {"seed": seal.seed}
        cards = dealt(desk)[pile]
        back = {(pile, 3): cards[:3]}
        fixed = dict(lines_of_the_docs()(told, opened | {"salt": seal.salt}, back))
        assert (len(cards), fixed[pile][:6]) == (6, cards)


def test_the_deck_of_the_game_that_is_given_to_begin_with_is_read_by_the_lines_of_the_docs(
    two_hands: Any,
) -> None:
    seal = Dealer().seal(two_hands.begin(plain("hexhex-3"), {}).deck)
    told, opened = {"commitment": seal.commitment, "deck": seal.deck}, {"seed": seal.seed}
    ((pile, order),) = lines_of_the_docs()(told, opened | {"salt": seal.salt})
    assert (pile, sorted(order)) == ("cards", sorted("112233445566778899"))


def test_a_search_is_heard_as_a_question_mark_and_the_shuffle_still_checks() -> None:
    """What is drawn after it comes from what it left."""
    house = (Path(knee_deep.__file__).parent / "cards" / "house.toml").read_text("utf-8")
    tech = 'type = "tech"\n'
    ability = 'ability = { title = "Seek", do = [{ do = "search" }] }\n'
    box = house.replace(tech, tech + ability)
    desk = begun(replace(KNEE_DEEP, options={**KNEE_DEEP.options, "box": box}))
    desk.say("keep", "keep", "draw", "use tech")
    taken = desk.position.name(desk.position.legal[-1])
    assert taken.startswith("search ")
    held = cards(desk)
    desk.say(taken, "draw")
    assert sum((cards(desk) - held).values()) == 2
    assert [entry.action for entry in desk.table.ledger.match.heard[-3:]] == [
        *("search ?", "draw", "drawn ?"),
    ]
    assert taken not in "".join(desk.written)
    desk.say("resign gondwana")
    seal = desk.table.ledger.commitment.seal
    assert seal is not None
    desk.feed(Unseal(seal.seed, seal.salt), "dealer")
    assert "The shuffle checks" in desk.told
    assert "all 8 draws" in desk.told


@pytest.mark.parametrize("look", ["", 'of = "enemy"', "hand"])
def test_a_look_is_heard_as_question_marks_and_changes_no_card_that_comes(look: str) -> None:
    """The card drawn after it is the one drawn without it, after a take back and a restart too."""
    house = (Path(knee_deep.__file__).parent / "cards" / "house.toml").read_text("utf-8")
    tech = 'type = "tech"\n'
    does = 'do = "peek_hand"' if look == "hand" else f'do = "peek", amount = 2, {look}'.rstrip(", ")
    box = house.replace(tech, f'{tech}ability = {{ title = "Spy", do = [{{ {does} }}] }}\n')
    begin = replace(KNEE_DEEP, options={**KNEE_DEEP.options, "box": box})
    desk = begun(begin)
    desk.say("keep", "keep")
    before, held = str(desk.position), cards(desk)
    desk.say("draw")
    (drawn_first,) = cards(desk) - held
    desk.feed(Ruling("undo"))
    assert str(desk.position) == before
    desk.say("use tech")
    count = 3 if look == "hand" else 2
    heard = [entry.action for entry in desk.table.ledger.match.heard[-count:]]
    assert heard == ["seen ?"] * count
    names = [desk.position.card(it).id for it in desk.position.look.cards]
    assert not any(f"seen {name}" in "".join(desk.written) for name in names)
    assert sum((cards(desk) - held).values()) == count  # they stand beside the hand
    seal = desk.table.ledger.commitment.seal
    entries = journalled(desk)
    again = Desk(Resume(begin, entries, seal))
    assert (again.position, again.position.look) == (desk.position, desk.position.look)
    again.feed(Ruling("right"))
    heard_again = encode_fact(again.heard[0]).decode()
    assert heard_again.count("seen ?") == count
    for table in (desk, again):
        table.say("looked")
        table.feed(Ruling("undo"))  # the whole card
        assert str(table.position) == before
        table.say("use tech", "looked", "draw")
        assert cards(table) - held == Counter({drawn_first: 1})
        table.say("resign gondwana")
        table.feed(Unseal(seal.seed, seal.salt), "dealer")
        assert "The shuffle checks" in table.told


def test_a_shuffle_of_before_is_dealt_and_checked_as_it_was_promised() -> None:
    desk = Desk()
    desk.dealer = Dealer()
    desk.say("companions general tech")
    desk.feed(Declare(-1, "companions commander trickster"), "player")
    desk.feed(replace(desk.dealer.seal(desk.position.deck), piles=False), "dealer")
    assert desk.table.view().place == "2"  # entries before it
    desk.deal()
    desk.say("resign gondwana")
    seal = desk.table.ledger.commitment.seal
    assert seal is not None
    desk.feed(Unseal(seal.seed, seal.salt), "dealer")
    assert "all 6 draws" in desk.told


# ------------------------------------------------------------------------- what everybody hears


def test_what_is_dealt_and_laid_is_heard_as_a_question_mark() -> None:
    desk = begun()
    said = {fact.body.action for fact in desk.heard if isinstance(fact.body, Declare)}
    assert said == {"?"}
    heard = [entry.action for entry in desk.table.ledger.match.heard]
    assert heard == ["companions general tech", "companions commander trickster"] + ["drawn ?"] * 6
    (commit,) = [effect for effect in desk.effects if isinstance(effect, Commit)]
    assert '"drawn ?"' not in str(commit)  # the journal has all of it
    assert '\\"drawn ?\\"' in desk.written[-1] + desk.written[-2] + desk.written[-3]
    assert "hands=?+?+?;?+?+? " in "".join(desk.written)


def test_what_is_refused_is_heard_by_who_said_it_alone() -> None:
    desk = begun()
    position = desk.position
    for name in ("lay sling", "play carry_all", "keep now", "nonsense"):
        desk.feed(Declare(0, name))
        assert desk.refused
        assert "table.hidden_refused" not in desk.refused
        assert desk.heard[-1].body == Declare(0, "?")
        assert name not in "".join(desk.written)
    desk.feed(Declare(1, "keep"), "page 1/1")  # not its turn
    assert desk.heard[-1].body == Declare(1, "?")
    assert desk.position == position


def test_what_the_table_does_not_take_now_is_heard_by_who_said_it_alone() -> None:
    """The rules allow it, but in a pause or with the journal gone nothing is played: the card that
    was named stays in its hand."""
    desk = begun()
    desk.say("keep", "keep")
    desk.feed(Ruling("pause", "host"), "page 2")
    card = next(name for name in map(desk.position.name, desk.position.legal) if "recycle" in name)
    desk.feed(Declare(0, card), "page 1/0")
    assert desk.refused == ["table.in_pause"]
    assert desk.heard[-1].body == Declare(0, "?")
    assert card not in "".join(desk.written)


@pytest.mark.parametrize("word", ["position", "problem position"])
def test_a_position_that_is_set_is_heard_from_its_commit_and_a_view_is_none(word: str) -> None:
    desk = begun()
    text = str(desk.position)
    desk.feed(Ruling(f"{word} {text}", "host", "as it was"))
    assert not desk.refused
    assert desk.heard[-1].body == Ruling(f"{word} ?", "host", "as it was")
    assert any(f'"position":"{desk.table.ledger.public}"' in it for it in desk.written[-3:])
    desk.feed(Ruling(f"{word} {desk.position.view(0)}"))
    assert desk.refused == ["table.ruled_view"]
    assert desk.heard[-1].body == Ruling(f"{word} ?")
    hand = str(desk.position.view(0)).partition("hands=")[2].partition(";")[0]
    assert hand not in "".join(desk.written)
    assert str(desk.position) == text


@pytest.mark.parametrize("agrees", [True, False])
def test_a_game_that_somebody_wants_to_end_shows_no_hand_before_all_agree(agrees: bool) -> None:
    desk = begun(replace(KNEE_DEEP, options={**KNEE_DEEP.options, "takeback": "agreed"}))
    hand = str(desk.position.view(1)).partition("hands=")[2].partition(" ")[0].partition(";")[2]
    over = str(desk.position.view(0)).replace("phase=mulligan", "phase=over")
    over = over.replace("winner=-", "winner=0")
    desk.feed(Ruling(f"position {over}", "Ann", "", (0,)))
    told = "".join([encode_fact(fact).decode() for fact in desk.heard] + desk.written)
    assert hand not in told
    answer = "yes" if agrees else "no"
    desk.feed(Decide(desk.table.asking.id, answer, (1,), "Ben"), "page 2/1")
    assert (hand in "".join(desk.written)) == agrees
    assert not any(hand in encode_fact(fact).decode() for fact in desk.heard)


def test_a_resumed_match_deals_on_from_its_shuffle_and_hides_what_was_dealt() -> None:
    desk = begun()
    position, seal = desk.position, desk.table.ledger.commitment.seal
    assert seal is not None
    entries = tuple(encode_entry(entry).decode() for entry in desk.table.ledger.match.entries)
    again = Desk(Resume(KNEE_DEEP, entries, seal))
    assert again.position == position
    heard = encode_fact(again.heard[0]).decode()
    assert seal.commitment in heard
    assert seal.seed not in heard
    assert heard.count("drawn ?") == 6
    assert seal.commitment in again.told  # for who comes only now, or has it on paper
    for table in (desk, again):
        table.feed(Ruling("right"))
        table.say("keep", "keep", "draw")
    assert again.position == desk.position


def test_cards_that_were_dealt_are_no_move_of_a_match_that_goes_on() -> None:
    desk = Desk(HEXEL)
    desk.deal()
    assert desk.table.ledger.match.entries != []
    for has_begun in (False, True):
        entries = tuple(encode_entry(entry).decode() for entry in desk.table.ledger.match.entries)
        again = Desk(Resume(HEXEL, entries, desk.table.ledger.commitment.seal))
        assert again.table.view().begun == has_begun
        desk.say(desk.position.name(next(iter(desk.position.legal))))


def test_the_digest_is_over_what_everybody_hears() -> None:
    one, two = Desk(), Desk()
    seals = [Dealer().seal(""), Dealer().seal("")]
    for desk, seal in zip((one, two), seals, strict=True):
        desk.say("companions general tech")
        desk.feed(Declare(-1, "companions general tech"), "player")
        desk.feed(replace(seals[0], seed=seal.seed, salt=seal.salt), "dealer")
        for _ in range(6):
            place = desk.table.view().place
            desk.feed(Declare(-1, drawn(desk.position, seal.seed, place)), "dealer")
    assert one.position != two.position
    assert one.transcript.digest == two.transcript.digest
    assert one.written == two.written


def test_a_game_of_held_cards_hides_nothing() -> None:
    options: dict[str, int | str | bool] = {"hands": "held", "starter": "gondwana"}
    desk = Desk()
    desk.transcript = Transcript(FLOWERS, replace(KNEE_DEEP, options=options))
    desk.table = desk.transcript._table
    desk.say("companions general tech", "companions general tech", "keep", "keep")
    desk.feed(Declare(0, "play barrier"))
    assert desk.heard[-1].body == Declare(0, "play barrier")
    assert desk.table.ledger.commitment.seal is None


# ----------------------------------------------------------------------------- lights of Hex'el


def test_a_touched_cell_of_hexel_lights_the_same_whatever_the_hand_is() -> None:
    desk = Desk(HEXEL)
    desk.deal()
    while desk.position.phase != "place":
        position = desk.position
        desk.say(position.name(next(iter(position.legal))))
    position = desk.position
    scenes = []
    swapped = replace(
        position,
        hands=(bytes(sorted(position.unseen[:3])), position.hands[1]),
        unseen=bytes(sorted(position.unseen[3:] + position.hands[0])),
    )
    for ruled in (position, swapped):
        desk.feed(Ruling(f"position {ruled}"))
        desk.feed(Touch(("0,-1",)))
        scenes.append([mark for mark in desk.table.scene() if mark.meaning is not Meaning.LAST])
    assert scenes[0] == scenes[1]
    assert any(mark.meaning is Meaning.PICKED for mark in scenes[0])


def test_how_far_a_piece_goes_is_lit_as_everybody_may_know_it(tmp_path: Path) -> None:
    """A game that shows it by the cards of a hand lights nothing of a hidden one."""
    code = example("two-hands", "cards", tmp_path)
    rings = "        return (Mark('a1', Meaning.REACH),) * (UNKNOWN not in self.hands[0])"
    code = code.replace("    def seen(", f"    def rings(self, cell):\n{rings}\n\n    def seen(", 1)
    keep(tmp_path, "two_hands", code.replace("touched=Pos", "reaching=Position,\n    touched=Pos"))
    registry.look_in(tmp_path / "games")
    try:
        board, rules = plain("hexhex-3"), registry.find("two-hands").rules()
        desk = Desk(Start("m", board.name, board.hash, "two-hands", rules, {}, "test"), board)
        desk.deal()
        desk.feed(Touch(("a1",)))
        assert any(mark.meaning is Meaning.PICKED for mark in desk.table.scene())
        assert not any(mark.meaning is Meaning.REACH for mark in desk.table.scene())
    finally:
        registry.look_in(tmp_path / "nothing")
