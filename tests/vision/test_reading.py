"""What pictures say: every cell by itself in moderate light, nothing where nothing can be known,
and moves from pictures alone without one that is silently wrong."""

from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from hexboard.appearance import KIT
from hexboard.board import plain
from hexboard.facts import BARE, Tint
from hexboard.game import registry
from hexboard.perception.tints import Tints
from hexboard.simulator.camera.canvas import Glare, Light
from hexboard.simulator.camera.render import Hand, view
from hexboard.simulator.camera.tabletop import MODERATE, Tabletop
from hexboard.vision.cells.reading import Reader, Seen
from hexboard.vision.cells.strays import tinted
from hexboard.vision.frame import Picture
from hexboard.vision.settling import QUIET_FRAMES, Watch
from hexboard.words.errors import BadText
from tests.benchmarks.vision_moves import GAMES, MOODS, Bench
from tests.looking import looks


class Desk:
    """A rendered board of one game, and its reader."""

    def __init__(self, game: str, seed: int = 7) -> None:
        self.game, module = game, registry.find(game)
        self.board = plain(module.board(GAMES[game]))
        self.position: Any = module.start(self.board, GAMES[game])
        self.camera, self.pose = view(self.board)
        self.reader = Reader(self.board, looks(game), self.camera, self.pose)
        self.top = Tabletop(self.board, self.camera, self.pose, seed, MODERATE)
        self.put()

    def put(self) -> None:
        self.top.put(registry.appearance(self.game).things(self.position, self.board))

    def play(self, moves: int) -> None:
        random = Random(1)
        for _ in range(moves):
            self.position = self.position.play(random.choice(list(self.position.legal)))
        self.put()

    def lit(self, light: Light) -> Picture:
        return self.top.renderer.frame(self.top.lying, light, 1)

    def wrong(self, seen: Seen) -> list[str]:
        """The cells that say something, and that something wrong."""
        pairs = zip(self.board.cells, seen.cells, self.position.seen(), strict=True)
        return [c.id for c, codes, truth in pairs if codes and dict(codes).get(truth) != 0]


@pytest.mark.parametrize(
    "game",
    [pytest.param(it, marks=[pytest.mark.long] * (it != "hextraction")) for it in GAMES],
)
def test_every_cell_of_a_game_is_read_right_in_moderate_light(game: str) -> None:
    desk = Desk(game)
    desk.play(13 if game == "hexel" else 20)
    seen = desk.reader.read(desk.top.picture())
    assert desk.wrong(seen) == []
    assert seen.unexplained == ()
    assert not seen.hand


@pytest.mark.long
def test_glare_says_nothing_rather_than_something_wrong() -> None:
    desk = Desk("bad-santa-hex")
    desk.play(20)
    for x, y in ((500, 400), (640, 300), (800, 500)):
        seen = desk.reader.read(desk.lit(Light(glare=(Glare(x, y, 30, 0.4),))))
        assert seen.unexplained
        assert len(desk.wrong(seen)) <= 1


@pytest.mark.long
def test_in_a_dim_warm_light_no_piece_is_taken_for_a_mirrored_lamp() -> None:
    desk = Desk("bad-santa-hex")
    desk.play(20)
    seen = desk.reader.read(desk.lit(Light(gain=0.15, balance=(0.15, 0.6, 1.2))))
    assert seen.unexplained == ()
    assert desk.wrong(seen) == []


