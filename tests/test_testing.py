"""`check_game` passes our games, and names each promise that a broken game does not keep."""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from hexboard.appearance import Appearance, Look
from hexboard.board import Board, plain
from hexboard.commands.new import write_game
from hexboard.game import registry
from hexboard.game.fields import PagePart
from hexboard.game.game import AnyGame, Game, board_for
from hexboard.game.options import Option, Options, choose
from hexboard.game.position import Phrase, Piece, Question
from hexboard.scene import Mark, Meaning, Scene
from hexboard.testing import BrokenPromise, check_game
from hexboard.words import Message, message
from hexboard.words.errors import BadText, IllegalAction


@pytest.mark.parametrize("name", registry.names())
def test_our_games_keep_every_promise(name: str) -> None:
    check_game(registry.find(name), seed=1, games=1, steps=25)


@pytest.mark.parametrize("name", ["hexel", "knee-deep"])
def test_so_they_do_with_hidden_hands(name: str) -> None:
    check_game(registry.find(name), seed=2, games=1, steps=25, options={"hands": "dealt"})


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", registry.names())
def test_our_games_keep_every_promise_in_long_games(name: str, seed: int) -> None:
    check_game(registry.find(name), seed=seed, games=3, steps=150)


# ------------------------------------------------------------------- a game, and broken ones

CELLS = tuple(cell.id for cell in plain("rhombus-3").cells)
OPTIONS = (Option("kind", "short", ("short", "full")),)
WORDS = {
    "claim.seat_0": "Left",
    "claim.seat_1": "Right",
    "claim.claims": "A piece lies on {cell} now.",
    "claim.taken": "{cell} is taken.",
    "claim.ask": "Claim a cell.",
    "claim.option.kind": "How many cells are claimed",
    "claim.help": "# Claim\n\nClaim cells in turn.",
}


class Claim(Struct, frozen=True):
    """Cells are claimed in turn, five of them, and nobody wins: a game that keeps its promises."""

    taken: tuple[int, ...] = ()

    @property
    def seats(self) -> tuple[Message, ...]:
        return message("claim.seat_0"), message("claim.seat_1")

    @property
    def legal(self) -> Sequence[int]:
        if len(self.taken) >= 5:
            return ()
        return [at for at in range(len(CELLS)) if at not in self.taken]

    @property
    def scores(self) -> tuple[int, ...] | None:
        return None if self.legal else (0, 0)

    @property
    def stable(self) -> bool:
        return True

    @property
    def events(self) -> tuple[Message, ...]:
        last = self.taken[-1:]
        return tuple(message("claim.claims", "C1", cell=CELLS[at]) for at in last)

    def refusal(self, action: int) -> Message | None:
        return None if action in self.legal else message("claim.taken", "C2", cell=CELLS[action])

    def actor(self, action: int) -> int:
        return len(self.taken) % 2

    def play(self, action: int) -> "Claim":
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        return replace(self, taken=(*self.taken, action))

    def question(self, seat: int) -> Question | None:
        return Question(seat, message("claim.ask"))

    def scene(self) -> Scene:
        return tuple(Mark(CELLS[at], Meaning.LAST) for at in self.taken[-1:])

    def name(self, action: int) -> str:
        return CELLS[action]

    def action(self, name: str) -> int:
        if name not in CELLS:
            raise BadText("game.none", name=name, near="", known="")
        return CELLS.index(name)

    def seen(self) -> bytes:
        return bytes(at in self.taken for at in range(len(CELLS)))

    def pieces(self) -> tuple[Piece, ...]:
        return tuple(Piece(CELLS[at], "disc", n % 2) for n, at in enumerate(self.taken))

    def places(self, action: int) -> tuple[str, ...]:
        return (CELLS[action],)

    def phrase(self, action: int) -> Phrase | None:
        return None

    @property
    def acts(self) -> tuple[int, ...]:
        return ()

    def __str__(self) -> str:
        return f"claim {' '.join(CELLS[at] for at in self.taken)}"


def game(kind: Any = Claim, **changes: Any) -> AnyGame[int]:
    """The game, with positions of `kind` and other fields changed."""

    def start(board: Board, options: Options) -> Any:
        choose("claim", OPTIONS, options)
        return kind()

    def parse(text: str, board: Board, options: Options) -> Any:
        head, _, cells = text.partition(" ")
        if head != "claim" or any(cell not in CELLS for cell in cells.split()):
            raise BadText("game.none", name=text, near="", known="")
        return kind(tuple(map(CELLS.index, cells.split())))

    declared: dict[str, Any] = {
        "name": "claim",
        "package": __name__,
        "rules": lambda: "1",
        "board": lambda options: "rhombus-3",
        "start": start,
        "parse": parse,
        "options": OPTIONS,
        "words": WORDS,
        "touched": Claim,
        "phrased": Claim,
        **changes,
    }
    return Game(**declared)


