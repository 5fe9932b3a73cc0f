"""What is agreed before a game and does not change during it: map, box and rulings."""

from typing import Annotated, Literal

from msgspec import Struct

from hexboard.game.agreed import Agreed, options_of
from hexboard.game.options import Option
from hexboard.games.knee_deep.cards import CardBox
from hexboard.games.knee_deep.ground import Battlefield

NAME = "knee-deep"
AS_MAPPED, DRAWN = "map", "drawn"


class Setting(Struct, frozen=True):
    """The map, the box and the rulings by their names in `OPTIONS`."""

    ground: Battlefield
    terrain: str
    """Where the terrain comes from: the map, a file, or people draw it first."""
    box: CardBox
    hands: Annotated[Literal["dealt", "held"], Agreed("KDH-3.4", "the match")] = "dealt"
    starter: Annotated[Literal["drawn", "gondwana", "bukseon"], Agreed("KDH-2.2", "the match")] = (
        "drawn"
    )
    first_penalty: Annotated[Literal["material", "energy"], Agreed("KDH-A1")] = "material"
    mulligan: Annotated[Literal["discard", "return"], Agreed("KDH-A2")] = "discard"
    hq_damage: Annotated[Literal["whole", "accumulates"], Agreed("KDH-A3")] = "whole"
    presence: Annotated[Literal["each_unit_or_hq", "each_unit"], Agreed("KDH-A4")] = (
        "each_unit_or_hq"
    )
    war_cards: Annotated[Literal["checked", "free"], Agreed("KDH-A5")] = "checked"
    recheck: Annotated[Literal["yes", "no"], Agreed("KDH-A6")] = "yes"
    damage: Annotated[Literal["may", "must"], Agreed("KDH-A7")] = "may"
    overflow: Annotated[Literal["stop", "all"], Agreed("KDH-A8")] = "stop"
    full_tie: Annotated[Literal["draw", "starter", "second"], Agreed("KDH-A9")] = "draw"
    empty_pile: Annotated[Literal["forbidden", "allowed"], Agreed("KDH-A10")] = "forbidden"
    hand_limit: Annotated[Literal["own_turn", "effects"], Agreed("KDH-A11")] = "own_turn"
    deploy_at: Annotated[Literal["own", "any"], Agreed("KDH-A12")] = "own"
    sling_over_hq: Annotated[Literal["yes", "no"], Agreed("KDH-A13")] = "yes"
    skirmish: Annotated[Literal["triangle", "chevron", "either"], Agreed("KDH-A14")] = "triangle"
    lays_first: Annotated[Literal["attacker", "defender"], Agreed("KDH-A15")] = "attacker"
    marker: Annotated[Literal["may", "must"], Agreed("KDH-A16")] = "may"
    place_cost: Annotated[Literal["card", "both"], Agreed("KDH-A18")] = "card"
    extractor: Annotated[Literal["anywhere", "resource"], Agreed("KDH-A19")] = "anywhere"
    quiet_rounds: Annotated[int, Agreed("KDH-A21", least=0, most=999)] = 20
    start_income: Annotated[Literal["no", "yes"], Agreed("KDH-A22")] = "no"
    hq_in_zone: Annotated[Literal["any_part", "whole"], Agreed("KDH-A23")] = "any_part"
    own_losses: Annotated[Literal["count", "hp_only"], Agreed("KDH-A26")] = "count"
    discards: Annotated[Literal["open", "closed"], Agreed("KDH-A27")] = "open"
    # A17 (the active player alone ends the phase), A20 (one HQ falls before the other), A24, A25
    # and A28 leave nothing to choose.

    @property
    def held(self) -> bool:
        """People hold printed cards: only they know which."""
        return self.hands == "held"


FILES = (
    Option("map", "flowers-31", rule="KDH-1.9", group="the match", file=True),
    Option("terrain", "map", rule="KDH-1.3", group="the match", file=True),
    Option("box", "house", rule="KDH-4.2", group="the match", file=True),
)
OPTIONS = (*FILES, *options_of(Setting))
