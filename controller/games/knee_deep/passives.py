"""What companions give as long as they are there: in the whole game, while conditions hold."""

from typing import ClassVar

from msgspec import field

from hexboard.games.knee_deep.cards import Passive
from hexboard.games.knee_deep.conditions import AnyCondition, Group, Owner, Resource, units
from hexboard.games.knee_deep.effects import Amount, Change
from hexboard.games.knee_deep.state import State
from hexboard.words import Message, message


class Lastingly(Passive, frozen=True):
    """Something that is given to the side that it says, whatever cards do."""

    of: Owner = "self"
    conditions: tuple[AnyCondition, ...] = field(default=(), name="if")
    amount: Change = 1

    @property
    def rule(self) -> str:
        return str(type(self).__struct_config__.tag)

    def holds(self, state: State, seat: int) -> bool:
        return all(condition.met(state, seat) for condition in self.conditions)

    def whose(self, what: Message) -> Message:
        """What it gives, as a sentence that says to whom."""
        return message(f"knee_deep.for_{self.of}", what=what)


class ToUnits(Lastingly, frozen=True):
    """Units of a group have more or less of a number."""

    unit: Group = "any"

    @property
    def group(self) -> str:
        return self.unit

    @property
    def gives(self) -> Message:
        who, amount = units(None, self.unit, self.of), f"{self.amount:+d}"
        return message("knee_deep.lasts_modify", what=self.rule, amount=amount, who=who)


class MoreCombat(ToUnits, frozen=True, tag="combat"):
    """Combat of units, wherever they fight."""

    in_war: ClassVar[bool] = True


class MoreMove(ToUnits, frozen=True, tag="move"):
    """Fields that a vehicle moves for an energy."""


class WarBonus(Lastingly, frozen=True, tag="bonus"):
    """Combat in each war, beside that of units and cards."""

    in_war: ClassVar[bool] = True

    @property
    def gives(self) -> Message:
        return self.whose(message("knee_deep.lasts_bonus", amount=f"{self.amount:+d}"))


class WarShield(Lastingly, frozen=True, tag="prevent"):
    """Damage less in each war."""

    in_war: ClassVar[bool] = True
    amount: Amount = 1

    @property
    def gives(self) -> Message:
        return self.whose(message("knee_deep.lasts_prevent", amount=self.amount))


class FewBuilders(Lastingly, frozen=True, tag="builders"):
    """So many are enough for a structure; a card that says another number goes before."""

    amount: Amount = 1

    @property
    def gives(self) -> Message:
        return self.whose(message("knee_deep.lasts_builders", amount=self.amount))


class Income(Lastingly, frozen=True, kw_only=True, tag="income"):
    """Material or energy at each Power Up, beside that of companions and fields."""

    resource: Resource

    @property
    def rule(self) -> str:
        return self.resource

    @property
    def gives(self) -> Message:
        amount = f"{self.amount:+d}"
        what = message("knee_deep.lasts_income", amount=amount, resource=self.resource)
        return self.whose(what)


AnyPassive = MoreCombat | MoreMove | WarBonus | WarShield | FewBuilders | Income
