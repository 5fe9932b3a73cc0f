"""A game with dealt cards through the real shell: no byte of the other's hand leaves too early.

Two pages, one for each side, and a third with its curtain closed hear everything; the recording's
public part is read while the game goes on. The cards come from a shuffle of the system's entropy,
so each run is another game: what these tests show holds for every deal.
"""

import http.client
import json
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from hexboard.game.shuffle import commitment
from hexboard.games import knee_deep
from hexboard.record.recording import FLUSH_S, read
from hexboard.record.replay import Replay, lines
from hexboard.record.sealed import secret_facts
from hexboard.words.errors import BadRecording
from tests.running import PATIENCE, Page, Running, eventually, hexboard

Start = Callable[..., Running]
PACE = 0.06
"""Seconds between two commands of one page, so that none is too fast."""


class Heard:
    """A page that keeps every byte it was sent."""

    def __init__(self, page: Page) -> None:
        self.socket = page.socket
        self.texts: list[str] = []
        self.state: dict[str, Any] = page.state
        self.refused: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(ConnectionClosed):
            for text in self.socket:
                self.texts.append(text)
                message = json.loads(text)
                if message["type"] == "state":
                    self.state = message
                elif message["type"] == "refused":
                    self.refused.append(message["reason"])

    def send(self, type: str, **fields: Any) -> None:
        time.sleep(PACE)
        self.socket.send(json.dumps({"type": type, **fields}))

    def until(self, true: Callable[[dict[str, Any]], Any]) -> None:
        eventually(lambda: true(self.state))


class Evening:
    """Both sides and a looker-on at a running board."""

    def __init__(self, running: Running, stack: ExitStack, seed: int) -> None:
        self.running, self.random = running, Random(seed)
        heard = [Heard(stack.enter_context(running.page())) for _ in range(3)]
        self.sides, self.closed = heard[:2], heard[2]
        for side, page in enumerate(self.sides):
            page.send("curtain", side=side)
            eventually(partial(self._open, side))

    def _open(self, side: int) -> bool:
        return bool(self.sides[side].state["side"] == side)

    @property
    def rev(self) -> int:
        return int(max(page.state["rev"] for page in (*self.sides, self.closed)))

    def asked(self) -> Heard:
        """The page of the side that is asked now."""

        def found() -> Heard | None:
            now = [page for page in self.sides if page.state["rev"] == self.rev]
            return next((page for page in now if page.state["moves"]), None)

        page: Heard = eventually(found)
        return page

    def act(self, page: Heard, action: str) -> None:
        """Say it until the page shows what came of it, or why not."""
        before, refused = page.state["position"], len(page.refused)
        page.send("declare", seat=-1, action=action)
        eventually(lambda: page.state["position"] != before or len(page.refused) > refused)

    def rest(self) -> None:
        """Until the dealer has dealt, all pages have heard of it and the disk has it."""
        self.asked()
        eventually(lambda: {p.state["rev"] for p in (*self.sides, self.closed)} == {self.rev})
        eventually(self._written)

    def _written(self) -> bool:
        """Whether nothing more comes into the recordings."""

        def sizes() -> list[int]:
            return [path.stat().st_size for path in folder.iterdir()]

        folder = self.running.folder / "recordings"
        before = sizes()
        time.sleep(2 * FLUSH_S)
        return sizes() == before

    def held(self, hidden: list[set[str]]) -> bool:
        """Whether a page was told one of its own side's hidden cards, and both sides have some."""
        told = ["".join(page.texts) for page in self.sides]
        of_own = [card in told[side] for side in (0, 1) for card in hidden[side]]
        return all(hidden) and any(of_own)

    def play(self, moves: int) -> None:
        """So many moves of anybody's, cards among them wherever they can be."""
        for _ in range(moves):
            page = self.asked()
            names = [name for name, _ in page.state["moves"]]
            of_cards = [name for name in names if re.match("play|lay [a-z]|recycle|place", name)]
            choice = self.random.choice((self.random.random() < 0.5 and of_cards) or names)
            self.act(page, choice)


@pytest.fixture
def evening(start: Start) -> Iterator[Callable[..., Evening]]:
    with ExitStack() as stack:
        yield lambda *options: Evening(start(*options), stack, seed=7)


def public_bytes(running: Running, folder: Path) -> str:
    """What the public part of all recordings says, record by record, but the lists of cards."""
    text = []
    for path in running.recordings():
        copy = folder / path.name
        shutil.copy(path, copy)
        for record in read(copy):
            text.append(re.sub(r'"deck":"[^"]*"', "", record.payload.decode()))
        text.append(hexboard("log", copy, "--topic", "event").stdout)
    return "\n".join(text)


