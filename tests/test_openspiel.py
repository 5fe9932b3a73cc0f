"""Our games under OpenSpiel: its own test of a game, its search, its files."""

import copy
import importlib
import pickle
from random import Random
from typing import Any

import pytest

import hexboard
from hexboard.library import openspiel
from hexboard.words.errors import BadText

pyspiel: Any = importlib.import_module("pyspiel")

QUICK = {"hextraction": {"pool": 30}, "knee-deep": None}
"""What makes a game short enough; None for one whose games are too long for its test, which copies
and writes each state."""


def played(game: Any, seed: int) -> Any:
    """The end of a random game."""
    random, state = Random(seed), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(numbers, odds)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
    return state


@pytest.mark.long
@pytest.mark.parametrize("name", [it for it in hexboard.names() if QUICK.get(it, {}) is not None])
def test_openspiels_own_test_of_a_game_passes(name: str) -> None:
    game = openspiel.load(name, **QUICK.get(name) or {})
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.long
def test_a_long_game_is_played_to_its_end_too() -> None:
    assert sum(played(openspiel.load("knee-deep"), 24).returns()) == 0


def test_a_tree_that_openspiel_walks_has_as_many_leaves_as_others_counted() -> None:
    state = openspiel.load("hexalma").new_initial_state()
    assert len(state.legal_actions()) == 50  # perft(1), and perft(2) below: two other programs
    assert sum(len(state.child(move).legal_actions()) for move in state.legal_actions()) == 2_500


@pytest.mark.long
def test_its_search_beats_chance() -> None:
    mcts = importlib.import_module("open_spiel.python.algorithms.mcts")
    random_state = importlib.import_module("numpy.random").RandomState
    game = openspiel.load("hexel", chips="off")
    won = 0
    for seed in range(4):
        evaluator = mcts.RandomRolloutEvaluator(1, random_state(seed))
        bot = mcts.MCTSBot(game, 1.0, 8, evaluator, random_state=random_state(seed))
        state, chance = game.new_initial_state(), Random(seed)
        while not state.is_terminal():
            if state.is_chance_node():
                numbers, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(numbers, odds)[0])
                continue
            mine = state.current_player() == seed % 2
            state.apply_action(bot.step(state) if mine else chance.choice(state.legal_actions()))
        won += state.returns()[seed % 2] > 0
    assert won >= 3


def test_a_state_is_written_and_read_by_its_moves() -> None:
    openspiel.register()
    game = pyspiel.load_game("hexboard_bad_santa_y(size=5)")
    state = game.new_initial_state()
    for _ in range(6):
        state.apply_action(state.legal_actions()[-1])
    there, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(state)
    assert there.get_parameters()["size"] == 5


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hextraction", {"pool": 30, "sets": "basic,published"}),
        ("hexel", {"hands": "held", "stock": 9}),
    ],
)
def test_a_state_is_pickled_copied_and_written_with_its_options(name: str, options: Any) -> None:
    game = openspiel.load(name, **options)
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    written = pyspiel.serialize_game_and_state(game, state)
    for again in (
        pickle.loads(pickle.dumps(state)),
        copy.deepcopy(state),
        pyspiel.deserialize_game_and_state(written)[1],
    ):
        assert str(again) == str(state)
        assert str(again.get_game()) == str(game)
        assert again.get_game().options.items() >= options.items()
    assert str(pickle.loads(pickle.dumps(game))) == str(pyspiel.load_game(str(game))) == str(game)


@pytest.mark.parametrize("text", ["a,b", "x(y=z)", "7", "-1.5", "true", "", "50 %2C\nä"])
def test_openspiel_reads_a_text_as_we_wrote_it(text: str) -> None:
    written = openspiel._escaped(text)
    assert openspiel._meant(written) == text
    parameters = pyspiel.game_parameters_from_string(f"any(text={written})")
    assert parameters["text"] == written


def test_chance_deals_and_throws_unless_options_say_otherwise() -> None:
    openspiel.register()
    for name in ("hexel", "hexboard_hexel"):
        game = openspiel.load(name) if name == "hexel" else pyspiel.load_game(name)
        assert game.options["hands"] == "dealt"
        assert played(game, 1).returns() in ([0.5, -0.5], [-0.5, 0.5], [0, 0])
    assert openspiel.load("bad-santa-hex").options["die"] == "dealt"
    assert openspiel.load("hexel", hands="held").options["hands"] == "held"


@pytest.mark.parametrize("name", hexboard.names())
def test_a_game_with_chance_says_so(name: str) -> None:
    game, random = openspiel.load(name, **QUICK.get(name) or {}), Random(1)
    state, chance = game.new_initial_state(), False
    for _ in range(20):
        chance = chance or state.is_chance_node()
        state.apply_action(random.choice(state.legal_actions()))
    assert chance == (game.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC)


def test_a_copy_goes_its_own_way() -> None:
    state = openspiel.load("hexalma").new_initial_state()
    copy, before = state.clone(), str(state)
    copy.apply_action(copy.string_to_action("b3-c3"))
    assert str(state) == before
    assert str(copy) == hexboard.start("hexalma").play("b3-c3").text


def test_a_player_is_told_what_that_seat_may_know() -> None:
    position = hexboard.start("hexel", hands="dealt")
    while position.odds:
        position = position.play(next(iter(position.legal)))
    state = openspiel.load("hexel", hands="dealt").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    told = [state.observation_string(seat) for seat in (0, 1)]
    assert told[0] != told[1]
    assert str(state) not in told


def test_a_game_that_is_not_there_is_said() -> None:
    with pytest.raises(BadText, match="chess"):
        openspiel.load("chess")
    with pytest.raises(BadText, match="size"):
        openspiel.load("hexalma", size=4)
