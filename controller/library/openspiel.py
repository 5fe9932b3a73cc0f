"""Every game as one of OpenSpiel's, for its bots, searches and learners (`pip install open_spiel`).

    from hexboard.library import openspiel

    game = openspiel.load(hexboard.names()[0])  # a pyspiel.Game
    state = game.new_initial_state()

An action is the number of a move among those that are legal now, in the order of their names: it
means nothing in another state. Returns are the scores less their mean, so that they add up to 0.
Where several seats may act, the first one's moves come first. A game of hidden cards tells each
player what that seat may know (`observation_string`); the state itself knows everything.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pyspiel

from hexboard.library.position import Position, begin, names
from hexboard.words import Value
from hexboard.words.errors import BadText

MOST_MOVES = 1 << 14
"""No state of a game has more moves."""
LONGEST = 100_000
"""No game has more."""
LARGEST = 1e6
"""No score is farther from the mean of all."""


def load(name: str, /, **options: Value) -> Any:
    """One of our games as a `pyspiel.Game`. Raises `BadText` for a game or option there is not."""
    start = begin(name, "", options)
    _registered(name)
    given = {option: value for option, value in options.items() if value != _default(start, option)}
    return pyspiel.load_game(_short(name), given)


def register() -> None:
    """From now on `pyspiel.load_game` knows all games, "hexboard_" before each name, _ for -."""
    for name in names():
        _registered(name)


def _short(name: str) -> str:
    return f"hexboard_{name.replace('-', '_')}"


def _default(position: Position, option: str) -> Value:
    return next(it.default for it in position.game.options if it.name == option)


@cache
def _registered(name: str) -> None:
    class Registered(OpenSpielGame):
        """This game: OpenSpiel makes it by its options alone."""

        def __init__(self, options: Mapping[str, Value] | None = None) -> None:
            super().__init__(name, options or {})

    pyspiel.register_game(_kind(name), Registered)


@cache
def _kind(name: str) -> Any:
    game, of = begin(name, "", {}).game, pyspiel.GameType
    return of(
        short_name=_short(game.name),
        long_name=f"hexboard: {game.name}",
        dynamics=of.Dynamics.SEQUENTIAL,
        chance_mode=of.ChanceMode.EXPLICIT_STOCHASTIC
        if game.chance
        else of.ChanceMode.DETERMINISTIC,
        information=of.Information.IMPERFECT_INFORMATION
        if game.hidden
        else of.Information.PERFECT_INFORMATION,
        utility=of.Utility.ZERO_SUM,
        reward_model=of.RewardModel.TERMINAL,
        max_num_players=10,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={option.name: option.default for option in game.options},
    )


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A game with its options, on its own board."""

    def __init__(self, name: str, options: Mapping[str, Value]) -> None:
        self.name, self.options = name, dict(options)
        told = pyspiel.GameInfo(
            num_distinct_actions=MOST_MOVES,
            max_chance_outcomes=MOST_MOVES,
            num_players=len(begin(name, "", self.options).seats),
            min_utility=-LARGEST,
            max_utility=LARGEST,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_kind(name), told, self.options)

    def new_initial_state(self) -> "OpenSpielState":
        return OpenSpielState(self, begin(self.name, "", self.options))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "OpenSpielObserver":
        return OpenSpielObserver(params)


class OpenSpielState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A position, as OpenSpiel plays it."""

    def __init__(self, game: OpenSpielGame, position: Position) -> None:
        super().__init__(game)
        self._set(position)

    def _set(self, position: Position) -> None:
        inner, self.position = position.inner, position
        self.seat = position.seat
        mine = (it for it in inner.legal if inner.actor(it) == self.seat)
        self.moves = sorted(inner.name(it) for it in mine)

    def current_player(self) -> Any:
        if self.seat is None:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.seat < 0 else self.seat

    def _legal_actions(self, player: int) -> Iterable[int]:
        return list(range(len(self.moves)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The number of each chance, with its probability."""
        odds = self.position.odds
        weights = [odds[name] if odds else 1 for name in self.moves]
        return [(n, weight / sum(weights)) for n, weight in enumerate(weights)]

    def _apply_action(self, action: int) -> None:
        self._set(self.position.play(self.moves[action]))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.moves[action]

    def is_terminal(self) -> bool:
        return self.seat is None

    def returns(self) -> list[float]:
        scores = self.position.scores
        if scores is None:
            return [0.0] * len(self.position.seats)
        mean = sum(scores) / len(scores)
        return [score - mean for score in scores]

    def __str__(self) -> str:
        return self.position.text


class OpenSpielObserver:
    """What a player may know, as text."""

    def __init__(self, params: Any) -> None:
        if params:
            raise BadText("game.option", option=str(params), value="", allowed="-")
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """There is no tensor."""

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return state.position.view(player).text