def hands_of(running: Running) -> list[set[str]]:
    """For each side the cards of its hand and pile that the other's deck has none of and of which
    none was ever shown, by the secret segment."""
    (path,) = running.recordings()
    replay, shown = Replay(path), set()
    for step in replay:
        assert step.differences == ()
        position: Any = replay.view.position
        shown |= {position.card(card).id for pile in position.discards for card in pile}
    decks = [set(part.split("=")[1].split("+")) for part in position.deck.split(";")]
    own = [decks[0] - decks[1], decks[1] - decks[0]]
    return [cards - shown for cards in own]


def answered(running: Running, path: str) -> tuple[str, str]:
    """The headers and the body that the host's browser gets."""
    asked = http.client.HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE)
    with closing(asked):
        asked.request("GET", path, headers={"Cookie": running.cookie})
        with asked.getresponse() as answer:
            return str(answer.headers), answer.read().decode()


def besides(running: Running) -> dict[str, str]:
    """Where else a card could stand: answers with their headers, the terminal, and all files but
    the journal and what is sealed, from which the game goes on."""
    paths = ("/", "/front", "/join", "/camera", "/nothing")
    texts = {path: "".join(answered(running, path)) for path in paths}
    texts["/board"] = answered(running, "/board")[0]
    texts["the terminal"] = running.end()[1]
    for file in running.folder.rglob("*"):
        if file.is_file() and file.suffix not in (".db", ".sealed"):
            texts[file.name] = file.read_bytes().decode("latin-1")
    return texts


