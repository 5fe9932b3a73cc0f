"""Keys, while another thread asks who has which seat, or writes them down."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from hexboard.web import keys as keys_module
from hexboard.web.keys import WATCHING, Key, Keys

TOKEN = "t" * 22


def joined(keys: Keys, seat: int, name: str) -> None:
    keys.accept(keys.invite(seat).secret, name, "", 0.0)


def names(keys: Keys) -> dict[int, str]:
    return {seat: key.name for seat, key in keys.players.items()}


def test_somebody_joins_while_another_thread_asks_whose_a_seat_is() -> None:
    """It went over what changed under it: what a host asked for was a mistake of hexboard's."""
    keys = Keys(TOKEN)
    joined(keys, 0, "Ann")
    joined(keys, 1, "Ben")

    class Asked(int):
        """A seat that is compared with others just as somebody joins."""

        def __eq__(self, other: object) -> bool:
            joined(keys, WATCHING, "Cleo")
            return int(self) == other

        __hash__ = int.__hash__

    held = keys.holder(Asked(1))
    assert held is not None
    assert held.name == "Ben"
    assert {it.name for it in keys.people} == {"Ann", "Ben", "Cleo"}


def test_in_the_middle_of_a_swap_everybody_has_one_seat_or_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was two steps: the table took Ann for Ben between them, and what was written down just
    then had them the wrong way round for good."""
    keys, seen = Keys(TOKEN, tmp_path / "phones.json"), list[dict[int, str]]()
    joined(keys, 0, "Ann")
    joined(keys, 1, "Ben")

    def other(key: Key, real: Callable[[Key], Key] = keys_module._other) -> Key:
        if not seen:
            seen.append({})
            seen[0] = names(keys)
            keys.keep()
        return real(key)

    monkeypatch.setattr(keys_module, "_other", other)
    assert keys.exchange(True)
    assert seen == [{0: "Ann", 1: "Ben"}]
    written = msgspec.json.decode((tmp_path / "phones.json").read_bytes())
    assert {it["name"]: it["seats"] for it in written} == {"Ann": [0], "Ben": [1]}
    assert names(keys) == {0: "Ann", 1: "Ben"}, "as they began"
    assert {it.name: it.seats for it in keys.people} == {"Ann": (1,), "Ben": (0,)}