@pytest.mark.long
def test_a_reader_that_follows_the_light_sees_no_stray_any_more() -> None:
    """Pieces that look otherwise beside the paper than when they were learned."""
    desk = Desk("bad-santa-hex")
    desk.play(20)
    pieces = tuple((0.06 + 1.1 * b, 0.05 + g, 0.05 + r) for b, g, r in KIT.pieces)
    top = Tabletop(desk.board, desk.camera, desk.pose, 7, MODERATE, replace(KIT, pieces=pieces))
    top.put(registry.appearance(desk.game).things(desk.position, desk.board))
    seen, tints = desk.reader.read(top.picture()), Tints()
    before = [max(map(abs, sample.off)) for sample in seen.samples if sample.part != BARE]
    for _ in range(12):
        tints.learn(seen.cells, seen.samples, desk.position.seen(), 1)
    desk.reader.follow(tints.now)
    kit = desk.reader.model.kit
    assert min(before) > 30
    for own, old, now in zip(pieces, KIT.pieces, kit.pieces, strict=True):
        off = [abs(float(np.sqrt(a) - np.sqrt(b))) for a, b in zip(own, now, strict=True)]
        was = [abs(float(np.sqrt(a) - np.sqrt(b))) for a, b in zip(own, old, strict=True)]
        assert max(off) < max(was) / 2
    assert desk.wrong(desk.reader.read(top.picture())) == []
    desk.reader.follow(Tint())
    assert desk.reader.model.kit == KIT


def test_a_tint_that_would_make_two_kinds_alike_is_not_followed() -> None:
    kinds = looks("bad-santa-hex")
    black, orange = KIT.pieces[0], KIT.pieces[2]
    roots = (np.sqrt(orange) - np.sqrt(black)) * 1000
    to_orange = (int(roots[0]), int(roots[1]), int(roots[2]))
    assert tinted(KIT, Tint(1, ((0, to_orange),)), kinds) == KIT
    assert tinted(KIT, Tint(1, ((0, (20, 20, 20)),)), kinds) != KIT


@pytest.mark.long
def test_twice_the_light_on_one_side_changes_nothing() -> None:
    desk = Desk("hexalma")
    seen = desk.reader.read(desk.lit(Light(gain=0.45, slope=(0.35, 0.0), balance=(0.9, 1, 1.1))))
    assert desk.wrong(seen) == []


@pytest.mark.long
def test_the_board_is_never_at_rest_under_a_hand() -> None:
    desk = Desk("hexalma")
    for seed in range(2):
        watch, random = Watch(desk.reader), Random(seed)
        hand = Hand(random.uniform(-80, 80), random.uniform(-80, 80), random.uniform(0, 6))
        before = [watch.look(desk.top.picture()) for _ in range(QUIET_FRAMES + 2)]
        during = [watch.look(desk.top.picture(hand)) for _ in range(QUIET_FRAMES + 2)]
        after = [watch.look(desk.top.picture()) for _ in range(QUIET_FRAMES + 2)]
        assert before[-1].settled
        assert not any(sight.settled for sight in during)
        assert all(sight.hand for sight in during)
        assert after[-1].settled


@pytest.mark.long
def test_a_piece_that_moves_is_seen_to_move() -> None:
    desk = Desk("hexalma")
    watch = Watch(desk.reader)
    for _ in range(3):
        watch.look(desk.top.picture())
    desk.position = desk.position.play(desk.position.action("b3-c3"))
    desk.put()
    moved = {desk.board.cells[k].id for k in watch.look(desk.top.picture()).moving}
    assert {"b3", "c3"} <= moved <= {"b3", "c3", "c4", "d4", "b2", "b4", "c2"}


@pytest.mark.long
def test_a_black_picture_says_nothing_of_pieces() -> None:
    desk = Desk("hexalma")
    width, height = desk.camera.size
    seen = desk.reader.read(np.zeros((height, width, 3), np.uint8))
    assert len(seen.cells) == 61


def test_a_game_that_no_camera_can_read_is_refused_in_words() -> None:
    with pytest.raises(BadText, match="knee-deep"):
        looks("go")


@pytest.mark.long
@pytest.mark.parametrize("light", MOODS)
def test_moves_from_pictures_alone_are_never_silently_wrong(light: str) -> None:
    for game in GAMES:
        figures = Bench(game, MOODS[light], seed=40).play(0, 10)
        assert figures["wrong"] == 0
        assert figures["moves"] - figures["accepted"] <= 1