@pytest.mark.long
def test_no_byte_tells_a_hidden_card_of_knee_deep_before_it_is_shown(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening("--game", "knee-deep")
    sheet = answered(at.running, "/board")[1]  # lists every card that there is
    for name in ("companions general tech", "companions commander trickster"):
        at.act(at.asked(), name)
    at.play(30)
    page = at.asked()
    refused = len(page.refused)
    page.send(
        "declare", seat=-1, action="lay nothing"
    )  # no card, not now or not held: it alone is told which
    eventually(lambda: len(page.refused) > refused)
    at.rest()
    while not at.held(hidden := hands_of(at.running)):  # as chance dealt: until one is
        at.play(1)
        at.rest()
    public = public_bytes(at.running, tmp_path)
    lookers = [at.sides[1].texts + at.closed.texts, at.sides[0].texts + at.closed.texts]
    for side in (0, 1):
        for card in hidden[side]:
            assert card not in public
            assert not [text for text in lookers[side] if card in text]
    assert "table.hidden_refused" in public
    assert answered(at.running, "/board")[1] == sheet
    elsewhere = besides(at.running)
    for card in hidden[0] | hidden[1]:
        assert not [name for name, text in elsewhere.items() if card in text]


@pytest.mark.long
def test_a_page_with_its_curtain_closed_says_nothing_for_a_side(
    evening: Callable[..., Evening],
) -> None:
    at = evening("--game", "knee-deep")
    at.closed.send("declare", seat=-1, action="companions general tech")
    assert "whose cards" in eventually(lambda: at.closed.refused)[0]
    at.sides[1].send("declare", seat=-1, action="companions general tech")  # not its turn
    assert "not your turn" in eventually(lambda: at.sides[1].refused)[0]
    assert at.closed.state["moves"] == at.closed.state["hand"] == []
    (path,) = at.running.recordings()
    at.closed.send("new")  # this match is over: what was hidden of it may be seen
    eventually(path.with_suffix(".secrets").exists)
    assert not path.with_suffix(".sealed").exists()


@pytest.mark.long
def test_cards_that_a_side_looks_at_stand_on_its_page_alone_until_it_goes_on(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    house = (Path(knee_deep.__file__).parent / "cards" / "house.toml").read_text("utf-8")
    ability = 'ability = { title = "Spy", do = [{ do = "peek_hand" }] }\n'
    box = tmp_path / "box.toml"
    box.write_text(house.replace('type = "tech"\n', f'type = "tech"\n{ability}', 1), "utf-8")
    at = evening("--game", "knee-deep", "--option", f"box={box}", "--option", "starter=gondwana")
    for name in ("companions general tech", "companions general tech", "keep", "keep", "use tech"):
        at.act(at.asked(), name)
    looker, other = at.sides
    looker.until(lambda s: [name for name, _ in s["moves"]] == ["looked"])
    seen = [line for line in looker.state["hand"] if line.startswith("In Bukseon's hand: ")]
    assert len(seen) == 3
    assert sorted(line.partition(": ")[2] for line in seen) == sorted(other.state["hand"])
    at.act(looker, "looked")
    looker.until(lambda s: not [line for line in s["hand"] if "Bukseon's hand" in line])
    for page in (other, at.closed):
        assert not [text for text in page.texts if "In Bukseon's hand: " in text]
        assert any("Gondwana looks at 3 cards of Bukseon's hand." in text for text in page.texts)
    titles = {line.split(": ")[1] for line in seen}
    log = "".join(json.dumps(json.loads(text).get("log", "")) for text in at.closed.texts)
    assert not [title for title in titles if title in log]


@pytest.mark.long
def test_when_the_game_is_over_the_shuffle_is_told_and_checks(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening("--game", "knee-deep", "--option", "discards=closed")
    at.play(8)
    (path,) = at.running.recordings()
    assert not path.with_suffix(".secrets").exists()
    before = str(list(lines(read(path))))
    assert "drawn ?" in before
    assert not re.search(r"drawn \w", before)
    at.sides[0].send("declare", seat=-1, action="resign gondwana")
    at.closed.until(lambda s: "The shuffle checks" in str(s["log"][:2]))
    at.closed.until(lambda s: not s["private"])
    at.closed.send("ruling", do="undo")  # else the next cards would be everybody's
    assert "cannot be taken back" in eventually(lambda: at.closed.refused)[0]
    assert not at.closed.state["private"]
    assert at.running.end()[0] == 0
    assert path.with_suffix(".secrets").exists()
    assert not path.with_suffix(".sealed").exists()
    after = hexboard("log", path, "--json").stdout
    assert len(re.findall(r"drawn [a-z]\w+", after)) >= 6
    assert not [step for step in Replay(path) if step.differences]
    assert '"table.seal_kept"' in after
    facts = [json.loads(line)["body"] for line in after.splitlines() if '"topic": "fact"' in line]
    (seal,) = [body for body in facts if body["type"] == "seal"]
    (told,) = [body for body in facts if body["type"] == "unseal"]
    assert commitment(told["seed"], told["salt"], seal["deck"]) == seal["commitment"]
    first = [body["type"] for body in facts].index("seal")
    assert not [body for body in facts[:first] if "drawn" in body.get("action", "")]
    alone = tmp_path / "alone.mcap"
    shutil.copy(path, alone)
    with pytest.raises(BadRecording, match="public part of a game with hidden cards"):
        list(Replay(alone))


@pytest.mark.long
def test_after_a_kill_the_same_shuffle_goes_on(start: Start) -> None:
    asked = ("--game", "knee-deep")
    with ExitStack() as stack:
        at = Evening(start(*asked), stack, seed=3)
        at.play(12)
        at.rest()
        text = [page.state["position"] for page in at.sides]
        at.running.process.kill()
        at.running.process.communicate()
    with ExitStack() as stack:
        again = Evening(start(*asked), stack, seed=4)
        again.closed.send("ruling", do="right")
        assert [page.state["position"] for page in again.sides] == text
        again.play(6)
        again.sides[1].send("declare", seat=-1, action="resign bukseon")
        again.closed.until(lambda s: "The shuffle checks" in str(s["log"][:2]))
        assert again.running.end()[0] == 0
    for path in again.running.recordings():
        assert secret_facts(path, opened_only=True)
        assert not [step for step in Replay(path) if step.differences]


@pytest.mark.long
def test_no_byte_tells_a_card_that_hexel_dealt_to_another(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening("--game", "hexel", "--option", "hands=dealt", "--option", "chips=off")
    while "redraw" in dict(at.asked().state["moves"]):  # the opening cards make no line
        at.play(1)
    at.play(4)  # with the next card the game might end
    at.rest()
    (path,) = at.running.recordings()
    replay = Replay(path)
    assert not [step for step in replay if step.differences]
    position: Any = replay.view.position
    assert position.private
    public = public_bytes(at.running, tmp_path)
    lain = set(re.findall(r"(\w{6}) is turned up", public))
    lookers = (at.sides[1].texts, at.sides[0].texts)
    for side in (0, 1):
        faces = {str(dict(card.values)["face"]) for card in position.hand(side)}
        assert faces
        for face in faces:
            turned = {face[i:] + face[:i] for i in range(6)}
            if turned & lain:  # it lay in a line that was shuffled back
                continue
            for heard in ("\n".join([*lookers[side], *at.closed.texts]), public):
                assert not [turn for turn in turned if turn in heard]