def test_the_whole_game_keeps_its_promises() -> None:
    check_game(game(), ends=True, steps=6)


def never(self: Claim, action: int) -> Claim:
    raise IllegalAction(message("claim.taken", "C2", cell=self.name(action)))


def loosely(self: Claim, action: int) -> Claim:
    after = Claim.play(self, action)
    force_setattr(self, "taken", after.taken)
    return after


def mumbled(self: Claim, name: str) -> int:
    if name not in CELLS:
        raise BadText("claim.unsaid", name=name)
    return CELLS.index(name)


CLAIMED = {"short": Claim()}

BROKEN: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "parse is the inverse of str": ({"__str__": lambda self: Claim.__str__(self) + " a1"}, {}),
    "equal texts are equal positions": ({"__eq__": lambda self, other: self is other}, {}),
    "equal positions have equal hashes": ({"__hash__": lambda self: id(self)}, {}),
    "action is the inverse of name": (
        {"action": lambda self, name: (Claim.action(self, name) + 1) % len(CELLS)},
        {},
    ),
    "each move has a name of its own": ({"name": lambda self, action: "a1"}, {}),
    "what is listed as legal is not refused": (
        {"refusal": lambda self, action: message("claim.taken", "C2", cell="a1")},
        {},
    ),
    "play takes what is listed as legal": ({"play": never}, {}),
    "play changes nothing": ({"play": loosely}, {}),
    "a move that is not listed is refused": ({"refusal": lambda self, action: None}, {}),
    "play refuses with IllegalAction": (
        {"play": lambda self, action: replace(self, taken=(*self.taken, action))},
        {},
    ),
    "a refusal names its rule": (
        {"refusal": lambda self, action: Claim.refusal(self, action) and message("claim.ask")},
        {},
    ),
    "a refusal has a sentence for its key": (
        {"refusal": lambda self, a: Claim.refusal(self, a) and message("claim.unsaid", "C2")},
        {},
    ),
    "an event has a sentence for its key": (
        {"events": property(lambda self: (message("claim.unsaid"),))},
        {},
    ),
    "a question has a sentence for its key": (
        {"question": lambda self, seat: Question(seat, message("claim.unsaid"))},
        {},
    ),
    "who is to move has a question": ({"question": lambda self, seat: None}, {}),
    "scores are known exactly when no move is legal": (
        {"scores": property(lambda self: (0, 0))},
        {},
    ),
    "scores are one a seat": (
        {"scores": property(lambda self: None if self.legal else (1,))},
        {},
    ),
    "move_count is how many moves are legal": ({}, {"move_count": lambda position: 4}),
    "the actor is a seat or CHANCE": ({"actor": lambda self, action: 7}, {}),
    "a game with chance declares chance": ({"actor": lambda self, action: -1}, {}),
    "seats have names of their own": (
        {"seats": property(lambda self: (message("claim.seat_0"), message("claim.seat_0")))},
        {},
    ),
    "seen has one code a cell": ({"seen": lambda self: b"\0"}, {}),
    "the scene lies on the board": ({"scene": lambda self: (Mark("z9", Meaning.LAST),)}, {}),
    "pieces lie on the board": ({"pieces": lambda self: (Piece("z9", "disc"),)}, {}),
    "places of a move lie on the board": ({"places": lambda self, action: ("z9",)}, {}),
    "action refuses what is no action with BadText": (
        {"action": lambda self, name: CELLS.index(name)},
        {},
    ),
    "a random game raises nothing": ({"scene": lambda self: 1 // 0}, {}),
    "parse refuses what is no position with BadText": (
        {},
        {"parse": lambda text, board, options: Claim()},
    ),
    "rules() is the same each time": ({}, {"rules": lambda: str(id(object()))[:0]}),
    "each option is described": ({}, {"options": (*OPTIONS, Option("other", "x"))}),
    "an option's default is allowed": ({}, {"options": (Option("kind", "x", ("short",)),)}),
    "an option it does not know is refused": ({}, {"start": lambda board, options: Claim()}),
    "appearance knows every code of seen": (
        {},
        {"appearance": Appearance(lambda position: (Look(),))},
    ),
    "what a code looks like is a Look": (
        {},
        {"appearance": Appearance(lambda position: ((), ()))},  # type: ignore[arg-type, return-value]
    ),
    "its part of the page raises nothing": ({}, {"page": PagePart(shows=lambda: 7)}),
    "the script and style sheet that it declares are there": (
        {},
        {"page": PagePart(script="none.js")},
    ),
    "its sample, with no option given raises nothing": ({}, {"sample": "nonsense"}),
    "its stage raises nothing": ({}, {"stage": lambda: 7}),
    "an evening says what came of it": ({}, {"evening": lambda *given: 7}),
    "an evening that plays itself raises nothing": ({}, {"evening": lambda *given: 1 // 0}),
    "a game with an option at its end raises nothing": (
        {},
        {"start": lambda board, options: CLAIMED[options.get("kind", "short")]},
    ),
    "parse takes what str writes": ({"__str__": lambda self: "cliam"}, {}),
    "what is refused has a sentence for its key": ({"action": mumbled}, {}),
    "each sentence has a key of the game's own": ({}, {"words": {**WORDS, "clam.over": "Over."}}),
    "an action in words has a sentence for its key": (
        {"phrase": lambda self, action: Phrase(message("claim.mumble"))},
        {},
    ),
    "a heading of actions has a sentence for its key": (
        {"phrase": lambda self, action: Phrase(message("claim.over"), message("claim.mumble"))},
        {},
    ),
    "each table act has words": ({"acts": property(lambda self: (0,))}, {}),
    "help has a title and more": ({}, {"words": {**WORDS, "claim.help": "# Claim"}}),
    "help is there": ({}, {"words": {k: v for k, v in WORDS.items() if k != "claim.help"}}),
    "what the game declares raises nothing": ({}, {"start": lambda board, options: 1 // 0}),
}
"""What is changed in the positions and in the declaration, by the promise that breaks."""


@pytest.mark.parametrize("promise", BROKEN)
def test_a_broken_promise_is_named(promise: str) -> None:
    methods, changes = BROKEN[promise]
    make: Any = type(Claim)
    kind = make("Broken", (Claim,), dict(methods), frozen=True)
    with pytest.raises(BrokenPromise) as caught:
        check_game(game(kind, **changes), seed=3)
    assert any(said.startswith(promise) for said in caught.value.broken), caught.value.broken


def test_an_option_is_looked_over_before_a_board_is_named_after_it() -> None:
    size = Option("size", 5, least=3, most=7)
    sized = game(options=(size,), board=lambda options: f"hexhex-{options.get('size', 5)}")
    assert board_for(sized, {"size": 7}) == "hexhex-7"
    for wrong in ("x", 40):
        with pytest.raises(BadText, match=f"size .*{wrong}|{wrong}.* size|3 to 7"):
            board_for(sized, {"size": wrong})


def test_a_game_that_does_not_end_is_named() -> None:
    with pytest.raises(BrokenPromise, match="is over within 4 actions"):
        check_game(game(), steps=4, ends=True)


# --------------------------------------------------------------------- chance and hidden hands

CARDS = {
    "odds are positive": ("else self.unseen.count(card)", "else 0"),
    "while something is dealt only chance acts": (
        "return CHANCE if isinstance(action, Draw) else",
        "return CHANCE if action == Draw('1') else",
    ),
    "the deck is one line": ('return "+".join(DECK)', 'return "\\n".join(DECK)'),
    "a view's view is itself": (
        "return self\n        first",
        "return self.view(2) if seat < 2 else self\n        first",
    ),
    "a view says whose it is": ("(first, second), seat,", "(first, second), seat % 2,"),
    "a view is parsed as any position": (
        'WHOLE if eyes == "*" else int(eyes)',
        'WHOLE if eyes == "*" else int(eyes) % 2',
    ),
    "told tells nothing that the view hides": (
        "if isinstance(action, Draw) and self.receiver != seat:",
        "if isinstance(action, Draw) and self.receiver == -1:",
    ),
    "the view shows nothing that told hides": ("else UNKNOWN * len(hand) for", "else hand for"),
    "events tell nothing that told hides from everybody": (
        'drawn_{seat}", "R1")',
        'drawn_{seat}", "R1", card=draw.card)',
    ),
    "told hides nothing where private is false": (
        "def private(self) -> bool:\n        return self.scores is None",
        "def private(self) -> bool:\n        return False",
    ),
    "a card of a hand has a sentence for its key": ('.card", card=card)', '.crad", card=card)'),
    "what a seat has has a sentence for its key": ('.has_{seat}", cards', '.hat_{seat}", cards'),
}
"""What is changed in a game of cards, by the promise that breaks."""


@pytest.mark.parametrize("promise", CARDS)
def test_a_broken_promise_of_chance_and_hidden_hands_is_named(
    promise: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"cards-{list(CARDS).index(promise)}"
    module = name.replace("-", "_")
    write_game(name, "cards", tmp_path)
    path = tmp_path / module / "__init__.py"
    right, wrong = CARDS[promise]
    text = path.read_text("utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BrokenPromise) as caught:
        check_game(importlib.import_module(module).GAME, seed=3, games=1, steps=12)
    assert any(said.startswith(promise) for said in caught.value.broken), caught.value.broken
