"""The commitment of a table: what proves that the shuffle was kept."""

from hexboard.devices.dealer import Dealer
from hexboard.games import hexalma
from hexboard.table.commitment import Commitment


def test_seed_and_salt_must_be_those_of_the_hash() -> None:
    seal = Dealer().seal("a b c")
    kept = Commitment()
    assert kept.made(seal).key == "table.sealed"
    assert kept.opens(seal.seed, seal.salt, hexalma.GAME, ()).key == "table.seal_holds"
    assert kept.opens(seal.seed, seal.salt + "0", hexalma.GAME, ()).key == "table.seal_broken"
    assert kept.opened


def test_who_committed_to_nothing_proves_nothing() -> None:
    assert Commitment().opens("1", "2", hexalma.GAME, ()).key == "table.seal_broken"
